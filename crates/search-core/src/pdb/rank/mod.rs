//! Bijections between arrangements of pieces and the integers from 0.
//!
//! | arrangement | count | order |
//! | --- | --- | --- |
//! | [`permutation`]: all or the first `k` of `n` values | n!/(n-k)! | lexicographic |
//! | [`combination`]: `k` of `n` places, as a bit mask | n!/(k!(n-k)!) | masks as numbers ascend |
//! | [`orientation`]: digits of base 2 or 3, the last perhaps implied | base^digits | as numbers, first digit greatest |
//!
//! The order of each is part of the meaning of every table that is indexed by it: a change of an
//! order is a change of the ranking version in the table's header.

pub mod combination;
pub mod orientation;
pub mod permutation;
