//! Lower bounds for half-depth searches of complete graphs: databases of a few discs, with one entry per orbit of
//! states.
//!
//! The idea (Korf & Felner 2006, as in [`splittings`](crate::splittings)): the numbers of moves that the largest `m`
//! discs and the others take to reach a middle state may be added, because a move moves one disc; so may those of the
//! smallest `m` discs and the others. The bound is the greater of the two sums. A database has the distance of every
//! state of `m` discs to the nearest middle state of them.
//!
//! It has one entry per orbit. A kept state reads, from the largest disc on, as a string in which each new peg is the
//! next number, so the states are ranked by counting strings: with `u` pegs other than 0 used, the next disc is on one of
//! `u + 1` known pegs, or on the next one.
//!
//! Why no shortest path is lost: distances of parts are lower bounds, and change by at most one per move; so a state is
//! removed only where no path through it reaches a middle state within the threshold, and every state on such a
//! path is reached at its true depth.

use super::half::{Space, bits};
use crate::error::{SearchError, refused};
use crate::layer_loop::each_layer;
use crate::model::to_u64;
use rayon::prelude::*;
use search_core::Run;
use search_core::prefetch::prefetch;
use std::ops::ControlFlow::{Break, Continue};
use std::sync::atomic::{AtomicU8, Ordering};

/// The distance of an orbit that is not reached yet.
const NEVER: u8 = u8::MAX;

/// The number of strings that begin at a disc: `counts[r][u]` for `r` discs after `u` used pegs.
type Counts = Vec<[u64; 7]>;

/// The distances of the states of some discs to the nearest middle state, one per orbit.
#[derive(Debug)]
pub(super) struct Database {
    space: Space,
    counts: Counts,
    values: Vec<AtomicU8>,
}

impl Database {
    /// The bytes of a database.
    pub fn bytes(space: Space) -> u64 {
        counts(space)[space.discs as usize][0]
    }

    /// Searches from all middle states.
    ///
    /// # Errors
    /// [`SearchError`] when the memory is not available or the search is cancelled.
    pub fn new(space: Space, run: &Run<'_>) -> Result<Database, SearchError> {
        let counts = counts(space);
        let bytes = Database::bytes(space);
        let mut values = Vec::new();
        values.try_reserve_exact(bytes as usize).map_err(|_| refused(bytes as usize))?;
        let unrank = |rank: usize| unrank(space, &counts, to_u64(rank));
        (0..bytes as usize)
            .into_par_iter()
            .map(|rank| AtomicU8::new(if space.is_middle(unrank(rank)) { 0 } else { NEVER }))
            .collect_into_vec(&mut values);
        let mut depth = 0;
        each_layer("databases", 0, run, || {
            let part = 1 << 14;
            let found = values.par_chunks(part).enumerate().map(|(chunk, due)| {
                run.check()?;
                let mut found = false;
                // Within a step, only the values `NEVER` are replaced, all by the same number.
                for (at, _) in
                    due.iter().enumerate().filter(|(_, value)| value.load(Ordering::Relaxed) == depth)
                {
                    space.each_child(unrank(chunk * part + at), |child| {
                        let value = &values[rank(space, &counts, child) as usize];
                        if value.load(Ordering::Relaxed) == NEVER {
                            value.store(depth + 1, Ordering::Relaxed);
                            found = true;
                        }
                    });
                }
                Ok::<bool, SearchError>(found)
            });
            if !found.try_reduce(|| false, |a, b| Ok(a | b))? || depth == NEVER - 2 {
                return Ok(Break(()));
            }
            depth += 1;
            Ok(Continue(depth.into()))
        })?;
        Ok(Database { space, counts, values })
    }

    /// The index of the value of the discs from number `first` on.
    #[inline]
    fn place(&self, state: u64, first: u32) -> usize {
        rank(self.space, &self.counts, state >> (first * bits(self.space.pegs))) as usize
    }
}

/// Counts the strings of up to all discs of a space.
fn counts(space: Space) -> Counts {
    let mut counts: Counts = vec![[1; 7]];
    for _ in 0..space.discs {
        let fewer = counts[counts.len() - 1];
        let mut row = [0; 7];
        for used in 0..space.pegs as usize {
            let more = if used + 1 < space.pegs as usize { fewer[used + 1] } else { 0 };
            row[used] = (to_u64(used) + 1) * fewer[used] + more;
        }
        counts.push(row);
    }
    counts
}

/// The number of the orbit of the space's discs in `state`, which may have larger ones.
#[inline]
fn rank(space: Space, counts: &Counts, state: u64) -> u64 {
    let mut names = [u64::MAX; 8];
    names[0] = 0;
    let (mut used, mut rank) = (0, 0);
    for disc in (0..space.discs).rev() {
        let name = &mut names[space.peg(state, disc)];
        let fewer = counts[disc as usize][used];
        if *name == u64::MAX {
            used += 1;
            *name = to_u64(used);
        }
        rank += *name * fewer;
    }
    rank
}

