//! The exit codes, the same for all binaries, ordered from best to worst.

use std::process::ExitCode;

/// How a program ended. The order is by severity, so that the result of a batch is the maximum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Exit {
    /// All done (code 0).
    Done,
    /// Not proved within the given bound or limit; the proved lower bound and the best solution were printed (code 4).
    Unsolved,
    /// An instance is malformed or unsolvable (code 3).
    Malformed,
    /// Interrupted; the command to resume was printed (code 5).
    Interrupted,
    /// A table is damaged or of another version (code 6).
    Table,
    /// The command line is wrong (code 2).
    Usage,
    /// An input/output or internal error (code 1).
    Error,
}

impl Exit {
    /// The meaning of the codes, for the help text of a program.
    pub const HELP: &str = "\
Exit codes:
  0  all done
  1  other errors, such as input/output, too little memory or a locked table
  2  usage
  3  an instance is malformed or unsolvable; every fault found is named
  4  not proved within the given bound or limit; the proved lower bound and the best solution so far are printed
  5  interrupted; the command to resume is printed
  6  a table is damaged or of another version; the remedy is printed
A batch continues after codes 3 and 4 and stops at any other. It returns the worst code met, in the
order 0, 4, 3, 5, 6, 2, 1.";

    /// The number that the process returns, and the word for it in error records.
    pub const fn code_and_word(self) -> (u8, &'static str) {
        match self {
            Exit::Done => (0, "done"),
            Exit::Error => (1, "error"),
            Exit::Usage => (2, "usage"),
            Exit::Malformed => (3, "malformed"),
            Exit::Unsolved => (4, "unsolved"),
            Exit::Interrupted => (5, "interrupted"),
            Exit::Table => (6, "table"),
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit.code_and_word().0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_batch_returns_the_worst_code() {
        let batch = [Exit::Done, Exit::Malformed, Exit::Unsolved, Exit::Done];
        assert_eq!(batch.into_iter().fold(Exit::Done, Exit::max), Exit::Malformed);
        assert!(Exit::Interrupted > Exit::Malformed && Exit::Error > Exit::Table);
    }

    #[test]
    fn codes_are_those_of_the_help_text() {
        let all = [
            Exit::Done,
            Exit::Error,
            Exit::Usage,
            Exit::Malformed,
            Exit::Unsolved,
            Exit::Interrupted,
            Exit::Table,
        ];
        for (code, exit) in all.into_iter().enumerate() {
            assert_eq!(usize::from(exit.code_and_word().0), code);
            assert!(Exit::HELP.contains(&format!("\n  {code}  ")));
        }
    }
}
