//! Pattern databases of corners and edges, and their maximum.
//!
//! The heuristic of 1997 is the maximum of the corners and two sets of six edges. Each part is one stage, the corners
//! first: they do nearly all of the pruning, so the edges are rarely looked up.
//!
//! The corners' coordinates are carried, so a child's entry costs two reads of small tables, in the same two lines for
//! all children of a node; the edges' entries are computed when needed.
//!
//! One table of edges serves many lookups (Hoey, letter of May 1997): under a symmetry `m` of the
//! cube, looking up the conjugate `m⁻¹ p m` gives the distance for the images of the table's
//! cubies; looking up the inverse position gives another bound, since both have the same distance.

use crate::cube::{Cube, Turn};
use crate::heuristics::IN_TURN;
use crate::lanes::{Lanes, Portable, Row};
use crate::pdb::{Corners, Edges};
use crate::space::{CubeSpace, State, View};
use crate::symmetry::Symmetry;
use crate::tables::Table;
use search_core::heuristic::{Batch, Heuristic, Kernel, NodeRef, Sieved};
use search_core::pdb::rank::permutation;
use search_core::{Op, PerOp};
use std::sync::Arc;

/// One way to look up a cube in a table of edges: directly, under a symmetry, or its inverse.
#[derive(Clone, Debug)]
pub struct EdgeLookup<V> {
    edges: Edges,
    symmetry: Symmetry,
    view: View,
    pieces: usize,
    /// For each turn; the last one is for no turn.
    gathers: Vec<Gather<V>>,
}

/// The data to compute the pattern's values after a turn from the array of edges before it.
#[derive(Clone, Copy, Debug)]
struct Gather<V> {
    /// For the `i`-th cubie of the pattern, the index of its element.
    source: V,
    /// The bits that are XORed into its flip.
    flip: V,
    /// For each location, its image and the resulting change of the flip.
    image: V,
}

impl<V: Lanes> EdgeLookup<V> {
    /// The lookup in a table of `edges` under `symmetry`, of the position or its inverse.
    pub fn new(edges: &Edges, symmetry: Symmetry, view: View) -> EdgeLookup<V> {
        let gathers = Turn::all().map(Some).chain([None]);
        EdgeLookup {
            edges: edges.clone(),
            symmetry,
            view,
            pieces: edges.cubies().len(),
            gathers: gathers.map(|turn| Gather::new(edges, symmetry, view, turn)).collect(),
        }
    }

    /// The space of the entries.
    pub(super) fn edges(&self) -> &Edges {
        &self.edges
    }

    /// The turn that changes the entry as `turn` changes the position; `None` if no turn does.
    pub(super) fn turn(&self, turn: Turn) -> Option<Turn> {
        (self.view == View::Position).then(|| self.symmetry.turn(turn))
    }

    /// The entry of a state.
    #[inline(always)]
    pub(super) fn entry(&self, state: &State<V>) -> usize {
        self.index(state, Turn::COUNT)
    }

    /// The entry of the state after a turn, or of the state itself (`turn` = [`Turn::COUNT`]).
    #[inline(always)]
    fn index(&self, state: &State<V>, turn: usize) -> usize {
        // The locations of the position's cubies, or of the inverse's.
        let array = state.side(self.view.other()).edges;
        let gather = &self.gathers[turn];
        let (low, flip) = (array.row(&Row([15; 16])), array.row(&Row([16; 16])));
        let chosen = array.shuffle(gather.source).xor(gather.flip);
        let values = gather.image.shuffle(chosen.and(low)).xor(chosen.and(flip));
        let locations = values.and(low).store();
        // The length of the loop is constant, so it is unrolled.
        let rank = match self.pieces {
            6 => permutation::rank(&locations[..6], 12),
            7 => permutation::rank(&locations[..7], 12),
            pieces => permutation::rank(&locations[..pieces], 12),
        };
        (rank as usize) << self.pieces | values.bits::<4>() as usize
    }
}

impl<V: Lanes> Gather<V> {
    fn new(edges: &Edges, symmetry: Symmetry, view: View, turn: Option<Turn>) -> Gather<V> {
        let action = symmetry.action();
        let back = symmetry.inverse().action();
        let turned = State::<Portable>::new(turn.map_or(&Cube::SOLVED, Cube::of_turn));
        let (by_location, by_cubie) = (turned.by_location().edges.store(), turned.by_cubie().edges.store());
        let inverse = view == View::Inverse;
        // Lanes beyond the pattern read lane 15, which is no edge, and come out as 0.
        let (mut source, mut flip, mut image) = ([15; 16], [0; 16], [0; 16]);
        for (i, &cubie) in edges.cubies().iter().enumerate() {
            // The i-th cubie of the pattern is the image of this cubie, whose first slot is mapped to that slot.
            let origin = back.edge[cubie as usize];
            let element = if inverse { by_location[origin as usize] } else { origin };
            source[i] = element & 15;
            flip[i] = element & 16 ^ action.edge_shift[origin as usize] << 4;
        }
        for (location, image) in image[..12].iter_mut().enumerate() {
            let v = if inverse { location as u8 } else { by_cubie[location] };
            let to = v as usize & 15;
            *image = action.edge[to] | v & 16 ^ action.edge_shift[to] << 4;
        }
        Gather { source: V::load(source), flip: V::load(flip), image: V::load(image) }
    }
}

