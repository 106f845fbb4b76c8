//! Frontier search against plain breadth-first search, on TopSpin-like rings and pancakes.

use super::*;
use crate::record::Ending;
use crate::run::Run;
use std::collections::{BTreeMap, VecDeque};

/// Pancakes: a permutation of `n` discs; operator `i` turns the first `i + 2` over.
pub(super) struct Pancakes(pub(super) usize);

impl Domain for Pancakes {
    type State = Vec<u8>;
    fn op_count(&self) -> usize {
        self.0 - 1
    }
    fn apply(&self, stack: &Vec<u8>, op: Op) -> Vec<u8> {
        let mut stack = stack.clone();
        stack[..op.index() + 2].reverse();
        stack
    }
    fn is_goal(&self, stack: &Vec<u8>) -> bool {
        stack.is_sorted()
    }
}

impl PackedDomain for Pancakes {
    fn key_bits(&self) -> u32 {
        4 * self.0 as u32
    }
    fn pack(&self, stack: &Vec<u8>) -> u64 {
        stack.iter().fold(0, |key, &cake| key << 4 | u64::from(cake))
    }
    fn unpack(&self, key: u64) -> Vec<u8> {
        (0..self.0).rev().map(|i| (key >> (4 * i) & 15) as u8).collect()
    }
    fn inverse(&self, op: Op) -> Op {
        op
    }
}

/// The gap heuristic: neighbours whose sizes differ by more than one.
fn gap(stack: &[u8]) -> u32 {
    let plate = stack.len() as u8;
    let below = stack[1..].iter().copied().chain([plate]);
    stack.iter().zip(below).filter(|&(&above, below)| above.abs_diff(below) > 1).count() as u32
}

/// Distances by a queue and a map.
fn plain<D: PackedDomain>(domain: &D, start: D::State) -> BTreeMap<u64, u32> {
    let mut found = BTreeMap::from([(domain.pack(&start), 0)]);
    let mut queue = VecDeque::from([start]);
    while let Some(state) = queue.pop_front() {
        let depth = found[&domain.pack(&state)];
        for op in domain.applicable(&state) {
            let child = domain.apply(&state, op);
            found.entry(domain.pack(&child)).or_insert_with(|| {
                queue.push_back(child);
                depth + 1
            });
        }
    }
    found
}

fn expected<D: PackedDomain>(domain: &D, start: D::State) -> Vec<u64> {
    let found = plain(domain, start);
    let mut counts = vec![0; *found.values().max().unwrap() as usize + 1];
    found.values().for_each(|&depth| counts[depth as usize] += 1);
    counts
}

fn counts<D: PackedDomain>(mut search: FrontierSearch<'_, D>, run: &Run<'_>) -> Vec<u64> {
    let mut counts = vec![search.states()];
    loop {
        match search.step(run).unwrap().states {
            0 => break,
            states => counts.push(states),
        }
    }
    search.finish().unwrap();
    counts
}

pub(super) fn sorted(n: usize) -> Vec<u8> {
    (0..n as u8).collect()
}

#[test]
fn counts_agree_with_plain_search_in_memory_and_spilled_on_any_threads() {
    let home = tempfile::tempdir().unwrap();
    for n in 2..=7 {
        let domain = Pancakes(n);
        let plain = expected(&domain, sorted(n));
        for threads in [1, 2] {
            let run = Run::new().with_threads(threads);
            let memory = || FrontierSearch::new(&domain, Options::in_memory(3), [sorted(n)]).unwrap();
            assert_eq!(counts(memory(), &run), plain);
            let path = home.path().join(format!("{n}-{threads}"));
            let options = Options { memory: 600, directory: Some(path.clone()), ..Options::in_memory(5) };
            let spilled = || FrontierSearch::new(&domain, options.clone(), [sorted(n)]).unwrap();
            assert_eq!(counts(spilled(), &run), plain);
            assert!(!path.exists(), "the work directory is cleaned up");
        }
    }
}

#[test]
fn a_resumed_search_finds_the_same_counts() {
    let home = tempfile::tempdir().unwrap();
    let (domain, path) = (Pancakes(7), home.path().join("run"));
    let options = Options { directory: Some(path), identity: "pancakes 7".into(), ..Options::in_memory(4) };
    let plain = expected(&domain, sorted(7));
    for stop in 0..plain.len() {
        let fresh = Options { fresh: true, ..options.clone() };
        let mut search = FrontierSearch::new(&domain, fresh, [sorted(7)]).unwrap();
        let mut found = vec![search.states()];
        (0..stop).for_each(|_| found.push(search.step(&Run::new()).unwrap().states));
        let cancelled = Run::new();
        cancelled.cancel().cancel();
        assert!(matches!(search.step(&cancelled), Err(FrontierError::Cancelled(_))));
        drop(search);
        let resumed = FrontierSearch::new(&domain, options.clone(), [sorted(7)]).unwrap();
        found.pop();
        found.extend(counts(resumed, &Run::new()));
        found.truncate(plain.len());
        assert_eq!(found, plain, "stopped after {stop} layers");
    }
}

