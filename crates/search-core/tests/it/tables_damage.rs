//! Files of tables that are not what they were: every bit matters.

use std::fs::{self, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::sync::atomic::{AtomicU32, Ordering};

use search_core::Run;
use search_core::memory::Memory;
use search_core::table::{Built, Encoding, FileError, Kind, Recipe, Spec, Store, Unfinished};

const HEADER: usize = 4096;
const BODY: usize = 1000;
/// The steps of the build.
const STEPS: u32 = 9;

/// A table that is built in steps; `past` is a number of steps that a stranger's build has done.
#[derive(Debug, Default)]
struct Small {
    past: Option<u32>,
    begun: AtomicU32,
}

impl Recipe for Small {
    fn name(&self) -> String {
        "small".to_owned()
    }
    fn description(&self) -> String {
        "a small table".to_owned()
    }
    fn spec(&self) -> Spec {
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
    fn bytes(&self) -> u64 {
        BODY as u64
    }
    fn peak_bytes(&self) -> u64 {
        BODY as u64
    }
    fn build_seconds(&self, _: usize) -> f64 {
        1.0
    }
    fn build(&self, unfinished: &Unfinished, run: &Run<'_>) -> Result<Built, FileError> {
        if let Some(steps) = self.past {
            unfinished.keep(&[77; BODY], steps, run);
            return Err(FileError::Cancelled(search_core::Cancelled));
        }
        let (mut body, done) = match unfinished.resume(STEPS, run)? {
            Some(taken) => taken,
            None => (Memory::zeroed(BODY)?, 0),
        };
        self.begun.store(done, Ordering::Relaxed);
        for step in done..STEPS {
            body.iter_mut().skip(step as usize).step_by(STEPS as usize).for_each(|byte| *byte = step as u8);
        }
        Ok(Built { body, depth: STEPS })
    }
}

#[test]
fn every_flipped_bit_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let (store, run) = (Store::new(dir.path(), "test"), Run::new());
    let table = store.get(&Small::default(), &run).unwrap();
    assert_eq!(table.body[..10], [0, 1, 2, 3, 4, 5, 6, 7, 8, 0]);
    let path = store.path("small");
    let sound = fs::read(&path).unwrap();
    assert_eq!(sound.len(), HEADER + BODY);
    let mut file = OpenOptions::new().write(true).open(&path).unwrap();
    let mut put = |at: usize, byte: u8| {
        file.seek(SeekFrom::Start(at as u64)).unwrap();
        file.write_all(&[byte]).unwrap();
    };
    for (at, &byte) in sound.iter().enumerate() {
        for bit in 0..8 {
            put(at, byte ^ 1 << bit);
            assert!(store.verify("small", &run).is_err(), "verified with bit {bit} of byte {at}");
            // Before any search, and without building it anew.
            assert!(store.get(&Small::default(), &run).is_err(), "loaded with bit {bit} of byte {at}");
            if at < HEADER {
                assert!(store.list().unwrap()[0].header.is_err(), "listed with bit {bit} of byte {at}");
            }
        }
        put(at, byte);
    }
    assert!(store.verify("small", &run).is_ok() && store.get(&Small::default(), &run).is_ok());
}

#[test]
fn a_state_with_more_steps_than_the_build_has_is_not_finished() {
    for (past, begun) in [(STEPS + 1, 0), (u32::from(u16::MAX), 0), (STEPS - 1, STEPS - 1)] {
        let dir = tempfile::tempdir().unwrap();
        let (store, run) = (Store::new(dir.path(), "test"), Run::new());
        let foreign = Small { past: Some(past), begun: AtomicU32::new(0) };
        assert!(store.get(&foreign, &run).is_err());
        assert_eq!(store.list_unfinished().unwrap().len(), 1);
        let recipe = Small::default();
        let table = store.get(&recipe, &run).unwrap();
        assert_eq!(recipe.begun.load(Ordering::Relaxed), begun, "{past} steps");
        let is_anew =
            table.body.iter().enumerate().all(|(at, &byte)| usize::from(byte) == at % STEPS as usize);
        assert_eq!(is_anew, begun == 0, "{past} steps");
        assert!(store.list_unfinished().unwrap().is_empty());
    }
}
