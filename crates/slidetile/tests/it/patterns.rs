//! Sums of pattern databases on the 8-puzzle: they never exceed the exact distance, and incremental values equal those
//! computed from scratch.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;

use crate::zero_one;
use search_core::heuristic::{Batch, Heuristic, NodeRef};
use search_core::memory::Memory;
use search_core::progress::Progress;
use search_core::table::{Recipe, Store};
use search_core::testing::Random;
use search_core::{Cancel, Domain, OpSet, Run};
use slidetile::heuristic::Additive;
use slidetile::heuristic::additive::Tables;
use slidetile::pdb::{Frames, MAX_TILES, Pattern, Plan, Zones};
use slidetile::{Board, Puzzle, Tiles};

/// The tables of a 4-4 partition and its reflection, if the goal has any.
fn tables(puzzle: &Puzzle) -> Tables<Memory> {
    let (partition, reflections) = match Frames::of(puzzle).blank() {
        0 => (vec![0b000_110_110, 0b111_001_000], 2),
        1 => (vec![0b000_011_101, 0b111_100_000], 2),
        _ => (vec![0b000_001_111, 0b111_100_000], 2),
    };
    let plan = Plan::new(puzzle, &[partition]).expect("a small board");
    assert_eq!(plan.partitions.len(), reflections);
    let tables = plan.patterns.iter().map(|pattern| pattern.fill(&Run::new()).expect("memory").0);
    let tables = tables.collect();
    Tables::new(plan, tables)
}

/// Goals with the blank in two corners, beside one, and in the middle.
fn puzzles() -> [Puzzle; 4] {
    let board = Board::new(3, 3).expect("a board");
    let goal = |text| Puzzle::new(board, Tiles::parse(text, Some(board)).expect("tiles").1);
    [
        Puzzle::blank_first(board),
        Puzzle::new(board, Tiles::blank_last(board)),
        goal("1 2 3 4 5 6 7 0 8"),
        goal("1 2 3 8 0 4 7 6 5"),
    ]
}

#[test]
fn sums_never_exceed_the_distance() {
    for puzzle in puzzles() {
        let tables = tables(&puzzle);
        let distances = puzzle.distances();
        for (tiles, &distance) in &distances {
            let value = tables.value(tiles);
            let text = tiles.text(puzzle.board());
            assert!(value <= distance && (distance - value).is_multiple_of(2), "{text}");
        }
        assert_eq!(distances.len(), 181_440);
    }
}

/// Partitions with patterns in common, read together: the sums are those of each partition by itself.
#[test]
fn shared_patterns_count_in_each_of_their_partitions() {
    let puzzle = Puzzle::blank_first(Board::new(3, 3).expect("a board"));
    let [rows, middle, rest] = [0b000_000_110, 0b000_110_000, 0b111_001_000];
    let partitions = [vec![rows, middle, rest], vec![rows, middle, 0b001_001_000, 0b110_000_000]];
    let plan = Plan::new(&puzzle, &partitions).expect("a small board");
    let all: Vec<usize> = (0..plan.partitions.len()).collect();
    assert_eq!((all.len(), plan.lookups(&all)), (4, 14));
    let filled = plan.patterns.iter().map(|pattern| pattern.fill(&Run::new()).expect("memory").0).collect();
    let tables = Tables::new(plan, filled);
    let (mut tiles, mut random) = (*puzzle.goal(), Random::new(3));
    let start = tables.start(&tiles);
    let heuristic = Additive::<16, 4, _>::new(&tables, &all, &start);
    let mut carry = heuristic.carry(&puzzle, &tiles);
    for _ in 0..20_000 {
        let ops: Vec<_> = puzzle.applicable(&tiles).into_iter().collect();
        let op = ops[random.below(ops.len())];
        let child = puzzle.apply(&tiles, op);
        let node = NodeRef { domain: &puzzle, state: &tiles, carry: &carry };
        let greatest = tables.start(&child).values().max().expect("four partitions");
        // The second stage is read for children that the first one keeps.
        let mut scratch = Default::default();
        let kept = (0..2).map(|stage| {
            let batch = Batch { ops: OpSet::EMPTY.with(op), stage, limit: greatest };
            heuristic.evaluate(node, batch, &mut scratch).kept.contains(op)
        });
        assert!(kept.collect::<Vec<_>>().iter().all(|kept| *kept));
        let after = heuristic.carry_child(node, op, &child, &scratch);
        assert_eq!(heuristic.carry(&puzzle, &child), after, "{}", child.text(puzzle.board()));
        assert_eq!(u32::from(heuristic.value(&puzzle, &child)), greatest);
        if greatest > 0 {
            let pruned = (0..2).any(|stage| {
                let batch = Batch { ops: OpSet::EMPTY.with(op), stage, limit: greatest - 1 };
                heuristic.evaluate(node, batch, &mut scratch).kept.is_empty()
            });
            assert!(pruned, "{}", child.text(puzzle.board()));
        }
        (tiles, carry) = (child, after);
    }
}

