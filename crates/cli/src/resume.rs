//! How to resume what was stopped: the command line of an interrupted batch without the instances that were answered,
//! and the checkpoint in a work directory.

use crate::argv;
use crate::instance::Origin;
use clap::{Command, CommandFactory};
use search_core::storage::WorkDir;
use std::ffi::{OsStr, OsString};
use std::path::Path;

/// The command that answers the instance at `origin` and all after it, as it is typed in a shell.
/// `answered` arguments before it need no answer; the first line stays if it is a header. `A` is the program's arguments.
pub fn command<A: CommandFactory>(answered: usize, origin: Origin, has_header: bool) -> String {
    let argv = argv::words();
    resumed(&A::command(), &argv, answered, origin, has_header)
}

/// The remedy for a search that was stopped and keeps its checkpoints in `work_dir`; `how` describes how to resume it.
pub fn remedy(work_dir: &Path, how: &str) -> String {
    if WorkDir::has_checkpoint(work_dir) {
        format!("the checkpoint is saved; {how}")
    } else {
        "it was stopped before its first checkpoint; the same command starts over".to_owned()
    }
}

fn resumed(
    program: &Command,
    argv: &[OsString],
    answered: usize,
    origin: Origin,
    has_header: bool,
) -> String {
    let prefix = match origin {
        Origin::Argument(_) => String::new(),
        Origin::Line(number) if has_header => format!("{{ head -n 1 INPUT; tail -n +{number} INPUT; }} | "),
        Origin::Line(number) => format!("tail -n +{number} INPUT | "),
    };
    let drop = positionals(program, argv).into_iter().take(answered).collect::<Vec<_>>();
    // A search that is resumed does not begin anew.
    let kept =
        argv.iter().enumerate().filter(|(at, word)| !drop.contains(at) && *word != OsStr::new("--fresh"));
    let words: Vec<String> =
        kept.map(|(at, word)| if at == 0 { name(program, word) } else { quoted(word) }).collect();
    prefix + &words.join(" ")
}

/// The program's name, if the path that it was started with ends with it; otherwise that path.
fn name(program: &Command, path: &OsStr) -> String {
    let name = program.get_name();
    if path.as_encoded_bytes().ends_with(name.as_bytes()) { name.to_owned() } else { quoted(path) }
}

/// The indices in `argv` of the subcommand's instances: words that are neither options nor their values, after those
/// of its other positional arguments.
fn positionals(program: &Command, argv: &[OsString]) -> Vec<usize> {
    let (mut found, mut command, mut only_values) = (Vec::new(), None, false);
    // The names of options and commands are text.
    let argv: Vec<String> = argv.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    let mut words = argv.iter().enumerate().skip(1);
    while let Some((at, word)) = words.next() {
        if !only_values && word == "--" {
            only_values = true;
        } else if !only_values && word.len() > 1 && word.starts_with('-') {
            if takes_next_word(program, command, word) {
                words.next();
            }
        } else if command.is_none() {
            command = program.find_subcommand(word).or(Some(program));
        } else {
            found.push(at);
        }
    }
    let others = command.map_or(0, |command| command.get_positionals().count().saturating_sub(1));
    found.split_off(others.min(found.len()))
}

/// Whether an option is followed by its value.
fn takes_next_word(program: &Command, subcommand: Option<&Command>, word: &str) -> bool {
    let Some(long) = word.strip_prefix("--") else { return false };
    let arguments = program.get_arguments().chain(subcommand.into_iter().flat_map(Command::get_arguments));
    let mut options = arguments.filter(|argument| argument.get_long() == Some(long));
    options.any(|argument| argument.get_action().takes_values())
}

/// A word of a command, quoted for a shell where that is needed.
///
/// Bytes that are no text, and control characters, are written as `$'\377'`, which the shells of POSIX 2024
/// read (bash, zsh, ksh): they would otherwise not reach the terminal as they are.
pub fn quoted(word: impl AsRef<OsStr>) -> String {
    let bytes = word.as_ref().as_encoded_bytes();
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-./=+,:@%".contains(byte);
    match std::str::from_utf8(bytes) {
        Ok(word) if !word.is_empty() && bytes.iter().all(is_plain) => word.to_owned(),
        Ok(word) if !word.chars().any(char::is_control) => format!("'{}'", word.replace('\'', r"'\''")),
        _ => format!("$'{}'", bytes.iter().map(escaped).collect::<String>()),
    }
}

