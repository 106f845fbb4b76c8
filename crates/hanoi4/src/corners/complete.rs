//! Complete search: the number of states at each depth, by the times of corners.
//!
//! The idea: no layer of states is stored. First the times of all corners are found (`search`), then the layers of each
//! block in turn are recomputed in the caches and counted (`count`). Blocks are independent in the second part, so the
//! counts do not depend on the number of threads or on the number of small discs.
//!
//! Why the counts are exact: every state is in one block, and visited at its depth. Blocks are canonical under the
//! group of peg permutations; a block represents all of its images. Where the large discs leave pegs interchangeable,
//! orbits are counted by Burnside's lemma: a permutation maps a state to itself if it fixes the pegs of all discs, at
//! most two here, so that the state is a corner.
//!
//! Cost: 6 · 2ᵏ bytes for each of 4^(n − k) blocks, divided by the order of the group; the time of a few instructions
//! per state. Korf & Felner 2006 (Table 1) store layers: 3 TB for 21 discs.

pub use super::count::SMALL;
use super::count::{BlockCounter, CountPlan};
use super::databases::{first_fitting, memory_needed};
use super::geometry::Geometry;
use super::rows::Rows;
use super::saved::{CheckpointOptions, SavedTimes, TimedSearch, is_own};
use super::search::CornerSearch;
use crate::bitmap::search::LayerCount;
use crate::bitmap::shape::pair_of;
use crate::error::SearchError;
use crate::goals::Goals;
use crate::layer_search::LayerReport;
use crate::model::{State, to_u32, to_u64};
use crate::pegs::PegGroup;
use crate::presumed::four_peg_length;
use rayon::prelude::*;
use search_core::Run;
use search_core::clock::Instant;
use search_core::storage::{IoError, StorageError, WorkDir, WorkKind};
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The kind of the work directories of complete searches by the times of corners.
pub const KIND: WorkKind = WorkKind { magic: b"hanoi4-corner-02", is_own };

/// The fewest discs of a complete search by the times of corners.
pub const FEWEST_DISCS: u32 = 8;

/// The states to search, and the directory for checkpoints.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CompleteSearch {
    /// The number of discs, at least [`FEWEST_DISCS`].
    pub discs: u32,
    /// Whether every state is searched, instead of one of each orbit under permutations of the pegs 1 to 3.
    pub without_symmetry: bool,
    /// The number of small discs, in [`SMALL`]; without it, the best that the memory allows.
    pub small: Option<u32>,
    /// The directory for checkpoints, if any.
    pub work_dir: Option<PathBuf>,
    /// The program and its version: only the same one can resume from the checkpoint.
    pub program: String,
    /// Whether to discard the search's checkpoint in that directory and start over.
    pub fresh: bool,
    /// The least time between checkpoints; ten seconds by default.
    pub checkpoint_every: Option<Duration>,
}

/// The counts of a complete search, and its farthest states.
#[derive(Debug)]
pub struct Complete {
    /// The counts of the layers, with memory and time. The bytes are those of the corners' times.
    pub report: LayerReport,
    /// The states at the greatest depth, in ascending order.
    pub farthest: Vec<State>,
    /// The number of small discs.
    pub small: u32,
}

/// The counts of the first blocks.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Counting {
    /// The number of blocks that have been counted.
    pub(super) blocks: u32,
    /// The counts of their states at each depth.
    pub(super) layers: Vec<LayerCount>,
    /// The blocks with states at the greatest depth.
    pub(super) farthest: Vec<u32>,
}

impl TimedSearch for CornerSearch<u8> {
    type Counts = Counting;

    fn small(&self) -> u32 {
        self.rows().discs()
    }

    fn now(&self) -> u32 {
        CornerSearch::now(self)
    }

    fn bytes(&self, _: &Counting) -> u64 {
        CornerSearch::bytes(self)
    }

    fn write(&self, write: &mut dyn FnMut(&[u8]) -> Result<(), IoError>) -> Result<(), IoError> {
        self.parts().into_iter().try_for_each(write)
    }

    fn read(
        &mut self,
        _: &Counting,
        _: &Run<'_>,
        read: &mut dyn FnMut(&mut [u8]) -> Result<(), SearchError>,
    ) -> Result<(), SearchError> {
        self.parts_mut().into_iter().try_for_each(read)
    }

    fn resume_at(&mut self, now: u32) -> bool {
        CornerSearch::resume_at(self, now)
    }
}

/// The counts of some blocks.
#[derive(Clone, Debug, Default)]
pub(super) struct Counts {
    pub(super) layers: Vec<LayerCount>,
    /// The blocks with states in the last of these layers.
    farthest: Vec<u32>,
}

