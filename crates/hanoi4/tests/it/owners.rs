//! A complete search that is shared by owners of blocks, compared with the one of a single process.

use hanoi4::bitmap::search::LayerCount;
use hanoi4::corners::complete::CompleteSearch;
use hanoi4::corners::owner::{Owner, OwnerError, Sharing};
use hanoi4::error::SearchError;
use hanoi4::presumed::four_peg_length;
use search_core::{Cancel, Run};
use std::fs;
use std::path::PathBuf;
use tempfile::TempDir;

/// The owners of a search, and the messages waiting for each of them.
struct Search {
    owners: Vec<Owner>,
    messages: Vec<Vec<Vec<u8>>>,
    bytes: usize,
}

impl Search {
    fn of(owners: Vec<Owner>) -> Search {
        Search { messages: Vec::new(), owners, bytes: 0 }
    }

    fn new(sharing: Sharing) -> Search {
        let owner = |number| Owner::new(sharing, number, &Run::new()).unwrap();
        Search::of((0..sharing.owners).map(owner).collect())
    }

    fn receive(&mut self) {
        for (owner, messages) in self.owners.iter_mut().zip(&self.messages) {
            owner.receive(messages, &Run::new()).unwrap();
        }
    }

    /// Processes the current time. Returns whether the search continues.
    fn step(&mut self) -> bool {
        self.receive();
        let pending = self.owners.iter().any(Owner::is_pending);
        let count = self.owners.len();
        let sent: Vec<Vec<Vec<u8>>> =
            self.owners.iter_mut().map(|owner| owner.send(&Run::new()).unwrap()).collect();
        self.bytes += sent.iter().flatten().map(Vec::len).sum::<usize>();
        let to =
            |to: usize| (0..count).filter(|&from| from != to).map(|from| sent[from][to].clone()).collect();
        self.messages = (0..count).map(to).collect();
        pending
    }

    fn save(&mut self, home: &TempDir) -> Vec<PathBuf> {
        self.receive();
        let path = |owner: &Owner| home.path().join(format!("times-{}", owner.range().start));
        let save = |owner: &Owner| {
            owner.save(&path(owner), &Run::new()).unwrap();
            path(owner)
        };
        self.owners.iter().map(save).collect()
    }

    fn finish(mut self) -> (Vec<(u64, u64)>, u32) {
        while self.step() {}
        let mut layers: Vec<LayerCount> = Vec::new();
        for owner in &self.owners {
            let middle = owner.range().start.midpoint(owner.range().end);
            for part in [owner.range().start..middle, middle..owner.range().end] {
                let counts = owner.count(part, &Run::new()).unwrap();
                layers.resize(layers.len().max(counts.len()), LayerCount::default());
                for (sum, count) in layers.iter_mut().zip(counts) {
                    (sum.states, sum.orbits) = (sum.states + count.states, sum.orbits + count.orbits);
                }
            }
        }
        let lengths: Vec<u32> = self.owners.iter().filter_map(Owner::length).collect();
        assert_eq!(lengths.len(), 1, "one owner has the tower");
        (layers.iter().map(|layer| (layer.states, layer.orbits)).collect(), lengths[0])
    }
}

fn by_one(discs: u32) -> (Vec<(u64, u64)>, u32) {
    let report = CompleteSearch { discs, ..Default::default() }.run(&Run::new()).unwrap().report;
    let length = report.goal_depth().unwrap();
    assert_eq!(length, four_peg_length(discs));
    (report.layers.iter().map(|layer| (layer.states, layer.orbits)).collect(), length)
}

#[test]
fn owners_count_the_same_states_as_one_process() {
    for discs in 8..=13 {
        let expected = by_one(discs);
        for small in 7..=discs.min(9) {
            for owners in [1, 2, 3, 5] {
                let sharing = Sharing::new(discs, small, owners).unwrap();
                assert_eq!(
                    Search::new(sharing).finish(),
                    expected,
                    "{discs} discs, {small} small, {owners} owners"
                );
            }
        }
    }
}

#[test]
fn owners_resume_from_files_of_other_owners() {
    let (home, expected) = (TempDir::new().unwrap(), by_one(12));
    for (before, after) in [(1, 3), (2, 2), (3, 1), (5, 3), (3, 5)] {
        let sharing = |owners| Sharing::new(12, 7, owners).unwrap();
        for steps in [0, 1, 30, 75, 120] {
            let mut search = Search::new(sharing(before));
            (0..steps).for_each(|_| _ = search.step());
            let files = search.save(&home);
            let owner = |number| Owner::restore(sharing(after), number, &files, &Run::new()).unwrap();
            let restored = Search::of((0..after).map(owner).collect());
            assert!(restored.owners.iter().all(|owner| owner.now() == steps));
            assert_eq!(restored.finish(), expected, "{before} and {after} owners, {steps} steps");
            files.iter().for_each(|file| fs::remove_file(file).unwrap());
        }
    }
}

fn refusal<T>(found: Result<T, OwnerError>) -> String {
    match found {
        Err(OwnerError::Refused(words)) => words,
        Err(error) => panic!("{error}"),
        Ok(_) => panic!("accepted"),
    }
}

