//! Every command of the program stops when it is asked to.

use super::{Args, run_in};
use puzzle_cli::Session;
use puzzle_cli::testing::Stops::{AtOnce, Works};
use puzzle_cli::testing::check_that_commands_stop;

#[test]
fn every_command_stops_when_it_is_asked_to() {
    let home = tempfile::tempdir().expect("a directory");
    let commands = [
        ("bfs", Works(&[], "--discs\n15")),
        ("verify", Works(&[], "--discs\n19")),
        ("plan", Works(&[], "--discs\n16")),
        ("solve", Works(&[], "--discs\n24")),
        ("graph", Works(&[], "--discs\n12")),
        ("improve", Works(&[], "--ties\n1000000\n--window\n2\n000;1:0>1 2:0>2 1:1>2 3:0>3")),
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
