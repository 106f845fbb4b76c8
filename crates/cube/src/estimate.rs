//! How long a solve will take on this machine, before its table is built.
//!
//! The idea: how many nodes the search of a random cube generates depends on the table alone, so
//! it was counted once for each size; how many a second this machine generates is measured, with a
//! table that is built in seconds and is still too large for the caches.
//!
//! What it cannot know: single cubes differ widely (a cube at distance 18 takes some ten times as
//! long as one at 17), so the estimate is of the mean over many; and a larger table is somewhat
//! slower to read.

use crate::choice::Choice;
use crate::metric::Metric;
use crate::patterns::square::fill::strings;
use crate::random::random_cube;
use crate::solver::{Instructions, Solver};
use crate::tables::square_base;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use search_core::ida::Config;
use search_core::record::TableUse;
use search_core::table::FileError;
use search_core::{Cancel, Progress, Silent};
use std::time::{Duration, Instant};

/// Flips of the table to calibrate with: 0.1 GB.
const FLIPS: u8 = 2;
/// Searched to this bound, a cube takes a fraction of a second with that table.
const BOUND: u32 = 15;
/// How long to search.
const LONG_ENOUGH: Duration = Duration::from_secs(3);

/// What this machine does in a second with all its threads.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Speed {
    /// Strings of turns enumerated by a fill of square cosets.
    pub strings: f64,
    /// Nodes generated with square cosets.
    pub nodes: f64,
}

impl Speed {
    /// Measures for some seconds on `threads` threads.
    ///
    /// # Errors
    /// Cancelled, or no memory.
    ///
    /// # Panics
    /// If the operating system gives no threads.
    pub fn measure(threads: usize, progress: &dyn Progress, cancel: &Cancel) -> Result<Speed, FileError> {
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
        Ok(Speed { strings, nodes: nodes as f64 / begun.elapsed().as_secs_f64() })
    }

    /// The mean seconds that a random cube takes with the square cosets of so many flips; none where
    /// its nodes were not counted.
    pub fn solve_seconds(&self, flips: u8, metric: Metric) -> Option<f64> {
        Some(nodes(flips, metric)? / self.nodes)
    }

    /// The seconds that a fill takes to a depth.
    pub fn fill_seconds(&self, metric: Metric, depth: u32) -> f64 {
        strings(metric, depth) as f64 / self.strings
    }
}

/// Nodes that the search of a random cube generates, in the mean.
///
/// Counted over the first cubes of `cube-opt scramble --count 40 --seed 20261121`.
fn nodes(flips: u8, metric: Metric) -> Option<f64> {
    let counted = match (metric, flips) {
        (Metric::Htm, 3) => 2188e6,
        (Metric::Htm, 4) => 1094e6,
        (Metric::Htm, 5) => 631e6,
        (Metric::Htm, 6) => 284e6,
        (Metric::Htm, 7) => 137e6,
        (Metric::Htm, 8) => 66e6,
        _ => return None,
    };
    Some(counted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn larger_tables_take_less_time_and_a_faster_machine_too() {
        let (slow, fast) = (Speed { strings: 1e6, nodes: 1e6 }, Speed { strings: 2e6, nodes: 2e6 });
        let seconds: Vec<f64> = (3..=8).filter_map(|flips| slow.solve_seconds(flips, Metric::Htm)).collect();
        assert_eq!(seconds.len(), 6);
        assert!(seconds.windows(2).all(|pair| pair[1] < pair[0]), "{seconds:?}");
        assert_eq!(fast.solve_seconds(5, Metric::Htm), slow.solve_seconds(5, Metric::Htm).map(|s| s / 2.0));
        assert_eq!(slow.fill_seconds(Metric::Htm, 10), 2.0 * fast.fill_seconds(Metric::Htm, 10));
    }

    #[test]
    fn a_cancelled_measurement_ends() {
        let cancel = Cancel::new();
        cancel.cancel();
        assert!(Speed::measure(1, &Silent, &cancel).is_err());
    }
}
