//! The axial metric, compared with brute force over 45 cubes: the results of the turns of one face, or of two opposite
//! faces, on a solved cube.

use super::common;
use crate::moves::cosets::CosetTable;
use crate::moves::{Group, MoveSet, SetSolver};
use crate::notation::scramble::format_moves;
use crate::symmetry::Symmetry;
use crate::tables::Table;
use crate::{Cube, Metric, Turn};
use search_core::ida::{Config, Wanted};
use search_core::memory::Memory;
use search_core::{Ending, Run};
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, LazyLock};

/// The 45 moves: for each axis, any turns of its two faces that are not both empty.
fn moves() -> Vec<Cube> {
    let turns = |face: usize| (0..4u8).map(move |quarters| turned(face, quarters));
    let of_axis =
        |axis: usize| turns(axis).flat_map(move |one| turns(axis + 3).map(move |two| one.compose(&two)));
    (0..3).flat_map(of_axis).filter(|cube| !cube.is_solved()).collect()
}

/// A cube after some quarter turns of a face; the opposite face has the number plus three.
fn turned(face: usize, quarters: u8) -> Cube {
    match quarters {
        0 => Cube::SOLVED,
        _ => *Cube::of_turn(Turn::new(crate::Face::ALL[face], quarters)),
    }
}

fn group() -> Group {
    Group::new(MoveSet::all(Metric::Axial))
}

/// The positions at each distance up to 3.
fn layers() -> &'static [HashSet<Cube>] {
    static LAYERS: LazyLock<Vec<HashSet<Cube>>> = LazyLock::new(|| {
        let mut seen = HashSet::from([Cube::SOLVED]);
        let mut layers = vec![seen.clone()];
        for _ in 0..3 {
            let next = layers[layers.len() - 1]
                .iter()
                .flat_map(|cube| moves().into_iter().map(|m| cube.compose(&m)));
            let layer: HashSet<Cube> = next.filter(|cube| seen.insert(*cube)).collect();
            layers.push(layer);
        }
        layers
    });
    &LAYERS
}

/// The distance of a cube, if it is at most 5.
fn distance(cube: &Cube) -> Option<usize> {
    let near = |cube: &Cube| layers().iter().position(|layer| layer.contains(cube));
    let mut around = vec![*cube];
    for made in 0..3 {
        if let Some(least) = around.iter().filter_map(near).min() {
            return Some(least + made);
        }
        around = around.iter().flat_map(|cube| moves().into_iter().map(|m| cube.compose(&m))).collect();
    }
    None
}

/// A search with the distances to the cosets, cut off at 4.
fn solver() -> &'static SetSolver {
    static SOLVER: LazyLock<SetSolver> = LazyLock::new(|| {
        let table = CosetTable::of(&group()).expect("the moves are the same seen by every symmetry");
        let mut distances = HashMap::new();
        for (depth, layer) in layers().iter().enumerate() {
            for image in
                layer.iter().flat_map(|cube| (0..16).map(|s| Symmetry::from_index(s).conjugate(cube)))
            {
                distances.entry(table.coset().index_of(&image)).or_insert(depth as u8);
            }
        }
        let mut body = Memory::zeroed(CosetTable::entries() / 2).unwrap();
        body.fill(0x44);
        for (entry, depth) in distances {
            let byte = &mut body[entry / 2];
            *byte = if entry % 2 == 0 { *byte & 0xf0 | depth } else { *byte & 0x0f | depth << 4 };
        }
        let filled = Table::new(body, CosetTable::entries() as u64).unwrap();
        SetSolver::over(group(), &table.into(), Arc::new(filled), Vec::new())
    });
    &SOLVER
}

/// 45 first moves; 1350 strings of two that the rules allow, of which three pairs (half turns of two axes in either
/// order, all four faces at once) have the same effect.
#[test]
fn positions_by_axial_moves() {
    let counts: Vec<usize> = layers().iter().map(HashSet::len).collect();
    assert_eq!(counts[..3], [1, 45, 1347]);
    let operators: HashSet<Cube> =
        MoveSet::all(Metric::Axial).operators().iter().map(|op| op.cube()).collect();
    assert_eq!(operators, layers()[1]);
}

#[test]
fn lengths_equal_those_of_brute_force_in_the_axial_metric() {
    let rng = &mut common::rng(55);
    let moves = moves();
    let near = layers().iter().enumerate();
    let mut cubes: Vec<(Cube, usize)> =
        near.flat_map(|(depth, layer)| layer.iter().take(15).map(move |&cube| (cube, depth))).collect();
    for length in [4, 4, 5, 5] {
        let cube = (0..length).fold(Cube::SOLVED, |cube, _| cube.compose(&moves[common::below(rng, 45)]));
        cubes.push((cube, distance(&cube).unwrap()));
    }
    let set = MoveSet::all(Metric::Axial);
    for (cube, depth) in cubes {
        let report = solver().solve(&cube, &Config::default(), &Run::new().with_threads(2)).unwrap();
        let Ending::Optimal { length, solutions, .. } = report.ending else {
            panic!("{cube:?} has a solution")
        };
        let solution = &solutions[0];
        assert_eq!((length as usize, set.length(solution)), (depth, depth), "{cube:?}");
        referee::cube::check_axial(&format_moves(solution.iter().copied()), depth).unwrap();
        assert!(cube.apply_all(solution.iter().map(|name| name.turn().unwrap())).is_solved());
    }
}

/// The rules allow strings of two moves of different axes, and no others, since two moves of one axis are one move.
#[test]
fn all_solutions_of_two_axial_moves_are_found() {
    let all = Config::default().wanted(Wanted::All { extra: 0 });
    let moves = moves();
    for cube in layers()[2]
        .iter()
        .take(6)
        .copied()
        .chain([turned(0, 2).compose(&turned(3, 2)).compose(&turned(1, 2).compose(&turned(4, 2)))])
    {
        let strings =
            moves.iter().flat_map(|one| moves.iter().map(move |two| cube.compose(one).compose(two)));
        let expected = strings.filter(Cube::is_solved).count();
        let Ending::Optimal { length, solutions, .. } =
            solver().solve(&cube, &all, &Run::new()).unwrap().ending
        else {
            panic!("{cube:?} has a solution")
        };
        assert_eq!((length, solutions.len()), (2, expected), "{cube:?}");
    }
}
