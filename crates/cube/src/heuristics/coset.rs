//! The distance to ⟨U, D, R2, L2, F2, B2⟩, along up to three axes, of the position and its inverse.
//!
//! A solution brings the cube into the subgroup, and into its images along the other two axes; so
//! does the inverse solution with the inverse cube. That makes up to six lower bounds out of one
//! table. Each is a *view*: axis `k` of the position (`k`) or of the inverse (`3 + k`).
//!
//! What a view's value says about the next move. A turn of the subgroup does not leave the coset:
//! along the axis U–D neither turns of U and D nor half turns change the position's value. So
//!
//! - when a value equals the moves that are left (the view is *tight*), the next move is a quarter
//!   turn of one of the other four faces; and for a view of the inverse, the last move is;
//! - when the three values of one side are equal and not zero, the distance is at least one more:
//!   the first move cannot bring all three down;
//! - a child's value that the move cannot have changed need not be looked up.
//!
//! The search takes whichever side leaves fewer moves. No solution is lost: each side's set holds
//! the first (or the last) move of every solution that is short enough.
//!
//! A view's entry: the twist along its axis comes from one shuffle and a dot product with powers
//! of three; it selects one of 16 symmetries, under which flips and slice are gathered by one more
//! shuffle and two bit masks. The small tables take 16 KB.
//!
//! Source: M. Reid 1995; H. Kociemba's two-phase coordinates; the use of tight bounds and of the
//! inverse as in T. Rokicki's nxopt and S. Tronto's H48.

use super::Table;
use crate::cube::Turn;
use crate::lanes::Lanes;
use crate::patterns::Coset;
use crate::patterns::coset::{FLIPS, SLICE, SLICES, SYMMETRIES, TWISTS};
use crate::space::{CubeSpace, State};
use crate::symmetry::Symmetry;
use search_core::pdb::rank::combination;
use search_core::{Heuristic, Op, OpSet};
use std::sync::Arc;

/// Views: three axes of the position, three of the inverse.
const VIEWS: usize = 6;

/// How the twist along one axis is read off the corners.
#[derive(Clone, Copy, Debug)]
struct TwistGather<V> {
    /// What a cubie adds to its twist.
    cubie: V,
    /// What a location adds.
    location: V,
    /// Brings locations into the order of the dot product.
    order: V,
}

/// How flips and slice are read off the edges, along one axis and under one of its symmetries.
#[derive(Clone, Copy, Debug)]
struct EdgeGather<V> {
    /// What a cubie adds to its flip (bit 0), and whether it is of the slice (bit 1).
    cubie: V,
    /// What a location adds.
    location: V,
    /// Brings locations into order.
    order: V,
}

/// The bound of a table of cosets.
#[derive(Clone, Debug)]
pub struct CosetBound<V> {
    table: Arc<Table>,
    /// The views that are looked up, in the order of the stages.
    views: Vec<u8>,
    twists: [TwistGather<V>; 3],
    edges: Vec<EdgeGather<V>>,
    /// `class | symmetry << 8` of each twist.
    class_of: Box<[u16; TWISTS]>,
    /// Rank of each mask of four slice locations, times the flips.
    slice_base: Box<[u32; 4096]>,
    /// For each turn, the views of its own side that it cannot change (bit = axis).
    unchanged: [u8; Turn::COUNT],
    /// For each set of tight axes, the front operators that can still serve, and the back ones.
    useful: [[OpSet; 8]; 2],
    max_value: u8,
}

/// Where a view's value lies, or the value when it is known.
#[derive(Clone, Copy, Debug)]
pub enum Place {
    /// The table's entry.
    Entry(u32),
    /// The parent's value of the same view.
    Known(u8),
}

impl<V: Lanes> CosetBound<V> {
    /// The bound of `table`, filled from `coset`, along `axes` (1 to 3) axes, and of the inverse
    /// too where `inverse`. No value exceeds `deepest`.
    ///
    /// # Panics
    /// If `axes` is not 1, 2 or 3, or the table is not the coset's.
    pub fn new(
        space: &CubeSpace<V>,
        coset: &Coset,
        table: Arc<Table>,
        axes: u8,
        inverse: bool,
        deepest: u8,
    ) -> CosetBound<V> {
        assert!((1..=3).contains(&axes), "a cube has three axes");
        assert_eq!(table.len(), coset.classes() * SLICES * FLIPS, "the table is that of the cosets");
        let sides = if inverse { 2 } else { 1 };
        let views = (0..sides).flat_map(|side| (0..axes).map(move |axis| 3 * side + axis)).collect();
        let mut class_of = Box::new([0; TWISTS]);
        for (twist, entry) in class_of.iter_mut().enumerate() {
            let (class, symmetry) = coset.class_of(twist);
            *entry = u16::from(class) | u16::from(symmetry.0) << 8;
        }
        let mut slice_base = Box::new([0; 4096]);
        for mask in (0..4096u32).filter(|mask| mask.count_ones() == 4) {
            slice_base[mask as usize] = combination::rank(mask) * FLIPS as u32;
        }
        let to_axis = |axis: usize| Symmetry((SYMMETRIES * axis) as u8);
        CosetBound {
            table,
            views,
            twists: std::array::from_fn(|axis| twist_gather(to_axis(axis))),
            edges: (0..3)
                .flat_map(|axis| (0..SYMMETRIES).map(move |s| to_axis(axis).then(Symmetry(s as u8))))
                .map(edge_gather)
                .collect(),
            class_of,
            slice_base,
            unchanged: std::array::from_fn(|turn| unchanged_axes(Turn(turn as u8))),
            useful: [useful_sets(space, space.front()), useful_sets(space, space.back())],
            max_value: deepest + 1,
        }
    }

