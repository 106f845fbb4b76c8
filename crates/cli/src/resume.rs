//! The command that resumes an interrupted batch: the command line without the instances that were
//! answered.

use crate::instance::Origin;
use clap::{Command, CommandFactory};
use std::env;

/// The command that answers the instance at `origin` and all after it, as it is typed in a shell.
/// `answered` arguments before it need no answer. `A` is the program's arguments.
pub fn command<A: CommandFactory>(answered: usize, origin: Origin) -> String {
    let argv: Vec<String> = env::args_os().map(|arg| arg.to_string_lossy().into_owned()).collect();
    resumed(&A::command(), &argv, answered, origin)
}

fn resumed(program: &Command, argv: &[String], answered: usize, origin: Origin) -> String {
    let prefix = match origin {
        Origin::Argument(_) => String::new(),
        Origin::Line(number) => format!("tail -n +{number} INPUT | "),
    };
    let drop = positionals(program, argv).into_iter().take(answered).collect::<Vec<_>>();
    // A search that is resumed does not begin anew.
    let kept = argv.iter().enumerate().filter(|(at, word)| !drop.contains(at) && *word != "--fresh");
    let words: Vec<String> =
        kept.map(|(at, word)| if at == 0 { name(program, word) } else { quoted(word) }).collect();
    prefix + &words.join(" ")
}

/// The program's name, if the path that it was started with ends with it; otherwise that path.
fn name(program: &Command, path: &str) -> String {
    let name = program.get_name();
    if path.ends_with(name) { name.to_owned() } else { quoted(path) }
}

/// The indices in `argv` of the subcommand's instances: words that are neither options nor their values.
fn positionals(program: &Command, argv: &[String]) -> Vec<usize> {
    let (mut found, mut command, mut only_values) = (Vec::new(), None, false);
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
    found
}

/// Whether an option is followed by its value.
fn takes_next_word(program: &Command, subcommand: Option<&Command>, word: &str) -> bool {
    let Some(long) = word.strip_prefix("--") else { return false };
    let arguments = program.get_arguments().chain(subcommand.into_iter().flat_map(Command::get_arguments));
    let mut options = arguments.filter(|argument| argument.get_long() == Some(long));
    options.any(|argument| argument.get_action().takes_values())
}

/// A word of a command, quoted for a shell where that is needed.
pub fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-./=+,:@%".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::{Args, Parser, Subcommand};

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
    }

    #[derive(Args)]
    struct Solve {
        #[arg(long)]
        _goal: Option<String>,
        #[arg(long)]
        _all: bool,
        _instances: Vec<String>,
    }

    fn resume(argv: &[&str], answered: usize, origin: Origin) -> String {
        let argv: Vec<String> = argv.iter().map(|word| (*word).to_owned()).collect();
        resumed(&Program::command(), &argv, answered, origin)
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
    fn a_batch_of_lines_resumes_after_the_last_answer() {
        let line = Origin::Line(7);
        assert_eq!(resume(&["solver", "solve", "-"], 0, line), "tail -n +7 INPUT | solver solve -");
        assert_eq!(
            resume(&["solver", "solve", "R", "-", "U"], 1, line),
            "tail -n +7 INPUT | solver solve - U"
        );
    }
}
