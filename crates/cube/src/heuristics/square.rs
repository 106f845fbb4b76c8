//! The distance to a square coset ([`crate::patterns::square`]), of the position and its inverse.
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
//! turn at one end moves the other view by any amount. So all values that have been read tell about
//! their parent too ([`Sieved::with_greatest`]); that cuts a tenth of the nodes and costs nothing.
//!
//! An entry has two bits: three tell values above the base, and 0 stands for the base and all
//! below it. Then a second table, two hundred times smaller, has the least value of the entry's
//! group, which is mostly the entry's own, since values that small are rare. It is asked only where
//! the moves left are as few: else the child is not cut, and it will not be tight.
//!
//! Source of the ideas: T. Rokicki's nxopt (tight bounds, the inverse), S. Tronto's H48 (cosets that
//! half turns leave, two bits and the minimum of a line).

use super::{Crumbs, Table};
use crate::cube::{Face, Turn};
use crate::lanes::{Four, Lanes, each};
use crate::patterns::Square;
use crate::space::{CubeSpace, Side, State, corners_then, edges_then};
use search_core::heuristic::Sieved;
use search_core::{Domain, Heuristic, Op, OpSet, PerOp};
use std::sync::Arc;

/// How many entries share one value of the second table, as a power of two: those of a cache line.
pub const GROUP: u32 = 8;

/// The bound of a table of square cosets.
#[derive(Clone, Debug)]
pub struct SquareBound<V: Lanes> {
    square: Square<V>,
    table: Arc<Crumbs>,
    floor: Arc<Table>,
    base: u8,
    /// For the front and the back.
    ends: [End<V>; 2],
    /// Of each operator, where [`OWN`] values lie.
    own: [u8; 64],
}

/// The operators of one end, and the view that its half turns do not change: of the inverse at the
/// front, of the position at the back.
#[derive(Clone, Debug)]
struct End<V: Lanes> {
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

/// Where a value lies: the entry and the view, or the value itself, marked. While several children
/// are looked up together, plain entries, and before them the numbers of their corners.
pub type Place = u64;

const KNOWN: u64 = 1 << 63;
/// No value at all.
const NOTHING: u64 = u64::MAX;
const INVERSE: u64 = 1 << 62;

/// After the places of the faces: the value after a half turn.
const HALF_TURN: Op = Op(8);
/// After the memos of the operators: the values of the faces and that after a half turn. Few operators
/// survive, so each takes its own from here only when its other view is read.
const OWN: Op = Op(40);

/// The stages. Of the view at whose end the turns are first the corners' class, which lies in a table
/// of its own, then the entry: that view has fewest places to look at. Then the other view of what
/// is left.
const STAGES: [Stage; 3] = [Stage::FaceCorners, Stage::Faces, Stage::Each];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    FaceCorners,
    Faces,
    Each,
}

/// Lower bounds on the distance, by the position and by its inverse.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Values([u8; 2]);

/// The view that an end's half turns do not change.
#[inline(always)]
fn own_view(is_back: bool) -> bool {
    !is_back
}

