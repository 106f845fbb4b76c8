//! Standard output: text lines, JSON objects or CSV rows, flushed one by one so that a reader at the
//! other end of a pipe has each answer as soon as it is known.

mod row;
#[cfg(test)]
mod schema_tests;

use crate::args::Print;
use crate::bars::Bars;
use crate::failure::Failure;
use crate::instance::Instance;
use crate::stderr::printable;
use row::Row;
use search_core::record::RunRecord;
use search_core::{Ending, Solution};
use serde::Serialize;
use std::io::Write;

/// The form of answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// Lines for people.
    #[default]
    Text,
    /// One JSON object per line.
    Json,
    /// A header, then one row per record of a search.
    Csv,
}

/// Where answers go.
pub struct Output {
    writer: Box<dyn Write>,
    format: Format,
    print: Print,
    /// Whether the CSV header is written.
    has_header: bool,
    bars: Bars,
}

impl Output {
    /// Answers to `writer`, usually standard output. Hides the progress bar while a line is written.
    pub fn new(writer: Box<dyn Write>, format: Format, bars: &Bars) -> Output {
        Output { writer, format, print: Print::default(), has_header: false, bars: bars.clone() }
    }

    /// The same, with this part of each solution as text.
    #[must_use]
    pub fn printing(self, print: Print) -> Output {
        Output { print, ..self }
    }

    /// The form of answers.
    pub fn format(&self) -> Format {
        self.format
    }

    /// Writes one line of text and flushes it.
    ///
    /// # Errors
    /// [`Failure::output`] when the line cannot be written.
    pub fn line(&mut self, line: &str) -> Result<(), Failure> {
        let Output { writer, bars, .. } = self;
        bars.suspend(|| writeln!(writer, "{line}").and_then(|()| writer.flush()))
            .map_err(|error| Failure::output(&error))
    }

    /// Writes one JSON object as a line and flushes it.
    pub(crate) fn object(&mut self, value: &impl Serialize) -> Result<(), Failure> {
        let line =
            serde_json::to_string(value).map_err(|error| Failure::error(format_args!("JSON: {error}")))?;
        self.line(&without_controls(&line))
    }

    /// Writes one CSV row and flushes it; before the first one the header, which has the names of
    /// the row's fields.
    fn row(&mut self, row: &impl Serialize) -> Result<(), Failure> {
        let mut builder = csv::WriterBuilder::new();
        let mut writer = builder.has_headers(!self.has_header).from_writer(Vec::new());
        writer.serialize(row).map_err(|error| Failure::error(format_args!("CSV: {error}")))?;
        let bytes = writer.into_inner().expect("memory can be written");
        self.has_header = true;
        self.line(&printable(String::from_utf8_lossy(&bytes).trim_end_matches('\n')))
    }

    /// Writes `value` as a JSON object with `--json`, and otherwise the lines that `text` makes of it.
    ///
    /// # Errors
    /// As [`line`](Output::line); [`Failure::error`] when `value` has no JSON form.
    pub fn record<T: Serialize>(
        &mut self,
        value: &T,
        text: impl FnOnce(&T) -> Vec<String>,
    ) -> Result<(), Failure> {
        if self.format == Format::Json {
            return self.object(value);
        }
        text(value).iter().try_for_each(|line| self.line(line))
    }

    /// Writes a row of a table: a JSON object, a CSV row below a header with the names of its fields, or the
    /// lines that `text` makes of it. Every row of one output has the same fields.
    ///
    /// # Errors
    /// As [`record`](Output::record).
    pub fn table_row<T: Serialize>(
        &mut self,
        value: &T,
        text: impl FnOnce(&T) -> Vec<String>,
    ) -> Result<(), Failure> {
        let printed = |value: &T| text(value).iter().map(|line| printable(line)).collect();
        if self.format == Format::Csv { self.row(value) } else { self.record(value, printed) }
    }

    /// Leaves out the header of CSV rows, because it was written elsewhere.
    pub fn skip_header(&mut self) {
        self.has_header = true;
    }

    /// Writes the record of a search. As text: a line for each solution, its length and its moves, or [a part](Print) of
    /// these; `N..M` and the moves of the best solution where it is not proved shortest; `>= N` where only a lower bound is
    /// proved.
    ///
    /// # Errors
    /// As [`record`](Output::record).
    pub fn run(&mut self, record: &RunRecord) -> Result<(), Failure> {
        self.run_as(record, record)
    }

    /// Writes the record of a search like [`run`](Output::run). With `--json`, its object also has the
    /// fields of `more`.
    ///
    /// # Errors
    /// As [`record`](Output::record).
    pub fn run_with(&mut self, record: &RunRecord, more: &impl Serialize) -> Result<(), Failure> {
        self.run_as(record, &Extended { record, more })
    }

    fn run_as(&mut self, record: &RunRecord, object: &impl Serialize) -> Result<(), Failure> {
        if self.format() == Format::Csv {
            return self.row(&Row::solved(record));
        }
        let print = self.print;
        self.record(object, |_| match &record.result {
            Ending::Optimal { solutions, .. } => {
                let mut lines: Vec<String> = Vec::new();
                for line in solutions.iter().map(|solution| print.part(solution)) {
                    if print == Print::Solution || !lines.contains(&line) {
                        lines.push(line);
                    }
                }
                lines
            }
            Ending::Bounded { lower_bound, best } | Ending::Cancelled { lower_bound, best } => match best {
                Some(best) => vec![format!("{lower_bound}..{}", print.part(&best.solution))],
                None => vec![format!(">= {lower_bound}")],
            },
            Ending::Exhausted => vec!["no solution".to_owned()],
        })
    }

