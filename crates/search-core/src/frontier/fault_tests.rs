//! Frontier search on a disk that fails at each of its calls in turn.

use super::tests::{Pancakes, sorted};
use super::*;
use crate::run::Run;
use crate::storage::fault::{Disk, Fault};

/// The number of states at each depth, from a search that is completed.
fn counts(mut search: FrontierSearch<'_, Pancakes>, run: &Run<'_>) -> Result<Vec<u64>, FrontierError> {
    while search.states() > 0 {
        search.step(run)?;
    }
    let counts = search.layers().iter().map(|layer| layer.states).collect();
    search.finish()?;
    Ok(counts)
}

/// Whichever call fails, the search ends with an error or the right counts, and the next search resumes or starts over
/// and finds the right counts.
#[test]
fn a_search_survives_a_fault_at_any_call() {
    let home = tempfile::tempdir().unwrap();
    let (domain, run) = (Pancakes(5), Run::new().with_threads(1));
    let path = home.path().join("run");
    let options = Options { directory: Some(path.clone()), memory: 600, ..Options::in_memory(1) };
    let disk = Disk::new(&path);
    let search = || counts(FrontierSearch::new(&domain, options.clone(), [sorted(5)])?, &run);
    let plain = search().unwrap();
    let (calls, _) = disk.arm(None);
    assert!(calls > 50, "{calls}");
    let mut cases = 0;
    for at in 0..calls {
        let error = if at % 2 == 0 { Fault::Error(5) } else { Fault::Error(28) };
        for fault in [error, Fault::Crash(7 * at as u64)] {
            cases += 1;
            disk.arm(Some((at, fault)));
            let spoilt = search();
            disk.arm(None);
            if let Ok(counts) = &spoilt {
                assert_eq!(*counts, plain, "call {at}, {fault:?}");
            }
            if path.exists() {
                assert_eq!(search().unwrap(), plain, "call {at}, {fault:?}");
            }
            assert!(!path.exists(), "call {at}, {fault:?}");
        }
    }
    assert_eq!(cases, 2 * calls);
    for seed in 0..4 {
        disk.arm(Some((0, Fault::Short(seed))));
        assert_eq!(search().unwrap(), plain, "short reads and writes, seed {seed}");
        disk.arm(None);
    }
}

/// A flipped bit in a file is detected.
#[test]
fn a_search_refuses_flipped_bits() {
    let home = tempfile::tempdir().unwrap();
    let (domain, run) = (Pancakes(5), Run::new().with_threads(1));
    let path = home.path().join("run");
    let options = Options { directory: Some(path.clone()), ..Options::in_memory(1) };
    let disk = Disk::new(&path);
    let fresh = || counts(FrontierSearch::new(&domain, options.clone(), [sorted(5)])?, &run);
    fresh().unwrap();
    let (_, reads) = disk.arm(None);
    assert!(reads > 5, "{reads}");
    for at in 0..reads {
        disk.arm(Some((at, Fault::Flip(at as u64))));
        let error = fresh().unwrap_err();
        assert!(matches!(error, FrontierError::Storage(StorageError::Damaged { .. })), "read {at}: {error}");
        std::fs::remove_dir_all(&path).unwrap();
    }
}
