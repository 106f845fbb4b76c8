//! `referee check`: checks the claims of certificates.

use super::Exit;
use crate::certificate::{Answer, Certificate, Effort, MAX_BYTES, Puzzle, Report};
use clap::Args;
use serde::Serialize;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};

/// Check certificates that solvers wrote with --certificate
///
/// Replays the solutions, searches for shorter ones, and prints for each claim whether it is verified, refuted or
/// taken on trust. A file holds one certificate per line.
#[derive(Args, Clone, Debug)]
#[command(after_help = AFTER_HELP)]
pub(super) struct CheckArgs {
    /// The files; - for standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<String>,
    /// Maximum number of states that the search for a shorter solution expands, per certificate; if it does not
    /// suffice, a second search with the same limit excludes as many lengths as it can. A state of the
    /// cube needs up to about 300 bytes of memory, others less
    #[arg(long, value_name = "STATES", default_value_t = Effort::default().states)]
    effort: u64,
    /// Print one JSON object per certificate instead of text
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
Examples:
  cube-opt solve \"R U R' U'\" --certificate answer.jsonl
  referee check answer.jsonl
  referee check --effort 50000000 answer.jsonl    searches further";

/// The maximum number of characters of a finding that are printed.
const MAX_PRINTED: usize = 4000;

/// The reason why the program cannot continue.
enum Stop {
    /// Standard output cannot be written.
    Output(io::Error),
    /// A file cannot be read.
    Input(String, io::Error),
}

/// The counts of the summary.
#[derive(Default)]
struct Counts {
    certificates: usize,
    proved: usize,
    refuted: usize,
    malformed: usize,
}

/// The report on a certificate in the form that `--json` prints.
#[derive(Serialize)]
struct Checked<'a> {
    file: &'a str,
    line: usize,
    #[serde(flatten)]
    outcome: Outcome<'a>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Outcome<'a> {
    Report {
        instance: &'a str,
        stands: bool,
        #[serde(flatten)]
        report: &'a Report,
    },
    Malformed {
        malformed: &'a str,
    },
}

pub(super) fn run(args: &CheckArgs) -> Exit {
    let mut checker = Checker { args, out: io::stdout(), counts: Counts::default(), worst: Exit::Stands };
    for file in &args.files {
        match checker.file(file) {
            Ok(()) => {}
            Err(Stop::Output(error)) => return output_failed(&error),
            Err(Stop::Input(name, error)) => {
                complain(&format!("{name}: {error}"));
                checker.worst = Exit::Error;
            }
        }
    }
    match checker.summary() {
        Ok(()) => checker.worst,
        Err(error) => output_failed(&error),
    }
}

/// Success if the reader closed the pipe, otherwise a failure.
fn output_failed(error: &io::Error) -> Exit {
    if error.kind() == io::ErrorKind::BrokenPipe {
        return Exit::Stands;
    }
    complain(&format!("standard output: {error}"));
    Exit::Error
}

/// Writes to standard error; if that is closed, the text is lost.
fn complain(what: &str) {
    let _ = writeln!(io::stderr(), "error: {}", printable(what));
}

/// Writes an error of the command line, which may quote a part of it.
pub(super) fn complain_of_arguments(text: &str) {
    for line in text.lines() {
        let _ = writeln!(io::stderr(), "{}", printable(line));
    }
}

/// The text, shortened, with control characters escaped.
fn printable(text: &str) -> String {
    let escaped = |c: char| if c.is_control() { c.escape_default().to_string() } else { c.to_string() };
    let mut shown: String = text.chars().take(MAX_PRINTED).map(escaped).collect();
    if text.chars().nth(MAX_PRINTED).is_some() {
        shown += " …";
    }
    shown
}

struct Checker<'a> {
    args: &'a CheckArgs,
    out: io::Stdout,
    counts: Counts,
    worst: Exit,
}

