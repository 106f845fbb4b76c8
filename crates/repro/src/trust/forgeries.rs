//! Forged tables: their entries are changed, and all checksums match.
//!
//! `tables verify --contents` must find every one whose entries are proved. A search that reads one must end with the
//! shortest length, refuse it, or find a longer solution: a forgery can mislead it, but neither crash it nor keep it
//! from ending at its limit.

use super::Outcome;
use hanoi4::pdb::Database;
use hanoi4::strategy::{ProofAsk, proof::Loaded};
use hanoi4::tables::DatabaseId;
use puzzle_cli::Failure;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};
use search_core::memory::Memory;
use search_core::record::TableUse;
use search_core::table::{
    Encoding, FileError, Recipe, Table, TableError, Tables, Unfinished, file::describe,
};
use search_core::{Ending, Run};
use slidetile::SolverSetup;
use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// The time after which a misled search is stopped.
const LIMIT: Duration = Duration::from_secs(1);

/// A search that reads a table, with its length.
#[derive(Clone, Copy, Debug)]
enum Search {
    /// Of a cube, with a heuristic.
    Cube { heuristic: &'static str, moves: &'static str, length: u32 },
    /// Of a cube, with some moves alone.
    Moves { set: &'static str, moves: &'static str, length: u32 },
    /// Of a board, with pattern databases.
    Board { size: &'static str, tiles: &'static str, length: u32 },
    /// Of a tower, by the proof of its presumed length.
    Tower { discs: u32, length: u32 },
    /// No search: the table is only proved.
    None,
}

/// The tables that are forged, by name, and the searches that read them.
const SUBJECTS: [(&str, Search); 12] = [
    ("cube-edges2-003-htm", Search::Cube { heuristic: "edges:UR,UF", moves: "R U F' L", length: 4 }),
    ("cube-edges3-007-qtm", Search::None),
    ("cube-edges2-005-htm", Search::None),
    ("cube-edges3-007-0023456789ab-000-u-htm", Search::None),
    ("cube-moves-U2-R2-all-htm", Search::Moves { set: "U2 R2", moves: "U2 R2 U2", length: 3 }),
    ("cube-moves-U2-M2-all-stm", Search::Moves { set: "U2 M2", moves: "U2 M2", length: 2 }),
    ("tiles-3x3-pdb8-1fe", Search::Board { size: "3x3", tiles: "8 6 7 2 5 4 3 0 1", length: 27 }),
    ("tiles-2x3-pdb5-3e", Search::Board { size: "2x3", tiles: "4 5 0 1 2 3", length: 21 }),
    ("tiles-2x3-fsm-12", Search::Board { size: "2x3", tiles: "4 5 0 1 2 3", length: 21 }),
    ("hanoi4-middle-6-6", Search::None),
    ("hanoi4-peg3-5-5", Search::None),
    ("hanoi4-middle-8-4", Search::Tower { discs: 13, length: 97 }),
];

/// Tables in memory, one of which is forged.
#[derive(Clone, Debug, Default)]
struct Forged {
    name: String,
    body: Vec<u8>,
    /// The sound ones, once they are built.
    sound: Arc<Mutex<HashMap<String, Vec<u8>>>>,
}

impl Tables for Forged {
    fn table(&self, recipe: &dyn Recipe, run: &Run<'_>) -> Result<Table, TableError> {
        let name = recipe.name();
        let path = PathBuf::from(format!("{name}.table"));
        let table = || -> Result<Table, FileError> {
            let body = if name == self.name { self.body.clone() } else { self.sound(recipe, run)? };
            let header = describe(&recipe.spec(), 0, "forged", &body, run);
            Ok(Table { path: path.clone(), header, body: Memory::copy_of(&body)? })
        };
        table().map_err(|error| error.of(&name, &path))
    }
}

