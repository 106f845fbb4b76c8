//! Provably shortest solutions of permutation puzzles on the command line.

fn main() -> std::process::ExitCode {
    puzzle_cli::main(puzzle::cli::run)
}
