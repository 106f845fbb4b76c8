//! Every command of the program stops when it is asked to.

use hanoi4::cli::Args;
use puzzle_cli::testing::Stops::{AtOnce, Works};
use puzzle_cli::testing::check_that_commands_stop;

/// The moves of a tower from peg to peg, with three pegs.
fn with_three_pegs(discs: usize, from: u8, to: u8) -> Vec<(u8, u8)> {
    if discs == 0 {
        return Vec::new();
    }
    let free = 3 - from - to;
    let around = |from, to| with_three_pegs(discs - 1, from, to);
    [around(from, free), vec![(from, to)], around(free, to)].concat()
}

#[test]
fn every_command_stops_when_it_is_asked_to() {
    let home = tempfile::tempdir().expect("a directory");
    // With three pegs a tower takes 255 moves, so many windows are searched.
    let moves: Vec<String> =
        with_three_pegs(8, 0, 2).iter().map(|(from, to)| format!("{from}>{to}")).collect();
    let long = format!("00000000;{}", moves.join(" "));
    let commands = [
        ("bfs", Works(&[], "--discs\n15")),
        ("radius", Works(&[], "--discs\n15")),
        ("verify", Works(&[], "--discs\n19")),
        ("verify", Works(&[], "--discs\n19\n--method\ncorners\n--work-dir\nDIR")),
        ("plan", Works(&[], "--discs\n16")),
        ("solve", Works(&[], "--discs\n24")),
        ("graph", Works(&[], "--discs\n12")),
        ("improve", Works(&[], long.leak())),
        ("export", AtOnce),
        ("tables list", AtOnce),
        ("tables plan", AtOnce),
        ("tables build", Works(&[], "--discs\n12\n--drop\n0")),
        ("tables verify", Works(&["tables\nbuild\n--discs\n10\n--drop\n0"], "--contents")),
        ("tables remove", AtOnce),
        ("tables distribution", Works(&[], "--discs\n12\n--drop\n0")),
        ("tables value", Works(&[], "--discs\n12\n--drop\n0\n000000000000")),
        ("completions", AtOnce),
        ("man", AtOnce),
    ];
    check_that_commands_stop::<Args>(&commands, home.path());
}
