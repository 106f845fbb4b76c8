//! A failure: the exit code, a message, every fault found, and a remedy.

use crate::exit::Exit;
use crate::stderr;
use serde::Serialize;
use std::{error, fmt, io};

/// An error on its way to the user.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Failure {
    /// The exit code.
    #[serde(skip)]
    pub exit: Exit,
    /// The error message, without the faults.
    pub message: String,
    /// Every fault found.
    pub faults: Vec<String>,
    /// The remedy.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remedy: Option<String>,
    /// Whether answers or certificates cannot be written, which ends a batch.
    #[serde(skip)]
    pub is_output: bool,
}

impl Failure {
    /// A failure that ends with `exit`. `message` has no final full stop and no newline.
    pub fn new(exit: Exit, message: impl fmt::Display) -> Failure {
        Failure { exit, message: message.to_string(), faults: Vec::new(), remedy: None, is_output: false }
    }

    /// An input/output or internal error.
    pub fn error(message: impl fmt::Display) -> Failure {
        Failure::new(Exit::Error, message)
    }

    /// The command line is wrong.
    pub fn usage(message: impl fmt::Display) -> Failure {
        Failure::new(Exit::Usage, message)
    }

    /// An instance is malformed or unsolvable.
    pub fn malformed(message: impl fmt::Display) -> Failure {
        Failure::new(Exit::Malformed, message)
    }

    /// A table is damaged or of another version.
    pub fn table(message: impl fmt::Display) -> Failure {
        Failure::new(Exit::Table, message)
    }

    /// A signal interrupted the work.
    pub fn interrupted(message: impl fmt::Display) -> Failure {
        Failure::new(Exit::Interrupted, message)
    }

    /// Standard output cannot be written. A broken pipe is a success: the reader has what it wanted.
    pub fn output(error: &io::Error) -> Failure {
        let exit = if error.kind() == io::ErrorKind::BrokenPipe { Exit::Done } else { Exit::Error };
        Failure { is_output: true, ..Failure::new(exit, format_args!("standard output: {error}")) }
    }

    /// The failure with every fault found.
    #[must_use]
    pub fn with_faults<T: fmt::Display>(mut self, faults: impl IntoIterator<Item = T>) -> Failure {
        self.faults.extend(faults.into_iter().map(|fault| fault.to_string()));
        self
    }

    /// The failure with a remedy, as a sentence or a command.
    #[must_use]
    pub fn with_remedy(mut self, remedy: impl fmt::Display) -> Failure {
        self.remedy = Some(remedy.to_string());
        self
    }

    /// The whole failure in one line: message, faults, remedy.
    pub fn one_line(&self) -> String {
        let mut line = self.message.clone();
        if !self.faults.is_empty() {
            line = format!("{line}: {}", self.faults.join("; "));
        }
        if let Some(remedy) = &self.remedy {
            line = format!("{line} ({remedy})");
        }
        line.replace(['\n', '\r'], " ")
    }

    /// Writes the failure to standard error, unless its exit code is that of a success.
    pub fn report(&self) {
        if self.exit != Exit::Done {
            stderr::line(self);
        }
    }
}

/// `error: message`, then a line for each fault, then the remedy. For malformed input, the first line also contains the
/// first fault and the remedy, so that this line alone is enough to correct the input.
impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let on_first = usize::from(self.exit == Exit::Malformed).min(self.faults.len());
        let (first, others) = self.faults.split_at(on_first);
        write!(f, "error: {}", self.message)?;
        for fault in first {
            write!(f, ": {fault}")?;
        }
        match &self.remedy {
            Some(remedy) if self.exit == Exit::Malformed => write!(f, " ({remedy})")?,
            _ => {}
        }
        for fault in others {
            write!(f, "\n  - {fault}")?;
        }
        match &self.remedy {
            Some(remedy) if self.exit != Exit::Malformed => write!(f, "\nremedy: {remedy}"),
            _ => Ok(()),
        }
    }
}

impl error::Error for Failure {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fault_and_the_remedy_are_printed() {
        let failure = Failure::malformed("not a cube")
            .with_faults(["corner UFR is twisted", "edge UF occurs twice"])
            .with_remedy("check the facelets");
        assert_eq!(
            failure.to_string(),
            "error: not a cube: corner UFR is twisted (check the facelets)\n  - edge UF occurs twice"
        );
        let usage = Failure { exit: Exit::Usage, ..failure.clone() };
        assert_eq!(
            usage.to_string(),
            "error: not a cube\n  - corner UFR is twisted\n  - edge UF occurs twice\nremedy: check the facelets"
        );
        assert_eq!(
            failure.one_line(),
            "not a cube: corner UFR is twisted; edge UF occurs twice (check the facelets)"
        );
        assert_eq!(failure.exit, Exit::Malformed);
    }

    #[test]
    fn a_broken_pipe_is_success() {
        let gone = Failure::output(&io::ErrorKind::BrokenPipe.into());
        assert_eq!((gone.exit, gone.is_output), (Exit::Done, true));
        assert_eq!(Failure::output(&io::ErrorKind::StorageFull.into()).exit, Exit::Error);
    }
}
