//! The number of positions at each depth.
//!
//! The idea: where the product of all coordinates has few enough states, one fill of a table over it finds the depth of
//! every position. A definition that fixes no piece is first written as pairs of a free part and a way to hold the
//! puzzle, and a puzzle whose moves divide into classes that commute is counted class by class. Otherwise, or to a
//! depth only, layers of positions are lists.
//!
//! Invariant of all: a position is counted once, at its least depth. Positions that differ by a free rotation are one.
//!
//! | module | contents |
//! | --- | --- |
//! | `held` | pairs of a free part and a way to hold the puzzle |
//! | `independent` | puzzles that divide |
//! | `table` | half a byte an entry or less, for all positions |
//! | `antipodes` | the deepest positions up to symmetry |
//! | `arrangement` | the arrangements of distinct pieces as entries of a table |
//! | `ways` | sets of ways to hold the puzzle, for all free parts |
//! | `layers` | layers in memory |
//! | `frontier` | layers in a work directory |

mod antipodes;
mod arrangement;
mod frontier;
mod held;
mod independent;
mod layers;
mod table;
mod ways;

use search_core::memory::MemoryError;
use search_core::pdb::FillError;
use search_core::storage::StorageError;
use search_core::{Cancelled, Run};

use crate::fault::Faults;
use crate::goal::{Goal, positions};
use crate::model::Puzzle;
use crate::system::{System, SystemError};
pub use antipodes::Antipode;
use antipodes::Classes;
pub use frontier::{Work, by_frontier};
use held::Held;
use independent::independent;
pub use layers::by_layers;
pub use table::CountTable;
use ways::WayTable;

/// The time of a free part with all its ways, in entries of a table of positions.
const COST_OF_FREE_PART: u64 = 4;
/// The time for each position and move by a table, and by layers.
const TABLE_NANOSECONDS: f64 = 2.0;
const LAYER_NANOSECONDS: f64 = 50.0;
/// The maximum number of positions, by the upper limit that is known before, of a puzzle for which tables are tried.
const MOST_IN_TABLES: f64 = 1e15;

/// The bytes of memory for each position that layers keep.
pub fn bytes_of_position(system: &System) -> u64 {
    layers::bytes_of_position(system)
}

/// A request for counts. By default all positions are counted, from the solved one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct CountAsk {
    /// The greatest depth; `None` for no limit.
    pub depth: Option<usize>,
    /// The states of the coordinates at each of several goals; empty for the solved position alone.
    goals: Vec<Vec<u16>>,
}

impl CountAsk {
    /// Counts the positions up to this depth.
    #[must_use]
    pub fn max_depth(self, depth: impl Into<Option<usize>>) -> CountAsk {
        CountAsk { depth: depth.into(), ..self }
    }

    /// Counts from the nearest of `goals`, where `system` is that of the first one's puzzle.
    ///
    /// # Errors
    /// [`Faults`]: goals that do not leave the same pieces open, or between which no moves lead.
    pub fn goals(self, system: &System, goals: &[Goal]) -> Result<CountAsk, Faults> {
        if goals.len() < 2 {
            return Ok(CountAsk { goals: Vec::new(), ..self });
        }
        if !system.free.is_empty() {
            return Err("positions that differ by free moves are counted from a single goal"
                .to_owned()
                .into());
        }
        let (mut starts, mut faults) = (Vec::new(), Vec::new());
        for (number, position) in (1..).zip(positions(goals)?) {
            match system.states(&position, &system.coordinates) {
                Some(start) if !starts.contains(&start) => starts.push(start),
                Some(_) => {}
                None => faults.push(format!("no moves lead from goal 1 to goal {number}")),
            }
        }
        Faults::unless_none(faults, || CountAsk { goals: starts, ..self })
    }

    fn has_one_goal(&self) -> bool {
        self.goals.len() < 2
    }

