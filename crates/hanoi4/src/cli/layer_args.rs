//! The memory and disk of a search's layers: the arguments, and whether a search fits them.

use crate::bitmap::shape::SMALL;
use crate::cost::Proof;
use crate::error::SearchError;
use crate::verify::default_database;
use clap::Args;
use puzzle_cli::format::{format_bytes, parse_bytes, whole_mebibytes};
use puzzle_cli::{Failure, Session};
use search_core::storage::{Budget, StorageError};
use std::path::PathBuf;

/// Where and within which budget a search keeps its layers.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Layers")]
pub struct LayerArgs {
    /// Directory for layers and checkpoints, new or empty; a search that was stopped resumes from the checkpoint
    /// in it
    #[arg(long, value_name = "DIR")]
    pub work_dir: Option<PathBuf>,
    /// Disk budget for the files in the work directory, such as 20GiB [default: unlimited]
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes, requires = "work_dir")]
    pub disk: Option<u64>,
    /// Start over, even if a stopped search left a checkpoint in the work directory
    #[arg(long, requires = "work_dir")]
    pub fresh: bool,
}

/// The estimated space that a search needs, from measurements at 14 to 18 discs (complete searches) and
/// at 20 to 28 (verifications).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SpaceNeed {
    /// Bytes that are always in memory: blocks, boundaries, working bitmaps.
    pub base: u64,
    /// Bytes of the three widest layers.
    pub layers: u64,
}

impl SpaceNeed {
    /// The space for a search of `discs` discs that stores one of `fold` images of each state.
    pub fn of_complete_search(discs: u32, small: u32, fold: u64) -> SpaceNeed {
        // The widest layer of 15 discs takes 10.2 MB with six-fold symmetry; each further disc takes
        // 3.85 times as much.
        let widest = 10.2e6 * 3.85f64.powi(discs as i32 - 15) * 6.0 / fold as f64;
        let blocks = (1u64 << (2 * discs.saturating_sub(small))) / fold + 1;
        SpaceNeed { base: (4 << 20) + blocks * 300, layers: (widest * 3.0) as u64 }
    }

    /// The space for the half-depth search of `discs` discs with a database of `database` discs (0 for none).
    pub fn of_verification(discs: u32, database: u32) -> SpaceNeed {
        let complete = SpaceNeed::of_complete_search(discs - 1, *SMALL.end().min(&(discs - 1)), 6);
        let (true, Some(default)) = (database > 0, default_database(discs)) else {
            return complete;
        };
        // A quarter more than measured with the default database. Each disc more of the database is 2.34 times less.
        let less = 2.34f64.powi(default as i32 - database as i32);
        let layers = (1.25 * Proof::of(discs).layers as f64 * less) as u64;
        SpaceNeed { base: (64 << 20) + layers / 8, layers: layers.min(complete.layers) }
    }
}

impl LayerArgs {
    /// The budget for a search's layers, when tables take `taken` bytes of memory.
    ///
    /// # Errors
    /// [`Failure`] when the search cannot fit the budget; names one that suffices.
    pub fn budget(&self, session: &Session, taken: u64, need: Option<SpaceNeed>) -> Result<Budget, Failure> {
        let disk = self.disk.unwrap_or(u64::MAX);
        let Some(SpaceNeed { base, layers }) = need else {
            return Ok(Budget::new(session.run().memory().saturating_sub(taken), disk));
        };
        let base = base + taken;
        let short = |what: &str, flag: &str, bytes: u64| {
            let message = format!("this search needs about {} of {what}", format_bytes(bytes));
            Failure::usage(message).with_remedy(format!("give {flag} {}", whole_mebibytes(bytes)))
        };
        let memory = session.run().memory();
        match self.work_dir {
            _ if memory < base => Err(short("memory", "--memory", base)),
            None if memory - base < layers => {
                Err(short("memory", "--work-dir DIR to spill to disk, or --memory", base + layers))
            }
            Some(_) if disk < layers => Err(short("disk", "--disk", layers)),
            _ => Ok(Budget::new(memory - base, disk)),
        }
    }

    /// The failure of a search that stopped; `need` is the space that the whole search needs, if known.
    pub fn failure(&self, error: SearchError, need: Option<SpaceNeed>) -> Failure {
        match error {
            SearchError::Storage(StorageError::Memory(_)) => {
                Failure::error(error).with_remedy("give --work-dir DIR to spill to disk, or more --memory")
            }
            SearchError::Storage(StorageError::Disk(limit)) => {
                let need = need.map_or(0, |need| need.layers);
                let enough = whole_mebibytes(need.max(limit.saturating_mul(2)));
                let suffices = if need > limit { "should suffice" } else { "may suffice" };
                let command = super::resume_command(Some(&enough));
                let remedy = format!("the checkpoint is saved; {enough} {suffices}: resume with `{command}`");
                Failure::interrupted(error).with_remedy(remedy)
            }
            error => {
                let command = super::resume_command(None);
                super::search_failure(error, self.work_dir.as_ref().map(|_| &command[..]))
            }
        }
    }
}
