//! Fills a table of half-turn cosets by enumeration.
//!
//! The idea: an entry is a minimum over cosets that differ in flips that the table does not keep, so it does not
//! determine its neighbours, and no table of all cosets fits in memory. But the relevant distances are small:
//! nearly all entries are 9, 10 or more. So all strings of turns up to a depth are enumerated from the solved
//! cube, up to symmetry. The cosets at a small depth are *listed*, one for each class of 48 (`listed.rs`), and
//! all *endings*, strings of a few more turns, are appended to each.
//!
//! The strings are grouped by the class of twists and tetrads that they lead to. The part of the table for one class
//! is kept in a bitmap that fits in the second-level cache. An ending and the class after it determine the twists
//! and tetrads before it. The listed cosets that have these, up to a symmetry, are in one row, and the symmetry
//! and the ending together permute the edges in the same way for the whole row. So a string costs about twenty
//! instructions, and memory is read and written in rows.
//!
//! Invariant: the strings are enumerated by depth, so a reached entry holds its least depth. No coset is missed: one
//! at distance `d` is reached by a string of `d` turns, whose first `k` turns lead to an image of a listed coset at
//! depth `k`, since symmetries map strings to strings. If a symmetry preserves the twists and tetrads, it is applied
//! as well.
//!
//! A table of only some classes is filled in the same way, by the strings that lead to them.
//!
//! A fill is divided into runs of classes. An entry that is set twice at one depth gets the same value, so a run
//! that was interrupted is simply repeated.
//!
//! Cost: strings of the greatest depth dominate. Memory: the table, 10 MB for the listed cosets, and for each
//! thread one bit per entry of a run of classes.

use super::endings::{Appending, Endings, Listed};
use super::listed::{listed, listed_depth};
use super::{SLICES, Square, entries_of};
use crate::lanes::Lanes;
use crate::metric::Metric;
use rayon::prelude::*;
use search_core::Run;
use search_core::clock::Instant;
use search_core::memory::Memory;
use search_core::table::{Built, FileError, Unfinished};
use std::ops::{Range, RangeInclusive};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

pub(crate) use super::listed::strings;

/// A byte of entries that have not been reached.
const UNREACHED: u8 = 0xff;

/// The classes that a fill covers, the depths that it enumerates, and the values and entries that represent them.
#[derive(Clone, Debug)]
pub(crate) struct FillSpec {
    /// The classes of twists and tetrads: all of them, or those of a [`Half`](super::Half).
    pub classes: Range<usize>,
    /// The binary logarithm of the number of cosets that share an entry.
    pub group: u32,
    /// The depth that is written as 0, as are all smaller ones.
    pub base: u32,
    /// The greatest depth that is written. Deeper entries remain unreached.
    pub depth: u32,
}

impl FillSpec {
    /// The depths that are written as `value`.
    fn depths(&self, value: u32) -> RangeInclusive<u32> {
        let first = if value == 0 { 0 } else { self.base + value };
        first..=self.base + value
    }
}

/// Fills a table of entries of `BITS` bits.
///
/// # Errors
/// If it is cancelled, or memory is insufficient.
pub(crate) fn fill<V: Lanes, const BITS: u32>(
    square: &Square<V>,
    metric: Metric,
    spec: FillSpec,
    unfinished: &Unfinished,
    run: &Run<'_>,
) -> Result<Built, FileError> {
    let work = run.install(|| FillWork::<V, BITS>::new(square, metric, spec, listed_depth(metric)));
    work.fill(unfinished, run)
}

/// A fill, divided into runs of classes. The part of the table for a run consists of whole words of 64 bits.
struct FillWork<'a, V: Lanes, const BITS: u32> {
    square: &'a Square<V>,
    spec: FillSpec,
    appending: Appending<'a, V>,
    /// The listed cosets by depth.
    listed: Vec<Listed<V>>,
    /// The endings by the number of turns.
    endings: Vec<Endings<V>>,
    /// The number of classes in a run; the last run may have fewer.
    run_classes: usize,
    /// The number of entries in a run.
    run_entries: u64,
}

