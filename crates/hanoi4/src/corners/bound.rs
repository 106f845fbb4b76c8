//! Lower bounds as a search by corners under a threshold reads them.

use crate::model::State;
use std::fmt::Debug;

/// A lower bound on the distance to the nearest goal: the greater of two sums. Each sum has a part that depends on the
/// large discs alone.
pub trait CornerBound: Debug + Sync {
    /// The number of discs.
    fn discs(&self) -> u32;

    /// Whether both sums have such a part if `small` discs are small.
    fn suits(&self, small: u32) -> bool;

    /// The parts of both sums that depend on the large discs alone, where `small` discs are
    /// [small](CornerBound::suits).
    fn of_large(&self, large: State, small: u32) -> (u32, u32);

    /// The other part of the first sum, from a small table.
    fn rest_of_first(&self, state: State) -> u32;

    /// The entry that is the other part of the second sum, which may be outside of the caches.
    fn rest_of_second(&self, state: State) -> &u8;
}
