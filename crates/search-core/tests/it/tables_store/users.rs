//! Directories that several users share. The tests of another user run in a child with another user id where this process
//! may start one, and in this process otherwise.

use super::*;
use std::io::ErrorKind::PermissionDenied;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::os::unix::process::CommandExt;
use std::path::Path;

/// Users who own nothing.
const NOBODY: u32 = 65534;
const USER: &str = "SEARCH_CORE_TEST_USER";

fn allow(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

#[test]
fn two_users_share_directories() {
    let home = tempfile::tempdir().unwrap();
    let is_root = home.path().metadata().unwrap().uid() == 0;
    allow(home.path(), 0o755);
    for (name, mode) in
        [("shared", 0o777), ("read-only", 0o755), ("own", 0o777), ("planted", 0o777), ("left", 0o777)]
    {
        fs::create_dir(home.path().join(name)).unwrap();
        allow(&home.path().join(name), mode);
    }
    for name in ["shared", "read-only"] {
        Store::new(home.path().join(name), "first user").get(&a(spec(), built), &Run::new()).unwrap();
    }
    symlink(home.path().join("target"), home.path().join("planted/a.lock")).unwrap();
    if !is_root {
        allow(&home.path().join("read-only"), 0o555);
        return second_user(home.path());
    }
    let private = home.path().join("shared/private.lock");
    fs::write(&private, "").unwrap();
    allow(&private, 0o600);
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "tables_store::users::child_of_another_user"]).env(USER, home.path());
    match command.uid(NOBODY).gid(NOBODY).stdout(Stdio::null()).status() {
        // The folder of the tests is closed to other users.
        Err(error) if error.kind() == PermissionDenied => {}
        status => {
            assert!(status.unwrap().success());
            first_user_after_the_second(home.path());
        }
    }
}

/// Reads what the second user left: a table as it is to be, a forged one and an unfinished one.
fn first_user_after_the_second(home: &Path) {
    let (run, trusting) = (Run::new(), |trust| {
        Store::new(home.join("left"), "first user").keeping_after(Duration::ZERO).trusting(trust)
    });
    let store = trusting(Trust::Own);
    assert_eq!(fs::metadata(store.path("a")).unwrap().uid(), NOBODY);
    assert!(matches!(prove_sound(&store, "a"), Ok(Proof::Rebuilt)));
    assert_eq!(store.get(&a(spec(), built), &run).unwrap().header.generator, "second user");
    assert!(is_forged(&store.get(&Made("forged", spec(), Box::new(|_| built())), &run)));
    trusting(Trust::All).get(&Made("forged", spec(), Box::new(|_| must_not_build())), &run).unwrap();
    // What the second user began is not continued.
    let taken_up = Mutex::new(None);
    store.get(&Made("begun", spec(), stopped_after(3, &taken_up)), &run).unwrap();
    assert_eq!(taken_up.into_inner().unwrap(), None);
}

/// Not a test of its own: what the child process of another user runs.
#[test]
fn child_of_another_user() {
    let Some(home) = std::env::var_os(USER) else { return };
    let home = Path::new(&home);
    second_user(home);
    let left = Store::new(home.join("left"), "second user").keeping_after(Duration::ZERO);
    left.get(&a(spec(), built), &Run::new()).unwrap();
    left.get(&Made("forged", spec(), Box::new(|_| forged())), &Run::new()).unwrap();
    left.get(&Made("begun", spec(), stopped_after(2, &Mutex::new(None))), &Run::new()).unwrap_err();
    let private = Made("private", spec(), Box::new(|_| built()));
    let refused = Store::new(home.join("shared"), "second user").get(&private, &Run::new()).unwrap_err();
    assert!(matches!(refused.problem, FileError::Io(io) if io.error.kind() == PermissionDenied));
}

