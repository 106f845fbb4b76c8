//! The progress of a set, and the time that is left.

use puzzle_cli::Session;
use puzzle_cli::format::format_duration;
use std::time::{Duration, Instant};

/// The time between two remarks on the progress, if there is no progress bar.
const BETWEEN_REMARKS: Duration = Duration::from_secs(60);

/// The progress of a set.
pub(super) struct TimeLeft<'a> {
    session: &'a Session,
    count: usize,
    begun: Instant,
    remarked: Instant,
    /// The number of searches at the start.
    all: Option<usize>,
}

impl<'a> TimeLeft<'a> {
    /// Starts the clock of a set of `count` cases.
    pub(super) fn new(session: &'a Session, count: usize) -> TimeLeft<'a> {
        let now = Instant::now();
        TimeLeft { session, count, begun: now, remarked: now, all: None }
    }

    /// The text of the progress while a case is solved; `left` searches remain. Occasionally prints it as a remark.
    pub(super) fn place(&mut self, number: usize, name: &str, left: usize) -> String {
        let all = *self.all.get_or_insert(left);
        let place = text(number, self.count, name, self.begun.elapsed(), all - left, left);
        if !self.session.bars().is_visible() && self.remarked.elapsed() >= BETWEEN_REMARKS {
            self.remarked = Instant::now();
            self.session.remark(&place);
        }
        place
    }
}

/// `case 12 of 472 (U11), about 3 min 20 s left`. The time left is the mean time of the searches done, times the
/// number of those left: cases whose solutions are derived from others take none.
fn text(number: usize, count: usize, name: &str, elapsed: Duration, done: usize, left: usize) -> String {
    let place = format!("case {number} of {count} ({name})");
    match u32::try_from(done) {
        Ok(done @ 1..) => {
            let rest = elapsed / done * u32::try_from(left).unwrap_or(u32::MAX);
            format!("{place}, about {} left", format_duration(rest))
        }
        _ => place,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_left_is_that_of_the_searches_left() {
        let text = |done, left| text(12, 472, "U11", Duration::from_secs(60), done, left);
        assert_eq!(text(0, 9), "case 12 of 472 (U11)");
        assert_eq!(text(6, 20), "case 12 of 472 (U11), about 3 min 20 s left");
    }
}
