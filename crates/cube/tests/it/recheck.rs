//! `cube-opt recheck`: lower bounds of certificates, proved a second time.

use clap::Parser;
use cube::cli::Args;
use puzzle_cli::Exit;
use puzzle_cli::testing::exit_of;
use search_core::Cancel;
use std::fs;

/// The exit code of `cube-opt` with these words, in a directory of its own.
fn exit(home: &std::path::Path, words: &[&str]) -> Exit {
    let tables = home.join("tables");
    let common = ["--quiet", "--memory", "16MiB", "--tables", tables.to_str().unwrap()];
    let args = Args::parse_from(["cube-opt"].iter().chain(words).chain(&common));
    exit_of(args, &Cancel::new(), home)
}

#[test]
fn bounds_of_cubes_are_proved_again_or_contradicted() {
    let home = tempfile::tempdir().unwrap();
    let [solved, changed] = ["solved", "changed"].map(|name| home.path().join(name));
    let file = solved.to_str().unwrap();
    let solve = |args: &[&str]| {
        let words = [&["solve", "--certificate", file][..], args].concat();
        assert!(matches!(exit(home.path(), &words), Exit::Done | Exit::Unsolved), "{args:?}");
    };
    solve(&["--heuristic", "edges:UR,UF", "R U R' U'", "", "F R U R' U' F'"]);
    solve(&["--heuristic", "manhattan-max", "--metric", "qtm", "--goal", "R U2", "x R2 D' R'"]);
    // The cube as facelets of other symbols, held in another way.
    let held = "000000222055111111111223223335335335223444444444055055";
    solve(&["--heuristic", "manhattan-max", "--max-depth", "3", held]);
    solve(&["--heuristic", "manhattan-max", "--max-depth", "4", "R2 F B U2 L D"]);
    assert_eq!(exit(home.path(), &["recheck", file]), Exit::Done);
    let text = fs::read_to_string(&solved).unwrap();
    assert_eq!(text.lines().count(), 6);
    // A bound that is too great: the table of two edges may be wrong.
    let first = text.lines().next().unwrap();
    for (from, to, code) in [
        ("\"length\":4,\"solutions\"", "\"length\":5,\"solutions\"", Exit::Table),
        ("\"metric\":\"htm\"", "\"metric\":\"moves\"", Exit::Malformed),
        ("\"kind\":\"cube\"", "\"kind\":\"sphere\"", Exit::Malformed),
        ("\"goal\":\"U", "\"goal\":\"R", Exit::Malformed),
    ] {
        let other = first.replace(from, to);
        assert_ne!(other, first);
        fs::write(&changed, other).unwrap();
        assert_eq!(exit(home.path(), &["recheck", changed.to_str().unwrap()]), code, "{to}");
    }
    assert_eq!(exit(home.path(), &["recheck", "no/such/file"]), Exit::Error);
}

#[test]
fn bounds_of_open_goals_and_of_slices_are_proved_again_or_contradicted() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("file");
    let name = file.to_str().unwrap();
    // Goals of a few edges: larger tables exceed the memory.
    for (goal, instance) in [
        (&["--metric", "stm"][..], "M U2 M' U2"),
        (&["--metric", "stm"], "x R U F"),
        (&["--only", "UF,UR,UB,UL,FR"], "R U F' L"),
        (&["--only", "UF,UR,FL", "--metric", "qtm"], "R U F' L"),
        (&["--goal", "R U F", "--only", "UF,UR,DF,DL"], "L2 B"),
        (&["--goal-set", "cross"], "R U F' L D B"),
        (&["--goal-set", "cross", "--auf"], "x R U F' L D B2"),
    ] {
        let words =
            [&["solve", "--fresh", "--max-depth", "6", "--certificate", name], goal, &[instance]].concat();
        assert!(matches!(exit(home.path(), &words), Exit::Done | Exit::Unsolved), "{words:?}");
        assert_eq!(exit(home.path(), &["recheck", name]), Exit::Done, "{words:?}");
        let line = fs::read_to_string(&file).unwrap();
        let optimal = line.find("\"kind\":\"optimal\",\"length\":").expect("a solution") + 26;
        let digits = &line[optimal..optimal + 1];
        let greater =
            format!("{}{}{}", &line[..optimal], digits.parse::<u32>().unwrap() + 1, &line[optimal + 1..]);
        fs::write(&file, greater).unwrap();
        assert_eq!(exit(home.path(), &["recheck", name]), Exit::Table, "{words:?}");
        fs::remove_file(&file).unwrap();
    }
}
