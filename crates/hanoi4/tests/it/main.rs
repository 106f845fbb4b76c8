//! The crate's integration tests, one program: it is linked once.

mod cli;
mod complete;
mod engine;
mod faults;
mod graph;
mod owners;
mod paths;
mod resume;
