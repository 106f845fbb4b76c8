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
    let report = solve(&start, Metric::Htm.turns(), max_depth, &run);
    let (seconds, products) = (report.seconds(), report.generated() as f64);
    let solution = report.ending.solutions().first();
    let solution = solution.map_or("no solution".into(), |turns| scramble::format(turns.iter().copied()));
    println!("{solution} in {seconds:.3} s, {:.1} million products a second", products / seconds / 1e6);
}
