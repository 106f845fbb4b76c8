//! A program that runs, with a limit on its time.

use puzzle_cli::Failure;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// The time limit of a program with little to do.
const LIMIT: Duration = Duration::from_secs(60);

/// A program of `folder`, without the variables of this process that it reads.
pub fn program(folder: &Path, name: &str) -> Command {
    let mut command = Command::new(folder.join(format!("{name}{}", std::env::consts::EXE_SUFFIX)));
    command.env_remove("OPTIMAL_PUZZLES_TABLES").env_remove("RUST_LOG").env("RUST_BACKTRACE", "0");
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Starts a program.
///
/// # Errors
/// If it does not exist.
pub fn start(command: &mut Command) -> Result<Child, Failure> {
    let name = command.get_program().to_string_lossy().into_owned();
    command.spawn().map_err(|error| {
        Failure::error(format_args!("{name}: {error}"))
            .with_remedy("build the programs: cargo build --release --workspace")
    })
}

/// Waits for a program to end; `None` if it takes too long, which ends it. What it prints must fit a pipe.
///
/// # Errors
/// When the system refuses.
pub fn end(child: Child) -> Result<Option<Output>, Failure> {
    end_within(child, LIMIT)
}

/// Like [`end`], with another limit.
///
/// # Errors
/// When the system refuses.
pub fn end_within(mut child: Child, limit: Duration) -> Result<Option<Output>, Failure> {
    let failed = |error| Failure::error(format_args!("a program that runs: {error}"));
    let begun = Instant::now();
    let mut pause = Duration::from_micros(200);
    while child.try_wait().map_err(failed)?.is_none() {
        if begun.elapsed() > limit {
            child.kill().map_err(failed)?;
            child.wait().map_err(failed)?;
            return Ok(None);
        }
        sleep(pause);
        pause = (pause * 5 / 4).min(Duration::from_millis(20));
    }
    child.wait_with_output().map(Some).map_err(failed)
}
