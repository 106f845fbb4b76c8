//! The cube as a search domain: a position and its inverse, moved at both ends.
//!
//! The idea: a solution `y1 .. yr` of position `p` satisfies `p y1 .. yr = solved`. A search may
//! fix its first move (`p` becomes `p y1`) or its last one (`p` becomes `yr p`, which is the same
//! as moving the inverse position), and may choose anew at every node. A state therefore holds the
//! position by location (which cubie is here?) and by cubie (where is it?), and the second is the
//! inverse position but for the sign of the twists. Both come from one byte shuffle a turn.
//!
//! This is also the paper's state (Korf 1997, "The Problem Space"): the array by cubie is its
//! array of 20 elements with 24 values each.
//!
//! Operators `0..n` put a move at the front of what is left to find (moves of the position),
//! operators `n..2n` at the back; one-sided search has the first `n` only. The automaton keeps the
//! move rules on either side. Where the two sides meet they may break a rule; such a solution is as
//! short, and stands for the sorted one that is found as well.

mod goal;
mod moves;

pub use moves::FaceTurns;

pub(crate) use moves::AnyMoves;

pub use moves::Moves;

use crate::cube::{Cube, Turn};
use crate::lanes::{Lanes, Row, Rows};
use crate::mask::Mask;
use crate::metric::Metric;
use goal::Goal;
use search_core::simd::Target;
use search_core::{Automaton, Domain, Lengths, Op, OpSet};
use std::hash::{Hash, Hasher};

/// The end of the unknown solution at which a turn is placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum End {
    /// The turn is the next move.
    Front,
    /// The turn is the last move.
    Back,
}

impl End {
    /// Both ends.
    pub const ALL: [End; 2] = [End::Front, End::Back];

    /// The view in which a turn at this end is the next move: a last move of the position is a next
    /// move of the inverse.
    #[inline(always)]
    pub(crate) const fn view(self) -> View {
        match self {
            End::Front => View::Position,
            End::Back => View::Inverse,
        }
    }
}

/// The side of a state that is looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum View {
    /// The position: its cubies by location.
    Position,
    /// The inverse position, but for the sign of the twists: the locations by cubie.
    Inverse,
}

impl View {
    /// Both views.
    pub const ALL: [View; 2] = [View::Position, View::Inverse];

    /// The other view.
    #[inline(always)]
    #[must_use]
    pub(crate) const fn other(self) -> View {
        match self {
            View::Position => View::Inverse,
            View::Inverse => View::Position,
        }
    }
}

/// Corners and edges, by location or by cubie. Each lane is `value | orientation << 4`; the lanes
/// without a cubie (8.. of the corners, 12.. of the edges) hold their own number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Side<V> {
    /// The corners.
    pub corners: V,
    /// The edges.
    pub edges: V,
}

/// A position, by location and by cubie: a side for each [`View`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct State<V>([Side<V>; 2]);

const IDENTITY: [u8; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];

/// `cubies` in the first lanes, the rest as in the identity.
fn padded(cubies: &[u8]) -> [u8; 16] {
    let mut lanes = IDENTITY;
    lanes[..cubies.len()].copy_from_slice(cubies);
    lanes
}

/// The inverse of `by_location`: the location of each cubie, with the same orientation.
fn turned_over(by_location: &[u8; 16]) -> [u8; 16] {
    let mut by_cubie = IDENTITY;
    for (location, v) in by_location.iter().enumerate() {
        by_cubie[*v as usize & 15] = location as u8 | v & 0xf0;
    }
    by_cubie
}

/// The hash of the cube.
impl<V: Lanes> Hash for State<V> {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.cube().hash(hasher);
    }
}

impl<V: Lanes> State<V> {
    /// The state of a cube.
    pub fn new(cube: &Cube) -> State<V> {
        let (corners, edges) = (padded(&cube.corners), padded(&cube.edges));
        let side = |corners, edges| Side { corners: V::load(corners), edges: V::load(edges) };
        State([side(corners, edges), side(turned_over(&corners), turned_over(&edges))])
    }

    /// The cube of a state.
    pub fn cube(&self) -> Cube {
        let (corners, edges) = (self.by_location().corners.store(), self.by_location().edges.store());
        Cube { corners: std::array::from_fn(|i| corners[i]), edges: std::array::from_fn(|i| edges[i]) }
    }

