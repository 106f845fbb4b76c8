//! Finite automata that restrict which operator may follow the operators applied so far.
//!
//! The idea (Taylor & Korf 1993; Korf & Taylor 1996, "Pruning Duplicate Nodes"): many operator strings lead to the same
//! state as another string that is at most as long. A depth-first search that follows an automaton never completes such
//! a string, and so never generates the duplicate.
//!
//! One type covers both cases: a hand-written rule ("never turn the same face twice") and a learned table of hundreds
//! of thousands of states are both an [`Automaton`].
//!
//! | file | contents |
//! | --- | --- |
//! | [`learn`](mod@learn) | discovering duplicate operator strings |
//! | `everywhere` | the strings of a domain whose operators are legal in every state |
//! | [`trie`] | forbidden strings, failure links, the dense table |
//! | [`minimize`] | merging equivalent states |
//! | [`branching`] | the asymptotic branching factor |
//!
//! Layout of a table: state `s` owns the row `table[s * stride ..][..ops]`, where `stride` is `ops`
//! rounded up to a power of two. An entry is the next state, premultiplied by the stride; [`DEAD`] (0)
//! forbids the operator. Row 0 is the dead state's and holds only [`DEAD`]; the start state is row 1.
//!
//! A large table does not fit a near cache, and its rows are read in random order. So if there are few operators, an
//! entry also contains the set of operators that the next state allows. A node is expanded with the set from its
//! parent's row; its own row is fetched meanwhile and needed only when one of its children is visited, which most nodes
//! do not have.
//!
//! ```
//! use search_core::{Automaton, Op};
//!
//! // Of three operators, none follows itself: state 0 is the start, state `i + 1` follows operator `i`.
//! let automaton = Automaton::from_rule(3, 4, |last, op| (last != op.index() + 1).then_some(op.index() + 1));
//! let after = automaton.next(automaton.start(), Op::new(2)).unwrap();
//! assert_eq!(automaton.allowed(after).into_iter().map(Op::index).collect::<Vec<_>>(), [0, 1]);
//! ```

pub mod branching;
mod everywhere;
pub mod learn;
pub mod minimize;
mod model;
pub mod trie;

pub use everywhere::Everywhere;
pub use learn::{Learned, LengthCount, learn};
pub use model::Model;
pub use trie::Trie;

use crate::domain::{Op, OpSet};
use crate::prefetch::prefetch;

/// The entry that forbids an operator.
pub const DEAD: u32 = 0;

/// A state of an automaton: its row's offset in the table (premultiplied by the stride). If there are few operators,
/// the low bits are the set of those allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StateId(u32);

/// A dense transition table. See the module's documentation for the layout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Automaton {
    ops: usize,
    stride: usize,
    /// The low bits of a state that hold the set of operators it allows; 0 if there are many operators.
    set_bits: u32,
    /// The entries, each a state.
    next: Vec<u32>,
    /// The allowed operators of each row, if entries do not hold them and there are few rows.
    masks: Vec<OpSet>,
}

/// The greatest number of operators for which entries contain sets.
const MOST_IN_ENTRY: usize = 4;
/// The greatest number of rows for which masks are kept.
const MASKED_ROWS: usize = 1 << 12;

impl Automaton {
    /// Builds an automaton of `states` states (the first is the start) over `ops` operators from
    /// a rule: `rule(state, op)` is the next state, or `None` when `op` is forbidden.
    ///
    /// # Panics
    /// If there are no states, no operator or more than 64, if the table would pass 2³² entries, or
    /// if the rule names a state that does not exist.
    pub fn from_rule(ops: usize, states: usize, rule: impl Fn(usize, Op) -> Option<usize>) -> Automaton {
        assert!(states > 0 && (1..=64).contains(&ops), "an automaton has a state and 1 to 64 operators");
        let stride = ops.next_power_of_two();
        let entries = (states + 1).checked_mul(stride).filter(|&n| u32::try_from(n).is_ok());
        let mut table = vec![DEAD; entries.expect("an automaton's table has fewer than 2^32 entries")];
        for state in 0..states {
            for op in 0..ops {
                if let Some(to) = rule(state, Op::new(op)) {
                    assert!(to < states, "the rule leads to state {to} of {states}");
                    table[(state + 1) * stride + op] = ((to + 1) * stride) as u32;
                }
            }
        }
        Automaton::over(ops, table)
    }

