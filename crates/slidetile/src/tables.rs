//! The tables on disk: pattern databases and learned automata.

use search_core::automaton::{InvalidAutomaton, Learned};
use search_core::memory::Memory;
use search_core::pdb::Packed;
use search_core::record::TableUse;
use search_core::table::{Built, Encoding, FileError, Kind, Spec, Store, Table, TableError, file};
use search_core::{Automaton, Cancelled, Run};

use crate::board::{Board, MAX_SIDE};
use crate::fsm;
use crate::pdb::{BuildError, Pattern};

/// The version of the functions from states to entries. Raised whenever one of them changes.
const RANKING: u32 = 1;
/// The operators in their order, which an automaton depends on: the directions of the blank.
const OPERATORS: &str = "U L R D";
/// The operators as pattern databases name them, which do not depend on their order.
const DIRECTIONS: &str = "L R U D";

/// A table cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The file, or the work of building it.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The file's checksums are right, but it holds no automaton.
    #[error("table {name}: {problem}")]
    Automaton {
        /// The table.
        name: String,
        /// What is wrong.
        problem: InvalidAutomaton,
    },
    /// The work was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

/// The file name of a pattern's table, without its ending.
pub fn pattern_name(pattern: &Pattern) -> String {
    let set = pattern.homes.iter().fold(0u32, |set, home| set | 1 << home);
    format!("tiles-{}-pdb{}-{set:x}-{:x}", pattern.board, pattern.homes.len(), pattern.region)
}

/// The file name of an automaton's table, without its ending.
pub fn automaton_name(board: Board, depth: usize) -> String {
    format!("tiles-{board}-fsm-{depth}")
}

/// The bytes of the automaton that a board has by default, known before it is learned: counted by
/// learning, and held to by a test.
pub fn automaton_bytes(board: Board) -> u64 {
    AUTOMATON_BYTES[board.rows() - 2][board.cols() - 2]
}

/// By rows and columns from 2 to 6, for the depths of
/// [`Pruning::default_for`](crate::solver::Pruning::default_for).
const AUTOMATON_BYTES: [[u64; MAX_SIDE - 1]; MAX_SIDE - 1] = [
    [512, 672, 7_040, 14_368, 14_368],
    [512, 6_496, 42_656, 285_760, 311_232],
    [7_328, 41_840, 398_928, 3_213_968, 3_908_240],
    [14_672, 280_640, 3_187_792, 5_175_968, 5_829_968],
    [14_672, 307_376, 3_876_640, 5_825_856, 6_478_496],
];

fn used(name: String, table: &Table) -> TableUse {
    TableUse { name, checksum: format!("{:016x}", table.header.body_checksum()) }
}

/// A pattern's table from `store`, filled if it is not there.
///
/// # Errors
/// [`LoadError::Table`]; its kind tells what helps.
pub fn pattern(
    pattern: &Pattern,
    store: &Store,
    run: &Run<'_>,
) -> Result<(Packed<4, Memory>, TableUse), LoadError> {
    let name = pattern_name(pattern);
    let spec = Spec {
        kind: Kind::PatternDatabase,
        puzzle: format!("slidetile {}", pattern.board),
        operators: DIRECTIONS.to_owned(),
        pattern: format!(
            "goal cells {:?}, blank within {:#x}; half the excess over Manhattan distance",
            pattern.homes, pattern.region
        ),
        ranking: RANKING,
        bits: 4,
        encoding: Encoding::Exact,
        entries: pattern.entries() as u64,
        complete: true,
    };
    let table = store.get_or_build(&name, &spec, run, || {
        let packed = pattern.build(run).map_err(|error| match error {
            BuildError::Cancelled(cancelled) => FileError::from(cancelled),
            BuildError::Memory(error) => FileError::from(error),
        })?;
        let depth = packed.iter().max().unwrap_or(0).into();
        Ok(Built { body: packed.into_bytes(), depth })
    })?;
    let used = used(name, &table);
    Ok((table.into_packed(), used))
}

/// The automaton learned on `board` to `depth`, learned if it is not there.
///
/// # Errors
/// [`LoadError`].
pub fn automaton(
    board: Board,
    depth: usize,
    store: &Store,
    run: &Run<'_>,
) -> Result<(Automaton, TableUse), LoadError> {
    let name = automaton_name(board, depth);
    if !store.contains(&name) {
        let learned = fsm::learn_duplicates(board, depth, run)?;
        return keep(board, depth, &learned, store, run);
    }
    // The number of states is known only from the file; all else is compared.
    let entries = file::open(&store.path(&name)).map_or(0, |(_, header)| header.spec.entries);
    let table = store.load(&name, &spec(board, depth, entries), run)?;
    opened(name, &table)
}

/// The automaton of what was learned on `board` to `depth`, kept as a table unless it is there.
///
/// # Errors
/// [`LoadError`].
pub fn keep(
    board: Board,
    depth: usize,
    learned: &Learned,
    store: &Store,
    run: &Run<'_>,
) -> Result<(Automaton, TableUse), LoadError> {
    let name = automaton_name(board, depth);
    let words = fsm::automaton(&learned.strings);
    let spec = spec(board, depth, words.table().len() as u64);
    let table = store.get_or_build(&name, &spec, run, || {
        let bytes: Vec<u8> = words.table().iter().flat_map(|word| word.to_le_bytes()).collect();
        Ok(Built { body: Memory::copy_of(&bytes)?, depth: depth as u32 })
    })?;
    opened(name, &table)
}

/// The automaton that a table holds.
fn opened(name: String, table: &Table) -> Result<(Automaton, TableUse), LoadError> {
    let words = table.body.chunks_exact(4);
    let words = words.map(|word| u32::from_le_bytes(word.try_into().expect("four bytes"))).collect();
    let automaton = Automaton::from_table(crate::board::OPS, words)
        .map_err(|problem| LoadError::Automaton { name: name.clone(), problem })?;
    Ok((automaton, used(name, table)))
}

fn spec(board: Board, depth: usize, entries: u64) -> Spec {
    Spec {
        kind: Kind::Automaton,
        puzzle: format!("slidetile {board}"),
        operators: OPERATORS.to_owned(),
        pattern: format!("duplicate strings of up to {depth} moves, pruned by bounding boxes"),
        ranking: RANKING,
        bits: 32,
        encoding: Encoding::Words,
        entries,
        complete: true,
    }
}
