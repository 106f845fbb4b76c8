//! States as rows of stickers, and solvers with chosen pattern databases, compared with lists of near positions.

use crate::puzzles::{pancakes, pocket_cube, top_spin};
use puzzle::count::CountError;
use puzzle::rows::{Positions, Rows};
use puzzle::system::System;
use puzzle::{Ask, Definition, Illegal, Puzzle, Selection, Solver, SolverError, SolverSetup};
use search_core::table::Store;
use search_core::{Domain, Ending, Op, Run};

fn run() -> Run<'static> {
    Run::new().with_threads(2).with_memory(1 << 28)
}

/// A solver whose pattern databases keep these pieces.
fn solver(puzzle: &Puzzle, patterns: &[&[usize]], run: &Run<'_>) -> Result<Solver, SolverError> {
    let directory = tempfile::tempdir().expect("a directory");
    let store = Store::new(directory.path(), "test");
    let patterns = patterns.iter().map(|pieces| pieces.to_vec()).collect();
    let setup = SolverSetup::default().patterns(Some(patterns));
    Solver::load(puzzle.clone(), Vec::new(), &setup, store, run)
}

fn layers(puzzle: &Puzzle, depth: Option<usize>) -> (Rows, Vec<Vec<Box<[u8]>>>) {
    let (rows, system) = (Rows::new(puzzle).expect("rows"), System::new(puzzle, &run()).expect("a system"));
    let layers = Positions::new(&rows, &system.reduction).layers(depth, &run()).expect("it fits");
    (rows, layers)
}

/// Rows are read and written, and every `sample`-th has its length with each choice of patterns.
fn every_position_has_its_length(
    puzzle: &Puzzle,
    depth: Option<usize>,
    choices: &[&[&[usize]]],
    sample: usize,
) {
    let (rows, layers) = layers(puzzle, depth);
    for patterns in choices {
        let solver = solver(puzzle, patterns, &run()).expect("a solver");
        assert_eq!(solver.counts().count(), patterns.len());
        for (distance, row) in layers
            .iter()
            .enumerate()
            .flat_map(|(distance, layer)| layer.iter().map(move |row| (distance, row)))
        {
            let state = rows.read(row).expect("a row");
            assert_eq!(rows.write(&state), *row);
            assert!(usize::from(solver.value(&state).expect("it can be solved")) <= distance);
        }
        for (distance, layer) in layers.iter().enumerate() {
            for row in layer.iter().step_by(sample) {
                let ask = Ask::new(rows.read(row).expect("a row"));
                let answer = solver.solve(&ask, &run()).expect("a checked solution");
                assert_eq!(answer.ending.length(), Some(distance as u32), "{patterns:?}");
            }
        }
    }
}

#[test]
fn chosen_patterns_find_exact_lengths() {
    let sizes: Vec<usize> = layers(&pancakes(6), None).1.iter().map(Vec::len).collect();
    assert_eq!(sizes, [1, 5, 20, 79, 199, 281, 133, 2]);
    every_position_has_its_length(&pancakes(6), None, &[&[], &[&[0, 1, 2]], &[&[0, 2, 4], &[1, 3, 5]]], 1);
    let cube = pocket_cube("URF", &[]);
    let sizes: Vec<usize> = layers(&cube, Some(4)).1.iter().map(Vec::len).collect();
    assert_eq!(sizes, [1, 9, 54, 321, 1847]);
    every_position_has_its_length(&cube, Some(4), &[&[&[0, 1, 2, 3, 4]], &[&[0, 1, 2, 3], &[4, 5]]], 37);
    // All positions up to rotation.
    let rotated = pocket_cube("UDRLFB", &["x", "y"]);
    every_position_has_its_length(&rotated, Some(3), &[&[&[0, 1, 2, 3]]], 7);
}

