//! The mean length of two-phase solutions of random cubes, by the number of nodes and by time.
//!
//! ```text
//! cargo run --release -p cube-opt --example good_solutions -- TABLES COUNT SEED THREADS NODES...
//! ```
//!
//! `TABLES` is a directory with the table of cosets, or `-` for the search without it. The cubes are those of
//! `cube-opt scramble --count COUNT --seed SEED`. Each row of the first table solves all of them, each with a number of
//! nodes. The second table has the mean length of the best solutions some time after each search began, by the clock, in
//! the searches of the last row.

use chacha20::ChaCha8Rng;
use chacha20::rand_core::SeedableRng;
use cube::random::random_cube;
use cube::tables::{Pattern, TableId};
use cube::two_phase::{Limits, TwoPhase};
use cube::{Cube, Metric};
use search_core::Run;
use search_core::table::Store;
use std::error::Error;
use std::sync::Mutex;
use std::time::Instant;

/// The times of the second table, in seconds.
const TIMES: [f64; 8] = [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0];

/// The solutions of a cube: when each was found, in seconds, and its length.
type Solutions = Vec<(f64, usize)>;

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [tables, count, seed, threads, nodes @ ..] = &args[..] else {
        return Err("usage: good_solutions TABLES COUNT SEED THREADS NODES...".into());
    };
    let run = Run::new().with_threads(threads.parse()?);
    let coset = TableId { pattern: Pattern::Coset, metric: Metric::Htm };
    let table = match &tables[..] {
        "-" => None,
        dir => Some(coset.get(&Store::new(dir, "good_solutions"), &run)?.0.nibbles()),
    };
    let begin = Instant::now();
    let two_phase = TwoPhase::new(Metric::Htm, table, &run)?;
    println!("small tables: {:.3} s", begin.elapsed().as_secs_f64());
    let rng = &mut ChaCha8Rng::seed_from_u64(seed.parse()?);
    let cubes: Vec<Cube> = (0..count.parse()?).map(|_| random_cube(rng)).collect();
    let mean = |sum: f64| sum / cubes.len() as f64;
    println!("nodes  mean length  mean generated  seconds per cube");
    let mut last = Vec::new();
    for nodes in nodes {
        let (limits, begin) = (Limits::new().nodes(nodes.parse::<u64>()?), Instant::now());
        let mut generated = 0;
        last.clear();
        for cube in &cubes {
            let (begin, solutions) = (Instant::now(), Mutex::new(Solutions::new()));
            let improved = |turns: &[_]| {
                let mut solutions = solutions.lock().expect("no thread panicked");
                solutions.push((begin.elapsed().as_secs_f64(), turns.len()));
            };
            generated += two_phase.solve(cube, &limits, &improved, &run).generated;
            last.push(solutions.into_inner()?);
        }
        let seconds = mean(begin.elapsed().as_secs_f64());
        let length = mean_length(&last, f64::INFINITY).unwrap_or(f64::NAN);
        println!("{nodes}  {length:.2}  {:.0}  {seconds:.4}", mean(generated as f64));
    }
    println!("seconds  cubes with a solution  mean length");
    for seconds in TIMES {
        let solved = last.iter().filter(|found| length_by(found, seconds).is_some()).count();
        let length = mean_length(&last, seconds).map_or("-".to_owned(), |length| format!("{length:.2}"));
        println!("{seconds}  {solved}  {length}");
    }
    Ok(())
}

/// The length of the best solution by a time.
fn length_by(solutions: &Solutions, seconds: f64) -> Option<usize> {
    solutions.iter().filter(|(found, _)| *found <= seconds).map(|(_, length)| *length).min()
}

/// The mean of these lengths, if each cube has a solution.
fn mean_length(cubes: &[Solutions], seconds: f64) -> Option<f64> {
    let lengths: Option<Vec<usize>> = cubes.iter().map(|found| length_by(found, seconds)).collect();
    lengths.map(|lengths| lengths.iter().sum::<usize>() as f64 / lengths.len() as f64)
}
