//! `--certificate FILE`: the data with which a third party can check an answer, one JSON object per line.
//!
//! The file is opened before the search begins, and a line is appended when its answer is printed. A line is
//! written at once, so a kill leaves whole lines and at most one that is cut off; the next program that
//! appends to the file removes that one. docs/certificate.md describes the format.

use crate::failure::Failure;
use clap::Args;
use search_core::Ending;
use search_core::record::{Iteration, RunRecord, Solution, TableUse};
use serde::Serialize;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// The version of the format.
const VERSION: u32 = 2;
/// The beginning of each line. The program refuses to append to a file that begins otherwise.
const BEGINNING: &[u8] = b"{\"certificate\":";

/// Where certificates go. Flatten it into the subcommands whose answers have certificates.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Common options")]
pub struct CertificateArgs {
    /// Append a certificate of each answer to FILE, for `referee check`
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub certificate: Option<PathBuf>,
}

impl CertificateArgs {
    /// Opens the file, if one is named, and removes a last line that was cut off.
    ///
    /// # Errors
    /// When the file cannot be written, holds something else, or another process writes to it.
    pub fn open(&self) -> Result<Certificates, Failure> {
        let Some(path) = &self.certificate else { return Ok(Certificates(None)) };
        let refused = |error| failure(path, error).with_remedy("name another file with --certificate");
        let file = open(path).map_err(refused)?;
        Ok(Certificates(Some((file, path.clone()))))
    }
}

/// An open file of certificates, or nothing.
#[derive(Debug)]
pub struct Certificates(Option<(File, PathBuf)>);

/// The fields of a certificate that are not in the record of the search.
#[derive(Clone, Debug)]
pub struct Subject<P> {
    /// The puzzle, its start and its goal.
    pub puzzle: P,
    /// The meaning of the bounds: `ida`, `shamir`, `layers` or `half_depth`.
    pub search: &'static str,
    /// The method that pruned duplicate strings of moves.
    pub automaton: String,
    /// Whether all solutions were wanted, and if so whether only one of each class under symmetry is listed.
    pub all: Option<bool>,
}

#[derive(Serialize)]
struct Certificate<'a, P> {
    certificate: u32,
    instance: &'a str,
    puzzle: &'a P,
    metric: &'a str,
    result: &'a Ending<Solution>,
    #[serde(skip_serializing_if = "Option::is_none")]
    best: Option<Known<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    all: Option<All>,
    search: &'a str,
    exhausted: Vec<Exhausted>,
    heuristic: &'a str,
    automaton: &'a str,
    tables: &'a [TableUse],
    program: &'a str,
    build: Build,
}

/// The best solution of a search that proved a lower bound alone.
#[derive(Serialize)]
struct Known<'a> {
    length: u32,
    solution: &'a Solution,
}

#[derive(Serialize)]
struct All {
    up_to: u32,
    up_to_symmetry: bool,
}

#[derive(Serialize)]
struct Exhausted {
    bound: u32,
    generated: u64,
    expanded: u64,
    pruned_by_heuristic: u64,
    pruned_by_fsm: u64,
}

#[derive(Serialize)]
struct Build {
    target: &'static str,
    profile: &'static str,
}

impl From<&Iteration> for Exhausted {
    fn from(iteration: &Iteration) -> Exhausted {
        Exhausted {
            bound: iteration.bound,
            generated: iteration.generated,
            expanded: iteration.expanded,
            pruned_by_heuristic: iteration.pruned_by_heuristic,
            pruned_by_fsm: iteration.pruned_by_fsm,
        }
    }
}

impl Certificates {
    /// Whether there is a file to write to.
    pub fn are_wanted(&self) -> bool {
        self.0.is_some()
    }

    /// Appends the certificate of an answer, if there is a file.
    ///
    /// # Errors
    /// When the file cannot be written; the batch ends.
    pub fn write<P: Serialize>(&self, record: &RunRecord, subject: &Subject<P>) -> Result<(), Failure> {
        let Some((file, path)) = &self.0 else { return Ok(()) };
        let mut line = serde_json::to_vec(&certificate(record, subject))
            .map_err(|error| Failure::error(format_args!("JSON: {error}")))?;
        line.push(b'\n');
        let mut file = file;
        file.write_all(&line).map_err(|error| {
            let failure = failure(path, error).with_remedy(
                "free disk space or name another file, then solve the last answered instance again",
            );
            Failure { is_output: true, ..failure }
        })
    }
}

fn certificate<'a, P>(record: &'a RunRecord, subject: &'a Subject<P>) -> Certificate<'a, P> {
    let complete = || record.iterations.iter().filter(|iteration| iteration.complete);
    let last = complete().map(|iteration| iteration.bound).max();
    let best = record.result.best().filter(|_| !record.result.is_proved());
    let up_to = last.filter(|&last| record.result.length().is_some_and(|length| length <= last));
    Certificate {
        certificate: VERSION,
        instance: &record.instance,
        puzzle: &subject.puzzle,
        metric: &record.metric,
        result: &record.result,
        best: best.map(|solution| Known { length: solution.length, solution }),
        all: subject.all.zip(up_to).map(|(up_to_symmetry, up_to)| All { up_to, up_to_symmetry }),
        search: subject.search,
        exhausted: complete().map(Exhausted::from).collect(),
        heuristic: &record.heuristic,
        automaton: &subject.automaton,
        tables: &record.tables,
        program: &record.version,
        build: Build { target: env!("BUILD_TARGET"), profile: env!("BUILD_PROFILE") },
    }
}

