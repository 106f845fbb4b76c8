//! Decides when long work saves its state.
//!
//! ```
//! use search_core::pace::Pace;
//! use std::time::Duration;
//!
//! let (mut pace, mut saves) = (Pace::new(Duration::ZERO), 0);
//! for _step in 0..3 {
//!     if pace.is_due() {
//!         pace.save(|| saves += 1);
//!     }
//! }
//! assert_eq!(saves, 3);
//! ```

use crate::clock::Instant;
use std::time::Duration;

/// Saving takes at most about 1/`SHARE` of the time.
const SHARE: u32 = 20;
/// Stopped work saves its state if at least 1/`WORTH` of the interval has passed since the last save, and at least the
/// time that the last save took.
const WORTH: u32 = 6;

/// The schedule by which long work saves its state: at an interval, and less often if saving takes long.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    interval: Duration,
    saved: Instant,
    /// The time that the last save took.
    cost: Duration,
}

impl Pace {
    /// The schedule of work that begins now. With an interval of zero the state is saved at every opportunity.
    pub fn new(interval: Duration) -> Pace {
        Pace { interval, saved: Instant::now(), cost: Duration::ZERO }
    }

    /// The time between the last save and the next one.
    fn pause(&self) -> Duration {
        if self.interval.is_zero() {
            self.interval
        } else {
            self.interval.max(self.cost.saturating_mul(SHARE))
        }
    }

    /// The time of the next save; `None` if there is none.
    pub fn due(&self) -> Option<Instant> {
        self.saved.checked_add(self.pause())
    }

    /// Whether it is time to save the state.
    pub fn is_due(&self) -> bool {
        self.saved.elapsed() >= self.pause()
    }

    /// Whether stopped work has done enough since the last save to save its state.
    pub fn is_worth(&self) -> bool {
        self.interval.is_zero() || self.saved.elapsed() >= self.cost.max(self.interval / WORTH)
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
        assert!(!pace.is_due() && !pace.is_worth());
        assert!(pace.due().is_some_and(|due| due > Instant::now()));
        let mut always = Pace::new(Duration::ZERO);
        always.save(|| std::thread::sleep(Duration::from_millis(5)));
        assert!(always.is_due() && always.is_worth());
        assert_eq!(Pace::new(Duration::MAX).due(), None);
    }
}
