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
    for (name, mode) in [("shared", 0o777), ("read-only", 0o755), ("own", 0o777), ("planted", 0o777)] {
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
        status => assert!(status.unwrap().success()),
    }
}

/// Not a test of its own: what the child process of another user runs.
#[test]
fn child_of_another_user() {
    let Some(home) = std::env::var_os(USER) else { return };
    let home = Path::new(&home);
    second_user(home);
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
