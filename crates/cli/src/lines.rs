//! The lines of standard input, read ahead by a thread, so that an interruption is noticed while the program waits for the
//! next line.

use crate::column::{Column, Row, Rows};
use crate::failure::Failure;
use crate::instance::{Instance, Origin};
use search_core::Cancel;
use std::io::{self, BufRead, Read};
use std::mem::take;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

/// The longest line that is read, in bytes; a longer one is malformed.
pub(crate) const LINE_LIMIT: usize = 1 << 20;
/// Lines read ahead of the one that is solved.
const READ_AHEAD: usize = 64;
/// The longest time between two checks for an interruption while the program waits for input.
const POLL: Duration = Duration::from_millis(50);

/// An instance; or, if it is refused, the part of it that was read and the reason.
pub(crate) type Stated = Result<Instance, (Instance, Failure)>;

/// The next message from the thread that reads standard input.
pub(crate) enum Next {
    /// The line's number, and the instance in it.
    Line(usize, Stated),
    Stop(Failure),
    End,
    Interrupted,
}

/// Lines that a thread reads ahead.
pub(crate) struct Lines(Receiver<Next>);

impl Lines {
    pub(crate) fn read(source: impl Read + Send + 'static, column: Option<Column>) -> Lines {
        let (sender, receiver) = sync_channel(READ_AHEAD);
        thread::spawn(move || send_lines(&mut io::BufReader::new(source), column.map(Rows::new), &sender));
        Lines(receiver)
    }

    pub(crate) fn next(&self, cancel: &Cancel) -> Next {
        loop {
            if cancel.is_interrupted() {
                return Next::Interrupted;
            }
            match self.0.recv_timeout(POLL) {
                Ok(next) => return next,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Next::End,
            }
        }
    }

    /// The next line, if it is there already.
    pub(crate) fn ready(&self) -> Option<Next> {
        self.0.try_recv().ok()
    }
}

/// Sends every line that is not empty, until the input ends or the receiver is gone.
fn send_lines(source: &mut impl BufRead, mut rows: Option<Rows>, sender: &SyncSender<Next>) {
    let mut follows_return = false;
    for number in 1.. {
        let next = match read_line(source, &mut follows_return) {
            Ok(None) => return,
            Ok(Some(bytes)) => match instance(bytes, number, rows.is_some()) {
                Ok(instance) if instance.text.is_empty() => continue,
                Ok(Instance { text, origin }) => {
                    match rows.as_mut().map_or(Row::Field(text.clone()), |rows| rows.next(&text)) {
                        Row::Header => continue,
                        Row::Field(text) => Next::Line(number, Ok(Instance { text, origin })),
                        Row::Bad(failure) => Next::Line(number, Err((Instance { text, origin }, failure))),
                        Row::Unreadable(failure) => Next::Stop(failure),
                    }
                }
                bad => Next::Line(number, bad),
            },
            Err(error) => Next::Stop(Failure::error(format_args!("standard input: {error}"))),
        };
        let last = matches!(next, Next::Stop(_));
        if sender.send(next).is_err() || last {
            return;
        }
    }
}

/// Reads a line up to a line feed or a carriage return; a line feed at the beginning is skipped if it
/// `follows_return`. Of a line longer than [`LINE_LIMIT`], returns one byte more than that and skips the rest.
fn read_line(source: &mut impl BufRead, follows_return: &mut bool) -> io::Result<Option<Vec<u8>>> {
    let (mut line, mut ended) = (Vec::new(), false);
    let mut is_empty = true;
    while !ended {
        let mut bytes = source.fill_buf()?;
        if bytes.is_empty() {
            return Ok((!is_empty).then_some(line));
        }
        let skipped = usize::from(take(follows_return) && bytes[0] == b'\n');
        bytes = &bytes[skipped..];
        let end = bytes.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
        let length = end.unwrap_or(bytes.len());
        let room = (LINE_LIMIT + 1).saturating_sub(line.len());
        line.extend_from_slice(&bytes[..length.min(room)]);
        ended = end.is_some();
        is_empty &= length == 0 && !ended;
        *follows_return = end.is_some_and(|end| bytes[end] == b'\r');
        source.consume(skipped + length + usize::from(ended));
    }
    Ok(Some(line))
}

/// The instance in a line, or the whole row if the lines are rows.
fn instance(bytes: Vec<u8>, number: usize, is_row: bool) -> Stated {
    let of = |text: &str| Instance { text: text.trim().to_owned(), origin: Origin::Line(number) };
    if bytes.len() > LINE_LIMIT {
        let failure = Failure::malformed(format_args!("the line is longer than {LINE_LIMIT} bytes"));
        return Err((of(&String::from_utf8_lossy(&bytes[..40])), failure));
    }
    match String::from_utf8(bytes) {
        Ok(text) => {
            let text = text.trim_start_matches('\u{feff}');
            // A separator at the beginning or the end is not removed as white space.
            let row = || Instance { text: without_comment(text).to_owned(), origin: Origin::Line(number) };
            Ok(if is_row { row() } else { of(stated(text)) })
        }
        Err(error) => {
            let failure = Failure::malformed(format_args!(
                "the line is not UTF-8 text from byte {} on",
                error.utf8_error().valid_up_to() + 1
            ));
            Err((of(&String::from_utf8_lossy(error.as_bytes())), failure))
        }
    }
}

/// The line without white space at its ends; empty if it is a comment.
fn without_comment(line: &str) -> &str {
    let text = line.trim();
    if text.is_empty() || text.starts_with('#') { "" } else { line }
}

/// The instance in a line: empty for a comment, and the quoted field of a CSV row that has one.
pub(crate) fn stated(line: &str) -> &str {
    let line = without_comment(line);
    match line.split('"').collect::<Vec<_>>()[..] {
        [before, quoted, after]
            if (before.is_empty() || before.ends_with(','))
                && (after.is_empty() || after.starts_with(',')) =>
        {
            quoted
        }
        _ => line,
    }
}
