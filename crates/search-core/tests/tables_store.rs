//! The store: one builder among many, processes that die, files that lie.

use std::fs;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use search_core::memory::Memory;
use search_core::table::{Built, Encoding, ErrorKind, FileError, Kind, Spec, Store, Unfinished};
use search_core::{Progress, Run};

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

fn built() -> Result<Built, FileError> {
    let bytes: Vec<u8> = (0..BODY).map(|i| (i % 200) as u8).collect();
    Ok(Built { body: Memory::copy_of(&bytes)?, depth: 199 })
}

fn must_not_build() -> Result<Built, FileError> {
    panic!("the table is there")
}

fn names(store: &Store) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(store.dir())
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
    let first = store.get_or_build("a", &spec(), &run, built).unwrap();
    let second = store.get_or_build("a", &spec(), &run, must_not_build).unwrap();
    assert_eq!((first.header, &*first.body), (second.header, &*second.body));
    let listed = store.list().unwrap();
    let header = listed[0].header.as_ref().unwrap();
    assert_eq!((listed.len(), listed[0].name.as_str(), header.generator.as_str()), (1, "a", "test 1.0"));
    assert_eq!((header.depth, listed[0].bytes), (199, 4096 + BODY as u64));
    assert_eq!(store.verify("a", &run).unwrap(), *header);
    assert_eq!(names(&store), ["a.lock", "a.table"]);
    assert!(store.contains("a") && store.remove("a").unwrap() && !store.contains("a"));
    assert_eq!(store.load("a", &spec(), &run).unwrap_err().kind(), ErrorKind::Io);
}

#[test]
fn a_table_that_does_not_fit_is_refused_by_name_and_stays() {
    let dir = tempfile::tempdir().unwrap();
    let (store, run) = (Store::new(dir.path(), "test"), Run::new());
    store.get_or_build("a", &spec(), &run, built).unwrap();
    let refused = |spec: &Spec| store.get_or_build("a", spec, &run, must_not_build).unwrap_err();
    let error = refused(&Spec { ranking: 2, ..spec() });
    assert_eq!(error.kind(), ErrorKind::Version);
    assert!(error.kind().is_cured_by_removal());
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
    store.get_or_build("a", &spec(), &run, built).unwrap();
}

#[test]
fn names_stay_inside_the_directory() {
    let dir = tempfile::tempdir().unwrap();
    let (store, run) = (Store::new(dir.path(), "test"), Run::new());
    let long = "x".repeat(101);
    for name in ["", ".", "..", "../a", "a/b", "a\\b", ".hidden", "a b", "ä", "a\0", &long] {
        let error = store.get_or_build(name, &spec(), &run, must_not_build).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::BadName, "{name:?}");
        assert_eq!(store.remove(name).unwrap_err().kind(), ErrorKind::BadName, "{name:?}");
    }
    assert!(names(&store).is_empty());
}

#[test]
fn a_build_that_fails_leaves_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let (store, run) = (Store::new(dir.path(), "test"), Run::new());
    let error = store.get_or_build("a", &spec(), &run, || Err(FileError::Build("no luck".into())));
    let error = error.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Build);
    assert!(error.to_string().ends_with("building it failed: no luck"), "{error}");
    let stopped = store.get_or_build("a", &spec(), &run, || {
        run.cancel().cancel();
        built()
    });
    assert_eq!(stopped.unwrap_err().kind(), ErrorKind::Cancelled);
    assert_eq!(names(&store), ["a.lock"]);
}

