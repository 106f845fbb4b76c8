//! Filling a table of square cosets by enumeration.
//!
//! The idea: an entry is a minimum over cosets that differ in flips that the table does not keep,
//! so it does not tell what its neighbours' are, and no table of all cosets fits in memory. But the
//! distances that matter are small: nearly all entries are 9, 10 or more. So all strings of turns
//! up to a depth are enumerated from the solved cube, up to symmetry: the cosets at a small depth
//! are listed once for each class of 48, and all strings of turns are appended to each.
//!
//! Invariant: the strings are enumerated by depth, so an entry that is reached holds its least
//! depth. None is missed: a coset at distance `d` is the image of one that some string of `d - k`
//! turns leads to from a listed coset at depth `k`, since symmetries carry strings to strings.
//!
//! The work of each depth is done in steps. An entry that is set twice in one depth is set to the
//! same value, so a step that was interrupted is done again as a whole, on what it left.
//!
//! Cost: strings of the greatest depth dominate, each about sixty instructions and one line of
//! memory, which is asked for sixty-four strings ahead.

use super::Square;
use crate::cube::{Cube, Turn};
use crate::lanes::{Lanes, Portable, each};
use crate::metric::Metric;
use crate::space::{Side, State};
use rayon::prelude::*;
use search_core::automaton::StateId;
use search_core::memory::Memory;
use search_core::pdb::Cells;
use search_core::table::{Built, FileError, Unfinished};
use search_core::{Automaton, Cancel, Op, OpSet, Progress};
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// The depth of the cosets that are listed.
const LISTED: u32 = 5;
/// The steps of a depth, at most: what an interrupted fill does again is part of one. What is kept
/// tells its steps by number, so whoever changes this, or the order of the listed cosets, raises the
/// tables' ranking version.
const STEPS: u32 = 32;
/// Writes in flight.
const IN_FLIGHT: usize = 64;

/// What a fill writes: into which entries, and what for each depth.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// How many cosets share an entry, as a power of two.
    pub group: u32,
    /// The depth that is written as 0, and all smaller ones too.
    pub base: u32,
    /// The greatest depth that is written. Deeper entries stay unreached.
    pub depth: u32,
}

/// The cosets at each depth up to [`LISTED`], one of each class under the symmetries at least, each
/// with the last turn that leads to it.
fn listed<V: Lanes>(metric: Metric) -> Vec<Vec<(Cube, Option<Turn>)>> {
    let all = Square::<V>::new(super::MOST_FLIPS);
    let entry = |cube: &Cube| {
        let state = State::<V>::new(cube);
        all.entry(state.at(), false)
    };
    let mut seen = HashSet::from([entry(&Cube::SOLVED)]);
    let mut levels = vec![vec![(Cube::SOLVED, None)]];
    for _ in 0..LISTED {
        let mut level = Vec::new();
        for (cube, _) in levels.last().expect("the solved cube is listed") {
            for turn in metric.turns() {
                let next = cube.apply(*turn);
                if seen.insert(entry(&next)) {
                    level.push((next, Some(*turn)));
                }
            }
        }
        levels.push(level);
    }
    levels
}

/// How many strings a fill enumerates at `depth`, which takes nearly all of its time.
pub fn strings(metric: Metric, depth: u32) -> u64 {
    type Levels = Vec<Vec<(Cube, Option<Turn>)>>;
    static HTM: LazyLock<Levels> = LazyLock::new(|| listed::<Portable>(Metric::Htm));
    static QTM: LazyLock<Levels> = LazyLock::new(|| listed::<Portable>(Metric::Qtm));
    let levels = if metric == Metric::Htm { &HTM } else { &QTM };
    let roots = &levels[depth.min(LISTED) as usize];
    let mut counted = Counted { automaton: metric.automaton(), of: HashMap::new() };
    let start = counted.automaton.start();
    let more = depth - depth.min(LISTED);
    roots.iter().map(|(_, last)| counted.strings(start, first_turns(metric, *last), more)).sum()
}

/// How many strings the move rules allow.
struct Counted {
    automaton: Automaton,
    /// Of so many turns, from the states that were asked for.
    of: HashMap<(StateId, u32), u64>,
}

impl Counted {
    /// Strings of `more` turns from a state, the first of them one of `first`.
    fn strings(&mut self, state: StateId, first: OpSet, more: u32) -> u64 {
        let Some(after) = more.checked_sub(1) else { return 1 };
        let next: Vec<StateId> = first.into_iter().filter_map(|op| self.automaton.next(state, op)).collect();
        next.into_iter().map(|state| self.all(state, after)).sum()
    }

