//! The distance to ⟨U, D, R2, L2, F2, B2⟩, along up to three axes, of the position and its inverse.
//!
//! A solution brings the cube into the subgroup, and into its images along the other two axes; so does the inverse
//! solution with the inverse cube. This gives up to six lower bounds from one table. Each is a *view*: axis `k` of the
//! position (`k`) or of the inverse (`3 + k`).
//!
//! The value of a view restricts the last move. The value along U–D is the length of a shortest string that brings the
//! position into the subgroup. If a solution ends with a turn of the subgroup (a turn of U or D, or a half turn), the
//! solution without this turn is such a string. So
//!
//! - if a value equals the number of moves left (the view is *tight*), the last move is a quarter turn of one of the
//!   other four faces; and for a view of the inverse, the next move is;
//! - if the three values of one side are equal and not zero, the distance is at least one more: no last move is outside
//!   the subgroups of all three axes;
//! - a turn of the subgroup fixed as the last move leaves the position in its coset, so its value
//!   need not be looked up again; and fixed as the next move it leaves the inverse in its coset.
//!
//! The search takes whichever side leaves fewer moves. No solution is lost: each side's set contains the last (or the
//! next) move of every solution within the bound.
//!
//! A view's entry: the twist along its axis comes from one shuffle and a dot product with powers of three; it selects
//! one of 16 symmetries, under which flips and slice are read by one more shuffle and two bit masks. The small tables
//! take 16 KB.
//!
//! Source: M. Reid 1995; H. Kociemba's two-phase coordinates; the use of tight bounds and of the
//! inverse as in T. Rokicki's nxopt and S. Tronto's H48.

use super::values::{VIEWS, Values, axis_and_side};
use crate::cube::{Cube, Face, Turn};
use crate::heuristics::IN_TURN;
use crate::lanes::{Lanes, Row};
use crate::mask::Axis;
use crate::pdb::Coset;
use crate::pdb::corners::TWISTS;
use crate::pdb::coset::{CLASSES, FLIPS, SLICE, SLICES, SYMMETRIES};
use crate::space::{CubeSpace, End, Moves, Side, State, View};
use crate::symmetry::Symmetry;
use crate::tables::Table;
use search_core::heuristic::{Batch, Heuristic, Kernel, NodeRef, Sieved};
use search_core::pdb::rank::combination;
use search_core::{Domain, Op, OpSet, PerOp};
use std::sync::Arc;

/// The data to read the twist along one axis from the corners, or flips and slice from the edges, along one axis and
/// under one of its symmetries.
#[derive(Clone, Copy, Debug)]
struct Gather<V> {
    /// For each cubie, the number to add to its orientation. For edges, bit 1 is set if the cubie belongs to the slice.
    cubie: V,
    /// For each location, the number to add to the orientation there.
    location: V,
    /// The shuffle of locations to the order in which they are read.
    order: V,
}

impl<V: Lanes> Gather<V> {
    fn load(cubie: [u8; 16], location: [u8; 16], order: [u8; 16]) -> Gather<V> {
        Gather { cubie: V::load(cubie), location: V::load(location), order: V::load(order) }
    }
}

/// The bound of a table of cosets.
#[derive(Clone, Debug)]
pub(crate) struct CosetBound<V> {
    table: Arc<Table>,
    /// The views that are looked up.
    views: Vec<u8>,
    /// For each view that may have the greatest value, the order in which the children look up their views: beginning
    /// with it, its side first. Stages beyond the number of views are not used.
    order_from: [[u8; VIEWS]; VIEWS],
    twists: [Gather<V>; 3],
    edges: Vec<Gather<V>>,
    /// `class | symmetry << 8` of each twist.
    class_of: Box<[u16; TWISTS]>,
    /// Rank of each mask of four slice locations, times the flips.
    slice_base: Box<[u32; 4096]>,
    /// For each operator, the axes (bit = axis) whose views its move cannot change: those of the position
    /// as a last move, those of the inverse as a next move.
    unchanged: [u8; 64],
    /// For each set of tight axes of the inverse, the front operators that may begin a solution; and for each set of
    /// tight axes of the position, the back operators.
    useful: [[OpSet; 8]; 2],
}

