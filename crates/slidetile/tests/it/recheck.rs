//! `tile24 recheck`: lower bounds of certificates, proved a second time.

use clap::Parser;
use puzzle_cli::Exit;
use puzzle_cli::testing::exit_of;
use search_core::Cancel;
use slidetile::cli::Args;
use std::fs;

/// A certificate of the board `4 5 0 1 2 3`, 10 moves away, with this result and these tables.
fn certificate(result: &str, tables: &[&str]) -> String {
    let table = |name: &&str| format!(r#"{{"name":"{name}","checksum":"0000000000000000"}}"#);
    let tables: Vec<String> = tables.iter().map(table).collect();
    format!(
        r#"{{"certificate":1,"instance":"4 5 0 1 2 3","puzzle":{{"kind":"tiles","rows":2,"columns":3,"start":"4 5 0 1 2 3","goal":"0 1 2 3 4 5","notation":"blank"}},"metric":"moves","result":{result},"search":"ida","exhausted":[],"heuristic":"any","automaton":"any","tables":[{}],"program":"test","build":{{"target":"none","profile":"none"}}}}"#,
        tables.join(",")
    )
}

fn bound(length: u32) -> String {
    format!(r#"{{"kind":"lower_bound","length":{length}}}"#)
}

/// The exit code of `tile24 recheck` on these lines, and the tables that are there afterwards.
fn rechecked(lines: &[String], more: &[&str]) -> (Exit, Vec<String>) {
    let home = tempfile::tempdir().unwrap();
    let (file, tables) = (home.path().join("certificates"), home.path().join("tables"));
    fs::write(&file, lines.join("\n")).unwrap();
    let words =
        ["tile24", "--quiet", "recheck", file.to_str().unwrap(), "--tables", tables.to_str().unwrap()];
    let args = Args::parse_from(words.iter().chain(more));
    let exit = exit_of(args, &Cancel::new(), home.path());
    let names = fs::read_dir(tables).into_iter().flatten().map(|file| file.unwrap().file_name());
    let mut names: Vec<String> = names.filter_map(|name| name.into_string().ok()).collect();
    names.retain(|name| name.ends_with(".table"));
    names.sort();
    (exit, names)
}

#[test]
fn a_bound_is_proved_again_with_other_tables() {
    let proved = |lines: &[String]| {
        let (exit, tables) = rechecked(lines, &[]);
        assert_eq!(exit, Exit::Done);
        tables
    };
    let first = proved(&[certificate(&bound(10), &[]), certificate(&bound(0), &[])]);
    assert_eq!(first, ["tiles-2x3-fsm-12.table", "tiles-2x3-pdb5-3e.table"]);
    let named: Vec<&str> = first.iter().map(|name| name.trim_end_matches(".table")).collect();
    let optimal = r#"{"kind":"optimal","length":10,"solutions":["unread"]}"#;
    assert_eq!(proved(&[certificate(optimal, &named)]), ["tiles-2x3-fsm-10.table"]);
}

#[test]
fn a_bound_that_is_too_great_is_contradicted() {
    let exit = |lines: &[String], more: &[&str]| rechecked(lines, more).0;
    assert_eq!(exit(&[certificate(&bound(12), &[])], &[]), Exit::Error);
    assert_eq!(exit(&[certificate(&bound(12), &["tiles-2x3-pdb5-3e"])], &[]), Exit::Table);
    // All certificates are rechecked, and the worst code is returned.
    assert_eq!(exit(&[certificate(&bound(11), &["any"]), certificate(&bound(10), &[])], &[]), Exit::Table);
    // What the heuristic alone proves takes no time, so another board.
    let hard = certificate(&bound(27), &["tiles-3x3-pdb8-1fe"])
        .replace(r#""rows":2"#, r#""rows":3"#)
        .replace("4 5 0 1 2 3", "8 6 7 2 5 4 3 0 1")
        .replace("0 1 2 3 4 5", "0 1 2 3 4 5 6 7 8");
    assert_eq!(exit(std::slice::from_ref(&hard), &["--time-limit", "0s"]), Exit::Unsolved);
    assert_eq!(exit(&[hard], &[]), Exit::Done);
}

#[test]
fn what_is_no_certificate_of_a_board_is_refused() {
    let cube = certificate(&bound(3), &[]).replace(
        r#""puzzle":{"kind":"tiles","rows":2,"columns":3,"start":"4 5 0 1 2 3","goal":"0 1 2 3 4 5","notation":"blank"}"#,
        r#""puzzle":{"kind":"hanoi","pegs":4,"start":"00","goal":"33"}"#,
    );
    let unsolvable = certificate(&bound(3), &[]).replace("4 5 0 1 2 3", "5 4 0 1 2 3");
    let none = certificate(r#"{"kind":"exhausted"}"#, &[]);
    for line in [cube, unsolvable, none, "{}".to_owned(), String::new()] {
        assert_eq!(rechecked(&[line.clone(), String::new()], &[]).0, Exit::Malformed, "{line}");
    }
    assert_eq!(rechecked(&[], &["--time-limit", "1s"]).0, Exit::Done);
}
