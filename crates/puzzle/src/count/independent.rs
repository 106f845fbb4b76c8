//! Puzzles that divide into independent ones, as a pyraminx into its tips and all the rest.
//!
//! The idea: where the moves divide into classes that commute with each other, each class is counted by itself.
//!
//! Why depths add up: a product of moves can be sorted by class, since moves of different ones commute. So a position is a
//! product of one element of each class's group, and if the order of the whole group is the product of theirs, it is so in
//! one way. Each factor of a shortest word is then a shortest word of its own.

use search_core::Run;

use super::NoTable;
use crate::group::{Factors, Group};
use crate::model::{Puzzle, PuzzleParts, Transformation};
use crate::system::{System, SystemError};

/// The puzzles into which one divides because each move of one commutes with each of another, and the group of all moves
/// is as large as the product of theirs; each with the numbers of its moves. Positions must be the elements of the group.
pub(super) fn independent(
    puzzle: &Puzzle,
    system: &System,
    run: &Run<'_>,
) -> Result<Vec<(System, Vec<usize>)>, NoTable> {
    let steps: Vec<&Transformation> =
        system.reduction.moves().iter().map(|step| &step.transformation).collect();
    let joined = system.joined();
    let mut class: Vec<usize> = (0..steps.len()).collect();
    for a in 0..steps.len() {
        for b in 0..a {
            // Powers of one move commute, but are not combined freely.
            let is_free = steps[a].then(steps[b]) == steps[b].then(steps[a]) && !joined[a][b];
            if class[a] != class[b] && !is_free {
                let (from, to) = (class[a], class[b]);
                class.iter_mut().filter(|of| **of == from).for_each(|of| *of = to);
            }
        }
    }
    let mut classes = class.clone();
    classes.sort_unstable();
    classes.dedup();
    if classes.len() < 2 {
        return Err(NoTable::Unsuited);
    }
    let order = |moves: &[usize]| {
        let group = Group::generated(puzzle.orbits(), moves.iter().map(|&number| steps[number]), run)?;
        let group = group.filter(Group::is_proved).ok_or(NoTable::Unsuited)?;
        Ok::<_, NoTable>(group.order())
    };
    let all: Vec<usize> = (0..steps.len()).collect();
    let (whole, mut product, mut puzzles) = (order(&all)?, Factors::one(), Vec::new());
    for of in classes {
        let moves: Vec<usize> = all.iter().copied().filter(|&number| class[number] == of).collect();
        product.multiply_by(&order(&moves)?);
        let of_class = system.numbered_moves().into_iter().enumerate();
        let of_class = of_class.filter(|(number, _)| class[*number] == of).map(|(_, step)| step);
        let parts = PuzzleParts {
            name: puzzle.name().to_owned(),
            orbits: puzzle.orbits().to_vec(),
            moves: of_class.collect(),
            free: Vec::new(),
            rotations: Vec::new(),
            solved: puzzle.solved().clone(),
            illegal: Vec::new(),
        };
        let part = Puzzle::new(parts).map_err(SystemError::from)?;
        puzzles.push((System::new(&part, run)?, moves));
    }
    if whole == product { Ok(puzzles) } else { Err(NoTable::Unsuited) }
}
