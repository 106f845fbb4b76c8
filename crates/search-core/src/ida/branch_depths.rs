//! Branch ordering: each bound first searches the branches in which the previous bound went deepest.
//!
//! The idea: IDA\* spends most of its time on the last bound, which ends at its first solution. So the tree is split
//! into branches near the root. For each branch, an iteration records its depth: the fewest moves left at any node that
//! it expanded there. A solution of the next bound mostly lies in a deep branch, so the branches with the fewest moves
//! left come first.
//!
//! Invariant: only the order of the branches changes, so no solution is lost and the counts of complete iterations stay
//! the same. The branches and their order depend on the tree and the previous bounds alone; threads split branches into
//! smaller subtrees, which keep the branch's place in the order. So the solution found does not depend on the number of
//! threads.
//!
//! Cost: one comparison per expanded node. More branches make a better order, but splitting takes longer; their number
//! is chosen so that splitting is a small share of the iteration.
//!
//! Source: Powley and Korf 1991 (node ordering by the least h). docs/sliding-tiles.md has figures.

use super::operators::Operators;
use super::subtree::Subtree;
use crate::domain::Op;
use serde::{Deserialize, Serialize};

/// The number of nodes of the previous bound per branch; it determines the number of branches.
const NODES_PER_BRANCH: u64 = 512;
const BRANCHES: std::ops::RangeInclusive<u64> = 1024..=1 << 15;

/// The depth that one iteration reached in each branch.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BranchDepths {
    /// The number of nodes generated.
    generated: u64,
    /// Each branch, as the operators that lead to it, with the fewest moves left. Ascending; no branch begins with
    /// another.
    branches: Vec<(Operators, u32)>,
}

impl BranchDepths {
    /// The number of branches at which splitting stops in the next iteration. It does not depend on the number of
    /// threads.
    pub(super) fn enough(&self) -> usize {
        (self.generated / NODES_PER_BRANCH).clamp(*BRANCHES.start(), *BRANCHES.end()) as usize
    }

    /// The order in which branches are searched.
    pub(super) fn order<'a>(&self, paths: impl Iterator<Item = &'a [Op]>) -> Order {
        if self.branches.is_empty() {
            return Order::default();
        }
        let fewest: Vec<u32> = paths.map(|path| self.fewest(path)).collect();
        let mut known = fewest.clone();
        known.sort_unstable();
        known.dedup();
        let rank = |fewest: &u32| known.partition_point(|other| other < fewest).min(Order::LAST) as u8;
        Order(fewest.iter().map(|fewest| char::from(Order::FIRST + rank(fewest))).collect())
    }

    /// Merges the depths that parts of an iteration reached. The iteration generated `generated` nodes.
    pub(super) fn merged<'a>(parts: impl Iterator<Item = &'a BranchDepths>, generated: u64) -> BranchDepths {
        let mut branches: Vec<_> = parts.flat_map(|part| part.branches.iter().cloned()).collect();
        // If several parts reached a branch, `dedup` keeps the first entry, which has the fewest moves left.
        branches.sort_unstable();
        branches.dedup_by(|later, first| later.0 == first.0);
        BranchDepths { generated, branches }
    }

    /// The fewest moves left in any branch that begins with `path` or that `path` begins with; `u32::MAX` if there is
    /// none.
    fn fewest(&self, path: &[Op]) -> u32 {
        let path = Operators::from(path);
        let first = self.branches.partition_point(|(branch, _)| *branch < path);
        let inside = self.branches[first..].iter().take_while(|(branch, _)| branch.starts_with(&path));
        let around = self.branches[..first].last().filter(|(branch, _)| path.starts_with(branch));
        inside.chain(around).map(|&(_, fewest)| fewest).min().unwrap_or(u32::MAX)
    }
}

/// The order in which an iteration searches its branches: one rank per branch, written as a character. If it is empty,
/// the order of the operators applies.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Order(String);

impl Order {
    const FIRST: u8 = b'0';
    /// The greatest rank; it keeps every rank a printable character.
    const LAST: usize = 78;

