//! Searches whose layers, or times of corners, are on a disk that fails at each of its calls in turn.

#![cfg(unix)]

use hanoi4::bitmap::search::{LayerCount, NoPruning, Setup};
use hanoi4::corners::complete::CompleteSearch;
use hanoi4::corners::half::{CheckpointOptions, Half};
use hanoi4::error::SearchError;
use hanoi4::layer_search::{LayerReport, SearchOptions, search_layers};
use hanoi4::pegs::PegGroup;
use search_core::Run;
use search_core::storage::StorageError;
use search_core::storage::fault::{Disk, Fault};
use std::fmt::Debug;
use std::fs;
use std::path::Path;
use std::time::Duration;

type Searched<T> = Result<T, SearchError>;

fn layers(report: LayerReport) -> Vec<LayerCount> {
    report.layers
}

/// Whichever call fails, `search` ends with an error or with the counts of a sound disk. The next search resumes, or
/// starts over if there is no checkpoint, ends with these counts and leaves no files.
fn survives<T: Debug + PartialEq>(search: impl Fn(&Path) -> Searched<T>) {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("run");
    let disk = Disk::new(&path);
    let plain = search(&path).unwrap();
    let (calls, _) = disk.arm(None);
    assert!((50..3000).contains(&calls), "{calls} calls");
    let failing = (0..calls).flat_map(|at| {
        let error = Fault::Error(if at % 2 == 0 { 5 } else { 28 });
        [(at, error), (at, Fault::Crash(at as u64))]
    });
    let mut cases = 0;
    for (at, fault) in failing.chain((0..4).map(|seed| (0, Fault::Short(seed)))) {
        cases += 1;
        let _ = fs::remove_dir_all(&path);
        disk.arm(Some((at, fault)));
        let spoilt = search(&path);
        disk.arm(None);
        if let Ok(counts) = &spoilt {
            assert_eq!(*counts, plain, "call {at}, {fault:?}");
        }
        assert!(spoilt.is_ok() || !matches!(fault, Fault::Short(_)), "{spoilt:?}");
        if path.exists() {
            let again = search(&path);
            let again = again.unwrap_or_else(|error| panic!("after call {at}, {fault:?}: {error}"));
            assert_eq!(again, plain, "after call {at}, {fault:?}");
        }
    }
    println!("{cases} cases of {calls} calls");
    flipped(&disk, &path, &search, &plain);
}

/// A search that resumes and reads a flipped bit reports damage instead of a wrong answer.
fn flipped<T: Debug + PartialEq>(
    disk: &Disk,
    path: &Path,
    search: &impl Fn(&Path) -> Searched<T>,
    plain: &T,
) {
    let stop = |at| {
        let _ = fs::remove_dir_all(path);
        disk.arm(Some((at, Fault::Error(5))));
        assert!(search(path).is_err());
        disk.arm(None);
    };
    let (mut flips, mut refused) = (0, 0);
    for at in [60, 75, 90, 110] {
        stop(at);
        if !path.join("checkpoint").exists() {
            continue;
        }
        search(path).unwrap();
        let (_, reads) = disk.arm(None);
        for read in 0..reads {
            stop(at);
            disk.arm(Some((read, Fault::Flip(read as u64))));
            flips += 1;
            match search(path) {
                Ok(counts) => assert_eq!(counts, *plain),
                Err(SearchError::Storage(StorageError::Damaged { .. } | StorageError::WorkDir(_))) => {
                    refused += 1;
                }
                Err(error) => panic!("read {read} after call {at}: {error}"),
            }
        }
    }
    assert!(flips > 0 && refused > 0, "{flips} flips");
    println!("{flips} flipped bits, {refused} refused");
}

#[test]
fn layers_survive_a_fault_at_any_call() {
    let run = Run::new().with_threads(1);
    survives(|path| {
        let mut setup = Setup::new(6, 5, PegGroup::fixing(0));
        // Every layer gets a checkpoint when the disk is half full.
        setup.budget = search_core::storage::Budget::new(0, 100_000);
        let options = SearchOptions {
            identity: "faults".to_owned(),
            work_dir: Some(path.to_owned()),
            ..SearchOptions::default()
        };
        search_layers(setup, &NoPruning, &options, &run).map(layers)
    });
}

#[test]
fn times_of_corners_survive_a_fault_at_any_call() {
    let run = Run::new().with_threads(1);
    survives(|path| {
        let search = CompleteSearch {
            discs: 8,
            small: Some(7),
            work_dir: Some(path.to_owned()),
            checkpoint_every: Some(Duration::ZERO),
            ..CompleteSearch::default()
        };
        search.run(&run).map(|complete| layers(complete.report))
    });
}

#[test]
fn the_nearest_middle_state_survives_a_fault_at_any_call() {
    let run = Run::new().with_threads(1);
    survives(|path| {
        let options = CheckpointOptions {
            dir: path.to_owned(),
            identity: "faults".to_owned(),
            fresh: false,
            every: Some(Duration::ZERO),
            disk: u64::MAX,
        };
        let search = Half { discs: 7, small: 3, threshold: 20, bound: None };
        let found = search.search(Some(&options), &run)?;
        Ok((found.depth, found.blocks, found.live, found.entered))
    });
}
