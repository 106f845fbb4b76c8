//! The family `square-…`: the distance to a half-turn coset, of the position and its inverse.

mod bound;
mod compared;
mod entries;
mod speed;

pub(crate) use bound::SquareBound;
pub(crate) use entries::Halves;
pub use speed::Speed;

use super::engine::{Engine, Wire, Wiring, wired};
use super::family::{Candidate, Family, HeuristicSpec, Row, Specification};
use crate::lanes::Lanes;
use crate::metric::Metric;
use crate::pdb::Square;
use crate::pdb::square::{Half, MOST_FLIPS};
use crate::space::{CubeSpace, Sides};
use crate::tables::{Pattern, square_base};
use std::ops::RangeInclusive;

/// The heuristic of half-turn cosets with some flips.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SquareSpec {
    /// The number of flips that the table keeps, 0 to `MOST_FLIPS`; each additional one doubles the table.
    pub flips: u8,
}

impl SquareSpec {
    /// The two halves of the table, if it is kept in halves.
    fn halves(self) -> Option<[Pattern; 2]> {
        (HALVED == Some(self.flips)).then(|| Half::BOTH.map(|half| Pattern::SquareHalf(self.flips, half)))
    }
}

/// The numbers of flips that are worth their size.
const WORTHWHILE: RangeInclusive<u8> = 3..=11;
/// The greatest number of flips of a table built by default: half a gigabyte.
const MOST_BY_DEFAULT: u8 = 4;

/// The number of flips for which the table has two halves. With 32-bit addresses, an allocation is at most 2 GiB: a
/// smaller table is one allocation, and a larger one does not fit at all. WebAssembly keeps the halves with 64-bit
/// addresses too, so that one stored table serves both.
const HALVED: Option<u8> =
    if cfg!(any(target_pointer_width = "32", target_family = "wasm")) { Some(7) } else { None };

/// The family.
pub(crate) const FAMILY: Family = Family {
    rows: &[Row {
        names: "`square-0` to `square-11`",
        idea: "distance to the half-turn coset, of the position and its inverse, with two-sided search",
        tables: "117,567,450 · 2ᴺ entries: 29 MB for `square-0`, 0.47 GB for `square-4`, 1.9 GB for \
                 `square-6`, and a table of minima 1/128 as large",
    }],
    parse: |name| {
        let flips = name.strip_prefix("square-")?.parse();
        let flips = flips.ok().filter(|flips| *flips <= MOST_FLIPS);
        let spec = flips.map(|flips| HeuristicSpec::Square(SquareSpec { flips }));
        Some(spec.ok_or_else(|| format!("square takes 0 to {MOST_FLIPS} flips")))
    },
    candidates: || {
        let spec = |flips| HeuristicSpec::Square(SquareSpec { flips });
        let candidate = |flips| Candidate { spec: spec(flips), is_built: flips <= MOST_BY_DEFAULT };
        WORTHWHILE.rev().map(candidate).collect()
    },
    planned: || WORTHWHILE.map(Pattern::Square).collect(),
    reading: |pattern| match pattern {
        Pattern::Square(flips) | Pattern::SquareHalf(flips, _) | Pattern::SquareFloor(flips) => {
            Some(HeuristicSpec::Square(SquareSpec { flips }))
        }
        _ => None,
    },
    ..Family::UNNAMED
};

impl Specification for SquareSpec {
    fn name(&self) -> String {
        format!("square-{}", self.flips)
    }

    fn patterns(&self) -> Vec<Pattern> {
        let mut patterns =
            self.halves().map_or_else(|| vec![Pattern::Square(self.flips)], |halves| halves.to_vec());
        patterns.push(Pattern::SquareFloor(self.flips));
        patterns
    }

    fn solve_seconds(&self, metric: Metric, speed: &Speed) -> Option<f64> {
        speed.solve_seconds(self.flips, metric)
    }
}

impl Wire for SquareSpec {
    #[cfg(target_arch = "x86_64")]
    const GAINS_FROM_AVX512: bool = true;

    fn wire<V: Lanes>(&self, wiring: &Wiring<'_>) -> Box<dyn Engine> {
        let space = CubeSpace::<V>::new(wiring.metric, Sides::Two);
        let floor = wiring.table(Pattern::SquareFloor(self.flips)).nibbles();
        let base = square_base(self.flips, wiring.metric);
        let square = Square::new(self.flips);
        // A constant block, so that excluded code is not even compiled.
        if const { HALVED.is_some() }
            && let Some(halves) = self.halves()
        {
            let halves = Halves::new(halves.map(|half| wiring.table(half).crumbs()));
            let bound = SquareBound::new(&space, square, halves, floor, base);
            return wired(space, bound);
        }
        let table = wiring.table(Pattern::Square(self.flips)).crumbs();
        let bound = SquareBound::new(&space, square, table, floor, base);
        wired(space, bound)
    }
}
