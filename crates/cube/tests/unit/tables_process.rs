//! Tables end to end: builders that die or compete, and damaged files.

use super::common;
use crate::Metric;
use crate::heuristics::Instructions;
use crate::pdb::square::Half;
use crate::solver::FaceSolver;
use crate::tables::{Pattern, TableId};
use search_core::table::{Built, ErrorKind, FileError, Recipe, Spec, Store, TableError, Unfinished};
use search_core::{Cancel, Progress, Run, Silent};
use std::fs;
use std::io::{Seek, SeekFrom, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Four edges: 190,080 entries, which take a moment to fill.
const NAME: &str = "edges:UR,UF,DL,FR";
const TABLE: TableId = TableId { pattern: Pattern::Edges(0b0001_0100_0011), metric: Metric::Htm };

fn get(store: &Store, id: TableId, progress: &dyn Progress) -> Result<String, TableError> {
    id.get(store, &Run::new().with_progress(progress)).map(|(_, used)| used.checksum)
}

/// The checksum of the table, filled without a store.
fn expected() -> String {
    let dir = tempfile::tempdir().unwrap();
    get(&Store::new(dir.path(), "reference"), TABLE, &Silent).unwrap()
}

const DIR: &str = "CUBE_TEST_STORE";
const CHILD: &str = "CUBE_TEST_CHILD";
const PHASE: &str = "CUBE_TEST_PHASE";
const PATIENCE: Duration = Duration::from_secs(30);

fn wait_for(path: &Path) {
    let until = Instant::now() + PATIENCE;
    while !path.exists() {
        assert!(Instant::now() < until, "{} appears", path.display());
        sleep(Duration::from_millis(2));
    }
}

/// The progress of a child process: reports each phase, and waits in the one in which it will be killed.
struct Telltale {
    dir: std::path::PathBuf,
    fatal: Option<String>,
    filled: AtomicBool,
}

impl Progress for Telltale {
    fn begin(&self, what: &str, _: u64) {
        self.filled.fetch_or(!what.starts_with("loading"), Ordering::Relaxed);
        if self.fatal.as_deref().is_some_and(|phase| what.starts_with(phase)) {
            fs::write(self.dir.join("reached"), what).unwrap();
            sleep(PATIENCE);
        }
    }
}

/// Not a test of its own: the child processes of the tests below run it. It waits for the file `go`, gets the
/// table, and writes the checksum and whether it built the table into a file named after the process.
#[test]
fn child_that_gets_the_table() {
    let (Ok(dir), Ok(name)) = (std::env::var(DIR), std::env::var(CHILD)) else { return };
    let store = Store::new(&dir, name.as_str());
    let dir = Path::new(&dir).to_owned();
    fs::write(dir.join(format!("{name}.ready")), "").unwrap();
    wait_for(&dir.join("go"));
    let progress = Telltale { dir: dir.clone(), fatal: std::env::var(PHASE).ok(), filled: false.into() };
    let checksum = get(&store, TABLE, &progress).unwrap();
    let report = format!("{checksum} {}", progress.filled.into_inner());
    fs::write(dir.join(format!("{name}.done")), report).unwrap();
}

fn start(store: &Store, name: &str, phase: Option<&str>) -> Child {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "tests::tables_process::child_that_gets_the_table"]).stdout(Stdio::null());
    command.env(DIR, &store.dirs()[0]).env(CHILD, name).env_remove(PHASE);
    if let Some(phase) = phase {
        command.env(PHASE, phase);
    }
    command.spawn().unwrap()
}

#[test]
fn a_killed_builder_does_not_block_the_next() {
    let expected = expected();
    for phase in ["filling", "writing", "verifying"] {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::new(dir.path(), "parent");
        fs::write(dir.path().join("go"), "").unwrap();
        let mut child = start(&store, "victim", Some(phase));
        wait_for(&dir.path().join("reached"));
        child.kill().unwrap();
        assert!(!child.wait().unwrap().success());
        assert!(!store.contains(&TABLE.name()), "killed while {phase}");
        let partial = dir.path().join(format!("{}.partial", TABLE.name()));
        assert_eq!(partial.exists(), phase != "filling", "killed while {phase}");
        assert_eq!(get(&store, TABLE, &Silent).unwrap(), expected, "killed while {phase}");
        assert!(!partial.exists());
        let header = store.verify(&TABLE.name(), &Run::new()).unwrap();
        assert_eq!(header.generator, "parent");
    }
}

