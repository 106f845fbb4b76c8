//! The family `coset-…`: the distance to ⟨U, D, R2, L2, F2, B2⟩ along one to three axes, of the
//! position and its inverse.

mod bound;
mod values;

pub(crate) use bound::CosetBound;

use super::engine::{Engine, Wire, Wiring, wired};
use super::family::{Candidate, Family, HeuristicSpec, Row, Specification};
use crate::lanes::Lanes;
use crate::pdb::Coset;
use crate::space::{CubeSpace, Sides};
use crate::tables::Pattern;

/// A coset heuristic: the number of axes, and whether the inverse is looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CosetSpec {
    /// The number of axes, 1 to 3.
    pub axes: u8,
    /// Whether the inverse is also looked up.
    pub inverse: bool,
}

/// The strongest of these heuristics: `coset`.
const ALL: CosetSpec = CosetSpec { axes: 3, inverse: true };

/// The family.
pub(crate) const FAMILY: Family = Family {
    rows: &[
        Row {
            names: "`coset-1`, `coset-2`, `coset-3`",
            idea: "distance to ⟨U, D, R2, L2, F2, B2⟩ along one to three axes",
            tables: "170,311,680 entries, 85,155,840 bytes",
        },
        Row {
            names: "`coset-1i`, `coset-2i`, `coset-3i` (or `coset`)",
            idea: "the same for the inverse too, with two-sided search",
            tables: "the same",
        },
    ],
    parse: |name| {
        let mut specs = (1..=3).flat_map(|axes| [false, true].map(|inverse| CosetSpec { axes, inverse }));
        let spec = if name == "coset" { Some(ALL) } else { specs.find(|spec| spec.name() == name) };
        spec.map(HeuristicSpec::Coset).map(Ok)
    },
    candidates: || vec![Candidate { spec: HeuristicSpec::Coset(ALL), is_built: true }],
    reported: &["coset-1", "coset-3i"],
    planned: || vec![Pattern::Coset],
    reading: |pattern| (pattern == Pattern::Coset).then_some(HeuristicSpec::Coset(ALL)),
};

impl Specification for CosetSpec {
    fn name(&self) -> String {
        format!("coset-{}{}", self.axes, if self.inverse { "i" } else { "" })
    }

    fn patterns(&self) -> Vec<Pattern> {
        vec![Pattern::Coset]
    }

    /// The values along the axes of one cube, or of a cube and its inverse, are not independent.
    fn lookups(&self) -> Option<Vec<Pattern>> {
        (*self == CosetSpec { axes: 1, inverse: false }).then(|| self.patterns())
    }
}

impl Wire for CosetSpec {
    fn wire<V: Lanes>(&self, wiring: &Wiring<'_>) -> Box<dyn Engine> {
        let sides = if self.inverse { Sides::Two } else { Sides::One };
        let space = CubeSpace::<V>::new(wiring.metric, sides);
        let (coset, table) = (Coset::new(wiring.metric), wiring.table(Pattern::Coset).nibbles());
        let bound = CosetBound::new(&space, &coset, table, self.axes, self.inverse);
        wired(space, bound)
    }
}
