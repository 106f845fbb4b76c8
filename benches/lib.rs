//! Benchmarks over the public APIs; each asserts the counts that it times.
//!
//! `cargo xtask bench` runs them. A search goes to a bound at which its instance has no solution, so
//! that the whole tree is searched and its nodes do not depend on the number of threads.

mod bench;
pub mod cube_benches;
pub mod hanoi_benches;
pub mod memory;
pub mod reads;
pub mod tiles_benches;

pub use bench::{Bench, Fault, Means};

/// All benchmarks; those that use threads, on one thread and on `threads`.
pub fn all(threads: usize) -> Vec<Bench> {
    let mut counts = vec![1, threads];
    counts.dedup();
    let mut all = memory::benches(&counts);
    all.extend(cube_benches::benches(&counts));
    all.extend(tiles_benches::benches(&counts));
    all.extend(reads::benches(&counts));
    all.extend(hanoi_benches::benches(&counts));
    all
}
