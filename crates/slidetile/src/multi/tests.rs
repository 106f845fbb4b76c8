use std::collections::HashMap;

use super::*;
use crate::random::Instances;
use search_core::Run;
use search_core::memory::Memory;
use search_core::table::{Recipe, Store};

/// The distance of every board from the goal.
fn exact(puzzle: &MultiPuzzle) -> HashMap<Tiles, u8> {
    let mut distances = HashMap::from([(*puzzle.goal(), 0)]);
    let (mut layer, mut depth) = (vec![*puzzle.goal()], 0);
    while !layer.is_empty() {
        depth += 1;
        let mut next = Vec::new();
        for tiles in layer {
            for op in puzzle.applicable(&tiles) {
                let child = puzzle.apply(&tiles, op);
                distances.entry(child).or_insert_with(|| {
                    next.push(child);
                    depth
                });
            }
        }
        layer = next;
    }
    distances
}

fn puzzle(size: &str, goal: &str) -> Puzzle {
    Puzzle::with_goal(size.parse().expect("a size"), goal).expect("a goal")
}

fn tables(of: &Puzzle) -> (Vec<MultiPattern>, Vec<Memory>) {
    let home = tempfile::tempdir().expect("a directory");
    let (store, patterns) = (Store::new(home.path(), "test"), patterns(of));
    let read = |pattern: &MultiPattern| store.get(pattern, &Run::new()).expect("a table").body;
    let tables = patterns.iter().map(read).collect();
    (patterns, tables)
}

#[test]
fn no_eight_puzzle_takes_more_than_24_moves() {
    let distances = exact(&MultiPuzzle::new(&puzzle("3x3", "blank-first")));
    assert_eq!((distances.len(), distances.values().max()), (181_440, Some(&24)));
}

#[test]
fn bounds_are_admissible_and_pattern_databases_of_all_tiles_exact() {
    for (size, goal) in [
        ("2x2", "blank-last"),
        ("2x3", "spiral"),
        ("2x4", "blank-first"),
        ("3x3", "spiral"),
        ("2x5", "blank-last"),
    ] {
        if size == "2x5" && cfg!(debug_assertions) {
            continue;
        }
        let of = puzzle(size, goal);
        let multi = MultiPuzzle::new(&of);
        let lines = MultiBound::new(multi.clone(), &[], Vec::new());
        let (patterns, tables) = tables(&of);
        assert_eq!(patterns.len(), 1, "{size}");
        let all = MultiBound::new(multi.clone(), &patterns, tables);
        for (tiles, distance) in exact(&multi) {
            assert!(lines.bound(&tiles) <= distance, "{size} {}", tiles.text(of.board()));
            assert_eq!(all.bound(&tiles), distance, "{size} {}", tiles.text(of.board()));
        }
    }
}

/// Along walks, carried values are those from scratch, and every operator can be undone.
#[test]
fn carried_values_are_those_from_scratch() {
    use search_core::heuristic::{ChildBound, NodeRef};
    for (size, goal) in [("4x4", "spiral"), ("5x5", "blank-first"), ("3x5", "blank-last")] {
        let of = puzzle(size, goal);
        let multi = MultiPuzzle::new(&of);
        let lines = MultiBound::new(multi.clone(), &[], Vec::new());
        for mut tiles in Instances::new(of.board(), *of.goal(), 3).take(3).chain([*of.goal()]) {
            let mut standing = ChildBound::carry(&lines, &multi, &tiles);
            for step in 0..60usize {
                let ops: Vec<Op> = multi.applicable(&tiles).into_iter().collect();
                let op = ops[step * step % 11 % ops.len()];
                let there = multi.apply(&tiles, op);
                assert_eq!(of.after(&there, crate::board::inverse(op)), Some(tiles));
                let node = NodeRef { domain: &multi, state: &tiles, carry: &standing };
                let probe = ChildBound::locate(&lines, node, op, 0);
                let (before, mut after) = (lines.bound(&tiles), standing);
                let value = ChildBound::read(&lines, probe, 0, &mut after);
                (standing, tiles) = (after, there);
                assert_eq!(value, lines.bound(&tiles), "{size} {step}");
                assert!(value.abs_diff(before) <= 2, "{size} {step}");
            }
        }
    }
}

#[test]
fn tables_have_their_names_and_the_lines_of_4x4_their_number() {
    for (size, goal) in [("4x4", "blank-first"), ("3x4", "spiral"), ("3x3", "blank-last")] {
        for pattern in patterns(&puzzle(size, goal)) {
            let read = crate::tables::recipe_of(&pattern.name()).map(|recipe| recipe.spec());
            assert_eq!(read, Some(pattern.spec()));
        }
    }
    assert!(patterns(&puzzle("5x5", "blank-first")).is_empty());
    assert_eq!(lines::Lines::new(&[0, 1, 2, 3], 4, 0).count(), 24_964);
}
