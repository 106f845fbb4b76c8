//! What the machine's memory gives: random reads of tables of several sizes, nothing else done.
//!
//! A search whose table has this size can read no faster.

use crate::{Bench, sample};
use search_core::memory::{Memory, RANDOM_READS, random_read_seconds};

/// Sizes of tables, in mebibytes.
const SIZES: [usize; 3] = [64, 512, 2048];

/// The benchmarks of this module.
pub fn benches(threads: &[usize]) -> Vec<Bench> {
    let pairs = SIZES.iter().flat_map(|&size| threads.iter().map(move |&threads| (size, threads)));
    pairs.map(|(size, threads)| reads(size, threads)).collect()
}

fn reads(mebibytes: usize, threads: usize) -> Bench {
    let count = (RANDOM_READS * threads) as u64;
    Bench::new(
        format!("memory/random reads/{mebibytes} MiB/{threads}"),
        format!("random reads of {mebibytes} MiB, 64 in flight a thread"),
        (count, "reads"),
        7,
        move |_| {
            let mut memory = Memory::zeroed(mebibytes << 20)?;
            memory.fill(1);
            sample(move |_| {
                random_read_seconds(&memory, threads);
                Ok(count)
            })
        },
    )
}
