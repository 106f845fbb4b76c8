//! The family of goals that leave something open ([`Mask`]); it has no names.
//!
//! The bound is a maximum. Each part is the distance to a set of arrangements that contains what the goal
//! requires, so no value exceeds the distance:
//!
//! - **Patterns**: the corners together, and sets of the edges that matter. Each table holds the distances to the
//!   nearest arrangement that the mask accepts. If one pattern contains all relevant pieces, the value is the distance
//!   itself.
//! - **Views**: a symmetry carries a set of edges to another one, and the distances from its accepted arrangements to
//!   those of the image. If the mask requires the same of the image, the table of the set is also looked up under the
//!   symmetry (Hoey, letter of May 1997). For all but the last layer, seven edges have four views.
//! - **Cosets**: if every cube of the goal is in the subgroup ⟨U, D, R2, L2, F2, B2⟩ of some axis, the distance to that
//!   subgroup.

mod bound;

pub(crate) use bound::WithCosets;

use super::CosetBound;
use super::engine::{Engine, Wire, Wiring, wired};
use super::family::{Family, Specification};
use super::patterns::{EdgeLookup, EdgePart, PatternBound, corner_part};
use crate::lanes::Lanes;
use crate::mask::{Axis, Kind, Mask, Pieces, members};
use crate::pdb::{Coset, Edges, edges};
use crate::space::{self, CubeSpace, Sides};
use crate::symmetry::Symmetry;
use crate::tables::Pattern;

/// The family.
pub(crate) const FAMILY: Family = Family::UNNAMED;

/// The heuristic of a goal that leaves something open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Masked {
    /// The goal.
    pub mask: Mask,
    /// The greatest number of edges in one set, 1 to [`MOST`](edges::MOST): six take 21 MB, seven 255 MB.
    pub edges: u8,
    /// The bounds that are part of the maximum.
    pub parts: Parts,
}

/// The bounds that are part of the maximum for a goal that leaves something open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Parts {
    /// All of them.
    #[default]
    All,
    /// Tables that a search with all parts does not read: that of the corners is replaced by one for a goal that leaves
    /// more of them open, and the distance to a subgroup is left out.
    Others,
    /// Sets of edges alone; none, for 0 edges in a set.
    Edges,
}

/// The greatest number of edges in one set for a search with little memory.
pub(crate) const FEW_EDGES: u8 = 6;
/// The greatest number of edges in one set for a search with much memory.
pub(crate) const MANY_EDGES: u8 = 7;

/// The maximum total size in bytes of the tables of a search with larger sets.
pub(crate) const MOST_BYTES: u64 = 300_000_000;

/// Whether sets of [`MANY_EDGES`] are worth their size: the goal has at least as many solved edges. If edges must only
/// be oriented, solutions are short and small sets suffice.
pub(crate) fn gains_from_many_edges(mask: &Mask) -> bool {
    mask.edges.solved(Kind::Edges).count_ones() >= u32::from(MANY_EDGES)
}

/// The maximum number of lookups in one table.
const MOST_VIEWS: usize = 4;

/// A set of edges and the symmetries under which the cube is looked up in its table.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Viewed {
    set: u16,
    views: Vec<View>,
}

/// A lookup under a symmetry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct View {
    symmetry: Symmetry,
    /// The edges of the cube that become the set's edges in the conjugate.
    covers: u16,
}

/// The requirements of a mask on the edges of each conjugate.
struct Conjugates {
    mask: Mask,
    all: Vec<Conjugate>,
}

struct Conjugate {
    symmetry: Symmetry,
    /// Whether they are the requirements on the cube itself.
    is_same: bool,
    /// For each edge of the conjugate, the edge of the cube.
    origin: [u8; 12],
}

impl Conjugates {
    fn of(mask: Mask) -> Conjugates {
        let all = Symmetry::all().map(|symmetry| {
            let mut origin = [0; 12];
            for (from, &to) in symmetry.action().edge.iter().enumerate() {
                origin[usize::from(to)] = from as u8;
            }
            Conjugate { symmetry, is_same: mask.image(symmetry).edges == mask.edges, origin }
        });
        Conjugates { mask, all: all.collect() }
    }

