//! The learned automaton, the patterns and IDA\* together.

use crate::definition::Faults;
use crate::pdb::{Database, Pattern};
use crate::puzzle::{Puzzle, State};
use search_core::ida::{self, Config};
use search_core::pdb::FillError;
use search_core::record::TableUse;
use search_core::{Automaton, Cancelled, Op, Report, Run};
use xxhash_rust::xxh3::xxh3_64;

/// About how many strings are learned from.
const STRINGS: f64 = 300_000.0;
/// The longest strings that are learned from: of six bits for each of 64 moves, ten fit a word.
pub const LONGEST: usize = 10;

/// Why there is no solver.
#[derive(Debug, thiserror::Error)]
pub enum SolverError {
    /// A pattern has faults.
    #[error(transparent)]
    Faults(#[from] Faults),
    /// A database cannot be filled.
    #[error(transparent)]
    Fill(#[from] FillError),
    /// The databases exceed the memory.
    #[error("the pattern databases take {need} bytes, and there are {have}")]
    Memory {
        /// Their bytes.
        need: u64,
        /// The budget.
        have: u64,
    },
    /// The work was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

/// The length of the strings that are learned from by default: about 300,000 of them.
pub fn default_depth(puzzle: &Puzzle) -> usize {
    let ops = puzzle.move_names().count() as f64;
    let depth = (STRINGS.ln() / ops.ln().max(1.0)) as usize;
    depth.clamp(2, LONGEST)
}

/// The automaton that forbids strings of up to `depth` moves that lead where another string leads.
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
    /// The solver whose heuristic is the greatest value of the patterns of these pieces.
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

    /// The greatest value of the patterns.
    #[inline]
    pub fn value(&self, state: &State) -> u8 {
        let values = self.databases.iter().map(|database| database.value(state));
        values.max().unwrap_or_else(|| u8::from(self.puzzle.solved() != *state))
    }

    /// Searches for a shortest solution. From a state that no moves solve it searches for ever, unless
    /// `config` bounds it or `run` is cancelled.
    pub fn solve(&self, state: &State, config: &Config, run: &Run<'_>) -> Report<Vec<Op>> {
        ida::search(&self.puzzle, &|state: &State| self.value(state), &self.automaton, state, config, run)
    }
}
