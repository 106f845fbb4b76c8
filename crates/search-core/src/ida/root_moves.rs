//! Restricted sets of operators for nodes near the root.
//!
//! The idea: symmetries of the start make some branches equivalent, and one branch of each class is enough. Only the
//! puzzle knows its symmetries, so it gives the operators of these nodes, keyed by the strings that lead to them.
//! Splitting the tree into subtrees expands all of these nodes, whatever the resulting number of subtrees, so the
//! kernels need no root moves.
//!
//! Invariant: whether root moves apply to a node depends on the node and the bound alone, not on the threads. (A node
//! with too few moves left to be split is expanded by all operators.) So the counts of complete iterations do not
//! depend on the number of threads.
//!
//! Cost: a lookup for each node above the subtrees.

use crate::domain::{Op, OpSet};
use std::collections::BTreeMap;

/// The operators by which one node is expanded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeMoves {
    /// The operators.
    pub ops: OpSet,
    /// Whether all of these operators are tried, even those that the heuristic does not consider
    /// [useful](crate::Heuristic::useful), because the caller guarantees that exactly these are enough.
    pub is_final: bool,
}

/// The moves of some nodes near the root of a tree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RootMoves(BTreeMap<Vec<Op>, NodeMoves>);

impl RootMoves {
    /// No restriction: every node is expanded by all operators.
    pub fn none() -> &'static RootMoves {
        static NONE: RootMoves = RootMoves(BTreeMap::new());
        &NONE
    }

    /// Sets the moves of the node that `path` leads to.
    pub fn insert(&mut self, path: &[Op], moves: NodeMoves) {
        self.0.insert(path.to_vec(), moves);
    }

    /// The moves of the node that `path` leads to, if it has its own.
    pub fn at(&self, path: &[Op]) -> Option<NodeMoves> {
        // Most trees have no root moves.
        if self.0.is_empty() { None } else { self.0.get(path).copied() }
    }

    /// The number of nodes with moves of their own.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether no node has moves of its own.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::automaton::Automaton;
    use crate::ida::counts::Counts;
    use crate::ida::expander::Expander;
    use crate::ida::split::split;
    use crate::ida::testing::{NOTHING, Strings, digits, expander, no_repetition, ops, subtree};
    use crate::ida::{Config, search};
    use crate::record::Ending;
    use crate::run::Run;

    fn node_moves(digits: &str) -> NodeMoves {
        NodeMoves { ops: ops(digits).into_iter().collect(), is_final: false }
    }

    /// Strings begin with 0 or 1; after 0 only 2 is allowed, after 02 only 0 or 1.
    fn root_moves() -> RootMoves {
        let mut root_moves = RootMoves::default();
        for (path, digits) in [("", "01"), ("0", "2"), ("02", "01")] {
            root_moves.insert(&ops(path), node_moves(digits));
        }
        root_moves
    }

    #[test]
    fn nodes_with_root_moves_are_split_for_any_number_of_subtrees() {
        let (domain, rules, run, root_moves) =
            (Strings(Vec::new()), no_repetition(), Run::new(), root_moves());
        let expander = Expander { root_moves: &root_moves, ..expander(&domain, &rules, &run) };
        let paths = |enough, remaining| -> Vec<String> {
            let subtrees =
                split(&expander, vec![subtree(&rules, "", remaining)], enough, &mut Counts::default());
            subtrees.iter().map(|subtree| digits(&subtree.path)).collect()
        };
        assert_eq!(paths(1, 9), ["020", "021", "1"]);
        assert_eq!(paths(3, 9), ["020", "021", "10", "12"]);
        assert_eq!(paths(4, 9), ["020", "021", "101", "102", "120", "121"]);
        // With three moves left no node is split.
        assert_eq!(paths(1, 5), ["02", "1"]);
        assert_eq!(paths(1, 3), [""]);
    }

    /// Only the strings that the root moves allow are searched, on any number of threads.
    #[test]
    fn branches_outside_the_root_moves_are_not_searched() {
        let (rules, root_moves) = (no_repetition(), root_moves());
        let search = |goals: &[&str], threads, rules: &Automaton| {
            let domain = Strings(goals.iter().map(|goal| ops(goal)).collect());
            let (max_bound, root_moves) = (Some(8), root_moves.clone());
            let config = Config::default().min_bound(7).max_bound(max_bound).root_moves(root_moves);
            let run = Run::new().with_threads(threads);
            search(&domain, &NOTHING, rules, &Vec::new(), &config, &run)
        };
        for threads in [1, 2, 5] {
            let report = search(&["2101010", "0101010"], threads, &rules);
            assert_eq!(report.ending, Ending::bounded(9));
            // 020…, 021… and 1…, of eight operators.
            assert_eq!(report.iterations[1].expanded, 1 + 1 + 1 + (1 + 2 + 4 + 8 + 16) * 2 + 127);
            let report = search(&["2101010", "0210101"], threads, &rules);
            let Ending::Optimal { solutions, .. } = report.ending else { panic!("solved") };
            assert_eq!(digits(&solutions[0]), "0210101");
        }
    }
}
