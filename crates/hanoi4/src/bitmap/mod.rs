//! The fast engine: breadth-first layers as bitmaps of blocks.
//!
//! Read in this order: [`shape`] (how states lie in a bitmap), [`kernel`] (one layer of one block),
//! [`boundary`] (what crosses between blocks), [`blocks`] (which blocks there are), [`codec`] and
//! [`layer`] (layers as streams, in memory and on disk), [`search`] (a whole layer on all threads), [`checkpoint`].

pub mod blocks;
pub mod boundary;
pub mod checkpoint;
pub mod codec;
pub mod kernel;
pub mod layer;
pub mod search;
pub mod shape;