    /// The cubie at each location, as in [`Cube`].
    #[inline(always)]
    pub(crate) fn by_location(&self) -> &Side<V> {
        self.side(View::Position)
    }

    /// The location of each cubie, with the same orientation.
    #[inline(always)]
    pub(crate) fn by_cubie(&self) -> &Side<V> {
        self.side(View::Inverse)
    }

    /// The side that a view looks at.
    #[inline(always)]
    pub(crate) fn side(&self, view: View) -> &Side<V> {
        &self.0[view as usize]
    }

    /// The state after `turn` at one end: for one view it is the next move, for the other the last.
    /// Without a branch.
    #[inline(always)]
    #[must_use]
    pub(crate) fn turned(&self, turn: &State<V>, end: End) -> State<V> {
        State([self.side_after(turn, end, View::Position), self.side_after(turn, end, View::Inverse)])
    }

    /// The [`side`](State::side) of one view after `turn` at one end.
    #[inline(always)]
    pub(crate) fn side_after(&self, turn: &State<V>, end: End, view: View) -> Side<V> {
        let (state, turn) = (self.side(view), turn.side(view));
        let (first, second) = if view as u8 == end.view() as u8 { (state, turn) } else { (turn, state) };
        first.then(second)
    }
}

impl<R: Rows> Side<R> {
    /// This side followed by `next`, both by location (or, in reverse order, both by cubie).
    #[inline(always)]
    #[must_use]
    pub(crate) fn then(&self, next: &Side<R>) -> Side<R> {
        Side { corners: corners_then(self.corners, next.corners), edges: edges_then(self.edges, next.edges) }
    }
}

/// The corners of [`Side::then`].
#[inline(always)]
pub(crate) fn corners_then<R: Rows>(corners: R, next: R) -> R {
    add_twists(corners.shuffle(next), next)
}

/// The edges of [`Side::then`].
#[inline(always)]
pub(crate) fn edges_then<R: Rows>(edges: R, next: R) -> R {
    add_flips(edges.shuffle(next), next)
}

/// Adds the twists (high nibbles) of `twists` to those of `corners`, modulo 3.
#[inline(always)]
fn add_twists<V: Rows>(corners: V, twists: V) -> V {
    let three = corners.row(&Row([0x30; 16]));
    let sum = corners.add(twists.and(three));
    sum.min(sum.sub(three))
}

/// Adds the flips (bit 4) of `flips` to those of `edges`, modulo 2.
#[inline(always)]
fn add_flips<V: Rows>(edges: V, flips: V) -> V {
    edges.xor(flips.and(edges.row(&Row([0x10; 16]))))
}

/// The ends of the unknown solution at which a search may fix moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sides {
    /// The front only, as in the papers.
    One,
    /// The front or the back; the heuristic chooses at each node.
    Two,
}

/// The cube under some moves, searched from one side or from both.
#[derive(Clone, Debug)]
pub struct CubeSpace<V, M = FaceTurns> {
    moves: M,
    sides: Sides,
    /// All operators.
    ops: OpSet,
    /// The states of the 18 turns.
    turns: [State<V>; Turn::COUNT],
    /// The state of each operator's move; padded to 64, so that no bound is checked.
    state_of: [State<V>; 64],
    goal: Goal<V>,
}

impl<V: Lanes> CubeSpace<V> {
    /// The cube in `metric`.
    pub fn new(metric: Metric, sides: Sides) -> CubeSpace<V> {
        let moves = metric.turns();
        let turn_of = std::array::from_fn(|op| moves[op % moves.len()]);
        let states = moves.iter().map(|&turn| State::new(Cube::of_turn(turn))).collect();
        CubeSpace::over(FaceTurns { metric, turn_of }, states, sides)
    }

    /// The metric whose moves are the operators.
    pub fn metric(&self) -> Metric {
        self.moves.metric
    }

    /// The state that a turn makes from the solved one.
    #[inline(always)]
    pub(crate) fn turn_state(&self, turn: Turn) -> &State<V> {
        &self.turns[turn.index()]
    }

    /// The turn of an operator, and its end.
    #[inline(always)]
    pub fn turn_of(&self, op: Op) -> (Turn, End) {
        (self.moves.turn_of[op.index()], self.end_of(op))
    }

    /// The move rules of the metric on one or both sides.
    pub(crate) fn automaton(&self) -> Automaton {
        match self.sides {
            Sides::One => self.moves.metric.automaton(),
            Sides::Two => self.moves.metric.two_sided_automaton(),
        }
    }
}

