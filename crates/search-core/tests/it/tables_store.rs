//! The store: one builder among many, processes that die, files that lie.

use std::fmt;
use std::fs;
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use search_core::memory::Memory;
use search_core::table::{
    Built, Encoding, ErrorKind, FileError, FormatError, Kind, Proof, Recipe, Spec, Store, Table, TableError,
    Trust, Unfinished,
};
use search_core::{Automaton, Progress, Run};

const BODY: usize = 3000;

fn spec() -> Spec {
    Spec {
        kind: Kind::PatternDatabase,
        puzzle: "test".to_owned(),
        operators: "a b c".to_owned(),
        pattern: "everything".to_owned(),
        ranking: 1,
        bits: 8,
        encoding: Encoding::Exact,
        entries: BODY as u64,
        complete: true,
    }
}

type Build<'a> = Box<dyn Fn(&Unfinished) -> Result<Built, FileError> + Send + Sync + 'a>;

/// A recipe: a name, a spec and a build function.
struct Made<'a>(&'a str, Spec, Build<'a>);

impl fmt::Debug for Made<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl Recipe for Made<'_> {
    fn name(&self) -> String {
        self.0.to_owned()
    }
    fn description(&self) -> String {
        self.1.pattern.clone()
    }
    fn spec(&self) -> Spec {
        self.1.clone()
    }
    fn bytes(&self) -> u64 {
        self.1.body_len().max(BODY as u64)
    }
    fn peak_bytes(&self) -> u64 {
        2 * self.bytes()
    }
    fn build_seconds(&self, _: usize) -> f64 {
        1.0
    }
    fn build(&self, unfinished: &Unfinished, _: &Run<'_>) -> Result<Built, FileError> {
        (self.2)(unfinished)
    }
}

/// The recipe of the table `a`.
fn a<'a>(spec: Spec, build: impl Fn() -> Result<Built, FileError> + Send + Sync + 'a) -> Made<'a> {
    Made("a", spec, Box::new(move |_| build()))
}

fn built() -> Result<Built, FileError> {
    let bytes: Vec<u8> = (0..BODY).map(|i| (i % 200) as u8).collect();
    Ok(Built { body: Memory::copy_of(&bytes)?, depth: 199 })
}

fn must_not_build() -> Result<Built, FileError> {
    panic!("the table is there")
}

fn names(store: &Store) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(&store.dirs()[0])
        .unwrap()
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn a_table_is_built_once_listed_verified_and_removed() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::new(dir.path().join("deep/down"), "test 1.0");
    let run = Run::new();
    assert!(!store.contains("a") && store.list().unwrap().is_empty() && !store.remove("a").unwrap());
    let first = store.get(&a(spec(), built), &run).unwrap();
    let second = store.get(&a(spec(), must_not_build), &run).unwrap();
    assert_eq!((first.header, &*first.body), (second.header, &*second.body));
    let listed = store.list().unwrap();
    let header = listed[0].header.as_ref().unwrap();
    assert_eq!((listed.len(), listed[0].name.as_str(), header.generator.as_str()), (1, "a", "test 1.0"));
    assert_eq!((header.depth, listed[0].bytes), (199, 4096 + BODY as u64));
    assert_eq!(store.verify("a", &run).unwrap(), *header);
    assert_eq!(names(&store), ["a.lock", "a.table"]);
    assert!(store.contains("a") && store.remove("a").unwrap() && !store.contains("a"));
    assert!(matches!(store.verify("a", &run).unwrap_err().problem, FileError::Io(_)));
}

#[test]
fn a_table_that_does_not_fit_is_refused_by_name_and_stays() {
    let dir = tempfile::tempdir().unwrap();
    let (store, run) = (Store::new(dir.path(), "test"), Run::new());
    store.get(&a(spec(), built), &run).unwrap();
    let refused = |spec: &Spec| store.get(&a(spec.clone(), must_not_build), &run).unwrap_err();
    let error = refused(&Spec { ranking: 2, ..spec() });
    assert_eq!(error.kind(), ErrorKind::Version);
    let text = error.to_string();
    assert!(text.contains("table a (") && text.ends_with("its ranking version is 1, expected 2"), "{text}");
    assert_eq!(refused(&Spec { pattern: "else".to_owned(), ..spec() }).kind(), ErrorKind::Foreign);
    // An older file format.
    let mut bytes = fs::read(store.path("a")).unwrap();
    bytes[8] = 0;
    fs::write(store.path("a"), &bytes).unwrap();
    assert_eq!(refused(&spec()).kind(), ErrorKind::Version);
    fs::write(store.path("a"), &bytes[..100]).unwrap();
    assert_eq!(refused(&spec()).kind(), ErrorKind::Version);
    bytes[8] = 1;
    fs::write(store.path("a"), &bytes[..100]).unwrap();
    assert_eq!(refused(&spec()).kind(), ErrorKind::Damaged);
    let listed = store.list().unwrap();
    assert_eq!(listed[0].header.as_ref().unwrap_err().kind(), ErrorKind::Damaged);
    assert!(store.remove("a").unwrap());
    store.get(&a(spec(), built), &run).unwrap();
}

