//! What every search returns, and what `--json` prints: the run record.
//!
//! Node words, used alike everywhere: **generated** is a child state produced by an operator that
//! the automaton allowed; **expanded** is a node whose children were generated. The root is
//! expanded, not generated.

use serde::{Deserialize, Serialize};

/// What one stage of the heuristic did in an iteration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stage {
    /// Generated nodes that came to this stage.
    pub looked_up: u64,
    /// Those of them that it cut.
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
    /// Generated nodes that the heuristic cut.
    pub pruned_by_heuristic: u64,
    /// Applicable operators that the automaton forbade.
    pub pruned_by_fsm: u64,
    /// The stages of the heuristic in their order; from the eighth on they are one. Empty where the
    /// heuristic has but one stage.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub stages: Vec<Stage>,
    /// Wall-clock seconds.
    pub seconds: f64,
}

/// What is known about the instance after the search.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Outcome {
    /// Solved, and proved shortest.
    Optimal {
        /// The length of a shortest solution.
        length: u32,
        /// The solutions asked for, in the domain's notation, one string each; at least one.
        solutions: Vec<String>,
    },
    /// Stopped by a bound, a limit or an interruption: every solution has at least this length.
    LowerBound {
        /// The proved lower bound.
        length: u32,
    },
    /// The whole space that the instance can reach holds no goal.
    Exhausted,
}

/// A table that a run used, bound to its content.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableUse {
    /// The table's name.
    pub name: String,
    /// The checksum of its body, in hexadecimal.
    pub checksum: String,
}

/// One search from beginning to end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunRecord {
    /// The instance as it was given.
    pub instance: String,
    /// What was found.
    pub result: Outcome,
    /// What a move costs ("htm", "qtm", "moves").
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
    /// The seed of whatever was random.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub seed: Option<u64>,
    /// The program's name and version.
    pub version: String,
}
