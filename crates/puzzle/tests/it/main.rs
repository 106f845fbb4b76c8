//! Tests of the engine over small puzzles.

mod cli;
mod counts;
mod cubes;
mod free;
mod goals;
mod limits;
mod near;
mod puzzles;
mod resume;
mod rows;
mod shapes;
mod solving;
mod stops;
