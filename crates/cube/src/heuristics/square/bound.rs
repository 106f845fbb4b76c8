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
//! those of the faces in two visits, because the table of the corners' classes does not fit in the caches.
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
    /// The turns of each end.
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
    /// For each set of faces (bit `i` for face `i`), their quarter turns.
    quarter_turns: [OpSet; 1 << Face::ALL.len()],
    /// One quarter turn of each face, as the view sees it.
    faces: [Side<V::Four>; 2],
}

/// A set of faces, by their numbers. For a face outside the set, a member is used instead, so that no line is fetched
/// for it.
#[derive(Clone, Copy, Debug)]
struct Faces {
    bits: u32,
    /// One of them.
    one: usize,
}

impl Faces {
    /// The face of this number if it is in the set, otherwise a member.
    #[inline(always)]
    fn or_another(self, face: usize) -> usize {
        if self.bits >> face & 1 == 1 { face } else { self.one }
    }
}

/// Scratch data of evaluating the children of a node. The own view is the one that half turns at the children's end do
/// not change.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    /// In the own view, the number of the corners after a quarter turn of each face.
    corners: [u32; 6],
    /// In the own view, the entry after a quarter turn of each face.
    entries: [u64; 6],
    /// The values of these entries, and at [`HALF_TURN`] the value after a half turn. Few operators survive, so each
    /// reads its value here only together with its other view.
    own: [u8; 8],
    /// The entries in the other view, in the order of the operators.
    others: [[u64; 4]; 16],
    /// The values in both views.
    values: PerOp<Values>,
}

/// The index in [`Scratch::own`] of the value after a half turn.
const HALF_TURN: u8 = 6;

/// The stages. First the own view, which has fewer entries: the class of its corners, which is in a separate table,
/// then its entry. Then the other view of the remaining children.
const STAGES: &[Stage] = if CLASSES_APART {
    &[Stage::FaceCorners, Stage::Faces, Stage::Each]
} else {
    &[Stage::Faces, Stage::Each]
};

/// Whether the corners' classes have a stage of their own. On WebAssembly, where each prefetch costs instructions, they
/// are read directly, since their table fits in the L2 cache.
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

    /// The faces of the quarter turns in `ops`.
    #[inline(always)]
    fn turned(&self, ops: OpSet) -> Faces {
        let mut bits = 0;
        for face in 0..Face::ALL.len() {
            bits |= u32::from(!self.quarter_turns[1 << face].and(ops).is_empty()) << face;
        }
        // If the set is empty, any face will do.
        Faces { bits, one: bits.trailing_zeros() as usize % 8 % Face::ALL.len() }
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

    /// Locates the entries of the own view, after [`locate_corners`](Self::locate_corners).
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

    /// Reads the entries that [`locate_faces`](Self::locate_faces) located.
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
        // Half turns are useful only if their value is within the limit.
        let kept = turns.quarter_turns[within].0 | turns.half_turns.0;
        read.sieved(OpSet(kept).and(ops), limit)
    }

    /// Reads the entries that [`locate_each`](Self::locate_each) located, and combines each value with that of the own
    /// view from [`read_faces`](Self::read_faces).
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

/// Removes the least four members; if there are fewer, the last one is repeated.
#[inline(always)]
fn pop_four(ops: &mut OpSet) -> Option<[Op; 4]> {
    if ops.is_empty() {
        return None;
    }
    // Branchless, since their number is hard to predict.
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

/// The set of values that have been read: bit `v` for value `v`.
#[derive(Clone, Copy, Debug, Default)]
struct Read(u64);

impl Read {
    #[inline(always)]
    fn note(&mut self, value: u8) {
        self.0 |= 1 << value;
    }

    /// The remaining children: `kept`, unless some value is so great that all are pruned.
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
        // A one-sided search has no back operators. If both ends have equally many moves, takes that of the greater
        // value, where half turns and pairs of quarter turns cost least.
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
    fn taking_four_at_a_time_yields_every_member() {
        let mut set = OpSet(0b1011_0100_1001);
        assert_eq!(pop_four(&mut set), Some([0, 3, 6, 8].map(Op::new)));
        assert_eq!(pop_four(&mut set), Some([9, 11, 11, 11].map(Op::new)));
        assert_eq!(pop_four(&mut set), None);
    }
}
