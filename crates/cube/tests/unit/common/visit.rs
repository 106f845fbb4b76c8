//! Heuristics without the solver around them, for generic checks.

use crate::Metric;
use crate::heuristics::patterns::{CornerPart, DeltaBound, EdgeLookup, EdgePart, hoey_views};
use crate::heuristics::{
    CosetBound, CosetSpec, Halves, HeuristicSpec, Manhattan, Part, PatternBound, SquareBound, SquareSpec,
};
use crate::lanes::{Lanes, Portable};
use crate::pdb::square::Half;
use crate::pdb::{Corners, Coset, Edges, Square, edges};
use crate::space::{CubeSpace, Sides, View};
use crate::symmetry::Symmetry;
use crate::tables::{Pattern, Table, TableId, square_base};
use search_core::{Heuristic, Run};
use std::fmt::Debug;
use std::sync::Arc;

/// A check that holds for any heuristic.
pub trait Visitor {
    /// Checks the heuristic of this name.
    fn visit<V: Lanes, H: Heuristic<CubeSpace<V>, Carry: Debug>>(
        &mut self,
        name: &str,
        space: &CubeSpace<V>,
        heuristic: &H,
    );
}

/// Deltas of fewer entries are checked along with the tables.
const MANY_DELTAS: u64 = 10_000_000;

/// Passes each of the heuristics to `visitor`, with plain arrays and with this machine's instructions.
pub fn each(names: &[&str], metric: Metric, visitor: &mut impl Visitor) {
    for name in names {
        show::<Portable>(name, metric, visitor);
        #[cfg(target_arch = "x86_64")]
        {
            if crate::lanes::Avx2::is_available() {
                show::<crate::lanes::Avx2>(name, metric, visitor);
            }
            if name.starts_with("square") && crate::lanes::Avx512::is_available() {
                show::<crate::lanes::Avx512>(name, metric, visitor);
            }
        }
    }
}

fn show<V: Lanes>(name: &str, metric: Metric, visitor: &mut impl Visitor) {
    let one_sided = CubeSpace::<V>::new(metric, Sides::One);
    match super::heuristic(name) {
        HeuristicSpec::Manhattan(variant) => {
            visitor.visit(name, &one_sided, &Manhattan::new(metric, variant))
        }
        HeuristicSpec::Masked(_) => unreachable!("a mask has no name"),
        HeuristicSpec::Patterns(parts) => {
            let tables = maximum(&parts, metric);
            visitor.visit(name, &one_sided, &tables);
            if DeltaBound::entries(&tables).is_some_and(|entries| entries < MANY_DELTAS) {
                let deltas = DeltaBound::derive(&tables, metric, &Run::new()).unwrap();
                visitor.visit(name, &one_sided, &deltas);
            }
        }
        HeuristicSpec::Square(SquareSpec { flips }) => {
            let space = CubeSpace::<V>::new(metric, Sides::Two);
            let crumbs = super::table(TableId { pattern: Pattern::Square(flips), metric }).1.crumbs();
            let floor = table(Pattern::SquareFloor(flips), metric);
            let base = square_base(flips, metric);
            let bound = SquareBound::new(&space, Square::new(flips), crumbs, floor.clone(), base);
            visitor.visit(name, &space, &bound);
            // As on machines that cannot allocate the whole table.
            if flips == 0 {
                let half = |half| TableId { pattern: Pattern::SquareHalf(flips, half), metric };
                let halves = Halves::new(Half::BOTH.map(|one| super::table(half(one)).1.crumbs()));
                let bound = SquareBound::new(&space, Square::new(flips), halves, floor, base);
                visitor.visit(name, &space, &bound);
            }
        }
        HeuristicSpec::Coset(CosetSpec { axes, inverse }) => {
            let sides = if inverse { Sides::Two } else { Sides::One };
            let space = CubeSpace::<V>::new(metric, sides);
            let (coset, table) = (Coset::new(metric), table(Pattern::Coset, metric));
            visitor.visit(name, &space, &CosetBound::new(&space, &coset, table, axes, inverse));
        }
    }
}

fn table(pattern: Pattern, metric: Metric) -> Arc<Table> {
    super::table(TableId { pattern, metric }).1.nibbles()
}

/// The maximum of patterns.
pub fn maximum<V: Lanes>(parts: &[Part], metric: Metric) -> PatternBound<V> {
    let corners = parts.contains(&Part::Corners).then(|| CornerPart {
        space: Arc::new(Corners::new(metric)),
        table: table(Pattern::Corners, metric),
    });
    let edges = parts.iter().flat_map(|part| match part {
        Part::Corners => Vec::new(),
        Part::Edges(set) => vec![edge_part(*set, Symmetry::IDENTITY, View::Position, metric)],
        Part::Hoey(count) => {
            let views = hoey_views().into_iter().take(usize::from(*count));
            views.map(|(symmetry, view)| edge_part(edges::KORF, symmetry, view, metric)).collect()
        }
    });
    PatternBound::new(corners, edges.collect())
}

/// One lookup of the table of a set of edges.
pub fn edge_part<V: Lanes>(set: u16, symmetry: Symmetry, view: View, metric: Metric) -> EdgePart<V> {
    let space = Edges::new(metric, set).expect("a set that is a pattern");
    EdgePart { lookup: EdgeLookup::new(&space, symmetry, view), table: table(Pattern::Edges(set), metric) }
}
