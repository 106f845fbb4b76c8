//! Four-peg Towers of Hanoi on the command line.

fn main() -> std::process::ExitCode {
    puzzle_cli::main(hanoi4::cli::run)
}
