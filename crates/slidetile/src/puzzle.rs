//! The domain: arrangements, four operators that move the blank, one goal.

use std::collections::{HashMap, HashSet};
use std::iter::successors;

use search_core::{Domain, Lengths, Op, OpSet};

use crate::board::{Board, MAX_CELLS, OPS, byte, reach};
use crate::fault::{Fault, Faults};
use crate::metric::Metric;
use crate::tiles::{LARGE, SMALL, Tiles};

/// A sliding-tile puzzle: a board, a goal and a metric. As a [`Domain`], it slides one tile a move in either metric;
/// [`MultiPuzzle`](crate::multi::MultiPuzzle) slides several.
#[derive(Clone, Debug)]
pub struct Puzzle<const BYTES: usize = LARGE> {
    board: Board,
    goal: Tiles<BYTES>,
    metric: Metric,
    /// Whether the goal is an odd permutation; checked boards are compared with it.
    goal_is_odd: bool,
    /// The cell that the blank moves to, by its cell and operator; meaningless off the board.
    next: [[u8; OPS]; MAX_CELLS],
    applicable: [OpSet; MAX_CELLS],
}

impl<const BYTES: usize> Puzzle<BYTES> {
    /// The puzzle on `board` with the goal `goal`.
    pub fn new(board: Board, goal: Tiles<BYTES>) -> Puzzle<BYTES> {
        let mut puzzle = Puzzle {
            board,
            goal,
            metric: Metric::Single,
            goal_is_odd: goal.is_odd(board),
            next: [[0; OPS]; MAX_CELLS],
            applicable: [OpSet::EMPTY; MAX_CELLS],
        };
        for cell in 0..board.cells() {
            for op in OpSet::first(OPS) {
                if let Some(to) = board.neighbour(cell, op) {
                    puzzle.next[cell][op.index()] = byte(to);
                    puzzle.applicable[cell] = puzzle.applicable[cell].with(op);
                }
            }
        }
        puzzle
    }

    /// Sets the metric, which is [`Metric::Single`] otherwise.
    #[must_use]
    pub fn with_metric(self, metric: Metric) -> Puzzle<BYTES> {
        Puzzle { metric, ..self }
    }

    /// The board.
    pub fn board(&self) -> Board {
        self.board
    }

    /// The goal.
    pub fn goal(&self) -> &Tiles<BYTES> {
        &self.goal
    }

    /// The metric.
    pub fn metric(&self) -> Metric {
        self.metric
    }

    /// The cell that `op` moves the blank to, from a cell where it is applicable.
    #[inline(always)]
    pub(crate) fn target(&self, blank: usize, op: Op) -> usize {
        self.next[blank][op.index()].into()
    }
}

impl Puzzle {
    /// The same puzzle on small arrangements, for searches; `None` for boards larger than 6x6.
    pub(crate) fn small(&self) -> Option<Puzzle<SMALL>> {
        let small = || Puzzle::new(self.board, self.goal.small()).with_metric(self.metric);
        (!self.board.is_large()).then(small)
    }

    /// The puzzle whose goal has the blank first.
    pub fn blank_first(board: Board) -> Puzzle {
        Puzzle::new(board, Tiles::blank_first(board))
    }

    /// The puzzle with a goal as users write it: `blank-first`, `blank-last`, `spiral` or a list of tiles.
    ///
    /// # Errors
    /// Every fault of the list.
    pub fn with_goal(board: Board, goal: &str) -> Result<Puzzle, Faults> {
        let goal = match goal {
            "blank-first" => Tiles::blank_first(board),
            "blank-last" => Tiles::blank_last(board),
            "spiral" => Tiles::spiral(board),
            text => Tiles::parse(text, Some(board))?.1,
        };
        Ok(Puzzle::new(board, goal))
    }

    /// Reads tiles that can reach the goal.
    ///
    /// # Errors
    /// Every fault.
    pub fn read(&self, text: &str) -> Result<Tiles, Faults> {
        Tiles::parse(text, Some(self.board)).and_then(|(_, tiles)| self.check(tiles))
    }

    /// The board after an operator of any metric, if it stays on the board.
    pub fn after(&self, tiles: &Tiles, op: Op) -> Option<Tiles> {
        let single = Op::new(op.index() % OPS);
        (0..reach(op))
            .try_fold(*tiles, |tiles, _| Some(tiles.slide(self.board.neighbour(tiles.blank(), single)?)))
    }

