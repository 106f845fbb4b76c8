//! The distance to a half-turn coset ([`crate::pdb::square`]), of the position and its inverse.
//!
//! A solution brings the cube into the group of the coset, and the inverse solution the inverse cube. This gives two
//! lower bounds from one table. A value restricts the last move:
//!
//! - a half turn belongs to the group. So if a solution ends with one, the solution without it brings the position into
//!   the group; So if the position's value equals the number of moves left (the value is *tight*), the last move is a
//!   quarter turn. Likewise, if the inverse's value is tight, the next move is a quarter turn;
//! - a half turn fixed as the last move leaves the position in its coset, so its value need not be
//!   looked up again; and fixed as the next move it leaves the inverse in its coset;
//! - for the same reason, both quarter turns of a face, fixed at that end, lead to one coset, so one lookup serves
//!   both.
//!
//! So the view that an end's half turns do not change is looked up first: six entries, one per face, serve all moves of
//! that end. The children that survive are looked up individually in the other view. A face that the rules exclude
//! repeats the entry of one that they allow, so that no line is fetched for it. Entries are computed four at a time,
//! those of the faces after the classes of their corners were prefetched, because their table does not fit in the caches.
//!
//! The search takes whichever end leaves fewer moves. No solution is lost: each end's set contains the last (or the
//! next) move of every solution within the bound.
//!
//! The values of neighbours may differ by more than one: the flips that an entry keeps depend on the corners, and a
//! turn at one end may change the other view by any amount. So all values that have been read also bound their parent
//! ([`Sieved::with_greatest`]); this prunes a tenth of the nodes at no cost.
//!
//! An entry has two bits: 1 to 3 are values above the base, and 0 is the base or any smaller value. For these, a second
//! table, two hundred times smaller, has the least value of the entry's group, which is mostly the entry's own, since
//! values that small are rare. It is read only if at most `base` moves are left: otherwise the child is neither pruned
//! nor tight.
//!
//! Source of the ideas: T. Rokicki's nxopt (tight bounds, the inverse), S. Tronto's H48 (half-turn
//! cosets, two bits and the minimum of a line).

use super::compared::{Compared, ONES, lowest_bits};
use super::entries::{Entries, Reads};
use crate::cube::{Face, Turn};
use crate::heuristics::IN_TURN;
use crate::lanes::{Four, Halves, HalvesOf, Lanes, each, first};
use crate::pdb::Square;
use crate::pdb::square::{GROUP, marked};
use crate::space::{CubeSpace, End, State, View, edges_then};
use crate::tables::Table;
use search_core::heuristic::{Batch, Heuristic, Kernel, NodeRef, Sieved};
use search_core::{Domain, Op, OpSet, PerOp};
use std::sync::Arc;

/// The bound of a table of half-turn cosets.
#[derive(Clone, Debug)]
pub(crate) struct SquareBound<V: Lanes, E> {
    square: Square<V>,
    table: E,
    floor: Arc<Table>,
    base: u8,
    /// The turns of each end.
    ends: [EndTurns<V>; 2],
    /// For each operator, the position of its byte in [`Scratch::own`] in bits, and in bit 0 the other view.
    own: [u8; 64],
}

/// The operators of one end, and the view that its half turns do not change: of the inverse at the
/// front, of the position at the back.
#[derive(Clone, Debug)]
struct EndTurns<V: Lanes> {
    ops: OpSet,
    half_turns: OpSet,
    /// The least operator.
    least: u32,
    /// For each set of nine operators, from the least one and from the tenth on, the faces of its quarter turns.
    turned: [[u8; 512]; 2],
    /// For each set of faces (bit `i` for face `i`), their quarter turns.
    quarter_turns: [OpSet; 1 << Face::ALL.len()],
    /// One quarter turn of each face, as the view sees it: the corners, [`marked`].
    corners: [HalvesOf<V>; 2],
    /// The edges.
    edges: [V::Four; 2],
}

