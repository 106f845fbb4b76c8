//! The answer of a puzzle's solver: the ending, its iterations, heuristics and tables.

use super::{Ending, Iteration, Report, TableUse};
use serde::{Deserialize, Serialize};

/// The answer of a solver to one instance.
///
/// Command lines, Python and the page only print it.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer<S> {
    /// How the search ended: the proved length with solutions, or the proved lower bound.
    pub ending: Ending<S>,
    /// Each bound that was searched, in order.
    pub iterations: Vec<Iteration>,
    /// The heuristics and tables used.
    pub used: Used,
    /// Wall-clock seconds, loading of tables included.
    pub seconds: f64,
}

/// The heuristics and tables of a search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Used {
    /// The heuristic's name, or the names of several, joined.
    pub heuristic: String,
    /// The tables that were read.
    pub tables: Vec<TableUse>,
    /// The first bound of each heuristic, in order; empty where one heuristic searched all bounds.
    pub stages: Vec<HeuristicStage>,
}

/// A heuristic, with the first bound that it searched.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeuristicStage {
    /// The heuristic's name.
    pub heuristic: String,
    /// The first bound.
    pub from: u32,
}

impl Used {
    /// The use of one heuristic for all bounds.
    pub fn one(heuristic: impl Into<String>, tables: &[TableUse]) -> Used {
        Used { heuristic: heuristic.into(), tables: tables.to_vec(), stages: Vec::new() }
    }
}

impl<S> Answer<S> {
    /// The answer of a search that took `seconds`.
    pub fn new(report: Report<S>, used: Used, seconds: f64) -> Answer<S> {
        Answer { ending: report.ending, iterations: report.iterations, used, seconds }
    }

    /// The greatest proved lower bound on the length of every solution; `None` where no solution exists.
    pub fn lower_bound(&self) -> Option<u32> {
        self.ending.lower_bound()
    }

    /// The length of the best solution so far.
    pub fn upper_bound(&self) -> Option<u32> {
        self.ending.upper_bound()
    }

    /// The best solution so far.
    pub fn best(&self) -> Option<&S> {
        self.ending.best()
    }

    /// The difference between the bounds; `None` if no solution is known.
    pub fn gap(&self) -> Option<u32> {
        self.ending.gap()
    }

    /// Whether the best solution is proved shortest.
    pub fn is_proved(&self) -> bool {
        self.ending.is_proved()
    }

    /// The answer with each solution converted by `convert`.
    ///
    /// # Errors
    /// The first error of `convert`.
    pub fn try_map<T, E>(self, convert: impl FnMut(S) -> Result<T, E>) -> Result<Answer<T>, E> {
        let Answer { ending, iterations, used, seconds } = self;
        Ok(Answer { ending: ending.try_map(convert)?, iterations, used, seconds })
    }

    /// The ending and the iterations.
    pub fn into_report(self) -> Report<S> {
        Report { ending: self.ending, iterations: self.iterations }
    }
}
