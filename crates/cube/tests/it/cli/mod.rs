//! The command line, as a user runs it: help, answers, every error path. Outputs are compared with snapshots.

mod algs;
mod basics;
mod cheapest;
mod harness;
mod interrupts;
mod moves;
mod solve;
mod tables;
