//! Faults of earlier versions, each from a user's point of view: names with special characters of shells and terminals,
//! pipes instead of files, work interrupted at unfortunate moments.

use super::program::{LIMIT, command, ended, home, interrupt, run};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command};
use std::thread::sleep;
use std::time::{Duration, Instant};

pub(super) fn started<A: AsRef<OsStr>>(home: &Path, name: &str, args: &[A]) -> Child {
    command(home, name, args).spawn().expect("a program")
}

pub(super) fn wait_for(child: &mut Child, is_so: impl Fn() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(child.try_wait().expect("a child").is_none(), "it ended before it was interrupted");
        assert!(begun.elapsed() < LIMIT, "what is waited for does not happen");
        sleep(Duration::from_millis(1));
    }
}

pub(super) fn words(line: &str) -> Vec<OsString> {
    line.split(' ').map(OsString::from).collect()
}

#[test]
fn an_interrupted_reproduction_publishes_nothing() {
    let home = home();
    let report =
        ["report.md", "report.json", "index.html"].map(|name| home.path().join("published").join(name));
    fs::create_dir(home.path().join("published")).expect("a directory");
    report.iter().for_each(|file| fs::write(file, "published").expect("a file"));
    let line = "repro-paper --paper hanoi --quiet --out out --publish published --tables t";
    let mut child = started(home.path(), "xtask", &words(line));
    wait_for(&mut child, || home.path().join("out/cells/hanoi-presumed.json").exists());
    interrupt(&child);
    let output = ended(child, &line);
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(5), "{told}");
    assert!(told.contains("--resume --out out --publish published --tables t"), "{told}");
    for file in report {
        assert_eq!(fs::read_to_string(file).expect("the report"), "published");
    }
}

#[test]
fn pipes_in_the_place_of_files_are_refused() {
    let names =
        ["table", "lock", "unfinished", "partial"].map(|kind| format!("tables/tiles-3x3-pdb8-1fe.{kind}"));
    for name in names.into_iter().chain(["work/checkpoint".to_owned()]) {
        let home = home();
        let path = home.path().join(&name);
        fs::create_dir_all(path.parent().expect("a directory")).expect("a directory");
        assert!(Command::new("mkfifo").arg(&path).status().expect("mkfifo").success());
        let output = match name.starts_with("work") {
            true => run(home.path(), "hanoi4", &words("bfs --discs 6 --work-dir work")),
            false => run(home.path(), "tile24", &words("tables build --size 3x3 --heuristic pdb")),
        };
        let (code, told) = (output.status.code(), String::from_utf8_lossy(&output.stderr));
        // Files of unfinished work may be replaced.
        let may_be_done = name.ends_with("unfinished") || name.ends_with("partial");
        assert!(matches!(code, Some(1 | 2 | 6)) || may_be_done && code == Some(0), "{name}: {code:?} {told}");
    }
}

#[test]
fn a_wait_for_a_lock_is_reported_without_a_terminal() {
    let home = home();
    fs::create_dir(home.path().join("tables")).expect("a directory");
    let lock = fs::File::create(home.path().join("tables/tiles-3x3-pdb8-1fe.lock")).expect("a file");
    lock.lock().expect("the lock");
    let mut child = started(home.path(), "tile24", &words("tables build --size 3x3"));
    let told = BufReader::new(child.stderr.take().expect("piped")).lines().map_while(Result::ok);
    let is_told = told.into_iter().any(|line| line.contains("waiting for another process that builds"));
    assert!(is_told, "it ends without a word");
    drop(lock);
    assert_eq!(ended(child, &"tables build").status.code(), Some(0));
}

#[test]
fn control_characters_of_input_do_not_reach_the_terminal() {
    const CLEAR: &str = "\u{1b}[2J\u{9b}31m\u{7}";
    let home = home();
    fs::create_dir(home.path().join("tables")).expect("a directory");
    fs::write(home.path().join(format!("tables/{CLEAR}.table")), "no table").expect("a file");
    let file = format!("{CLEAR}.jsonl");
    fs::write(home.path().join(&file), format!("{CLEAR}\n{{\"certificate\":1,\"instance\":\"{CLEAR}\"}}\n"))
        .expect("a file");
    let facelets = format!("UUUUUUUUURRRRRRRRRFFFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBB{CLEAR}");
    let all: [(&str, &[&str]); 18] = [
        ("cube-opt", &["solve", "--heuristic", "manhattan-max", CLEAR]),
        ("cube-opt", &["solve", "--heuristic", "manhattan-max", "--json", CLEAR]),
        ("cube-opt", &["solve", "--heuristic", "manhattan-max", "--csv", CLEAR]),
        ("cube-opt", &["solve", "--heuristic", "manhattan-max", "--csv", "R", CLEAR]),
        ("cube-opt", &["solve", "--heuristic", "manhattan-max", &facelets]),
        ("cube-opt", &["solve", "--heuristic", CLEAR, "R"]),
        ("cube-opt", &["tables", "list"]),
        ("cube-opt", &["tables", "verify"]),
        ("cube-opt", &["tables", "remove", CLEAR]),
        ("tile24", &["solve", "--heuristic", "md", CLEAR]),
        ("tile24", &["solve", "--goal", CLEAR, "1 0 2 3"]),
        ("tile24", &["tables", "list", "--json"]),
        ("hanoi4", &["solve", "--discs", "3", "--from", CLEAR]),
        ("hanoi4", &["bfs", "--discs", "3", "--work-dir", "tables", CLEAR]),
        ("referee", &["check", &file]),
        ("referee", &["check", "--json", &file]),
        ("referee", &["check", CLEAR]),
        ("referee", &["prove", CLEAR]),
    ];
    for (name, args) in all {
        let output = run(home.path(), name, args);
        for printed in [output.stdout, output.stderr] {
            let printed = String::from_utf8(printed).expect("text");
            let is_raw = |c: char| c.is_control() && c != '\n' && c != '\t';
            assert!(!printed.contains(is_raw), "{name} {args:?}: {printed:?}");
        }
    }
}

#[test]
fn great_numbers_neither_wrap_nor_hang() {
    let home = home();
    let solve = |extra: &str| {
        let line = format!("solve --heuristic manhattan-max --max-depth 8 --extra {extra}");
        run(home.path(), "cube-opt", &[words(&line), vec!["R2 U2 R2 U2".into()]].concat()).stdout
    };
    let all = solve("4294967295");
    assert_eq!(all, solve("4"));
    assert!(String::from_utf8_lossy(&all).lines().count() > 1);
    for program in ["cube-opt", "tile24", "hanoi4"] {
        let output = run(home.path(), program, &words("--threads 99999 man"));
        assert_eq!(output.status.code(), Some(2), "{output:?}");
    }
}