/// A byte between `$'` and `'`. Octal: a hexadecimal escape may take more digits than two.
fn escaped(byte: &u8) -> String {
    match byte {
        b'\'' | b'\\' => format!("\\{}", char::from(*byte)),
        b' '..=b'~' => char::from(*byte).to_string(),
        byte => format!("\\{byte:03o}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::{Args, Parser, Subcommand};
    use search_core::storage::WorkKind;

    #[derive(Parser)]
    #[command(name = "solver")]
    struct Program {
        #[command(flatten)]
        _common: crate::CommonArgs,
        #[command(subcommand)]
        _command: Sub,
    }

    #[derive(Subcommand)]
    enum Sub {
        Solve(Solve),
        Puzzle(Puzzle),
    }

    #[derive(Args)]
    struct Solve {
        #[arg(long)]
        _goal: Option<String>,
        #[arg(long)]
        _all: bool,
        _instances: Vec<String>,
    }

    #[derive(Args)]
    struct Puzzle {
        _name: String,
        _instances: Vec<String>,
    }

    fn resume(argv: &[&str], answered: usize, origin: Origin) -> String {
        let argv: Vec<OsString> = argv.iter().map(OsString::from).collect();
        resumed(&Program::command(), &argv, answered, origin, false)
    }

    #[test]
    fn a_checkpoint_is_promised_only_if_there_is_one() {
        const KIND: WorkKind = WorkKind { magic: b"a-test-of-resume", is_own: |_| false };
        let dir = tempfile::tempdir().expect("a directory");
        let remedy = || super::remedy(dir.path(), "repeat the command");
        let (work, _) = WorkDir::open(dir.path(), KIND, "a search", false).expect("a work directory");
        assert!(!remedy().contains("saved"), "{}", remedy());
        work.commit(b"half").expect("a checkpoint");
        assert_eq!(remedy(), "the checkpoint is saved; repeat the command");
    }

    #[test]
    fn answered_arguments_are_left_out() {
        let argv =
            ["/bin/solver", "--threads", "2", "solve", "R U", "--all", "F2 B'", "--goal", "F2 B'", "-v", "L"];
        assert_eq!(
            resume(&argv, 2, Origin::Argument(3)),
            r"solver --threads 2 solve --all --goal 'F2 B'\''' -v L"
        );
        assert_eq!(
            resume(&argv, 0, Origin::Argument(1)),
            r"solver --threads 2 solve 'R U' --all 'F2 B'\''' --goal 'F2 B'\''' -v L"
        );
        assert_eq!(resume(&["solver", "solve", "--fresh", "R"], 0, Origin::Argument(1)), "solver solve R");
        assert_eq!(
            resume(&["solver", "solve", "--", "--x", "-y"], 1, Origin::Argument(2)),
            "solver solve -- -y"
        );
    }

    #[test]
    fn arguments_before_the_instances_are_kept() {
        let argv = ["solver", "puzzle", "skewb", "R", "--quiet", "U"];
        assert_eq!(resume(&argv, 1, Origin::Argument(2)), "solver puzzle skewb --quiet U");
        assert_eq!(resume(&["solver", "puzzle"], 0, Origin::Argument(1)), "solver puzzle");
    }

    #[test]
    fn a_batch_of_lines_resumes_after_the_last_answer() {
        let line = Origin::Line(7);
        assert_eq!(resume(&["solver", "solve", "-"], 0, line), "tail -n +7 INPUT | solver solve -");
        assert_eq!(
            resume(&["solver", "solve", "R", "-", "U"], 1, line),
            "tail -n +7 INPUT | solver solve - U"
        );
        let argv = ["solver", "solve"].map(OsString::from);
        assert_eq!(
            resumed(&Program::command(), &argv, 0, line, true),
            "{ head -n 1 INPUT; tail -n +7 INPUT; } | solver solve"
        );
    }

    /// What a shell makes of a quoted word.
    #[cfg(unix)]
    fn read_by_a_shell(shell: &str, word: &OsStr) -> Option<Vec<u8>> {
        let command = format!("printf %s {}", quoted(word));
        std::process::Command::new(shell).args(["-c", &command]).output().ok().map(|output| output.stdout)
    }

    #[cfg(unix)]
    #[test]
    fn a_shell_reads_every_word_as_it_was_typed() {
        use std::os::unix::ffi::OsStrExt;
        let texts =
            ["", "a b", "it's", "\"", "$(touch x)", "`x`", ";rm", "a&b|c", "-", "*", "~", "ü", "\\n", "!"];
        for word in texts {
            assert_eq!(read_by_a_shell("sh", word.as_ref()).as_deref(), Some(word.as_bytes()), "{word}");
        }
        // Not text, or control characters.
        for word in [&b"\xff7"[..], b"a\xfe'$(x);\\", b"\x1b[31m\n", b"\x011", "\u{9b}1".as_bytes()] {
            let quoted = quoted(OsStr::from_bytes(word));
            assert!(quoted.is_ascii() && !quoted.chars().any(char::is_control), "{quoted}");
            if let Some(read) = read_by_a_shell("bash", OsStr::from_bytes(word)) {
                assert_eq!(read, word, "{quoted}");
            }
        }
    }
}
