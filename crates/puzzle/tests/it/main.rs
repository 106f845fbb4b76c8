//! Tests of the engine over small puzzles.

mod cli;
mod counts;
mod goals;
mod puzzles;
mod rows;
mod solving;
