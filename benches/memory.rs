//! Random reads of tables of several sizes, without any other work.
//!
//! A search whose table has this size cannot read faster.

use crate::bench::{Bench, sample};
use search_core::memory::Memory;
use search_core::prefetch::prefetch;
use std::hint::black_box;
use std::sync::atomic::{AtomicU64, Ordering};

/// The number of reads of each thread.
const READS: usize = 1 << 22;
/// The number of reads of a thread in flight.
const IN_FLIGHT: usize = 64;
/// The sizes of the tables, in mebibytes.
const SIZES: [usize; 3] = [64, 512, 2048];

/// The benchmarks of this module.
pub fn benches(threads: &[usize]) -> Vec<Bench> {
    let pairs = SIZES.iter().flat_map(|&size| threads.iter().map(move |&threads| (size, threads)));
    pairs.map(|(size, threads)| reads(size, threads)).collect()
}

fn reads(mebibytes: usize, threads: usize) -> Bench {
    let count = (READS * threads) as u64;
    Bench::new(
        format!("memory/random reads/{mebibytes} MiB/{threads}"),
        format!("random reads of {mebibytes} MiB, 64 in flight per thread"),
        (count, "reads"),
        7,
        move |_| {
            let mut memory = Memory::zeroed(mebibytes << 20)?;
            memory.fill(1);
            sample(move |run| {
                let thread = AtomicU64::new(0);
                let sums = run.each(|| read(&memory, thread.fetch_add(1, Ordering::Relaxed)));
                black_box(sums);
                Ok(count)
            })
        },
    )
    .on(threads)
}

/// Reads at random as one of the threads. The bytes must have been written; otherwise the system has not
/// assigned memory to them.
fn read(bytes: &[u8], thread: u64) -> u64 {
    let mut places = [0; IN_FLIGHT];
    let (mut x, mut sum) = (0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(2 * thread + 1), 0u64);
    for i in 0..READS {
        // A shifted xor (Marsaglia 2003): three cheap steps to the next place.
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        let place = (u128::from(x) * bytes.len() as u128 >> 64) as usize;
        prefetch(&raw const bytes[place]);
        let due = std::mem::replace(&mut places[i % IN_FLIGHT], place);
        sum = sum.wrapping_add(bytes[due].into());
    }
    sum
}
