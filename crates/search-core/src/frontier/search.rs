//! Expansion, merging, layers, and breadth-first heuristic search on top of them.
//!
//! A step has two phases, each on all threads (Korf & Felner 2006, "Storing Nodes on Disk"): every bucket of the
//! current layer is **expanded**, its children appended to the buckets where they belong; then every bucket of children
//! is **merged**: it is sorted, equal states are joined (their used-operator bits united), states of the current layer
//! are removed, heuristic values are looked up where they can matter, and the remaining states are written as the next
//! layer.

use super::buckets::{Children, Existence, SortedBuckets, is_own};
use super::sort::{PIECE, sort};
use super::{FrontierError, Options, PackedDomain};
use crate::cast::to_u64;
use crate::clock::Instant;
use crate::record::{Ending, Iteration, Report};
use crate::run::Run;
use crate::storage::{Budget, WorkDir, WorkKind};
use std::ops::ControlFlow::{Break, Continue};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// The kind of the work directories of frontier searches.
pub const KIND: WorkKind = WorkKind { magic: b"frontier-ckpt-02", is_own };

/// The counts of one layer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LayerCount {
    /// The number of unique states of the layer.
    pub states: u64,
    /// The number of children generated for it, including duplicates.
    pub generated: u64,
    /// The number of unique states that the threshold excluded.
    pub pruned: u64,
    /// The least depth plus value of an excluded state; `u32::MAX` if there is none.
    pub least_pruned: u32,
    /// A goal in the layer (the least, packed).
    pub goal: Option<u64>,
}

impl LayerCount {
    /// The number of words of a layer in a checkpoint.
    const WORDS: usize = 5;

    /// The layer's words in a checkpoint.
    fn words(&self) -> [u64; LayerCount::WORDS] {
        let goal = self.goal.map_or(0, |key| key + 1);
        [self.states, self.generated, self.pruned, u64::from(self.least_pruned), goal]
    }

    /// The layer that these words of a checkpoint describe.
    fn from_words(words: &[u64]) -> Option<LayerCount> {
        let &[states, generated, pruned, least_pruned, goal] = words else { return None };
        let least_pruned = u32::try_from(least_pruned).ok()?;
        Some(LayerCount { states, generated, pruned, least_pruned, goal: goal.checked_sub(1) })
    }

    fn join(&mut self, other: &LayerCount) {
        self.states += other.states;
        self.generated += other.generated;
        self.pruned += other.pruned;
        self.least_pruned = self.least_pruned.min(other.least_pruned);
        self.goal = [self.goal, other.goal].into_iter().flatten().min();
    }

    fn empty() -> LayerCount {
        LayerCount { least_pruned: u32::MAX, ..LayerCount::default() }
    }
}

/// A frontier search: its current layer and its counts.
pub struct FrontierSearch<'a, D: PackedDomain> {
    domain: &'a D,
    options: Options,
    budget: Budget,
    work_dir: Option<WorkDir>,
    /// The counts of all layers from the seeds to the current one.
    layers: Vec<LayerCount>,
    current: SortedBuckets,
    /// The threshold, if any: states whose depth plus value exceeds it are excluded.
    threshold: Option<(u32, &'a Bounds<'a, D::State>)>,
}

