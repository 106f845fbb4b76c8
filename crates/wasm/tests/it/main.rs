//! Requests and answers, with a host that keeps tables in memory.

mod answers;
mod asked;
mod host;
mod puzzles;
