//! The paper's heuristics together, specialised and incremental: Manhattan distance, linear
//! conflict, the last two moves, corner tiles.
//!
//! The idea: the four parts depend only on **sums over the tiles** of small
//! integers that are determined by tile and cell: distances, digits of the lines' contents,
//! flags. So a state is summarised by a vector of 16-bit lanes; a move subtracts one row of a table
//! and adds another, and the value is a function of the vector and the blank's cell, without a loop
//! over tiles.
//!
//! | lanes | contents |
//! | --- | --- |
//! | 0..=5, 6..=11 | contents of rows, of columns (keys of `LineTable`; the last line is always 5 or 11) |
//! | 12 | Manhattan distance, and from bit 8 the sides whose corner holds its tile |
//! | 13, 14 | the visits that cost two moves; those that cost two moves out of line |
//! | 15 | the tiles beside a corner in their goals; from bit 8 the corners whose tile is across |
//!
//! Boards with a side of 6 have 32 lanes, since a line of six has more contents than 16 bits: the
//! upper cells of line `l` are keyed in lane `16 + l`.
//!
//! **Incremental.** Besides its lanes a node carries its [`Worth`]: the value and its parts.
//! A move brings a tile into its goal line or out of it, or does neither; so it changes
//! the price of one line at most, unless it changes the set of tiles that the corners force, which is rare.
//! The possible changes follow from the tile and its two cells (`Effect`), and only these
//! are computed again. Invariant: a carried worth equals `Classic::worth` of the same state.
//!
//! Why it is admissible: docs/sliding-tiles.md, and the parts' own files. Each extra move is
//! horizontal or vertical and belongs to one tile, so to one line. Rows and columns are priced
//! separately, with forced tiles inside the line's price; the cheapest ending is added last, and
//! moves that a line or a corner may already count are free in it. A state at most one move from the goal
//! by Manhattan distance is exactly that far, and the last two moves do not apply to it.
//!
//! Source: Korf & Taylor 1996, "Improved Admissible Heuristics".

mod fill;
mod lanes;

use search_core::Op;
use search_core::heuristic::{ChildBound, NodeRef};

use super::lines::Entry;
#[cfg(doc)]
use super::lines::LineTable;
use crate::board::{OPS, TABLE_SIDE};
use crate::puzzle::Puzzle;
use crate::tiles::Tiles;
use lanes::{CORNERS, DISTANCE, LINES, Lanes, OUT_OF_LINE, TWO, UPPER};

pub use lanes::{NARROW, WIDE};

/// The parts that are added to Manhattan distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parts {
    /// Linear conflict.
    pub conflicts: bool,
    /// The number of last moves that are considered: 0, 1 or 2.
    pub last_moves: usize,
    /// Corner tiles (off on boards with a side of 2).
    pub corners: bool,
}

impl Parts {
    /// Manhattan distance alone.
    pub const MANHATTAN: Parts = Parts { conflicts: false, last_moves: 0, corners: false };
    /// Manhattan distance and linear conflict.
    pub const CONFLICTS: Parts = Parts { conflicts: true, last_moves: 0, corners: false };
    /// Everything in Korf & Taylor 1996.
    pub const ALL: Parts = Parts { conflicts: true, last_moves: 2, corners: true };
}

/// A state's value and its parts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Worth {
    /// The value: `base` and the cheapest ending.
    value: u8,
    /// The sides whose tile must move.
    forced: u8,
    /// Manhattan distance and the prices of all lines.
    base: u16,
    /// Visits whose tile may leave its line within the line's price.
    free: u16,
}

/// A state's lanes and its worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Summary<const W: usize> {
    lanes: Lanes<W>,
    worth: Worth,
}

/// The possible changes by a move, known from the tile and its two cells. The lowest four bits are the line
/// that the tile enters or leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Effect(u8);

impl Effect {
    /// The number for no line.
    const NO_LINE: u8 = 15;
    /// The bit of a move that may change more than Manhattan distance.
    const MORE: u8 = 16;
    /// The bit of a move that brings the tile nearer to its goal.
    const NEARER: u8 = 32;

    /// The change of the Manhattan distance.
    #[inline(always)]
    fn step(self) -> i8 {
        1 - (self.0 >> 4 & 2) as i8
    }

