//! Progress bars, drawn only when standard error is a terminal. Remarks are written to it in any case.

use crate::format::format_per_second;
use crate::stderr;
use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use search_core::Progress;
use std::fmt;
use std::io::{self, IsTerminal};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

const KNOWN: &str = "{msg} [{bar:30}] {percent:>3}% {human_pos}/{human_len} {rate} {elapsed}, {eta} left";
const BYTES: &str = "{msg} [{bar:30}] {bytes} of {total_bytes} {elapsed}, {eta} left";
const UNKNOWN: &str = "{spinner} {msg} {human_pos} {rate} {elapsed}";
const REDRAW: Duration = Duration::from_millis(200);

/// One bar for the current phase, with rate and time left. Clones draw the same bar.
///
/// A phase of unknown length gets a spinner with a count. Notes stay visible above the bar.
#[derive(Clone, Debug)]
pub struct Bars {
    /// The prefix of phases and notes.
    prefix: String,
    quiet: bool,
    lines: MultiProgress,
    current: Arc<Mutex<Option<ProgressBar>>>,
}

impl Bars {
    /// Bars on standard error, unless it is no terminal or `quiet`, which silences remarks too.
    pub fn new(quiet: bool) -> Bars {
        let is_drawn = !quiet && io::stderr().is_terminal();
        let target = if is_drawn { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        Bars { quiet, ..Bars::on(target) }
    }

    /// Bars that draw nothing, without remarks.
    pub fn hidden() -> Bars {
        Bars { quiet: true, ..Bars::on(ProgressDrawTarget::hidden()) }
    }

    fn on(target: ProgressDrawTarget) -> Bars {
        let lines = MultiProgress::with_draw_target(target);
        Bars { prefix: String::new(), quiet: false, lines, current: Arc::default() }
    }

    /// The same bar, with phases and notes that begin with `name`: the table that is filled, written or
    /// verified.
    #[must_use]
    pub fn named(&self, name: &str) -> Bars {
        Bars { prefix: format!("{name}: "), ..self.clone() }
    }

    /// Whether anything is drawn.
    pub fn is_visible(&self) -> bool {
        !self.lines.is_hidden()
    }

    /// Runs `write` with the bar out of the way.
    pub fn suspend<R>(&self, write: impl FnOnce() -> R) -> R {
        self.lines.suspend(write)
    }

    /// Puts `bar` in the place of the current one, which it returns.
    fn replace(&self, bar: Option<ProgressBar>) -> Option<ProgressBar> {
        std::mem::replace(&mut *self.current.lock().unwrap_or_else(PoisonError::into_inner), bar)
    }

    fn current(&self) -> Option<ProgressBar> {
        self.current.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Bars {
    /// Begins a phase, drawn by the template `known` if its length is known.
    fn draw(&self, what: &str, total: u64, known: &str) {
        self.end();
        if !self.is_visible() {
            return;
        }
        let (bar, template) = match total {
            0 => (ProgressBar::new_spinner(), UNKNOWN),
            _ => (ProgressBar::new(total), known),
        };
        let style = ProgressStyle::with_template(template).expect("the template is well formed").with_key(
            "rate",
            |state: &ProgressState, out: &mut dyn fmt::Write| {
                // Work continues even if a bar cannot be drawn.
                let _ = out.write_str(&format_per_second(state.per_sec()));
            },
        );
        let bar = bar.with_style(style.progress_chars("=> ")).with_message(format!("{}{what}", self.prefix));
        let bar = self.lines.add(bar);
        bar.enable_steady_tick(REDRAW);
        self.replace(Some(bar));
    }
}

impl Progress for Bars {
    fn begin(&self, what: &str, total: u64) {
        self.draw(what, total, KNOWN);
    }

    fn begin_bytes(&self, what: &str, total: u64) {
        self.draw(what, total, BYTES);
    }

    fn update(&self, done: u64) {
        if let Some(bar) = self.current() {
            bar.set_position(done);
        }
    }

    fn note(&self, line: &str) {
        if self.is_visible() {
            // Work continues even if a line cannot be drawn.
            let _ = self.lines.println(format!("{}{line}", self.prefix));
        }
    }

    fn remark(&self, line: &str) {
        if !self.quiet {
            self.suspend(|| stderr::line(format_args!("{}{line}", self.prefix)));
        }
    }

    fn end(&self) {
        if let Some(bar) = self.replace(None) {
            bar.finish_and_clear();
            self.lines.remove(&bar);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use indicatif::InMemoryTerm;

    #[test]
    fn a_phase_is_drawn_and_cleared() {
        let term = InMemoryTerm::new(10, 120);
        let bars = Bars::on(ProgressDrawTarget::term_like(Box::new(term.clone())));
        bars.begin("corner table", 1_000_000);
        bars.update(250_000);
        bars.current().expect("a phase is on").force_draw();
        let drawn = term.contents();
        assert!(drawn.contains("corner table") && drawn.contains("25% 250,000/1,000,000"), "{drawn}");
        bars.note("depth 3: 243");
        bars.end();
        assert_eq!(term.contents().trim(), "depth 3: 243");
        bars.update(1);
        bars.end();
    }

    #[test]
    fn bytes_are_drawn_in_binary_units() {
        let term = InMemoryTerm::new(10, 120);
        let bars = Bars::on(ProgressDrawTarget::term_like(Box::new(term.clone()))).named("square-8");
        bars.begin_bytes("loading", 7 << 30);
        bars.update(7 << 29);
        bars.current().expect("a phase is on").force_draw();
        let drawn = term.contents();
        assert!(drawn.contains("square-8: loading [") && drawn.contains("3.50 GiB of 7.00 GiB"), "{drawn}");
    }

    #[test]
    fn a_phase_of_unknown_length_counts() {
        let term = InMemoryTerm::new(10, 120);
        let bars = Bars::on(ProgressDrawTarget::term_like(Box::new(term.clone())));
        bars.begin("searching", 0);
        bars.update(42);
        bars.current().expect("a phase is on").force_draw();
        assert!(term.contents().contains("searching 42"), "{}", term.contents());
    }

    #[test]
    fn names_go_before_phases() {
        let term = InMemoryTerm::new(10, 120);
        let bars = Bars::on(ProgressDrawTarget::term_like(Box::new(term.clone())));
        let named = bars.named("corners");
        named.begin("filling", 10);
        named.update(5);
        bars.current().expect("a phase is on").force_draw();
        named.note("depth 1: 18");
        assert!(term.contents().contains("corners: filling [") && term.contents().contains(" 50% 5/10"));
        named.end();
        assert_eq!(term.contents().trim(), "corners: depth 1: 18");
    }

    #[test]
    fn hidden_bars_draw_nothing() {
        let bars = Bars::hidden();
        bars.begin("x", 5);
        assert!(bars.current().is_none() && !bars.is_visible());
        assert_eq!(bars.suspend(|| 7), 7);
    }
}
