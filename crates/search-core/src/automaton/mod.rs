//! Finite automata that say which operator may follow the operators applied so far.
//!
//! The idea (Taylor & Korf 1993; Korf & Taylor 1996, "Pruning Duplicate Nodes"): many operator
//! strings lead to the same state as another string that is no longer. A depth-first search that
//! follows an automaton never completes such a string, and so never generates the duplicate.
//!
//! One type serves all: a hand-written rule ("never turn the same face twice") and a learned table
//! of hundreds of thousands of states are both an [`Automaton`]. The table is generic over its
//! storage, so that a built, a loaded and a mapped one run the same code.
//!
//! | file | holds |
//! | --- | --- |
//! | [`learn`](mod@learn) | discovering duplicate operator strings |
//! | [`trie`] | forbidden strings, failure links, the dense table |
//! | [`minimize`] | merging equivalent states |
//! | [`branching`] | the asymptotic branching factor |
//!
//! Layout: state `s` owns the row `next[s * stride ..][..ops]`, where `stride` is `ops` rounded up
//! to a power of two. An entry is the next state, premultiplied by the stride; [`DEAD`] (0) forbids
//! the operator. Row 0 is the dead state's and holds only [`DEAD`]; the start state is row 1.

pub mod branching;
pub mod learn;
pub mod minimize;
pub mod trie;

pub use learn::{Learned, Level, Model, learn};
pub use trie::Trie;

use crate::domain::{Op, OpSet};
use crate::pdb::packed::prefetch;

/// The entry that forbids an operator.
pub const DEAD: u32 = 0;

/// A state of an automaton: its row's offset in the table (premultiplied by the stride).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StateId(u32);

/// A dense transition table. See the module's documentation for the layout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Automaton<S = Vec<u32>> {
    ops: usize,
    stride: usize,
    next: S,
    /// The allowed operators of each row, where there are few rows.
    masks: Vec<OpSet>,
}

/// The most rows whose masks are kept.
const MASKED_ROWS: usize = 1 << 12;

impl Automaton {
    /// Builds an automaton of `states` states (the first is the start) over `ops` operators from
    /// a rule: `rule(state, op)` is the next state, or `None` when `op` is forbidden.
    ///
    /// # Panics
    /// If there is no state, no operator or more than 64, if the table would pass 2³² entries, or
    /// if the rule names a state that does not exist.
    pub fn from_rule(ops: usize, states: usize, rule: impl Fn(usize, Op) -> Option<usize>) -> Automaton {
        assert!(states > 0 && (1..=64).contains(&ops), "an automaton has a state and 1 to 64 operators");
        let stride = ops.next_power_of_two();
        let entries = (states + 1).checked_mul(stride).filter(|&n| u32::try_from(n).is_ok());
        let mut next = vec![DEAD; entries.expect("an automaton's table has fewer than 2^32 entries")];
        for state in 0..states {
            for op in 0..ops {
                if let Some(to) = rule(state, Op(op as u8)) {
                    assert!(to < states, "the rule leads to state {to} of {states}");
                    next[(state + 1) * stride + op] = ((to + 1) * stride) as u32;
                }
            }
        }
        Automaton { ops, stride, next, masks: Vec::new() }.with_masks()
    }

    /// The automaton that allows every operator always.
    pub fn unrestricted(ops: usize) -> Automaton {
        Automaton::from_rule(ops, 1, |_, _| Some(0))
    }
}

impl<S: AsRef<[u32]>> Automaton<S> {
    /// An automaton over an existing table, as loaded from a file. Everything that the search
    /// relies on is checked, so no content can lead it out of bounds.
    ///
    /// # Errors
    /// Says what is wrong with the table.
    pub fn from_table(ops: usize, next: S) -> Result<Automaton<S>, InvalidAutomaton> {
        if !(1..=64).contains(&ops) {
            return Err(InvalidAutomaton::Operators(ops));
        }
        let stride = ops.next_power_of_two();
        let table = next.as_ref();
        if table.len() < 2 * stride
            || !table.len().is_multiple_of(stride)
            || u32::try_from(table.len()).is_err()
        {
            return Err(InvalidAutomaton::Length { entries: table.len(), stride });
        }
        for (at, &to) in table.iter().enumerate() {
            let forbidden = at < stride || at % stride >= ops;
            if to as usize >= table.len()
                || !(to as usize).is_multiple_of(stride)
                || (forbidden && to != DEAD)
            {
                return Err(InvalidAutomaton::Entry { at, to });
            }
        }
        Ok(Automaton { ops, stride, next, masks: Vec::new() }.with_masks())
    }

    /// The state before any operator.
    #[inline(always)]
    pub fn start(&self) -> StateId {
        StateId(self.stride as u32)
    }

    /// The state after `op`, or `None` when `op` is forbidden here.
    #[inline(always)]
    pub fn next(&self, state: StateId, op: Op) -> Option<StateId> {
        match self.next.as_ref()[state.0 as usize + op.index()] {
            DEAD => None,
            to => Some(StateId(to)),
        }
    }

