//! Estimates how long a solve takes on this machine, before its table is built.
//!
//! The idea: the number of nodes of a search depends on the table alone, so its mean over random cubes was counted once
//! for each size. The time per node depends on the machine and on the size of the table, since most of it is random
//! reads. It is measured by searching: with a small table, built in a second, and with memory of the size of the larger
//! tables, filled with copies of the small table's values. The search reads at the addresses of the larger table but
//! finds the values of the small one, so the same few million nodes are searched at each size.
//!
//! Limits: single cubes differ widely (a cube at distance 18 takes some ten times as long as one at 17), so the
//! estimate is of the mean over many. If other programs use the memory meanwhile, the measured speed is lower.

use super::SquareSpec;
use crate::heuristics::engine::{Instructions, Wiring};
use crate::lanes::Portable;
use crate::metric::Metric;
use crate::pdb::Square;
use crate::random::random_cube;
use crate::tables::{LoadedTable, Pattern, TableId, square_base};
use chacha20::ChaCha8Rng;
use chacha20::rand_core::SeedableRng;
use search_core::calibration;
use search_core::clock::Instant;
use search_core::ida::Config;
use search_core::memory::Memory;
use search_core::record::TableUse;
use search_core::table::{FileError, Recipe, Unfinished};
use search_core::{Progress, Run, Silent};
use std::ops::RangeInclusive;
use std::sync::Mutex;
use std::time::Duration;

/// The number of flips of the table whose values are used: 29 MB.
const FLIPS: u8 = 0;
/// The bound of the measured searches: with that table a cube takes some hundredths of a second.
const BOUND: u32 = 14;
/// The time to search at each size.
const LONG_ENOUGH: Duration = Duration::from_millis(800);
/// The numbers of flips of the tables whose sizes are measured: up to the largest whose nodes were counted.
const SIZES: RangeInclusive<u8> = 2..=COUNTED + NODES.len() as u8 - 1;

/// The speed of this machine with all its threads.
#[derive(Clone, Debug, PartialEq)]
pub struct Speed {
    /// Strings of turns that a fill of half-turn cosets enumerates per second.
    pub strings: f64,
    /// For some numbers of flips, in order, the seconds per node with these half-turn cosets, if they fit in memory.
    pub node: Vec<(u8, f64)>,
}

impl Speed {
    /// Measures for some seconds.
    ///
    /// # Errors
    /// Cancelled, or no memory.
    pub fn measure(run: &Run<'_>) -> Result<Speed, FileError> {
        let metric = Metric::Htm;
        let id = TableId { pattern: Pattern::Square(FLIPS), metric };
        let floor = TableId { pattern: Pattern::SquareFloor(FLIPS), metric };
        let phases = Phases { progress: run.progress(), last: Mutex::new((Instant::now(), Duration::ZERO)) };
        let floor = floor.build(&Unfinished::NOWHERE, run)?.body;
        let table = id.build(&Unfinished::NOWHERE, &run.with_progress(&phases))?.body;
        let seconds = phases.last.into_inner().expect("no thread panics while it reports").1.as_secs_f64();
        let strings = id.strings().expect("it is filled by enumeration") / seconds;

        // Measures every second size and the largest; the others are interpolated.
        let fits = |flips: u8| Square::<Portable>::entries(flips) / 4 <= run.memory();
        let sizes: Vec<u8> = SIZES.filter(|flips| fits(*flips)).collect();
        let mut node = Vec::new();
        for flips in sizes.iter().copied().filter(|flips| flips % 2 == 0 || sizes.last() == Some(flips)) {
            let tables = run.install(|| enlarged(&table, &floor, flips, run))?;
            node.push((flips, seconds_a_node(flips, tables, run)?));
        }
        Ok(Speed { strings, node })
    }

    /// The time in seconds to build a table, if it can be derived from the measurements.
    pub fn build_seconds(&self, table: &TableId) -> Option<f64> {
        Some(table.strings()? / self.strings + table.writing_seconds())
    }

    /// The mean time in seconds per random cube with the half-turn cosets of this many flips; `None` if their nodes
    /// were not counted or the table does not fit in memory.
    pub(crate) fn solve_seconds(&self, flips: u8, metric: Metric) -> Option<f64> {
        let above = self.node.iter().position(|(size, _)| *size >= flips)?;
        let (size, seconds) = self.node[above];
        let between = if size == flips {
            seconds
        } else {
            let (below, less) = self.node[above.checked_sub(1)?];
            let share = f64::from(flips - below) / f64::from(size - below);
            calibration::between(less, seconds, share)
        };
        Some(nodes(flips, metric)? * between)
    }
}

/// Forwards progress reports and times the last phase.
struct Phases<'a> {
    progress: &'a dyn Progress,
    /// The start and the duration of the last phase.
    last: Mutex<(Instant, Duration)>,
}

impl Progress for Phases<'_> {
    fn begin(&self, what: &str, total: u64) {
        self.last.lock().expect("no thread panics while it reports").0 = Instant::now();
        self.progress.begin(what, total);
    }
    fn update(&self, done: u64) {
        self.progress.update(done);
    }
    fn note(&self, line: &str) {
        self.progress.note(line);
    }
    fn detail(&self, line: &str) {
        self.progress.detail(line);
    }
    fn end(&self) {
        let mut last = self.last.lock().expect("no thread panics while it reports");
        last.1 = last.0.elapsed();
        self.progress.end();
    }
}

