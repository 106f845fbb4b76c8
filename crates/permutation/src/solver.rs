//! Combines the learned automaton, the pattern databases and IDA\*.

use crate::definition::Faults;
use crate::pdb::{Database, Pattern};
use crate::puzzle::{Puzzle, State};
use search_core::ida::{self, Config};
use search_core::pdb::FillError;
use search_core::record::TableUse;
use search_core::{Automaton, Cancelled, Op, Report, Run};
use xxhash_rust::xxh3::xxh3_64;

/// The approximate number of strings that the automaton is learned from.
const STRINGS: f64 = 300_000.0;
/// The maximum length of strings that the automaton is learned from: ten moves of six bits each fit a word.
pub const LONGEST: usize = 10;

/// The reason why a solver could not be built.
#[derive(Debug, thiserror::Error)]
pub enum SolverError {
    /// A pattern has faults.
    #[error(transparent)]
    Faults(#[from] Faults),
    /// A database cannot be filled.
    #[error(transparent)]
    Fill(#[from] FillError),
    /// The databases exceed the memory budget.
    #[error("the pattern databases need {need} bytes; the budget is {have}")]
    Memory {
        /// Their size in bytes.
        need: u64,
        /// The budget.
        have: u64,
    },
    /// The work was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

/// The default length of the strings that the automaton is learned from: about 300,000 of them.
pub fn default_depth(puzzle: &Puzzle) -> usize {
    let ops = puzzle.move_names().count() as f64;
    let depth = (STRINGS.ln() / ops.ln().max(1.0)) as usize;
    depth.clamp(2, LONGEST)
}

/// The automaton that forbids strings of up to `depth` moves with the same effect as another string.
///
/// # Errors
/// [`Cancelled`].
pub fn automaton(puzzle: &Puzzle, depth: usize, run: &Run<'_>) -> Result<Automaton, Cancelled> {
    Automaton::learn_in(puzzle, &puzzle.solved(), depth.clamp(1, LONGEST), run)
}

/// A puzzle with its automaton and its pattern databases.
#[derive(Debug)]
pub struct Solver {
    puzzle: Puzzle,
    automaton: Automaton,
    databases: Vec<Database>,
}

impl Solver {
    /// A solver whose heuristic is the maximum of the pattern databases of these sets of pieces.
    ///
    /// # Errors
    /// [`SolverError`].
    pub fn new(
        puzzle: Puzzle,
        patterns: &[Vec<usize>],
        depth: usize,
        run: &Run<'_>,
    ) -> Result<Solver, SolverError> {
        let patterns: Vec<Pattern> =
            patterns.iter().map(|pieces| Pattern::new(&puzzle, pieces)).collect::<Result<_, _>>()?;
        let (need, have) = (patterns.iter().map(Pattern::entries).sum(), run.memory());
        if need > have {
            return Err(SolverError::Memory { need, have });
        }
        let automaton = automaton(&puzzle, depth, run)?;
        let fill = |pattern| Database::fill(&puzzle, pattern, run);
        let databases = patterns.into_iter().map(fill).collect::<Result<_, _>>()?;
        Ok(Solver { puzzle, automaton, databases })
    }

    /// The puzzle.
    pub fn puzzle(&self) -> &Puzzle {
        &self.puzzle
    }

    /// The automaton.
    pub fn automaton(&self) -> &Automaton {
        &self.automaton
    }

    /// The pattern databases.
    pub fn databases(&self) -> &[Database] {
        &self.databases
    }

    /// The tables, by name and content.
    pub fn tables(&self) -> Vec<TableUse> {
        let used = |database: &Database| {
            let pieces: Vec<String> = database.pattern.pieces().map(|piece| piece.to_string()).collect();
            let checksum = format!("{:016x}", xxh3_64(database.bytes()));
            TableUse { name: format!("pieces-{}", pieces.join("-")), checksum }
        };
        self.databases.iter().map(used).collect()
    }

    /// The heuristic: the maximum of the pattern databases.
    #[inline]
    pub fn value(&self, state: &State) -> u8 {
        let values = self.databases.iter().map(|database| database.value(state));
        values.max().unwrap_or_else(|| u8::from(self.puzzle.solved() != *state))
    }

    /// Searches for a shortest solution. From an unsolvable state it searches forever, unless `config` bounds it or
    /// `run` is cancelled.
    pub fn solve(&self, state: &State, config: &Config, run: &Run<'_>) -> Report<Vec<Op>> {
        ida::search(&self.puzzle, &|state: &State| self.value(state), &self.automaton, state, config, run)
    }
}
