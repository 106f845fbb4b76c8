//! Permutations in the notation of GAP: products of cycles.
//!
//! A definition is a list of named generators, `a := (1,2,3)(4,5);`, one after the other, or a list of generators
//! without names, `Group((1,2),(1,2,3))` or `[ (1,2), (1,2,3) ]`, which are called `a`, `b`, `c` and so on. The cycle
//! `(1,2,3)` carries the piece at 1 to 2, at 2 to 3, and at 3 to 1. There is one orbit without orientations, whose
//! places are numbered from 1.

use crate::definition::{Definition, MOST_FAULTS, Named, Role};
use crate::fault::Faults;
use crate::model::{MOST_PLACES, Orbit, OrbitTransformation, Pattern, Transformation};
use crate::notation::without_comments;

/// The maximum number of generators.
const MOST_GENERATORS: usize = 4_096;

/// Whether a text looks like generators.
pub(super) fn is_gap(text: &str) -> bool {
    let text = without_comments(text);
    let text = text.trim_start();
    text.starts_with(['(', '[']) || text.starts_with("Group(") || text.contains(":=")
}

/// Reads generators.
///
/// # Errors
/// All faults, by the names of the generators.
pub fn parse(text: &str) -> Result<Definition, Faults> {
    let text = without_comments(text).replace('\n', " ");
    let mut generators: Vec<(String, Vec<Vec<usize>>)> = Vec::new();
    let mut faults = Vec::new();
    for statement in text.split(';').map(str::trim).filter(|statement| !statement.is_empty()) {
        match statement.split_once(":=") {
            // A group of generators that were named before adds nothing.
            Some((_, value)) if value.trim_start().starts_with("Group") && !value.contains(['1', '2']) => {}
            Some((name, value)) => add(name.trim(), value, &mut generators, &mut faults),
            None => add("", statement, &mut generators, &mut faults),
        }
        if generators.len() > MOST_GENERATORS || faults.len() > MOST_FAULTS {
            break;
        }
    }
    if generators.is_empty() && faults.is_empty() {
        faults.push("there are no generators".to_owned());
    }
    let places =
        generators.iter().flat_map(|(_, cycles)| cycles.iter().flatten()).max().copied().unwrap_or(0);
    if places > MOST_PLACES {
        faults.push(format!("there are {places} points, above the limit of {MOST_PLACES}"));
    }
    if generators.len() > MOST_GENERATORS {
        faults.push(format!("there are more than {MOST_GENERATORS} generators"));
    }
    if !faults.is_empty() {
        return Err(Faults(faults));
    }
    let orbits = vec![Orbit { name: "POINTS".to_owned(), pieces: places.max(1), orientations: 1 }];
    let mut moves: Vec<Named> = Vec::new();
    for (number, (name, cycles)) in generators.into_iter().enumerate() {
        let name = if name.is_empty() { letters(number) } else { name };
        if moves.iter().any(|other| other.name == name) {
            faults.push(format!("two generators have the name {name}"));
        }
        let mut transformation = Transformation::identity(&orbits);
        let OrbitTransformation { from, .. } = &mut transformation.orbits[0];
        let mut seen = vec![false; places];
        for cycle in &cycles {
            for (&point, &next) in cycle.iter().zip(cycle.iter().cycle().skip(1)) {
                if std::mem::replace(&mut seen[point - 1], true) {
                    faults.push(format!("{name}: point {point} is in two cycles"));
                }
                from[next - 1] = u8::try_from(point - 1).expect("at most 256 points");
            }
        }
        moves.push(Named { name, transformation, role: Role::Counted });
    }
    let solved = Pattern::distinct(&orbits);
    let name = "permutations".to_owned();
    Faults::unless_none(faults, || Definition {
        name,
        orbits,
        moves,
        solved,
        illegal: Vec::new(),
        remarks: Vec::new(),
    })
}

/// `a`, `b`, …, `z`, `aa`, `ab` and so on.
fn letters(number: usize) -> String {
    let last = char::from(b'a' + (number % 26) as u8);
    match number / 26 {
        0 => last.to_string(),
        before => format!("{}{last}", letters(before - 1)),
    }
}

/// Reads the permutations of a statement.
fn add(name: &str, value: &str, generators: &mut Vec<(String, Vec<Vec<usize>>)>, faults: &mut Vec<String>) {
    let listed = value.trim();
    let listed = listed.strip_prefix("Group").map_or(listed, str::trim_start);
    let inner = listed.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    let inner = inner.or_else(|| {
        let whole = listed.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
        whole.filter(|inner| inner.trim_start().starts_with(['(', '[']))
    });
    let inner = inner.map(str::trim);
    // A group may be given a list: `Group([ (1,2), (1,2,3) ])`.
    let inner =
        inner.map(|list| list.strip_prefix('[').and_then(|list| list.strip_suffix(']')).unwrap_or(list));
    let is_list = inner.is_some();
    let mut permutations: Vec<Vec<Vec<usize>>> = vec![Vec::new()];
    let mut rest = inner.unwrap_or(listed);
    loop {
        rest = rest.trim_start();
        if let Some(next) = rest.strip_prefix(',').filter(|_| is_list) {
            permutations.push(Vec::new());
            rest = next;
            if permutations.len() > MOST_GENERATORS {
                faults.push(format!("there are more than {MOST_GENERATORS} generators"));
                return;
            }
        } else if let Some((cycle, next)) = rest.strip_prefix('(').and_then(|rest| rest.split_once(')')) {
            let cycles = permutations.last().map_or(0, Vec::len);
            if cycles >= MOST_PLACES || cycle.bytes().filter(|&byte| byte == b',').count() >= MOST_PLACES {
                let name = if name.is_empty() { "a permutation" } else { name };
                faults.push(format!("{name} has more than {MOST_PLACES} cycles, or points in a cycle"));
                return;
            }
            let words = cycle.split(',').map(str::trim);
            let points: Option<Vec<usize>> = match cycle.trim() {
                "" => Some(Vec::new()),
                _ => words.map(|word| word.parse().ok().filter(|&point| point > 0)).collect(),
            };
            match points {
                Some(points) => permutations.last_mut().expect("never empty").push(points),
                None if faults.len() > MOST_FAULTS => return,
                None => faults.push(format!("({cycle}) is not a cycle of points numbered from 1")),
            }
            rest = next;
        } else if rest.is_empty() {
            break;
        } else {
            let start: String = rest.chars().take(20).collect();
            faults.push(format!("{start:?} is not a cycle such as (1,2,3)"));
            return;
        }
    }
    match (&mut permutations[..], name) {
        ([one], _) if !is_list => generators.push((name.to_owned(), std::mem::take(one))),
        (many, _) => generators.extend(many.iter_mut().map(|one| (String::new(), std::mem::take(one)))),
    }
}

