//! Towers of Hanoi: complete searches in memory and on disk, databases, proofs, paths.

use crate::bench::{Bench, Fault, sample};
use hanoi4::bitmap::search::{NoPruning, Setup};
use hanoi4::corners::paths;
use hanoi4::goals::Goals;
use hanoi4::layer_search::{SearchOptions, search_layers};
use hanoi4::model::{Puzzle, State};
use hanoi4::pdb::Database;
use hanoi4::pegs::PegGroup;
use hanoi4::verify::{Threshold, verify};
use search_core::Run;
use search_core::storage::Budget;
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

/// The states of a complete search of 14 discs.
const STATES: u64 = 1 << 28;
/// Its orbits under the pegs' permutations, each counted once, by Burnside's lemma.
const ORBITS: u64 = (STATES + 3 * (1 << 14) + 2) / 6;

fn complete_search(memory: u64, work_dir: Option<PathBuf>, run: &Run<'_>) -> Result<u64, Fault> {
    let mut setup = Setup::new(14, 8, PegGroup::fixing(0));
    setup.budget = Budget::new(memory, u64::MAX);
    let options = SearchOptions { work_dir, ..SearchOptions::default() };
    let report = search_layers(setup, &NoPruning, &options, run)?;
    if (report.depth(), report.total(|layer| layer.states)) != (113, STATES) {
        return Err("the complete search of 14 discs has another depth or size".into());
    }
    Ok(report.total(|layer| layer.orbits))
}

fn in_memory(threads: usize) -> Bench {
    let name = format!("hanoi/complete/memory/{threads}");
    Bench::new(name, "14 discs completely", (ORBITS, "orbits"), 5, move |_| {
        sample(move |run| complete_search(u64::MAX, None, run))
    })
    .on(threads)
}

/// Every layer in a file and few of them in memory, a checkpoint after each.
fn on_disk(threads: usize) -> Bench {
    let name = format!("hanoi/complete/disk/{threads}");
    Bench::new(name, "14 discs completely, on disk", (ORBITS, "orbits"), 3, move |_| {
        let home = tempfile::tempdir()?;
        sample(move |run| {
            let dir = home.path().join("run");
            complete_search(1 << 20, Some(dir), run)
        })
    })
    .on(threads)
}

fn database(discs: u32, run: &Run<'_>) -> Result<Database, Fault> {
    Ok(Database::compressed(discs, 4, Goals::Middle, run)?)
}

/// The database of 16 discs, 4 left out, by the times of corners: the depths of 4¹⁶ states.
fn build(threads: usize) -> Bench {
    let name = format!("hanoi/fill/16/{threads}");
    Bench::new(name, "a database of 16 discs", (1 << 24, "entries"), 5, move |_| {
        sample(move |run| {
            let database = database(16, run)?;
            if database.entry(State::START) != database.max() {
                return Err("the tower is not farthest".into());
            }
            Ok(database.values().len() as u64)
        })
    })
    .on(threads)
}

fn proof(threads: usize) -> Bench {
    let name = format!("hanoi/verify/22/{threads}");
    let title = "the proof for 22 discs with a database of 16";
    Bench::new(name, title, (425_709_260, "orbits"), 3, move |means| {
        let of_16 = database(16, means.run)?;
        sample(move |run| {
            let (options, budget) = (SearchOptions::default(), Budget::unlimited());
            let proof = verify(22, Threshold::Full, Some(&of_16), budget, &options, run)?;
            if proof.ending.length() != Some(385) {
                return Err(format!("22 discs in {:?} moves", proof.ending.length()).into());
            }
            Ok(proof.search.layers().map_or(0, |report| report.total(|layer| layer.stored)))
        })
    })
    .on(threads)
}

/// The shortest path of a tower, searched for as between any two states.
fn path() -> Bench {
    Bench::new("hanoi/path/15", "the shortest path of 15 discs", (129, "moves"), 3, |_| {
        let puzzle = Puzzle::new(15, 4)?;
        let ends = (State::all_on(0, 15), State::all_on(3, 15));
        sample(move |run| {
            let (found, _) = paths::shortest_path(&puzzle, ends, 254, &run.with_memory(1 << 32))?;
            Ok(found.solutions().first().map_or(0, |moves| moves.len() as u64))
        })
    })
}
