//! Progress, checkpoints and the record of a search.

use crate::host::{Event, Found, Host};
use search_core::ida::{Checkpoints, Config, Incumbent, SearchState, UpperBounds, Wanted};
use search_core::progress::BoundAhead;
use search_core::record::{Iteration, TableUse};
use search_core::{Ending, Op, Progress, Report, Run};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The time between two progress reports.
const PAUSE: Duration = Duration::from_millis(100);
/// The time between two checkpoints.
const CHECKPOINTS: Duration = Duration::from_secs(5);
/// The maximum size in bytes of a checkpoint that is passed to the host.
const LARGEST: usize = 8 << 20;

/// Reports progress to a host, a few times per second.
#[derive(Debug)]
pub struct Reporter {
    host: &'static dyn Host,
    begun: Duration,
    /// The number of fixed moves, which are not searched.
    fixed: u32,
    nodes: AtomicU64,
    /// The time of the next report, in milliseconds from the beginning.
    due: AtomicU64,
}

impl Reporter {
    /// Reports to `host`.
    pub fn new(host: &'static dyn Host) -> Reporter {
        Reporter { host, begun: host.now(), fixed: 0, nodes: AtomicU64::new(0), due: AtomicU64::new(0) }
    }

    /// The same for a search whose solutions also have `fixed` moves: reported bounds include them.
    #[must_use]
    pub fn with_fixed(self, fixed: u32) -> Reporter {
        Reporter { fixed, ..self }
    }

    /// The seconds since the beginning.
    pub fn seconds(&self) -> f64 {
        self.host.now().saturating_sub(self.begun).as_secs_f64()
    }

    /// Whether a report is due. If so, the next one is due after the pause.
    fn is_due(&self) -> bool {
        let now = (self.seconds() * 1e3) as u64;
        let is_due = now >= self.due.load(Ordering::Relaxed);
        if is_due {
            self.due.store(now + PAUSE.as_millis() as u64, Ordering::Relaxed);
        }
        is_due
    }
}

impl Progress for Reporter {
    fn begin(&self, what: &str, total: u64) {
        self.host.report(&Event::Begin { what: what.to_owned(), total });
    }

    fn begin_bound(&self, ahead: &BoundAhead) {
        self.host.report(&Event::Bound { bound: ahead.bound + self.fixed, total: ahead.subtrees });
    }

    fn update(&self, done: u64) {
        if self.is_due() {
            self.host.report(&Event::Update { done });
        }
    }

    fn nodes(&self, more: u64) {
        let nodes = self.nodes.fetch_add(more, Ordering::Relaxed) + more;
        if self.is_due() {
            self.host.report(&Event::Nodes { nodes, seconds: self.seconds() });
        }
    }

    fn note(&self, line: &str) {
        self.host.report(&Event::Note { line: line.to_owned() });
    }

    fn remark(&self, line: &str) {
        self.note(line);
    }

    fn end(&self) {
        self.host.report(&Event::End);
    }
}

/// The maximum size in bytes of all tables in a memory with 32-bit addresses. A sixteenth is left for other data.
pub const MOST_BY_32_BITS: u64 = 15 << 28;
/// The same with 64-bit addresses, of which browsers grant 16 GiB.
const MOST_BY_64_BITS: u64 = 15 << 30;
/// The maximum size in bytes of all tables.
const MOST: u64 = if cfg!(target_pointer_width = "32") { MOST_BY_32_BITS } else { MOST_BY_64_BITS };

/// A run on the host's threads that reports to `reporter`.
pub fn run(reporter: &Reporter, memory: Option<u64>) -> Run<'_> {
    let memory = memory.unwrap_or(MOST);
    Run::new().with_threads(reporter.host.threads()).with_memory(memory).with_progress(reporter)
}

/// The settings of a search.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Wish {
    /// All shortest solutions instead of one.
    pub all: bool,
    /// With `all`, also the solutions that are at most this much longer.
    pub extra: u32,
    /// The lower bound that an earlier search proved. A search that resumes gets the same value as the one that wrote
    /// the checkpoint.
    pub at_least: u32,
    /// The first good solution instead, with the lower bound proved by then.
    pub quick: bool,
    /// Memory for tables in bytes.
    pub memory: Option<u64>,
    /// The state of the last checkpoint of a search that was stopped.
    pub resume: Option<String>,
}

