//! Layers of positions in a work directory, for puzzles whose layers exceed the memory.
//!
//! The idea: the states of a position's coordinates, each in as few bits as it needs, are a number, and
//! [`search_core::frontier`] keeps layers of such numbers in files. It writes a checkpoint after each layer, so a count that
//! was stopped or killed resumes there.
//!
//! Limits: the number and a bit for each move fit 64 bits, and each move is undone by a move.

use search_core::domain::Lengths;
use search_core::frontier::{FrontierError, FrontierSearch, KIND, Options, PackedDomain};
use search_core::storage::{StorageError, WorkDir};
use search_core::{Domain, Op, OpSet, Run};
use std::path::PathBuf;
use xxhash_rust::xxh3::Xxh3;

use super::{CountAsk, CountError, Counts};
use crate::space::{MOST_COORDINATES, Slot, Space};
use crate::system::System;

/// The number of buckets of a layer is 2 to this power.
const BUCKET_BITS: u32 = 8;
/// The bits of a number and of the moves.
const RECORD_BITS: u32 = 64;

/// A directory for layers and checkpoints.
#[derive(Clone, Debug)]
pub struct Work {
    /// The directory.
    pub directory: PathBuf,
    /// The disk budget in bytes; `None` is unlimited.
    pub disk: Option<u64>,
    /// Whether to discard the checkpoint in the directory and start over.
    pub fresh: bool,
}

impl Work {
    /// Removes the directory of a count that is over.
    ///
    /// # Errors
    /// [`StorageError`] if a file cannot be removed.
    pub fn remove(&self) -> Result<(), StorageError> {
        WorkDir::remove(&self.directory, KIND)
    }
}

/// The number of positions at each depth, by layers in a work directory.
///
/// # Errors
/// [`CountError`]: among others that positions do not fit the limits.
pub fn by_frontier(
    system: &System,
    ask: &CountAsk,
    work: &Work,
    run: &Run<'_>,
) -> Result<Counts, CountError> {
    layers(&Numbered::new(system)?, ask, options(system, ask, work, run), run)
}

fn options(system: &System, ask: &CountAsk, work: &Work, run: &Run<'_>) -> Options {
    let mut hash = Xxh3::new();
    let coordinates = system.coordinates.iter().flat_map(|coordinate| coordinate.next());
    coordinates.chain(ask.goals.iter().flatten()).for_each(|state| hash.update(&state.to_le_bytes()));
    Options {
        memory: run.memory(),
        disk: work.disk.unwrap_or(u64::MAX),
        directory: Some(work.directory.clone()),
        identity: format!("count of the puzzle with {} moves, {:016x}", system.moves(), hash.digest()),
        fresh: work.fresh,
        ..Options::in_memory(BUCKET_BITS)
    }
}

fn layers(domain: &Numbered, ask: &CountAsk, options: Options, run: &Run<'_>) -> Result<Counts, CountError> {
    let bucket_bits = options.bucket_bits.min(domain.key_bits());
    let mut search = FrontierSearch::new(domain, Options { bucket_bits, ..options }, ask.starts())?;
    run.progress().begin("layers", 0);
    let mut stopped = None;
    while search.states() > 0 && ask.depth.is_none_or(|depth| search.layers().len() <= depth) {
        match search.step(run) {
            Ok(_) => run.progress().update(search.layers().len() as u64 - 1),
            Err(FrontierError::Cancelled(cancelled)) => {
                stopped = Some(cancelled);
                break;
            }
            Err(error) => return Err(error.into()),
        }
    }
    run.progress().end();
    let all = search.layers().iter().map(|layer| layer.states);
    let layers: Vec<u64> =
        all.take(ask.depth.map_or(usize::MAX, |depth| depth + 1)).take_while(|&states| states > 0).collect();
    if stopped.is_some() {
        return Err(CountError::Stopped(layers));
    }
    let complete = search.states() == 0 && layers.len() + 1 == search.layers().len();
    Ok(Counts { layers, complete, deepest: Vec::new() })
}

/// The states of a position's coordinates.
type State = [u16; MOST_COORDINATES];

/// Positions as numbers.
struct Numbered {
    space: Space<MOST_COORDINATES>,
    /// The bits of each coordinate.
    bits: Vec<u32>,
    undo: Vec<usize>,
}

impl Numbered {
    fn new(system: &System) -> Result<Numbered, CountError> {
        let undo = system.inverses.clone().ok_or(CountError::OneWay)?;
        if !system.free.is_empty() {
            return Err(CountError::Faults(
                "layers in a work directory have no free moves".to_owned().into(),
            ));
        }
        let width = |states: usize| usize::BITS - (states - 1).leading_zeros();
        let bits: Vec<u32> = system.coordinates.iter().map(|coordinate| width(coordinate.states())).collect();
        let needed = bits.iter().sum::<u32>() as usize + system.moves();
        if needed > RECORD_BITS as usize {
            return Err(CountError::TooWide(needed));
        }
        let slots: Vec<Slot> = system.coordinates.iter().map(Slot::of).collect();
        let exact = slots.len();
        Ok(Numbered { space: Space::new(system.moves(), slots, exact, Lengths::ANY), bits, undo })
    }
}

impl Domain for Numbered {
    type State = State;

    fn op_count(&self) -> usize {
        self.space.op_count()
    }

    #[inline(always)]
    fn applicable(&self, state: &State) -> OpSet {
        self.space.applicable(state)
    }

    #[inline(always)]
    fn apply(&self, state: &State, op: Op) -> State {
        self.space.apply(state, op)
    }

    #[inline(always)]
    fn is_goal(&self, state: &State) -> bool {
        self.space.is_goal(state)
    }
}

impl PackedDomain for Numbered {
    fn key_bits(&self) -> u32 {
        self.bits.iter().sum()
    }

    #[inline(always)]
    fn pack(&self, state: &State) -> u64 {
        let states = self.bits.iter().zip(state);
        states.fold(0, |key, (&bits, &state)| key << bits | u64::from(state))
    }

    #[inline(always)]
    fn unpack(&self, mut key: u64) -> State {
        let mut state = [0; MOST_COORDINATES];
        for (at, &bits) in self.bits.iter().enumerate().rev() {
            // A coordinate has at most 16 bits.
            state[at] = (key & ((1 << bits) - 1)) as u16;
            key >>= bits;
        }
        state
    }

    #[inline(always)]
    fn inverse(&self, op: Op) -> Op {
        Op::new(self.undo[op.index()])
    }
}

impl From<FrontierError> for CountError {
    fn from(error: FrontierError) -> CountError {
        match error {
            FrontierError::Cancelled(cancelled) => cancelled.into(),
            FrontierError::Storage(error) => error.into(),
        }
    }
}
