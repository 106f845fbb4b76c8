//! Forged tables: their entries are changed, and all checksums match.
//!
//! A table that another user can have written is proved from its entries before a search reads it. So a search that reads
//! a forgery must refuse it, or answer with the shortest length; the store here trusts nobody. The lengths come from
//! searches without tables. Then the search reads the forgery without a proof: it may be misled, but it must end without a
//! panic.

use super::Outcome;
use super::consistent::forge_consistently;
use super::forged::{below, recipe_of, write};
use chacha20::ChaCha8Rng;
use chacha20::rand_core::SeedableRng;
use hanoi4::strategy::{AskError, ProofAsk};
use puzzle::database::Database;
use puzzle::system::System;
use puzzle_cli::Failure;
use referee::cube as judge;
use search_core::table::{Encoding, ErrorKind, FileError, Recipe, Store, TableError, Trust, Unfinished};
use search_core::{Ending, Run};
use slidetile::{HeuristicSpec, Pruning, SolverSetup};
use std::collections::{HashMap, HashSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::{Duration, Instant};

/// The time after which a search is stopped, and a misled one.
const LIMIT: Duration = Duration::from_secs(300);
const MISLED: Duration = Duration::from_millis(100);

/// The work that reads a table.
#[derive(Clone, Copy, Debug)]
enum Search {
    /// The search for a cube, with a heuristic.
    Cube { heuristic: &'static str, moves: &'static str },
    /// The same in quarter turns.
    Quarters { heuristic: &'static str, moves: &'static str },
    /// The search for a cube, with some moves alone.
    Moves { set: &'static str, moves: &'static str },
    /// The search for a board, with pattern databases.
    Board { size: &'static str, tiles: &'static str },
    /// The search for a state of a built-in puzzle, with small pattern databases.
    Permutation { puzzle: &'static str, moves: &'static str },
    /// The proof of the presumed length of a tower.
    Tower { discs: u32 },
    /// Loading alone, as before every search.
    Load,
    /// Loading a table whose proof takes seconds.
    SlowLoad,
}

/// The memory of pattern databases of built-in puzzles.
const SMALL: u64 = 300 << 10;

/// The tables that are forged, by name, and what reads them. Of a built-in puzzle, that is one of its pattern databases: of
/// coordinates, reduced by symmetries, or of shapes.
const SUBJECTS: [(&str, Search); 18] = [
    ("cube-edges2-003-htm", Search::Cube { heuristic: "edges:UR,UF", moves: "R U F' L" }),
    ("cube-edges3-007-qtm", Search::Quarters { heuristic: "edges:UR,UF,UL", moves: "R U F' L" }),
    ("cube-edges2-005-htm", Search::Load),
    ("cube-edges3-007-0023456789ab-000-u-htm", Search::Load),
    ("cube-square0floor-htm", Search::SlowLoad),
    ("cube-square0-htm", Search::SlowLoad),
    ("cube-moves-U2-R2-all-htm", Search::Moves { set: "U2 R2", moves: "U2 R2 U2" }),
    ("cube-moves-U2-M2-all-stm", Search::Moves { set: "U2 M2", moves: "U2 M2" }),
    ("tiles-3x3-pdb8-1fe", Search::Board { size: "3x3", tiles: "8 6 7 2 5 4 3 0 1" }),
    ("tiles-2x3-pdb5-3e", Search::Board { size: "2x3", tiles: "4 5 0 1 2 3" }),
    ("tiles-2x3-fsm-12", Search::Board { size: "2x3", tiles: "4 5 0 1 2 3" }),
    ("hanoi4-middle-6-6", Search::Load),
    ("hanoi4-peg3-5-5", Search::Load),
    ("hanoi4-middle-8-4", Search::Tower { discs: 13 }),
    ("hanoi4-peg3-8-5", Search::Load),
    ("puzzle 2x2x2", Search::Permutation { puzzle: "2x2x2", moves: "R U R' F2 U" }),
    ("puzzle skewb", Search::Permutation { puzzle: "skewb", moves: "U R B' L" }),
    ("puzzle square-1", Search::Permutation { puzzle: "square-1", moves: "(1,0)/(3,0)/" }),
];

/// Forges about `count` tables, of each subject whose name contains `only` (a tenth as many of those whose solver takes a
/// tenth of a second, a hundredth of those whose proof takes seconds), and searches with them. Forges a tenth as many tables of exact distances in which neighbours still differ by
/// at most one.
///
/// # Errors
/// When a sound table cannot be built or is not proved.
pub fn forge_all(only: &str, count: usize, seed: u64, run: &Run<'_>) -> Result<Vec<Outcome>, Failure> {
    let home = tempfile::tempdir().map_err(|error| Failure::error(format_args!("a directory: {error}")))?;
    let store = Store::new(home.path(), "forged").trusting(Trust::None);
    let chosen: Vec<_> =
        SUBJECTS.iter().filter(|(name, _)| format!("forged {name}").contains(only)).collect();
    let each = count.div_ceil(chosen.len().max(1));
    let outcomes = chosen.iter().map(|(name, search)| {
        let failure =
            |error: &dyn std::fmt::Display| Failure::error(format_args!("the table {name}: {error}"));
        let recipe = match search {
            Search::Permutation { puzzle, .. } => database_of(puzzle, &store, run),
            _ => recipe_of(name),
        };
        let recipe = recipe.ok_or_else(|| failure(&"no program has it"))?;
        let built = recipe.build(&Unfinished::NOWHERE, run).map_err(|error| failure(&error))?;
        let (body, depth) = (built.body.to_vec(), built.depth);
        let subject = Subject { name, recipe: &*recipe, body: &body, depth, search: *search, store: &store };
        write(home.path(), &*recipe, depth, &body, run)?;
        store.get(&*recipe, run).map_err(|error| failure(&error))?;
        let each = match search {
            Search::SlowLoad => each.div_ceil(100),
            Search::Permutation { .. } => each.div_ceil(10),
            _ => each,
        };
        let outcome = subject.outcome(each, seed, home.path(), run);
        // The next subjects may read the sound table.
        write(home.path(), &*recipe, depth, &body, run)?;
        outcome
    });
    let mut outcomes = outcomes.collect::<Result<Vec<_>, _>>()?;
    outcomes.extend(forge_consistently(only, count.div_ceil(10), seed, run)?);
    Ok(outcomes)
}

/// A table that is forged many times.
struct Subject<'a> {
    name: &'a str,
    recipe: &'a dyn Recipe,
    body: &'a [u8],
    depth: u32,
    search: Search,
    store: &'a Store,
}