/// The kept state of an orbit.
fn unrank(space: Space, counts: &Counts, mut rank: u64) -> u64 {
    let (mut used, mut state) = (0, 0);
    for disc in (0..space.discs).rev() {
        let fewer = counts[disc as usize][used];
        let peg = (rank / fewer).min(to_u64(used) + 1);
        rank -= peg * fewer;
        used = used.max(peg as usize);
        state = state << bits(space.pegs) | peg;
    }
    state
}

/// The greater of two sums for each state.
#[derive(Debug)]
pub(super) struct Bounds {
    discs: u32,
    big: Database,
    rest: Database,
    /// The depth beyond which nothing is searched.
    threshold: u32,
}

/// Children of a state, to be compared with the threshold together.
#[derive(Debug, Default)]
pub(super) struct Family {
    /// Each child with the indices of its two values in the big database.
    children: Vec<(u64, [usize; 2])>,
}

impl Bounds {
    /// The bytes of the databases.
    pub fn bytes(space: Space, big: u32) -> u64 {
        let of = |discs| Database::bytes(Space { discs, ..space });
        of(big) + of(space.discs - big)
    }

    /// The bounds for the states of `space` with a database of `big` discs and one of the others.
    ///
    /// # Errors
    /// [`SearchError`] when the memory is not available or the search is cancelled.
    pub fn new(space: Space, big: u32, threshold: u32, run: &Run<'_>) -> Result<Bounds, SearchError> {
        let of = |discs| Database::new(Space { discs, ..space }, run);
        Ok(Bounds { discs: space.discs, big: of(big)?, rest: of(space.discs - big)?, threshold })
    }

    /// The number of discs of the big database.
    pub fn big(&self) -> u32 {
        self.big.space.discs
    }

    /// Searches one move deeper.
    pub fn search_deeper(&mut self) {
        self.threshold += 1;
    }

    /// Adds a child of the state whose family this is.
    #[inline]
    pub fn add(&self, family: &mut Family, child: u64) {
        let values = &self.big.values;
        let places = [self.big.place(child, self.discs - self.big.space.discs), self.big.place(child, 0)];
        places.iter().for_each(|&place| prefetch(values[place..].as_ptr().cast()));
        family.children.push((child, places));
    }

    /// Calls `visit` with those children, at `depth`, that the bound leaves within the threshold. Empties the family.
    #[inline]
    pub fn each_within(&self, family: &mut Family, depth: u32, mut visit: impl FnMut(u64)) {
        for (child, [largest, smallest]) in family.children.drain(..) {
            let value =
                |database: &Database, place: usize| u32::from(database.values[place].load(Ordering::Relaxed));
            let rest = |first| value(&self.rest, self.rest.place(child, first));
            let below = value(&self.big, largest) + rest(0);
            let above = value(&self.big, smallest) + rest(self.big.space.discs);
            if depth + below.max(above) <= self.threshold {
                visit(child);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::{HashMap, VecDeque};

    #[test]
    fn ranks_number_the_orbits_and_values_are_exact() {
        for (pegs, discs) in [(3, 6), (4, 6), (5, 6), (6, 6), (4, 1)] {
            let space = Space { pegs, discs };
            let database = Database::new(space, &Run::new()).unwrap();
            let orbits = database.values.len();
            let kept: Vec<u64> = (0..orbits).map(|at| unrank(space, &database.counts, to_u64(at))).collect();
            for (at, &state) in kept.iter().enumerate() {
                assert_eq!(space.canonical(state), state);
                assert_eq!(database.place(state, 0), at);
            }
            let states: u64 = kept.iter().map(|&state| space.orbit(state)).sum();
            assert_eq!(states, u64::from(pegs).pow(discs), "{pegs} pegs, {discs} discs");
            // Breadth-first search from all middle states at once.
            let middle = kept.iter().copied().filter(|&state| space.is_middle(state));
            let mut open: VecDeque<(u64, u8)> = middle.map(|state| (state, 0)).collect();
            let mut exact: HashMap<u64, u8> = open.iter().copied().collect();
            while let Some((state, depth)) = open.pop_front() {
                space.each_child(state, |child| {
                    if exact.insert(child, exact.get(&child).copied().unwrap_or(depth + 1)).is_none() {
                        open.push_back((child, depth + 1));
                    }
                });
            }
            for (state, value) in kept.iter().zip(&database.values) {
                assert_eq!(exact[state], value.load(Ordering::Relaxed), "{pegs} pegs, {state:o}");
            }
        }
    }
}
