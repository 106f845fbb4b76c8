//! A set of forbidden strings as a trie, and the automaton that never completes one of them.
//!
//! The idea (Aho & Corasick 1975; Taylor & Korf 1993): a trie contains the forbidden strings. Its inner nodes are their
//! proper prefixes. The automaton's state after a string is the longest suffix of it that is such a prefix; the failure
//! link of a node leads to the next shorter one. Failure links are followed while building, so the result is one dense
//! table without links.
//!
//! Invariant: an operator is forbidden in a state exactly when some suffix of (the state's string
//! and the operator) is a forbidden string.
//!
//! Cost: linear in the trie's nodes times the operators.

use super::Automaton;
use crate::domain::Op;

/// No child.
const NONE: u32 = 0;
/// A child that completes a forbidden string.
const FORBIDDEN: u32 = u32::MAX;

/// A set of forbidden strings.
#[derive(Clone, Debug)]
pub struct Trie {
    ops: usize,
    /// The child of node `n` by operator `op` at `n * ops + op`; node 0 is the root.
    children: Vec<u32>,
}

impl Trie {
    /// The empty set over `ops` operators.
    pub fn new(ops: usize) -> Trie {
        Trie { ops, children: vec![NONE; ops] }
    }

    /// The set of `strings`.
    ///
    /// # Panics
    /// If one is empty or names an operator that does not exist.
    pub fn from_strings<S: AsRef<[Op]>>(ops: usize, strings: impl IntoIterator<Item = S>) -> Trie {
        let mut trie = Trie::new(ops);
        strings.into_iter().for_each(|string| trie.insert(string.as_ref()));
        trie
    }

    /// Forbids `string`, and with it all strings that begin with it; a string that begins with a
    /// forbidden one adds nothing.
    ///
    /// # Panics
    /// If it is empty or names an operator that does not exist.
    pub fn insert(&mut self, string: &[Op]) {
        let (last, prefix) = string.split_last().expect("the empty string cannot be forbidden");
        let mut node = 0;
        for &op in prefix {
            assert!(op.index() < self.ops, "operator {} of {}", op.index(), self.ops);
            let slot = node * self.ops + op.index();
            node = match self.children[slot] {
                FORBIDDEN => return,
                NONE => {
                    let new = self.nodes();
                    self.children[slot] = new as u32;
                    self.children.resize(self.children.len() + self.ops, NONE);
                    new
                }
                child => child as usize,
            };
        }
        assert!(last.index() < self.ops, "operator {} of {}", last.index(), self.ops);
        self.children[node * self.ops + last.index()] = FORBIDDEN;
    }

    /// The number of nodes: the proper prefixes of the forbidden strings.
    pub fn nodes(&self) -> usize {
        self.children.len() / self.ops
    }

    /// The automaton that never completes a forbidden string, one state per node.
    pub fn automaton(&self) -> Automaton {
        let mut next = vec![FORBIDDEN; self.children.len()];
        let mut failure = vec![0u32; self.nodes()];
        let mut queue = vec![0u32];
        let mut head = 0;
        while head < queue.len() {
            let node = queue[head] as usize;
            head += 1;
            for op in 0..self.ops {
                // The transition of the next shorter suffix; the root has none and leads to itself.
                let fallback = if node == 0 { 0 } else { next[failure[node] as usize * self.ops + op] };
                let child = self.children[node * self.ops + op];
                next[node * self.ops + op] = match child {
                    _ if fallback == FORBIDDEN => FORBIDDEN,
                    NONE => fallback,
                    _ => child,
                };
                if child != NONE && child != FORBIDDEN && fallback != FORBIDDEN {
                    failure[child as usize] = fallback;
                    queue.push(child);
                }
            }
        }
        Automaton::from_rule(self.ops, self.nodes(), |node, op| {
            Some(next[node * self.ops + op.index()]).filter(|&to| to != FORBIDDEN).map(|to| to as usize)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Reference implementation: whether `string` contains a forbidden one.
    fn holds_one(forbidden: &[Vec<Op>], string: &[Op]) -> bool {
        forbidden.iter().any(|f| string.windows(f.len()).any(|window| window == f.as_slice()))
    }

    fn allows(automaton: &Automaton, string: &[Op]) -> bool {
        string.iter().try_fold(automaton.start(), |state, &op| automaton.next(state, op)).is_some()
    }

    fn strings() -> impl Strategy<Value = Vec<Vec<Op>>> {
        prop::collection::vec(prop::collection::vec((0usize..3).prop_map(Op::new), 1..6), 0..12)
    }

    proptest! {
        #[test]
        fn exactly_the_strings_without_a_forbidden_one_are_allowed(
            forbidden in strings(),
            probes in prop::collection::vec(prop::collection::vec((0usize..3).prop_map(Op::new), 0..12), 40),
        ) {
            let plain = Trie::from_strings(3, &forbidden).automaton();
            let merged = plain.minimized();
            prop_assert!(merged.states() <= plain.states());
            prop_assert_eq!(plain.strings_by_length(8), merged.strings_by_length(8));
            for probe in &probes {
                let expected = !holds_one(&forbidden, probe);
                prop_assert_eq!(allows(&plain, probe), expected);
                prop_assert_eq!(allows(&merged, probe), expected);
            }
        }
    }
}