impl<V: Lanes> End<V> {
    fn new(space: &CubeSpace<V>, is_back: bool) -> End<V> {
        let ops = if is_back { space.back() } else { space.front() };
        let those = |is: &dyn Fn(Turn) -> bool| -> OpSet {
            ops.into_iter().filter(|op| is(space.turn_of(*op).0)).collect()
        };
        let quarter_turns =
            |faces: usize| those(&|turn| turn.quarters() != 2 && faces >> turn.face() as usize & 1 == 1);
        let face = |i: usize| Face::ALL[i % Face::ALL.len()];
        let side = |i: usize| space.turn_state(Turn::new(face(i), 1)).side(own_view(is_back));
        End {
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

impl<V: Lanes> SquareBound<V> {
    /// The bound of `table`, whose entries are distances above `base`, and of `floor`, the minima of
    /// its groups.
    ///
    /// # Panics
    /// If the tables are not those of `square`.
    pub fn new(
        space: &CubeSpace<V>,
        square: Square<V>,
        table: Arc<Crumbs>,
        floor: Arc<Table>,
        base: u8,
    ) -> SquareBound<V> {
        let entries = Square::<V>::entries(square.flips());
        assert_eq!(table.len() as u64, entries, "the table is that of the cosets");
        assert_eq!(floor.len() as u64, entries.div_ceil(1 << GROUP), "the minima are those of the table");
        let ends = [End::new(space, false), End::new(space, true)];
        let own = std::array::from_fn(|op| {
            let turn = (op < space.op_count()).then(|| space.turn_of(Op(op as u8)).0);
            OWN.0 + turn.filter(|turn| turn.quarters() != 2).map_or(HALF_TURN.0, |turn| turn.face() as u8)
        });
        SquareBound { square, table, floor, base, ends, own }
    }

    /// The value of an entry.
    #[inline(always)]
    fn at(&self, entry: u64) -> u8 {
        self.value_of(self.table.get(entry as usize), entry, 0)
    }

    /// The value of an entry that says `crumb`. Where that may be the base or less and `limit` is
    /// more, it is 0, which is below all of them: the child is not cut, and it will have more moves
    /// left than its value, whatever that is.
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
        self.floor.get((entry >> GROUP) as usize)
    }

    fn view(&self, state: &State<V>, inverse: bool) -> u8 {
        self.at(self.square.entry(state.side(inverse), inverse))
    }

    /// Whether operators of one end act at the back.
    #[inline(always)]
    fn is_back(&self, ops: OpSet) -> bool {
        !self.ends[1].ops.and(ops).is_empty()
    }

    /// The corners of the view that half turns of the end do not change, for a quarter turn of each
    /// face, by the number of the face.
    #[inline(always)]
    fn corners_of_faces(&self, parent: &State<V>, is_back: bool, places: &mut PerOp<Place>) {
        let inverse = own_view(is_back);
        let end = &self.ends[usize::from(is_back)];
        let side = V::Four::splat(parent.side(inverse).corners);
        let [low, high] = &end.faces;
        let [a, b, c, d] = self.square.corners(corners_then(low.corners, side), inverse);
        let [e, f] = self.square.corners(corners_then(high.corners, side), inverse);
        for (face, corners) in [a, b, c, d, e, f].into_iter().enumerate() {
            self.square.prefetch(corners);
            places[Op(face as u8)] = corners.into();
        }
    }

    /// Locates the view that half turns of the end do not change where
    /// [`corners_of_faces`](Self::corners_of_faces) left the corners; then comes the value after a
    /// half turn.
    #[inline(always)]
    fn locate_faces(
        &self,
        parent: &State<V>,
        values: Values,
        is_back: bool,
        ops: OpSet,
        places: &mut PerOp<Place>,
    ) {
        let table = self.table.borrowed();
        let inverse = own_view(is_back);
        let end = &self.ends[usize::from(is_back)];
        let side = V::Four::splat(parent.side(inverse).edges);
        let at = |face: u8| places[Op(face)] as u32;
        let [low, high] = &end.faces;
        let [a, b, c, d] = self.square.entries_at([at(0), at(1), at(2), at(3)], edges_then(low.edges, side));
        let [e, f] = self.square.entries_at([at(4), at(5)], edges_then(high.edges, side));
        let entries = [a, b, c, d, e, f];
        let turned = end.turned(ops);
        for face in 0..Face::ALL.len() {
            let entry = entries[turned.or_another(face)];
            table.prefetch(entry as usize);
            places[Op(face as u8)] = entry;
        }
        places[HALF_TURN] = values.0[usize::from(inverse)].into();
    }

    /// Locates the other view for each of `ops`.
    #[inline(always)]
    fn locate_each(
        &self,
        space: &CubeSpace<V>,
        parent: &State<V>,
        is_back: bool,
        mut ops: OpSet,
        places: &mut PerOp<Place>,
    ) {
        let table = self.table.borrowed();
        let inverse = !own_view(is_back);
        let side = parent.side(inverse).splat();
        while let Some(four) = ops.pop_four() {
            let turns = each(
                #[inline(always)]
                |i| space.turn_state_of(four[i]).side(inverse),
            );
            let entries: [u64; 4] = self.square.entries_of(&side.then(&Side::four(turns)), inverse);
            for i in 0..4 {
                table.prefetch(entries[i] as usize);
                places[four[i]] = entries[i];
            }
        }
    }

    /// Reads what [`locate_faces`](Self::locate_faces) located.
    #[inline(always)]
    fn read_faces(
        &self,
        ops: OpSet,
        is_back: bool,
        places: &PerOp<Place>,
        memos: &mut PerOp<Values>,
        limit: u32,
    ) -> Sieved {
        let table = self.table.borrowed();
        let end = &self.ends[usize::from(is_back)];
        let (mut read, mut within) = (Read::default(), 0);
        for face in 0..Face::ALL.len() {
            let place = places[Op(face as u8)];
            let value = self.value_of(table.get(place as usize), place, limit);
            memos[Op(OWN.0 + face as u8)].0[0] = value;
            read.note(value);
            within |= usize::from(u32::from(value) <= limit) << face;
        }
        // Half turns are useful only where their value is within the limit.
        memos[Op(OWN.0 + HALF_TURN.0)].0[0] = places[HALF_TURN] as u8;
        let kept = end.quarter_turns[within].0 | end.half_turns.0;
        read.sieved(OpSet(kept).and(ops), limit)
    }

    /// Reads what [`locate_each`](Self::locate_each) located, and puts each value together with the
    /// other view's, which [`read_faces`](Self::read_faces) left.
    #[inline(always)]
    fn read_each(
        &self,
        mut ops: OpSet,
        is_back: bool,
        places: &PerOp<Place>,
        memos: &mut PerOp<Values>,
        limit: u32,
    ) -> Sieved {
        let table = self.table.borrowed();
        let view = usize::from(!own_view(is_back));
        let (mut read, mut kept) = (Read::default(), OpSet::EMPTY);
        while let Some(four) = ops.pop_four() {
            for op in four {
                let value = self.value_of(table.get(places[op] as usize), places[op], limit);
                let own = memos[Op(self.own[op.index() & 63])].0[0];
                let mut both = Values([own; 2]);
                both.0[view] = value;
                memos[op] = both;
                read.note(value);
                kept.0 |= u64::from(u32::from(value) <= limit) << op.0;
            }
        }
        read.sieved(kept, limit)
    }
}

/// Which values have been read: bit `v` stands for value `v`.
#[derive(Clone, Copy, Debug, Default)]
struct Read(u64);

impl Read {
    #[inline(always)]
    fn note(&mut self, value: u8) {
        self.0 |= 1 << value;
    }

    /// What is left of the children: `kept`, if none is so far that all are cut.
    #[inline(always)]
    fn sieved(self, kept: OpSet, limit: u32) -> Sieved {
        let beyond = self.0 >> limit.min(62) >> 1;
        let least_cut = if beyond == 0 { u32::MAX } else { limit + 1 + beyond.trailing_zeros() };
        let greatest = 63 - (self.0 | 1).leading_zeros();
        Sieved { kept, least_cut }.with_greatest(greatest as u8, limit)
    }
}

impl<V: Lanes> Heuristic<CubeSpace<V>> for SquareBound<V> {
    type Carry = Values;
    type Probe = Place;
    type Memo = Values;

    #[inline(always)]
    fn stages(&self) -> usize {
        STAGES.len()
    }

    fn carry(&self, _: &CubeSpace<V>, state: &State<V>) -> Values {
        Values([self.view(state, false), self.view(state, true)])
    }

    #[inline(always)]
    fn carry_child(
        &self,
        _: &CubeSpace<V>,
        _: &State<V>,
        _: &Values,
        _: Op,
        _: &State<V>,
        memo: &Values,
    ) -> Values {
        *memo
    }

    fn locate(&self, space: &CubeSpace<V>, parent: &State<V>, carry: &Values, op: Op, stage: usize) -> Place {
        let (turn, is_back) = space.turn_of(op);
        let own_end = match STAGES[stage] {
            Stage::FaceCorners => return NOTHING,
            Stage::Faces => false,
            Stage::Each => true,
        };
        let inverse = own_view(is_back) != own_end;
        let tag = if inverse { INVERSE } else { 0 };
        if !own_end && turn.quarters() == 2 {
            return KNOWN | tag | u64::from(carry.0[usize::from(inverse)]);
        }
        let side = parent.side_after(space.turn_state(turn), inverse, own_end);
        let entry = self.square.entry(&side, inverse);
        self.table.prefetch(entry as usize);
        tag | entry
    }

    #[inline(always)]
    fn locate_all(
        &self,
        space: &CubeSpace<V>,
        parent: &State<V>,
        carry: &Values,
        ops: OpSet,
        stage: usize,
        places: &mut PerOp<Place>,
    ) {
        if ops.is_empty() {
            return;
        }
        let is_back = self.is_back(ops);
        match STAGES[stage] {
            Stage::FaceCorners => self.corners_of_faces(parent, is_back, places),
            Stage::Faces => self.locate_faces(parent, *carry, is_back, ops, places),
            Stage::Each => self.locate_each(space, parent, is_back, ops, places),
        }
    }

    fn read(&self, place: Place, _: usize, memo: &mut Values) -> u8 {
        if place == NOTHING {
            return 0;
        }
        let entry = place & (INVERSE - 1);
        let value = if place & KNOWN == 0 { self.at(entry) } else { entry as u8 };
        memo.0[usize::from(place & INVERSE != 0)] = value;
        value
    }

    #[inline(always)]
    fn read_all(
        &self,
        ops: OpSet,
        stage: usize,
        places: &PerOp<Place>,
        memos: &mut PerOp<Values>,
        limit: u32,
    ) -> Sieved {
        let is_back = self.is_back(ops);
        match STAGES[stage] {
            Stage::Faces => self.read_faces(ops, is_back, places, memos, limit),
            Stage::Each => self.read_each(ops, is_back, places, memos, limit),
            Stage::FaceCorners => Sieved { kept: ops, ..Sieved::default() },
        }
    }

    fn evaluate_all(
        &self,
        space: &CubeSpace<V>,
        parent: &State<V>,
        carry: &Values,
        ops: OpSet,
        stage: usize,
        memos: &mut PerOp<Values>,
        limit: u32,
    ) -> Sieved {
        let mut places = PerOp::default();
        if STAGES[stage] == Stage::Faces {
            // The stage before left its places in no probes: it is located again.
            self.locate_all(space, parent, carry, ops, stage - 1, &mut places);
        }
        self.locate_all(space, parent, carry, ops, stage, &mut places);
        self.read_all(ops, stage, &places, memos, limit)
    }

    fn value(&self, _: &CubeSpace<V>, state: &State<V>) -> u8 {
        self.view(state, false).max(self.view(state, true))
    }

    fn max_value(&self) -> u8 {
        self.base + 3
    }

    #[inline(always)]
    fn useful(
        &self,
        space: &CubeSpace<V>,
        _: &State<V>,
        carry: &Values,
        remaining: u32,
        allowed: OpSet,
    ) -> OpSet {
        let set = |is_back: bool| {
            let end = &self.ends[usize::from(is_back)];
            let tight = u32::from(carry.0[usize::from(own_view(is_back))]) >= remaining;
            let excluded = if tight { end.half_turns.0 } else { 0 };
            OpSet(allowed.0 & end.ops.0 & !excluded)
        };
        let (front, back) = (set(false), set(true));
        // A one-sided search has no back operators at all. Of equal ends that of the greater value,
        // whose half turns and pairs of quarter turns cost least.
        let choose_back = space.is_two_sided()
            && (back.len() < front.len() || back.len() == front.len() && carry.0[0] >= carry.0[1]);
        if choose_back { back } else { front }
    }
}
