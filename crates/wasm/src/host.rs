//! What the page provides: reports, and the bytes of tables.

use serde::Serialize;
use std::fmt::Debug;
use std::time::Duration;

/// What the page provides. Any thread may report and ask for the time; tables are read and kept by the thread alone
/// that answers the request.
pub trait Host: Debug + Send + Sync {
    /// Receives a report of long work.
    fn report(&self, event: &Event);

    /// The time since any moment; it never decreases.
    fn now(&self) -> Duration;

    /// The number of threads that work, at least 1.
    fn threads(&self) -> usize;

    /// The bytes that are kept under the name of a table; nothing if there are none.
    fn kept(&self, name: &str) -> Option<u64>;

    /// Fills `buffer` with the bytes of a table from `offset` on. Returns whether there were so many.
    fn read(&self, name: &str, buffer: &mut [u8], offset: u64) -> bool;

    /// Keeps a table: its header, then its body. Returns whether that succeeded; if not, the table is used
    /// all the same, and built again the next time.
    fn keep(&self, name: &str, header: &[u8], body: &[u8]) -> bool;

    /// Removes what is kept under the name of a table.
    fn remove(&self, name: &str);
}

/// A report of long work.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// A phase begins, of so many units (0 when unknown).
    Begin {
        /// What is done.
        what: String,
        /// The units.
        total: u64,
    },
    /// So many units of the phase are done.
    Update {
        /// The units.
        done: u64,
    },
    /// A search has generated so many nodes since it began, in so many seconds.
    Nodes {
        /// The nodes.
        nodes: u64,
        /// The seconds.
        seconds: f64,
    },
    /// A line worth showing.
    Note {
        /// The line.
        line: String,
    },
    /// The phase is over.
    End,
    /// What a search has done so far: passed back, the search continues from there.
    Checkpoint {
        /// No solution is shorter.
        bound: u32,
        /// The checkpoint, for `resume` of the request: a text, because JavaScript has no numbers of 64 bits.
        state: String,
    },
}
