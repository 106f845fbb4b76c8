//! Instances from arguments or from standard input, each answered as it arrives.
//!
//! Lines are answered in order; empty ones and comments (`# …`) are
//! skipped; a bad one gets an error record and the others are still solved. A line ends with a line feed,
//! a carriage return, or both. Of a CSV row with one quoted field, such as `1,"14 13 15",57`, that field is
//! the instance; a row with several is passed on whole, for its reader to refuse or to choose from. After an
//! interruption, at any moment, the command that resumes the batch is printed.

use crate::bars::Bars;
use crate::column::Column;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::instance::{Instance, Origin};
use crate::lines::{Lines, Next, Stated};
use crate::output::{Format, Output};
use crate::session::Session;
use crate::{resume, stderr};
use clap::CommandFactory;
use search_core::Cancel;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::io;

impl Session {
    /// Answers every instance with `answer`, and returns the worst exit code.
    ///
    /// Each argument is an instance; `-`, and no argument at all, stand for the lines of standard
    /// input. When `answer` fails, the failure is printed and the next instance follows: a single
    /// argument's on standard error (with `--json` also as an object), a batch's as a record among
    /// the answers (see [`Output::error_record`]). An interruption ends the batch, and standard error
    /// gets the command that resumes it. `A` is the program's arguments.
    ///
    /// # Errors
    /// When standard input cannot be read or standard output cannot be written.
    pub fn batch<A: CommandFactory>(
        &self,
        arguments: &[String],
        answer: impl FnMut(&Instance, &mut Output) -> Result<Exit, Failure>,
    ) -> Result<Exit, Failure> {
        self.batch_of_lines::<A>(arguments, &Grouping::NONE, answer)
    }

    /// The same where an instance may be on several lines of standard input. A group of lines that is not
    /// complete is refused, and the next line begins a new instance.
    ///
    /// # Errors
    /// As [`Session::batch`].
    pub fn batch_of_lines<A: CommandFactory>(
        &self,
        arguments: &[String],
        grouping: &Grouping<'_>,
        answer: impl FnMut(&Instance, &mut Output) -> Result<Exit, Failure>,
    ) -> Result<Exit, Failure> {
        self.each_group::<A>(arguments, grouping, None, answer)
    }

    /// Answers instances like [`batch_of_lines`](Session::batch_of_lines), with a `remedy` of its own after an
    /// interruption.
    pub(crate) fn each_group<A: CommandFactory>(
        &self,
        arguments: &[String],
        grouping: &Grouping<'_>,
        remedy: Option<&str>,
        answer: impl FnMut(&Instance, &mut Output) -> Result<Exit, Failure>,
    ) -> Result<Exit, Failure> {
        self.each_input::<A, _>(arguments, remedy, answer, |batch, input, cancel| match input {
            Input::Argument(number, text) => batch.argument(number, text, cancel),
            Input::Lines(lines) => batch.lines(lines, grouping, cancel),
        })
    }

