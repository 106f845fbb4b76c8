//! The subcommands that need no table: perft, scramble, convert.

use super::harness::{cube_opt, run, run_with};
use insta::assert_snapshot;

#[test]
fn perft() {
    assert_snapshot!(
        [run("perft 4"), run("perft 4 --metric qtm --json"), run("perft 18 --nodes")].join("\n")
    );
}

#[test]
fn scrambles_depend_on_the_seed_alone() {
    let three = run("scramble --count 3 --seed 1 --format facelets");
    assert_snapshot!([three, run("scramble --count 2 --seed 1 --format reid --json")].join("\n"));
}

#[test]
fn a_chosen_seed_is_printed_and_repeats_the_cube() {
    let output = cube_opt("scramble --format facelets").output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    let seed = told.trim().strip_prefix("seed ").expect("the seed is printed");
    let again = cube_opt(&format!("scramble --format facelets --seed {seed}")).output().unwrap();
    assert_eq!((again.stdout, again.stderr), (output.stdout, Vec::new()));
}

#[test]
fn scrambles_in_moves_lead_to_the_same_cubes() {
    let output = |line: &str| String::from_utf8(cube_opt(line).output().unwrap().stdout).unwrap();
    let scrambles = output("scramble --count 5 --seed 1 --quiet");
    let longest = scrambles.lines().map(|line| line.split(' ').count()).max();
    assert!(longest.is_some_and(|moves| (15..=30).contains(&moves)), "{scrambles}");
    let facelets = cube_opt("convert -").write_stdin(scrambles).output().unwrap().stdout;
    let expected = output("scramble --count 5 --seed 1 --format facelets");
    assert_eq!(String::from_utf8(facelets).unwrap(), expected);
}

#[test]
fn options_of_a_shortest_scramble_need_one() {
    for line in ["scramble --metric qtm", "scramble --shortest --format facelets"] {
        assert_eq!(cube_opt(line).output().unwrap().status.code(), Some(2), "{line}");
    }
}

#[test]
fn convert() {
    let input = "R U2 F'\n\n// a comment alone\n(R U) // two\nx M2 y' // slices and rotations\n";
    assert_snapshot!(
        [
            run_with("convert --to facelets", input),
            run_with("convert --to reid -", input),
            run_with("convert --heuristic edges:UR,UF,UL,UB,DR --to moves", input),
            run("convert --json --to reid 'R U' 'F2'"),
        ]
        .join("\n")
    );
}

#[test]
fn every_fault_is_named() {
    let twisted = "UUUUUUUUURRRRRRRRRFFFFFFFFFDDDDDDDDDLLLLLLLLBBBBBBBBBL";
    assert_snapshot!(
        [
            run("convert 'R Q U7'"),
            run("convert --json 'R Q U7'"),
            run(&format!("convert {twisted}")),
            run("convert ''"),
            run_with("convert", "R\nR Q\nUUU\nF\n"),
        ]
        .join("\n")
    );
}

#[test]
fn completions_and_man_pages() {
    for (arguments, expected) in [
        ("completions bash", "complete -F"),
        ("completions fish", "complete -c cube-opt"),
        ("man", ".TH cube-opt"),
    ] {
        let output = cube_opt(arguments).output().unwrap();
        assert!(output.status.success() && output.stderr.is_empty());
        assert!(String::from_utf8(output.stdout).unwrap().contains(expected), "{arguments}");
    }
    let dir = tempfile::tempdir().unwrap();
    let to = dir.path().to_str().unwrap();
    assert!(cube_opt(&format!("man --dir '{to}'")).output().unwrap().status.success());
    assert!(dir.path().join("cube-opt-perft.1").is_file());
}

/// Text that cannot be written to standard error is lost; everything else is unchanged.
#[test]
#[cfg(target_os = "linux")]
fn a_full_standard_error_changes_nothing_else() {
    let lines = "solve --heuristic manhattan-max --max-depth 1 -vvv -";
    let run = |full: bool| {
        let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin!("cube-opt"));
        let input = tempfile::tempfile().unwrap();
        std::os::unix::fs::FileExt::write_all_at(&input, b"R U F\nL\n", 0).unwrap();
        command.args(lines.split(' ')).stdin(input);
        if full {
            command.stderr(std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap());
        }
        let output = command.output().unwrap();
        (output.status.code(), String::from_utf8(output.stdout).unwrap())
    };
    let (code, answers) = run(true);
    assert_eq!((code, answers.lines().count()), (Some(4), 2), "{answers}");
    assert_eq!(run(false), (code, answers));
}

/// A reader that stops early is not an error.
#[test]
#[cfg(unix)]
fn a_broken_pipe_is_success() {
    let mut child = std::process::Command::new(assert_cmd::cargo::cargo_bin!("cube-opt"))
        .args(["scramble", "--count", "1000000", "--seed", "1", "--format", "facelets"])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr), (Some(0), Vec::new()));
}

/// The first table of docs/cube.md is that of the families of heuristics.
#[test]
fn the_documented_heuristics() {
    let docs = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/cube.md")).unwrap();
    let table = cube::heuristics::family::table_of_heuristics();
    assert!(docs.contains(&table), "the first table of docs/cube.md should be:\n{table}");
}
