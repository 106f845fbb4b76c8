//! Provably shortest solutions of sliding-tile puzzles on the command line.

use puzzle_cli::Program;

fn main() -> std::process::ExitCode {
    puzzle_cli::main(slidetile::cli::Args::run)
}
