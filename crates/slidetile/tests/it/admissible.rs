//! Compares heuristics with exact distances on boards that can be searched completely, and with reference
//! implementations along random walks on larger ones.

use search_core::Domain;
use search_core::heuristic::{ChildBound, NodeRef};
use search_core::testing::Random;
use slidetile::heuristic::classic::{Classic, NARROW, Parts, WIDE};
use slidetile::heuristic::corners;
use slidetile::heuristic::explain::explain;
use slidetile::random::Instances;
use slidetile::{Board, Puzzle, Tiles};

const PARTS: [Parts; 6] = [
    Parts::MANHATTAN,
    Parts::CONFLICTS,
    Parts { conflicts: true, last_moves: 1, corners: false },
    Parts { conflicts: false, last_moves: 2, corners: false },
    Parts { conflicts: true, last_moves: 0, corners: true },
    Parts::ALL,
];

fn board(size: &str) -> Board {
    size.parse().expect("a size")
}

/// Goals of many kinds: the blank in every cell, tiles in order and shuffled.
fn goals(board: Board) -> Vec<Tiles> {
    let mut goals = vec![Tiles::blank_first(board), Tiles::blank_last(board)];
    goals.extend(Instances::new(board, goals[0], 5).take(6));
    goals
}

fn check_exhaustively(board: Board, goal: Tiles) {
    let puzzle = Puzzle::new(board, goal);
    let distances = puzzle.distances();
    for parts in PARTS {
        let heuristic = Classic::<NARROW>::new(&puzzle, parts);
        // A move after which a corner no longer forces a tile can also change the price of an ending.
        let consistent = parts != Parts::ALL || !corners::applies(board);
        for (tiles, &distance) in &distances {
            let value = heuristic.value(&puzzle, tiles);
            assert!(value <= distance, "{parts:?}: {value} > {distance} at {}", tiles.text(board));
            assert_eq!((distance - value) % 2, 0, "{parts:?}: parity at {}", tiles.text(board));
            if consistent {
                for op in puzzle.applicable(tiles) {
                    let child = heuristic.value(&puzzle, &puzzle.apply(tiles, op));
                    assert!(child.abs_diff(value) <= 1, "{parts:?}: consistency at {}", tiles.text(board));
                }
            }
        }
    }
}

#[test]
fn admissible_everywhere_on_small_boards() {
    for size in ["2x2", "2x3", "3x2"] {
        let board = board(size);
        goals(board).into_iter().for_each(|goal| check_exhaustively(board, goal));
    }
    check_exhaustively(board("3x3"), Tiles::blank_first(board("3x3")));
}

#[test]
#[ignore = "every kind of goal on 3x3 and 2x5, a minute"]
fn admissible_everywhere_on_larger_boards() {
    for size in ["2x4", "3x3", "2x5"] {
        let board = board(size);
        goals(board).into_iter().for_each(|goal| check_exhaustively(board, goal));
    }
}

/// Walks at random from the goal (a state's distance is at most the number of steps) and from random states; compares
/// with the reference implementation, incrementally and from scratch.
fn walk<const W: usize>(board: Board, goal: Tiles, seed: u64) {
    let puzzle = Puzzle::new(board, goal);
    for parts in PARTS {
        let heuristic = Classic::<W>::new(&puzzle, parts);
        let starts = Instances::new(board, goal, seed).take(4).map(|tiles| (tiles, false));
        for (start, from_goal) in starts.chain((0..4).map(|_| (goal, true))) {
            let mut tiles = start;
            let mut carry = heuristic.carry(&puzzle, &tiles);
            let mut random = Random::new(seed);
            for step in 1..=120u32 {
                let ops: Vec<_> = puzzle.applicable(&tiles).into_iter().collect();
                let op = ops[random.below(ops.len())];
                let node = NodeRef { domain: &puzzle, state: &tiles, carry: &carry };
                let probe = heuristic.locate(node, op, 0);
                let child = puzzle.apply(&tiles, op);
                let mut memo = Default::default();
                let value = ChildBound::<Puzzle>::read(&heuristic, probe, 0, &mut memo);
                carry = heuristic.carry_child(node, op, &child, &memo);
                tiles = child;
                assert_eq!(carry, heuristic.carry(&puzzle, &tiles), "carried, {}", tiles.text(board));
                assert_eq!(value, heuristic.value(&puzzle, &tiles), "incremental, {}", tiles.text(board));
                let twin = explain(&puzzle, parts, &tiles);
                assert_eq!(u32::from(value), twin.value(), "{board} {parts:?} {}\n{twin}", tiles.text(board));
                assert!(!from_goal || u32::from(value) <= step, "admissible, {}", tiles.text(board));
            }
        }
    }
}

#[test]
fn incremental_equals_the_explained_value() {
    for (size, seed) in [("2x2", 1), ("2x5", 2), ("3x3", 3), ("3x5", 4), ("4x4", 5), ("4x5", 6), ("5x5", 7)] {
        let board = board(size);
        goals(board).into_iter().for_each(|goal| walk::<NARROW>(board, goal, seed));
    }
    for (size, seed) in [("6x6", 8), ("2x6", 9), ("6x5", 10)] {
        let board = board(size);
        goals(board).into_iter().for_each(|goal| walk::<WIDE>(board, goal, seed));
    }
}
