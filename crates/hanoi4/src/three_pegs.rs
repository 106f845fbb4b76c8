//! Shortest paths between any two states on three pegs, by recursion.
//!
//! The idea (Hinz 1989, "The Tower of Hanoi", section 2): the largest disc whose position differs
//! moves once, or twice by way of the third peg; larger ones do not move. When it moves, the
//! smaller ones form a tower on the remaining peg. So a path consists of paths from a state to a
//! tower, whose lengths are sums of powers of two, and the shorter of the two is shortest.
//!
//! Cost: no search; time proportional to the length of the path.

use crate::model::{Move, State};

/// The third peg.
fn other(a: u32, b: u32) -> u32 {
    3 - a - b
}

/// The length of the shortest path that gathers the `discs` smallest discs of `state` on `peg`.
fn to_tower_length(discs: u32, state: State, peg: u32) -> u64 {
    let steps = (0..discs).rev().scan(peg, |peg, disc| {
        let moves = state.peg(disc) != *peg;
        *peg = if moves { other(state.peg(disc), *peg) } else { *peg };
        Some(if moves { 1 << disc } else { 0 })
    });
    steps.sum()
}

/// Appends the shortest path that gathers the `discs` smallest discs of `state` on `peg`.
fn to_tower(discs: u32, state: State, peg: u32, moves: &mut Vec<Move>) {
    let Some(disc) = discs.checked_sub(1) else { return };
    let from = state.peg(disc);
    if from == peg {
        return to_tower(disc, state, peg, moves);
    }
    let aside = other(from, peg);
    to_tower(disc, state, aside, moves);
    moves.push(Move { disc, from, to: peg });
    to_tower(disc, State::all_on(aside, disc), peg, moves);
}

/// Appends the shortest path from a tower of `discs` discs on `peg` to `state`: the same, reversed.
fn from_tower(discs: u32, state: State, peg: u32, moves: &mut Vec<Move>) {
    let start = moves.len();
    to_tower(discs, state, peg, moves);
    moves[start..].reverse();
    moves[start..].iter_mut().for_each(|step| *step = step.reversed());
}

/// The largest disc whose position differs, and the path lengths with one and with two moves of it.
fn alternatives(discs: u32, from: State, to: State) -> Option<(u32, u64, u64)> {
    let disc = (0..discs).rev().find(|&disc| from.peg(disc) != to.peg(disc))?;
    let (a, b) = (from.peg(disc), to.peg(disc));
    let aside = other(a, b);
    let once = to_tower_length(disc, from, aside) + 1 + to_tower_length(disc, to, aside);
    let twice = to_tower_length(disc, from, b) + (1 << disc) + 1 + to_tower_length(disc, to, a);
    Some((disc, once, twice))
}

/// The length of a shortest path.
pub fn length(discs: u32, from: State, to: State) -> u64 {
    alternatives(discs, from, to).map_or(0, |(_, once, twice)| once.min(twice))
}

/// A shortest path.
pub fn path(discs: u32, from: State, to: State) -> Vec<Move> {
    let mut moves = Vec::new();
    let Some((disc, once, twice)) = alternatives(discs, from, to) else { return moves };
    let (a, b) = (from.peg(disc), to.peg(disc));
    let aside = other(a, b);
    if once <= twice {
        to_tower(disc, from, aside, &mut moves);
        moves.push(Move { disc, from: a, to: b });
        from_tower(disc, to, aside, &mut moves);
    } else {
        to_tower(disc, from, b, &mut moves);
        moves.push(Move { disc, from: a, to: aside });
        to_tower(disc, State::all_on(b, disc), a, &mut moves);
        moves.push(Move { disc, from: aside, to: b });
        from_tower(disc, to, a, &mut moves);
    }
    moves
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Puzzle;
    use crate::reference::{self, UNREACHED};
    use crate::testing::replayed;

    #[test]
    fn all_pairs_of_five_discs_have_the_reference_distance() {
        let puzzle = Puzzle::new(5, 3).unwrap();
        let states: Vec<_> =
            (0..1 << 10).map(State::from_code).filter(|s| (0..5).all(|disc| s.peg(disc) < 3)).collect();
        for &to in &states {
            let distances = reference::distances(&puzzle, [to]);
            for &from in &states {
                assert_ne!(distances[from.index()], UNREACHED);
                let moves = path(5, from, to);
                assert_eq!(moves.len(), usize::from(distances[from.index()]));
                assert_eq!(moves.len() as u64, length(5, from, to));
                assert_eq!(replayed(&puzzle, from, &moves), to);
            }
        }
    }

    #[test]
    fn towers_take_a_power_of_two_less_one() {
        assert_eq!(length(31, State::all_on(0, 31), State::all_on(2, 31)), (1 << 31) - 1);
    }
}