/// Scratch data of evaluating the children of a node. The own view is the one that half turns at the children's end do
/// not change.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    /// In the own view, the number of the corners after a quarter turn of each face.
    corners: [u32; 6],
    /// In the own view, the entry after a quarter turn of each face.
    entries: [u64; 6],
    /// The values of these entries, one byte each, and from [`HALF_TURN`] on the value after a half turn.
    own: u64,
    /// The children in the other view.
    others: [Children; Turn::COUNT.div_ceil(STEP)],
    /// The values in the other view.
    values: PerOp<u8>,
}

/// The number of children whose entries in the other view are computed together: those that fill the registers. On
/// WebAssembly a register has one row, or the halves of two, so larger steps would only compute more entries that are not
/// read.
const STEP: usize = if cfg!(target_family = "wasm") { 2 } else { 4 };

/// Children of one step.
#[derive(Clone, Debug, Default)]
struct Children {
    /// Their operators.
    ops: [u8; STEP],
    /// Their entries in the other view.
    entries: [u64; STEP],
}

/// The first bit in [`Scratch::own`] of the value after a half turn.
const HALF_TURN: u8 = 48;

/// The stage of the own view, which has fewer entries. The other view of the remaining children follows.
const FACES: usize = 0;
/// The number of stages.
const STAGES: usize = 2;

/// Lower bounds on the distance, by the position and by its inverse.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Values([u8; 2]);

/// The view that an end's half turns do not change.
#[inline(always)]
fn own_view(end: End) -> View {
    end.view().other()
}

impl<V: Lanes> EndTurns<V> {
    fn new(space: &CubeSpace<V>, end: End) -> EndTurns<V> {
        let ops = space.ops_at(end);
        let those = |is: &dyn Fn(Turn) -> bool| -> OpSet {
            ops.into_iter().filter(|op| is(space.turn_of(*op).0)).collect()
        };
        let quarter_turns =
            |faces: usize| those(&|turn| turn.quarters() != 2 && faces >> turn.face().index() & 1 == 1);
        let least = ops.into_iter().next().map_or(0, |op| op.index() as u32);
        let faces_of = |nine: usize, set: usize| -> u8 {
            let set = OpSet((set as u64) << (9 * nine) << least);
            (0..Face::ALL.len()).map(|i| u8::from(!quarter_turns(1 << i).and(set).is_empty()) << i).sum()
        };
        let face = |i: usize| Face::ALL[i % Face::ALL.len()];
        let side = |i: usize| space.turn_state(Turn::new(face(i), 1)).side(own_view(end));
        EndTurns {
            ops,
            half_turns: those(&|turn| turn.quarters() == 2),
            least,
            turned: [0, 1].map(|nine| std::array::from_fn(|set| faces_of(nine, set))),
            quarter_turns: std::array::from_fn(quarter_turns),
            corners: [0, 4].map(|i| marked(HalvesOf::<V>::of(each(|j| side(i + j).corners)))),
            edges: [0, 4].map(|i| V::Four::of(each(|j| side(i + j).edges))),
        }
    }

    /// The faces of the quarter turns in `ops` (bit `i` for face `i`).
    #[inline(always)]
    fn turned(&self, ops: OpSet) -> u32 {
        let ops = ops.0 >> self.least;
        u32::from(self.turned[0][ops as usize % 512] | self.turned[1][(ops >> 9) as usize % 512])
    }
}

// On WebAssembly the steps of the search are not inlined, because browsers' compilers would then run out of registers
// and keep most values in memory.
impl<V: Lanes, E: Entries> SquareBound<V, E> {
    /// The bound of `table`, whose entries are distances above `base`, and of `floor`, the minima of
    /// its groups.
    ///
    /// # Panics
    /// If the tables are not those of `square`.
    pub(crate) fn new(
        space: &CubeSpace<V>,
        square: Square<V>,
        table: E,
        floor: Arc<Table>,
        base: u8,
    ) -> SquareBound<V, E> {
        let entries = Square::<V>::entries(square.flips());
        assert_eq!(table.count(), entries, "the table is that of the cosets");
        assert_eq!(floor.len(), entries.div_ceil(1 << GROUP), "the minima are those of the table");
        let ends = End::ALL.map(|end| EndTurns::new(space, end));
        let own = std::array::from_fn(|op| {
            if op >= space.op_count() {
                return 0;
            }
            let (turn, end) = space.turn_of(Op::new(op));
            let at = if turn.quarters() == 2 { HALF_TURN } else { 8 * turn.face() as u8 };
            at | own_view(end).other() as u8
        });
        SquareBound { square, table, floor, base, ends, own }
    }

