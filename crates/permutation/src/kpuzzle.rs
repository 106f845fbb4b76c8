//! KPuzzle definitions: the JSON files of cubing.js and twips.
//!
//! An orbit has `numPieces` and `numOrientations`. A move has for each orbit that it changes a `permutation` (the
//! piece at place `permutation[i]` moves to place `i`) and an `orientationDelta` (the change of its orientation).
//! Older files list orbits by name, and use `orientation` for the delta and `startStateData` for the default
//! pattern. Derived moves are skipped, since they are products of the others.

use crate::definition::{Definition, Faults, Move, Orbit};
use serde::Deserialize;
use std::collections::BTreeMap;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct KPuzzle {
    orbits: Orbits,
    #[serde(alias = "startStateData")]
    default_pattern: BTreeMap<String, PatternOrbit>,
    #[serde(default)]
    moves: BTreeMap<String, BTreeMap<String, MoveOrbit>>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Orbits {
    Listed(Vec<ListedOrbit>),
    Named(BTreeMap<String, OrbitSize>),
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ListedOrbit {
    orbit_name: String,
    num_pieces: usize,
    num_orientations: usize,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct OrbitSize {
    num_pieces: usize,
    num_orientations: usize,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct PatternOrbit {
    pieces: Vec<usize>,
    #[serde(default)]
    orientation_mod: Vec<usize>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct MoveOrbit {
    permutation: Vec<usize>,
    #[serde(alias = "orientation")]
    orientation_delta: Vec<usize>,
}

/// The definition in a KPuzzle file.
///
/// # Errors
/// [`Faults`]: a text that is not such a file; indistinguishable pieces, which have no single solved place;
/// orientations that count for only some pieces; moves that do not fit their orbits.
pub fn parse(text: &str) -> Result<Definition, Faults> {
    let file: KPuzzle =
        serde_json::from_str(text).map_err(|error| format!("not a KPuzzle definition: {error}"))?;
    let mut faults = Vec::new();
    let orbits: Vec<Orbit> = match file.orbits {
        Orbits::Listed(listed) => listed
            .into_iter()
            .map(|orbit| {
                (
                    orbit.orbit_name,
                    OrbitSize { num_pieces: orbit.num_pieces, num_orientations: orbit.num_orientations },
                )
            })
            .collect::<Vec<_>>(),
        Orbits::Named(named) => named.into_iter().collect(),
    }
    .into_iter()
    .map(|(name, size)| {
        let pattern = file.default_pattern.get(&name);
        let orientations = orientations(&name, &size, pattern, &mut faults);
        Orbit { name, pieces: size.num_pieces, orientations }
    })
    .collect();
    let known = |name: &String| orbits.iter().any(|orbit| orbit.name == *name);
    for (name, step) in &file.moves {
        faults.extend(
            step.keys()
                .filter(|orbit| !known(orbit))
                .map(|orbit| format!("move {name} names the orbit {orbit}, which does not exist")),
        );
    }
    let mut moves = Vec::new();
    for (name, step) in &file.moves {
        match points(&orbits, step) {
            Ok(from) => moves.push(Move { name: name.clone(), from }),
            Err(fault) => faults.push(format!("move {name}: {fault}")),
        }
    }
    if faults.is_empty() { Ok(Definition { orbits, moves }) } else { Err(Faults(faults)) }
}

/// The number of orientations that count; 1 if the default pattern ignores them.
fn orientations(
    name: &str,
    size: &OrbitSize,
    pattern: Option<&PatternOrbit>,
    faults: &mut Vec<String>,
) -> usize {
    let Some(pattern) = pattern else {
        faults.push(format!("the default pattern lacks the orbit {name}"));
        return 1;
    };
    let mut sorted = pattern.pieces.clone();
    sorted.sort_unstable();
    if sorted.iter().copied().ne(0..size.num_pieces) {
        faults.push(format!("the orbit {name} does not have pieces 0 to {} once each: pieces that look alike are not supported", size.num_pieces.saturating_sub(1)));
    } else if pattern.pieces != sorted {
        faults.push(format!("the default pattern has pieces of {name} in wrong places"));
    }
    match pattern.orientation_mod.as_slice() {
        _ if size.num_orientations == 0 => {
            faults.push(format!("the orbit {name} has no orientation"));
            1
        }
        counts if counts.iter().all(|&count| count == 0 || count == size.num_orientations) => {
            size.num_orientations
        }
        counts if counts.iter().all(|&count| count == 1) => 1,
        _ => {
            faults.push(format!(
                "in the orbit {name} the orientation of some pieces counts and of others does not"
            ));
            1
        }
    }
}

/// The permutation of all points.
fn points(orbits: &[Orbit], step: &BTreeMap<String, MoveOrbit>) -> Result<Vec<usize>, String> {
    let mut from = Vec::new();
    for Orbit { name, pieces, orientations } in orbits {
        let first = from.len();
        let Some(MoveOrbit { permutation, orientation_delta }) = step.get(name) else {
            from.extend(first..first + pieces * orientations);
            continue;
        };
        if permutation.len() != *pieces || orientation_delta.len() != *pieces {
            return Err(format!(
                "{name} has {pieces} pieces, not {}",
                permutation.len().min(orientation_delta.len())
            ));
        }
        for (&place, &delta) in permutation.iter().zip(orientation_delta) {
            if place >= *pieces {
                return Err(format!("{name} has no place {place}"));
            }
            let delta = delta % orientations;
            from.extend(
                (0..*orientations)
                    .map(|at| first + place * orientations + (at + orientations - delta) % orientations),
            );
        }
    }
    Ok(from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use search_core::Run;

    /// Two corners with three orientations: one move swaps and twists them, the other twists both.
    const TWO_CORNERS: &str = r#"{"name": "two",
        "orbits": [{"orbitName": "CORNERS", "numPieces": 2, "numOrientations": 3}],
        "defaultPattern": {"CORNERS": {"pieces": [0, 1], "orientation": [0, 0]}},
        "moves": {"S": {"CORNERS": {"permutation": [1, 0], "orientationDelta": [0, 0]}},
                  "T": {"CORNERS": {"permutation": [0, 1], "orientationDelta": [1, 2]}}}}"#;

    #[test]
    fn a_definition_is_a_puzzle() {
        let puzzle = parse(TWO_CORNERS).expect("a definition").with_powers().puzzle().expect("a puzzle");
        let names: Vec<&str> = puzzle.move_names().collect();
        assert_eq!(names, ["S", "T", "T'"]);
        // S and T generate the six symmetries of a triangle.
        assert_eq!(puzzle.counts(None, &Run::new()).expect("it fits"), [1, 3, 2]);
    }

    #[test]
    fn older_files_are_read() {
        let older = TWO_CORNERS
            .replace(
                r#"[{"orbitName": "CORNERS", "numPieces": 2, "numOrientations": 3}]"#,
                r#"{"CORNERS": {"numPieces": 2, "numOrientations": 3}}"#,
            )
            .replace("defaultPattern", "startStateData")
            .replace("orientationDelta", "orientation");
        assert_eq!(parse(&older), parse(TWO_CORNERS));
    }

    #[test]
    fn faults_are_named() {
        let faults = |text: &str| parse(text).expect_err("faults").0.join("\n");
        assert!(faults("{}").contains("not a KPuzzle"));
        let bad = TWO_CORNERS.replace(r#""pieces": [0, 1]"#, r#""pieces": [0, 0]"#).replace("[1, 2]", "[1]");
        assert!(
            faults(&bad).contains("look alike")
                && faults(&bad).contains("move T: CORNERS has 2 pieces, not 1")
        );
        let ignored = TWO_CORNERS.replace(r#""orientation": [0, 0]"#, r#""orientationMod": [1, 1]"#);
        assert_eq!(parse(&ignored).expect("a definition").points(), 2);
    }
}
