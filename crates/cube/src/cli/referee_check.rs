//! The referee's check of a solution before it is printed.
//!
//! The referee starts from the typed text where it can read it by itself (plain moves, plain facelets, but neither
//! comments nor brackets). Its cube must then equal the one that our own notation reads, so that errors there are
//! found too.

use crate::cube::Cube;
use crate::metric::Metric;
use crate::moves::permutation::FACELETS;
use crate::moves::{MoveSet, Permutation};
use crate::notation::facelets::{self, LETTERS};
use crate::notation::scramble::Move;
use crate::notation::{Given, Orientation, Position};
use puzzle_cli::Failure;
use referee::cube as judge;

/// Checks that `solution`, as it will be printed, leads from `position` as it was typed to `goal`
/// in exactly `length` moves.
pub(super) fn check(
    position: &Position,
    goal: &Cube,
    solution: &str,
    metric: Metric,
    length: u32,
) -> Result<(), Failure> {
    let verdict = || {
        let start = start(position)?;
        let goal = seen(goal, position.orientation, symbols(position))?;
        let metric = match metric {
            Metric::Htm | Metric::Stm | Metric::Axial => judge::Metric::HalfTurn,
            Metric::Qtm => judge::Metric::QuarterTurn,
        };
        judge::check(&start, &goal, solution, metric, u64::from(length))
            .map_err(|refusal| refusal.to_string())
    };
    verdict().map_err(|reason| refused(solution, &reason))
}

/// Checks that `solution`, as it will be printed, consists of `length` moves that are all `allowed`, and leads
/// from `position` as it was typed to what looks like `goal` in some orientation.
pub(super) fn check_moves(
    position: &Position,
    goal: &Cube,
    solution: &str,
    allowed: &[String],
    length: usize,
) -> Result<(), Failure> {
    let verdict = || {
        let start = start(position)?;
        let goal = seen(goal, position.orientation, symbols(position))?;
        judge::check_moves(&start, &goal, solution, allowed, length).map_err(|refusal| refusal.to_string())
    };
    verdict().map_err(|reason| refused(solution, &reason))
}

/// The number of moves of `set` that some turns count as. Where opposite faces turn at once, the referee counts the turns as
/// they will be printed, `solution`, too.
pub(super) fn length(set: &MoveSet, turns: &[Move], solution: &str) -> Result<u32, Failure> {
    let length = set.length(turns);
    if set.metric() == Metric::Axial {
        judge::check_axial(solution, length).map_err(|refusal| refused(solution, &refusal.to_string()))?;
    }
    Ok(length as u32)
}

/// Checks that `moves` are `length` moves from the solved cube to what looks like `cube` in some orientation.
pub(super) fn check_scramble(cube: &Cube, moves: &str, length: usize) -> Result<(), Failure> {
    check_string(&Permutation::of_cube(cube), moves, length)
}

/// Checks that `moves` are `length` moves from the solved cube to the image of `element` in some
/// orientation.
pub(super) fn check_string(element: &Permutation, moves: &str, length: usize) -> Result<(), Failure> {
    let verdict = || {
        let solved = judge::Cube::solved();
        let mut letters = [' '; FACELETS];
        for (facelet, &letter) in (0..).zip(solved.facelets()) {
            letters[usize::from(element.image(facelet))] = letter;
        }
        let goal = judge::Cube::parse(&letters.iter().collect::<String>()).map_err(|e| e.to_string())?;
        let allowed: Vec<String> = moves.split_whitespace().map(str::to_owned).collect();
        judge::check_moves(&solved, &goal, moves, &allowed, length).map_err(|refusal| refusal.to_string())
    };
    verdict().map_err(|reason| refused(moves, &reason))
}

/// The cube as it was typed, in the referee's model.
fn start(position: &Position) -> Result<judge::Cube, String> {
    let ours = seen(&position.cube, position.orientation, symbols(position))?;
    let start = typed(position).unwrap_or_else(|| ours.clone());
    if start == ours { Ok(start) } else { Err(format!("the referee reads {start} where we read {ours}")) }
}

