//! States as people write them: moves from the solved state, patterns, permutations, labels.
//!
//! The form is detected, and refused if a text can be read in two of them. Whatever the form, the state has the pieces
//! of the solved pattern, each in an orientation that counts as there, and breaks no rule.

use std::str::FromStr;

use crate::definition::Definition;
use crate::fault::Faults;
use crate::formats::{kpuzzle, santa, tws};
use crate::model::{OrbitPattern, Pattern};
use crate::notation::without_comments;

/// A form of states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Form {
    /// Moves from the solved state
    Moves,
    /// The JSON of a KPuzzle pattern
    Pattern,
    /// The text of a .scr file of twsearch
    Scr,
    /// The piece at each place, numbered from 0 or from 1, of a puzzle with one orbit
    Permutation,
    /// The label of the piece at each place, as in the competition Santa 2023: A;B;B or N0;N1;N2
    Labels,
}

impl Form {
    /// All forms.
    pub const ALL: [Form; 5] = [Form::Moves, Form::Pattern, Form::Scr, Form::Permutation, Form::Labels];

    /// The name of the form.
    pub fn name(self) -> &'static str {
        match self {
            Form::Moves => "moves",
            Form::Pattern => "pattern",
            Form::Scr => "scr",
            Form::Permutation => "permutation",
            Form::Labels => "labels",
        }
    }
}

impl FromStr for Form {
    type Err = Faults;

    fn from_str(name: &str) -> Result<Form, Faults> {
        let found = Form::ALL.into_iter().find(|form| form.name() == name);
        found.ok_or_else(|| {
            format!("{name:?} is no form of states: {}", Form::ALL.map(Form::name).join(", ")).into()
        })
    }
}

/// Reads a state of a puzzle, in the given form or in the one that is detected.
///
/// # Errors
/// All faults: tokens that cannot be read, missing and additional pieces, blocked moves.
pub fn read(text: &str, definition: &Definition, form: Option<Form>) -> Result<Pattern, Faults> {
    let form = match form {
        Some(form) => form,
        None => detect(text, definition)?,
    };
    match form {
        Form::Moves => definition.perform(&definition.solved, &definition.algorithm(text)?),
        Form::Pattern => {
            checked(kpuzzle::parse_pattern(text, &definition.orbits, &definition.solved)?, definition)
        }
        Form::Scr => checked(tws::parse_state(text, definition)?, definition),
        Form::Permutation => checked(permutation(text, definition)?, definition),
        Form::Labels => checked(santa::parse_state(text, definition)?, definition),
    }
}

fn detect(text: &str, definition: &Definition) -> Result<Form, Faults> {
    if text.trim_start_matches('\u{feff}').trim_start().starts_with('{') {
        return Ok(Form::Pattern);
    }
    if tws::is_state(text) {
        return Ok(Form::Scr);
    }
    if santa::is_state(text) {
        return Ok(Form::Labels);
    }
    let numbers = !words(text).is_empty() && words(text).iter().all(|word| word.parse::<u32>().is_ok());
    match (numbers, numbers && definition.algorithm(text).is_ok()) {
        (false, _) => Ok(Form::Moves),
        (true, false) => Ok(Form::Permutation),
        (true, true) => Err(
            "this can be read as moves or as a permutation; choose with --from moves or --from permutation"
                .to_owned()
                .into(),
        ),
    }
}