    /// The entry of one view of a state.
    #[inline(always)]
    fn entry(&self, state: &State<V>, view: u8) -> u32 {
        let (axis, inverse) = (view as usize % 3, view >= 3);
        let (corners, edges) =
            if inverse { (state.corner_of, state.edge_of) } else { (state.corner_at, state.edge_at) };
        let low = V::load([15; 16]);
        let gather = &self.twists[axis];
        let twists = corners.high_nibbles();
        let twists = if inverse { V::load([3; 16]).sub(twists) } else { twists };
        let sum = twists.add(gather.cubie.shuffle(corners.and(low))).add(gather.location);
        let digits = V::load([0, 1, 2, 0, 1, 2, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0]).shuffle(sum);
        let powers = V::load([1, 3, 9, 27, 81, 243, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        let in_order =
            digits.shuffle(gather.order).and(V::load([3, 3, 3, 3, 3, 3, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0]));
        let class = self.class_of[in_order.base_three(powers) as usize];
        let gather = &self.edges[axis * SYMMETRIES + (class >> 8) as usize];
        let kinds = gather.cubie.shuffle(edges.and(low)).xor(edges.high_nibbles()).xor(gather.location);
        let in_order = kinds.shuffle(gather.order);
        let flip = in_order.bits::<0>() & (FLIPS as u32 - 1);
        let slice = self.slice_base[(in_order.bits::<1>() & 0xfff) as usize];
        u32::from(class & 0xff) * (SLICES * FLIPS) as u32 + slice + flip
    }

    /// The value of one view of a state.
    pub fn view(&self, state: &State<V>, view: u8) -> u8 {
        self.table.get(self.entry(state, view) as usize)
    }

    /// The axes whose views on one side are tight.
    #[inline(always)]
    fn tight(values: &[u8; VIEWS], side: usize, remaining: u32) -> usize {
        let is_tight = |axis: usize| usize::from(u32::from(values[3 * side + axis]) >= remaining) << axis;
        is_tight(0) | is_tight(1) | is_tight(2)
    }
}

/// The bound that one side's values give.
#[inline(always)]
fn side_bound(values: &[u8; VIEWS], side: usize) -> u8 {
    let [a, b, c] = [values[3 * side], values[3 * side + 1], values[3 * side + 2]];
    a.max(b).max(c) + u8::from(a == b && b == c && a > 0)
}

/// Axis 0, 1, 2 is the one that no, one or two of the rotations U→R→F→U bring to U–D.
fn axis_of(turn: Turn) -> usize {
    let face = turn.face();
    (0..3)
        .find(|&axis| {
            let image = Symmetry((SYMMETRIES * axis) as u8).action().face[face as usize];
            matches!(image, crate::Face::U | crate::Face::D)
        })
        .expect("some rotation brings the face to U or D")
}

fn unchanged_axes(turn: Turn) -> u8 {
    if turn.quarters() == 2 { 0b111 } else { 1 << axis_of(turn) }
}

/// For each set of tight axes, the members of `side` that leave no tight value unchanged.
fn useful_sets<V: Lanes>(space: &CubeSpace<V>, side: OpSet) -> [OpSet; 8] {
    std::array::from_fn(|tight| {
        side.into_iter().filter(|&op| unchanged_axes(space.turn_of(op).0) & tight as u8 == 0).collect()
    })
}

fn twist_gather<V: Lanes>(s: Symmetry) -> TwistGather<V> {
    let a = s.action();
    let (mut cubie, mut location, mut order) = ([0; 16], [0; 16], [7; 16]);
    for i in 0..8 {
        cubie[i] = (3 - a.corner_shift[i]) % 3;
        location[i] = a.corner_shift[i];
        if a.corner[i] < 7 {
            order[6 - a.corner[i] as usize] = i as u8;
        }
    }
    TwistGather { cubie: V::load(cubie), location: V::load(location), order: V::load(order) }
}

fn edge_gather<V: Lanes>(s: Symmetry) -> EdgeGather<V> {
    let a = s.action();
    let (mut cubie, mut location, mut order) = ([0; 16], [0; 16], [15; 16]);
    for i in 0..12 {
        cubie[i] = a.edge_shift[i] | ((SLICE >> a.edge[i] & 1) as u8) << 1;
        location[i] = a.edge_shift[i];
        order[a.edge[i] as usize] = i as u8;
    }
    EdgeGather { cubie: V::load(cubie), location: V::load(location), order: V::load(order) }
}

impl<V: Lanes> Heuristic<CubeSpace<V>> for CosetBound<V> {
    /// The values of the views; 0 where a view is not looked up.
    type Carry = [u8; VIEWS];
    type Probe = Place;
    type Memo = [u8; VIEWS];

    #[inline(always)]
    fn stages(&self) -> usize {
        self.views.len()
    }

    fn carry(&self, _: &CubeSpace<V>, state: &State<V>) -> [u8; VIEWS] {
        let mut values = [0; VIEWS];
        for &view in &self.views {
            values[view as usize] = self.view(state, view);
        }
        values
    }

    #[inline(always)]
    fn carry_child(
        &self,
        _: &CubeSpace<V>,
        _: &State<V>,
        _: &[u8; VIEWS],
        _: Op,
        _: &State<V>,
        memo: &[u8; VIEWS],
    ) -> [u8; VIEWS] {
        *memo
    }

    #[inline(always)]
    fn locate(
        &self,
        space: &CubeSpace<V>,
        parent: &State<V>,
        carry: &[u8; VIEWS],
        op: Op,
        stage: usize,
    ) -> Place {
        let (turn, is_last) = space.turn_of(op);
        let view = self.views[stage];
        let (axis, inverse) = (view % 3, view >= 3);
        if inverse == is_last && self.unchanged[turn.0 as usize] >> axis & 1 == 1 {
            return Place::Known(carry[view as usize]);
        }
        let turned = space.turn_state(turn);
        let child = if is_last { turned.then(parent) } else { parent.then(turned) };
        let entry = self.entry(&child, view);
        self.table.prefetch(entry as usize);
        Place::Entry(entry)
    }

    #[inline(always)]
    fn read(&self, probe: Place, stage: usize, memo: &mut [u8; VIEWS]) -> u8 {
        let value = match probe {
            Place::Entry(entry) => self.table.get(entry as usize),
            Place::Known(value) => value,
        };
        let view = self.views[stage] as usize;
        memo[view] = value;
        if view % 3 == 2 { side_bound(memo, view / 3) } else { value }
    }

    fn value(&self, space: &CubeSpace<V>, state: &State<V>) -> u8 {
        let values = self.carry(space, state);
        side_bound(&values, 0).max(side_bound(&values, 1))
    }

    fn max_value(&self) -> u8 {
        self.max_value
    }

    #[inline(always)]
    fn useful(&self, _: &CubeSpace<V>, _: &State<V>, carry: &[u8; VIEWS], remaining: u32) -> OpSet {
        let front = self.useful[0][Self::tight(carry, 0, remaining)];
        let back = self.useful[1][Self::tight(carry, 1, remaining)];
        // A one-sided search has no back operators at all.
        let has_back = !self.useful[1][0].is_empty();
        if has_back && back.len() < front.len() { back } else { front }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lanes::Portable;
    use crate::space::Sides;
    use crate::{Cube, Metric};
    use search_core::memory::Memory;

    /// Every view's entry is that of the plain conjugate.
    fn check<V: Lanes>() {
        let coset = Coset::new(Metric::Htm);
        let space = CubeSpace::<V>::new(Metric::Htm, Sides::Two);
        let entries = coset.classes() * SLICES * FLIPS;
        let empty = Memory::zeroed(entries / 2).unwrap();
        let table = Arc::new(Table::new(empty, entries).unwrap());
        let bound = CosetBound::new(&space, &coset, table, 3, true, 12);
        let mut cube = Cube::SOLVED;
        for step in 0..500u16 {
            cube = cube.apply(Turn((step * 5 % 18) as u8));
            let state = State::new(&cube);
            for view in 0..VIEWS as u8 {
                let side = if view < 3 { cube } else { cube.inverse() };
                let image = Symmetry(16 * (view % 3)).conjugate(&side);
                assert_eq!(bound.entry(&state, view) as usize, coset.index_of(&image), "view {view}");
            }
        }
    }

    #[test]
    fn entries_equal_the_plain_ones() {
        check::<Portable>();
        #[cfg(target_arch = "x86_64")]
        if crate::lanes::Ssse3::is_available() {
            check::<crate::lanes::Ssse3>();
        }
    }

    #[test]
    fn turns_of_an_axis_leave_its_cosets() {
        assert_eq!(unchanged_axes(Turn::new(crate::Face::U, 1)), 0b001);
        assert_eq!(Turn::all().map(unchanged_axes).filter(|&axes| axes == 0b111).count(), 6);
    }
}
