//! Breadth-first fill of a pattern database, in place and in parallel.
//!
//! The idea: the table is its own queue. The frontier of depth `d` is the set of entries that hold
//! `d`; a pass finds all entries of depth `d + 1`, either **forward**, from each entry that holds
//! `d` to its unreached children, or **backward**, from each unreached entry to the first
//! neighbour that holds `d`. Forward is cheap while the frontier is small, backward once the
//! unreached rest is (Korf 1997, section 3, fills forward; the change of direction is that of
//! Beamer, Asanović and Patterson 2012, "Direction-Optimizing Breadth-First Search").
//!
//! Invariant: before the pass of depth `d`, exactly the entries at distance at most `d` from the goals hold their
//! distance, and all others hold "not reached". A pass only replaces "not reached" by `d + 1`, and reads only whether
//! an entry holds `d` or is unreached, so neither the order of work within a pass nor the number of threads can change
//! the result: an entry is set exactly if it has a neighbour at depth `d` and no smaller distance.
//!
//! Why both directions give the same: in an undirected space "some neighbour of the entry is at
//! depth `d`" and "the entry is a child of an entry at depth `d`" are the same statement.
//!
//! Two bits: an entry then holds the depth modulo 3 (Cooperman and Finkelstein 1992). A pass also takes the entries of
//! depth `d - 3` and before for its frontier. Their children are at depth `d - 2` at most, so they are reached already: it
//! sets the same entries, for some more reads.
//!
//! Symmetry: in a space reduced by symmetry the entries of a self-symmetric row come in classes of
//! equal distance, of which an operator reaches one member. After each pass the images of every
//! new entry are set too ([`PatternSpace::aliases`]).
//!
//! Cost: each entry is expanded once (forward), or reads its neighbours until one is in the frontier (backward); in
//! addition, each depth scans the rows that may contain entries of interest. Memory: the table, two bytes for each
//! group of at least 64 entries, and, where it helps, the steps of all rows (at most [`FillOptions::step_cache`]
//! bytes).

mod cells;
mod list;
mod lock;
mod pass;

use std::ops::Range;

use crate::cast::{to_u64, to_usize};
use crate::memory::{Memory, MemoryError};
use crate::pdb::space::PatternSpace;
use crate::pdb::{Histogram, Packed};
use crate::progress::Cancelled;
use crate::run::Run;

use crate::meter::Meter;
use cells::Cells;
use pass::Passes;

/// The options of a fill.
#[derive(Clone, Copy, Debug)]
pub struct FillOptions {
    /// Stop after this depth; `None`: stop when nothing new is found.
    pub max_depth: Option<u8>,
    /// The maximum size in bytes of the steps of all rows (8 per row and operator). If they would take more, they are
    /// evaluated again at each depth.
    pub step_cache: usize,
}

impl Default for FillOptions {
    fn default() -> FillOptions {
        FillOptions { max_depth: None, step_cache: 96 << 20 }
    }
}

/// A filled table.
#[derive(Debug)]
pub struct Filled<const BITS: u32> {
    /// The distance of each entry, modulo 3 if entries have two bits.
    pub table: Packed<BITS, Memory>,
    /// The number of entries at each distance.
    pub histogram: Histogram,
    /// Whether every reachable entry has a distance; `false` if `max_depth` ended the fill.
    pub complete: bool,
    /// Ranges of entries that contain all entries at the greatest distance.
    pub deepest: Vec<Range<u64>>,
}

/// The reason why a fill failed.
#[derive(Debug, thiserror::Error)]
pub enum FillError {
    /// The work was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// There is not enough memory for the table.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// Some distance is too great for the entries' width.
    #[error("the space is deeper than {max}, the greatest distance that {bits} bits hold")]
    TooDeep {
        /// The width of an entry.
        bits: u32,
        /// The greatest distance that it holds.
        max: u8,
    },
}

