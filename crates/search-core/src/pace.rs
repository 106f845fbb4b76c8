//! When long work saves its state.

use crate::clock::Instant;
use std::time::Duration;

/// Saving takes at most about one part in this many of the time.
const SHARE: u32 = 20;
/// Work that is stopped saves its state if it has run for this fraction of the interval since the last time.
const WORTH: u32 = 6;

/// The pace at which long work saves its state: at an interval, and more seldom where saving takes long.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pace {
    interval: Duration,
    saved: Instant,
    /// The time that saving took.
    cost: Duration,
}

impl Pace {
    /// The pace of work that begins now. With an interval of zero the state is saved at every opportunity.
    pub fn new(interval: Duration) -> Pace {
        Pace { interval, saved: Instant::now(), cost: Duration::ZERO }
    }

    /// The time since the last saving after which the next one is due.
    fn pause(&self) -> Duration {
        if self.interval.is_zero() {
            self.interval
        } else {
            self.interval.max(self.cost.saturating_mul(SHARE))
        }
    }

    /// When the state is to be saved next; `None` if that is never.
    pub fn due(&self) -> Option<Instant> {
        self.saved.checked_add(self.pause())
    }

    /// Whether it is time to save the state.
    pub fn is_due(&self) -> bool {
        self.saved.elapsed() >= self.pause()
    }

    /// Whether the work since the last saving is worth saving when the work is stopped.
    pub fn is_worth(&self) -> bool {
        self.saved.elapsed() >= self.interval / WORTH
    }

    /// Saves the state.
    pub fn save<T>(&mut self, save: impl FnOnce() -> T) -> T {
        let begun = Instant::now();
        let saved = save();
        (self.saved, self.cost) = (Instant::now(), begun.elapsed());
        saved
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn saving_takes_a_small_share_of_the_time() {
        let mut pace = Pace::new(Duration::from_nanos(1));
        assert!(pace.is_due() && pace.is_worth());
        pace.save(|| std::thread::sleep(Duration::from_millis(5)));
        assert!(!pace.is_due() && pace.is_worth());
        assert!(pace.due().is_some_and(|due| due > Instant::now()));
        assert!(Pace::new(Duration::ZERO).is_due());
        assert_eq!(Pace::new(Duration::MAX).due(), None);
    }
}
