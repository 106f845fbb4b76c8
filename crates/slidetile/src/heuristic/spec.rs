//! The heuristics by name.

use std::fmt;
use std::str::FromStr;

use crate::metric::Metric;
use crate::pdb::{Frames, Pattern, Plan, catalogue};
use crate::puzzle::Puzzle;

/// The maximum size in bytes of the default heuristic's tables, which two threads build within a minute.
pub(crate) const STANDARD_BYTES: u64 = 1 << 30;

/// A heuristic by name, before its tables are loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeuristicSpec {
    /// Manhattan distance.
    Manhattan,
    /// Manhattan distance and linear conflict.
    Conflicts,
    /// Learned pairwise distances and maximum weighted matching.
    Pairs,
    /// Learned distances of triples and pairs, matched greedily.
    Triples,
    /// All of Korf & Taylor 1996.
    Korf96,
    /// Additive pattern databases of up to 1 GiB; where several tiles move as one, those of that metric.
    Patterns,
    /// As many additive pattern databases as fit in memory.
    AllPatterns,
    /// The least numbers of vertical and horizontal moves, where several tiles move as one.
    Lines,
}

impl HeuristicSpec {
    /// All heuristics: those of single moves, weakest first, then that of several tiles as one.
    pub const ALL: [HeuristicSpec; 8] = [
        HeuristicSpec::Manhattan,
        HeuristicSpec::Conflicts,
        HeuristicSpec::Pairs,
        HeuristicSpec::Triples,
        HeuristicSpec::Korf96,
        HeuristicSpec::Patterns,
        HeuristicSpec::AllPatterns,
        HeuristicSpec::Lines,
    ];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            HeuristicSpec::Manhattan => "md",
            HeuristicSpec::Conflicts => "lc",
            HeuristicSpec::Pairs => "pairs",
            HeuristicSpec::Triples => "triples",
            HeuristicSpec::Korf96 => "korf96",
            HeuristicSpec::Patterns => "pdb",
            HeuristicSpec::AllPatterns => "pdb-max",
            HeuristicSpec::Lines => "lines",
        }
    }

    /// All names, for messages and help.
    pub fn names() -> String {
        HeuristicSpec::ALL.map(HeuristicSpec::name).join(", ")
    }

    /// The pattern databases that it reads for `puzzle` with `memory` bytes.
    pub fn patterns(self, puzzle: &Puzzle, memory: u64) -> Vec<Pattern> {
        self.plan(puzzle, memory).map(|plan| plan.patterns).unwrap_or_default()
    }

    /// The partitions and pattern databases that it reads for `puzzle` with `memory` bytes; `None` for a heuristic
    /// without pattern databases, or a board of more than 32 cells.
    pub fn plan(self, puzzle: &Puzzle, memory: u64) -> Option<Plan> {
        self.plan_avoiding(puzzle, memory, &[])
    }

    /// As [`plan`](HeuristicSpec::plan), without the tables of these names; `None` if they are needed.
    pub(crate) fn plan_avoiding(self, puzzle: &Puzzle, memory: u64, avoided: &[String]) -> Option<Plan> {
        let bytes = match self {
            HeuristicSpec::Patterns => memory.min(STANDARD_BYTES),
            HeuristicSpec::AllPatterns => memory,
            _ => return None,
        };
        if puzzle.metric() == Metric::Multi {
            return None;
        }
        let partitions = catalogue::partitions(&Frames::of(puzzle), bytes, avoided);
        if partitions.is_empty() { None } else { Plan::new(puzzle, &partitions) }
    }
}

impl fmt::Display for HeuristicSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for HeuristicSpec {
    type Err = String;
    fn from_str(name: &str) -> Result<HeuristicSpec, String> {
        let found = HeuristicSpec::ALL.into_iter().find(|heuristic| heuristic.name() == name);
        found.ok_or_else(|| format!("no heuristic is named {name:?}; there are {}", HeuristicSpec::names()))
    }
}
