//! Estimates of the time, memory and disk of complete searches and verifications.
//!
//! The idea: the work is known, and the time for each unit of it was measured on one machine with two threads, the
//! [reference machine](REFERENCE). Another machine takes [`slowness`] times as long, measured by a search of
//! known time. A complete search counts each orbit once, at a rate that depends on the number of small
//! discs ([`Space`]); the states of a verification are known from the searches up to 29 discs and from Korf &
//! Felner 2006, Table 2 ([`Proof`]); the corners that a verification by corners enters are known from searches up to 30
//! discs ([`CornerProof`]).
//!
//! The model ignores disks that are slower than the search, and memory that is slower for more threads. It was
//! fitted to complete searches of 15 to 21 discs and verifications of 22 to 27 discs; docs/measurements/hanoi.md compares it with
//! larger ones.

use crate::bitmap::shape::SMALL;
use crate::corners::complete::{self, CompleteSearch};
use crate::corners::half;
use crate::error::SearchError;
use crate::presumed::four_peg_length;
use crate::tables::DatabaseId;
use crate::verify::{default_database, most_small};
use search_core::Run;
use search_core::clock::Instant;
use search_core::table::Recipe;
use serde::Serialize;
use std::ops::RangeInclusive;

/// The machine of the measured times.
pub const REFERENCE: &str = "2 threads of an AMD EPYC (Zen 5)";

/// The numbers of discs of the complete searches that the model knows.
pub const SPACES: RangeInclusive<u32> = 13..=24;

/// The numbers of discs of the verifications that the model knows.
pub const PROOFS: RangeInclusive<u32> = 13..=31;

/// The search that measures a machine: its number of discs and small discs, and its time on the reference machine in
/// seconds.
const PROBE: (u32, u32, f64) = (17, 10, 0.87);

/// The states that a verification searches per second, once it has its database.
const STATES_A_SECOND: f64 = 450e6;

/// The peak size in bytes, per state, of the layers of a verification of 30 discs or more.
const BYTES_A_STATE: f64 = 0.034;

/// For each number of small discs of a complete search: the seconds before the count begins, and the
/// nanoseconds for each orbit. Measured at 15 to 21 discs; 13 and 14 small discs on another machine, in relation to 12
/// small discs there.
const RATES: [(u32, f64, f64); 7] = [
    (8, 0.0, 0.55),
    (9, 0.02, 0.354),
    (10, 0.06, 0.28),
    (11, 0.28, 0.26),
    (12, 1.7, 0.258),
    (13, 7.8, 0.32),
    (14, 45.0, 0.32),
];

/// The states of verifications with the default databases, from 13 discs on. The last one is extrapolated by the growth
/// from 29 to 30 discs.
const STATES: [u64; 19] = [
    146_838,
    249_932,
    348_950,
    1_404_940,
    4_632_083,
    12_278_360,
    23_896_414,
    33_270_800,
    32_956_480,
    173_103_062,
    614_940_537,
    1_676_906_916,
    4_292_766_255,
    8_137_149_188,
    12_107_649_475,
    38_707_832_296,
    547_627_072_734,
    7_106_487_348_969,
    92_000_000_000_000,
];

/// The corners entered, the blocks reached and the most live blocks of verifications by corners with the default
/// databases and numbers of small discs, from 13 discs on. The last one is a forecast: the logarithm of the growth from
/// the tower with one disc fewer, at equal numbers of small discs, is in proportion to the number of discs where the
/// increments of the presumed lengths change alike (24 and 31 discs).
const CORNERS: [(u64, u64, u64); 19] = [
    (854, 37, 20),
    (1_201, 82, 36),
    (1_505, 105, 43),
    (3_789, 305, 146),
    (9_920, 703, 331),
    (28_179, 1_233, 603),
    (58_611, 2_139, 820),
    (81_697, 3_014, 1_050),
    (75_829, 3_535, 872),
    (457_310, 12_986, 3_028),
    (1_620_897, 39_165, 8_855),
    (4_357_349, 95_595, 19_789),
    (5_094_957, 74_807, 15_155),
    (4_484_526, 47_569, 8_928),
    (2_671_604, 24_862, 5_153),
    (3_716_723, 24_455, 6_546),
    (27_077_279, 76_120, 20_966),
    (107_472_931, 154_101, 52_682),
    (690_000_000, 950_000, 340_000),
];

/// The seconds per entered corner of a verification by corners with 8 to 14 small discs. Measured on two threads of an
/// Intel Xeon (8 to 11) and of an AMD EPYC (Zen 4), beside other programs.
const SECONDS_A_CORNER: [f64; 7] = [0.85e-6, 0.93e-6, 1.05e-6, 1.5e-6, 1.9e-6, 2.5e-6, 2.9e-6];

/// The peak size in bytes of the layers of verifications, from 20 to 29 discs.
const LAYERS: [f64; 10] = [2.5e6, 2.5e6, 10.3e6, 27.8e6, 76.6e6, 177e6, 285e6, 367e6, 1.614e9, 18.48e9];

