//! Threads that the page starts, each a worker of the browser with an instance of the same module on the same memory.
//!
//! The first thread, which answers requests, creates a pool that includes itself. Its calls are then made from inside a
//! pool, so a [`Run`](search_core::Run) starts none. The other threads are passed to the page, which starts a worker
//! for each: it gives the instance a stack and thread-local storage of its own, and calls [`work`], which does not
//! return. The first thread does not wait for them: a worker that starts later joins in, and only work that every
//! thread must do waits for it. So the page must be able to start workers while the first thread works: the page itself
//! starts them, not the worker that answers.
//!
//! A pool ends with its workers.

use rayon::{ThreadBuilder, ThreadPool, ThreadPoolBuilder};
use std::sync::{Mutex, OnceLock, PoisonError};

/// The pool: it is never dropped, since its threads serve all requests.
static POOL: OnceLock<ThreadPool> = OnceLock::new();

/// The threads that have not begun.
static WAITING: Mutex<Vec<ThreadBuilder>> = Mutex::new(Vec::new());

/// Creates the pool of the calling thread and others, `count` in total. Returns the number of threads of the pool. Only
/// the first call has an effect.
pub fn begin(count: usize) -> usize {
    let made = POOL.get_or_init(|| {
        let spawn = |thread| {
            WAITING.lock().unwrap_or_else(PoisonError::into_inner).push(thread);
            Ok(())
        };
        let pool = ThreadPoolBuilder::new().num_threads(count).use_current_thread().spawn_handler(spawn);
        pool.build().expect("the calling thread is in no pool, and handing over threads does not fail")
    });
    made.current_num_threads()
}

/// The number of threads of the pool; 1 if there is none.
pub fn count() -> usize {
    POOL.get().map_or(1, ThreadPool::current_num_threads)
}

/// Works as one of the threads that have not begun. Returns at once if there is none.
pub fn work() {
    let thread = WAITING.lock().unwrap_or_else(PoisonError::into_inner).pop();
    if let Some(thread) = thread {
        thread.run();
    }
}
