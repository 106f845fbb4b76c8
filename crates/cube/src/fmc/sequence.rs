//! Insertions one after another: each leaves less unsolved, the last one nothing.
//!
//! A skeleton that leaves five corners unsolved is seldom completed by one insertion, but by two, each of which cycles
//! three corners. The inserted strings are all of at most ten moves that move at most five corners, or at most five
//! edges, or two corners and two edges ([`Words`]).
//!
//! The idea: with *w* inserted, the turns *p w q* leave the cube *c* as *w* leaves *q c p*, up to the names of places. So at
//! every place each string is tried for a first insertion. For the last one, only the strings that solve *q c p* are
//! looked up. The second insertion is at any place of *p w q*, also within the first one. So all pairs are compared: the best
//! ones are proved best among insertions of these strings.
//!
//! The cost: the number of first insertions, times the places and the strings of the second.

use super::insert::Insertion;
use super::words::{Open, Words};
use super::{join, joined, length};
use crate::cube::{Cube, Turn};
use crate::metric::Metric;
use search_core::{Cancelled, Run};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, Ordering};

/// The greatest number of unsolved pieces of a skeleton.
pub const MOST_OPEN: u32 = 8;
/// The number of first insertions between two checks for cancellation.
const STRIDE: usize = 32;

/// A skeleton with insertions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sequence {
    /// The insertions in order. Each is made into the turns of the skeleton and the insertions before it, of which none are
    /// joined; its length and solution are those of all turns with it, joined.
    pub insertions: Vec<Insertion>,
    /// The pieces that are not solved.
    pub open: Open,
}

impl Sequence {
    /// The last insertion.
    ///
    /// # Panics
    /// If there is none.
    pub fn last(&self) -> &Insertion {
        self.insertions.last().expect("a sequence has an insertion")
    }

    /// The number of inserted turns.
    fn inserted(&self) -> usize {
        self.insertions.iter().map(|insertion| insertion.turns.len()).sum()
    }
}

/// The insertions into a skeleton.
#[derive(Clone, Debug, Default)]
pub struct Sequences {
    /// The best solutions by at most two insertions, the shortest first.
    pub solved: Vec<Sequence>,
    /// The best single insertions after which less is unsolved ([`Open::left`]), but something: those that leave least
    /// first, of these the shortest.
    pub steps: Vec<Sequence>,
}

/// The reason why a skeleton has no insertions.
#[derive(Clone, Copy, Debug, thiserror::Error)]
pub enum SequenceError {
    /// The search was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// Too many pieces are unsolved.
    #[error("the skeleton leaves {0} pieces unsolved: a sequence of insertions is for at most {MOST_OPEN}")]
    Open(u32),
}

/// Finds insertions one after another.
pub struct Inserter {
    metric: Metric,
    pub(crate) words: Words,
}

impl Inserter {
    /// The finder of insertions of at most `most` moves each.
    ///
    /// # Errors
    /// [`Cancelled`].
    ///
    /// # Panics
    /// If `most` exceeds [`MOST_MOVES`](super::words::MOST_MOVES).
    pub fn new(metric: Metric, most: u32, run: &Run<'_>) -> Result<Inserter, Cancelled> {
        Ok(Inserter { metric, words: Words::new(metric, most, run)? })
    }

    /// The `count` best solutions of `cube` by at most two insertions into `skeleton`, and the `count` best single
    /// insertions.
    ///
    /// # Errors
    /// [`SequenceError`].
    pub fn find(
        &self,
        cube: &Cube,
        skeleton: &[Turn],
        count: usize,
        run: &Run<'_>,
    ) -> Result<Sequences, SequenceError> {
        let open = Open::of(&cube.apply_all(skeleton.iter().copied())).pieces();
        if open > MOST_OPEN {
            return Err(SequenceError::Open(open));
        }
        let (solved, steps): (Vec<Sequence>, Vec<Sequence>) =
            self.first(cube, skeleton).into_iter().partition(|sequence| sequence.open.pieces() == 0);
        let second = self.second(cube, skeleton, &steps, count, run)?;
        let mut solved = distinct(solved.into_iter().chain(second));
        best(&mut solved, count);
        let mut steps = distinct(steps);
        steps.sort_by_cached_key(|step| (step.open.left(), rank(step)));
        steps.truncate(count);
        Ok(Sequences { solved, steps })
    }

    /// All single insertions after which less is unsolved.
    fn first(&self, cube: &Cube, skeleton: &[Turn]) -> Vec<Sequence> {
        let mut all = Vec::new();
        for (after, at) in places(cube, skeleton).enumerate() {
            let before = Open::of(&at);
            for effect in self.words.effects() {
                let open = Open::of(&at.compose(effect));
                if open.left() >= before.left() {
                    continue;
                }
                for turns in self.words.making(effect) {
                    all.push(Sequence { insertions: vec![self.insertion(skeleton, after, turns)], open });
                }
            }
        }
        all
    }