/// Cancels the build during the longest depth, or records whether it was resumed.
#[derive(Default)]
struct Breaker {
    cancel: Option<Cancel>,
    went_on: AtomicBool,
    deepest: AtomicBool,
}

impl Progress for Breaker {
    fn begin(&self, what: &str, _: u64) {
        self.deepest.store(what == "depth 9", Ordering::Relaxed);
    }
    fn update(&self, done: u64) {
        if let (Some(cancel), true) = (&self.cancel, done > 100 && self.deepest.load(Ordering::Relaxed)) {
            cancel.cancel();
        }
    }
    fn note(&self, line: &str) {
        self.went_on.fetch_or(line.starts_with("resuming after"), Ordering::Relaxed);
    }
}

#[test]
fn an_enumeration_resumes_where_it_was_stopped() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::new(dir.path(), "test").keeping_after(Duration::ZERO);
    let id = TableId { pattern: Pattern::SquareHalf(0, Half::First), metric: Metric::Htm };
    let cancel = Cancel::new();
    let breaker = Breaker { cancel: Some(cancel.clone()), ..Breaker::default() };
    let stopped = id.get(&store, &Run::new().with_progress(&breaker).with_cancel(&cancel)).unwrap_err();
    assert!(matches!(stopped.problem, FileError::Cancelled(_)));
    assert!(dir.path().join(format!("{}.unfinished", id.name())).exists());
    let second = Breaker::default();
    let (_, used) = id.get(&store, &Run::new().with_progress(&second)).unwrap();
    assert!(second.went_on.into_inner());
    assert_eq!(used.checksum, common::table(id).2.checksum);
}

#[test]
fn of_several_processes_one_builds() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::new(dir.path(), "parent");
    let names = ["a", "b", "c"];
    let mut children = names.map(|name| start(&store, name, None));
    names.iter().for_each(|name| wait_for(&dir.path().join(format!("{name}.ready"))));
    fs::write(dir.path().join("go"), "").unwrap();
    assert!(children.iter_mut().all(|child| child.wait().unwrap().success()));
    let reports = names.map(|name| fs::read_to_string(dir.path().join(format!("{name}.done"))).unwrap());
    let expected = expected();
    assert!(reports.iter().all(|report| report.starts_with(&expected)), "{reports:?}");
    assert_eq!(reports.iter().filter(|report| report.ends_with("true")).count(), 1, "{reports:?}");
}

/// The errors of the solver and the table for a bad file, and the remedy: removing it.
fn refused(store: &Store) -> ErrorKind {
    let error = get(store, TABLE, &Silent).unwrap_err();
    let by_solver = FaceSolver::load(
        &common::heuristic(NAME),
        Metric::Htm,
        Instructions::Best,
        store,
        &Run::new().with_threads(1),
    );
    let by_solver = by_solver.err().expect("no solver without its table");
    assert_eq!(error.to_string(), by_solver.to_string());
    assert!(error.to_string().contains(&TABLE.name()), "{error}");
    assert_ne!(error.kind(), ErrorKind::Other, "{error}");
    error.kind()
}

/// A store with the table in it, and the bytes of its file.
fn sound() -> (tempfile::TempDir, Store, Vec<u8>) {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::new(dir.path(), "test");
    get(&store, TABLE, &Silent).unwrap();
    let bytes = fs::read(store.path(&TABLE.name())).unwrap();
    (dir, store, bytes)
}

