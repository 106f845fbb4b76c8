//! The settings of one run of a program, built from the common arguments.

use crate::args::{CommonArgs, InputArgs, Print, PrintArgs, RandomArgs, RecordArgs};
use crate::bars::Bars;
use crate::column::Column;
use crate::failure::Failure;
use crate::output::{Format, Output};
use crate::{interrupt, memory, tables_dir, trace};
use search_core::table::{Store, Trust};
use search_core::{Cancel, Progress, Run};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::{env, io};

/// The settings of one run: threads, memory, tables, progress and cancellation.
#[derive(Clone, Debug)]
pub struct Session {
    format: Format,
    tables: Vec<PathBuf>,
    trust: Trust,
    print: Print,
    is_silent: bool,
    state: Option<PathBuf>,
    /// The column of instances on standard input.
    column: Option<Column>,
    /// Whether the remark that the program waits for standard input has been printed.
    is_announced: Arc<AtomicBool>,
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
        let bars = Bars::new(args.quiet, args.verbose > 0);
        trace::start(args.verbose, args.quiet, &bars);
        let cancel =
            interrupt::flag().map_err(|error| Failure::error(format_args!("signal handler: {error}")))?;
        let memory = args.memory.unwrap_or_else(memory::safe_share);
        let run = Run::new().with_cancel(&cancel).with_memory(memory);
        let run = args.threads.map_or(run.clone(), |count| run.with_threads(count));
        let format = if args.json { Format::Json } else { Format::Text };
        let variable = |name: &str| env::var_os(name);
        let tables = tables_dir::resolve(args.tables.as_deref(), variable);
        let (state, trust) = (tables_dir::state(variable), args.trust.unwrap_or_default());
        let (print, column, is_announced) = (Print::default(), None, Arc::default());
        Ok(Session { format, tables, trust, print, is_silent: false, state, column, is_announced, bars, run })
    }

    /// The same settings, for a subcommand that answers with records of searches.
    #[must_use]
    pub fn with_records(&self, args: &RecordArgs) -> Session {
        let format = if args.csv { Format::Csv } else { self.format };
        Session { format, ..self.clone() }
    }

    /// The same settings, for a subcommand that prints solutions.
    #[must_use]
    pub fn with_print(&self, args: PrintArgs) -> Session {
        Session { print: args.print, ..self.clone() }
    }

    /// The seed of a batch if solutions are chosen at random; a fresh one is written to standard error.
    pub fn random_choice(&self, args: RandomArgs) -> Option<u64> {
        args.random.then(|| args.seed.unwrap_or_else(|| self.fresh_seed()))
    }

    /// A seed that no one chose, after writing it to standard error.
    pub fn fresh_seed(&self) -> u64 {
        let seed = RandomState::new().build_hasher().finish();
        self.remark(&format!("seed {seed}"));
        seed
    }

    /// The same settings, for a subcommand whose instances may be in a column of the lines.
    #[must_use]
    pub fn with_input(&self, args: &InputArgs) -> Session {
        Session { column: args.column.clone(), ..self.clone() }
    }

    /// The column of instances on standard input.
    pub(crate) fn column(&self) -> Option<&Column> {
        self.column.as_ref()
    }

    /// Says that the program waits for standard input, if that is a terminal and the instances are to come from it. Call
    /// it before work that takes long; a batch calls it too.
    pub fn announce_input(&self, arguments: &[String]) {
        let reads = arguments.is_empty() || arguments.iter().any(|argument| argument == "-");
        if reads && io::stdin().is_terminal() && !self.is_announced.swap(true, Ordering::Relaxed) {
            self.remark("reading instances from standard input, one per line; Ctrl-D ends the input");
        }
    }

    /// The run: the progress bars, cancellation by Ctrl-C and SIGTERM, the threads and the memory budget.
    pub fn run(&self) -> Run<'_> {
        self.run.with_progress(&self.bars)
    }

    /// Whether the process received Ctrl-C or SIGTERM.
    pub fn is_interrupted(&self) -> bool {
        self.run.cancel().is_interrupted()
    }

    /// The same settings, with checkpoints in this directory.
    #[must_use]
    pub fn with_state(&self, directory: impl Into<PathBuf>) -> Session {
        Session { state: Some(directory.into()), ..self.clone() }
    }

    /// The same settings, stopped by `cancel` instead of signals.
    #[must_use]
    pub fn with_cancel(&self, cancel: &Cancel) -> Session {
        Session { run: self.run.with_cancel(cancel), ..self.clone() }
    }

    /// The same settings, with answers that are printed nowhere.
    #[must_use]
    pub fn silent(&self) -> Session {
        Session { is_silent: true, ..self.clone() }
    }

    /// The store of tables. `generator` is the program's name and version, for the headers of new
    /// tables.
    pub fn store(&self, generator: &str) -> Store {
        Store::over(self.tables.clone(), generator).trusting(self.trust)
    }

    /// The directory of this user's checkpoints, if the system names one.
    pub(crate) fn state(&self) -> Option<&Path> {
        self.state.as_deref()
    }

    /// The directories of tables.
    pub(crate) fn tables(&self) -> &[PathBuf] {
        &self.tables
    }

    /// The progress bars themselves.
    pub fn bars(&self) -> &Bars {
        &self.bars
    }

    /// Standard output, in the form of answers that the arguments choose.
    pub fn output(&self) -> Output {
        let out: Box<dyn io::Write> =
            if self.is_silent { Box::new(io::sink()) } else { Box::new(io::stdout()) };
        Output::new(out, self.format, &self.bars).printing(self.print)
    }

    /// Writes a remark to standard error, unless `--quiet` was given.
    pub fn remark(&self, remark: &str) {
        self.bars.remark(remark);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_become_settings() {
        let args = CommonArgs {
            threads: Some(3),
            memory: Some(1 << 20),
            tables: Some("here".into()),
            quiet: true,
            ..CommonArgs::default()
        };
        let session = Session::build(&args).unwrap();
        assert_eq!((session.run().threads(), session.run().memory()), (3, 1 << 20));
        assert_eq!(session.store("test").dirs(), ["here".into()] as [PathBuf; 1]);
        assert!(!session.bars().is_visible() && session.format == Format::Text);
        assert!(Session::build(&CommonArgs::default()).unwrap().run().memory() > 0);
    }
}
