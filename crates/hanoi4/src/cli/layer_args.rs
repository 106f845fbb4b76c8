//! The arguments for the memory and disk of a search's layers.

use crate::cost::LayerSpace;
use crate::error::SearchError;
use crate::strategy::{AskError, Work};
use clap::Args;
use puzzle_cli::format::{parse_bytes, parse_duration, whole_mebibytes};
use puzzle_cli::{Failure, resume};
use search_core::storage::StorageError;
use std::path::PathBuf;
use std::time::Duration;

/// Where and within which budget a search keeps its layers and checkpoints.
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
    /// Interval between the checkpoints of a search by corners in the work directory, or 20 times the duration of a
    /// checkpoint if that is longer [default: 10s]
    #[arg(long, value_name = "DURATION", value_parser = parse_duration)]
    pub checkpoint_every: Option<Duration>,
}

impl LayerArgs {
    /// Where the search keeps its layers.
    pub fn work(&self) -> Work {
        Work {
            dir: self.work_dir.clone(),
            disk: self.disk,
            fresh: self.fresh,
            checkpoint_every: self.checkpoint_every,
        }
    }

    /// The failure of a search that stopped; `space` is what the whole search needs, if known.
    pub fn failure(&self, error: AskError, space: Option<LayerSpace>) -> Failure {
        match error {
            AskError::Search(error @ SearchError::Storage(StorageError::Memory(_))) => {
                Failure::error(error).with_remedy("give --work-dir DIR to spill to disk, or more --memory")
            }
            AskError::Search(error @ SearchError::Storage(StorageError::Disk(limit))) => {
                let need = space.map_or(0, |space| space.layers);
                let enough = whole_mebibytes(need.max(limit.saturating_mul(2)));
                let suffices = if need > limit { "should suffice" } else { "may suffice" };
                let command = super::resume_command(Some(&enough));
                let remedy = self.remedy(&format!("{enough} {suffices}: resume with `{command}`"));
                Failure::interrupted(error).with_remedy(remedy)
            }
            AskError::Search(error) => {
                let remedy = self.remedy(&format!("resume with `{}`", super::resume_command(None)));
                super::search_failure(error, Some(remedy))
            }
            error => super::ask_failure(error),
        }
    }

    /// The remedy for a search that stopped; `how` describes how to resume it.
    fn remedy(&self, how: &str) -> String {
        match &self.work_dir {
            Some(dir) => resume::remedy(dir, how),
            None => "give --work-dir DIR to be able to resume".to_owned(),
        }
    }
}
