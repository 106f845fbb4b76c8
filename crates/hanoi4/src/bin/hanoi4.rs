//! Four-peg Towers of Hanoi on the command line.

use puzzle_cli::Program;

fn main() -> std::process::ExitCode {
    puzzle_cli::main(hanoi4::cli::Args::run)
}
