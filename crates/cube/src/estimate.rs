//! How long a solve will take on this machine, before its table is built.
//!
//! The idea: how many nodes the search of a random cube generates depends on the table alone, so
//! it was counted once for each size. How long a node takes on this machine is measured with a
//! table that is built in seconds and is still too large for the caches. A larger table is slower
//! to read, by as much as random reads in memory of its size are slower, which is measured too; a
//! node waits for that about twice (`READS`).
//!
//! What it cannot know: single cubes differ widely (a cube at distance 18 takes some ten times as
//! long as one at 17), so the estimate is of the mean over many.

use crate::choice::Choice;
use crate::lanes::Portable;
use crate::metric::Metric;
use crate::patterns::Square;
use crate::patterns::square::fill::strings;
use crate::random::random_cube;
use crate::solver::{Instructions, Solver};
use crate::tables::square_base;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use rayon::prelude::*;
use search_core::ida::Config;
use search_core::memory::{Memory, random_read_seconds};
use search_core::record::TableUse;
use search_core::table::FileError;
use search_core::{Cancel, Progress, Silent};
use std::time::{Duration, Instant};

/// Flips of the table to calibrate with: 0.1 GB.
const FLIPS: u8 = 2;
/// Searched to this bound, a cube takes a fraction of a second with that table.
const BOUND: u32 = 15;
/// How long to search.
const LONG_ENOUGH: Duration = Duration::from_secs(2);

/// Times that each size is read: the median counts.
const TURNS: usize = 5;

/// How often a node waits for the difference between a random read in one table and in another.
/// Fitted to searches with 0.2 to 7.5 GB.
const READS: f64 = 1.9;

/// What this machine does in a second with all its threads.
#[derive(Clone, Debug, PartialEq)]
pub struct Speed {
    /// Strings of turns enumerated by a fill of square cosets.
    pub strings: f64,
    /// Nodes generated with the square cosets of two flips.
    pub nodes: f64,
    /// Seconds for a random read with the square cosets of each number of flips, from two on,
    /// as far as they fit the memory.
    pub reads: Vec<f64>,
}

impl Speed {
    /// Measures for some seconds on `threads` threads, with at most `memory` bytes.
    ///
    /// # Errors
    /// Cancelled, or no memory.
    ///
    /// # Panics
    /// If the operating system gives no threads.
    pub fn measure(
        threads: usize,
        memory: u64,
        progress: &dyn Progress,
        cancel: &Cancel,
    ) -> Result<Speed, FileError> {
        let (choice, metric) = (Choice::Square { flips: FLIPS }, Metric::Htm);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.expect("the operating system gives threads");
        let begun = Instant::now();
        let mut tables = Vec::new();
        for id in choice.tables(metric) {
            let built = pool.install(|| id.build(progress, cancel))?;
            let used = TableUse { name: id.name(), checksum: String::new() };
            tables.push((id, id.over(built.body), used));
        }
        let depth = u32::from(square_base(FLIPS, metric)) + 2;
        let strings = strings(metric, depth) as f64 / begun.elapsed().as_secs_f64();

        let solver = Solver::new(&choice, metric, tables, Instructions::Best);
        let config = Config { threads, kernel: solver.kernel(), max_bound: Some(BOUND), ..Config::default() };
        let (mut nodes, mut rng, begun) = (0, ChaCha8Rng::seed_from_u64(1), Instant::now());
        while begun.elapsed() < LONG_ENOUGH {
            cancel.check()?;
            let solved = solver.solve(&random_cube(&mut rng), &config, &Silent, cancel);
            nodes += solved.iterations.iter().map(|iteration| iteration.generated).sum::<u64>();
        }
        let nodes = nodes as f64 / begun.elapsed().as_secs_f64();
        drop(solver);
        Ok(Speed { strings, nodes, reads: reads(threads, memory, cancel)? })
    }

    /// The mean seconds that a random cube takes with the square cosets of so many flips; none where
    /// its nodes were not counted or its table does not fit the memory.
    pub fn solve_seconds(&self, flips: u8, metric: Metric) -> Option<f64> {
        let slower = self.reads.get(usize::from(flips.checked_sub(FLIPS)?))? - self.reads[0];
        Some(nodes(flips, metric)? * (1.0 / self.nodes + READS * slower.max(0.0)))
    }

    /// The seconds that a fill takes to a depth.
    pub fn fill_seconds(&self, metric: Metric, depth: u32) -> f64 {
        strings(metric, depth) as f64 / self.strings
    }
}

