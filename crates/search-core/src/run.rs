//! The execution of a piece of work: progress, cancellation, threads and memory budget.
//!
//! A [`Run`] is made once, by the command line or another caller of the library, and borrowed by
//! everything below. Copies share the cancellation and the threads.
//!
//! Threads: work that is called from inside a rayon worker stays in that worker's pool, so that
//! nested work never has more threads than its caller. Elsewhere the run's own pool is started on
//! first use. A run with one thread starts no pool for a search: the calling thread works. Every
//! function that takes a run ensures this itself, so rayon's global pool is never started.
//!
//! ```
//! use search_core::Run;
//!
//! let run = Run::new().with_threads(2).with_memory(1 << 30);
//! assert_eq!(run.map(&[1, 2, 3], |n| n * n), [1, 4, 9]);
//! ```

use crate::clock::Instant;
use crate::progress::{Cancel, Cancelled, Progress, Silent};
use rayon_core::{ThreadPool, ThreadPoolBuilder};
use std::fmt;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// The progress, cancellation, threads and memory budget of a piece of work.
#[derive(Clone)]
pub struct Run<'a> {
    progress: &'a dyn Progress,
    cancel: Cancel,
    threads: Arc<Threads>,
    memory: u64,
}

/// A pool that is started on first use.
struct Threads {
    wanted: usize,
    pool: OnceLock<ThreadPool>,
}

impl Threads {
    fn new(wanted: usize) -> Arc<Threads> {
        Arc::new(Threads { wanted: wanted.clamp(1, Run::MAX_THREADS), pool: OnceLock::new() })
    }

    /// The pool, with as many of the wanted threads as the system grants; at worst only the calling thread.
    fn pool(&self) -> &ThreadPool {
        self.pool.get_or_init(|| {
            let mut count = self.wanted;
            loop {
                match ThreadPoolBuilder::new().num_threads(count).build() {
                    Ok(pool) => return pool,
                    Err(_) if count == 1 => break,
                    Err(_) => count /= 2,
                }
            }
            let caller = ThreadPoolBuilder::new().num_threads(1).use_current_thread().build();
            caller.expect("the caller is in no pool, or its pool would be used")
        })
    }
}

impl Default for Run<'_> {
    fn default() -> Self {
        Run::new()
    }
}

impl fmt::Debug for Run<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Run { cancel, threads, memory, .. } = self;
        write!(f, "Run {{ {cancel:?}, threads: {}, memory: {memory} }}", threads.wanted)
    }
}

impl<'a> Run<'a> {
    /// The most threads that a run can have.
    pub const MAX_THREADS: usize = 1024;

    /// A run that reports nothing, is never cancelled, uses all cores and has no memory limit.
    pub fn new() -> Run<'a> {
        let threads = std::thread::available_parallelism().map_or(1, |count| count.get());
        Run { progress: &Silent, cancel: Cancel::new(), threads: Threads::new(threads), memory: u64::MAX }
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

