//! Every command in the documents is run here as written, or is listed as one that is not run.
//!
//! The commands run one after the other in a temporary folder, with tables of their own; `cube-opt` gets a small budget
//! of memory, so that it chooses small tables. With `$PROGRAMS` set (as `.ci/run` does, to the released programs) it
//! chooses as it does for a user.

use super::program::{self, home};
use crate::house_rules::sources::{assert_known, files};
use std::{env, fs, path::Path, process::Command, process::Stdio, time::Instant};

/// The programs of the workspace, as users call them.
const PROGRAMS: [&str; 7] = ["cube-opt", "tile24", "hanoi4", "puzzle-opt", "referee", "xtask", "topspin"];

/// Commands that are not run here, each with the reason.
const NOT_RUN: &[(&str, &str)] = &[
    ("cube-opt solve superflip", "minutes"),
    ("cargo test --workspace", "CI runs it"),
    ("cargo install --profile dist --path crates/cube", "changes the user's folders"),
    ("cargo install --profile dist --path crates/slidetile", "changes the user's folders"),
    ("cargo install --profile dist --path crates/hanoi4", "changes the user's folders"),
    ("cargo install --profile dist --path crates/puzzle", "changes the user's folders"),
    ("cargo install --profile dist --path crates/referee", "changes the user's folders"),
    ("cargo install cube-opt", "changes the user's folders"),
    ("cargo install slidetile", "changes the user's folders"),
    ("cargo install hanoi4", "changes the user's folders"),
    ("cargo install referee", "changes the user's folders"),
    ("cargo xtask web --serve", "serves until it is stopped"),
    (".ci/package dist", "a test of its own"),
    (".ci/debian dist/optimal-puzzles-0.1.0-x86_64-unknown-linux-gnu.tar.gz", "a test of its own"),
    (".ci/formula dist", "a test of its own"),
    (
        "cargo package -p search-core -p puzzle-cli -p referee -p cube-opt -p slidetile -p hanoi4 -p puzzle-opt",
        "a test of its own",
    ),
    ("pip install .", "changes the user's environment"),
    ("pip install ./python", "changes the user's environment"),
    ("pip install optimal-puzzles", "changes the user's environment"),
    (
        "python -m optimal_puzzles cube-opt solve \"R U F2\" --heuristic manhattan-max",
        "a test of the Python package runs it",
    ),
    ("npm install optimal-puzzles", "changes the user's folder"),
    (
        "tile24 solve --heuristic pdb-max --memory 4GiB --json --budget 40h - < fixtures/sliding-tiles/clausecker-fourteen-unsolved.txt",
        "hours",
    ),
    (
        "tile24 random --size 6x6 --count 10 --seed 1 | tile24 solve --size 6x6 --threads 2 --time-limit 30 --stream --json - | jq -r '[\"6x6\", .instance, .seconds, .lower_bound, .upper_bound] | @csv'",
        "minutes",
    ),
    ("cargo xtask repro-paper", "minutes"),
    ("cargo xtask book", "needs mdBook; CI runs it"),
    ("cargo xtask web --test", "needs Node.js; CI runs it"),
    ("rustup target add wasm32-unknown-unknown", "changes the user's toolchain"),
    ("rustup toolchain install nightly --component rust-src", "changes the user's toolchain"),
    ("cargo xtask figures", "writes to the sources"),
    ("cargo xtask datasets cubes --heuristic square-8", "hours, 7 GB"),
    ("cargo build --release --bins", "CI runs it"),
    ("cargo build --profile dist --bins", "minutes"),
    (".ci/run", "is CI"),
    ("cargo check -p cube-opt -p slidetile -p hanoi4 --lib --no-default-features", "CI runs it"),
    ("cargo test --workspace --release -- --ignored", "long tests"),
    ("cargo test -p slidetile --release --test it papers:: -- --ignored", "long tests"),
    (
        "INSTA_UPDATE=always cargo test --workspace --test it --test topspin -- programs:: cli::",
        "writes to the sources",
    ),
    ("cargo xbench cube/search --out /tmp/before", "minutes"),
    ("cargo xbench cube/search --out /tmp/after --compare /tmp/before/bench.json", "minutes"),
    ("cargo xtask gen-tables --set paper", "minutes, gigabytes"),
    ("cargo xtask repro-paper --paper hanoi --tier standard", "up to two hours"),
    ("cargo xtask repro-paper --resume", "minutes"),
    ("cargo xtask repro-paper --job hanoi/complete-19", "a minute"),
    ("cargo xtask repro-paper --job hanoi/complete-22 --record", "an hour; writes to the sources"),
    ("cargo xtask repro-paper --tier standard --record", "hours; writes to the sources"),
    ("cargo xtask repro-paper --tier quick --publish docs/repro", "minutes; writes to the sources"),
];

/// The commands whose solutions may depend on the number of threads.
const VARYING: [&str; 2] = ["cube-opt solve", "tile24 solve"];

/// The files that the commands read.
const FILES: &[(&str, &str)] = &[
    ("scrambles.txt", "R U F\nR2 D' B // from a list\n"),
    ("times.csv", "no,scramble,time\n1,R U F,9.87\n"),
];

