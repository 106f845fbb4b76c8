//! The crate's integration tests, one program: it is linked once.

use assert_cmd::Command;

/// The exit code, standard output and standard error of the program with these arguments.
fn hanoi4(args: &[&str]) -> (Option<i32>, String, String) {
    let home = concat!(env!("CARGO_TARGET_TMPDIR"), "/hanoi4-tables");
    let mut command = Command::cargo_bin("hanoi4").unwrap();
    let output = command.args(args).args(["--quiet", "--tables", home]).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

mod as_pasted;
mod cli;
mod complete;
mod engine;
mod faults;
mod graph;
mod owners;
mod paths;
mod proofs;
mod resume;
mod stops;
