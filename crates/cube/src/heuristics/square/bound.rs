//! The distance to a half-turn coset ([`crate::pdb::square`]), of the position and its inverse.
//!
//! A solution brings the cube into the group of the coset, and the inverse solution the inverse
//! cube. That makes two lower bounds out of one table. What a value says about the last move:
//!
//! - a half turn belongs to the group. So if a solution ends with one, the solution without it
//!   brings the position into the group; and when the position's value equals the moves that are
//!   left (the value is *tight*), the last move is a quarter turn. A tight value of the inverse
//!   says the same of the next move;
//! - a half turn fixed as the last move leaves the position in its coset, so its value need not be
//!   looked up again; and fixed as the next move it leaves the inverse in its coset;
//! - for the same reason both quarter turns of a face, fixed there, lead to one coset: one lookup
//!   serves both.
//!
//! So the view that an end's half turns do not change is looked up first: six places, one for each
//! face, serve all moves of that end. What survives is looked up in the other view, each by itself.
//! A face that the rules exclude takes the place of one that they do not: no line is fetched for it.
//! Places are computed four at a time, those of the faces in two visits: the corners' class lies in a
//! table that the caches hold in part only.
//!
//! The search takes whichever end leaves fewer moves. No solution is lost: each end's set holds the
//! last (or the next) move of every solution that is short enough.
//!
//! Neighbours may differ by more than one: which flips an entry keeps depends on the corners, and a
//! turn at one end changes the other view by any amount. So all values that have been read bound
//! their parent too ([`Sieved::with_greatest`]); that cuts a tenth of the nodes and costs nothing.
//!
//! An entry has two bits: 1 to 3 stand for values above the base, and 0 for the base and all values
//! below it. For these, a second table, two hundred times smaller, has the least value of the
//! entry's group, which is mostly the entry's own, since values that small are rare. It is read only
//! where as few moves are left: otherwise the child is not cut, and it will not be tight.
//!
//! Source of the ideas: T. Rokicki's nxopt (tight bounds, the inverse), S. Tronto's H48 (half-turn
//! cosets, two bits and the minimum of a line).

use super::entries::{Entries, Reads};
use crate::cube::{Face, Turn};
use crate::heuristics::IN_TURN;
use crate::lanes::{Four, Lanes, each};
use crate::pdb::Square;
use crate::pdb::square::GROUP;
use crate::space::{CubeSpace, End, Side, State, View, corners_then, edges_then};
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
    /// For each end.
    ends: [EndTurns<V>; 2],
    /// The index of each operator's value in [`Scratch::own`].
    own: [u8; 64],
}

/// The operators of one end, and the view that its half turns do not change: of the inverse at the
/// front, of the position at the back.
#[derive(Clone, Debug)]
struct EndTurns<V: Lanes> {
    ops: OpSet,
    half_turns: OpSet,
    /// The quarter turns of each set of faces, bit `i` for face `i`.
    quarter_turns: [OpSet; 1 << Face::ALL.len()],
    /// One quarter turn of each face, as the view sees it.
    faces: [Side<V::Four>; 2],
}

/// A set of faces, by their numbers. A face that is not turned takes the place of one that is, so
/// that no line is fetched for it.
#[derive(Clone, Copy, Debug)]
struct Faces {
    bits: u32,
    /// One of them.
    one: usize,
}

impl Faces {
    /// The face of this number, or another if it is not among them.
    #[inline(always)]
    fn or_another(self, face: usize) -> usize {
        if self.bits >> face & 1 == 1 { face } else { self.one }
    }
}

/// What evaluating the children of a node leaves. Its own view is the one that half turns at the
/// end of the children do not change.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    /// In the own view, after a quarter turn of each face: the number of the corners.
    corners: [u32; 6],
    /// And the entry.
    entries: [u64; 6],
    /// The values of these, and at [`HALF_TURN`] that after a half turn. Few operators survive, so
    /// each takes its own from here only when its other view is read.
    own: [u8; 8],
    /// The entries in the other view, in the order of the operators.
    others: [[u64; 4]; 16],
    /// The values in both views.
    values: PerOp<Values>,
}

/// The index in [`Scratch::own`] of the value after a half turn.
const HALF_TURN: u8 = 6;

/// The stages. First the own view, which has fewer entries: its corners' class, which is in a table of
/// its own, then its entry. Then the other view of the children that remain.
const STAGES: &[Stage] = if CLASSES_APART {
    &[Stage::FaceCorners, Stage::Faces, Stage::Each]
} else {
    &[Stage::Faces, Stage::Each]
};

