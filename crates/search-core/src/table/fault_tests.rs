//! Publication of a table on a disk that fails at each of its calls in turn.

use super::file::{describe, load, publish};
use super::format::sample;
use super::unfinished::Unfinished;
use crate::run::Run;
use crate::storage::fault::{Disk, Fault};
use std::fs;
use std::time::Duration;

/// Whatever call fails, the file is the old table or the new one.
#[test]
fn a_published_table_is_the_old_or_the_new_one() {
    let home = tempfile::tempdir().unwrap();
    let (path, partial) = (home.path().join("a.table"), home.path().join("a.partial"));
    let disk = Disk::new(home.path());
    let run = Run::new().with_threads(1);
    let spec = sample().spec;
    let body = |salt: u64| (0..spec.body_len()).map(|i| (i * i + salt) as u8).collect::<Vec<u8>>();
    let write = |body: &[u8]| {
        let header = describe(&spec, 3, "test", body, &run);
        publish(&path, &partial, &header, body, &run)
    };
    let (old, new) = (body(1), body(2));
    write(&old).unwrap();
    let (calls, reads) = disk.arm(None);
    for at in 0..calls {
        let crashes = (0..8).map(|seed| Fault::Crash(seed + 31 * at as u64));
        for fault in [Fault::Error(5), Fault::Error(28)].into_iter().chain(crashes) {
            disk.arm(Some((at, fault)));
            let published = write(&new);
            disk.arm(None);
            let found = load(&path, &spec, &run).unwrap();
            assert!(*found.body == old[..] || *found.body == new[..], "call {at}, {fault:?}");
            assert!(published.is_err() || *found.body == new[..], "call {at}, {fault:?}");
            if matches!(fault, Fault::Error(_)) && published.is_err() {
                assert!(!partial.exists(), "call {at}, {fault:?}");
            }
            write(&old).unwrap();
        }
    }
    for at in 0..reads {
        for seed in 0..20 {
            disk.arm(Some((at, Fault::Flip(seed))));
            assert!(write(&new).is_err(), "a table that reads back changed is not published");
            disk.arm(None);
            assert_eq!(*load(&path, &spec, &run).unwrap().body, old[..]);
        }
    }
    assert_eq!(fs::read_dir(home.path()).unwrap().count(), 1);
    assert!(calls >= 8 && reads >= 3, "{calls} calls, {reads} reads");
}

/// An unfinished build that cannot be read now is kept for later.
#[test]
fn an_unfinished_build_survives_errors_of_reading() {
    let home = tempfile::tempdir().unwrap();
    let (path, partial) = (home.path().join("a.unfinished"), home.path().join("a.partial"));
    let disk = Disk::new(home.path());
    let run = Run::new().with_threads(1);
    let spec = sample().spec;
    let body: Vec<u8> = (0..spec.body_len()).map(|i| i as u8).collect();
    let unfinished = Unfinished::at(path.clone(), partial, &spec, "test", Duration::ZERO);
    unfinished.keep(&body, 2, &run);
    disk.arm(None);
    unfinished.take_up(9, &run).unwrap().expect("it was kept");
    let (calls, _) = disk.arm(None);
    assert!(calls > 2, "{calls}");
    for at in 0..calls {
        disk.arm(Some((at, Fault::Error(5))));
        assert!(unfinished.take_up(9, &run).is_err(), "call {at}");
        disk.arm(None);
        let (again, steps) = unfinished.take_up(9, &run).unwrap().expect("nothing was lost");
        assert_eq!((&again[..], steps), (&body[..], 2));
    }
    fs::write(&path, "damaged").unwrap();
    assert!(unfinished.take_up(9, &run).unwrap().is_none() && !path.exists());
}
