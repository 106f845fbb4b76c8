//! The current path of a depth-first search, and the children still to be visited along it.
//!
//! Invariant: level `d` holds the node at depth `d` of the current path, the operator that led to it, and those of its
//! children that survived the heuristic and are still to be visited. The next child is the first one of the deepest
//! level that has any, so nodes are visited in the order of the operators. Levels are overwritten in place and reused
//! for the next subtree.

use super::expander::Expander;
use super::subtree::{NodeOf, SubtreeOf};
use super::subtree_result::{Found, SubtreeResult};
use crate::domain::{Domain, Op, OpSet};
use crate::heuristic::{Batch, Heuristic};

/// A node of the path, with its open children.
pub(super) struct Level<D: Domain, H: Heuristic<D>> {
    pub node: NodeOf<D, H>,
    /// The operator that led here; arbitrary for the root.
    op: Op,
    /// Children still to be visited.
    pub open: OpSet,
    /// Scratch data left from evaluating the children.
    pub scratch: H::Scratch,
}

/// The outcome of taking the next child.
pub(super) enum Step {
    /// The root or a child is now the path's last node, to be expanded.
    Entered,
    /// Nothing below the child is to be searched.
    Passed,
    /// The subtree is finished: no child is left, or the solution found suffices.
    Done,
}

/// The path from the root of one subtree.
pub(super) struct Path<'t, D: Domain, H: Heuristic<D>> {
    /// The subtree's number.
    pub number: usize,
    subtree: &'t SubtreeOf<D, H>,
    /// At least one level; those beyond `depth` are stale.
    levels: Vec<Level<D, H>>,
    depth: usize,
    /// The greatest depth so far.
    deepest: usize,
    /// Whether the root is still to be entered.
    is_new: bool,
}

impl<'t, D: Domain, H: Heuristic<D>> Path<'t, D, H> {
    /// The path before the root of `subtree`, which is the first node to be entered.
    pub(super) fn new(number: usize, subtree: &'t SubtreeOf<D, H>) -> Self {
        let mut path = Path { number, subtree, levels: Vec::new(), depth: 0, deepest: 0, is_new: true };
        path.begin(number, subtree);
        path
    }

    /// Resets the path to the one before the root of `subtree`.
    pub(super) fn begin(&mut self, number: usize, subtree: &'t SubtreeOf<D, H>) {
        (self.number, self.subtree, self.depth, self.deepest) = (number, subtree, 0, 0);
        self.is_new = true;
        let levels = self.levels.len().max(subtree.remaining as usize);
        self.levels.resize_with(levels, || Level {
            node: subtree.node.clone(),
            op: Op::new(0),
            open: OpSet::EMPTY,
            scratch: H::Scratch::default(),
        });
        self.levels[0].node = subtree.node.clone();
        self.levels[0].open = OpSet::EMPTY;
    }

    /// The last node of the path.
    #[inline(always)]
    pub(super) fn last(&mut self) -> &mut Level<D, H> {
        &mut self.levels[self.depth]
    }

    /// Expands the last node. Returns its children, at the first stage.
    #[inline(always)]
    pub(super) fn expand_last(&mut self, expander: &Expander<'_, D, H>, result: &mut SubtreeResult) -> Batch {
        let remaining = self.remaining();
        expander.expand(&self.last().node, None, remaining, &mut result.counts)
    }

    /// Takes the next child: enters it, or tests it if it is a leaf. The first call enters the root.
    #[inline(always)]
    pub(super) fn advance(&mut self, expander: &Expander<'_, D, H>, result: &mut SubtreeResult) -> Step {
        let Some(op) = self.next_child() else {
            return if std::mem::take(&mut self.is_new) { Step::Entered } else { Step::Done };
        };
        let is_leaf = self.remaining() == 1;
        let level = self.last();
        if is_leaf {
            if expander.is_goal_leaf(&level.node, op, &mut result.counts) {
                expander.stop.found(self.number);
                result.found.push(self.found(op));
                if expander.stop.first_is_enough() {
                    return Step::Done;
                }
            }
            return Step::Passed;
        }
        let (above, below) = self.levels.split_at_mut(self.depth + 1);
        let (level, child) = (&above[self.depth], &mut below[0]);
        expander.become_child(&mut child.node, &level.node, op, &level.scratch);
        if expander.passes_goal(&child.node.state) {
            return Step::Passed;
        }
        child.op = op;
        child.open = OpSet::EMPTY;
        self.depth += 1;
        self.deepest = self.deepest.max(self.depth);
        Step::Entered
    }

