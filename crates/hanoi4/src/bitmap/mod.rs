//! Breadth-first search whose layers are bitmaps of blocks.
//!
//! Read in this order: [`shape`] (the layout of states in a bitmap), `kernel` (one layer of one
//! block), `boundary` (what crosses between blocks), `blocks` (which blocks exist), [`codec`] and
//! `layer` (layers as streams, in memory and on disk), [`search`] (a whole layer on all threads),
//! `checkpoint`.

pub(crate) mod blocks;
mod boundary;
pub(crate) mod checkpoint;
pub mod codec;
pub(crate) mod kernel;
pub(crate) mod layer;
pub mod search;
pub mod shape;
