//! A puzzle, a start and its goals in a certificate: colours at points, and moves as permutations of the points.

use std::collections::BTreeSet;

use puzzle_cli::Failure;
use serde::Serialize;

use crate::goal::Goal;
use crate::model::{Pattern, Transformation};
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
    #[serde(flatten)]
    first: Colours,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    others: Vec<Colours>,
}

/// The start and a goal, in the colours that the goal tells apart.
#[derive(Debug, Serialize)]
struct Colours {
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
    /// A pattern and its goals, at least one.
    ///
    /// # Errors
    /// Exit code 2 if the puzzle has more points than a certificate has, or if the goals differ in their points.
    pub(super) fn of(goals: &[Goal], start: &Pattern) -> Result<Stickers, Failure> {
        let refused = |faults: Vec<String>| {
            Failure::usage("there are no certificates of this puzzle with these goals")
                .with_faults(faults)
                .with_remedy("leave out --certificate")
        };
        let puzzle = goals[0].puzzle();
        let rows = Rows::new(puzzle).map_err(|faults| refused(faults.0))?;
        let mut all = Vec::new();
        for goal in goals {
            let of_goal = Rows::new(goal.puzzle()).map_err(|faults| refused(faults.0))?;
            if !of_goal.turns().eq(rows.turns()) || of_goal.blocked() != rows.blocked() {
                return Err(refused(vec!["the goals tell different orientations or rules apart".to_owned()]));
            }
            // A goal with other pieces is not reached.
            all.extend(goal.relabeled(start).map(|start| Colours {
                start: of_goal.colours(&start),
                goal: of_goal.colours(goal.puzzle().solved()),
            }));
        }
        if all.is_empty() {
            return Err(refused(vec!["the goals have other pieces than the state".to_owned()]));
        }
        let first = all.remove(0);
        let named = |name: &str, transformation: &Transformation| Named {
            name: name.to_owned(),
            from: rows.table(transformation).into_vec(),
        };
        let moves: Vec<Named> =
            puzzle.moves().iter().map(|step| named(&step.name, &step.transformation)).collect();
        let mut seen: BTreeSet<&str> = puzzle.moves().iter().map(|step| step.name.as_str()).collect();
        // The referee does not count free moves either.
        let mut rotations: Vec<Named> =
            puzzle.free().iter().map(|step| named(&step.name, &step.transformation)).collect();
        let turns = puzzle.rotations().iter().filter(|turn| seen.insert(&turn.name));
        rotations.extend(turns.map(|turn| named(&turn.name, &turn.transformation)));
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
            first,
            others: all,
        })
    }
}
