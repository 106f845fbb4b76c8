//! The automaton, the heuristic and the search together.

use crate::pattern::Pattern;
use crate::puzzle::{Ring, TopSpin};
use search_core::ida::{self, Config};
use search_core::memory::Memory;
use search_core::pdb::Lookup;
use search_core::record::TableUse;
use search_core::table::Table;
use search_core::{Automaton, Cancelled, Op, Report, Run};

/// The length to which duplicate operator strings are learned: under a second for 17 tokens.
const LEARNED: usize = 4;

/// A puzzle with its automaton and its pattern database.
pub struct Solver {
    /// The pattern of the heuristic.
    pub pattern: Pattern,
    /// The table that it reads.
    pub table: TableUse,
    automaton: Automaton,
    heuristic: Lookup<Pattern, 4, Memory>,
}

impl Solver {
    /// The solver that reads `table`, which is that of `pattern`.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn new(pattern: Pattern, table: Table, run: &Run<'_>) -> Result<Solver, Cancelled> {
        let automaton = Automaton::learn_in(&pattern.puzzle, &pattern.puzzle.goal(), LEARNED, run)?;
        let used = table.used();
        let heuristic = Lookup::new(pattern, table.into_packed(), run);
        Ok(Solver { pattern, table: used, automaton, heuristic })
    }

    /// Searches for shortest solutions of `ring`.
    pub fn solve(&self, ring: &Ring, config: &Config, run: &Run<'_>) -> Report<Vec<Op>> {
        ida::search(&self.pattern.puzzle, &self.heuristic, &self.automaton, ring, config, run)
    }
}

/// Replays a solution on a plain ring: the first of the tokens that each turn reverses, or `None` if
/// it does not solve `ring`.
pub fn replayed(puzzle: TopSpin, ring: &Ring, ops: &[Op]) -> Option<Vec<u8>> {
    let mut tokens = ring[..puzzle.tokens()].to_vec();
    let mut first = Vec::new();
    for op in ops {
        let zero = tokens.iter().position(|token| *token == 0)?;
        tokens.rotate_left((zero + op.index()) % puzzle.tokens());
        first.push(tokens[0]);
        tokens[..puzzle.turnstile()].reverse();
    }
    let zero = tokens.iter().position(|token| *token == 0)?;
    tokens.rotate_left(zero);
    tokens.is_sorted().then_some(first)
}
