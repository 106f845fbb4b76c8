//! The command line, run as a user runs it: help, answers, every error path. Outputs are pinned by
//! snapshots.

mod algs;
mod basics;
mod cheapest;
mod harness;
mod interrupts;
mod moves;
mod solve;
mod tables;
