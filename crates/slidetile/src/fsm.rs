//! Duplicate operator strings of the sliding tiles, and the automata learned from them.
//!
//! An operator string moves the blank along a path, and permutes the tiles that it passes; both depend only on the
//! string, relative to the blank's first cell. It is legal exactly where its path stays on the board, that is, where
//! the path's **bounding box** fits. So a string can replace another wherever the other is legal if its box is within
//! the other's box, both placed at the same starting cell. docs/fsm.md has the proof that every state keeps its exact
//! breadth-first distance.
//!
//! The learned strings depend only on the greatest box (the board's size), not on the goal. They may also be pruned on
//! every larger board and, since only boxes matter, on every smaller one.

use std::fmt;
use std::str::FromStr;

use search_core::automaton::{Learned, Model, Trie, learn};
use search_core::{Automaton, Cancelled, Op, Run};

use crate::board::{Board, OPS, TABLE_SIDE, direction, inverse};

/// The side of the window around the blank's first cell: paths stay within a box of at most
/// 6 x 6, so at most five cells away.
const WINDOW: usize = 2 * TABLE_SIDE - 1;
/// The window's cells.
const AREA: usize = WINDOW * WINDOW;
/// The blank's first cell: the middle of the window.
const MIDDLE: usize = AREA / 2;

/// Operator strings of the blank, within boxes that fit a board.
struct BlankPaths {
    board: Board,
    /// A random number for each pair of a tile's first and current cell, zero if both are equal: the sum over the tiles
    /// is the hash of the effect.
    keys: Box<[[u64; AREA]; AREA]>,
}

/// The effect of a string of moves on an unbounded sheet of tiles.
#[derive(Clone)]
struct Walk {
    /// For each cell of the window, the cell where its content began.
    content: [u8; AREA],
    blank: u8,
    /// Least and greatest row, least and greatest column of the blank.
    bounds: [u8; 4],
    hash: u64,
}

impl BlankPaths {
    /// Strings whose boxes fit `board`.
    fn new(board: Board) -> BlankPaths {
        let mut keys: Box<[[u64; AREA]; AREA]> =
            vec![[0; AREA]; AREA].try_into().expect("as many rows as cells");
        for (from, row) in keys.iter_mut().enumerate() {
            for (to, key) in row.iter_mut().enumerate().filter(|&(to, _)| to != from) {
                *key = mix((from * AREA + to) as u64);
            }
        }
        BlankPaths { board, keys }
    }
}

/// Scatters a counter over 64 bits (the finisher of SplitMix64).
fn mix(counter: u64) -> u64 {
    let mut word = (counter + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    word = (word ^ word >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    word = (word ^ word >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    word ^ word >> 31
}

impl Model for BlankPaths {
    type Walk = Walk;

    fn op_count(&self) -> usize {
        OPS
    }

    fn start(&self) -> Walk {
        let middle = (MIDDLE / WINDOW) as u8;
        Walk {
            content: std::array::from_fn(|cell| cell as u8),
            blank: MIDDLE as u8,
            bounds: [middle; 4],
            hash: 0,
        }
    }

    fn extend(&self, walk: &Walk, op: Op) -> Option<Walk> {
        let from = walk.blank as usize;
        let (down, right) = direction(op);
        let (row, col) = ((from / WINDOW) as u8, (from % WINDOW) as u8);
        let (row, col) = (row.checked_add_signed(down)?, col.checked_add_signed(right)?);
        let [top, bottom, left, end] = walk.bounds;
        let bounds = [top.min(row), bottom.max(row), left.min(col), end.max(col)];
        let fits = usize::from(bounds[1] - bounds[0]) < self.board.rows()
            && usize::from(bounds[3] - bounds[2]) < self.board.cols();
        fits.then(|| {
            let to = row as usize * WINDOW + col as usize;
            let mut after = Walk { blank: to as u8, bounds, ..walk.clone() };
            let (blank, tile) = (walk.content[from] as usize, walk.content[to] as usize);
            after.content.swap(from, to);
            after.hash = walk
                .hash
                .wrapping_sub(self.keys[blank][from])
                .wrapping_sub(self.keys[tile][to])
                .wrapping_add(self.keys[blank][to])
                .wrapping_add(self.keys[tile][from]);
            after
        })
    }

    fn effect_hash(&self, walk: &Walk) -> u64 {
        walk.hash
    }

    fn same_effect(&self, a: &Walk, b: &Walk) -> bool {
        a.content == b.content
    }

    fn legal_wherever(&self, standing: &Walk, pruned: &Walk) -> bool {
        let ([a, b, c, d], [p, q, r, s]) = (standing.bounds, pruned.bounds);
        p <= a && b <= q && r <= c && d <= s
    }
}

/// The pruned operator strings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pruning {
    /// No strings are pruned.
    Off,
    /// Strings that undo the last move.
    Inverse,
    /// Duplicate strings of up to this length.
    Learned(usize),
}

impl Pruning {
    /// The greatest depth.
    pub const DEEPEST: usize = 20;
}

impl fmt::Display for Pruning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Pruning::Off => f.write_str("off"),
            Pruning::Inverse => f.write_str("inverse"),
            Pruning::Learned(depth) => write!(f, "{depth}"),
        }
    }
}

