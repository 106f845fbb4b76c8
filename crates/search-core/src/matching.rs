//! Choosing groups of subgoals to count: maximum weighted matching in graphs and hypergraphs.
//!
//! The idea (Korf & Taylor 1996, "Applying the Heuristics"): the cost of a group of subgoals beyond
//! the sum of its members' costs is a hyperedge over the members. Groups that share no member may
//! be counted together, so the best bound is a heaviest set of disjoint hyperedges.
//!
//! [`greedy`] repeatedly takes the heaviest hyperedge that is still free. [`exact`] decides node by node: the least
//! remaining node is either alone or in one of its hyperedges; each set of remaining nodes is solved once. Components
//! are solved separately.
//!
//! Both results are sums over disjoint groups, so both are admissible.
//!
//! Cost: greedy, sorting. Exact, the number of sets that can remain. It is exponential in the span of hyperedges in the
//! order of the nodes, and small for the sparse graphs that arise from conflicts along lines. With hyperedges of three
//! or more nodes the problem is NP-complete, so the caller gives a limit.
//!
//! ```
//! use search_core::matching::{Hyperedge, exact, greedy};
//!
//! // A path of four nodes whose middle edge is the heaviest.
//! let edges = [(0b0011, 2), (0b0110, 3), (0b1100, 2)].map(|(nodes, weight)| Hyperedge { nodes, weight });
//! assert_eq!(greedy(&edges), 3);
//! assert_eq!(exact(&edges, 1000), Some(4));
//! ```

use std::collections::HashMap;

/// A group of at most 64 nodes, and its weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hyperedge {
    /// The nodes, as a set of bits; not empty.
    pub nodes: u64,
    /// The weight.
    pub weight: u32,
}

/// The total weight of the disjoint hyperedges found by always taking the heaviest one left; ties are broken by fewer
/// nodes, then by order.
pub fn greedy(edges: &[Hyperedge]) -> u32 {
    let mut order: Vec<&Hyperedge> = edges.iter().collect();
    order.sort_by_key(|edge| (std::cmp::Reverse(edge.weight), edge.nodes.count_ones()));
    let mut taken = 0;
    let mut total = 0;
    for edge in order {
        if edge.nodes & taken == 0 {
            taken |= edge.nodes;
            total += edge.weight;
        }
    }
    total
}

/// The greatest weight of disjoint hyperedges, or `None` when more than `limit` sets of remaining
/// nodes would have to be solved.
pub fn exact(edges: &[Hyperedge], limit: usize) -> Option<u32> {
    let mut left = edges.iter().fold(0, |nodes, edge| nodes | edge.nodes);
    let mut total = 0;
    let mut solved = 0;
    while left != 0 {
        let component = component(edges, left & left.wrapping_neg());
        let mut search = MatchingSearch { edges, limit: limit - solved, known: HashMap::new() };
        total += search.best(component)?;
        solved += search.known.len();
        left &= !component;
    }
    Some(total)
}

/// The nodes connected to those of `nodes`.
fn component(edges: &[Hyperedge], mut nodes: u64) -> u64 {
    loop {
        let touching = edges.iter().filter(|edge| edge.nodes & nodes != 0);
        let grown = touching.fold(nodes, |nodes, edge| nodes | edge.nodes);
        if grown == nodes {
            return nodes;
        }
        nodes = grown;
    }
}

struct MatchingSearch<'a> {
    edges: &'a [Hyperedge],
    limit: usize,
    known: HashMap<u64, u32>,
}

impl MatchingSearch<'_> {
    /// The greatest weight within the remaining nodes.
    fn best(&mut self, left: u64) -> Option<u32> {
        if left == 0 {
            return Some(0);
        }
        if let Some(&known) = self.known.get(&left) {
            return Some(known);
        }
        let least = left & left.wrapping_neg();
        let mut best = self.best(left & !least)?;
        for edge in self.edges.iter().filter(|edge| edge.nodes & least != 0 && edge.nodes & !left == 0) {
            best = best.max(edge.weight + self.best(left & !edge.nodes)?);
        }
        if self.known.len() >= self.limit {
            return None;
        }
        self.known.insert(left, best);
        Some(best)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Reference implementation: tries all sets of hyperedges.
    fn brute(edges: &[Hyperedge], taken: u64) -> u32 {
        let Some((first, rest)) = edges.split_first() else { return 0 };
        let without = brute(rest, taken);
        if first.nodes & taken != 0 {
            return without;
        }
        without.max(first.weight + brute(rest, taken | first.nodes))
    }

    #[test]
    fn the_papers_examples_have_their_weights() {
        let edge = |nodes, weight| Hyperedge { nodes, weight };
        // (3 2 1): a triangle of pairs loses half; the triple keeps it.
        let triangle = [edge(0b011, 2), edge(0b101, 2), edge(0b110, 2)];
        assert_eq!(exact(&triangle, 100), Some(2));
        let with_triple = [triangle.as_slice(), &[edge(0b111, 4)]].concat();
        assert_eq!((exact(&with_triple, 100), greedy(&with_triple)), (Some(4), 4));
        // A path of three: greedy by weight takes the middle one and loses the ends.
        let path = [edge(0b0011, 2), edge(0b0110, 3), edge(0b1100, 2)];
        assert_eq!((exact(&path, 100), greedy(&path)), (Some(4), 3));
        assert_eq!(exact(&path, 1), None);
        assert_eq!((exact(&[], 1), greedy(&[])), (Some(0), 0));
    }

    proptest! {
        #[test]
        fn exact_equals_brute_force_and_greedy_does_not_exceed_it(
            edges in prop::collection::vec((1u64..1 << 9, 1u32..9), 0..12)
        ) {
            let edges: Vec<Hyperedge> =
                edges.into_iter().map(|(nodes, weight)| Hyperedge { nodes, weight }).collect();
            let best = brute(&edges, 0);
            prop_assert_eq!(exact(&edges, usize::MAX), Some(best));
            prop_assert!(greedy(&edges) <= best);
        }
    }
}