#[test]
fn names_stay_inside_the_directory() {
    let dir = tempfile::tempdir().unwrap();
    let (store, run) = (Store::new(dir.path(), "test"), Run::new());
    let long = "x".repeat(101);
    for name in ["", ".", "..", "../a", "a/b", "a\\b", ".hidden", "a b", "ä", "a\0", &long] {
        let error = store.get(&Made(name, spec(), Box::new(|_| must_not_build())), &run).unwrap_err();
        assert!(matches!(error.problem, FileError::BadName), "{name:?}");
        assert!(matches!(store.remove(name).unwrap_err().problem, FileError::BadName), "{name:?}");
    }
    assert!(names(&store).is_empty());
}

#[test]
fn a_build_that_fails_leaves_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let (store, run) = (Store::new(dir.path(), "test"), Run::new());
    let error = store.get(&a(spec(), || Err(FileError::Build("no luck".into()))), &run).unwrap_err();
    assert!(matches!(error.problem, FileError::Build(_)));
    assert!(error.to_string().ends_with("building it failed: no luck"), "{error}");
    let cancel = run.cancel().clone();
    let stopped = a(spec(), || {
        cancel.cancel();
        built()
    });
    assert!(matches!(store.get(&stopped, &run).unwrap_err().problem, FileError::Cancelled(_)));
    assert_eq!(names(&store), ["a.lock"]);
}

/// A build of three steps that is stopped after `steps` of them. It reports the step from which it resumed.
fn stopped_after(steps: u32, taken_up: &Mutex<Option<u32>>) -> Build<'_> {
    Box::new(move |unfinished| {
        let run = Run::new();
        let taken = unfinished.resume(3, &run)?;
        *taken_up.lock().unwrap() = taken.as_ref().map(|(_, steps)| *steps);
        let (mut body, done) = taken.unwrap_or((Memory::zeroed(BODY)?, 0));
        for step in done..steps {
            body[step as usize * 1000..][..1000].fill(step as u8 + 1);
            assert!(unfinished.is_due(&run));
            unfinished.keep(&body, step + 1, &run);
        }
        if steps < 3 { Err(FileError::Build("stopped".into())) } else { Ok(Built { body, depth: 3 }) }
    })
}

/// Changes a file's header and seals it with the right checksum.
fn reseal(file: &std::path::Path, change: impl FnOnce(&mut [u8])) {
    let mut bytes = fs::read(file).unwrap();
    change(&mut bytes);
    let seal = bytes.len() - BODY - 8;
    let checksum = xxhash_rust::xxh3::xxh3_64(&bytes[..seal]);
    bytes[seal..seal + 8].copy_from_slice(&checksum.to_le_bytes());
    fs::write(file, bytes).unwrap();
}