/// Fills the table of `space` with entries of `BITS` bits: 4 (distances up to 14), 8 (up to 254), or 2 (distances up to 254,
/// modulo 3). The result does not depend on the number of threads.
///
/// # Errors
/// [`FillError`]: cancelled, no memory, or a distance too great for the width.
///
/// # Panics
/// If the space breaks its contract: no goal or one beyond the last entry, a step beyond the last
/// row, a column map of another length or with an image beyond the last column, a flip that leads beyond it, more than 2^32 rows or 2^16 columns.
pub fn fill<const BITS: u32, S: PatternSpace + ?Sized>(
    space: &S,
    options: FillOptions,
    run: &Run<'_>,
) -> Result<Filled<BITS>, FillError> {
    let entries = space.rows().checked_mul(space.columns()).expect("the entries can be counted");
    let entries = to_u64(entries);
    let mut bytes = Memory::zeroed(to_usize(Packed::<BITS, Memory>::bytes_for(entries)))?;
    let meter = Meter::begin(run.progress(), "filling", entries);
    let search = BreadthFirstFill { space, options, entries, meter, run };
    let result = run.install(|| search.all_depths::<BITS>(Cells::unreached(&mut bytes, run)?));
    run.progress().end();
    let (counts, complete, deepest) = result?;
    let unreached = entries - counts.iter().sum::<u64>();
    let table = Packed::new(bytes, entries).expect("the length was computed for these entries");
    Ok(Filled { table, histogram: Histogram::new(counts, unreached), complete, deepest })
}

/// The entries at each depth, whether these are all, and ranges that contain those at the greatest depth.
type Depths = (Vec<u64>, bool, Vec<Range<u64>>);

struct BreadthFirstFill<'a, S: ?Sized> {
    space: &'a S,
    options: FillOptions,
    entries: u64,
    meter: Meter<'a>,
    run: &'a Run<'a>,
}

impl<S: PatternSpace + ?Sized> BreadthFirstFill<'_, S> {
    /// Fills all depths from 0 on. Returns the entries at each depth, whether these are all, and where those at the
    /// greatest depth lie.
    fn all_depths<const BITS: u32>(&self, cells: Cells<'_, BITS>) -> Result<Depths, FillError> {
        // The depth after the greatest: an entry "set" to the value that means unreached would still count as new.
        let too_deep = if BITS == 2 { u8::MAX } else { Cells::<BITS>::UNREACHED };
        let passes = Passes::new(self.space, cells, self.options.step_cache, self.run, &self.meter)?;
        let mut counts = vec![passes.set_goals()?];
        for depth in 0..self.options.max_depth.unwrap_or(u8::MAX) {
            self.note(&counts);
            let reached: u64 = counts.iter().sum();
            if reached == self.entries {
                break;
            }
            let frontier = counts[usize::from(depth)];
            let new = if self.backward_is_cheaper(frontier, self.entries - reached) {
                passes.backward(depth)?
            } else {
                passes.forward(depth)?
            };
            if new == 0 {
                return Ok((counts, true, passes.ranges(depth)));
            }
            if depth + 1 == too_deep {
                return Err(FillError::TooDeep { bits: BITS, max: depth });
            }
            counts.push(new + passes.set_aliases(depth + 1)?);
        }
        let complete = counts.iter().sum::<u64>() == self.entries;
        let deepest = u8::try_from(counts.len() - 1).expect("depths have eight bits");
        Ok((counts, complete, passes.ranges(deepest)))
    }

    /// Whether a backward pass is cheaper. Forward, each frontier entry tries every operator. Backward, each unreached
    /// entry tries operators until one leads into the frontier. Its neighbours are in the frontier or unreached, so it
    /// tries about (frontier + rest) / frontier of them.
    fn backward_is_cheaper(&self, frontier: u64, rest: u64) -> bool {
        let ops = self.space.ops() as f64;
        let (frontier, rest) = (frontier as f64, rest as f64);
        let tries = ((frontier + rest) / frontier).min(ops);
        self.space.is_undirected() && rest * tries < frontier * ops
    }

    fn note(&self, counts: &[u64]) {
        let depth = counts.len() - 1;
        self.meter.detail(&format!("depth {depth}: {}", counts[depth]));
    }
}