    /// The `count` best solutions by one more insertion after each of `steps`.
    fn second(
        &self,
        cube: &Cube,
        skeleton: &[Turn],
        steps: &[Sequence],
        count: usize,
        run: &Run<'_>,
    ) -> Result<Vec<Sequence>, Cancelled> {
        let steps: Vec<&Sequence> = steps.iter().filter(|step| step.open.is_of_a_string()).collect();
        let strides: Vec<&[&Sequence]> = steps.chunks(STRIDE).collect();
        // Longer solutions are not among the best: some stride has as many that are at most this long.
        let limit = AtomicU32::new(u32::MAX);
        let work = |stride: &&[&Sequence]| {
            let mut found = BTreeMap::new();
            for step in *stride {
                if run.is_cancelled() {
                    break;
                }
                self.finish(cube, skeleton, step, &limit, &mut found);
            }
            let mut found: Vec<Sequence> = found.into_values().collect();
            best(&mut found, count);
            if found.len() == count {
                limit.fetch_min(found[count - 1].last().length, Ordering::Relaxed);
            }
            found
        };
        let found = run.map(&strides, work).into_iter().flatten().collect();
        run.check().map(|()| found)
    }

    /// Adds the solutions of at most `limit` moves by one more insertion.
    fn finish(
        &self,
        cube: &Cube,
        skeleton: &[Turn],
        step: &Sequence,
        limit: &AtomicU32,
        found: &mut BTreeMap<Vec<Turn>, Sequence>,
    ) {
        let Insertion { turns, after, .. } = step.last();
        let whole = [&skeleton[..*after], turns, &skeleton[*after..]].concat();
        let (mut head, mut all) = (Vec::new(), Vec::new());
        for (after, at) in places(cube, &whole).enumerate() {
            for turns in self.words.making(&at.inverse()) {
                all.clone_from(&head);
                turns.iter().chain(&whole[after..]).for_each(|&turn| join(&mut all, turn));
                if length(self.metric, &all) <= limit.load(Ordering::Relaxed) {
                    let insertions = [step.last().clone(), self.insertion(&whole, after, turns)].to_vec();
                    offer(found, Sequence { insertions, open: Open::default() });
                }
            }
            whole.get(after).into_iter().for_each(|&turn| join(&mut head, turn));
        }
    }

    fn insertion(&self, whole: &[Turn], after: usize, turns: &[Turn]) -> Insertion {
        let solution = joined(self.metric, &[&whole[..after], turns, &whole[after..]].concat());
        Insertion { length: length(self.metric, &solution), turns: turns.to_vec(), after, solution }
    }
}

/// The cube that an insertion at each place of `whole` has to solve.
fn places<'a>(cube: &Cube, whole: &'a [Turn]) -> impl Iterator<Item = Cube> + use<'a> {
    let first = Cube::SOLVED.apply_all(whole.iter().copied()).compose(cube);
    let mut turns = whole.iter();
    std::iter::successors(Some(first), move |at| {
        let turn = turns.next()?;
        Some(Cube::of_turn(turn.inverse()).compose(at).apply(*turn))
    })
}

/// The order of results: it does not depend on the insertions that lead to them.
fn rank(sequence: &Sequence) -> (u32, Vec<Turn>) {
    (sequence.last().length, sequence.last().solution.clone())
}

/// Keeps the first `count`.
fn best(sequences: &mut Vec<Sequence>, count: usize) {
    sequences.sort_by_cached_key(rank);
    sequences.truncate(count);
}

/// Each result once.
fn distinct(sequences: impl IntoIterator<Item = Sequence>) -> Vec<Sequence> {
    let mut all = BTreeMap::new();
    sequences.into_iter().for_each(|sequence| offer(&mut all, sequence));
    all.into_values().collect()
}

/// Adds a sequence, unless a preferred one has the same result.
fn offer(all: &mut BTreeMap<Vec<Turn>, Sequence>, sequence: Sequence) {
    let key = |sequence: &Sequence| {
        let places: Vec<_> = sequence.insertions.iter().map(|one| (one.after, one.turns.clone())).collect();
        (sequence.insertions.len(), sequence.inserted(), places)
    };
    let known = all.entry(sequence.last().solution.clone());
    known
        .and_modify(|known| {
            if key(&sequence) < key(known) {
                known.clone_from(&sequence);
            }
        })
        .or_insert(sequence);
}
