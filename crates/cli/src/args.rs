//! The arguments that every solver takes.
//!
//! A [`Session`](crate::Session) is built from [`CommonArgs`].

use crate::column::Column;
use crate::format;
use clap::builder::RangedU64ValueParser;
use clap::{Args, ValueEnum, ValueHint};
use search_core::ida::UpperBounds;
use search_core::table::Trust;
use search_core::{Ending, Run};
use std::ffi::OsString;
use std::time::{Duration, Instant};

/// The arguments common to every subcommand. Flatten it into the program's own.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Common options")]
pub struct CommonArgs {
    /// Print one JSON object per line instead of text
    #[arg(long, global = true)]
    pub json: bool,
    /// Threads to use [default: all cores]
    #[arg(long, global = true, value_name = "N", value_parser = thread_count())]
    pub threads: Option<usize>,
    /// Memory budget for tables and layers, such as 4GiB, 512MiB or plain bytes [default: 3/4 of the
    /// available memory]
    #[arg(long, global = true, value_name = "SIZE", value_parser = format::parse_bytes)]
    pub memory: Option<u64>,
    /// Directories for tables, separated as in PATH: tables are read from all of them and written to the first that
    /// is writable [default: $OPTIMAL_PUZZLES_TABLES, else optimal-puzzles/ in the cache directory]
    #[arg(long, global = true, value_name = "DIRS", value_hint = ValueHint::DirPath)]
    pub tables: Option<OsString>,
    /// Whose tables are read without a proof: own (yours and the administrator's), all or none [default: own]
    #[arg(long, global = true, value_name = "WHOSE")]
    pub trust: Option<Trust>,
    /// Print errors only: no progress bars and no remarks
    #[arg(long, global = true)]
    pub quiet: bool,
    /// Log to standard error; repeat for more detail
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    pub verbose: u8,
}

/// Refuses more threads than a run can have.
fn thread_count() -> RangedU64ValueParser<usize> {
    RangedU64ValueParser::new().range(1..=Run::MAX_THREADS as u64)
}

/// The bounds of a search. Flatten it into the subcommands that search.
#[derive(Args, Clone, Copy, Debug, Default)]
#[command(next_help_heading = "Limits")]
pub struct Limits {
    /// Stop once it is proved that every solution has more than N moves
    #[arg(long, value_name = "N")]
    pub max_depth: Option<u32>,
    /// Time limit for each instance: seconds, or a number with units, such as 90s, 5m or 1h30m
    #[arg(long, value_name = "DURATION", value_parser = format::parse_duration)]
    pub time_limit: Option<Duration>,
}

impl Limits {
    /// `run` with the deadline of a search that begins now. Call it for each instance, after the tables
    /// are loaded.
    #[must_use]
    pub fn run<'a>(&self, run: &Run<'a>) -> Run<'a> {
        match self.time_limit.and_then(|time| Instant::now().checked_add(time)) {
            Some(deadline) => run.with_deadline(deadline),
            None => run.clone(),
        }
    }
}

/// How close to the optimum an answer must be. Flatten it into the subcommands that solve.
#[derive(Args, Clone, Copy, Debug, Default)]
#[command(next_help_heading = "Bounds")]
pub struct BoundArgs {
    /// Stop as soon as the best solution is proved to have at most N moves too many
    #[arg(long, value_name = "N")]
    pub within: Option<u32>,
    /// Stop at the first good solution, and print the lower bound proved by then
    #[arg(long, conflicts_with = "within")]
    pub quick: bool,
    /// Print each better solution as a JSON object when it is found
    #[arg(long, hide_short_help = true)]
    pub stream: bool,
    /// Look for solutions by the proving search alone
    #[arg(long, hide_short_help = true, conflicts_with_all = ["within", "quick"])]
    pub no_upper: bool,
    /// Print the first shortest solution in the order of the search, whatever the number of threads
    #[arg(long, hide_short_help = true)]
    pub deterministic: bool,
}

impl BoundArgs {
    /// The greatest gap with which the search ends.
    pub fn gap(self) -> u32 {
        if self.quick { u32::MAX } else { self.within.unwrap_or(0) }
    }

    /// Whether an ending is as close to the optimum as was asked.
    pub(crate) fn are_met<S>(self, ending: &Ending<S>) -> bool {
        ending.gap().is_some_and(|gap| gap <= self.gap())
    }

    /// These settings for a solver.
    pub(crate) fn upper_bounds(self) -> UpperBounds {
        let (used, deterministic) = (self.no_upper.then_some(false), self.deterministic.then_some(true));
        UpperBounds::default().within(self.gap()).used(used).deterministic(deterministic)
    }
}

/// The form of the input. Flatten it into the subcommands that read lines.
#[derive(Args, Clone, Debug, Default)]
pub struct InputArgs {
    /// Read standard input as rows of CSV or TSV, with the instance in this column: its number, from 1, or its name in
    /// the first row
    #[arg(long, value_name = "COLUMN", hide_short_help = true)]
    pub column: Option<Column>,
}

/// The form of search records. Flatten it into the subcommands whose answers are such records.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Common options")]
pub struct RecordArgs {
    /// Print a CSV header and one row per instance instead of text
    #[arg(long, conflicts_with = "json")]
    pub csv: bool,
}

/// The part of a solution that is printed as text. Flatten it into the subcommands that solve.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct PrintArgs {
    /// The part of each solution to print; lines that become equal are printed once
    #[arg(long, value_enum, value_name = "PART", default_value_t, conflicts_with_all = ["json", "csv"])]
    pub print: Print,
}

/// A part of a solution.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Print {
    /// Its length and its moves
    #[default]
    Solution,
    /// Its length alone
    Length,
    /// Its length and the next move to make
    Next,
}

/// The choice among shortest solutions. Flatten it into the subcommands that can list all of them.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct RandomArgs {
    /// Find all shortest solutions and print one, each with the same probability
    #[arg(long, conflicts_with_all = ["all", "extra", "within", "quick"])]
    pub random: bool,
    /// Random seed of --random [default: chosen at random]
    #[arg(long, value_name = "S", requires = "random")]
    pub seed: Option<u64>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Program {
        #[command(flatten)]
        common: CommonArgs,
        #[command(flatten)]
        limits: Limits,
    }

    #[test]
    fn sizes_and_durations_are_read() {
        let args =
            ["x", "--memory", "4GiB", "--time-limit", "5m", "--threads", "2", "-vv", "--max-depth", "9"];
        let Program { common, limits } = Program::try_parse_from(args).unwrap();
        assert_eq!(common.memory, Some(4 << 30));
        assert_eq!(common.threads, Some(2));
        assert_eq!((common.verbose, common.json, common.quiet), (2, false, false));
        assert_eq!((limits.time_limit, limits.max_depth), (Some(Duration::from_secs(300)), Some(9)));
    }

    #[test]
    fn a_time_limit_does_not_set_the_cancellation_flag() {
        let run = Run::new();
        let limits = Limits { time_limit: Some(Duration::ZERO), ..Limits::default() };
        assert!(limits.run(&run).is_cancelled());
        assert!(!run.is_cancelled());
        assert!(!Limits::default().run(&run).is_cancelled());
    }

    #[test]
    fn invalid_sizes_and_durations_are_refused() {
        for bad in [
            ["x", "--threads", "0"],
            ["x", "--threads", "1025"],
            ["x", "--memory", "4Gib5"],
            ["x", "--time-limit", "5 parsecs"],
        ] {
            assert!(Program::try_parse_from(bad).is_err(), "{bad:?}");
        }
    }
}
