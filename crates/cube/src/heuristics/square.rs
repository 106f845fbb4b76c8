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
//!   looked up again; and fixed as the next move it leaves the inverse in its coset.
//!
//! The search takes whichever end leaves fewer moves. No solution is lost: each end's set holds the
//! last (or the next) move of every solution that is short enough.
//!
//! An entry has two bits: three tell values above the base, and 0 stands for the base and all
//! below it. Then a second table, two hundred times smaller, has the least value of the entry's
//! group, which is mostly the entry's own, since values that small are rare.
//!
//! Source of the ideas: T. Rokicki's nxopt (tight bounds, the inverse), S. Tronto's H48 (cosets that
//! half turns leave, two bits and the minimum of a line).

use super::{Crumbs, Table};
use crate::lanes::Lanes;
use crate::patterns::Square;
use crate::space::{CubeSpace, State};
use search_core::{Heuristic, Op, OpSet, PerOp};
use std::sync::Arc;

/// How many entries share one value of the second table, as a power of two: those of a cache line.
pub const GROUP: u32 = 8;

/// The bound of a table of square cosets.
#[derive(Clone, Debug)]
pub struct SquareBound<V> {
    square: Square<V>,
    table: Arc<Crumbs>,
    floor: Arc<Table>,
    base: u8,
    /// The operators of each end that are quarter turns, and all of them.
    quarters: [OpSet; 2],
    ends: [OpSet; 2],
}

/// Where a value lies: the entry and the view, or the value itself, marked.
pub type Place = u64;

const KNOWN: u64 = 1 << 63;
const INVERSE: u64 = 1 << 62;

/// The values of the position and of its inverse.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Values([u8; 2]);

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
        let ends = [space.front(), space.back()];
        let is_quarter = |op: &Op| space.turn_of(*op).0.quarters() != 2;
        let quarters = ends.map(|end| end.into_iter().filter(is_quarter).collect());
        SquareBound { square, table, floor, base, quarters, ends }
    }

    /// The value of an entry.
    #[inline(always)]
    fn at(&self, entry: u64) -> u8 {
        match self.table.get(entry as usize) {
            0 => self.floor.get((entry >> GROUP) as usize),
            above => self.base + above,
        }
    }

    fn view(&self, state: &State<V>, inverse: bool) -> u8 {
        let (corners, edges) = state.side(inverse);
        self.at(self.square.entry(corners, edges, inverse))
    }

    /// Locates one view of the children: of the inverse or of the position, after a turn at its own
    /// end or at the other.
    #[inline(always)]
    fn places<const OF_INVERSE: bool, const OWN_END: bool>(
        &self,
        space: &CubeSpace<V>,
        parent: &State<V>,
        values: Values,
        ops: OpSet,
        places: &mut PerOp<Place>,
    ) {
        let table = self.table.borrowed();
        let tag = if OF_INVERSE { INVERSE } else { 0 };
        let known = KNOWN | tag | u64::from(values.0[usize::from(OF_INVERSE)]);
        for op in ops {
            let (turn, _) = space.turn_of(op);
            if !OWN_END && turn.quarters() == 2 {
                places[op] = known;
                continue;
            }
            let (corners, edges) = parent.side_after(space.turn_state(turn), OF_INVERSE, OWN_END);
            let entry = self.square.entry(corners, edges, OF_INVERSE);
            table.prefetch(entry as usize);
            places[op] = tag | entry;
        }
    }
}

impl<V: Lanes> Heuristic<CubeSpace<V>> for SquareBound<V> {
    type Carry = Values;
    type Probe = Place;
    type Memo = Values;

    #[inline(always)]
    fn stages(&self) -> usize {
        2
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

    #[inline(always)]
    fn locate(&self, space: &CubeSpace<V>, parent: &State<V>, carry: &Values, op: Op, stage: usize) -> Place {
        let mut places = PerOp::default();
        self.locate_all(space, parent, carry, OpSet::EMPTY.with(op), stage, &mut places);
        places[op]
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
        let Some(first) = ops.into_iter().next() else { return };
        // The view of the greater value first: it cuts most. A useful set holds operators of one
        // end only, so that what follows is chosen once.
        let of_inverse = (carry.0[1] > carry.0[0]) != (stage == 1);
        match (of_inverse, space.turn_of(first).1) {
            (false, false) => self.places::<false, true>(space, parent, *carry, ops, places),
            (false, true) => self.places::<false, false>(space, parent, *carry, ops, places),
            (true, false) => self.places::<true, false>(space, parent, *carry, ops, places),
            (true, true) => self.places::<true, true>(space, parent, *carry, ops, places),
        }
    }

    #[inline(always)]
    fn read(&self, place: Place, _: usize, memo: &mut Values) -> u8 {
        let entry = place & (INVERSE - 1);
        let value = if place & KNOWN == 0 { self.at(entry) } else { entry as u8 };
        memo.0[usize::from(place & INVERSE != 0)] = value;
        value
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
        let tight = carry.0.map(|value| u32::from(value) >= remaining);
        let set =
            |end: usize, tight: bool| allowed.and(if tight { self.quarters[end] } else { self.ends[end] });
        let (front, back) = (set(0, tight[1]), set(1, tight[0]));
        // A one-sided search has no back operators at all.
        let choose_back = space.is_two_sided()
            && (back.len() < front.len() || back.len() == front.len() && carry.0[1] > carry.0[0]);
        if choose_back { back } else { front }
    }
}
