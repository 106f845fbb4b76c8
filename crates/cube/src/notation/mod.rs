//! Reading and writing cubes.
//!
//! A text may be anything; a [`Cube`](crate::Cube) is always legal. The parsers here return either a
//! [`Position`] or a [`Fault`] that names everything that is wrong.
//!
//! | module | contents |
//! | --- | --- |
//! | `detect` | the entry point: a text in any of the formats |
//! | [`scramble`] | moves: face turns, wide turns, slices, rotations, brackets |
//! | [`facelets`] | 54 facelets of any six symbols |
//! | [`reid`] | Reid's 20 cubies |
//! | `pieces` | from the stickers at each location to a legal cube |
//! | [`names`] | well-known positions |
//! | [`net`] | printed nets |
//! | `orientation` | how the whole cube is held |
//! | [`fault`] | all possible defects of a text |

mod brackets;
pub(crate) mod detect;
pub mod facelets;
pub mod fault;
mod format;
mod lexer;
mod link;
mod list;
pub mod names;
pub mod net;
pub(crate) mod orientation;
pub(crate) mod pieces;
pub mod reid;
mod row;
pub mod scramble;
mod text;
mod token;

pub use detect::{Given, Position, is_blank, parse};
pub use fault::{Defect, Fault};
pub use format::Format;
pub use orientation::Orientation;
pub use scramble::Scramble;
