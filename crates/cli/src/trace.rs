//! Tracing to standard error: `-v`, `-vv`, `-vvv`, or what `RUST_LOG` says.

use crate::bars::Bars;
use std::io::{self, Write};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::LevelFilter;

/// Starts tracing as loud as `verbose` says (0: warnings only; nothing but errors when `quiet`).
/// A second call changes nothing.
pub(crate) fn start(verbose: u8, quiet: bool, bars: &Bars) {
    let level = match (verbose, quiet) {
        (0, true) => LevelFilter::ERROR,
        (0, false) => LevelFilter::WARN,
        (1, _) => LevelFilter::INFO,
        (2, _) => LevelFilter::DEBUG,
        _ => LevelFilter::TRACE,
    };
    let filter = EnvFilter::builder().with_default_directive(level.into()).from_env_lossy();
    let bars = bars.clone();
    // Fails only when tracing is on already, as in a test that builds two sessions.
    let _ = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_ansi(false)
        .with_writer(move || BesideBars(bars.clone()))
        .try_init();
}

/// Standard error, with the progress bar out of the way while a line is written.
struct BesideBars(Bars);

impl Write for BesideBars {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.suspend(|| io::stderr().write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stderr().flush()
    }
}
