//! Shortest solutions without a table: the search of Fiat, Moses, Shamir, Shimshoni and Tardos.
//!
//! The idea: a solution of length `d` is found by a search from both ends that meets in the middle,
//! but neither half is stored. Each half, all permutations at depth `d/2`, is generated in
//! lexicographic order, as the products of two stored lists, all permutations at depth `d/4`; two
//! streams in the same order are matched by merging. So time is about the square root of the
//! number of positions within `d`, and memory its fourth root.
//!
//! In formulas: `start` is solved by a word `a b c d` if `start a b` and the inverse of `c d` are
//! the same permutation. The left stream is `(start a) after b`, the right one
//! `(inverse of d) after (inverse of c)`.
//!
//! Invariant: after length `d` no solution has length `d` or less. It is enough to store permutations at exactly the
//! depth of their part, since every part of a shortest word is a shortest word itself. So the first length with a match
//! is the length of a shortest solution.
//!
//! Cost: for lists of sizes `A` to `D`, `A * B + C * D` products, except for those whose first images occur in no
//! product of the other stream. Half-turn metric, length 16: four lists of 43,239, about 1.9 billion products on each
//! side.
//!
//! Sources: Schroeppel and Shamir 1981 (two ordered streams from four lists), Fiat et al. 1989
//! (products of permutations in lexicographic order); Korf 1997, "Related Work: Fiat et al",
//! compares with them.
//!
//! | module | contents |
//! | --- | --- |
//! | `images` | a cube as 20 images with 24 values |
//! | `layers` | the stored lists, and the words that lead to their permutations |
//! | `trie` | a list as a tree over the images |
//! | `join` | the two streams, in order, matched as they are generated |

pub(crate) mod images;
pub(crate) mod join;
pub(crate) mod layers;
mod matching;
pub(crate) mod trie;

use crate::cube::{Cube, Turn};
use images::Map;
use join::{Match, Stream, join};
use layers::Layers;
use search_core::clock::Instant;
use search_core::record::Iteration;
use search_core::{Cancelled, Ending, Report, Run};
use std::fmt;
use trie::Trie;

/// The search at one length.
#[derive(Clone, Debug, PartialEq)]
pub struct Length {
    /// The length.
    pub depth: u32,
    /// The sizes of the four lists, in the order of the solution.
    pub lists: [usize; 4],
    /// Products generated from the left: from the start.
    pub generated_left: u64,
    /// Products generated from the right: from the solved cube.
    pub generated_right: u64,
    /// Whether both streams were searched to their ends. The counts of a complete search do not depend on the number of
    /// threads; those of a search ended by a solution do.
    pub complete: bool,
    /// Wall-clock seconds.
    pub seconds: f64,
}

impl fmt::Display for Length {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Length { depth, lists, generated_left, generated_right, seconds, .. } = self;
        write!(
            f,
            "length {depth}: {generated_left} + {generated_right} products of {lists:?} in {seconds:.3} s"
        )
    }
}

/// The search at one length for a run record: its nodes are the products of both streams.
impl From<&Length> for Iteration {
    fn from(length: &Length) -> Iteration {
        Iteration {
            bound: length.depth,
            complete: length.complete,
            generated: length.generated_left + length.generated_right,
            seconds: length.seconds,
            ..Iteration::default()
        }
    }
}

/// A shortest word in `generators` that solves `start`, of at most `max_depth` turns.
///
/// The solution is the same for every number of threads. Memory is that of the
/// lists at a quarter of the length reached: for 16 half turns 43,239 permutations, about 10 MB.
pub fn solve(start: &Cube, generators: &[Turn], max_depth: u32, run: &Run<'_>) -> Report<Vec<Turn>> {
    let mut search = ShamirSearch::new(start, generators);
    let (mut iterations, mut depth) = (Vec::new(), 0);
    let ending = loop {
        if depth > max_depth {
            break Ending::bounded(depth);
        }
        if search.is_possible(depth) {
            let Ok((length, solution)) = search.at(depth, run) else {
                break Ending::cancelled(depth);
            };
            run.progress().note(&length.to_string());
            iterations.push(Iteration::from(&length));
            if let Some(turns) = solution {
                break Ending::solved(depth, turns);
            }
        }
        depth += 1;
    };
    Report { ending, iterations }
}