    /// Answers instances like [`batch`](Session::batch), several lines at a time: `work` runs on all threads, and `write`
    /// receives its results in the order of the lines.
    ///
    /// # Errors
    /// As [`Session::batch`].
    pub fn batch_in_parallel<A: CommandFactory, T: Send>(
        &self,
        arguments: &[String],
        work: impl Fn(&Instance) -> Result<T, Failure> + Sync + Send,
        mut write: impl FnMut(&Instance, T, &mut Output) -> Result<Exit, Failure>,
    ) -> Result<Exit, Failure> {
        let results = RefCell::new(VecDeque::new());
        let answer = |instance: &Instance, output: &mut Output| {
            let result = results.borrow_mut().pop_front().expect("the work on it is done");
            write(instance, result?, output)
        };
        self.each_input::<A, _>(arguments, None, answer, |batch, input, cancel| match input {
            Input::Argument(number, text) => {
                results.borrow_mut().push_back(work(&argument(number, text)));
                batch.argument(number, text, cancel)
            }
            Input::Lines(lines) => {
                let mut following = 1;
                while batch.stopped_at.is_none() {
                    let mut read = vec![lines.next(cancel)];
                    let is_line = |next: Option<&Next>| matches!(next, Some(Next::Line(..)));
                    while read.len() < MOST_AT_ONCE && is_line(read.last()) {
                        let Some(next) = lines.ready() else { break };
                        read.push(next);
                    }
                    let instances = read.iter().filter_map(|next| match next {
                        Next::Line(_, Ok(instance)) => Some(instance),
                        _ => None,
                    });
                    let done = self.run().map(&instances.collect::<Vec<_>>(), |instance| work(instance));
                    results.borrow_mut().extend(done);
                    for next in read {
                        match next {
                            _ if batch.stopped_at.is_some() => break,
                            Next::Line(number, stated) => {
                                following = number + 1;
                                batch.bars.set_place(&format!("line {number}"));
                                batch.one(stated)?;
                            }
                            Next::Stop(failure) => return Err(failure),
                            Next::End => return Ok(()),
                            Next::Interrupted => batch.interrupt_before(Origin::Line(following)),
                        }
                    }
                }
                Ok(())
            }
        })
    }

