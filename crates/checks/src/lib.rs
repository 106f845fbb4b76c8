//! Properties that hold for any input bytes: the bodies of the fuzz targets.
//!
//! The idea: each check takes arbitrary bytes, interprets them as an input of the project and panics
//! when a promise is broken. libFuzzer calls the checks with inputs that it invents (`fuzz/`), and an
//! ordinary test calls them with the inputs that are kept in `fuzz/seeds`: one folder per check, with
//! examples to start from and every input that ever broke a promise.
//!
//! The first byte of an input selects what the others are.
//!
//! | check | what the bytes are | what must hold |
//! | --- | --- | --- |
//! | [`text`] | what a person types | parsers never panic; what is printed is read again as the same; the referee reads the same |
//! | [`moves`] | operators, ranks, entries | heuristics that are updated from move to move have the value computed from scratch and do not exceed the moves made; the referee plays the same; unpacking undoes packing |
//! | [`files`] | table files, automata, layers | readers never panic; what they accept, they write as the same bytes |
//! | [`puzzles`] | definitions of permutation puzzles, algorithms, states | readers never panic; what they accept is read again from what is written; an algorithm is its moves one by one |
//! | [`checkpoints`] | checkpoints, run records | a forged one cannot crash a search or keep it from ending |

pub mod checkpoints;
pub mod files;
mod input;
pub mod moves;
pub mod puzzles;
mod sizes;
pub mod text;

/// A check: panics when the bytes break a promise.
pub type Check = fn(&[u8]);

/// Every check, by its name.
pub const CHECKS: [(&str, Check); 5] = [
    ("checkpoints", checkpoints::check),
    ("files", files::check),
    ("moves", moves::check),
    ("puzzles", puzzles::check),
    ("text", text::check),
];
