//! Benchmarks over the public APIs; each asserts the counts that it times.
//!
//! `cargo xtask bench` runs them. A search goes to a bound at which its instance has no solution, so
//! that the whole tree is searched and its nodes do not depend on the number of threads.

pub mod cube_benches;
pub mod hanoi_benches;
pub mod memory;
pub mod tiles_benches;

use search_core::table::Store;
use search_core::{Run, Silent};
use std::error::Error;
use std::time::{Duration, Instant};

/// One benchmark.
pub struct Bench {
    /// Its name: the puzzle, what is done, by what means, by how many threads.
    pub name: String,
    /// What is timed.
    pub title: String,
    /// What is counted, in the plural.
    pub unit: &'static str,
    /// How many of them one sample comes to.
    pub count: u64,
    /// How many samples are taken unless another number is asked for.
    pub samples: usize,
    /// How many threads a sample uses, if not all.
    threads: Option<usize>,
    prepare: Prepare,
}

/// What benchmarks work with.
pub struct Means<'a> {
    /// Where the tables of searches lie; those that are missing are built.
    pub store: &'a Store,
    /// How tables are built, and who can stop the work.
    pub run: &'a Run<'a>,
}

/// Why there is no figure; cancelled work is a fault, too.
pub type Fault = Box<dyn Error + Send + Sync>;

/// What is timed: gives the count that it came to.
type Sample = Box<dyn FnMut(&Run<'_>) -> Result<u64, Fault>>;
type Prepare = Box<dyn Fn(&Means<'_>) -> Result<Sample, Fault>>;

fn sample(sample: impl FnMut(&Run<'_>) -> Result<u64, Fault> + 'static) -> Result<Sample, Fault> {
    Ok(Box::new(sample))
}

impl Bench {
    fn new(
        name: impl Into<String>,
        title: impl Into<String>,
        (count, unit): (u64, &'static str),
        samples: usize,
        prepare: impl Fn(&Means<'_>) -> Result<Sample, Fault> + 'static,
    ) -> Bench {
        let (name, title, prepare) = (name.into(), title.into(), Box::new(prepare));
        Bench { name, title, unit, count, samples, threads: None, prepare }
    }

    /// The same with samples on so many threads.
    fn on(self, threads: usize) -> Bench {
        Bench { threads: Some(threads), ..self }
    }

    /// Takes samples after one that is not timed, and tells each to `after`.
    ///
    /// # Errors
    /// When a table is not available, a sample comes to another count than the benchmark's, or the work
    /// is cancelled.
    pub fn run(
        &self,
        samples: usize,
        means: &Means<'_>,
        mut after: impl FnMut(usize),
    ) -> Result<Vec<Duration>, Fault> {
        let mut sample = (self.prepare)(means)?;
        let run = means.run.with_progress(&Silent);
        let run = self.threads.map_or(run.clone(), |threads| run.with_threads(threads));
        let mut times = Vec::with_capacity(samples);
        for at in 0..=samples {
            let begun = Instant::now();
            let count = sample(&run)?;
            let time = begun.elapsed();
            run.check()?;
            if count != self.count {
                return Err(format!("{}: {count} {} instead of {}", self.name, self.unit, self.count).into());
            }
            if at > 0 {
                times.push(time);
                after(at);
            }
        }
        Ok(times)
    }
}

/// Every benchmark, those that use threads on one and on `threads`.
pub fn all(threads: usize) -> Vec<Bench> {
    let mut counts = vec![1, threads];
    counts.dedup();
    let mut all = memory::benches(&counts);
    all.extend(cube_benches::benches(&counts));
    all.extend(tiles_benches::benches(&counts));
    all.extend(hanoi_benches::benches(&counts));
    all
}
