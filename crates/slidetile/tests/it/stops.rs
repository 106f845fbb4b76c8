//! Every command of the program stops when it is asked to.

use puzzle_cli::testing::Stops::{AtOnce, Works};
use puzzle_cli::testing::check_that_commands_stop;
use slidetile::cli::Args;

/// A claim that takes long to prove.
const CERTIFICATE: &str = r#"{"certificate":1,"instance":"15 2 12 11 14 13 9 5 1 3 8 7 0 10 6 4","puzzle":{"kind":"tiles",
"rows":4,"columns":4,"start":"15 2 12 11 14 13 9 5 1 3 8 7 0 10 6 4",
"goal":"0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15","notation":"blank"},"metric":"moves",
"result":{"kind":"lower_bound","length":65},"search":"ida","exhausted":[],"heuristic":"md",
"automaton":"no move undoes the last","tables":[],"program":"test","build":{"target":"none",
"profile":"none"}}"#;

#[test]
fn every_command_stops_when_it_is_asked_to() {
    let home = tempfile::tempdir().expect("a directory");
    std::fs::write(home.path().join("given"), CERTIFICATE.replace('\n', "")).expect("a file");
    let commands = [
        ("solve", Works(&[], "--heuristic\nmd\n--fsm\ninverse\n14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3")),
        (
            "improve",
            Works(
                &[],
                "--window\n57\n14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3;\
                 ULDDRUUULDDDRUURRDLDLUURULLDRDRUURDDDLUUURDDDLULUURRDLLLU",
            ),
        ),
        ("recheck", Works(&[], "--memory\n16MiB\nGIVEN")),
        ("random", Works(&[], "--count\n1000000\n--seed\n1\n--size\n4x4")),
        ("heuristic", Works(&[], "--sample\n1000000000\n--size\n4x4")),
        ("export", AtOnce),
        ("fsm learn", Works(&[], "--depth\n14")),
        ("fsm show", Works(&[], "--depth\n14")),
        ("tables list", AtOnce),
        ("tables plan", Works(&[], "")),
        ("tables build", Works(&[], "--size\n3x5")),
        ("tables verify", Works(&["tables\nbuild\n--size\n2x4"], "--contents")),
        ("tables remove", AtOnce),
        ("checkpoints list", AtOnce),
        ("checkpoints remove", AtOnce),
        (
            "units split",
            Works(
                &[],
                "--heuristic\nmd\n--fsm\ninverse\n--locally\n1h\nDIR\n14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3",
            ),
        ),
        (
            "units run",
            Works(
                &[
                    "units\nsplit\n--heuristic\nmd\n--fsm\ninverse\n--locally\n1ms\nDIR\n14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3",
                ],
                "DIR",
            ),
        ),
        ("units merge", AtOnce),
        ("completions", AtOnce),
        ("man", AtOnce),
    ];
    check_that_commands_stop::<Args>(&commands, home.path());
}
