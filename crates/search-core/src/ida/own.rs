//! The queue of subtrees for a heuristic's own kernel.
//!
//! The heuristic counts nodes and finds solutions; this queue hands out subtrees as the other kernels take them, and
//! records the counts, the solutions and the depths as they do. So a search is the same with each kernel.

use super::Wanted;
use super::expander::Expander;
use super::subtree::SubtreeOf;
use super::subtree_result::{Found, SubtreeResult};
use crate::domain::{Domain, Op};
use crate::heuristic::{Heuristic, NodeCounts, SubtreeQueue, SubtreeRoot};

/// The subtrees that `next_subtree` returns.
struct Queue<'q, 't, D: Domain, H: Heuristic<D>, N> {
    expander: &'q Expander<'q, D, H>,
    next_subtree: N,
    /// The subtrees that are being searched, with their numbers.
    in_flight: Vec<(usize, &'t SubtreeOf<D, H>)>,
    result: &'q mut SubtreeResult,
    reported: u64,
}

/// Searches the subtrees that `next_subtree` returns by the heuristic's own kernel. Returns false, without having taken
/// one, if it has none or does not suit the search.
#[inline(always)]
pub(super) fn run<'t, D, H>(
    expander: &Expander<'_, D, H>,
    lanes: usize,
    next_subtree: impl FnMut() -> Option<(usize, &'t SubtreeOf<D, H>)>,
    result: &mut SubtreeResult,
) -> bool
where
    D: Domain + 't,
    H: Heuristic<D> + 't,
{
    // A search for all solutions tests each node whether it is a goal.
    if expander.wanted != Wanted::First {
        return false;
    }
    let mut queue = Queue { expander, next_subtree, in_flight: Vec::new(), result, reported: 0 };
    expander.heuristic.search_subtrees(expander.domain, expander.automaton, lanes, &mut queue)
}

impl<'t, D, H, N> SubtreeQueue<D, H::Carry> for Queue<'_, 't, D, H, N>
where
    D: Domain,
    H: Heuristic<D>,
    N: FnMut() -> Option<(usize, &'t SubtreeOf<D, H>)>,
{
    fn next(&mut self) -> Option<SubtreeRoot<'_, D, H::Carry>> {
        let (number, subtree) = (self.next_subtree)()?;
        self.in_flight.push((number, subtree));
        let node = &subtree.node;
        let (state, carry, fsm) = (&node.state, &node.carry, node.fsm);
        Some(SubtreeRoot { number, state, carry, fsm, remaining: subtree.remaining })
    }

    fn report(&mut self, counts: &NodeCounts) -> bool {
        self.result.counts.add_own(counts);
        self.expander.report_nodes(self.result.counts.generated, &mut self.reported);
        self.expander.stop.check_incumbent();
        !self.expander.run.is_cancelled()
    }

    fn end(&self) -> usize {
        self.expander.stop.end()
    }

    fn found(&mut self, number: usize, ops: Vec<Op>) -> bool {
        let (_, subtree) = self.in_flight.iter().find(|(known, _)| *known == number).expect("in flight");
        let path = subtree.path.iter().copied().chain(ops).collect();
        self.expander.stop.found(number);
        self.result.found.push(Found { subtree: number, path });
        self.expander.stop.first_is_enough()
    }

    fn leave(&mut self, number: usize, deepest: u32) {
        let at = self.in_flight.iter().position(|(known, _)| *known == number).expect("in flight");
        let (_, subtree) = self.in_flight.swap_remove(at);
        self.result.reached.push((number, subtree.remaining - deepest));
    }
}
