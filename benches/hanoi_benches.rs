//! Towers of Hanoi: complete searches in memory and on disk, databases, proofs, paths.

use crate::{Bench, Fault, sample};
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

/// The benchmarks of this module.
pub fn benches(threads: &[usize]) -> Vec<Bench> {
    let mut benches = Vec::new();
    for &threads in threads {
        benches.extend([in_memory(threads), on_disk(threads), build(threads), proof(threads)]);
    }
    benches.push(path());
    benches
}

fn pool(threads: usize) -> Result<ThreadPool, Fault> {
    Ok(ThreadPoolBuilder::new().num_threads(threads).build()?)
}

/// The states of a complete search of 14 discs.
const STATES: u64 = 1 << 28;
/// Its orbits under the pegs' permutations, each counted once, by Burnside's lemma.
const ORBITS: u64 = (STATES + 3 * (1 << 14) + 2) / 6;

fn complete_search(memory: u64, work_dir: Option<PathBuf>, cancel: &Cancel) -> Result<u64, Fault> {
    let mut setup = Setup::new(14, 8, PegGroup::keeping(&[1]), Seeds::State(State(0)));
    setup.budget = Budget::new(memory, u64::MAX);
    let plan = Plan { work_dir, ..Plan::default() };
    let report = run(setup, &Unbounded, &plan, &Silent, cancel)?;
    if (report.depth(), report.total(|layer| layer.states)) != (113, STATES) {
        return Err("the complete search of 14 discs has another depth or size".into());
    }
    Ok(report.total(|layer| layer.orbits))
}

fn in_memory(threads: usize) -> Bench {
    let name = format!("hanoi/complete/memory/{threads}");
    Bench::new(name, "14 discs completely", (ORBITS, "orbits"), 5, move |_| {
        let pool = pool(threads)?;
        sample(move |cancel| pool.install(|| complete_search(u64::MAX, None, cancel)))
    })
}

/// Every layer in a file and few of them in memory, a checkpoint after each.
fn on_disk(threads: usize) -> Bench {
    let name = format!("hanoi/complete/disk/{threads}");
    Bench::new(name, "14 discs completely, on disk", (ORBITS, "orbits"), 3, move |_| {
        let (pool, home) = (pool(threads)?, tempfile::tempdir()?);
        sample(move |cancel| {
            let dir = home.path().join("run");
            pool.install(|| complete_search(1 << 20, Some(dir), cancel))
        })
    })
}

fn database(discs: u32, cancel: &Cancel) -> Result<Database, Fault> {
    Ok(Database::compressed(discs, 4, Goals::Middle, u64::MAX, &Silent, cancel)?)
}

/// The database of 16 discs, 4 left out, by the times of corners: the depths of 4¹⁶ states.
fn build(threads: usize) -> Bench {
    let name = format!("hanoi/fill/16/{threads}");
    Bench::new(name, "a database of 16 discs", (1 << 24, "entries"), 5, move |_| {
        let pool = pool(threads)?;
        sample(move |cancel| {
            let database = pool.install(|| database(16, cancel))?;
            if database.entry(0) != database.max() {
                return Err("the tower is not farthest".into());
            }
            Ok(database.values().len() as u64)
        })
    })
}

fn proof(threads: usize) -> Bench {
    let name = format!("hanoi/verify/22/{threads}");
    let title = "the proof for 22 discs with a database of 16";
    Bench::new(name, title, (425_709_260, "orbits"), 3, move |means| {
        let pool = pool(threads)?;
        let of_16 = pool.install(|| database(16, means.cancel))?;
        sample(move |cancel| {
            let (plan, budget) = (Plan::default(), Budget::unlimited());
            let proof = pool.install(|| verify(22, Some(&of_16), budget, &plan, &Silent, cancel))?;
            if proof.length != Some(385) {
                return Err(format!("22 discs in {:?} moves", proof.length).into());
            }
            Ok(proof.report.total(|layer| layer.stored))
        })
    })
}

/// The shortest path of a tower, searched for as between any two states.
fn path() -> Bench {
    Bench::new("hanoi/path/15", "the shortest path of 15 discs", (129, "moves"), 3, |_| {
        let puzzle = Puzzle::new(15, 4)?;
        let ends = (State::all_on(0, 15), State::all_on(3, 15));
        sample(move |cancel| {
            let found = paths::shortest_path(&puzzle, ends, 254, 1 << 32, &Silent, cancel)?;
            Ok(found.map_or(0, |path| path.0.len() as u64))
        })
    })
}
