//! A puzzle, a start and a goal in a certificate: colours at points, and moves as permutations of the points.

use std::collections::BTreeSet;

use puzzle_cli::Failure;
use serde::Serialize;

use crate::model::{Pattern, Puzzle, Transformation};
use crate::rotation::undone;
use crate::rows::Rows;

/// The puzzle with its start and its goal, in the referee's form.
#[derive(Debug, Serialize)]
#[serde(tag = "kind", rename = "permutation")]
pub(super) struct Stickers {
    name: String,
    moves: Vec<Named>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    rotations: Vec<Named>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    blocked: Vec<Blocked>,
    start: Vec<u8>,
    goal: Vec<u8>,
}

#[derive(Debug, Serialize)]
struct Named {
    name: String,
    from: Vec<u8>,
}

#[derive(Debug, Serialize)]
struct Blocked {
    point: u8,
    colour: u8,
}

impl Stickers {
    /// The puzzle whose solved pattern is the goal, and a pattern of it.
    ///
    /// # Errors
    /// Exit code 2 if it has more points than a certificate has.
    pub(super) fn of(puzzle: &Puzzle, start: &Pattern) -> Result<Stickers, Failure> {
        let rows = Rows::new(puzzle).map_err(|faults| {
            Failure::usage("there are no certificates of a puzzle of this size")
                .with_faults(faults.0)
                .with_remedy("leave out --certificate")
        })?;
        let named = |name: &str, transformation: &Transformation| Named {
            name: name.to_owned(),
            from: rows.table(transformation).into_vec(),
        };
        let moves: Vec<Named> =
            puzzle.moves().iter().map(|step| named(&step.name, &step.transformation)).collect();
        let mut seen: BTreeSet<&str> = puzzle.moves().iter().map(|step| step.name.as_str()).collect();
        let turns = puzzle.rotations().iter().filter(|turn| seen.insert(&turn.name));
        let mut rotations: Vec<Named> = turns.map(|turn| named(&turn.name, &turn.transformation)).collect();
        // Solutions name the inverses of rotations by an apostrophe.
        for turn in puzzle.rotations() {
            let name = undone(&turn.name);
            if !seen.contains(name.as_str()) && rotations.iter().all(|known| known.name != name) {
                rotations.push(named(&name, &turn.transformation.inverse()));
            }
        }
        let blocked = rows.blocked().into_iter().map(|(point, colour)| Blocked { point, colour });
        Ok(Stickers {
            name: puzzle.name().to_owned(),
            moves,
            rotations,
            blocked: blocked.collect(),
            start: rows.colours(start),
            goal: rows.colours(puzzle.solved()),
        })
    }
}