/// A search that proceeds length by length, for callers that need more than [`solve`] returns, such
/// as the sizes of the lists.
pub struct ShamirSearch {
    start: Cube,
    /// Whether every generator is a quarter turn, and so changes the parity.
    all_odd: bool,
    /// Words from the solved cube.
    forward: Layers,
    /// Words in the inverses of the generators; `None` if these are the generators themselves.
    backward: Option<Layers>,
}

impl ShamirSearch {
    /// The search for words in `generators` that solve `start`.
    pub fn new(start: &Cube, generators: &[Turn]) -> ShamirSearch {
        let inverses: Vec<Turn> = generators.iter().map(|turn| turn.inverse()).collect();
        let closed = inverses.iter().all(|turn| generators.contains(turn));
        ShamirSearch {
            start: *start,
            all_odd: generators.iter().all(|turn| turn.quarters() != 2),
            forward: Layers::new(generators.to_vec()),
            backward: (!closed).then(|| Layers::new(inverses)),
        }
    }

    /// Whether a word of this length has the required parity.
    pub(crate) fn is_possible(&self, depth: u32) -> bool {
        !self.all_odd || self.start.is_odd() == (depth % 2 == 1)
    }

    fn backward(&self) -> &Layers {
        self.backward.as_ref().unwrap_or(&self.forward)
    }

    /// Searches one length. A solution that it finds is a
    /// shortest one if no smaller length has any.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn at(&mut self, depth: u32, run: &Run<'_>) -> Result<(Length, Option<Vec<Turn>>), Cancelled> {
        run.check()?;
        let begin = Instant::now();
        let depths = quarters(depth as usize);
        let longest = depths.into_iter().max().unwrap_or(0);
        self.forward.extend_to(longest);
        self.backward.iter_mut().for_each(|layers| layers.extend_to(longest));

        let (forward, backward) = (&self.forward, self.backward());
        let lists =
            [forward.at(depths[0]), forward.at(depths[1]), backward.at(depths[2]), backward.at(depths[3])];
        let left: Vec<Map> = lists[0].iter().map(|a| Map::of(&self.start.compose(a))).collect();
        let right: Vec<Map> = lists[3].iter().map(Map::of).collect();
        let tries = [Trie::new(lists[1]), Trie::new(lists[2])];
        let streams = [Stream { maps: &left, trie: &tries[0] }, Stream { maps: &right, trie: &tries[1] }];
        run.progress().begin(&format!("length {depth}"), join::SHARES as u64);
        let joined = join(streams, run);
        run.progress().end();
        let joined = joined?;
        let length = Length {
            depth,
            lists: lists.map(<[Cube]>::len),
            generated_left: joined.generated[0],
            generated_right: joined.generated[1],
            complete: joined.found.is_none(),
            seconds: begin.elapsed().as_secs_f64(),
        };
        Ok((length, joined.found.map(|found| self.word(found, depths))))
    }

    /// The solution of a match: the words of its four parts, those of the right side backwards.
    fn word(&self, [(a, b), (d, c)]: Match, depths: [usize; 4]) -> Vec<Turn> {
        let there = |i: usize, depth| self.forward.word(&self.forward.at(depth)[i], depth);
        let back = |i: usize, depth| {
            let word = self.backward().word(&self.backward().at(depth)[i], depth);
            word.into_iter().rev().map(Turn::inverse)
        };
        let mut word = there(a, depths[0]);
        word.extend(there(b, depths[1]));
        word.extend(back(c, depths[2]));
        word.extend(back(d, depths[3]));
        word
    }
}

/// Splits a length into four parts that differ by at most one; the inner parts, whose lists become trees, are the
/// longer ones.
fn quarters(depth: usize) -> [usize; 4] {
    [depth / 4, depth.div_ceil(4), (depth + 2) / 4, (depth + 1) / 4]
}