#[test]
fn incremental_sums_equal_those_from_scratch() {
    for puzzle in puzzles() {
        let tables = tables(&puzzle);
        let mut tiles = *puzzle.goal();
        let start = tables.start(&tiles);
        let heuristic = Additive::<8, 2, _>::new(&tables, &[0, 1], &start);
        let mut carry = heuristic.carry(&puzzle, &tiles);
        let mut random = Random::new(1);
        for _ in 0..20_000 {
            let ops: Vec<_> = puzzle.applicable(&tiles).into_iter().collect();
            let op = ops[random.below(ops.len())];
            let child = puzzle.apply(&tiles, op);
            let node = NodeRef { domain: &puzzle, state: &tiles, carry: &carry };
            let mut scratch = Default::default();
            let values = (0..Heuristic::<Puzzle>::stages(&heuristic)).map(|stage| {
                let batch = Batch { ops: OpSet::EMPTY.with(op), stage, limit: 0 };
                let sieved = heuristic.evaluate(node, batch, &mut scratch);
                if sieved.kept.is_empty() { sieved.least_cut } else { 0 }
            });
            let value = values.max();
            assert_eq!(
                value,
                Some(heuristic.value(&puzzle, &child).into()),
                "{}",
                child.text(puzzle.board())
            );
            carry = heuristic.carry_child(node, op, &child, &scratch);
            assert_eq!(heuristic.carry(&puzzle, &child), carry, "{}", child.text(puzzle.board()));
            tiles = child;
        }
    }
}

/// The cost of every placement of some tiles and every cell of the blank, by a plain search over all of them:
/// the digits of a state's number, lowest first, are the cells of the tiles and then that of the blank.
fn plain_costs(board: Board, homes: &[u8], blank: u8) -> Vec<u8> {
    let (cells, digits) = (board.cells(), homes.len() + 1);
    let number = |at: &[u8]| at.iter().rev().fold(0, |number, &cell| number * cells + usize::from(cell));
    let goal = number(&[homes, &[blank]].concat());
    zero_one::distances(cells.pow(digits as u32), [goal], |state, each| {
        let at = split(state, cells, digits);
        let blank = at[digits - 1];
        for cell in board.neighbours(blank.into()) {
            let mut after = at.clone();
            after[digits - 1] = cell as u8;
            let tile = at[..digits - 1].iter().position(|&other| usize::from(other) == cell);
            if let Some(tile) = tile {
                after[tile] = blank;
            }
            each(number(&after), tile.is_some());
        }
    })
}

/// The digits of a number, lowest first.
fn split(mut number: usize, base: usize, digits: usize) -> Vec<u8> {
    let mut digit = || {
        let digit = number % base;
        number /= base;
        digit as u8
    };
    (0..digits).map(|_| digit()).collect()
}

/// Every state of several patterns, with the blank in a corner, elsewhere, and enclosed by tiles.
#[test]
fn tables_hold_the_costs_of_a_plain_search() {
    let patterns: [(&str, u8, &[u8]); 9] = [
        ("2x2", 0, &[1, 2, 3]),
        ("3x3", 0, &[8]),
        ("3x3", 0, &[1, 2, 4, 5]),
        ("3x3", 4, &[0, 1, 2, 3, 5]),
        ("3x3", 0, &[1, 3, 4, 5, 7, 8]),
        ("2x5", 9, &[0, 1, 4, 8]),
        ("3x4", 0, &[1, 4, 5, 9]),
        ("4x4", 5, &[0, 1, 4]),
        ("5x5", 0, &[1, 5]),
    ];
    for (size, blank, homes) in patterns {
        let board: Board = size.parse().expect("a size");
        let set = homes.iter().fold(0, |set, home| set | 1 << home);
        let pattern = Pattern::new(board, set, blank, Arc::new(Zones::new(board, homes.len())));
        let (table, greatest) = pattern.fill(&Run::new()).expect("memory");
        let mut seen = 0;
        for (state, cost) in plain_costs(board, homes, blank).into_iter().enumerate() {
            let digits = split(state, board.cells(), homes.len() + 1);
            let taken = digits.iter().fold(0u64, |taken, cell| taken | 1 << cell);
            // Placements of two pieces in one cell are not states; some states cannot be reached.
            if taken.count_ones() as usize == digits.len() && cost != u8::MAX {
                let mut at = [0; MAX_TILES];
                at[..homes.len()].copy_from_slice(&digits[..homes.len()]);
                let found = pattern.cost(&table, at, digits[homes.len()].into());
                assert_eq!(found, Some(cost.into()), "{size} {homes:?} at {digits:?}");
                seen = seen.max(cost);
            }
        }
        assert_eq!(u32::from(seen), greatest, "{size} {homes:?}");
    }
}