    /// The automaton of a table already known to be valid.
    fn over(ops: usize, table: Vec<u32>) -> Automaton {
        let stride = ops.next_power_of_two();
        let mask = |row: &[u32]| {
            OpSet(row.iter().enumerate().fold(0, |set, (op, &to)| set | u64::from(to != DEAD) << op))
        };
        let set_bits =
            if ops <= MOST_IN_ENTRY && table.len() <= (u32::MAX >> ops) as usize { ops as u32 } else { 0 };
        if set_bits == 0 {
            let rows = table.chunks_exact(stride);
            let masks = if rows.len() <= MASKED_ROWS { rows.map(mask).collect() } else { Vec::new() };
            return Automaton { ops, stride, set_bits, next: table, masks };
        }
        let with_set = |&to: &u32| to << set_bits | mask(&table[to as usize..][..stride]).0 as u32;
        Automaton { ops, stride, set_bits, next: table.iter().map(with_set).collect(), masks: Vec::new() }
    }

    /// The automaton that always allows every operator.
    pub fn unrestricted(ops: usize) -> Automaton {
        Automaton::from_rule(ops, 1, |_, _| Some(0))
    }
}

impl Automaton {
    /// An automaton over an existing table, as loaded from a file. Everything that the search
    /// relies on is checked, so no content can lead it out of bounds.
    ///
    /// # Errors
    /// [`InvalidAutomaton`] with the fault found.
    pub fn from_table(ops: usize, table: Vec<u32>) -> Result<Automaton, InvalidAutomaton> {
        if !(1..=64).contains(&ops) {
            return Err(InvalidAutomaton(format!("an automaton has 1 to 64 operators, not {ops}")));
        }
        let stride = ops.next_power_of_two();
        if table.len() < 2 * stride
            || !table.len().is_multiple_of(stride)
            || u32::try_from(table.len()).is_err()
        {
            let entries = table.len();
            return Err(InvalidAutomaton(format!("{entries} entries are no whole rows of {stride}")));
        }
        for (at, &to) in table.iter().enumerate() {
            let forbidden = at < stride || at % stride >= ops;
            if to as usize >= table.len()
                || !(to as usize).is_multiple_of(stride)
                || (forbidden && to != DEAD)
            {
                return Err(InvalidAutomaton(format!("entry {at} leads to {to}, which does not exist")));
            }
        }
        Ok(Automaton::over(ops, table))
    }

    /// The state before any operator.
    #[inline(always)]
    pub fn start(&self) -> StateId {
        let entries = self.next[self.stride..][..self.set_bits as usize].iter().enumerate();
        let set = entries.fold(0, |set, (op, &to)| set | u32::from(to != DEAD) << op);
        StateId((self.stride as u32) << self.set_bits | set)
    }

    /// The offset of a state's row.
    #[inline(always)]
    fn row(&self, state: StateId) -> usize {
        (state.0 >> self.set_bits) as usize
    }

    /// The state after `op`, or `None` when `op` is forbidden here.
    #[inline(always)]
    pub fn next(&self, state: StateId, op: Op) -> Option<StateId> {
        match self.next[self.row(state) + op.index()] {
            DEAD => None,
            to => Some(StateId(to)),
        }
    }

    /// The operators that are allowed in `state`. Prefetches its row, which
    /// [`next`](Automaton::next) reads.
    #[inline(always)]
    pub fn allowed(&self, state: StateId) -> OpSet {
        let row = self.row(state);
        if self.set_bits > 0 {
            prefetch(self.next.as_ptr().wrapping_add(row).cast());
            return OpSet(u64::from(state.0 & ((1 << self.set_bits) - 1)));
        }
        if let Some(mask) = self.masks.get(row >> self.stride.trailing_zeros()) {
            return *mask;
        }
        let row = self.next[row..][..self.ops].iter().enumerate();
        OpSet(row.fold(0, |set, (op, &to)| set | u64::from(to != DEAD) << op))
    }

    /// The number of operators.
    pub fn ops(&self) -> usize {
        self.ops
    }

    /// The number of states without the dead one.
    pub fn states(&self) -> usize {
        self.next.len() / self.stride - 1
    }

