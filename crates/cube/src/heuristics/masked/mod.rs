//! The family of goals that ignore something ([`Mask`]); it has no names.
//!
//! The bound is the maximum of patterns: the corners together, and the edges that matter in at most
//! two sets. Each table holds the distances to the nearest arrangement that the mask accepts, so a
//! solution to any cube of the goal solves each pattern, and no value exceeds its length. Where all
//! that matters fits into one pattern the value is the distance itself.

use super::engine::{Engine, Wire, Wiring, wired};
use super::family::{Family, Specification};
use super::patterns::{EdgeLookup, EdgePart, PatternBound, corner_part};
use crate::cube::EDGES;
use crate::lanes::Lanes;
use crate::mask::{ALL_CORNERS, Mask};
use crate::patterns::{Edges, edges};
use crate::space::{CubeSpace, Sides, View};
use crate::symmetry::Symmetry;
use crate::tables::Pattern;

/// The family.
pub const FAMILY: Family = Family::UNNAMED;

/// The most edges in one set of the bound: six take 21 MB, seven 255.
const EDGES_IN_A_SET: usize = 6;

impl Specification for Mask {
    fn name(&self) -> String {
        format!("patterns ({self})")
    }

    fn patterns(&self) -> Vec<Pattern> {
        let mut patterns = Vec::new();
        if self.corners.ignored != ALL_CORNERS {
            let free = Pattern::CornersUpTo(self.corners);
            patterns.push(if self.corners.is_none() { Pattern::Corners } else { free });
        }
        // Those of the set of 1997 first: where all edges matter, the two sets are its own.
        let matters = |edge: &usize| self.edges.ignored >> edge & 1 == 0;
        let mut cubies: Vec<usize> = (0..EDGES.len()).filter(matters).collect();
        cubies.sort_by_key(|edge| edges::KORF >> edge & 1 == 0);
        // Where they do not fit into one set, two of full size that share some.
        let first = &cubies[..cubies.len().min(EDGES_IN_A_SET)];
        let last = &cubies[cubies.len().saturating_sub(EDGES_IN_A_SET)..];
        let sets = if cubies.len() > EDGES_IN_A_SET { vec![first, last] } else { vec![first] };
        for chosen in sets.into_iter().filter(|set| !set.is_empty()) {
            let set = chosen.iter().fold(0, |set, edge| set | 1 << edge);
            let turned = self.edges.turned & set;
            patterns.push(if turned == 0 { Pattern::Edges(set) } else { Pattern::EdgesUpTo { set, turned } });
        }
        patterns
    }

    fn has_symmetric_goal(&self) -> bool {
        false
    }
}

impl Wire for Mask {
    fn wire<V: Lanes>(&self, wiring: &Wiring<'_>) -> Box<dyn Engine> {
        let (mut corners, mut edges) = (None, Vec::new());
        for pattern in self.patterns() {
            match pattern {
                Pattern::Edges(set) | Pattern::EdgesUpTo { set, .. } => {
                    let space = Edges::new(wiring.metric, set).expect("a mask names sets that are patterns");
                    let lookup = EdgeLookup::new(&space, Symmetry::IDENTITY, View::Position);
                    edges.push(EdgePart { lookup, table: wiring.table(pattern).nibbles() });
                }
                _ => corners = Some(corner_part(wiring, pattern)),
            }
        }
        let space = CubeSpace::<V>::new(wiring.metric, Sides::One).up_to(*self);
        wired(space, PatternBound::new(corners, edges))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mask::Pieces;

    fn patterns(ignored: &str, turned: &str) -> Vec<Pattern> {
        Mask::new(Pieces::parse(ignored).unwrap(), Pieces::parse(turned).unwrap()).patterns()
    }

    #[test]
    fn the_sets_of_edges_are_small_and_hold_all_that_matters() {
        assert_eq!(
            patterns("", ""),
            [Pattern::Corners, Pattern::Edges(edges::KORF), Pattern::Edges(0xfff & !edges::KORF)]
        );
        assert_eq!(patterns("corners,U,FR,FL,BL,BR", ""), [Pattern::Edges(0xf0)]);
        let sets = patterns("D,FR", "UF").into_iter().map(|pattern| match pattern {
            Pattern::Edges(set) => (set, 0),
            Pattern::EdgesUpTo { set, turned } => (set, turned),
            _ => (0, 0),
        });
        let union = sets.fold((0, 0), |union, (set, turned)| (union.0 | set, union.1 | turned));
        let ignored = Pieces::parse("D,FR").unwrap().edges;
        assert_eq!(union, (0xfff & !ignored, 2));
    }
}
