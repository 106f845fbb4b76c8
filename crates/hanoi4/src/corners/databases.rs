//! Compressed databases: the first time at which a search from the goals touches each configuration of the larger
//! discs. Also the memory of searches over corners, and the best number of small discs.

use super::geometry::Geometry;
use super::rows::Rows;
use super::search::CornerSearch;
use super::time::Time;
use crate::error::SearchError;
use crate::goals::Goals;
use crate::model::{State, to_u64};
use search_core::Run;
use search_core::memory::Memory;
use search_core::table::Unfinished;
use std::ops::RangeInclusive;

/// The suitable numbers of small discs for `discs` discs, the fastest first, as measured at 17 to 20 discs; more
/// small discs take less memory.
pub(super) fn sizes(discs: u32) -> RangeInclusive<u32> {
    let best = (discs / 2 + 2).clamp(8, 12).min(discs);
    // With 14, the table of rows takes about a minute.
    best..=14.min(discs)
}

/// The best number of small discs for [`first_touch`] within `memory` bytes.
///
/// # Errors
/// The least memory that suffices, in bytes.
pub fn fitting(discs: u32, dropped: u32, memory: u64) -> Result<u32, u64> {
    let entries = 1 << (2 * (discs - dropped));
    let sizes = sizes(discs).filter(|&small| small >= dropped);
    let need = |small| memory_needed::<u8>(&Geometry::complete(dropped), discs, small, 6) + entries;
    first_fitting(sizes.map(|small| (small, need(small))), memory)
}

/// The first number of small discs whose need, in bytes, is within `memory`.
///
/// # Errors
/// The least need.
pub(crate) fn first_fitting(
    needs: impl Iterator<Item = (u32, u64)> + Clone,
    memory: u64,
) -> Result<u32, u64> {
    let fits = needs.clone().find(|&(_, need)| need <= memory);
    fits.map(|(small, _)| small).ok_or_else(|| needs.map(|(_, need)| need).min().unwrap_or(u64::MAX))
}

/// An upper bound on the bytes of a [`CornerSearch`] under a group of `fold` permutations.
pub(crate) fn memory_needed<T: Time>(geometry: &Geometry, discs: u32, small: u32, fold: u64) -> u64 {
    let stride = geometry.bytes_of_row::<T>(small);
    let blocks = (1u64 << (2 * (discs - small))) / fold + 2048;
    // The table's rows; the times, links and offers of each block.
    Rows::<T>::bytes(geometry, small) + blocks * (stride + 104 + stride / 8)
}

/// Computes the minimum distance to the goals for each configuration of the largest
/// `discs − dropped` of `discs` discs, with `small` small discs. Distances above 254 are given as 255. Saves its
/// state in `unfinished`, and resumes from there.
///
/// # Errors
/// [`SearchError`] when the search is cancelled or the memory is not available.
///
/// # Panics
/// If `dropped <= small <= discs` does not hold, or there are more than 16 large or small discs.
pub fn first_touch(
    discs: u32,
    dropped: u32,
    small: u32,
    goals: Goals,
    unfinished: &Unfinished,
    run: &Run<'_>,
) -> Result<Memory, SearchError> {
    assert!(dropped <= small && small <= discs && discs - small <= 16 && small <= 16, "sizes in range");
    run.install(|| {
        let new = || CornerSearch::<u8>::new(Geometry::complete(dropped), (discs, small), goals.group(), run);
        let mut search = new()?;
        let state = format!("corners of {small} small discs");
        let now = unfinished.resume_parts(&state, &mut search.parts_mut(), u32::MAX - 1, run)?;
        if !now.is_some_and(|now| search.resume_at(now)) {
            drop(search);
            search = new()?;
            search.seed(goals)?;
        }
        let title = format!("database of {discs} discs");
        search.complete_with(&title, goals.farthest(discs), run, |search, step| {
            if unfinished.is_due(run) {
                unfinished.keep_parts(&state, &search.parts(), search.now(), run);
            }
            step
        })?;
        values(&search, run)
    })
}

/// The values of the database, for all images of the blocks.
fn values(search: &CornerSearch<u8>, run: &Run<'_>) -> Result<Memory, SearchError> {
    let (blocks, large, each) = (search.blocks(), search.blocks().large(), search.rows().more());
    let kept = each.trailing_zeros() / 2;
    let mut values = Memory::zeroed(each << (2 * large))?;
    let perms = blocks.group().perms();
    let order: Vec<Vec<usize>> = perms
        .iter()
        .map(|perm| (0..each).map(|at| perm.state(State::from_code(to_u64(at)), kept).index()).collect())
        .collect();
    for id in blocks.ids() {
        run.check()?;
        let (first, times) = search.configurations_of(id);
        let value = |&time: &u8| u8::try_from(first + u32::from(time)).unwrap_or(u8::MAX);
        let found: Vec<u8> = times.iter().map(value).collect();
        for (perm, order) in perms.iter().zip(&order) {
            let row = &mut values[perm.state(blocks.large_discs(id), large).index() * each..][..each];
            order.iter().zip(&found).for_each(|(&at, &depth)| row[at] = depth);
        }
    }
    Ok(values)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pdb::Database;

    #[test]
    fn every_split_into_small_and_large_gives_the_complete_databases_minima() {
        for goals in [Goals::Middle, Goals::Peg(0), Goals::Peg(2)] {
            for discs in 2..=8 {
                let complete = Database::complete(discs, goals);
                for small in 1..=discs.min(6) {
                    for dropped in 0..=small {
                        let found =
                            first_touch(discs, dropped, small, goals, &Unfinished::NOWHERE, &Run::new());
                        let least = complete
                            .values()
                            .chunks(1 << (2 * dropped))
                            .map(|part| part.iter().min().unwrap());
                        assert!(found.unwrap().iter().eq(least), "{discs} {small} {dropped} {goals:?}");
                    }
                }
            }
        }
    }
}
