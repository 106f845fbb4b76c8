//! Half-depth search: the distance between two perfect states of a complete graph, and the number of
//! shortest paths, from a search with one disc less by sorted layers.
//!
//! When the largest disc makes its first move, the others are on pegs other than the one that it
//! leaves and the one that it moves to: in a **middle state** of the others. Let m be the least depth
//! of a middle state in the search of the others. Renaming pegs shows that m does not depend on the
//! pegs of the move. So at least m moves precede the first move of the largest disc, and, reading
//! the path backwards, at least m follow its last one. One move of it suffices: move the others to a
//! middle state in m moves, the largest disc, and the others on in m moves, those before with the
//! two pegs exchanged. So the distance is 2 m + 1, and on a shortest path the largest disc moves once,
//! from a middle state at depth m. If N paths lead there, as many lead on from it, by the same
//! exchange of pegs. The number of shortest paths is the sum of N² over the middle states at depth m.
//!
//! **Sorted layers.** A half-depth search visits a small part of the states: of 14 discs on four pegs, 5 million of 67
//! million. So the layers are lists instead of bitmaps, sorted by state: one state per orbit, with its number of paths.
//!
//! All discs start on one peg, called 0 here, and the other pegs are interchangeable. Of each orbit
//! only the state is kept whose pegs appear in the order 1, 2, …, from the largest disc on. With it
//! goes the number of paths to all states of the orbit. An automorphism maps paths to paths, so all
//! of them have the same number of children in another orbit; this makes the numbers of the next layer
//! sums over the children of the kept states alone.
//!
//! Every move can be undone, so children are in the layer before, the same or the next. A step
//! distributes all children over ranges of states, and then sorts and merges each range and takes
//! away what the current and the previous layer have in it.

use super::GraphTask;
use super::bounds::{Bounds, Family};
use crate::error::SearchError;
use crate::layer_loop::each_layer;
use crate::model::to_u64;
use crate::presumed::Presumed;
use rayon::prelude::*;
use search_core::Run;
use std::ops::ControlFlow::{Break, Continue};

/// The result of a half-depth search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HalfReport {
    /// The distance.
    pub length: u32,
    /// The number of shortest paths, if they were counted.
    pub paths: Option<u128>,
    /// The number of states reached, with one disc less.
    pub states: u64,
    /// The bytes that the search took.
    pub bytes: u64,
}

/// The kept state of an orbit, and the number of shortest paths to all states of the orbit.
#[derive(Clone, Copy, Debug)]
struct Entry {
    state: u64,
    paths: u64,
}

/// The number of ranges that the children are distributed over.
const RANGES: usize = 128;

/// The greatest number of discs of the search, one less than those of the puzzle.
fn max_discs(pegs: u32) -> u32 {
    64 / bits(pegs)
}

/// The bits per disc.
pub(super) fn bits(pegs: u32) -> u32 {
    if pegs <= 4 { 2 } else { 3 }
}

/// The distance from all discs on a peg to all on another, and the number of shortest paths.
///
/// # Errors
/// [`SearchError::Budget`] when a layer does not fit the run's memory, [`SearchError::Discs`],
/// [`SearchError::Overflow`] and [`SearchError::Cancelled`].
///
/// # Panics
/// If the graph is not complete or there is no disc.
pub fn half_depth_sorted(task: &GraphTask<'_>, run: &Run<'_>) -> Result<HalfReport, SearchError> {
    let space = space(task)?;
    let search = Sparse { space, bounds: None, counts_paths: true };
    Ok(search.run(run)?.expect("a middle state can be reached"))
}

/// The same search, limited to half of the presumed length, with lower bounds from databases of `big` discs and of the
/// others. If it finds no middle state, it continues with greater lengths. If `count_paths`, counts the shortest paths;
/// otherwise their number cannot overflow.
///
/// # Errors
/// As [`half_depth_sorted`]; also when the memory for the databases is refused.
///
/// # Panics
/// If the graph is not complete, there are fewer than 3 discs, or the big database has none, or leaves none.
pub fn half_depth_pruned(
    task: &GraphTask<'_>,
    big: u32,
    count_paths: bool,
    run: &Run<'_>,
) -> Result<HalfReport, SearchError> {
    let space = space(task)?;
    assert!((1..space.discs).contains(&big), "{big} of {} discs", space.discs);
    let need = Bounds::bytes(space, big);
    if need > run.memory() {
        return Err(SearchError::Budget { need: need.into(), budget: run.memory() });
    }
    let presumed = Presumed::new(task.discs, space.pegs).length(task.discs);
    let half = u32::try_from((presumed - 1) / 2).map_err(|_| SearchError::Discs(task.discs - 1))?;
    let bounds = run.install(|| Bounds::new(space, big, half, run))?;
    let mut search = Sparse { space, bounds: Some(bounds), counts_paths: count_paths };
    loop {
        if let Some(found) = search.run(run)? {
            return Ok(found);
        }
        // This would refute the conjecture.
        search.bounds.iter_mut().for_each(Bounds::search_deeper);
    }
}