    /// Whether all positions are counted, from the solved one.
    fn is_of_all(&self) -> bool {
        self.depth.is_none() && self.goals.is_empty()
    }

    /// The positions of depth 0.
    fn starts<const N: usize>(&self) -> Vec<[u16; N]> {
        let padded = |states: &Vec<u16>| {
            let mut start = [0; N];
            start[..states.len()].copy_from_slice(states);
            start
        };
        if self.goals.is_empty() { vec![[0; N]] } else { self.goals.iter().map(padded).collect() }
    }
}

/// The number of positions at each depth, and examples of the deepest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counts {
    /// The number of positions at each depth, from 0.
    pub layers: Vec<u64>,
    /// Whether these are all positions.
    pub complete: bool,
    /// Some of the deepest positions, one of each class under symmetries, if all positions were counted from one goal by a
    /// table, or by layers of which all were in memory at the end.
    pub deepest: Vec<Antipode>,
}

/// The number of positions at each depth by a table, and words to some of the deepest.
#[derive(Clone, Debug)]
pub struct TableCounts {
    /// The number of positions at each depth, from 0.
    pub layers: Vec<u64>,
    /// Shortest products of reduced moves to some of the deepest positions, or to all.
    pub deepest: Vec<Vec<usize>>,
}

/// The reason why positions were not counted.
#[derive(Debug, thiserror::Error)]
pub enum CountError {
    /// The work was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// The work was cancelled after the layers with these numbers of positions.
    #[error("stopped at depth {}", .0.len())]
    Stopped(Vec<u64>),
    /// The memory budget is exceeded after the layers with these numbers of positions.
    #[error("memory budget exceeded at depth {}", .0.len())]
    Budget(Vec<u64>),
    /// There is not enough memory.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// A file, the work directory or a budget of it cannot be used.
    #[error(transparent)]
    Storage(#[from] StorageError),
    /// Some move is not undone by a move.
    #[error("layers in a work directory need moves that are all undone by moves")]
    OneWay,
    /// The puzzle cannot be counted so.
    #[error(transparent)]
    Faults(#[from] Faults),
    /// A position and a bit for each move take more than 64 bits: this number.
    #[error("a position and a bit for each move take {0} bits; layers in a work directory have 64")]
    TooWide(usize),
    /// There are more positions than 64 bits count.
    #[error("there are more positions than 64 bits count")]
    TooMany,
    /// Some position is deeper than entries of eight bits tell.
    #[error("some position is deeper than {0} moves")]
    TooDeep(u8),
}

impl From<FillError> for CountError {
    fn from(error: FillError) -> CountError {
        match error {
            FillError::Cancelled(cancelled) => cancelled.into(),
            FillError::Memory(error) => error.into(),
            FillError::TooDeep { max, .. } => CountError::TooDeep(max),
        }
    }
}

/// The reason why there is no table.
enum NoTable {
    /// The work was cancelled.
    Cancelled(Cancelled),
    /// The puzzle is not suited, or the table has too many entries to be numbered.
    Unsuited,
}

impl From<Cancelled> for NoTable {
    fn from(cancelled: Cancelled) -> NoTable {
        NoTable::Cancelled(cancelled)
    }
}

impl From<SystemError> for NoTable {
    fn from(error: SystemError) -> NoTable {
        match error {
            SystemError::Cancelled(cancelled) => cancelled.into(),
            SystemError::Faults(_) => NoTable::Unsuited,
        }
    }
}

/// The result; `None` if no table is suitable.
fn unless_cancelled<T>(found: Result<T, NoTable>) -> Result<Option<T>, Cancelled> {
    match found {
        Ok(found) => Ok(Some(found)),
        Err(NoTable::Unsuited) => Ok(None),
        Err(NoTable::Cancelled(cancelled)) => Err(cancelled),
    }
}

/// The way to count all positions.
#[derive(Debug)]
pub enum CountPlan {
    /// Tables of all positions.
    Tables(Box<Tables>),
    /// Layers in memory.
    Layers,
}

/// Tables of the depths of all positions.
#[derive(Debug)]
pub struct Tables {
    /// The tables of puzzles whose positions are combined freely, each with the numbers of its moves in the whole one: each
    /// move of one commutes with each of another, so depths add up.
    tables: Vec<(AnyTable, Vec<usize>)>,
    /// The pairs that are counted instead of positions.
    held: Option<Held>,
}

/// A table of one of several kinds.
#[derive(Debug)]
enum AnyTable {
    Positions(CountTable),
    Ways(WayTable),
}

impl AnyTable {
    /// The table of a puzzle, of which the orbit `shown` shows how it is held.
    fn of(system: &System, shown: Option<usize>, run: &Run<'_>) -> Result<AnyTable, NoTable> {
        let part = system.parts.iter().position(|part| Some(part.orbit) == shown);
        Ok(match part {
            Some(part) => AnyTable::Ways(WayTable::of(system, part, run)?),
            None => AnyTable::Positions(CountTable::of(system, run)?.ok_or(NoTable::Unsuited)?),
        })
    }

    fn entries(&self) -> u64 {
        match self {
            AnyTable::Positions(table) => table.entries(),
            AnyTable::Ways(table) => table.entries(),
        }
    }

    fn cost(&self) -> u64 {
        match self {
            AnyTable::Positions(table) => table.entries(),
            AnyTable::Ways(table) => COST_OF_FREE_PART * table.free_parts(),
        }
    }

    fn bytes(&self) -> u64 {
        match self {
            AnyTable::Positions(table) => table.bytes(),
            AnyTable::Ways(table) => table.bytes(),
        }
    }

    fn count(&self, words: usize, run: &Run<'_>) -> Result<TableCounts, CountError> {
        match self {
            AnyTable::Positions(table) => table.count(words, run),
            AnyTable::Ways(table) => table.count(words, run),
        }
    }
}

impl CountPlan {
    /// The way that takes least time within the memory of `run`; layers if only some positions are wanted, or if there are
    /// several goals.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn new(
        puzzle: &Puzzle,
        system: &System,
        ask: &CountAsk,
        run: &Run<'_>,
    ) -> Result<CountPlan, Cancelled> {
        if !ask.is_of_all() || !system.free.is_empty() || system.most_positions() > MOST_IN_TABLES {
            return Ok(CountPlan::Layers);
        }
        let tables = unless_cancelled(Tables::of(puzzle, system, run))?;
        let tables = tables.filter(|tables| tables.bytes() <= run.memory());
        Ok(tables.map_or(CountPlan::Layers, |tables| CountPlan::Tables(Box::new(tables))))
    }

    /// The number of entries of all tables, and the bytes of memory of the greatest; `None` for layers.
    pub fn size(&self) -> Option<(u64, u64)> {
        match self {
            CountPlan::Tables(tables) => Some((tables.entries(), tables.bytes())),
            CountPlan::Layers => None,
        }
    }

    /// The seconds that a count of all positions will take, within a factor of three on a machine of 2026; `None` for
    /// layers if the number of positions is not known.
    pub fn seconds(&self, system: &System, positions: Option<f64>, run: &Run<'_>) -> Option<f64> {
        let (positions, nanoseconds) = match self {
            CountPlan::Tables(tables) => (tables.cost() as f64, TABLE_NANOSECONDS),
            CountPlan::Layers => (positions?, LAYER_NANOSECONDS),
        };
        Some(positions * system.moves() as f64 * nanoseconds * 1e-9 / run.threads() as f64)
    }

    /// Counts the positions that the plan is for.
    ///
    /// # Errors
    /// [`CountError`].
    pub fn count(&self, system: &System, ask: &CountAsk, run: &Run<'_>) -> Result<Counts, CountError> {
        match self {
            CountPlan::Tables(tables) => tables.count(system, run),
            CountPlan::Layers => by_layers(system, ask, run),
        }
    }
}

impl Tables {
    /// The tables of a puzzle.
    fn of(puzzle: &Puzzle, system: &System, run: &Run<'_>) -> Result<Tables, NoTable> {
        let plain = unless_cancelled(tables(puzzle, system, None, run))?;
        let plain = plain.map(|tables| Tables { tables, held: None });
        if let Some(held) = unless_cancelled(Held::of(puzzle, system, run))? {
            let shown = held.puzzle.orbits().len() - 1;
            let tables = tables(&held.puzzle, &System::new(&held.puzzle, run)?, Some(shown), run)?;
            let tables = Tables { tables, held: Some(held) };
            // Few ways may be reached for each free part.
            if plain.as_ref().is_none_or(|plain| tables.cost() < plain.cost()) {
                return Ok(tables);
            }
        }
        plain.ok_or(NoTable::Unsuited)
    }