    /// Passes the arguments and the lines of standard input to `pass`, which answers them, until they end or the work is
    /// interrupted. `remedy` replaces the command that answers the rest.
    fn each_input<A: CommandFactory, F: FnMut(&Instance, &mut Output) -> Result<Exit, Failure>>(
        &self,
        arguments: &[String],
        remedy: Option<&str>,
        answer: F,
        mut pass: impl FnMut(&mut Batch<F>, Input<'_>, &Cancel) -> Result<(), Failure>,
    ) -> Result<Exit, Failure> {
        let stdin = ["-".to_owned()];
        let arguments = if arguments.is_empty() { &stdin } else { arguments };
        self.announce_input(arguments);
        let single = is_single(arguments);
        let (mut batch, run) = (Batch::new(answer, self.output(), single, self.bars()), self.run());
        for (at, argument) in arguments.iter().enumerate() {
            if argument == "-" {
                let lines = Lines::read(io::stdin(), self.column().cloned());
                pass(&mut batch, Input::Lines(&lines), run.cancel())?;
            } else {
                if arguments.len() > 1 {
                    self.bars().set_place(&format!("{} of {}", at + 1, arguments.len()));
                }
                pass(&mut batch, Input::Argument(at + 1, argument), run.cancel())?;
            }
            let Some(origin) = batch.stopped_at else { continue };
            if batch.worst == Exit::Interrupted {
                let has_header = matches!(self.column(), Some(Column::Name(_)));
                let remedy = match remedy {
                    Some(remedy) => remedy.to_owned(),
                    None => format!("resume with: {}", resume::command::<A>(at, origin, has_header)),
                };
                stderr::line(format_args!("remedy: {remedy}"));
            }
            break;
        }
        self.bars().set_place("");
        batch.remark_failures(self);
        Ok(batch.worst)
    }
}

/// Whether the arguments are a single instance.
pub(crate) fn is_single(arguments: &[String]) -> bool {
    matches!(arguments, [one] if one != "-")
}

/// The number of lines that are answered together.
const MOST_AT_ONCE: usize = 256;

/// A part of the input of a batch.
enum Input<'a> {
    /// An argument, with its number from 1.
    Argument(usize, &'a str),
    /// The lines of standard input.
    Lines(&'a Lines),
}

/// The instance in an argument.
fn argument(number: usize, text: &str) -> Instance {
    Instance { text: text.trim().to_owned(), origin: Origin::Argument(number) }
}

/// Refuses arguments if there are several and each is only a part of an instance, which probably lacks its
/// quotes. `what` says what each of them is.
///
/// # Errors
/// Exit code 3 with the quoted command.
pub fn refuse_parts(arguments: &[String], is_part: impl Fn(&str) -> bool, what: &str) -> Result<(), Failure> {
    if arguments.len() < 2 || !arguments.iter().all(|argument| is_part(argument)) {
        return Ok(());
    }
    Err(Failure::malformed(format_args!("each of the {} arguments is {what}", arguments.len())).with_remedy(
        format_args!(
            "put quotes around them, \"{}\", or give one instance per line of standard input",
            arguments.join(" ")
        ),
    ))
}

/// The state of a batch between two instances.
pub(crate) struct Batch<F> {
    answer: F,
    output: Output,
    bars: Bars,
    single: bool,
    count: usize,
    failed: usize,
    pub(crate) worst: Exit,
    /// The instance at which the batch ended early.
    pub(crate) stopped_at: Option<Origin>,
}

impl<F: FnMut(&Instance, &mut Output) -> Result<Exit, Failure>> Batch<F> {
    pub(crate) fn new(answer: F, output: Output, single: bool, bars: &Bars) -> Batch<F> {
        let bars = bars.clone();
        Batch { answer, output, bars, single, count: 0, failed: 0, worst: Exit::Done, stopped_at: None }
    }

    /// Answers an argument, the `number`-th, unless the work was interrupted.
    fn argument(&mut self, number: usize, text: &str, cancel: &Cancel) -> Result<(), Failure> {
        let origin = Origin::Argument(number);
        if cancel.is_interrupted() {
            self.interrupt_before(origin);
            return Ok(());
        }
        self.one(Ok(argument(number, text)))
    }

    /// Answers lines until the input ends or the work is interrupted.
    fn lines(&mut self, lines: &Lines, grouping: &Grouping<'_>, cancel: &Cancel) -> Result<(), Failure> {
        let (mut following, mut ahead) = (1, None);
        while self.stopped_at.is_none() {
            match ahead.take().unwrap_or_else(|| lines.next(cancel)) {
                Next::Line(number, Ok(instance)) => {
                    following = number + 1;
                    self.bars.set_place(&format!("line {number}"));
                    match (grouping.group)(&instance.text) {
                        Ok(None) => self.one(Ok(instance))?,
                        Ok(Some(group)) => {
                            let (gathered, next) = gather(instance, group, grouping, lines, cancel);
                            match next {
                                Some(Next::Interrupted) => self.interrupt_before(Origin::Line(number)),
                                next => {
                                    self.one(gathered)?;
                                    ahead = next;
                                }
                            }
                        }
                        Err(failure) => self.one(Err((instance, failure)))?,
                    }
                }
                Next::Line(number, line) => {
                    self.one(line)?;
                    following = number + 1;
                }
                Next::Stop(failure) => return Err(failure),
                Next::End => break,
                Next::Interrupted => self.interrupt_before(Origin::Line(following)),
            }
        }
        Ok(())
    }

    /// Says how many instances failed, if there are several.
    pub(crate) fn remark_failures(&self, session: &Session) {
        if self.failed > 0 && !self.single {
            session.remark(&format!("{} of {} instances failed", self.failed, self.count));
        }
    }

    /// Ends the batch between two instances.
    pub(crate) fn interrupt_before(&mut self, origin: Origin) {
        Failure::interrupted(format_args!("interrupted before {origin}")).report();
        (self.worst, self.stopped_at) = (self.worst.max(Exit::Interrupted), Some(origin));
    }

    /// Answers one instance, or prints why there is no answer.
    pub(crate) fn one(&mut self, line: Stated) -> Result<(), Failure> {
        self.count += 1;
        let (instance, result) = match line {
            Ok(instance) => {
                let result = (self.answer)(&instance, &mut self.output);
                (instance, result)
            }
            Err((instance, failure)) => (instance, Err(failure)),
        };
        let exit = match result {
            Ok(exit) => exit,
            Err(failure) if failure.is_output => return Err(failure),
            Err(failure) => {
                self.failed += 1;
                if self.single {
                    failure.report();
                }
                if !self.single || self.output.format() != Format::Text {
                    self.output.error_record(&instance, &failure)?;
                }
                failure.exit
            }
        };
        self.worst = self.worst.max(exit);
        self.stopped_at = (exit >= Exit::Interrupted).then_some(instance.origin);
        Ok(())
    }
}

/// Several lines that are one instance together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Group {
    /// The number of lines.
    pub lines: usize,
    /// The number of words in each line after the first.
    pub words: usize,
}

/// How lines of standard input belong together.
pub struct Grouping<'a> {
    /// The group that a line begins; `Ok(None)` if it is an instance by itself. The error is that of a line
    /// that could be either.
    pub group: &'a dyn Fn(&str) -> Result<Option<Group>, Failure>,
    /// The number of words in a line.
    pub words: &'a dyn Fn(&str) -> usize,
}

