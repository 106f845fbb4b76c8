//! A running solver: lines are written to it, answers are read, its memory is sampled.

use crate::trust::{program, start};
use puzzle_cli::Failure;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};
use sysinfo::{Pid, ProcessRefreshKind, ProcessesToUpdate, System};

/// The time limit of an answer, including the building of tables.
const LIMIT: Duration = Duration::from_secs(300);
/// The time between samples of a process's memory.
const LOOK: Duration = Duration::from_millis(50);
/// The number of parts of the time, each with its greatest resident set.
const PARTS: u32 = 10;

/// A solver that reads instances from its standard input.
pub struct Solver {
    child: Child,
    input: Option<ChildStdin>,
    answers: Receiver<String>,
    sampler: Option<JoinHandle<Vec<u64>>>,
}

impl Solver {
    /// Starts a solver. If it runs for a `time`, its memory is sampled.
    pub fn start(
        programs: &Path,
        arguments: &str,
        tables: &Path,
        threads: usize,
        time: Option<Duration>,
    ) -> Result<Solver, Failure> {
        let mut words = arguments.split(' ');
        let mut command = program(programs, words.next().unwrap_or_default());
        command.args(words).args(["--json", "--quiet", "--threads", &threads.to_string(), "--tables"]);
        command.arg(tables).arg("-").stdin(Stdio::piped()).stderr(Stdio::inherit());
        let mut child = start(&mut command)?;
        let input = child.stdin.take();
        let output = child.stdout.take().ok_or_else(|| Failure::error("a solver without output"))?;
        let (sender, answers) = channel();
        thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        let process = Pid::from_u32(child.id());
        let sampler = time.map(|time| thread::spawn(move || sample(process, time)));
        Ok(Solver { child, input, answers, sampler })
    }

    /// Writes lines to it. It reads them as it answers, so this may take as long as the answers.
    pub fn feed(&mut self, lines: String) {
        if let Some(input) = &mut self.input {
            // A solver that has ended gives no answers, which is noticed later.
            let _ = input.write_all(lines.as_bytes()).and_then(|()| input.flush());
        }
    }

    /// The answers to as many lines; fewer if it does not answer.
    pub fn answers(&mut self, count: usize) -> Vec<String> {
        (0..count).map_while(|_| self.answers.recv_timeout(LIMIT).ok()).collect()
    }

    /// Ends its input. Returns its exit code, if it ends by itself.
    pub fn end(mut self) -> Option<i32> {
        self.wait()
    }

    /// As `end`, with the greatest resident set in each part of the time.
    pub fn end_with_peaks(mut self) -> (Option<i32>, Vec<u64>) {
        let code = self.wait();
        let sampled = self.sampler.take().and_then(|sampler| sampler.join().ok());
        (code, sampled.unwrap_or_default())
    }

    fn wait(&mut self) -> Option<i32> {
        drop(self.input.take());
        self.child.wait().ok()?.code()
    }
}

/// The greatest resident set of a process in each part of its time, until it ends.
fn sample(process: Pid, time: Duration) -> Vec<u64> {
    let Ok(mut system) = System::new() else { return Vec::new() };
    let (begun, mut peaks) = (Instant::now(), vec![0; PARTS as usize]);
    loop {
        let what = ProcessRefreshKind::nothing().with_memory();
        system.refresh_processes_specifics(ProcessesToUpdate::Some(&[process]), true, what);
        let memory = system.process(process).map_or(0, sysinfo::Process::memory);
        if memory == 0 {
            return peaks;
        }
        let part = begun.elapsed().as_secs_f64() / time.as_secs_f64() * f64::from(PARTS);
        let peak = &mut peaks[(part as usize).min(PARTS as usize - 1)];
        *peak = memory.max(*peak);
        thread::sleep(LOOK);
    }
}
