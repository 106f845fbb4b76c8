//! Checkpoints and run records: a forged one cannot crash a search or keep it from ending.
//!
//! Checksums reveal damage, so inputs are sealed: their checksums fit. A forged checkpoint may mislead
//! a search to another answer, but the search must end, and a solution must still be one.

use crate::input::Input;
use cube::mask::{Goals, Pieces};
use cube::notation::scramble;
use cube::{Ask, Cube, Face, HeuristicSpec, Mask, Solver, SolverSetup, Turn};
use hanoi4::model::{Puzzle as Hanoi, State};
use search_core::frontier::{FrontierSearch, Options};
use search_core::ida::{
    Checkpoints, Config, Order, SearchState, Wanted, checkpoint_text, read_checkpoint, search,
};
use search_core::record::{Iteration, Method, RunRecord, Solution, TableUse};
use search_core::table::Store;
use search_core::{Domain, Run};
use slidetile::heuristic::classic::NARROW;
use slidetile::heuristic::{Classic, Parts};
use slidetile::{Board, Puzzle, Tiles, fsm};
use std::fs;
use std::sync::{Arc, LazyLock};
use std::time::Duration;
use xxhash_rust::xxh3::xxh3_64;

/// Checks a checkpoint or a record; the first byte selects which.
///
/// # Panics
/// When a promise is broken.
pub fn check(data: &[u8]) {
    let mut input = Input(data);
    match input.below(4) {
        0 => {
            file(input.0);
            let seal = format!("optimal-puzzles search checkpoint 3 {:016x}\n", xxh3_64(input.0));
            file(&[seal.as_bytes(), input.0].concat());
        }
        1 => continued(&mut input),
        2 => frontier(&mut input),
        _ => records(input.0),
    }
}

/// The bytes of a checkpoint's file: what is accepted is written as a file that is read as the same.
fn file(bytes: &[u8]) {
    let key = bytes.split(|&byte| byte == b'\n').nth(1).and_then(|line| std::str::from_utf8(line).ok());
    let key = key.unwrap_or_default();
    if let Some(checkpoint) = read_checkpoint(key, bytes) {
        let written = checkpoint_text(key, &checkpoint);
        assert_eq!(read_checkpoint(key, written.as_bytes()), Some(checkpoint));
    }
}

/// A checkpoint that exists from the beginning.
#[derive(Debug)]
struct Forged(SearchState);

impl Checkpoints for Forged {
    fn resume(&self) -> Option<SearchState> {
        Some(self.0.clone())
    }

    fn pause(&self) -> Duration {
        Duration::MAX
    }

    fn keep(&self, _: &SearchState) {}
}

/// The 8-puzzle, and a state that is 20 moves from its goal.
static EIGHT: LazyLock<(Puzzle, Classic<NARROW>, Tiles)> = LazyLock::new(|| {
    let puzzle = Puzzle::blank_first(Board::new(3, 3).expect("a board"));
    let heuristic = Classic::new(&puzzle, Parts::CONFLICTS);
    let (_, start) = Tiles::parse("3 1 2 4 7 5 6 8 0", None).expect("tiles");
    let start = if start.solvable(puzzle.board(), puzzle.goal()) {
        start
    } else {
        start.other_parity(puzzle.board())
    };
    (puzzle, heuristic, start)
});

/// A search that continues from a forged checkpoint.
fn continued(input: &mut Input<'_>) {
    let options = input.byte();
    let Ok(checkpoint) = serde_json::from_slice::<SearchState>(input.0) else { return };
    if options & 48 == 48 {
        return union(options, checkpoint);
    }
    let (puzzle, heuristic, start) = &*EIGHT;
    let config = Config::default()
        .wanted(if options & 1 == 0 { Wanted::First } else { Wanted::All { extra: u32::from(options >> 6) } })
        .max_bound(if options & 2 == 0 { 22 } else { 24 })
        .order(if options & 4 == 0 { Order::Deepest } else { Order::Operators })
        .full_last_iteration(options & 8 != 0)
        .checkpoints(Some(Arc::new(Forged(checkpoint))));
    let run = Run::new().with_threads(1);
    let report = search(puzzle, heuristic, &fsm::inverse_automaton(), start, &config, &run);
    for path in report.ending.solutions() {
        let end = path.iter().fold(*start, |tiles, &op| {
            assert!(puzzle.applicable(&tiles).contains(op), "a legal move");
            puzzle.apply(&tiles, op)
        });
        assert!(puzzle.is_goal(&end));
    }
    let report = report.map(|path| Solution { length: path.len() as u32, moves: String::new() });
    let record = RunRecord::new(String::new(), report, 1.0, Method::default());
    serde_json::to_string(&record).expect("a record has a JSON form");
}