impl Counts {
    fn layer(&mut self, depth: usize) -> &mut LayerCount {
        if self.layers.len() <= depth {
            self.layers.resize(depth + 1, LayerCount::default());
        }
        &mut self.layers[depth]
    }

    /// Adds block `id`, whose last layer is at `depth`.
    fn last(&mut self, id: u32, depth: usize) {
        // All layers up to this one have been counted.
        if self.layers.len() == depth + 1 {
            self.farthest.push(id);
        }
    }

    pub(super) fn add(&mut self, other: Counts) {
        match other.layers.len().cmp(&self.layers.len()) {
            std::cmp::Ordering::Greater => self.farthest = other.farthest,
            std::cmp::Ordering::Equal => self.farthest.extend(other.farthest),
            std::cmp::Ordering::Less => {}
        }
        for (depth, count) in other.layers.iter().enumerate() {
            self.layer(depth).add(count);
        }
    }
}

/// The best number of small discs for a complete search within `memory` bytes on some threads, and the bytes
/// that it takes.
///
/// # Errors
/// The least memory that suffices, in bytes.
pub fn fitting(discs: u32, without_symmetry: bool, threads: usize, memory: u64) -> Result<(u32, u64), u64> {
    let need = |small| bytes(discs, small, without_symmetry, threads);
    first_fitting(sizes(discs).map(|small| (small, need(small))), memory).map(|small| (small, need(small)))
}

/// The suitable numbers of small discs for `discs` discs, the fastest first, as measured at 15 to 22 discs.
pub(super) fn sizes(discs: u32) -> RangeInclusive<u32> {
    (discs / 2 + 2).clamp(8, 11).min(discs)..=(*SMALL.end()).min(discs)
}

/// The bytes of the file of times that a complete search keeps in a work directory.
pub fn file_bytes(discs: u32, small: u32, without_symmetry: bool) -> u64 {
    let large = discs - small.min(discs);
    let blocks =
        if without_symmetry { 1 << (2 * large) } else { ((1 << (2 * large)) + (3 << large) + 2) / 6 };
    blocks * (Geometry::complete(small).bytes_of_row::<u8>(small) + 4)
}

/// The bytes of memory that a complete search takes.
pub fn bytes(discs: u32, small: u32, without_symmetry: bool, threads: usize) -> u64 {
    let fold = if without_symmetry { 1 } else { 6 };
    memory_needed::<u8>(&Geometry::complete(small), discs, small, fold) + CountPlan::bytes(small, threads)
}

impl CompleteSearch {
    /// The name of the search in a work directory.
    fn identity(&self) -> String {
        let CompleteSearch { discs, without_symmetry, program, .. } = self;
        format!("hanoi4 bfs, {discs} discs, symmetry {}, corners, format 1 {program}", !without_symmetry)
    }

    /// Runs the search.
    ///
    /// # Errors
    /// [`SearchError`]; with a work directory the last checkpoint is then intact.
    ///
    /// # Panics
    /// If the number of small discs is not in [`SMALL`] or exceeds that of the discs.
    pub fn run(&self, run: &Run<'_>) -> Result<Complete, SearchError> {
        let start = Instant::now();
        let (mut saved, small) = self.open(run)?;
        let (search, counting) = run.install(|| self.times(small, saved.as_mut(), run))?;
        let before: u64 = counting.layers.iter().map(|layer| layer.orbits).sum();
        let plan = run.install(|| CountPlan::new(small, run))?;
        let mut counter = Counter { search: &search, plan: &plan, counting };
        run.install(|| counter.count(saved.as_mut(), run))?;
        let Counting { layers, farthest, .. } = counter.counting.clone();
        let farthest = run.install(|| counter.states(&farthest, layers.len() - 1, run))?;
        let mut report = LayerReport {
            exhausted: true,
            blocks: to_u64(search.blocks().count()),
            peak_bytes: search.bytes(),
            peak_disk: saved.as_ref().map_or(0, SavedTimes::bytes),
            seconds: start.elapsed().as_secs_f64(),
            searched: layers.iter().map(|layer| layer.orbits).sum::<u64>() - before,
            layers,
        };
        let tower = search
            .time(State::all_on(3, self.discs - small), Geometry::complete(small).column(small, 3, 2, 0));
        report.layers.get_mut(tower as usize).expect("the tower is a state").goal = true;
        Ok(Complete { report, farthest, small })
    }