    /// Writes the record of an instance that has no answer: a JSON object, a CSV row, or a line that
    /// begins with `error:`, so that output lines still follow the input lines.
    ///
    /// # Errors
    /// As [`line`](Output::line).
    pub fn error_record(&mut self, instance: &Instance, failure: &Failure) -> Result<(), Failure> {
        match self.format {
            Format::Json => {
                let (code, kind) = failure.exit.code_and_word();
                self.object(&ErrorRecord { instance, error: ErrorBody { code, kind, failure } })
            }
            Format::Csv => self.row(&Row::failed(&instance.text, failure)),
            Format::Text => {
                self.line(&printable(&format!("error: {}: {}", instance.origin, failure.one_line())))
            }
        }
    }
}

impl Print {
    /// This part of a solution, as text.
    fn part(self, solution: &Solution) -> String {
        match self {
            Print::Solution => solution.to_string(),
            Print::Length => solution.length.to_string(),
            Print::Next => {
                let moves = solution.first_move().to_owned();
                Solution { length: solution.length, moves }.to_string()
            }
        }
    }
}

/// A JSON text with all control characters escaped. `serde_json` escapes those of ASCII except DEL, but the characters
/// from U+0080 to U+009F also control terminals. In JSON they can occur only within strings.
fn without_controls(json: &str) -> String {
    let escaped = |c: char| if c.is_control() { format!("\\u{:04x}", u32::from(c)) } else { c.to_string() };
    match json.contains(char::is_control) {
        true => json.chars().map(escaped).collect(),
        false => json.to_owned(),
    }
}

/// A record, and fields that only some programs add.
#[derive(Serialize)]
struct Extended<'a, M> {
    #[serde(flatten)]
    record: &'a RunRecord,
    #[serde(flatten)]
    more: &'a M,
}

/// The object that `--json` prints for an instance that has no answer.
#[derive(Serialize)]
struct ErrorRecord<'a> {
    #[serde(flatten)]
    instance: &'a Instance,
    error: ErrorBody<'a>,
}

#[derive(Serialize)]
struct ErrorBody<'a> {
    code: u8,
    kind: &'static str,
    #[serde(flatten)]
    failure: &'a Failure,
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::exit::Exit;
    use crate::instance::Origin;
    use std::io;
    use std::sync::{Arc, Mutex};

    /// A writer whose content a test can read.
    #[derive(Clone, Default)]
    pub(crate) struct Shared(pub Arc<Mutex<Vec<u8>>>);

    impl Shared {
        pub(crate) fn text(&self) -> String {
            String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
        }
    }

    impl Write for Shared {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// A pipe whose reader has closed it.
    struct Gone;

    impl Write for Gone {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn records_are_text_or_json() {
        let instance = Instance { text: "R Q".into(), origin: Origin::Line(3) };
        let failure = Failure::malformed("unknown moves").with_faults(["`Q` at column 3"]);
        for (format, expected) in [
            (Format::Text, "18 moves\nerror: line 3: unknown moves: `Q` at column 3\n"),
            (
                Format::Json,
                "18\n{\"instance\":\"R Q\",\"line\":3,\"error\":{\"code\":3,\"kind\":\"malformed\",\"message\":\"unknown moves\",\"faults\":[\"`Q` at column 3\"]}}\n",
            ),
        ] {
            let shared = Shared::default();
            let mut output = Output::new(Box::new(shared.clone()), format, &Bars::hidden());
            output.record(&18, |n| vec![format!("{n} moves")]).unwrap();
            output.error_record(&instance, &failure).unwrap();
            assert_eq!(shared.text(), expected);
        }
    }

    #[test]
    fn rows_of_a_table_are_quoted_where_csv_needs_it() {
        #[derive(Serialize)]
        struct Line<'a> {
            case: &'a str,
            moves: Option<&'a str>,
        }
        for (format, skips, expected) in [
            (Format::Text, false, "R \"U\"\n"),
            (Format::Json, false, "{\"case\":\"a,b\",\"moves\":\"R \\\"U\\\"\"}\n"),
            (Format::Csv, false, "case,moves\n\"a,b\",\"R \"\"U\"\"\"\n"),
            (Format::Csv, true, "\"a,b\",\"R \"\"U\"\"\"\n"),
        ] {
            let shared = Shared::default();
            let mut output = Output::new(Box::new(shared.clone()), format, &Bars::hidden());
            if skips {
                output.skip_header();
            }
            let line = Line { case: "a,b", moves: Some("R \"U\"") };
            output.table_row(&line, |line| vec![line.moves.unwrap_or_default().to_owned()]).unwrap();
            assert_eq!(shared.text(), expected);
        }
    }

    #[test]
    fn a_closed_pipe_ends_the_work_successfully() {
        let failure = Output::new(Box::new(Gone), Format::Text, &Bars::hidden()).line("x").unwrap_err();
        assert_eq!((failure.exit, failure.is_output), (Exit::Done, true));
    }
}