/// The cost of a complete search with some number of small discs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Space {
    /// The number of small discs.
    pub small: u32,
    /// The seconds on the reference machine.
    pub seconds: f64,
    /// The bytes of memory.
    pub memory: u64,
    /// The bytes of disk, if the search keeps checkpoints: two files of times.
    pub disk: u64,
}

impl Space {
    /// The costs of a complete search for each plausible number of small discs, on some threads.
    ///
    /// # Panics
    /// If the number of discs is not in [`SPACES`].
    pub fn choices(discs: u32, threads: usize) -> Vec<Space> {
        assert!(SPACES.contains(&discs), "{discs} discs are not in the model");
        let orbits = ((1u64 << (2 * discs)) + (3 << discs) + 2) / 6;
        let choice = |&(small, start, nanoseconds): &(u32, f64, f64)| Space {
            small,
            seconds: start + nanoseconds * 1e-9 * orbits as f64,
            memory: complete::bytes(discs, small, false, threads),
            disk: 2 * complete::file_bytes(discs, small, false),
        };
        RATES.iter().filter(|&&(small, ..)| small <= discs).map(choice).collect()
    }
}

/// The cost of a verification with the default database.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Proof {
    /// The presumed-optimal length.
    pub length: u32,
    /// The number of discs of the database, if one is used.
    pub database_discs: Option<u32>,
    /// The seconds to build the database on the reference machine.
    pub database_seconds: f64,
    /// The bytes of memory to build the database.
    pub database_memory: u64,
    /// The states of the search.
    pub states: u64,
    /// The seconds of the search on the reference machine.
    pub search_seconds: f64,
    /// The bytes of memory of the search, without its layers.
    pub search_memory: u64,
    /// The peak size of the layers in memory, in bytes.
    pub layer_bytes: u64,
    /// The peak size of the layers on disk, in bytes. It includes two more layers, because layers that take less than a
    /// second share a checkpoint.
    pub disk: u64,
}

impl Proof {
    /// The cost of a verification.
    ///
    /// # Panics
    /// If the number of discs is not in [`PROOFS`].
    pub fn of(discs: u32) -> Proof {
        assert!(PROOFS.contains(&discs), "{discs} discs are not in the model");
        let states = STATES[(discs - PROOFS.start()) as usize];
        let layers = match LAYERS.get(discs.saturating_sub(20) as usize) {
            Some(&layers) => layers as u64,
            None => (BYTES_A_STATE * states as f64) as u64,
        };
        let database = default_database(discs).map(DatabaseId::middle);
        let search_seconds = states as f64 / STATES_A_SECOND;
        let share = search_seconds < f64::from(four_peg_length(discs) / 2);
        let of_database = |cost: fn(&DatabaseId) -> u64| database.as_ref().map_or(0, cost);
        Proof {
            length: four_peg_length(discs),
            database_discs: default_database(discs),
            database_seconds: database.map_or(0.0, |id| id.build_seconds(2)),
            database_memory: of_database(DatabaseId::peak_bytes),
            states,
            search_seconds,
            search_memory: of_database(DatabaseId::bytes) + (64 << 20) + layers / 8,
            layer_bytes: layers,
            disk: if share { layers / 3 * 5 } else { layers },
        }
    }
}

/// The cost of a verification by corners with the default database, once that is built.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct CornerProof {
    /// The number of small discs.
    pub small: u32,
    /// The corners entered.
    pub corners: u64,
    /// The greatest number of live blocks at a time.
    pub live_blocks: u64,
    /// The seconds on the reference machine.
    pub seconds: f64,
    /// The bytes of memory, with the database.
    pub memory: u64,
    /// The bytes of disk, if the search keeps checkpoints: two files of times.
    pub disk: u64,
    /// Whether no such search was measured.
    pub is_forecast: bool,
}

impl CornerProof {
    /// The cost of a verification.
    ///
    /// # Panics
    /// If the number of discs is not in [`PROOFS`].
    pub fn of(discs: u32) -> CornerProof {
        assert!(PROOFS.contains(&discs), "{discs} discs are not in the model");
        let (corners, blocks, live) = CORNERS[(discs - PROOFS.start()) as usize];
        let database = default_database(discs).map(DatabaseId::middle);
        let small = most_small(discs, database.map_or((0, 0), |id| (id.kept(), id.discs)));
        let start = RATES.iter().find(|&&(of, ..)| of == small).map_or(0.0, |&(_, start, _)| start);
        CornerProof {
            small,
            corners,
            live_blocks: live,
            seconds: start + SECONDS_A_CORNER[small.clamp(8, 14) as usize - 8] * corners as f64,
            memory: database.map_or(0, |id| id.bytes()) + half::bytes(small, live, blocks),
            disk: 2 * half::file_bytes(small, live, blocks),
            is_forecast: discs == *PROOFS.end(),
        }
    }
}