impl FromStr for Pruning {
    type Err = String;
    fn from_str(text: &str) -> Result<Pruning, String> {
        match text {
            "off" => Ok(Pruning::Off),
            "inverse" => Ok(Pruning::Inverse),
            depth => match depth.parse() {
                Ok(depth @ 2..=Pruning::DEEPEST) => Ok(Pruning::Learned(depth)),
                _ => Err(format!("{text:?} is not off, inverse or a depth from 2 to {}", Pruning::DEEPEST)),
            },
        }
    }
}

/// The length of the strings whose automaton searches a board fastest: deeper automata prune more, but
/// their tables leave the second cache. docs/fsm.md has the figures.
pub fn default_depth(board: Board) -> usize {
    if board.cells() <= 12 { 12 } else { 14 }
}

/// Learns the duplicate strings of up to `depth` moves that searches on `board` can prune.
///
/// # Errors
/// [`Cancelled`].
///
/// # Panics
/// If a side of the board is greater than [`TABLE_SIDE`].
pub fn learn_duplicates(board: Board, depth: usize, run: &Run<'_>) -> Result<Learned, Cancelled> {
    assert!(!board.is_large(), "paths stay within the window");
    learn(&BlankPaths::new(board), depth, filter_bits(depth), run)
}

/// The bits of each of the learner's two bitmaps, as a power of two: about sixteen for each string of the last
/// length.
fn filter_bits(depth: usize) -> u32 {
    ((1.5 * depth as f64) as u32 + 6).clamp(12, 33)
}

/// The bytes of the learner's two bitmaps.
pub(crate) fn learner_bytes(depth: usize) -> u64 {
    2 << (filter_bits(depth) - 3)
}

/// The automaton that forbids every one of `strings`, with equivalent states merged.
pub fn automaton(strings: &[Vec<Op>]) -> Automaton {
    Trie::from_strings(OPS, strings).automaton().minimized()
}

/// The automaton that only forbids undoing the last move.
pub fn inverse_automaton() -> Automaton {
    Automaton::from_rule(OPS, OPS + 1, |state, op| {
        let undoes = state > 0 && inverse(op).index() == state - 1;
        (!undoes).then_some(op.index() + 1)
    })
}

/// The asymptotic branching factor of depth-first search under `automaton` on `board`.
pub fn branching_factor(board: Board, automaton: &Automaton, run: &Run<'_>) -> f64 {
    automaton.branching_factor(board.cells(), |blank, op| board.neighbour(blank, op), run)
}
