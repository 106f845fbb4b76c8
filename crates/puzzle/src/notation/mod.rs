//! Moves as people write them, for any puzzle.
//!
//! Accepted: names of moves, each alone or with an amount: a number, `'` (in any typographic form) for the inverse,
//! or both (`U2'`); `^` before a number (`U^2`, `U^-1`). After a name that ends in a digit an amount needs the `^`,
//! so `f12` is never `f1` twice. Words of several moves without spaces (`RUR'U'`) are read if they have exactly one
//! reading. Brackets `( ) [ ]` group; `[A, B]` is a commutator, `[A: B]` a conjugate, `(A)3` a repetition, `(A)'` the
//! inverse. A pair of numbers `(3,-1)` is a move where the puzzle has moves of this form. Comments (`//` or `#` to
//! the end of the line, `/* */`) and pauses (`.`, also between moves without spaces) are ignored. Everything else is refused by name with its position.
//!
//! | module | contents |
//! | --- | --- |
//! | `text` | lines without comments |
//! | `word` | the moves of a word |
//! | `lexer` | moves, brackets and marks with their positions |
//! | [`algorithm`] | nested sequences: read, measured, performed |

pub mod algorithm;
mod lexer;
mod text;
mod word;

pub use algorithm::{Algorithm, MOST_MOVES, Step};
pub(crate) use text::without_comments;
pub use word::{Names, power_name};
