//! Checks that the tests of all programs share: every command can be stopped, and every line of `--json` fits the
//! published schema.

use crate::{Exit, Failure, Program, Session};
use clap::Command;
use search_core::Cancel;
use serde_json::{Map, Value};
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

/// Stops each command of the program `P` at its first question whether it must stop, its second, its fourth and so on; the
/// command must then end. A command with `--time-limit` is also run with a short one. `commands` names all commands of the
/// program, some of them repeatedly, so that a new one cannot be forgotten. `home` is a directory for what they write.
///
/// # Panics
/// If `commands` lacks a command or names one that the program does not have, or if a command does not stop.
pub fn check_that_commands_stop<P: Program + Send + 'static>(commands: &[(&str, Stops)], home: &Path) {
    let program = P::command();
    let named: BTreeSet<String> = commands.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(leaves(&program), named, "the commands of {}", program.get_name());
    for (name, stops) in commands {
        if let Stops::Works(before, arguments) = stops {
            let home = home.join(name.replace(' ', "-"));
            let tried = Tried { name, before, arguments, home: &home };
            tried.check::<P>(has_time_limit(&program, name));
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
struct Tried<'a> {
    name: &'a str,
    before: &'a [&'a str],
    arguments: &'a str,
    home: &'a Path,
}

impl Tried<'_> {
    fn check<P: Program + Send + 'static>(&self, has_time_limit: bool) {
        for line in self.before {
            let exit = self.exit::<P>(line, &Cancel::new());
            assert!(matches!(exit, Exit::Done | Exit::Unsolved), "{}: {line}: {exit:?}", self.name);
        }
        let line = format!("{}\n{}", self.name.replace(' ', "\n"), self.arguments);
        let (begun, mut questions) = (Instant::now(), 1);
        while questions <= MOST_QUESTIONS && begun.elapsed() < EACH {
            let cancel = Cancel::at_question(questions);
            let exit = self.exit::<P>(&line, &cancel);
            if exit != Exit::Interrupted {
                assert!(questions > 1, "{} never asks whether it must stop: {exit:?}", self.name);
                break;
            }
            questions *= 2;
        }
        if has_time_limit {
            let exit = self.exit::<P>(&format!("{line}\n--time-limit\n50ms"), &Cancel::new());
            assert_eq!(exit, Exit::Unsolved, "{} with --time-limit", self.name);
        }
    }

    /// The exit code of a command with these words, one per line.
    fn exit<P: Program + Send + 'static>(&self, line: &str, cancel: &Cancel) -> Exit {
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
        let args = P::try_parse_from(words).unwrap_or_else(|error| panic!("{line}: {error}"));
        let (ended, wait) = channel();
        let (cancel, home) = (cancel.clone(), home.to_owned());
        thread::spawn(move || ended.send(exit_of(args, &cancel, &home)));
        wait.recv_timeout(PATIENCE)
            .unwrap_or_else(|error| panic!("{line}: it does not stop, or panics: {error}"))
    }
}

/// The exit code of a program with these arguments, which keeps its state in `home` and shows no progress. A failure is
/// reported.
pub fn exit_of<P: Program>(args: P, cancel: &Cancel, home: &Path) -> Exit {
    let run = || {
        let session = Session::build(args.common())?.with_cancel(cancel).with_state(home).silent();
        args.run_in(&session)
    };
    run().unwrap_or_else(|failure: Failure| {
        failure.report();
        failure.exit
    })
}

/// The places at which a line of `--json` does not fit `docs/record.schema.json`: a record, a failure, or with
/// `--stream` a better solution.
///
/// # Panics
/// If the schema cannot be read, or uses a keyword that is not checked.
pub fn schema_faults(line: &Value) -> Vec<String> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/record.schema.json");
    let schema = std::fs::read_to_string(path).expect("the schema");
    let schema: Value = serde_json::from_str(&schema).expect("JSON");
    match (line.get("error"), line.get("result")) {
        (Some(_), _) => faults(&schema["$defs"]["failure"], line, "failure"),
        (None, None) => faults(&schema["$defs"]["better"], line, "better"),
        _ => faults(&schema, line, "record"),
    }
}

/// The places at which a value does not fit a schema.
fn faults(schema: &Value, value: &Value, place: &str) -> Vec<String> {
    let mut faults = Vec::new();
    let mut expect = |fits: bool, keyword: &str| {
        if !fits {
            faults.push(format!("{place}: {keyword}"));
        }
    };
    for (keyword, wanted) in schema.as_object().expect("a schema is an object") {
        match keyword.as_str() {
            "const" => expect(value == wanted, keyword),
            "enum" => expect(wanted.as_array().is_some_and(|all| all.contains(value)), keyword),
            "type" => expect(has_type(wanted.as_str().expect("a type"), value), keyword),
            "required" => {
                let names = wanted.as_array().expect("names").iter().filter_map(Value::as_str);
                names.for_each(|name| expect(value.get(name).is_some(), name));
            }
            "additionalProperties" | "properties" | "items" => {}
            "$schema" | "$defs" | "title" | "description" => {}
            other => panic!("the keyword {other} is not checked"),
        }
    }
    let none = Map::new();
    let known = schema.get("properties").and_then(Value::as_object).unwrap_or(&none);
    for (name, value) in value.as_object().unwrap_or(&none) {
        let place = format!("{place}.{name}");
        match known.get(name) {
            Some(schema) => faults.extend(self::faults(schema, value, &place)),
            None if schema.get("additionalProperties").is_some() => faults.push(place),
            None => {}
        }
    }
    if let Some(schema) = schema.get("items") {
        let items = value.as_array().map_or(&[][..], Vec::as_slice);
        faults.extend(items.iter().flat_map(|item| self::faults(schema, item, place)));
    }
    faults
}

fn has_type(name: &str, value: &Value) -> bool {
    match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_u64(),
        "number" => value.is_number(),
        other => panic!("the type {other} is not checked"),
    }
}
