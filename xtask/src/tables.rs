//! Every table of every puzzle under one type: what it is for, what it costs, how it is had.

use crate::job::{Context, Stopped};
use cube::tables::TableId;
use hanoi4::tables::DatabaseId;
use search_core::record::TableUse;
use slidetile::Board;
use slidetile::pdb::Pattern;
use slidetile::tables::{automaton, automaton_name, pattern, pattern_name};

/// A table of one of the puzzles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AnyTable {
    /// Of the cube.
    Cube(TableId),
    /// An additive pattern database of the sliding tiles.
    TilePattern(Pattern),
    /// An automaton learned on a board to a depth.
    TileAutomaton(Board, usize),
    /// Of the Towers of Hanoi.
    Hanoi(DatabaseId),
}

impl AnyTable {
    /// The program that reads it, and can remove it.
    pub fn program(&self) -> &'static str {
        match self {
            AnyTable::Cube(_) => "cube-opt",
            AnyTable::TilePattern(_) | AnyTable::TileAutomaton(..) => "tile24",
            AnyTable::Hanoi(_) => "hanoi4",
        }
    }

    /// Its name in the store.
    pub fn name(&self) -> String {
        match self {
            AnyTable::Cube(id) => id.name(),
            AnyTable::TilePattern(pattern) => pattern_name(pattern),
            AnyTable::TileAutomaton(board, depth) => automaton_name(*board, *depth),
            AnyTable::Hanoi(id) => id.name(),
        }
    }

    /// What it holds, for a person.
    pub fn holds(&self) -> String {
        match self {
            AnyTable::Cube(id) => format!("cube: {}", id.describe()),
            AnyTable::TilePattern(pattern) => {
                format!("{} tiles of {}: additive pattern database", pattern.homes.len(), pattern.board)
            }
            AnyTable::TileAutomaton(board, depth) => {
                format!("{board}: duplicate operator strings to length {depth}")
            }
            AnyTable::Hanoi(id) => format!("Hanoi: {} discs by the {} largest", id.discs, id.kept()),
        }
    }

    /// The bytes of its body; of an automaton, about.
    pub fn bytes(&self) -> u64 {
        match self {
            AnyTable::Cube(id) => id.bytes(),
            AnyTable::TilePattern(pattern) => pattern.entries() as u64 / 2,
            AnyTable::TileAutomaton(_, depth) => {
                // Measured on 5x5: 0.1 MB at 12, 0.8 at 14, 4.9 at 16, 6.7 at 17.
                (125e3 * 2.5f64.powi(*depth as i32 - 12)).min(2f64.powi(33)) as u64
            }
            AnyTable::Hanoi(id) => id.spec().body_len(),
        }
    }

    /// A careful guess at the seconds that building takes.
    pub fn seconds(&self, threads: usize) -> f64 {
        let one = match self {
            AnyTable::Cube(id) => id.build_seconds(1, None),
            // Measured: 127,512,000 entries in some 50 processor seconds.
            AnyTable::TilePattern(pattern) => pattern.entries() as f64 / 2e6,
            AnyTable::TileAutomaton(_, depth) => 11.0 * 2.4f64.powi(*depth as i32 - 16),
            // Measured at 16 to 18 discs: a complete search of the database's discs.
            AnyTable::Hanoi(id) => 100.0 * 3.9f64.powi(id.discs as i32 - 18),
        };
        one / threads.max(1) as f64
    }

    /// The table's name and checksum, after building it if it is not there.
    ///
    /// # Errors
    /// When it cannot be had.
    pub fn ensure(&self, context: &Context<'_>) -> Result<TableUse, Stopped> {
        let Context { store, run, .. } = *context;
        match self {
            AnyTable::Cube(id) => Ok(id.get(store, run)?.1),
            AnyTable::TilePattern(of) => Ok(pattern(of, store, run)?.1),
            AnyTable::TileAutomaton(board, depth) => Ok(automaton(*board, *depth, store, run)?.1),
            AnyTable::Hanoi(id) => {
                let (_, checksum) = id.get(store, run)?;
                Ok(TableUse { name: id.name(), checksum: format!("{checksum:016x}") })
            }
        }
    }
}
