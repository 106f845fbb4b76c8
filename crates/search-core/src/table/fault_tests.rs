//! Publication and builds of tables on a disk that fails at each of its calls in turn.

use super::file::{describe, load, publish};
use super::format::{Spec, sample};
use super::unfinished::Unfinished;
use super::{Built, FileError, Recipe, Store, Trust};
use crate::memory::Memory;
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
    let unfinished = Unfinished::at(path.clone(), partial, &spec, ("test", Trust::Own), Duration::ZERO);
    unfinished.keep(&body, 2, &run);
    disk.arm(None);
    unfinished.resume(9, &run).unwrap().expect("it was kept");
    let (calls, _) = disk.arm(None);
    assert!(calls > 2, "{calls}");
    for at in 0..calls {
        disk.arm(Some((at, Fault::Error(5))));
        assert!(unfinished.resume(9, &run).is_err(), "call {at}");
        disk.arm(None);
        let (again, steps) = unfinished.resume(9, &run).unwrap().expect("nothing was lost");
        assert_eq!((&again[..], steps), (&body[..], 2));
    }
    fs::write(&path, "damaged").unwrap();
    assert!(unfinished.resume(9, &run).unwrap().is_none() && !path.exists());
}

/// A build in steps, each of which adds to every byte. It ends with an error when it comes to the step `stop`.
#[derive(Debug)]
struct Steps {
    stop: u32,
}

impl Steps {
    const ALL: u32 = 3;

    fn body() -> Vec<u8> {
        let add = |i: u64| {
            (0..Steps::ALL).fold(0u8, |sum, step| sum.wrapping_mul(3) ^ (i as u8).wrapping_add(step as u8))
        };
        (0..sample().spec.body_len()).map(add).collect()
    }
}

impl Recipe for Steps {
    fn name(&self) -> String {
        "steps".to_owned()
    }
    fn description(&self) -> String {
        "a build in steps".to_owned()
    }
    fn spec(&self) -> Spec {
        sample().spec
    }
    fn build_seconds(&self, _: usize) -> f64 {
        0.0
    }
    fn build(&self, unfinished: &Unfinished, run: &Run<'_>) -> Result<Built, FileError> {
        let (mut body, done) = match unfinished.resume(Steps::ALL, run)? {
            Some(left) => left,
            None => (Memory::zeroed(self.spec().body_len() as usize)?, 0),
        };
        for step in done..Steps::ALL {
            if step == self.stop {
                return Err(FileError::Busy);
            }
            for (i, byte) in body.iter_mut().enumerate() {
                *byte = byte.wrapping_mul(3) ^ (i as u8).wrapping_add(step as u8);
            }
            unfinished.keep(&body, step + 1, run);
        }
        Ok(Built { body, depth: 3 })
    }
}

/// Whatever call of a build fails, from its beginning or from what an earlier one left, it ends with an error or
/// the right table, and the next build ends with the right table and leaves nothing else.
#[test]
fn a_build_survives_a_fault_at_any_call() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("tables");
    let disk = Disk::new(&path);
    let run = Run::new().with_threads(1);
    let store = Store::new(&path, "test").keeping_after(Duration::ZERO);
    let body = Steps::body();
    let get = |stop| store.get(&Steps { stop }, &run);
    let begin = |stop| {
        let _ = fs::remove_dir_all(&path);
        assert!(stop == 0 || get(stop).is_err());
        disk.arm(None);
    };
    let mut cases = 0;
    for stop in [0, 2] {
        begin(stop);
        get(Steps::ALL).unwrap();
        let (calls, reads) = disk.arm(None);
        assert!(calls > 20 && reads > 3, "{calls} calls, {reads} reads");
        let failing = (0..calls).flat_map(|at| {
            let error = Fault::Error(if at % 2 == 0 { 5 } else { 28 });
            [(at, error), (at, Fault::Crash(at as u64)), (at, Fault::Crash(1000 + at as u64))]
        });
        let flips = (0..reads).map(|at| (at, Fault::Flip(at as u64)));
        let shorts = (0..4).map(|seed| (0, Fault::Short(seed)));
        for (at, fault) in failing.chain(flips).chain(shorts) {
            cases += 1;
            begin(stop);
            disk.arm(Some((at, fault)));
            let spoilt = get(Steps::ALL);
            disk.arm(None);
            assert!(spoilt.is_ok() || !matches!(fault, Fault::Short(_)));
            if let Ok(table) = spoilt {
                assert_eq!(*table.body, body[..], "call {at}, {fault:?}");
            }
            let again = get(Steps::ALL).unwrap_or_else(|error| panic!("call {at}, {fault:?}: {error}"));
            assert_eq!(*again.body, body[..], "call {at}, {fault:?}");
            let mut names: Vec<_> = fs::read_dir(&path).unwrap().map(|e| e.unwrap().file_name()).collect();
            names.sort();
            assert_eq!(names, ["steps.lock", "steps.table"], "call {at}, {fault:?}");
        }
    }
    assert!(cases > 200, "{cases}");
}

/// A state in several parts, of which blocks span some, is read as it was saved, under its name alone.
#[test]
fn a_state_in_parts_is_kept() {
    let home = tempfile::tempdir().unwrap();
    let (path, partial) = (home.path().join("a.unfinished"), home.path().join("a.partial"));
    let run = Run::new().with_threads(2);
    let unfinished =
        Unfinished::at(path.clone(), partial, &sample().spec, ("test", Trust::Own), Duration::ZERO);
    let saved = [(5 << 20) + 3, 0, 7, 4 << 20].map(|bytes: usize| {
        (0..bytes).map(|i| (i.wrapping_mul(0x9e37_79b9) >> 13) as u8).collect::<Vec<u8>>()
    });
    let mut read = saved.clone().map(|part| vec![0; part.len()]);
    let mut resume = |name| {
        read.iter_mut().for_each(|part| part.fill(0));
        let mut parts: Vec<&mut [u8]> = read.iter_mut().map(|part| &mut part[..]).collect();
        let steps = unfinished.resume_parts(name, &mut parts, 9, &run).unwrap();
        (steps, steps.is_some() && read == saved)
    };
    let keep = |steps| {
        let parts: Vec<&[u8]> = saved.iter().map(|part| &part[..]).collect();
        unfinished.keep_parts("state", &parts, steps, &run);
    };
    assert_eq!(resume("state"), (None, false), "there is no file");
    keep(4);
    assert_eq!(resume("state"), (Some(4), true));
    assert_eq!(resume("other"), (None, false));
    assert!(!path.exists(), "a state of another kind is removed");
    keep(10);
    assert_eq!(resume("state"), (None, false), "more steps than there are");
    keep(9);
    let mut bytes = fs::read(&path).unwrap();
    let at = bytes.len() - 5;
    bytes[at] ^= 4;
    fs::write(&path, bytes).unwrap();
    assert_eq!(resume("state"), (None, false), "a flipped bit");
    assert!(!path.exists());
}
