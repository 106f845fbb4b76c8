//! Enumerates the positions near the solved one.
//!
//! The idea: for each distance in turn, all strings of that many moves that the automaton allows are followed from the solved
//! position. Every position at that distance is the end of at least one of them, because each move has an inverse, so distances
//! from and to the solved position are equal. Threads follow strings and sort the hashes of their ends by regions of the table;
//! then threads insert the hashes, each into regions of its own.
//!
//! Invariant: that of the [table](super::table): all hashes of one distance are inserted before those of the next. Which of
//! two positions with equal bits comes first does not matter, since their distances are equal.
//!
//! Cost: a dozen additions for a string, and a few reads in the second cache.

use search_core::automaton::StateId;
use search_core::memory::MemoryError;
use search_core::{Automaton, Cancelled, Op, OpSet, Run};

use super::Hashed;
use super::table::{MOST_DEPTH, Near, Region, Shape};

/// The approximate number of hashes that are sorted before they are inserted.
const BATCH: f64 = 1e6;
/// The moves from the first positions of a thread's work to the ends of its strings.
const TAIL: u32 = 2;
/// The margin of the number of positions that is expected before the enumeration.
const MARGIN: f64 = 1.1;

/// The reason why a table of near positions is not available.
#[derive(Debug, thiserror::Error)]
pub enum FillError {
    /// The table exceeds the memory of the run.
    #[error("a table of near positions needs {need} bytes; the budget is {have}")]
    OverBudget {
        /// The bytes it needs.
        need: u64,
        /// The budget.
        have: u64,
    },
    /// The system refuses the memory.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// The work was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

/// A node of the enumeration.
#[derive(Clone)]
struct Node<S> {
    position: S,
    hash: u64,
    fsm: StateId,
}

/// The table of all positions within `depth` moves of the solved one. `expected` is the number of positions that is expected;
/// if there are more, the enumeration begins again with a larger table.
///
/// # Errors
/// [`FillError`].
///
/// # Panics
/// If `depth` exceeds 14.
pub fn fill<D: Hashed>(
    space: &D,
    automaton: &Automaton,
    depth: u8,
    expected: f64,
    run: &Run<'_>,
) -> Result<Near, FillError> {
    assert!(depth <= MOST_DEPTH, "distances are at most {MOST_DEPTH}");
    let mut shape = Shape::of((expected * MARGIN) as u64);
    loop {
        let (need, have) = (shape.bytes(), run.memory());
        if need > have {
            return Err(FillError::OverBudget { need, have });
        }
        let mut fill =
            Fill { space, automaton, shape, near: Near::empty(shape)?, used: vec![0; shape.regions()] };
        if fill.to(depth, run)? {
            return Ok(fill.near);
        }
        shape = shape.doubled();
    }
}

struct Fill<'a, D> {
    space: &'a D,
    automaton: &'a Automaton,
    shape: Shape,
    near: Near,
    /// The number of slots taken in each region.
    used: Vec<usize>,
}

impl<D: Hashed> Fill<'_, D> {
    /// Inserts all positions up to a distance; false if there is not enough room.
    fn to(&mut self, depth: u8, run: &Run<'_>) -> Result<bool, FillError> {
        let solved = self.space.root();
        let hash = self.space.hash(&solved);
        let root = Node { position: solved, hash, fsm: self.automaton.start() };
        let (mut first, mut first_depth) = (vec![root], 0);
        for distance in 0..=depth {
            run.check()?;
            let before = u32::from(distance).saturating_sub(TAIL);
            while first_depth < before {
                first = self.children(&first);
                first_depth += 1;
            }
            let Some(strings) = self.insert(&first, u32::from(distance) - first_depth, distance, run)? else {
                return Ok(false);
            };
            self.near.strings.push(strings);
            self.near.depth = distance;
        }
        Ok(true)
    }

    fn ops(&self, node: &Node<D::State>) -> OpSet {
        self.space.applicable(&node.position).and(self.automaton.allowed(node.fsm))
    }

    fn child(&self, node: &Node<D::State>, op: Op) -> Node<D::State> {
        Node {
            position: self.space.apply(&node.position, op),
            hash: self.space.child_hash(&node.position, node.hash, op),
            fsm: self.automaton.next(node.fsm, op).expect("the automaton allowed the move"),
        }
    }

    fn children(&self, nodes: &[Node<D::State>]) -> Vec<Node<D::State>> {
        nodes.iter().flat_map(|node| self.ops(node).into_iter().map(|op| self.child(node, op))).collect()
    }

    /// Inserts the ends of all strings of `tail` moves from `nodes`, and returns their number; `None` if there is not enough
    /// room.
    fn insert(
        &mut self,
        nodes: &[Node<D::State>],
        tail: u32,
        distance: u8,
        run: &Run<'_>,
    ) -> Result<Option<u64>, FillError> {
        let ends = (self.space.op_count() as f64).powf(f64::from(tail));
        let batch = ((BATCH / ends) as usize).max(1);
        let mut strings = 0;
        for nodes in nodes.chunks(batch) {
            run.check()?;
            let pieces: Vec<&[Node<D::State>]> =
                nodes.chunks(nodes.len().div_ceil(4 * run.threads())).collect();
            let hashes: Vec<Vec<Vec<u64>>> = run.map(&pieces, |piece| {
                let mut regions = vec![Vec::new(); self.shape.regions()];
                piece.iter().for_each(|node| self.ends(node, tail, &mut regions));
                regions
            });
            strings += hashes.iter().flatten().map(|region| region.len() as u64).sum::<u64>();
            let (shape, bytes) = (self.shape, self.shape.region_bytes());
            let regions = self.near.entries_mut().chunks_mut(bytes).zip(&mut self.used);
            if insert(regions.collect(), &hashes, (shape, distance), run).is_err() {
                return Ok(None);
            }
        }
        Ok(Some(strings))
    }

    /// Adds the hashes of the ends of all strings of `tail` moves to the lists of their regions.
    fn ends(&self, node: &Node<D::State>, tail: u32, regions: &mut [Vec<u64>]) {
        match tail {
            0 => regions[self.shape.region(node.hash)].push(node.hash),
            1 => {
                for op in self.ops(node) {
                    let hash = self.space.child_hash(&node.position, node.hash, op);
                    regions[self.shape.region(hash)].push(hash);
                }
            }
            _ => {
                self.ops(node).into_iter().for_each(|op| self.ends(&self.child(node, op), tail - 1, regions))
            }
        }
    }
}

/// There is not enough room in a table.
struct NoRoom;

/// Inserts the hashes of each piece in their regions, whose bytes and numbers of taken slots are given.
fn insert(
    mut regions: Vec<(&mut [u8], &mut usize)>,
    pieces: &[Vec<Vec<u64>>],
    (shape, distance): (Shape, u8),
    run: &Run<'_>,
) -> Result<(), NoRoom> {
    run.try_for_each_item(&mut regions, &|at, (region, used): &mut (&mut [u8], &mut usize)| {
        let mut region = Region::new(shape, region, **used);
        for &hash in pieces.iter().flat_map(|piece| &piece[at]) {
            **used += usize::from(region.insert(hash, distance).ok_or(NoRoom)?);
        }
        Ok(())
    })
}
