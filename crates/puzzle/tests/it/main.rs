//! Tests of the engine over small puzzles.

mod cli;
mod counts;
mod goals;
mod near;
mod puzzles;
mod resume;
mod rows;
mod solving;
