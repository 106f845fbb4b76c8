//! The number of positions at each depth.
//!
//! The idea: where the product of all coordinates has few enough states, one fill of a table over it finds the depth of
//! every position ([`search_core::pdb::fill`](fn@search_core::pdb::fill)): half a byte an entry, in place, in parallel,
//! forward and backward. Rows of the table may be the permutations of up to twelve pieces, which are ranked as they are
//! needed. Otherwise, or to a depth only, layers of positions are sorted lists. Where moves have inverses, a child of a
//! layer lies in the layer before it, in the layer itself or in the next, so only two layers are kept; else all are.
//!
//! Invariant of both: a position is counted once, at its least depth. Positions that differ by a free rotation are one.
//!
//! Cost: the table has an entry for each state of the product, some of which no position may have; layers take two
//! bytes for each coordinate of each position, and their children as much again for each move.

use rayon::prelude::*;
use search_core::domain::Lengths;
use search_core::memory::MemoryError;
use search_core::pdb::{FillError, FillOptions, fill};
use search_core::{Cancelled, Domain, Op, OpSet, Run};

use crate::coordinate::{Coordinate, MOST_STATES, Projection};
use crate::product::{Direction, Factor, MOST_RANKED, Product};
use crate::space::{Slot, Space, Width, with_width};
use crate::system::System;

/// The number of deepest positions that are listed.
const LISTED: usize = 10;
/// The depth of a coordinate from which on the entries of a table get eight bits.
const DEEP: usize = 10;

/// The number of positions at each depth, and examples of the deepest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counts {
    /// The number of positions at each depth, from 0.
    pub layers: Vec<u64>,
    /// Whether these are all positions.
    pub complete: bool,
    /// Shortest products of reduced moves to some of the deepest positions, if all positions were counted by a table.
    pub deepest: Vec<Vec<usize>>,
}

/// The reason why positions were not counted.
#[derive(Debug, thiserror::Error)]
pub enum CountError {
    /// The work was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// The memory budget is exceeded after the layers with these numbers of positions.
    #[error("memory budget exceeded at depth {}", .0.len())]
    Budget(Vec<u64>),
    /// There is not enough memory.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// Some position is deeper than entries of eight bits tell.
    #[error("some position is deeper than {0} moves")]
    TooDeep(u8),
}

impl From<FillError> for CountError {
    fn from(error: FillError) -> CountError {
        match error {
            FillError::Cancelled(cancelled) => cancelled.into(),
            FillError::Memory(error) => error.into(),
            FillError::TooDeep { max, .. } => CountError::TooDeep(max),
        }
    }
}

/// A table of the depth of every position.
#[derive(Clone, Debug)]
pub struct CountTable {
    product: Product,
    bits: u64,
    inverses: Option<Vec<usize>>,
}

impl CountTable {
    /// The table of a puzzle; `None` if it has too many entries to be numbered.
    pub fn of(system: &System) -> Option<CountTable> {
        let mut is_deep = system.coordinates.iter().any(|coordinate| coordinate.depth() > DEEP);
        let ranked: Vec<Option<Option<Coordinate>>> =
            (0..system.parts.len()).map(|part| orientations_of_ranked(system, part)).collect();
        let mut factors = Vec::new();
        for (number, part) in system.parts.iter().enumerate() {
            match &ranked[number] {
                Some(orientations) => {
                    let from = part.moves.iter().map(|step| step.from.clone()).collect();
                    factors.push(Factor::Permutations(from));
                    factors.extend(orientations.iter().map(Factor::Coordinate));
                    is_deep |= part.moves.len() < 6;
                }
                None => {
                    let own = system.coordinates.iter().filter(|of| of.projection.part == number);
                    factors.extend(own.map(Factor::Coordinate));
                }
            }
        }
        let product = Product::new(&factors, system.moves(), system.inverses.is_some(), Direction::Forward)?;
        let bits = if is_deep { 8 } else { 4 };
        Some(CountTable { product, bits, inverses: system.inverses.clone() })
    }

    /// The number of entries: that of positions, or more.
    pub fn entries(&self) -> u64 {
        self.product.entries()
    }

    /// The bytes of memory that filling takes.
    pub fn bytes(&self) -> u64 {
        self.entries() / 8 * self.bits + self.entries() / 32
    }

    /// Fills the table.
    ///
    /// # Errors
    /// [`CountError`].
    pub fn count(&self, run: &Run<'_>) -> Result<Counts, CountError> {
        if self.bits == 8 {
            return self.count_in::<8>(run);
        }
        match self.count_in::<4>(run) {
            Err(CountError::TooDeep(_)) => self.count_in::<8>(run),
            other => other,
        }
    }