#[test]
fn a_truncated_or_extended_file_is_damaged() {
    let (_dir, store, bytes) = sound();
    let path = store.path(&TABLE.name());
    for length in [8, 63, 64, 100, 4095, 4096, bytes.len() / 2, bytes.len() - 1] {
        fs::write(&path, &bytes[..length]).unwrap();
        assert_eq!(refused(&store), ErrorKind::Damaged, "{length} bytes");
    }
    fs::write(&path, [&bytes[..], b"x"].concat()).unwrap();
    assert_eq!(refused(&store), ErrorKind::Damaged);
    assert!(store.remove(&TABLE.name()).unwrap());
    get(&store, TABLE, &Silent).unwrap();
    assert_eq!(fs::read(&path).unwrap(), bytes);
}

/// A change of any byte of the header is detected. (On a table of one edge.)
#[test]
fn every_byte_of_the_header_is_checked() {
    let small = TableId { pattern: Pattern::Edges(1), ..TABLE };
    let dir = tempfile::tempdir().unwrap();
    let store = Store::new(dir.path(), "test");
    get(&store, small, &Silent).unwrap();
    let path = store.path(&small.name());
    let bytes = fs::read(&path).unwrap();
    assert_eq!(bytes.len(), 4096 + 12);
    // The file is changed in place, because some systems write a truncated and refilled file to disk at once.
    let mut file = fs::File::options().write(true).open(&path).unwrap();
    let mut put = |at: usize, byte: u8| {
        file.seek(SeekFrom::Start(at as u64)).unwrap();
        file.write_all(&[byte]).unwrap();
    };
    for (at, &byte) in bytes[..4096].iter().enumerate() {
        put(at, byte ^ 1 << (at % 8));
        let error = get(&store, small, &Silent).unwrap_err();
        let kind = match at {
            0..8 => ErrorKind::Foreign,
            8..10 => ErrorKind::Version,
            _ => ErrorKind::Damaged,
        };
        assert_eq!(error.kind(), kind, "byte {at}: {error}");
        put(at, byte);
    }
    get(&store, small, &Silent).unwrap();
}

#[test]
fn a_damaged_body_is_found_by_verify() {
    let (_dir, store, bytes) = sound();
    let path = store.path(&TABLE.name());
    let verify = || store.verify(&TABLE.name(), &Run::new());
    verify().unwrap();
    for at in [4096, bytes.len() / 2, bytes.len() - 1] {
        let mut changed = bytes.clone();
        changed[at] ^= 0x10;
        fs::write(&path, &changed).unwrap();
        assert_eq!(verify().unwrap_err().kind(), ErrorKind::Damaged, "byte {at}");
    }
}

#[test]
fn files_of_another_kind_are_foreign() {
    let (_dir, store, _) = sound();
    let path = store.path(&TABLE.name());
    // Another set of edges, and the same in the other metric: same length, same format.
    let others = [
        TableId { pattern: Pattern::Edges(0b1111), ..TABLE },
        TableId { metric: Metric::Qtm, ..TABLE },
        TableId { pattern: Pattern::Edges(0b1), ..TABLE },
    ];
    for other in others {
        get(&store, other, &Silent).unwrap();
        fs::copy(store.path(&other.name()), &path).unwrap();
        assert_eq!(refused(&store), ErrorKind::Foreign, "{}", other.name());
    }
    for text in ["no table", "a file of some other program, longer than a magic"] {
        fs::write(&path, text).unwrap();
        assert_eq!(refused(&store), ErrorKind::Foreign, "{text}");
    }
}

/// The table of four edges, as the previous version built it.
#[derive(Debug)]
struct Older;

impl Recipe for Older {
    fn name(&self) -> String {
        TABLE.name()
    }
    fn description(&self) -> String {
        TABLE.description()
    }
    fn spec(&self) -> Spec {
        Spec { ranking: TABLE.spec().ranking - 1, ..TABLE.spec() }
    }
    fn build_seconds(&self, threads: usize) -> f64 {
        TABLE.build_seconds(threads)
    }
    fn build(&self, unfinished: &Unfinished, run: &Run<'_>) -> Result<Built, FileError> {
        TABLE.build(unfinished, run)
    }
}

#[test]
fn a_table_of_an_older_ranking_is_of_another_version() {
    let (_dir, store, _) = sound();
    store.remove(&TABLE.name()).unwrap();
    store.get(&Older, &Run::new()).unwrap();
    assert_eq!(refused(&store), ErrorKind::Version);
}
