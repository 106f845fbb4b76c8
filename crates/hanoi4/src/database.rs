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

use crate::bitmap::search::{NoPruning, Search, SearchError, Seeds, Setup};
use crate::bitmap::shape::{INNER, PAIRS};
use crate::corners;
use crate::model::{Puzzle, State, to_u64};
use crate::pegs::PegGroup;
use crate::presumed::four_peg_length;
use crate::reference;
use search_core::Run;
use search_core::memory::Memory;
use search_core::storage::{Budget, StorageError};

/// The pairs of pegs without peg 0: in a middle state, all discs are on one of them.
pub const MIDDLE_PAIRS: [usize; 3] = [3, 4, 5];

/// The goals to which a database holds distances.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Goals {
    /// All discs on one peg.
    Peg(u32),
    /// All discs on two pegs other than peg 0: the middle states.
    Middle,
}

impl Goals {
    /// The permutations that map the set of goals to itself.
    pub fn group(self) -> PegGroup {
        match self {
            Goals::Peg(peg) => PegGroup::keeping(&[1 << peg]),
            Goals::Middle => PegGroup::keeping(&[1]),
        }
    }

    /// An estimate of the greatest distance of a state of `discs` discs: the distance of a tower.
    pub fn farthest(self, discs: u32) -> u32 {
        match self {
            Goals::Peg(_) => four_peg_length(discs),
            Goals::Middle => (four_peg_length(discs + 1) - 1) / 2,
        }
    }

    /// The goals of `discs` discs as seeds of a search.
    pub fn seeds(self, discs: u32) -> Seeds {
        match self {
            Goals::Peg(peg) => Seeds::State(State::all_on(peg, discs)),
            Goals::Middle => Seeds::Pairs(MIDDLE_PAIRS.to_vec()),
        }
    }

    /// The goals of `discs` discs; some occur more than once.
    pub fn states(self, discs: u32) -> Vec<State> {
        match self {
            Goals::Peg(peg) => vec![State::all_on(peg, discs)],
            Goals::Middle => {
                let on =
                    |pair: usize| (0..1 << discs).map(move |on_d| State::on_pair(PAIRS[pair], on_d, discs));
                MIDDLE_PAIRS.iter().flat_map(|&pair| on(pair)).collect()
            }
        }
    }
}

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
        assert!((1..=12).contains(&discs), "a complete database has 1 to 12 discs");
        let puzzle = Puzzle::new(discs, 4).expect("a size in range");
        let distances = reference::distances(&puzzle, goals.states(discs));
        let byte = |distance| u8::try_from(distance).expect("distances of 12 discs are small");
        let values: Vec<u8> = distances.into_iter().map(byte).collect();
        Database::from_values(discs, discs, Memory::copy_of(&values).expect("16 MiB at most"))
    }

    /// Builds the database of `discs` discs that leaves out the `dropped` smallest, by the times of
    /// corners. A value of 255 means 255 or more.
    ///
    /// # Errors
    /// [`SearchError`] when the build is cancelled or does not fit the memory of `run`.
    ///
    /// # Panics
    /// If `dropped` exceeds `discs`, or the sizes are out of the range of
    /// [`first_touch`](corners::first_touch).
    pub fn compressed(
        discs: u32,
        dropped: u32,
        goals: Goals,
        run: &Run<'_>,
    ) -> Result<Database, SearchError> {
        let small =
            corners::fitting(discs, dropped, run.memory()).map_err(|_| StorageError::Memory(run.memory()))?;
        let values = corners::first_touch(discs, dropped, small, goals, run)?;
        Ok(Database::from_values(discs, discs - dropped, values))
    }

    /// Builds the database that leaves out the `small − 4` smallest discs by a complete search, layer by
    /// layer: the reference implementation.
    ///
    /// # Errors
    /// [`SearchError`] when the build is cancelled or does not fit the budget.
    ///
    /// # Panics
    /// If `small` is out of range or exceeds `discs`, or a distance is 255 or more.
    pub fn compressed_by_layers(
        discs: u32,
        small: u32,
        goals: Goals,
        budget: Budget,
        run: &Run<'_>,
    ) -> Result<Database, SearchError> {
        let (group, seeds) = (goals.group(), goals.seeds(discs));
        let mut setup = Setup::new(discs, small, group, seeds);
        (setup.first_touch, setup.budget) = (true, budget);
        run.progress().begin(&format!("database of {discs} discs"), 1 << (2 * discs));
        let (mut search, mut count) = Search::new(setup, &NoPruning)?;
        let mut done = 0;
        while count.stored > 0 {
            done += count.states;
            run.progress().update(done);
            count = search.step(&NoPruning, run)?;
        }
        run.progress().end();
        Database::from_first_touch(&search)
    }

    fn from_first_touch(search: &Search) -> Result<Database, SearchError> {
        let (discs, large) = (search.setup().discs, search.blocks().large());
        let kept = large + INNER;
        let mut values = Memory::zeroed(1 << (2 * kept))?;
        for id in search.blocks().ids() {
            let found = search.first_touch(id);
            for perm in search.blocks().group().perms() {
                let base = perm.state(search.blocks().large_discs(id), large).index() << (2 * INNER);
                let row = &mut values[base..base + found.len()];
                for (inner, &depth) in found.iter().enumerate() {
                    row[perm.state(State::from_code(to_u64(inner)), INNER).index()] = depth;
                }
            }
        }
        Ok(Database::from_values(discs, kept, values))
    }
}

impl Database {
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

    #[test]
    fn compressed_databases_hold_the_minimum_over_the_dropped_discs() {
        for (discs, small) in [(5, 5), (6, 5), (8, 6), (8, 7), (8, 8), (9, 7)] {
            for goals in [Goals::Middle, Goals::Peg(3), Goals::Peg(0)] {
                let complete = Database::complete(discs, goals);
                let (budget, run) = (Budget::unlimited(), Run::new());
                let layers = Database::compressed_by_layers(discs, small, goals, budget, &run);
                let compressed = Database::compressed(discs, small - INNER, goals, &run).unwrap();
                assert_eq!(layers.unwrap().values(), compressed.values());
                let dropped = 1usize << (2 * compressed.dropped());
                let least = complete.values().chunks(dropped).map(|chunk| *chunk.iter().min().unwrap());
                assert!(compressed.values().iter().copied().eq(least), "{discs} discs, {small} small");
            }
        }
    }
}