impl<V: Lanes> CubeSpace<V, AnyMoves> {
    /// The cube under `moves`, each given by the cube that it makes from the solved one.
    ///
    /// # Panics
    /// If there are none, more than 64, or more than 32 for a search from both sides.
    pub(crate) fn of_moves(moves: &[Cube], sides: Sides) -> CubeSpace<V, AnyMoves> {
        let of = AnyMoves { count: moves.len(), are_odd: moves.iter().all(Cube::is_odd) };
        CubeSpace::over(of, moves.iter().map(State::new).collect(), sides)
    }
}

impl<V: Lanes, M: Moves> CubeSpace<V, M> {
    fn over(moves: M, states: Vec<State<V>>, sides: Sides) -> CubeSpace<V, M> {
        let most = if sides == Sides::Two { 32 } else { 64 };
        assert!((1..=most).contains(&states.len()), "a domain has 1 to {most} moves at each end");
        CubeSpace {
            ops: OpSet::first(if sides == Sides::Two { 2 * states.len() } else { states.len() }),
            moves,
            sides,
            turns: std::array::from_fn(|i| State::new(Cube::of_turn(Turn::from_index(i)))),
            state_of: std::array::from_fn(|op| states[op % states.len()]),
            goal: Goal::new(Mask::default()),
        }
    }

    /// The same domain, whose goals are the cubes that `mask` accepts. It is searched from one side:
    /// the inverses of these cubes are another set.
    #[must_use]
    pub(crate) fn up_to(self, mask: Mask) -> CubeSpace<V, M> {
        debug_assert!(mask.is_none() || self.sides == Sides::One, "masks are for one side");
        CubeSpace { goal: Goal::new(mask), ..self }
    }

    /// The state that an operator's move makes from the solved one.
    #[inline(always)]
    pub(crate) fn move_state(&self, op: Op) -> &State<V> {
        &self.state_of[op.index() & 63]
    }

    /// The end at which an operator puts its move.
    #[inline(always)]
    pub(crate) fn end_of(&self, op: Op) -> End {
        if op.index() >= self.moves.count() { End::Back } else { End::Front }
    }

    /// Whether a search may also fix the last move.
    #[inline(always)]
    pub(crate) fn is_two_sided(&self) -> bool {
        self.sides == Sides::Two
    }

    /// The operators at one end. A one-sided search has none at the back.
    #[inline(always)]
    pub(crate) fn ops_at(&self, end: End) -> OpSet {
        let front = OpSet::first(self.moves.count());
        match end {
            End::Front => front,
            End::Back => OpSet::first(self.op_count()).minus(front),
        }
    }
}

/// The moves of a solution in order, from operators of both ends, which may come from a file; `None` if one is invalid.
pub fn solution(metric: Metric, ops: &[Op]) -> Option<Vec<Turn>> {
    let turns = metric.turns();
    in_order(turns.len(), ops).into_iter().map(|op| turns.get(op.index()).copied()).collect()
}

/// The numbers of the moves of a solution in order, from operators of both ends of `count` moves.
pub(crate) fn in_order(count: usize, ops: &[Op]) -> Vec<Op> {
    let is_front = |op: &&Op| op.index() < count;
    let front = ops.iter().filter(is_front).copied();
    let back = ops.iter().rev().filter(|op| !is_front(op)).map(|op| Op::new(op.index() - count));
    front.chain(back).collect()
}

/// A domain of cubes under some moves, searched from one side or from both.
pub(crate) trait CubeDomain: Domain<State: Hash> {
    /// The state of a cube that the moves can solve.
    fn state_of(&self, cube: &Cube) -> Self::State;

    /// The number of moves. Operators beyond it put the same moves at the back.
    fn move_count(&self) -> usize;
}

impl<V: Lanes, M: Moves> CubeDomain for CubeSpace<V, M> {
    fn state_of(&self, cube: &Cube) -> State<V> {
        State::new(cube)
    }

    fn move_count(&self) -> usize {
        self.moves.count()
    }
}

impl<V: Lanes, M: Moves> Domain for CubeSpace<V, M> {
    const TARGET: Target = V::TARGET;
    type State = State<V>;

    #[inline(always)]
    fn op_count(&self) -> usize {
        match self.sides {
            Sides::One => self.moves.count(),
            Sides::Two => 2 * self.moves.count(),
        }
    }

