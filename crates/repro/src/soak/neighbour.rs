//! A second process that builds, lists, verifies and removes tables while solvers use the same directory.

use crate::trust::{end_within, program, start};
use puzzle_cli::Failure;
use search_core::Cancel;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// Its commands, repeated in order. A table that a solver is rebuilding may be missing or present.
const WORK: [(&str, &str); 7] = [
    ("tile24", "tables build --size 3x3"),
    ("tile24", "tables list"),
    ("cube-opt", "tables build edges6"),
    ("cube-opt", "tables verify"),
    ("tile24", "tables remove --all"),
    ("tile24", "tables build --size 2x3"),
    ("cube-opt", "tables remove --all"),
];

/// The time limit of one command, which waits for locks and for processors that the solvers use.
const LIMIT: Duration = Duration::from_secs(900);

/// The thread that starts its commands.
pub struct Neighbour {
    stop: Arc<AtomicBool>,
    thread: JoinHandle<(usize, Vec<String>)>,
}

impl Neighbour {
    /// Starts it; an interruption stops it too.
    pub fn start(programs: &Path, tables: &Path, cancel: &Cancel) -> Result<Neighbour, Failure> {
        let stop = Arc::new(AtomicBool::new(false));
        let (stopped, cancel) = (Arc::clone(&stop), cancel.clone());
        let (programs, tables) = (programs.to_owned(), tables.to_owned());
        let thread = thread::spawn(move || {
            let (mut count, mut broken) = (0, Vec::new());
            while !stopped.load(Ordering::Relaxed) && !cancel.is_cancelled() {
                for (name, line) in WORK {
                    match once(&programs, name, line, &tables) {
                        Ok(()) => count += usize::from(line.contains("build")),
                        Err(_) if cancel.is_cancelled() => {}
                        Err(why) => broken.push(format!("{name} {line}: {why}")),
                    }
                    thread::sleep(Duration::from_millis(300));
                }
            }
            (count, broken)
        });
        Ok(Neighbour { stop, thread })
    }

    /// Stops it. Returns the number of builds; faults are added to `broken`.
    pub fn end(self, broken: &mut Vec<String>) -> usize {
        self.stop.store(true, Ordering::Relaxed);
        match self.thread.join() {
            Ok((count, more)) => {
                broken.extend(more);
                count
            }
            Err(_) => {
                broken.push("the neighbour ends by a panic".to_owned());
                0
            }
        }
    }
}

fn once(programs: &Path, name: &str, line: &str, tables: &Path) -> Result<(), String> {
    let mut command = program(programs, name);
    command.args(line.split(' ')).args(["--quiet", "--threads", "1", "--tables"]).arg(tables);
    let output = start(&mut command)
        .and_then(|child| end_within(child, LIMIT))
        .map_err(|failure| failure.to_string())?;
    let output = output.ok_or("it does not end")?;
    let told = String::from_utf8_lossy(&output.stderr);
    // A table that a solver is building at that moment is not removed; the command reports this.
    let is_busy = line.contains("remove") && told.contains("another process is at work on it");
    if output.status.success() || is_busy && output.status.code() == Some(1) {
        return Ok(());
    }
    Err(format!("{}: {told}", output.status))
}