fn failure(path: &Path, error: io::Error) -> Failure {
    Failure::error(format_args!("certificate {}: {error}", path.display()))
}

/// Opens a file of certificates to append to.
fn open(path: &Path) -> io::Result<File> {
    // Opening a pipe would wait for its reader.
    if fs::metadata(path).is_ok_and(|found| !found.is_file()) {
        return Err(io::Error::other("not a regular file"));
    }
    let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {}
        Err(TryLockError::WouldBlock) => return Err(io::Error::other("another process writes to it")),
        Err(TryLockError::Error(error)) => return Err(error),
    }
    let mut beginning = Vec::new();
    (&file).take(BEGINNING.len() as u64).read_to_end(&mut beginning)?;
    if !BEGINNING.starts_with(&beginning) {
        return Err(io::Error::other("it contains something other than certificates"));
    }
    let whole = whole_lines(&mut file)?;
    file.set_len(whole)?;
    file.seek(SeekFrom::End(0))?;
    Ok(file)
}

/// The length of a file up to its last newline.
fn whole_lines(file: &mut File) -> io::Result<u64> {
    let mut end = file.metadata()?.len();
    let mut block = [0; 4096];
    while end > 0 {
        let start = end.saturating_sub(block.len() as u64);
        let some = &mut block[..(end - start) as usize];
        file.seek(SeekFrom::Start(start))?;
        file.read_exact(some)?;
        if let Some(newline) = some.iter().rposition(|&byte| byte == b'\n') {
            return Ok(start + newline as u64 + 1);
        }
        end = start;
    }
    Ok(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use search_core::Report;
    use search_core::record::Method;

    fn record() -> RunRecord {
        let iteration = |bound, complete| Iteration { bound, complete, generated: 7, ..Iteration::default() };
        let solution = Solution { length: 2, moves: "LL".into() };
        let report = Report {
            ending: Ending::solved(2, solution),
            iterations: vec![iteration(0, true), iteration(2, false)],
        };
        let method = Method { metric: "moves".into(), version: "solver 1".into(), ..Method::default() };
        RunRecord::new("1 2 0 3".into(), report, 0.5, method)
    }

    fn write(path: &Path) -> Result<(), Failure> {
        let subject = Subject { puzzle: "p", search: "ida", automaton: "off".into(), all: Some(false) };
        CertificateArgs { certificate: Some(path.into()) }.open()?.write(&record(), &subject)
    }

    #[test]
    fn lines_are_appended_and_an_incomplete_line_is_removed() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("answers.jsonl");
        write(&path).unwrap();
        let line = fs::read_to_string(&path).unwrap();
        assert!(line.starts_with("{\"certificate\":2,\"instance\":\"1 2 0 3\",") && line.ends_with("}\n"));
        assert!(line.contains("\"exhausted\":[{\"bound\":0,\"generated\":7,"), "{line}");
        assert!(!line.contains("\"bound\":2") && !line.contains("\"all\""), "{line}");
        for cut in [0, 1, 20, line.len() - 1, line.len()] {
            fs::write(&path, format!("{line}{}", &line[..cut])).unwrap();
            write(&path).unwrap();
            let lines = if cut == line.len() { 3 } else { 2 };
            assert_eq!(fs::read_to_string(&path).unwrap(), line.repeat(lines));
            fs::write(&path, &line[..cut]).unwrap();
            write(&path).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), line.repeat(lines - 1));
        }
        fs::write(&path, line.repeat(40) + &"x".repeat(9000)).unwrap();
        write(&path).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), line.repeat(41));
    }

    #[test]
    fn bounded_answers_have_the_best_solution() {
        let subject = Subject { puzzle: "p", search: "ida", automaton: "off".into(), all: None };
        let solution = Solution { length: 4, moves: "LLRL".into() };
        let known = Some(search_core::record::Best { length: 4, solution });
        let result = Ending::bounded(2).knowing(known, true);
        let line = serde_json::to_string(&certificate(&RunRecord { result, ..record() }, &subject)).unwrap();
        let expected = r#""result":{"kind":"lower_bound","length":2},"best":{"length":4,"solution":"LLRL"}"#;
        assert!(line.contains(expected), "{line}");
        let line = serde_json::to_string(&certificate(&record(), &subject)).unwrap();
        assert!(!line.contains("best"), "{line}");
    }

    #[test]
    fn other_files_are_not_changed() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("thesis.txt");
        fs::write(&path, "chapter one").unwrap();
        assert!(write(&path).unwrap_err().message.contains("something other"));
        assert_eq!(fs::read_to_string(&path).unwrap(), "chapter one");
        assert!(write(home.path()).is_err() && write(&home.path().join("no/such")).is_err());
        let path = home.path().join("answers.jsonl");
        let args = CertificateArgs { certificate: Some(path.clone()) };
        let held = args.open().unwrap();
        assert!(write(&path).unwrap_err().message.contains("another process"));
        drop(held);
        write(&path).unwrap();
        assert!(!CertificateArgs::default().open().unwrap().are_wanted());
    }
}