    /// Whether only the Manhattan distance changes.
    #[inline(always)]
    fn is_plain(self) -> bool {
        self.0 & Effect::MORE == 0
    }

    /// The line whose price may change.
    #[inline(always)]
    fn line(self) -> Option<usize> {
        let line = self.0 & 15;
        (line != Effect::NO_LINE).then_some(usize::from(line))
    }
}

/// The place of a line's entries, and the form of its key.
#[derive(Clone, Copy, Debug, Default)]
struct Line {
    base: u32,
    /// The number of contents of a line.
    contents: u32,
    /// The factor of the upper lane in the key, if there are 32 lanes.
    upper: u32,
    /// The position of the line's two sides among the forced ones.
    shift: u8,
    mask: u8,
    /// The visits that leave this line.
    visits: u16,
}

/// Values up to this are computed in full, since endings do not apply near the goal.
const NEAR: u8 = 8;
/// The array length for tiles, cells and lines, chosen so that indexes need no check.
const TILES: usize = 64;
const LINE_SLOTS: usize = 16;

/// The heuristic. `W` is [`NARROW`] for sides up to 5, [`WIDE`] for boards with a side of 6.
pub struct Classic<const W: usize> {
    parts: Parts,
    /// The addend of each tile to the lanes, by tile and cell.
    shares: Box<[[Lanes<W>; TILES]; TILES]>,
    /// The effect of each move, by tile, the tile's cell before and the blank's operator.
    effects: Box<[[[Effect; OPS]; TILES]; TILES]>,
    /// The row table's entries, then the column table's if they differ.
    entries: Vec<Entry>,
    lines: [Line; LINE_SLOTS],
    /// The visits that are free when these tiles of a line may leave it.
    free_by: Box<[[u16; TILES]; LINE_SLOTS]>,
    /// The moves of the cheapest ending, by the set of visits that cost two.
    ending: Vec<u8>,
    /// The visits that are free when these sides are forced.
    freed: Box<[u16; 256]>,
    /// By cell: the sides of its corner, if it is one.
    corner_at: [u8; TILES],
}

impl<const W: usize> Classic<W> {
    /// The lanes of `tiles`, from scratch.
    fn sum<const BYTES: usize>(&self, puzzle: &Puzzle<BYTES>, tiles: &Tiles<BYTES>) -> Lanes<W> {
        let cells = (0..puzzle.board().cells()).filter(|&cell| cell != tiles.blank());
        cells.fold(Lanes::ZERO, |sum, cell| sum.add(&self.shares[tiles.tile(cell)][cell]))
    }

    /// The lanes after the tile in `from` has slid into the blank's cell.
    #[inline(always)]
    fn slide<const BYTES: usize>(&self, lanes: &Lanes<W>, tiles: &Tiles<BYTES>, from: usize) -> Lanes<W> {
        let shares = &self.shares[tiles.tile(from) % TILES];
        lanes.subtract(&shares[from % TILES]).add(&shares[tiles.blank() % TILES])
    }

    /// Computes [`Worth::forced`].
    #[inline(always)]
    fn forced(&self, lanes: &Lanes<W>, blank: usize) -> u8 {
        let (right, corners) = (lanes.get(DISTANCE) >> 8, lanes.get(CORNERS));
        let (beside, across) = (corners as u8, (corners >> 8) as u8);
        beside & !(right as u8) & !(across & self.corner_at[blank % TILES])
    }

    /// The entry of a line.
    #[inline(always)]
    fn entry(&self, lanes: &Lanes<W>, at: usize, forced: u8) -> Entry {
        let line = &self.lines[at % LINE_SLOTS];
        let mut key = lanes.get(at);
        if W > NARROW {
            key += line.upper as usize * lanes.get(UPPER + at);
        }
        let forced = forced >> (line.shift & 7) & line.mask;
        self.entries[line.base as usize + line.contents as usize * usize::from(forced) + key]
    }

    /// The cost of the cheapest ending.
    #[inline(always)]
    fn ending(&self, lanes: &Lanes<W>, worth: &Worth) -> u16 {
        let dear = lanes.get(TWO) as u16 | lanes.get(OUT_OF_LINE) as u16 & !worth.free;
        u16::from(self.ending[usize::from(dear & !self.freed[usize::from(worth.forced)])])
    }

