//! The files of the competition Santa 2023 on Kaggle.
//!
//! `puzzle_info.csv` has a row for each type of puzzle: its name, and its moves as a Python dictionary of permutations. A
//! move `f0: [1, 2, 0]` puts at place 0 what is at place 1, and so on; `-f0` is its inverse. Each move and each inverse
//! counts as one move, and no other power does. `puzzles.csv` has a row for each puzzle: its number and type, the solution
//! state and the initial state as labels, such as `A;B;B` or `N0;N1;N2`, and the number of places at which a solution may
//! differ from the solution state.
//!
//! A definition is one row of either file. Puzzles with wildcards are refused.

use csv::{ReaderBuilder, StringRecord};

use super::MOST_BYTES;
use crate::definition::{Definition, Named, Role, fault_of_size};
use crate::fault::Faults;
use crate::model::{MOST_PLACES, Orbit, OrbitPattern, Pattern};

const INFO: [&str; 2] = ["puzzle_type", "allowed_moves"];
const PUZZLES: [&str; 5] = ["id", "puzzle_type", "solution_state", "initial_state", "num_wildcards"];
/// The number of rows that a message lists.
const MOST_LISTED: usize = 12;

/// Whether a text is a file of types of puzzles.
pub fn is_info(text: &str) -> bool {
    has_header(text, &INFO)
}

/// Whether a text is a file of puzzles.
pub fn is_puzzles(text: &str) -> bool {
    has_header(text, &PUZZLES)
}

fn has_header(text: &str, header: &[&str]) -> bool {
    let first = text.trim_start_matches('\u{feff}').split(['\n', '\r']).next().unwrap_or_default();
    first.split(',').map(str::trim).eq(header.iter().copied())
}

/// Reads the type of puzzle with this name; without one, the only type.
///
/// # Errors
/// All faults; the names of the types if none is chosen.
pub fn parse_info(text: &str, name: Option<&str>) -> Result<Definition, Faults> {
    let row = row(text, name)?;
    let generators = moves(&row[1]).map_err(|fault| Faults::from(format!("{}: {fault}", &row[0])))?;
    let mut definition = Definition::from_generators(&generators)?;
    "STICKERS".clone_into(&mut definition.orbits[0].name);
    row[0].clone_into(&mut definition.name);
    let inverses = definition.moves.clone().into_iter().map(|named| {
        let transformation = named.transformation.inverse();
        // A move that is its own inverse has a second name, but is one move.
        let role = if transformation == named.transformation { Role::Derived } else { Role::Single };
        Named { name: format!("-{}", named.name), transformation, role }
    });
    let inverses: Vec<Named> = inverses.collect();
    definition.moves.iter_mut().for_each(|named| named.role = Role::Single);
    definition.moves.extend(inverses);
    Ok(definition)
}

/// Reads the puzzle with this number; without one, the only puzzle. `info` is the file of the types of puzzles.
///
/// # Errors
/// All faults; wildcards.
pub fn parse_puzzle(text: &str, id: Option<&str>, info: &str) -> Result<Definition, Faults> {
    let row = row(text, id)?;
    if row[4].trim() != "0" {
        return Err(format!(
            "puzzle {} has num_wildcards {}: its solution may leave that many pieces wrong, and a search for the best \
             of all choices is not supported; write 0 there for a solution without wrong pieces, or read the type {} \
             of puzzle_info.csv and choose the pieces that may be wrong with --ignore",
            &row[0], &row[4], &row[1]
        )
        .into());
    }
    let mut definition = parse_info(info, Some(&row[1]))?;
    definition.solved = labels(&row[2], &definition.orbits[0])
        .map_err(|fault| Faults::from(format!("the solution state of puzzle {}: {fault}", &row[0])))?;
    definition.name = format!("{} {}", &row[1], &row[0]);
    Ok(definition)
}

/// Whether a text is a state of labels.
pub(crate) fn is_state(text: &str) -> bool {
    text.contains(';') && text.split(';').all(|word| label(word).is_some())
}

/// Reads a state of labels.
///
/// # Errors
/// Definitions of several orbits or with orientations; another number of labels; labels that are neither letters nor
/// numbers with the letter N.
pub(crate) fn parse_state(text: &str, definition: &Definition) -> Result<Pattern, Faults> {
    match &definition.orbits[..] {
        [orbit] if orbit.orientations == 1 => Ok(labels(text, orbit)?),
        _ => Err("labels describe a puzzle with one orbit and no orientations; write moves or a pattern"
            .to_owned()
            .into()),
    }
}