impl Checker<'_> {
    fn file(&mut self, name: &str) -> Result<(), Stop> {
        let failed = |error| Stop::Input(name.to_owned(), error);
        if name == "-" {
            return self.lines(name, &mut io::stdin().lock());
        }
        self.lines(name, &mut BufReader::new(File::open(name).map_err(failed)?))
    }

    fn lines(&mut self, name: &str, source: &mut impl BufRead) -> Result<(), Stop> {
        let before = self.counts.certificates;
        for number in 1.. {
            let line = read_line(source).map_err(|error| Stop::Input(name.to_owned(), error))?;
            let Some(bytes) = line else { break };
            if !bytes.iter().all(u8::is_ascii_whitespace) {
                self.certificate(name, number, &bytes).map_err(Stop::Output)?;
            }
        }
        if self.counts.certificates == before {
            return self.malformed(name, 0, "no certificate in the file").map_err(Stop::Output);
        }
        Ok(())
    }

    fn certificate(&mut self, name: &str, number: usize, bytes: &[u8]) -> io::Result<()> {
        self.counts.certificates += 1;
        let parsed = match std::str::from_utf8(bytes) {
            Ok(text) => Certificate::parse(text).map_err(|malformed| malformed.to_string()),
            Err(error) => {
                Err(format!("not a certificate: not UTF-8 from byte {} on", error.valid_up_to() + 1))
            }
        };
        match parsed {
            Err(why) => self.malformed(name, number, &why),
            Ok(certificate) => {
                let report = certificate.check(Effort { states: self.args.effort });
                self.report(name, number, &certificate, &report)
            }
        }
    }

    fn malformed(&mut self, file: &str, line: usize, why: &str) -> io::Result<()> {
        self.counts.malformed += 1;
        self.worst = self.worst.max(Exit::Malformed);
        if self.args.json {
            return self.object(&Checked { file, line, outcome: Outcome::Malformed { malformed: why } });
        }
        let place = if line > 0 { format!("{file}:{line}") } else { file.to_owned() };
        self.line(&format!("{place}: malformed: {why}"))
    }

    fn report(&mut self, file: &str, line: usize, of: &Certificate, report: &Report) -> io::Result<()> {
        self.counts.proved += usize::from(report.stands() && report.proved);
        if !report.stands() {
            self.counts.refuted += 1;
            self.worst = self.worst.max(Exit::Refuted);
        }
        if self.args.json {
            let (instance, stands) = (&of.instance[..], report.stands());
            return self.object(&Checked {
                file,
                line,
                outcome: Outcome::Report { instance, stands, report },
            });
        }
        self.line(&format!("{file}:{line}: {}", title(of)))?;
        report.findings.iter().try_for_each(|finding| self.line(&format!("  {finding}")))
    }

    fn summary(&mut self) -> io::Result<()> {
        let Counts { certificates, proved, refuted, malformed } = self.counts;
        if self.args.json {
            return Ok(());
        }
        let trusted = certificates.saturating_sub(proved + refuted + malformed);
        self.line(&format!(
            "{certificates} checked: {proved} proved, {trusted} partly taken on trust, {refuted} refuted, \
             {malformed} malformed"
        ))
    }

    fn object(&mut self, value: &impl Serialize) -> io::Result<()> {
        let json = serde_json::to_string(value)?;
        // The writer escapes the control characters of ASCII except DEL; those from U+0080 also control terminals.
        let escaped = |c: char| match c.is_control() {
            true => format!("\\u{:04x}", u32::from(c)),
            false => c.to_string(),
        };
        writeln!(self.out, "{}", json.chars().map(escaped).collect::<String>())?;
        self.out.flush()
    }

    fn line(&mut self, text: &str) -> io::Result<()> {
        writeln!(self.out, "{}", printable(text))?;
        self.out.flush()
    }
}

/// A short description of a certificate.
fn title(certificate: &Certificate) -> String {
    let puzzle = match &certificate.puzzle {
        Puzzle::Cube { .. } => "cube".to_owned(),
        Puzzle::Tiles { rows, columns, .. } => format!("{rows}x{columns} tiles"),
        Puzzle::Permutation { name, .. } => name.clone(),
        Puzzle::Hanoi { pegs, start, .. } => format!("{} discs on {pegs} pegs", start.chars().count()),
    };
    match &certificate.result {
        Answer::Optimal { length, .. } => format!("{puzzle}, solved in {length}, claimed to be shortest"),
        Answer::LowerBound { length } => match &certificate.best {
            Some(best) => format!("{puzzle}, solved in {}, at least {length} claimed", best.length),
            None => format!("{puzzle}, not solved, at least {length} claimed"),
        },
        Answer::Exhausted => format!("{puzzle}, claimed to have no solution"),
    }
}

/// Reads a line. If it is too long, returns one byte more than is allowed and skips the rest.
fn read_line(source: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    source.take(MAX_BYTES as u64 + 1).read_until(b'\n', &mut line)?;
    if line.len() > MAX_BYTES && line.last() != Some(&b'\n') {
        source.skip_until(b'\n')?;
    }
    Ok((!line.is_empty()).then_some(line))
}