    /// Sorts `branches` by rank; branches of equal rank keep their order. `None` if the number of branches differs.
    pub(super) fn apply<T>(&self, branches: Vec<T>) -> Option<Vec<T>> {
        if self.0.is_empty() {
            return Some(branches);
        }
        if self.0.len() != branches.len() {
            return None;
        }
        let mut branches: Vec<_> = branches.into_iter().map(Some).collect();
        let taken = |branch: usize| branches[branch].take().expect("each branch has one place");
        Some(self.sorted().into_iter().map(taken).collect())
    }

    /// The numbers of the branches, sorted by rank. Numbers are sorted instead of branches, so that sorting is compiled
    /// once.
    fn sorted(&self) -> Vec<usize> {
        let mut numbers: Vec<usize> = (0..self.0.len()).collect();
        numbers.sort_by_key(|&number| self.0.as_bytes()[number]);
        numbers
    }

    /// Whether the branches are searched in the order of the operators.
    pub(super) fn is_plain(&self) -> bool {
        self.0.is_empty()
    }
}

/// The branches of an iteration, in the order in which they are searched.
#[derive(Debug, Default)]
pub(super) struct Branches {
    paths: Vec<Operators>,
    /// For each branch, the number of its last subtree plus one.
    ends: Vec<usize>,
}

impl Branches {
    /// The branches that `paths` lead to, which were split into `subtrees`.
    pub(super) fn new<S, C>(paths: &[Vec<Op>], subtrees: &[Subtree<S, C>]) -> Branches {
        let mut end = 0;
        let ends = paths.iter().map(|path| {
            end += subtrees[end..].iter().take_while(|subtree| subtree.path.starts_with(path)).count();
            end
        });
        let ends = ends.collect();
        Branches { paths: paths.iter().map(|path| Operators::from(&path[..])).collect(), ends }
    }

