//! Cubes that symmetries leave unchanged: searching one branch of each orbit finds what searching
//! all of them finds.

mod common;

use cube::solver::{End, Instructions, retain_unique};
use cube::symmetry::Symmetry;
use cube::{Cube, Metric, Solver, Turn};
use search_core::ida::{Config, Kernel, Wanted};
use search_core::{Cancel, Silent};
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// A subgroup of the 48 symmetries, a bit for each.
type Group = u64;

fn group_of(cube: &Cube) -> Group {
    Symmetry::of(cube).iter().fold(0, |group, symmetry| group | 1 << symmetry.0)
}

/// The least of a subgroup's conjugates, which names its class. `conjugates[s][t]` is what `t`
/// becomes under `s`.
fn class_of(group: Group, conjugates: &[[u8; 48]; 48]) -> Group {
    let image = |by: &[u8; 48]| (0..48).filter(|t| group >> t & 1 == 1).fold(0, |set, t| set | 1 << by[t]);
    conjugates.iter().map(image).min().expect("48 of them")
}

fn conjugates() -> [[u8; 48]; 48] {
    let all: Vec<Symmetry> = Symmetry::all().collect();
    std::array::from_fn(|s| std::array::from_fn(|t| all[s].inverse().then(all[t]).then(all[s]).0))
}

/// Cubes within four turns and products of two of them with the same symmetries, by the class of
/// these symmetries: a few of each.
fn symmetric_cubes() -> BTreeMap<Group, Vec<Cube>> {
    const OF_EACH: usize = 5;
    let (mut seen, mut layer) = (HashSet::from([Cube::SOLVED]), vec![Cube::SOLVED]);
    let mut by_group: BTreeMap<Group, Vec<Cube>> = BTreeMap::new();
    for _ in 0..4 {
        let next = layer.iter().flat_map(|cube| Turn::all().map(|turn| cube.apply(turn)));
        layer = next.filter(|cube| seen.insert(*cube)).collect();
        for cube in &layer {
            let group = group_of(cube);
            if group != 1 {
                by_group.entry(group).or_default().push(*cube);
            }
        }
    }
    // A product has at least the symmetries that its factors share, and mostly no others.
    let some: Vec<Cube> = by_group.values().flat_map(|cubes| cubes.iter().rev().take(4)).copied().collect();
    let mut products = BTreeMap::<Group, Vec<Cube>>::new();
    for product in some.iter().flat_map(|a| some.iter().map(|b| a.compose(b))).chain(some.iter().copied()) {
        products.entry(group_of(&product)).or_default().push(product);
    }
    let (conjugates, mut by_class) = (conjugates(), BTreeMap::<Group, BTreeSet<Cube>>::new());
    for (group, cubes) in products.into_iter().filter(|(group, _)| *group != 1) {
        by_class.entry(class_of(group, &conjugates)).or_default().extend(cubes);
    }
    let few = |cubes: BTreeSet<Cube>| {
        let step = cubes.len().div_ceil(OF_EACH);
        cubes.into_iter().step_by(step).collect()
    };
    by_class.into_iter().map(|(class, cubes)| (class, few(cubes))).collect()
}

fn all_solutions(solver: &Solver, cube: &Cube, extra: u32, threads: usize) -> Vec<Vec<Turn>> {
    let wanted = Wanted::All { extra };
    let config = Config { kernel: Kernel::Interleaved { lanes: 4 }, threads, wanted, ..Config::default() };
    match solver.solve(cube, &config, &Silent, &Cancel::new()).ending {
        End::Optimal { solutions, complete: true, .. } => solutions,
        other => panic!("{cube:?}: {other:?}"),
    }
}

#[test]
fn one_branch_of_each_orbit_finds_the_same_solutions() {
    let cubes = symmetric_cubes();
    assert!(cubes.len() >= 15, "{} of the 33 classes of subgroups", cubes.len());
    for (metric, name, longest) in
        [(Metric::Htm, "coset-3i", 9), (Metric::Htm, "korf97", 8), (Metric::Qtm, "coset-3i", 10)]
    {
        let solver = common::solver(name, metric, Instructions::Best);
        let plain = common::solver(name, metric, Instructions::Best).without_symmetries();
        let mut compared = 0;
        for cube in cubes.values().flatten() {
            let length = all_solutions(&solver, cube, 0, 2)[0].len();
            if length > longest {
                continue;
            }
            for extra in if length < longest - 2 { 0..2 } else { 0..1 } {
                let (found, all) =
                    (all_solutions(&solver, cube, extra, 2), all_solutions(&plain, cube, extra, 1));
                assert_eq!(found, all, "{name} {metric:?} extra {extra} {cube:?}");
                let mut unique = found.clone();
                retain_unique(metric, cube, &mut unique);
                let symmetries = Symmetry::of(cube);
                let images = unique.iter().flat_map(|turns| {
                    symmetries.iter().map(|symmetry| {
                        metric.canonical(&turns.iter().map(|t| symmetry.turn(*t)).collect::<Vec<_>>())
                    })
                });
                assert_eq!(images.collect::<BTreeSet<_>>(), found.into_iter().collect(), "{cube:?}");
                compared += 1;
            }
        }
        assert!(compared > 40, "{name} {metric:?}: {compared}");
    }
}

/// The superflip has all 48 symmetries: of the 18 first turns, a quarter turn and a half turn.
#[test]
fn the_start_of_the_superflip_has_two_branches() {
    let superflip = "U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2";
    let cube = cube::notation::scramble::parse(superflip).expect("a scramble").cube();
    assert_eq!(Symmetry::of(&cube).len(), Symmetry::COUNT);
    let nodes = |solver: Solver| {
        let config = Config { max_bound: Some(11), threads: 1, ..Config::default() };
        let solved = solver.solve(&cube, &config, &Silent, &Cancel::new());
        assert_eq!(solved.ending, End::Bounded { lower_bound: 12 });
        solved.iterations.last().expect("an iteration").generated
    };
    let solver = || common::solver("coset-3i", Metric::Htm, Instructions::Best);
    let (some, all) = (nodes(solver()), nodes(solver().without_symmetries()));
    assert!(some * 8 < all, "{some} of {all}");
}