/// Patterns of five and six tiles.
#[test]
fn costs_change_by_one_along_walks() {
    check_walks(&[("4x4", 0x3312), ("4x4", 0xc0cc), ("5x5", 0xe6)]);
}

#[test]
#[ignore = "fills tables of half a gigabyte: half a minute"]
fn costs_of_the_common_sizes_change_by_one_along_walks() {
    check_walks(&[("4x4", 0x3332), ("4x4", 0xcccc), ("5x5", 0x10e6)]);
}

/// Random walks: a step changes the cost by one if it moves a tile of the pattern, otherwise not at all, and the cost is
/// never below the tiles' distances.
fn check_walks(patterns: &[(&str, u32)]) {
    for &(size, homes) in patterns {
        let board: Board = size.parse().expect("a size");
        let tiles = homes.count_ones() as usize;
        let pattern = Pattern::new(board, homes, 0, Arc::new(Zones::new(board, tiles)));
        let (table, _) = pattern.fill(&Run::new()).expect("memory");
        let (mut at, mut blank, mut random) = (pattern.home_cells(), 0, Random::new(7));
        let mut cost = 0;
        for _ in 0..3_000 {
            let next: Vec<usize> = board.neighbours(blank).collect();
            let cell = next[random.below(next.len())];
            let tile = at[..tiles].iter().position(|&other| usize::from(other) == cell);
            if let Some(tile) = tile {
                at[tile] = blank as u8;
            }
            blank = cell;
            let found = pattern.cost(&table, at, blank).expect("a table of the pattern");
            assert_eq!(found.abs_diff(cost), u32::from(tile.is_some()), "{size} {at:?}");
            let pairs = at.iter().zip(pattern.home_cells()).take(tiles);
            let distance: usize = pairs.map(|(&cell, home)| board.distance(cell.into(), home.into())).sum();
            assert!(found as usize >= distance && (found as usize - distance).is_multiple_of(2));
            cost = found;
        }
    }
}

/// Bytes that are not the pattern's table: the result is a cost or none, without an endless walk or a panic.
#[test]
fn foreign_bytes_cause_neither_panic_nor_endless_walk() {
    let board = Board::new(3, 3).expect("a board");
    let pattern = Pattern::new(board, 0b000_110_110, 0, Arc::new(Zones::new(board, 4)));
    for byte in [0, 0xFF, 0x5A] {
        let bytes = vec![byte; pattern.table_bytes()];
        for blank in [0, 4, 8] {
            let _ = pattern.cost(&bytes, [2, 1, 5, 7, 0, 0, 0, 0], blank);
        }
    }
}

/// Cancels a fill after some reports, and records whether it resumed.
#[derive(Default)]
struct Stop {
    reports: AtomicU32,
    cancel: Cancel,
    resumed: AtomicBool,
}

impl Progress for Stop {
    fn update(&self, _: u64) {
        if self.reports.fetch_sub(1, Ordering::Relaxed) == 1 {
            self.cancel.cancel();
        }
    }
    fn note(&self, line: &str) {
        self.resumed.fetch_or(line.contains("resuming after"), Ordering::Relaxed);
    }
}

#[test]
fn a_fill_that_is_stopped_repeatedly_gives_the_same_table() {
    let board = Board::new(4, 4).expect("a board");
    let zones = Arc::new(Zones::new(board, 5));
    let pattern = Pattern::new(board, 0b0011_0111 << 4, 0, zones);
    let (table, depth) = pattern.fill(&Run::new()).expect("memory");
    let home = tempfile::tempdir().expect("a directory");
    let store = Store::new(home.path(), "test").keeping_after(Duration::ZERO);
    for reports in [2, 5, 100] {
        store.remove(&pattern.name()).expect("no other process");
        let mut rounds = 0;
        let built = loop {
            let stop = Stop { reports: reports.into(), ..Stop::default() };
            let run = Run::new().with_threads(2).with_cancel(&stop.cancel).with_progress(&stop);
            let built = store.get(&pattern, &run);
            assert_eq!(stop.resumed.into_inner(), rounds > 0, "round {rounds}");
            rounds += 1;
            if let Ok(built) = built {
                break built;
            }
        };
        assert!(rounds > 1 || reports == 100, "{rounds} rounds");
        assert_eq!((&built.body[..], built.header.depth), (&table[..], depth), "{reports} reports");
        assert!(!store.unfinished_path(&pattern.name()).exists());
    }
}