/// The corners' space and table.
#[derive(Clone, Debug)]
pub struct CornerPart {
    /// The space of the entries.
    pub space: Arc<Corners>,
    /// Their distances.
    pub table: Arc<Table>,
}

/// One lookup in a table of edges.
#[derive(Clone, Debug)]
pub struct EdgePart<V> {
    /// The way to look up a cube.
    pub lookup: EdgeLookup<V>,
    /// The table.
    pub table: Arc<Table>,
}

/// The maximum of pattern databases: the corners, if any, then each lookup of edges in turn.
#[derive(Clone, Debug)]
pub struct PatternBound<V> {
    corners: Option<CornerPart>,
    edges: Vec<EdgePart<V>>,
}

impl<V: Lanes> PatternBound<V> {
    /// The maximum of all parts.
    ///
    /// # Panics
    /// If there is no part.
    pub fn new(corners: Option<CornerPart>, edges: Vec<EdgePart<V>>) -> PatternBound<V> {
        assert!(corners.is_some() || !edges.is_empty(), "a heuristic has at least one part");
        PatternBound { corners, edges }
    }

    /// The corners, if any.
    pub(super) fn corners(&self) -> Option<&CornerPart> {
        self.corners.as_ref()
    }

    /// The lookups of edges.
    pub(super) fn edges(&self) -> &[EdgePart<V>] {
        &self.edges
    }

    /// The part of the edges that a stage looks up.
    #[inline(always)]
    fn edge_part(&self, stage: usize) -> &EdgePart<V> {
        &self.edges[stage - usize::from(self.corners.is_some())]
    }

    /// The values of all parts, the corners first.
    pub(crate) fn values(&self, state: &State<V>) -> impl Iterator<Item = u8> {
        let corners = self.corners.as_ref().map(|part| {
            let (row, column) = Corners::coordinates(&state.cube());
            part.table.get(Corners::index(row, column) as u64)
        });
        let edges = |part: &EdgePart<V>| part.table.get(part.lookup.entry(state) as u64);
        corners.into_iter().chain(self.edges.iter().map(edges))
    }
}

/// The corners' row and column.
pub(super) type Coordinates = (u16, u16);

impl<V: Lanes> Heuristic<CubeSpace<V>> for PatternBound<V> {
    type Carry = Coordinates;
    /// The entries of the children.
    type Scratch = PerOp<usize>;

    #[inline(always)]
    fn stages(&self) -> usize {
        usize::from(self.corners.is_some()) + self.edges.len()
    }

    fn carry(&self, _: &CubeSpace<V>, state: &State<V>) -> Coordinates {
        self.corners.as_ref().map_or((0, 0), |_| Corners::coordinates(&state.cube()))
    }

    #[inline(always)]
    fn carry_child(
        &self,
        parent: NodeRef<'_, CubeSpace<V>, Coordinates>,
        op: Op,
        _: &State<V>,
        _: &PerOp<usize>,
    ) -> Coordinates {
        let Some(part) = &self.corners else { return (0, 0) };
        let (turn, (row, column)) = (parent.domain.turn_of(op).0.index(), *parent.carry);
        (part.space.rows_after(row)[turn], part.space.columns_after(column)[turn])
    }

    #[inline(always)]
    fn locate(&self, node: NodeRef<'_, CubeSpace<V>, Coordinates>, batch: Batch, entries: &mut PerOp<usize>) {
        debug_assert!(!node.domain.is_two_sided(), "pattern databases search from one side");
        if let (0, Some(part)) = (batch.stage, &self.corners) {
            let (row, column) = *node.carry;
            let (rows, columns) = (part.space.rows_after(row), part.space.columns_after(column));
            let table = part.table.borrowed();
            for op in batch.ops {
                let turn = node.domain.turn_of(op).0.index();
                let index = Corners::index(rows[turn], columns[turn]);
                table.prefetch(index as u64);
                entries[op] = index;
            }
        } else {
            let part = self.edge_part(batch.stage);
            let table = part.table.borrowed();
            for op in batch.ops {
                let index = part.lookup.index(node.state, node.domain.turn_of(op).0.index());
                table.prefetch(index as u64);
                entries[op] = index;
            }
        }
    }

    #[inline(always)]
    fn read(&self, batch: Batch, entries: &mut PerOp<usize>) -> Sieved {
        let table = match (batch.stage, &self.corners) {
            (0, Some(part)) => &part.table,
            _ => &self.edge_part(batch.stage).table,
        };
        let table = table.borrowed();
        let mut sieved = Sieved::default();
        for op in batch.ops {
            sieved.take(op, table.get(entries[op] as u64), batch.limit);
        }
        sieved
    }

    fn value(&self, _: &CubeSpace<V>, state: &State<V>) -> u8 {
        self.values(state).max().unwrap_or(0)
    }

    fn kernel(&self) -> Kernel {
        IN_TURN
    }
}