/// The number of discs of a database that takes about as long as the search of `discs` discs that it prunes.
pub fn pruning_database(discs: u32) -> u32 {
    (2 * (discs - 1)).div_ceil(3)
}

/// The states that a half-depth search visits.
fn space(task: &GraphTask<'_>) -> Result<Space, SearchError> {
    assert!(task.graph.is_complete() && task.discs > 0, "a complete graph, and a disc");
    let (pegs, discs) = (task.graph.pegs(), task.discs - 1);
    if discs > max_discs(pegs) {
        return Err(SearchError::Discs(max_discs(pegs) + 1));
    }
    Ok(Space { pegs, discs })
}

/// A search by sorted layers.
struct Sparse {
    space: Space,
    bounds: Option<Bounds>,
    counts_paths: bool,
}

impl Sparse {
    /// Searches until a layer contains a middle state; `None` if no state is left before that.
    fn run(&self, run: &Run<'_>) -> Result<Option<HalfReport>, SearchError> {
        let space = self.space;
        let (mut previous, mut current) = (Vec::new(), vec![Entry { state: 0, paths: 1 }]);
        let (mut depth, mut states) = (0, 0);
        let databases = self.bounds.as_ref().map_or(0, |bounds| Bounds::bytes(space, bounds.big()));
        let mut bytes = databases;
        let is_found = each_layer("layers", 0, run, || {
            if current.is_empty() || current.iter().any(|entry| space.is_middle(entry.state)) {
                return Ok(Break(!current.is_empty()));
            }
            states += self.states(&current);
            let need = databases + space.bytes_needed(previous.len(), current.len());
            if need > run.memory() {
                return Err(SearchError::Budget { need: need.into(), budget: run.memory() });
            }
            bytes = need.max(bytes);
            depth += 1;
            let next = run.install(|| self.step(&previous, &current, depth, run))?;
            previous = std::mem::replace(&mut current, next);
            Ok(Continue(depth))
        })?;
        if !is_found {
            return Ok(None);
        }
        states += self.states(&current);
        let squares =
            current.iter().filter(|entry| space.is_middle(entry.state)).try_fold(0u128, |sum, entry| {
                let (orbit, paths) = (space.orbit(entry.state), entry.paths);
                // Each middle state counts once for every peg other than 0 without discs.
                let each = u128::from(paths / orbit);
                let pegs = u128::from(space.pegs - 1 - space.used(entry.state));
                sum.checked_add(each.checked_mul(each)?.checked_mul(u128::from(orbit))?.checked_mul(pegs)?)
            });
        let paths = match self.counts_paths {
            true => Some(squares.ok_or(SearchError::Overflow)? / u128::from(space.pegs - 1)),
            false => None,
        };
        Ok(Some(HalfReport { length: 2 * depth + 1, paths, states, bytes }))
    }

    fn states(&self, layer: &[Entry]) -> u64 {
        layer.iter().map(|entry| self.space.orbit(entry.state)).sum()
    }

