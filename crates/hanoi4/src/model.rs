//! States, moves and their notation.
//!
//! Discs are numbered from 0, the smallest. A [`State`] holds two bits per disc, disc `d` at bits
//! `2 d` and `2 d + 1`, so the state of the `k` smallest discs is the low `2 k` bits, and every state
//! of `n` discs is a number below 4ⁿ. In text, a state is one peg digit per disc, the **largest** disc
//! first (`0001`: the smallest disc on peg 1); a move numbers the discs from 1: `1:0>3`.
//!
//! Invariant: every number below 4ⁿ whose digits are pegs is a legal state, because the discs on a
//! peg can be in only one order.

use search_core::frontier::PackedDomain;
use search_core::{Domain, Op, OpSet};
use std::fmt;

/// The greatest number of discs.
pub const MAX_DISCS: u32 = 31;

/// The greatest number of pegs.
pub const MAX_PEGS: u32 = 4;

/// The peg of every disc: disc `d` (0 the smallest) at bits `2 d` and `2 d + 1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct State(u64);

impl State {
    /// All discs on peg 0, however many there are.
    pub const START: State = State(0);

    /// The state with this [`code`](State::code). Every number below 4ⁿ is the code of a state of `n`
    /// discs on four pegs.
    pub const fn from_code(code: u64) -> State {
        State(code)
    }

    /// The number of the state: disc `d` is the base-four digit `d`.
    pub const fn code(self) -> u64 {
        self.0
    }

    /// The code as an index of a table with an entry for each state.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// All of `discs` discs on `peg`.
    pub fn all_on(peg: u32, discs: u32) -> State {
        State(low_bits(2 * discs) & (0x5555_5555_5555_5555 * u64::from(peg)))
    }

    /// `discs` discs on two pegs: disc `d` on the second one if bit `d` of `on_second` is set.
    pub fn on_pair((first, second): (u32, u32), on_second: u64, discs: u32) -> State {
        let peg = |disc: u32| if on_second >> disc & 1 == 1 { second } else { first };
        (0..discs).fold(State::START, |state, disc| state.with(disc, peg(disc)))
    }

    /// The `discs` smallest discs; the others are left out.
    pub fn smallest(self, discs: u32) -> State {
        State(self.0 & low_bits(2 * discs))
    }

    /// The discs that are larger than the `discs` smallest, numbered from 0.
    pub fn above(self, discs: u32) -> State {
        State(self.0 >> (2 * discs))
    }

    /// These discs as the ones larger than the `discs` discs of `small`.
    pub fn with_smaller(self, small: State, discs: u32) -> State {
        State(self.0 << (2 * discs) | small.0)
    }

    /// The peg of `disc`.
    #[inline(always)]
    pub fn peg(self, disc: u32) -> u32 {
        (self.0 >> (2 * disc) & 3) as u32
    }

    /// This state with `disc` on `peg`.
    #[inline(always)]
    #[must_use]
    pub fn with(self, disc: u32, peg: u32) -> State {
        State(self.0 & !(3 << (2 * disc)) | u64::from(peg) << (2 * disc))
    }

    /// The top disc of each peg; `discs` for an empty peg.
    pub fn tops(self, discs: u32) -> [u32; 4] {
        let mut tops = [discs; 4];
        for disc in (0..discs).rev() {
            tops[self.peg(disc) as usize] = disc;
        }
        tops
    }

    /// The state after the only possible move between two pegs; `None` if both are empty.
    pub fn moved_between(self, (a, b): (u32, u32), discs: u32) -> Option<State> {
        let tops = self.tops(discs);
        let (disc, to) =
            if tops[a as usize] < tops[b as usize] { (tops[a as usize], b) } else { (tops[b as usize], a) };
        (disc < discs).then(|| self.with(disc, to))
    }
}