impl<'a, V: Lanes, const BITS: u32> FillWork<'a, V, BITS> {
    fn new(
        square: &'a Square<V>,
        metric: Metric,
        spec: FillSpec,
        listed_depth: u32,
    ) -> FillWork<'a, V, BITS> {
        let layers = listed::<V>(metric, spec.depth.min(listed_depth));
        let listed = layers.iter().map(|layer| Listed::new(square, layer)).collect();
        let turns = spec.depth.saturating_sub(listed_depth);
        let endings = (0..=turns).map(|turns| Endings::new(metric, turns)).collect();
        // The number of cosets in a class is an odd multiple of this power of two.
        let twos = u32::from(square.flips) + SLICES.trailing_zeros();
        let run_classes = 1 << (spec.group + (64 / BITS).ilog2()).saturating_sub(twos);
        let run_entries = ((run_classes * SLICES) as u64) << square.flips >> spec.group;
        let appending = Appending::new(square);
        FillWork { square, spec, appending, listed, endings, run_classes, run_entries }
    }

    fn runs(&self) -> usize {
        self.spec.classes.len().div_ceil(self.run_classes)
    }

    fn run_bytes(&self) -> usize {
        (self.run_entries * u64::from(BITS) / 8) as usize
    }

    /// Fills the table.
    fn fill(&self, unfinished: &Unfinished, run: &Run<'_>) -> Result<Built, FileError> {
        let runs = self.runs();
        let values = (self.spec.depth - self.spec.base) as usize + 1;
        let (mut body, begin) = match unfinished.resume((values * runs) as u32, run)? {
            Some(taken) => taken,
            None => {
                let entries =
                    entries_of(self.spec.classes.len(), self.square.flips).div_ceil(1 << self.spec.group);
                let bytes = usize::try_from((entries * u64::from(BITS)).div_ceil(8));
                (unreached(bytes.unwrap_or(usize::MAX), run)?, 0)
            }
        };
        for value in begin as usize / runs..values {
            let mut done = (begin as usize).saturating_sub(value * runs);
            let what = format!("depth {}", self.spec.base as usize + value);
            run.progress().begin(&what, runs as u64);
            let finished = AtomicU64::new(done as u64);
            while done < runs {
                let due = unfinished.due();
                let parts = Mutex::new(body.chunks_mut(self.run_bytes()).enumerate().skip(done));
                let next = || parts.lock().expect("no thread panics while it takes a part").next();
                run.each(|| {
                    let mut seen = vec![0; self.run_entries.div_ceil(64) as usize];
                    while !run.is_cancelled() {
                        let Some((number, part)) = next() else { break };
                        V::run(
                            #[inline(always)]
                            || self.run(number, value as u32, part, &mut seen),
                        );
                        run.progress().update(finished.fetch_add(1, Ordering::Relaxed) + 1);
                        if due.is_some_and(|due| Instant::now() >= due) {
                            break;
                        }
                    }
                });
                // Every part that a thread took was finished.
                done = next().map_or(runs, |(number, _)| number);
                if unfinished.is_due(run) {
                    run.progress().end();
                    unfinished.keep(&body, (value * runs + done) as u32, run);
                    run.progress().begin(&what, runs as u64);
                }
                run.check()?;
            }
            run.progress().end();
        }
        Ok(Built { body, depth: self.spec.depth })
    }

    /// Sets the entries of a run that are reached by strings of the depths of `value`. `part` is the run's part of the
    /// table; `seen` has one bit for each entry of the run, all clear before and after.
    #[inline(always)]
    fn run(&self, run: usize, value: u32, part: &mut [u8], seen: &mut [u64]) {
        let (flips, group) = (self.square.flips, self.spec.group);
        let Range { start, end } = self.spec.classes;
        let classes = start + run * self.run_classes..end.min(start + (run + 1) * self.run_classes);
        // The first coset of a run begins a new entry.
        let first = entries_of(classes.start, flips) >> group;
        for depth in self.spec.depths(value) {
            let at = self.listed.len().min(depth as usize + 1) - 1;
            let (listed, endings) = (&self.listed[at], &self.endings[depth as usize - at]);
            for class in classes.clone() {
                let of_class = ((class * SLICES) as u64) << flips;
                self.appending.each_of_class(
                    class,
                    listed,
                    endings,
                    #[inline(always)]
                    |coset| {
                        let entry = ((of_class + coset) >> group) - first;
                        seen[(entry / 64) as usize] |= 1 << (entry % 64);
                    },
                );
            }
        }
        lower::<BITS>(part, seen, value as u8);
        seen.fill(0);
    }
}

