//! Towers of Hanoi: the referee's space of states, and what it can prove about them.
//!
//! On four pegs it searches. On three pegs it computes the distance: in a shortest path the largest disc stays if it
//! is in place, and otherwise moves once or twice (Hinz 1989). Before its first move the smaller discs must form a
//! tower on the third peg, and after its last move they start from such a tower; between two moves a whole tower
//! moves, which takes `2^n - 1` moves.

use super::game::{Derived, Found, Game, searched};
use super::search::{End, Space};
use crate::hanoi::{Towers, check, parse_moves};

/// The maximum number of discs.
const MAX_DISCS: usize = 32;

/// A start and a goal.
pub(super) struct Hanoi {
    pegs: usize,
    start: Towers,
    goal: Towers,
}

impl Hanoi {
    /// Reads both states, or describes their faults.
    pub(super) fn read(pegs: usize, start: &str, goal: &str) -> Result<Hanoi, String> {
        if !(3..=4).contains(&pegs) {
            return Err(format!("{pegs} pegs; the referee supports 3 and 4"));
        }
        let read = |name: &str, text: &str| {
            let towers = Towers::parse(pegs, text).map_err(|refusal| format!("the {name} is {refusal}"))?;
            match towers.discs() {
                1..=MAX_DISCS => Ok(towers),
                discs => Err(format!("the {name} has {discs} discs instead of 1 to {MAX_DISCS}")),
            }
        };
        let (start, goal) = (read("start", start)?, read("goal", goal)?);
        if start.discs() != goal.discs() {
            return Err(format!("the start has {} discs and the goal {}", start.discs(), goal.discs()));
        }
        Ok(Hanoi { pegs, start, goal })
    }
}

impl Game for Hanoi {
    fn obstacle(&self) -> Option<String> {
        // Every state can be reached from every other.
        None
    }

    fn parity(&self) -> Option<u32> {
        None
    }

    fn is_described_by(&self, text: &str) -> Option<bool> {
        let mut words = text.split_whitespace().map(|word| Towers::parse(self.pegs, word).ok());
        let (Some(Some(start)), Some(Some(goal)), None) = (words.next(), words.next(), words.next()) else {
            return None;
        };
        Some(start == self.start && goal == self.goal)
    }

    fn replay(&mut self, solution: &str) -> Result<u64, String> {
        let replayed = || {
            let length = parse_moves(solution)?.len() as u64;
            check(&self.start, &self.goal, solution, length).map(|()| length)
        };
        replayed().map_err(|refusal| refusal.to_string())
    }

    fn derive(&self, bound: u32, effort: u64) -> Derived {
        if self.pegs == 3 {
            let length = distance(&digits(&self.start), &digits(&self.goal));
            let result =
                if length > u64::from(bound) { Found::MoreThan(bound) } else { Found::Path(length, None) };
            return Derived { result, how: "by the recursion for three pegs".to_owned() };
        }
        let discs = self.start.discs();
        let space = States { discs, pegs: self.pegs, ends: [pack(&self.start), pack(&self.goal)] };
        let written = |from: u64, to: u64| {
            let disc = ((from ^ to).trailing_zeros() / 2) as usize;
            format!("{}:{}>{}", disc + 1, peg(from, disc), peg(to, disc))
        };
        searched(&space, bound, effort, " ", written)
    }
}

/// The peg of each disc, largest first.
fn digits(towers: &Towers) -> Vec<usize> {
    towers.to_string().bytes().map(|digit| usize::from(digit - b'0')).collect()
}

/// The state as a number with two bits per disc, the smallest disc lowest.
fn pack(towers: &Towers) -> u64 {
    digits(towers).into_iter().fold(0, |packed, peg| packed << 2 | peg as u64)
}

/// The peg of a disc; disc 0 is the smallest.
fn peg(state: u64, disc: usize) -> usize {
    (state >> (2 * disc) & 3) as usize
}

/// The number of moves of a tower of this many discs on three pegs.
fn tower(discs: usize) -> u64 {
    (1 << discs) - 1
}

/// The distance of a state on three pegs from the tower on `goal`.
fn to_tower(state: &[usize], goal: usize) -> u64 {
    match state {
        [] => 0,
        [largest, rest @ ..] if *largest == goal => to_tower(rest, goal),
        [largest, rest @ ..] => to_tower(rest, 3 - largest - goal) + 1 + tower(rest.len()),
    }
}

/// The distance between two states on three pegs.
fn distance(start: &[usize], goal: &[usize]) -> u64 {
    let ([from, start @ ..], [to, goal @ ..]) = (start, goal) else { return 0 };
    if from == to {
        return distance(start, goal);
    }
    let third = 3 - from - to;
    let once = to_tower(start, third) + 1 + to_tower(goal, third);
    let twice = to_tower(start, *to) + 1 + tower(start.len()) + 1 + to_tower(goal, *from);
    once.min(twice)
}

/// States as numbers, two bits per disc.
struct States {
    discs: usize,
    pegs: usize,
    ends: [u64; 2],
}

impl Space for States {
    type State = u64;

    fn ends(&self, end: End) -> Vec<u64> {
        vec![self.ends[end as usize]]
    }

    fn neighbours(&self, state: u64, mut visit: impl FnMut(u64)) {
        // The first disc on each peg, from the smallest on, is on top, and may move to pegs without smaller discs.
        let mut covered = [false; 4];
        for disc in 0..self.discs {
            let from = peg(state, disc);
            if std::mem::replace(&mut covered[from], true) {
                continue;
            }
            for to in (0..self.pegs).filter(|&to| !covered[to]) {
                visit(state ^ ((from ^ to) as u64) << (2 * disc));
            }
            if covered[..self.pegs] == [true; 4][..self.pegs] {
                break;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::certificate::search::{Outcome, search};

    #[test]
    fn three_pegs_have_the_computed_distances() {
        for discs in 1..=4 {
            let states: Vec<Vec<usize>> = (0..3usize.pow(discs))
                .map(|code| (0..discs).map(|disc| code / 3usize.pow(disc) % 3).collect())
                .collect();
            for start in &states {
                for goal in &states {
                    let pack =
                        |state: &[usize]| state.iter().fold(0, |packed, &peg| packed << 2 | peg as u64);
                    let space = States { discs: discs as usize, pegs: 3, ends: [pack(start), pack(goal)] };
                    let Outcome::Path(path) = search(&space, 100, 1000).outcome else { panic!("no path") };
                    assert_eq!(path.len() as u64 - 1, distance(start, goal), "{start:?} {goal:?}");
                }
            }
        }
        assert_eq!(distance(&[0; 20], &[2; 20]), (1 << 20) - 1);
    }
}