/// The symbols of the six faces, as they were typed.
pub(super) fn symbols(position: &Position) -> [char; 6] {
    match position.given {
        Given::Facelets(centres) if position.orientation == Orientation::HOME => centres,
        _ => LETTERS,
    }
}

fn refused(moves: &str, reason: &str) -> Failure {
    Failure::error(format_args!("the referee rejects the moves `{moves}`: {reason}"))
        .with_remedy("this is a bug; please report it with the instance")
}

/// The text as the referee reads it.
fn typed(position: &Position) -> Option<judge::Cube> {
    match position.given {
        Given::Facelets(_) => judge::Cube::parse(&position.text).ok(),
        Given::Moves(_) => {
            judge::parse_moves(&position.text).ok().map(|moves| judge::Cube::solved().after_all(&moves))
        }
        Given::Reid => None,
    }
}

/// A cube as it looks when held in this orientation, with these symbols on its faces.
pub(super) fn seen(cube: &Cube, held: Orientation, symbols: [char; 6]) -> Result<judge::Cube, String> {
    let text = facelets::format_with(cube, symbols);
    let rotations = judge::parse_moves(&held.to_string()).map_err(|refusal| refusal.to_string())?;
    Ok(judge::Cube::parse(&text).map_err(|refusal| refusal.to_string())?.after_all(&rotations))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation;
    use puzzle_cli::Exit;

    fn position(text: &str) -> Position {
        notation::parse(text, None).unwrap()
    }

    #[test]
    fn correct_solutions_pass_in_every_orientation() {
        for (text, solution, length) in [
            ("R U", "U' R'", 2),
            ("(R U) // two", "U' R'", 2),
            ("x R U", "U' R'", 2),
            ("M", "L R'", 2),
            ("R2", "R2", 1),
        ] {
            let position = position(text);
            check(&position, &Cube::SOLVED, solution, Metric::Htm, length).unwrap();
        }
    }

    #[test]
    fn colours_and_rotated_letters_pass() {
        let scrambled = judge::Cube::solved().after_all(&judge::parse_moves("R U F2").unwrap());
        let rotated = scrambled.after_all(&judge::parse_moves("y x2").unwrap());
        let coloured: String = scrambled
            .to_string()
            .chars()
            .map(|c| "wrgyob".as_bytes()["URFDLB".find(c).unwrap()] as char)
            .collect();
        check(&position(&coloured), &Cube::SOLVED, "F2 U' R'", Metric::Qtm, 4).unwrap();
        // After y x2 the faces are at other places, so the solution is written differently.
        let held = position(&rotated.to_string());
        let solution = super::super::notation::moves(
            &notation::scramble::parse("F2 U' R'").unwrap().turns,
            held.orientation,
        );
        assert_ne!(solution, "F2 U' R'");
        check(&held, &Cube::SOLVED, &solution, Metric::Htm, 3).unwrap();
    }

    #[test]
    fn opposite_turns_at_once_are_counted_by_both() {
        let moves = crate::notation::scramble::parse_moves("U D' R2 F B L'").unwrap();
        let count = |metric| length(&MoveSet::all(metric), &moves, "U D' R2 F B L'").unwrap();
        assert_eq!((count(Metric::Axial), count(Metric::Htm)), (4, 6));
    }

    #[test]
    fn wrong_solutions_lengths_and_goals_are_refused() {
        let position = position("R U");
        let goal = position.cube;
        for (goal, solution, length) in
            [(Cube::SOLVED, "U' R", 2), (Cube::SOLVED, "U' R'", 3), (goal, "U' R'", 2), (Cube::SOLVED, "", 0)]
        {
            let failure = check(&position, &goal, solution, Metric::Htm, length).unwrap_err();
            assert_eq!(failure.exit, Exit::Error);
        }
        check(&position, &goal, "", Metric::Htm, 0).unwrap();
        check_scramble(&goal, "R U", 2).unwrap();
        assert!(check_scramble(&goal, "U R", 2).is_err());
    }
}
