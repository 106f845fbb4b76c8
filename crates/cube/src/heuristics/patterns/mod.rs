//! The family of pattern databases: corners, sets of edges, and the maximum of several.
//!
//! | file | contents |
//! | --- | --- |
//! | `bound` | the maximum of several tables |
//! | `deltas` | the same maximum, from tables with the effect of every turn |
//! | `long` | a search that begins with the former and continues with the latter |

mod bound;
mod deltas;
mod long;

pub use bound::CornerPart;

pub use bound::{EdgeLookup, EdgePart, PatternBound};
pub(crate) use deltas::DeltaBound;

use super::engine::{Engine, Wire, Wired, Wiring};
use super::family::{Candidate, Family, HeuristicSpec, Row, Specification};
use crate::cube::EDGES;
use crate::lanes::Lanes;
use crate::metric::Metric;
use crate::pdb::{Corners, Edges, edges};
use crate::space::{CubeSpace, Sides, View};
use crate::symmetry::Symmetry;
use crate::tables::{Pattern, edge_names};
use long::LongSearch;
use search_core::ida::Order;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// One part of a maximum of patterns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// The corners.
    Corners,
    /// A set of edges.
    Edges(u16),
    /// This number of lookups (1 to 96) in the table of [`edges::KORF`].
    Hoey(u8),
}

/// The heuristic of Korf 1997. The second lookup is of the other six edges.
const KORF97: (&str, [Part; 2]) = ("korf97", [Part::Corners, Part::Hoey(2)]);

/// The family.
pub(crate) const FAMILY: Family = Family {
    rows: &[
        Row {
            names: "`corners`",
            idea: "exact distance of the eight corners",
            tables: "88,179,840 entries, 44,089,920 bytes",
        },
        Row {
            names: "`edges6`",
            idea: "exact distance of UR UF UL UB FR FL",
            tables: "42,577,920 entries, 21,288,960 bytes",
        },
        Row { names: "`edges7`", idea: "the same and DR", tables: "510,935,040 entries, 255,467,520 bytes" },
        Row {
            names: "`edges:UR,UF,…`",
            idea: "exact distance of any one to eight edges",
            tables: "12!/(12−n)! · 2ⁿ entries",
        },
        Row {
            names: "`hoey:N`",
            idea: "the table of `edges6`, looked up N times (1 to 96)",
            tables: "that of `edges6`",
        },
        Row {
            names: "`korf97`",
            idea: "`corners+hoey:2`: the heuristic of 1997",
            tables: "both, 65,378,880 bytes",
        },
        Row {
            names: "`corners+edges7`, …",
            idea: "the maximum of any of these, joined by `+`",
            tables: "those of the parts",
        },
    ],
    parse: |name| {
        if name == KORF97.0 {
            return Some(Ok(HeuristicSpec::Patterns(KORF97.1.to_vec())));
        }
        let is_part = |text: &str| {
            let kind = text.split(':').next();
            kind.is_some_and(|kind| ["corners", "edges", "edges6", "edges7", "hoey"].contains(&kind))
        };
        let parts = || name.split('+').map(str::parse).collect::<Result<_, _>>();
        name.split('+').any(is_part).then(|| parts().map(HeuristicSpec::Patterns))
    },
    candidates: || {
        [KORF97.1.to_vec(), vec![Part::Corners]]
            .map(|parts| Candidate { spec: HeuristicSpec::Patterns(parts), is_built: true })
            .into()
    },
    reported: &["corners", "edges6", "korf97"],
    planned: || vec![Pattern::Corners, Pattern::Edges(edges::KORF), Pattern::Edges(edges::SEVEN)],
    reading: |pattern| match pattern {
        Pattern::Corners => Some(HeuristicSpec::Patterns(vec![Part::Corners])),
        Pattern::Edges(set) => Some(HeuristicSpec::Patterns(vec![Part::Edges(set)])),
        _ => None,
    },
};

impl Part {
    /// The pattern of its table.
    fn pattern(&self) -> Pattern {
        match self {
            Part::Corners => Pattern::Corners,
            Part::Edges(set) => Pattern::Edges(*set),
            Part::Hoey(_) => Pattern::Edges(edges::KORF),
        }
    }

    /// The number of lookups in the table.
    fn lookups(&self) -> usize {
        if let Part::Hoey(count) = self { usize::from(*count) } else { 1 }
    }
}

impl Specification for Vec<Part> {
    fn order(&self) -> Order {
        Order::Operators
    }

    fn name(&self) -> String {
        if *self == KORF97.1 {
            return KORF97.0.to_owned();
        }
        self.iter().map(ToString::to_string).collect::<Vec<_>>().join("+")
    }

