//! Provably shortest solutions of Rubik's cube on the command line.

fn main() -> std::process::ExitCode {
    puzzle_cli::main(cube::cli::run)
}
