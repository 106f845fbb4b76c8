//! Which partitions to read for one instance, chosen by trials.
//!
//! The idea: how many nodes a partition leaves differs by an order of magnitude from instance to instance, and
//! no partition is good on all. A search with a low bound takes milliseconds, and shows how the partition
//! will do with greater ones. So partitions are tried with a low bound; those that expand far more nodes
//! than the best are dropped, and the others are tried with the next bound, until the trials have expanded
//! as many nodes as they may. Then the best are tried in pairs, the best pairs with a third, and so on, as
//! long as the nodes that one more partition saves outweigh its lookups.
//!
//! Why no solution is lost: every sum is a lower bound, whichever partitions are read. Trials count nodes and
//! no time, so the choice, and with it every count of the search, is the same in each run and for each number
//! of threads.
//!
//! Cost: about as many nodes as the caller allows.

use std::cmp::Reverse;
use std::collections::HashSet;

use search_core::Run;

/// The most partitions that are read together.
const MOST: usize = 8;
/// The partitions that are read before any trial.
pub(super) const UNTRIED: usize = 3;
/// The most partitions that are tried, and how far their values at the start may be below the greatest.
const TRIED: usize = 192;
const NEAR: u32 = 2;
/// The partitions that are tried together with others: the best of the first round.
const PARTNERS: usize = 48;
/// The sets to which partners are added in each round: the best of the one before.
const LEADERS: usize = 4;
/// A set is dropped that expands so many times the nodes of the best.
const HOPELESS: u64 = 3;
/// The most bounds of a round; more nodes than are allowed are mostly reached after a few.
const MOST_BOUNDS: u32 = 16;
/// So few nodes drop no set.
const NOISE: u64 = 50;
/// About how many times as many nodes the next bound takes.
pub(super) const GROWTH: u64 = 8;
/// What a node costs, in lookups of one partition.
const NODE: u64 = 2;

/// The partitions with the greatest values at the start, the greatest first.
fn greatest(values: &[u32], count: usize) -> Vec<usize> {
    let mut partitions: Vec<usize> = (0..values.len()).collect();
    // Stable: of equals the first stays first.
    partitions.sort_by_key(|&partition| Reverse(values[partition]));
    partitions.truncate(count);
    partitions
}

/// The partitions to begin with.
pub(super) fn untried(values: &[u32]) -> Vec<usize> {
    greatest(values, UNTRIED)
}

/// Trials of the partitions of one instance.
pub(super) struct Trials<'a, N> {
    /// The value of each partition at the start.
    pub values: &'a [u32],
    /// The bound of the first trials.
    pub bound: u32,
    /// How much greater the next bound is.
    pub step: u32,
    /// The nodes that all trials together may expand, about.
    pub nodes: u64,
    /// The nodes that a search of some partitions expands with a bound.
    pub search: N,
    pub run: &'a Run<'a>,
}

/// Partitions that are tried together, and the nodes that they expanded with the last bound.
struct Candidate {
    set: Vec<usize>,
    nodes: u64,
}

impl<N: Fn(&[usize], u32) -> u64 + Sync> Trials<'_, N> {
    /// The partitions that promise the shortest search.
    pub fn choose(&self) -> Vec<usize> {
        let mut tried = greatest(self.values, TRIED);
        let least = self.values[tried[0]].saturating_sub(NEAR);
        tried.retain(|&partition| self.values[partition] >= least);
        let (mut leaders, _) = self.round(tried.into_iter().map(|partition| vec![partition]).collect());
        leaders.truncate(PARTNERS);
        let partners: Vec<usize> = leaders.iter().map(|leader| leader.set[0]).collect();
        loop {
            leaders.truncate(LEADERS);
            let size = leaders[0].set.len();
            if size == MOST.min(partners.len()) || self.run.is_cancelled() {
                break;
            }
            let (larger, bound) = self.round(one_more(&leaders, &partners));
            let without = leaders.iter().map(|leader| (self.search)(&leader.set, bound)).min().unwrap_or(0);
            let cost = |nodes: u64, lookups: usize| nodes * (NODE + lookups as u64);
            if cost(larger[0].nodes, size + 1) >= cost(without, size) {
                break;
            }
            leaders = larger;
        }
        leaders.swap_remove(0).set
    }

    /// Tries sets of one size with one bound after the other. Returns them, the best first, and the last bound.
    fn round(&self, sets: Vec<Vec<usize>>) -> (Vec<Candidate>, u32) {
        // Half of the nodes are for the first round, a quarter for the second, and so on.
        let allowed = self.nodes >> sets[0].len().min(4);
        let mut left: Vec<Candidate> = sets.into_iter().map(|set| Candidate { set, nodes: 0 }).collect();
        let (mut dropped, mut bound, mut spent) = (Vec::new(), self.bound, 0);
        loop {
            let counts = self.run.map(&left, |candidate| (self.search)(&candidate.set, bound));
            left.iter_mut().zip(&counts).for_each(|(candidate, &nodes)| candidate.nodes = nodes);
            left.sort_by_key(|candidate| candidate.nodes);
            let most = HOPELESS * left[0].nodes + NOISE;
            let end = left.partition_point(|candidate| candidate.nodes <= most);
            dropped.splice(0..0, left.drain(end..));
            spent += counts.iter().sum::<u64>();
            let next = GROWTH * left.iter().map(|candidate| candidate.nodes).sum::<u64>();
            let decided = left.len() == 1 || bound >= self.bound + MOST_BOUNDS * self.step;
            if decided || spent + next > allowed || self.run.is_cancelled() {
                left.append(&mut dropped);
                return (left, bound);
            }
            bound += self.step;
        }
    }
}

/// The leaders' sets, each with one partner more.
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

    /// Twelve partitions, each of which leaves a share of the nodes in some part of the tree; a set leaves
    /// the least of them in each part.
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
        let run = Run::new().with_threads(threads);
        Trials { values: &[3; 12], bound: 10, step: 1, nodes: nodes_allowed, search, run: &run }.choose()
    }

    #[test]
    fn sets_grow_as_long_as_lookups_pay() {
        let cost = |set: &[usize]| nodes(set, 12) * (NODE + set.len() as u64);
        let chosen = choose(1_000_000, 1, nodes);
        assert!(chosen.len() > 1);
        assert!((0..12).all(|other| cost(&chosen) <= cost(&[other])));
        let more = |other| cost(&[&chosen[..], &[other]].concat());
        assert!((0..12).filter(|other| !chosen.contains(other)).all(|other| cost(&chosen) <= more(other)));
        // One that is best everywhere needs no other.
        assert_eq!(
            choose(1_000_000, 1, |set, bound| if set.contains(&9) { 5 } else { nodes(set, bound) }),
            [9]
        );
    }

    #[test]
    fn the_choice_depends_on_no_thread_and_no_time() {
        for allowed in [0, 1000, 1_000_000] {
            assert_eq!(choose(allowed, 1, nodes), choose(allowed, 3, nodes));
        }
    }

    #[test]
    fn trials_keep_to_the_nodes_that_they_may_expand() {
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
        assert_eq!(untried(&[5, 7, 6, 7, 1]), [1, 3, 2]);
        assert_eq!(untried(&[4]), [0]);
    }
}
