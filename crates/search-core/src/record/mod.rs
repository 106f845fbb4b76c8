//! The run record: the result that every search returns and `--json` prints.
//!
//! Counts of nodes have the same meaning everywhere: **generated** children were produced by an
//! operator that the automaton allowed; **expanded** nodes had their children generated. The root is
//! expanded, not generated.
//!
//! ```
//! use search_core::Ending;
//!
//! let ending = Ending::solved(2, "R U");
//! assert_eq!((ending.length(), ending.solutions()), (Some(2), &["R U"][..]));
//! assert_eq!(Ending::<&str>::bounded(18).length(), None);
//! ```

mod answer;
mod ending;

pub use answer::{Answer, HeuristicStage, Used};
pub use ending::{Best, Ending, Report, Solution};

use serde::{Deserialize, Serialize};

/// The counts of one stage of the heuristic in an iteration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stage {
    /// Generated nodes that reached this stage.
    pub looked_up: u64,
    /// The number of these that it pruned.
    pub cut: u64,
}

/// One iteration of iterative deepening, or one threshold of a frontier search.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Iteration {
    /// The bound on the solution length.
    pub bound: u32,
    /// Whether the whole tree below the bound was searched. The counts of a complete iteration
    /// do not depend on the number of threads; those of a last, cut-short one do.
    pub complete: bool,
    /// Children produced by operators that the automaton allowed.
    pub generated: u64,
    /// Nodes whose children were generated.
    pub expanded: u64,
    /// Generated nodes that the heuristic pruned.
    pub pruned_by_heuristic: u64,
    /// Applicable operators that the automaton forbade.
    pub pruned_by_fsm: u64,
    /// The stages of the heuristic in order; from the eighth on they are counted together. Empty if the
    /// heuristic has one stage.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub stages: Vec<Stage>,
    /// Wall-clock seconds.
    pub seconds: f64,
}

/// A table that a run used, identified by its content.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableUse {
    /// The table's name.
    pub name: String,
    /// The checksum of its body, in hexadecimal.
    pub checksum: String,
}

/// The method of a search: the fields that all records of a batch share.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Method {
    /// The metric, which defines the cost of a move ("htm", "qtm", "moves").
    pub metric: String,
    /// The heuristic's name.
    pub heuristic: String,
    /// The tables it read.
    pub tables: Vec<TableUse>,
    /// Threads that searched.
    pub threads: usize,
    /// The random seed, if anything was random.
    pub seed: Option<u64>,
    /// The program's name and version.
    pub version: String,
}

/// One search from beginning to end.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RunRecord {
    /// The version of the record's form: [`RunRecord::SCHEMA`].
    pub schema: u32,
    /// The instance as it was given.
    pub instance: String,
    /// The proved lower bound on the length of every solution; absent if there is no solution.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lower_bound: Option<u32>,
    /// The length of the best solution so far; absent if none is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub upper_bound: Option<u32>,
    /// The best solution so far; absent if none is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub solution: Option<Solution>,
    /// The ending of the search, with its solutions.
    pub result: Ending<Solution>,
    /// The metric, which defines the cost of a move ("htm", "qtm", "moves").
    pub metric: String,
    /// The heuristic's name.
    pub heuristic: String,
    /// The tables it read.
    pub tables: Vec<TableUse>,
    /// Each bound that was searched, in order.
    pub iterations: Vec<Iteration>,
    /// Children produced in all.
    pub generated: u64,
    /// Nodes expanded in all.
    pub expanded: u64,
    /// Wall-clock seconds in all.
    pub seconds: f64,
    /// Threads that searched.
    pub threads: usize,
    /// The random seed, if anything was random.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// The program's name and version.
    pub version: String,
}

impl RunRecord {
    /// The version of the form of records. The first version had neither this number nor the bounds.
    pub const SCHEMA: u32 = 2;

    /// The record of a search for `instance` that took `seconds` in all.
    ///
    /// # Panics
    /// If the length of the first solution is not the proved length.
    pub fn new(instance: String, report: Report<Solution>, seconds: f64, method: Method) -> RunRecord {
        let first = report.ending.solutions().first().map(|solution| solution.length);
        assert_eq!(first, report.ending.length(), "the first solution is a shortest one");
        let Method { metric, heuristic, tables, threads, seed, version } = method;
        RunRecord {
            schema: RunRecord::SCHEMA,
            instance,
            lower_bound: report.ending.lower_bound(),
            upper_bound: report.ending.upper_bound(),
            solution: report.ending.best().cloned(),
            metric,
            heuristic,
            tables,
            generated: report.generated(),
            expanded: report.expanded(),
            result: report.ending,
            iterations: report.iterations,
            seconds,
            threads,
            seed,
            version,
        }
    }
}
