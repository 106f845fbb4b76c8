//! Arrangements of pieces in slots, numbered.
//!
//! The idea: an arrangement is a word of four bits a slot, the kind of its piece. All arrangements are listed in ascending
//! order, and the number of one is its place in the list. A permutation of the slots is a product of exchanges of neighbours, so
//! arrangements are searched in the list for these alone, and the maps of all other permutations are composed.

use std::sync::OnceLock;

use crate::coordinate::MOST_STATES;

/// The maximum number of slots, and of kinds.
const MOST_SLOTS: usize = 16;

/// All arrangements of some pieces.
#[derive(Clone, Debug)]
pub(super) struct Arrangements {
    slots: usize,
    words: Vec<u64>,
    /// The number of the solved arrangement.
    pub solved: u16,
    /// For each slot but the last, the arrangements in which its piece is exchanged with that of the next.
    exchanged: OnceLock<Vec<Vec<u16>>>,
}

fn word(kinds: impl Iterator<Item = u8>) -> u64 {
    kinds.fold(0, |word, kind| word << 4 | u64::from(kind))
}

fn number(at: usize) -> u16 {
    u16::try_from(at).expect("at most MOST_STATES arrangements")
}

impl Arrangements {
    /// The arrangements of pieces of these kinds, in the order of the slots when they are solved; `None` if there are too many.
    pub(super) fn new(solved: &[u8]) -> Option<Arrangements> {
        let kinds = solved.iter().max().map_or(0, |&most| usize::from(most) + 1);
        if solved.len() > MOST_SLOTS || kinds > MOST_SLOTS {
            return None;
        }
        let mut left = vec![0usize; kinds];
        solved.iter().for_each(|&kind| left[usize::from(kind)] += 1);
        let mut words = vec![0u64];
        let mut lefts = vec![left];
        for _ in solved {
            let (mut longer, mut longer_lefts) = (Vec::new(), Vec::new());
            for (word, left) in words.iter().zip(&lefts) {
                for kind in (0..kinds).filter(|&kind| left[kind] > 0) {
                    longer.push(word << 4 | kind as u64);
                    let mut left = left.clone();
                    left[kind] -= 1;
                    longer_lefts.push(left);
                }
            }
            if longer.len() > MOST_STATES {
                return None;
            }
            (words, lefts) = (longer, longer_lefts);
        }
        let mut all = Arrangements { slots: solved.len(), words, solved: 0, exchanged: OnceLock::new() };
        all.solved = all.number(solved)?;
        Some(all)
    }

    /// The number of arrangements.
    pub(super) fn count(&self) -> usize {
        self.words.len()
    }

    /// The number of arrangements in which only the first kinds are distinguished.
    pub(super) fn count_of(&self, kinds: usize) -> f64 {
        let word = self.words[usize::from(self.solved)];
        let mut counts = vec![0usize; kinds + 1];
        (0..self.slots).for_each(|slot| counts[usize::from(self.kind(word, slot)).min(kinds)] += 1);
        let factorial = |count: usize| (1..=count).map(|factor| factor as f64).product::<f64>();
        factorial(self.slots) / counts.into_iter().map(factorial).product::<f64>()
    }

    /// The number of an arrangement; `None` if it has other pieces.
    pub(super) fn number(&self, kinds: &[u8]) -> Option<u16> {
        let at = self.words.binary_search(&word(kinds.iter().copied())).ok()?;
        u16::try_from(at).ok()
    }

    /// The kinds at the slots of an arrangement.
    pub(super) fn kinds(&self, number: usize) -> Vec<u8> {
        (0..self.slots).map(|slot| self.kind(self.words[number], slot)).collect()
    }

    fn kind(&self, word: u64, slot: usize) -> u8 {
        (word >> (4 * (self.slots - 1 - slot)) & 15) as u8
    }

    /// For each arrangement, the one in which each slot has the piece of the slot `from`.
    pub(super) fn moved(&self, from: &[u8]) -> Vec<u16> {
        let exchanged = self.exchanged.get_or_init(|| self.all_exchanged());
        // Exchanges that sort the slots lead back.
        let (mut slots, mut back) = (from.to_vec(), Vec::new());
        while let Some(at) = slots.windows(2).position(|pair| pair[0] > pair[1]) {
            slots.swap(at, at + 1);
            back.push(at);
        }
        let mut all: Vec<u16> = (0..self.count()).map(number).collect();
        for &at in back.iter().rev() {
            all.iter_mut().for_each(|number| *number = exchanged[at][usize::from(*number)]);
        }
        all
    }

    fn all_exchanged(&self) -> Vec<Vec<u16>> {
        let exchange = |at: usize| {
            let [high, low] = [at, at + 1].map(|slot| 4 * (self.slots - 1 - slot));
            let exchanged = |&of: &u64| {
                let both = (of >> high ^ of >> low) & 15;
                let to = of ^ (both << high | both << low);
                number(self.words.binary_search(&to).expect("the same pieces"))
            };
            self.words.iter().map(exchanged).collect()
        };
        (1..self.slots).map(|next| exchange(next - 1)).collect()
    }

    /// The arrangements in which only the first kinds are distinguished, and for each arrangement its projection.
    pub(super) fn projected(&self, kinds: usize) -> (Arrangements, Vec<u16>) {
        let other = u8::try_from(kinds).expect("at most 16 kinds");
        let project =
            |of: u64| -> Vec<u8> { (0..self.slots).map(|slot| self.kind(of, slot).min(other)).collect() };
        let solved = project(self.words[usize::from(self.solved)]);
        let all = Arrangements::new(&solved).expect("no more arrangements than of all kinds");
        let number = |&of: &u64| all.number(&project(of)).expect("an arrangement");
        let numbers = self.words.iter().map(number).collect();
        (all, numbers)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrangements_of_identical_pieces_are_counted_once() {
        for (solved, count) in [(vec![0, 1, 2, 3], 24), (vec![0, 1, 1, 2], 12), (vec![0, 0, 0], 1)] {
            let all = Arrangements::new(&solved).expect("few");
            assert_eq!((all.count(), all.number(&solved)), (count, Some(all.solved)));
            assert_eq!(all.number(&vec![9; solved.len()]), None);
        }
        assert!(Arrangements::new(&(0..9).collect::<Vec<u8>>()).is_none());
    }

    #[test]
    fn moves_and_projections_agree_with_slots() {
        let all = Arrangements::new(&[0, 1, 2, 3]).expect("few");
        let rotated = all.moved(&[3, 0, 1, 2]);
        assert_eq!(Some(rotated[usize::from(all.solved)]), all.number(&[3, 0, 1, 2]));
        let (few, numbers) = all.projected(2);
        assert_eq!((few.count(), all.count_of(2), all.count_of(1)), (12, 12.0, 4.0));
        assert_eq!(numbers[usize::from(all.solved)], few.solved);
        let of_few = few.moved(&[3, 0, 1, 2]);
        for (number, to) in rotated.iter().enumerate() {
            assert_eq!(of_few[usize::from(numbers[number])], numbers[usize::from(*to)]);
        }
        for from in [[0, 1, 2, 3], [3, 2, 1, 0], [1, 3, 0, 2]] {
            for all in [&all, &few] {
                for (number, to) in all.moved(&from).into_iter().enumerate() {
                    let kinds = all.kinds(number);
                    let plain: Vec<u8> = from.iter().map(|&slot| kinds[usize::from(slot)]).collect();
                    assert_eq!(Some(to), all.number(&plain));
                }
            }
        }
    }
}