    /// A set of edges with at most [`MOST_VIEWS`] of its views: those that cover most edges, one for each covered set.
    fn viewed(&self, set: u16) -> Viewed {
        let solved = self.mask.edges.solved(Kind::Edges);
        let mut left: Vec<View> = Vec::new();
        for Conjugate { symmetry, is_same, origin } in &self.all {
            let covers = members(set).fold(0, |covers, edge| covers | 1 << origin[edge]);
            let asks_the_same = *is_same || (set | covers) & !solved == 0;
            if asks_the_same && left.iter().all(|view| view.covers != covers) {
                left.push(View { symmetry: *symmetry, covers });
            }
        }
        let mut viewed = Viewed { set, views: Vec::new() };
        while viewed.views.len() < MOST_VIEWS && !left.is_empty() {
            let covered = viewed.covered();
            // Reversed, because `max_by_key` returns the last maximum and the first is wanted.
            let gain = |&at: &usize| (left[at].covers & !covered).count_ones();
            let best = (0..left.len()).rev().max_by_key(gain).expect("some are left");
            viewed.views.push(left.remove(best));
        }
        viewed
    }
}

impl Viewed {
    /// The edges that some view covers.
    fn covered(&self) -> u16 {
        self.views.iter().fold(0, |all, view| all | view.covers)
    }

    /// The set without further views.
    fn alone(set: u16) -> Viewed {
        Viewed { set, views: vec![View { symmetry: Symmetry::IDENTITY, covers: set }] }
    }
}

impl Masked {
    /// The sets of edges that are looked up.
    fn edge_sets(&self) -> Vec<Viewed> {
        let telling = self.mask.edges.telling(Kind::Edges);
        let size = u32::from(self.edges).min(edges::MOST as u32);
        if size == 0 {
            return Vec::new();
        }
        if telling.count_ones() <= size {
            return if telling == 0 { Vec::new() } else { vec![Viewed::alone(telling)] };
        }
        let conjugates = Conjugates::of(self.mask);
        let sets = (0..1u16 << 12).filter(|set| set & !telling == 0 && set.count_ones() == size);
        // Prefers the set whose views cover most edges, then the one with most views, then that of 1997.
        let worth =
            |viewed: &Viewed| (viewed.covered().count_ones(), viewed.views.len(), viewed.set == edges::KORF);
        let first = sets.map(|set| conjugates.viewed(set)).max_by_key(worth);
        let mut chosen = vec![first.expect("there are enough edges")];
        let mut left = telling & !chosen[0].covered();
        while left != 0 {
            // The remaining edges, and others to fill the set.
            let others = members(left).chain(members(telling & !left));
            let set = others.take(size as usize).fold(0, |set, edge| set | 1 << edge);
            left &= !set;
            chosen.push(Viewed::alone(set));
        }
        chosen
    }

    /// The table of a set.
    fn pattern_of(&self, set: u16) -> Pattern {
        let freedom = self.mask.edges.of(Kind::Edges, set);
        if freedom.is_none() { Pattern::Edges(set) } else { Pattern::EdgesUpTo { set, freedom } }
    }

    /// The table of the corners, if any corner matters.
    fn corners(&self) -> Option<Pattern> {
        let corners = match self.parts {
            Parts::All => self.mask.corners,
            Parts::Others => self.mask.corners.relaxed(Kind::Corners),
            Parts::Edges => return None,
        };
        let free = Pattern::CornersUpTo(corners);
        let pattern = if corners.is_none() { Pattern::Corners } else { free };
        (!corners.is_complete(Kind::Corners)).then_some(pattern)
    }

    /// The axes along which the distance to the subgroup is a bound.
    fn axes(&self) -> Vec<Axis> {
        let is_bound = |axis: &Axis| self.parts == Parts::All && self.mask.is_within_domino(*axis);
        Axis::ALL.into_iter().filter(is_bound).collect()
    }
}

impl Specification for Masked {
    fn name(&self) -> String {
        let mask = &self.mask;
        let solved =
            Pieces { corners: mask.corners.solved(Kind::Corners), edges: mask.edges.solved(Kind::Edges) };
        match Mask::new(Pieces::ALL.without(solved), Pieces::NONE) == *mask {
            true => format!("tables of {solved}"),
            false => format!("tables of the goal: {mask}"),
        }
    }

