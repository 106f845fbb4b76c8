//! A domain whose states are the strings that lead to them, for the unit tests.

use super::expander::Expander;
use super::stop::{Leave, Stop};
use super::subtree::{Node, Subtree, SubtreeOf};
use super::{Kernel, RootMoves, Wanted};
use crate::automaton::Automaton;
use crate::domain::{Domain, Op, OpSet};
use crate::run::Run;

pub(crate) const OPS: usize = 3;

/// Every string of three operators is a state of its own; some are goals.
pub(crate) struct Strings(pub Vec<Vec<Op>>);

impl Domain for Strings {
    type State = Vec<Op>;
    fn op_count(&self) -> usize {
        OPS
    }
    fn apply(&self, state: &Vec<Op>, op: Op) -> Vec<Op> {
        [state.as_slice(), &[op]].concat()
    }
    fn is_goal(&self, state: &Vec<Op>) -> bool {
        self.0.contains(state)
    }
}

/// A heuristic that is always 0.
pub(crate) type Nothing = fn(&Vec<Op>) -> u8;

pub(crate) const NOTHING: Nothing = |_| 0;

/// No operator follows itself.
pub(crate) fn no_repetition() -> Automaton {
    Automaton::from_rule(OPS, OPS + 1, |last, op| (last != op.index() + 1).then_some(op.index() + 1))
}

/// An expander of a search for one solution.
pub(crate) fn expander<'a>(
    domain: &'a Strings,
    automaton: &'a Automaton,
    run: &'a Run<'a>,
) -> Expander<'a, Strings, Nothing> {
    Expander {
        domain,
        heuristic: &NOTHING,
        automaton,
        wanted: Wanted::First,
        root_moves: RootMoves::none(),
        kernel: Kernel::DepthFirst,
        stop: Stop::new(Leave::Earlier),
        run,
    }
}

/// The subtree below the string `path`.
pub(crate) fn subtree(automaton: &Automaton, path: &str, remaining: u32) -> SubtreeOf<Strings, Nothing> {
    let path = ops(path);
    let step = |fsm, op: &Op| automaton.next(fsm, *op).expect("an allowed string");
    let fsm = path.iter().fold(automaton.start(), step);
    Subtree::new(Node { state: path.clone(), carry: (), fsm }, path, remaining)
}

/// The operators with these digits.
pub(crate) fn ops(digits: &str) -> Vec<Op> {
    digits.bytes().map(|digit| Op::new(usize::from(digit - b'0'))).collect()
}

/// The digits of these operators.
pub(crate) fn digits(ops: &[Op]) -> String {
    ops.iter().map(|op| char::from(b'0' + op.index() as u8)).collect()
}

/// All strings of a length that the automaton allows, in order.
pub(crate) fn strings(automaton: &Automaton, length: u32) -> Vec<String> {
    let mut strings = vec![(String::new(), automaton.start())];
    for _ in 0..length {
        let longer = |(string, fsm): (String, _)| {
            let next = move |op: Op| Some((format!("{string}{}", op.index()), automaton.next(fsm, op)?));
            OpSet::first(OPS).into_iter().filter_map(next)
        };
        strings = strings.into_iter().flat_map(longer).collect();
    }
    strings.into_iter().map(|(string, _)| string).collect()
}