/// The words of a list, in brackets or not.
fn words(text: &str) -> Vec<String> {
    let text = without_comments(text).replace('\n', " ");
    let text = text.trim().trim_start_matches('[').trim_end_matches(']').to_owned();
    text.split([' ', '\t', ',', ';']).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// The piece at each place.
fn permutation(text: &str, definition: &Definition) -> Result<Pattern, Faults> {
    let [orbit] = &definition.orbits[..] else {
        return Err(format!(
            "a permutation describes one orbit, but {} has {}; write moves or a pattern",
            definition.name,
            definition.orbits.len()
        )
        .into());
    };
    if orbit.orientations > 1 {
        return Err("a permutation has no orientations; write moves or a pattern".to_owned().into());
    }
    let numbers: Option<Vec<usize>> = words(text).iter().map(|word| word.parse().ok()).collect();
    let Some(numbers) = numbers else {
        return Err("not a list of numbers, one for each place".to_owned().into());
    };
    if numbers.len() != orbit.pieces {
        return Err(format!("{} numbers are given for {} places", numbers.len(), orbit.pieces).into());
    }
    let solved = &definition.solved.orbits[0];
    let first = usize::from(solved.pieces.iter().copied().min().unwrap_or(0));
    let least = numbers.iter().copied().min().unwrap_or(0);
    let shift = usize::from(least > first);
    let labels: Option<Vec<u8>> = (numbers.iter())
        .map(|&number| number.checked_sub(shift).and_then(|label| u8::try_from(label).ok()))
        .collect();
    let Some(pieces) = labels else {
        return Err("a piece is above 256".to_owned().into());
    };
    Ok(Pattern { orbits: vec![OrbitPattern { pieces, ..solved.clone() }] })
}

/// The pattern with the moduli that its pieces have in the solved pattern.
///
/// # Errors
/// Missing and additional pieces, and broken rules.
fn checked(mut pattern: Pattern, definition: &Definition) -> Result<Pattern, Faults> {
    let mut faults = Vec::new();
    for ((part, solved), orbit) in
        pattern.orbits.iter_mut().zip(&definition.solved.orbits).zip(&definition.orbits)
    {
        let (mut wanted, mut given) = ([0_i32; 256], [0_i32; 256]);
        solved.pieces.iter().for_each(|&label| wanted[usize::from(label)] += 1);
        part.pieces.iter().for_each(|&label| given[usize::from(label)] += 1);
        for label in (0..256).filter(|&label| wanted[label] != given[label]) {
            let (wanted, given) = (wanted[label], given[label]);
            faults.push(format!("piece {label} of {} occurs {given} times instead of {wanted}", orbit.name));
        }
        // Pieces that look alike may differ in whether their orientation counts; then the pattern tells them apart.
        for place in 0..part.pieces.len() {
            let alike = (0..solved.pieces.len()).filter(|&home| solved.pieces[home] == part.pieces[place]);
            let mut moduli: Vec<u8> = alike.map(|home| solved.orientation_mod[home]).collect();
            moduli.dedup();
            if let [modulus] = moduli[..] {
                part.orientation_mod[place] = modulus;
                part.orientation[place] %= modulus;
            }
        }
    }
    if faults.is_empty() && !definition.is_legal(&pattern) {
        faults.push("the state breaks a rule of the puzzle".to_owned());
    }
    Faults::unless_none(faults, || pattern)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::gap;

    fn definition() -> Definition {
        gap::parse("a := (1,2,3); b := (1,2)(3,4)").expect("generators")
    }

    #[test]
    fn each_form_of_a_state_is_read() {
        let definition = definition();
        let by_moves = read("a b", &definition, None).expect("moves");
        assert_eq!(by_moves.orbits[0].pieces, [0, 2, 3, 1]);
        for text in [
            "0 2 3 1",
            "1 3 4 2",
            "[1,3,4,2]",
            r#"{"POINTS": {"pieces": [0, 2, 3, 1], "orientation": [0, 0, 0, 0]}}"#,
            "Scramble x\nPOINTS\n1 3 4 2\nEnd",
            "ScrambleAlg x\na b\nEnd",
        ] {
            assert_eq!(read(text, &definition, None), Ok(by_moves.clone()), "{text}");
        }
        let written = kpuzzle::write_pattern(&definition.orbits, &by_moves);
        assert_eq!(read(&written, &definition, None), Ok(by_moves));
    }

    #[test]
    fn a_list_that_may_be_moves_is_refused() {
        let mut definition = definition();
        for (number, named) in (1..).zip(&mut definition.moves) {
            named.name = format!("{number}");
        }
        let faults = read("1 2 1 2", &definition, None).expect_err("two readings").to_string();
        assert!(faults.contains("--from moves or --from permutation"), "{faults}");
        assert!(read("1 2 1 2", &definition, Some(Form::Moves)).is_ok());
        let missing = read("1 2 1 2", &definition, Some(Form::Permutation)).expect_err("pieces are missing");
        assert_eq!(missing.0.len(), 4);
    }

    #[test]
    fn pieces_of_a_state_are_those_of_the_puzzle() {
        let definition = definition();
        let faults = |text: &str| read(text, &definition, None).expect_err("faults").to_string();
        assert!(faults("1 1 2 3").contains("piece 0 of POINTS occurs 2 times instead of 1"));
        assert!(faults("1 2 3").contains("3 numbers are given for 4 places"));
        assert!(faults(r#"{"EDGES": {}}"#).contains("names the orbit EDGES"));
        assert!(faults("a q").contains("column 3: \"q\" is not a move"));
    }
}
