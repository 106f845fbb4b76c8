//! Standard output: text lines, JSON objects or CSV rows, flushed one by one so that a reader at the
//! other end of a pipe has each answer as soon as it is known.

mod row;

use crate::bars::Bars;
use crate::failure::Failure;
use crate::instance::{Instance, Origin};
use row::Row;
use search_core::Ending;
use search_core::record::RunRecord;
use serde::Serialize;
use std::io::{self, Write};

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
    /// Whether the CSV header is written.
    has_header: bool,
    bars: Bars,
}

impl Output {
    /// Standard output, with the progress bar out of the way while a line is written.
    pub fn stdout(format: Format, bars: &Bars) -> Output {
        Output { bars: bars.clone(), ..Output::to(Box::new(io::stdout()), format) }
    }

    /// Any other place.
    pub fn to(writer: Box<dyn Write>, format: Format) -> Output {
        Output { writer, format, has_header: false, bars: Bars::hidden() }
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
    ///
    /// # Errors
    /// [`Failure::output`] when the line cannot be written; [`Failure::error`] when `value` has
    /// no JSON form.
    pub fn object(&mut self, value: &impl Serialize) -> Result<(), Failure> {
        let line =
            serde_json::to_string(value).map_err(|error| Failure::error(format_args!("JSON: {error}")))?;
        self.line(&line)
    }

    /// Writes one CSV row and flushes it; before the first one the header, which has the names of
    /// the row's fields.
    fn row(&mut self, row: &impl Serialize) -> Result<(), Failure> {
        let mut builder = csv::WriterBuilder::new();
        let mut writer = builder.has_headers(!self.has_header).from_writer(Vec::new());
        writer.serialize(row).map_err(|error| Failure::error(format_args!("CSV: {error}")))?;
        let bytes = writer.into_inner().expect("memory can be written");
        self.has_header = true;
        self.line(String::from_utf8_lossy(&bytes).trim_end_matches('\n'))
    }

    /// Writes `value` as a JSON object, or else the lines that `text` makes of it.
    ///
    /// # Errors
    /// As [`line`](Output::line) and [`object`](Output::object).
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

    /// Writes the record of a search. As text: a line for each solution, its length and its moves;
    /// `>= N` where only a lower bound is proved.
    ///
    /// # Errors
    /// As [`line`](Output::line) and [`object`](Output::object).
    pub fn run(&mut self, record: &RunRecord) -> Result<(), Failure> {
        if self.format() == Format::Csv {
            return self.row(&Row::solved(record));
        }
        self.record(record, |record| match &record.result {
            Ending::Optimal { solutions, .. } => solutions.iter().map(ToString::to_string).collect(),
            Ending::Bounded { lower_bound } | Ending::Cancelled { lower_bound } => {
                vec![format!(">= {lower_bound}")]
            }
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
            Format::Json => self.object(&ErrorRecord::new(instance, failure)),
            Format::Csv => self.row(&Row::failed(&instance.text, failure)),
            Format::Text => self.line(&format!("error: {}: {}", instance.origin, failure.one_line())),
        }
    }
}

/// What `--json` prints for an instance that has no answer.
#[derive(Debug, Serialize)]
struct ErrorRecord<'a> {
    instance: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    argument: Option<usize>,
    error: ErrorBody<'a>,
}

#[derive(Debug, Serialize)]
struct ErrorBody<'a> {
    code: u8,
    kind: &'static str,
    message: &'a str,
    faults: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    remedy: Option<&'a str>,
}

impl<'a> ErrorRecord<'a> {
    fn new(instance: &'a Instance, failure: &'a Failure) -> ErrorRecord<'a> {
        let (line, argument) = match instance.origin {
            Origin::Line(line) => (Some(line), None),
            Origin::Argument(argument) => (None, Some(argument)),
        };
        let error = ErrorBody {
            code: failure.exit().code(),
            kind: failure.exit().word(),
            message: failure.message(),
            faults: failure.faults(),
            remedy: failure.remedy(),
        };
        ErrorRecord { instance: &instance.text, line, argument, error }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::exit::Exit;
    use std::sync::{Arc, Mutex};

    /// A writer whose content a test can look at.
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

    /// A pipe whose reader is gone.
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
            let mut output = Output::to(Box::new(shared.clone()), format);
            output.record(&18, |n| vec![format!("{n} moves")]).unwrap();
            output.error_record(&instance, &failure).unwrap();
            assert_eq!(shared.text(), expected);
        }
    }

    #[test]
    fn a_reader_that_is_gone_ends_the_work_as_a_success() {
        let failure = Output::to(Box::new(Gone), Format::Text).line("x").unwrap_err();
        assert_eq!((failure.exit(), failure.is_output()), (Exit::Done, true));
    }
}