    /// The value of an entry.
    #[inline(always)]
    fn at(&self, entry: u64) -> u8 {
        self.value_of(self.table.borrowed().get(entry), entry, 0)
    }

    /// The value of an entry whose two bits are `crumb`. If they mean the base or less and `limit` is greater, 0
    /// represents any of these values: the child is not pruned, and it has more moves left than its value in any case.
    #[inline(always)]
    fn value_of(&self, crumb: u8, entry: u64, limit: u32) -> u8 {
        match crumb {
            0 if limit > self.base.into() => 0,
            0 => self.floor_at(entry),
            above => self.base + above,
        }
    }

    /// The values of up to eight entries, one per byte, as [`value_of`](Self::value_of) defines them.
    #[inline(always)]
    fn values_of<const N: usize>(&self, entries: &[u64; N], limit: u32) -> u64 {
        let table = self.table.borrowed();
        let mut crumbs = 0;
        for i in 0..N {
            crumbs |= u64::from(table.get(entries[i])) << (8 * i);
        }
        // One in each byte that is not 0.
        let above = (crumbs | crumbs >> 1) & ONES;
        let values = crumbs + above * u64::from(self.base);
        let all = ONES >> (64 - 8 * N);
        if limit <= self.base.into() && above != all { self.with_floors(values, entries) } else { values }
    }

    /// The values of entries, where those that are 0 are replaced by the minima of their groups.
    #[cold]
    #[inline(never)]
    fn with_floors(&self, mut values: u64, entries: &[u64]) -> u64 {
        for (i, &entry) in entries.iter().enumerate() {
            if values >> (8 * i) & 255 == 0 {
                values |= u64::from(self.floor_at(entry)) << (8 * i);
            }
        }
        values
    }

    /// The least value of the entry's group.
    #[cold]
    #[inline(never)]
    fn floor_at(&self, entry: u64) -> u8 {
        self.floor.get(entry >> GROUP)
    }

    fn view(&self, state: &State<V>, view: View) -> u8 {
        self.at(self.square.entry(state.side(view), view))
    }

    /// The end at which operators of one end act.
    #[inline(always)]
    fn end_of(&self, ops: OpSet) -> End {
        if self.ends[End::Back as usize].ops.and(ops).is_empty() { End::Front } else { End::Back }
    }

