//! A lock of one byte, held for less than a microsecond.

use std::sync::atomic::{AtomicBool, Ordering};

/// Attempts before the thread yields to another (perhaps to the one that holds the lock).
const SPINS: u32 = 100;

#[derive(Debug, Default)]
pub(super) struct SpinLock(AtomicBool);

impl SpinLock {
    /// Runs `work` while it holds the lock, which is released even if `work` panics, so that other threads do not wait
    /// forever and the panic reaches the caller of the fill.
    #[inline(always)]
    pub(super) fn with<T>(&self, work: impl FnOnce() -> T) -> T {
        let mut spins = 0;
        while self.0.swap(true, Ordering::Acquire) {
            while self.0.load(Ordering::Relaxed) {
                spins += 1;
                if spins % SPINS == 0 {
                    std::thread::yield_now();
                }
                std::hint::spin_loop();
            }
        }
        let _held = Held(&self.0);
        work()
    }
}

/// Releases the lock when it is dropped.
struct Held<'a>(&'a AtomicBool);

impl Drop for Held<'_> {
    #[inline(always)]
    fn drop(&mut self) {
        self.0.store(false, Ordering::Release);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicU32;

    #[test]
    fn a_panic_releases_the_lock() {
        let lock = SpinLock::default();
        let panicked = std::panic::catch_unwind(|| lock.with(|| panic!("on purpose")));
        assert!(panicked.is_err());
        assert_eq!(lock.with(|| 7), 7);
    }

    #[test]
    fn one_thread_at_a_time_holds_the_lock() {
        let (lock, count) = (SpinLock::default(), AtomicU32::new(0));
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..10_000 {
                        // Deliberately not atomic: without the lock, counts would be lost.
                        lock.with(|| count.store(count.load(Ordering::Relaxed) + 1, Ordering::Relaxed));
                    }
                });
            }
        });
        assert_eq!(count.into_inner(), 40_000);
    }
}
