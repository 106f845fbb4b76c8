//! The release archive, as a user gets it: packed from the programs under test, unpacked in an empty folder, and run
//! there without access to the repository or to this machine's cache.

use super::program::{self, home};
use crate::house_rules::sources::root;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Runs a command to its end in a folder, with an almost empty environment.
fn run(folder: &Path, program: impl AsRef<std::ffi::OsStr>, arguments: &[&str]) -> Output {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(folder).env_clear();
    command.env("PATH", "/usr/bin:/bin").env("HOME", folder);
    let output = command.output().expect("the program runs");
    let shown = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {}\n{shown}", output.status);
    output
}

/// Packs the programs into `folder` and unpacks the archive in an empty folder within it.
fn unpacked(folder: &Path) -> PathBuf {
    let mut pack = Command::new(root().join(".ci/package"));
    pack.arg(folder).arg(program::folder()).env("TARGET", "x86_64-test");
    let output = pack.output().expect("the script runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let archive = PathBuf::from(String::from_utf8(output.stdout).expect("UTF-8").trim_end());
    let empty = folder.join("empty");
    fs::create_dir(&empty).expect("a folder");
    run(&empty, "tar", &["-xzf", archive.to_str().expect("UTF-8")]);
    let name = archive.file_name().and_then(|name| name.to_str()).expect("a name");
    assert_eq!(name, concat!("optimal-puzzles-", env!("CARGO_PKG_VERSION"), "-x86_64-test.tar.gz"));
    let sum = fs::read_to_string(folder.join(format!("{name}.sha256"))).expect("the checksum");
    let (digits, named) = sum.split_once("  ").expect("a checksum and a name");
    assert!(digits.len() == 64 && named.trim_end() == name, "{sum}");
    empty.join(name.strip_suffix(".tar.gz").expect("an archive"))
}

#[test]
#[ignore = ".ci/run runs it with the released programs"]
fn a_packaged_program_solves_without_other_files() {
    let folder = home();
    let package = unpacked(folder.path());
    for (page, title) in [
        ("cube-opt", "cube"),
        ("tile24-solve", "tiles"),
        ("hanoi4-bfs", "hanoi4"),
        ("puzzle-opt-count", "positions"),
    ] {
        let text = fs::read_to_string(package.join(format!("man/{page}.1"))).expect("a manual page");
        assert!(text.contains(".TH") && text.to_lowercase().contains(title), "{text}");
    }
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        for program in ["cube-opt", "tile24", "hanoi4", "puzzle-opt"] {
            let script = fs::read_to_string(package.join(format!("completions/{program}.{shell}")));
            assert!(script.expect("a script").contains(program));
        }
    }
    for text in ["README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE"] {
        assert_eq!(fs::read(package.join(text)).ok(), fs::read(root().join(text)).ok(), "{text}");
    }

    // A small budget: the best heuristic that it allows needs a small table or none.
    let solve =
        ["solve", "R U R' U' F2", "--memory", "50MiB", "--tables", "tables", "--certificate", "answer.jsonl"];
    let answer = run(&package, package.join("cube-opt"), &solve);
    assert_eq!(answer.stdout, b"5 F2 U R U' R'\n");
    run(&package, package.join("referee"), &["check", "answer.jsonl"]);
    let answer = run(&package, package.join("tile24"), &["solve", "4 1 2 0 5 3 6 7 8", "--tables", "tables"]);
    assert!(answer.stdout.starts_with(b"13 "), "{}", String::from_utf8_lossy(&answer.stdout));
    let answer = run(&package, package.join("hanoi4"), &["solve", "--discs", "5", "--tables", "tables"]);
    assert!(answer.stdout.starts_with(b"13 "), "{}", String::from_utf8_lossy(&answer.stdout));
    let answer =
        run(&package, package.join("puzzle-opt"), &["solve", "2x2x2", "R U R' F2", "--tables", "tables"]);
    assert!(answer.stdout.starts_with(b"4 "), "{}", String::from_utf8_lossy(&answer.stdout));
}

/// The packages that are meant for others.
const PACKAGES: [&str; 7] =
    ["search-core", "puzzle-cli", "referee", "cube-opt", "slidetile", "hanoi4", "puzzle-opt"];

#[test]
#[ignore = ".ci/run runs it with the released programs"]
fn every_published_package_can_be_packed() {
    let folder = home();
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["package", "--no-verify", "--allow-dirty", "--offline", "--locked"]);
    cargo.args(PACKAGES.iter().flat_map(|package| ["-p", package]));
    cargo.arg("--target-dir").arg(folder.path()).current_dir(root());
    let output = cargo.output().expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    for package in PACKAGES {
        let file = format!("package/{package}-{}.crate", env!("CARGO_PKG_VERSION"));
        let packed = run(folder.path(), "tar", &["-tzf", &file]);
        let listed = String::from_utf8(packed.stdout).expect("UTF-8");
        for part in ["src/lib.rs", "README.md", "LICENSE-MIT", "LICENSE-APACHE"] {
            assert!(listed.lines().any(|line| line.ends_with(part)), "{file}: {part}\n{listed}");
        }
    }
}