fn labels(text: &str, orbit: &Orbit) -> Result<Pattern, String> {
    let count = text.split(';').count();
    if count != orbit.pieces {
        return Err(format!("{count} labels are given for {} places", orbit.pieces));
    }
    let mut pieces = Vec::with_capacity(count);
    let mut numbered = None;
    for word in text.split(';') {
        let Some((is_number, label)) = label(word) else {
            let word: String = word.chars().take(20).collect();
            return Err(format!("{word:?} is no label: labels are A to Z, or N0 to N255"));
        };
        if *numbered.get_or_insert(is_number) != is_number {
            return Err("the labels are letters and numbers".to_owned());
        }
        pieces.push(label);
    }
    Ok(Pattern { orbits: vec![OrbitPattern { pieces, ..OrbitPattern::distinct(orbit) }] })
}

/// A label as a number, and whether it is written as one.
fn label(word: &str) -> Option<(bool, u8)> {
    let word = word.trim();
    match word.strip_prefix('N').filter(|number| !number.is_empty()) {
        Some(number) if number.bytes().all(|byte| byte.is_ascii_digit()) => {
            Some((true, number.parse().ok()?))
        }
        _ => match word.as_bytes() {
            [letter @ b'A'..=b'Z'] => Some((false, letter - b'A')),
            _ => None,
        },
    }
}

/// The row whose first field is this; without it, the only row.
fn row(text: &str, first: Option<&str>) -> Result<StringRecord, Faults> {
    if text.len() > MOST_BYTES {
        return Err(format!("the file has {} bytes, above the limit of {MOST_BYTES}", text.len()).into());
    }
    let mut reader = ReaderBuilder::new().from_reader(text.trim_start_matches('\u{feff}').as_bytes());
    let (mut record, mut names, mut count) = (StringRecord::new(), Vec::new(), 0);
    let refused = |error: csv::Error| Faults::from(format!("not a file of Santa 2023: {error}"));
    while reader.read_record(&mut record).map_err(refused)? {
        if Some(record[0].trim()) == first {
            return Ok(record);
        }
        count += 1;
        if names.len() < MOST_LISTED {
            names.push(record[0].chars().take(40).collect::<String>());
        }
    }
    match first {
        None if count == 1 => row(text, Some(names[0].trim())),
        _ => {
            let more = if count > names.len() { ", …" } else { "" };
            let names = names.join(", ");
            let problem = match first {
                None => "name one of them after a colon".to_owned(),
                Some(first) => format!("none of them is {first}"),
            };
            Err(format!("the file has {count} rows, {names}{more}: {problem}").into())
        }
    }
}

/// Reads a Python dictionary of lists of numbers.
fn moves(text: &str) -> Result<Vec<(String, Vec<usize>)>, String> {
    let mut rest = Dictionary { rest: text.trim() };
    let mut moves: Vec<(String, Vec<usize>)> = Vec::new();
    rest.expect('{')?;
    while !rest.accept('}') {
        let name = rest.name()?;
        rest.expect(':')?;
        let (from, count) = rest.list()?;
        if count > MOST_PLACES {
            return Err(format!("it has {count} places, above the limit of {MOST_PLACES}"));
        }
        if moves.iter().any(|(other, _)| *other == name) {
            return Err(format!("two moves have the name {name}"));
        }
        moves.push((name, from));
        let orbit = Orbit { name: String::new(), pieces: count.max(1), orientations: 1 };
        if let Some(fault) = fault_of_size(&[orbit], 2 * moves.len()) {
            return Err(fault);
        }
        if !rest.accept(',') && !rest.rest.starts_with('}') {
            return Err(rest.fault("a comma or }"));
        }
    }
    if rest.rest.is_empty() { Ok(moves) } else { Err(rest.fault("the end of the moves")) }
}

/// The unread rest of a dictionary.
struct Dictionary<'a> {
    rest: &'a str,
}

impl<'a> Dictionary<'a> {
    fn fault(&self, expected: &str) -> String {
        let found: String = self.rest.chars().take(20).collect();
        format!("the moves are no dictionary of lists of numbers: {expected} is missing before {found:?}")
    }

    fn accept(&mut self, mark: char) -> bool {
        let stripped = self.rest.trim_start().strip_prefix(mark);
        self.rest = stripped.unwrap_or(self.rest).trim_start();
        stripped.is_some()
    }

    fn expect(&mut self, mark: char) -> Result<(), String> {
        if self.accept(mark) { Ok(()) } else { Err(self.fault(&mark.to_string())) }
    }

    /// A name in quotes of either kind.
    fn name(&mut self) -> Result<String, String> {
        let quote = if self.accept('\'') { '\'' } else { '"' };
        if quote == '"' {
            self.expect('"')?;
        }
        let Some((name, rest)) = self.rest.split_once(quote) else { return Err(self.fault("a quote")) };
        let is_name =
            |name: &str| name.chars().count() <= 20 && name.chars().all(|c| c.is_alphanumeric() || c == '_');
        if name.is_empty() || !is_name(name) {
            return Err(self.fault("a name of letters and digits"));
        }
        self.rest = rest;
        Ok(name.to_owned())
    }

