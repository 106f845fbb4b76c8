//! The help of every command of every program.

use super::program;
use insta::assert_snapshot;
use std::process::{Command, Stdio};

#[test]
fn cube_opt() {
    assert_snapshot!("cube-opt", help("cube-opt", ""));
}

#[test]
fn tile24() {
    assert_snapshot!("tile24", help("tile24", ""));
}

#[test]
fn hanoi4() {
    assert_snapshot!("hanoi4", help("hanoi4", ""));
}

#[test]
fn puzzle_opt() {
    assert_snapshot!("puzzle-opt", help("puzzle-opt", ""));
}

#[test]
fn referee() {
    assert_snapshot!("referee", help("referee", ""));
}

#[test]
fn xtask() {
    assert_snapshot!("xtask", help("xtask", ""));
}

#[test]
fn topspin() {
    assert_snapshot!("topspin", help("topspin", ""));
}

/// The output of `--help` for a command and for each of its subcommands.
fn help(program: &str, command: &str) -> String {
    let mut process = Command::new(program::path(program));
    // The width of the text without a terminal.
    process.env("COLUMNS", "100").stdin(Stdio::null()).args(command.split_whitespace()).arg("--help");
    let output = process.output().expect("the program runs");
    assert!(output.status.success(), "{program}{command} --help");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let inner = commands(&text).map(|name| help(program, &format!("{command} {name}")));
    format!("$ {program}{command} --help\n{text}\n") + &inner.collect::<String>()
}

/// The commands that a help text lists, except for `help`.
fn commands(text: &str) -> impl Iterator<Item = &str> {
    let listed =
        text.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    // Continuation lines of a description are indented further.
    let names =
        listed.filter(|line| !line.starts_with("   ")).filter_map(|line| line.split_whitespace().next());
    names.filter(|name| *name != "help")
}