    /// The checkpoint, if there is a work directory, and the number of small discs.
    pub(super) fn open(&self, run: &Run<'_>) -> Result<(Option<SavedTimes<Counting>>, u32), SearchError> {
        let options = self.work_dir.as_ref().map(|dir| CheckpointOptions {
            dir: dir.clone(),
            identity: self.identity(),
            fresh: self.fresh,
            every: self.checkpoint_every,
            disk: u64::MAX,
        });
        let saved = options.map(|options| SavedTimes::open(KIND, &options)).transpose()?;
        let small = match saved.as_ref().and_then(SavedTimes::small).or(self.small) {
            Some(small) => small,
            None => {
                let found = fitting(self.discs, self.without_symmetry, run.threads(), run.memory());
                found.map_err(|_| StorageError::Memory(run.memory()))?.0
            }
        };
        let memory = bytes(self.discs, small, self.without_symmetry, run.threads());
        if memory > run.memory() {
            return Err(StorageError::Memory(run.memory()).into());
        }
        Ok((saved, small))
    }

    /// Finds the times of all corners, and the counts so far.
    pub(super) fn times(
        &self,
        small: u32,
        mut saved: Option<&mut SavedTimes<Counting>>,
        run: &Run<'_>,
    ) -> Result<(CornerSearch<u8>, Counting), SearchError> {
        let discs = self.discs;
        let group = if self.without_symmetry { PegGroup::trivial() } else { PegGroup::fixing(0) };
        let mut search = CornerSearch::new(Geometry::complete(small), (discs, small), group, run)?;
        let counting = saved.as_mut().map_or(Ok(None), |saved| saved.load(&mut search, run))?;
        let counting = match counting {
            Some(counting) => counting,
            None => {
                search.seed(Goals::Peg(0))?;
                Counting::default()
            }
        };
        search.complete_with("moves", four_peg_length(discs), run, |search, step| {
            if let Some(saved) = &mut saved {
                match &step {
                    Ok(()) => saved.save_if_due(search, &counting)?,
                    Err(_) => saved.save_if_worth(search, &counting)?,
                }
            }
            step
        })?;
        Ok((search, counting))
    }
}

/// Removes the files of a search with a work directory, once its answer is saved or printed.
///
/// # Errors
/// [`SearchError::Storage`].
pub fn remove_work_dir(path: &Path) -> Result<(), SearchError> {
    Ok(WorkDir::remove(path, KIND)?)
}

/// Counts the states of the blocks.
pub(super) struct Counter<'a> {
    pub(super) search: &'a CornerSearch<u8>,
    pub(super) plan: &'a CountPlan,
    pub(super) counting: Counting,
}

impl Counter<'_> {
    fn count(
        &mut self,
        mut saved: Option<&mut SavedTimes<Counting>>,
        run: &Run<'_>,
    ) -> Result<(), SearchError> {
        let all = to_u32(self.search.blocks().count());
        // At most some tenths of a second of work.
        let batch =
            (1 << (30 - 2 * self.search.rows().discs())).max(4 * to_u32(run.threads())).min(all / 8 + 1);
        run.progress().begin("blocks", u64::from(all));
        while self.counting.blocks < all {
            let until = all.min(self.counting.blocks + batch);
            let ids: Vec<u32> = (self.counting.blocks..until).collect();
            let counts = match (count_blocks(self.search, self.plan, &ids, 0, run), &mut saved) {
                (Err(error), Some(saved)) => {
                    saved.save_if_worth(self.search, &self.counting)?;
                    return Err(error);
                }
                (counts, _) => counts?,
            };
            self.add(counts, until);
            if let Some(saved) = &mut saved {
                saved.save_if_due(self.search, &self.counting)?;
            }
            run.progress().update(u64::from(until));
        }
        run.progress().end();
        Ok(())
    }

    /// Adds the counts of some blocks; `blocks` are counted then.
    pub(super) fn add(&mut self, counts: Counts, blocks: u32) {
        let Counting { layers, farthest, .. } = std::mem::take(&mut self.counting);
        let mut sum = Counts { layers, farthest };
        sum.add(counts);
        self.counting = Counting { blocks, layers: sum.layers, farthest: sum.farthest };
    }

    /// The states at `depth` in these blocks, and their images.
    pub(super) fn states(
        &self,
        blocks: &[u32],
        depth: usize,
        run: &Run<'_>,
    ) -> Result<Vec<State>, SearchError> {
        let search = self.search;
        let (small, large) = (search.rows().discs(), search.blocks().large());
        let found = blocks.par_iter().map(|&id| {
            let (first, corners) = search.corners_of(id);
            let (mut counter, mut states) = (BlockCounter::new(self.plan, run)?, Vec::new());
            let block = search.blocks().large_discs(id);
            counter.each_at(to_u32(depth) - first, corners, run, |state| {
                let state = block.with_smaller(state, small);
                let perms = search.blocks().group().perms();
                states.extend(perms.iter().map(|perm| perm.state(state, small + large)));
            })?;
            Ok(states)
        });
        let mut found = found.collect::<Result<Vec<Vec<State>>, SearchError>>()?.concat();
        found.sort_unstable();
        found.dedup();
        Ok(found)
    }
}

