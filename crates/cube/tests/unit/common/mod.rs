//! Helpers for the integration tests: tables, solvers, random cubes, the referee, reference implementations.
//!
//! The tables are in one directory below the target directory, under the store's locks, so that each of them
//! is built once for all test binaries. The name of the directory contains a hash of the sources that
//! determine the tables: when one of them changes, all tables are built again.

pub mod reference;
pub mod visit;

use crate::heuristics::{HeuristicSpec, Instructions};
use crate::notation::facelets;
use crate::solver::FaceSolver;
use crate::tables::{LoadedTable, TableId};
use crate::{Cube, Metric, Turn};
use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};
use search_core::ida::{Checkpoints, SearchState};
use search_core::record::TableUse;
use search_core::table::{Recipe, Store, Unfinished};
use search_core::{Cancel, Run};
use std::collections::HashMap;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, Mutex, OnceLock};
use std::time::Duration;

/// The sources that determine a table, relative to this crate.
const SOURCES: [&str; 6] =
    ["src/cube.rs", "src/symmetry.rs", "src/metric.rs", "src/tables.rs", "src/pdb", "../search-core/src/pdb"];

/// The store that all test binaries of this target directory share.
pub fn store() -> &'static Store {
    static STORE: LazyLock<Store> = LazyLock::new(|| {
        let program = std::env::current_exe().expect("a test is a program");
        let above = program.ancestors().nth(3).expect("it lies in the target directory").join("tmp");
        let name = format!("cube-tables-{:016x}", hash_of_sources());
        fs::create_dir_all(&above).expect("the target directory can be written");
        for old in fs::read_dir(&above).expect("the directory was made").flatten() {
            let other = old.file_name().into_string().unwrap_or_default();
            // The tables of the command line's tests have a shorter name.
            if other.starts_with("cube-tables-") && other.len() == name.len() && other != name {
                // Another binary may be doing the same.
                let _ = fs::remove_dir_all(old.path());
            }
        }
        Store::new(above.join(name), "the cube's tests")
    });
    &STORE
}

fn hash_of_sources() -> u64 {
    let mut files = Vec::new();
    for source in SOURCES {
        collect_files(&Path::new(env!("CARGO_MANIFEST_DIR")).join(source), &mut files);
    }
    files.sort();
    let mut hasher = DefaultHasher::new();
    for file in files {
        fs::read(&file).expect("a source file can be read").hash(&mut hasher);
    }
    hasher.finish()
}

fn collect_files(path: &Path, files: &mut Vec<PathBuf>) {
    if !path.is_dir() {
        files.push(path.to_owned());
        return;
    }
    for entry in fs::read_dir(path).expect("a source directory can be read") {
        collect_files(&entry.expect("an entry").path(), files);
    }
}

/// A table from the shared store, loaded once per process.
pub fn table(id: TableId) -> LoadedTable {
    type Cell = Arc<OnceLock<LoadedTable>>;
    static TABLES: LazyLock<Mutex<HashMap<TableId, Cell>>> = LazyLock::new(Mutex::default);
    let cell = TABLES.lock().expect("no test panics here").entry(id).or_default().clone();
    cell.get_or_init(|| {
        let (table, used) = id.get(store(), &Run::new()).expect("the table is available");
        (id, table, used)
    })
    .clone()
}

/// A table filled in memory, without a file.
pub fn filled(id: TableId) -> LoadedTable {
    let built = id.build(&Unfinished::NOWHERE, &Run::new()).expect("the table can be filled");
    (id, id.over(built.body), TableUse { name: id.name(), checksum: String::new() })
}

/// The heuristic of a name.
pub fn heuristic(name: &str) -> HeuristicSpec {
    name.parse().expect("the name of a heuristic")
}

/// The solver with the heuristic `name`, over the shared tables.
pub fn solver(name: &str, metric: Metric, instructions: Instructions) -> FaceSolver {
    let heuristic = heuristic(name);
    let tables = heuristic.tables(metric).into_iter().map(table).collect();
    FaceSolver::new(&heuristic, metric, tables, instructions)
}

/// A generator of random numbers.
pub fn rng(seed: u64) -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(seed)
}

/// A number below `n`.
pub fn below(rng: &mut ChaCha8Rng, n: usize) -> usize {
    (rng.next_u64() % n as u64) as usize
}

/// The cube after `length` random moves of the metric.
pub fn random_walk(rng: &mut ChaCha8Rng, metric: Metric, length: usize) -> Cube {
    let moves = metric.turns();
    Cube::SOLVED.apply_all((0..length).map(|_| moves[below(rng, moves.len())]))
}

/// Turns in the usual notation.
pub fn text(turns: &[Turn]) -> String {
    turns.iter().map(Turn::to_string).collect::<Vec<_>>().join(" ")
}

/// Has the referee replay `solution` from the cube's facelets.
pub fn replay(cube: &Cube, solution: &[Turn], metric: Metric, length: u32) {
    let start = referee::cube::Cube::parse(&facelets::format(cube)).expect("54 facelets");
    let metric = match metric {
        Metric::Htm | Metric::Stm | Metric::Axial => referee::cube::Metric::HalfTurn,
        Metric::Qtm => referee::cube::Metric::QuarterTurn,
    };
    let solved = referee::cube::Cube::solved();
    referee::cube::check(&start, &solved, &text(solution), metric, length.into())
        .unwrap_or_else(|refusal| panic!("{cube:?}: {refusal}"));
}

/// Continues from a checkpoint, and collects all checkpoints that are saved.
#[derive(Debug, Default)]
pub struct Collected {
    pub from: Option<SearchState>,
    pub kept: Mutex<Vec<SearchState>>,
    /// Cancelled when this many have been saved: at least two, since a resumed search may first save the one that it resumes
    /// from.
    pub cancel: Option<(Cancel, usize)>,
}

impl Checkpoints for Collected {
    fn resume(&self) -> Option<SearchState> {
        self.from.clone()
    }

    fn pause(&self) -> Duration {
        Duration::ZERO
    }

    fn keep(&self, checkpoint: &SearchState) {
        let mut kept = self.kept.lock().unwrap();
        kept.push(checkpoint.clone());
        self.cancel.iter().filter(|(_, saved)| kept.len() >= *saved).for_each(|(cancel, _)| cancel.cancel());
    }
}