/// The number whose `bits` lowest bits are set; `bits` is at most 64.
pub(crate) fn low_bits(bits: u32) -> u64 {
    if bits == 64 { u64::MAX } else { (1 << bits) - 1 }
}

/// A size in memory as a 64-bit number; lossless on every target.
pub(crate) fn to_u64(size: usize) -> u64 {
    size as u64
}

/// A move of the top disc of one peg to another peg.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    /// The disc, 0 the smallest.
    pub disc: u32,
    /// The peg that it leaves.
    pub from: u32,
    /// The peg that it moves to.
    pub to: u32,
}

impl Move {
    /// The move that undoes this one.
    #[must_use]
    pub fn reversed(self) -> Move {
        Move { disc: self.disc, from: self.to, to: self.from }
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}>{}", self.disc + 1, self.from, self.to)
    }
}

/// A count (of moves, layers or blocks) as a 32-bit number.
///
/// # Panics
/// If it is 2³² or more.
pub(crate) fn to_u32(count: usize) -> u32 {
    u32::try_from(count).expect("fewer than 2^32")
}

/// Formats moves, separated by spaces.
pub fn format_moves(moves: &[Move]) -> String {
    moves.iter().map(Move::to_string).collect::<Vec<_>>().join(" ")
}

/// The size of a puzzle: its numbers of discs and pegs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Puzzle {
    discs: u32,
    pegs: u32,
}

impl Puzzle {
    /// A puzzle of `discs` discs (1 to [`MAX_DISCS`]) on `pegs` pegs (3 or 4).
    ///
    /// # Errors
    /// Lists each number that is out of range.
    pub fn new(discs: u32, pegs: u32) -> Result<Puzzle, BadInput> {
        let mut faults = Vec::new();
        if !(1..=MAX_DISCS).contains(&discs) {
            faults.push(format!("the number of discs must be 1 to {MAX_DISCS}, not {discs}"));
        }
        if !(3..=MAX_PEGS).contains(&pegs) {
            faults.push(format!("the number of pegs must be 3 or {MAX_PEGS}, not {pegs}"));
        }
        if faults.is_empty() { Ok(Puzzle { discs, pegs }) } else { Err(BadInput { faults }) }
    }

    /// The number of discs.
    pub fn discs(&self) -> u32 {
        self.discs
    }

    /// The number of pegs.
    pub fn pegs(&self) -> u32 {
        self.pegs
    }

    /// The number of states: pegs to the power of discs.
    pub fn states(&self) -> u64 {
        u64::from(self.pegs).pow(self.discs)
    }

    /// Parses a state: one peg digit per disc, the largest disc first.
    ///
    /// # Errors
    /// Lists each wrong digit and a wrong length.
    pub fn parse(&self, text: &str) -> Result<State, BadInput> {
        let mut faults = Vec::new();
        let length = text.chars().count();
        if to_u64(length) != u64::from(self.discs) {
            faults.push(format!("{text:?} has {length} discs, not {}", self.discs));
        }
        let mut code = 0u64;
        for (at, digit) in text.chars().enumerate() {
            match digit.to_digit(10).filter(|&peg| peg < self.pegs) {
                Some(peg) => code = code << 2 | u64::from(peg),
                None => faults.push(format!(
                    "{digit:?} at position {} is not a peg from 0 to {}",
                    at + 1,
                    self.pegs - 1
                )),
            }
        }
        if faults.is_empty() { Ok(State(code)) } else { Err(BadInput { faults }) }
    }

    /// Formats a state in the form that [`parse`](Puzzle::parse) reads.
    pub fn format(&self, state: State) -> String {
        (0..self.discs).rev().map(|disc| char::from(b'0' + state.peg(disc) as u8)).collect()
    }

    /// The move that operator `op` makes in `state`.
    pub fn move_of(&self, state: State, op: Op) -> Move {
        let (from, to) = self.pegs_of(op);
        Move { disc: state.tops(self.discs)[from as usize], from, to }
    }