/// Tables as large as those with `flips` flips, filled with the values of the small ones, equally far
/// above the base.
fn enlarged(table: &Memory, floor: &Memory, flips: u8, run: &Run<'_>) -> Result<Vec<LoadedTable>, FileError> {
    let metric = Metric::Htm;
    let ids =
        [Pattern::Square(flips), Pattern::SquareFloor(flips)].map(|pattern| TableId { pattern, metric });
    const PIECE: usize = 1 << 14;
    // Each entry of the small table is repeated in whole bytes.
    let times = (1 << (flips - FLIPS)) / 4;
    let bytes = |id: &TableId| usize::try_from(id.bytes()).expect("a table in memory has addressable bytes");
    let mut large = Memory::zeroed(bytes(&ids[0]))?;
    run.try_for_each_chunk(&mut large, 4 * PIECE * times, &|piece, large| {
        let small = &table[PIECE * piece..];
        for (at, copies) in large.chunks_exact_mut(times).enumerate() {
            copies.fill((small[at / 4] >> (at % 4 * 2) & 3) * 0b01_01_01_01);
        }
        run.check()
    })?;
    let mut large_floor = Memory::zeroed(bytes(&ids[1]))?;
    let higher = square_base(flips, metric) - square_base(FLIPS, metric);
    let value = |at: usize| {
        let small = at >> (flips - FLIPS);
        let value = floor[small / 2] >> (small % 2 * 4) & 15;
        if value == 15 { value } else { value + higher }
    };
    run.try_for_each_chunk(&mut large_floor, PIECE, &|piece, bytes| {
        for (at, byte) in (piece * PIECE..).zip(bytes) {
            *byte = value(2 * at) | value(2 * at + 1) << 4;
        }
        run.check()
    })?;
    let used = |id: &TableId| TableUse { name: id.name(), checksum: String::new() };
    let bodies = ids.into_iter().zip([large, large_floor]);
    Ok(bodies.map(|(id, body)| (id, id.over(body), used(&id))).collect())
}

/// Seconds per node, measured by searching for a while.
fn seconds_a_node(flips: u8, tables: Vec<LoadedTable>, run: &Run<'_>) -> Result<f64, FileError> {
    let metric = Metric::Htm;
    let wiring = Wiring { metric, tables: &tables, instructions: Instructions::Best };
    let engine = wiring.engine(&SquareSpec { flips });
    let bound = BOUND + u32::from(square_base(flips, metric) - square_base(FLIPS, metric));
    let config = Config::default().max_bound(bound);
    let silent = run.with_progress(&Silent);
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let cubes = std::iter::repeat_with(|| random_cube(&mut rng));
    calibration::median_of_trials(LONG_ENOUGH, cubes, |cube| {
        run.check()?;
        let solved = engine.search(&cube, &config, &silent).map_err(|error| error.problem)?;
        // The search of a cube solved below the bound was too short.
        let last = solved.iterations.last().filter(|last| last.bound == bound && last.generated > 0);
        Ok(last.map(|last| last.seconds / last.generated as f64))
    })
}

/// The least number of flips for which nodes were counted.
const COUNTED: u8 = 3;
/// The mean number of nodes that the search of a random cube generates in the half-turn metric, for [`COUNTED`] flips
/// and more.
///
/// Counted over 340 cubes with 6 to 8 flips (`cube-opt scramble --count 300 --seed 300`, and `--count 40 --seed
/// 20261121`); those with 3 to 5 are derived from complete iterations of eight cubes to bound 16. Those with 9 to 11 are
/// estimates: the nodes that tables with base 9 left, times the share of cubes of which neither entry exceeds 12. A few
/// cubes take most of the nodes, so the mean of forty cubes may be 1.5 times as large.
const NODES: [f64; 9] = [1200e6, 620e6, 250e6, 138e6, 74e6, 42e6, 17e6, 10e6, 5e6];

fn nodes(flips: u8, metric: Metric) -> Option<f64> {
    let counted = NODES.get(usize::from(flips.checked_sub(COUNTED)?));
    counted.copied().filter(|_| metric == Metric::Htm)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn estimates_follow_the_machine() {
        let at = |strings: f64, node: f64| Speed {
            strings,
            node: [2, 4, 6, 8].map(|flips| (flips, node)).to_vec(),
        };
        let (slow, fast) = (at(1e6, 1e-6), at(2e6, 5e-7));
        let seconds = |speed: &Speed, flips| speed.solve_seconds(flips, Metric::Htm);
        let of = |speed: &Speed, flips| seconds(speed, flips).expect("counted");
        let slower: Vec<f64> = (3..=8).map(|flips| of(&slow, flips)).collect();
        assert!(slower.windows(2).all(|pair| pair[1] < pair[0]), "{slower:?}");
        assert_eq!(of(&fast, 5), of(&slow, 5) / 2.0);
        let table = TableId { pattern: Pattern::SquareFloor(4), metric: Metric::Htm };
        let filling =
            |speed: &Speed| speed.build_seconds(&table).expect("enumerated") - table.writing_seconds();
        assert!((filling(&slow) / filling(&fast) - 2.0).abs() < 1e-6);
        let mut far = fast.clone();
        far.node[3].1 *= 4.0;
        assert_eq!(of(&far, 8), 4.0 * of(&fast, 8));
        assert!((of(&far, 7) / of(&fast, 7) - 2.0).abs() < 1e-9 && of(&far, 6) == of(&fast, 6));
        far.node.truncate(3);
        assert_eq!((seconds(&far, 7), seconds(&far, 1)), (None, None));
    }

    #[test]
    fn a_cancelled_measurement_ends() {
        let run = Run::new().with_threads(1).with_memory(0);
        run.cancel().cancel();
        assert!(Speed::measure(&run).is_err());
    }
}
