//! The system's clock, or one set by the program where the system has none.
//!
//! WebAssembly without a system (`wasm32-unknown-unknown`) has no clock: `std`'s panics there. There, a program passes
//! its host's clock to `set`. Until it does, the time is always 0: deadlines never pass and progress is never due.
//!
//! ```
//! use search_core::clock::Instant;
//!
//! let begin = Instant::now();
//! assert!(begin.elapsed() <= begin.elapsed());
//! ```

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub use std::time::Instant;

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use given::{Instant, set};

#[cfg(any(test, all(target_family = "wasm", target_os = "unknown")))]
// If the system has a clock, only tests use this one.
#[cfg_attr(not(target_family = "wasm"), allow(dead_code))]
mod given {
    use std::ops::Add;
    use std::sync::OnceLock;
    use std::time::Duration;

    static CLOCK: OnceLock<fn() -> Duration> = OnceLock::new();

    /// Sets the clock: the time since any moment, which never decreases. Only the first call has an effect.
    pub fn set(clock: fn() -> Duration) {
        let _ = CLOCK.set(clock);
    }

    /// A moment: the part of `std::time::Instant` that this crate needs.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub struct Instant(Duration);

    impl Instant {
        /// The present moment.
        pub fn now() -> Instant {
            Instant(CLOCK.get().map_or(Duration::ZERO, |clock| clock()))
        }

        /// The time since then.
        pub fn elapsed(&self) -> Duration {
            Instant::now().0.saturating_sub(self.0)
        }

        /// The moment `duration` later, if it can be represented.
        pub fn checked_add(&self, duration: Duration) -> Option<Instant> {
            self.0.checked_add(duration).map(Instant)
        }
    }

    impl Add<Duration> for Instant {
        type Output = Instant;
        fn add(self, duration: Duration) -> Instant {
            Instant(self.0.saturating_add(duration))
        }
    }

    #[cfg(test)]
    mod tests {
        use super::*;
        use std::sync::atomic::{AtomicU64, Ordering};

        static SECONDS: AtomicU64 = AtomicU64::new(0);

        #[test]
        fn the_clock_that_was_set_is_used() {
            let before = Instant::now();
            assert_eq!(before.elapsed(), Duration::ZERO);
            set(|| Duration::from_secs(SECONDS.load(Ordering::Relaxed)));
            let start = Instant::now();
            SECONDS.store(5, Ordering::Relaxed);
            assert_eq!(start.elapsed(), Duration::from_secs(5));
            assert_eq!(start + Duration::from_secs(5), Instant::now());
            assert!(start.checked_add(Duration::MAX) > start.checked_add(Duration::ZERO));
            set(|| Duration::ZERO);
            assert_eq!(Instant::now(), Instant(Duration::from_secs(5)));
        }
    }
}