impl<'a, D: PackedDomain> FrontierSearch<'a, D> {
    /// Creates a search at depth 0, with `seeds` as its layer, or resumes from the checkpoint in its work directory.
    ///
    /// # Errors
    /// [`FrontierError`] when the work directory cannot be used or is damaged, or the seeds do not fit.
    ///
    /// # Panics
    /// If a packed state and the operators' bits do not fit 64 bits, or there are more than 2¹⁶
    /// buckets or more bucket bits than state bits.
    pub fn new(
        domain: &'a D,
        options: Options,
        seeds: impl IntoIterator<Item = D::State>,
    ) -> Result<FrontierSearch<'a, D>, FrontierError> {
        let mut search = FrontierSearch::empty(domain, options);
        if let Some(path) = &search.options.directory {
            let Options { identity, fresh, .. } = &search.options;
            let (work_dir, checkpoint) = WorkDir::open(path, KIND, identity, *fresh)?;
            if let Some(checkpoint) = checkpoint {
                search.resume(&work_dir, &checkpoint)?;
                search.work_dir = Some(work_dir);
                return Ok(search);
            }
            search.work_dir = Some(work_dir);
        }
        let seeds: Vec<D::State> = seeds.into_iter().collect();
        let goal = seeds.iter().filter(|seed| domain.is_goal(seed)).map(|seed| domain.pack(seed)).min();
        let mut records: Vec<u64> = seeds.iter().map(|seed| domain.pack(seed) << domain.op_count()).collect();
        records.sort_unstable();
        records.dedup();
        search.layers = vec![LayerCount { states: to_u64(records.len()), goal, ..LayerCount::empty() }];
        for records in records.chunk_by(|a, b| search.bucket(*a) == search.bucket(*b)) {
            search.current.write(search.bucket(records[0]), records.to_vec(), &search.budget)?;
        }
        search.checkpoint()?;
        Ok(search)
    }

    /// Restores the layer of a checkpoint.
    fn resume(&mut self, work_dir: &WorkDir, checkpoint: &[u8]) -> Result<(), FrontierError> {
        let words: Vec<u64> =
            checkpoint.chunks(8).map_while(|word| word.try_into().ok().map(u64::from_le_bytes)).collect();
        let map = self.buckets().div_ceil(64);
        if !checkpoint.len().is_multiple_of(8) || words.len() < map + LayerCount::WORDS {
            return Err(work_dir.damaged().into());
        }
        let (exists, layers) = words.split_at(map);
        let layers = layers.chunks(LayerCount::WORDS).map(LayerCount::from_words).collect::<Option<Vec<_>>>();
        self.layers = layers.ok_or_else(|| work_dir.damaged())?;
        let (directory, exists) = (work_dir.path().to_path_buf(), Existence::from_words(exists));
        let layer = SortedBuckets::Files { directory, depth: self.depth(), exists };
        let mut states = 0;
        for bucket in 0..self.buckets() {
            let records = layer.read(bucket)?;
            if records.iter().any(|record| self.bucket(*record) != bucket) {
                return Err(work_dir.damaged().into());
            }
            states += to_u64(records.len());
            self.budget.disk.occupy(layer.file_bytes(bucket));
        }
        if states != self.states() {
            return Err(work_dir.damaged().into());
        }
        work_dir.remove_all_but(|name| layer.has_file(name))?;
        self.current = layer;
        Ok(())
    }

    fn empty(domain: &'a D, options: Options) -> FrontierSearch<'a, D> {
        let bits = domain.key_bits() as usize + domain.op_count();
        assert!(bits <= 64, "a state and its operators' bits fit 64 bits, not {bits}");
        assert!(options.bucket_bits <= domain.key_bits().min(16), "at most 2^16 buckets");
        let budget = Budget::new(options.memory, options.disk);
        let current = SortedBuckets::new(options.directory.as_deref(), 0, 1 << options.bucket_bits);
        FrontierSearch {
            domain,
            options,
            budget,
            work_dir: None,
            layers: vec![LayerCount::empty()],
            current,
            threshold: None,
        }
    }

    /// The depth of the current layer.
    pub fn depth(&self) -> u32 {
        u32::try_from(self.layers.len() - 1).expect("fewer than 2^32 layers")
    }

    /// The number of states of the current layer.
    pub fn states(&self) -> u64 {
        self.layers.last().expect("there is a layer").states
    }

    /// The counts of all layers, from the seeds to the current one, including those before the search was resumed.
    pub fn layers(&self) -> &[LayerCount] {
        &self.layers
    }

    /// The bytes currently used by states in memory and by files.
    pub fn bytes(&self) -> (u64, u64) {
        (self.budget.memory.used(), self.budget.disk.used())
    }

    pub(super) fn buckets(&self) -> usize {
        1 << self.options.bucket_bits
    }

    /// The packed states of one bucket of the current layer, sorted.
    pub(super) fn keys(&self, bucket: usize) -> Result<Vec<u64>, FrontierError> {
        let records = self.current.read(bucket)?;
        Ok(records.iter().map(|record| record >> self.domain.op_count()).collect())
    }

    #[inline(always)]
    fn bucket(&self, record: u64) -> usize {
        let bits = self.domain.key_bits() - self.options.bucket_bits;
        (record >> self.domain.op_count() >> bits) as usize
    }

    /// Computes the next layer, which may be empty. With a work directory, the checkpoint then describes the new layer.
    /// If the step fails, it still describes the old one, and the search can be resumed from it.
    ///
    /// # Errors
    /// [`FrontierError`].
    pub fn step(&mut self, run: &Run<'_>) -> Result<LayerCount, FrontierError> {
        let children = Children::new(self.buckets(), self.options.directory.as_deref());
        let generated = AtomicU64::new(0);
        run.try_for_each(self.buckets(), &|bucket| {
            generated.fetch_add(self.expand(bucket, &children, run)?, Ordering::Relaxed);
            Ok::<(), FrontierError>(())
        })?;
        let layer = SortedBuckets::new(self.options.directory.as_deref(), self.depth() + 1, self.buckets());
        let counts = Mutex::new(LayerCount::empty());
        let merged = run.try_for_each(self.buckets(), &|bucket| {
            let (records, count) = self.merge(bucket, &children, run)?;
            layer.write(bucket, records, &self.budget)?;
            counts.lock().expect("no thread panics while it adds").join(&count);
            Ok::<(), FrontierError>(())
        });
        if let Err(error) = merged {
            layer.remove(self.buckets(), &self.budget);
            return Err(error);
        }
        let counts = counts.into_inner().expect("no thread panicked");
        let count = LayerCount { generated: generated.into_inner(), ..counts };
        let old = std::mem::replace(&mut self.current, layer);
        self.layers.push(count.clone());
        self.checkpoint()?;
        old.remove(self.buckets(), &self.budget);
        Ok(count)
    }

    /// Expands one bucket. Returns the number of children generated.
    fn expand(&self, bucket: usize, children: &Children, run: &Run<'_>) -> Result<u64, FrontierError> {
        /// The number of records that a thread collects for a bucket before adding them to it.
        const BATCH: usize = 512;
        /// The number of records that are expanded between two questions whether to stop.
        const EXPANDED: usize = 1 << 11;
        let (ops, mut generated) = (self.domain.op_count(), 0);
        let mut out: Vec<Vec<u64>> = vec![Vec::new(); self.buckets()];
        for (number, &record) in self.current.read(bucket)?.iter().enumerate() {
            if number % EXPANDED == 0 {
                run.check()?;
            }
            let state = self.domain.unpack(record >> ops);
            for op in self.domain.applicable(&state) {
                if record >> op.index() & 1 == 1 {
                    continue;
                }
                generated += 1;
                let back = self.domain.inverse(op);
                let child = self.domain.pack(&self.domain.apply(&state, op)) << ops | 1 << back.index();
                let to = self.bucket(child);
                out[to].push(child);
                if out[to].len() == BATCH {
                    children.add(to, &mut out[to], &self.budget)?;
                }
            }
        }
        for (to, records) in out.iter_mut().enumerate().filter(|(_, records)| !records.is_empty()) {
            children.add(to, records, &self.budget)?;
        }
        Ok(generated)
    }

    /// Merges one bucket of children: the next layer's records, sorted, each state once.
    fn merge(
        &self,
        bucket: usize,
        children: &Children,
        run: &Run<'_>,
    ) -> Result<(Vec<u64>, LayerCount), FrontierError> {
        let mut records = children.take(bucket, &self.budget)?;
        let ops = self.domain.op_count();
        // A bucket has the highest bits of its records in common.
        sort(&mut records, self.domain.key_bits() - self.options.bucket_bits + ops as u32, run)?;
        let current = self.current.read(bucket)?;
        let (mut known, mut count, mut end) =
            (current.iter().map(|record| record >> ops).peekable(), LayerCount::empty(), 0);
        let (mut at, mut question) = (0, PIECE);
        while at < records.len() {
            if at >= question {
                run.check()?;
                question = at + PIECE;
            }
            let key = records[at] >> ops;
            let mut record = 0;
            while at < records.len() && records[at] >> ops == key {
                record |= records[at];
                at += 1;
            }
            while known.peek().is_some_and(|&known| known < key) {
                known.next();
            }
            if known.peek() != Some(&key) && self.keep(key, &mut count) {
                records[end] = record;
                end += 1;
            }
        }
        records.truncate(end);
        Ok((records, count))
    }

    /// Whether a new state stays within the threshold; counts it either way.
    fn keep(&self, key: u64, count: &mut LayerCount) -> bool {
        let state = self.domain.unpack(key);
        if let Some((threshold, bounds)) = self.threshold {
            let depth = self.depth() + 1;
            let may_exceed = depth.saturating_add(bounds.max_value) > threshold;
            let reach = if may_exceed { depth + (bounds.value)(&state) } else { depth };
            if reach > threshold {
                count.pruned += 1;
                count.least_pruned = count.least_pruned.min(reach);
                return false;
            }
        }
        count.states += 1;
        if count.goal.is_none() && self.domain.is_goal(&state) {
            count.goal = Some(key);
        }
        true
    }

    /// Writes the checkpoint, if there is a work directory.
    fn checkpoint(&self) -> Result<(), FrontierError> {
        let (Some(work_dir), SortedBuckets::Files { exists, .. }) = (&self.work_dir, &self.current) else {
            return Ok(());
        };
        let words = exists.words().chain(self.layers.iter().flat_map(LayerCount::words));
        let payload: Vec<u8> = words.flat_map(u64::to_le_bytes).collect();
        Ok(work_dir.commit(&payload)?)
    }

    /// Steps to the first layer that contains a goal. Returns the packed goal, or `None` if there is none.
    fn step_to_goal(&mut self, run: &Run<'_>) -> Result<Option<u64>, FrontierError> {
        loop {
            match self.layers.last() {
                Some(LayerCount { states: 1.., goal: None, .. }) => self.step(run)?,
                layer => return Ok(layer.and_then(|layer| layer.goal)),
            };
        }
    }

    /// The least depth plus value of an excluded state; `u32::MAX` if none was excluded.
    fn least_pruned(&self) -> u32 {
        self.layers.iter().map(|layer| layer.least_pruned).min().unwrap_or(u32::MAX)
    }

    /// The counts of a finished search, as an iteration.
    fn iteration(&self, bound: u32, begun: Instant) -> Iteration {
        let total = |of: fn(&LayerCount) -> u64| self.layers.iter().map(of).sum::<u64>();
        Iteration {
            bound,
            complete: self.states() == 0,
            generated: total(|layer| layer.generated),
            expanded: total(|layer| layer.states) - self.states(),
            pruned_by_heuristic: total(|layer| layer.pruned),
            seconds: begun.elapsed().as_secs_f64(),
            ..Iteration::default()
        }
    }

    /// Ends the search and removes its files.
    ///
    /// # Errors
    /// [`FrontierError::Storage`] when a file cannot be removed.
    pub fn finish(self) -> Result<(), FrontierError> {
        Ok(self.work_dir.map_or(Ok(()), WorkDir::finish)?)
    }
}