    /// The pegs of operator `op`: source and destination.
    fn pegs_of(&self, op: Op) -> (u32, u32) {
        let (from, rest) = (to_u32(op.index()) / (self.pegs - 1), to_u32(op.index()) % (self.pegs - 1));
        (from, rest + u32::from(rest >= from))
    }

    /// The operator that moves a disc from one peg to another.
    pub fn op(&self, from: u32, to: u32) -> Op {
        Op::new((from * (self.pegs - 1) + to - u32::from(to > from)) as usize)
    }

    /// The operator that undoes `op`.
    pub fn inverse(&self, op: Op) -> Op {
        let (from, to) = self.pegs_of(op);
        self.op(to, from)
    }
}

/// The puzzle as a domain whose goal is all discs on the last peg, with one operator for each ordered
/// pair of pegs.
impl Domain for Puzzle {
    type State = State;

    fn op_count(&self) -> usize {
        (self.pegs * (self.pegs - 1)) as usize
    }

    fn applicable(&self, state: &State) -> OpSet {
        let tops = state.tops(self.discs);
        let legal = |op: &Op| {
            let (from, to) = self.pegs_of(*op);
            tops[from as usize] < tops[to as usize]
        };
        (0..self.op_count()).map(Op::new).filter(legal).collect()
    }

    fn apply(&self, state: &State, op: Op) -> State {
        let step = self.move_of(*state, op);
        state.with(step.disc, step.to)
    }

    fn is_goal(&self, state: &State) -> bool {
        *state == State::all_on(self.pegs - 1, self.discs)
    }
}

/// The puzzle in the library's frontier search, without symmetry.
impl PackedDomain for Puzzle {
    fn key_bits(&self) -> u32 {
        2 * self.discs
    }
    fn pack(&self, state: &State) -> u64 {
        state.0
    }
    fn unpack(&self, key: u64) -> State {
        State(key)
    }
    fn inverse(&self, op: Op) -> Op {
        self.inverse(op)
    }
}

/// The greatest number of discs whose packed states leave space for the operators' bits: 26 on four pegs.
pub(crate) fn max_packed_discs(pegs: u32) -> u32 {
    (64 - pegs * (pegs - 1)) / 2
}

/// Input that does not describe a puzzle or one of its states.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", faults.join("; "))]
pub struct BadInput {
    /// All faults found.
    pub faults: Vec<String>,
}

impl BadInput {
    /// The faults of several inputs.
    pub fn all(errors: impl IntoIterator<Item = BadInput>) -> BadInput {
        BadInput { faults: errors.into_iter().flat_map(|error| error.faults).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_are_read_and_written_largest_disc_first() {
        let puzzle = Puzzle::new(4, 4).unwrap();
        let state = puzzle.parse("3021").unwrap();
        assert_eq!((state.peg(0), state.peg(3)), (1, 3));
        assert_eq!(puzzle.format(state), "3021");
        assert_eq!(State::all_on(3, 4), puzzle.parse("3333").unwrap());
    }

    #[test]
    fn every_fault_of_an_input_is_named() {
        let puzzle = Puzzle::new(3, 3).unwrap();
        assert_eq!(puzzle.parse("0x73").unwrap_err().faults.len(), 4);
        assert_eq!(Puzzle::new(0, 5).unwrap_err().faults.len(), 2);
        assert!(Puzzle::new(32, 4).is_err() && Puzzle::new(31, 4).is_ok());
    }

    #[test]
    fn operators_undo_each_other() {
        let puzzle = Puzzle::new(3, 4).unwrap();
        for state in (0..64).map(State) {
            for op in puzzle.applicable(&state) {
                let child = puzzle.apply(&state, op);
                assert!(puzzle.applicable(&child).contains(puzzle.inverse(op)));
                assert_eq!(puzzle.apply(&child, puzzle.inverse(op)), state);
            }
        }
    }
}
