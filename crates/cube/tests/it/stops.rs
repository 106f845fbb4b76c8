//! Every command of the program stops when it is asked to.

use cube::cli::Args;
use puzzle_cli::testing::Stops::{AtOnce, Works};
use puzzle_cli::testing::check_that_commands_stop;

/// A claim that takes long to prove.
const CERTIFICATE: &str = r#"{"certificate":1,"instance":"R U F' L D2 B R2 U' F D L2 B' U R F2 D' B R2",
"puzzle":{"kind":"cube","start":"BBRFUDLBRFFBRRUFBDFRULFUURULFLRDLBURLUDLLFRDBUDDLBDFBD",
"goal":"UUUUUUUUURRRRRRRRRFFFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB"},"metric":"htm",
"result":{"kind":"lower_bound","length":17},"search":"ida","exhausted":[],
"heuristic":"manhattan-max","automaton":"move rules: no face twice in a row,
 opposite faces in one order","tables":[],"program":"test","build":{"target":"none",
"profile":"none"}}"#;

#[test]
fn every_command_stops_when_it_is_asked_to() {
    let home = tempfile::tempdir().expect("a directory");
    std::fs::write(home.path().join("given"), CERTIFICATE.replace('\n', "")).expect("a file");
    let commands = [
        ("solve", Works(&[], "--heuristic\nmanhattan-all\nR U F' L D2 B R2 U' F D L2 B' U R F2 D' B R2")),
        (
            "insert",
            Works(
                &[],
                "--heuristic\nmanhattan-all\n--most\n20\n--skeleton\nF2 L D2 B' R2 U\nU' R2 B [D, R U R'] D2 L' F2",
            ),
        ),
        (
            "algs",
            Works(
                &[],
                "--heuristic\nmanhattan-all\n--auf\nnone\nR U F' L D2 B R2 U' F D L2 B' U R F2 D' B R2",
            ),
        ),
        ("cheapest", Works(&[], "--memory\n4MiB\nR U F' L D2 B R2 U' F D L2 B' U R F2 D' B R2")),
        (
            "improve",
            Works(
                &[],
                "--heuristic\nmanhattan-all\n--window\n14\nR U F' L D2 B R2 U' F D L2 B' U R F2 D' B R2",
            ),
        ),
        ("recheck", Works(&[], "--memory\n16MiB\nGIVEN")),
        ("tables list", AtOnce),
        ("tables plan", Works(&[], "")),
        ("tables build", Works(&[], "edges6")),
        ("tables verify", Works(&["tables\nbuild\ncube-edges4-00f-htm"], "--contents")),
        ("tables remove", AtOnce),
        ("checkpoints list", AtOnce),
        ("checkpoints remove", AtOnce),
        ("heuristics", Works(&[], "manhattan-all\n--samples\n1000000000")),
        ("scramble", Works(&[], "--count\n1000000\n--seed\n1")),
        ("convert", AtOnce),
        ("perft", Works(&[], "7\n--memory\n2GiB")),
        ("group", Works(&[], "U R")),
        (
            "units split",
            Works(
                &[],
                "--heuristic\nmanhattan-all\n--locally\n1h\nDIR\nR U F' L D2 B R2 U' F D L2 B' U R F2 D' B R2",
            ),
        ),
        (
            "units run",
            Works(
                &[
                    "units\nsplit\n--heuristic\nmanhattan-all\n--locally\n1ms\nDIR\nR U F' L D2 B R2 U' F D L2 B' U R F2 D' B R2",
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
