//! Every command of the program stops when it is asked to.

use super::{Args, run_in};
use crate::model::State;
use crate::three_pegs;
use puzzle_cli::Session;
use puzzle_cli::testing::Stops::{AtOnce, Works};
use puzzle_cli::testing::check_that_commands_stop;

#[test]
fn every_command_stops_when_it_is_asked_to() {
    let home = tempfile::tempdir().expect("a directory");
    // With three pegs a tower takes 255 moves, so many windows are searched.
    let moves = three_pegs::path(8, State::all_on(0, 8), State::all_on(2, 8));
    let moves: Vec<String> = moves.iter().map(|step| format!("{}>{}", step.from, step.to)).collect();
    let long = format!("00000000;{}", moves.join(" "));
    let commands = [
        ("bfs", Works(&[], "--discs\n15")),
        ("verify", Works(&[], "--discs\n19")),
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
    check_that_commands_stop::<Args>(&commands, home.path(), |args, cancel, home| {
        let session = Session::build(&args.common)?.with_cancel(cancel).with_state(home).silent();
        run_in(&session, args)
    });
}
