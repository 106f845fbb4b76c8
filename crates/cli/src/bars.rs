//! Progress bars, drawn only when standard error is a terminal. Remarks are written to it in any case.

use crate::format::{format_bytes, format_count, format_duration, format_per_second};
use crate::line::{Part, fitted};
use crate::stderr;
use console::Term;
use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use search_core::record::Iteration;
use search_core::{BoundAhead, BoundOver, Expected, Progress};
use std::fmt;
use std::io::{self, IsTerminal};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

const REDRAW: Duration = Duration::from_millis(200);
/// The time of the next bound is printed if it is probably at least this long.
const LONG: Duration = Duration::from_secs(10);

/// One bar for the current phase, with the time left. Clones draw the same bar.
///
/// A phase of unknown length gets a count. Notes stay visible above the bar. A bar fits the width of the terminal when
/// it is drawn, also after the terminal was resized.
#[derive(Clone, Debug)]
pub struct Bars {
    /// The prefix of phases and notes.
    prefix: String,
    quiet: bool,
    /// Whether lines for experts are written.
    detailed: bool,
    lines: MultiProgress,
    width: fn() -> usize,
    shared: Arc<Shared>,
}

/// The state that clones share.
#[derive(Debug, Default)]
struct Shared {
    current: Mutex<Option<ProgressBar>>,
    /// The place of the current instance in its batch, such as `3 of 46: `.
    place: Mutex<String>,
    /// The nodes generated in the current bound.
    nodes: AtomicU64,
}

/// The units of a phase.
#[derive(Clone, Copy, Debug)]
enum Units {
    Any,
    Bytes,
    Subtrees(Expected),
}