    fn count_in<const BITS: u32>(&self, run: &Run<'_>) -> Result<Counts, CountError> {
        if self.entries() / 8 * u64::from(BITS) > run.memory() {
            return Err(CountError::Budget(Vec::new()));
        }
        let filled = fill::<BITS, _>(&self.product, FillOptions::default(), run)?;
        let layers = filled.histogram.counts.clone();
        let depth = filled.histogram.max().expect("the solved position");
        let table = &filled.table;
        let at_depth = (0..table.len()).filter(|&entry| table.get(entry) == depth).take(LISTED);
        let words = at_depth.map(|entry| self.word(entry as usize, |at| table.get(at as u64)));
        Ok(Counts { layers, complete: true, deepest: words.flatten().collect() })
    }

    /// A shortest product of moves to an entry. Backward steps need moves that have inverses.
    fn word(&self, entry: usize, depth: impl Fn(usize) -> u8) -> Option<Vec<usize>> {
        let undo = self.inverses.as_ref()?;
        let (mut at, mut word) = (entry, Vec::new());
        while depth(at) > 0 {
            let ops = 0..undo.len();
            let down = |op: usize| self.product.next(at, op).filter(|&to| depth(to) + 1 == depth(at));
            let (op, to) = ops.filter_map(|op| Some((op, down(op)?))).next()?;
            word.push(undo[op]);
            at = to;
        }
        word.reverse();
        Some(word)
    }
}

/// Whether the permutations of a part are ranked instead of divided among coordinates, and then the coordinate of its
/// orientations, if it has any.
fn orientations_of_ranked(system: &System, number: usize) -> Option<Option<Coordinate>> {
    let part = &system.parts[number];
    let kinds = part.kinds();
    let own = system.coordinates.iter().filter(|of| of.projection.part == number);
    let are_divided = own.clone().count() > 1
        && !own.clone().any(|of| {
            of.projection == Projection::places(number, part)
                || of.projection == Projection::orientations(number, part)
        });
    let is_group = system.inverses.is_some() && part.illegal.is_empty() && kinds.len() == part.places.len();
    if !are_divided || !is_group || kinds.len() > MOST_RANKED {
        return None;
    }
    if kinds.iter().all(|kind| kind.1 == 1) {
        return Some(None);
    }
    Some(Some(Coordinate::new(part, Projection::orientations(number, part), MOST_STATES)?))
}

/// The number of positions at each depth up to `depth`, by layers.
///
/// # Errors
/// [`CountError`].
pub fn by_layers(system: &System, depth: Option<usize>, run: &Run<'_>) -> Result<Counts, CountError> {
    struct Layers<'a, 'r>(&'a System, Option<usize>, &'a Run<'r>);
    impl Width for Layers<'_, '_> {
        type Answer = Result<Counts, CountError>;
        fn with<const N: usize>(self) -> Self::Answer {
            let Layers(system, depth, run) = self;
            let slots: Vec<Slot> = system.coordinates.iter().map(Slot::of).collect();
            let exact = slots.len();
            let space = Space::<N>::new(system.moves(), slots, exact, Lengths::ANY);
            run.install(|| layers(&space, system.inverses.is_some(), depth, run))
        }
    }
    with_width(system.coordinates.len(), Layers(system, depth, run))
}

fn layers<const N: usize>(
    space: &Space<N>,
    is_closed: bool,
    depth: Option<usize>,
    run: &Run<'_>,
) -> Result<Counts, CountError> {
    let room = usize::try_from(run.memory()).unwrap_or(usize::MAX) / size_of::<[u16; N]>();
    // Children of a block, with duplicates, take a quarter of the memory at most.
    let block = (room / 4 / space.op_count()).max(1);
    let mut kept: Vec<Vec<[u16; N]>> = vec![vec![[0; N]]];
    let mut counts = vec![1];
    run.progress().begin("layers", 0);
    let mut complete = false;
    while depth.is_none_or(|depth| counts.len() <= depth) {
        let mut next: Vec<[u16; N]> = Vec::new();
        for parents in kept[kept.len() - 1].chunks(block) {
            run.check()?;
            let children = |parent: &[u16; N]| {
                let parent = *parent;
                let ops: OpSet = space.applicable(&parent);
                ops.into_iter().map(move |op: Op| space.apply(&parent, op)).collect::<Vec<_>>()
            };
            let mut new: Vec<[u16; N]> = parents.par_iter().flat_map_iter(children).collect();
            new.par_sort_unstable();
            new.dedup();
            new.retain(|child| kept.iter().all(|layer| layer.binary_search(child).is_err()));
            next.extend(new);
            let held: usize = kept.iter().map(Vec::len).sum::<usize>() + next.len();
            if held > room / 2 {
                return Err(CountError::Budget(counts));
            }
        }
        next.par_sort_unstable();
        next.dedup();
        if next.is_empty() {
            complete = true;
            break;
        }
        counts.push(next.len() as u64);
        run.progress().update(counts.len() as u64 - 1);
        kept.push(next);
        if is_closed && kept.len() > 2 {
            kept.remove(0);
        }
    }
    run.progress().end();
    Ok(Counts { layers: counts, complete, deepest: Vec::new() })
}
