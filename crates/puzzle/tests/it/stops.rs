//! Every command of the program stops when it is asked to.

use puzzle::cli::Args;
use puzzle_cli::testing::Stops::{AtOnce, Works};
use puzzle_cli::testing::check_that_commands_stop;

#[test]
fn every_command_stops_when_it_is_asked_to() {
    let home = tempfile::tempdir().expect("a directory");
    let commands = [
        ("solve", Works(&[], "3x3x3\n--memory\n16MiB\nR U F' L2 D B R' U2 L D' F R2 B")),
        (
            "units split",
            Works(&[], "--locally\n1s\nDIR\n3x3x3\n--memory\n16MiB\nR U F' L2 D B R' U2 L D' F R2 B"),
        ),
        (
            "units run",
            Works(
                &[
                    "units\nsplit\n--locally\n1ms\nDIR\n3x3x3\n--memory\n16MiB\nR U F' L2 D B R' U2 L D' F R2 B",
                ],
                "DIR",
            ),
        ),
        ("units merge", AtOnce),
        ("count", Works(&[], "kilominx\n--max-depth\n9")),
        ("count", Works(&[], "3x3x3\n--ignore\nEDGES")),
        ("count", Works(&[], "skewb\n--work-dir\nDIR")),
        ("group", Works(&[], "7x7x7")),
        ("random", Works(&[], "3x3x3\n--memory\n16MiB\n--seed\n1\n--min-length\n15")),
        ("algs", Works(&[], "3x3x3\n--memory\n16MiB\nR U F' L2 D B R' U2 L D' F R2 B")),
        (
            "improve",
            Works(&[], "--window\n16\n3x3x3\nR U F' L D2 B R2 U' F D L2 B' U R F2 D' B R2 F L' U2 B D"),
        ),
        ("convert", AtOnce),
        ("export", AtOnce),
        ("list", AtOnce),
        ("tables list", AtOnce),
        ("tables plan", AtOnce),
        ("tables build", Works(&[], "skewb")),
        ("tables verify", Works(&["tables\nbuild\nskewb"], "")),
        ("tables remove", AtOnce),
        ("checkpoints list", AtOnce),
        ("checkpoints remove", AtOnce),
        ("completions", AtOnce),
        ("man", AtOnce),
    ];
    check_that_commands_stop::<Args>(&commands, home.path());
}