    /// The layer after `current`, at `depth`.
    fn step(
        &self,
        previous: &[Entry],
        current: &[Entry],
        depth: u32,
        run: &Run<'_>,
    ) -> Result<Vec<Entry>, SearchError> {
        let limits: Vec<u64> =
            (1..RANGES).map(|range| current[range * current.len() / RANGES].state).collect();
        let chunk = current.len().div_ceil(4 * run.threads()).clamp(1, 1 << 20);
        let children = current.par_chunks(chunk).map(|part| {
            let (mut ranges, mut family) = (vec![Vec::new(); RANGES], Family::default());
            for (at, &entry) in part.iter().enumerate() {
                if at % 1024 == 0 && run.is_cancelled() {
                    break;
                }
                let mut keep = |state| {
                    let range = limits.partition_point(|&limit| limit <= state);
                    ranges[range].push(Entry { state, ..entry });
                };
                match &self.bounds {
                    None => self.space.each_child(entry.state, keep),
                    Some(bounds) => {
                        self.space.each_child(entry.state, |child| bounds.add(&mut family, child));
                        bounds.each_within(&mut family, depth, &mut keep);
                    }
                }
            }
            ranges
        });
        let children: Vec<Vec<Vec<Entry>>> = children.collect();
        run.check()?;
        let next = (0..RANGES).into_par_iter().map(|range| {
            run.check()?;
            let mut all: Vec<Entry> = children.iter().flat_map(|ranges| &ranges[range]).copied().collect();
            all.sort_unstable_by_key(|entry| entry.state);
            let fits = merge(&mut all);
            if self.counts_paths && !fits {
                return Err(SearchError::Overflow);
            }
            let Some(&first) = all.first() else { return Ok(all) };
            let mut before = [previous, current].map(|layer| {
                layer[layer.partition_point(|entry| entry.state < first.state)..].iter().peekable()
            });
            all.retain(|entry| {
                before.iter_mut().all(|layer| {
                    while layer.next_if(|known| known.state < entry.state).is_some() {}
                    layer.peek().is_none_or(|known| known.state != entry.state)
                })
            });
            Ok(all)
        });
        let next: Vec<Vec<Entry>> = next.collect::<Result<_, SearchError>>()?;
        drop(children);
        Ok(next.concat())
    }
}

/// The states of some discs, the smallest in the lowest bits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Space {
    pub pegs: u32,
    pub discs: u32,
}

impl Space {
    pub fn peg(self, state: u64, disc: u32) -> usize {
        (state >> (disc * bits(self.pegs)) & ((1 << bits(self.pegs)) - 1)) as usize
    }

    /// The kept state of the orbit of `state`.
    pub fn canonical(self, state: u64) -> u64 {
        let mut names = [0, u64::MAX, u64::MAX, u64::MAX, u64::MAX, u64::MAX];
        let (mut used, mut found) = (0, 0);
        for disc in (0..self.discs).rev() {
            let name = &mut names[self.peg(state, disc)];
            if *name == u64::MAX {
                used += 1;
                *name = used;
            }
            found |= *name << (disc * bits(self.pegs));
        }
        found
    }

    /// The number of pegs other than 0 that have discs, in a kept state: its greatest peg.
    fn used(self, state: u64) -> u32 {
        (0..self.discs).map(|disc| self.peg(state, disc) as u32).max().unwrap_or(0)
    }

    /// The number of states in the orbit of a kept state.
    pub fn orbit(self, state: u64) -> u64 {
        (0..self.used(state)).map(|named| u64::from(self.pegs - 1 - named)).product()
    }

    /// Whether peg 0 and another peg have no disc, in a kept state.
    pub fn is_middle(self, state: u64) -> bool {
        (0..self.discs).all(|disc| self.peg(state, disc) != 0) && self.used(state) <= self.pegs - 2
    }

    /// The maximum number of bytes that a step takes: at most one move between any two pegs, and each child stored
    /// twice, before and after it is put into its range.
    fn bytes_needed(self, previous: usize, current: usize) -> u64 {
        let children = u64::from(self.pegs * (self.pegs - 1) / 2) * 2;
        (to_u64(previous) + to_u64(current) * (1 + children)) * to_u64(size_of::<Entry>())
    }

    /// Calls `visit` with the kept state of each child's orbit.
    pub fn each_child(self, state: u64, mut visit: impl FnMut(u64)) {
        let mut tops = [u32::MAX; 6];
        for disc in (0..self.discs).rev() {
            tops[self.peg(state, disc)] = disc;
        }
        for from in 0..self.pegs as usize {
            for to in (0..self.pegs as usize).filter(|&to| tops[from] < tops[to]) {
                let place = tops[from] * bits(self.pegs);
                let child = state & !((from as u64) << place) | (to as u64) << place;
                visit(self.canonical(child));
            }
        }
    }
}

/// Merges entries of the same state, which follow each other. Returns whether the numbers of paths fit.
fn merge(entries: &mut Vec<Entry>) -> bool {
    let mut fits = true;
    entries.dedup_by(|entry, kept| {
        let same = entry.state == kept.state;
        if same {
            let (sum, overflows) = kept.paths.overflowing_add(entry.paths);
            kept.paths = sum;
            fits &= !overflows;
        }
        same
    });
    fits
}
