//! Optimal search for any domain: IDA*, learned automata, pattern databases, frontier search.
//!
//! Bring a [`Domain`] and a [`Heuristic`]; get shortest solutions with a proof. The crate knows no
//! puzzle, prints nothing and parses no arguments.
//!
//! | room | holds |
//! | --- | --- |
//! | [`domain`] | the contract that a puzzle fulfils |
//! | [`heuristic`] | the two-phase contract of lower bounds, and how bounds combine |
//! | [`zero_one`], [`matching`] | learning the costs of groups of subgoals, and counting them together |
//! | [`automaton`] | finite automata that say which operator may follow which string |
//! | [`ida`] | iterative-deepening A*: the driver and its kernels |
//! | [`simd`] | hot code compiled for the machine at hand |
//! | [`pdb`] | pattern databases: ranking, fill, packed storage, lookup |
//! | [`frontier`] | frontier search: layers in memory or on disk, delayed duplicate detection |
//! | [`table`] | the table file, and a directory of tables that are built on first use |
//! | [`memory`] | memory for tables, on huge pages where there are any |
//! | [`record`] | what every search returns |
//! | [`progress`] | the one channel for progress and cancellation |

pub mod automaton;
pub mod domain;
pub mod frontier;
pub mod heuristic;
pub mod ida;
pub mod matching;
pub mod memory;
mod meter;
pub mod pdb;
pub mod progress;
pub mod record;
pub mod simd;
pub mod table;
pub mod zero_one;

pub use automaton::Automaton;
pub use domain::{Domain, Lengths, Op, OpSet};
pub use heuristic::Heuristic;
pub use progress::{Cancel, Cancelled, Progress, Silent};
