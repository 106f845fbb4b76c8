//! The partitions of pattern databases that a search of one board reads, chosen by trials.
//!
//! The idea: the number of nodes that a partition leaves differs by an order of magnitude from board to board, and no
//! partition is good on all of them. A search with a low bound takes milliseconds, and shows how good the partition
//! will be with greater bounds. So partitions are tried with a low bound; those that expand far more nodes than the
//! best are dropped, and the others are tried with the next bound, until the trials have expanded as many nodes as they
//! are allowed. Then the best are tried in pairs, the best pairs with a third, and so on, as long as the nodes that one
//! more partition saves outweigh its lookups. As bounds grow, the partitions are chosen again by longer trials.
//!
//! Why no solution is lost: every sum is a lower bound, whichever partitions are read. Trials count nodes and
//! no time, so the choice, and with it every count of the search, is the same in each run and for each number
//! of threads.
//!
//! Cost: about a sixteenth of the nodes of the search.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::ops::RangeInclusive;

use search_core::Run;
use search_core::ida::Choice;
use search_core::record::Iteration;

/// The greatest number of partitions that are read together.
const MOST: usize = 8;
/// The number of partitions that are read before any trial.
const UNTRIED: usize = 3;
/// The greatest number of partitions that are tried.
const TRIED: usize = 192;
/// The greatest difference at the start between the value of a partition that is tried and the best value.
const NEAR: u32 = 2;
/// The number of partitions that are tried together with others: the best of the first round.
const PARTNERS: usize = 48;
/// The number of sets to which partners are added in each round: the best of the round before.
const LEADERS: usize = 4;
/// A set is dropped when it expands more than this many times the nodes of the best.
const HOPELESS: u64 = 3;
/// The greatest number of bounds in a round; the allowed nodes are mostly reached after a few.
const MOST_BOUNDS: u32 = 16;
/// Differences of at most this many nodes are ignored.
const NOISE: u64 = 50;
/// The expected factor between the nodes of one bound and those of the next.
pub(crate) const GROWTH_PER_BOUND: u64 = 8;
/// The cost of a node without its partitions, in units of what one more partition adds: the number with which choices
/// are best (docs/measurements/tiles.md).
const NODE: u64 = 24;
/// Trials expand about one node for this many nodes of the search.
const SHARE: u64 = 16;
/// The allowed nodes of trials: fewer are no basis for a choice, more do not improve it.
const TRIALS: RangeInclusive<u64> = 16_000..=1 << 25;
/// Partitions are chosen again when trials may expand this many times the nodes of the last ones.
const AGAIN: u64 = 8;

/// The partitions with the greatest values at the start, the greatest first.
fn greatest(values: &[u32], count: usize) -> Vec<usize> {
    let mut partitions: Vec<usize> = (0..values.len()).collect();
    // Stable: of equals the first stays first.
    partitions.sort_by_key(|&partition| Reverse(values[partition]));
    partitions.truncate(count);
    partitions
}

/// The choice of partitions for one board, by trial searches.
pub(crate) struct Trials<'a, N> {
    /// The value of each partition at the start.
    pub values: &'a [u32],
    /// The first bound, with which trials begin.
    pub bound: u32,
    /// The difference between successive bounds.
    pub step: u32,
    /// Returns the number of nodes that a search of some partitions expands with a bound.
    pub search: N,
}

/// Partitions that are tried together, and the number of nodes that they expanded with the last bound.
struct Candidate {
    set: Vec<usize>,
    nodes: u64,
}

