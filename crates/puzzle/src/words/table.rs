//! Short words for the elements of a chain of stabilizers.
//!
//! The idea (Minkwitz): the base is a list of points. An entry of level `i` is an element, with a word for it, that fixes the first
//! `i` base points and carries the next one to a certain point. Words are **sifted**: at each level whose base point a word moves, it
//! is kept if it is shorter than the entry for the same point, and the shorter one of the two is divided out of the longer one. What
//! remains fixes one more base point. The short words come first: all words of a few moves, then conjugates of those commutators
//! that move the fewest pieces, since the last levels need elements that move little. Random words fill the places that remain, and
//! products of entries replace what is long.
//!
//! Invariant: an entry's permutation is the effect of its word, and fixes the earlier base points. Once enough random elements in a
//! row have left nothing, the entries are a transversal of every level with a probability beyond doubt; a position that needs
//! a missing entry is reported as unsolved.
//!
//! Cost: limited by the number of entries that are divided out.
//!
//! Source: T. Minkwitz, "An algorithm for solving the factorization problem in permutation groups" (Journal of Symbolic
//! Computation 26, 1998).

use std::collections::{HashMap, HashSet};

use search_core::{Cancelled, Run};

use super::generators::{Generators, Permutation, inverse, then};
use crate::group::Uniform;

/// The number of words of a few moves.
const WORDS: usize = 50_000;
/// The number of pairs of words whose commutators are tried.
const PAIRS: usize = 400_000;
/// The number of commutators whose conjugates are sifted.
const COMMUTATORS: usize = 200;
/// The number of words by which each of them is conjugated.
const CONJUGATES: usize = 1_500;
/// The maximum length of a word of moves or of a conjugate after which its sifting ends.
const MOST_LENGTH: usize = 40;
/// The number of random words in a row that leave nothing before the entries count as complete.
const QUIET: usize = 40;
/// The maximum number of random words.
const MOST_RANDOM: usize = 5_000;
/// The number of moves of a random word.
const RANDOM_LENGTH: usize = 60;
/// The number of entries that one round of products divides out.
const ROUND: u64 = 1_000_000;
/// The maximum number of rounds of products.
const ROUNDS: usize = 4;
/// The number of entries for one point of a level.
const ALTERNATIVES: usize = 6;

/// An element that fixes earlier base points.
#[derive(Clone)]
pub(super) struct Entry {
    /// The inverse of the element.
    pub(super) back: Permutation,
    /// The element as a word.
    pub(super) word: Vec<u8>,
}

/// The entries of all levels.
pub(super) struct Table {
    pub(super) base: Vec<u16>,
    /// For each level and point, the entries that carry the base point there, shortest first.
    entries: Vec<Vec<Vec<Entry>>>,
    /// The number of entries that were divided out.
    work: u64,
}

