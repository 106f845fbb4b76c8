//! The heuristics by name: what a user can ask for, and which tables each needs.
//!
//! A name is one of
//!
//! - `manhattan-all`, `manhattan-max`, `manhattan-edges`: no table;
//! - `coset-1`, `coset-2`, `coset-3` (axes), and with the inverse too `coset-1i`, `coset-2i`,
//!   `coset-3i`; `coset` is `coset-3i`;
//! - `square-N`: the cosets that half turns leave, with N flips, 0 to 11, of the position and its
//!   inverse; each flip more doubles the table;
//! - patterns joined by `+`, of which the maximum is taken: `corners`, `edges6`, `edges7`,
//!   `edges:UR,UF,...` (any 1 to 8 edges), `hoey:N` (the table of `edges6` looked up N times, 1 to
//!   96: under all 48 symmetries, then for the inverse). `korf97` is `corners+hoey:2`: the second
//!   look is at the other six edges.

use crate::cube::EDGES;
use crate::heuristics::manhattan::Variant;
use crate::mask::Mask;
use crate::metric::Metric;
use crate::patterns::square::MOST_FLIPS;
use crate::patterns::{Edges, edges};
use crate::symmetry::Symmetry;
use crate::tables::{Pattern, SQUARES, TableId};
use std::fmt;
use std::str::FromStr;

/// A heuristic that can be asked for by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choice {
    /// Manhattan distance.
    Manhattan(Variant),
    /// The maximum of patterns.
    Patterns(Vec<Part>),
    /// The patterns of the pieces that a goal does not leave out ([`Mask::patterns`]), and that goal.
    Masked(Mask),
    /// The cosets that half turns leave.
    Square {
        /// How many flips the table keeps.
        flips: u8,
    },
    /// The coset table along some axes, and of the inverse too.
    Coset {
        /// 1 to 3.
        axes: u8,
        /// Whether the inverse is looked up too.
        inverse: bool,
    },
}

/// One part of a maximum of patterns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// The corners.
    Corners,
    /// A set of edges.
    Edges(u16),
    /// The table of [`edges::KORF`], this many times.
    Hoey(u8),
}

/// The heuristic of Korf 1997.
pub const KORF97: &str = "korf97";

/// The largest that is built unasked: half a gigabyte.
const UNASKED: u8 = 4;

impl Choice {
    /// The strongest heuristic first, among those that are too large to be built unasked: the
    /// default where their tables are there.
    pub fn large() -> impl Iterator<Item = Choice> {
        SQUARES.rev().filter(|flips| *flips > UNASKED).map(|flips| Choice::Square { flips })
    }

    /// The strongest heuristic first, among those whose tables are built unasked.
    pub fn by_strength() -> [Choice; 6] {
        [
            Choice::Square { flips: UNASKED },
            Choice::Square { flips: UNASKED - 1 },
            Choice::Coset { axes: 3, inverse: true },
            Choice::Patterns(vec![Part::Corners, Part::Hoey(2)]),
            Choice::Patterns(vec![Part::Corners]),
            Choice::Manhattan(Variant::Max),
        ]
    }

    /// The tables that it reads, in `metric`.
    pub fn tables(&self, metric: Metric) -> Vec<TableId> {
        let table = |pattern| TableId { pattern, metric };
        match self {
            Choice::Manhattan(_) => Vec::new(),
            Choice::Square { flips } => {
                vec![table(Pattern::Square(*flips)), table(Pattern::SquareFloor(*flips))]
            }
            Choice::Masked(mask) => mask.patterns().into_iter().map(table).collect(),
            Choice::Coset { .. } => vec![table(Pattern::Coset)],
            Choice::Patterns(parts) => {
                let mut tables: Vec<TableId> = Vec::new();
                for part in parts {
                    let id = table(part.pattern());
                    if !tables.contains(&id) {
                        tables.push(id);
                    }
                }
                tables
            }
        }
    }
}

impl Part {
    /// What its table holds.
    pub fn pattern(&self) -> Pattern {
        match self {
            Part::Corners => Pattern::Corners,
            Part::Edges(set) => Pattern::Edges(*set),
            Part::Hoey(_) => Pattern::Edges(edges::KORF),
        }
    }
}

