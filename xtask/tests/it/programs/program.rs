//! Running the programs: their folder and their environment variables.

use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// The variable that names the folder of other programs than those just built.
pub const VARIABLE: &str = "PROGRAMS";

/// The time limit of a program, on a machine that also runs other programs.
pub const LIMIT: Duration = Duration::from_secs(120);

/// The folder with the programs.
pub fn folder() -> PathBuf {
    if let Some(folder) = env::var_os(VARIABLE) {
        return folder.into();
    }
    // The test is in `deps` beside them.
    let test = env::current_exe().expect("the test's own path");
    test.ancestors().nth(2).expect("the folder of build results").to_path_buf()
}

/// A program's file.
///
/// # Panics
/// When it has not been built.
pub fn path(program: &str) -> PathBuf {
    let path = folder().join(format!("{program}{}", env::consts::EXE_SUFFIX));
    let how = "build it by `cargo build --workspace --bins`; `cargo test --workspace` does so by itself";
    assert!(path.is_file(), "there is no {}: {how}", path.display());
    path
}

/// A folder that is removed after the test.
pub fn home() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder")
}

/// A program that runs in `home`, with its tables and checkpoints there; it reads nothing, and its output is piped.
pub fn command<A: AsRef<OsStr>>(home: &Path, program: &str, args: &[A]) -> Command {
    let mut command = Command::new(path(program));
    command.args(args).current_dir(home).env("OPTIMAL_PUZZLES_TABLES", home.join("tables"));
    command
        .env("XDG_STATE_HOME", home)
        .env_remove("RUST_LOG")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// Waits for the end of a program.
///
/// # Panics
/// If it takes longer than [`LIMIT`].
pub fn ended(mut child: Child, what: &dyn std::fmt::Debug) -> Output {
    drop(child.stdin.take());
    let begun = Instant::now();
    // Its output must fit in a pipe.
    while child.try_wait().expect("a child").is_none() {
        if begun.elapsed() > LIMIT {
            let _ = child.kill();
            panic!("{what:?} does not end");
        }
        sleep(Duration::from_millis(2));
    }
    child.wait_with_output().expect("a child")
}

/// Runs a program to its end.
pub fn run<A: AsRef<OsStr> + std::fmt::Debug>(home: &Path, program: &str, args: &[A]) -> Output {
    command(home, program, args).output().unwrap_or_else(|error| panic!("{program} {args:?}: {error}"))
}

/// The exit code, standard output and standard error of a program.
pub fn texts(output: Output) -> (Option<i32>, String, String) {
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// Interrupts a program as Ctrl-C does.
#[cfg(unix)]
pub fn interrupt(child: &Child) {
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(kill.expect("a kill command").success());
}

/// Splits arguments as a shell does; `'…'` keeps a text together.
#[cfg(unix)]
pub fn words(line: &str) -> Vec<String> {
    let parts = line.split('\'').enumerate();
    let split = parts.flat_map(|(at, part)| match at % 2 {
        1 => vec![part.to_owned()],
        _ => part.split_whitespace().map(str::to_owned).collect(),
    });
    split.collect()
}