    /// All strings of `more` turns from a state.
    fn all(&mut self, state: StateId, more: u32) -> u64 {
        if let Some(count) = self.of.get(&(state, more)) {
            return *count;
        }
        let count = self.strings(state, self.automaton.allowed(state), more);
        self.of.insert((state, more), count);
        count
    }
}

/// Fills a table of `entries` entries of `BITS` bits on the current rayon pool.
///
/// # Errors
/// Cancelled, or no memory.
pub fn fill<V: Lanes, const BITS: u32>(
    square: &Square<V>,
    metric: Metric,
    entries: u64,
    plan: Plan,
    unfinished: &Unfinished,
    progress: &dyn Progress,
    cancel: &Cancel,
) -> Result<Built, FileError> {
    let (mut body, begin) = match unfinished.take_up(progress, cancel)? {
        Some(taken) => taken,
        None => {
            let mut body = Memory::zeroed((entries as usize * BITS as usize).div_ceil(8))?;
            Cells::<BITS>::unreached(&mut body);
            (body, 0)
        }
    };
    let levels = listed::<V>(metric);
    let automaton = metric.automaton();
    let turns: Vec<Side<V>> =
        metric.turns().iter().map(|turn| *State::new(Cube::of_turn(*turn)).at()).collect();
    for depth in 0..=plan.depth {
        let roots = &levels[depth.min(LISTED) as usize];
        let more = depth - depth.min(LISTED);
        let value = depth.saturating_sub(plan.base) as u8;
        let what = format!("depth {depth}");
        let done = AtomicU64::new(0);
        let in_a_step = roots.len().div_ceil(STEPS as usize);
        progress.begin(&what, roots.len() as u64);
        for (step, roots) in (depth * STEPS..).zip(roots.chunks(in_a_step)) {
            if step < begin {
                done.fetch_add(roots.len() as u64, Ordering::Relaxed);
                continue;
            }
            let cells = Cells::<BITS>::shared(&mut body);
            let filled = roots.par_iter().try_for_each(|(root, last)| {
                cancel.check()?;
                let mut writer =
                    Writer { square, cells, group: plan.group, value, ring: [0; IN_FLIGHT], at: 0 };
                let state = State::<V>::new(root);
                let first = first_turns(metric, *last);
                V::run(
                    #[inline(always)]
                    || enumerate(&mut writer, &turns, &automaton, state.at(), first, more),
                );
                writer.finish();
                progress.update(done.fetch_add(1, Ordering::Relaxed) + 1);
                Ok::<(), FileError>(())
            });
            if unfinished.is_due(cancel) {
                progress.end();
                unfinished.keep(&body, step + u32::from(filled.is_ok()), progress);
                progress.begin(&what, levels[depth.min(LISTED) as usize].len() as u64);
            }
            filled?;
        }
        progress.end();
    }
    drop(levels);
    Ok(Built { body, depth: plan.depth })
}

/// The turns that may follow `last`. In the half-turn metric they are those of another face: two
/// turns of one face are one, so the coset they lead to is nearer, and no nearest string has them.
fn first_turns(metric: Metric, last: Option<Turn>) -> OpSet {
    let turns = metric.turns().iter().enumerate();
    let may_follow =
        |turn: &Turn| metric == Metric::Qtm || last.is_none_or(|last| last.face() != turn.face());
    turns.filter(|(_, turn)| may_follow(turn)).map(|(op, _)| Op(op as u8)).collect()
}

/// Sets entries, some time after each was named.
struct Writer<'a, V, const BITS: u32> {
    square: &'a Square<V>,
    cells: Cells<'a, BITS>,
    group: u32,
    value: u8,
    ring: [usize; IN_FLIGHT],
    at: usize,
}

impl<V: Lanes, const BITS: u32> Writer<'_, V, BITS> {
    #[inline(always)]
    fn push(&mut self, index: usize) {
        self.cells.prefetch(index);
        let slot = &mut self.ring[self.at % IN_FLIGHT];
        let due = std::mem::replace(slot, index);
        self.at += 1;
        if self.at > IN_FLIGHT {
            self.cells.reach(due, self.value);
        }
    }

    #[inline(always)]
    fn write(&mut self, sides: &Side<V::Four>) {
        let square = self.square;
        let group = self.group;
        square.each_entry(
            sides,
            #[inline(always)]
            |entry| self.push((entry >> group) as usize),
        );
    }

    fn finish(&mut self) {
        for index in self.ring.iter().take(self.at) {
            self.cells.reach(*index, self.value);
        }
    }
}

