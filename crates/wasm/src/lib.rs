//! The solvers for the static page in `web`: requests and answers as JSON.
//!
//! The page runs this crate, compiled to WebAssembly, in a worker. A request is a JSON object whose `do`
//! names what to do; [`answer()`] returns the answer. Long work reports to the [`Host`], which also
//! keeps the tables, since a browser has no files. The work uses the host's threads, and is stopped by
//! ending them: the page has by then the bound that was proved, and the last checkpoint.
//!
//! | module | contents |
//! | --- | --- |
//! | [`host`] | what the page provides: reports, and bytes of tables |
//! | [`refusal`] | the reason why a request has no answer: every fault at its place |
//! | [`tables`] | tables kept by the host, verified when they are read |
//! | [`work`] | progress, checkpoints and the record of a search |
//! | [`cubes`], [`tiles`], [`towers`], [`puzzles`] | the requests of each puzzle |
//! | [`answer`](mod@answer) | from a request to its answer |
//! | `exports` | the functions that JavaScript calls; only in WebAssembly |
//! | `threads` | threads that the page starts; only in WebAssembly with atomics |
//!
//! Everything but `exports` and `threads` is plain Rust, and tested natively.

pub mod answer;
pub mod cubes;
#[cfg(target_family = "wasm")]
mod exports;
pub mod host;
pub mod puzzles;
pub mod refusal;
pub mod tables;
#[cfg(all(target_family = "wasm", target_feature = "atomics"))]
mod threads;
pub mod tiles;
pub mod towers;
pub mod work;

pub use answer::answer;
pub use host::Host;
