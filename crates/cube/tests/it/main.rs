//! The integration tests of the crate, in one program: it is linked once, and its tests share tables in memory.

mod admissible;
mod algs;
mod as_pasted;
mod cli;
mod common;
mod deltas;
mod engines;
mod fmc;
mod insertions;
mod known_tables;
mod masks;
mod moves;
mod notation;
mod ranking;
mod shamir;
mod slices;
mod stages;
mod symmetric_positions;
mod symmetry;
mod tables_process;
