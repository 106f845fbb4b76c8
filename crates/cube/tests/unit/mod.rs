//! Tests of the whole crate, which reach into its modules: they share their tables in memory.

mod admissible;
mod algs;
mod axial;
pub(crate) mod common;
mod deltas;
mod engines;
mod fmc;
mod insertions;
mod known_tables;
mod masks;
mod moves;
mod ranking;
mod sequences;
mod shamir;
mod slices;
mod stages;
mod symmetric_positions;
mod symmetry;
mod tables_process;
mod upper;
