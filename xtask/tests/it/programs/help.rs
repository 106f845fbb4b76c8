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

/// The version, the commit where the build knew it, and the target.
#[test]
fn versions_name_the_target() {
    let rustc = Command::new("rustc").arg("-vV").output().expect("the compiler");
    let about = String::from_utf8(rustc.stdout).expect("UTF-8");
    let host = about.lines().find_map(|line| line.strip_prefix("host: ")).expect("a host");
    for program in ["cube-opt", "tile24", "hanoi4", "puzzle-opt", "referee"] {
        let output =
            Command::new(program::path(program)).arg("--version").output().expect("the program runs");
        assert!(output.status.success() && output.stderr.is_empty(), "{program}");
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        let build = text.strip_prefix(&format!("{program} {} (", env!("CARGO_PKG_VERSION")));
        let build = build.and_then(|rest| rest.strip_suffix(")\n"));
        let (commit, target) = match build.and_then(|build| build.split_once(", ")) {
            Some((commit, target)) => (Some(commit), Some(target)),
            None => (None, build),
        };
        assert_eq!(target, Some(host), "{text}");
        let is_commit = |commit: &str| {
            commit.strip_prefix("commit ").is_some_and(|digits| {
                digits.len() == 9 && digits.bytes().all(|digit| digit.is_ascii_hexdigit())
            })
        };
        assert!(commit.is_none_or(is_commit), "{text}");
    }
}

/// The commit and the target that the build scripts pass on, for each kind of build.
#[test]
fn builds_know_their_commit() {
    const COMMIT: &str = "0123456789abcdef0123456789abcdef01234567";
    for package in ["cli", "referee"] {
        let folder = program::home();
        let script = folder.path().join("script");
        let source = format!("{}/../crates/{package}/build.rs", env!("CARGO_MANIFEST_DIR"));
        let rustc = Command::new("rustc").args(["--edition", "2024", "-o"]).arg(&script).arg(source).status();
        assert!(rustc.expect("the compiler").success(), "{package}");
        let build_of = |commit: Option<&str>| {
            let mut process = Command::new(&script);
            process.current_dir(folder.path()).env("TARGET", "some-target").env("PROFILE", "dist");
            process.env_remove("OPTIMAL_PUZZLES_COMMIT");
            commit.map(|commit| process.env("OPTIMAL_PUZZLES_COMMIT", commit));
            let text = String::from_utf8(process.output().expect("the script runs").stdout).expect("UTF-8");
            let line = text.lines().find_map(|line| line.strip_prefix("cargo::rustc-env=BUILD_OF="));
            line.expect("a line").to_owned()
        };
        assert_eq!(build_of(None), "some-target", "{package}: a clone");
        assert_eq!(build_of(Some(COMMIT)), "commit 012345678, some-target", "{package}: a release");
        let packed = format!("{{\"git\": {{\"sha1\": \"{}\"}}}}", COMMIT.replace('0', "f"));
        std::fs::write(folder.path().join(".cargo_vcs_info.json"), packed).expect("a file");
        assert_eq!(build_of(None), "commit f12345678, some-target", "{package}: from crates.io");
    }
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
