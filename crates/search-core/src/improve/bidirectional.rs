//! Optimal paths between near states: bidirectional search by increasing cost.
//!
//! The idea: two searches grow around the two ends of a window, always the one with fewer states to expand. Each expands
//! its states in order of their cost from its end. They meet in the middle of a path, so both remain small.
//!
//! Invariant: when one search has expanded all states that cost less than `f`, and the other those that cost less than
//! `b`, every path that costs at most `f + b` was found. For take a path, and its first state that costs `f` or more from
//! the first end: the state before it was expanded, so the first search knows it. What is left costs at most `b`, so the
//! state after it costs less than `b` from the other end (each move costs at least 1) and was expanded too: both searches
//! know the state, and the cost of their sum was considered when the second of them reached it.
//!
//! States from which the other end is too far by the heuristic are left out: no wanted path visits them.
//!
//! Every move must have an inverse of the same cost. The heuristic is a lower bound on the cost of a path between any two
//! states.
//!
//! Cost: for unit costs, a branching factor `b` and paths of length `n`, about `2 b^(n / 2)` states in memory without a
//! heuristic. The states that the last step reaches are looked up, but not kept.
//!
//! Source: I. Pohl, "Bi-directional search" (1971).

use super::{Shorten, Unsolved, Window};
use crate::domain::{Domain, Op, OpSet};
use crate::run::Run;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::Hash;
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// The number of expanded states between two questions whether to stop.
const PACE: usize = 1 << 10;

/// Bidirectional search in a domain whose moves can be undone, with a lower bound on the cost between two states.
#[derive(Debug)]
pub struct Bidirectional<'a, D, H> {
    domain: &'a D,
    heuristic: H,
    costs: Vec<u32>,
    modulus: u32,
}

impl<'a, D: Domain, H: Fn(&D::State, &D::State) -> u32> Bidirectional<'a, D, H> {
    /// The search in `domain`, where each operator costs 1. `heuristic` is a lower bound on the cost between two states; 0
    /// is one.
    ///
    /// # Panics
    /// If the domain has no operators, or too many.
    pub fn new(domain: &'a D, heuristic: H) -> Bidirectional<'a, D, H> {
        let costs = vec![1; crate::domain::checked_op_count(domain)];
        Bidirectional { domain, heuristic, costs, modulus: 1 }
    }

    /// Sets the cost of each operator. An operator and its inverse have the same cost.
    ///
    /// # Panics
    /// If a cost is 0, or the number of costs is not that of the operators.
    #[must_use]
    pub fn costs(self, costs: Vec<u32>) -> Self {
        assert_eq!(costs.len(), self.costs.len(), "each operator has a cost");
        assert!(costs.iter().all(|&cost| cost > 0), "each operator costs at least 1");
        Bidirectional { costs, ..self }
    }

    /// States that the costs of all paths between two states are congruent modulo `modulus`, at least 1.
    #[must_use]
    pub fn modulus(self, modulus: u32) -> Self {
        Bidirectional { modulus: modulus.max(1), ..self }
    }
}

impl<D, H> Shorten for Bidirectional<'_, D, H>
where
    D: Domain<State: Eq + Hash>,
    H: Fn(&D::State, &D::State) -> u32,
{
    type State = D::State;
    type Move = Op;

    fn apply(&self, state: &D::State, op: &Op) -> D::State {
        self.domain.apply(state, *op)
    }

    fn cost(&self, op: &Op) -> u32 {
        self.costs[op.index()]
    }

    fn cheapest(
        &self,
        window: &Window<'_, D::State, Op>,
        run: &Run<'_>,
    ) -> Result<Option<Vec<Op>>, Unsolved> {
        if window.from == window.to {
            return Ok(Some(Vec::new()));
        }
        // The greatest cost that is wanted and possible.
        let less = (window.cost - window.most).next_multiple_of(self.modulus);
        let Some(most) = window.cost.checked_sub(less).filter(|&most| most > 0) else { return Ok(None) };
        if (self.heuristic)(window.from, window.to) > most {
            return Ok(None);
        }
        Search::new(self, window, most, run).solve(run)
    }
}

/// A state that a search has reached.
struct Node<S> {
    state: S,
    cost: u32,
    /// The node from which it was reached; the end has itself.
    parent: u32,
}

/// The search around one end.
struct Side<S> {
    nodes: Vec<Node<S>>,
    places: HashMap<S, u32>,
    /// The nodes of each cost, from 0. A node that was reached more cheaply later is in both lists.
    open: Vec<Vec<u32>>,
    /// All nodes that cost less are expanded.
    expanded: u32,
}

impl<S: Clone + Eq + Hash> Side<S> {
    fn new(end: &S) -> Side<S> {
        let mut side = Side { nodes: Vec::new(), places: HashMap::new(), open: Vec::new(), expanded: 0 };
        side.reach(end.clone(), 0, 0);
        side
    }