/// [`Speed::reads`].
fn reads(threads: usize, memory: u64, cancel: &Cancel) -> Result<Vec<f64>, FileError> {
    let flips = FLIPS..=FLIPS + NODES.len() as u8;
    let sizes = flips.map(|flips| Square::<Portable>::entries(flips) / 4);
    let sizes: Vec<usize> = sizes.take_while(|size| *size <= memory).map(|size| size as usize).collect();
    let mut bytes = Memory::zeroed(sizes.last().copied().unwrap_or(0))?;
    // A page has no place of its own before it is written.
    bytes.par_chunks_mut(1 << 26).try_for_each(|piece| {
        piece.iter_mut().step_by(1 << 12).for_each(|byte| *byte = 1);
        cancel.check()
    })?;
    // In turns, so that what else the machine does for a while falls on one reading of each size.
    let mut turns = vec![Vec::new(); sizes.len()];
    for _ in 0..TURNS {
        cancel.check()?;
        for (size, seconds) in sizes.iter().zip(&mut turns) {
            seconds.push(random_read_seconds(&bytes[..*size], threads));
        }
    }
    Ok(slowest_so_far(turns.iter_mut().map(|seconds| median(seconds))).collect())
}

/// The middle one, and of two the greater.
///
/// # Panics
/// If there is none.
fn median(seconds: &mut [f64]) -> f64 {
    let middle = seconds.len() / 2;
    *seconds.select_nth_unstable_by(middle, f64::total_cmp).1
}

/// Each value, or the greatest before it: a larger table is never faster to read, only luckier.
fn slowest_so_far(seconds: impl Iterator<Item = f64>) -> impl Iterator<Item = f64> {
    seconds.scan(0.0, |slowest, seconds| {
        *slowest = seconds.max(*slowest);
        Some(*slowest)
    })
}

/// Nodes that the search of a random cube generates in half turns, in the mean, with one flip more
/// than [`FLIPS`] and so on.
///
/// Counted over 340 cubes with 6 to 8 flips (`cube-opt scramble --count 300 --seed 300`, and `--count 40
/// --seed 20261121`); the others follow from complete iterations, to bound 16 of eight cubes, and from
/// what near misses save with them. Few cubes take most nodes, so the mean of forty may well be half
/// as large again.
const NODES: [f64; 6] = [1200e6, 620e6, 290e6, 138e6, 74e6, 42e6];

fn nodes(flips: u8, metric: Metric) -> Option<f64> {
    let counted = NODES.get(usize::from(flips.checked_sub(FLIPS + 1)?));
    counted.copied().filter(|_| metric == Metric::Htm)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn estimates_follow_the_machine() {
        let at = |nodes: f64, read: f64| Speed { strings: nodes, nodes, reads: vec![read; 7] };
        let (slow, fast) = (at(1e6, 1e-8), at(2e6, 1e-8));
        let of = |speed: &Speed, flips| speed.solve_seconds(flips, Metric::Htm).expect("counted");
        let seconds: Vec<f64> = (3..=8).map(|flips| of(&slow, flips)).collect();
        assert!(seconds.windows(2).all(|pair| pair[1] < pair[0]), "{seconds:?}");
        assert_eq!(of(&fast, 5), of(&slow, 5) / 2.0);
        assert_eq!(slow.fill_seconds(Metric::Htm, 10), 2.0 * fast.fill_seconds(Metric::Htm, 10));
        let mut far = fast.clone();
        far.reads[6] = 1e-6;
        assert!(of(&far, 8) > of(&fast, 8) && of(&far, 7) == of(&fast, 7));
        far.reads.truncate(5);
        assert_eq!((far.solve_seconds(7, Metric::Htm), far.solve_seconds(1, Metric::Htm)), (None, None));
    }

    #[test]
    fn one_lucky_or_unlucky_reading_does_not_count() {
        assert_eq!(median(&mut [3.0, 9.0, 1.0, 2.0, 4.0]), 3.0);
        let reads: Vec<f64> = slowest_so_far([2.0, 1.0, 3.0, 2.5].into_iter()).collect();
        assert_eq!(reads, [2.0, 2.0, 3.0, 3.0]);
    }

    #[test]
    fn a_cancelled_measurement_ends() {
        let cancel = Cancel::new();
        cancel.cancel();
        assert!(Speed::measure(1, 0, &Silent, &cancel).is_err());
    }
}
