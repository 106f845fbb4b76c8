//! Tracing to standard error, controlled by `-v`, `-vv`, `-vvv` and `RUST_LOG`.

use crate::bars::Bars;
use crate::stderr;
use std::io::{self, Write};
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

/// Starts tracing at the level of `verbose` (0: warnings only, or errors only if `quiet`).
/// A second call changes nothing.
pub(crate) fn start(verbose: u8, quiet: bool, bars: &Bars) {
    let level = match (verbose, quiet) {
        (0, true) => LevelFilter::ERROR,
        (0, false) => LevelFilter::WARN,
        (1, _) => LevelFilter::INFO,
        (2, _) => LevelFilter::DEBUG,
        _ => LevelFilter::TRACE,
    };
    let wanted = std::env::var("RUST_LOG").ok().and_then(|targets| targets.parse::<Targets>().ok());
    let targets = match wanted.unwrap_or_default() {
        targets if targets.default_level().is_none() => targets.with_default(level),
        targets => targets,
    };
    let bars = bars.clone();
    // Fails only when tracing is on already, as in a test that builds two sessions.
    let _ = tracing_subscriber::fmt()
        .with_max_level(LevelFilter::TRACE)
        .with_ansi(false)
        .with_writer(move || BesideBars(bars.clone()))
        .finish()
        .with(targets)
        .try_init();
}

/// Standard error; the progress bar is hidden while a line is written.
struct BesideBars(Bars);

impl Write for BesideBars {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.suspend(|| stderr::write(bytes));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