/// The memory of `cube-opt` here: enough for one small table.
const SMALL: &str = "--memory 50MiB";

/// A command of a document.
struct Documented {
    place: String,
    /// The command, without the comment after it.
    command: String,
    /// The lines of output that the document shows.
    answer: Vec<String>,
}

impl Documented {
    /// The command if it calls a program of the workspace, otherwise `None`.
    fn call(&self) -> Option<String> {
        let words: Vec<&str> = self.command.splitn(6, ' ').collect();
        let call = match words[..] {
            ["cargo", "run", "--release", "--bin" | "-p", program, rest] => {
                format!("{program} {}", rest.trim_start_matches("-- "))
            }
            ["cargo", "xtask", ..] => self.command.replacen("cargo ", "", 1),
            _ => self.command.clone(),
        };
        PROGRAMS.contains(&call.split(' ').next()?).then_some(call)
    }
}

/// The commands in the blocks of all documents that show a console.
fn documented() -> Vec<Documented> {
    let mut all: Vec<Documented> = Vec::new();
    for file in files(".md") {
        let mut in_console = false;
        for (at, line) in file.text.lines().enumerate() {
            if line.starts_with("```") {
                in_console = line == "```console";
            } else if let Some(command) = line.strip_prefix("$ ").filter(|_| in_console) {
                let command = command.split(" #").next().unwrap_or(command).trim_end().to_owned();
                all.push(Documented {
                    place: format!("{}:{}", file.path, at + 1),
                    command,
                    answer: Vec::new(),
                });
            } else if in_console {
                all.last_mut().expect("an answer follows a command").answer.push(line.to_owned());
            }
        }
    }
    all
}

#[test]
fn every_documented_command_is_run_or_listed() {
    let all = documented();
    assert!(all.len() > 20, "the documents have {} commands", all.len());
    let is_listed = |command: &Documented| NOT_RUN.iter().any(|(listed, _)| *listed == command.command);
    let strange = all.iter().filter(|command| command.call().is_none() && !is_listed(command));
    let strange = strange.map(|command| format!("{}: {}", command.place, command.command));
    assert_known("a documented command calls one of the programs or stands in NOT_RUN", strange, &[]);
    let listed = all.iter().filter(|command| is_listed(command)).map(|command| &command.command);
    let known: Vec<&str> = NOT_RUN.iter().map(|(command, _)| *command).collect();
    assert_known("NOT_RUN lists documented commands", listed, &known);
}

#[test]
#[ignore = ".ci/run runs it with the released programs"]
fn documented_commands_do_what_the_documents_say() {
    let dir = home();
    for (name, text) in FILES {
        fs::write(dir.path().join(name), text).expect("a file");
    }
    let programs = dir.path().join("programs");
    write_programs(&programs);
    let shell = |call: &str| {
        let search = env::var("PATH").unwrap_or_default();
        let mut command = Command::new("sh");
        command.args(["-c", call]).current_dir(dir.path()).stdin(Stdio::null());
        command.env("PATH", format!("{}:{search}", programs.display()));
        command.env("OPTIMAL_PUZZLES_TABLES", dir.path().join("tables"));
        command.output().expect("a shell")
    };
    for documented in documented() {
        let listed = NOT_RUN.iter().any(|(command, _)| *command == documented.command);
        let Some(call) = documented.call().filter(|_| !listed) else { continue };
        // Of several shortest solutions, a document shows the first one in the order of the search.
        let is_fixed = ["--deterministic", "--quick", "--within"].iter().any(|option| call.contains(option));
        let may_vary = !documented.answer.is_empty()
            && !is_fixed
            && VARYING.iter().any(|search| call.starts_with(search));
        let call = if may_vary { format!("{call} --deterministic") } else { call };
        let begun = Instant::now();
        let output = shell(&call);
        let out = String::from_utf8_lossy(&output.stdout);
        let shown = format!(
            "{}: {call}\n{out}{}in {:.1?}",
            documented.place,
            String::from_utf8_lossy(&output.stderr),
            begun.elapsed()
        );
        println!("{shown}");
        let answer = documented.answer.join("\n");
        let code = if answer.starts_with(">= ") { 4 } else { 0 };
        assert_eq!(output.status.code(), Some(code), "{shown}");
        assert!(answer.is_empty() || out.trim_end() == answer, "the document shows {answer}\n{shown}");
    }
}

/// Writes a script for each program that calls it, with a small memory budget if none is given.
fn write_programs(folder: &Path) {
    use std::os::unix::fs::PermissionsExt;
    fs::create_dir(folder).expect("a folder");
    for program in PROGRAMS {
        let small = env::var_os(program::VARIABLE).is_none() && program == "cube-opt";
        let memory = if small { SMALL } else { "" };
        let path = program::path(program);
        let script = format!(
            "#!/bin/sh\ncase \"$*\" in *--memory*) exec '{0}' \"$@\";; *) exec '{0}' \"$@\" {memory};; esac\n",
            path.display()
        );
        let file = folder.join(program);
        fs::write(&file, script).expect("a script");
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).expect("a program");
    }
}
