//! Standard output: text lines or JSON objects, flushed one by one so that a reader at the other
//! end of a pipe has each answer as soon as it is known.

use crate::bars::Bars;
use crate::batch::{Instance, Origin};
use crate::failure::Failure;
use serde::Serialize;
use std::io::{self, Write};

/// Where answers go.
pub struct Output {
    writer: Box<dyn Write>,
    json: bool,
    bars: Bars,
}

impl Output {
    /// Standard output, with the progress bar out of the way while a line is written.
    pub fn stdout(json: bool, bars: &Bars) -> Output {
        Output { writer: Box::new(io::stdout()), json, bars: bars.clone() }
    }

    /// Any other place.
    pub fn to(writer: Box<dyn Write>, json: bool) -> Output {
        Output { writer, json, bars: Bars::hidden() }
    }

    /// Whether answers are JSON objects.
    pub fn json(&self) -> bool {
        self.json
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

    /// Writes `value` as a JSON object, or else the lines that `text` makes of it.
    ///
    /// # Errors
    /// As [`line`](Output::line) and [`object`](Output::object).
    pub fn record<T: Serialize>(
        &mut self,
        value: &T,
        text: impl FnOnce(&T) -> Vec<String>,
    ) -> Result<(), Failure> {
        if self.json {
            return self.object(value);
        }
        text(value).iter().try_for_each(|line| self.line(line))
    }

    /// Writes the record of an instance that has no answer: a JSON object, or a line that begins
    /// with `error:`, so that output lines still follow the input lines.
    ///
    /// # Errors
    /// As [`line`](Output::line).
    pub fn error_record(&mut self, instance: &Instance, failure: &Failure) -> Result<(), Failure> {
        if self.json {
            self.object(&ErrorRecord::new(instance, failure))
        } else {
            self.line(&format!("error: {}: {}", instance.origin, failure.one_line()))
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
        for (json, expected) in [
            (false, "18 moves\nerror: line 3: unknown moves: `Q` at column 3\n"),
            (
                true,
                "18\n{\"instance\":\"R Q\",\"line\":3,\"error\":{\"code\":3,\"kind\":\"malformed\",\"message\":\"unknown moves\",\"faults\":[\"`Q` at column 3\"]}}\n",
            ),
        ] {
            let shared = Shared::default();
            let mut output = Output::to(Box::new(shared.clone()), json);
            output.record(&18, |n| vec![format!("{n} moves")]).unwrap();
            output.error_record(&instance, &failure).unwrap();
            assert_eq!(shared.text(), expected);
        }
    }

    #[test]
    fn a_reader_that_is_gone_ends_the_work_as_a_success() {
        let failure = Output::to(Box::new(Gone), false).line("x").unwrap_err();
        assert_eq!((failure.exit(), failure.is_output()), (Exit::Done, true));
    }
}
