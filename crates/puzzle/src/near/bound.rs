//! The table of near positions as the lower bound of a search.

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
    pub(crate) fn is_beyond(self, limit: u32) -> bool {
        limit > u32::from(self.0.depth())
    }
}

/// All kinds of positions have the same code. A single implementation for all [`Hashed`] domains would overlap with those of
/// `search_core` for simpler heuristics.
macro_rules! bound_of {
    ($space:ty, $state:ty $(, $width:ident)?) => {
        impl$(<const $width: usize>)? search_core::Heuristic<$space> for $crate::near::NearBound<'_> {
            type Carry = u64;
            type Scratch = search_core::domain::PerOp<u64>;

            fn carry(&self, space: &$space, position: &$state) -> u64 {
                space.hash(position)
            }

            #[inline(always)]
            fn carry_child(
                &self,
                parent: search_core::heuristic::NodeRef<'_, $space, u64>,
                op: search_core::Op,
                _: &$state,
                _: &search_core::domain::PerOp<u64>,
            ) -> u64 {
                // Few children are entered, so keeping their hashes would not pay.
                parent.domain.child_hash(parent.state, *parent.carry, op)
            }

            #[inline(always)]
            fn locate(&self, node: search_core::heuristic::NodeRef<'_, $space, u64>, batch: search_core::heuristic::Batch, scratch: &mut search_core::domain::PerOp<u64>) {
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
            fn read(&self, batch: search_core::heuristic::Batch, scratch: &mut search_core::domain::PerOp<u64>) -> search_core::heuristic::Sieved {
                let mut sieved = search_core::heuristic::Sieved::default();
                if self.is_beyond(batch.limit) {
                    return search_core::heuristic::Sieved { kept: batch.ops, ..sieved };
                }
                for op in batch.ops {
                    sieved.take(op, self.0.get(scratch[op]), batch.limit);
                }
                sieved
            }

            fn value(&self, space: &$space, position: &$state) -> u8 {
                self.0.get(space.hash(position))
            }

            fn kernel(&self) -> search_core::heuristic::Kernel {
                // The children of one node are many, and all of them are located before the first is read.
                search_core::heuristic::Kernel::DepthFirst
            }
        }
    };
}
pub(crate) use bound_of;

bound_of!(PlaceSpace<'_, W>, [u8; W], W);
bound_of!(ClassSpace<'_, W>, [u8; W], W);