/// A search up to a final turn that continues from a forged checkpoint.
fn union(options: u8, checkpoint: SearchState) {
    static SOLVER: LazyLock<Solver> = LazyLock::new(|| {
        let goals = Goals::any(&[Mask::new(Pieces::NONE, Pieces::NONE)])
            .up_to_turn(Face::U)
            .expect("nothing is compared");
        let heuristic: HeuristicSpec = "manhattan-max".parse().expect("a heuristic without tables");
        let store = Store::new(std::env::temp_dir(), "checks");
        let setup = SolverSetup::new().goals(goals).heuristic(heuristic);
        setup.load(store, &Run::new()).expect("no table is read")
    });
    let turns = [(Face::R, 1), (Face::U, 2), (Face::F, 3), (Face::D, 1), (Face::L, 2)];
    let cube = Cube::SOLVED.apply_all(turns.map(|(face, quarters)| Turn::new(face, quarters)));
    let ask = Ask::new(cube)
        .wanted(if options & 1 == 0 { Wanted::First } else { Wanted::All { extra: u32::from(options >> 7) } })
        .max_bound(Some(6))
        .full_last_iteration(options & 8 != 0)
        .checkpoints(Arc::new(Forged(checkpoint)));
    let answer = SOLVER.solve(&ask, &Run::new().with_threads(1)).expect("no table is read");
    for moves in answer.ending.solutions() {
        let made = scramble::parse(&scramble::format_moves(moves.iter().copied())).expect("moves");
        assert!(SOLVER.goals().accepts(&cube.compose(&made.cube())));
    }
}

/// A frontier search on disk that is stopped; then its checkpoint and its files are changed, with
/// checksums that fit, and it is resumed.
fn frontier(input: &mut Input<'_>) {
    let puzzle = Hanoi::new(3, 4).expect("three discs");
    let home = tempfile::tempdir().expect("a temporary directory");
    let options = Options {
        memory: 1 << 16,
        disk: 1 << 20,
        directory: Some(home.path().join("work")),
        identity: "a search".into(),
        ..Options::in_memory(input.below(3) as u32)
    };
    let run = Run::new().with_threads(1);
    let mut search = FrontierSearch::new(&puzzle, options.clone(), [State::START]).expect("a new search");
    for _ in 0..input.below(5) {
        search.step(&run).expect("a layer");
    }
    drop(search);
    let mut files: Vec<_> = fs::read_dir(home.path().join("work")).expect("a directory").flatten().collect();
    files.sort_by_key(|entry| entry.file_name());
    for _ in 0..input.below(4) {
        let path = files[input.below(files.len())].path();
        let mut bytes = fs::read(&path).expect("a file");
        bytes.truncate(bytes.len().saturating_sub(8));
        forge(&mut bytes, input);
        bytes.extend(xxh3_64(&bytes).to_le_bytes());
        fs::write(&path, bytes).expect("a file");
    }
    let mut search = match FrontierSearch::new(&puzzle, options, [State::START]) {
        Ok(search) => search,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    for _ in 0..20 {
        if let Err(error) = search.step(&run) {
            return assert!(!error.to_string().is_empty());
        }
    }
}

/// Changes a byte, inserts some or removes some.
fn forge(bytes: &mut Vec<u8>, input: &mut Input<'_>) {
    for _ in 0..1 + input.below(3) {
        let (way, at) = (input.byte(), usize::from(input.byte()) % (bytes.len() + 1));
        match way % 4 {
            0 => bytes.insert(at, input.byte()),
            1 => bytes.truncate(bytes.len() - usize::from(way >> 2).min(bytes.len())),
            _ if at < bytes.len() => bytes[at] = input.byte(),
            _ => bytes.extend(input.word().to_le_bytes()),
        }
    }
}

/// The parts of a record that are read back.
fn records(bytes: &[u8]) {
    if let Ok(iteration) = serde_json::from_slice::<Iteration>(bytes) {
        let written = serde_json::to_string(&iteration).expect("an iteration has a JSON form");
        assert_eq!(serde_json::from_str::<Iteration>(&written).ok(), Some(iteration));
    }
    if let Ok(table) = serde_json::from_slice::<TableUse>(bytes) {
        let written = serde_json::to_string(&table).expect("a table's use has a JSON form");
        assert_eq!(serde_json::from_str::<TableUse>(&written).ok(), Some(table));
    }
}
