//! Random reads of pattern databases: those of a search beside a loop that does nothing else.
//!
//! The loop reads bytes of the same tables at random, as many in flight as help. A search whose tables were all
//! that it waits for would read as fast; the share that it reaches is what its arithmetic leaves.

use crate::bench::{Bench, Fault, Means, sample};
use crate::tiles_benches::first;
use search_core::Ending;
use search_core::ida::{self, Config, Kernel};
use search_core::memory::Memory;
use search_core::prefetch::prefetch;
use search_core::record::Iteration;
use search_core::table::Tables as _;
use slidetile::board::OPS;
use slidetile::heuristic::Additive;
use slidetile::heuristic::additive::{MAX_PARTITIONS, MAX_PATTERNS, Start, Tables};
use slidetile::tables::LearnedAutomaton;
use slidetile::{HeuristicSpec, Puzzle, Tiles, fsm};
use std::collections::BTreeSet;
use std::hint::black_box;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The number of reads of each thread of the loop.
const READS: usize = 1 << 22;
/// The number of subtrees of the search in flight.
const LANES: usize = 4;
/// The number of reads of a thread of the loop in flight.
const IN_FLIGHT: usize = 64;

/// Partitions of the 24-puzzle that are read together, and a bound at which the first instance of 1996 has no
/// solution.
#[derive(Clone, Copy)]
struct Reads {
    name: &'static str,
    /// The memory whose catalogue has them.
    memory: u64,
    /// As many of its partitions, those with the greatest values at the start.
    partitions: usize,
    bound: u32,
    /// The reads of the search.
    reads: u64,
}

const SIZES: [Reads; 2] = [
    Reads { name: "4 tables", memory: 100 << 20, partitions: 2, bound: 94, reads: 54_446_001 },
    Reads { name: "19 tables", memory: 1 << 30, partitions: 8, bound: 96, reads: 66_673_488 },
];

/// The benchmarks of this module: each search after its loop, which it is compared with.
pub fn benches(threads: &[usize]) -> Vec<Bench> {
    let pairs = SIZES.iter().flat_map(|size| threads.iter().map(move |&threads| (size, threads)));
    pairs.flat_map(|(size, threads)| [size.bare(threads), size.search(threads)]).collect()
}

/// A table that a search and a loop read.
#[derive(Clone)]
struct Table(Arc<Memory>);

impl AsRef<[u8]> for Table {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

/// The tables that both read, and the start of the search.
struct Chosen {
    puzzle: Puzzle,
    tiles: Tiles,
    tables: Tables<Table>,
    start: Start,
    partitions: Vec<usize>,
    /// The tables of the partitions, each once.
    read: Vec<Table>,
}

impl Reads {
    fn load(&self, means: &Means<'_>) -> Result<Chosen, Fault> {
        let (puzzle, tiles) = first();
        let plan = HeuristicSpec::Patterns.plan(&puzzle, self.memory).expect("partitions");
        let filled = means.store.tables(&plan.patterns, means.run)?;
        let filled: Vec<Table> = filled.into_iter().map(|table| Table(Arc::new(table.body))).collect();
        let tables = Tables::new(plan, filled.clone());
        let start = tables.start(&tiles);
        let values: Vec<u32> = start.values().collect();
        let mut partitions: Vec<usize> = (0..values.len()).collect();
        partitions.sort_by_key(|&partition| std::cmp::Reverse(values[partition]));
        partitions.truncate(self.partitions);
        let lookups = partitions.iter().flat_map(|&partition| &tables.plan().partitions[partition]);
        let numbers: BTreeSet<usize> = lookups.map(|lookup| lookup.table).collect();
        let read = numbers.into_iter().map(|table| filled[table].clone()).collect();
        Ok(Chosen { puzzle, tiles, tables, start, partitions, read })
    }

    /// The loop.
    fn bare(self, threads: usize) -> Bench {
        let count = (READS * threads) as u64;
        let title = format!("random reads of the tables of {} partitions, 64 in flight", self.partitions);
        Bench::new(self.bare_name(threads), title, (count, "reads"), 7, move |means| {
            let tables = self.load(means)?.read;
            sample(move |run| {
                let thread = AtomicU64::new(0);
                black_box(run.each(|| read(&tables, thread.fetch_add(1, Ordering::Relaxed))));
                Ok(count)
            })
        })
        .on(threads)
    }

    fn bare_name(&self, threads: usize) -> String {
        format!("tiles/reads/loop/{}/{threads}", self.name)
    }

    /// The search.
    fn search(self, threads: usize) -> Bench {
        let name = format!("tiles/reads/search/{}/{threads}", self.name);
        let (partitions, bound) = (self.partitions, self.bound);
        let title = format!("the first instance of 1996 to bound {bound} with {partitions} partitions");
        Bench::new(name, title, (self.reads, "reads"), 5, move |means| {
            let chosen = self.load(means)?;
            let board = chosen.puzzle.board();
            let learned = LearnedAutomaton { board, depth: fsm::default_depth(board) };
            let automaton = means.store.table(&learned, means.run)?.to_automaton(OPS)?;
            // The heuristic's own kernel does not count its reads.
            let kernel = Kernel::Interleaved { lanes: LANES };
            let config = Config::default().max_bound(bound).kernel(kernel);
            sample(move |run| {
                let Chosen { puzzle, tiles, tables, start, partitions, .. } = &chosen;
                let heuristic = Additive::<MAX_PATTERNS, MAX_PARTITIONS, _>::new(tables, partitions, start);
                let report = ida::search(puzzle, &heuristic, &automaton, black_box(tiles), &config, run);
                run.check()?;
                if report.ending != (Ending::bounded(bound + 2)) {
                    return Err(format!("the search ends with {:?}", report.ending).into());
                }
                Ok(report.iterations.iter().map(|iteration| reads(iteration, partitions.len())).sum())
            })
        })
        .on(threads)
        .beside(self.bare_name(threads))
    }
}

/// The bits that an iteration read: one partition for each child at the first stage, all others at the second.
fn reads(iteration: &Iteration, partitions: usize) -> u64 {
    let looked_up = |stage: usize| iteration.stages.get(stage).map_or(0, |stage| stage.looked_up);
    looked_up(0) + looked_up(1) * (partitions as u64 - 1)
}

/// Reads bytes of some tables at random as one of the threads.
fn read(tables: &[Table], thread: u64) -> u64 {
    let tables: Vec<&[u8]> = tables.iter().map(Table::as_ref).collect();
    let mut places: [&u8; IN_FLIGHT] = [&0; IN_FLIGHT];
    let (mut x, mut sum) = (0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(2 * thread + 1), 0u64);
    for i in 0..READS {
        // A shifted xor (Marsaglia 2003): three cheap steps to the next place.
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        let table = tables[((x >> 32) * tables.len() as u64 >> 32) as usize];
        let place = &table[((x & u64::from(u32::MAX)) * table.len() as u64 >> 32) as usize];
        prefetch(&raw const *place);
        let due = std::mem::replace(&mut places[i % IN_FLIGHT], place);
        sum = sum.wrapping_add((*due).into());
    }
    sum
}
