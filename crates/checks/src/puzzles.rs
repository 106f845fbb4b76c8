//! Definitions of permutation puzzles, algorithms and states.
//!
//! Each reader must return within bounded time, whatever the text, and its errors must be printable. What it accepts,
//! it must read again from every form that can express it. An algorithm must have the effect of its moves one by one.

use crate::input::Input;
use puzzle::definition::{Metric, Selection, split_names};
use puzzle::formats::{self, Form, santa};
use puzzle::{Definition, Transformation, builtin, states};
use std::collections::BTreeMap;

/// The built-in puzzles whose notation is checked.
const BUILT_IN: [&str; 6] = ["2x2x2", "3x3x3", "square-1", "lights-out-3x3", "m12", "topspin-8-4"];

/// The types of puzzles that rows of Santa 2023 name.
const TYPES: &str = "puzzle_type,allowed_moves\nring_4,\"{'r0': [1, 2, 3, 0], 's0': [1, 0, 2, 3]}\"\n";

/// Checks a text; the first byte selects what it is.
///
/// # Panics
/// When a promise is broken.
pub fn check(data: &[u8]) {
    let mut input = Input(data);
    let kind = input.below(4);
    let which = input.below(BUILT_IN.len());
    let Some(text) = input.text() else { return };
    let built_in = || builtin::get(BUILT_IN[which]).expect("a built-in puzzle").expect("in range");
    match kind {
        0 => algorithm(text, &built_in()),
        1 => state(text, &built_in()),
        2 => selection(text, &built_in()),
        _ => definition(text),
    }
}

/// The moves of a definition by name.
fn moves(definition: &Definition) -> BTreeMap<&str, &Transformation> {
    definition.moves.iter().map(|named| (named.name.as_str(), &named.transformation)).collect()
}

fn definition(text: &str) {
    let read = match santa::is_puzzles(text) {
        true => santa::parse_puzzle(text, None, TYPES),
        false => formats::read(text),
    };
    let definition = match read {
        Ok(definition) => definition,
        Err(faults) => {
            return assert!(!faults.0.is_empty() && faults.0.iter().all(|fault| !fault.is_empty()));
        }
    };
    for form in [Form::KPuzzle, Form::Tws] {
        let Ok((written, remarks)) = formats::write(&definition, form) else { continue };
        let again = formats::read(&written).unwrap_or_else(|faults| panic!("{faults}\n{written}"));
        assert_eq!((&again.orbits, &again.solved), (&definition.orbits, &definition.solved), "{written}");
        if remarks.is_empty() {
            assert_eq!(moves(&again), moves(&definition), "{written}");
            assert_eq!(again.illegal, definition.illegal, "{written}");
        }
    }
    if let Ok(selected) = definition.select(&Selection::default()) {
        let solved = selected.state(&definition.solved).expect("the frame is at home");
        assert_eq!(&solved, selected.puzzle.solved());
    }
}

fn algorithm(text: &str, definition: &Definition) {
    let algorithm = match definition.algorithm(text) {
        Ok(algorithm) => algorithm,
        Err(faults) => return assert!(!faults.to_string().is_empty()),
    };
    let effect = definition.effect(&algorithm);
    let mut steps = Transformation::identity(&definition.orbits);
    for step in algorithm.steps() {
        steps = steps.then(&definition.effect_of_step(step));
    }
    assert_eq!(effect, steps, "{text:?}");
}

fn state(text: &str, definition: &Definition) {
    match states::read(text, definition, None) {
        Ok(state) => {
            assert!(state.faults(&definition.orbits).is_empty() && definition.is_legal(&state));
            let written = formats::kpuzzle::write_pattern(&definition.orbits, &state);
            assert_eq!(states::read(&written, definition, None), Ok(state), "{written}");
        }
        Err(faults) => assert!(!faults.to_string().is_empty()),
    }
}

/// A list of moves that count.
fn selection(text: &str, definition: &Definition) {
    let chosen =
        Selection { moves: Some(split_names(text)), metric: Metric::Inverses, ..Selection::default() };
    let free = Selection { free: split_names(text), ..Selection::default() };
    for selection in [chosen, free] {
        match definition.select(&selection) {
            Ok(selected) => assert!(!selected.puzzle.moves().is_empty()),
            Err(faults) => assert!(!faults.to_string().is_empty()),
        }
    }
}