#[test]
fn messages_of_other_times_owners_and_searches_are_refused() {
    let run = Run::new();
    let sharing = Sharing::new(11, 7, 3).unwrap();
    let mut search = Search::new(sharing);
    (0..55).for_each(|_| _ = search.step());
    let old = search.messages.clone();
    search.step();
    let messages = search.messages.clone();
    let owner = &mut search.owners[1];
    assert!(refusal(owner.send(&run)).contains("has not received"));
    let file = std::env::temp_dir().join("never-written");
    assert!(refusal(owner.save(&file, &run)).contains("has not received"));
    assert!(refusal(owner.receive(&old[1], &run)).contains("time 55"));
    assert!(refusal(owner.receive(&messages[0], &run)).contains("to 0"));
    assert!(refusal(owner.receive(&messages[1][..1], &run)).contains("[0]"));
    let twice = [messages[1][0].clone(), messages[1][0].clone()];
    assert!(refusal(owner.receive(&twice, &run)).contains("[0, 0]"));
    let mut other = Search::new(Sharing::new(12, 7, 3).unwrap());
    (0..56).for_each(|_| _ = other.step());
    assert!(refusal(owner.receive(&other.messages[1], &run)).contains("12 discs"));
    // Every byte is checked.
    let good = &messages[1];
    for at in (0..good[0].len()).step_by(good[0].len() / 97 + 1) {
        let mut bad = good.clone();
        bad[0][at] ^= 4;
        refusal(owner.receive(&bad, &run));
        bad[0].truncate(at);
        assert!(refusal(owner.receive(&bad, &run)).contains("damaged"));
    }
    owner.receive(good, &run).unwrap();
    owner.receive(good, &run).unwrap();
    assert!(refusal(owner.count(0..1, &run)).contains("owner 1 has the blocks"));
    assert!(owner.is_pending());
    assert!(refusal(owner.count(owner.range(), &run)).contains("corners to process"));
    search.receive();
    assert_eq!(search.finish(), by_one(11));
}

#[test]
fn damaged_files_and_those_of_others_are_refused() {
    let (home, run) = (TempDir::new().unwrap(), Run::new());
    let sharing = Sharing::new(11, 7, 2).unwrap();
    let mut search = Search::new(sharing);
    (0..30).for_each(|_| _ = search.step());
    let files = search.save(&home);
    let restore = |sharing, number, files: &[PathBuf]| Owner::restore(sharing, number, files, &run);
    assert!(refusal(restore(Sharing::new(11, 8, 2).unwrap(), 0, &files)).contains("7 small"));
    assert!(refusal(restore(sharing, 0, &[])).contains("no file"));
    let one = Sharing { owners: 1, ..sharing };
    assert!(refusal(restore(one, 0, &files[..1])).contains("of the blocks"));
    assert!(refusal(restore(sharing, 2, &files)).contains("no owner 2"));
    let good = fs::read(&files[1]).unwrap();
    for at in (0..good.len()).step_by(good.len() / 61) {
        let mut bad = good.clone();
        bad[at] ^= 0x10;
        for bytes in [&bad[..], &good[..at]] {
            fs::write(&files[1], bytes).unwrap();
            let words = refusal(restore(one, 0, &files));
            assert!(words.contains("damaged"), "{words}");
        }
    }
    fs::write(&files[1], &good).unwrap();
    // A file of another time.
    search.step();
    search.receive();
    search.owners[0].save(&files[0], &run).unwrap();
    assert!(refusal(restore(one, 0, &files)).contains("of time 30, another one is not"));
    assert!(matches!(restore(sharing, 0, &[home.path().join("none")]), Err(OwnerError::Io(_))));
}

#[test]
fn a_step_that_is_cancelled_can_be_repeated() {
    let sharing = Sharing::new(11, 7, 2).unwrap();
    let mut search = Search::new(sharing);
    (0..25).for_each(|_| _ = search.step());
    search.receive();
    let cancel = Cancel::new();
    cancel.cancel();
    let run = Run::new().with_cancel(&cancel);
    for owner in &mut search.owners {
        assert!(matches!(owner.send(&run), Err(OwnerError::Search(SearchError::Cancelled(_)))));
        assert_eq!(owner.now(), 25);
    }
    assert_eq!(search.finish(), by_one(11));
}

#[test]
fn numbers_out_of_range_are_refused() {
    for (discs, small, owners) in [(7, 7, 1), (32, 12, 1), (12, 6, 1), (20, 15, 1), (24, 9, 1), (12, 8, 0)] {
        refusal(Sharing::new(discs, small, owners));
    }
    let sharing = Sharing::new(20, 11, 7).unwrap();
    let ranges: Vec<_> = (0..7).map(|owner| sharing.range(owner)).collect();
    assert!(ranges.windows(2).all(|pair| pair[0].end == pair[1].start));
    assert_eq!((ranges[0].start, ranges[6].end), (0, sharing.blocks()));
    // Each of many owners needs less, down to the rows and links that all have.
    assert_eq!(Sharing::fitting(24, 256, 16, 4 << 30), Ok(11));
    assert!(Sharing::fitting(24, 1, 2, 4 << 30).unwrap_err() > 16 << 30);
}