impl Wish {
    /// The configuration of a search whose solutions also have `fixed` moves.
    pub fn config(&self, host: &'static dyn Host, fixed: u32) -> Config {
        let min_bound = self.at_least.saturating_sub(fixed);
        let checkpoints = Some(self.checkpoints(host, fixed));
        Config::default().wanted(self.wanted()).min_bound(min_bound).checkpoints(checkpoints)
    }

    /// The wanted solutions.
    pub fn wanted(&self) -> Wanted {
        if self.all { Wanted::All { extra: self.extra } } else { Wanted::First }
    }

    /// The use of upper bounds in a search whose solutions also have `fixed` moves. Each better solution is reported to
    /// `host`; `checked` returns the whole solution, replayed by the referee.
    pub fn upper_bounds(
        &self,
        host: &'static dyn Host,
        fixed: u32,
        checked: impl Fn(&[Op]) -> Option<Found> + Send + Sync + 'static,
    ) -> UpperBounds {
        let within = if self.quick { u32::MAX } else { 0 };
        UpperBounds::default().within(within).incumbent(Incumbent::watched(move |best, lower_bound| {
            if let Some(solution) = checked(&best.solution) {
                host.report(&Event::Better { bound: lower_bound + fixed, solution });
            }
        }))
    }

    /// Checkpoints that the host stores, of a search whose solutions also have `fixed` moves.
    pub fn checkpoints(&self, host: &'static dyn Host, fixed: u32) -> Arc<dyn Checkpoints> {
        let earlier = self.resume.as_deref().and_then(|state| serde_json::from_str(state).ok());
        Arc::new(Passed { host, earlier, fixed })
    }
}

/// Checkpoints are passed to the host, and back with the request.
#[derive(Debug)]
struct Passed {
    host: &'static dyn Host,
    earlier: Option<SearchState>,
    /// The number of fixed moves, which are not searched.
    fixed: u32,
}

impl Checkpoints for Passed {
    fn resume(&self) -> Option<SearchState> {
        self.earlier.clone()
    }

    fn pause(&self) -> Duration {
        CHECKPOINTS
    }

    fn keep(&self, checkpoint: &SearchState) {
        let state = serde_json::to_string(checkpoint).unwrap_or_default();
        if state.len() <= LARGEST {
            self.host.report(&Event::Checkpoint { bound: checkpoint.bound + self.fixed, state });
        }
    }
}

/// A finished search.
#[derive(Clone, Debug, Serialize)]
pub struct Answered {
    /// `optimal`, `bounded`, `cancelled` or `exhausted`.
    pub ending: &'static str,
    /// The length that is proved shortest; of another ending, the proved lower bound.
    pub length: Option<u32>,
    /// The solutions, shortest first; of another ending than `optimal`, the best one known.
    pub solutions: Vec<Found>,
    /// Each bound that was searched.
    pub iterations: Vec<Iteration>,
    /// The heuristic, if the search had one.
    pub heuristic: Option<String>,
    /// The tables that it read.
    pub tables: Vec<TableUse>,
    /// The differences from the request.
    pub remark: Option<String>,
    /// The total time in seconds, including tables.
    pub seconds: f64,
}

impl Answered {
    /// The answer of a search.
    pub fn of(report: Report<Found>, reporter: &Reporter) -> Answered {
        let (ending, length) = match &report.ending {
            Ending::Optimal { length, .. } => ("optimal", Some(*length)),
            Ending::Bounded { lower_bound, .. } => ("bounded", Some(*lower_bound)),
            Ending::Cancelled { lower_bound, .. } => ("cancelled", Some(*lower_bound)),
            Ending::Exhausted => ("exhausted", None),
        };
        let solutions = match &report.ending {
            Ending::Optimal { solutions, .. } => solutions.clone(),
            ending => ending.best().cloned().into_iter().collect(),
        };
        Answered {
            ending,
            length,
            solutions,
            iterations: report.iterations,
            heuristic: None,
            tables: Vec::new(),
            remark: None,
            seconds: reporter.seconds(),
        }
    }

    /// The same, by a heuristic with its tables.
    #[must_use]
    pub fn by(self, heuristic: &str, tables: &[TableUse]) -> Answered {
        Answered { heuristic: Some(heuristic.to_owned()), tables: tables.to_vec(), ..self }
    }
}