    /// Adds a state, or improves the way to it.
    fn reach(&mut self, state: S, cost: u32, parent: u32) {
        let place = match self.places.entry(state) {
            Entry::Occupied(known) => {
                let node = &mut self.nodes[*known.get() as usize];
                if node.cost <= cost {
                    return;
                }
                (node.cost, node.parent) = (cost, parent);
                *known.get()
            }
            Entry::Vacant(vacant) => {
                self.nodes.push(Node { state: vacant.key().clone(), cost, parent });
                *vacant.insert((self.nodes.len() - 1) as u32)
            }
        };
        let cost = cost as usize;
        if self.open.len() <= cost {
            self.open.resize_with(cost + 1, Vec::new);
        }
        self.open[cost].push(place);
    }

    /// The nodes to expand next.
    fn next(&self) -> &[u32] {
        self.open.get(self.expanded as usize).map_or(&[], |nodes| nodes)
    }

    /// The states from a node to the end.
    fn states(&self, mut place: u32) -> Vec<&S> {
        let mut states = vec![&self.nodes[place as usize].state];
        while place != self.nodes[place as usize].parent {
            place = self.nodes[place as usize].parent;
            states.push(&self.nodes[place as usize].state);
        }
        states
    }
}

/// The search of one window.
struct Search<'a, D: Domain, H> {
    windows: &'a Bidirectional<'a, D, H>,
    ends: [&'a D::State; 2],
    sides: [Side<D::State>; 2],
    /// The operators in the order in which children are generated.
    ops: Vec<Op>,
    /// The greatest cost of a path that is still wanted.
    most: u32,
    /// The two nodes, one of each side, between which the best path takes one move.
    best: Option<[u32; 2]>,
    /// The number of paths of its cost, and the seed of a choice among them.
    ties: u64,
    choice: Option<u64>,
    most_nodes: u64,
}

impl<'a, D, H> Search<'a, D, H>
where
    D: Domain<State: Eq + Hash>,
    H: Fn(&D::State, &D::State) -> u32,
{
    fn new(
        windows: &'a Bidirectional<'a, D, H>,
        window: &Window<'a, D::State, Op>,
        most: u32,
        run: &Run<'_>,
    ) -> Search<'a, D, H> {
        let node = 2 * size_of::<D::State>() + size_of::<Node<D::State>>() + 4 * size_of::<u32>();
        Search {
            windows,
            ends: [window.from, window.to],
            sides: [window.from, window.to].map(Side::new),
            ops: ordered(windows.costs.len(), window.choice),
            most,
            best: None,
            ties: 0,
            choice: window.choice,
            most_nodes: run.memory() / node as u64,
        }
    }