/// A build of three steps that is stopped after `steps` of them. What it took up, it tells.
fn stopped_after(
    steps: u32,
    taken_up: &mut Option<u32>,
) -> impl FnOnce(&Unfinished) -> Result<Built, FileError> {
    move |unfinished| {
        let run = Run::new();
        let taken = unfinished.take_up(&run)?;
        *taken_up = taken.as_ref().map(|(_, steps)| *steps);
        let (mut body, done) = taken.unwrap_or((Memory::zeroed(BODY)?, 0));
        for step in done..steps {
            body[step as usize * 1000..][..1000].fill(step as u8 + 1);
            assert!(unfinished.is_due(&run));
            unfinished.keep(&body, step + 1, &run);
        }
        if steps < 3 { Err(FileError::Build("stopped".into())) } else { Ok(Built { body, depth: 3 }) }
    }
}

#[test]
fn a_build_goes_on_where_it_was_stopped() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::new(dir.path(), "test").keeping_after(Duration::ZERO);
    let get = |steps: u32, spec: &Spec| {
        let mut taken_up = None;
        let build = stopped_after(steps, &mut taken_up);
        let table = store.get_or_build_in_steps("a", spec, &Run::new(), build);
        (table, taken_up)
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
fn room_on_the_disk_is_asked_for_before_the_work() {
    let dir = tempfile::tempdir().unwrap();
    let (store, run) = (Store::new(dir.path(), "test"), Run::new());
    let huge = Spec { entries: 1 << 60, ..spec() };
    let error = store.get_or_build("a", &huge, &run, must_not_build).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NoSpace);
    assert!(
        matches!(error.problem, FileError::NoSpace { needed, available: Some(free) } if needed > 1 << 60 && free > 0)
    );
}

#[test]
fn of_many_threads_one_builds() {
    let dir = tempfile::tempdir().unwrap();
    let builds = AtomicU32::new(0);
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                let store = Store::new(dir.path(), "test");
                let table = store.get_or_build("a", &spec(), &Run::new(), || {
                    builds.fetch_add(1, Ordering::Relaxed);
                    thread::sleep(Duration::from_millis(100));
                    built()
                });
                assert_eq!(table.unwrap().body[7], 7);
            });
        }
    });
    assert_eq!(builds.into_inner(), 1);
}

/// Tells that it is told to wait.
#[derive(Default)]
struct Waits(AtomicU32);

impl Progress for Waits {
    fn begin(&self, what: &str, _: u64) {
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
    let result = store.get_or_build("a", &spec(), &Run::new(), || {
        fs::write(store.dir().join("a.partial"), b"half a table").unwrap();
        fs::write(store.dir().join("started"), b"").unwrap();
        let until = Instant::now() + Duration::from_secs(20);
        while !store.dir().join("go").exists() && Instant::now() < until {
            thread::sleep(Duration::from_millis(10));
        }
        built()
    });
    result.unwrap();
}

/// Starts a child that holds the lock and builds until the file `go` appears.
fn start_child(store: &Store) -> Child {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "child_that_builds_slowly"]).env(CHILD, store.dir()).stdout(Stdio::null());
    let child = command.spawn().unwrap();
    let until = Instant::now() + Duration::from_secs(20);
    while !store.dir().join("started").exists() {
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
    assert_eq!(store.remove("a").unwrap_err().kind(), ErrorKind::Busy);
    let waits = Waits::default();
    let run = Run::new().with_progress(&waits);
    let soon = run.with_deadline(Instant::now() + Duration::from_millis(200));
    let stopped = store.get_or_build("a", &spec(), &soon, must_not_build).unwrap_err();
    assert_eq!((stopped.kind(), waits.0.load(Ordering::Relaxed)), (ErrorKind::Cancelled, 1));
    thread::scope(|scope| {
        scope.spawn(|| {
            thread::sleep(Duration::from_millis(100));
            fs::write(store.dir().join("go"), b"").unwrap();
        });
        let table = store.get_or_build("a", &spec(), &run, must_not_build).unwrap();
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
    assert!(!store.contains("a") && store.dir().join("a.partial").exists());
    let table = store.get_or_build("a", &spec(), &Run::new(), built).unwrap();
    assert_eq!(table.header.generator, "parent");
    assert_eq!(names(&store), ["a.lock", "a.table", "started"]);
}