    /// The same run on `count` threads (1 to [`Self::MAX_THREADS`]; the nearest of these otherwise),
    /// or on as many of them as the system grants.
    #[must_use]
    pub fn with_threads(&self, count: usize) -> Run<'a> {
        Run { threads: Threads::new(count), ..self.clone() }
    }

    /// The same run with a memory budget of `bytes`.
    #[must_use]
    pub fn with_memory(&self, bytes: u64) -> Run<'a> {
        Run { memory: bytes, ..self.clone() }
    }

    /// The receiver of progress reports.
    pub fn progress(&self) -> &'a dyn Progress {
        self.progress
    }

    /// The cancellation of the work.
    pub fn cancel(&self) -> &Cancel {
        &self.cancel
    }

    /// Whether the work must stop. Reads the clock if there is a deadline.
    pub fn is_cancelled(&self) -> bool {
        self.cancel.is_cancelled()
    }

    /// Returns `Err(Cancelled)` if the work must stop.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn check(&self) -> Result<(), Cancelled> {
        self.cancel.check()
    }

    /// The memory budget in bytes; `u64::MAX` if there is no limit.
    pub fn memory(&self) -> u64 {
        self.memory
    }

    /// The number of threads, at least 1.
    pub fn threads(&self) -> usize {
        match (self.threads.wanted, rayon_core::current_thread_index()) {
            (1, _) => 1,
            (_, Some(_)) => rayon_core::current_num_threads(),
            (_, None) => self.threads.pool().current_num_threads(),
        }
    }

    /// Calls `work` in a context where rayon's parallel iterators and joins use the threads of this run.
    pub fn install<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        let (mut work, mut result) = (Some(work), None);
        self.enter(&mut || result = work.take().map(|work| work()));
        result.expect("the work was called")
    }

    /// Calls `work` on each of the threads, and returns the results in the order of the threads.
    pub fn each<T: Send>(&self, work: impl Fn() -> T + Sync) -> Vec<T> {
        if self.threads.wanted == 1 {
            return vec![work()];
        }
        let slots = slots(self.threads());
        self.enter(&mut || broadcast(&|thread| set(&slots[thread], work())));
        slots.into_iter().map(value).collect()
    }

    /// Applies `f` to each item, and returns the results in order.
    pub fn map<A: Sync, B: Send>(&self, items: &[A], f: impl Fn(&A) -> B + Sync + Send) -> Vec<B> {
        if self.threads.wanted == 1 {
            return items.iter().map(f).collect();
        }
        let pieces: Vec<&[A]> = items.chunks(items.len().div_ceil(PIECES).max(1)).collect();
        let slots = slots(pieces.len());
        self.for_each(pieces.len(), &|at| set(&slots[at], pieces[at].iter().map(&f).collect::<Vec<B>>()));
        slots.into_iter().flat_map(value).collect()
    }

    /// Calls `work` with each number below `count`, on all threads.
    ///
    /// Like the loops below it takes its work as a trait object: rayon expands a call to much code, which is compiled
    /// once here instead of once per caller. So the work is a piece that takes longer than an indirect call.
    pub fn for_each(&self, count: usize, work: Work<'_>) {
        if self.threads.wanted == 1 {
            return (0..count).for_each(work);
        }
        self.enter(&mut || divided(0..count, work));
    }

    /// The same until a call fails.
    ///
    /// # Errors
    /// An error of a call; of several, whichever.
    pub fn try_for_each<E: Send>(&self, count: usize, work: TryWork<'_, E>) -> Result<(), E> {
        let (has_failed, error) = (AtomicBool::new(false), Mutex::new(None));
        self.for_each(count, &|number| {
            if !has_failed.load(Ordering::Relaxed)
                && let Err(failure) = work(number)
            {
                has_failed.store(true, Ordering::Relaxed);
                *error.lock().unwrap_or_else(PoisonError::into_inner) = Some(failure);
            }
        });
        error.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), Err)
    }

    /// Calls `work` with each item and its number, on all threads, until a call fails.
    ///
    /// # Errors
    /// An error of a call; of several, whichever.
    pub fn try_for_each_item<T: Send, E: Send>(
        &self,
        items: &mut [T],
        work: ItemWork<'_, T, E>,
    ) -> Result<(), E> {
        let items: Vec<Mutex<&mut T>> = items.iter_mut().map(Mutex::new).collect();
        self.try_for_each(items.len(), &|number| {
            work(number, &mut items[number].lock().expect("no other thread has this item"))
        })
    }

    /// Calls `work` with each chunk of `size` items and its number, on all threads, until a call fails.
    ///
    /// # Errors
    /// An error of a call; of several, whichever.
    ///
    /// # Panics
    /// If `size` is 0.
    pub fn try_for_each_chunk<T: Send, E: Send>(
        &self,
        items: &mut [T],
        size: usize,
        work: ItemWork<'_, [T], E>,
    ) -> Result<(), E> {
        let mut chunks: Vec<&mut [T]> = items.chunks_mut(size).collect();
        self.try_for_each_item(&mut chunks, &|number, chunk| work(number, chunk))
    }

    /// Calls `work` on a thread of this run.
    fn enter(&self, work: &mut (dyn FnMut() + Send)) {
        match rayon_core::current_thread_index() {
            Some(_) => work(),
            None => self.threads.pool().install(work),
        }
    }
}

