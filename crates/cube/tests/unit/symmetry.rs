//! Invariance of values under symmetries and inversion, and lookups of one table under all of them.

use super::common::{self, visit::edge_part};
use crate::heuristics::Instructions;
use crate::heuristics::PatternBound;
use crate::lanes::{Lanes, Portable};
use crate::pdb::{Edges, edges};
use crate::random::random_cube;
use crate::space::{State, View};
use crate::symmetry::Symmetry;
use crate::tables::{Pattern, TableId};
use crate::{Cube, Metric};

/// Random walks, whose values vary, and uniformly random cubes.
fn cubes(seed: u64, count: usize) -> Vec<Cube> {
    let rng = &mut common::rng(seed);
    let near = |i: usize| i % 14;
    (0..count)
        .map(|i| match i % 2 {
            0 => common::random_walk(rng, Metric::Htm, near(i)),
            _ => random_cube(rng),
        })
        .collect()
}

/// The number of cubes with an image under a symmetry, and with an inverse, of another value.
fn changes(name: &str, metric: Metric, count: usize) -> (usize, usize) {
    let solver = common::solver(name, metric, Instructions::Best);
    let (mut by_symmetry, mut by_inversion) = (0, 0);
    for cube in cubes(48, count) {
        let value = solver.value(&cube);
        let differs = |s: Symmetry| solver.value(&s.conjugate(&cube)) != value;
        by_symmetry += usize::from(Symmetry::all().any(differs));
        by_inversion += usize::from(solver.value(&cube.inverse()) != value);
    }
    (by_symmetry, by_inversion)
}

#[test]
fn values_are_invariant_under_symmetry() {
    for name in ["coset-3", "coset-3i", "corners", "hoey:96"] {
        let count = if name == "hoey:96" { 50 } else { 400 };
        assert_eq!(changes(name, Metric::Htm, count).0, 0, "{name}");
    }
    for name in ["manhattan-all", "manhattan-max", "manhattan-edges"] {
        assert_eq!(changes(name, Metric::Htm, 400), (0, 0), "{name}");
        assert_eq!(changes(name, Metric::Qtm, 400), (0, 0), "{name}");
    }
}

#[test]
fn values_are_invariant_under_inversion() {
    for name in ["coset-3i", "coset-1i", "hoey:96"] {
        let count = if name == "hoey:96" { 50 } else { 400 };
        assert_eq!(changes(name, Metric::Htm, count).1, 0, "{name}");
    }
}

/// The converse of the two tests above: values that depend on the axis, the set of edges, or the side.
#[test]
fn values_that_are_not_invariant() {
    for name in ["coset-1", "edges6"] {
        let (by_symmetry, by_inversion) = changes(name, Metric::Htm, 400);
        assert!(by_symmetry > 100 && by_inversion > 50, "{name}: {by_symmetry} {by_inversion}");
    }
    assert!(changes("coset-3", Metric::Htm, 400).1 > 50);
}

/// The 16 symmetries of the axis U–D preserve the value along it.
#[test]
fn the_symmetries_of_the_axis_keep_its_cosets() {
    let solver = common::solver("coset-1", Metric::Htm, Instructions::Best);
    for cube in cubes(16, 1000) {
        for s in Symmetry::all().take(16) {
            assert_eq!(solver.value(&s.conjugate(&cube)), solver.value(&cube), "{s:?}, {cube:?}");
        }
    }
}

/// Hoey: a lookup under a symmetry, of the position or the inverse, is a plain lookup of the conjugate.
#[test]
fn all_96_views_equal_lookups_of_the_conjugate() {
    let metric = Metric::Htm;
    for set in [edges::KORF, 0b1010_0100_0001, 0b0000_0000_0010] {
        let space = Edges::new(metric, set).unwrap();
        let table = common::table(TableId { pattern: Pattern::Edges(set), metric }).1.nibbles();
        for s in Symmetry::all() {
            for view in View::ALL {
                let bound = PatternBound::new(None, vec![edge_part(set, s, view, metric)]);
                for cube in cubes(s.index() as u64, 60) {
                    let side = if view == View::Inverse { cube.inverse() } else { cube };
                    let image = State::<Portable>::new(&s.conjugate(&side));
                    let plain = table.get(space.index(&image.by_cubie().edges.store()) as u64);
                    let seen: Vec<u8> = bound.values(&State::<Portable>::new(&cube)).collect();
                    assert_eq!(seen, [plain], "{set:03x}, {s:?}, {view:?}, {cube:?}");
                }
            }
        }
    }
}

/// The second lookup of the heuristic of 1997 covers the six edges that the first ignores.
#[test]
fn two_lookups_cover_all_twelve_edges() {
    let metric = Metric::Htm;
    let other = Edges::complement(edges::KORF);
    let first = common::solver("corners+edges6", metric, Instructions::Best);
    let both = common::solver("korf97", metric, Instructions::Best);
    let second = common::table(TableId { pattern: Pattern::Edges(other), metric }).1.nibbles();
    let space = Edges::new(metric, other).unwrap();
    for cube in cubes(2, 2000) {
        let index = space.index(&State::<Portable>::new(&cube).by_cubie().edges.store());
        let of_others = second.get(index as u64);
        assert_eq!(both.value(&cube), first.value(&cube).max(of_others), "{cube:?}");
    }
}
