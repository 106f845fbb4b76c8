//! Half-depth search: the distance between two perfect states of a complete graph, and the number of
//! shortest paths, from a search with one disc less.
//!
//! When the largest disc makes its first move, the others are on pegs other than the one that it
//! leaves and the one that it moves to: in a **middle state** of the others. Let m be the least depth
//! of a middle state in the search of the others. Renaming pegs shows that m does not depend on the
//! pegs of the move. So at least m moves precede the first move of the largest disc, and, reading
//! the path backwards, at least m follow its last one. One move of it suffices: move the others to a
//! middle state in m moves, the largest disc, and the others on in m moves, those before with the
//! two pegs exchanged. So the distance is 2 m + 1, and on a shortest path the largest disc moves once,
//! from a middle state at depth m. If N paths lead there, as many lead on from it, by the same
//! exchange of pegs. The number of shortest paths is the sum of N² over the middle states at depth m.

use super::GraphTask;
use super::paths::{self, PathCounts};
use super::search::{self, GraphSearch};
use super::shape::{EMPTY, Shape, Word};
use crate::error::SearchError;
use crate::layer_loop::each_layer;
use search_core::Run;
use std::ops::ControlFlow::{Break, Continue};

/// The result of a half-depth search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HalfReport {
    /// The distance.
    pub length: u32,
    /// The number of shortest paths, if they were counted.
    pub paths: Option<u128>,
    /// The number of states reached, with one disc less.
    pub states: u64,
    /// The bytes that the search took.
    pub bytes: u64,
}

/// The distance from the task's start to all discs on peg `to`; with `count_paths` also the number of
/// shortest paths, which takes eight bytes per state.
///
/// # Errors
/// As [`explore`](super::explore).
///
/// # Panics
/// If the graph is not complete, the pegs are not two of its pegs, or there is no disc.
pub fn half_depth(
    task: &GraphTask<'_>,
    to: u32,
    count_paths: bool,
    run: &Run<'_>,
) -> Result<HalfReport, SearchError> {
    assert!(task.graph.is_complete() && task.discs > 0, "a complete graph, and a disc");
    assert!(task.from != to && task.from.max(to) < task.graph.pegs(), "two pegs");
    let fewer = GraphTask { discs: task.discs - 1, ..*task };
    match task.graph.pegs() {
        3 | 5 => search_half::<u128>(&fewer, to, count_paths, run),
        _ => search_half::<u64>(&fewer, to, count_paths, run),
    }
}

fn search_half<W: Word>(
    task: &GraphTask<'_>,
    to: u32,
    count_paths: bool,
    run: &Run<'_>,
) -> Result<HalfReport, SearchError> {
    let extra = if count_paths { paths::bytes_needed(task.graph.pegs(), task.discs) } else { 0 };
    let bytes = search::bytes_needed::<W>(task) + extra;
    let mut search = GraphSearch::<W>::new(task, extra, run)?;
    let start = search.shape.perfect(task.from as usize);
    let counts = if count_paths { Some(PathCounts::new(&search, start)?) } else { None };
    let middle = Middle::new(&search.shape, task.from as usize, to as usize);
    let (mut depth, mut states) = (0, 1);
    each_layer("layers", 0, run, || {
        if middle.is_reached(&search) {
            return Ok(Break(()));
        }
        states += search.step(run)?;
        if let Some(counts) = &counts {
            counts.step(&search, run)?;
        }
        depth += 1;
        Ok(Continue(depth))
    })?;
    let paths = counts.map(|counts| {
        let mut sum = Some(0u128);
        middle.each_state(&search, |place| {
            let paths = u128::from(counts.at(&search.shape, place));
            sum = sum.and_then(|sum| sum.checked_add(paths * paths));
        });
        sum.ok_or(SearchError::Overflow)
    });
    Ok(HalfReport { length: 2 * depth + 1, paths: paths.transpose()?, states, bytes: bytes as u64 })
}

/// The middle states: those with no disc on either of two pegs.
struct Middle {
    /// The number of the pair of pegs.
    pair: usize,
    /// The blocks whose large discs are on the other pegs.
    blocks: Vec<usize>,
}

impl Middle {
    fn new<W: Word>(shape: &Shape<W>, a: usize, b: usize) -> Middle {
        let edge = shape.edges.iter().find(|edge| (edge.0, edge.1) == (a, b));
        let pair = edge.expect("the graph is complete").2;
        let is_free = |&block: &usize| {
            let tops = shape.block_tops(block);
            tops[a] == EMPTY && tops[b] == EMPTY
        };
        Middle { pair, blocks: (0..shape.blocks).filter(is_free).collect() }
    }

    /// Whether the next layer has a middle state.
    fn is_reached<W: Word>(&self, search: &GraphSearch<W>) -> bool {
        self.blocks.iter().any(|&block| search.next.leaves_free(block, self.pair))
    }

    /// Calls `visit` with the place (block, word, bit) of each middle state in the next layer.
    fn each_state<W: Word>(&self, search: &GraphSearch<W>, mut visit: impl FnMut((usize, usize, usize))) {
        let shape = &search.shape;
        for &block in self.blocks.iter().filter(|&&block| search.next.leaves_free(block, self.pair)) {
            let states = &search.next.words()[block * shape.words..][..shape.words];
            for &word in &shape.free_words[self.pair] {
                let mut found = states[usize::from(word)] & shape.free_bits[self.pair];
                while found != W::ZERO {
                    let bit = found.lowest();
                    found = found & !(W::ONE << bit as u32);
                    visit((block, usize::from(word), bit));
                }
            }
        }
    }
}
