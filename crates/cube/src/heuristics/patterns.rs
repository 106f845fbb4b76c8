//! Pattern databases of corners and edges, and their maximum.
//!
//! The heuristic of 1997 is the maximum of the corners and two sets of six edges. Each part is one
//! stage, the corners first: they cut nearly all that is cut, so the edges are rarely looked up.
//!
//! The corners' coordinates are carried, so a child's entry costs two reads of small tables, in
//! the same two lines for all children of a node; the edges' entries are computed when asked for.
//!
//! One table of edges serves many views (Hoey, letter of May 1997): under a symmetry `m` of the
//! cube, looking up the conjugate `m⁻¹ p m` gives the distance for the images of the table's
//! cubies; looking up the inverse position gives another bound, since both have the same distance.

use super::Table;
use crate::cube::{Cube, Turn};
use crate::lanes::Lanes;
use crate::patterns::{Corners, Edges};
use crate::space::{CubeSpace, State};
use crate::symmetry::Symmetry;
use search_core::pdb::rank::permutation;
use search_core::{Heuristic, Op};
use std::sync::Arc;

/// How one table of edges is looked up: as it stands, under a symmetry, for the inverse.
#[derive(Clone, Debug)]
pub struct View {
    symmetry: Symmetry,
    inverse: bool,
    pieces: usize,
    /// `[turn][i]`: which element of the parent's array the `i`-th of the pattern is after a turn
    /// (the last row: with no turn), `| flip << 4`.
    source: Vec<[u8; 8]>,
    /// `[turn][value]`: what the element's value becomes.
    image: Vec<[u8; 32]>,
}

impl View {
    /// The view of a table of `edges` under `symmetry`, of the position or its inverse.
    pub fn new(edges: &Edges, symmetry: Symmetry, inverse: bool) -> View {
        let action = symmetry.action();
        let back = symmetry.inverse().action();
        let conjugate = |v: u8| {
            let at = v as usize & 15;
            action.edge[at] | v & 16 ^ action.edge_shift[at] << 4
        };
        // The i-th of the pattern is the image of this cubie, whose first slot becomes that slot.
        let origin = |i: usize| {
            let cubie = edges.cubies()[i] as usize;
            let from = back.edge[cubie];
            from | action.edge_shift[from as usize] << 4
        };
        let turns = Turn::all().map(Some).chain([None]);
        let (mut source, mut image) = (Vec::new(), Vec::new());
        for turn in turns {
            let turned = State::<crate::lanes::Portable>::new(turn.map_or(&Cube::SOLVED, Cube::of_turn));
            let (at, of) = (turned.edge_at.store(), turned.edge_of.store());
            source.push(std::array::from_fn(|i| match i < edges.len() {
                false => 0,
                true if inverse => {
                    let (from, flip) = (origin(i) & 15, origin(i) & 16);
                    at[from as usize] ^ flip
                }
                true => origin(i),
            }));
            image.push(std::array::from_fn(|v| match v & 15 {
                0..12 if inverse => conjugate(v as u8),
                0..12 => conjugate(of[v & 15] ^ (v & 16) as u8),
                _ => 0,
            }));
        }
        View { symmetry, inverse, pieces: edges.len(), source, image }
    }

    /// The symmetry and whether the inverse is looked up.
    pub fn kind(&self) -> (Symmetry, bool) {
        (self.symmetry, self.inverse)
    }

    /// The entry of the state after a turn, or of the state itself (`turn` = [`Turn::COUNT`]).
    #[inline(always)]
    fn index<V: Lanes>(&self, state: &State<V>, turn: usize) -> usize {
        let array = if self.inverse { state.edge_at } else { state.edge_of }.store();
        let (source, image) = (&self.source[turn], &self.image[turn]);
        let (mut locations, mut flips) = ([0; 8], 0);
        for i in 0..self.pieces {
            let from = source[i];
            let v = image[((array[from as usize & 15] ^ from & 16) & 31) as usize];
            locations[i] = v & 15;
            flips = flips << 1 | usize::from(v >> 4);
        }
        (permutation::rank(&locations[..self.pieces], 12) as usize) << self.pieces | flips
    }
}