    fn patterns(&self) -> Vec<Pattern> {
        let cosets = (!self.axes().is_empty()).then_some(Pattern::Coset);
        let edges = self.edge_sets().into_iter().map(|viewed| self.pattern_of(viewed.set));
        cosets.into_iter().chain(self.corners()).chain(edges).collect()
    }

    fn has_symmetric_goal(&self) -> bool {
        false
    }
}

impl Wire for Masked {
    fn wire<V: Lanes>(&self, wiring: &Wiring<'_>) -> Box<dyn Engine> {
        let corners = self.corners().map(|pattern| corner_part(wiring, pattern));
        let parts = self.edge_sets().into_iter().flat_map(|Viewed { set, views }| {
            let space = Edges::new(wiring.metric, set).expect("a set of edges that is a pattern");
            let table = wiring.table(self.pattern_of(set)).nibbles();
            views.into_iter().map(move |view| EdgePart {
                lookup: EdgeLookup::new(&space, view.symmetry, space::View::Position),
                table: table.clone(),
            })
        });
        let patterns = PatternBound::new(corners, parts.collect());
        let space = CubeSpace::<V>::new(wiring.metric, Sides::One).up_to(self.mask);
        match &self.axes()[..] {
            [] => wired(space, patterns),
            axes => {
                let (coset, table) = (Coset::new(wiring.metric), wiring.table(Pattern::Coset).nibbles());
                let cosets = CosetBound::along(&space, &coset, table, axes);
                wired(space, WithCosets { cosets, patterns })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::Face;
    use crate::mask::{Named, Pieces};

    fn masked(ignored: &str, turned: &str, edges: u8) -> Masked {
        let mask = Mask::new(Pieces::parse(ignored).unwrap(), Pieces::parse(turned).unwrap());
        Masked { mask, edges, parts: Parts::All }
    }

    #[test]
    fn sets_of_edges_cover_all_relevant_edges() {
        assert_eq!(masked("corners,U,FR,FL,BL,BR", "", 6).patterns(), [Pattern::Edges(0xf0)]);
        for heuristic in [
            masked("", "UF", 6),
            masked("D,FR", "UF", 6),
            masked("U", "", 6),
            masked("U", "", 7),
            masked("corners", "edges", 5),
            masked("corners,UF", "", 7),
        ] {
            let sets = heuristic.edge_sets();
            let covered = sets.iter().fold(0, |all, viewed| all | viewed.covered());
            assert_eq!(covered, heuristic.mask.edges.telling(Kind::Edges));
            assert!(sets.iter().all(|viewed| viewed.set.count_ones() <= u32::from(heuristic.edges)));
        }
        // All but the last layer: one table, four views.
        let f2l = masked("U", "", 7);
        assert_eq!(f2l.edge_sets().iter().map(|viewed| viewed.views.len()).collect::<Vec<_>>(), [4]);
        assert_eq!(f2l.patterns().len(), 2);
        assert!(
            gains_from_many_edges(&f2l.mask) && !gains_from_many_edges(&masked("corners", "edges", 7).mask)
        );
    }

    #[test]
    fn cosets_are_read_only_if_they_are_admissible() {
        let axes = |named: Named| {
            let mask = *named.goals(Face::D).only().unwrap();
            Masked { mask, edges: 6, parts: Parts::All }.axes()
        };
        assert_eq!(axes(Named::F2l), []);
        assert_eq!(axes(Named::Oll), [Axis::Ud]);
        assert_eq!(axes(Named::Htr), Axis::ALL);
    }

    #[test]
    fn relaxed_corners_accept_more() {
        for named in [Named::F2l, Named::Oll, Named::Htr, Named::Eo] {
            let mask = *named.goals(Face::D).only().unwrap();
            for mask in [mask, Mask::new(Pieces::parse("edges").unwrap(), Pieces::NONE)] {
                let relaxed = mask.corners.relaxed(Kind::Corners);
                assert!(mask.corners.is_complete(Kind::Corners) || relaxed != mask.corners, "{mask}");
                let includes = |cubie| {
                    let [own, more] = [&mask.corners, &relaxed].map(|of| of.places(Kind::Corners, cubie));
                    own & !more == 0
                };
                assert!((0..8).all(includes), "{mask}");
                assert!(!relaxed.is_of_half_turns());
            }
        }
    }
}