#[test]
fn a_build_resumes_where_it_was_stopped() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::new(dir.path(), "test").keeping_after(Duration::ZERO);
    let get = |steps: u32, spec: &Spec| {
        let taken_up = Mutex::new(None);
        let table = store.get(&Made("a", spec.clone(), stopped_after(steps, &taken_up)), &Run::new());
        (table, taken_up.into_inner().unwrap())
    };
    let file = dir.path().join("a.unfinished");
    assert!(matches!(get(1, &spec()), (Err(_), None)));
    assert_eq!(names(&store), ["a.lock", "a.unfinished"]);
    assert!(store.list().unwrap().is_empty());
    let left = (String::from("a"), store.unfinished_path("a").metadata().unwrap().len());
    assert_eq!(store.list_unfinished().unwrap(), [left]);
    assert!(matches!(get(2, &spec()), (Err(_), Some(1))));
    // A damaged byte of the body, a cut file, and what another version left: begun anew.
    let whole = fs::read(&file).unwrap();
    let mut damaged = whole.clone();
    *damaged.last_mut().unwrap() ^= 1;
    for bytes in [&damaged[..], &whole[..whole.len() - 1], &whole[..50], b""] {
        fs::write(&file, bytes).unwrap();
        assert!(matches!(get(0, &spec()), (Err(_), None)));
        assert!(!file.exists());
    }
    // More steps than the build has.
    let built = |steps| get(steps, &spec());
    fs::write(&file, &whole).unwrap();
    assert!(matches!(built(2), (Err(_), Some(2))));
    reseal(&file, |bytes| bytes[44..48].copy_from_slice(&4u32.to_le_bytes()));
    assert!(matches!(built(0), (Err(_), None)));
    assert!(!file.exists());
    fs::write(&file, &whole).unwrap();
    assert!(matches!(get(0, &Spec { ranking: 2, ..spec() }), (Err(_), None)));
    fs::write(&file, &whole).unwrap();
    // It is no table.
    assert!(store.list().unwrap().is_empty() && !store.contains("a"));
    let (table, taken_up) = get(3, &spec());
    let body: Vec<u8> = (0..BODY).map(|i| (i / 1000) as u8 + 1).collect();
    assert_eq!((&*table.unwrap().body, taken_up), (&*body, Some(2)));
    assert_eq!(names(&store), ["a.lock", "a.table"]);
    // Removal takes both.
    fs::write(&file, &whole).unwrap();
    assert!(store.remove("a").unwrap() && names(&store) == ["a.lock"]);
    fs::write(&file, &whole).unwrap();
    assert!(store.remove("a").unwrap() && !store.remove("a").unwrap());
}

#[test]
fn disk_space_is_checked_before_the_work() {
    let dir = tempfile::tempdir().unwrap();
    let (store, run) = (Store::new(dir.path(), "test"), Run::new());
    let huge = Spec { entries: 1 << 60, ..spec() };
    let error = store.get(&a(huge, must_not_build), &run).unwrap_err();
    assert!(
        matches!(error.problem, FileError::NoSpace { needed, available: Some(free) } if needed > 1 << 60 && free > 0)
    );
}

#[test]
fn the_memory_budget_is_checked_before_the_work() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::new(dir.path(), "test");
    let run = |bytes: usize| Run::new().with_memory(bytes as u64);
    let b = || Made("b", spec(), Box::new(|_| built()));
    let both = |bytes| store.get_all(&[a(spec(), built), b()], &run(bytes));
    // The one that is loaded, and the other that is built beside it.
    let error = both(3 * BODY - 1).unwrap_err();
    assert!(error.name == "b" && matches!(error.problem, FileError::OverBudget { .. }));
    assert!(
        error
            .to_string()
            .ends_with("6000 bytes of memory are needed beside 3000 for other tables, the budget is 8999"),
        "{error}"
    );
    assert!(store.get(&a(spec(), must_not_build), &run(2 * BODY - 1)).is_err() && names(&store).is_empty());
    let tables = both(3 * BODY).unwrap();
    assert_eq!(tables.iter().map(Table::name).collect::<Vec<_>>(), ["a", "b"]);
    assert_eq!(tables[0].used().checksum, store.verify("a", &Run::new()).unwrap().checksum());
    // Loading takes less.
    both(2 * BODY).unwrap();
    assert!(both(2 * BODY - 1).is_err());
}

#[test]
fn the_number_of_entries_may_be_known_only_when_they_are_built() {
    let dir = tempfile::tempdir().unwrap();
    let (store, run) = (Store::new(dir.path(), "test"), Run::new());
    let some =
        Spec { entries: Spec::UNKNOWN, kind: Kind::Automaton, encoding: Encoding::Words, bits: 32, ..spec() };
    let forbidding = Automaton::from_rule(2, 1, |_, op| (op.index() == 0).then_some(0));
    let words = || forbidding.table().iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>();
    let build = || Ok(Built { body: Memory::copy_of(&words())?, depth: 0 });
    store.get(&a(some.clone(), build), &run).unwrap();
    let loaded = store.get(&a(some.clone(), must_not_build), &run).unwrap();
    assert_eq!(loaded.header.spec.entries, forbidding.table().len() as u64);
    assert_eq!(loaded.to_automaton(2).unwrap(), forbidding);
    let error = loaded.to_automaton(8).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Damaged);
    assert!(error.to_string().contains("table a") && error.to_string().contains("no automaton"), "{error}");
    assert!(store.get(&a(Spec { ranking: 2, ..some }, must_not_build), &run).is_err());
    // What was built elsewhere is kept where there is no table yet.
    let kept = store.keep(&a(spec(), must_not_build), built().unwrap(), &run);
    assert_eq!(kept.unwrap_err().kind(), ErrorKind::Foreign);
    store.remove("a").unwrap();
    store.keep(&a(spec(), must_not_build), built().unwrap(), &run).unwrap();
    store.get(&a(spec(), must_not_build), &run).unwrap();
}