/// The work that read a forgery.
enum Read {
    Refused,
    /// The length that it found, if any.
    Answered(Option<u32>),
    /// Another error.
    Failed(String),
}

impl From<TableError> for Read {
    fn from(error: TableError) -> Read {
        match (error.kind(), &error.problem) {
            // Exit code 6.
            (ErrorKind::Damaged, _) | (_, FileError::Unproved) => Read::Refused,
            _ => Read::Failed(error.to_string()),
        }
    }
}

impl Subject<'_> {
    fn outcome(&self, count: usize, seed: u64, home: &Path, run: &Run<'_>) -> Result<Outcome, Failure> {
        let (mut endings, mut broken) = (HashMap::<&str, usize>::new(), Vec::new());
        let (mut random, length) = (ChaCha8Rng::seed_from_u64(seed), self.search.length(run));
        for _ in 0..count {
            let (body, how) = self.forge(&mut random);
            write(home, self.recipe, self.depth, &body, run)?;
            let read = catch_unwind(AssertUnwindSafe(|| {
                let trusting = self.store.clone().trusting(Trust::All);
                self.read(&trusting, &run.with_deadline(Instant::now() + MISLED));
                self.read(self.store, &run.with_deadline(Instant::now() + LIMIT))
            }));
            let problem = match read {
                Ok(Read::Refused) if body != self.body => {
                    *endings.entry("refused").or_default() += 1;
                    continue;
                }
                Ok(Read::Answered(found)) if found == length => {
                    let ending =
                        if body == self.body { "left as they were" } else { "answered with the shortest" };
                    *endings.entry(ending).or_default() += 1;
                    continue;
                }
                Ok(Read::Refused) => "a sound table is refused".to_owned(),
                Ok(Read::Answered(found)) => format!("{found:?} moves instead of {length:?}"),
                Ok(Read::Failed(error)) => error,
                Err(_) => "a panic".to_owned(),
            };
            broken.push(format!("{}: {how}: {problem}", self.name));
            if run.is_cancelled() {
                break;
            }
        }
        let mut endings: Vec<(usize, String)> =
            endings.into_iter().map(|(what, count)| (count, what.to_owned())).collect();
        endings.sort_unstable_by(|a, b| b.cmp(a));
        Ok(Outcome { title: format!("forged {}", self.name), endings, broken })
    }

    /// The body with changed entries, and how they were changed.
    fn forge(&self, random: &mut ChaCha8Rng) -> (Vec<u8>, String) {
        let mut body = self.body.to_vec();
        let spec = self.recipe.spec();
        let bits = if spec.encoding == Encoding::Exact { usize::from(spec.bits) } else { 8 };
        let entries = body.len() * 8 / bits;
        let mut below = |limit: usize| below(random, limit);
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

    /// Does the work that reads the table.
    fn read(&self, store: &Store, run: &Run<'_>) -> Read {
        match self.search {
            Search::Load | Search::SlowLoad => match store.get(self.recipe, run) {
                Ok(_) => Read::Answered(None),
                Err(error) => error.into(),
            },
            Search::Cube { heuristic, moves } => {
                cube_read(store, cube::SolverSetup::new().heuristic(specified(heuristic)), moves, run)
            }
            Search::Quarters { heuristic, moves } => {
                let setup = cube::SolverSetup::new().metric(cube::Metric::Qtm);
                cube_read(store, setup.heuristic(specified(heuristic)), moves, run)
            }
            Search::Moves { set, moves } => {
                let set = cube::moves::MoveSet::parse(set, None).expect("a set of moves");
                cube_read(store, cube::SolverSetup::new().moves(set), moves, run)
            }
            Search::Board { size, tiles } => {
                let setup = SolverSetup::default().heuristic(HeuristicSpec::Patterns);
                match board(setup.pruning(Pruning::Learned(12)), size, tiles, store, run) {
                    Ok(ending) => answered(&ending),
                    Err(error) => error.into(),
                }
            }
            Search::Permutation { puzzle, moves } => match permutation(puzzle, moves, store, true, run) {
                Ok(ending) => answered(&ending),
                Err(puzzle::SolverError::Table(error)) => error.into(),
                Err(error) => Read::Failed(error.to_string()),
            },
            Search::Tower { discs } => {
                let ask = ProofAsk::new(discs).expect("a number of discs").database(Some(8));
                match ask.load(store, run) {
                    Ok(loaded) => match ask.prove(loaded.as_ref(), run) {
                        Ok(verification) => answered(&verification.ending),
                        Err(error) => Read::Failed(error.to_string()),
                    },
                    Err(AskError::Table(error)) => error.into(),
                    Err(error) => Read::Failed(error.to_string()),
                }
            }
        }
    }
}