    /// Checks that `tiles` can reach the goal, and returns them.
    ///
    /// # Errors
    /// [`Fault::Parity`] otherwise, with a goal that they can reach.
    pub fn check(&self, tiles: Tiles) -> Result<Tiles, Faults> {
        if tiles.is_odd(self.board) ^ self.goal_is_odd == tiles.odd_length(self.board, &self.goal) {
            return Ok(tiles);
        }
        let standard =
            [("blank-first", Tiles::blank_first(self.board)), ("blank-last", Tiles::blank_last(self.board))];
        let name = |goal: &Tiles| {
            let known = standard.iter().find(|(_, tiles)| tiles == goal);
            known.map_or_else(|| goal.text(self.board), |(name, _)| (*name).to_owned())
        };
        let reachable = standard.iter().map(|(_, goal)| *goal).find(|goal| tiles.solvable(self.board, goal));
        let alternative = reachable.unwrap_or_else(|| self.goal.other_parity(self.board));
        let alternative = format!("it is solvable for the goal {}", name(&alternative));
        Err(Fault::Parity { goal: name(&self.goal), alternative }.into())
    }

    /// Whether a board looks as if it was meant for another goal: that one can be reached, and is at most half as far by
    /// Manhattan distance.
    pub fn is_probably_for(&self, goal: &Tiles, tiles: &Tiles) -> bool {
        let cells = tiles.positions(self.board);
        let distance = |goal: &Tiles| -> usize {
            let goals = goal.positions(self.board);
            (1..self.board.cells()).map(|tile| self.board.distance(cells[tile], goals[tile])).sum()
        };
        let (here, there) = (distance(&self.goal), distance(goal));
        here > 0 && 2 * there <= here && tiles.solvable(self.board, goal)
    }

    /// The states at each distance from `start`, by a breadth-first search that keeps all states: for small boards.
    pub fn layers(&self, start: Tiles) -> impl Iterator<Item = Vec<Tiles>> {
        let mut seen = HashSet::from([start]);
        successors(Some(vec![start]), move |layer| {
            let children = layer
                .iter()
                .flat_map(|tiles| self.applicable(tiles).into_iter().map(|op| self.apply(tiles, op)));
            let next: Vec<Tiles> = children.filter(|child| seen.insert(*child)).collect();
            (!next.is_empty()).then_some(next)
        })
    }

    /// The distance of every state from the goal, as [`layers`](Puzzle::layers).
    pub fn distances(&self) -> HashMap<Tiles, u8> {
        let layers = self.layers(self.goal).zip(0..);
        layers.flat_map(|(layer, distance)| layer.into_iter().map(move |tiles| (tiles, distance))).collect()
    }

    /// The cells that the blank moves to when `ops` are applied to `tiles`.
    ///
    /// # Panics
    /// If an operator is not applicable.
    pub fn path(&self, tiles: &Tiles, ops: &[Op]) -> Vec<usize> {
        let step = |blank: &mut usize, op: &Op| {
            *blank = self.board.neighbour(*blank, *op).expect("the operator is applicable");
            Some(*blank)
        };
        ops.iter().scan(tiles.blank(), step).collect()
    }
}

impl<const BYTES: usize> Domain for Puzzle<BYTES> {
    type State = Tiles<BYTES>;

    #[inline(always)]
    fn op_count(&self) -> usize {
        OPS
    }

    #[inline(always)]
    fn applicable(&self, state: &Tiles<BYTES>) -> OpSet {
        self.applicable[state.blank()]
    }

    #[inline(always)]
    fn apply(&self, state: &Tiles<BYTES>, op: Op) -> Tiles<BYTES> {
        state.slide(self.target(state.blank(), op))
    }

    #[inline(always)]
    fn is_goal(&self, state: &Tiles<BYTES>) -> bool {
        *state == self.goal
    }

    fn lengths(&self, state: &Tiles<BYTES>) -> Lengths {
        Lengths::parity(state.odd_length(self.board, &self.goal))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_of_parity_names_a_reachable_goal() {
        let board = Board::new(3, 3).expect("a board");
        let puzzle = Puzzle::blank_first(board);
        let odd = Tiles::blank_first(board).other_parity(board);
        let text = puzzle.check(odd).expect_err("odd").to_string();
        assert!(text.contains("goal blank-first"), "{text}");
        let last = Tiles::blank_last(board);
        let text = puzzle.check(last.other_parity(board)).map(|_| ()).map_err(|faults| faults.to_string());
        assert_eq!(text.is_ok(), last.other_parity(board).solvable(board, puzzle.goal()));
    }

    #[test]
    fn a_board_near_the_other_goal_is_probably_meant_for_it() {
        let board = Board::new(3, 3).expect("a board");
        let (puzzle, last) = (Puzzle::blank_first(board), Tiles::blank_last(board));
        let is_probable = |text: &str| {
            let (_, tiles) = Tiles::parse(text, None).expect("a board");
            puzzle.is_probably_for(&last, &tiles)
        };
        assert!(is_probable("1 2 3 4 5 6 7 8 0") && is_probable("1 2 3 4 5 0 7 8 6"));
        assert!(!is_probable("0 1 2 3 4 5 6 7 8") && !is_probable("1 0 2 3 4 5 6 7 8"));
        assert!(!is_probable("8 6 7 2 5 4 3 0 1"));
    }
}
