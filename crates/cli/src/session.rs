//! What was built from the common arguments: the settings of one run.

use crate::args::{CommonArgs, LimitArgs, RecordArgs};
use crate::bars::Bars;
use crate::failure::Failure;
use crate::output::{Format, Output};
use crate::{interrupt, memory, stderr, tables_dir, trace};
use search_core::Run;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// The settings of one run: threads, memory, tables, where progress goes and who can stop it.
#[derive(Clone, Debug)]
pub struct Session {
    format: Format,
    quiet: bool,
    tables: Option<PathBuf>,
    bars: Bars,
    /// Without its progress, which is borrowed from `bars`.
    run: Run<'static>,
}

impl Session {
    /// Builds the settings: starts tracing and catches signals. Call it once, before any other work.
    ///
    /// # Errors
    /// When the signal handler cannot be installed.
    pub fn build(args: &CommonArgs) -> Result<Session, Failure> {
        let bars = Bars::new(args.quiet);
        trace::start(args.verbose, args.quiet, &bars);
        let cancel =
            interrupt::flag().map_err(|error| Failure::error(format_args!("signal handler: {error}")))?;
        let memory = args.memory.unwrap_or_else(memory::safe_share);
        let run = Run::new().with_cancel(&cancel).with_memory(memory);
        let run = args.threads.map_or(run.clone(), |count| run.with_threads(count));
        let format = if args.json { Format::Json } else { Format::Text };
        Ok(Session { format, quiet: args.quiet, tables: args.tables.clone(), bars, run })
    }

    /// The same settings, for a subcommand whose answers are records of searches.
    #[must_use]
    pub fn with_records(&self, args: &RecordArgs) -> Session {
        let format = if args.csv { Format::Csv } else { self.format };
        Session { format, ..self.clone() }
    }

    /// The form of answers.
    pub fn format(&self) -> Format {
        self.format
    }

    /// Whether standard error gets errors only.
    pub fn quiet(&self) -> bool {
        self.quiet
    }

    /// The progress bars, what Ctrl-C and SIGTERM cancel, the threads, and the budget for tables.
    pub fn run(&self) -> Run<'_> {
        self.run.with_progress(&self.bars)
    }

    /// Whether Ctrl-C or SIGTERM came.
    pub fn is_interrupted(&self) -> bool {
        self.run.cancel().is_interrupted()
    }

    /// The directory of tables; it need not exist yet.
    ///
    /// # Errors
    /// When neither `--tables` nor any variable names one.
    pub fn tables_dir(&self) -> Result<PathBuf, Failure> {
        tables_dir::resolve(self.tables.as_deref())
    }

    /// The progress bars themselves.
    pub fn bars(&self) -> &Bars {
        &self.bars
    }

    /// Standard output in the form asked for.
    pub fn output(&self) -> Output {
        Output::stdout(self.format, &self.bars)
    }

    /// Tells a remark on standard error, unless quiet.
    pub fn remark(&self, remark: &str) {
        if !self.quiet {
            self.bars.suspend(|| stderr::line(remark));
        }
    }
}

/// The bounds of each search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    max_depth: Option<u32>,
    time: Option<Duration>,
}

impl Limits {
    /// The bounds that were typed.
    pub fn build(args: &LimitArgs) -> Limits {
        Limits { max_depth: args.max_depth, time: args.time_limit }
    }

    /// No solution longer than this is looked for.
    pub fn max_depth(&self) -> Option<u32> {
        self.max_depth
    }

    /// The time for each instance.
    pub fn time(&self) -> Option<Duration> {
        self.time
    }

    /// `run` with the deadline of a search that begins now. Ask for it anew for each instance, after
    /// tables are loaded.
    #[must_use]
    pub fn run<'a>(&self, run: &Run<'a>) -> Run<'a> {
        match self.time.and_then(|time| Instant::now().checked_add(time)) {
            Some(deadline) => run.with_deadline(deadline),
            None => run.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_typed_becomes_settings() {
        let args = CommonArgs {
            threads: Some(3),
            memory: Some(1 << 20),
            tables: Some("here".into()),
            quiet: true,
            ..CommonArgs::default()
        };
        let session = Session::build(&args).unwrap();
        assert_eq!((session.run().threads(), session.run().memory()), (3, 1 << 20));
        assert_eq!(session.tables_dir(), Ok("here".into()));
        assert!(!session.bars().is_visible() && session.format() == Format::Text);
        assert!(Session::build(&CommonArgs::default()).unwrap().run().memory() > 0);
    }

    #[test]
    fn a_time_limit_sets_no_flag() {
        let run = Run::new();
        let limits = Limits { time: Some(Duration::ZERO), ..Limits::default() };
        assert!(limits.run(&run).is_cancelled());
        assert!(!run.is_cancelled());
        assert!(!Limits::default().run(&run).is_cancelled());
    }
}
