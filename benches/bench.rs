//! A benchmark: what is timed, what it counts, and how its samples are taken.

use search_core::table::Store;
use search_core::{Run, Silent};
use std::error::Error;
use std::time::{Duration, Instant};

/// One benchmark.
pub struct Bench {
    /// Its name: the puzzle, what is done, how, on how many threads.
    pub name: String,
    /// The name of the timed work.
    pub title: String,
    /// The counted unit, in the plural.
    pub unit: &'static str,
    /// The number of units in one sample.
    pub count: u64,
    /// The default number of samples.
    pub samples: usize,
    /// The benchmark whose rate its own is compared with.
    pub beside: Option<String>,
    /// The number of threads of a sample, if not all.
    threads: Option<usize>,
    prepare: Prepare,
}

/// The resources of a benchmark.
pub struct Means<'a> {
    /// The tables of searches; those that are missing are built.
    pub store: &'a Store,
    /// The run that builds tables; it can be cancelled.
    pub run: &'a Run<'a>,
}

/// The reason why there is no figure; cancelled work is a fault, too.
pub type Fault = Box<dyn Error + Send + Sync>;

/// The work that is timed; returns its count.
type Sample = Box<dyn FnMut(&Run<'_>) -> Result<u64, Fault>>;
type Prepare = Box<dyn Fn(&Means<'_>) -> Result<Sample, Fault>>;

/// Makes a sample of a function.
pub(crate) fn sample(sample: impl FnMut(&Run<'_>) -> Result<u64, Fault> + 'static) -> Result<Sample, Fault> {
    Ok(Box::new(sample))
}

impl Bench {
    pub(crate) fn new(
        name: impl Into<String>,
        title: impl Into<String>,
        (count, unit): (u64, &'static str),
        samples: usize,
        prepare: impl Fn(&Means<'_>) -> Result<Sample, Fault> + 'static,
    ) -> Bench {
        let (name, title, prepare) = (name.into(), title.into(), Box::new(prepare));
        Bench { name, title, unit, count, samples, beside: None, threads: None, prepare }
    }

    /// The same benchmark with samples on `threads` threads.
    pub(crate) fn on(self, threads: usize) -> Bench {
        Bench { threads: Some(threads), ..self }
    }

    /// The same benchmark, whose rate is compared with that of another one.
    pub(crate) fn beside(self, name: String) -> Bench {
        Bench { beside: Some(name), ..self }
    }

    /// Takes samples after one that is not timed, and reports each to `after`.
    ///
    /// # Errors
    /// When a table is not available, a sample's count is not the benchmark's, or the work is
    /// cancelled.
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