/// A view's entry in the table, or its value: `view << 28`, plus the entry or `KNOWN` and the value.
type EntryOrValue = u32;

/// Marks a value.
const KNOWN: u32 = 1 << 31;
const VIEW_SHIFT: u32 = 28;

/// The carry of a node: its values, and the views in the order in which its children look them up, the greatest value
/// first, since it prunes most.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ordered {
    values: Values,
    order: [u8; VIEWS],
}

impl<V: Lanes> CosetBound<V> {
    /// The carry of a node with these values.
    #[inline(always)]
    fn in_order(&self, values: Values) -> Ordered {
        let key = |view: u8| values.get(view) << 3 | (7 - view);
        let greatest = key(0).max(key(1)).max(key(2)).max(key(3).max(key(4)).max(key(5)));
        Ordered { values, order: self.order_from[7 - (greatest & 7) as usize] }
    }

    /// The bound of `table`, filled from `coset`, along `axes` (1 to 3) axes, and of the inverse too if `inverse`.
    ///
    /// # Panics
    /// If `axes` is not 1, 2 or 3, the table is not the coset's, or some move is in the subgroup of no axis.
    pub(crate) fn new<M: Moves>(
        space: &CubeSpace<V, M>,
        coset: &Coset,
        table: Arc<Table>,
        axes: u8,
        inverse: bool,
    ) -> CosetBound<V> {
        assert!((1..=3).contains(&axes), "a cube has three axes");
        let sides = if inverse { 2 } else { 1 };
        let views = (0..sides).flat_map(|side| (0..axes).map(move |axis| 3 * side + axis)).collect();
        CosetBound::of_views(space, coset, table, views)
    }

    /// The bound of `table` for the position alone, along some of the axes. It holds for every goal that is within the
    /// subgroups of these axes ([`Mask::is_within_domino`](crate::Mask::is_within_domino)): the arguments above require
    /// no more of a goal.
    ///
    /// # Panics
    /// If there is no axis, or the table is not the coset's.
    pub(crate) fn along<M: Moves>(
        space: &CubeSpace<V, M>,
        coset: &Coset,
        table: Arc<Table>,
        axes: &[Axis],
    ) -> CosetBound<V> {
        assert!(!axes.is_empty(), "the bound has an axis");
        CosetBound::of_views(space, coset, table, axes.iter().map(|&axis| view_of(axis)).collect())
    }

    fn of_views<M: Moves>(
        space: &CubeSpace<V, M>,
        coset: &Coset,
        table: Arc<Table>,
        views: Vec<u8>,
    ) -> CosetBound<V> {
        const { assert!(CLASSES * SLICES * FLIPS < 1 << VIEW_SHIFT, "entries fit beside the view") };
        assert_eq!(table.len(), (CLASSES * SLICES * FLIPS) as u64, "the table is that of the cosets");
        let mut class_of = Box::new([0; TWISTS]);
        for (twist, entry) in class_of.iter_mut().enumerate() {
            let (class, symmetry) = coset.class_of(twist);
            *entry = u16::from(class) | (symmetry.index() as u16) << 8;
        }
        let mut slice_base = Box::new([0; 4096]);
        for mask in (0..4096u32).filter(|mask| mask.count_ones() == 4) {
            slice_base[mask as usize] = combination::rank(mask) * FLIPS as u32;
        }
        let to_axis = |axis: usize| Symmetry::from_index(SYMMETRIES * axis);
        let mut unchanged = [0; 64];
        for op in OpSet::first(space.op_count()) {
            unchanged[op.index()] = unchanged_axes(coset, &space.move_state(op).cube());
            assert_ne!(unchanged[op.index()], 0, "each move is in the subgroup of some axis");
        }
        CosetBound {
            table,
            order_from: std::array::from_fn(|first| order_from(&views, first as u8)),
            views,
            twists: std::array::from_fn(|axis| twist_gather(to_axis(axis))),
            edges: (0..3)
                .flat_map(|axis| (0..SYMMETRIES).map(move |s| to_axis(axis).then(Symmetry::from_index(s))))
                .map(edge_gather)
                .collect(),
            class_of,
            slice_base,
            unchanged,
            useful: End::ALL.map(|end| useful_sets(&unchanged, space.ops_at(end))),
        }
    }