/// Writes the moves as permutations of all points (each place with each orientation), one named generator per line.
///
/// The result has only the group of the puzzle: identical pieces and orientations that do not count are lost.
///
/// # Errors
/// If the puzzle has rules, or more points than a definition of this form may have.
pub fn write(definition: &Definition) -> Result<(String, Vec<String>), Faults> {
    let mut faults = Vec::new();
    let mut remarks = Vec::new();
    if !definition.illegal.is_empty() {
        faults.push("permutations cannot express illegal states".to_owned());
    }
    let points: usize = definition.orbits.iter().map(|orbit| orbit.pieces * orbit.orientations).sum();
    if points > MOST_PLACES {
        faults.push(format!("the puzzle has {points} points, above the limit of {MOST_PLACES}"));
    }
    if definition.solved != Pattern::distinct(&definition.orbits) {
        remarks
            .push("the solved pattern is lost: all pieces become distinct and orientations count".to_owned());
    }
    let mut text = String::new();
    for named in &definition.moves {
        if named.name.contains([';', ':', '=']) {
            faults.push(format!("{:?} cannot be the name of a generator", named.name));
        }
        text += &format!("{} := {};\n", named.name, cycles(definition, &named.transformation));
    }
    Faults::unless_none(faults, || (text, remarks))
}

/// A transformation as a product of cycles of points, numbered from 1.
fn cycles(definition: &Definition, transformation: &Transformation) -> String {
    let mut images = Vec::new();
    for (orbit, part) in definition.orbits.iter().zip(&transformation.orbits) {
        let (first, turns) = (images.len(), orbit.orientations);
        images.resize(first + orbit.pieces * turns, 0);
        for (place, (&from, &turn)) in part.from.iter().zip(&part.turn).enumerate() {
            for orientation in 0..turns {
                let turned = (orientation + usize::from(turn)) % turns;
                images[first + usize::from(from) * turns + orientation] = first + place * turns + turned;
            }
        }
    }
    let (mut text, mut seen) = (String::new(), vec![false; images.len()]);
    for start in 0..images.len() {
        let (mut cycle, mut at) = (Vec::new(), start);
        while !std::mem::replace(&mut seen[at], true) {
            cycle.push((at + 1).to_string());
            at = images[at];
        }
        if cycle.len() > 1 {
            text += &format!("({})", cycle.join(","));
        }
    }
    if text.is_empty() { "()".to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(text: &str) -> Vec<(String, Vec<u8>)> {
        let definition = parse(text).expect("generators");
        definition
            .moves
            .into_iter()
            .map(|named| (named.name, named.transformation.orbits[0].from.clone()))
            .collect()
    }

    #[test]
    fn generators_are_read_in_each_form() {
        let expected = [("a".to_owned(), vec![2, 0, 1, 3]), ("b".to_owned(), vec![1, 0, 3, 2])];
        for text in [
            "a := (1,2,3);\nb := (1,2)(3,4);\nG := Group(a, b);",
            "Group((1,2,3), (1,2)(3,4))",
            "Group([ (1,2,3), (1,2)(3,4) ]);",
            "[ (1, 2, 3), # a comment\n (1,2)(3,4) ]",
            "(1,2,3); (1,2)(3,4)",
        ] {
            assert!(is_gap(text), "{text}");
            assert_eq!(moves(text), expected, "{text}");
        }
        assert_eq!(letters(27), "ab");
    }

    #[test]
    fn faults_are_named() {
        for (text, message) in [
            ("a := (1,2,1);", "a: point 1 is in two cycles"),
            ("a := (1,0);", "(1,0) is not a cycle of points numbered from 1"),
            ("a := (1,2", "\"(1,2\" is not a cycle such as (1,2,3)"),
            ("a := (1,999999999);", "there are 999999999 points, above the limit of 256"),
            ("a := (1,2); a := (2,3)", "two generators have the name a"),
            ("", "there are no generators"),
        ] {
            assert_eq!(parse(text).expect_err("faults").to_string(), message, "{text}");
        }
    }

    #[test]
    fn what_is_written_is_read_again() {
        let definition = parse("a := (1,2,3); b := (1,2)(3,4)").expect("generators");
        let (written, remarks) = write(&definition).expect("few points");
        assert_eq!((written.as_str(), remarks.len()), ("a := (1,2,3);\nb := (1,2)(3,4);\n", 0));
        assert_eq!(parse(&written), Ok(definition));
    }
}
