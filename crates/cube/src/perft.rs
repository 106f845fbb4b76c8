//! A naive enumerator: the number of cubes at each distance from the solved one.
//!
//! The idea: a breadth-first search that applies every turn to every cube of a layer, sorts the results, and
//! drops those in the last two layers. It uses nothing but [`Cube::apply`]: no move rules, no symmetries, no
//! tables. That makes it a check on all of these.
//!
//! Invariant: after `d` steps `current` holds exactly the cubes at distance `d`, `previous` those at `d - 1`,
//! both sorted. A turn changes the distance by at most one and can be undone, so a child that is in neither is
//! at distance `d + 1`.
//!
//! Cost: the children are divided into parts, by the cubies at the first two locations, and sorted part by
//! part, so that the search can be cancelled between parts. Each pass over the layer makes as many parts as the
//! given memory holds.

use crate::cube::Cube;
use crate::metric::Metric;
use search_core::{Cancelled, Run};
use std::mem::size_of;

/// The number of parts that children are divided into: by the first two corners, each one of eight in one of
/// three orientations.
const PARTS: usize = 24 * 24;
/// Cubes between two checks for cancellation.
const STRIDE: usize = 1 << 16;

/// Counts cubes layer by layer.
#[derive(Debug)]
pub struct Perft {
    metric: Metric,
    previous: Vec<Cube>,
    current: Vec<Cube>,
}

impl Perft {
    /// An enumeration that begins at the solved cube, at distance 0.
    pub fn new(metric: Metric) -> Perft {
        Perft { metric, previous: Vec::new(), current: vec![Cube::SOLVED] }
    }

    /// The cubes of the current layer, sorted.
    pub fn layer(&self) -> &[Cube] {
        &self.current
    }

    /// An upper bound on the memory in bytes to count the layers up to `depth` in few passes: the last two layers,
    /// and the same amount again for children.
    pub fn bytes_needed(metric: Metric, depth: usize) -> u128 {
        let nodes = metric.automaton().strings_by_length(depth);
        let kept: u128 = nodes.iter().rev().skip(1).take(2).sum();
        kept.saturating_mul(2 * size_of::<Cube>() as u128)
    }

    /// Advances to the next layer and returns its size. Children take about `room` bytes.
    ///
    /// # Errors
    /// [`Cancelled`]; the layer is then unchanged.
    pub fn advance(&mut self, room: u64, run: &Run<'_>) -> Result<u64, Cancelled> {
        let mut next = Vec::new();
        self.parts(room, run, |part| next.extend_from_slice(part))?;
        debug_assert!(next.is_sorted(), "parts come in order");
        self.previous = std::mem::replace(&mut self.current, next);
        Ok(self.current.len() as u64)
    }

    /// Counts the next layer without keeping it.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn count_next(&self, room: u64, run: &Run<'_>) -> Result<u64, Cancelled> {
        let mut count = 0;
        self.parts(room, run, |part| count += part.len() as u64)?;
        Ok(count)
    }

    /// Passes the next layer to `take` in sorted parts, in ascending order.
    fn parts(&self, room: u64, run: &Run<'_>, mut take: impl FnMut(&[Cube])) -> Result<(), Cancelled> {
        let turns = self.metric.turns();
        let bytes = (self.current.len() * turns.len() * size_of::<Cube>()) as u64;
        let passes = usize::try_from(bytes.div_ceil(room.max(1))).map_or(PARTS, |n| n.clamp(1, PARTS));
        let mut parts = vec![Vec::new(); PARTS];
        let mut kept = Vec::new();
        for pass in 0..passes {
            let taken = pass * PARTS / passes..(pass + 1) * PARTS / passes;
            for (at, cubes) in self.current.chunks(STRIDE).enumerate() {
                run.check()?;
                run.progress().update((pass * self.current.len() + at * STRIDE) as u64 / passes as u64);
                for cube in cubes {
                    for child in turns.iter().map(|&turn| cube.apply(turn)) {
                        let part = part(&child);
                        if taken.contains(&part) {
                            parts[part].push(child);
                        }
                    }
                }
            }
            for part in &mut parts[taken] {
                let mut children = std::mem::take(part);
                run.check()?;
                children.sort_unstable();
                children.dedup();
                for children in children.chunks(STRIDE) {
                    run.check()?;
                    kept.clear();
                    kept.extend(children.iter().filter(|child| !self.holds(child)));
                    take(&kept);
                }
            }
        }
        Ok(())
    }

    fn holds(&self, cube: &Cube) -> bool {
        self.current.binary_search(cube).is_ok() || self.previous.binary_search(cube).is_ok()
    }
}

/// The number of the part, below [`PARTS`], that a cube belongs to; ascends with the cube.
fn part(cube: &Cube) -> usize {
    let rank = |corner: u8| usize::from(corner >> 4) * 8 + usize::from(corner & 15);
    rank(cube.corners[0]) * 24 + rank(cube.corners[1])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(metric: Metric, depth: usize, room: u64) -> Vec<u64> {
        let mut perft = Perft::new(metric);
        let mut counts = vec![1];
        for d in 1..=depth {
            counts.push(match d == depth {
                true => perft.count_next(room, &Run::new()).unwrap(),
                false => perft.advance(room, &Run::new()).unwrap(),
            });
        }
        counts
    }

    #[test]
    fn known_counts() {
        assert_eq!(counts(Metric::Htm, 5, 1 << 30), [1, 18, 243, 3240, 43239, 574908]);
        assert_eq!(counts(Metric::Qtm, 5, 1 << 30), [1, 12, 114, 1068, 10011, 93840]);
    }

    #[test]
    fn a_small_memory_gives_the_same_counts() {
        assert_eq!(counts(Metric::Htm, 4, 10_000), counts(Metric::Htm, 4, 1 << 30));
        assert_eq!(counts(Metric::Qtm, 4, 1), counts(Metric::Qtm, 4, 1 << 30));
    }

    #[test]
    fn a_cancelled_step_changes_nothing() {
        let (mut perft, run) = (Perft::new(Metric::Htm), Run::new());
        run.cancel().cancel();
        assert_eq!(perft.advance(1 << 20, &run), Err(Cancelled));
        assert_eq!(perft.layer(), [Cube::SOLVED]);
    }
}
