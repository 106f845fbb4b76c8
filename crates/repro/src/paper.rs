//! The three papers and the three tiers.

use clap::ValueEnum;
use clap::builder::PossibleValue;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A paper, with its accompanying letters.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Paper {
    /// Korf 1997, and the letters to cube-lovers of May 1997
    Cube,
    /// Korf & Taylor 1996
    Tiles,
    /// Korf & Felner 2006
    Hanoi,
}

impl Paper {
    /// All, in the order of the report.
    pub const ALL: [Paper; 3] = [Paper::Cube, Paper::Tiles, Paper::Hanoi];

    /// The puzzle, for a heading.
    pub const fn title(self) -> &'static str {
        match self {
            Paper::Cube => "Rubik’s cube",
            Paper::Tiles => "Sliding tiles",
            Paper::Hanoi => "Four-peg Towers of Hanoi",
        }
    }

    /// Authors, title and place of publication.
    pub const fn citation(self) -> &'static str {
        match self {
            Paper::Cube => {
                "R. E. Korf, “Finding Optimal Solutions to Rubik’s Cube Using Pattern Databases”, AAAI-97; \
                 R. E. Korf and D. Hoey, letters to cube-lovers, May 1997"
            }
            Paper::Tiles => {
                "R. E. Korf and L. A. Taylor, “Finding Optimal Solutions to the Twenty-Four Puzzle”, AAAI-96"
            }
            Paper::Hanoi => {
                "R. E. Korf and A. Felner, “Recent Progress in Heuristic Search: A Case Study of the Four-Peg \
                 Towers of Hanoi Problem”, 2006"
            }
        }
    }
}

/// The name on the command line.
fn name(value: &impl ValueEnum) -> PossibleValue {
    value.to_possible_value().expect("every value has a name")
}

impl fmt::Display for Paper {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(name(self).get_name())
    }
}

/// The extent of a run. Each tier includes those before it.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tier {
    /// At most 5 minutes on 2 cores, after the tables
    Quick,
    /// At most 2 hours on 2 cores
    Standard,
    /// No limit on time
    Full,
}

impl fmt::Display for Tier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(name(self).get_name())
    }
}