    fn patterns(&self) -> Vec<Pattern> {
        let mut patterns = Vec::new();
        for pattern in self.iter().map(Part::pattern) {
            if !patterns.contains(&pattern) {
                patterns.push(pattern);
            }
        }
        patterns
    }

    fn lookups(&self) -> Option<Vec<Pattern>> {
        Some(self.iter().flat_map(|part| vec![part.pattern(); part.lookups()]).collect())
    }
}

impl Wire for Vec<Part> {
    fn wire<V: Lanes>(&self, wiring: &Wiring<'_>) -> Box<dyn Engine> {
        let corners = self.contains(&Part::Corners).then(|| corner_part(wiring, Pattern::Corners));
        let views = self.iter().flat_map(|part| match part {
            Part::Corners => Vec::new(),
            Part::Edges(set) => vec![(*set, Symmetry::IDENTITY, View::Position)],
            Part::Hoey(count) => {
                let views = hoey_views().into_iter().take(usize::from(*count));
                views.map(|(symmetry, view)| (edges::KORF, symmetry, view)).collect()
            }
        });
        let edges = views.map(|(set, symmetry, view)| {
            let space = Edges::new(wiring.metric, set).expect("a part names a set that is a pattern");
            let table = wiring.table(Pattern::Edges(set)).nibbles();
            EdgePart { lookup: EdgeLookup::new(&space, symmetry, view), table }
        });
        let bound = PatternBound::<V>::new(corners, edges.collect());
        let tables = Wired::new(CubeSpace::new(wiring.metric, Sides::One), bound);
        Box::new(LongSearch::new(tables, wiring.metric))
    }
}

/// The corners with the table of `pattern`.
pub(super) fn corner_part(wiring: &Wiring<'_>, pattern: Pattern) -> CornerPart {
    CornerPart { space: Arc::new(Corners::new(wiring.metric)), table: wiring.table(pattern).nibbles() }
}

/// Hoey's lookups in the table of [`edges::KORF`], in order: first the set itself, then its complement, then the other
/// symmetries; those of the position before those of the inverse.
pub fn hoey_views() -> Vec<(Symmetry, View)> {
    let mut symmetries: Vec<Symmetry> = Symmetry::all().collect();
    // A stable sort: the identity stays first.
    symmetries.sort_by_key(|&s| match s {
        Symmetry::IDENTITY => 0,
        s if image(s) == Edges::complement(edges::KORF) => 1,
        _ => 2,
    });
    View::ALL.into_iter().flat_map(|view| symmetries.iter().map(move |&s| (s, view))).collect()
}

/// The image of [`edges::KORF`] under a symmetry.
fn image(s: Symmetry) -> u16 {
    (0..12).filter(|i| edges::KORF >> i & 1 == 1).fold(0, |set, i| set | 1 << s.action().edge[i])
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Part::Corners => f.write_str("corners"),
            Part::Edges(edges::KORF) => f.write_str("edges6"),
            Part::Edges(edges::SEVEN) => f.write_str("edges7"),
            Part::Edges(set) => write!(f, "edges:{}", edge_names(*set).replace(' ', ",")),
            Part::Hoey(count) => write!(f, "hoey:{count}"),
        }
    }
}

impl FromStr for Part {
    type Err = String;

    fn from_str(text: &str) -> Result<Part, String> {
        match text.split_once(':') {
            None if text == "corners" => Ok(Part::Corners),
            None if text == "edges6" => Ok(Part::Edges(edges::KORF)),
            None if text == "edges7" => Ok(Part::Edges(edges::SEVEN)),
            Some(("hoey", count)) => match count.parse() {
                Ok(count @ 1..=96) => Ok(Part::Hoey(count)),
                _ => Err(format!("hoey takes 1 to 96 lookups, not {count:?}")),
            },
            Some(("edges", names)) => {
                let set =
                    names.split(',').try_fold(0, |set, name| Ok::<u16, String>(set | 1 << edge(name)?))?;
                Edges::new(Metric::Htm, set).map_err(|error| error.to_string())?;
                Ok(Part::Edges(set))
            }
            _ => Err(format!("{text:?} is not a pattern")),
        }
    }
}

/// The edge with a name, whose letters may be in either order.
fn edge(name: &str) -> Result<usize, String> {
    let letters = |i: usize| EDGES[i].map(|face| face.letter());
    let wanted: Vec<char> = name.trim().chars().collect();
    (0..12)
        .find(|&i| wanted == letters(i) || wanted.iter().rev().copied().eq(letters(i)))
        .ok_or_else(|| format!("{name:?} is not an edge"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_of_hoeys_views_is_the_complement() {
        let views = hoey_views();
        assert_eq!((views.len(), views[0]), (96, (Symmetry::IDENTITY, View::Position)));
        assert_eq!(image(views[1].0), Edges::complement(edges::KORF));
    }
}
