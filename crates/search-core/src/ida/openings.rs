//! By which operators the first nodes of a tree are expanded, where not by all.
//!
//! The idea: symmetries of the start make some branches equivalent, and one of each kind is enough.
//! Which ones the puzzle knows: it gives the operators of the nodes near the start, by the strings that
//! lead to them. The nodes that have an opening are expanded when the tree is cut into subtrees, however
//! many subtrees that makes; the kernels know nothing of openings.
//!
//! Invariant: whether an opening applies depends on the node and the bound alone, not on the threads. (Nodes with
//! so few moves left that no tree is cut there are expanded by all operators.) So the counts of
//! complete iterations do not depend on the number of threads.
//!
//! Cost: a look-up for each node above the subtrees.

use crate::domain::{Op, OpSet};
use std::collections::BTreeMap;

/// How one node is expanded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opening {
    /// The operators.
    pub ops: OpSet,
    /// By all of these, which the caller knows to be enough, whatever the heuristic finds
    /// [useful](crate::Heuristic::useful).
    pub is_final: bool,
}

/// The openings of a tree: those of some nodes near the start.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Openings(BTreeMap<Vec<Op>, Opening>);

impl Openings {
    /// Every node is expanded by all operators.
    pub fn none() -> &'static Openings {
        static NONE: Openings = Openings(BTreeMap::new());
        &NONE
    }

    /// Sets the opening of the node that `path` leads to.
    pub fn insert(&mut self, path: &[Op], opening: Opening) {
        self.0.insert(path.to_vec(), opening);
    }

    /// The opening of the node that `path` leads to, if it has one.
    pub fn at(&self, path: &[Op]) -> Option<Opening> {
        // Mostly there are none at all.
        if self.0.is_empty() { None } else { self.0.get(path).copied() }
    }

    /// How many nodes have one.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether no node has one.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::automaton::Automaton;
    use crate::ida::counts::Counts;
    use crate::ida::pass::Pass;
    use crate::ida::split::split;
    use crate::ida::testing::{NOTHING, Strings, digits, no_repetition, ops, pass, task};
    use crate::ida::{Config, search};
    use crate::record::Ending;
    use crate::run::Run;

    fn opening(digits: &str) -> Opening {
        Opening { ops: ops(digits).into_iter().collect(), is_final: false }
    }

    /// The strings begin with 0 or 1; after 0 comes 2, after 02 comes 0 or 1.
    fn openings() -> Openings {
        let mut openings = Openings::default();
        for (path, digits) in [("", "01"), ("0", "2"), ("02", "01")] {
            openings.insert(&ops(path), opening(digits));
        }
        openings
    }

    #[test]
    fn nodes_with_an_opening_are_split_whatever_the_number_of_subtrees() {
        let (domain, rules, run, openings) = (Strings(Vec::new()), no_repetition(), Run::new(), openings());
        let pass = Pass { openings: &openings, ..pass(&domain, &rules, &run) };
        let paths = |enough, remaining| -> Vec<String> {
            let tasks = split(&pass, vec![task(&rules, "", remaining)], enough, &mut Counts::default());
            tasks.iter().map(|task| digits(&task.path)).collect()
        };
        assert_eq!(paths(1, 9), ["020", "021", "1"]);
        assert_eq!(paths(3, 9), ["020", "021", "10", "12"]);
        assert_eq!(paths(4, 9), ["020", "021", "101", "102", "120", "121"]);
        // With three moves left no node is split.
        assert_eq!(paths(1, 5), ["02", "1"]);
        assert_eq!(paths(1, 3), [""]);
    }

    /// Of all strings those that the openings allow are searched: the same on any number of threads.
    #[test]
    fn what_openings_leave_out_is_not_searched() {
        let (rules, openings) = (no_repetition(), openings());
        let search = |goals: &[&str], threads, rules: &Automaton| {
            let domain = Strings(goals.iter().map(|goal| ops(goal)).collect());
            let (max_bound, openings) = (Some(8), openings.clone());
            let config = Config::default().min_bound(7).max_bound(max_bound).openings(openings);
            let run = Run::new().with_threads(threads);
            search(&domain, &NOTHING, rules, &Vec::new(), &config, &run)
        };
        for threads in [1, 2, 5] {
            let report = search(&["2101010", "0101010"], threads, &rules);
            assert_eq!(report.ending, Ending::Bounded { lower_bound: 9 });
            // 020…, 021… and 1…, of eight operators.
            assert_eq!(report.iterations[1].expanded, 1 + 1 + 1 + (1 + 2 + 4 + 8 + 16) * 2 + 127);
            let report = search(&["2101010", "0210101"], threads, &rules);
            let Ending::Optimal { solutions, .. } = report.ending else { panic!("solved") };
            assert_eq!(digits(&solutions[0]), "0210101");
        }
    }
}
