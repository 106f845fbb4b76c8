//! `cube-opt tables` and `heuristics`: small tables in a directory per test; damage of every kind.

use super::harness::{redacted, run};
use insta::assert_snapshot;
use std::fs;
use std::path::PathBuf;
use tempfile::TempDir;

/// The table of two edges: 528 entries, 264 bytes.
const SMALL: &str = "cube-edges2-003-htm";

/// A directory with that table in it.
struct Fixture {
    dir: TempDir,
}

impl Fixture {
    fn new() -> Fixture {
        let fixture = Fixture { dir: tempfile::tempdir().expect("a directory can be made") };
        let built = fixture.run("tables build edges:UR,UF");
        assert!(built.contains("exit code: 0"), "{built}");
        fixture
    }

    fn path(&self) -> PathBuf {
        self.dir.path().join(format!("{SMALL}.table"))
    }

    /// Runs `cube-opt` on this directory, which is printed as DIR.
    fn run(&self, line: &str) -> String {
        let dir = self.dir.path().to_str().expect("the directory's name is UTF-8");
        redacted(&run(&format!("{line} --tables {dir} --quiet")), dir)
    }

    /// Changes the bytes of the table.
    fn damage(&self, change: impl FnOnce(&mut Vec<u8>)) {
        let mut bytes = fs::read(self.path()).expect("the table is there");
        change(&mut bytes);
        fs::write(self.path(), bytes).expect("the table can be written");
    }
}

#[test]
fn life_cycle_of_a_table() {
    let fixture = Fixture::new();
    let lines = [
        "tables list",
        "tables list --json",
        "tables build edges:UF,UR --json",
        "tables verify",
        "solve --heuristic edges:UR,UF 'R U'",
        "tables remove edges",
        "tables remove cube-edges2-003-htm",
        "tables list",
        "tables verify cube-edges2-003-htm",
    ];
    assert_snapshot!(lines.map(|line| fixture.run(line)).join("\n"));
}

#[test]
fn a_build_that_was_stopped() {
    let fixture = Fixture::new();
    fs::write(fixture.path().with_file_name("cube-square4-htm.unfinished"), "half").expect("it is written");
    let lines = ["tables list", "tables list --json", "tables remove cube-square4-htm", "tables list"];
    assert_snapshot!(lines.map(|line| fixture.run(line)).join("\n"));
}

#[test]
fn plans_depend_on_the_memory() {
    let dir = tempfile::tempdir().unwrap();
    let of = |memory: &str| {
        let dir = dir.path().to_str().unwrap();
        redacted(&run(&format!("tables plan --quick --threads 2 --memory {memory} --tables {dir}")), dir)
    };
    assert_snapshot!(["1GiB", "100MiB", "70MiB", "45MiB", "1MiB"].map(of).join("\n"));
}

/// A change of the bytes of a file.
type Change = fn(&mut Vec<u8>);

/// The exit code is 6 where a search or `verify` reads such a file, and the remedy is a command.
#[test]
fn damaged_foreign_and_old_tables() {
    let solve = format!("solve --heuristic {SMALL} R");
    let cases: [(&str, Change); 5] = [
        ("magic", |bytes| bytes[0] ^= 1),
        ("version", |bytes| bytes[8] = bytes[8].wrapping_add(1)),
        ("header", |bytes| bytes[100] ^= 1),
        ("truncated", |bytes| bytes.truncate(bytes.len() - 1)),
        ("empty", Vec::clear),
    ];
    let mut seen = String::new();
    for (what, change) in cases {
        let fixture = Fixture::new();
        fixture.damage(change);
        seen += &format!("## {what}\n{}\n{}\n", fixture.run(&solve), fixture.run("tables list"));
        let verified = fixture.run("tables verify");
        assert!(verified.contains("exit code: 6"), "{verified}");
    }
    assert_snapshot!(seen);
}

/// A flipped bit in the body is found by `verify` and by loading; removing the table is the remedy.
#[test]
fn a_damaged_body() {
    let fixture = Fixture::new();
    fixture.damage(|bytes| *bytes.last_mut().expect("the table has bytes") ^= 0x10);
    let lines = [
        "tables list".to_owned(),
        "tables verify".to_owned(),
        "tables verify --json".to_owned(),
        format!("tables remove {SMALL}"),
        format!("solve --heuristic {SMALL} R"),
        "tables verify".to_owned(),
    ];
    assert_snapshot!(lines.map(|line| fixture.run(&line)).join("\n"));
}

#[test]
fn only_tables_are_removed_with_all() {
    let fixture = Fixture::new();
    let dir = fixture.dir.path().display();
    let notes = fixture.dir.path().join("notes.table");
    fs::write(&notes, "not a table").expect("a file");
    let seen = run(&format!("tables remove --all --tables {dir}"));
    assert!(
        seen.contains(&format!("removed {SMALL}")) && seen.contains("is not a table and was kept"),
        "{seen}"
    );
    assert!(notes.exists());
    assert!(fixture.run("tables remove notes").contains("removed notes") && !notes.exists());
}

#[test]
fn heuristics() {
    let fixture = Fixture::new();
    assert_snapshot!(
        [
            fixture.run("heuristics manhattan-edges --samples 10000"),
            fixture.run("heuristics edges:UR,UF --samples 10000 --seed 7"),
            fixture.run("heuristics edges:UR,UF+edges:DL,DB --samples 10000 --metric qtm"),
            fixture.run("heuristics edges:UR,UF --samples 100 --json"),
            fixture.run("heuristics korf98"),
            fixture.run("heuristics corners --memory 1MiB"),
        ]
        .join("\n")
    );
}
