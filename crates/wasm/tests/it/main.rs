//! Requests and answers, with a host that keeps tables in memory.

mod answers;
mod host;
mod puzzles;
