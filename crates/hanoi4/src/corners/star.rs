//! The distance between the centre and a leaf of a star, by the times of corners.
//!
//! The idea: on some shortest path, the largest disc moves once. Its last move is from the centre to the leaf, and
//! until then it may as well stay on the centre, because the largest disc blocks no other disc. At this move, the
//! others are on the other two leaves, in one of 2ⁿ⁻¹ states. So the distance is one more than the least sum, over
//! these states, of their distances from the centre and to the leaf with n − 1 discs. The states are corners; two
//! searches over corners find the distances, one after the other.
//!
//! The small discs' distances from the centre, with which the first search starts, are times of corners of
//! fewer discs: the search is its own first step.
//!
//! Cost: 3 · 2ᵏ bytes for half of the 4^(n − 1 − k) blocks in the second search, which fixes two pegs; a sixth of
//! them in the first one.

use super::databases::memory_needed;
use super::geometry::Geometry;
use super::search::CornerSearch;
use crate::error::SearchError;
use crate::goals::Goals;
use crate::model::State;
use crate::pegs::{PegGroup, PegPerm};
use search_core::Run;

/// The bytes of a search with `small` small discs.
pub fn bytes(discs: u32, small: u32) -> u64 {
    // The second search, and the distances of the first one.
    memory_needed::<u8>(&Geometry::star(small), discs - 1, small, 2) + (4 << (discs - 1))
}

/// The distance between all of `discs` discs on the centre, peg 0, and all on a leaf, with `small` small discs. Returns
/// the number of corners of both searches too.
///
/// # Errors
/// [`SearchError`] when the search is cancelled or the memory is not available.
///
/// # Panics
/// If `small` is not less than the number of discs, or distances within a block do not fit in a byte (`small` is 15 or
/// more).
pub fn length(discs: u32, small: u32, run: &Run<'_>) -> Result<(u32, u64), SearchError> {
    assert!((1..15).contains(&small) && small < discs, "{small} small of {discs} discs");
    let others = discs - 1;
    run.install(|| {
        let search = from_centre(others, small, run)?;
        let (near, corners) = (search.times_on((2, 3)), search.corners());
        // Its memory is reused for the second search.
        drop(search);
        let leaf = PegGroup::filtered(|perm: PegPerm| perm.peg(0) == 0 && perm.peg(1) == 1);
        let mut search = CornerSearch::<u8>::new(Geometry::star(small), (others, small), leaf, run)?;
        search.seed(Goals::Peg(1))?;
        search.complete("from the leaf", 0, run)?;
        let far = search.times_on((2, 3));
        let length = near.iter().zip(&far).map(|(&near, &far)| near + far).min().expect("a state") + 1;
        Ok((length, corners + search.corners()))
    })
}

/// The times of all corners from all discs on the centre.
fn from_centre(discs: u32, small: u32, run: &Run<'_>) -> Result<CornerSearch<u8>, SearchError> {
    let start = small_discs_from_centre(small, run)?;
    let mut search = CornerSearch::new(Geometry::star(small), (discs, small), PegGroup::fixing(0), run)?;
    search.start(State::START, |corner| start[corner]);
    search.complete("from the centre", 0, run)?;
    Ok(search)
}

/// The distances from all of `discs` discs on the centre to the corners of these discs.
fn small_discs_from_centre(discs: u32, run: &Run<'_>) -> Result<Vec<u32>, SearchError> {
    let corners = Geometry::star(discs).corners(discs);
    if discs == 0 {
        return Ok(vec![0; corners]);
    }
    let small = discs / 2;
    let search = from_centre(discs, small, run)?;
    let (all, few) = (Geometry::star(discs), Geometry::star(small));
    let time = |state: State| {
        let rest = state.smallest(small);
        let column = (0..few.corners(small)).find(|&at| few.state(small, at) == rest);
        search.time(state.above(small), column.expect("discs on two leaves"))
    };
    Ok((0..corners).map(|corner| time(all.state(discs, corner))).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::{GraphLimits, GraphTask, PegGraph, explore};

    #[test]
    fn lengths_are_those_of_a_naive_search_whatever_the_number_of_small_discs() {
        let graph = PegGraph::parse("star", 4).unwrap();
        for discs in 2..=9 {
            let task = GraphTask { graph: &graph, discs, from: 0, word_discs: None };
            let limits = GraphLimits { to: Some(1), ..GraphLimits::default() };
            let expected = explore(&task, &limits, &Run::new()).unwrap().perfect[1].unwrap().length;
            for small in 1..discs {
                let found = length(discs, small, &Run::new()).unwrap();
                assert_eq!(found.0, expected, "{discs} discs, {small} small");
            }
        }
    }

    #[test]
    #[ignore = "an hour and 15 GB: 23 and 24 discs, each with two numbers of small discs"]
    fn new_lengths_do_not_depend_on_the_number_of_small_discs() {
        let file = include_str!("../../../../fixtures/hanoi/star.csv");
        let rows = file.lines().filter(|line| line.starts_with(|digit: char| digit.is_ascii_digit()));
        for row in rows {
            let (discs, expected) = row.split_once(',').unwrap();
            let discs = discs.parse().unwrap();
            for small in [discs / 2 + 1, discs / 2 + 2] {
                let found = length(discs, small, &Run::new()).unwrap();
                assert_eq!(found.0, expected.parse::<u32>().unwrap(), "{discs} discs, {small} small");
            }
        }
    }
}
