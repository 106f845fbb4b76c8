//! A check, shared by the tests of all programs, that every command can be stopped.

use crate::{Exit, Failure};
use clap::{Command, Parser};
use search_core::Cancel;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::mpsc::channel;
use std::thread;
use std::time::{Duration, Instant};

/// The longest that a command may take to stop, on a slow machine that does other work too.
const PATIENCE: Duration = Duration::from_secs(120);
/// The time that is spent on one command.
const EACH: Duration = Duration::from_millis(500);
/// The greatest number of questions after which a command is stopped.
const MOST_QUESTIONS: u64 = 1 << 12;

/// How a command is tested.
#[derive(Clone, Copy, Debug)]
pub enum Stops {
    /// It ends at once, whatever its arguments, or as soon as its output is written.
    AtOnce,
    /// The commands of the first field prepare the directory; then the command works for a while with the arguments of
    /// the second field, one per line. `DIR` stands for a directory of its own, `GIVEN` for the file `given` in the
    /// directory of the test.
    Works(&'static [&'static str], &'static str),
}

/// Stops each command of the program `A` at its first question whether it must stop, its second, its fourth and so on; the
/// command must then end. A command with `--time-limit` is also run with a short one. `commands` names all commands of the
/// program, some of them repeatedly, so that a new one cannot be forgotten. `home` is a directory for what they write.
///
/// # Panics
/// If `commands` lacks a command or names one that the program does not have, or if a command does not stop.
pub fn check_that_commands_stop<A: Parser + Send + 'static>(
    commands: &[(&str, Stops)],
    home: &Path,
    run: fn(A, &Cancel, &Path) -> Result<Exit, Failure>,
) {
    let program = A::command();
    let named: BTreeSet<String> = commands.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(leaves(&program), named, "the commands of {}", program.get_name());
    for (name, stops) in commands {
        if let Stops::Works(before, arguments) = stops {
            let home = home.join(name.replace(' ', "-"));
            Tried { name, before, arguments, home: &home, run }.check(has_time_limit(&program, name));
        }
    }
}

/// The names of the commands that have no subcommands.
fn leaves(command: &Command) -> BTreeSet<String> {
    let of_child = |child: &Command| {
        let name = child.get_name();
        let below = leaves(child);
        let named = below.iter().map(|leaf| format!("{name} {leaf}")).collect::<Vec<_>>();
        if named.is_empty() { vec![name.to_owned()] } else { named }
    };
    command.get_subcommands().filter(|child| child.get_name() != "help").flat_map(of_child).collect()
}

fn has_time_limit(program: &Command, name: &str) -> bool {
    let command = name.split(' ').fold(program, |command, word| {
        command.find_subcommand(word).unwrap_or_else(|| panic!("there is no command {name}"))
    });
    command.get_arguments().any(|argument| argument.get_long() == Some("time-limit"))
}

/// A command that is stopped again and again.
struct Tried<'a, A> {
    name: &'a str,
    before: &'a [&'a str],
    arguments: &'a str,
    home: &'a Path,
    run: fn(A, &Cancel, &Path) -> Result<Exit, Failure>,
}

impl<A: Parser + Send + 'static> Tried<'_, A> {
    fn check(&self, has_time_limit: bool) {
        for line in self.before {
            let exit = self.exit(line, &Cancel::new());
            assert!(matches!(exit, Exit::Done | Exit::Unsolved), "{}: {line}: {exit:?}", self.name);
        }
        let line = format!("{}\n{}", self.name.replace(' ', "\n"), self.arguments);
        let (begun, mut questions) = (Instant::now(), 1);
        while questions <= MOST_QUESTIONS && begun.elapsed() < EACH {
            let cancel = Cancel::at_question(questions);
            let exit = self.exit(&line, &cancel);
            if exit != Exit::Interrupted {
                assert!(questions > 1, "{} never asks whether it must stop: {exit:?}", self.name);
                break;
            }
            questions *= 2;
        }
        if has_time_limit {
            let exit = self.exit(&format!("{line}\n--time-limit\n50ms"), &Cancel::new());
            assert_eq!(exit, Exit::Unsolved, "{} with --time-limit", self.name);
        }
    }

    /// The exit code of a command with these words, one per line.
    fn exit(&self, line: &str, cancel: &Cancel) -> Exit {
        let (home, dir) = (self.home, self.home.join("dir"));
        let words = line.lines().filter(|word| !word.is_empty());
        let words = words.map(|word| match word {
            "DIR" => dir.clone().into(),
            "GIVEN" => home.with_file_name("given").into(),
            word => word.into(),
        });
        let common =
            ["--quiet".into(), "--threads=2".into(), "--tables".into(), home.join("tables").into_os_string()];
        let words = ["program".into()].into_iter().chain(words).chain(common);
        let args = A::try_parse_from(words).unwrap_or_else(|error| panic!("{line}: {error}"));
        let (ended, wait) = channel();
        let (run, cancel, home) = (self.run, cancel.clone(), home.to_owned());
        thread::spawn(move || {
            let exit = run(args, &cancel, &home).unwrap_or_else(|failure| {
                failure.report();
                failure.exit
            });
            ended.send(exit)
        });
        wait.recv_timeout(PATIENCE)
            .unwrap_or_else(|error| panic!("{line}: it does not stop, or panics: {error}"))
    }
}