#[test]
fn pieces_that_look_alike_open_orientations_and_rules_have_canonical_rows() {
    let mut parts = pocket_cube("URF", &[]).into_parts();
    parts.solved.orbits[0].orientation_mod[..4].fill(1);
    parts.solved.orbits[0].pieces[4..].fill(9);
    let puzzle = Puzzle::new(parts).expect("a puzzle");
    every_position_has_its_length(&puzzle, Some(4), &[&[&[0, 1]], &[&[0, 4]]], 7);
    let mut parts = top_spin(6, 4).into_parts();
    parts.illegal = vec![Illegal { orbit: 0, place: 1, piece: 0 }];
    let puzzle = Puzzle::new(parts).expect("a puzzle");
    every_position_has_its_length(&puzzle, None, &[&[&[0, 1, 2]]], 3);
    let rows = Rows::new(&puzzle).expect("rows");
    assert!(rows.read(&[1, 0, 2, 3, 4, 5]).expect_err("an illegal state").0[0].contains("breaks a rule"));
}

#[test]
fn faults_of_rows_are_named() {
    let swap = [("s".to_owned(), vec![1, 0, 2])];
    let definition = Definition::from_generators(&swap).expect("a move");
    let puzzle = definition.select(&Selection::default()).expect("a selection").puzzle;
    let (rows, system) = (Rows::new(&puzzle).expect("rows"), System::new(&puzzle, &run()).expect("a system"));
    let row = rows.write(&rows.read(&[2, 0, 1]).expect("a row"));
    assert_eq!(*row, [2, 0, 1]);
    assert_eq!(*Positions::new(&rows, &system.reduction).apply(&row, Op::new(0)), [0, 2, 1]);
    let faults = rows.read(&[0, 0, 7]).expect_err("two stickers are missing").0;
    assert_eq!(faults, ["sticker 1 is missing", "sticker 2 is missing"]);
    let cube = Rows::new(&pocket_cube("URF", &[])).expect("rows");
    let mut split: Vec<u8> = (0..24).collect();
    split.swap(0, 1);
    assert_eq!(cube.read(&split).expect_err("a split piece").0, ["the piece at point 0 is split"]);
}

#[test]
fn faults_of_generators_are_named() {
    let named = |moves: &[&[usize]]| {
        let named = moves.iter().enumerate().map(|(number, from)| (format!("m{number}"), from.to_vec()));
        Definition::from_generators(&named.collect::<Vec<_>>())
    };
    let faults = named(&[&[1, 0, 2], &[0, 0, 1], &[0, 1], &[0, 1, 3]]).expect_err("faults").0;
    assert_eq!(faults.len(), 3, "{faults:?}");
    assert!(faults[0].contains("names 0 twice") && faults[1].contains("2 of 3 places"));
    assert!(named(&[]).is_err());
    let cycle = named(&[&[1, 2, 3, 0]]).expect("a move").select(&Selection::default()).expect("a selection");
    let names: Vec<&str> = cycle.puzzle.moves().iter().map(|step| &step.name[..]).collect();
    assert_eq!(names, ["m0", "m0^2", "m0'"]);
}

#[test]
fn unsolvable_states_are_recognized_and_memory_is_kept() {
    let puzzle = pocket_cube("URF", &[]);
    let (rows, system) = (Rows::new(&puzzle).expect("rows"), System::new(&puzzle, &run()).expect("a system"));
    let mut twisted: Vec<u8> = (0..24).collect();
    twisted[..3].rotate_left(1);
    let state = rows.read(&twisted).expect("whole pieces");
    let few = solver(&puzzle, &[&[0, 1, 2]], &run()).expect("a solver");
    let answer = few.solve(&Ask::new(state), &run()).expect("no search");
    assert_eq!(answer.ending, Ending::Exhausted);
    let counts = Positions::new(&rows, &system.reduction).layers(None, &run().with_memory(1 << 16));
    assert!(matches!(counts, Err(CountError::Budget(_))));
    let refused = |patterns: &[&[usize]], memory| solver(&puzzle, patterns, &run().with_memory(memory)).err();
    assert!(matches!(refused(&[&[0, 1, 2]], 100), Some(SolverError::Memory { .. })));
    for (pieces, fault) in [(&[9][..], "no piece 9"), (&[1, 1], "twice"), (&[], "at least one piece")] {
        let error = refused(&[pieces], 1 << 28).expect("a fault").to_string();
        assert!(error.contains(fault), "{error}");
    }
}
