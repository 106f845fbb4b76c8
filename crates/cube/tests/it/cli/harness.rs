//! Runs `cube-opt` and renders what a user sees.

use assert_cmd::Command;
use cube::Metric;
use cube::tables::{Pattern, TableId};
use search_core::table::Recipe;
use std::process::Output;

/// The program with the arguments of `line` (split at spaces; `'…'` keeps a text together), with its tables in a
/// directory that all tests share.
pub fn cube_opt(line: &str) -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("cube-opt"));
    command.args(words(line));
    command.env("OPTIMAL_PUZZLES_TABLES", shared_tables());
    command.env_remove("RUST_LOG");
    command.timeout(std::time::Duration::from_secs(120));
    command
}

/// One directory for each version of the tables' ranking, so that none in it is out of date.
fn shared_tables() -> String {
    let id = TableId { pattern: Pattern::Corners, metric: Metric::Htm };
    format!("{}/cube-tables-{}", env!("CARGO_TARGET_TMPDIR"), id.spec().ranking)
}

/// Arguments as a shell would split them.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut quoted) = (Vec::new(), false);
    for part in line.split('\'') {
        if quoted {
            words.push(part.to_owned());
        } else {
            words.extend(part.split_whitespace().map(str::to_owned));
        }
        quoted = !quoted;
    }
    words
}

/// The exit code, standard output and standard error as one text.
pub fn render(output: &Output) -> String {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("the program prints UTF-8");
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    let code = output.status.code().map_or("none".to_owned(), |code| code.to_string());
    let mut rendered = format!("exit code: {code}\n----- stdout -----\n{out}");
    if !err.is_empty() {
        rendered += &format!("----- stderr -----\n{err}");
    }
    rendered
}

/// Runs `cube-opt` with nothing on standard input.
pub fn run(line: &str) -> String {
    run_with(line, "")
}

/// Runs `cube-opt` with `input` on standard input.
pub fn run_with(line: &str, input: &str) -> String {
    let output = cube_opt(line).write_stdin(input).output().expect("the program runs");
    format!("$ cube-opt {line}\n{}", render(&output))
}

/// Replaces the parts of a text that differ between runs or ranking versions: seconds, checksums, and
/// `directory`.
pub fn redacted(text: &str, directory: &str) -> String {
    let text = if directory.is_empty() { text.to_owned() } else { text.replace(directory, "DIR") };
    let mut parts = text.split("seconds\":");
    let first = parts.next().unwrap_or_default().to_owned();
    let timeless = parts.fold(first, |so_far, part| {
        let end = part.find([',', '}']).expect("a figure ends");
        so_far + "seconds\":0.0" + &part[end..]
    });
    without_checksums(&timeless)
}

/// Replaces every word of 16 hexadecimal digits that is not a fraction by CHECKSUM.
fn without_checksums(text: &str) -> String {
    let mut after = ' ';
    let mut result = String::new();
    for word in text.split_inclusive(|c: char| !c.is_ascii_alphanumeric()) {
        let digits = word.trim_end_matches(|c: char| !c.is_ascii_alphanumeric());
        let is_checksum = digits.len() == 16 && digits.chars().all(|c| c.is_ascii_hexdigit()) && after != '.';
        result += if is_checksum { "CHECKSUM" } else { digits };
        result += &word[digits.len()..];
        after = word.chars().next_back().unwrap_or(' ');
    }
    result
}
