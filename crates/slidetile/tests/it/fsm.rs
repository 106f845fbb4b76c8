//! The automaton loses no shortest path: every state keeps its exact breadth-first distance.
//!
//! Renaming the tiles maps any start onto any other with the same blank's cell, so it is enough to
//! start once from each cell.

use std::collections::HashSet;

use search_core::automaton::StateId;
use search_core::table::Recipe;
use search_core::{Automaton, Domain, Run};
use slidetile::tables::LearnedAutomaton;
use slidetile::{Board, Puzzle, Tiles, fsm};

fn board(size: &str) -> Board {
    size.parse().expect("a size")
}

fn learned(board: Board, depth: usize) -> Automaton {
    fsm::automaton(&fsm::learn_duplicates(board, depth, &Run::new()).expect("not cancelled").strings)
}

/// The ordered tiles with the blank moved to `cell` by exchange: a start for each cell.
fn start(board: Board, cell: usize) -> Tiles {
    let mut cells: Vec<usize> = (0..board.cells()).collect();
    cells.swap(0, cell);
    Tiles::new(board, &cells).expect("a permutation")
}

/// Searches breadth first with and without the automaton, side by side, to `max_depth`. At each
/// depth the strings that the automaton allows must reach every state that lies at that distance.
/// Returns the number of states at each depth.
fn check(board: Board, cell: usize, automaton: &Automaton, max_depth: usize) -> Vec<usize> {
    let puzzle = Puzzle::blank_first(board);
    let start = start(board, cell);
    let mut controlled: HashSet<(Tiles, StateId)> = HashSet::from([(start, automaton.start())]);
    let mut counts = vec![1];
    for (layer, depth) in puzzle.layers(start).skip(1).take(max_depth).zip(1..) {
        let layer: HashSet<Tiles> = layer.into_iter().collect();
        // Strings that reach a state late are not prefixes of shortest ones.
        controlled = controlled
            .iter()
            .flat_map(|(tiles, state)| {
                puzzle
                    .applicable(tiles)
                    .into_iter()
                    .filter_map(move |op| Some((tiles, op, automaton.next(*state, op)?)))
            })
            .map(|(tiles, op, state)| (puzzle.apply(tiles, op), state))
            .filter(|(tiles, _)| layer.contains(tiles))
            .collect();
        let reached: HashSet<Tiles> = controlled.iter().map(|(tiles, _)| *tiles).collect();
        assert_eq!(reached.len(), layer.len(), "{board} from cell {cell}: states lost at depth {depth}");
        counts.push(layer.len());
    }
    counts
}

#[test]
fn every_state_of_small_boards_keeps_its_distance() {
    for (size, states) in [("2x2", 12), ("2x3", 360), ("3x2", 360), ("2x4", 20_160), ("3x3", 181_440)] {
        let board = board(size);
        for automaton in [fsm::inverse_automaton(), learned(board, 14), learned(self::board("5x5"), 12)] {
            let cells = if size == "3x3" { 0..3 } else { 0..board.cells() };
            for cell in cells {
                assert_eq!(check(board, cell, &automaton, 99).iter().sum::<usize>(), states, "{size}");
            }
        }
    }
}

#[test]
#[ignore = "all cells of 3x3 and 2x5 with deep automata, minutes"]
fn every_state_of_larger_boards_keeps_its_distance() {
    for (size, depth) in [("3x3", 20), ("2x5", 18)] {
        let board = board(size);
        let automata = [learned(board, depth), learned(self::board("5x5"), 16)];
        for cell in 0..board.cells() {
            automata.iter().for_each(|automaton| {
                check(board, cell, automaton, 99);
            });
        }
    }
}

/// The number of states at each depth from the corner of the 24-puzzle.
const TWENTY_FOUR: [usize; 19] = [
    1, 2, 4, 10, 26, 64, 159, 366, 862, 1904, 4538, 10238, 24098, 53186, 123_435, 268_416, 616_374,
    1_326_882, 3_021_126,
];

#[test]
fn known_counts_under_the_automaton() {
    let board = board("5x5");
    let automaton = learned(board, 14);
    assert_eq!(check(board, 0, &automaton, 15), TWENTY_FOUR[..16]);
    check(board, 12, &automaton, 13);
    for size in ["3x4", "4x4", "4x5"] {
        let board = self::board(size);
        let automaton = learned(board, 13);
        check(board, 0, &automaton, 14);
        check(board, 5, &automaton, 14);
    }
}

#[test]
#[ignore = "millions of states of 4x4 and 5x5, minutes and 4 GiB"]
fn deep_counts_under_the_automaton() {
    let automaton = learned(board("5x5"), 16);
    assert_eq!(check(board("5x5"), 0, &automaton, 18), TWENTY_FOUR);
    check(board("5x5"), 12, &automaton, 15);
    check(board("4x4"), 0, &learned(board("4x4"), 16), 20);
}

#[test]
fn automata_have_the_known_sizes_by_depth() {
    // Strings, states as built and the branching factor on 5x5, in the tiles' order of operators.
    let board = board("5x5");
    for (depth, strings, states, factor) in [(2, 4, 5, 2.3676), (6, 8, 21, 2.3463), (12, 2667, 9732, 2.2734)]
    {
        let learned = fsm::learn_duplicates(board, depth, &Run::new()).expect("not cancelled");
        assert_eq!(learned.strings.len(), strings);
        let plain = search_core::automaton::Trie::from_strings(4, &learned.strings).automaton();
        assert_eq!(plain.states(), states);
        let merged = fsm::automaton(&learned.strings);
        assert!((fsm::branching_factor(board, &merged, &Run::new()) - factor).abs() < 1e-4);
    }
    let inverses = learned(board, 2);
    assert_eq!(inverses.strings_by_length(6), fsm::inverse_automaton().strings_by_length(6));
}

fn check_planned_bytes(boards: impl Iterator<Item = Board>) {
    for board in boards {
        let depth = fsm::default_depth(board);
        let bytes = 4 * learned(board, depth).table().len() as u64;
        assert_eq!(LearnedAutomaton { board, depth }.bytes(), bytes, "{board}");
    }
}

fn boards() -> impl Iterator<Item = Board> {
    (2..=6).flat_map(|rows| (2..=6).filter_map(move |cols| Board::new(rows, cols)))
}

#[test]
fn planned_sizes_of_small_automata() {
    check_planned_bytes(boards().filter(|board| board.cells() <= 12));
}

#[test]
#[ignore = "learns the automata of all boards, a minute"]
fn planned_sizes_of_all_automata() {
    check_planned_bytes(boards());
}
