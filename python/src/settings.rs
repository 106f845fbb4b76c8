//! Threads, memory and tables: the settings of a solver beside its puzzle.

use crate::failure::usage;
use puzzle_cli::{Limits, format, memory};
use pyo3::prelude::*;
use search_core::Run;
use search_core::ida::{Order, UpperBounds};
use search_core::table::Store;
use std::path::PathBuf;
use std::time::Duration;

/// The package's name and version, for records and the headers of tables.
pub const VERSION: &str = concat!("optimal-puzzles ", env!("CARGO_PKG_VERSION"));

/// Threads, memory and tables.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Silent, and never cancelled: copies report and are cancelled.
    pub run: Run<'static>,
    /// The tables.
    pub store: Store,
}

impl Settings {
    /// The settings for what Python gave: all cores, a safe share of the memory, and the same directories of
    /// tables as the command lines, where it gave nothing.
    ///
    /// # Errors
    /// `InvalidArgument`.
    pub fn new(threads: Option<usize>, memory: Option<&str>, tables: Option<PathBuf>) -> PyResult<Settings> {
        let bytes = memory.map(format::parse_bytes).transpose().map_err(usage)?;
        let run = Run::new().with_memory(bytes.unwrap_or_else(memory::safe_share));
        let run = match threads {
            Some(count) if !(1..=Run::MAX_THREADS).contains(&count) => {
                return Err(usage(format_args!("threads must be 1 to {}, not {count}", Run::MAX_THREADS)));
            }
            Some(count) => run.with_threads(count),
            None => run,
        };
        let tables = tables.map(PathBuf::into_os_string);
        let dirs = puzzle_cli::tables_dir::resolve(tables.as_deref(), |name| std::env::var_os(name));
        Ok(Settings { run, store: Store::over(dirs, VERSION) })
    }
}

/// The order in which each bound searches the branches, by its name.
///
/// # Errors
/// `InvalidArgument`.
pub fn order(name: Option<&str>) -> PyResult<Option<Order>> {
    name.map(|name| name.parse().map_err(|fault| usage(format_args!("order: {fault}")))).transpose()
}

/// The limits of a search that Python gave.
///
/// # Errors
/// `InvalidArgument` for a time that is negative or not a number.
pub fn limits(max_depth: Option<u32>, seconds: Option<f64>) -> PyResult<Limits> {
    let time_limit = seconds.map(Duration::try_from_secs_f64).transpose();
    let time_limit = time_limit.map_err(|error| usage(format_args!("time_limit: {error}")))?;
    Ok(Limits { max_depth, time_limit })
}

/// The use of upper bounds that Python gave: the accepted distance from the optimum, and whether the answer is the first
/// shortest solution in the order of the search.
pub fn upper_bounds(within: u32, deterministic: Option<bool>) -> UpperBounds {
    UpperBounds::default().within(within).deterministic(deterministic)
}
