//! The family `manhattan-…`: 3-D Manhattan distance in its three variants.

mod bound;

pub use bound::Sums;

pub use bound::{Manhattan, Variant};

use super::engine::{Engine, Wire, Wiring, wired};
use super::family::{Candidate, Family, HeuristicSpec, Row, Specification};
use crate::lanes::Lanes;
use crate::space::{CubeSpace, Sides};
use crate::tables::Pattern;
use search_core::ida::Order;

/// The family.
pub(crate) const FAMILY: Family = Family {
    rows: &[Row {
        names: "`manhattan-all`, `manhattan-max`, `manhattan-edges`",
        idea: "the moves that each cubie needs by itself, added up",
        tables: "none",
    }],
    parse: |name| {
        let variant = Variant::ALL.into_iter().find(|variant| variant.name() == name)?;
        Some(Ok(HeuristicSpec::Manhattan(variant)))
    },
    candidates: || vec![Candidate { spec: HeuristicSpec::Manhattan(Variant::Max), is_built: true }],
    reported: &["manhattan-all", "manhattan-max", "manhattan-edges"],
    ..Family::UNNAMED
};

impl Specification for Variant {
    fn order(&self) -> Order {
        Order::Operators
    }

    fn name(&self) -> String {
        let variant = match self {
            Variant::All => "all",
            Variant::Max => "max",
            Variant::Edges => "edges",
        };
        format!("manhattan-{variant}")
    }

    fn patterns(&self) -> Vec<Pattern> {
        Vec::new()
    }
}

impl Wire for Variant {
    fn wire<V: Lanes>(&self, wiring: &Wiring<'_>) -> Box<dyn Engine> {
        let space = CubeSpace::<V>::new(wiring.metric, Sides::One);
        wired(space, Manhattan::new(wiring.metric, *self))
    }
}
