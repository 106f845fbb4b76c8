//! Some of the twelve edges under a set of moves, if all of them together are too many.
//!
//! As in [`patterns::Edges`](crate::pdb::Edges): a row is the locations of the chosen edges, a column their flips, one
//! bit for each. Entries that the moves do not reach stay empty.

use super::group::{Group, edge_facelets};
use super::permutation::{FACELETS, Permutation};
use crate::notation::facelets::of_edges;
use search_core::pdb::rank::permutation;
use search_core::pdb::{PatternSpace, Step};

/// The number of edges.
const EDGES: usize = 12;

/// The locations and flips of some edges.
#[derive(Clone, Debug)]
pub(crate) struct SomeEdges {
    cubies: Vec<usize>,
    /// `location | flip << 4` of each facelet of an edge.
    location: [u8; FACELETS],
    /// For each operator, `to | flip << 4` of the edge at each location.
    moves: Vec<[u8; EDGES]>,
    goals: Vec<usize>,
}

impl SomeEdges {
    /// The entries of `many` edges.
    pub(crate) fn count(many: usize) -> u64 {
        permutation::count(EDGES, many) << many
    }

    /// The space of the edges in `chosen`, bit `i` for edge `i`, under the moves of a group.
    pub(crate) fn new(group: &Group, chosen: u16) -> SomeEdges {
        let mut location = [0; FACELETS];
        for (at, facelets) in (0..).zip(of_edges()) {
            (0..).zip(facelets).for_each(|(slot, facelet)| location[facelet] = at | slot << 4);
        }
        let moved = |effect: &Permutation| -> [u8; EDGES] {
            let first = edge_facelets();
            std::array::from_fn(|at| location[usize::from(effect.image(first[at]))])
        };
        let moves = group.set().operators().iter().map(|operator| moved(&operator.effect)).collect();
        let cubies = (0..EDGES).filter(|i| chosen >> i & 1 == 1).collect();
        let mut space = SomeEdges { cubies, location, moves, goals: Vec::new() };
        let bases: Vec<u8> = space.bases().collect();
        let goal = |solved: &Permutation| space.entry_of(bases.iter().map(|&base| solved.image(base)));
        space.goals = group.solved().iter().map(goal).collect();
        space
    }

    /// The number of entries.
    pub(crate) fn entries(&self) -> usize {
        SomeEdges::count(self.cubies.len()) as usize
    }

    /// The facelets whose images give the entry, in order.
    pub(crate) fn bases(&self) -> impl Iterator<Item = u8> {
        let first = edge_facelets();
        self.cubies.iter().map(move |&cubie| first[cubie])
    }

    /// The entry with the [`bases`](SomeEdges::bases) at these facelets.
    #[inline(always)]
    pub(crate) fn entry_of(&self, images: impl Iterator<Item = u8>) -> usize {
        let (mut locations, mut flips, n) = ([0; EDGES], 0, self.cubies.len());
        for (i, (location, image)) in locations.iter_mut().zip(images).enumerate() {
            let v = self.location[usize::from(image)];
            *location = v & 15;
            flips |= usize::from(v >> 4) << i;
        }
        (permutation::rank(&locations[..n], EDGES) as usize) << n | flips
    }
}

impl PatternSpace for SomeEdges {
    fn rows(&self) -> usize {
        permutation::count(EDGES, self.cubies.len()) as usize
    }
    fn columns(&self) -> usize {
        1 << self.cubies.len()
    }
    fn ops(&self) -> usize {
        self.moves.len()
    }
    fn step(&self, row: usize, op: usize) -> Step {
        let mut locations = [0; EDGES];
        let locations = &mut locations[..self.cubies.len()];
        permutation::unrank(row as u64, EDGES, locations);
        let mut flip = 0;
        for (i, location) in locations.iter_mut().enumerate() {
            let v = self.moves[op][usize::from(*location)];
            *location = v & 15;
            flip |= u16::from(v >> 4) << i;
        }
        Step { row: permutation::rank(locations, EDGES) as u32, map: 0, flip }
    }
    fn map(&self, _: u16) -> Option<&[u16]> {
        None
    }
    fn goals(&self) -> Vec<usize> {
        self.goals.clone()
    }
    fn is_undirected(&self) -> bool {
        true
    }
}
