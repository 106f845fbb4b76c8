//! The last moves of phase 1: all strings of turns of cost [`TAIL`] that lead into H, by the coset that they begin in.
//!
//! The last levels of phase 1 have as many nodes as all others, and each reads the entries of fifteen children, of which
//! one or two remain. Few cosets are so near to H, some 90,000 of two billion, so the strings that begin in each are listed
//! once: 8 MB for half turns. A node with [`TAIL`] moves left then takes one lookup, and each solution of phase 1 one
//! product of permutations of the corners, which already shows that most cannot be continued.

use super::coordinates::{Outer, OuterMoves, Places, is_inner, may_follow};
use crate::cube::{Cube, Turn};
use crate::metric::Metric;
use crate::pdb::coset::{FLIPS, SLICES};

/// The cost of a tail.
pub(super) const TAIL: u32 = 5;

/// A string of turns into H. The last turn is not of H, and no coset on the way is H itself.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tail {
    turns: [Turn; TAIL as usize],
    count: u8,
    /// Whether the list of the coset ends here.
    is_last: bool,
    /// The permutation by all turns.
    pub corners: [u8; 8],
}

impl Tail {
    /// The turns, in order.
    pub(super) fn turns(&self) -> &[Turn] {
        &self.turns[TAIL as usize - usize::from(self.count)..]
    }
}

/// The tails of all cosets.
#[derive(Debug)]
pub(super) struct Tails {
    /// By the hash of the coset: its number, and the first of its tails.
    slots: Vec<(u32, u32)>,
    tails: Vec<Tail>,
}

/// The start of an empty slot.
const NONE: u32 = u32::MAX;

/// The number of a coset.
#[inline(always)]
fn number(at: Outer) -> u32 {
    (u32::from(at.twist) * SLICES as u32 + u32::from(at.slice)) * FLIPS as u32 + u32::from(at.flip)
}

impl Tails {
    pub(super) fn new(metric: Metric, moves: &OuterMoves) -> Tails {
        let home = Outer::of(&Cube::SOLVED);
        let mut list = Vec::new();
        let end = Tail {
            turns: [Turn::from_index(0); TAIL as usize],
            count: 0,
            is_last: false,
            corners: Places::of(&Cube::SOLVED).corners_after_all(&[]),
        };
        let mut stack = vec![(home, end, TAIL)];
        // From the end: a turn is put before those of a shorter string.
        while let Some((at, tail, left)) = stack.pop() {
            if left == 0 {
                list.push((number(at), tail));
                continue;
            }
            if at == home && left < TAIL {
                continue;
            }
            for turn in Turn::all() {
                let Some(left) = left.checked_sub(metric.length(turn)) else { continue };
                let is_allowed = match tail.turns().first() {
                    None => !is_inner(turn),
                    Some(&next) => may_follow(turn.face().index(), next),
                };
                if is_allowed {
                    let mut longer = tail;
                    longer.count += 1;
                    longer.turns[TAIL as usize - usize::from(longer.count)] = turn;
                    stack.push((moves.after(at, turn.inverse()), longer, left));
                }
            }
        }
        list.sort_by_key(|&(number, tail)| (number, tail.turns));
        let cosets = list.chunk_by(|a, b| a.0 == b.0).count();
        let mut slots = vec![(0, NONE); (2 * cosets).next_power_of_two()];
        let turns = Turn::all().map(|turn| Places::of(Cube::of_turn(turn))).collect::<Vec<_>>();
        let mut tails = Vec::with_capacity(list.len());
        for of_coset in list.chunk_by(|a, b| a.0 == b.0) {
            let number = of_coset[0].0;
            let mut slot = slot_of(number, slots.len());
            while slots[slot].1 != NONE {
                slot = (slot + 1) % slots.len();
            }
            slots[slot] = (number, tails.len() as u32);
            for (i, (_, tail)) in of_coset.iter().enumerate() {
                let all: Vec<Places> = tail.turns().iter().map(|turn| turns[turn.index()]).collect();
                let corners = Places::of(&Cube::SOLVED).corners_after_all(&all);
                tails.push(Tail { corners, is_last: i + 1 == of_coset.len(), ..*tail });
            }
        }
        Tails { slots, tails }
    }

    /// The tails that begin in a coset.
    #[inline(always)]
    pub(super) fn of(&self, at: Outer) -> impl Iterator<Item = &Tail> {
        let number = number(at);
        let mut slot = slot_of(number, self.slots.len());
        let start = loop {
            let (found, start) = self.slots[slot];
            if found == number || start == NONE {
                break start;
            }
            slot = (slot + 1) % self.slots.len();
        };
        let from = self.tails.get(start as usize..).unwrap_or_default();
        let mut is_over = false;
        from.iter().take_while(move |tail| !std::mem::replace(&mut is_over, tail.is_last))
    }
}

/// The first slot of a coset, where there is a power of two of them.
#[inline(always)]
fn slot_of(number: u32, slots: usize) -> usize {
    (number.wrapping_mul(0x9e37_79b1) >> (32 - slots.trailing_zeros())) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares the tails of each coset near H with all strings of turns.
    #[test]
    fn tails_are_all_strings_into_the_subgroup() {
        let moves = OuterMoves::new();
        let home = Outer::of(&Cube::SOLVED);
        for metric in [Metric::Htm, Metric::Qtm] {
            let tails = Tails::new(metric, &moves);
            for scramble in [
                &[1usize, 3, 6, 0][..],
                &[3, 0, 5, 15, 12],
                &[3, 9, 7, 6, 4],
                &[6],
                &[],
                &[3, 6, 0, 15, 3, 6],
            ] {
                let at = scramble.iter().fold(home, |at, &i| moves.after(at, Turn::from_index(i)));
                let mut strings = Vec::new();
                let mut stack = vec![(at, Vec::<Turn>::new(), TAIL)];
                while let Some((at, turns, left)) = stack.pop() {
                    if left == 0 {
                        if at == home && !is_inner(*turns.last().unwrap()) {
                            strings.push(turns);
                        }
                        continue;
                    }
                    if at == home && left < TAIL {
                        continue;
                    }
                    let last = turns.last().map_or(6, |turn| turn.face().index());
                    for turn in Turn::all().filter(|&turn| may_follow(last, turn)) {
                        if let Some(left) = left.checked_sub(metric.length(turn)) {
                            stack.push((moves.after(at, turn), [&turns[..], &[turn]].concat(), left));
                        }
                    }
                }
                strings.sort();
                let found: Vec<Vec<Turn>> = tails.of(at).map(|tail| tail.turns().to_vec()).collect();
                assert_eq!(found, strings, "{metric:?} {scramble:?}");
            }
        }
    }
}
