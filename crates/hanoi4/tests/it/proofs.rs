//! Proofs by the times of corners: interrupted, resumed, refused.

use crate::complete::interrupted_after;
use hanoi4::corners::half::{CheckpointOptions, Nearest};
use hanoi4::error::SearchError;
use hanoi4::goals::Goals;
use hanoi4::pdb::Database;
use hanoi4::verify::{Threshold, Verification, verify_by_corners};
use search_core::Run;
use search_core::storage::StorageError;
use std::fs;
use std::path::Path;
use std::time::Duration;

/// A proof, and the directory for its checkpoints.
struct Proof {
    discs: u32,
    small: u32,
    database: Option<Database>,
    threshold: Threshold,
    checkpoints: CheckpointOptions,
}

impl Proof {
    fn new(discs: u32, small: u32, dir: &Path) -> Proof {
        let checkpoints = CheckpointOptions {
            dir: dir.into(),
            identity: format!("{discs} discs, {small} small"),
            fresh: false,
            every: Some(Duration::ZERO),
            disk: u64::MAX,
        };
        Proof { discs, small, database: None, threshold: Threshold::Full, checkpoints }
    }

    /// The same with a database of 5 fewer discs.
    fn bounded(self) -> Proof {
        let database = Database::compressed(self.discs - 5, 4, Goals::Middle, &Run::new()).unwrap();
        Proof { database: Some(database), ..self }
    }

    fn search(&self, run: &Run<'_>) -> Result<Verification, SearchError> {
        self.run(Some(&self.checkpoints), run)
    }

    fn plain(&self) -> Verification {
        self.run(None, &Run::new()).unwrap()
    }

    fn run(
        &self,
        checkpoints: Option<&CheckpointOptions>,
        run: &Run<'_>,
    ) -> Result<Verification, SearchError> {
        let Proof { discs, small, threshold, database, .. } = self;
        verify_by_corners(*discs, *threshold, database.as_ref(), *small, checkpoints, run)
    }
}

/// The result, and the counts that do not depend on interruptions.
fn counts(found: &Verification) -> (Option<u32>, Option<u32>, [u64; 3]) {
    let Nearest { depth, blocks, live, entered, .. } = *found.search.corners().unwrap();
    (found.ending.length(), depth, [blocks, live, entered])
}

#[test]
fn an_interrupted_proof_resumes_to_the_same_counts() {
    let home = tempfile::tempdir().unwrap();
    let dir = home.path().join("run");
    for (discs, small, bounded, threshold) in [
        (10, 4, false, Threshold::Full),
        (11, 3, false, Threshold::Below),
        (14, 8, true, Threshold::Full),
        (15, 5, true, Threshold::Full),
        (15, 1, true, Threshold::Below),
    ] {
        let proof = Proof { threshold, ..Proof::new(discs, small, &dir) };
        let proof = if bounded { proof.bounded() } else { proof };
        let plain = proof.plain();
        for reports in [1, 2, 7, 20] {
            let (mut rounds, mut cancelled) = (0, 0);
            let done = loop {
                // Each round has one report more: the first ones may be spent on the rest of the bound.
                let (ended, _) = interrupted_after(reports + rounds, |run| proof.search(run));
                rounds += 1;
                match ended {
                    Ok(done) => break done,
                    Err(SearchError::Cancelled(_)) => cancelled += 1,
                    Err(error) => panic!("{error}"),
                }
            };
            let name = format!("{discs} discs, {small} small, stopped after {reports} times");
            assert_eq!(counts(&done), counts(&plain), "{name}");
            assert!(rounds > 1 && cancelled == rounds - 1, "{name}");
            let [all, last] = [&plain, &done].map(|found| *found.search.corners().unwrap());
            assert!(last.searched < all.searched && all.searched == all.entered, "{name}");
            assert!(last.disk > 0 && all.disk == 0, "{name}");
            fs::remove_dir_all(&dir).unwrap();
        }
    }
}

#[test]
fn damaged_checkpoints_of_a_proof_are_refused_and_kept() {
    let home = tempfile::tempdir().unwrap();
    let dir = home.path().join("run");
    let proof = Proof::new(14, 6, &dir).bounded();
    assert!(matches!(interrupted_after(20, |run| proof.search(run)), (Err(SearchError::Cancelled(_)), _)));
    let names: Vec<_> = fs::read_dir(&dir).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(names.len(), 3, "the mark, the checkpoint and the times: {names:?}");
    for path in names.iter().filter(|path| !path.ends_with("work.lock")) {
        let good = fs::read(path).unwrap();
        let places = (0..good.len()).step_by(good.len().div_ceil(97));
        let spoilt = places.map(|at| {
            let mut bad = good.clone();
            bad[at] ^= 1 << (at % 8);
            bad
        });
        for bytes in spoilt.chain([good[..good.len() / 3].to_vec(), [&good[..], &[0]].concat()]) {
            fs::write(path, bytes).unwrap();
            let refused = proof.search(&Run::new()).unwrap_err();
            assert!(
                matches!(refused, SearchError::Storage(StorageError::WorkDir(_))),
                "{}: {refused}",
                path.display()
            );
            assert!(refused.to_string().contains("damaged"), "{refused}");
        }
        fs::write(path, &good).unwrap();
    }
    let other = Proof::new(13, 6, &dir).search(&Run::new()).unwrap_err();
    assert!(other.to_string().contains("another run"), "{other}");
    assert_eq!(counts(&proof.search(&Run::new()).unwrap()), counts(&proof.plain()), "nothing was lost");
}

#[test]
fn a_proof_that_outgrows_its_memory_or_disk_resumes_with_more() {
    let home = tempfile::tempdir().unwrap();
    let dir = home.path().join("run");
    let proof = Proof::new(15, 4, &dir).bounded();
    let plain = proof.plain();
    let most = plain.search.peak_bytes();
    let short = proof.search(&Run::new().with_memory(most - 1)).unwrap_err();
    assert!(matches!(short, SearchError::Budget { need, .. } if need == most.into()), "{short}");
    assert!(dir.join("checkpoint").exists());
    let done = proof.search(&Run::new().with_memory(most)).unwrap();
    assert_eq!(counts(&done), counts(&plain));
    assert!(done.search.searched() < plain.search.searched(), "it was resumed");
    fs::remove_dir_all(&dir).unwrap();
    let small_disk = CheckpointOptions { disk: 20_000, ..proof.checkpoints.clone() };
    let full = proof.run(Some(&small_disk), &Run::new()).unwrap_err();
    assert!(matches!(full, SearchError::Storage(StorageError::Disk(20_000))), "{full}");
    let done = proof.search(&Run::new()).unwrap();
    assert_eq!(counts(&done), counts(&plain));
    assert!(done.search.searched() < plain.search.searched(), "it was resumed");
}