impl Forged {
    fn sound(&self, recipe: &dyn Recipe, run: &Run<'_>) -> Result<Vec<u8>, FileError> {
        let mut sound = self.sound.lock().expect("no thread panics while it builds a table");
        if let Some(body) = sound.get(&recipe.name()) {
            return Ok(body.clone());
        }
        let body = recipe.build(&Unfinished::NOWHERE, run)?.body.to_vec();
        sound.insert(recipe.name(), body.clone());
        Ok(body)
    }
}

/// The recipe of a table of any of the three programs.
fn recipe_of(name: &str) -> Option<Box<dyn Recipe>> {
    cube::recipes::recipe_of(name)
        .or_else(|| slidetile::tables::recipe_of(name))
        .or_else(|| hanoi4::tables::recipe_of(name))
}

/// Forges about `count` tables, of each subject whose name contains `only`, proves them and searches with them.
///
/// # Errors
/// When a sound table cannot be built or is not proved.
pub fn forge_all(only: &str, count: usize, seed: u64, run: &Run<'_>) -> Result<Vec<Outcome>, Failure> {
    let failure = |name: &str| {
        let name = name.to_owned();
        move |error: FileError| Failure::error(format_args!("the table {name}: {error}"))
    };
    let chosen: Vec<_> =
        SUBJECTS.iter().filter(|(name, _)| format!("forged {name}").contains(only)).collect();
    let sound = Forged::default();
    let each = count.div_ceil(chosen.len().max(1));
    let outcomes = chosen.iter().map(|(name, search)| {
        let recipe = recipe_of(name)
            .ok_or_else(|| Failure::error(format_args!("there is no table of the name {name}")))?;
        let body = sound.sound(&*recipe, run).map_err(failure(name))?;
        recipe.prove(&body, run).map_err(failure(name))?;
        let subject = Subject { name, recipe: &*recipe, body: &body, search: *search, sound: &sound };
        Ok(subject.outcome(each, seed, run))
    });
    outcomes.collect()
}

/// A table that is forged many times.
struct Subject<'a> {
    name: &'a str,
    recipe: &'a dyn Recipe,
    body: &'a [u8],
    search: Search,
    sound: &'a Forged,
}

impl Subject<'_> {
    fn outcome(&self, count: usize, seed: u64, run: &Run<'_>) -> Outcome {
        let (mut endings, mut broken) = (HashMap::<String, usize>::new(), Vec::new());
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        for _ in 0..count {
            let (body, how) = self.forge(&mut random);
            if body == self.body {
                *endings.entry("left as they were".to_owned()).or_default() += 1;
                continue;
            }
            let tried = catch_unwind(AssertUnwindSafe(|| {
                let proved = self.recipe.prove(&body, run).is_ok();
                (proved, self.ending(body, run))
            }));
            match tried {
                Ok((false, ending)) => *endings.entry(ending).or_default() += 1,
                Ok((true, _)) => broken.push(format!("{}: {how}: the forgery is proved", self.name)),
                Err(_) => broken.push(format!("{}: {how}: a panic", self.name)),
            }
        }
        let mut endings: Vec<(usize, String)> =
            endings.into_iter().map(|(what, count)| (count, what)).collect();
        endings.sort_unstable_by(|a, b| b.cmp(a));
        Outcome { title: format!("forged {}", self.name), endings, broken }
    }

    /// The body with changed entries, and how they were changed.
    fn forge(&self, random: &mut ChaCha8Rng) -> (Vec<u8>, String) {
        let mut body = self.body.to_vec();
        let spec = self.recipe.spec();
        let bits = if spec.encoding == Encoding::Exact { usize::from(spec.bits) } else { 8 };
        let entries = body.len() * 8 / bits;
        let mut below = |limit: usize| random.next_u64() as usize % limit.max(1);
        let mut how = String::new();
        for _ in 0..1 + below(3) {
            let entry = below(entries);
            let (at, shift) = (entry * bits / 8, entry * bits % 8);
            let mask = (((1u32 << bits) - 1) as u8) << shift;
            let value = (body[at] & mask) >> shift;
            let other = match below(4) {
                0 => value.wrapping_add(1),
                1 => value.wrapping_sub(1),
                2 if bits == 8 => value ^ 1 << below(8),
                _ => below(256) as u8,
            };
            let other = other << shift & mask;
            body[at] = body[at] & !mask | other;
            how += &format!(", entry {entry} is {} instead of {value}", other >> shift);
        }
        (body, how.trim_start_matches(", ").to_owned())
    }

    /// The ending of the search that reads a forged table.
    fn ending(&self, body: Vec<u8>, run: &Run<'_>) -> String {
        let run = &run.with_deadline(Instant::now() + LIMIT);
        let tables = Forged { name: self.name.to_owned(), body, sound: self.sound.sound.clone() };
        let (ending, length) = match self.search {
            Search::None => return "found by their entries".to_owned(),
            Search::Cube { heuristic, moves, length } => {
                let setup = cube::SolverSetup::new().heuristic(heuristic.parse::<cube::HeuristicSpec>().ok());
                (cube_length(setup, moves, tables, length, run), length)
            }
            Search::Moves { set, moves, length } => {
                let set = cube::moves::MoveSet::parse(set, None).expect("a set of moves");
                (cube_length(cube::SolverSetup::new().moves(set), moves, tables, length, run), length)
            }
            Search::Board { size, tiles, length } => {
                (board_length(size, tiles, &tables, length, run), length)
            }
            Search::Tower { discs, length } => (tower_length(discs, tables.body, run), length),
        };
        match ending {
            None => "refused by the search",
            Some(Ending::Optimal { length: found, .. }) if found == length => "answered with the shortest",
            Some(Ending::Optimal { .. }) => "misled to a longer solution",
            Some(_) => "misled to no solution within the limit",
        }
        .to_owned()
    }
}

