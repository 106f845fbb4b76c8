//! Bytes of memory and disk, counted against limits. Threads share a count.

use super::StorageError;
use std::sync::atomic::{AtomicU64, Ordering};

/// Bytes in use and their limit.
#[derive(Debug)]
pub struct Quota {
    limit: u64,
    used: AtomicU64,
    peak: AtomicU64,
}

impl Quota {
    /// A quota of `limit` bytes, none of them in use.
    pub fn new(limit: u64) -> Quota {
        Quota { limit, used: AtomicU64::new(0), peak: AtomicU64::new(0) }
    }

    /// The limit.
    pub fn limit(&self) -> u64 {
        self.limit
    }

    /// Bytes in use now.
    pub fn used(&self) -> u64 {
        self.used.load(Ordering::Relaxed)
    }

    /// The most bytes ever in use.
    pub fn peak(&self) -> u64 {
        self.peak.load(Ordering::Relaxed)
    }

    /// Takes `bytes` if the limit allows it. Returns whether it does.
    #[must_use]
    pub fn take(&self, bytes: u64) -> bool {
        self.add(bytes, self.limit)
    }

    /// Counts `bytes` that are in use already, whatever the limit.
    pub fn occupy(&self, bytes: u64) {
        self.add(bytes, u64::MAX);
    }

    fn add(&self, bytes: u64, limit: u64) -> bool {
        let fits = |used: u64| used.checked_add(bytes).filter(|&after| after <= limit);
        let before = self.used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, fits);
        before.is_ok_and(|before| {
            self.peak.fetch_max(before + bytes, Ordering::Relaxed);
            true
        })
    }

    /// Gives `bytes` back.
    pub fn give(&self, bytes: u64) {
        self.used.fetch_sub(bytes, Ordering::Relaxed);
    }
}

/// The memory and the disk space that a search may use.
#[derive(Debug)]
pub struct Budget {
    /// Bytes of layers in memory.
    pub memory: Quota,
    /// Bytes of files in the work directory.
    pub disk: Quota,
}

impl Budget {
    /// A budget of `memory` and `disk` bytes.
    pub fn new(memory: u64, disk: u64) -> Budget {
        Budget { memory: Quota::new(memory), disk: Quota::new(disk) }
    }

    /// A budget without limits.
    pub fn unlimited() -> Budget {
        Budget::new(u64::MAX, u64::MAX)
    }

    /// Takes `bytes` of memory.
    ///
    /// # Errors
    /// [`StorageError::Memory`] when the budget is spent.
    pub(crate) fn take_memory(&self, bytes: u64) -> Result<(), StorageError> {
        self.memory.take(bytes).then_some(()).ok_or(StorageError::Memory(self.memory.limit()))
    }

    /// Takes `bytes` of disk.
    ///
    /// # Errors
    /// [`StorageError::Disk`] when the budget is spent.
    pub fn take_disk(&self, bytes: u64) -> Result<(), StorageError> {
        self.disk.take(bytes).then_some(()).ok_or(StorageError::Disk(self.disk.limit()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_is_spent_and_given_back() {
        let budget = Budget::new(10, 5);
        assert!(budget.memory.take(10) && !budget.memory.take(1));
        assert!(matches!(budget.take_memory(1), Err(StorageError::Memory(10))));
        budget.memory.give(4);
        assert_eq!((budget.memory.used(), budget.memory.peak()), (6, 10));
        budget.disk.occupy(7);
        assert!(matches!(budget.take_disk(0), Err(StorageError::Disk(5))));
        assert!(!budget.memory.take(u64::MAX), "no overflow");
    }
}