/// An admissible heuristic, and the range of thresholds of a search.
pub struct Bounds<'a, S> {
    /// A lower bound on the distance to the nearest goal.
    pub value: &'a (dyn Fn(&S) -> u32 + Sync),
    /// The greatest value of any state. While depth plus this value is within the threshold, no value is looked up
    /// (Korf & Felner 2006, "Minimizing Heuristic Calculations").
    pub max_value: u32,
    /// The first threshold; the start's value if that is greater.
    pub first: u32,
    /// The greatest threshold.
    pub greatest: u32,
}

/// Breadth-first heuristic search (Zhou & Hansen 2006; Korf & Felner 2006, "Breadth-First Heuristic Search") from
/// `start`: first with the threshold `first`; while no goal is found, it is repeated with the least excluded depth plus
/// value as the threshold, up to `greatest`. It finds the nearest goal. Each threshold is an iteration; its expanded
/// nodes are the unique states of the expanded layers.
///
/// # Errors
/// [`FrontierError`] if a budget is exceeded or a file cannot be used.
///
/// # Panics
/// As [`FrontierSearch::new`].
pub fn heuristic_search<D: PackedDomain>(
    domain: &D,
    options: &Options,
    start: &D::State,
    bounds: Bounds<'_, D::State>,
    run: &Run<'_>,
) -> Result<Report<D::State>, FrontierError> {
    let (mut iterations, mut lower_bound) = (Vec::new(), (bounds.value)(start));
    let mut threshold = bounds.first.clamp(lower_bound, bounds.greatest.max(lower_bound));
    let ending = loop {
        if threshold > bounds.greatest {
            break Ending::bounded(lower_bound);
        }
        let begun = Instant::now();
        // Each threshold has checkpoints of its own.
        let identity = format!("{}, threshold {threshold}", options.identity);
        let mut search =
            FrontierSearch::new(domain, Options { identity, ..options.clone() }, [start.clone()])?;
        search.threshold = Some((threshold, &bounds));
        let next = match search.step_to_goal(run) {
            Ok(Some(key)) => Break(Ending::solved(search.depth(), domain.unpack(key))),
            Ok(None) => match search.least_pruned() {
                u32::MAX => Break(Ending::Exhausted),
                beyond => Continue(beyond),
            },
            Err(FrontierError::Cancelled(_)) => Break(Ending::cancelled(lower_bound.max(search.depth() + 1))),
            Err(error) => return Err(error),
        };
        iterations.push(search.iteration(threshold, begun));
        search.finish()?;
        match next {
            Break(ending) => break ending,
            Continue(beyond) => (threshold, lower_bound) = (beyond, beyond),
        }
    };
    Ok(Report { ending, iterations })
}
