//! What was built from the common arguments: the settings of one run.

use crate::args::{CommonArgs, LimitArgs};
use crate::bars::Bars;
use crate::failure::Failure;
use crate::output::Output;
use crate::{interrupt, memory, stderr, tables_dir, trace};
use search_core::{Cancel, Progress};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::thread;
use std::time::{Duration, Instant};

/// The settings of one run: threads, memory, tables, where progress goes and who can stop it.
#[derive(Clone, Debug)]
pub struct Session {
    json: bool,
    quiet: bool,
    threads: NonZeroUsize,
    memory: u64,
    tables: Option<PathBuf>,
    cancel: Cancel,
    bars: Bars,
}

impl Session {
    /// Builds the settings: starts tracing, catches signals, and makes rayon's global pool of the
    /// threads asked for. Call it once, before any other work.
    ///
    /// # Errors
    /// When the signal handler cannot be installed.
    pub fn build(args: &CommonArgs) -> Result<Session, Failure> {
        let bars = Bars::new(args.quiet);
        trace::start(args.verbose, args.quiet, &bars);
        let threads =
            args.threads.or_else(|| thread::available_parallelism().ok()).unwrap_or(NonZeroUsize::MIN);
        // Fails only when there is a pool already, as in a test that builds two sessions.
        let _ = rayon::ThreadPoolBuilder::new().num_threads(threads.get()).build_global();
        let cancel =
            interrupt::flag().map_err(|error| Failure::error(format_args!("signal handler: {error}")))?;
        Ok(Session {
            json: args.json,
            quiet: args.quiet,
            threads,
            memory: args.memory.unwrap_or_else(memory::safe_share),
            tables: args.tables.clone(),
            cancel,
            bars,
        })
    }

    /// Whether answers are JSON objects.
    pub fn json(&self) -> bool {
        self.json
    }

    /// Whether standard error gets errors only.
    pub fn quiet(&self) -> bool {
        self.quiet
    }

    /// How many threads work; rayon's global pool has as many.
    pub fn threads(&self) -> usize {
        self.threads.get()
    }

    /// The budget for tables in bytes.
    pub fn memory(&self) -> u64 {
        self.memory
    }

    /// The directory of tables; it need not exist yet.
    ///
    /// # Errors
    /// When neither `--tables` nor any variable names one.
    pub fn tables_dir(&self) -> Result<PathBuf, Failure> {
        tables_dir::resolve(self.tables.as_deref())
    }

    /// What Ctrl-C and SIGTERM set.
    pub fn cancel(&self) -> &Cancel {
        &self.cancel
    }

    /// Where long work reports to.
    pub fn progress(&self) -> &dyn Progress {
        &self.bars
    }

    /// The progress bars themselves.
    pub fn bars(&self) -> &Bars {
        &self.bars
    }

    /// Standard output in the form asked for.
    pub fn output(&self) -> Output {
        Output::stdout(self.json, &self.bars)
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

    /// `cancel` with the deadline of a search that begins now. Ask for it anew for each instance,
    /// after tables are loaded.
    #[must_use]
    pub fn cancel(&self, cancel: &Cancel) -> Cancel {
        match self.time.and_then(|time| Instant::now().checked_add(time)) {
            Some(deadline) => cancel.with_deadline(deadline),
            None => cancel.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_typed_becomes_settings() {
        let args = CommonArgs {
            threads: NonZeroUsize::new(3),
            memory: Some(1 << 20),
            tables: Some("here".into()),
            quiet: true,
            ..CommonArgs::default()
        };
        let session = Session::build(&args).unwrap();
        assert_eq!((session.threads(), session.memory()), (3, 1 << 20));
        assert_eq!(session.tables_dir(), Ok("here".into()));
        assert!(!session.bars().is_visible() && !session.json());
        assert!(Session::build(&CommonArgs::default()).unwrap().memory() > 0);
    }

    #[test]
    fn a_time_limit_sets_no_flag() {
        let cancel = Cancel::new();
        let limits = Limits { time: Some(Duration::ZERO), ..Limits::default() };
        assert!(limits.cancel(&cancel).is_cancelled());
        assert!(!cancel.is_cancelled());
        assert!(!Limits::default().cancel(&cancel).is_cancelled());
    }
}