    /// The entry along one axis, of the corners and edges of one side of a state.
    #[inline(always)]
    fn entry(&self, corners: V, edges: V, axis: usize, side: View) -> u32 {
        let low = corners.row(&Row([15; 16]));
        let gather = &self.twists[axis];
        let twists = corners.high_nibbles();
        let twists = match side {
            View::Position => twists,
            View::Inverse => twists.row(&Row([3; 16])).sub(twists),
        };
        let sum = twists.add(gather.cubie.shuffle(corners.and(low))).add(gather.location);
        let digits = sum.row(&Row([0, 1, 2, 0, 1, 2, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0])).shuffle(sum);
        let powers = sum.row(&Row([1, 3, 9, 27, 81, 243, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0]));
        let in_order =
            digits.shuffle(gather.order).and(sum.row(&Row([3, 3, 3, 3, 3, 3, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0])));
        let class = self.class_of[in_order.base_three(powers) as usize];
        let gather = &self.edges[axis * SYMMETRIES + (class >> 8) as usize];
        let kinds = gather.cubie.shuffle(edges.and(low)).xor(edges.high_nibbles()).xor(gather.location);
        let in_order = kinds.shuffle(gather.order);
        let flip = in_order.bits::<0>() & (FLIPS as u32 - 1);
        let slice = self.slice_base[(in_order.bits::<1>() & 0xfff) as usize];
        u32::from(class & 0xff) * (SLICES * FLIPS) as u32 + slice + flip
    }

    /// The value of one view of a state.
    pub(crate) fn view(&self, state: &State<V>, view: u8) -> u8 {
        let (axis, side) = axis_and_side(view);
        let &Side { corners, edges } = state.side(side);
        self.table.get(u64::from(self.entry(corners, edges, axis as usize, side)))
    }
}

/// The members of `views`, beginning with `first`: those of its side, then those of the other side.
fn order_from(views: &[u8], first: u8) -> [u8; VIEWS] {
    let around = (0..VIEWS as u8).map(|i| ((first / 3 * 3 + i / 3 * 3) % 6) + (first + i) % 3);
    let mut order = [0; VIEWS];
    for (slot, view) in order.iter_mut().zip(around.filter(|view| views.contains(view))) {
        *slot = view;
    }
    order
}

/// The axis of a turn: 0, 1 or 2 rotations U→R→F→U bring it to U–D.
fn axis_of(turn: Turn) -> usize {
    let face = turn.face();
    (0..3)
        .find(|&axis| {
            let image = Symmetry::from_index(SYMMETRIES * axis).action().face[face.index()];
            matches!(image, crate::Face::U | crate::Face::D)
        })
        .expect("some rotation brings the face to U or D")
}

/// The view of the position along an axis.
fn view_of(axis: Axis) -> u8 {
    axis_of(Turn::new(Face::ALL[axis as usize], 1)) as u8
}

/// The axes whose subgroups contain a move, given by the cube that it makes from the solved one.
fn unchanged_axes(coset: &Coset, cube: &Cube) -> u8 {
    let home = coset.index_of(&Cube::SOLVED);
    let is_in =
        |axis: &usize| coset.index_of(&Symmetry::from_index(SYMMETRIES * axis).conjugate(cube)) == home;
    (0..3).filter(is_in).fold(0, |axes, axis| axes | 1 << axis)
}

/// For each set of tight axes, the members of `side` that leave no tight value unchanged.
fn useful_sets(unchanged: &[u8; 64], side: OpSet) -> [OpSet; 8] {
    std::array::from_fn(|tight| {
        side.into_iter().filter(|&op| unchanged[op.index()] & tight as u8 == 0).collect()
    })
}

fn twist_gather<V: Lanes>(s: Symmetry) -> Gather<V> {
    let a = s.action();
    let (mut cubie, mut location, mut order) = ([0; 16], [0; 16], [7; 16]);
    for i in 0..8 {
        cubie[i] = (3 - a.corner_shift[i]) % 3;
        location[i] = a.corner_shift[i];
        if a.corner[i] < 7 {
            order[6 - a.corner[i] as usize] = i as u8;
        }
    }
    Gather::load(cubie, location, order)
}

