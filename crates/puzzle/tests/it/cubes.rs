//! Cubes solved by their definition, compared with the lengths that `cube-opt` proves in three metrics.

use puzzle::definition::Metric;
use puzzle::{Ask, Selection, Solver, SolverSetup, builtin};
use search_core::Run;
use search_core::table::Store;
use std::fs;

/// The turns of faces and of slices.
const SLICES: &str = "U D R L F B M E S";

/// Solves the scrambles of the fixture that `chosen` selects by their lengths in half turns, at most `most` of them.
fn matches_the_cube_solver(most: usize, chosen: impl Fn(u32) -> bool) {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/puzzles/cubes.csv");
    let text = fs::read_to_string(path).expect("the fixture");
    let rows: Vec<(&str, Vec<u32>)> = text
        .lines()
        .skip(1)
        .map(|line| {
            let (scramble, lengths) = line.split_once(',').expect("a scramble");
            (scramble, lengths.split(',').map(|length| length.parse().expect("a length")).collect())
        })
        .collect();
    let slices = SLICES.split(' ').map(str::to_owned).collect();
    let metrics = [
        Selection::default(),
        Selection { metric: Metric::Inverses, ..Selection::default() },
        Selection { moves: Some(slices), ..Selection::default() },
    ];
    let definition = builtin::get("3x3x3").expect("a puzzle").expect("a definition");
    let run = Run::new().with_threads(2).with_memory(1 << 30);
    for (column, selection) in metrics.iter().enumerate() {
        let selected = definition.select(selection).expect("a selection");
        let directory = tempfile::tempdir().expect("a directory");
        let store = Store::new(directory.path(), "test");
        let setup = SolverSetup::default();
        let puzzle = selected.puzzle.clone();
        let solver = Solver::new(puzzle, Vec::new(), &setup, store, &run).expect("a solver");
        let mut solved = 0;
        for (scramble, lengths) in rows.iter().filter(|row| chosen(row.1[0])).take(most) {
            let algorithm = definition.algorithm(scramble).expect("moves");
            let state = definition.perform(&definition.solved, &algorithm).expect("a legal state");
            let start = selected.state(&state).expect("a state");
            let answer = solver.solve(&Ask::new(start), &run).expect("a replayed solution");
            assert_eq!(answer.ending.length(), Some(lengths[column]), "{scramble} by {selection:?}");
            solved += 1;
        }
        assert!(solved >= most.min(rows.len()), "{solved} cubes");
    }
}

#[test]
fn a_dozen_cubes_have_the_lengths_of_the_cube_solver() {
    matches_the_cube_solver(12, |length| length <= 6);
}

#[test]
#[ignore = "takes a minute"]
fn two_hundred_cubes_have_the_lengths_of_the_cube_solver() {
    matches_the_cube_solver(200, |_| true);
}