    /// The number of `state`, from 0 (the start).
    pub fn number(&self, state: StateId) -> usize {
        self.row(state) / self.stride - 1
    }

    /// The number of the state that `op` leads to from the state numbered `state`.
    #[inline(always)]
    fn successor(&self, state: usize, op: usize) -> Option<usize> {
        let to = StateId(self.next[(state + 1) * self.stride + op]);
        (to.0 != DEAD).then(|| self.number(to))
    }

    /// The automaton of the same strings where `names[i]` is the name here of the operator `i` there.
    ///
    /// # Panics
    /// If there is not a name for each operator.
    #[must_use]
    pub fn renamed(&self, names: &[Op]) -> Automaton {
        assert_eq!(names.len(), self.ops, "each operator has a name");
        Automaton::from_rule(self.ops, self.states(), |state, op| {
            self.successor(state, names[op.index()].index())
        })
    }

    /// The automaton of the same strings as far as they consist of `ops`.
    #[must_use]
    pub fn keeping(&self, ops: OpSet) -> Automaton {
        Automaton::from_rule(self.ops, self.states(), |state, op| {
            if ops.contains(op) { self.successor(state, op.index()) } else { None }
        })
    }

    /// The whole table, as [`from_table`](Automaton::from_table) takes it.
    pub fn table(&self) -> Vec<u32> {
        self.next.iter().map(|to| to >> self.set_bits).collect()
    }

    /// The number of allowed operator strings of each length `0..=depth`, if every operator is
    /// applicable everywhere: the nodes of the search tree by depth.
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
                for to in (0..self.ops).filter_map(|op| self.successor(state, op)) {
                    let sum = &mut after[to];
                    *sum = sum.checked_add(count).expect("fewer than 2^128 strings");
                }
            }
            counts.push(after.iter().sum());
            at_state = after;
        }
        counts
    }
}

/// The reason why a table is not a valid automaton.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct InvalidAutomaton(String);

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

    /// Strings of digits in which no operator equals either of the two before it.
    fn far_apart(ops: usize, digits: u32) -> Automaton {
        let states = ops.pow(digits);
        Automaton::from_rule(ops, states, |state, op| {
            let op = op.index();
            (state % ops != op && state / ops % ops != op).then_some((state * ops + op) % states)
        })
    }

    #[test]
    fn allowed_operators_have_successors() {
        // Few operators, with sets in the entries; few rows, with masks; many rows, with neither.
        let rules =
            [grid(), far_apart(4, 3), far_apart(3, 9), far_apart(7, 3), far_apart(6, 5), far_apart(40, 2)];
        for automaton in rules {
            let mut states = vec![automaton.start()];
            for at in 0..200 {
                let state = states[at];
                let ops = (0..automaton.ops()).map(Op::new);
                let next: Vec<(Op, StateId)> =
                    ops.filter_map(|op| Some((op, automaton.next(state, op)?))).collect();
                assert_eq!(automaton.allowed(state), next.iter().map(|(op, _)| *op).collect());
                for (op, to) in next {
                    let number = automaton.successor(automaton.number(state), op.index());
                    assert_eq!(number, Some(automaton.number(to)));
                    states.push(to);
                }
            }
            assert_eq!(Automaton::from_table(automaton.ops(), automaton.table()), Ok(automaton));
        }
    }

    #[test]
    fn an_automaton_of_some_operators_keeps_their_strings() {
        let some = OpSet::EMPTY.with(Op::new(0)).with(Op::new(2));
        // Left, then up: one path to each cell of a quadrant.
        assert_eq!(grid().keeping(some).strings_by_length(6), [1, 2, 3, 4, 5, 6, 7]);
        assert_eq!(grid().keeping(OpSet::ALL), grid());
    }

    #[test]
    fn tables_round_trip_and_bad_ones_are_refused() {
        let grid = grid();
        assert_eq!(Automaton::from_table(4, grid.table()).as_ref(), Ok(&grid));
        let mut bad = grid.table();
        bad[7] = 24;
        let error = Automaton::from_table(4, bad).unwrap_err();
        assert_eq!(error.to_string(), "entry 7 leads to 24, which does not exist");
        assert!(Automaton::from_table(4, vec![0; 6]).is_err());
        assert!(Automaton::from_table(0, vec![0; 6]).is_err());
    }
}