    /// Keeps the masks of a small automaton.
    fn with_masks(mut self) -> Self {
        let rows = self.next.as_ref().len() / self.stride;
        if rows <= MASKED_ROWS {
            self.masks = (0..rows).map(|row| self.row_mask(StateId((row * self.stride) as u32))).collect();
        }
        self
    }

    /// The operators that are allowed in `state`. Where there are many states, their rows come from
    /// a far cache, so the rows of the successors are asked for: their operators are what a search
    /// wants to know next.
    #[inline(always)]
    pub fn allowed(&self, state: StateId) -> OpSet {
        let row = state.0 >> self.stride.trailing_zeros();
        if let Some(mask) = self.masks.get(row as usize) {
            return *mask;
        }
        let table = self.next.as_ref();
        let ask = |&to: &u32| prefetch(table.as_ptr().wrapping_add(to as usize).cast());
        let row = &table[state.0 as usize..];
        if let (4, Some(row)) = (self.ops, row.first_chunk::<4>()) {
            // The usual number for a large automaton, without a loop.
            row.iter().for_each(ask);
            return OpSet((0..4).fold(0, |set, op| set | u64::from(row[op] != DEAD) << op));
        }
        row[..self.ops].iter().for_each(ask);
        self.row_mask(state)
    }

    #[inline(always)]
    fn row_mask(&self, state: StateId) -> OpSet {
        let row = &self.next.as_ref()[state.0 as usize..][..self.ops];
        OpSet(row.iter().enumerate().fold(0, |set, (op, &to)| set | u64::from(to != DEAD) << op))
    }

    /// How many operators there are.
    pub fn ops(&self) -> usize {
        self.ops
    }

    /// How many states there are, the dead one left out.
    pub fn states(&self) -> usize {
        self.next.as_ref().len() / self.stride - 1
    }

    /// The number of `state`, from 0 (the start).
    pub fn number(&self, state: StateId) -> usize {
        state.0 as usize / self.stride - 1
    }

    /// The whole table, as [`from_table`](Automaton::from_table) takes it.
    pub fn table(&self) -> &[u32] {
        self.next.as_ref()
    }

    /// How many operator strings of each length `0..=depth` the automaton allows, where every
    /// operator is applicable everywhere: the nodes of the search tree by depth.
    ///
    /// # Panics
    /// If a count passes 2¹²⁸.
    pub fn strings_by_length(&self, depth: usize) -> Vec<u128> {
        let mut at_state = vec![0u128; self.states()];
        at_state[0] = 1;
        let mut counts = vec![1];
        for _ in 0..depth {
            let mut after = vec![0u128; self.states()];
            for (state, &count) in at_state.iter().enumerate().filter(|&(_, &count)| count > 0) {
                let row = &self.next.as_ref()[(state + 1) * self.stride..][..self.ops];
                for &to in row.iter().filter(|&&to| to != DEAD) {
                    let sum = &mut after[to as usize / self.stride - 1];
                    *sum = sum.checked_add(count).expect("fewer than 2^128 strings");
                }
            }
            counts.push(after.iter().sum());
            at_state = after;
        }
        counts
    }
}

/// Why a table is no automaton.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidAutomaton {
    /// The number of operators is out of range.
    #[error("an automaton has 1 to 64 operators, not {0}")]
    Operators(usize),
    /// The table is too short, too long or not whole rows.
    #[error("{entries} entries are no whole rows of {stride}")]
    Length {
        /// Entries found.
        entries: usize,
        /// Entries a row.
        stride: usize,
    },
    /// An entry leads to no row.
    #[error("entry {at} leads to {to}, which is no state")]
    Entry {
        /// The entry's index.
        at: usize,
        /// Its value.
        to: u32,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One path to each cell of a grid: Left or Right first, then Up or Down (Korf & Taylor 1996).
    fn grid() -> Automaton {
        let (left, right, up, down) = (0, 1, 2, 3);
        Automaton::from_rule(4, 5, |state, op| {
            let last = state.checked_sub(1);
            let op = op.index();
            let allowed = match last {
                None => true,
                Some(l) if l == left => op != right,
                Some(l) if l == right => op != left,
                Some(l) if l == up => op == up,
                Some(_) => op == down,
            };
            allowed.then_some(op + 1)
        })
    }

    #[test]
    fn the_grid_automaton_reaches_each_cell_once() {
        // 4 d cells lie at distance d.
        assert_eq!(grid().strings_by_length(6), [1, 4, 8, 12, 16, 20, 24]);
    }

    #[test]
    fn tables_round_trip_and_bad_ones_are_refused() {
        let grid = grid();
        assert_eq!(Automaton::from_table(4, grid.table().to_vec()).as_ref(), Ok(&grid));
        let mut bad = grid.table().to_vec();
        bad[7] = 24;
        assert_eq!(Automaton::from_table(4, bad), Err(InvalidAutomaton::Entry { at: 7, to: 24 }));
        assert!(Automaton::from_table(4, vec![0; 6]).is_err());
        assert!(Automaton::from_table(0, vec![0; 6]).is_err());
    }
}