fn second_user(home: &Path) {
    let run = Run::new();
    let over = |names: &[&str]| Store::over(names.iter().map(|name| home.join(name)), "second user");
    let b = || Made("b", spec(), Box::new(|_| built()));
    // The lock file of the first user shuts nobody out.
    let shared = over(&["shared"]);
    shared.get(&a(spec(), must_not_build), &run).unwrap();
    assert!(shared.remove("a").unwrap());
    assert_eq!(shared.get(&a(spec(), built), &run).unwrap().header.generator, "second user");
    // Tables are read from all directories and written to the first that can be written.
    let both = over(&["read-only", "own"]);
    assert_eq!(both.get(&a(spec(), must_not_build), &run).unwrap().header.generator, "first user");
    both.get(&b(), &run).unwrap();
    assert!(home.join("own/b.table").exists() && both.contains("b"));
    let listed: Vec<String> = both.list().unwrap().into_iter().map(|entry| entry.name).collect();
    assert_eq!(listed, ["a", "b"]);
    // Where none can be written, a table is built in memory.
    let read_only = over(&["read-only"]);
    assert_eq!(read_only.writes_to().unwrap(), None);
    assert_eq!(read_only.get(&b(), &run).unwrap().body.len(), BODY);
    assert_eq!(Store::over([], "none").get(&b(), &run).unwrap().body.len(), BODY);
    assert!(!read_only.contains("b"));
    assert!(read_only.remove("a").is_err());
    // No lock is made through a symbolic link.
    let planted = over(&["planted"]).get(&a(spec(), built), &run).unwrap_err();
    assert!(planted.to_string().contains("symbolic link"), "{planted}");
    assert!(!home.join("target").exists());
}

fn forged() -> Result<Built, FileError> {
    let mut built = built()?;
    built.body[77] ^= 1;
    Ok(built)
}

fn is_forged(table: &Result<Table, TableError>) -> bool {
    let is_named = |error: &TableError| matches!(error.problem, FileError::Format(FormatError::Contents(_)));
    table.as_ref().is_err_and(|error| is_named(error) && error.kind() == ErrorKind::Damaged)
}

fn prove_sound(store: &Store, name: &str) -> Result<Proof, TableError> {
    store.prove(&Made(name, spec(), Box::new(|_| built())), &Run::new()).map(|(_, proof)| proof)
}

#[test]
fn what_others_may_write_is_proved_before_it_is_used() {
    let (home, run) = (tempfile::tempdir().unwrap(), Run::new());
    let store = Store::new(home.path(), "test");
    let sound = || a(spec(), built);
    store.get(&a(spec(), forged), &run).unwrap();
    let file = store.path("a");
    assert_eq!(file.metadata().unwrap().mode() & 0o777, 0o644);
    // Nobody else can have written it, so it is read as it is.
    store.get(&a(spec(), must_not_build), &run).unwrap();
    let is_proved = |mode| {
        allow(&file, mode);
        is_forged(&store.get(&sound(), &run))
    };
    let is_private = file.metadata().unwrap().gid() == file.metadata().unwrap().uid();
    assert_eq!([0o600, 0o644, 0o664, 0o646].map(is_proved), [false, false, !is_private, true]);
    assert!(is_forged(&store.clone().trusting(Trust::None).get(&sound(), &run)));
    store.clone().trusting(Trust::All).get(&a(spec(), must_not_build), &run).unwrap();
    // Those who trust nobody do not continue their own builds either.
    store.remove("a").unwrap();
    let (careful, taken_up) = (store.trusting(Trust::None).keeping_after(Duration::ZERO), Mutex::new(None));
    for steps in [2, 3] {
        let _ = careful.get(&Made("a", spec(), stopped_after(steps, &taken_up)), &run);
        assert_eq!(*taken_up.lock().unwrap(), None);
    }
}

/// A recipe whose tables can only be sampled.
#[derive(Debug)]
struct Sampled;

impl Recipe for Sampled {
    fn name(&self) -> String {
        "sampled".to_owned()
    }
    fn description(&self) -> String {
        spec().pattern
    }
    fn spec(&self) -> Spec {
        spec()
    }
    fn build_seconds(&self, _: usize) -> f64 {
        1e6
    }
    fn build(&self, _: &Unfinished, _: &Run<'_>) -> Result<Built, FileError> {
        built()
    }
    fn prove(&self, _: &[u8], _: &Run<'_>) -> Result<Proof, FileError> {
        Ok(Proof::Sample { comparisons: 5 })
    }
}

#[test]
fn a_table_that_others_may_write_and_that_can_only_be_sampled_is_refused() {
    let (home, run) = (tempfile::tempdir().unwrap(), Run::new());
    let store = Store::new(home.path(), "test");
    store.get(&Sampled, &run).unwrap();
    store.get(&Sampled, &run).unwrap();
    allow(&store.path("sampled"), 0o666);
    let refused = store.get(&Sampled, &run).unwrap_err();
    assert!(matches!(refused.problem, FileError::Unproved), "{refused}");
    store.trusting(Trust::All).get(&Sampled, &run).unwrap();
}