    /// Prepares [`locate_faces`](Self::locate_faces): the corners in the own view after a quarter turn of each face.
    #[cfg_attr(target_family = "wasm", inline(never))]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn locate_corners(&self, parent: &State<V>, end: End, scratch: &mut Scratch) {
        let view = own_view(end);
        let [low, high] = self.ends[end as usize].corners;
        let next = HalvesOf::<V>::splat(parent.side(view).corners);
        let [a, b, c, d] = self.square.corners(low, next, view);
        let [e, f] = self.square.corners(high, next, view);
        scratch.corners = [a, b, c, d, e, f];
        // On WebAssembly, where each prefetch costs instructions, the classes are read directly, since their table fits
        // in the L2 cache.
        if !cfg!(target_family = "wasm") {
            for corners in scratch.corners {
                self.square.prefetch(corners);
            }
        }
    }

    /// Locates the entries of the own view, after [`locate_corners`](Self::locate_corners).
    #[cfg_attr(target_family = "wasm", inline(never))]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn locate_faces(
        &self,
        node: NodeRef<'_, CubeSpace<V>, Values>,
        end: End,
        ops: OpSet,
        scratch: &mut Scratch,
    ) {
        let table = self.table.borrowed();
        let view = own_view(end);
        let turns = &self.ends[end as usize];
        let [low, high] = turns.edges;
        let side = V::Four::splat(node.state.side(view).edges);
        let [a, b, c, d, e, f] = scratch.corners;
        let [a, b, c, d] = self.square.entries_at([a, b, c, d], edges_then(low, side));
        let [e, f] = self.square.entries_at([e, f], edges_then(high, side));
        let entries = [a, b, c, d, e, f];
        // A face that is not turned repeats the entry of one that is; if there is none, any will do.
        let turned = turns.turned(ops);
        let one = entries[turned.trailing_zeros() as usize % 8 % Face::ALL.len()];
        for face in 0..Face::ALL.len() {
            let entry = if turned >> face & 1 == 1 { entries[face] } else { one };
            table.prefetch(entry);
            scratch.entries[face] = entry;
        }
        scratch.own = u64::from(node.carry.0[view as usize]) << HALF_TURN;
    }

    /// Locates the other view for each of `ops`.
    #[cfg_attr(target_family = "wasm", inline(never))]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn locate_each(
        &self,
        node: NodeRef<'_, CubeSpace<V>, Values>,
        end: End,
        mut ops: OpSet,
        scratch: &mut Scratch,
    ) {
        let table = self.table.borrowed();
        let view = own_view(end).other();
        let side = node.state.side(view);
        let (corners, edges) = (marked(HalvesOf::<V>::splat(side.corners)), V::Four::splat(side.edges));
        for Children { ops: popped, entries } in &mut scratch.others {
            let Some(step) = pop_step(&mut ops) else { break };
            *popped = step;
            let turns = each(
                #[inline(always)]
                |i| node.domain.move_state(Op::new(usize::from(step[i % STEP]))).side(view),
            );
            let next = HalvesOf::<V>::of(each(
                #[inline(always)]
                |i| turns[i].corners,
            ));
            let turns = V::Four::of(each(
                #[inline(always)]
                |i| turns[i].edges,
            ));
            *entries =
                self.square.entries_at(self.square.corners(corners, next, view), edges_then(edges, turns));
            for entry in entries {
                table.prefetch(*entry);
            }
        }
    }

    /// Reads the entries that [`locate_faces`](Self::locate_faces) located.
    #[cfg_attr(target_family = "wasm", inline(never))]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn read_faces(&self, Batch { ops, limit, .. }: Batch, end: End, scratch: &mut Scratch) -> Sieved {
        let turns = &self.ends[end as usize];
        let mut compared = Compared::default();
        let values = self.values_of(&scratch.entries, limit);
        let beyond = compared.note(values, limit);
        scratch.own |= values;
        // Half turns are useful only if their value is within the limit.
        let kept = turns.quarter_turns[!lowest_bits(beyond) as usize % 64].0 | turns.half_turns.0;
        compared.sieved(OpSet(kept).and(ops), limit, || scratch.own << 16 >> 16)
    }

    /// Reads the entries that [`locate_each`](Self::locate_each) located.
    #[cfg_attr(target_family = "wasm", inline(never))]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn read_each(&self, Batch { ops, limit, .. }: Batch, scratch: &mut Scratch) -> Sieved {
        let (mut compared, mut kept) = (Compared::default(), 0);
        let steps = ops.len().div_ceil(STEP).min(scratch.others.len());
        for Children { ops, entries } in &scratch.others[..steps] {
            let values = self.values_of(entries, limit);
            let within = !compared.note(values, limit);
            for i in 0..STEP {
                let op = ops[i] & 63;
                scratch.values[Op::new(usize::from(op))] = (values >> (8 * i)) as u8;
                kept |= (within >> (8 * i) & 1) << op;
            }
        }
        compared.sieved(OpSet(kept), limit, || {
            ops.into_iter().map(|op| u64::from(scratch.values[op])).max().unwrap_or(0)
        })
    }
}

