//! Signals, and lines that are answered as they arrive.
#![cfg(unix)]

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

fn spawn(arguments: &[&str]) -> Child {
    Command::new(assert_cmd::cargo::cargo_bin!("cube-opt"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts")
}

fn signal(child: &Child, name: &str) {
    let status = Command::new("kill").args([name, &child.id().to_string()]).status();
    assert!(status.expect("there is a kill command").success());
}

/// Waits for the end, for a minute at most; exit code, standard output and standard error.
fn finish(mut child: Child) -> (Option<i32>, String, String) {
    let begun = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().expect("the child can be waited for") {
            break status;
        }
        assert!(begun.elapsed() < Duration::from_secs(60), "the program does not end");
        sleep(Duration::from_millis(5));
    };
    let (mut out, mut err) = (String::new(), String::new());
    child.stdout.take().map(|mut pipe| pipe.read_to_string(&mut out));
    child.stderr.take().map(|mut pipe| pipe.read_to_string(&mut err));
    (status.code(), out, err)
}

const SUPERFLIP: &str = "U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2";

#[test]
fn an_interrupted_search_states_its_bound_and_how_to_resume() {
    for name in ["-INT", "-TERM"] {
        let child = spawn(&["solve", "--heuristic", "manhattan-max", "R", SUPERFLIP, "L"]);
        sleep(Duration::from_millis(700));
        signal(&child, name);
        let signalled = Instant::now();
        let (code, out, err) = finish(child);
        assert!(signalled.elapsed() < Duration::from_secs(5), "promptly");
        assert_eq!(code, Some(5), "{out}{err}");
        let lines: Vec<&str> = out.lines().collect();
        assert_eq!((lines.len(), lines[0]), (2, "1 R'"));
        let bound = lines[1].strip_prefix(">= ").expect("a bound");
        let expected = format!(
            "error: interrupted at argument 2: no solution has fewer than {bound} moves\nremedy: resume with: \
             cube-opt solve --heuristic manhattan-max '{}' L\n",
            SUPERFLIP.replace('\'', r"'\''")
        );
        assert_eq!(err, expected);
    }
}

#[test]
fn an_interruption_while_waiting_for_input_is_noticed() {
    let mut child = spawn(&["solve", "--heuristic", "manhattan-max", "-"]);
    let mut input = child.stdin.take().expect("standard input is piped");
    let mut output = BufReader::new(child.stdout.take().expect("standard output is piped"));
    // The answer arrives although the input has not ended.
    for (scramble, answer) in [("R\n", "1 R'\n"), ("U2 F\n", "2 F' U2\n")] {
        input.write_all(scramble.as_bytes()).expect("the program reads");
        let mut line = String::new();
        output.read_line(&mut line).expect("the program answers");
        assert_eq!(line, answer);
    }
    signal(&child, "-INT");
    let (code, _, err) = finish(child);
    assert_eq!(code, Some(5));
    assert_eq!(
        err,
        "error: interrupted before line 3\nremedy: resume with: \
         tail -n +3 INPUT | cube-opt solve --heuristic manhattan-max -\n"
    );
    drop(input);
}

#[test]
fn an_interrupted_perft_keeps_nothing() {
    let child = spawn(&["perft", "7"]);
    sleep(Duration::from_millis(700));
    signal(&child, "-INT");
    let (code, out, err) = finish(child);
    assert_eq!(code, Some(5), "{err}");
    assert!(out.lines().count() < 9 && err.contains("interrupted"), "{out}{err}");
}

#[test]
fn an_interrupted_set_says_at_which_case_to_resume() {
    let options = ["--heuristic", "manhattan-max", "--start-at", "T", "--csv"];
    let child = spawn(&[&["algs", "pll"], &options[..]].concat());
    sleep(Duration::from_millis(700));
    signal(&child, "-INT");
    let (code, out, err) = finish(child);
    assert_eq!((code, out.as_str()), (Some(5), ""), "{err}");
    assert_eq!(
        err,
        "error: interrupted at case 1 of 6: T\nremedy: resume with: \
         cube-opt algs pll --heuristic manhattan-max --csv --start-at T --no-header\n"
    );
}
