//! A path between any two states on four pegs, without a search: an upper bound on the length of a shortest one.
//!
//! The idea: the largest disc whose position differs moves once. Before that, the smaller discs gather on one of the two
//! pegs that it does not touch; afterwards, they go from there to their goals, which is such a path backwards. Discs
//! gather from the largest to the smallest in the same way, and a tower of them is moved by the presumed-optimal
//! solution. Of the pegs on which discs may gather, the one with the shortest path is chosen.
//!
//! A whole tower moves to another peg by the presumed-optimal solution, which is shortest for every size that has been
//! proved; other paths are mostly longer than necessary, and [`improve`](crate::improve) shortens them.
//!
//! Cost: time proportional to the length, and to the discs times the pegs.
//!
//! Source: Frame 1941 and Stewart 1941 for towers.

use crate::model::{Move, State};
use crate::presumed::Presumed;

/// The number of pegs.
const PEGS: u32 = 4;

/// Gathering the smallest discs of a state: for each number of discs and each peg, the length and the peg on which the
/// smaller ones wait.
struct Gathering<'a> {
    state: State,
    presumed: &'a Presumed,
    plan: Vec<[(u128, u32); PEGS as usize]>,
}

impl Gathering<'_> {
    fn new(discs: u32, state: State, presumed: &Presumed) -> Gathering<'_> {
        let mut gathering = Gathering { state, presumed, plan: vec![[(0, 0); PEGS as usize]] };
        for count in 1..=discs {
            let row = std::array::from_fn(|peg| gathering.shortest(count, peg as u32));
            gathering.plan.push(row);
        }
        gathering
    }

    /// The length of the path that gathers the `count` smallest discs on `peg`, and where the smaller ones wait.
    fn shortest(&self, count: u32, peg: u32) -> (u128, u32) {
        let from = self.state.peg(count - 1);
        if from == peg {
            return (self.length(count - 1, peg), peg);
        }
        if self.is_tower(count) {
            return (self.presumed.length(count), from);
        }
        let asides = (0..PEGS).filter(|&aside| aside != from && aside != peg);
        let length = |aside| self.length(count - 1, aside) + 1 + self.presumed.length(count - 1);
        asides.map(|aside| (length(aside), aside)).min().expect("two pegs are free")
    }

    fn length(&self, count: u32, peg: u32) -> u128 {
        self.plan[count as usize][peg as usize].0
    }

    /// Whether the `count` smallest discs are on one peg.
    fn is_tower(&self, count: u32) -> bool {
        (0..count).all(|disc| self.state.peg(disc) == self.state.peg(count - 1))
    }

    /// Appends the path that gathers the `count` smallest discs on `peg`.
    fn append(&self, count: u32, peg: u32, moves: &mut Vec<Move>) {
        let Some(disc) = count.checked_sub(1) else { return };
        let from = self.state.peg(disc);
        if from == peg {
            return self.append(disc, peg, moves);
        }
        if self.is_tower(count) {
            return moves.extend(self.presumed.moves(count, from, peg));
        }
        let aside = self.plan[count as usize][peg as usize].1;
        self.append(disc, aside, moves);
        moves.push(Move { disc, from, to: peg });
        moves.extend(self.presumed.moves(disc, aside, peg));
    }
}

/// The moves of a path on four pegs from one state of `discs` discs to another; `None` if it has more than `most`.
pub fn path(discs: u32, from: State, to: State, most: u64) -> Option<Vec<Move>> {
    let presumed = Presumed::new(discs, PEGS);
    let mut moves = Vec::new();
    let Some(disc) = (0..discs).rev().find(|&disc| from.peg(disc) != to.peg(disc)) else {
        return Some(moves);
    };
    let (a, b) = (from.peg(disc), to.peg(disc));
    let is_tower = |state: State, peg| (0..disc).all(|smaller| state.peg(smaller) == peg);
    if is_tower(from, a) && is_tower(to, b) {
        let is_short = presumed.length(disc + 1) <= u128::from(most);
        return is_short.then(|| presumed.moves(disc + 1, a, b));
    }
    let (before, after) = (Gathering::new(disc, from, &presumed), Gathering::new(disc, to, &presumed));
    let length = |aside| before.length(disc, aside) + 1 + after.length(disc, aside);
    let asides = (0..PEGS).filter(|&aside| aside != a && aside != b);
    let (length, aside) = asides.map(|aside| (length(aside), aside)).min()?;
    if length > u128::from(most) {
        return None;
    }
    before.append(disc, aside, &mut moves);
    moves.push(Move { disc, from: a, to: b });
    let mut rest = Vec::new();
    after.append(disc, aside, &mut rest);
    moves.extend(rest.into_iter().rev().map(Move::reversed));
    Some(moves)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Puzzle;
    use crate::reference;

    /// Applies moves one by one, each of the top disc of its peg to a peg without a smaller one.
    fn replay(discs: u32, from: State, moves: &[Move]) -> State {
        moves.iter().fold(from, |state, step| {
            let tops = state.tops(discs);
            assert_eq!((state.peg(step.disc), tops[step.from as usize]), (step.from, step.disc));
            assert!(tops[step.to as usize] > step.disc);
            state.with(step.disc, step.to)
        })
    }

    #[test]
    fn paths_are_legal_and_never_shorter_than_the_distance() {
        let discs = 5;
        let puzzle = Puzzle::new(discs, PEGS).unwrap();
        let state = |number: u32| {
            (0..discs).fold(State::START, |state, disc| state.with(disc, number >> (2 * disc) & 3))
        };
        for goal in (0..1024).step_by(97).map(state) {
            let distances = reference::distances(&puzzle, [goal]);
            for from in (0..1024).map(state) {
                let moves = path(discs, from, goal, 1 << 24).unwrap();
                assert_eq!(replay(discs, from, &moves), goal);
                let exact = u32::from(distances[from.index()]);
                assert!(moves.len() as u32 >= exact);
            }
        }
    }

    #[test]
    fn towers_move_by_the_presumed_optimal_solution() {
        let (from, to) = (State::START, State::all_on(2, 16));
        assert_eq!(path(16, from, to, 1 << 24).map(|moves| moves.len()), Some(161));
        assert_eq!(path(16, from, to, 160), None);
        assert_eq!(path(16, to, to, 0), Some(Vec::new()));
    }
}
