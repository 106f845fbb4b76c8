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
//! Where one more depth is written, its strings would take thirteen times as long. That depth is reached by turning
//! whole rows of cosets of the depth before it (`rows.rs`).
//!
//! A fill is divided into runs of classes. An entry that is set twice at one depth gets the same value, so a run
//! that was interrupted is simply repeated.
//!
//! Cost: strings of the greatest depth dominate. Memory: the table, 10 MB for the listed cosets, and for each
//! thread one bit per entry of a run of classes (9 MB where rows are turned).

use super::endings::{Appending, Endings, Listed};
use super::flips::FEWEST_FLIPS;
use super::listed::{listed, listed_depth};
use super::lowered::{UNREACHED, lower};
use super::rows::{Cosets, LastTurns};
use super::{CLASSES, MOST_FLIPS, SLICES, Square, entries_of};
use crate::lanes::Lanes;
use crate::metric::Metric;
use search_core::Run;
use search_core::clock::Instant;
use search_core::memory::{Memory, MemoryError};
use search_core::table::{Built, FileError, Unfinished};
use std::ops::{Range, RangeInclusive};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use super::listed::strings;

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

/// The greatest number of turns that are appended to listed cosets. Where strings are longer, the last turn is one of
/// whole rows.
const MOST_APPENDED: u32 = 4;
/// The number of strings that are enumerated while a row is turned, and for each word of its kept flips.
const STRINGS_PER_ROW: [f64; 2] = [2.0, 0.6];

/// Whether the last depth of a table with entries of `bits` bits is reached by turning whole rows.
fn is_by_rows(metric: Metric, flips: u8, spec: &FillSpec, bits: u32) -> bool {
    let is_possible = bits == 2 && spec.group == 0 && spec.depth == spec.base + 2 && flips >= FEWEST_FLIPS;
    is_possible && spec.depth > listed_depth(metric) + MOST_APPENDED
}

/// The work of a fill: the number of strings of turns that take about as long. Those of the greatest depth that is
/// enumerated take nearly all of its time, and turning whole rows the rest.
pub(crate) fn work(metric: Metric, flips: u8, spec: &FillSpec, bits: u32) -> f64 {
    if !is_by_rows(metric, flips, spec, bits) {
        return strings(metric, spec.depth) as f64;
    }
    let rows = (metric.turns().len() * spec.classes.len() * SLICES) as f64;
    let [per_row, per_word] = STRINGS_PER_ROW;
    strings(metric, spec.depth - 1) as f64 + rows * (per_row + per_word * f64::from(1 << flips >> 6))
}

/// Fills a table of entries of `bits` bits, 2 or 4.
///
/// # Errors
/// If it is cancelled, or memory is insufficient.
pub(crate) fn fill<V: Lanes>(
    square: &Square<V>,
    metric: Metric,
    (spec, bits): (FillSpec, u32),
    unfinished: &Unfinished,
    run: &Run<'_>,
) -> Result<Built, FileError> {
    let all = is_by_rows(metric, square.flips, &spec, bits).then(|| Square::new(MOST_FLIPS));
    let listed_depth = listed_depth(metric);
    FillWork::<V>::new(square, all.as_ref(), metric, (spec, bits), listed_depth, run).fill(unfinished, run)
}

/// A fill, divided into runs of classes. The part of the table for a run consists of whole words of 64 bits.
struct FillWork<'a, V: Lanes> {
    square: &'a Square<V>,
    spec: FillSpec,
    /// The bits of an entry, 2 or 4.
    bits: u32,
    appending: Appending<'a, V>,
    /// The listed cosets by depth.
    listed: Vec<Listed<V>>,
    /// The endings by the number of turns.
    endings: Vec<Endings<V>>,
    /// The turns of whole rows that reach the last depth, if it is not reached by strings.
    last_turns: Option<LastTurns<'a, V>>,
    /// The number of classes in a run; the last run may have fewer.
    run_classes: usize,
    /// The number of entries in a run.
    run_entries: u64,
}

