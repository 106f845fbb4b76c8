//! The crate's integration tests, one program: it is linked once.

mod certificate;
mod cli;
mod cube;
mod hanoi;
mod permutation;
mod tiles;
