//! How long work runs: its progress, its cancellation, its threads and its memory budget.
//!
//! A [`Run`] is made once, by the command line or by whoever calls the library, and borrowed by
//! everything below. Copies share the cancellation and the threads.
//!
//! Threads: work that is called from inside a rayon worker stays in that worker's pool, so that
//! nested work never has more threads than its caller. Elsewhere the run's own pool is started on
//! first use. A run with one thread starts no pool for a search: the calling thread works.

use crate::progress::{Cancel, Cancelled, Progress, Silent};
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::num::NonZeroUsize;
use std::sync::{Arc, OnceLock};
use std::time::Instant;

/// The progress, cancellation, threads and memory budget of a piece of work.
#[derive(Clone)]
pub struct Run<'a> {
    progress: &'a dyn Progress,
    cancel: Cancel,
    threads: Arc<Threads>,
    memory: Option<u64>,
}

/// A pool that is started on first use.
struct Threads {
    wanted: NonZeroUsize,
    pool: OnceLock<ThreadPool>,
}

impl Threads {
    /// The pool, with as many of the wanted threads as the system grants.
    fn pool(&self) -> &ThreadPool {
        self.pool.get_or_init(|| {
            let mut count = self.wanted.get();
            loop {
                match ThreadPoolBuilder::new().num_threads(count).build() {
                    Ok(pool) => return pool,
                    Err(error) if count == 1 => panic!("the system refuses to start a thread: {error}"),
                    Err(_) => count /= 2,
                }
            }
        })
    }
}

impl Default for Run<'_> {
    fn default() -> Self {
        Run::new()
    }
}

impl<'a> Run<'a> {
    /// A run that reports nothing, is never cancelled, uses all cores and has no memory limit.
    pub fn new() -> Run<'a> {
        let threads = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        Run { progress: &Silent, cancel: Cancel::new(), threads: Arc::new(threads.into()), memory: None }
    }

    /// The same run, reporting to `progress`.
    #[must_use]
    pub fn with_progress<'b>(&self, progress: &'b dyn Progress) -> Run<'b> {
        Run { progress, cancel: self.cancel.clone(), threads: Arc::clone(&self.threads), memory: self.memory }
    }

    /// The same run, stopped by `cancel`.
    #[must_use]
    pub fn with_cancel(&self, cancel: &Cancel) -> Run<'a> {
        Run { cancel: cancel.clone(), ..self.clone() }
    }

    /// The same run, cancelled at `deadline` at the latest.
    #[must_use]
    pub fn with_deadline(&self, deadline: Instant) -> Run<'a> {
        self.with_cancel(&self.cancel.with_deadline(deadline))
    }

    /// The same run on `count` threads, or on as many of them as the system grants.
    #[must_use]
    pub fn with_threads(&self, count: NonZeroUsize) -> Run<'a> {
        Run { threads: Arc::new(count.into()), ..self.clone() }
    }

    /// The same run with a memory budget of `bytes`.
    #[must_use]
    pub fn with_memory(&self, bytes: u64) -> Run<'a> {
        Run { memory: Some(bytes), ..self.clone() }
    }

    /// Who hears of the work's progress.
    pub fn progress(&self) -> &'a dyn Progress {
        self.progress
    }

    /// Who can stop the work.
    pub fn cancel(&self) -> &Cancel {
        &self.cancel
    }

    /// Whether the work is to stop. Reads the clock if there is a deadline.
    pub fn is_cancelled(&self) -> bool {
        self.cancel.is_cancelled()
    }

    /// `Err(Cancelled)` when it is time to stop.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn check(&self) -> Result<(), Cancelled> {
        self.cancel.check()
    }

    /// The memory budget in bytes, if there is one.
    pub fn memory(&self) -> Option<u64> {
        self.memory
    }

    /// How many threads work, at least 1.
    pub fn threads(&self) -> usize {
        match (self.threads.wanted.get(), rayon::current_thread_index()) {
            (1, _) => 1,
            (_, Some(_)) => rayon::current_num_threads(),
            (_, None) => self.threads.pool().current_num_threads(),
        }
    }

    /// Calls `work` where rayon's parallel iterators and joins use the threads of this run.
    pub fn install<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        match rayon::current_thread_index() {
            Some(_) => work(),
            None => self.threads.pool().install(work),
        }
    }

    /// What `work` returns on each of the threads.
    pub fn each<T: Send>(&self, work: impl Fn() -> T + Sync) -> Vec<T> {
        match (self.threads.wanted.get(), rayon::current_thread_index()) {
            (1, _) => vec![work()],
            (_, Some(_)) => rayon::broadcast(|_| work()),
            (_, None) => self.threads.pool().broadcast(|_| work()),
        }
    }

    /// What `f` makes of each item, in their order.
    pub fn map<A: Sync, B: Send>(&self, items: &[A], f: impl Fn(&A) -> B + Sync + Send) -> Vec<B> {
        if self.threads.wanted.get() == 1 {
            return items.iter().map(f).collect();
        }
        self.install(|| items.par_iter().map(f).collect())
    }
}

impl From<NonZeroUsize> for Threads {
    fn from(wanted: NonZeroUsize) -> Threads {
        Threads { wanted, pool: OnceLock::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn threads(count: usize) -> Run<'static> {
        Run::new().with_threads(NonZeroUsize::new(count).unwrap())
    }

    #[test]
    fn one_thread_is_the_calling_one() {
        let caller = std::thread::current().id();
        let run = threads(1);
        assert_eq!(run.each(|| std::thread::current().id()), [caller]);
        assert_eq!(run.map(&[1, 2], |x| (2 * x, std::thread::current().id())), [(2, caller), (4, caller)]);
        assert!(run.threads.pool.get().is_none(), "no pool is started");
    }

    #[test]
    fn work_inside_a_pool_stays_there() {
        let (outer, inner) = (threads(3), threads(2));
        assert_eq!(outer.each(|| 1).len(), 3);
        let (threads, indices) = outer.install(|| (inner.threads(), inner.each(|| 1).len()));
        assert_eq!((threads, indices), (3, 3));
        assert!(inner.threads.pool.get().is_none(), "no second pool is started");
        assert_eq!(inner.install(rayon::current_num_threads), 2);
    }

    #[test]
    fn copies_share_the_cancellation() {
        let run = Run::new();
        let limited = run.with_memory(5).with_deadline(Instant::now());
        assert!(limited.is_cancelled() && !run.is_cancelled());
        run.cancel().cancel();
        assert_eq!(limited.check(), Err(Cancelled));
        assert_eq!((run.memory(), limited.memory()), (None, Some(5)));
    }
}