impl<N: Fn(&[usize], u32, &Run<'_>) -> u64 + Sync> Trials<'_, N> {
    /// The choice before any trial.
    pub fn untried(&self) -> Choice {
        self.greatest(UNTRIED)
    }

    /// The partitions with the greatest values.
    pub fn greatest(&self, count: usize) -> Choice {
        Choice { parts: greatest(self.values, count), trials: 0 }
    }

    /// The choice after some further iterations: `choice` until trials may expand many more nodes than those that made it.
    pub fn after(&self, choice: Choice, iterations: &[Iteration], run: &Run<'_>) -> Choice {
        let longer = |trials, last| self.due(trials, last).unwrap_or(trials);
        match iterations.iter().fold(choice.trials, longer) {
            trials if trials == choice.trials => choice,
            trials => Choice { parts: self.choose(trials, run), trials },
        }
    }

    /// The nodes that trials after an iteration may expand, if partitions are to be chosen again.
    fn due(&self, trials: u64, last: &Iteration) -> Option<u64> {
        let allowed = (last.expanded * GROWTH_PER_BOUND / SHARE).min(*TRIALS.end());
        (allowed >= (AGAIN * trials).max(*TRIALS.start()) && self.values.len() > UNTRIED).then_some(allowed)
    }

    /// The partitions with the shortest expected search, by trials that expand about `nodes` nodes.
    fn choose(&self, nodes: u64, run: &Run<'_>) -> Vec<usize> {
        let mut tried = greatest(self.values, TRIED);
        let least = self.values[tried[0]].saturating_sub(NEAR);
        tried.retain(|&partition| self.values[partition] >= least);
        let singles = tried.into_iter().map(|partition| vec![partition]).collect();
        let (mut leaders, _) = self.round(singles, nodes, run);
        leaders.truncate(PARTNERS);
        let partners: Vec<usize> = leaders.iter().map(|leader| leader.set[0]).collect();
        loop {
            leaders.truncate(LEADERS);
            let size = leaders[0].set.len();
            if size == MOST.min(partners.len()) || run.is_cancelled() {
                break;
            }
            let (larger, bound) = self.round(one_more(&leaders, &partners), nodes, run);
            let without =
                leaders.iter().map(|leader| (self.search)(&leader.set, bound, run)).min().unwrap_or(0);
            let cost = |nodes: u64, lookups: usize| nodes * (NODE + lookups as u64);
            if cost(larger[0].nodes, size + 1) >= cost(without, size) {
                break;
            }
            leaders = larger;
        }
        leaders.swap_remove(0).set
    }

    /// Tries sets of one size, bound after bound. Returns them, the best first, and the last bound.
    fn round(&self, sets: Vec<Vec<usize>>, nodes: u64, run: &Run<'_>) -> (Vec<Candidate>, u32) {
        // Half of the nodes are for the first round, a quarter for the second, and so on.
        let allowed = nodes >> sets[0].len().min(4);
        let mut left: Vec<Candidate> = sets.into_iter().map(|set| Candidate { set, nodes: 0 }).collect();
        let (mut dropped, mut bound, mut spent) = (Vec::new(), self.bound, 0);
        loop {
            let counts = run.map(&left, |candidate| (self.search)(&candidate.set, bound, run));
            left.iter_mut().zip(&counts).for_each(|(candidate, &nodes)| candidate.nodes = nodes);
            left.sort_by_key(|candidate| candidate.nodes);
            let most = HOPELESS * left[0].nodes + NOISE;
            let end = left.partition_point(|candidate| candidate.nodes <= most);
            dropped.splice(0..0, left.drain(end..));
            spent += counts.iter().sum::<u64>();
            let next = GROWTH_PER_BOUND * left.iter().map(|candidate| candidate.nodes).sum::<u64>();
            let decided = left.len() == 1 || bound >= self.bound + MOST_BOUNDS * self.step;
            if decided || spent + next > allowed || run.is_cancelled() {
                left.append(&mut dropped);
                return (left, bound);
            }
            bound += self.step;
        }
    }
}

/// The sets of the leaders, each extended by one partner.
fn one_more(leaders: &[Candidate], partners: &[usize]) -> Vec<Vec<usize>> {
    let (mut sets, mut known) = (Vec::new(), HashSet::new());
    for Candidate { set, .. } in leaders {
        for partner in partners.iter().filter(|partner| !set.contains(partner)) {
            let larger = [&set[..], &[*partner]].concat();
            let mut members = larger.clone();
            members.sort_unstable();
            if known.insert(members) {
                sets.push(larger);
            }
        }
    }
    sets
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU64, Ordering};

    /// A model of twelve partitions: each leaves a share of the nodes in each part of the tree, and a set leaves the
    /// least share of its members.
    fn nodes(set: &[usize], bound: u32) -> u64 {
        let share = |partition: usize, part: usize| 1 + ((partition * 7 + part * 5) % 12) as u64;
        let least = |part| set.iter().map(|&partition| share(partition, part)).min().unwrap_or(0);
        (0..6).map(least).sum::<u64>() * 8u64.pow(bound - 10)
    }

    fn choose(
        nodes_allowed: u64,
        threads: usize,
        search: impl Fn(&[usize], u32) -> u64 + Sync,
    ) -> Vec<usize> {
        let search = |set: &[usize], bound, _: &Run<'_>| search(set, bound);
        let trials = Trials { values: &[3; 12], bound: 10, step: 1, search };
        trials.choose(nodes_allowed, &Run::new().with_threads(threads))
    }

    #[test]
    fn partitions_are_added_while_they_save_more_than_their_lookups() {
        let cost = |set: &[usize]| nodes(set, 12) * (NODE + set.len() as u64);
        let chosen = choose(1_000_000, 1, nodes);
        assert!(chosen.len() > 1);
        assert!((0..12).all(|other| cost(&chosen) <= cost(&[other])));
        let more = |other| cost(&[&chosen[..], &[other]].concat());
        assert!((0..12).filter(|other| !chosen.contains(other)).all(|other| cost(&chosen) <= more(other)));
        // A partition that is best everywhere needs no other.
        assert_eq!(
            choose(1_000_000, 1, |set, bound| if set.contains(&9) { 5 } else { nodes(set, bound) }),
            [9]
        );
    }

    #[test]
    fn the_choice_is_the_same_for_any_number_of_threads() {
        for allowed in [0, 1000, 1_000_000] {
            assert_eq!(choose(allowed, 1, nodes), choose(allowed, 3, nodes));
        }
    }

    #[test]
    fn trials_expand_about_the_allowed_nodes() {
        let spent = AtomicU64::new(0);
        let counted = |set: &[usize], bound| {
            let nodes = nodes(set, bound);
            spent.fetch_add(nodes, Ordering::Relaxed);
            nodes
        };
        for allowed in [20_000, 200_000, 2_000_000] {
            spent.store(0, Ordering::Relaxed);
            choose(allowed, 1, counted);
            assert!(spent.load(Ordering::Relaxed) <= 2 * allowed, "{allowed}");
        }
    }

    #[test]
    fn the_greatest_values_come_first() {
        let untried = |values| {
            let search = |_: &[usize], _: u32, _: &Run<'_>| 0;
            Trials { values, bound: 10, step: 1, search }.untried().parts
        };
        assert_eq!(untried(&[5, 7, 6, 7, 1]), [1, 3, 2]);
        assert_eq!(untried(&[4]), [0]);
    }
}
