//! Compares a table of half-turn cosets with random strings of turns.
//!
//! An entry is a minimum over cosets that differ in flips, so its neighbours' entries do not prove it. But a string of
//! turns bounds the distance of the coset that it leads to, from above, and an entry that exceeds this bound would make
//! a search lose solutions. A random sample finds a table with many such entries, not one with few.

use super::fill::FillSpec;
use super::{SLICES, Square};
use crate::cube::Cube;
use crate::lanes::Portable;
use crate::metric::Metric;
use crate::random::below;
use crate::space::{State, View};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use rayon::prelude::*;
use search_core::Run;
use search_core::pdb::Packed;
use search_core::table::{FileError, FormatError, Proof, WrongContents};
use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{AtomicU64, Ordering};

/// The number of strings of turns.
const STRINGS: u64 = 1_000_000;
/// The number of strings between cancellation checks.
const PIECE: u64 = 1_000;

/// Compares entries of `BITS` bits with the lengths of strings of turns that lead to them.
///
/// # Errors
/// [`WrongContents::Exceeds`]; cancelled.
///
/// # Panics
/// If `body` has another length than a table of `spec`.
pub(crate) fn sample<const BITS: u32>(
    metric: Metric,
    flips: u8,
    spec: &FillSpec,
    body: &[u8],
    run: &Run<'_>,
) -> Result<Proof, FileError> {
    let square = Square::<Portable>::new(flips);
    let class = (SLICES as u64) << flips;
    let entries = spec.classes.start as u64 * class..spec.classes.end as u64 * class;
    let all = (entries.end - entries.start).div_ceil(1 << spec.group);
    let table = Packed::<BITS, _>::new(body, all).expect("the length was checked against the header");
    // A different seed each time, so that nobody can predict which entries are compared.
    let seed = RandomState::new().hash_one(body.len());
    let comparisons = AtomicU64::new(0);
    run.progress().begin("comparing with strings of turns", STRINGS);
    let piece = |piece: u64| {
        run.check()?;
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(piece);
        for _ in 0..PIECE {
            let mut cube = Cube::SOLVED;
            for length in 1..=spec.depth {
                let turns = metric.turns();
                cube = cube.apply(turns[below(turns.len() as u32, &mut rng) as usize]);
                let entry = square.entry(State::<Portable>::new(&cube).by_location(), View::Position);
                if !entries.contains(&entry) {
                    continue;
                }
                let entry = (entry - entries.start) >> spec.group;
                let value = match table.get(entry) {
                    0 => 0,
                    unreached if unreached == Packed::<BITS, ()>::UNREACHED => spec.depth + 1,
                    above => spec.base + u32::from(above),
                };
                if value > length {
                    return Err(FormatError::Contents(WrongContents::Exceeds { entry, value, length }).into());
                }
                comparisons.fetch_add(1, Ordering::Relaxed);
            }
        }
        Ok(())
    };
    let sampled = run.install(|| (0..STRINGS / PIECE).into_par_iter().try_for_each(piece));
    run.progress().end();
    sampled.map(|()| Proof::Sample { comparisons: comparisons.into_inner() })
}
