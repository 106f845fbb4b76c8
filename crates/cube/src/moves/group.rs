//! The group that a set of moves generates: its order, membership, and all distances if it is small.
//!
//! Positions are counted up to rotations of the whole cube: two elements of the group are the same position if one is
//! the other on a cube that was first rotated, and the solved positions are the rotations that are elements of the
//! group. If the centres are the frame, there is only one, and positions are elements.
//!
//! Distances are found breadth-first over the numbers of all elements ([`Arrangements`]), a byte each, from all
//! solved positions at once. A rotation `r` maps the elements at each distance to elements at the same
//! distance (`g` goes to `r g`, and solutions of one solve the other), without fixed points, so the counts of
//! elements are multiples of the number of solved positions, and divided by it they are those of positions.

use super::arrangements::Arrangements;
use super::chain::Chain;
use super::permutation::{Permutation, centre};
use super::set::MoveSet;
use crate::cube::Cube;
use crate::notation::facelets::{of_corners, of_edges};
use crate::notation::scramble::Move;
use search_core::Run;
use search_core::memory::Memory;
use search_core::pdb::{FillError, FillOptions, Packed, fill};

/// The group of a set of moves.
#[derive(Clone, Debug)]
pub struct Group {
    set: MoveSet,
    chain: Chain,
    /// The rotations of the whole cube that are elements.
    rotations: Vec<Permutation>,
}

/// The first facelet of each corner.
pub(crate) fn corner_facelets() -> Vec<u8> {
    of_corners().map(|facelets| facelets[0] as u8).to_vec()
}

/// The first facelet of each edge.
pub(crate) fn edge_facelets() -> Vec<u8> {
    of_edges().map(|facelets| facelets[0] as u8).to_vec()
}

/// One facelet of each piece: centres, edges, corners.
pub(crate) fn all_facelets() -> Vec<u8> {
    let centres = (0..6).map(|face| centre(face) as u8);
    centres.chain(edge_facelets()).chain(corner_facelets()).collect()
}

impl Group {
    /// The group of `set`.
    pub fn new(set: MoveSet) -> Group {
        let generators: Vec<Permutation> = set.operators().iter().map(|operator| operator.effect).collect();
        let chain = Chain::new(&all_facelets(), &generators);
        let rotations = Permutation::rotations().filter(|rotation| chain.contains(rotation)).collect();
        Group { set, chain, rotations }
    }

    /// The moves.
    pub fn set(&self) -> &MoveSet {
        &self.set
    }

    /// The number of elements, as permutations of the facelets in the frame of the set.
    pub(crate) fn order(&self) -> u128 {
        self.chain.order()
    }

    /// The number of positions, up to rotations of the whole cube.
    pub fn positions(&self) -> u128 {
        self.order() / self.rotations.len() as u128
    }

    /// The solved positions: the rotations that are elements of the group.
    pub(crate) fn solved(&self) -> &[Permutation] {
        &self.rotations
    }

    /// The element that makes `cube`, in its orientation, from a solved cube that was rotated first; `None` if the
    /// moves do not solve it.
    ///
    /// Moves `w` solve `cube` if `cube w` is a rotation `r`; then `r⁻¹ cube`, which is `w⁻¹`, is in the group.
    pub(crate) fn element(&self, cube: &Cube) -> Option<Permutation> {
        let cube = Permutation::of_cube(cube);
        Permutation::rotations()
            .map(|rotation| rotation.then(&cube))
            .find(|element| self.chain.contains(element))
    }

    /// The memory in bytes to find all distances.
    pub fn bytes_needed(&self) -> u128 {
        self.order().saturating_add(16 << 20)
    }

    /// The distances of all positions. Takes [`bytes_needed`](Group::bytes_needed) bytes of memory, and more if the
    /// memory of `run` allows.
    ///
    /// # Errors
    /// [`FillError`]: cancelled, or not enough memory.
    ///
    /// # Panics
    /// If the elements cannot be addressed in memory.
    pub fn distances(&self, run: &Run<'_>) -> Result<Distances<'_>, FillError> {
        let space = Arrangements::new(&self.set, &all_facelets(), &self.rotations, u64::MAX);
        let space = space.expect("as many elements as memory has");
        let left = u128::from(run.memory()).saturating_sub(self.bytes_needed());
        let step_cache = usize::try_from(left).unwrap_or(usize::MAX).min(1 << 30);
        let filled = fill::<8, _>(&space, FillOptions { max_depth: None, step_cache }, run)?;
        debug_assert!(filled.complete && filled.histogram.unreached == 0, "moves reach the whole group");
        let alike = self.rotations.len() as u64;
        let counts = filled.histogram.counts.iter().map(|count| count / alike).collect();
        Ok(Distances { group: self, space, table: filled.table, counts })
    }
}

/// The distance of each position of a group from the solved one.
#[derive(Debug)]
pub struct Distances<'a> {
    group: &'a Group,
    space: Arrangements,
    table: Packed<8, Memory>,
    /// The number of positions at each distance.
    pub counts: Vec<u64>,
}

impl Distances<'_> {
    /// The greatest distance.
    pub fn diameter(&self) -> u8 {
        (self.counts.len() - 1) as u8
    }

    /// At most `most` positions at the greatest distance, each with a shortest string of moves that leads to it from
    /// the solved cube.
    pub fn farthest(&self, most: usize) -> Vec<(Permutation, Vec<Move>)> {
        let mut strings = Vec::new();
        let mut alike = Vec::new();
        let entries = self.table.as_bytes().iter().enumerate();
        for (entry, _) in entries.filter(|(_, distance)| **distance == self.diameter()) {
            if strings.len() == most {
                break;
            }
            if alike.contains(&entry) {
                continue;
            }
            let element = self.space.element(entry);
            alike.extend(
                self.group.rotations.iter().map(|rotation| self.space.entry(&rotation.then(&element))),
            );
            strings.push(self.string(element));
        }
        strings
    }

    /// A shortest string of moves that leads from the solved cube to the position of `start`, and its effect: the same
    /// element on a cube that was not rotated first.
    fn string(&self, start: Permutation) -> (Permutation, Vec<Move>) {
        let set = &self.group.set;
        let distance = |element: &Permutation| self.table.get(self.space.entry(element) as u64);
        let (mut element, mut ops) = (start, Vec::new());
        for left in (0..distance(&element)).rev() {
            let after = |op: usize| element.then(&set.operators()[op].effect);
            let nearer = (0..set.operators().len()).find(|&op| distance(&after(op)) == left);
            let op = nearer.expect("each position has a neighbour that is nearer");
            element = after(op);
            ops.push(set.inverse(op));
        }
        ops.reverse();
        // The rest is a rotation: the moves lead from it to the start.
        (element.inverse().then(&start), set.spell(ops))
    }
}