    /// The time of a count, in entries of a table of positions.
    fn cost(&self) -> u64 {
        self.tables.iter().map(|(table, _)| table.cost()).sum()
    }

    /// The number of entries of all tables.
    fn entries(&self) -> u64 {
        self.tables.iter().map(|(table, _)| table.entries()).sum()
    }

    /// The bytes of memory of the greatest.
    fn bytes(&self) -> u64 {
        self.tables.iter().map(|(table, _)| table.bytes()).max().unwrap_or(0)
    }

    fn count(&self, system: &System, run: &Run<'_>) -> Result<Counts, CountError> {
        let classes = Classes::new(system, run)?;
        let mut all = TableCounts { layers: vec![1], deepest: vec![Vec::new()] };
        for (table, moves) in &self.tables {
            let counts = table.count(classes.words(), run)?;
            all = all.combined(&counts, moves, classes.words()).ok_or(CountError::TooMany)?;
        }
        let words = all.deepest.into_iter();
        let words = words.map(|word| self.held.as_ref().map_or(word.clone(), |held| held.word(&word)));
        Ok(Counts { layers: all.layers, complete: true, deepest: classes.listed(words.collect()) })
    }
}

/// The tables of the independent puzzles that `puzzle` consists of, each with the numbers of its moves. A puzzle that
/// does not divide is one of these.
fn tables(
    puzzle: &Puzzle,
    system: &System,
    shown: Option<usize>,
    run: &Run<'_>,
) -> Result<Vec<(AnyTable, Vec<usize>)>, NoTable> {
    let is_group = system.is_group || shown.is_some();
    let divided = if is_group { unless_cancelled(independent(puzzle, system, run))? } else { None };
    match divided {
        Some(divided) => {
            let divided = divided.into_iter();
            divided.map(|(system, moves)| Ok((AnyTable::of(&system, shown, run)?, moves))).collect()
        }
        None => Ok(vec![(AnyTable::of(system, shown, run)?, (0..system.moves()).collect())]),
    }
}

impl TableCounts {
    /// The counts of positions that consist of one of these and one of `other`, whose moves have these numbers, with
    /// at most so many words.
    fn combined(&self, other: &TableCounts, moves: &[usize], most: usize) -> Option<TableCounts> {
        let mut layers = vec![0u64; self.layers.len() + other.layers.len() - 1];
        for (depth, &count) in self.layers.iter().enumerate() {
            for (more, &its) in other.layers.iter().enumerate() {
                let both = count.checked_mul(its)?;
                layers[depth + more] = layers[depth + more].checked_add(both)?;
            }
        }
        let words = self.deepest.iter().flat_map(|word| {
            let renamed = |its: &Vec<usize>| its.iter().map(|&number| moves[number]).collect::<Vec<_>>();
            other.deepest.iter().map(move |its| [&word[..], &renamed(its)].concat())
        });
        Some(TableCounts { layers, deepest: words.take(most).collect() })
    }
}
