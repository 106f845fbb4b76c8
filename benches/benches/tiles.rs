//! Sliding tiles: learning an automaton, filling a pattern database, and searching as in 1996 and
//! with pattern databases.
//!
//! Each search is the paper's first 24-puzzle (100 moves) to a bound at which it has no solution,
//! so that the whole tree is searched, and the nodes of the last iteration are asserted. Throughput
//! is generated nodes. Tables are kept in Cargo's directory for temporary files of benchmarks.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use search_core::ida::{Config, Ending};
use search_core::table::Store;
use search_core::{Cancel, Silent};
use slidetile::pdb::{Plan, partition};
use slidetile::solver::{Choice, Pruning, Solver};
use slidetile::tables::Access;
use slidetile::{Board, Puzzle, Tiles, fsm};
use std::sync::LazyLock;

fn main() {
    divan::main();
}

/// The first of the paper's ten instances.
static FIRST: LazyLock<(Puzzle, Tiles)> = LazyLock::new(|| {
    let text = "17 1 20 9 16 2 22 19 14 5 15 21 0 3 24 23 18 13 12 7 10 8 6 4 11";
    let (board, tiles) = Tiles::parse(text, None).expect("an arrangement");
    (Puzzle::blank_first(board), tiles)
});

/// The automaton of depth 14, from nothing to the merged table.
#[divan::bench(sample_count = 3, sample_size = 1)]
fn learn_an_automaton() {
    let board = Board::new(5, 5).expect("a board");
    let learned = fsm::learn_duplicates(board, 14, &Silent, &Cancel::new()).expect("nobody cancels");
    assert_eq!(learned.strings.len(), 18_425);
    assert_eq!(fsm::automaton(&learned.strings).states(), 54_281);
}

/// One of the two 6-tile tables of the 24-puzzle.
#[divan::bench(sample_count = 1, sample_size = 1)]
fn fill_a_pattern_database(bencher: Bencher) {
    let partitions = partition::standard(&FIRST.0).expect("a partition");
    let plan = Plan::new(&FIRST.0, &partitions);
    bencher.counter(ItemsCount::new(127_512_000usize)).bench_local(|| {
        let table = plan.patterns[0].build(&Silent, &Cancel::new()).expect("memory");
        assert_eq!(table.len(), 127_512_000);
    });
}

fn solver(choice: Choice, pruning: Pruning) -> Solver {
    let store = Store::new(env!("CARGO_TARGET_TMPDIR"), "benches");
    let access = Access { store: &store, progress: &Silent, cancel: &Cancel::new() };
    Solver::load(FIRST.0.clone(), choice, pruning, access).expect("a solver")
}

/// Times the search to `bound`, whose last iteration generates `generated` nodes.
fn search(bencher: Bencher, solver: &Solver, threads: usize, bound: u32, generated: u64) {
    let config = Config { threads, kernel: solver.kernel(), max_bound: Some(bound), ..Config::default() };
    bencher.counter(ItemsCount::new(generated)).bench_local(|| {
        let report = solver.solve(black_box(&FIRST.1), &config, &Silent, &Cancel::new());
        assert_eq!(report.ending, Ending::Bounded { lower_bound: bound + 2 });
        assert_eq!(report.iterations.last().map(|last| last.generated), Some(generated));
    });
}

/// The paper's heuristics and an automaton of its size (the paper: a million nodes a second).
#[divan::bench(args = [1, 2], sample_count = 5, sample_size = 1)]
fn search_korf96(bencher: Bencher, threads: usize) {
    static SOLVER: LazyLock<Solver> = LazyLock::new(|| solver(Choice::Korf96, Pruning::Learned(16)));
    search(bencher, &SOLVER, threads, 94, 50_407_976);
}

/// The same without the automaton: what it costs a node, and how many nodes it saves.
#[divan::bench(args = [1, 2], sample_count = 5, sample_size = 1)]
fn search_korf96_without_the_automaton(bencher: Bencher, threads: usize) {
    static SOLVER: LazyLock<Solver> = LazyLock::new(|| solver(Choice::Korf96, Pruning::Inverse));
    search(bencher, &SOLVER, threads, 94, 99_649_767);
}

/// The default: pattern databases.
#[divan::bench(args = [1, 2], sample_count = 5, sample_size = 1)]
fn search_pdb(bencher: Bencher, threads: usize) {
    static SOLVER: LazyLock<Solver> = LazyLock::new(|| solver(Choice::Patterns, Pruning::Learned(16)));
    search(bencher, &SOLVER, threads, 96, 79_676_336);
}
