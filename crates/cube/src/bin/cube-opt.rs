//! Provably shortest solutions of Rubik's cube on the command line.

use puzzle_cli::Program;

fn main() -> std::process::ExitCode {
    puzzle_cli::main(cube::cli::Args::run)
}