impl Bars {
    /// Bars on standard error, unless it is no terminal or `quiet`, which silences remarks too. With `detailed`, lines
    /// for experts are written.
    pub fn new(quiet: bool, detailed: bool) -> Bars {
        let is_drawn = !quiet && io::stderr().is_terminal();
        let target = if is_drawn { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        Bars { quiet, detailed, ..Bars::on(target, || Term::stderr().size().1.into()) }
    }

    /// Bars that draw nothing, without remarks.
    pub fn hidden() -> Bars {
        Bars { quiet: true, ..Bars::on(ProgressDrawTarget::hidden(), || 0) }
    }

    fn on(target: ProgressDrawTarget, width: fn() -> usize) -> Bars {
        let lines = MultiProgress::with_draw_target(target);
        Bars { prefix: String::new(), quiet: false, detailed: false, lines, width, shared: Arc::default() }
    }

    /// The same bar, with phases and notes that begin with `name`: the table that is filled, written or
    /// verified.
    #[must_use]
    pub fn named(&self, name: &str) -> Bars {
        Bars { prefix: format!("{name}: "), ..self.clone() }
    }

    /// Sets the place of the current instance in its batch, which begins phases and notes; empty for none.
    pub fn set_place(&self, place: &str) {
        *locked(&self.shared.place) = if place.is_empty() { String::new() } else { format!("{place}: ") };
    }

    /// Whether anything is drawn.
    pub fn is_visible(&self) -> bool {
        !self.lines.is_hidden()
    }

    /// Hides the bar while `write` runs.
    pub fn suspend<R>(&self, write: impl FnOnce() -> R) -> R {
        self.lines.suspend(write)
    }

    /// Puts `bar` in the place of the current one, which it returns.
    fn replace(&self, bar: Option<ProgressBar>) -> Option<ProgressBar> {
        std::mem::replace(&mut *locked(&self.shared.current), bar)
    }

    fn current(&self) -> Option<ProgressBar> {
        locked(&self.shared.current).clone()
    }

    /// `text` after the place of the instance and the bar's name.
    fn full(&self, text: &str) -> String {
        format!("{}{}{text}", locked(&self.shared.place), self.prefix)
    }

    /// Begins a phase.
    fn draw(&self, what: &str, total: u64, units: Units) {
        self.end();
        if !self.is_visible() {
            return;
        }
        let bar = if total == 0 { ProgressBar::new_spinner() } else { ProgressBar::new(total) };
        let (what, width, shared) = (self.full(what), self.width, Arc::clone(&self.shared));
        let line = move |state: &ProgressState, out: &mut dyn fmt::Write| {
            let nodes = shared.nodes.load(Ordering::Relaxed);
            let fraction = state.len().filter(|&all| all > 0).map(|all| state.pos() as f64 / all as f64);
            // Some terminals wrap a line that fills them. Work continues even if a bar cannot be drawn.
            let _ = out.write_str(&fitted(
                &what,
                fraction,
                &parts(state, units, nodes),
                width().saturating_sub(1),
            ));
        };
        let style = ProgressStyle::with_template("{line}").expect("the template is well formed");
        let bar = self.lines.add(bar.with_style(style.with_key("line", line)));
        bar.enable_steady_tick(REDRAW);
        self.replace(Some(bar));
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The parts of a bar's line after its name, with ranks: where the line is short, parts of low rank are kept.
fn parts(state: &ProgressState, units: Units, nodes: u64) -> Vec<Part> {
    let (done, elapsed) = (state.pos(), state.elapsed());
    let Some(all) = state.len().filter(|&all| all > 0) else {
        return vec![Part::new(0, format_count(done)), Part::new(1, whole(elapsed))];
    };
    let left = |of: &str| Part::new(1, format!("{} left{of}", whole(state.eta())));
    let mut parts = vec![Part::new(0, format!("{}%", done.min(all) * 100 / all))];
    match units {
        Units::Any => parts.extend([left(""), Part::new(2, whole(elapsed))]),
        Units::Bytes => {
            let bytes = format!("{} of {}", format_bytes(done), format_bytes(all));
            parts.extend([Part::new(2, bytes), left("")]);
        }
        Units::Subtrees(expected) => {
            let rate = nodes as f64 / elapsed.as_secs_f64();
            parts.push(Part::new(3, format!("{} nodes", format_count(nodes))));
            parts.push(Part::new(4, format!("{} of nodes", format_per_second(rate))));
            parts.push(left(" of this bound"));
            let rest = expected.all.map(|all| Duration::try_from_secs_f64((all - nodes as f64) / rate));
            if let Some(Ok(rest)) = rest {
                let rest = rest.max(state.eta());
                parts.push(Part::new(2, format!("about {} of the search", whole(rest))));
            }
        }
    }
    parts
}

/// A duration for people, in whole seconds below a minute.
fn whole(duration: Duration) -> String {
    match duration.as_secs() {
        seconds @ 0..60 => format!("{seconds} s"),
        _ => format_duration(duration),
    }
}

impl Progress for Bars {
    fn begin(&self, what: &str, total: u64) {
        self.draw(what, total, Units::Any);
    }

    fn begin_bytes(&self, what: &str, total: u64) {
        self.draw(what, total, Units::Bytes);
    }

    fn begin_bound(&self, ahead: &BoundAhead) {
        self.shared.nodes.store(0, Ordering::Relaxed);
        self.draw(&bound_name(ahead), ahead.subtrees, Units::Subtrees(ahead.expected));
    }

    fn update(&self, done: u64) {
        if let Some(bar) = self.current() {
            bar.set_position(done);
        }
    }

    fn nodes(&self, more: u64) {
        self.shared.nodes.fetch_add(more, Ordering::Relaxed);
    }

    fn end_bound(&self, over: &BoundOver<'_>) {
        if self.is_visible() {
            self.note(&bound_line(over));
        }
    }

    fn note(&self, line: &str) {
        if self.is_visible() {
            // Work continues even if a line cannot be drawn.
            let _ = self.lines.println(self.full(line));
        }
    }

    fn detail(&self, line: &str) {
        if self.detailed {
            self.remark(line);
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

/// The name of a bound that begins: the proved lower bound, and the upper bound if a solution is known.
fn bound_name(ahead: &BoundAhead) -> String {
    match ahead.upper_bound {
        Some(upper) => format!("between {} and {upper}", ahead.bound),
        None => format!("bound {}", ahead.bound),
    }
}

/// The line about a finished bound: the proved lower bound, the cost, and the time that the next bound will probably
/// take.
fn bound_line(over: &BoundOver<'_>) -> String {
    let Iteration { bound, generated, seconds, complete, .. } = over.iteration;
    let took = Duration::try_from_secs_f64(*seconds).unwrap_or_default();
    let cost = format!("{} nodes, {}", format_count(*generated), format_duration(took));
    if !over.is_ruled_out {
        return format!("bound {bound}: {cost}{}", if *complete { "" } else { ", cut short" });
    }
    let next =
        over.expected.next.map(|nodes| took.mul_f64((nodes / (*generated).max(1) as f64).clamp(0.0, 1e6)));
    let next = next.filter(|next| *next >= LONG);
    let next = next.map(|next| format!("; the next bound takes about {}", whole(next))).unwrap_or_default();
    format!("bound {bound} ruled out ({cost}){next}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use indicatif::InMemoryTerm;

    fn bars(width: fn() -> usize) -> (InMemoryTerm, Bars) {
        let term = InMemoryTerm::new(10, 120);
        (term.clone(), Bars::on(ProgressDrawTarget::term_like(Box::new(term)), width))
    }

    fn drawn(term: &InMemoryTerm, bars: &Bars) -> String {
        bars.current().expect("a phase is on").force_draw();
        term.contents()
    }

    #[test]
    fn a_phase_is_drawn_and_cleared() {
        let (term, bars) = bars(|| 120);
        bars.begin("corner table", 1_000_000);
        bars.update(250_000);
        let text = drawn(&term, &bars);
        assert!(text.starts_with("corner table [=") && text.contains("] 25%, "), "{text}");
        assert!(text.contains(" left, 0 s"), "{text}");
        bars.note("not enough memory");
        bars.end();
        assert_eq!(term.contents().trim(), "not enough memory");
        bars.update(1);
        bars.end();
    }

    #[test]
    fn bytes_are_drawn_in_binary_units() {
        let (term, bars) = bars(|| 120);
        let bars = bars.named("square-8");
        bars.begin_bytes("loading", 7 << 30);
        bars.update(7 << 29);
        let text = drawn(&term, &bars);
        assert!(text.contains("square-8: loading [") && text.contains("50%, 3.5 GiB of 7.0 GiB"), "{text}");
    }

    #[test]
    fn a_phase_of_unknown_length_counts() {
        let (term, bars) = bars(|| 120);
        bars.begin("layers", 0);
        bars.update(42);
        assert_eq!(drawn(&term, &bars).trim(), "layers 42, 0 s");
    }

    #[test]
    fn a_bound_is_drawn_with_its_nodes_and_the_time_left() {
        let (term, bars) = bars(|| 120);
        let expected = Expected { next: None, all: Some(1e12) };
        bars.begin_bound(&BoundAhead { bound: 105, upper_bound: None, subtrees: 1000, expected });
        bars.nodes(1_000);
        bars.nodes(234);
        bars.update(500);
        let text = drawn(&term, &bars);
        assert!(text.starts_with("bound 105 ") && text.contains("50%, 1,234 nodes, "), "{text}");
        assert!(text.contains(" left of this bound, about ") && text.contains(" of the search"), "{text}");
        bars.end();
    }

    #[test]
    fn a_bound_that_is_over_says_what_it_proved() {
        let iteration = Iteration {
            bound: 103,
            generated: 1_194_002_746,
            seconds: 82.1,
            complete: true,
            ..Iteration::default()
        };
        let line = |is_ruled_out, next| {
            let expected = Expected { next, all: None };
            bound_line(&BoundOver { iteration: &iteration, is_ruled_out, expected })
        };
        let ruled_out = "bound 103 ruled out (1,194,002,746 nodes, 1 min 22 s)";
        assert_eq!(line(true, None), ruled_out);
        assert_eq!(line(true, Some(5.97e9)), format!("{ruled_out}; the next bound takes about 6 min 50 s"));
        assert_eq!(line(true, Some(1000.0)), ruled_out);
        assert_eq!(line(false, None), "bound 103: 1,194,002,746 nodes, 1 min 22 s");
    }

    #[test]
    fn places_and_names_go_before_phases() {
        let (term, bars) = bars(|| 120);
        let named = bars.named("corners");
        bars.set_place("3 of 46");
        named.begin("filling", 10);
        named.update(5);
        assert!(drawn(&term, &bars).contains("3 of 46: corners: filling ["));
        named.note("found");
        named.end();
        assert_eq!(term.contents().trim(), "3 of 46: corners: found");
        bars.set_place("");
        bars.note("over");
        assert!(term.contents().ends_with("\nover"));
    }

    #[test]
    fn a_bar_fits_the_terminal_after_it_was_resized() {
        static WIDTH: AtomicU64 = AtomicU64::new(120);
        let (term, bars) = bars(|| WIDTH.load(Ordering::Relaxed) as usize);
        bars.begin("filling a pattern database of the first ten tiles of a board", 10);
        bars.update(5);
        let longest = |text: String| text.lines().map(|line| line.chars().count()).max().unwrap_or(0);
        assert!((80..120).contains(&longest(drawn(&term, &bars))));
        for width in [80, 40, 10] {
            WIDTH.store(width, Ordering::Relaxed);
            assert!(longest(drawn(&term, &bars)) < width as usize, "{}", term.contents());
        }
    }

    #[test]
    fn hidden_bars_draw_nothing() {
        let bars = Bars::hidden();
        bars.begin("x", 5);
        assert!(bars.current().is_none() && !bars.is_visible());
        assert_eq!(bars.suspend(|| 7), 7);
    }
}
