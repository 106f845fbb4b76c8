//! Replays any solution on its own plain model of each puzzle; shares no code with the solvers.
//!
//! A solver may be clever; its referee may not. Every model here is the puzzle as one would describe it to someone who
//! has never seen it: stickers that turn in space, tiles in a list, discs on pegs. Nothing is copied from a table, so
//! a solver's table and the referee cannot have the same error by accident.
//!
//! | module | model | notations |
//! | --- | --- | --- |
//! | [`cube`] | 54 stickers at points in space | face, wide and slice turns, rotations |
//! | [`tiles`] | a list of cells | directions of the blank, tile numbers |
//! | [`hanoi`] | pegs as stacks | `disc:from>to`, `from>to` |
//! | [`permutation`] | a list of colours, and moves as lists of points | the names of the moves |
//!
//! Each has a `check` that answers one question: does this text lead from that state to that goal
//! in exactly this number of moves? A [`Refusal`] names the move that fails, and the reason.
//!
//! With the feature `certificate`, the module `certificate` checks what the solvers write with `--certificate`;
//! with the feature `cli`, on by default, the program `referee` does so from the command line.

#[cfg(feature = "certificate")]
pub mod certificate;
#[cfg(feature = "cli")]
pub mod cli;
pub mod cube;
pub mod hanoi;
pub mod permutation;
mod refusal;
pub mod tiles;

pub use refusal::Refusal;