/// Searches for a cube with the tables of a store.
fn cube_read(store: &Store, setup: cube::SolverSetup, moves: &str, run: &Run<'_>) -> Read {
    let position = cube::notation::parse(moves, None).expect("a cube");
    let ask = cube::Ask::new(position.cube).held(position.orientation).max_bound(Some(9));
    let solved = setup.load(store.clone(), run).and_then(|solver| solver.solve(&ask, run));
    match solved {
        Ok(answer) => answered(&answer.ending),
        Err(cube::SolverError::Table(error)) => error.into(),
        Err(error) => Read::Failed(error.to_string()),
    }
}

fn specified(heuristic: &str) -> cube::HeuristicSpec {
    heuristic.parse().expect("a heuristic")
}

fn answered<S>(ending: &Ending<S>) -> Read {
    Read::Answered(ending.length())
}

impl Search {
    /// The shortest length, by a search without tables; none where nothing is searched.
    fn length(self, run: &Run<'_>) -> Option<u32> {
        match self {
            Search::Load | Search::SlowLoad => None,
            Search::Cube { moves, .. } => breadth_first(moves, &["", "2", "'"].map(|end| ("URFDLB", end))),
            Search::Quarters { moves, .. } => breadth_first(moves, &["", "'"].map(|end| ("URFDLB", end))),
            Search::Moves { set: "U2 R2", moves } => breadth_first(moves, &[("UR", "2")]),
            Search::Moves { moves, .. } => breadth_first(moves, &[("UM", "2")]),
            Search::Board { size, tiles } => {
                let setup = SolverSetup::default().heuristic(HeuristicSpec::Manhattan);
                let setup = setup.pruning(Pruning::Inverse);
                board(setup, size, tiles, &Store::over([], "none"), run).expect("no table is read").length()
            }
            Search::Permutation { puzzle, moves } => {
                let near = permutation(puzzle, moves, &Store::over([], "none"), false, run);
                near.expect("no table is read").length()
            }
            Search::Tower { discs } => {
                let ask = ProofAsk::new(discs).expect("a number of discs").database(Some(0));
                ask.prove(None, run).expect("no table is read").ending.length()
            }
        }
    }
}

