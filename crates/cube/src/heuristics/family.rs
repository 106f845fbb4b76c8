//! The families of heuristics, and a heuristic by its name.
//!
//! A family is a folder or file beside this one: its bound, its names and their help, the tables that it reads, its
//! cost, its connection to the search. Everything that covers all heuristics is derived from the list below, so a new
//! family takes one module and one line there.

use super::engine::{Engine, Wiring};
use super::manhattan::Variant;
use super::{CosetSpec, Masked, Part, Speed, SquareSpec};
use super::{coset, manhattan, masked, patterns, square};
use crate::metric::Metric;
use crate::tables::{Pattern, TableId};
use search_core::ida::Order;
use std::fmt;
use std::str::FromStr;

/// Declares [`HeuristicSpec`] and [`FAMILIES`]: a line is a family, the type that specifies one of
/// its heuristics, and its module. The weakest comes first.
macro_rules! families {
    ($($(#[$doc:meta])* $family:ident($spec:ty) in $module:ident,)*) => {
        /// A heuristic as a user names it, before any table is loaded.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub enum HeuristicSpec {
            $($(#[$doc])* $family($spec),)*
        }

        impl HeuristicSpec {
            /// The heuristic as a [`Specification`].
            pub(crate) fn specification(&self) -> &dyn Specification {
                match self {
                    $(HeuristicSpec::$family(spec) => spec,)*
                }
            }

            /// The search with this heuristic, over its tables.
            pub(crate) fn engine(&self, wiring: &Wiring<'_>) -> Box<dyn Engine> {
                match self {
                    $(HeuristicSpec::$family(spec) => wiring.engine(spec),)*
                }
            }
        }

        /// All families, the weakest first.
        pub(crate) const FAMILIES: &[Family] = &[$($module::FAMILY),*];
    };
}

families! {
    /// Manhattan distance.
    Manhattan(Variant) in manhattan,
    /// The maximum of patterns.
    Patterns(Vec<Part>) in patterns,
    /// The maximum of patterns of the pieces that matter, for a goal that ignores others.
    Masked(Masked) in masked,
    /// The cosets of ⟨U, D, R2, L2, F2, B2⟩.
    Coset(CosetSpec) in coset,
    /// The half-turn cosets.
    Square(SquareSpec) in square,
}

/// One heuristic of a family.
pub trait Specification {
    /// The name, or a description if users cannot name the heuristic.
    fn name(&self) -> String;

    /// The patterns of the tables that it reads, without repetition.
    fn patterns(&self) -> Vec<Pattern>;

    /// The pattern of each lookup, if the value is the maximum of the distances looked up.
    fn lookups(&self) -> Option<Vec<Pattern>> {
        None
    }

    /// The mean time per random cube, in seconds, on a machine of this speed, if known.
    fn solve_seconds(&self, metric: Metric, speed: &Speed) -> Option<f64> {
        let _ = (metric, speed);
        None
    }

    /// The default order in which a search visits branches: that of the papers for their heuristics.
    fn order(&self) -> Order {
        Order::Deepest
    }

    /// Whether the goal is the solved cube alone, so that symmetries carry solutions to solutions.
    fn has_symmetric_goal(&self) -> bool {
        true
    }
}

/// A family of heuristics: its names, tables and defaults.
pub(crate) struct Family {
    /// Its rows of the table of heuristics.
    pub rows: &'static [Row],
    /// Parses a name: `None` if it belongs to another family, an error if it is invalid.
    pub parse: fn(&str) -> Option<Result<HeuristicSpec, String>>,
    /// The heuristics that may be chosen by default, the strongest first.
    pub candidates: fn() -> Vec<Candidate>,
    /// The names that `cube-opt heuristics` reports by default.
    pub reported: &'static [&'static str],
    /// The patterns of its tables that a plan lists.
    pub planned: fn() -> Vec<Pattern>,
    /// The heuristic that reads the table of a pattern and no other, except for the table that belongs to it.
    pub reading: fn(Pattern) -> Option<HeuristicSpec>,
}

impl Family {
    /// A family without names.
    pub(crate) const UNNAMED: Family = Family {
        rows: &[],
        parse: |_| None,
        candidates: Vec::new,
        reported: &[],
        planned: Vec::new,
        reading: |_| None,
    };
}

/// A row of the table of heuristics, in Markdown.
pub struct Row {
    /// The names, each between backquotes.
    pub names: &'static str,
    /// The idea.
    pub idea: &'static str,
    /// The tables that it reads.
    pub tables: &'static str,
}

/// A heuristic that may be chosen by default.
pub(crate) struct Candidate {
    /// The heuristic.
    pub spec: HeuristicSpec,
    /// Whether its tables are built for it; otherwise it is chosen only if they exist.
    pub is_built: bool,
}

impl HeuristicSpec {
    /// The heuristics whose tables are built by default, the strongest first.
    pub fn defaults() -> impl Iterator<Item = HeuristicSpec> {
        candidates().filter(|candidate| candidate.is_built).map(|candidate| candidate.spec)
    }

    /// The heuristic that reads the table of `pattern` and no other, except for the table that belongs to it. `None` if
    /// the table is for goals that ignore something.
    pub fn reading(pattern: Pattern) -> Option<HeuristicSpec> {
        FAMILIES.iter().find_map(|family| (family.reading)(pattern))
    }

    /// The identifiers of the tables that it reads, in `metric`.
    pub fn tables(&self, metric: Metric) -> Vec<TableId> {
        let patterns = self.specification().patterns();
        patterns.into_iter().map(|pattern| TableId { pattern, metric }).collect()
    }
}

/// All heuristics that may be chosen by default, the strongest first.
pub(crate) fn candidates() -> impl Iterator<Item = Candidate> {
    FAMILIES.iter().rev().flat_map(|family| (family.candidates)())
}

/// The tables that a plan lists: those of the heuristics with short names.
pub fn planned_tables(metric: Metric) -> Vec<TableId> {
    let patterns = FAMILIES.iter().flat_map(|family| (family.planned)());
    patterns.map(|pattern| TableId { pattern, metric }).collect()
}

/// The names of the heuristics that `cube-opt heuristics` reports by default.
pub fn reported() -> impl Iterator<Item = &'static str> {
    FAMILIES.iter().flat_map(|family| family.reported).copied()
}

/// The names of all heuristics, for help texts and messages.
pub(crate) fn all_names() -> String {
    let rows = FAMILIES.iter().flat_map(|family| family.rows);
    let names: Vec<String> = rows.map(|row| row.names.replace('`', "")).collect();
    names.join(", ")
}

/// The table of all heuristics, in Markdown.
pub fn table_of_heuristics() -> String {
    let rows = FAMILIES.iter().flat_map(|family| family.rows);
    let rows = rows.map(|Row { names, idea, tables }| format!("| {names} | {idea} | {tables} |\n"));
    format!("| name | idea | tables |\n| --- | --- | --- |\n{}", rows.collect::<String>())
}

impl fmt::Display for HeuristicSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.specification().name())
    }
}

