//! Lower bounds for towers on four pegs, from pattern databases.
//!
//! The bound is the greater of two sums: the database of some discs on the largest, plus the complete one of the others on the
//! smallest, and the same with their roles exchanged. Both are admissible, because a move moves one disc.

use crate::arrays;
use crate::failure::{exception, of_table, read_all, usage};
use crate::settings::Settings;
use crate::supervise::supervise_whole;
use hanoi4::goals::Goals;
use hanoi4::model::{Puzzle, State};
use hanoi4::pdb::Database;
use hanoi4::tables::DatabaseId;
use pyo3::prelude::*;
use pyo3::types::PyByteArray;
use search_core::record::TableUse;
use std::path::PathBuf;

/// The discs of the greatest complete database.
const COMPLETE: u32 = 12;

/// The databases of a heuristic for a number of discs.
#[pyclass(frozen)]
pub struct TowerHeuristic {
    settings: Settings,
    puzzle: Puzzle,
    /// Of the discs of the greater part.
    big: Database,
    /// The complete database of the other discs, or `None` if there are none.
    rest: Option<Database>,
    tables: Vec<TableUse>,
}

impl TowerHeuristic {
    fn value(&self, state: State) -> u8 {
        let discs = self.puzzle.discs();
        let Some(rest) = &self.rest else { return self.big.value(state) };
        let of = |one: &Database, other: &Database| {
            one.value(state.above(discs - one.discs()))
                .saturating_add(other.value(state.smallest(other.discs())))
        };
        of(&self.big, rest).max(of(rest, &self.big))
    }
}

#[pymethods]
impl TowerHeuristic {
    /// Loads the databases, and builds those that are missing. Distances are those to all discs on peg `goal`, or without it to
    /// the nearest state with all discs on two pegs other than peg 0.
    #[new]
    #[pyo3(signature = (discs, goal, database, memory, threads, tables))]
    fn new(
        py: Python<'_>,
        discs: u32,
        goal: Option<u32>,
        database: Option<u32>,
        memory: Option<&str>,
        threads: Option<usize>,
        tables: Option<PathBuf>,
    ) -> PyResult<TowerHeuristic> {
        let settings = Settings::new(threads, memory, tables)?;
        let puzzle = Puzzle::new(discs, 4).map_err(crate::towers::malformed)?;
        let goals = match goal {
            None => Goals::Middle,
            Some(peg @ 0..4) => Goals::Peg(peg),
            Some(peg) => return Err(usage(format_args!("there is no peg {peg}: pegs are 0 to 3"))),
        };
        let of = database.unwrap_or_else(|| discs.min(17).max(discs.saturating_sub(COMPLETE)));
        let id = match of {
            0..=COMPLETE => DatabaseId { discs: of, dropped: 0, goals },
            _ => DatabaseId { goals, ..DatabaseId::middle(of) },
        };
        if of > discs || discs - of > COMPLETE || !id.is_possible() {
            return Err(usage(format_args!("a database of {of} discs cannot be used for {discs} discs")));
        }
        let load = |id: DatabaseId| {
            let found = supervise_whole(py, &settings.run, None, |run| id.get(&settings.store, run))?;
            found.map_err(|error| exception(&of_table(&error)))
        };
        let (big, used) = load(id)?;
        let mut used = vec![used];
        let rest = match discs - of {
            0 => None,
            rest => {
                let (rest, table) = load(DatabaseId { discs: rest, dropped: 0, goals })?;
                used.push(table);
                Some(rest)
            }
        };
        Ok(TowerHeuristic { puzzle, big, rest, tables: used, settings })
    }

    /// The tables' names and checksums.
    fn tables(&self) -> Vec<(String, String)> {
        self.tables.iter().map(|used| (used.name.clone(), used.checksum.clone())).collect()
    }

    /// The value of each row: the peg of each disc, the largest disc first.
    fn values(&self, py: Python<'_>, states: &[u8]) -> PyResult<Py<PyByteArray>> {
        let width = self.puzzle.discs() as usize;
        let state = |row: &[u8]| {
            let outside = row.iter().find(|&&peg| peg >= 4);
            match outside {
                None => Ok(State::from_code(row.iter().fold(0, |code, &peg| code << 2 | u64::from(peg)))),
                Some(peg) => Err(vec![format!("there is no peg {peg}: pegs are 0 to 3")]),
            }
        };
        arrays::values(py, &self.settings, states.len() / width, |range, values| {
            let rows = &states[range.start * width..range.end * width];
            if rows.iter().any(|&peg| peg >= 4) {
                // All rows are read again, so that every fault is named.
                let faults = read_all(states.chunks_exact(width), "tower", state);
                return Err(exception(&faults.map(|_| ()).expect_err("a row has a fault")));
            }
            values
                .extend(rows.chunks_exact(width).map(|row| state(row).map_or(0, |state| self.value(state))));
            Ok(())
        })
    }
}
