//! 3-D Manhattan distance: the sum over the cubies of the moves that each needs individually.
//!
//! A turn moves four corners and four edges, so the sum over the corners, and that over the
//! edges, falls by at most 4 per move, and that over all cubies by at most 8. Divided and rounded up
//! they are lower bounds. The sums are carried: a turn changes the eight cubies of its face.
//!
//! Source: Korf 1997, "A First Attempt"; his letter of May 1997. Expected value of the edges' sum
//! over four: 5.5.

use crate::cube::{Cube, Turn};
use crate::lanes::Lanes;
use crate::metric::Metric;
use crate::space::{CubeSpace, End, Side, State};
use search_core::Op;
use search_core::heuristic::{ChildBound, NodeRef};

/// The sums that form the bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    /// All cubies, over eight.
    All,
    /// The greater of corners over four and edges over four.
    Max,
    /// Edges over four.
    Edges,
}

impl Variant {
    /// All variants.
    pub const ALL: [Variant; 3] = [Variant::All, Variant::Max, Variant::Edges];
}

/// Manhattan distance on the cube; it needs no table from disk.
#[derive(Clone, Debug)]
pub struct Manhattan {
    variant: Variant,
    /// `[cubie][location | twist << 4]`.
    corners: [[u8; 48]; 8],
    /// `[cubie][location | flip << 4]`.
    edges: [[u8; 32]; 12],
}

/// The sums over corners and edges.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sums {
    /// Over the eight corners.
    pub corners: u8,
    /// Over the twelve edges.
    pub edges: u8,
}

impl Manhattan {
    /// The heuristic in `metric`: a breadth-first search for each cubie.
    pub fn new(metric: Metric, variant: Variant) -> Manhattan {
        let corners = std::array::from_fn(|cubie| {
            distances(metric, cubie as u8, |v, turn| {
                let turned = Cube::of_turn(turn).corners;
                let to = (0..8).find(|&to| turned[to] & 15 == v & 15).expect("a turn permutes");
                to as u8 | ((v >> 4) + (turned[to] >> 4)) % 3 << 4
            })
        });
        let edges = std::array::from_fn(|cubie| {
            distances(metric, cubie as u8, |v, turn| {
                let turned = Cube::of_turn(turn).edges;
                let to = (0..12).find(|&to| turned[to] & 15 == v & 15).expect("a turn permutes");
                to as u8 | v & 16 ^ turned[to] & 16
            })
        });
        Manhattan { variant, corners, edges }
    }

    /// The moves that a corner needs individually at `location | twist << 4`.
    #[inline(always)]
    pub(crate) fn corner_distance(&self, cubie: usize, at: u8) -> u8 {
        self.corners[cubie][usize::from(at)]
    }

    /// The moves that an edge needs individually at `location | flip << 4`.
    #[inline(always)]
    pub(crate) fn edge_distance(&self, cubie: usize, at: u8) -> u8 {
        self.edges[cubie][usize::from(at)]
    }

    /// Both sums, from scratch.
    pub fn sums<V: Lanes>(&self, state: &State<V>) -> Sums {
        let (corners, edges) = (state.by_cubie().corners.store(), state.by_cubie().edges.store());
        Sums {
            corners: (0..8).map(|i| self.corner_distance(i, corners[i])).sum(),
            edges: (0..12).map(|i| self.edge_distance(i, edges[i])).sum(),
        }
    }

    /// The bound that the sums give.
    #[inline(always)]
    pub(crate) fn bound(&self, sums: Sums) -> u8 {
        let (corners, edges) = (sums.corners, sums.edges);
        match self.variant {
            Variant::All => (corners + edges).div_ceil(8),
            Variant::Max => corners.max(edges).div_ceil(4),
            Variant::Edges => edges.div_ceil(4),
        }
    }

    /// The sums after an operator: only cubies that it moves count.
    #[inline(always)]
    fn after<V: Lanes>(&self, node: NodeRef<'_, CubeSpace<V>, Sums>, op: Op) -> Sums {
        let NodeRef { domain: space, state: parent, carry } = node;
        let (turn, end) = space.turn_of(op);
        let turn = space.turn_state(turn);
        let child = parent.turned(turn, end);
        if end == End::Back {
            return self.sums(&child);
        }
        let stored = |side: &Side<V>| (side.corners.store(), side.edges.store());
        let mut after = *carry;
        let (corner_at, edge_at) = stored(parent.by_location());
        let (corners, edges) = stored(child.by_cubie());
        let (was_corners, was_edges) = stored(parent.by_cubie());
        let turned = stored(turn.by_location());
        for i in (0..8).filter(|&i| turned.0[i] != i as u8) {
            let cubie = corner_at[i] as usize & 15;
            let (is, was) = (corners[cubie], was_corners[cubie]);
            after.corners =
                after.corners + self.corner_distance(cubie, is) - self.corner_distance(cubie, was);
        }
        for i in (0..12).filter(|&i| turned.1[i] != i as u8) {
            let cubie = edge_at[i] as usize & 15;
            let (is, was) = (edges[cubie], was_edges[cubie]);
            after.edges = after.edges + self.edge_distance(cubie, is) - self.edge_distance(cubie, was);
        }
        after
    }
}

/// The least number of moves that brings one cubie home from each location and orientation.
fn distances<const N: usize>(metric: Metric, cubie: u8, after: impl Fn(u8, Turn) -> u8) -> [u8; N] {
    let mut distance = [u8::MAX; N];
    distance[cubie as usize] = 0;
    let mut queue = std::collections::VecDeque::from([cubie]);
    while let Some(v) = queue.pop_front() {
        for &turn in metric.turns() {
            let next = after(v, turn);
            if distance[next as usize] == u8::MAX {
                distance[next as usize] = distance[v as usize] + 1;
                queue.push_back(next);
            }
        }
    }
    distance
}

impl<V: Lanes> ChildBound<CubeSpace<V>> for Manhattan {
    type Carry = Sums;
    type Probe = Sums;
    type Memo = Sums;

    fn carry(&self, _: &CubeSpace<V>, state: &State<V>) -> Sums {
        self.sums(state)
    }
    #[inline(always)]
    fn carry_child(&self, _: NodeRef<'_, CubeSpace<V>, Sums>, _: Op, _: &State<V>, memo: &Sums) -> Sums {
        *memo
    }
    #[inline(always)]
    fn locate(&self, node: NodeRef<'_, CubeSpace<V>, Sums>, op: Op, _: usize) -> Sums {
        self.after(node, op)
    }
    #[inline(always)]
    fn read(&self, probe: Sums, _: usize, memo: &mut Sums) -> u8 {
        *memo = probe;
        self.bound(probe)
    }
    fn value(&self, _: &CubeSpace<V>, state: &State<V>) -> u8 {
        self.bound(self.sums(state))
    }
}
