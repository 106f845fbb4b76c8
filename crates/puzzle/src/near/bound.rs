//! The table of near positions as the lower bound of a search.

use search_core::domain::PerOp;
use search_core::heuristic::{Batch, Kernel, NodeRef, Sieved};
use search_core::{Heuristic, Op};

use super::Hashed;
use super::classes::ClassSpace;
use super::places::PlaceSpace;
use super::table::Near;

/// The lower bound that a table of near positions gives.
#[derive(Clone, Copy, Debug)]
pub struct NearBound<'a>(pub &'a Near);

impl NearBound<'_> {
    /// Whether no value can prune a child with this many moves left.
    #[inline(always)]
    fn is_beyond(self, limit: u32) -> bool {
        limit > u32::from(self.0.depth())
    }
}

/// Both kinds of positions have the same code. A single implementation for all [`Hashed`] domains would overlap with those of
/// `search_core` for simpler heuristics.
macro_rules! bound_of {
    ($space:ty) => {
        impl<const W: usize> Heuristic<$space> for NearBound<'_> {
            type Carry = u64;
            type Scratch = PerOp<u64>;

            fn carry(&self, space: &$space, position: &[u8; W]) -> u64 {
                space.hash(position)
            }

            #[inline(always)]
            fn carry_child(
                &self,
                parent: NodeRef<'_, $space, u64>,
                op: Op,
                _: &[u8; W],
                _: &PerOp<u64>,
            ) -> u64 {
                // Few children are entered, so keeping their hashes would not pay.
                parent.domain.child_hash(parent.state, *parent.carry, op)
            }

            #[inline(always)]
            fn locate(&self, node: NodeRef<'_, $space, u64>, batch: Batch, scratch: &mut PerOp<u64>) {
                if self.is_beyond(batch.limit) {
                    return;
                }
                for op in batch.ops {
                    let hash = node.domain.child_hash(node.state, *node.carry, op);
                    scratch[op] = hash;
                    self.0.prefetch(hash);
                }
            }

            #[inline(always)]
            fn read(&self, batch: Batch, scratch: &mut PerOp<u64>) -> Sieved {
                let mut sieved = Sieved::default();
                if self.is_beyond(batch.limit) {
                    return Sieved { kept: batch.ops, ..sieved };
                }
                for op in batch.ops {
                    sieved.take(op, self.0.get(scratch[op]), batch.limit);
                }
                sieved
            }

            fn value(&self, space: &$space, position: &[u8; W]) -> u8 {
                self.0.get(space.hash(position))
            }

            fn kernel(&self) -> Kernel {
                // The children of one node are many, and all of them are located before the first is read.
                Kernel::DepthFirst
            }
        }
    };
}

bound_of!(PlaceSpace<'_, W>);
bound_of!(ClassSpace<'_, W>);
