//! TopSpin(n, k) on `search-core`: how a new puzzle gets a learned automaton, a pattern database, IDA*,
//! frontier search and a command line. `docs/new-puzzle.md` walks through it.
//!
//! | module | contents |
//! | --- | --- |
//! | [`puzzle`] | states, operators, goal; what strings of operators do; packed states |
//! | [`pattern`] | the pattern database, as a recipe and as a heuristic |
//! | [`solver`] | automaton, heuristic and search together; solutions replayed on a plain ring |

pub mod pattern;
pub mod puzzle;
pub mod solver;

pub use pattern::Pattern;
pub use puzzle::{Ring, TopSpin};
pub use solver::Solver;