/// The ending without its moves.
fn bare<S>(ending: Ending<S>) -> Ending<()> {
    ending.map(|_| ())
}

/// The ending of a cube's search; `None` if the table is refused.
fn cube_length(
    setup: cube::SolverSetup,
    moves: &str,
    tables: Forged,
    length: u32,
    run: &Run<'_>,
) -> Option<Ending<()>> {
    let cube = cube::notation::parse(moves, None).expect("a cube").cube;
    let ask = cube::Ask::new(cube).max_bound(Some(length + 3));
    let solver = setup.load(tables, run).ok()?;
    Some(bare(solver.solve(&ask, run).ok()?.ending))
}

/// The ending of a board's search; `None` if the table is refused.
fn board_length(size: &str, tiles: &str, tables: &Forged, length: u32, run: &Run<'_>) -> Option<Ending<()>> {
    let board: slidetile::Board = size.parse().expect("a size");
    let numbers: Vec<usize> = tiles.split(' ').map(|tile| tile.parse().expect("a tile")).collect();
    let goal: Vec<usize> = (0..board.cells()).collect();
    let tiles_of = |numbers: &[usize]| slidetile::Tiles::new(board, numbers).expect("a board");
    let puzzle = slidetile::Puzzle::new(board, tiles_of(&goal));
    let setup = SolverSetup::default()
        .heuristic(slidetile::HeuristicSpec::Patterns)
        .pruning(slidetile::Pruning::Learned(12));
    let solver = slidetile::Solver::load(puzzle, setup, tables, run).ok()?;
    let ask = slidetile::Ask::new(tiles_of(&numbers)).max_bound(length + 4);
    Some(bare(solver.solve(&ask, run).ok()?.ending))
}

/// The ending of a tower's proof; `None` if it is not possible.
fn tower_length(discs: u32, body: Vec<u8>, run: &Run<'_>) -> Option<Ending<()>> {
    let ask = ProofAsk::new(discs).ok()?.database(Some(8));
    let id: DatabaseId = ask.database_id().ok()??;
    let database = Database::from_values(id.discs, id.kept(), Memory::copy_of(&body).ok()?);
    let loaded =
        Loaded { id, database, table: TableUse { name: id.name(), checksum: String::new() }, seconds: 0.0 };
    Some(ask.prove(Some(&loaded), run).ok()?.ending)
}
