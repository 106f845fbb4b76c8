//! Sets of flips as rows of bits, rearranged as turns and symmetries rearrange the edges: many rows at a time.
//!
//! The cosets with given corners and slices differ in their flips alone. A set of them is a row of 2,048 bits, one for
//! each combination of the flips of the first eleven locations; the last one is implied, since the number of flips is
//! even. A turn or a symmetry moves the edges of all these cosets alike. So it permutes the numbers of the bits, seen
//! as binary numbers, digit by digit: the new flip of a location is the old one of another location. (It may also
//! change the flip of a location for the whole row: an exclusive or on the numbers, [`flip`].) A row is thus
//! rearranged in some hundred instructions, where its cosets would take some twenty each.
//!
//! The lowest six digits are the place of a bit in a word, the others the number of the word. Digits are exchanged
//! in pairs by shifts and masks; an exchange of digits of word numbers costs nothing, since it only renames words.
//! Flips that the table does not keep are dropped as soon as possible: the two halves of the row are combined, and
//! less remains to be rearranged.
//!
//! The implied flip: if a kept flip comes from the last location, it is the parity of the eleven digits. The digits
//! that are dropped are then combined to one digit, their sum, and where the sum of all other digits is odd, the two
//! halves of the row are exchanged: this digit becomes the parity of all.
//!
//! Source of the exchanges: D. E. Knuth, The Art of Computer Programming 4A, section 7.1.3 (delta swaps).

use super::MOST_FLIPS;

/// The number of rows that are rearranged together, so many that each loop over them is compiled to vector
/// instructions.
pub(super) const ROWS: usize = 32;
/// The number of words in a row of all flips.
pub(super) const WORDS: usize = 1 << (MOST_FLIPS as usize - IN_WORD);
/// The number of digits within a word.
const IN_WORD: usize = 6;
/// The least number of kept flips: the implied flip needs a digit of word numbers.
pub(super) const FEWEST_FLIPS: u8 = IN_WORD as u8 + 1;
/// The location of the implied flip.
const LAST: u8 = MOST_FLIPS;
/// For each digit within a word, the bits whose digit is 0.
const CLEAR: [u64; IN_WORD] = [
    0x5555_5555_5555_5555,
    0x3333_3333_3333_3333,
    0x0f0f_0f0f_0f0f_0f0f,
    0x00ff_00ff_00ff_00ff,
    0x0000_ffff_0000_ffff,
    0x0000_0000_ffff_ffff,
];
/// The bits of a word whose digits have an odd sum.
const ODD: u64 = 0x6996_9669_9669_6996;

/// Words of several rows: first those with number 0, one for each row.
pub(super) type Numbered = [[u64; ROWS]; WORDS];

/// A step of a rearrangement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// Exchanges two digits within words, the lower one first.
    Within(u8, u8),
    /// Exchanges a digit within words and one of word numbers.
    Across(u8, u8),
    /// Drops a digit of word numbers.
    Drop(u8),
    /// Replaces two digits of word numbers by their sum: drops the second one, which is the higher.
    Add(u8, u8),
    /// Replaces a digit of word numbers by the sum of all digits.
    Parity(u8),
}

/// How the flips of a set of rows are rearranged.
#[derive(Clone, Debug)]
pub(super) struct Rearrangement {
    steps: Vec<Step>,
    /// The number, in the result, of each word that the steps leave.
    numbers: Vec<u8>,
}

impl Rearrangement {
    /// The rearrangement to the first `kept` flips, where flip `i` is the old flip of location `from[i]`.
    ///
    /// # Panics
    /// If fewer than [`FEWEST_FLIPS`] or more than `MOST_FLIPS` are kept.
    pub(crate) fn new(from: &[u8; 12], kept: u8) -> Rearrangement {
        assert!((FEWEST_FLIPS..=MOST_FLIPS).contains(&kept), "rows have whole words");
        let (kept, dropped) = from.split_at(kept.into());
        let mut planned = Planned { digits: (0..MOST_FLIPS).collect(), steps: Vec::new() };
        planned.drop_all(dropped, kept);
        for (at, &location) in kept[..IN_WORD].iter().enumerate() {
            planned.exchange(at, planned.digit_of(location));
        }
        let digits: Vec<usize> = kept[IN_WORD..].iter().map(|at| planned.digit_of(*at) - IN_WORD).collect();
        let number =
            |word: usize| digits.iter().rev().fold(0, |number, at| 2 * number + (word >> at & 1) as u8);
        let numbers = (0..1 << digits.len()).map(number).collect();
        Rearrangement { steps: planned.steps, numbers }
    }

    /// The number, in the result, of each word that [`apply`](Rearrangement::apply) leaves.
    #[inline(always)]
    pub(crate) fn numbers(&self) -> &[u8] {
        &self.numbers
    }

