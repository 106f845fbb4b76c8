//! Definitions in the format of twsearch.

use super::is_rotation;
use crate::definition::{Definition, Named, Role};
use crate::fault::Faults;

/// Writes a definition, and remarks on what the format cannot express.
///
/// # Errors
/// Names with spaces, orientations of which only a part counts, names that would be read otherwise and cannot be changed.
pub fn write(definition: &Definition) -> Result<(String, Vec<String>), Faults> {
    let Definition { name, orbits, solved, .. } = definition;
    let mut faults = Vec::new();
    let word =
        |text: &str| text.chars().all(|c| !c.is_whitespace()) && !text.is_empty() && !text.starts_with('#');
    let mut remarks = Vec::new();
    let name: String = name.split_whitespace().collect::<Vec<_>>().join("_");
    let mut text = format!("Name {}\n\n", if name.is_empty() { "puzzle" } else { &name });
    for orbit in orbits {
        if !word(&orbit.name) || orbit.name.starts_with(|c: char| c.is_ascii_digit() || c == '?') {
            faults.push(format!("{:?} cannot be the name of a Set", orbit.name));
        }
        text += &format!("Set {} {} {}\n", orbit.name, orbit.pieces, orbit.orientations);
    }
    text += "\nSolved\n";
    for (orbit, part) in orbits.iter().zip(&solved.orbits) {
        let counts = part.orientation_mod.iter().zip(&part.orientation);
        let row = counts.map(|(&modulus, &turn)| match usize::from(modulus) {
            full if full == orbit.orientations => Some(turn.to_string()),
            1 => Some("?".to_owned()),
            _ => None,
        });
        match row.collect::<Option<Vec<String>>>() {
            None => faults.push(format!("only a part of the orientations of {} counts", orbit.name)),
            Some(turns) => text += &rows(&orbit.name, part.pieces.iter().copied(), &turns),
        }
    }
    text += "End\n";
    for named in &definition.moves {
        if named.role == Role::Derived {
            remarks.push(format!("the derived move {} is left out", named.name));
            continue;
        }
        let name = name_of(named, definition).filter(|name| word(name));
        let Some(name) = name else {
            faults.push(format!("twsearch would read the name {:?} otherwise", named.name));
            continue;
        };
        if name != named.name {
            remarks.push(format!(
                "twsearch would read the name {} otherwise: the move is named {name}",
                named.name
            ));
        }
        text += &format!("\nMove {name}\n");
        for (orbit, part) in orbits.iter().zip(&named.transformation.orbits) {
            if !part.is_identity() {
                let mut turns = vec![String::new(); part.from.len()];
                for (&from, &turn) in part.from.iter().zip(&part.turn) {
                    turns[usize::from(from)] = turn.to_string();
                }
                text += &rows(&orbit.name, part.from.iter().copied(), &turns);
            }
        }
        text += "End\n";
    }
    for rule in &definition.illegal {
        text += &format!(
            "\nIllegal {} {} {}\n",
            orbits[rule.orbit].name,
            rule.place + 1,
            usize::from(rule.piece) + 1
        );
    }
    Faults::unless_none(faults, || (text, remarks))
}

/// The name of a move, changed where twsearch would read it as that of a rotation, or a rotation's as that of a move;
/// `None` if the changed name belongs to another move, or would still be read otherwise.
fn name_of(named: &Named, definition: &Definition) -> Option<String> {
    let is_free = named.role == Role::Rotation;
    if is_free == is_rotation(&named.name) {
        return Some(named.name.clone());
    }
    let changed = format!("{}{}", named.name, if is_free { "v" } else { "_" });
    let is_taken = definition.moves.iter().any(|other| other.name == changed);
    (is_free == is_rotation(&changed) && !is_taken).then_some(changed)
}

/// The name of an orbit and its rows, numbered from 1.
fn rows(name: &str, pieces: impl Iterator<Item = u8>, turns: &[String]) -> String {
    let pieces: Vec<String> = pieces.map(|piece| (usize::from(piece) + 1).to_string()).collect();
    format!("{name}\n{}\n{}\n", pieces.join(" "), turns.join(" "))
}
