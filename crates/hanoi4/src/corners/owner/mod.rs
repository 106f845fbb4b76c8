//! Owners of ranges of blocks: a complete search that is shared among processes.
//!
//! The idea: the blocks are divided into ranges, and each has an owner with the times of its corners. A step is that of
//! `search`: the corners of exactly the present time are offered to the blocks behind them. An owner
//! accepts those offers that are to blocks of its own, and returns the others as bytes, a message for each other owner
//! (`offers`). It continues when it has received the offers of every other owner for that time. When no owner has a
//! corner left, each counts the states of its own blocks; the sums of the counts are those of the whole space.
//!
//! Invariant: before an owner [sends](Owner::send) at time `t`, its times are those that
//! [`CompleteSearch`](super::complete::CompleteSearch) has for its blocks before it processes `t`. An offer to another
//! owner's block is sent even where that block has an earlier time, which accepting it does not change.
//!
//! **Which blocks.** The search reaches blocks that differ in the largest discs at different times, and most moves of large
//! discs are moves of the smallest of these. So the blocks are ordered in about a thousand stripes, in each of which only the smallest
//! large discs differ, and the stripes are spread evenly over the ranges: each owner has work at all times, and few offers
//! leave a stripe. The order does not depend on the number of owners.
//!
//! An owner touches no network and no clock. Its state between two steps is a file (`saved`); owners of other ranges, and
//! another number of them, can resume from such files if they are of one time.
//!
//! Cost: the rows and the links of all blocks (about 100 bytes a block) in each owner, the times of the corners once; for
//! each corner whose move of a large disc leads to another owner's block, one or two bytes of a message.

mod offers;
mod saved;

use super::complete::{FEWEST_DISCS, count_blocks, sizes};
use super::count::{CountPlan, SMALL};
use super::databases::first_fitting;
use super::geometry::Geometry;
use super::rows::Rows;
use super::search::{CornerSearch, Offer, target};
use crate::bitmap::search::LayerCount;
use crate::error::SearchError;
use crate::goals::Goals;
use crate::model::{State, to_u32, to_u64};
use crate::pegs::PegGroup;
use offers::Message;
use rayon::prelude::*;
use search_core::Run;
use search_core::storage::IoError;
use std::ops::Range;
use std::path::Path;
use std::sync::OnceLock;

/// The reason why an owner cannot continue.
#[derive(Debug, thiserror::Error)]
pub enum OwnerError {
    /// It was cancelled, or the memory is not available. The step that failed can be repeated.
    #[error(transparent)]
    Search(#[from] SearchError),
    /// A file cannot be read or written.
    #[error(transparent)]
    Io(#[from] IoError),
    /// A message or file is damaged, of another version, of another search or of another time.
    #[error("{0}")]
    Refused(String),
}

/// The maximum number of stripes of blocks; a power of two.
const STRIPES: usize = 1 << 10;
/// The multiplier that hashes the numbers of stripes: odd, so that the map is one-to-one, and near the golden section
/// of their number.
const SPREAD: usize = 633;

fn refused(what: impl Into<String>) -> OwnerError {
    OwnerError::Refused(what.into())
}

/// The settings that all owners of a search share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sharing {
    /// The number of discs.
    pub discs: u32,
    /// The number of small discs.
    pub small: u32,
    /// The number of owners.
    pub owners: u32,
}

impl Sharing {
    /// A search of `discs` discs by `owners` owners, with `small` small discs.
    ///
    /// # Errors
    /// [`OwnerError::Refused`] for numbers that are out of range.
    pub fn new(discs: u32, small: u32, owners: u32) -> Result<Sharing, OwnerError> {
        if !(FEWEST_DISCS..=31).contains(&discs)
            || !SMALL.contains(&small)
            || small > discs
            || discs - small > 14
        {
            return Err(refused(format!(
                "a shared search has {FEWEST_DISCS} to 31 discs, {} to {} of them small and at most 14 large, not \
                 {discs} with {small} small",
                SMALL.start(),
                SMALL.end(),
            )));
        }
        if !(1..=1 << 16).contains(&owners) {
            return Err(refused(format!("a search is shared by 1 to 65536 owners, not {owners}")));
        }
        Ok(Sharing { discs, small, owners })
    }

    /// The best number of small discs for `discs` discs and `owners` owners, each with `memory` bytes and `threads` threads.
    ///
    /// # Errors
    /// The least memory of each that suffices, in bytes.
    pub fn fitting(discs: u32, owners: u32, threads: usize, memory: u64) -> Result<u32, u64> {
        let sizes = sizes(discs).filter(|small| discs - small <= 14);
        let need = |small| Sharing { discs, small, owners }.bytes(threads);
        first_fitting(sizes.map(|small| (small, need(small))), memory)
    }