    /// The first numbers of a list, as many as places are allowed, and the number of all.
    fn list(&mut self) -> Result<(Vec<usize>, usize), String> {
        self.expect('[')?;
        let Some((list, rest)) = self.rest.split_once(']') else { return Err(self.fault("]")) };
        let (mut numbers, mut count) = (Vec::new(), 0);
        for word in list.split(',').map(str::trim).filter(|word| !word.is_empty()) {
            let number = word.parse().map_err(|_| self.fault("a number"))?;
            count += 1;
            if numbers.len() < MOST_PLACES {
                numbers.push(number);
            }
        }
        self.rest = rest;
        Ok((numbers, count))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::definition::Selection;
    use std::time::Instant;

    const TYPES: &str = "puzzle_type,allowed_moves\n\
        ring_4,\"{'r0': [1, 2, 3, 0], 's0': [1, 0, 2, 3]}\"\n\
        pair,\"{\"\"a\"\": [1, 0],}\"\n";
    const ROWS: &str = "id,puzzle_type,solution_state,initial_state,num_wildcards\n\
        0,ring_4,A;B;A;B,B;A;A;B,0\n1,ring_4,N0;N1;N2;N3,N3;N0;N1;N2,0\n2,pair,A;B,B;A,2\n";

    #[test]
    fn each_move_and_each_inverse_counts_as_one() {
        let definition = parse_info(TYPES, Some("ring_4")).expect("a definition");
        let puzzle = definition.select(&Selection::default()).expect("a puzzle").puzzle;
        let names: Vec<&str> = puzzle.moves().iter().map(|step| step.name.as_str()).collect();
        assert_eq!(names, ["r0", "s0", "-r0"]);
        let state = |text: &str| {
            crate::states::read(text, &definition, None).expect("a state").orbits[0].pieces.clone()
        };
        assert_eq!(state("r0"), [1, 2, 3, 0]);
        assert_eq!(state("r0.-s0.-r0"), state("r0 s0 r0'"));
        assert_eq!(state("N1;N2;N3;N0"), state("r0"));
    }

    #[test]
    fn a_puzzle_has_its_labels_and_its_solution_state() {
        let alike = parse_puzzle(ROWS, Some("0"), TYPES).expect("a definition");
        assert_eq!(alike.solved.orbits[0].pieces, [0, 1, 0, 1]);
        let state = crate::states::read("B;A;A;B", &alike, None).expect("a state");
        assert_eq!(state.orbits[0].pieces, [1, 0, 0, 1]);
        let distinct = parse_puzzle(ROWS, Some("1"), TYPES).expect("a definition");
        assert_eq!(distinct.name, "ring_4 1");
        let faults = |text: &str| crate::states::read(text, &alike, None).expect_err("faults").to_string();
        assert!(faults("A;A;A;B").contains("occurs 3 times instead of 2"));
        assert!(faults("A;B").contains("2 labels are given for 4 places"));
        assert!(faults("A;N1;A;B").contains("letters and numbers"));
    }

    #[test]
    fn faults_are_named() {
        let puzzle = |id| parse_puzzle(ROWS, id, TYPES).expect_err("faults").to_string();
        let wildcards = puzzle(Some("2"));
        assert!(wildcards.contains("num_wildcards 2") && wildcards.contains("type pair"), "{wildcards}");
        assert!(puzzle(Some("7")).contains("none of them is 7"));
        assert!(puzzle(None).contains("3 rows, 0, 1, 2: name one of them"));
        let begun = Instant::now();
        let info = |moves: &str| {
            let text = format!("puzzle_type,allowed_moves\nx,\"{}\"\n", moves.replace('"', "\"\""));
            parse_info(&text, None).expect_err("faults").to_string()
        };
        for (moves, message) in [
            ("{'a': [1, 1]}".to_owned(), "names 1 twice"),
            ("{'a': [1, 0], 'a': [1, 0]}".to_owned(), "two moves have the name a"),
            ("{'a': [1, 0], 'b': [0]}".to_owned(), "permutes 1 of 2 places"),
            ("{'a': [1, x]}".to_owned(), "a number is missing"),
            ("{'a' [1, 0]}".to_owned(), ": is missing"),
            ("{'a': [1, 0]".to_owned(), "a comma or } is missing"),
            ("{'-a': [1, 0]}".to_owned(), "a name of letters and digits is missing"),
            (format!("{{'a': [{}]}}", "1,".repeat(1 << 20)), "it has 1048576 places, above the limit of 256"),
            ("{".repeat(1 << 20), "is missing"),
            (
                format!("{{{}}}", (0..300_000).map(|n| format!("'m{n}':[0],")).collect::<String>()),
                "above the limit",
            ),
        ] {
            let faults = info(&moves);
            assert!(faults.contains(message), "{message}: {faults}");
        }
        assert!(begun.elapsed().as_secs() < 60);
        assert!(parse_info("puzzle_type,allowed_moves\nx\n", None).is_err());
    }
}
