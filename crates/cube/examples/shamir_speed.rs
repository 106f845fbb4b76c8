//! Time of the Fiat-Shamir search, length by length: `shamir_speed [MAX_DEPTH [THREADS [MOVES]]]`.
//!
//! Without moves the start is the superflip, which has no solution of fewer than 20 turns, so every
//! length is searched to its end.

use cube::metric::Metric;
use cube::notation::scramble;
use cube::shamir::solve;
use search_core::{Progress, Run};

/// Prints what there is to note.
struct Notes;

impl Progress for Notes {
    fn note(&self, line: &str) {
        println!("{line}");
    }
}

fn main() {
    let mut args = std::env::args().skip(1);
    let mut number = |or: u32| args.next().map_or(or, |text| text.parse().expect("a number"));
    let (max_depth, threads) = (number(12), number(1));
    let moves =
        args.next().unwrap_or_else(|| "U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2".to_string());
    let start = scramble::parse(&moves).expect("moves").cube();
    let run = Run::new().with_progress(&Notes).with_threads(threads as usize);
    let found = solve(&start, Metric::Htm.turns(), max_depth, &run).expect("nobody cancels");
    let per_second = found.generated().iter().sum::<u64>() as f64 / found.seconds;
    let solution = found.solution.map_or("no solution".into(), scramble::format);
    println!("{solution} in {:.3} s, {:.1} million products a second", found.seconds, per_second / 1e6);
}
