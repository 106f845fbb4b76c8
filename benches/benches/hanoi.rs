//! Towers of Hanoi: complete searches in memory and on disk, databases, proofs, paths.
//!
//! Throughput is orbits (states up to permutations of the pegs, each counted once), or entries.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use hanoi4::bitmap::search::{Seeds, Setup, Unbounded};
use hanoi4::bitmap::store::Budget;
use hanoi4::corners::paths;
use hanoi4::database::{Database, Goals};
use hanoi4::model::{Puzzle, State};
use hanoi4::pegs::PegGroup;
use hanoi4::run::{Plan, run};
use hanoi4::verify::verify;
use rayon::{ThreadPool, ThreadPoolBuilder};
use search_core::{Cancel, Silent};
use std::path::PathBuf;
use std::sync::LazyLock;

fn main() {
    divan::main();
}

fn pool(threads: usize) -> ThreadPool {
    ThreadPoolBuilder::new().num_threads(threads).build().expect("threads")
}

/// The states of a complete search of 14 discs.
const STATES: u64 = 1 << 28;
/// Its orbits, by Burnside's lemma.
const ORBITS: u64 = (STATES + 3 * (1 << 14) + 2) / 6;

fn complete_search(memory: u64, work_dir: Option<PathBuf>) {
    let mut setup = Setup::new(14, 8, PegGroup::keeping(&[1]), Seeds::State(State(0)));
    setup.budget = Budget::new(memory, u64::MAX);
    let plan = Plan { work_dir, ..Plan::default() };
    let report = run(setup, &Unbounded, &plan, &Silent, &Cancel::new()).expect("a search");
    assert_eq!(report.depth(), 113);
    assert_eq!((report.total(|l| l.states), report.total(|l| l.orbits)), (STATES, ORBITS));
}

/// 14 discs in memory.
#[divan::bench(args = [1, 2], sample_count = 5, sample_size = 1)]
fn complete_search_in_memory(bencher: Bencher, threads: usize) {
    let pool = pool(threads);
    let bencher = bencher.counter(ItemsCount::new(ORBITS));
    bencher.bench_local(|| pool.install(|| complete_search(u64::MAX, None)));
}

/// The same with every layer in a file and few of them in memory, a checkpoint after each.
#[divan::bench(args = [1, 2], sample_count = 3, sample_size = 1)]
fn complete_search_on_disk(bencher: Bencher, threads: usize) {
    let (pool, home) = (pool(threads), tempfile::tempdir().expect("a directory"));
    let bencher = bencher.counter(ItemsCount::new(ORBITS));
    bencher.bench_local(|| pool.install(|| complete_search(1 << 20, Some(home.path().join("run")))));
}

fn database(discs: u32) -> Database {
    Database::compressed(discs, 4, Goals::Middle, u64::MAX, &Silent, &Cancel::new()).expect("memory")
}

/// The database of 16 discs, 4 left out, by the times of corners: the depths of 4¹⁶ states.
#[divan::bench(args = [1, 2], sample_count = 5, sample_size = 1)]
fn build_a_database(bencher: Bencher, threads: usize) {
    let pool = pool(threads);
    bencher.counter(ItemsCount::new(1u64 << 24)).bench_local(|| {
        let database = pool.install(|| database(black_box(16)));
        assert_eq!(database.values().len(), 1 << 24);
        assert_eq!(database.entry(0), database.max(), "the tower is farthest");
    });
}

static OF_16: LazyLock<Database> = LazyLock::new(|| database(16));

/// The proof for 22 discs with the database of 16.
#[divan::bench(args = [1, 2], sample_count = 3, sample_size = 1)]
fn verify_22_discs(bencher: Bencher, threads: usize) {
    let pool = pool(threads);
    bencher.counter(ItemsCount::new(425_709_260u64)).bench_local(|| {
        let (plan, budget) = (Plan::default(), Budget::unlimited());
        let proof = pool
            .install(|| verify(22, Some(&OF_16), budget, &plan, &Silent, &Cancel::new()))
            .expect("memory");
        assert_eq!((proof.length, proof.report.total(|l| l.stored)), (Some(385), 425_709_260));
    });
}

/// The shortest path of a tower of 15 discs, searched for as between any two states.
#[divan::bench(sample_count = 3, sample_size = 1)]
fn path_of_15_discs() {
    let puzzle = Puzzle::new(15, 4).expect("a size");
    let ends = (State::all_on(0, 15), State::all_on(3, 15));
    let found = paths::shortest_path(&puzzle, ends, 254, 1 << 32, &Silent, &Cancel::new());
    assert_eq!(found.expect("memory").expect("a path").0.len(), 129);
}