/// Whether the corners' classes have a stage of their own. Not on WebAssembly, where each fetch costs instructions:
/// there they are read without one, since their table fits into the L2 cache.
const CLASSES_APART: bool = !cfg!(target_arch = "wasm32");

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    FaceCorners,
    Faces,
    Each,
}

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
        let face = |i: usize| Face::ALL[i % Face::ALL.len()];
        let side = |i: usize| space.turn_state(Turn::new(face(i), 1)).side(own_view(end));
        EndTurns {
            ops,
            half_turns: those(&|turn| turn.quarters() == 2),
            quarter_turns: std::array::from_fn(quarter_turns),
            faces: [0, 4].map(|i| Side::four([side(i), side(i + 1), side(i + 2), side(i + 3)])),
        }
    }

    /// The faces that `ops` turn by a quarter.
    #[inline(always)]
    fn turned(&self, ops: OpSet) -> Faces {
        let mut bits = 0;
        for face in 0..Face::ALL.len() {
            bits |= u32::from(!self.quarter_turns[1 << face].and(ops).is_empty()) << face;
        }
        // Of no face at all, any will do.
        Faces { bits, one: bits.trailing_zeros() as usize % 8 % Face::ALL.len() }
    }
}

// On WebAssembly the steps of the search are not inlined: when they are, browsers' compilers run out of registers and
// keep most values in memory.
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
            let turn = (op < space.op_count()).then(|| space.turn_of(Op::new(op)).0);
            turn.filter(|turn| turn.quarters() != 2).map_or(HALF_TURN, |turn| turn.face() as u8)
        });
        SquareBound { square, table, floor, base, ends, own }
    }

    /// The value of an entry.
    #[inline(always)]
    fn at(&self, entry: u64) -> u8 {
        self.value_of(self.table.borrowed().get(entry), entry, 0)
    }

    /// The value of an entry that holds `crumb`. Where that means the base or less and `limit` is
    /// greater, 0 stands for any of these: the child is not cut, and it will have more moves left than
    /// its value, whatever that is.
    #[inline(always)]
    fn value_of(&self, crumb: u8, entry: u64, limit: u32) -> u8 {
        match crumb {
            0 if limit > self.base.into() => 0,
            0 => self.floor_at(entry),
            above => self.base + above,
        }
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

    /// The corners in the own view after a quarter turn of each face.
    #[cfg_attr(target_arch = "wasm32", inline(never))]
    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    fn locate_corners(&self, parent: &State<V>, end: End, scratch: &mut Scratch) {
        let view = own_view(end);
        let [low, high] = &self.ends[end as usize].faces;
        let side = V::Four::splat(parent.side(view).corners);
        let [a, b, c, d] = self.square.corners(corners_then(low.corners, side), view);
        let [e, f] = self.square.corners(corners_then(high.corners, side), view);
        scratch.corners = [a, b, c, d, e, f];
        if CLASSES_APART {
            for corners in scratch.corners {
                self.square.prefetch(corners);
            }
        }
    }

    /// Locates the own view where [`locate_corners`](Self::locate_corners) left the corners.
    #[cfg_attr(target_arch = "wasm32", inline(never))]
    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
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
        let [low, high] = &turns.faces;
        let side = V::Four::splat(node.state.side(view).edges);
        let [a, b, c, d, e, f] = scratch.corners;
        let [a, b, c, d] = self.square.entries_at([a, b, c, d], edges_then(low.edges, side));
        let [e, f] = self.square.entries_at([e, f], edges_then(high.edges, side));
        let entries = [a, b, c, d, e, f];
        let turned = turns.turned(ops);
        for face in 0..Face::ALL.len() {
            let entry = entries[turned.or_another(face)];
            table.prefetch(entry);
            scratch.entries[face] = entry;
        }
        scratch.own[usize::from(HALF_TURN)] = node.carry.0[view as usize];
    }

    /// Locates the other view for each of `ops`.
    #[cfg_attr(target_arch = "wasm32", inline(never))]
    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    fn locate_each(
        &self,
        node: NodeRef<'_, CubeSpace<V>, Values>,
        end: End,
        mut ops: OpSet,
        scratch: &mut Scratch,
    ) {
        let table = self.table.borrowed();
        let view = own_view(end).other();
        let side = node.state.side(view).splat();
        for others in &mut scratch.others {
            let Some(four) = pop_four(&mut ops) else { break };
            let turns = each(
                #[inline(always)]
                |i| node.domain.move_state(four[i]).side(view),
            );
            *others = self.square.entries_of(&side.then(&Side::four(turns)), view);
            for entry in others {
                table.prefetch(*entry);
            }
        }
    }

    /// Reads what [`locate_faces`](Self::locate_faces) located.
    #[cfg_attr(target_arch = "wasm32", inline(never))]
    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    fn read_faces(&self, Batch { ops, limit, .. }: Batch, end: End, scratch: &mut Scratch) -> Sieved {
        let table = self.table.borrowed();
        let turns = &self.ends[end as usize];
        let (mut read, mut within) = (Read::default(), 0);
        for (face, entry) in scratch.entries.into_iter().enumerate() {
            let value = self.value_of(table.get(entry), entry, limit);
            scratch.own[face] = value;
            read.note(value);
            within |= usize::from(u32::from(value) <= limit) << face;
        }
        // Half turns are useful only where their value is within the limit.
        let kept = turns.quarter_turns[within].0 | turns.half_turns.0;
        read.sieved(OpSet(kept).and(ops), limit)
    }

    /// Reads what [`locate_each`](Self::locate_each) located, and puts each value together with the
    /// own view's, which [`read_faces`](Self::read_faces) left.
    #[cfg_attr(target_arch = "wasm32", inline(never))]
    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    fn read_each(&self, batch: Batch, end: End, scratch: &mut Scratch) -> Sieved {
        let Batch { mut ops, limit, .. } = batch;
        let table = self.table.borrowed();
        let view = own_view(end).other() as usize;
        let (mut read, mut kept) = (Read::default(), OpSet::EMPTY);
        for others in &scratch.others {
            let Some(four) = pop_four(&mut ops) else { break };
            for (op, &entry) in four.into_iter().zip(others) {
                let value = self.value_of(table.get(entry), entry, limit);
                let mut both = Values([scratch.own[usize::from(self.own[op.index() & 63] & 7)]; 2]);
                both.0[view] = value;
                scratch.values[op] = both;
                read.note(value);
                kept.0 |= u64::from(u32::from(value) <= limit) << op.index();
            }
        }
        read.sieved(kept, limit)
    }
}

