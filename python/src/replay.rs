//! Solutions from elsewhere, replayed by the referee. Each function returns the length.

use crate::cubes::{self, counted, metric, seen};
use crate::failure::{exception, usage};
use crate::permutations::PermutationPuzzle;
use crate::{tiles, towers};
use hanoi4::notation::Notation;
use puzzle::solution::replay;
use puzzle_cli::Failure;
use pyo3::prelude::*;
use referee::{Refusal, cube as judge, hanoi, permutation, tiles as boards};

fn malformed(message: &str, faults: Vec<String>) -> PyErr {
    exception(&Failure::malformed(message).with_faults(faults))
}

fn refused(refusal: Refusal) -> PyErr {
    malformed("the referee rejects the solution", vec![refusal.to_string()])
}

/// Replays face turns from a cube in any notation to the solved cube.
#[pyfunction]
pub fn cube_replay(text: String, moves: &str, metric_name: &str) -> PyResult<u64> {
    let metric = counted(metric(metric_name)?);
    let (_, position) = cubes::position(text).map_err(|faults| malformed("invalid cube", faults))?;
    let replayed = || {
        let held = judge::parse_moves(&position.orientation.to_string())?;
        let (start, goal) = (seen(&position.cube, &held)?, judge::Cube::solved().after_all(&held));
        let length = judge::length(&judge::parse_moves(moves)?, metric);
        judge::check(&start, &goal, moves, metric, length).map(|()| length)
    };
    replayed().map_err(refused)
}

/// Replays moves of one tile: directions of the blank or numbers of tiles.
#[pyfunction]
pub fn tile_replay(text: &str, moves: &str, size: &str, goal: &str) -> PyResult<u64> {
    let puzzle = tiles::puzzle(size, goal)?;
    let (board, start) = (puzzle.board(), tiles::read_board(&puzzle, text)?);
    let read =
        |tiles: &slidetile::Tiles| boards::Board::parse(board.rows(), board.cols(), &tiles.text(board));
    let replayed = || {
        let moves = boards::parse_moves(moves)?;
        boards::check_moves(&read(&start)?, &read(puzzle.goal())?, &moves, moves.len() as u64)?;
        Ok(moves.len() as u64)
    };
    replayed().map_err(refused)
}

/// Replays moves of discs.
#[pyfunction]
pub fn tower_replay(text: &str, moves: &str, pegs: u32) -> PyResult<u64> {
    let ask = towers::path(text, pegs, Notation::default());
    let ask = ask.map_err(|faults| malformed("invalid tower", faults))?;
    let read = |state| hanoi::Towers::parse(pegs as usize, &ask.puzzle.format(state));
    let replayed = || {
        let length = hanoi::parse_moves(moves)?.len() as u64;
        hanoi::check(&read(ask.from)?, &read(ask.to)?, moves, length).map(|()| length)
    };
    replayed().map_err(refused)
}

/// Replays names of moves and rotations to the solved state, up to a free rotation.
#[pyfunction]
pub fn permutation_replay(puzzle: Py<PermutationPuzzle>, text: &str, moves: &str) -> PyResult<u64> {
    let puzzle = puzzle.get();
    let start = puzzle.state(text, None).map_err(|faults| malformed("invalid state", faults.0))?;
    let searched = puzzle.puzzle();
    let replayed =
        replay(searched, &start, &permutation::names(moves), |pattern| pattern == searched.solved());
    let replayed = replayed.ok_or_else(|| {
        malformed(
            "the referee rejects the solution",
            vec![format!("{moves:?} does not lead through legal states to the goal")],
        )
    })?;
    u64::try_from(replayed.counted).map_err(usage)
}