/// The time of this machine divided by that of the reference machine, with the threads of `run`. Takes about
/// a second there, and 70 MB.
///
/// # Errors
/// [`SearchError`].
pub fn slowness(run: &Run<'_>) -> Result<f64, SearchError> {
    let (discs, small, seconds) = PROBE;
    let probe = CompleteSearch { discs, small: Some(small), ..CompleteSearch::default() };
    let start = Instant::now();
    probe.run(run)?;
    Ok(start.elapsed().as_secs_f64() / seconds)
}

/// The estimated space of a search by layers of bitmaps, from measurements at 14 to 18 discs (complete searches) and
/// at 20 to 28 (proofs).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LayerSpace {
    /// Bytes that are always in memory: blocks, boundaries, working bitmaps.
    pub base: u64,
    /// Bytes of the three widest layers.
    pub layers: u64,
}

impl LayerSpace {
    /// The space for a search of `discs` discs that stores one of `fold` images of each state.
    pub fn of_complete_search(discs: u32, small: u32, fold: u64) -> LayerSpace {
        // The widest layer of 15 discs takes 10.2 MB with six-fold symmetry; each further disc takes
        // 3.85 times as much.
        let widest = 10.2e6 * 3.85f64.powi(discs as i32 - 15) * 6.0 / fold as f64;
        let blocks = (1u64 << (2 * discs.saturating_sub(small))) / fold + 1;
        LayerSpace { base: (4 << 20) + blocks * 300, layers: (widest * 3.0) as u64 }
    }

    /// The space for the half-depth search of `discs` discs with a database of `database` discs (0 for none).
    pub fn of_proof(discs: u32, database: u32) -> LayerSpace {
        let complete = LayerSpace::of_complete_search(discs - 1, *SMALL.end().min(&(discs - 1)), 6);
        let (true, Some(default)) = (database > 0, default_database(discs)) else {
            return complete;
        };
        // A quarter more than measured with the default database. Each additional disc of the database divides the
        // space by 2.34.
        let less = 2.34f64.powi(default as i32 - database as i32);
        let layers = (1.25 * Proof::of(discs).layer_bytes as f64 * less) as u64;
        LayerSpace { base: (64 << 20) + layers / 8, layers: layers.min(complete.layers) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn best(discs: u32) -> f64 {
        Space::choices(discs, 2).iter().map(|space| space.seconds).fold(f64::INFINITY, f64::min)
    }

    fn is_near(model: f64, measured: f64) -> bool {
        (model / measured - 1.0).abs() < 0.25
    }

    #[test]
    fn estimates_of_larger_sizes_equal_the_recorded_times() {
        // Measured on the reference machine: fixtures/hanoi/complete-22.csv, docs/measurements/hanoi.md.
        assert!(is_near(best(22), 765.0), "{}", best(22));
        let of_28 = Proof::of(28);
        assert!(is_near(of_28.search_seconds, 86.2), "{of_28:?}");
        assert!(is_near(of_28.database_seconds, 85.2), "{of_28:?}");
    }

    #[test]
    fn estimates_of_fitted_sizes_equal_the_measurements() {
        for (discs, seconds) in
            [(15, 0.108), (16, 0.28), (17, 0.87), (18, 3.3), (19, 12.2), (20, 49.0), (21, 192.0)]
        {
            assert!(is_near(best(discs), seconds), "{discs} discs: {}", best(discs));
        }
        for (discs, seconds) in [(22, 0.45), (23, 1.39), (24, 3.7), (25, 9.1), (26, 17.5), (27, 27.1)] {
            let model = Proof::of(discs).search_seconds;
            assert!(is_near(model, seconds), "{discs} discs: {model}");
        }
    }

    #[test]
    fn estimates_of_proofs_by_corners_are_within_a_factor_of_two() {
        // Measured on other machines: docs/measurements/hanoi.md.
        let mebibytes = |bytes: u64| (bytes >> 20) as f64;
        for (discs, small, seconds, memory) in
            [(27, 11, 8.1, 80.0), (28, 12, 11.5, 221.0), (29, 13, 76.5, 1229.0), (30, 14, 358.5, 6042.0)]
        {
            let model = CornerProof::of(discs);
            assert_eq!((model.small, model.is_forecast), (small, false));
            assert!((0.5..2.0).contains(&(model.seconds / seconds)), "{model:?}");
            assert!(is_near(mebibytes(model.memory - (1 << 30)), memory), "{model:?}");
        }
        let last = CornerProof::of(31);
        assert!(last.is_forecast && last.seconds > 1500.0 && last.memory > 20 << 30, "{last:?}");
    }

    #[test]
    fn every_size_of_the_model_has_a_cost() {
        let mut last = 0;
        for discs in PROOFS {
            let proof = Proof::of(discs);
            assert!(discs < 22 || proof.states > last && proof.layer_bytes > 0, "{proof:?}");
            last = proof.states;
        }
        for discs in SPACES {
            assert_eq!(Space::choices(discs, 2).len(), RATES.len().min(discs as usize - 7));
        }
    }
}