/// A piece of parallel work, which is given its number.
pub type Work<'a> = &'a (dyn Fn(usize) + Sync);
/// A piece of parallel work that may fail.
pub type TryWork<'a, E> = &'a (dyn Fn(usize) -> Result<(), E> + Sync);
/// Work on an item, which may fail.
pub type ItemWork<'a, T, E> = &'a (dyn Fn(usize, &mut T) -> Result<(), E> + Sync);

/// Scratch data of parallel work: a piece takes some that an earlier one has left, if there is any.
#[derive(Debug)]
pub struct Spare<S>(Mutex<Vec<S>>);

impl<S> Default for Spare<S> {
    fn default() -> Self {
        Spare(Mutex::default())
    }
}

impl<S> Spare<S> {
    /// Takes scratch data that a piece of work has left.
    pub fn take(&self) -> Option<S> {
        self.lock().pop()
    }

    /// Leaves scratch data to later pieces of work.
    pub fn leave(&self, scratch: S) {
        self.lock().push(scratch);
    }

    fn lock(&self) -> MutexGuard<'_, Vec<S>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The number of pieces of a [`Run::map`]: large, so that threads end together.
const PIECES: usize = 4096;

/// Calls `work` with each of `numbers` on the threads of the caller's pool: idle threads take the second halves.
fn divided(numbers: Range<usize>, work: Work<'_>) {
    if numbers.len() <= 1 {
        return numbers.for_each(work);
    }
    let middle = numbers.start + numbers.len() / 2;
    rayon_core::join(|| divided(numbers.start..middle, work), || divided(middle..numbers.end, work));
}

/// Calls `work` on each thread of the caller's pool, with the thread's number.
fn broadcast(work: Work<'_>) {
    rayon_core::broadcast(|thread| work(thread.index()));
}

/// Places for the results of parallel work.
fn slots<T>(count: usize) -> Vec<Mutex<Option<T>>> {
    std::iter::repeat_with(|| Mutex::new(None)).take(count).collect()
}

fn set<T>(slot: &Mutex<Option<T>>, value: T) {
    *slot.lock().expect("no other thread has this slot") = Some(value);
}

fn value<T>(slot: Mutex<Option<T>>) -> T {
    slot.into_inner().expect("no thread panicked").expect("the work was called")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicUsize;

    fn threads(count: usize) -> Run<'static> {
        Run::new().with_threads(count)
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
        assert_eq!(inner.install(rayon_core::current_num_threads), 2);
    }

    #[test]
    fn loops_call_each_piece_once_and_end_at_a_failure() {
        for run in [threads(1), threads(3)] {
            let mut numbers = vec![0; 1000];
            let double = |chunk: usize, numbers: &mut [usize]| -> Result<(), ()> {
                numbers.iter_mut().zip(7 * chunk..).for_each(|(number, at)| *number += 2 * at);
                Ok(())
            };
            assert_eq!(run.try_for_each_chunk(&mut numbers, 7, &double), Ok(()));
            assert!(numbers.iter().enumerate().all(|(at, &number)| number == 2 * at));
            let calls = AtomicUsize::new(0);
            let fail = |_: usize, number: &mut usize| {
                calls.fetch_add(1, Ordering::Relaxed);
                Err::<(), usize>(*number)
            };
            let error = run.try_for_each_item(&mut numbers, &fail).expect_err("each call fails");
            assert!(error % 2 == 0 && error < 2000);
            assert!((1..=3).contains(&calls.into_inner()), "no call begins after a failure");
        }
    }

    #[test]
    fn copies_share_the_cancellation() {
        let run = Run::new();
        let limited = run.with_memory(5).with_deadline(Instant::now());
        assert!(limited.is_cancelled() && !run.is_cancelled());
        run.cancel().cancel();
        assert_eq!(limited.check(), Err(Cancelled));
        assert_eq!((run.memory(), limited.memory()), (u64::MAX, 5));
    }
}