/// No pattern of the cube is deeper, in either metric: four bits hold all distances.
const MOST: u8 = 14;

/// The corners' space and table.
#[derive(Clone, Debug)]
pub struct CornerPart {
    /// Where entries are.
    pub space: Arc<Corners>,
    /// Their distances.
    pub table: Arc<Table>,
}

/// One look at a table of edges.
#[derive(Clone, Debug)]
pub struct EdgePart {
    /// How.
    pub view: View,
    /// At what.
    pub table: Arc<Table>,
}

/// The maximum of pattern databases: the corners, if any, then each view of edges in turn.
#[derive(Clone, Debug)]
pub struct PatternBound {
    corners: Option<CornerPart>,
    edges: Vec<EdgePart>,
}

impl PatternBound {
    /// The maximum of all parts.
    ///
    /// # Panics
    /// If there is no part.
    pub fn new(corners: Option<CornerPart>, edges: Vec<EdgePart>) -> PatternBound {
        assert!(corners.is_some() || !edges.is_empty(), "a heuristic has at least one part");
        PatternBound { corners, edges }
    }

    /// The part of the edges that a stage is.
    #[inline(always)]
    fn edge_part(&self, stage: usize) -> &EdgePart {
        &self.edges[stage - usize::from(self.corners.is_some())]
    }

    /// The values of all parts, the corners first.
    pub fn values<V: Lanes>(&self, state: &State<V>) -> impl Iterator<Item = u8> {
        let corners = self.corners.as_ref().map(|part| {
            let (row, column) = Corners::coordinates(&state.cube());
            part.table.get(Corners::index(row, column))
        });
        corners
            .into_iter()
            .chain(self.edges.iter().map(|part| part.table.get(part.view.index(state, Turn::COUNT))))
    }
}

/// The corners' row and column.
type Coordinates = (u16, u16);

impl<V: Lanes> Heuristic<CubeSpace<V>> for PatternBound {
    type Carry = Coordinates;
    type Probe = usize;
    type Memo = ();

    #[inline(always)]
    fn stages(&self) -> usize {
        usize::from(self.corners.is_some()) + self.edges.len()
    }

    fn carry(&self, _: &CubeSpace<V>, state: &State<V>) -> Coordinates {
        Corners::coordinates(&state.cube())
    }

    #[inline(always)]
    fn carry_child(
        &self,
        space: &CubeSpace<V>,
        _: &State<V>,
        carry: &Coordinates,
        op: Op,
        _: &State<V>,
        _: &(),
    ) -> Coordinates {
        let (turn, _) = space.turn_of(op);
        self.corners.as_ref().map_or((0, 0), |part| {
            (part.space.row_after(carry.0, turn), part.space.column_after(carry.1, turn))
        })
    }

    #[inline(always)]
    fn locate(
        &self,
        space: &CubeSpace<V>,
        parent: &State<V>,
        carry: &Coordinates,
        op: Op,
        stage: usize,
    ) -> usize {
        let (turn, is_last) = space.turn_of(op);
        debug_assert!(!is_last, "pattern databases search from one side");
        if let (0, Some(part)) = (stage, &self.corners) {
            let index =
                Corners::index(part.space.row_after(carry.0, turn), part.space.column_after(carry.1, turn));
            part.table.prefetch(index);
            return index;
        }
        let part = self.edge_part(stage);
        let index = part.view.index(parent, turn.0 as usize);
        part.table.prefetch(index);
        index
    }

    #[inline(always)]
    fn read(&self, probe: usize, stage: usize, _: &mut ()) -> u8 {
        match (stage, &self.corners) {
            (0, Some(part)) => part.table.get(probe),
            _ => self.edge_part(stage).table.get(probe),
        }
    }

    fn value(&self, _: &CubeSpace<V>, state: &State<V>) -> u8 {
        self.values(state).max().unwrap_or(0)
    }

    fn max_value(&self) -> u8 {
        MOST
    }
}