#[test]
fn of_many_threads_one_builds() {
    let dir = tempfile::tempdir().unwrap();
    let builds = AtomicU32::new(0);
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                let store = Store::new(dir.path(), "test");
                let slow = a(spec(), || {
                    builds.fetch_add(1, Ordering::Relaxed);
                    thread::sleep(Duration::from_millis(100));
                    built()
                });
                assert_eq!(store.get(&slow, &Run::new()).unwrap().body[7], 7);
            });
        }
    });
    assert_eq!(builds.into_inner(), 1);
}

/// Records that a waiting process was announced.
#[derive(Default)]
struct Waits(AtomicU32);

impl Progress for Waits {
    fn remark(&self, what: &str) {
        if what == "waiting for another process that builds a" {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }
}

const CHILD: &str = "SEARCH_CORE_TEST_STORE";

/// Not a test of its own: what the child processes of the tests below run.
#[test]
fn child_that_builds_slowly() {
    let Ok(dir) = std::env::var(CHILD) else { return };
    let store = Store::new(&dir, "child");
    let slow = a(spec(), || {
        fs::write(store.dirs()[0].join("a.partial"), b"half a table").unwrap();
        fs::write(store.dirs()[0].join("started"), b"").unwrap();
        let until = Instant::now() + Duration::from_secs(20);
        while !store.dirs()[0].join("go").exists() && Instant::now() < until {
            thread::sleep(Duration::from_millis(10));
        }
        built()
    });
    store.get(&slow, &Run::new()).unwrap();
}

/// Starts a child that holds the lock and builds until the file `go` appears.
fn start_child(store: &Store) -> Child {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args(["--exact", "tables_store::child_that_builds_slowly"])
        .env(CHILD, &store.dirs()[0])
        .stdout(Stdio::null());
    let child = command.spawn().unwrap();
    let until = Instant::now() + Duration::from_secs(20);
    while !store.dirs()[0].join("started").exists() {
        assert!(Instant::now() < until, "the child starts");
        thread::sleep(Duration::from_millis(5));
    }
    child
}

#[test]
fn of_two_processes_one_waits_for_the_other() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::new(dir.path(), "parent");
    let mut child = start_child(&store);
    assert!(matches!(store.remove("a").unwrap_err().problem, FileError::Busy));
    let waits = Waits::default();
    let run = Run::new().with_progress(&waits);
    let soon = run.with_deadline(Instant::now() + Duration::from_millis(200));
    let stopped = store.get(&a(spec(), must_not_build), &soon).unwrap_err();
    assert!(matches!(stopped.problem, FileError::Cancelled(_)));
    assert_eq!(waits.0.load(Ordering::Relaxed), 1);
    thread::scope(|scope| {
        scope.spawn(|| {
            thread::sleep(Duration::from_millis(100));
            fs::write(store.dirs()[0].join("go"), b"").unwrap();
        });
        let table = store.get(&a(spec(), must_not_build), &run).unwrap();
        assert_eq!(table.header.generator, "child");
    });
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_builder_that_is_killed_leaves_only_what_the_next_one_removes() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::new(dir.path(), "parent");
    let mut child = start_child(&store);
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(!store.contains("a") && store.dirs()[0].join("a.partial").exists());
    let table = store.get(&a(spec(), built), &Run::new()).unwrap();
    assert_eq!(table.header.generator, "parent");
    assert_eq!(names(&store), ["a.lock", "a.table", "started"]);
}

/// A pipe in the place of a table or its lock: opening it would wait for ever.
#[cfg(unix)]
#[test]
fn pipes_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::new(dir.path(), "test");
    for name in ["a.lock", "a.table"] {
        let made = std::process::Command::new("mkfifo").arg(dir.path().join(name)).status().unwrap();
        assert!(made.success());
        let error = store.get(&a(spec(), must_not_build), &Run::new()).unwrap_err();
        assert!(error.problem.to_string().contains("a pipe instead of a file"), "{error}");
    }
    assert!(store.list().unwrap()[0].header.is_err());
    assert!(store.verify("a", &Run::new()).is_err());
}

#[cfg(unix)]
mod users;