    /// The approximate memory of an owner in bytes.
    pub fn bytes(&self, threads: usize) -> u64 {
        let Sharing { small, owners, .. } = *self;
        let geometry = Geometry::complete(small);
        let (blocks, stride) = (u64::from(self.blocks()), geometry.bytes_of_row::<u8>(small));
        let own = blocks.div_ceil(owners.into());
        // In this order: the rows, the links of all blocks, the times and offers of the own blocks, the counters of the
        // threads.
        Rows::<u8>::bytes(&geometry, small)
            + blocks * 104
            + own * (stride + stride / 4)
            + CountPlan::bytes(small, threads)
    }

    /// The number of blocks: orbits of the large discs under the permutations of three pegs.
    pub fn blocks(&self) -> u32 {
        let large = self.discs - self.small;
        to_u32((((1usize << (2 * large)) + (3 << large) + 2) / 6).max(1))
    }

    /// The blocks of an owner; the first ones have those of owner 0.
    pub fn range(&self, owner: u32) -> Range<u32> {
        let bound = |owner: u32| {
            to_u32((to_u64(self.blocks() as usize) * u64::from(owner) / u64::from(self.owners)) as usize)
        };
        bound(owner)..bound(owner + 1)
    }
}

/// The blocks in the order in which owners divide them: stripes of neighbours, spread by a multiplicative hash.
fn interleaved(blocks: Vec<State>) -> Vec<State> {
    let each = blocks.len().div_ceil(STRIPES);
    let stripe = |at: usize| blocks.chunks(each).nth(at * SPREAD % STRIPES).unwrap_or_default();
    (0..STRIPES).flat_map(stripe).copied().collect()
}

/// The owner of a range of blocks.
#[derive(Debug)]
pub struct Owner {
    sharing: Sharing,
    number: u32,
    search: CornerSearch<u8>,
    /// Whether all offers for the present time have been received.
    received: bool,
    /// Made by the first count.
    plan: OnceLock<CountPlan>,
}

impl Owner {
    /// The owner `number`, from 0, of a search that begins.
    ///
    /// # Errors
    /// [`OwnerError`].
    pub fn new(sharing: Sharing, number: u32, run: &Run<'_>) -> Result<Owner, OwnerError> {
        let mut owner = Owner::unreached(sharing, number, run)?;
        run.install(|| owner.search.seed(Goals::Peg(0)))?;
        Ok(owner)
    }

    /// The owner `number` of a search that resumes from the files that [`save`](Owner::save) has written, of one
    /// time, by any number of owners, whose blocks include those of this one.
    ///
    /// # Errors
    /// [`OwnerError`].
    pub fn restore(
        sharing: Sharing,
        number: u32,
        files: &[impl AsRef<Path> + Sync],
        run: &Run<'_>,
    ) -> Result<Owner, OwnerError> {
        let mut owner = Owner::unreached(sharing, number, run)?;
        run.install(|| saved::load(sharing, files, &mut owner.search, run))?;
        Ok(owner)
    }

    /// An owner none of whose blocks is reached.
    fn unreached(sharing: Sharing, number: u32, run: &Run<'_>) -> Result<Owner, OwnerError> {
        if number >= sharing.owners {
            return Err(refused(format!("there is no owner {number}: there are {}", sharing.owners)));
        }
        let Sharing { discs, small, .. } = sharing;
        let own = |blocks| (sharing.range(number), interleaved(blocks));
        let group = PegGroup::fixing(0);
        let search =
            run.install(|| CornerSearch::over(Geometry::complete(small), (discs, small), group, own, run))?;
        assert_eq!(search.blocks().count(), sharing.blocks() as usize, "as many blocks as orbits");
        Ok(Owner { sharing, number, search, received: true, plan: OnceLock::new() })
    }

    /// The time whose corners are processed next, in moves.
    pub fn now(&self) -> u32 {
        self.search.now()
    }

    /// The blocks of this owner.
    pub fn range(&self) -> Range<u32> {
        self.search.own()
    }

    /// Whether a corner known to this owner remains to be processed.
    pub fn is_pending(&self) -> bool {
        !self.search.is_done()
    }

    /// Accepts the offers of the other owners for the present time: one message of each of them. Receiving them again
    /// changes nothing.
    ///
    /// # Errors
    /// [`OwnerError::Refused`] for a message that is damaged, of another search or time, or missing. Then nothing has been
    /// accepted.
    pub fn receive(&mut self, messages: &[impl AsRef<[u8]> + Sync], run: &Run<'_>) -> Result<(), OwnerError> {
        run.install(|| {
            let found: Result<Vec<(u32, Vec<Offer>)>, OwnerError> =
                messages.par_iter().map(|message| self.read(message.as_ref())).collect();
            let found = found?;
            let mut senders: Vec<u32> = found.iter().map(|(from, _)| *from).collect();
            senders.sort_unstable();
            if !senders.iter().copied().eq((0..self.sharing.owners).filter(|&owner| owner != self.number)) {
                return Err(refused(format!(
                    "owner {} of {} needs one message of each other owner, not those of {senders:?}",
                    self.number, self.sharing.owners
                )));
            }
            let mut offers = found.into_iter().map(|(_, offers)| offers).collect::<Vec<_>>().concat();
            offers.par_sort_unstable();
            self.search.accept(&offers)?;
            self.received = true;
            Ok(())
        })
    }

