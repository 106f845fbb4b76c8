//! Pattern databases for many goals: the distance of a set of discs to the nearest goal.
//!
//! The idea (Korf & Felner 2006, "Multiple-Goal Pattern Databases" and "Compressed Pattern
//! Databases"): a breadth-first search from all goals at once yields the distance of every state to
//! the nearest goal. A **complete** database stores it for every state of `n` discs. A **compressed**
//! one has an entry for each configuration of the `kept` largest of them, the minimum over the
//! positions of the others: the depth at which the search first touches the configuration.
//!
//! Why both are admissible: leaving out discs, or taking the minimum over the positions of some, can
//! only shorten the path. Which discs they are does not matter, only their order. So one database
//! serves every set of `n` discs, and values of disjoint sets may be added, since a move moves one
//! disc.
//!
//! Cost: two bytes per state while a complete one is built. A compressed one takes a search of `n`
//! discs by the times of corners; entries of configurations that are equivalent under permutations of
//! the pegs are computed once and copied.

use crate::corners;
use crate::error::SearchError;
use crate::goals::Goals;
use crate::model::{Puzzle, State};
use crate::reference;
use search_core::Run;
use search_core::memory::Memory;
use search_core::storage::StorageError;
use search_core::table::Unfinished;

/// A database of `discs` discs with an entry for each configuration of the `kept` largest.
#[derive(Debug)]
pub struct Database {
    discs: u32,
    kept: u32,
    max: u8,
    values: Memory,
}

impl Database {
    /// Builds the complete database of `discs` discs on four pegs.
    ///
    /// # Panics
    /// If `discs` is not 1 to 12.
    pub fn complete(discs: u32, goals: Goals) -> Database {
        Database::cancellable_complete(discs, goals, &Run::new())
            .expect("16 MiB at most, and nothing cancels it")
    }

    /// Like [`complete`](Database::complete), but can be cancelled.
    ///
    /// # Errors
    /// [`SearchError`] when the build is cancelled or the memory is not available.
    ///
    /// # Panics
    /// If `discs` is not 1 to 12.
    pub fn cancellable_complete(discs: u32, goals: Goals, run: &Run<'_>) -> Result<Database, SearchError> {
        assert!((1..=12).contains(&discs), "a complete database has 1 to 12 discs");
        let puzzle = Puzzle::new(discs, 4).expect("a size in range");
        let distances = reference::cancellable_distances(&puzzle, goals.states(discs), run)?;
        let byte = |distance| u8::try_from(distance).expect("distances of 12 discs are small");
        let values: Vec<u8> = distances.into_iter().map(byte).collect();
        Ok(Database::from_values(discs, discs, Memory::copy_of(&values)?))
    }

    /// Builds the database of `discs` discs that leaves out the `dropped` smallest, by the times of
    /// corners. A value of 255 means 255 or more.
    ///
    /// # Errors
    /// [`SearchError`] when the build is cancelled or does not fit the memory of `run`.
    ///
    /// # Panics
    /// If `dropped` exceeds `discs`, or the sizes are out of the range of
    /// `first_touch`.
    pub fn compressed(
        discs: u32,
        dropped: u32,
        goals: Goals,
        run: &Run<'_>,
    ) -> Result<Database, SearchError> {
        Database::resumable_compressed(discs, dropped, goals, &Unfinished::NOWHERE, run)
    }

    /// Like [`compressed`](Database::compressed), but saves its state in `unfinished` and resumes from it.
    ///
    /// # Errors
    /// [`SearchError`] as there.
    ///
    /// # Panics
    /// As there.
    pub fn resumable_compressed(
        discs: u32,
        dropped: u32,
        goals: Goals,
        unfinished: &Unfinished,
        run: &Run<'_>,
    ) -> Result<Database, SearchError> {
        let small =
            corners::fitting(discs, dropped, run.memory()).map_err(|_| StorageError::Memory(run.memory()))?;
        let values = corners::first_touch(discs, dropped, small, goals, unfinished, run)?;
        Ok(Database::from_values(discs, discs - dropped, values))
    }

    /// The database with given values.
    ///
    /// # Panics
    /// If there are not 4^kept values, or `kept` exceeds `discs`.
    pub fn from_values(discs: u32, kept: u32, values: Memory) -> Database {
        assert!(kept <= discs && values.len() == 1 << (2 * kept), "4^{kept} values of {discs} discs");
        let max = values.iter().copied().max().expect("at least one value");
        Database { discs, kept, max, values }
    }

    /// The number of discs.
    pub fn discs(&self) -> u32 {
        self.discs
    }

    /// The number of largest discs that select the entry.
    pub fn kept(&self) -> u32 {
        self.kept
    }

    /// The number of smallest discs that are left out.
    pub fn dropped(&self) -> u32 {
        self.discs - self.kept
    }

    /// The values, indexed by the configuration of the kept discs.
    pub fn into_values(self) -> Memory {
        self.values
    }

    /// The greatest value.
    pub fn max(&self) -> u8 {
        self.max
    }

    /// The values, indexed by the configuration of the kept discs.
    pub fn values(&self) -> &[u8] {
        &self.values
    }

    /// The value of a state of the database's discs.
    #[inline(always)]
    pub fn value(&self, state: State) -> u8 {
        self.entry(state.above(self.dropped()))
    }

    /// The value of the configuration `kept` of the kept discs.
    #[inline(always)]
    pub fn entry(&self, kept: State) -> u8 {
        self.values[kept.index()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn complete_databases_hold_the_minimum_over_the_goals() {
        for discs in 1..=5 {
            let puzzle = Puzzle::new(discs, 4).unwrap();
            let many = Database::complete(discs, Goals::Middle);
            let mut least = vec![reference::UNREACHED; many.values().len()];
            for goal in Goals::Middle.states(discs) {
                let single = reference::distances(&puzzle, [goal]);
                least.iter_mut().zip(single).for_each(|(least, distance)| *least = distance.min(*least));
            }
            assert!(many.values().iter().zip(least).all(|(&value, least)| u16::from(value) == least));
        }
    }
}
