//! Tests of the engine over small puzzles.

mod counts;
mod puzzles;
mod solving;
