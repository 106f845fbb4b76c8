use super::*;
use crate::cli::{Args, run_in};
use clap::Parser;
use std::fs;

/// The exit code of `cube-opt` with these words, in a directory of its own.
fn exit(home: &std::path::Path, words: &[&str]) -> Exit {
    let tables = home.join("tables");
    let common = ["--quiet", "--memory", "16MiB", "--tables", tables.to_str().unwrap()];
    let args = Args::parse_from(["cube-opt"].iter().chain(words).chain(&common));
    let session = Session::build(&args.common).unwrap().with_state(home).silent();
    run_in(&session, args).unwrap_or_else(|failure| failure.exit)
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
        ("\"metric\":\"htm\"", "\"metric\":\"stm\"", Exit::Unsolved),
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
