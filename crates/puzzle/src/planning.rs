//! A permutation puzzle as a planning task: a variable for the piece at each place and its orientation; an action is a
//! counted move, which gives each place that it changes the value of another, so its effects have conditions. Free moves and
//! rotations are actions without cost.

use crate::fault::Faults;
use crate::model::{Pattern, Puzzle, Transformation};
use search_core::planning::{Action, Effect, Fact, Task, Variable, plain};

/// A piece as patterns see it: its label, the modulus of its orientations, and its orientation.
type Value = (u8, u8, u8);

/// The task of reaching the solved pattern from `start`. Each place that some move changes has a variable; the values are the
/// pieces of its orbit, each in all its orientations. The solutions have the lengths of those of the puzzle.
///
/// # Errors
/// If rules block moves, or if `start` does not have the pieces of the solved pattern.
pub fn task(puzzle: &Puzzle, start: &Pattern) -> Result<Task, Faults> {
    if !puzzle.illegal().is_empty() {
        return Err("rules that block moves cannot be written as conditions of actions".to_owned().into());
    }
    let solved = puzzle.solved();
    let values: Vec<Vec<Value>> = (0..puzzle.orbits().len()).map(|orbit| values_of(solved, orbit)).collect();
    let steps = || {
        let moves = puzzle.moves().iter().map(|step| (&step.name, 1, &step.transformation));
        let free = puzzle.free().iter().map(|step| (&step.name, 0, &step.transformation));
        moves.chain(free).chain(puzzle.rotations().iter().map(|turn| (&turn.name, 0, &turn.transformation)))
    };
    // Places that no move changes are left out.
    let mut places = Vec::new();
    for (orbit, of) in puzzle.orbits().iter().enumerate() {
        let changes = |place: usize| steps().any(|(_, _, by)| !source(by, orbit, place).is_same(place));
        places.extend((0..of.pieces).filter(|place| changes(*place)).map(|place| (orbit, place)));
    }
    let variable_of = |orbit: usize, place: usize| places.binary_search(&(orbit, place)).ok();
    let mut faults = Vec::new();
    for (orbit, of) in puzzle.orbits().iter().enumerate() {
        for place in (0..of.pieces).filter(|place| variable_of(orbit, *place).is_none()) {
            if value_at(start, orbit, place) != value_at(solved, orbit, place) {
                faults.push(format!("no move changes place {place} of {}, which is not solved", of.name));
            }
        }
    }
    let number = |pattern: &Pattern, orbit: usize, place: usize| {
        values[orbit].iter().position(|value| *value == value_at(pattern, orbit, place))
    };
    let mut initial = Vec::new();
    for &(orbit, place) in &places {
        match number(start, orbit, place) {
            Some(value) => initial.push(value),
            None => faults.push(format!(
                "the piece at place {place} of {} is not one of the solved state",
                puzzle.orbits()[orbit].name
            )),
        }
    }
    if !faults.is_empty() {
        return Err(Faults(faults));
    }
    let variables = places.iter().map(|&(orbit, place)| Variable {
        name: format!("{}{place}", plain(&puzzle.orbits()[orbit].name).to_lowercase()),
        values: values[orbit]
            .iter()
            .map(|(label, _, orientation)| format!("p{label}o{orientation}"))
            .collect(),
    });
    let actions = steps().map(|(name, cost, by)| {
        let mut effects = Vec::new();
        for (variable, &(orbit, place)) in places.iter().enumerate() {
            let from = source(by, orbit, place);
            if from.is_same(place) {
                continue;
            }
            let at = variable_of(orbit, from.place).expect("a move that changes a place changes its source");
            for (value, &(label, modulus, orientation)) in values[orbit].iter().enumerate() {
                let turned = (u16::from(orientation) + u16::from(from.turn)) % u16::from(modulus);
                let after = (label, modulus, turned as u8);
                let after = values[orbit]
                    .iter()
                    .position(|other| *other == after)
                    .expect("every orientation is a value");
                if at != variable || value != after {
                    let when = vec![Fact { variable: at, value }];
                    effects.push(Effect { when, fact: Fact { variable, value: after } });
                }
            }
        }
        Action { name: name.clone(), cost, conditions: Vec::new(), effects }
    });
    let goal = places.iter().enumerate().map(|(variable, &(orbit, place))| {
        let value = number(solved, orbit, place).expect("the solved pattern has its own values");
        Fact { variable, value }
    });
    Ok(Task {
        name: plain(puzzle.name()),
        variables: variables.collect(),
        initial,
        goal: goal.collect(),
        actions: actions.collect(),
    })
}

/// The place that a piece comes from, and by how much it turns.
struct Source {
    place: usize,
    turn: u8,
}

impl Source {
    /// Whether the piece at `place` stays as it is.
    fn is_same(&self, place: usize) -> bool {
        self.place == place && self.turn == 0
    }
}

fn source(by: &Transformation, orbit: usize, place: usize) -> Source {
    let part = &by.orbits[orbit];
    Source { place: part.from[place].into(), turn: part.turn[place] }
}

fn value_at(pattern: &Pattern, orbit: usize, place: usize) -> Value {
    let part = &pattern.orbits[orbit];
    (part.pieces[place], part.orientation_mod[place], part.orientation[place])
}

/// The values of the places of an orbit, in order.
fn values_of(solved: &Pattern, orbit: usize) -> Vec<Value> {
    let part = &solved.orbits[orbit];
    let kinds = part.pieces.iter().zip(&part.orientation_mod);
    let mut values: Vec<Value> =
        kinds.flat_map(|(&label, &modulus)| (0..modulus).map(move |turn| (label, modulus, turn))).collect();
    values.sort_unstable();
    values.dedup();
    values
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::definition::Selection;
    use crate::{builtin, states};
    use search_core::testing::plan_length;

    #[test]
    fn plans_are_as_long_as_solutions() {
        // Lengths by the definition of each puzzle: the scrambles are the shortest ways.
        for (name, moves, text, length) in [
            ("2x2x2", None, "R U F", Some(3)),
            ("3x3x3", Some("U2 R2"), "F2", None),
            ("pyraminx", None, "U R'", Some(2)),
            ("skewb", None, "R U'", Some(2)),
            ("3x3x3", Some("U R2"), "U R2 U2 R2", Some(4)),
        ] {
            let definition = builtin::get(name).unwrap().unwrap();
            let selection =
                Selection { moves: moves.map(crate::definition::split_names), ..Selection::default() };
            let selected = definition.select(&selection).unwrap();
            let start = selected.state(&states::read(text, &definition, None).unwrap()).unwrap();
            let planned = task(&selected.puzzle, &start).map(|task| plan_length(&task));
            assert_eq!(planned.unwrap_or(None), length, "{name} {text}");
        }
    }

    #[test]
    fn puzzles_with_rules_are_refused() {
        let definition = builtin::get("square-1").unwrap().unwrap();
        let puzzle = definition.select(&Selection::default()).unwrap().puzzle;
        assert!(task(&puzzle, puzzle.solved()).unwrap_err().to_string().contains("rules"));
    }
}