    #[inline(always)]
    fn applicable(&self, _: &State<V>) -> OpSet {
        self.ops
    }

    #[inline(always)]
    fn apply(&self, state: &State<V>, op: Op) -> State<V> {
        state.turned(self.move_state(op), self.end_of(op))
    }

    #[inline(always)]
    fn is_goal(&self, state: &State<V>) -> bool {
        self.goal.accepts(state)
    }

    fn lengths(&self, state: &State<V>) -> Lengths {
        match self.moves.are_odd() && !self.goal.mask.has_both_parities() {
            true => Lengths::parity(state.cube().is_odd()),
            false => Lengths::ANY,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lanes::Portable;

    fn check<V: Lanes>() {
        check_any::<V>();
        let space = CubeSpace::<V>::new(Metric::Htm, Sides::Two);
        let mut cube = Cube::SOLVED;
        for step in 0..200 {
            let op = Op::new(step * 7 % 36);
            let state = State::<V>::new(&cube);
            let next = space.apply(&state, op);
            let (turn, end) = space.turn_of(op);
            cube = match end {
                End::Front => cube.apply(turn),
                End::Back => Cube::of_turn(turn).compose(&cube),
            };
            assert_eq!(next, State::new(&cube));
            for view in View::ALL {
                let after = state.side_after(space.turn_state(turn), end, view);
                assert_eq!(after, *next.side(view));
            }
            assert_eq!((next.cube(), space.is_goal(&next)), (cube, cube.is_solved()));
            // By cubie it is the inverse position with every twist negated.
            let mut inverse = State([*next.by_cubie(), *next.by_location()]).cube();
            inverse.corners = inverse.corners.map(|v| v & 15 | (3 - (v >> 4)) % 3 << 4);
            assert_eq!(inverse, cube.inverse());
        }
    }

    /// Face turns, and turns of two opposite faces, at both ends.
    fn check_any<V: Lanes>() {
        let slice = |turn: Turn| Cube::SOLVED.apply_all([turn.inverse(), turn.across()]);
        let turns = Turn::all().map(|turn| *Cube::of_turn(turn));
        let moves: Vec<Cube> = turns.chain(Turn::all().take(9).map(slice)).collect();
        let space = CubeSpace::<V, _>::of_moves(&moves, Sides::Two);
        assert_eq!((space.op_count(), space.lengths(&State::new(&moves[0]))), (54, Lengths::ANY));
        assert_eq!(space.ops_at(End::Front).len() + space.ops_at(End::Back).len(), 54);
        let mut cube = Cube::SOLVED;
        for op in (0..100).map(|step| Op::new(step * 7 % 54)) {
            let next = space.apply(&State::new(&cube), op);
            cube = match space.end_of(op) {
                End::Front => cube.compose(&moves[op.index()]),
                End::Back => moves[op.index() - 27].compose(&cube),
            };
            assert_eq!(next, State::new(&cube));
        }
        let odd: Vec<Cube> = Turn::all().filter(|t| t.quarters() != 2).map(|t| *Cube::of_turn(t)).collect();
        let space = CubeSpace::<V, _>::of_moves(&odd, Sides::One);
        assert_eq!(space.lengths(&State::new(&moves[0])), Lengths::parity(true));
    }

    #[test]
    fn states_follow_the_plain_cube() {
        check::<Portable>();
        #[cfg(target_arch = "x86_64")]
        {
            if crate::lanes::Avx2::is_available() {
                check::<crate::lanes::Avx2>();
            }
            if crate::lanes::Avx512::is_available() {
                check::<crate::lanes::Avx512>();
            }
        }
    }

    #[test]
    fn operators_of_both_sides_spell_a_solution() {
        let space = CubeSpace::<Portable>::new(Metric::Htm, Sides::Two);
        let turns: Vec<Turn> = [0, 4, 8, 9, 13].map(Turn::from_index).to_vec();
        let start = State::new(&Cube::SOLVED.apply_all(turns.iter().rev().map(|t| t.inverse())));
        let ops = [0, 13 + 18, 4, 9 + 18, 8].map(Op::new);
        assert_eq!(solution(Metric::Htm, &ops).unwrap(), turns);
        let end = ops.iter().fold(start, |state, op| space.apply(&state, *op));
        assert!(space.is_goal(&end));
    }
}
