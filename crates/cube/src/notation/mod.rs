//! What a person may type for a cube, and how a cube is written.
//!
//! A text is anything; a [`Cube`](crate::Cube) is always legal. Between them stand the parsers
//! here, which either give a [`Position`] or a [`Fault`] that names all that is wrong at once.
//!
//! | module | holds |
//! | --- | --- |
//! | [`detect`] | the entrance: a text in any of the formats |
//! | [`scramble`] | moves: face turns, wide turns, slices, rotations |
//! | [`facelets`] | 54 facelets of any six symbols |
//! | [`reid`] | Reid's 20 cubies |
//! | [`pieces`] | from the stickers seen at each location to a legal cube |
//! | [`orientation`] | how the whole cube is held |
//! | [`fault`] | everything that can be wrong |

pub mod detect;
pub mod facelets;
pub mod fault;
pub mod orientation;
pub mod pieces;
pub mod reid;
pub mod scramble;
mod text;

pub use detect::{Format, Given, Position, parse};
pub use fault::{Defect, Fault};
pub use orientation::Orientation;
pub use scramble::Scramble;
pub use text::is_blank;