    /// Computes a state's [`Worth`] from its lanes and the blank's cell.
    fn worth(&self, lanes: &Lanes<W>, blank: usize) -> Worth {
        let distance = (lanes.get(DISTANCE) & 0xFF) as u16;
        let forced = self.forced(lanes, blank);
        let mut worth = Worth { value: 0, forced, base: distance, free: 0 };
        for line in 0..LINES {
            let entry = self.entry(lanes, line, forced);
            worth.base += entry.cost();
            worth.free |= self.free_by[line][entry.leavers()];
        }
        let ending = if distance > 1 { self.ending(lanes, &worth) } else { 0 };
        worth.value = (worth.base + ending) as u8;
        worth
    }

    /// The worth of the child in which the tile in `from` has slid into the blank's cell.
    #[inline(always)]
    fn child_worth<const BYTES: usize>(
        &self,
        parent: &Tiles<BYTES>,
        summary: &Summary<W>,
        op: Op,
        from: usize,
    ) -> Worth {
        let mut worth = summary.worth;
        let effect = self.effects[parent.tile(from) % TILES][from % TILES][op.index() % OPS];
        let far = worth.value > NEAR;
        if far && effect.is_plain() {
            worth.value = worth.value.wrapping_add_signed(effect.step());
            worth.base = worth.base.wrapping_add_signed(effect.step().into());
            return worth;
        }
        let lanes = self.slide(&summary.lanes, parent, from);
        if !far || self.forced(&lanes, from) != worth.forced {
            return self.worth(&lanes, from);
        }
        worth.base = worth.base.wrapping_add_signed(effect.step().into());
        if let Some(line) = effect.line() {
            let before = self.entry(&summary.lanes, line, worth.forced);
            let after = self.entry(&lanes, line, worth.forced);
            worth.base = worth.base + after.cost() - before.cost();
            worth.free &= !self.lines[line % LINE_SLOTS].visits;
            worth.free |= self.free_by[line % LINE_SLOTS][after.leavers()];
        }
        worth.value = (worth.base + self.ending(&lanes, &worth)) as u8;
        worth
    }
}

impl<const W: usize, const BYTES: usize> ChildBound<Puzzle<BYTES>> for Classic<W> {
    type Carry = Summary<W>;
    type Probe = Worth;
    type Memo = Worth;

    fn carry(&self, puzzle: &Puzzle<BYTES>, state: &Tiles<BYTES>) -> Summary<W> {
        let lanes = self.sum(puzzle, state);
        Summary { lanes, worth: self.worth(&lanes, state.blank()) }
    }

    #[inline(always)]
    fn carry_child(
        &self,
        parent: NodeRef<'_, Puzzle<BYTES>, Summary<W>>,
        _: Op,
        child: &Tiles<BYTES>,
        worth: &Worth,
    ) -> Summary<W> {
        Summary { lanes: self.slide(&parent.carry.lanes, parent.state, child.blank()), worth: *worth }
    }

    #[inline(always)]
    fn locate(&self, node: NodeRef<'_, Puzzle<BYTES>, Summary<W>>, op: Op, _: usize) -> Worth {
        self.child_worth(node.state, node.carry, op, node.domain.target(node.state.blank(), op))
    }

    #[inline(always)]
    fn read(&self, worth: Worth, _: usize, memo: &mut Worth) -> u8 {
        *memo = worth;
        worth.value
    }

    fn value(&self, puzzle: &Puzzle<BYTES>, state: &Tiles<BYTES>) -> u8 {
        self.carry(puzzle, state).worth.value
    }
}

// Every value fits a byte: on 6x6, the largest board with this heuristic, the distances of all tiles add up to at most 216,
// and a tile in conflict has no distance in the other direction.
const _: () = assert!(TABLE_SIDE == 6 && TILES.is_power_of_two() && TILES >= TABLE_SIDE * TABLE_SIDE);
const _: () = assert!(LINE_SLOTS.is_power_of_two() && LINES < Effect::NO_LINE as usize);