fn edge_gather<V: Lanes>(s: Symmetry) -> Gather<V> {
    let a = s.action();
    let (mut cubie, mut location, mut order) = ([0; 16], [0; 16], [15; 16]);
    for i in 0..12 {
        cubie[i] = a.edge_shift[i] | ((SLICE >> a.edge[i] & 1) as u8) << 1;
        location[i] = a.edge_shift[i];
        order[a.edge[i] as usize] = i as u8;
    }
    Gather::load(cubie, location, order)
}

/// The locations of the children's values, and the values read so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    located: PerOp<EntryOrValue>,
    values: PerOp<Values>,
}

impl<V: Lanes> CosetBound<V> {
    /// Locates one view of the children, after turns at one end. View and end are known where this is inlined.
    #[inline(always)]
    fn locate_view<M: Moves>(
        &self,
        side: View,
        end: End,
        node: NodeRef<'_, CubeSpace<V, M>, Ordered>,
        batch: Batch,
        located: &mut PerOp<EntryOrValue>,
    ) {
        let view = node.carry.order[batch.stage];
        let axis = axis_and_side(view).0 as usize;
        let tag = u32::from(view) << VIEW_SHIFT;
        // A loop, not a closure: the call must be inlined to use the caller's instructions.
        for op in batch.ops {
            if side != end.view() && self.unchanged[op.index() & 63] >> axis & 1 == 1 {
                located[op] = KNOWN | tag | u32::from(node.carry.values.get(view));
                continue;
            }
            let Side { corners, edges } = node.state.side_after(node.domain.move_state(op), end, side);
            let entry = self.entry(corners, edges, axis, side);
            self.table.prefetch(u64::from(entry));
            located[op] = tag | entry;
        }
    }
}

impl<V: Lanes, M: Moves> Heuristic<CubeSpace<V, M>> for CosetBound<V> {
    type Carry = Ordered;
    type Scratch = Scratch;

    #[inline(always)]
    fn stages(&self) -> usize {
        self.views.len()
    }

    fn carry(&self, _: &CubeSpace<V, M>, state: &State<V>) -> Ordered {
        let mut values = Values::default();
        for &view in &self.views {
            values.set(view, self.view(state, view));
        }
        self.in_order(values)
    }

    #[inline(always)]
    fn carry_child(
        &self,
        _: NodeRef<'_, CubeSpace<V, M>, Ordered>,
        op: Op,
        _: &State<V>,
        scratch: &Scratch,
    ) -> Ordered {
        self.in_order(scratch.values[op])
    }

    #[inline(always)]
    fn locate(&self, node: NodeRef<'_, CubeSpace<V, M>, Ordered>, batch: Batch, scratch: &mut Scratch) {
        let Some(first) = batch.ops.into_iter().next() else { return };
        let located = &mut scratch.located;
        // A useful set contains operators of only one end, so the code below is chosen once.
        match (axis_and_side(node.carry.order[batch.stage]).1, node.domain.end_of(first)) {
            (View::Position, End::Front) => {
                self.locate_view(View::Position, End::Front, node, batch, located);
            }
            (View::Position, End::Back) => self.locate_view(View::Position, End::Back, node, batch, located),
            (View::Inverse, End::Front) => self.locate_view(View::Inverse, End::Front, node, batch, located),
            (View::Inverse, End::Back) => self.locate_view(View::Inverse, End::Back, node, batch, located),
        }
    }

    #[inline(always)]
    fn read(&self, batch: Batch, scratch: &mut Scratch) -> Sieved {
        let mut sieved = Sieved::default();
        for op in batch.ops {
            let located = scratch.located[op];
            let view = (located >> VIEW_SHIFT & 7) as u8;
            let entry = located & ((1 << VIEW_SHIFT) - 1);
            let value = if located & KNOWN == 0 { self.table.get(u64::from(entry)) } else { entry as u8 };
            let mut values = if batch.stage == 0 { Values::default() } else { scratch.values[op] };
            values.set(view, value);
            scratch.values[op] = values;
            sieved.take(op, value + u8::from(values.are_equal(axis_and_side(view).1)), batch.limit);
        }
        sieved
    }

