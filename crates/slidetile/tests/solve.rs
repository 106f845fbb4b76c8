//! Every heuristic with every automaton gives the same optimal lengths, which are the exact ones.

use std::collections::HashMap;

use search_core::ida::{Config, Ending, Kernel};
use search_core::table::Store;
use search_core::{Cancel, Domain, Silent};
use slidetile::random::Instances;
use slidetile::solver::{Choice, Pruning, Solver};
use slidetile::tables::Access;
use slidetile::{Board, Puzzle, Tiles};

fn board(size: &str) -> Board {
    size.parse().expect("a size")
}

fn solver(puzzle: &Puzzle, choice: Choice, pruning: Pruning) -> Solver {
    let dir = tempfile::tempdir().expect("a directory");
    let store = Store::new(dir.path(), "test");
    let access = Access { store: &store, progress: &Silent, cancel: &Cancel::new() };
    Solver::load(puzzle.clone(), choice, pruning, access).expect("a solver")
}

fn length(solver: &Solver, tiles: &Tiles, threads: usize, kernel: Kernel) -> u32 {
    let config = Config { threads, kernel, ..Config::default() };
    match solver.solve(tiles, &config, &Silent, &Cancel::new()).ending {
        Ending::Optimal { length, solutions, .. } => {
            let end = solutions[0].iter().fold(*tiles, |tiles, &op| solver.puzzle().apply(&tiles, op));
            assert_eq!(end, *solver.puzzle().goal());
            assert_eq!(solutions[0].len(), length as usize);
            length
        }
        other => panic!("{other:?}"),
    }
}

fn distances(puzzle: &Puzzle) -> HashMap<Tiles, u32> {
    let mut distances = HashMap::from([(*puzzle.goal(), 0)]);
    let mut layer = vec![*puzzle.goal()];
    for depth in 1.. {
        let mut next = Vec::new();
        for tiles in &layer {
            for op in puzzle.applicable(tiles) {
                let child = puzzle.apply(tiles, op);
                distances.entry(child).or_insert_with(|| {
                    next.push(child);
                    depth
                });
            }
        }
        if next.is_empty() {
            return distances;
        }
        layer = next;
    }
    unreachable!("the space is finite")
}

const PRUNINGS: [Pruning; 4] = [Pruning::Off, Pruning::Inverse, Pruning::Learned(8), Pruning::Learned(14)];

fn check_states(size: &str, goal: Tiles, every: usize, choices: &[Choice]) {
    let puzzle = Puzzle::new(board(size), goal);
    let distances = distances(&puzzle);
    for &choice in choices {
        for pruning in PRUNINGS {
            let solver = solver(&puzzle, choice, pruning);
            for (tiles, &distance) in distances.iter().step_by(every) {
                let found = length(&solver, tiles, 1, solver.kernel());
                assert_eq!(found, distance, "{size} {choice} {pruning:?} {}", tiles.text(board(size)));
            }
        }
    }
}

const CLASSIC: [Choice; 3] = [Choice::Manhattan, Choice::Conflicts, Choice::Korf96];

#[test]
fn small_boards_are_solved_exactly() {
    for size in ["2x2", "2x3", "3x2"] {
        check_states(size, Tiles::blank_first(board(size)), 7, &[Choice::Korf96, Choice::Pairs]);
        check_states(size, Tiles::blank_last(board(size)), 7, &CLASSIC);
    }
    check_states("3x3", Tiles::blank_first(board("3x3")), 5003, &CLASSIC);
    check_states("3x3", Tiles::blank_last(board("3x3")), 5003, &[Choice::Patterns, Choice::Pairs]);
}

#[test]
#[ignore = "all states of the 8-puzzle by every heuristic and automaton, and 2x4, 2x5: many minutes"]
fn every_state_is_solved_exactly() {
    let all = Choice::ALL;
    check_states("3x3", Tiles::blank_first(board("3x3")), 1, &all[..]);
    check_states("2x4", Tiles::blank_first(board("2x4")), 1, &all[..5]);
    check_states("2x5", Tiles::blank_first(board("2x5")), 101, &CLASSIC);
}

#[test]
fn the_engine_matrix_agrees() {
    let board = board("4x4");
    let puzzle = Puzzle::blank_first(board);
    let easy = |tiles: &Tiles| {
        let solver = solver(&puzzle, Choice::Korf96, Pruning::Inverse);
        let config = Config { threads: 1, max_bound: Some(46), ..Config::default() };
        match solver.solve(tiles, &config, &Silent, &Cancel::new()).ending {
            Ending::Optimal { length, .. } => Some(length),
            _ => None,
        }
    };
    let instances: Vec<(Tiles, u32)> = Instances::new(board, *puzzle.goal(), 11)
        .filter_map(|tiles| easy(&tiles).map(|length| (tiles, length)))
        .take(6)
        .collect();
    for pruning in [Pruning::Inverse, Pruning::Learned(12), Pruning::Learned(14)] {
        for choice in [Choice::Conflicts, Choice::Korf96] {
            let solver = solver(&puzzle, choice, pruning);
            for &(tiles, expected) in &instances {
                for (threads, kernel) in
                    [(1, Kernel::DepthFirst), (2, Kernel::DepthFirst), (2, Kernel::Interleaved { lanes: 4 })]
                {
                    assert_eq!(length(&solver, &tiles, threads, kernel), expected, "{choice} {pruning:?}");
                }
            }
        }
    }
}

#[test]
fn tables_are_built_once_and_loaded_after() {
    let puzzle = Puzzle::blank_first(board("3x3"));
    let dir = tempfile::tempdir().expect("a directory");
    let store = Store::new(dir.path(), "test");
    let access = Access { store: &store, progress: &Silent, cancel: &Cancel::new() };
    let load =
        || Solver::load(puzzle.clone(), Choice::Patterns, Pruning::Learned(10), access).expect("a solver");
    let (built, loaded) = (load(), load());
    assert_eq!(built.tables(), loaded.tables());
    assert_eq!(store.list().expect("a directory").len(), built.tables().len());
    for tiles in Instances::new(puzzle.board(), *puzzle.goal(), 4).take(20) {
        assert_eq!(built.value(&tiles), loaded.value(&tiles));
        let [a, b] = [&built, &loaded].map(|solver| length(solver, &tiles, 1, solver.kernel()));
        assert_eq!(a, b);
    }
}