    /// The depths of the branches that contain some subtrees; `reached` has the fewest moves left in each of these
    /// subtrees.
    pub(super) fn part(&self, reached: &[(usize, u32)]) -> BranchDepths {
        let mut fewest = vec![u32::MAX; self.paths.len()];
        for &(subtree, left) in reached {
            let branch = self.ends.partition_point(|&end| end <= subtree);
            fewest[branch] = left.min(fewest[branch]);
        }
        let all = self.paths.iter().zip(fewest).filter(|(_, fewest)| *fewest != u32::MAX);
        let mut branches: Vec<_> = all.map(|(path, fewest)| (path.clone(), fewest)).collect();
        branches.sort_unstable();
        BranchDepths { generated: 0, branches }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ida::counts::Counts;
    use crate::ida::expander::Expander;
    use crate::ida::split::{search_subtrees, split};
    use crate::ida::testing::{Nothing, Strings, expander, no_repetition, ops, subtree};
    use crate::run::Run;

    fn reach(branches: &[(&str, u32)]) -> BranchDepths {
        let branch = |&(path, fewest): &(&str, u32)| (Operators::from(&ops(path)[..]), fewest);
        BranchDepths { generated: 5, branches: branches.iter().map(branch).collect() }
    }

    #[test]
    fn a_path_includes_the_branches_above_and_below_it() {
        let reach = reach(&[("01", 7), ("020", 5), ("021", 4), ("10", 3), ("12", 9)]);
        for (path, fewest) in
            [("01", 7), ("012", 7), ("0120", 7), ("02", 4), ("0", 4), ("1", 3), ("120", 9), ("", 3)]
        {
            assert_eq!(reach.fewest(&ops(path)), fewest, "{path}");
        }
        for path in ["00", "022", "11", "2"] {
            assert_eq!(reach.fewest(&ops(path)), u32::MAX, "{path}");
        }
        assert_eq!(BranchDepths::default().fewest(&ops("0")), u32::MAX);
    }

    #[test]
    fn large_trees_are_split_into_more_branches() {
        let enough = |generated| BranchDepths { generated, ..BranchDepths::default() }.enough();
        assert_eq!([0, 1 << 20, 1 << 40].map(enough), [1024, 2048, 1 << 15]);
    }

    #[test]
    fn a_branch_has_the_fewest_moves_of_its_subtrees() {
        let rules = no_repetition();
        // The second branch has no subtree.
        let paths = ["12", "02", "01"].map(ops);
        let subtrees = ["120", "121", "010", "012"].map(|path| subtree(&rules, path, 5));
        let branches = Branches::new(&paths, &subtrees);
        assert_eq!(
            branches.part(&[(3, 2), (0, 4), (2, 3)]).branches,
            reach(&[("01", 2), ("12", 4)]).branches
        );
        let parts = [branches.part(&[(3, 2), (0, 4)]), branches.part(&[(2, 3), (1, 1)])];
        assert_eq!(BranchDepths::merged(parts.iter(), 5), reach(&[("01", 2), ("12", 1)]));
    }

    #[test]
    fn branches_with_fewer_moves_left_come_first_and_others_stay() {
        let reach = reach(&[("01", 7), ("020", 5), ("021", 4), ("10", 7)]);
        let paths = ["00", "01", "02", "10", "12"].map(ops);
        let order = reach.order(paths.iter().map(Vec::as_slice));
        assert_eq!(order.apply(vec!["00", "01", "02", "10", "12"]).unwrap(), ["02", "01", "10", "00", "12"]);
        assert_eq!(order.apply(vec![1, 2, 3]), None);
        let plain = BranchDepths::default().order(paths.iter().map(Vec::as_slice));
        assert_eq!((plain.is_plain(), plain.apply(vec![3, 1])), (true, Some(vec![3, 1])));
        // There are more ranks than characters, so the last ranks share one.
        let many: Vec<(Operators, u32)> = (0..27)
            .flat_map(|a| (0..3).map(move |b| (a, b)))
            .zip(0..)
            .map(|((a, b), fewest)| {
                let string = [Op::new(a / 9), Op::new(a / 3 % 3), Op::new(a % 3), Op::new(b)];
                (Operators::from(&string[..]), fewest)
            })
            .collect();
        let paths: Vec<Vec<Op>> = many.iter().rev().map(|(branch, _)| branch.to_ops()).collect();
        let order = BranchDepths { generated: 5, branches: many }.order(paths.iter().map(Vec::as_slice));
        let sorted = order.apply((0..81).rev().collect()).unwrap();
        assert_eq!(sorted[..78], (0..78).collect::<Vec<_>>());
        assert_eq!(sorted[78..], [80, 79, 78]);
    }

    #[test]
    fn depths_of_parts_are_merged() {
        let parts = [reach(&[("01", 4), ("12", 1)]), reach(&[]), reach(&[("01", 2), ("02", 9)])];
        let merged = reach(&[("01", 2), ("02", 9), ("12", 1)]);
        assert_eq!(BranchDepths::merged(parts.iter(), 5), merged);
    }

    /// Also of a branch that ends above the finer subtrees.
    #[test]
    fn the_depth_of_a_branch_does_not_depend_on_the_number_of_subtrees() {
        let (domain, rules, run) = (Strings(Vec::new()), no_repetition(), Run::new());
        // Below 12 strings have at most four operators, below 20 at most two.
        let ends: Nothing = |string| {
            let most = [("12", 4), ("20", 2)]
                .map(|(start, most)| string.starts_with(&ops(start)) && string.len() > most);
            if most.contains(&true) { u8::MAX } else { 0 }
        };
        let search = |enough| {
            let expander = Expander { heuristic: &ends, ..expander(&domain, &rules, &run) };
            let mut counts = Counts::default();
            let subtrees = split(&expander, vec![subtree(&rules, "", 12)], 6, &mut counts);
            let paths: Vec<_> = subtrees.iter().map(|subtree| subtree.path.clone()).collect();
            let subtrees = split(&expander, subtrees, enough, &mut counts);
            let branches = Branches::new(&paths, &subtrees);
            let (result, _) = search_subtrees(&expander, &subtrees, None, &|_| ());
            counts.add(&result.counts);
            (branches.part(&result.reached).branches, counts, subtrees.len())
        };
        let coarse = search(6);
        assert_eq!(
            coarse.0,
            reach(&[("01", 1), ("02", 1), ("10", 1), ("12", 8), ("20", 10), ("21", 1)]).branches
        );
        for enough in [20, 200] {
            let fine = search(enough);
            assert!(fine.2 >= enough);
            assert_eq!((&fine.0, fine.1), (&coarse.0, coarse.1), "{enough}");
        }
    }
}
