//! A board as a planning task: a variable for the cell of each tile and one for that of the blank; an action slides a tile
//! into the blank.

use crate::puzzle::Puzzle;
use crate::tiles::Tiles;
use search_core::OpSet;
use search_core::planning::{Action, Effect, Fact, Task, Variable};

/// The task of solving `tiles`. Variable 0 is the cell of the blank and variable `t` that of tile `t`; value `c` is cell
/// `c`, counted by rows. The solutions have the lengths of those of the puzzle.
pub fn task(puzzle: &Puzzle, tiles: &Tiles) -> Task {
    let board = puzzle.board();
    let cell_name = |cell: usize| format!("r{}c{}", board.row(cell) + 1, board.col(cell) + 1);
    let values: Vec<String> = (0..board.cells()).map(cell_name).collect();
    let name = |tile: usize| if tile == 0 { "blank".to_owned() } else { format!("tile{tile}") };
    let variables =
        (0..board.cells()).map(|tile| Variable { name: name(tile), values: values.clone() }).collect();
    let places = |tiles: &Tiles| -> Vec<usize> {
        let mut places = vec![0; board.cells()];
        (0..board.cells()).for_each(|cell| places[tiles.tile(cell)] = cell);
        places
    };
    let mut actions = Vec::new();
    for blank in 0..board.cells() {
        for cell in OpSet::first(crate::board::OPS).into_iter().filter_map(|op| board.neighbour(blank, op)) {
            for tile in 1..board.cells() {
                let fact = |variable: usize, value: usize| Fact { variable, value };
                actions.push(Action {
                    name: format!("slide-{tile}-{}-{}", values[cell], values[blank]),
                    cost: 1,
                    conditions: vec![fact(0, blank), fact(tile, cell)],
                    effects: [fact(0, cell), fact(tile, blank)].map(Effect::always).to_vec(),
                });
            }
        }
    }
    let goal = places(puzzle.goal()).into_iter().enumerate();
    Task {
        name: format!("tiles-{}x{}", board.rows(), board.cols()),
        variables,
        initial: places(tiles),
        goal: goal.map(|(variable, value)| Fact { variable, value }).collect(),
        actions,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use crate::random::Instances;
    use search_core::Domain;
    use search_core::testing::plan_length;
    use std::collections::HashSet;

    /// The distance to the goal, by a breadth-first search.
    fn distance(puzzle: &Puzzle, tiles: Tiles) -> u32 {
        let (mut layer, mut seen) = (vec![tiles], HashSet::from([tiles]));
        for depth in 0.. {
            if layer.iter().any(|tiles| puzzle.is_goal(tiles)) {
                return depth;
            }
            let next = layer
                .iter()
                .flat_map(|tiles| puzzle.applicable(tiles).into_iter().map(|op| puzzle.apply(tiles, op)));
            layer = next.filter(|tiles| seen.insert(*tiles)).collect();
        }
        unreachable!("every board here can be solved")
    }

    #[test]
    fn plans_are_as_long_as_solutions() {
        for (rows, cols, goal) in [(2, 2, "blank-first"), (2, 3, "blank-last"), (3, 2, "spiral")] {
            let board = Board::new(rows, cols).unwrap();
            let puzzle = Puzzle::with_goal(board, goal).unwrap();
            for tiles in Instances::new(board, *puzzle.goal(), 1).take(4) {
                assert_eq!(plan_length(&task(&puzzle, &tiles)), Some(distance(&puzzle, tiles)));
            }
        }
    }
}
