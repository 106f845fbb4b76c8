//! The interface that the page provides: receiving reports, and storing tables.

use search_core::Solution;
use serde::Serialize;
use std::fmt::Debug;
use std::time::Duration;

/// The functions of the page. Any thread may report and ask for the time; only the thread that answers the request
/// reads and stores tables.
pub trait Host: Debug + Send + Sync {
    /// Receives a report of long work.
    fn report(&self, event: &Event);

    /// The time since any moment; it never decreases.
    fn now(&self) -> Duration;

    /// The number of threads that work, at least 1.
    fn threads(&self) -> usize;

    /// The size in bytes of the stored table with this name, if there is one.
    fn kept(&self, name: &str) -> Option<u64>;

    /// Fills `buffer` with the bytes of a table from `offset` on. Returns `false` if there are too few.
    fn read(&self, name: &str, buffer: &mut [u8], offset: u64) -> bool;

    /// Stores a table: its header, then its body. Returns whether that succeeded; if not, the table is used all the
    /// same, and built again the next time.
    fn keep(&self, name: &str, header: &[u8], body: &[u8]) -> bool;

    /// Removes the stored table with this name.
    fn remove(&self, name: &str);
}

/// A report of long work.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// A phase begins.
    Begin {
        /// A description of the phase.
        what: String,
        /// The number of units of the phase; 0 if unknown.
        total: u64,
    },
    /// A bound of a search begins.
    Bound {
        /// The proved lower bound.
        bound: u32,
        /// The number of subtrees into which the search is divided.
        total: u64,
    },
    /// Some units of the phase are finished.
    Update {
        /// The number of finished units.
        done: u64,
    },
    /// The progress of a search since its beginning.
    Nodes {
        /// The number of nodes generated.
        nodes: u64,
        /// The time in seconds.
        seconds: f64,
    },
    /// A line to show.
    Note {
        /// The line.
        line: String,
    },
    /// The phase is over.
    End,
    /// A better solution than the last one, found while the search runs.
    Better {
        /// The lower bound proved by then.
        bound: u32,
        /// The solution.
        solution: Found,
    },
    /// The state of a search: if it is passed back, the search continues from it.
    Checkpoint {
        /// The proved lower bound.
        bound: u32,
        /// The checkpoint, for `resume` of the request: a text, because JavaScript has no numbers of 64 bits.
        state: String,
    },
}

/// A solution that the referee has replayed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Found {
    /// Its length.
    pub length: u32,
    /// Its moves, as one text.
    pub moves: String,
    /// The first of them; empty if there are none.
    pub next: String,
    /// The solution with its last moves on the inverse scramble, if requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shown: Option<String>,
}

impl From<Solution> for Found {
    fn from(solution: Solution) -> Found {
        let next = solution.first_move().to_owned();
        Found { length: solution.length, moves: solution.moves, next, shown: None }
    }
}
