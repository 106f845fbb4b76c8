//! The threads of a search: the calling thread where one is wanted, else a pool.
//!
//! A small search takes microseconds, less than a thread takes to start; and a search on the calling
//! thread may be called from a thread of any pool.

use rayon::prelude::*;

/// The threads of a search.
pub(super) struct Workers(Option<rayon::ThreadPool>);

impl Workers {
    /// `count` threads, at least one.
    ///
    /// # Panics
    /// If the operating system gives no threads.
    pub fn new(count: usize) -> Workers {
        let pool = || rayon::ThreadPoolBuilder::new().num_threads(count).build();
        Workers((count > 1).then(|| pool().expect("the operating system gives threads")))
    }

    /// How many threads there are.
    pub fn count(&self) -> usize {
        self.0.as_ref().map_or(1, rayon::ThreadPool::current_num_threads)
    }

    /// What `work` comes to on each thread.
    pub fn each<T: Send>(&self, work: impl Fn() -> T + Sync) -> Vec<T> {
        match &self.0 {
            Some(pool) => pool.broadcast(|_| work()),
            None => vec![work()],
        }
    }

    /// What `f` makes of each item, in order.
    pub fn map<A: Sync, B: Send>(&self, items: &[A], f: impl Fn(&A) -> B + Sync) -> Vec<B> {
        match &self.0 {
            Some(pool) => pool.install(|| items.par_iter().map(&f).collect()),
            None => items.iter().map(f).collect(),
        }
    }
}