/// Counts the states of blocks at depths of at least `least`, in up to 256 pieces.
pub(super) fn count_blocks(
    search: &CornerSearch<u8>,
    plan: &CountPlan,
    ids: &[u32],
    least: u32,
    run: &Run<'_>,
) -> Result<Counts, SearchError> {
    let pieces = ids.par_chunks(ids.len().div_ceil(256).max(1)).map_init(
        || None,
        |counter, ids| {
            let counter = match counter {
                Some(counter) => counter,
                None => counter.insert(BlockCounter::new(plan, run)?),
            };
            let mut counts = Counts::default();
            for &id in ids {
                run.check()?;
                count_block(search, id, least, counter, &mut counts, run)?;
            }
            Ok(counts)
        },
    );
    let mut sum = Counts::default();
    pieces.collect::<Result<Vec<Counts>, SearchError>>()?.into_iter().for_each(|piece| sum.add(piece));
    Ok(sum)
}

/// Adds the states of block `id` at depths of at least `least`.
fn count_block(
    search: &CornerSearch<u8>,
    id: u32,
    least: u32,
    counter: &mut BlockCounter<'_>,
    counts: &mut Counts,
    run: &Run<'_>,
) -> Result<(), SearchError> {
    let (first, corners) = search.corners_of(id);
    let blocks = search.blocks();
    let order = to_u64(blocks.group().perms().len());
    let stabiliser = search.stabiliser(id);
    let members = to_u64(stabiliser.len());
    let least = least.saturating_sub(first);
    let found = counter.count(corners, least, run)?;
    for (time, &stored) in (0..).zip(found).skip(least as usize) {
        let fixed = |set: u8| match set.count_ones() {
            4 => stored,
            _ => count_on(set, corners, search.rows(), time),
        };
        let sum: u64 = stabiliser.iter().map(|perm| fixed(perm.fixed())).sum();
        let (states, orbits) = (stored * (order / members), sum / members);
        let count = LayerCount { states, orbits, stored, blocks: 1, ..LayerCount::default() };
        counts.layer((first + time) as usize).add(&count);
    }
    if found.len() > least as usize {
        counts.last(id, first as usize + found.len() - 1);
    }
    Ok(())
}

/// The number of states of this time with all small discs on the pegs of `set`, one or two pegs.
fn count_on(set: u8, corners: &[u8], rows: &Rows<u8>, time: u32) -> u64 {
    let small = rows.discs();
    let pegs: Vec<u32> = (0..4).filter(|&peg| set >> peg & 1 == 1).collect();
    let is_now = |at: &&u8| u32::from(**at) == time;
    match pegs[..] {
        [peg] => to_u64(usize::from(is_now(&&corners[rows.geometry().column(small, peg, (peg + 1) % 4, 0)]))),
        [c, d] => to_u64(corners[pair_of(c, d) << small..][..1 << small].iter().filter(is_now).count()),
        _ => unreachable!("a permutation of four pegs that fixes three is the identity"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Puzzle;
    use crate::reference;

    #[test]
    fn counts_equal_the_reference_for_every_split() {
        for discs in [8, 9, 10] {
            let puzzle = Puzzle::new(discs, 4).unwrap();
            let distances = reference::distances(&puzzle, [State::START]);
            let expected = reference::histogram(&distances);
            let group = PegGroup::fixing(0);
            let all = (0..1u64 << (2 * discs)).map(State::from_code);
            let mut orbits = vec![0; expected.len()];
            for state in all.clone().filter(|&state| group.canonical(state, discs).0 == state) {
                orbits[usize::from(distances[state.index()])] += 1;
            }
            let far = |state: &State| usize::from(distances[state.index()]) == expected.len() - 1;
            let farthest: Vec<State> = all.filter(far).collect();
            for small in 7..=discs {
                for without_symmetry in [false, true] {
                    let search =
                        CompleteSearch { discs, without_symmetry, small: Some(small), ..Default::default() };
                    let found = search.run(&Run::new()).unwrap();
                    let states: Vec<u64> = found.report.layers.iter().map(|layer| layer.states).collect();
                    assert_eq!(states, expected, "{discs} discs, {small} small");
                    let found_orbits = found.report.layers.iter().map(|layer| layer.orbits);
                    assert!(
                        found_orbits.eq(if without_symmetry { &states } else { &orbits }.iter().copied())
                    );
                    assert_eq!(found.report.goal_depth(), Some(four_peg_length(discs)));
                    assert_eq!(found.farthest, farthest);
                }
            }
        }
    }
}
