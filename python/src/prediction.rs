//! The expected nodes of iterations. The values are those of each class of states, as numbers of states by value.

use crate::cubes::metric;
use crate::failure::usage;
use crate::tiles::{TileSolver, read_board};
use pyo3::prelude::*;
use search_core::Op;
use search_core::prediction::expanded;
use slidetile::Metric;

/// The greatest bound of a prediction.
const MOST: u32 = 1000;

fn of_bounds(
    nodes: impl Fn(usize) -> Vec<Vec<f64>>,
    values: &[Vec<u64>],
    bounds: &[u32],
) -> PyResult<Vec<f64>> {
    let most = bounds.iter().copied().max().unwrap_or(0);
    if most > MOST {
        return Err(usage(format_args!("bounds must be at most {MOST}, not {most}")));
    }
    let nodes = nodes(most as usize);
    Ok(bounds.iter().map(|&bound| expanded(&nodes, values, bound as usize)).collect())
}

/// The expected nodes of the bounds of a board. A class is a cell of the blank.
#[pyfunction]
pub fn tile_expanded(
    py: Python<'_>,
    solver: Py<TileSolver>,
    text: &str,
    values: Vec<Vec<u64>>,
    bounds: Vec<u32>,
) -> PyResult<Vec<f64>> {
    let solver = &solver.get().solver;
    let (puzzle, board) = (solver.puzzle(), solver.puzzle().board());
    if puzzle.metric() != Metric::Single {
        return Err(usage("nodes are predicted for moves of one tile"));
    }
    let blank = read_board(puzzle, text)?.blank();
    let step = |cell: usize, op: Op| board.neighbour(cell, op);
    let nodes = |depth| solver.automaton().nodes_by_depth(board.cells(), step, blank, depth);
    py.detach(|| of_bounds(nodes, &values, &bounds))
}

/// The expected nodes of the bounds of a cube that is searched from one end.
#[pyfunction]
pub fn cube_expanded(metric_name: &str, values: Vec<u64>, bounds: Vec<u32>) -> PyResult<Vec<f64>> {
    let automaton = metric(metric_name)?.automaton();
    of_bounds(|depth| automaton.nodes_by_depth(1, |_, _| Some(0), 0, depth), &[values], &bounds)
}
