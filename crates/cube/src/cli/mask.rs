//! `--ignore`, `--only`, `--ignore-orientation`: what a goal ignores.

use crate::mask::{Mask, Pieces};
use clap::Args;
use puzzle_cli::Failure;

/// What the goal ignores.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Goal")]
pub struct MaskArgs {
    /// Ignore these pieces: UF,URF,…, a face's letter for all its pieces,
    /// corners, edges
    #[arg(long, value_name = "PIECES", conflicts_with = "only")]
    ignore: Option<String>,
    /// Solve these pieces and ignore all others
    #[arg(long, value_name = "PIECES")]
    only: Option<String>,
    /// Solve the position of these pieces and ignore their orientation
    #[arg(long, value_name = "PIECES")]
    ignore_orientation: Option<String>,
}

impl MaskArgs {
    /// The mask.
    pub(super) fn read(&self) -> Result<Mask, Failure> {
        let pieces = |option: &str, list: &Option<String>| {
            let list = list.as_deref().unwrap_or_default();
            Pieces::parse(list).map_err(|error| Failure::usage(format_args!("{option}: {error}")))
        };
        let ignored = match &self.only {
            Some(_) => pieces("--only", &self.only)?.others(),
            None => pieces("--ignore", &self.ignore)?,
        };
        if ignored == Pieces::ALL {
            return Err(Failure::usage("nothing is left to solve")
                .with_remedy("name fewer pieces with --ignore, or some with --only"));
        }
        Ok(Mask::new(ignored, pieces("--ignore-orientation", &self.ignore_orientation)?))
    }
}
