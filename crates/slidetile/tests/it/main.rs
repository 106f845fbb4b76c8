//! The crate's integration tests, one program: it is linked once.

mod admissible;
mod as_pasted;
mod cli;
mod forecast;
mod fsm;
mod groups;
mod kernels;
mod papers;
mod patterns;
mod recheck;
mod solve;
mod stops;
mod zero_one;
