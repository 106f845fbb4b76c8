//! The mean length of two-phase solutions of random cubes, by the number of nodes.
//!
//! ```text
//! cargo run --release -p cube-opt --example good_solutions -- TABLES COUNT SEED NODES...
//! ```
//!
//! `TABLES` is a directory with the table of cosets, or `-` for the search without it. The cubes are those of
//! `cube-opt scramble --count COUNT --seed SEED`. Each row solves all of them on one thread, each with a number of nodes.

use cube::random::random_cube;
use cube::tables::{Pattern, TableId};
use cube::two_phase::{Limits, TwoPhase};
use cube::{Cube, Metric};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use search_core::Run;
use search_core::table::Store;
use std::error::Error;
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [tables, count, seed, nodes @ ..] = &args[..] else {
        return Err("usage: good_solutions TABLES COUNT SEED NODES...".into());
    };
    let run = Run::new().with_threads(1);
    let coset = TableId { pattern: Pattern::Coset, metric: Metric::Htm };
    let table = match &tables[..] {
        "-" => None,
        dir => Some(coset.get(&Store::new(dir, "good_solutions"), &run)?.0.nibbles()),
    };
    let two_phase = TwoPhase::new(Metric::Htm, table, &run)?;
    let rng = &mut ChaCha8Rng::seed_from_u64(seed.parse()?);
    let count = count.parse()?;
    let cubes: Vec<Cube> = (0..count).map(|_| random_cube(rng)).collect();
    println!("nodes  mean length  mean generated  seconds per cube (processor time)");
    for nodes in nodes {
        let (limits, begin) = (Limits::new().nodes(nodes.parse::<u64>()?), processor_time());
        let (mut length, mut generated) = (0, 0);
        for cube in &cubes {
            let found = two_phase.solve(cube, &limits, &|_| {}, &run);
            length += found.best.map_or(0, |turns| turns.len());
            generated += found.generated;
        }
        let seconds = processor_time() - begin;
        let mean = |sum: f64| sum / count as f64;
        let (length, generated) = (mean(length as f64), mean(generated as f64));
        println!("{nodes}  {length:.2}  {generated:.0}  {:.4}", mean(seconds));
    }
    Ok(())
}

/// Seconds of processor time of this thread; of the clock where the system does not tell.
fn processor_time() -> f64 {
    static BEGIN: std::sync::LazyLock<Instant> = std::sync::LazyLock::new(Instant::now);
    let of_thread = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = of_thread.and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(|| BEGIN.elapsed().as_secs_f64(), |time| time * 1e-9)
}