    /// Rearranges rows, up to the order of their words. The first words are the result.
    #[inline(always)]
    pub(crate) fn apply(&self, rows: &mut Numbered) {
        let mut count = WORDS;
        for step in &self.steps {
            let words = &mut rows[..count];
            match *step {
                Step::Within(low, high) => within(words, low, high),
                Step::Across(low, high) => across(words, low, high),
                Step::Drop(digit) => {
                    combine(words, digit, 0);
                    count /= 2;
                }
                Step::Add(digit, dropped) => {
                    combine(words, dropped, 1 << digit);
                    count /= 2;
                }
                Step::Parity(digit) => parity(words, digit),
            }
        }
    }
}

/// A rearrangement that is being planned.
struct Planned {
    /// The location whose flip each digit has; those within words first.
    digits: Vec<u8>,
    steps: Vec<Step>,
}

impl Planned {
    /// The digit that has the flip of a location.
    fn digit_of(&self, location: u8) -> usize {
        self.digits.iter().position(|at| *at == location).expect("the flip was not dropped")
    }

    /// Exchanges two digits, the first of them within words.
    fn exchange(&mut self, low: usize, other: usize) {
        if low == other {
            return;
        }
        let (first, second) = (low.min(other) as u8, low.max(other) as u8);
        self.steps.push(match second.checked_sub(IN_WORD as u8) {
            None => Step::Within(first, second),
            Some(high) => Step::Across(first, high),
        });
        self.digits.swap(low, other);
    }

    /// Drops the flips of some locations. If that of the last location is `kept`, a digit gets it.
    fn drop_all(&mut self, dropped: &[u8], kept: &[u8]) {
        let mut rest: Vec<u8> = dropped.iter().copied().filter(|location| *location != LAST).collect();
        // Digits of word numbers first: each halves the work of the others. The order of the rest is irrelevant.
        rest.sort_by_key(|location| self.digit_of(*location) < IN_WORD);
        let mut sum = None;
        for location in rest {
            let digit = self.digit_of(location);
            if digit < IN_WORD {
                self.exchange(digit, self.replacement(digit, sum, kept));
            }
            let digit = self.digit_of(location);
            match sum {
                None if kept.contains(&LAST) => sum = Some(location),
                None => {
                    self.steps.push(Step::Drop((digit - IN_WORD) as u8));
                    self.digits.remove(digit);
                }
                Some(other) => {
                    // The lower digit keeps the sum.
                    let other = self.digit_of(other);
                    let (low, high) = (digit.min(other), digit.max(other));
                    self.steps.push(Step::Add((low - IN_WORD) as u8, (high - IN_WORD) as u8));
                    self.digits[low] = location;
                    self.digits.remove(high);
                    sum = Some(location);
                }
            }
        }
        if let Some(location) = sum {
            let digit = self.digit_of(location);
            self.steps.push(Step::Parity((digit - IN_WORD) as u8));
            self.digits[digit] = LAST;
        }
    }

    /// The digit of word numbers to exchange with a digit within words that is to be dropped: the one that belongs
    /// there, if possible. There is one: all other digits of word numbers that are dropped are gone, except `sum`.
    fn replacement(&self, digit: usize, sum: Option<u8>, kept: &[u8]) -> usize {
        let numbers = IN_WORD..self.digits.len();
        let belongs = numbers.clone().find(|at| self.digits[*at] == kept[digit]);
        belongs.or_else(|| numbers.clone().find(|at| Some(self.digits[*at]) != sum)).expect("one is kept")
    }
}

/// Exchanges two digits within words.
#[inline(always)]
fn within(words: &mut [[u64; ROWS]], low: u8, high: u8) {
    let shift = (1u32 << high) - (1 << low);
    let mask = !CLEAR[usize::from(low) % IN_WORD] & CLEAR[usize::from(high) % IN_WORD];
    for word in words {
        for row in 0..ROWS {
            let bits = word[row];
            let change = (bits ^ bits >> shift) & mask;
            word[row] = bits ^ change ^ change << shift;
        }
    }
}

/// Exchanges a digit within words and one of word numbers.
#[inline(always)]
fn across(words: &mut [[u64; ROWS]], low: u8, high: u8) {
    let (shift, mask) = (1u32 << low, CLEAR[usize::from(low) % IN_WORD]);
    for both in words.chunks_exact_mut(2 << high) {
        let (clear, set) = both.split_at_mut(1 << high);
        for (clear, set) in clear.iter_mut().zip(set) {
            for row in 0..ROWS {
                let change = (clear[row] >> shift ^ set[row]) & mask;
                set[row] ^= change;
                clear[row] ^= change << shift;
            }
        }
    }
}