    /// The number of moves left below the last node, at least 1.
    #[inline(always)]
    fn remaining(&self) -> u32 {
        self.subtree.remaining - self.depth as u32
    }

    /// Records how deep the search went into the subtree that it leaves.
    pub(super) fn leave(&self, result: &mut SubtreeResult) {
        result.reached.push((self.number, self.subtree.remaining - self.deepest as u32));
    }

    /// Returns to the deepest node with an open child, and takes that child.
    #[inline(always)]
    fn next_child(&mut self) -> Option<Op> {
        loop {
            if let Some(op) = self.last().open.pop_first() {
                return Some(op);
            }
            if self.depth == 0 {
                return None;
            }
            self.depth -= 1;
        }
    }

    /// The solution that ends with `op`, applied to the last node.
    fn found(&self, op: Op) -> Found {
        let below = self.levels[1..=self.depth].iter().map(|level| level.op);
        Found {
            subtree: self.number,
            path: self.subtree.path.iter().copied().chain(below).chain([op]).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ida::Wanted;
    use crate::ida::stop::{Leave, Stop};
    use crate::ida::testing::{Nothing, Strings, digits, expander, no_repetition, ops, subtree};
    use crate::run::Run;

    /// The strings of the expanded nodes, in order, and the result.
    fn expanded(
        expander: &Expander<'_, Strings, Nothing>,
        path: &mut Path<'_, Strings, Nothing>,
    ) -> (Vec<String>, SubtreeResult) {
        let (mut expanded, mut result) = (Vec::new(), SubtreeResult::default());
        loop {
            match path.advance(expander, &mut result) {
                Step::Entered => {
                    expanded.push(digits(&path.last().node.state));
                    path.last().open = path.expand_last(expander, &mut result).ops;
                }
                Step::Passed => {}
                Step::Done => return (expanded, result),
            }
        }
    }

    #[test]
    fn nodes_are_visited_in_the_order_of_the_operators() {
        let (domain, rules, run) = (Strings(Vec::new()), no_repetition(), Run::new());
        let expander = expander(&domain, &rules, &run);
        let (below, after) = (subtree(&rules, "2", 3), subtree(&rules, "01", 2));
        let mut path = Path::new(4, &below);
        let (nodes, result) = expanded(&expander, &mut path);
        assert_eq!(nodes, ["2", "20", "201", "202", "21", "210", "212"]);
        assert_eq!((result.counts.expanded, result.counts.generated), (7, 14));
        // The levels are reused for the next subtree.
        path.begin(5, &after);
        assert_eq!(expanded(&expander, &mut path).0, ["01", "010", "012"]);
        // A leaf that has a child shows that the bound was too small.
        assert_eq!(result.counts.least_excess, 1);
    }

    #[test]
    fn the_first_solution_ends_a_subtree() {
        let (rules, run) = (no_repetition(), Run::new());
        let domain = Strings(vec![ops("2010"), ops("2012"), ops("2101")]);
        let expander = expander(&domain, &rules, &run);
        let subtree = subtree(&rules, "2", 3);
        let (nodes, result) = expanded(&expander, &mut Path::new(4, &subtree));
        assert_eq!(nodes, ["2", "20", "201"]);
        let found: Vec<_> = result.found.iter().map(|found| (found.subtree, digits(&found.path))).collect();
        assert_eq!(found, [(4, "2010".to_owned())]);
        assert!(
            expander.stop.skips(5) && !expander.stop.skips(4),
            "only later subtrees need not be searched"
        );
    }

    #[test]
    fn nothing_is_searched_below_a_goal_when_all_solutions_are_wanted() {
        let (rules, run) = (no_repetition(), Run::new());
        let domain = Strings(vec![ops("20"), ops("202"), ops("212")]);
        let all = Wanted::All { extra: 0 };
        let expander =
            Expander { wanted: all, stop: Stop::new(Leave::Never), ..expander(&domain, &rules, &run) };
        let subtree = subtree(&rules, "2", 2);
        let (nodes, result) = expanded(&expander, &mut Path::new(0, &subtree));
        assert_eq!(nodes, ["2", "21"]);
        assert_eq!(result.found.iter().map(|found| digits(&found.path)).collect::<Vec<_>>(), ["212"]);
    }
}