/// The order of Hoey's lookups of [`edges::KORF`]: first the set itself, then its complement, then
/// the other symmetries; all of the position, then all of the inverse.
pub fn hoey_views() -> Vec<(Symmetry, bool)> {
    let image = |s: Symmetry| {
        (0..12).filter(|i| edges::KORF >> i & 1 == 1).fold(0, |set, i| set | 1 << s.action().edge[i])
    };
    let mut symmetries: Vec<Symmetry> = Symmetry::all().collect();
    // A stable sort: the identity stays first.
    symmetries.sort_by_key(|&s| match s {
        Symmetry::IDENTITY => 0,
        s if image(s) == Edges::complement(edges::KORF) => 1,
        _ => 2,
    });
    [false, true].into_iter().flat_map(|inverse| symmetries.iter().map(move |&s| (s, inverse))).collect()
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Choice::Manhattan(Variant::All) => f.write_str("manhattan-all"),
            Choice::Manhattan(Variant::Max) => f.write_str("manhattan-max"),
            Choice::Manhattan(Variant::Edges) => f.write_str("manhattan-edges"),
            Choice::Masked(mask) => write!(f, "patterns ({mask})"),
            Choice::Square { flips } => write!(f, "square-{flips}"),
            Choice::Coset { axes, inverse } => write!(f, "coset-{axes}{}", if *inverse { "i" } else { "" }),
            Choice::Patterns(parts) if *parts == [Part::Corners, Part::Hoey(2)] => f.write_str(KORF97),
            Choice::Patterns(parts) => {
                let parts: Vec<String> = parts.iter().map(ToString::to_string).collect();
                f.write_str(&parts.join("+"))
            }
        }
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Part::Corners => f.write_str("corners"),
            Part::Edges(edges::KORF) => f.write_str("edges6"),
            Part::Edges(edges::SEVEN) => f.write_str("edges7"),
            Part::Edges(set) => write!(f, "edges:{}", crate::tables::edge_names(*set).replace(' ', ",")),
            Part::Hoey(count) => write!(f, "hoey:{count}"),
        }
    }
}

/// A name that is no heuristic's.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "no heuristic is named {name:?}: {reason}; there are coset (coset-1 to coset-3i), square-0 to square-11, korf97, corners, \
     edges6, edges7, edges:UR,UF,..., hoey:1 to hoey:96, any of these but coset and square joined by +, \
     manhattan-all, manhattan-max and manhattan-edges"
)]
pub struct UnknownHeuristic {
    name: String,
    reason: String,
}

impl FromStr for Choice {
    type Err = UnknownHeuristic;

    fn from_str(name: &str) -> Result<Choice, UnknownHeuristic> {
        let manhattan = |variant| Ok(Choice::Manhattan(variant));
        match name {
            "manhattan-all" => manhattan(Variant::All),
            "manhattan-max" => manhattan(Variant::Max),
            "manhattan-edges" => manhattan(Variant::Edges),
            "coset" => Ok(Choice::Coset { axes: 3, inverse: true }),
            "coset-1" | "coset-2" | "coset-3" | "coset-1i" | "coset-2i" | "coset-3i" => {
                Ok(Choice::Coset { axes: name.as_bytes()[6] - b'0', inverse: name.ends_with('i') })
            }
            square if square.starts_with("square-") => match square["square-".len()..].parse() {
                Ok(flips @ 0..=MOST_FLIPS) => Ok(Choice::Square { flips }),
                _ => {
                    let reason = format!("square takes 0 to {MOST_FLIPS} flips");
                    Err(UnknownHeuristic { name: name.to_owned(), reason })
                }
            },
            KORF97 => Ok(Choice::Patterns(vec![Part::Corners, Part::Hoey(2)])),
            _ => name
                .split('+')
                .map(part)
                .collect::<Result<_, String>>()
                .map(Choice::Patterns)
                .map_err(|reason| UnknownHeuristic { name: name.to_owned(), reason }),
        }
    }
}

fn part(text: &str) -> Result<Part, String> {
    match text.split_once(':') {
        None if text == "corners" => Ok(Part::Corners),
        None if text == "edges6" => Ok(Part::Edges(edges::KORF)),
        None if text == "edges7" => Ok(Part::Edges(edges::SEVEN)),
        Some(("hoey", count)) => match count.parse() {
            Ok(count @ 1..=96) => Ok(Part::Hoey(count)),
            _ => Err(format!("hoey takes 1 to 96 lookups, not {count:?}")),
        },
        Some(("edges", names)) => {
            let set = names.split(',').try_fold(0, |set, name| Ok::<u16, String>(set | 1 << edge(name)?))?;
            Edges::new(Metric::Htm, set).map_err(|error| error.to_string())?;
            Ok(Part::Edges(set))
        }
        _ => Err(format!("{text:?} is no pattern")),
    }
}

/// The edge of a name, its letters in either order.
fn edge(name: &str) -> Result<usize, String> {
    let letters = |i: usize| EDGES[i].map(|face| face.letter());
    let wanted: Vec<char> = name.trim().chars().collect();
    (0..12)
        .find(|&i| wanted == letters(i) || wanted.iter().rev().copied().eq(letters(i)))
        .ok_or_else(|| format!("{name:?} is no edge"))
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
            assert_eq!(name.parse::<Choice>().unwrap().to_string(), name);
        }
        assert_eq!("edges:RU,LD".parse::<Choice>().unwrap().to_string(), "edges:UR,DL");
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
            assert!(bad.parse::<Choice>().is_err(), "{bad}");
        }
    }

    #[test]
    fn the_second_of_hoeys_views_is_the_complement() {
        let views = hoey_views();
        assert_eq!((views.len(), views[0]), (96, (Symmetry::IDENTITY, false)));
        let image = |s: Symmetry| {
            (0..12).filter(|i| edges::KORF >> i & 1 == 1).fold(0, |set, i| set | 1 << s.action().edge[i])
        };
        assert_eq!(image(views[1].0), Edges::complement(edges::KORF));
    }
}
