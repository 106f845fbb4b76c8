//! The metrics: what counts as one move.

use std::fmt;
use std::str::FromStr;

/// The cost of a move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Metric {
    /// Each tile that slides costs 1.
    #[default]
    Single,
    /// Sliding any number of tiles of a row or column at once costs 1.
    Multi,
}

impl Metric {
    /// All metrics.
    pub const ALL: [Metric; 2] = [Metric::Single, Metric::Multi];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Metric::Single => "single",
            Metric::Multi => "multi",
        }
    }

    /// The name in run records and certificates.
    pub const fn recorded(self) -> &'static str {
        match self {
            Metric::Single => "moves",
            Metric::Multi => "multi",
        }
    }
}

impl fmt::Display for Metric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Metric {
    type Err = String;
    fn from_str(name: &str) -> Result<Metric, String> {
        let found = Metric::ALL.into_iter().find(|metric| metric.name() == name);
        found.ok_or_else(|| format!("{name:?} is not a metric; there are single and multi"))
    }
}