/// Removes the least operators, as many as a step has; if there are fewer, the last one is repeated.
#[inline(always)]
fn pop_step(ops: &mut OpSet) -> Option<[u8; STEP]> {
    if ops.is_empty() {
        return None;
    }
    // Branchless, since their number is hard to predict.
    let mut rest = ops.0;
    Some(first(
        #[inline(always)]
        |_| {
            let op = rest.trailing_zeros() as u8;
            let others = rest & (rest - 1);
            ops.0 = others;
            rest = if others == 0 { rest } else { others };
            op
        },
    ))
}

impl<V: Lanes, E: Entries> Heuristic<CubeSpace<V>> for SquareBound<V, E> {
    type Carry = Values;
    type Scratch = Scratch;

    #[inline(always)]
    fn stages(&self) -> usize {
        STAGES
    }

    fn carry(&self, _: &CubeSpace<V>, state: &State<V>) -> Values {
        Values(View::ALL.map(|view| self.view(state, view)))
    }

    #[inline(always)]
    fn carry_child(
        &self,
        _: NodeRef<'_, CubeSpace<V>, Values>,
        op: Op,
        _: &State<V>,
        scratch: &Scratch,
    ) -> Values {
        let own = self.own[op.index() & 63];
        let (value, other) = ((scratch.own >> (own & 56)) as u8, scratch.values[op]);
        Values(if own & 1 == 0 { [other, value] } else { [value, other] })
    }

    #[inline(always)]
    fn prepare(&self, node: NodeRef<'_, CubeSpace<V>, Values>, batch: Batch, scratch: &mut Scratch) {
        if batch.stage == FACES {
            self.locate_corners(node.state, self.end_of(batch.ops), scratch);
        }
    }

    #[inline(always)]
    fn locate(&self, node: NodeRef<'_, CubeSpace<V>, Values>, batch: Batch, scratch: &mut Scratch) {
        let end = self.end_of(batch.ops);
        if batch.stage == FACES {
            self.locate_faces(node, end, batch.ops, scratch);
        } else {
            self.locate_each(node, end, batch.ops, scratch);
        }
    }

    #[inline(always)]
    fn read(&self, batch: Batch, scratch: &mut Scratch) -> Sieved {
        if batch.stage == FACES {
            self.read_faces(batch, self.end_of(batch.ops), scratch)
        } else {
            self.read_each(batch, scratch)
        }
    }

    fn value(&self, _: &CubeSpace<V>, state: &State<V>) -> u8 {
        self.view(state, View::Position).max(self.view(state, View::Inverse))
    }

    #[inline(always)]
    fn useful(&self, node: NodeRef<'_, CubeSpace<V>, Values>, remaining: u32, allowed: OpSet) -> OpSet {
        let values = node.carry.0;
        let set = |end: End| {
            let turns = &self.ends[end as usize];
            // Without branches, here and below, since their outcomes are hard to predict.
            let tight = u32::from(values[own_view(end) as usize]) >= remaining;
            let excluded = OpSet(turns.half_turns.0 & u64::from(tight).wrapping_neg());
            allowed.and(turns.ops).minus(excluded)
        };
        let (front, back) = (set(End::Front), set(End::Back));
        // A one-sided search has no back operators. If both ends have equally many moves, takes that of the greater
        // value, where half turns and pairs of quarter turns cost least.
        let is_back = node.domain.is_two_sided()
            & (2 * back.len() < 2 * front.len() + usize::from(values[0] >= values[1]));
        OpSet(front.0 ^ (front.0 ^ back.0) & u64::from(is_back).wrapping_neg())
    }

    fn kernel(&self) -> Kernel {
        IN_TURN
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn taking_a_step_at_a_time_yields_every_member() {
        let mut set = OpSet(0b1011_0100_1001);
        assert_eq!(pop_step(&mut set), Some([0, 3, 6, 8]));
        assert_eq!(pop_step(&mut set), Some([9, 11, 11, 11]));
        assert_eq!(pop_step(&mut set), None);
    }
}
