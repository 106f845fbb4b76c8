//! The path of a subtree in flight.

use search_core::automaton::StateId;
use search_core::{Op, OpSet};

use super::TILES;
use super::words::{Packed, Sums};
use crate::board::OPS;
use crate::tiles::Tiles;

/// The tile in each cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(32))]
pub(super) struct Cells(pub [u8; TILES]);

impl Cells {
    pub fn new<const BYTES: usize>(tiles: &Tiles<BYTES>) -> Cells {
        Cells(std::array::from_fn(|cell| tiles.tile(cell) as u8))
    }
}

/// A move of a tile into the blank's cell.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Slide {
    /// The cell that it leaves.
    pub from: u8,
    /// That cell and the one that it enters, as [`Reader::find`](super::Reader) takes them.
    pub cells: u32,
}

/// The steps of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// Children are looked up in the first tight partition.
    First,
    /// Children are looked up in the other tight partitions, and the node in those that are not tight in its parent.
    Rest,
    /// All sums are known.
    Known,
}

/// A node of the path.
#[derive(Clone)]
pub(super) struct Level<const P: usize, const Q: usize> {
    pub cells: Cells,
    pub placements: [Packed; P],
    pub sums: Sums,
    pub fsm: StateId,
    pub stage: Stage,
    pub blank: u8,
    /// The operator that led here, the tile that it moved and its cells.
    pub op: Op,
    pub tile: u8,
    pub slide: u32,
    /// The known tight partitions.
    pub tight: u8,
    /// The places of the moved tile's patterns that have not been read.
    pub unread: u8,
    /// Children that are being looked up.
    pub pending: OpSet,
    /// Children still to be visited.
    pub open: OpSet,
    /// The places of all children, `Q` bits each: those located so far, and those located at the last step.
    pub found: u32,
    pub located: u32,
    /// By child and place: the placement, as if the cost went down.
    pub after: [[Packed; Q]; OPS],
}

impl<const P: usize, const Q: usize> Level<P, Q> {
    pub fn new(fsm: StateId) -> Self {
        Level {
            cells: Cells([0; TILES]),
            placements: [Packed::default(); P],
            sums: Sums(0),
            fsm,
            stage: Stage::Known,
            blank: 0,
            op: Op::new(0),
            tile: 0,
            slide: 0,
            tight: 0,
            unread: 0,
            pending: OpSet::EMPTY,
            open: OpSet::EMPTY,
            found: 0,
            located: 0,
            after: [[Packed::default(); Q]; OPS],
        }
    }
}

/// A subtree in flight.
pub(super) struct Lane<'t, const P: usize, const Q: usize> {
    pub number: usize,
    /// The moves left at the root.
    pub remaining: u32,
    /// The amount by which a pruned child exceeds the bound: 2, or 1 if the parity of the bound is wrong.
    pub excess: u32,
    /// The path; levels beyond `depth` are stale.
    pub levels: Vec<Level<P, Q>>,
    pub depth: usize,
    /// The greatest depth of an expanded node.
    pub deepest: usize,
    pub bytes: LocatedBytes<'t, Q>,
}

/// The bytes that the last step located.
pub(super) struct LocatedBytes<'t, const Q: usize> {
    /// By place: those of the node's own patterns.
    pub own: [&'t u8; Q],
    /// By child and place.
    pub children: [[&'t u8; Q]; OPS],
}

impl<const P: usize, const Q: usize> Lane<'_, P, Q> {
    pub fn new() -> Self {
        let bytes = LocatedBytes { own: [&0; Q], children: [[&0; Q]; OPS] };
        Lane { number: 0, remaining: 0, excess: 0, levels: Vec::new(), depth: 0, deepest: 0, bytes }
    }

    /// Appends a level. Most searches are short, and do not reach the depth of their bound.
    #[cold]
    #[inline(never)]
    pub fn grow(&mut self) {
        self.levels.push(Level::new(self.levels[self.depth].fsm));
    }
}
