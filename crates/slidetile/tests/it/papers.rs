//! The papers' instances.

use search_core::table::Store;
use search_core::{Ending, Heuristic, Run};
use slidetile::heuristic::classic::{Classic, NARROW, Parts};
use slidetile::{Ask, HeuristicSpec, Puzzle, Solver, Tiles};

/// The rows of a fixture: tiles as text, and the optimal length in the column given.
fn instances(text: &str, length: usize) -> Vec<(String, u32)> {
    let rows = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    rows.map(|row| {
        let quoted: Vec<&str> = row.split('"').collect();
        let fields: Vec<&str> = quoted[2].split(',').collect();
        (quoted[1].replace(',', " "), fields[length].parse().expect("a length"))
    })
    .collect()
}

fn hundred() -> Vec<(String, u32)> {
    instances(include_str!("../../../../fixtures/sliding-tiles/korf-1985-hundred.csv"), 1)
}

fn fifty() -> Vec<(String, u32)> {
    instances(include_str!("../../../../fixtures/sliding-tiles/korf-felner-2002-fifty.csv"), 1)
}

fn ten() -> Vec<(String, u32)> {
    instances(include_str!("../../../../fixtures/sliding-tiles/korf-taylor-1996-table-1.csv"), 2)
}

#[test]
fn the_fixtures_agree_with_each_other() {
    assert_eq!((hundred().len(), fifty().len(), ten().len()), (100, 50, 10));
    let (mut old, mut new) = (ten(), fifty()[..10].to_vec());
    old.sort();
    new.sort();
    assert_eq!(old, new, "the first ten of the fifty are the ten of 1996");
    let solved = include_str!("../../../../fixtures/sliding-tiles/fifty-by-pattern-databases.csv");
    let solved: Vec<_> = solved.lines().filter(|line| !line.starts_with('#')).collect();
    for row in &solved {
        let fields: Vec<f64> = row.split(',').map(|field| field.parse().expect("a number")).collect();
        assert_eq!(fields[1], f64::from(fifty()[fields[0] as usize - 1].1), "{row}");
        assert!(fields[3] <= fields[2], "{row}");
    }
    assert_eq!(solved.len(), 49);
}

#[test]
fn values_are_below_the_known_lengths_and_of_their_parity() {
    for (text, length) in hundred().into_iter().chain(fifty()) {
        let (board, tiles) = Tiles::parse(&text, None).expect("an arrangement");
        let puzzle = Puzzle::blank_first(board);
        puzzle.check(tiles).expect("it can be solved");
        for parts in [Parts::MANHATTAN, Parts::CONFLICTS, Parts::ALL] {
            let value = u32::from(Classic::<NARROW>::new(&puzzle, parts).value(&puzzle, &tiles));
            assert!(value <= length && (length - value).is_multiple_of(2), "{text}: {value}, {length}");
        }
    }
}

fn solve_all(instances: &[(String, u32)], heuristic: HeuristicSpec) {
    let dir = tempfile::tempdir().expect("a directory");
    let store = Store::new(dir.path(), "test");
    let run = Run::new();
    let (board, _) = Tiles::parse(&instances[0].0, None).expect("an arrangement");
    let solver = Solver::load(Puzzle::blank_first(board), heuristic, &store, &run).expect("a solver");
    for (text, expected) in instances {
        let (_, tiles) = Tiles::parse(text, None).expect("an arrangement");
        match solver.solve(&Ask::new(tiles), &run).expect("a solvable board").ending {
            Ending::Optimal { length, .. } => assert_eq!(length, *expected, "{text}"),
            other => panic!("{text}: {other:?}"),
        }
    }
}

#[test]
fn the_easiest_of_the_hundred_15_puzzles_have_their_lengths() {
    let mut easiest = hundred();
    easiest.sort_by_key(|(_, length)| *length);
    solve_all(&easiest[..12], HeuristicSpec::Korf96);
}

#[test]
#[ignore = "a hundred 15-puzzles, a minute in release"]
fn the_hundred_15_puzzles_have_their_lengths() {
    solve_all(&hundred(), HeuristicSpec::Korf96);
}

#[test]
#[ignore = "builds 46 tables and solves the 24-puzzle number 5, a minute in release"]
fn the_easiest_of_the_fifty_24_puzzles_have_their_lengths() {
    solve_all(&fifty()[4..5], HeuristicSpec::Patterns);
}