    /// The sender and the offers of a message to this owner.
    fn read(&self, message: &[u8]) -> Result<(u32, Vec<Offer>), OwnerError> {
        let (from, offers) = Message::new(self.sharing, self.now()).read(message, self.number)?;
        let (own, corners) = (self.search.own(), self.search.rows().corners());
        let is_own = |&at: &Offer| own.contains(&target(at).0) && target(at).1 < corners;
        match offers.iter().all(is_own) {
            true => Ok((from, offers)),
            false => Err(refused("a message of offers is damaged: it has an offer to another owner's block")),
        }
    }

    /// Processes the corners of the present time, and continues with the next. Returns the messages to be
    /// received then: one for each owner in order, an empty one for this owner itself.
    ///
    /// # Errors
    /// [`OwnerError::Search`] when it is cancelled: it can be called again. [`OwnerError::Refused`] if the owner has
    /// not received what the others offer.
    pub fn send(&mut self, run: &Run<'_>) -> Result<Vec<Vec<u8>>, OwnerError> {
        self.check_received()?;
        run.install(|| {
            let offers = self.search.collect(run)?;
            let bounds: Vec<usize> = (0..self.sharing.owners)
                .map(|owner| self.sharing.range(owner).end)
                .map(|end| offers.partition_point(|&at| target(at).0 < end))
                .collect();
            let part = |owner: u32| {
                let at = owner as usize;
                &offers[at.checked_sub(1).map_or(0, |before| bounds[before])..bounds[at]]
            };
            let message = Message::new(self.sharing, self.now() + 1);
            let messages = (0..self.sharing.owners).map(|to| match to == self.number {
                true => Vec::new(),
                false => message.write(self.number, to, part(to)),
            });
            let messages = messages.collect();
            self.search.advance(part(self.number))?;
            self.received = self.sharing.owners == 1;
            Ok(messages)
        })
    }

    fn check_received(&self) -> Result<(), OwnerError> {
        match self.received {
            true => Ok(()),
            false => Err(refused(format!(
                "owner {} has not received what the others offer at time {}",
                self.number,
                self.now()
            ))),
        }
    }

    /// Writes the times to a file, which is complete or absent.
    ///
    /// # Errors
    /// [`OwnerError`], also if the owner has not received what the others offer.
    pub fn save(&self, path: &Path, run: &Run<'_>) -> Result<(), OwnerError> {
        self.check_received()?;
        saved::save(self.sharing, &self.search, path, run)
    }

    /// The distance of the tower on another peg, if this owner has its block and its time is known.
    pub fn length(&self) -> Option<u32> {
        let Sharing { discs, small, .. } = self.sharing;
        let (large, corner) =
            (State::all_on(3, discs - small), self.search.rows().geometry().column(small, 3, 2, 0));
        let (code, _) = self.search.blocks().group().canonical(large, discs - small);
        let id = self.search.blocks().find(code).expect("every canonical configuration has a block");
        let is_known = self.search.own().contains(&id) && !self.is_pending();
        is_known.then(|| self.search.time(large, corner))
    }

    /// The counts of the states of some of the own blocks at each depth. They are those of the whole search once no owner is
    /// [pending](Owner::is_pending) and all have received what was sent: a single owner cannot know that.
    ///
    /// # Errors
    /// [`OwnerError::Refused`] for blocks of others, or while corners are to be processed.
    pub fn count(&self, blocks: Range<u32>, run: &Run<'_>) -> Result<Vec<LayerCount>, OwnerError> {
        let own = self.search.own();
        if blocks.start < own.start || blocks.end > own.end {
            return Err(refused(format!("owner {} has the blocks {own:?}, not {blocks:?}", self.number)));
        }
        if self.is_pending() {
            return Err(refused(format!(
                "owner {} has corners to process at time {}",
                self.number,
                self.now()
            )));
        }
        let ids: Vec<u32> = blocks.collect();
        run.install(|| {
            let plan = match self.plan.get() {
                Some(plan) => plan,
                None => {
                    let plan = CountPlan::new(self.sharing.small, run)?;
                    self.plan.get_or_init(|| plan)
                }
            };
            Ok(count_blocks(&self.search, plan, &ids, 0, run)?.layers)
        })
    }
}