/// Removes the least four members; where there are fewer, the last one fills the remaining places.
#[inline(always)]
fn pop_four(ops: &mut OpSet) -> Option<[Op; 4]> {
    if ops.is_empty() {
        return None;
    }
    // Without a branch: how many there are is hard to predict.
    let mut rest = ops.0;
    let mut pop = || {
        let op = Op::new(rest.trailing_zeros() as usize);
        let others = rest & (rest - 1);
        ops.0 = others;
        rest = if others == 0 { rest } else { others };
        op
    };
    Some([pop(), pop(), pop(), pop()])
}

/// The values that have been read: bit `v` stands for value `v`.
#[derive(Clone, Copy, Debug, Default)]
struct Read(u64);

impl Read {
    #[inline(always)]
    fn note(&mut self, value: u8) {
        self.0 |= 1 << value;
    }

    /// The children that remain: `kept`, unless some value is so great that all are cut.
    #[inline(always)]
    fn sieved(self, kept: OpSet, limit: u32) -> Sieved {
        let beyond = self.0 >> limit.min(62) >> 1;
        let least_cut = if beyond == 0 { u32::MAX } else { limit + 1 + beyond.trailing_zeros() };
        let greatest = 63 - (self.0 | 1).leading_zeros();
        Sieved { kept, least_cut }.with_greatest(greatest as u8, limit)
    }
}

impl<V: Lanes, E: Entries> Heuristic<CubeSpace<V>> for SquareBound<V, E> {
    type Carry = Values;
    type Scratch = Scratch;

    #[inline(always)]
    fn stages(&self) -> usize {
        STAGES.len()
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
        scratch.values[op]
    }

    #[inline(always)]
    fn locate(&self, node: NodeRef<'_, CubeSpace<V>, Values>, batch: Batch, scratch: &mut Scratch) {
        if batch.ops.is_empty() {
            return;
        }
        let end = self.end_of(batch.ops);
        match STAGES[batch.stage] {
            Stage::FaceCorners => self.locate_corners(node.state, end, scratch),
            Stage::Faces => {
                if !CLASSES_APART {
                    self.locate_corners(node.state, end, scratch);
                }
                self.locate_faces(node, end, batch.ops, scratch);
            }
            Stage::Each => self.locate_each(node, end, batch.ops, scratch),
        }
    }

    #[inline(always)]
    fn read(&self, batch: Batch, scratch: &mut Scratch) -> Sieved {
        let end = self.end_of(batch.ops);
        match STAGES[batch.stage] {
            Stage::FaceCorners => Sieved { kept: batch.ops, ..Sieved::default() },
            Stage::Faces => self.read_faces(batch, end, scratch),
            Stage::Each => self.read_each(batch, end, scratch),
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
            let tight = u32::from(values[own_view(end) as usize]) >= remaining;
            let excluded = if tight { turns.half_turns } else { OpSet::EMPTY };
            allowed.and(turns.ops).minus(excluded)
        };
        let (front, back) = (set(End::Front), set(End::Back));
        // A one-sided search has no back operators at all. Of equal ends that of the greater value,
        // whose half turns and pairs of quarter turns cost least.
        let choose_back = node.domain.is_two_sided()
            && (back.len() < front.len() || back.len() == front.len() && values[0] >= values[1]);
        if choose_back { back } else { front }
    }

    fn kernel(&self) -> Kernel {
        IN_TURN
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_at_a_time_are_all_and_no_others() {
        let mut set = OpSet(0b1011_0100_1001);
        assert_eq!(pop_four(&mut set), Some([0, 3, 6, 8].map(Op::new)));
        assert_eq!(pop_four(&mut set), Some([9, 11, 11, 11].map(Op::new)));
        assert_eq!(pop_four(&mut set), None);
    }
}