/// The number of moves from the cube after `moves` to the solved one, held in any way, by the referee's model. `allowed` are
/// letters of layers and the rest of the names of their moves.
fn breadth_first(moves: &str, allowed: &[(&str, &str)]) -> Option<u32> {
    let named = |(layers, end): &(&str, &str)| {
        layers.chars().map(|layer| format!("{layer}{end}")).collect::<Vec<_>>()
    };
    let names = allowed.iter().flat_map(named).collect::<Vec<_>>().join(" ");
    let allowed = judge::parse_moves(&names).expect("moves");
    let is_solved = |cube: &judge::Cube| {
        cube.facelets().chunks(9).all(|face| face.iter().all(|facelet| *facelet == face[0]))
    };
    let start = judge::Cube::solved().after_all(&judge::parse_moves(moves).expect("moves"));
    let (mut known, mut layer) = (HashSet::from([start.to_string()]), vec![start]);
    for length in 0.. {
        if layer.iter().any(is_solved) {
            return Some(length);
        }
        let children = layer.iter().flat_map(|cube| allowed.iter().map(|turn| cube.after(turn)));
        layer = children.filter(|child| known.insert(child.to_string())).collect();
        if layer.is_empty() {
            break;
        }
    }
    None
}

/// The ending of a board's search.
fn board(
    setup: SolverSetup,
    size: &str,
    tiles: &str,
    store: &Store,
    run: &Run<'_>,
) -> Result<Ending<()>, TableError> {
    let board: slidetile::Board = size.parse().expect("a size");
    let numbers: Vec<usize> = tiles.split(' ').map(|tile| tile.parse().expect("a tile")).collect();
    let goal: Vec<usize> = (0..board.cells()).collect();
    let tiles_of = |numbers: &[usize]| slidetile::Tiles::new(board, numbers).expect("a board");
    let puzzle = slidetile::Puzzle::new(board, tiles_of(&goal));
    let solver = match slidetile::Solver::load(puzzle, setup, store, run) {
        Ok(solver) => solver,
        Err(slidetile::SolverError::Table(error)) => return Err(error),
        Err(error) => panic!("{error}"),
    };
    let ask = slidetile::Ask::new(tiles_of(&numbers)).max_bound(40);
    Ok(solver.solve(&ask, run).expect("a board that can be solved").ending.map(|_| ()))
}

/// A built-in puzzle and its definition.
fn built_in(name: &str) -> (puzzle::Definition, puzzle::Selected) {
    let definition = puzzle::builtin::get(name).expect("a puzzle").expect("a definition");
    let selected = definition.select(&puzzle::Selection::default()).expect("its own moves");
    (definition, selected)
}

/// A pattern database of a built-in puzzle; they are built in the store.
fn database_of(name: &str, store: &Store, run: &Run<'_>) -> Option<Box<dyn Recipe>> {
    let (_, selected) = built_in(name);
    let run = &run.with_memory(SMALL);
    let setup = puzzle::SolverSetup::default();
    puzzle::Solver::load(selected.puzzle.clone(), Vec::new(), &setup, store.clone(), run).ok()?;
    let system = System::new(&selected.puzzle, run).ok()?;
    let specs = store.list().ok()?.into_iter().filter_map(|entry| Some(entry.header.ok()?.spec));
    let mut found = specs
        .filter_map(|spec| Database::of_spec(selected.puzzle.name(), &system, &spec, run).ok().flatten());
    found.next().map(|database| Box::new(database) as Box<dyn Recipe>)
}

/// The ending of the search for a state of a built-in puzzle, with its pattern databases or by near positions alone.
fn permutation(
    name: &str,
    moves: &str,
    store: &Store,
    with_databases: bool,
    run: &Run<'_>,
) -> Result<Ending<()>, puzzle::SolverError> {
    let (definition, selected) = built_in(name);
    let pattern = puzzle::states::read(moves, &definition, None).expect("moves");
    let start = selected.state(&pattern).expect("a state");
    let run = &run.with_memory(if with_databases { SMALL } else { run.memory() });
    let setup = puzzle::SolverSetup::default();
    let solver = puzzle::Solver::new(selected.puzzle, Vec::new(), &setup, store.clone(), run)?;
    if with_databases {
        solver.load_databases(run)?;
    }
    Ok(solver.solve(&puzzle::Ask::new(start), run)?.ending.map(|_| ()))
}
