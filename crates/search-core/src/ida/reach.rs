//! The branches that one bound entered most deeply are searched first by the next.
//!
//! The idea: IDA\* spends most of its time on the last bound, which ends at its first solution. So the tree's
//! first levels are cut into branches, and each bound notes how deep it went into each of them: the fewest
//! moves left with which it expanded a node there. A solution of the next bound mostly lies in a branch
//! that this one entered deeply, so the branches with the fewest moves left come first.
//!
//! Invariant: all branches are searched, only in another order. So no solution is lost, and the counts of
//! complete iterations are the same as without. The branches and their order follow from the tree and the bounds
//! before; threads cut branches into smaller subtrees, but in place. So the solution that is found does not
//! depend on the number of threads.
//!
//! Cost: a comparison for each expanded node. There are as many branches as the order gains by, and few enough that
//! cutting them takes a small share of the iteration.
//!
//! Source: Powley and Korf 1991 (node ordering by the least h). docs/sliding-tiles.md has figures.

use super::checkpoint::Operators;
use super::node::Task;
use crate::domain::{Domain, Op};
use crate::heuristic::Heuristic;
use serde::{Deserialize, Serialize};

/// The number of branches at which cutting stops: one for so many nodes of the bound before.
const NODES_PER_BRANCH: u64 = 512;
const BRANCHES: std::ops::RangeInclusive<u64> = 1024..=1 << 15;

/// How deep a search with one bound went into each branch.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Reach {
    /// The nodes that it generated.
    generated: u64,
    /// By the operators that lead to it, ascending; none begins with another.
    branches: Vec<(Operators, u32)>,
}

impl Reach {
    /// The number of branches at which cutting stops with the next bound: the same for all numbers of threads.
    pub(super) fn enough(&self) -> usize {
        (self.generated / NODES_PER_BRANCH).clamp(*BRANCHES.start(), *BRANCHES.end()) as usize
    }

    /// The fewest moves left of all branches that `path` leads to or lies in; the greatest number if there are none.
    pub(super) fn fewest(&self, path: &[Op]) -> u32 {
        let path = Operators::from(path);
        let first = self.branches.partition_point(|(branch, _)| *branch < path);
        let inside = self.branches[first..].iter().take_while(|(branch, _)| branch.starts_with(&path));
        let around = self.branches[..first].last().filter(|(branch, _)| path.starts_with(branch));
        inside.chain(around).map(|&(_, fewest)| fewest).min().unwrap_or(u32::MAX)
    }
}

/// The branches of an iteration, in the order in which they are searched.
#[derive(Debug, Default)]
pub(super) struct Branches {
    paths: Vec<Operators>,
    /// By branch: the number of its last subtree, and one.
    ends: Vec<usize>,
    /// By branch: the fewest moves left so far.
    pub fewest: Vec<u32>,
}

impl Branches {
    /// The branches that `paths` lead to, which were cut into `tasks`.
    pub fn new<D: Domain, H: Heuristic<D>>(paths: &[Vec<Op>], tasks: &[Task<D, H>]) -> Branches {
        let mut end = 0;
        let ends = paths.iter().map(|path| {
            end += tasks[end..].iter().take_while(|task| task.path.starts_with(path)).count();
            end
        });
        let ends = ends.collect();
        let fewest = vec![u32::MAX; paths.len()];
        Branches { paths: paths.iter().map(|path| Operators::from(&path[..])).collect(), ends, fewest }
    }

    /// Adds with how few moves left subtrees were left.
    pub fn note(&mut self, reached: &[(usize, u32)]) {
        for &(task, fewest) in reached {
            let branch = self.ends.partition_point(|&end| end <= task);
            if let Some(so_far) = self.fewest.get_mut(branch) {
                *so_far = fewest.min(*so_far);
            }
        }
    }

    /// What the next bound goes by, after so many nodes.
    pub fn reach(self, generated: u64) -> Reach {
        let mut branches: Vec<_> = self.paths.into_iter().zip(self.fewest).collect();
        branches.sort_unstable();
        Reach { generated, branches }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ida::testing::{Nothing, Strings, no_repetition, ops, task};

    fn reach(branches: &[(&str, u32)]) -> Reach {
        let branch = |&(path, fewest): &(&str, u32)| (Operators::from(&ops(path)[..]), fewest);
        Reach { generated: 5, branches: branches.iter().map(branch).collect() }
    }

    #[test]
    fn a_path_has_the_branches_above_and_below_it() {
        let reach = reach(&[("01", 7), ("020", 5), ("021", 4), ("10", 3), ("12", 9)]);
        for (path, fewest) in
            [("01", 7), ("012", 7), ("0120", 7), ("02", 4), ("0", 4), ("1", 3), ("120", 9), ("", 3)]
        {
            assert_eq!(reach.fewest(&ops(path)), fewest, "{path}");
        }
        for path in ["00", "022", "11", "2"] {
            assert_eq!(reach.fewest(&ops(path)), u32::MAX, "{path}");
        }
        assert_eq!(Reach::default().fewest(&ops("0")), u32::MAX);
    }

    #[test]
    fn large_trees_are_cut_into_more_branches() {
        let enough = |generated| Reach { generated, ..Reach::default() }.enough();
        assert_eq!([0, 1 << 20, 1 << 40].map(enough), [1024, 2048, 1 << 15]);
    }

    #[test]
    fn a_branch_has_the_fewest_moves_of_its_subtrees() {
        let rules = no_repetition();
        // The second branch has no subtree.
        let paths = ["12", "02", "01"].map(ops);
        let tasks = ["120", "121", "010", "012"].map(|path| task(&rules, path, 5));
        let mut branches = Branches::new::<Strings, Nothing>(&paths, &tasks);
        branches.note(&[(3, 2), (0, 4)]);
        branches.note(&[(2, 3), (1, 1)]);
        assert_eq!(branches.fewest, [1, u32::MAX, 2]);
        assert_eq!(branches.reach(5), reach(&[("01", 2), ("02", u32::MAX), ("12", 1)]));
    }
}