    fn value(&self, space: &CubeSpace<V, M>, state: &State<V>) -> u8 {
        let values = self.carry(space, state).values;
        let greatest = |side| values.side(side).to_le_bytes().into_iter().max().unwrap_or(0);
        let bound = |side| greatest(side) + u8::from(values.are_equal(side));
        bound(View::Position).max(bound(View::Inverse))
    }

    #[inline(always)]
    fn useful(&self, node: NodeRef<'_, CubeSpace<V, M>, Ordered>, remaining: u32, allowed: OpSet) -> OpSet {
        let values = node.carry.values;
        let front = self.useful[0][values.tight(View::Inverse, remaining)].and(allowed);
        let back = self.useful[1][values.tight(View::Position, remaining)].and(allowed);
        // A one-sided search has no back operators.
        let choose_back = node.domain.is_two_sided()
            && (back.len() < front.len()
                || back.len() == front.len() && values.sum(View::Inverse) > values.sum(View::Position));
        if choose_back { back } else { front }
    }

    fn kernel(&self) -> Kernel {
        IN_TURN
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Metric;
    use crate::lanes::Portable;
    use crate::space::{CubeSpace, Sides};
    use search_core::memory::Memory;

    /// Every view's entry is that of the plain conjugate.
    fn check<V: Lanes>() {
        let coset = Coset::new(Metric::Htm);
        let space = CubeSpace::<V>::new(Metric::Htm, Sides::Two);
        let entries = CLASSES * SLICES * FLIPS;
        let empty = Memory::zeroed(entries / 2).unwrap();
        let table = Arc::new(Table::new(empty, entries as u64).unwrap());
        let bound = CosetBound::new(&space, &coset, table, 3, true);
        let mut cube = Cube::SOLVED;
        for step in 0..500u16 {
            cube = cube.apply(Turn::from_index(usize::from(step) * 5 % 18));
            let state = State::new(&cube);
            for view in 0..VIEWS as u8 {
                let viewed = if view < 3 { cube } else { cube.inverse() };
                let image = Symmetry::from_index(16 * usize::from(view % 3)).conjugate(&viewed);
                let (axis, side) = axis_and_side(view);
                let &Side { corners, edges } = state.side(side);
                let entry = bound.entry(corners, edges, axis as usize, side);
                assert_eq!(entry as usize, coset.index_of(&image), "view {view}");
            }
        }
    }

    #[test]
    fn entries_equal_the_plain_ones() {
        check::<Portable>();
        #[cfg(target_arch = "x86_64")]
        if crate::lanes::Avx2::is_available() {
            check::<crate::lanes::Avx2>();
        }
    }

    #[test]
    fn rotations_permute_the_views() {
        assert_eq!(order_from(&[0, 1, 2, 3, 4, 5], 4), [4, 5, 3, 1, 2, 0]);
        assert_eq!(order_from(&[0, 1, 2, 3, 4, 5], 0), [0, 1, 2, 3, 4, 5]);
        assert_eq!(order_from(&[0, 3], 2)[..2], [0, 3]);
    }

    #[test]
    fn turns_of_an_axis_preserve_its_cosets() {
        let coset = Coset::new(Metric::Htm);
        let unchanged = |turn: Turn| unchanged_axes(&coset, Cube::of_turn(turn));
        assert!(Turn::all().all(|turn| unchanged(turn) & 1 << axis_of(turn) > 0));
        assert_eq!(unchanged(Turn::new(Face::U, 1)), 0b001);
        assert_eq!(Turn::all().map(unchanged).filter(|&axes| axes == 0b111).count(), 6);
        let slice = Cube::SOLVED.apply_all([Turn::new(Face::R, 1), Turn::new(Face::L, 3)]);
        assert_eq!(unchanged_axes(&coset, &slice), 1 << axis_of(Turn::new(Face::R, 1)));
        assert_eq!(unchanged_axes(&coset, &slice.compose(&slice)), 0b111);
    }
}