impl Grouping<'_> {
    /// Each line is an instance.
    pub const NONE: Grouping<'static> = Grouping { group: &|_| Ok(None), words: &|_| 0 };
}

/// The instance on several lines, of which the first was read, and what comes next if that was read too.
fn gather(
    first: Instance,
    group: Group,
    grouping: &Grouping<'_>,
    lines: &Lines,
    cancel: &Cancel,
) -> (Stated, Option<Next>) {
    let (mut text, mut next) = (first.text, None);
    let mut count = 1;
    while count < group.lines && next.is_none() {
        match lines.next(cancel) {
            Next::Line(_, Ok(line)) if (grouping.words)(&line.text) == group.words => {
                text = text + "\n" + &line.text;
                count += 1;
            }
            other => next = Some(other),
        }
    }
    let instance = Instance { text, origin: first.origin };
    let missing = || {
        let message = format!("incomplete instance: {count} of {} lines", group.lines);
        Failure::malformed(message).with_remedy("is the input cut off?")
    };
    if count == group.lines { (Ok(instance), next) } else { (Err((instance, missing())), next) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lines::{LINE_LIMIT, stated};
    use crate::output::tests::Shared;
    use std::io::Cursor;

    /// Answers with the text's length; `bad` is malformed and `stop` an interruption. The output, the
    /// exit code, the number of failures, and where the batch was interrupted.
    fn lengths(input: &[u8], cancel: &Cancel) -> (String, Exit, usize, Option<Origin>) {
        lengths_in(None, input, cancel)
    }

    fn lengths_in(
        column: Option<&str>,
        input: &[u8],
        cancel: &Cancel,
    ) -> (String, Exit, usize, Option<Origin>) {
        let column = column.map(|column| column.parse().unwrap());
        let shared = Shared::default();
        let answer = |instance: &Instance, output: &mut Output| match instance.text.as_str() {
            "bad" => Err(Failure::malformed("it is bad")),
            "stop" => Ok(Exit::Interrupted),
            text => output.line(&text.len().to_string()).map(|()| Exit::Done),
        };
        let output = Output::new(Box::new(shared.clone()), Format::Text, &Bars::hidden());
        let mut batch = Batch::new(answer, output, false, &Bars::hidden());
        // A line `rows N` and the N lines after it, of one word each, are an instance.
        let group = |text: &str| {
            let lines = text.strip_prefix("rows ").and_then(|count| count.parse().ok());
            Ok(lines.map(|lines: usize| Group { lines: lines + 1, words: 1 }))
        };
        let grouping = Grouping { group: &group, words: &|line| line.split_whitespace().count() };
        batch.lines(&Lines::read(Cursor::new(input.to_vec()), column), &grouping, cancel).unwrap();
        (shared.text(), batch.worst, batch.failed, batch.stopped_at)
    }

    #[test]
    fn a_bad_line_does_not_stop_the_others() {
        let (text, worst, failed, _) = lengths(b"R U\n\n  \nbad\r\n  ab \nabc", &Cancel::new());
        assert_eq!(text, "3\nerror: line 4: it is bad\n2\n3\n");
        assert_eq!((worst, failed), (Exit::Malformed, 1));
    }

    #[test]
    fn comments_are_skipped_and_quoted_fields_read() {
        let input = b"# id,instance\n  # none\n1,\"R U\",57\n\"abc d\"\nbad\n";
        assert_eq!(lengths(input, &Cancel::new()).0, "3\n5\nerror: line 5: it is bad\n");
    }

    #[test]
    fn instances_are_read_from_a_column() {
        let input = b"# times\nno,cube,time\n1,\"abc\",9\n2,R U,\n3,bad,8\n4,x\n";
        let errors = "error: line 5: it is bad\nerror: line 6: the row has 2 fields, the first row 3 (put quotation \
                      marks around fields that contain a separator)\n";
        assert_eq!(lengths_in(Some("cube"), input, &Cancel::new()).0, format!("3\n3\n{errors}"));
        assert_eq!(lengths_in(Some("2"), b"a\tbb\n\tccc\n", &Cancel::new()).0, "2\n3\n");
    }

    #[test]
    fn a_row_with_several_quoted_fields_is_passed_on_whole() {
        assert_eq!(stated(r#""F2L","R U R'""#), r#""F2L","R U R'""#);
        assert_eq!(stated(r#"1,"R U""#), "R U");
        assert_eq!(stated(r#"a"R U""#), r#"a"R U""#);
        assert_eq!(stated(r#""R U"#), r#""R U"#);
    }

    #[test]
    fn lines_of_one_instance_are_joined_or_refused() {
        let read = |input: &[u8]| lengths(input, &Cancel::new()).0;
        assert_eq!(read(b"rows 2\na\n# none\nb\ncc\n"), "10\n2\n");
        let missing = "error: line 1: incomplete instance: 2 of 4 lines (is the input cut off?)\n";
        assert_eq!(read(b"rows 3\na\nb c\nd\n"), format!("{missing}3\n1\n"));
        assert_eq!(read(b"rows 3\na\n"), missing);
    }

    #[test]
    fn a_carriage_return_alone_ends_a_line() {
        assert_eq!(
            lengths(b"a\rbb\r\nccc\r\r\ndddd\rstop\rb", &Cancel::new()),
            ("1\n2\n3\n4\n".to_owned(), Exit::Interrupted, 0, Some(Origin::Line(6)),)
        );
    }

    #[test]
    fn parts_of_an_instance_are_refused() {
        let refused = |arguments: &[&str]| {
            let arguments: Vec<String> = arguments.iter().map(|&text| text.to_owned()).collect();
            refuse_parts(&arguments, |text| text.len() == 1, "a single letter")
        };
        assert!(refused(&["a"]).is_ok() && refused(&["a", "bb"]).is_ok() && refused(&[]).is_ok());
        let failure = refused(&["a", "b"]).unwrap_err();
        assert_eq!(failure.message, "each of the 2 arguments is a single letter");
        assert!(failure.remedy.unwrap().starts_with("put quotes around them, \"a b\""));
    }

    #[test]
    fn lines_that_are_no_text_or_too_long_are_malformed() {
        let mut input = b"\xef\xbb\xbfok\nno\xff\n".to_vec();
        input.extend(vec![b'x'; 2 * LINE_LIMIT]);
        input.extend(b"\nend\n");
        let (text, worst, ..) = lengths(&input, &Cancel::new());
        assert_eq!(
            text,
            "2\nerror: line 2: the line is not UTF-8 text from byte 3 on\n\
             error: line 3: the line is longer than 1048576 bytes\n3\n"
        );
        assert_eq!(worst, Exit::Malformed);
    }

    #[test]
    fn no_line_is_answered_after_an_interruption() {
        let (text, worst, _, at) = lengths(b"a\n\nstop\nb\n", &Cancel::new());
        assert_eq!((text.as_str(), worst, at), ("1\n", Exit::Interrupted, Some(Origin::Line(3))));
        let cancel = Cancel::new();
        cancel.cancel();
        let (text, worst, _, at) = lengths(b"a\n", &cancel);
        assert_eq!((text.as_str(), worst, at), ("", Exit::Interrupted, Some(Origin::Line(1))));
    }
}