#[test]
fn exceeded_budgets_are_reported_and_keep_the_checkpoint() {
    let home = tempfile::tempdir().unwrap();
    let domain = Pancakes(7);
    let small = Options { memory: 100, ..Options::in_memory(2) };
    let mut search = FrontierSearch::new(&domain, small, [sorted(7)]).unwrap();
    let error = (0..9).find_map(|_| search.step(&Run::new()).err()).unwrap();
    assert!(matches!(error, FrontierError::Storage(StorageError::Memory(100))));

    let options = Options {
        directory: Some(home.path().join("run")),
        memory: 4000,
        disk: 5000,
        ..Options::in_memory(2)
    };
    let mut search = FrontierSearch::new(&domain, options.clone(), [sorted(7)]).unwrap();
    let mut found = vec![1];
    let error = loop {
        match search.step(&Run::new()) {
            Ok(count) => found.push(count.states),
            Err(error) => break error,
        }
    };
    assert!(matches!(error, FrontierError::Storage(StorageError::Disk(5000))), "{error}");
    drop(search);
    let roomy = Options { disk: u64::MAX, ..options };
    found.pop();
    found.extend(counts(FrontierSearch::new(&domain, roomy, [sorted(7)]).unwrap(), &Run::new()));
    assert_eq!(found, expected(&domain, sorted(7)));
}

#[test]
fn files_that_a_killed_search_left_are_removed() {
    let home = tempfile::tempdir().unwrap();
    let (domain, path) = (Pancakes(6), home.path().join("run"));
    let options = Options { directory: Some(path.clone()), ..Options::in_memory(2) };
    let mut search = FrontierSearch::new(&domain, options.clone(), [sorted(6)]).unwrap();
    for _ in 0..3 {
        search.step(&Run::new()).unwrap();
    }
    drop(search);
    let write = |name: &&str| std::fs::write(path.join(name), "data").unwrap();
    // Files of the previous layer, not yet removed, and of the unfinished step.
    ["layer-2-bucket-1", "layer-4-bucket-0", "children-3"].iter().for_each(write);
    let disk_used = |search: &FrontierSearch<'_, Pancakes>| search.bytes().1;
    let mut search = FrontierSearch::new(&domain, options.clone(), [sorted(6)]).unwrap();
    let files = std::fs::read_dir(&path).unwrap().map(|file| file.unwrap().metadata().unwrap().len());
    let checkpoint = std::fs::metadata(path.join("checkpoint")).unwrap().len();
    assert_eq!(disk_used(&search), files.sum::<u64>() - checkpoint);
    search.step(&Run::new()).unwrap();
    // A kill at the end of the search, after the checkpoint has been removed.
    drop(search);
    std::fs::remove_file(path.join("checkpoint")).unwrap();
    write(&"layer-9-bucket-0");
    let search = FrontierSearch::new(&domain, options, [sorted(6)]).unwrap();
    write(&"layer-7-bucket-1");
    search.finish().unwrap();
    assert!(!path.exists(), "the work directory is cleaned up");
}

#[test]
fn damaged_layers_are_refused() {
    let home = tempfile::tempdir().unwrap();
    let domain = Pancakes(6);
    let options = Options { directory: Some(home.path().join("run")), ..Options::in_memory(0) };
    let mut search = FrontierSearch::new(&domain, options.clone(), [sorted(6)]).unwrap();
    for _ in 0..3 {
        search.step(&Run::new()).unwrap();
    }
    drop(search);
    let file = home.path().join("run/layer-3-bucket-0");
    let mut bytes = std::fs::read(&file).unwrap();
    bytes[5] ^= 1;
    std::fs::write(&file, bytes).unwrap();
    let error = FrontierSearch::new(&domain, options, [sorted(6)]).err().unwrap();
    assert!(matches!(error, FrontierError::Storage(StorageError::Damaged { .. })), "{error}");
    assert!(file.exists());
}

#[test]
fn heuristic_search_finds_shortest_paths() {
    let domain = Pancakes(6);
    for (key, depth) in plain(&domain, sorted(6)).into_iter().step_by(17) {
        let (start, options) = (domain.unpack(key), Options::in_memory(2));
        let run = |first, greatest| {
            let bounds = Bounds { value: &|stack: &Vec<u8>| gap(stack), max_value: 6, first, greatest };
            heuristic_search(&domain, &options, &start, bounds, &Run::new()).unwrap().ending
        };
        assert_eq!(run(0, u32::MAX - 9), Ending::solved(depth, sorted(6)));
        assert_eq!(run(depth + 2, depth + 2), Ending::solved(depth, sorted(6)));
        if depth > 0 {
            // A first threshold beyond the greatest proves no more than the greatest one.
            assert_eq!(run(0, depth - 1), Ending::bounded(depth));
            assert_eq!(run(depth + 3, depth - 1), Ending::bounded(depth));
        }
    }
}

#[test]
fn packed_buckets_round_trip_and_no_bytes_panic() {
    let words = [0, 1, 127, 128, 1 << 40, u64::MAX - 1, u64::MAX];
    let bytes = buckets::encode(&words);
    assert_eq!(buckets::decode(&bytes).as_deref(), Some(&words[..]));
    for at in 0..bytes.len() {
        let mut bad = bytes.clone();
        bad[at] ^= 4;
        assert_eq!(buckets::decode(&bad), None);
        assert_eq!(buckets::decode(&bytes[..at]), None);
    }
}

#[test]
fn paths_have_the_length_of_the_distance() {
    let (domain, run) = (Pancakes(6), Run::new().with_threads(2));
    for (key, distance) in plain(&domain, sorted(6)).into_iter().step_by(37) {
        let from = domain.unpack(key);
        let path = shortest_path(&domain, &from, &sorted(6), distance, &run).unwrap().unwrap();
        let end = path.iter().fold(from.clone(), |stack, op| domain.apply(&stack, *op));
        assert_eq!((path.len() as u32, end), (distance, sorted(6)));
        if distance > 0 {
            assert_eq!(shortest_path(&domain, &from, &sorted(6), distance - 1, &run).unwrap(), None);
        }
    }
}