/// Writes all cosets that strings of `more` turns lead to.
#[inline(always)]
fn enumerate<V: Lanes, const BITS: u32>(
    writer: &mut Writer<'_, V, BITS>,
    turns: &[Side<V>],
    automaton: &Automaton,
    root: &Side<V>,
    first: OpSet,
    more: u32,
) {
    if more == 0 {
        writer.write(&root.splat());
        return;
    }
    let start = automaton.start();
    let mut path = vec![(*root, start, first)];
    while let Some((node, state, mut open)) = path.pop() {
        if path.len() + 1 == more as usize {
            while let Some(four) = open.pop_four() {
                let four = each(
                    #[inline(always)]
                    |i| &turns[four[i].index()],
                );
                writer.write(&node.splat().then(&Side::four(four)));
            }
            continue;
        }
        let Some(op) = open.pop_first() else { continue };
        path.push((node, state, open));
        let next = automaton.next(state, op).expect("the automaton allows the operator");
        path.push((node.then(&turns[op.index()]), next, automaton.allowed(next)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use search_core::Silent;
    use search_core::pdb::Packed;

    /// Every string of turns to a depth, plainly: the least depth of each entry.
    fn plain(square: &Square<Portable>, metric: Metric, depth: u8) -> HashMap<u64, u8> {
        let mut least = HashMap::new();
        let mut seen = HashSet::from([Cube::SOLVED]);
        let mut level = vec![Cube::SOLVED];
        for at in 0..=depth {
            let mut next = Vec::new();
            for cube in &level {
                let state = State::<Portable>::new(cube);
                square.each_entry(&state.at().splat(), |entry| {
                    least.entry(entry).or_insert(at);
                });
                let children = metric.turns().iter().map(|turn| cube.apply(*turn));
                next.extend(children.filter(|child| seen.insert(*child)));
            }
            level = next;
        }
        least
    }

    fn filled<const BITS: u32>(
        square: &Square<Portable>,
        metric: Metric,
        plan: Plan,
    ) -> Packed<BITS, Memory> {
        let entries = Square::<Portable>::entries(square.flips()) >> plan.group;
        let nowhere = &Unfinished::NOWHERE;
        let built = fill::<_, BITS>(square, metric, entries, plan, nowhere, &Silent, &Cancel::new()).unwrap();
        Packed::new(built.body, entries as usize).unwrap()
    }

    #[test]
    fn entries_are_the_least_depths_of_all_strings() {
        for (metric, flips, depth) in [(Metric::Htm, 0, 5), (Metric::Qtm, 0, 6), (Metric::Htm, 1, 4)] {
            let square = Square::<Portable>::new(flips);
            let least = plain(&square, metric, depth);
            let depth = u32::from(depth);
            let table = filled::<4>(&square, metric, Plan { group: 0, base: 0, depth });
            let reached = table.iter().filter(|value| *value != 15).count();
            assert_eq!(reached, least.len());
            assert!(least.iter().all(|(entry, depth)| table.get(*entry as usize) == *depth));
            let above = filled::<2>(&square, metric, Plan { group: 0, base: depth - 2, depth });
            for (entry, least) in least {
                let expected = u32::from(least).saturating_sub(depth - 2);
                assert_eq!(u32::from(above.get(entry as usize)), expected);
            }
        }
    }

    /// Strings are counted as they are enumerated.
    #[test]
    fn counts_of_strings_are_those_of_a_fill() {
        for (metric, depth) in [(Metric::Htm, 4), (Metric::Htm, 7), (Metric::Qtm, 5), (Metric::Qtm, 8)] {
            let (levels, automaton) = (listed::<Portable>(metric), metric.automaton());
            let more = depth - depth.min(LISTED);
            let mut count = 0;
            for (_, last) in &levels[depth.min(LISTED) as usize] {
                let mut open = vec![(automaton.start(), first_turns(metric, *last), more)];
                while let Some((state, ops, more)) = open.pop() {
                    if more == 0 {
                        count += 1;
                        continue;
                    }
                    for next in ops.into_iter().filter_map(|op| automaton.next(state, op)) {
                        open.push((next, automaton.allowed(next), more - 1));
                    }
                }
            }
            assert_eq!(strings(metric, depth), count);
        }
        // What the documentation says of the usual tables, in hundreds of millions.
        let counts = [(Metric::Htm, 10), (Metric::Htm, 11), (Metric::Qtm, 11), (Metric::Qtm, 12)];
        let counts = counts.map(|(metric, depth)| strings(metric, depth) / 100_000_000);
        assert_eq!(counts, [14, 199, 7, 70]);
    }

    #[test]
    fn a_cancelled_fill_ends() {
        let cancel = Cancel::new();
        cancel.cancel();
        let plan = Plan { group: 8, base: 0, depth: 9 };
        let square = Square::<Portable>::new(0);
        let nowhere = &Unfinished::NOWHERE;
        assert!(fill::<_, 4>(&square, Metric::Htm, 1 << 20, plan, nowhere, &Silent, &cancel).is_err());
    }
}