/// Drops a digit of word numbers: combines each word with the one whose number differs in this digit, and in those of
/// `others`, which are lower. The words that remain are the first ones.
#[inline(always)]
fn combine(words: &mut [[u64; ROWS]], digit: u8, others: usize) {
    let below = (1 << digit) - 1;
    for at in 0..words.len() / 2 {
        // Neither word was overwritten: their numbers are at least `at`.
        let number = at & below | (at & !below) << 1;
        let (one, other) = (words[number], words[number ^ others | 1 << digit]);
        for row in 0..ROWS {
            words[at][row] = one[row] | other[row];
        }
    }
}

/// Replaces a digit of word numbers by the sum of all digits: exchanges the bits whose other digits have an odd sum.
#[inline(always)]
fn parity(words: &mut [[u64; ROWS]], digit: u8) {
    let mut number = 0u32;
    for both in words.chunks_exact_mut(2 << digit) {
        let (clear, set) = both.split_at_mut(1 << digit);
        for (clear, set) in clear.iter_mut().zip(set) {
            let mask = ODD ^ u64::from(number.count_ones() & 1).wrapping_neg();
            number += 1;
            for row in 0..ROWS {
                let change = (clear[row] ^ set[row]) & mask;
                clear[row] ^= change;
                set[row] ^= change;
            }
        }
    }
}

/// Applies an exclusive or to the numbers of the bits within words, of each row with its own six digits.
#[inline(always)]
pub(super) fn flip(words: &mut [[u64; ROWS]], digits: &[u64; ROWS]) {
    let any = digits.iter().fold(0, |any, digits| any | digits);
    for (digit, clear) in CLEAR.iter().enumerate() {
        // Rows of neighbouring ranks have equal slices in half of the locations, so this is easy to predict.
        if any >> digit & 1 == 0 {
            continue;
        }
        let mut shifts = [0; ROWS];
        for row in 0..ROWS {
            shifts[row] = digits[row] & 1 << digit;
        }
        for word in &mut *words {
            for row in 0..ROWS {
                let bits = word[row];
                word[row] = bits >> shifts[row] & clear | bits << shifts[row] & !clear;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::common;
    use chacha20::rand_core::Rng;

    /// The flips of twelve locations, from those of the first eleven.
    fn all_flips(flips: usize) -> usize {
        flips | (flips.count_ones() as usize & 1) << LAST
    }

    /// A row whose bits are rearranged one by one.
    fn plain(row: &[bool], from: &[u8; 12], kept: u8, changed: usize) -> Vec<bool> {
        let mut result = vec![false; 1 << kept];
        for (flips, _) in row.iter().enumerate().filter(|(_, is_set)| **is_set) {
            let old = all_flips(flips);
            let new: usize = (0..usize::from(kept)).map(|i| (old >> from[i] & 1) << i).sum();
            result[new ^ changed & ((1 << kept) - 1)] = true;
        }
        result
    }

    #[test]
    fn rows_are_rearranged_like_single_cosets() {
        let rng = &mut common::rng(12);
        let mut steps = Vec::new();
        for round in 0..600 {
            let kept = FEWEST_FLIPS + (round % 5) as u8;
            let mut from: [u8; 12] = std::array::from_fn(|i| i as u8);
            // Few exchanges at first.
            for at in 1..12.min(1 + round / 5) {
                from.swap(at, common::below(rng, at + 1));
            }
            let mut rows = [[0; ROWS]; WORDS];
            for word in rows.iter_mut().flatten() {
                *word = rng.next_u64() & rng.next_u64() & rng.next_u64() & rng.next_u64();
            }
            let is_set = |row: usize| -> Vec<bool> {
                (0..1 << MOST_FLIPS).map(|flips| rows[flips / 64][row] >> (flips % 64) & 1 == 1).collect()
            };
            let plain_rows: Vec<Vec<bool>> = (0..ROWS).map(is_set).collect();
            let rearrangement = Rearrangement::new(&from, kept);
            let words = rearrangement.numbers().len();
            assert_eq!(words, 1 << (kept - 6));
            let changed: [u64; ROWS] = std::array::from_fn(|_| rng.next_u64() & 4095);
            rearrangement.apply(&mut rows);
            flip(&mut rows[..words], &changed);
            for row in 0..ROWS {
                let expected = plain(&plain_rows[row], &from, kept, changed[row] as usize);
                let mut found = vec![false; 1 << kept];
                for (word, number) in rows.iter().zip(rearrangement.numbers()) {
                    let number = usize::from(*number) ^ changed[row] as usize >> 6 & (words - 1);
                    (0..64).for_each(|bit| found[64 * number + bit] = word[row] >> bit & 1 == 1);
                }
                assert!(found == expected, "{from:?}, {kept} kept: {rearrangement:?}");
            }
            steps.extend(rearrangement.steps);
        }
        // All kinds of steps were seen.
        let kinds: std::collections::HashSet<_> = steps.iter().map(std::mem::discriminant).collect();
        assert_eq!(kinds.len(), 5);
    }
}