    fn solve(mut self, run: &Run<'_>) -> Result<Option<Vec<Op>>, Unsolved> {
        let mut steps = 0;
        loop {
            let known = self.sides[0].expanded + self.sides[1].expanded;
            let is_exhausted = self.sides.iter().any(|side| side.open.len() <= side.expanded as usize);
            if known >= self.most || is_exhausted {
                break;
            }
            // What the last step reaches is of use only if the other search knows it.
            let is_last = known + 1 == self.most;
            let near = usize::from(self.sides[1].next().len() < self.sides[0].next().len());
            for place in std::mem::take(&mut self.sides[near].open[self.sides[near].expanded as usize]) {
                steps += 1;
                if steps % PACE == 0 {
                    run.check()?;
                }
                self.expand(near, place, is_last);
            }
            let nodes: usize = self.sides.iter().map(|side| side.nodes.len()).sum();
            if nodes as u64 > self.most_nodes {
                return Err(Unsolved::Memory);
            }
            self.sides[near].expanded += 1;
        }
        Ok(self.best.map(|nodes| self.path(nodes)))
    }

    /// Generates the children of a node of one side. Unless this step `is_last`, the side keeps them.
    fn expand(&mut self, near: usize, place: u32, is_last: bool) {
        let Bidirectional { domain, heuristic, costs, .. } = self.windows;
        let Node { state, cost, .. } = &self.sides[near].nodes[place as usize];
        if *cost < self.sides[near].expanded {
            return;
        }
        let (state, cost, applicable) = (state.clone(), *cost, domain.applicable(state));
        for at in 0..self.ops.len() {
            let op = self.ops[at];
            let cost = cost + costs[op.index()];
            if !applicable.contains(op) || cost > self.most {
                continue;
            }
            let child = domain.apply(&state, op);
            let ends = if near == 0 { [&child, self.ends[1]] } else { [self.ends[0], &child] };
            if cost + heuristic(ends[0], ends[1]) > self.most {
                continue;
            }
            let far = &self.sides[1 - near];
            if let Some(&met) = far.places.get(&child) {
                let whole = cost + far.nodes[met as usize].cost;
                self.meet(if near == 0 { [place, met] } else { [met, place] }, whole);
            }
            if !is_last {
                self.sides[near].reach(child, cost, place);
            }
        }
    }

    /// Takes a path if it is cheaper than all before, or as cheap and chosen.
    fn meet(&mut self, nodes: [u32; 2], cost: u32) {
        if cost > self.most {
            return;
        }
        self.ties = if cost < self.most { 1 } else { self.ties + 1 };
        self.most = cost;
        if self.ties == 1 || self.choice.is_some_and(|seed| mixed(seed, self.ties).is_multiple_of(self.ties))
        {
            self.best = Some(nodes);
        }
    }

    /// The operators of the path through two nodes.
    fn path(&self, [front, back]: [u32; 2]) -> Vec<Op> {
        let mut states = self.sides[0].states(front);
        states.reverse();
        states.extend(self.sides[1].states(back));
        states.windows(2).map(|pair| self.between(pair[0], pair[1])).collect()
    }

    /// The cheapest operator from one state to the next.
    fn between(&self, from: &D::State, to: &D::State) -> Op {
        let Bidirectional { domain, costs, .. } = self.windows;
        let applicable = domain.applicable(from).and(OpSet::first(costs.len()));
        let leads = applicable.into_iter().filter(|&op| domain.apply(from, op) == *to);
        leads.min_by_key(|op| costs[op.index()]).expect("every move has an inverse")
    }
}

/// Operators in an order that depends on the seed, if there is one.
fn ordered(count: usize, seed: Option<u64>) -> Vec<Op> {
    let mut ops: Vec<Op> = OpSet::first(count).into_iter().collect();
    if let Some(seed) = seed {
        ops.sort_unstable_by_key(|op| mixed(seed, op.index() as u64));
    }
    ops
}

/// A number that depends on a seed and a number.
fn mixed(seed: u64, number: u64) -> u64 {
    xxh3_64_with_seed(&number.to_le_bytes(), seed)
}
