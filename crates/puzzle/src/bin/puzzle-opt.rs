//! Provably shortest solutions of permutation puzzles on the command line.

use puzzle_cli::Program;

fn main() -> std::process::ExitCode {
    puzzle_cli::main(puzzle::cli::Args::run)
}