impl Table {
    /// The entries for a base.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub(super) fn new(base: Vec<u16>, moves: &Generators, run: &Run<'_>) -> Result<Table, Cancelled> {
        let entries = vec![vec![Vec::new(); moves.degree()]; base.len()];
        let mut table = Table { base, entries, work: 0 };
        let words = words(moves, run)?;
        for (element, word) in &words {
            table.sift(moves, element.clone(), word.clone(), 0, MOST_LENGTH);
        }
        table.add_conjugates(moves, &words, run)?;
        drop(words);
        table.complete(moves, run)?;
        table.add_products(moves, run)?;
        Ok(table)
    }

    /// The entries of a level that carry its base point to `point`, shortest first.
    pub(super) fn entries(&self, level: usize, point: u16) -> &[Entry] {
        &self.entries[level][usize::from(point)]
    }

    /// Sifts an element that fixes the base points before the level `from`, until its word is longer than `limit`. Returns
    /// whether a point got its first entry.
    fn sift(
        &mut self,
        moves: &Generators,
        mut element: Permutation,
        mut word: Vec<u8>,
        from: usize,
        limit: usize,
    ) -> bool {
        for level in from..self.base.len() {
            let base = usize::from(self.base[level]);
            let at = usize::from(element[base]);
            if at == base {
                continue;
            }
            if word.len() > limit {
                return false;
            }
            self.work += 1;
            let best = self.entries[level][at].first().cloned();
            let is_shorter = best.as_ref().is_none_or(|best| word.len() < best.word.len());
            self.add(level, inverse(&element), &word);
            if is_shorter {
                let mut undone = Vec::with_capacity(word.len());
                moves.undo(&mut undone, &word);
                self.add(level, element.clone(), &undone);
            }
            let Some(best) = best else { return true };
            element.iter_mut().for_each(|image| *image = best.back[usize::from(*image)]);
            moves.undo(&mut word, &best.word);
        }
        false
    }

    /// Adds an entry, unless those for its point are shorter.
    fn add(&mut self, level: usize, back: Permutation, word: &[u8]) {
        let base = self.base[level];
        // The point that the inverse carries to the base point.
        let point = back.iter().position(|&image| image == base).expect("a permutation");
        let entries = &mut self.entries[level][point];
        let at = entries.partition_point(|entry| entry.word.len() <= word.len());
        if at == ALTERNATIVES || entries[..at].iter().any(|entry| entry.back == back) {
            return;
        }
        entries.retain(|entry| entry.back != back);
        entries.insert(at, Entry { back, word: word.to_vec() });
        entries.truncate(ALTERNATIVES);
    }

    /// The number of pieces that an element moves.
    fn moved(&self, element: &[u16]) -> usize {
        self.base.iter().filter(|&&base| element[usize::from(base)] != base).count()
    }

    /// Sifts conjugates of the commutators that move the fewest pieces.
    fn add_conjugates(
        &mut self,
        moves: &Generators,
        words: &[(Permutation, Vec<u8>)],
        run: &Run<'_>,
    ) -> Result<(), Cancelled> {
        let singles = &words[..words.len().min(moves.count())];
        let firsts = &words[..words.len().min(PAIRS / singles.len().max(1))];
        let most = self.base.len() / 4 + 2;
        let mut commutators: HashMap<Permutation, Vec<u8>> = HashMap::new();
        for (first, first_word) in firsts {
            run.check()?;
            let back = inverse(first);
            for (single, single_word) in singles {
                let mut commutator = then(&then(first, single), &back);
                let undone = inverse(single);
                commutator.iter_mut().for_each(|image| *image = undone[usize::from(*image)]);
                if !(1..=most).contains(&self.moved(&commutator)) {
                    continue;
                }
                let mut word = first_word.clone();
                moves.append(&mut word, single_word);
                moves.undo(&mut word, first_word);
                moves.undo(&mut word, single_word);
                let known = commutators.entry(commutator).or_insert_with(|| word.clone());
                if word.len() < known.len() {
                    *known = word;
                }
            }
        }
        let mut all: Vec<_> = commutators.into_iter().collect();
        all.sort_by_cached_key(|(element, word)| (4 * self.moved(element) + word.len(), word.clone()));
        all.truncate(COMMUTATORS);
        for (element, word) in &all {
            run.check()?;
            for (by, by_word) in &words[..words.len().min(CONJUGATES)] {
                let mut conjugate_word = by_word.clone();
                moves.append(&mut conjugate_word, word);
                moves.undo(&mut conjugate_word, by_word);
                let mut conjugate = then(by, element);
                let back = inverse(by);
                conjugate.iter_mut().for_each(|image| *image = back[usize::from(*image)]);
                self.sift(moves, conjugate, conjugate_word, 0, MOST_LENGTH);
            }
        }
        Ok(())
    }

    /// Sifts random words until nothing is missing.
    fn complete(&mut self, moves: &Generators, run: &Run<'_>) -> Result<(), Cancelled> {
        let (mut random, mut quiet) = (Uniform::new(0), 0);
        for _ in 0..MOST_RANDOM {
            run.check()?;
            let mut word = Vec::with_capacity(RANDOM_LENGTH);
            for _ in 0..RANDOM_LENGTH {
                // At most 64 moves.
                moves.push(&mut word, random.below(moves.count()) as u8);
            }
            let has_added = self.sift(moves, moves.product(&word), word, 0, usize::MAX);
            quiet = if has_added { 0 } else { quiet + 1 };
            if quiet == QUIET {
                break;
            }
        }
        Ok(())
    }

    /// Sifts products of two entries of a level, from the last level to the first, as long as words become shorter.
    fn add_products(&mut self, moves: &Generators, run: &Run<'_>) -> Result<(), Cancelled> {
        let mut longest = vec![0; self.base.len() + 1];
        for _ in 0..ROUNDS {
            let (begun, before) = (self.work, self.length());
            for level in (0..self.base.len()).rev() {
                run.check()?;
                let best: Vec<Entry> =
                    self.entries[level].iter().filter_map(|of| of.first()).cloned().collect();
                let own = best.iter().map(|entry| entry.word.len()).max().unwrap_or(0);
                longest[level] = own.max(longest[level + 1]);
                for first in &best {
                    let element = inverse(&first.back);
                    for next in &best {
                        if first.word.len() + next.word.len() > longest[level] + 4 {
                            continue;
                        }
                        let mut word = first.word.clone();
                        moves.append(&mut word, &next.word);
                        self.sift(moves, then(&element, &inverse(&next.back)), word, level, longest[level]);
                    }
                }
                if self.work > begun + ROUND {
                    break;
                }
            }
            if self.length() == before {
                break;
            }
        }
        Ok(())
    }

    /// The sum of the lengths of the shortest words.
    fn length(&self) -> usize {
        let best = self.entries.iter().flatten().filter_map(|of| of.first());
        best.map(|entry| entry.word.len()).sum()
    }
}

/// Words for different elements other than the identity, the shortest ones.
fn words(moves: &Generators, run: &Run<'_>) -> Result<Vec<(Permutation, Vec<u8>)>, Cancelled> {
    let identity: Permutation = (0..moves.degree() as u16).collect();
    let mut seen = HashSet::from([identity.clone()]);
    let mut all = vec![(identity, Vec::new())];
    let mut at = 0;
    while at < all.len() && all.len() < WORDS {
        run.check()?;
        let (element, word) = all[at].clone();
        at += 1;
        for number in 0..moves.count() as u8 {
            if word.last().is_some_and(|&last| moves.are_joined(last, number)) {
                continue;
            }
            let next = then(&element, &moves.steps[usize::from(number)]);
            if seen.insert(next.clone()) {
                all.push((next, [&word[..], &[number]].concat()));
            }
        }
    }
    all.remove(0);
    Ok(all)
}
