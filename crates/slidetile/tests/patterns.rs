//! Sums of pattern databases on the 8-puzzle: below every exact distance, and the same carried from
//! move to move as computed afresh.

use std::collections::HashMap;

use search_core::heuristic::{ChildBound, NodeRef};
use search_core::{Domain, Run};
use slidetile::heuristic::Additive;
use slidetile::pdb::{Plan, partition};
use slidetile::{Board, Puzzle, Tiles};

/// The 4-4 partition and its reflection, for a goal with its blank in a corner.
fn heuristic(puzzle: &Puzzle) -> Additive<search_core::memory::Memory> {
    let plan = Plan::new(puzzle, &partition::standard(puzzle).expect("a partition"));
    assert_eq!(plan.partitions.len(), 2);
    let tables = plan.patterns.iter().map(|pattern| pattern.build(&Run::new()).expect("memory"));
    Additive::new(puzzle, &plan, tables.collect())
}

fn puzzles() -> [Puzzle; 2] {
    let board = Board::new(3, 3).expect("a board");
    [Puzzle::blank_first(board), Puzzle::new(board, Tiles::blank_last(board))]
}

#[test]
fn never_more_than_the_distance() {
    for puzzle in puzzles() {
        let heuristic = heuristic(&puzzle);
        let mut distances = HashMap::from([(*puzzle.goal(), 0u8)]);
        let mut layer = vec![*puzzle.goal()];
        while !layer.is_empty() {
            let mut next = Vec::new();
            for tiles in &layer {
                let distance = distances[tiles];
                let value = heuristic.value(&puzzle, tiles);
                assert!(value <= distance && (distance - value) % 2 == 0, "{}", tiles.text(puzzle.board()));
                for op in puzzle.applicable(tiles) {
                    let child = puzzle.apply(tiles, op);
                    distances.entry(child).or_insert_with(|| {
                        next.push(child);
                        distance + 1
                    });
                }
            }
            layer = next;
        }
        assert_eq!(distances.len(), 181_440);
    }
}

#[test]
fn carried_equals_fresh() {
    for puzzle in puzzles() {
        let heuristic = heuristic(&puzzle);
        let mut tiles = *puzzle.goal();
        let mut carry = heuristic.carry(&puzzle, &tiles);
        let mut noise = 1u64;
        for _ in 0..20_000 {
            noise = noise.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let ops: Vec<_> = puzzle.applicable(&tiles).into_iter().collect();
            let op = ops[(noise >> 33) as usize % ops.len()];
            let child = puzzle.apply(&tiles, op);
            let node = NodeRef { domain: &puzzle, state: &tiles, carry: &carry };
            let mut memo = Default::default();
            let read = |stage| {
                let probe = heuristic.locate(node, op, stage);
                heuristic.read(probe, stage, &mut memo)
            };
            let value = (0..heuristic.stages()).map(read).max();
            assert_eq!(value, Some(heuristic.value(&puzzle, &child)), "{}", child.text(puzzle.board()));
            carry = heuristic.carry_child(node, op, &child, &memo);
            assert_eq!(carry, heuristic.carry(&puzzle, &child), "{}", child.text(puzzle.board()));
            tiles = child;
        }
    }
}
