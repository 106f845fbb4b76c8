//! Provably shortest solutions of sliding-tile puzzles on the command line.

fn main() -> std::process::ExitCode {
    puzzle_cli::main(slidetile::cli::run)
}
