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
use chacha20::ChaCha8Rng;
use chacha20::rand_core::SeedableRng;
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
    let piece = |piece: usize| {
        run.check()?;
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(piece as u64);
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
    let sampled = run.try_for_each((STRINGS / PIECE) as usize, &piece);
    run.progress().end();
    sampled.map(|()| Proof::Sample { comparisons: comparisons.into_inner() })
}

#[cfg(test)]
mod tests {
    use super::super::CLASSES;
    use super::super::fill::fill;
    use super::*;
    use search_core::table::Unfinished;

    #[test]
    fn a_sample_passes_sound_tables_and_finds_wrong_entries_near_the_solved_cube() {
        let (run, metric) = (Run::new(), Metric::Htm);
        // Entries above a base, and minima over groups of entries.
        let above = FillSpec { classes: 0..CLASSES, group: 0, base: 2, depth: 4 };
        let least = FillSpec { classes: 0..CLASSES, group: 8, base: 0, depth: 4 };
        let built = |above: bool, spec: &FillSpec| {
            let (square, spec, nowhere) = (Square::<Portable>::new(0), spec.clone(), &Unfinished::NOWHERE);
            let bits = if above { 2 } else { 4 };
            fill(&square, metric, (spec, bits), nowhere, &run).unwrap().body.to_vec()
        };
        let sampled = |is_above: bool, body: &[u8]| match is_above {
            true => sample::<2>(metric, 0, &above, body, &run),
            false => sample::<4>(metric, 0, &least, body, &run),
        };
        for is_above in [true, false] {
            let spec = if is_above { &above } else { &least };
            let sound = built(is_above, spec);
            let proof = sampled(is_above, &sound).unwrap();
            assert!(matches!(proof, Proof::Sample { comparisons } if comparisons > 1_000_000), "{proof:?}");
            assert!(!proof.is_complete());
            // One entry, of a coset two turns away, says that it is farther.
            let cube = Cube::SOLVED.apply_all(metric.turns()[..1].iter().copied()).apply(metric.turns()[3]);
            let entry = Square::<Portable>::new(0)
                .entry(State::<Portable>::new(&cube).by_location(), View::Position)
                >> spec.group;
            let (bits, mut forged) = (if is_above { 2 } else { 4 }, sound);
            let (at, shift) = (entry as usize * bits / 8, entry as usize * bits % 8);
            forged[at] |= ((1u8 << bits) - 1) << shift;
            let refused = sampled(is_above, &forged).unwrap_err();
            assert!(
                matches!(
                    refused,
                    FileError::Format(FormatError::Contents(WrongContents::Exceeds { entry: at, value: 5, .. }))
                        if at == entry
                ),
                "{refused}"
            );
        }
    }
}
