//! Figures of the search tree: the nodes of each bound, and the numbers of strings of moves.

use super::chart::{Chart, Series, whole};
use crate::tiles_jobs::hundred;
use plotters::chart::SeriesLabelPosition;
use search_core::automaton::{Automaton, StateId};
use search_core::table::Store;
use search_core::{Op, Run};
use slidetile::board::{Board, OPS};
use slidetile::{Ask, HeuristicSpec, Pruning, Puzzle, Solver, SolverSetup, fsm};
use std::collections::HashMap;

/// The instance of Korf's hundred: number 12, of 45 moves.
const INSTANCE: usize = 11;
/// The last bound without a solution.
const BOUND: u32 = 43;
/// The length of the strings that the automaton was learned from.
const DEPTH: usize = 12;
/// The length of the longest strings counted, and the depth of the last layer of states.
const LONGEST: usize = 17;

/// The nodes of each complete iteration of one 15-puzzle, by heuristic.
pub fn bounds(run: &Run<'_>) -> String {
    let puzzle = Puzzle::blank_first(Board::new(4, 4).expect("a size"));
    let tiles = hundred()[INSTANCE].0;
    let strings = strings_by_length(puzzle.board(), tiles.blank(), &fsm::inverse_automaton(), BOUND as usize);
    let tree = |bound: u32| strings[1..=bound as usize].iter().sum::<u128>() as f64;
    let plain = (27..=BOUND).step_by(2).map(|bound| (f64::from(bound), tree(bound)));
    let mut series = vec![Series { name: "no heuristic", points: plain.collect() }];
    let folder = tempfile::tempdir().expect("a folder");
    let store = Store::new(folder.path(), crate::GENERATOR);
    for (name, heuristic) in [
        ("Manhattan distance", HeuristicSpec::Manhattan),
        ("with linear conflicts", HeuristicSpec::Conflicts),
        ("all of Korf & Taylor 1996", HeuristicSpec::Korf96),
    ] {
        let setup = SolverSetup::from(heuristic).pruning(Pruning::Inverse);
        let solver = Solver::load(puzzle.clone(), setup, &store, run).expect("no tables");
        let report = solver.solve(&Ask::new(tiles).max_bound(BOUND), run).expect("it has a solution");
        let points = report.iterations.iter().map(|i| (f64::from(i.bound), i.generated as f64));
        series.push(Series { name, points: points.collect() });
    }
    Chart {
        axes: ["bound on the number of moves", "generated nodes"],
        log: true,
        x_label: whole,
        legend: SeriesLabelPosition::MiddleRight,
        series,
    }
    .draw()
}

/// The strings of moves of the 24-puzzle from its goal, by length, for each state at that depth.
pub fn strings(run: &Run<'_>) -> String {
    let board = Board::new(5, 5).expect("a size");
    let learned = fsm::learn_duplicates(board, DEPTH, run).expect("nothing cancels it");
    let states = states_by_depth(&Puzzle::blank_first(board), LONGEST);
    let rules = [
        ("no move undone", fsm::inverse_automaton()),
        ("learned automaton", fsm::automaton(&learned.strings)),
    ];
    let per_state = |automaton| {
        let strings = strings_by_length(board, 0, automaton, LONGEST);
        let both = strings.into_iter().zip(&states).enumerate();
        both.map(|(length, (strings, states))| (length as f64, strings as f64 / *states as f64)).collect()
    };
    let series =
        rules.iter().map(|(name, automaton)| Series { name, points: per_state(automaton) }).collect();
    Chart {
        axes: ["length", "strings per state"],
        log: false,
        x_label: whole,
        legend: SeriesLabelPosition::UpperLeft,
        series,
    }
    .draw()
}

/// The number of strings of each length that are legal with the blank at `blank` and that `automaton` allows.
fn strings_by_length(board: Board, blank: usize, automaton: &Automaton, longest: usize) -> Vec<u128> {
    let mut here: HashMap<(usize, StateId), u128> = HashMap::from([((blank, automaton.start()), 1)]);
    let mut counts = vec![1];
    for _ in 0..longest {
        let mut next = HashMap::new();
        for ((blank, state), count) in here {
            for op in (0..OPS).map(Op::new) {
                if let (Some(to), Some(after)) = (board.neighbour(blank, op), automaton.next(state, op)) {
                    *next.entry((to, after)).or_default() += count;
                }
            }
        }
        here = next;
        counts.push(here.values().sum());
    }
    counts
}

/// The number of states at each depth from the goal.
fn states_by_depth(puzzle: &Puzzle, deepest: usize) -> Vec<usize> {
    puzzle.layers(*puzzle.goal()).take(deepest + 1).map(|layer| layer.len()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_and_states_of_a_small_board_are_counted() {
        let board = Board::new(2, 2).expect("a size");
        // On a ring of four cells, the blank moves forward or back; if no move is undone, it moves forward.
        let all = strings_by_length(board, 0, &Automaton::unrestricted(OPS), 3);
        assert_eq!(all, [1, 2, 4, 8]);
        assert_eq!(strings_by_length(board, 0, &fsm::inverse_automaton(), 3), [1, 2, 2, 2]);
        assert_eq!(states_by_depth(&Puzzle::blank_first(board), 7), [1, 2, 2, 2, 2, 2, 1]);
    }
}