/// Steps that set entries to one or two values.
struct Stage {
    /// The depth, or the least of two.
    depth: u32,
    /// The value; `None` if the last two are set by turning whole rows.
    value: Option<u32>,
    steps: usize,
}

impl<'a, V: Lanes> FillWork<'a, V> {
    /// `all` are the cosets with all flips, if the last depth is reached by turning whole rows.
    fn new(
        square: &'a Square<V>,
        all: Option<&'a Square<V>>,
        metric: Metric,
        (spec, bits): (FillSpec, u32),
        listed_depth: u32,
        run: &Run<'_>,
    ) -> FillWork<'a, V> {
        let last_turns = all.map(|all| LastTurns::new(all, metric, square.flips, spec.classes.clone()));
        let depth = spec.depth - u32::from(last_turns.is_some());
        let layers = listed::<V>(metric, depth.min(listed_depth));
        let listed = layers.iter().map(|layer| Listed::new(square, layer, run)).collect();
        let turns = depth.saturating_sub(listed_depth);
        let endings = (0..=turns).map(|turns| Endings::new(metric, turns)).collect();
        // The number of cosets in a class is an odd multiple of this power of two.
        let twos = u32::from(square.flips) + SLICES.trailing_zeros();
        let run_classes = 1 << (spec.group + (64 / bits).ilog2()).saturating_sub(twos);
        let run_entries = ((run_classes * SLICES) as u64) << square.flips >> spec.group;
        let appending = Appending::new(square);
        FillWork { square, spec, bits, appending, listed, endings, last_turns, run_classes, run_entries }
    }

    fn runs(&self) -> usize {
        self.spec.classes.len().div_ceil(self.run_classes)
    }

    fn run_bytes(&self) -> usize {
        (self.run_entries * u64::from(self.bits) / 8) as usize
    }

    /// The stages: for each value, the runs of classes. Where rows are turned, the last two values are one stage, whose
    /// steps are the classes before the turn.
    fn stages(&self) -> Vec<Stage> {
        let mut values = self.spec.depth - self.spec.base + 1;
        let turned = self.last_turns.as_ref().map(|_| {
            values -= 2;
            Stage { depth: self.spec.depth - 1, value: None, steps: CLASSES }
        });
        let of_value =
            |value| Stage { depth: self.spec.base + value, value: Some(value), steps: self.runs() };
        (0..values).map(of_value).chain(turned).collect()
    }

    /// The listed cosets and the endings that make up the strings of a depth.
    #[inline(always)]
    fn strings(&self, depth: u32) -> (&Listed<V>, &Endings<V>) {
        let at = self.listed.len().min(depth as usize + 1) - 1;
        (&self.listed[at], &self.endings[depth as usize - at])
    }

    /// Fills the table.
    fn fill(&self, unfinished: &Unfinished, run: &Run<'_>) -> Result<Built, FileError> {
        let stages = self.stages();
        let steps: usize = stages.iter().map(|stage| stage.steps).sum();
        let (mut body, mut done) = match unfinished.resume(steps as u32, run)? {
            Some(taken) => taken,
            None => {
                let entries =
                    entries_of(self.spec.classes.len(), self.square.flips).div_ceil(1 << self.spec.group);
                let bytes = usize::try_from((entries * u64::from(self.bits)).div_ceil(8));
                (unreached(bytes.unwrap_or(usize::MAX), run)?, 0)
            }
        };
        let mut before = 0;
        for stage in stages {
            let end = before + stage.steps as u32;
            if done < end {
                self.fill_stage(&stage, (before, &mut done), &mut body, unfinished, run)?;
            }
            before = end;
        }
        Ok(Built { body, depth: self.spec.depth })
    }

    /// Takes the steps of a stage. Of all steps, those `before` belong to earlier stages, and `done` are done.
    fn fill_stage(
        &self,
        stage: &Stage,
        (before, done): (u32, &mut u32),
        body: &mut Memory,
        unfinished: &Unfinished,
        run: &Run<'_>,
    ) -> Result<(), FileError> {
        let what = format!("depth {}", stage.depth);
        let what = if stage.value.is_some() { what } else { format!("{what} and {}", stage.depth + 1) };
        let begin = || run.progress().begin(&what, stage.steps as u64);
        begin();
        let first = (*done - before) as usize;
        let (next, finished) = (AtomicUsize::new(first), AtomicU64::new(first as u64));
        while ((*done - before) as usize) < stage.steps {
            let due = unfinished.due();
            let parts: Vec<_> = body.chunks_mut(self.run_bytes()).map(Mutex::new).collect();
            let steps = Steps { next: &next, count: stage.steps, finished: &finished, due, run };
            let ended: Result<(), MemoryError> =
                run.each(|| self.take_steps(stage, &parts, &steps)).into_iter().collect();
            ended?;
            // Every step that a thread took was finished.
            *done = before + next.load(Ordering::Relaxed).min(stage.steps) as u32;
            if unfinished.is_due(run) {
                run.progress().end();
                unfinished.keep(body, *done, run);
                begin();
            }
            run.check()?;
        }
        run.progress().end();
        Ok(())
    }
    /// Takes steps of a stage until none is left, or the state of the build is to be saved. `parts` are the parts of the
    /// table.
    fn take_steps(
        &self,
        stage: &Stage,
        parts: &[Mutex<&mut [u8]>],
        steps: &Steps<'_>,
    ) -> Result<(), MemoryError> {
        if let (None, Some(last_turns)) = (stage.value, &self.last_turns) {
            let mut cosets = Cosets::none()?;
            let (listed, endings) = self.strings(stage.depth);
            steps.each(|class| {
                V::run(
                    #[inline(always)]
                    || last_turns.enter(class, listed, endings, parts, &mut cosets),
                );
            });
        } else {
            let mut seen = vec![0; self.run_entries.div_ceil(64) as usize];
            let value = stage.value.unwrap_or_default();
            steps.each(|number| {
                let mut part = parts[number].lock().expect("no thread panics while it has a part");
                V::run(
                    #[inline(always)]
                    || self.run(number, value, &mut part, &mut seen),
                );
            });
        }
        Ok(())
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
            let (listed, endings) = self.strings(depth);
            for class in classes.clone() {
                let of_class = ((class * SLICES) as u64) << flips;
                self.appending.each_of_class(
                    class,
                    listed,
                    endings,
                    #[inline(always)]
                    |rank, kept| {
                        let coset = u64::from(rank) << flips | kept;
                        let entry = ((of_class + coset) >> group) - first;
                        seen[(entry / 64) as usize] |= 1 << (entry % 64);
                    },
                );
            }
        }
        if self.bits == 2 {
            lower::<2>(part, seen, value as u8)
        } else {
            lower::<4>(part, seen, value as u8)
        }
        seen.fill(0);
    }
}

/// The steps of a stage, of which threads take one after the other.
struct Steps<'s> {
    count: usize,
    next: &'s AtomicUsize,
    finished: &'s AtomicU64,
    /// When the state of the build is to be saved.
    due: Option<Instant>,
    run: &'s Run<'s>,
}

impl Steps<'_> {
    /// Takes steps until none is left, the work must stop or the state is to be saved.
    fn each(&self, mut take: impl FnMut(usize)) {
        while !self.run.is_cancelled() {
            let step = self.next.fetch_add(1, Ordering::Relaxed);
            if step >= self.count {
                break;
            }
            take(step);
            self.run.progress().update(self.finished.fetch_add(1, Ordering::Relaxed) + 1);
            if self.due.is_some_and(|due| Instant::now() >= due) {
                break;
            }
        }
    }
}

/// A table without reached entries.
fn unreached(bytes: usize, run: &Run<'_>) -> Result<Memory, FileError> {
    let mut body = Memory::zeroed(bytes)?;
    run.try_for_each_chunk(&mut body, 1 << 20, &|_, piece| {
        piece.fill(UNREACHED);
        run.check()
    })?;
    Ok(body)
}

#[cfg(test)]
mod tests;
