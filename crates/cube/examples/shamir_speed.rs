//! Time of the Fiat-Shamir search, length by length: `shamir_speed [MAX_DEPTH [THREADS [MOVES]]]`.
//!
//! Without moves the start is the superflip, which has no solution of fewer than 20 turns, so every
//! length is searched to its end.

use cube::metric::Metric;
use cube::notation::scramble;
use cube::shamir::solve;
use search_core::{Cancel, Silent};

fn main() {
    let mut args = std::env::args().skip(1);
    let mut number = |or: u32| args.next().map_or(or, |text| text.parse().expect("a number"));
    let (max_depth, threads) = (number(12), number(1));
    let moves =
        args.next().unwrap_or_else(|| "U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2".to_string());
    let start = scramble::parse(&moves).expect("moves").cube();
    let run = solve(&start, Metric::Htm.turns(), max_depth, threads as usize, &Silent, &Cancel::new());
    let run = run.expect("nobody cancels");
    for length in &run.lengths {
        let generated = length.generated_left + length.generated_right;
        println!(
            "length {:2} lists {:?} generated {} + {} in {:.3} s ({:.1} million a second)",
            length.depth,
            length.lists,
            length.generated_left,
            length.generated_right,
            length.seconds,
            generated as f64 / length.seconds / 1e6
        );
    }
    let solution = run.solution.map(scramble::format);
    println!("{} in {:.3} s", solution.unwrap_or_else(|| "no solution".into()), run.seconds);
}
