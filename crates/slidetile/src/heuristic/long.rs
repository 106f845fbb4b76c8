//! Manhattan distance and linear conflict on boards of any size, without tables.
//!
//! The idea: the tiles that never leave their goal line are in goal order, so they are at most a longest increasing
//! subsequence of the line. Each of the others makes two moves that Manhattan distance does not count ([`Spread`] counts
//! them).
//!
//! Why it is admissible: as in [`lines`](super::lines). Values above 255, which boards of 8x8 have, are compared with the
//! moves left as they are; where a single byte is asked for, 255 stands for them.
//!
//! Source: Hansson, Mayer & Yung 1992.

use search_core::heuristic::{Batch, Heuristic, NodeRef, Sieved};
use search_core::{Op, OpSet};

use super::{Placed, Ranked, Spread};
use crate::board::OPS;
use crate::puzzle::Puzzle;
use crate::tiles::Tiles;

/// The heuristic.
pub(crate) struct Long {
    spread: Spread,
    conflicts: bool,
}

impl Long {
    /// The heuristic of `puzzle`: Manhattan distance, and linear conflict if `conflicts`.
    pub fn new(puzzle: &Puzzle, conflicts: bool) -> Long {
        Long { spread: Spread::to(puzzle.board(), puzzle.goal()), conflicts }
    }

    /// The value of a state, which may exceed 255.
    pub fn bound(&self, tiles: &Tiles) -> u32 {
        self.worth(&self.spread.placed(tiles))
    }

    fn worth(&self, placed: &Placed) -> u32 {
        if self.conflicts { placed.value() } else { placed.distance() }
    }
}

impl Heuristic<Puzzle> for Long {
    type Carry = Placed;
    /// By operator.
    type Scratch = [Placed; OPS];

    fn carry(&self, _: &Puzzle, state: &Tiles) -> Placed {
        self.spread.placed(state)
    }

    fn carry_child(
        &self,
        _: NodeRef<'_, Puzzle, Placed>,
        op: Op,
        _: &Tiles,
        children: &[Placed; OPS],
    ) -> Placed {
        children[op.index()]
    }

    fn locate(&self, node: NodeRef<'_, Puzzle, Placed>, batch: Batch, children: &mut [Placed; OPS]) {
        for op in batch.ops {
            let from = node.domain.target(node.state.blank(), op);
            children[op.index()] = self.spread.after(*node.carry, node.state, from);
        }
    }

    fn read(&self, batch: Batch, children: &mut [Placed; OPS]) -> Sieved {
        let mut sieved = Sieved { kept: OpSet::EMPTY, least_cut: u32::MAX };
        for op in batch.ops {
            match self.worth(&children[op.index()]) {
                value if value <= batch.limit => sieved.kept = sieved.kept.with(op),
                value => sieved.least_cut = sieved.least_cut.min(value),
            }
        }
        sieved
    }

    fn value(&self, _: &Puzzle, state: &Tiles) -> u8 {
        self.bound(state).min(255) as u8
    }
}

impl Ranked<Puzzle> for Long {
    fn rank(&self, placed: &Placed, _: u32) -> u32 {
        self.spread.cost(placed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use crate::heuristic::Parts;
    use crate::heuristic::explain::explain;
    use crate::random::Instances;
    use search_core::Domain;

    #[test]
    fn values_are_those_of_the_reference_implementation() {
        for size in ["3x3", "2x9", "8x7", "10x10"] {
            let board: Board = size.parse().expect("a size");
            let puzzle = Puzzle::new(board, Tiles::spiral(board));
            for (conflicts, parts) in [(false, Parts::MANHATTAN), (true, Parts::CONFLICTS)] {
                let long = Long::new(&puzzle, conflicts);
                for tiles in Instances::new(board, *puzzle.goal(), 3).take(3).chain([*puzzle.goal()]) {
                    let exact = explain(&puzzle, parts, &tiles).value();
                    assert_eq!(long.bound(&tiles), exact, "{size}");
                    let (carry, mut scratch) = (long.carry(&puzzle, &tiles), Default::default());
                    let node = NodeRef { domain: &puzzle, state: &tiles, carry: &carry };
                    for op in puzzle.applicable(&tiles) {
                        let child = long.bound(&puzzle.apply(&tiles, op));
                        let at = |limit| {
                            long.evaluate(
                                node,
                                Batch { ops: OpSet::EMPTY.with(op), stage: 0, limit },
                                &mut scratch,
                            )
                        };
                        let mut at = at;
                        assert!(at(child).kept.contains(op), "{size}");
                        assert_eq!(child.checked_sub(1).map_or(child, |less| at(less).least_cut), child);
                    }
                }
            }
        }
    }
}