/// A table without reached entries.
fn unreached(bytes: usize, run: &Run<'_>) -> Result<Memory, FileError> {
    let mut body = Memory::zeroed(bytes)?;
    run.install(|| body.par_chunks_mut(1 << 20).for_each(|piece| piece.fill(UNREACHED)));
    Ok(body)
}

/// Sets the entries that are in `seen` to `value`, unless they were reached before.
#[inline(always)]
fn lower<const BITS: u32>(table: &mut [u8], seen: &[u64], value: u8) {
    let change = u64::from(UNREACHED >> (8 - BITS) ^ value);
    let in_a_word = 64 / BITS as usize;
    for (at, bytes) in (0..).step_by(in_a_word).zip(table.chunks_mut(8)) {
        let mut word = [UNREACHED; 8];
        word[..bytes.len()].copy_from_slice(bytes);
        let word = u64::from_le_bytes(word);
        let unreached = (1..BITS).fold(word, |unreached, bit| unreached & word >> bit);
        let seen = spread::<BITS>(seen[at / 64] >> (at % 64));
        let word = word ^ (unreached & seen) * change;
        bytes.copy_from_slice(&word.to_le_bytes()[..bytes.len()]);
    }
}

/// Spreads the lowest `64 / BITS` bits, each to the lowest of `BITS` bits, which are 2 or 4.
#[inline(always)]
fn spread<const BITS: u32>(bits: u64) -> u64 {
    let twice = |bits: u64| {
        let mut bits = bits & 0xffff_ffff;
        bits = (bits | bits << 16) & 0x0000_ffff_0000_ffff;
        bits = (bits | bits << 8) & 0x00ff_00ff_00ff_00ff;
        bits = (bits | bits << 4) & 0x0f0f_0f0f_0f0f_0f0f;
        bits = (bits | bits << 2) & 0x3333_3333_3333_3333;
        (bits | bits << 1) & 0x5555_5555_5555_5555
    };
    if BITS == 2 { twice(bits) } else { twice(twice(bits)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lanes::Portable;
    use crate::pdb::square::{CLASSES, Half};
    use crate::space::{State, View};
    use crate::tests::common::reference::Ball;
    use search_core::pdb::Packed;
    use std::collections::HashMap;

    /// The least depth of each entry by plain enumeration of all cubes within a depth, which include all their images.
    fn plain(square: &Square<Portable>, metric: Metric, depth: u8) -> HashMap<u64, u8> {
        let mut least = HashMap::new();
        for (layer, at) in Ball::new(metric, depth.into()).layers.iter().zip(0..) {
            for cube in layer {
                let entry = square.entry(State::<Portable>::new(cube).by_location(), View::Position);
                least.entry(entry).or_insert(at);
            }
        }
        least
    }

    fn filled<V: Lanes, const BITS: u32>(
        flips: u8,
        metric: Metric,
        spec: FillSpec,
        listed_depth: u32,
    ) -> Packed<BITS, Memory> {
        let square = Square::<V>::new(flips);
        let entries = entries_of(spec.classes.len(), flips).div_ceil(1 << spec.group);
        let work = FillWork::<V, BITS>::new(&square, metric, spec, listed_depth);
        let built = work.fill(&Unfinished::NOWHERE, &Run::new());
        Packed::new(built.unwrap().body, entries).unwrap()
    }

    /// The number of reached entries, counted by bytes: there are hundreds of millions of entries.
    fn reached(table: &Packed<4, Memory>) -> usize {
        let is_reached = |entry: u8| usize::from(entry != 15);
        // Padding is not reached.
        table.as_bytes().iter().map(|byte| is_reached(byte & 15) + is_reached(byte >> 4)).sum()
    }

    /// Includes endings of no, one and two turns at the greatest depth.
    #[test]
    fn entries_are_the_least_depths_of_all_strings() {
        for (metric, flips, depth) in [(Metric::Htm, 0, 5), (Metric::Qtm, 0, 6), (Metric::Htm, 1, 4)] {
            let least = plain(&Square::new(flips), metric, depth);
            let depth = u32::from(depth);
            for listed_depth in depth - 2..=depth {
                let exact = FillSpec { classes: 0..CLASSES, group: 0, base: 0, depth };
                let table = filled::<Portable, 4>(flips, metric, exact, listed_depth);
                assert_eq!(reached(&table), least.len());
                assert!(least.iter().all(|(entry, depth)| table.get(*entry) == *depth));
            }
            let above = FillSpec { classes: 0..CLASSES, group: 0, base: depth - 2, depth };
            let above = filled::<Portable, 2>(flips, metric, above, depth - 2);
            for (entry, least) in &least {
                let expected = u32::from(*least).saturating_sub(depth - 2);
                assert_eq!(u32::from(above.get(*entry)), expected);
            }
            let minima = filled::<Portable, 4>(
                flips,
                metric,
                FillSpec { classes: 0..CLASSES, group: 8, base: 0, depth },
                depth - 1,
            );
            let mut of_groups = HashMap::new();
            for (entry, least) in least {
                let of_group = of_groups.entry(entry >> 8).or_insert(least);
                *of_group = least.min(*of_group);
            }
            assert_eq!(reached(&minima), of_groups.len());
            assert!(of_groups.iter().all(|(group, least)| minima.get(*group) == *least));
        }
    }

    #[test]
    fn two_halves_equal_the_whole_table() {
        for flips in [0, 1] {
            let spec = |classes| FillSpec { classes, group: 0, base: 4, depth: 6 };
            let of =
                |classes| filled::<Portable, 2>(flips, Metric::Htm, spec(classes), 4).into_bytes().to_vec();
            assert!(Half::BOTH.map(|half| of(half.classes())).concat() == of(0..CLASSES));
        }
    }

    /// The bytes are the same with every set of instructions.
    #[test]
    #[cfg(target_arch = "x86_64")]
    fn tables_do_not_depend_on_the_instructions() {
        use crate::lanes::{Avx2, Avx512};
        let spec = || FillSpec { classes: 0..CLASSES, group: 0, base: 5, depth: 7 };
        let of = |table: Packed<2, Memory>| table.into_bytes().to_vec();
        let portable = of(filled::<Portable, 2>(0, Metric::Htm, spec(), 5));
        if Avx2::is_available() {
            assert!(portable == of(filled::<Avx2, 2>(0, Metric::Htm, spec(), 5)));
        }
        if Avx512::is_available() {
            assert!(portable == of(filled::<Avx512, 2>(0, Metric::Htm, spec(), 5)));
        }
    }

    #[test]
    fn seen_entries_are_lowered_unless_they_are_reached() {
        fn check<const BITS: u32>() {
            let unreached = UNREACHED >> (8 - BITS);
            let entries = 75;
            let mut bytes = vec![UNREACHED; (entries * BITS as usize).div_ceil(8)];
            let mut plain = vec![unreached; entries];
            for value in 0..3 {
                let seen: Vec<bool> =
                    (0..entries).map(|i| (i * i + i / 3) % 5 == usize::from(value)).collect();
                let mut words = [0; 2];
                for (i, _) in seen.iter().enumerate().filter(|(_, seen)| **seen) {
                    words[i / 64] |= 1 << (i % 64);
                }
                lower::<BITS>(&mut bytes, &words, value);
                let lowered =
                    plain.iter_mut().zip(&seen).filter(|(entry, seen)| **seen && **entry == unreached);
                lowered.for_each(|(entry, _)| *entry = value);
                let table = Packed::<BITS, _>::new(&bytes[..], entries as u64).unwrap();
                assert_eq!(table.iter().collect::<Vec<_>>(), plain);
            }
            assert!(plain.contains(&unreached) && plain.contains(&2));
        }
        check::<2>();
        check::<4>();
    }

    #[test]
    fn a_cancelled_fill_ends() {
        let run = Run::new();
        run.cancel().cancel();
        let spec = FillSpec { classes: 0..CLASSES, group: 8, base: 0, depth: 9 };
        let square = Square::<Portable>::new(0);
        let nowhere = &Unfinished::NOWHERE;
        assert!(fill::<_, 4>(&square, Metric::Htm, spec, nowhere, &run).is_err());
    }
}