/// An unknown name of a heuristic.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no heuristic is named {name:?}{reason}; the names are {}", all_names())]
pub struct UnknownHeuristic {
    name: String,
    /// The reason, after a colon; empty if there is none.
    reason: String,
}

impl FromStr for HeuristicSpec {
    type Err = UnknownHeuristic;

    fn from_str(name: &str) -> Result<HeuristicSpec, UnknownHeuristic> {
        let parsed = FAMILIES.iter().find_map(|family| (family.parse)(name));
        let unknown = |reason| UnknownHeuristic { name: name.to_owned(), reason };
        parsed.ok_or_else(|| unknown(String::new()))?.map_err(|reason| unknown(format!(": {reason}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip() {
        for name in [
            "coset-3i",
            "coset-1",
            "square-0",
            "square-11",
            "korf97",
            "corners",
            "edges6",
            "edges7+corners",
            "hoey:96",
            "corners+hoey:3",
            "manhattan-edges",
            "edges:UR,DL",
        ] {
            assert_eq!(name.parse::<HeuristicSpec>().unwrap().to_string(), name);
        }
        assert_eq!("edges:RU,LD".parse::<HeuristicSpec>().unwrap().to_string(), "edges:UR,DL");
        for bad in [
            "",
            "hoey:0",
            "hoey:97",
            "edges:UX",
            "edges:",
            "coset-4",
            "square-12",
            "square-",
            "korf97+corners+x",
        ] {
            assert!(bad.parse::<HeuristicSpec>().is_err(), "{bad}");
        }
    }

    #[test]
    fn offered_heuristics_have_valid_names() {
        for name in reported() {
            assert_eq!(name.parse::<HeuristicSpec>().unwrap().to_string(), name);
        }
        for Candidate { spec, .. } in candidates() {
            assert_eq!(spec.to_string().parse(), Ok(spec));
        }
    }

    #[test]
    fn each_planned_table_has_a_heuristic_that_reads_it() {
        for id in planned_tables(Metric::Qtm) {
            assert_eq!(HeuristicSpec::reading(id.pattern).unwrap().tables(id.metric)[0], id);
        }
    }
}
