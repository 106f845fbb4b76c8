//! KPuzzle definitions and patterns: the JSON of cubing.js and twips.
//!
//! An orbit has `numPieces` and `numOrientations`. A move has for each orbit that it changes a `permutation` (the
//! piece at place `permutation[i]` moves to place `i`) and an `orientationDelta` (added to the orientation of the
//! piece that arrives at place `i`; it may be negative). `derivedMoves` are algorithms of other moves. Older files
//! list orbits by name, and use `orientation` for the delta and `startStateData` for the default pattern.
//!
//! Everything in the file is read, or refused by name, or named in a remark when it is ignored. The format does not
//! mark the moves that are rotations.

use super::json::Json;
use crate::definition::derived::{self, Derived};
use crate::definition::{Definition, MOST_FAULTS, Named, Role, fault_of_size};
use crate::fault::Faults;
use crate::model::{Orbit, OrbitPattern, OrbitTransformation, Pattern, Transformation};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// Reads a definition.
///
/// # Errors
/// All faults, by the names of orbits and moves.
pub fn parse(text: &str) -> Result<Definition, Faults> {
    let file = object(text, "a KPuzzle definition")?;
    let mut reader = Reader::default();
    let orbits = reader.orbits(&file);
    let count = |field: &str| file.get(field).and_then(Json::as_object).map_or(0, BTreeMap::len);
    reader.faults.extend(fault_of_size(&orbits, count("moves") + count("derivedMoves")));
    if !reader.faults.is_empty() {
        return Err(Faults(reader.faults));
    }
    let name = file.get("name").and_then(Json::as_str).unwrap_or("puzzle").to_owned();
    let solved = match file.get("defaultPattern").or_else(|| file.get("startStateData")) {
        Some(pattern) => reader.pattern(pattern, &orbits, "the default pattern"),
        None => {
            reader
                .remarks
                .push("the file has no defaultPattern; all pieces are taken as distinct".to_owned());
            None
        }
    };
    let solved = solved.unwrap_or_else(|| Pattern::distinct(&orbits));
    let mut moves = reader.moves(&file, &orbits);
    if reader.faults.is_empty() {
        reader.derived(&file, &orbits, &mut moves);
    }
    const READ: [&str; 6] = ["name", "orbits", "defaultPattern", "startStateData", "moves", "derivedMoves"];
    let keys = file.as_object().into_iter().flat_map(BTreeMap::keys);
    for key in keys.filter(|key| !READ.contains(&&***key) && ***key != *"$schema") {
        reader.remarks.push(format!("the field {key} is ignored"));
    }
    let Reader { faults, remarks } = reader;
    Faults::unless_none(faults, || Definition { name, orbits, moves, solved, illegal: Vec::new(), remarks })
}

/// Reads a pattern of `orbits`. An orbit that is not named is as in `solved`.
///
/// # Errors
/// All faults, by the names of orbits.
pub fn parse_pattern(text: &str, orbits: &[Orbit], solved: &Pattern) -> Result<Pattern, Faults> {
    let file = object(text, "a pattern")?;
    let mut reader = Reader::default();
    // A pattern may be wrapped together with its name.
    let data = file.get("patternData").unwrap_or(&file);
    let mut pattern = solved.clone();
    for (number, orbit) in orbits.iter().enumerate() {
        if let Some(part) = data.get(&orbit.name)
            && let Some(part) = reader.pattern_orbit(part, orbit, "the pattern")
        {
            pattern.orbits[number] = part;
        }
    }
    reader.unknown_orbits(data, orbits, "the pattern");
    Faults::unless_none(reader.faults, || pattern)
}

fn object(text: &str, what: &str) -> Result<Json, Faults> {
    match Json::parse(text.trim_start_matches('\u{feff}')) {
        Ok(file @ Json::Object(_)) => Ok(file),
        Ok(_) => Err(format!("not {what}: the file is no JSON object").into()),
        Err(error) => Err(format!("not {what}: {error}").into()),
    }
}

/// Collects faults and remarks.
#[derive(Default)]
struct Reader {
    faults: Vec<String>,
    remarks: Vec<String>,
}

impl Reader {
    /// A fault is added, and there is no value.
    fn fault<T>(&mut self, fault: String) -> Option<T> {
        self.faults.push(fault);
        None
    }

    fn orbits(&mut self, file: &Json) -> Vec<Orbit> {
        let mut orbits: Vec<Orbit> = Vec::new();
        let listed: Vec<(Option<&str>, &Json)> = match file.get("orbits") {
            Some(Json::List(list)) => {
                list.iter().map(|orbit| (orbit.get("orbitName").and_then(Json::as_str), orbit)).collect()
            }
            Some(Json::Object(named)) => named.iter().map(|(name, orbit)| (Some(&**name), orbit)).collect(),
            _ => {
                self.faults.push("not a KPuzzle definition: it has no orbits".to_owned());
                return orbits;
            }
        };
        for (number, (name, orbit)) in listed.into_iter().enumerate() {
            if self.faults.len() > MOST_FAULTS || fault_of_size(&orbits, 0).is_some() {
                break;
            }
            let Some(name) = name else {
                self.faults.push(format!("orbit {} has no orbitName", number + 1));
                continue;
            };
            let mut count = |field: &str| {
                let found = orbit.get(field).and_then(Json::as_count);
                found.or_else(|| self.fault(format!("orbit {name} has no {field}")))
            };
            let sizes = (count("numPieces"), count("numOrientations"));
            let (Some(pieces), Some(orientations)) = sizes else { continue };
            let orbit = Orbit { name: name.to_owned(), pieces, orientations };
            self.faults.extend(orbit.faults());
            if orbits.iter().any(|other| other.name == orbit.name) {
                self.faults.push(format!("two orbits have the name {}", orbit.name));
            }
            orbits.push(orbit);
        }
        orbits
    }

    fn unknown_orbits(&mut self, data: &Json, orbits: &[Orbit], what: &str) {
        let Some(data) = data.as_object() else { return };
        for name in data.keys().filter(|name| orbits.iter().all(|orbit| *orbit.name != ***name)) {
            self.faults.push(format!("{what} names the orbit {name}, which does not exist"));
        }
    }

    fn pattern(&mut self, data: &Json, orbits: &[Orbit], what: &str) -> Option<Pattern> {
        self.unknown_orbits(data, orbits, what);
        let parts = orbits.iter().map(|orbit| match data.get(&orbit.name) {
            Some(part) => self.pattern_orbit(part, orbit, what),
            None => self.fault(format!("{what} lacks the orbit {}", orbit.name)),
        });
        let parts: Vec<_> = parts.collect();
        parts.into_iter().collect::<Option<Vec<_>>>().map(|orbits| Pattern { orbits })
    }

    fn pattern_orbit(&mut self, part: &Json, orbit: &Orbit, what: &str) -> Option<OrbitPattern> {
        let Orbit { name, pieces, orientations } = orbit;
        let labels = self.row(part, "pieces", orbit, what)?;
        let given = self.row(part, "orientation", orbit, what)?;
        let moduli = match part.get("orientationMod") {
            None => vec![0; *pieces],
            Some(_) => self.row(part, "orientationMod", orbit, what)?,
        };
        let mut pattern =
            OrbitPattern { pieces: Vec::new(), orientation: Vec::new(), orientation_mod: Vec::new() };
        for place in 0..*pieces {
            let modulus = if moduli[place] == 0 { *orientations as i64 } else { moduli[place] };
            let (Ok(label), true) = (u8::try_from(labels[place]), labels[place] < 256) else {
                return self.fault(format!("{what}: piece {} of {name} is not from 0 to 255", labels[place]));
            };
            if modulus < 1 || *orientations as i64 % modulus != 0 {
                return self.fault(format!(
                    "{what}: orientationMod {modulus} at place {place} of {name} does not divide {orientations}"
                ));
            }
            if given[place] < 0 || given[place] >= *orientations as i64 {
                let most = orientations - 1;
                return self.fault(format!(
                    "{what}: orientation {} at place {place} of {name} is not from 0 to {most}",
                    given[place]
                ));
            }
            pattern.pieces.push(label);
            pattern.orientation.push((given[place] % modulus) as u8);
            pattern.orientation_mod.push(modulus as u8);
        }
        Some(pattern)
    }

    /// A row of integers, one for each piece.
    fn row(&mut self, part: &Json, field: &str, orbit: &Orbit, what: &str) -> Option<Vec<i64>> {
        let Orbit { name, pieces, .. } = orbit;
        let row = part.get(field);
        let Some(length) = row.and_then(Json::len) else {
            return self.fault(format!("{what}: {name} has no {field}"));
        };
        if length != *pieces {
            return self.fault(format!("{what}: {name} has {length} values of {field} for {pieces} pieces"));
        }
        match row {
            Some(Json::Row(row)) => Some(row.clone()),
            _ => self.fault(format!("{what}: {field} of {name} has a value that is no integer")),
        }
    }

    fn moves(&mut self, file: &Json, orbits: &[Orbit]) -> Vec<Named> {
        let mut moves = Vec::new();
        let Some(Json::Object(given)) = file.get("moves") else {
            self.faults.push("not a KPuzzle definition: it has no moves".to_owned());
            return moves;
        };
        for (name, data) in given {
            if self.faults.len() > MOST_FAULTS {
                break;
            }
            let what = format!("move {name}");
            self.unknown_orbits(data, orbits, &what);
            if data.as_object().is_none() {
                self.faults.push(format!("{what} is no JSON object"));
                continue;
            }
            let parts: Vec<_> = orbits.iter().map(|orbit| self.move_orbit(data, orbit, &what)).collect();
            if let Some(parts) = parts.into_iter().collect::<Option<Vec<_>>>() {
                let transformation = Transformation { orbits: parts };
                self.faults.extend(
                    transformation.faults(orbits).into_iter().map(|fault| format!("{what}: {fault}")),
                );
                moves.push(Named { name: name.to_string(), transformation, role: Role::Counted });
            }
        }
        moves
    }

    /// The part of a move on one orbit; nothing changes if the orbit is not declared.
    fn move_orbit(&mut self, data: &Json, orbit: &Orbit, what: &str) -> Option<OrbitTransformation> {
        let Some(part) = data.get(&orbit.name) else { return Some(OrbitTransformation::identity(orbit)) };
        let from = self.row(part, "permutation", orbit, what)?;
        let field = if part.get("orientationDelta").is_some() { "orientationDelta" } else { "orientation" };
        let deltas = self.row(part, field, orbit, what)?;
        let from: Result<Vec<u8>, _> =
            from.iter().map(|&place| u8::try_from(place).map_err(|_| place)).collect();
        match from {
            Err(place) => self.fault(format!("{what}: place {place} of {} does not exist", orbit.name)),
            Ok(from) => Some(OrbitTransformation {
                from,
                turn: deltas.iter().map(|delta| delta.rem_euclid(orbit.orientations as i64) as u8).collect(),
                orientations: orbit.orientations as u8,
            }),
        }
    }

    /// Adds the derived moves.
    fn derived(&mut self, file: &Json, orbits: &[Orbit], moves: &mut Vec<Named>) {
        let given = match file.get("derivedMoves") {
            None | Some(Json::Null) => return,
            Some(Json::Object(given)) => given,
            Some(_) => {
                self.faults.push("derivedMoves is no JSON object".to_owned());
                return;
            }
        };
        let mut all = Vec::new();
        for (name, value) in given {
            match value.as_str() {
                None => self.faults.push(format!("derived move {name} is no text")),
                Some(text) => all.push(Derived {
                    name: name.to_string(),
                    text: text.to_owned(),
                    role: Role::Derived,
                    place: "derived move ".to_owned(),
                }),
            }
        }
        if let Err(faults) = derived::add(orbits, moves, &all) {
            self.faults.extend(faults);
        }
    }
}

/// Writes a definition. Derived moves and rotations are written as moves, since the format has no other place for
/// their effects; rules cannot be written.
///
/// # Errors
/// If the definition has rules.
pub fn write(definition: &Definition) -> Result<String, Faults> {
    if !definition.illegal.is_empty() {
        return Err("KPuzzle files cannot express illegal states".to_owned().into());
    }
    let orbits: Vec<Value> = (definition.orbits.iter())
        .map(|orbit| {
            json!({"orbitName": orbit.name, "numPieces": orbit.pieces, "numOrientations": orbit.orientations})
        })
        .collect();
    let moves: Map<String, Value> = (definition.moves.iter())
        .map(|named| (named.name.clone(), transformation_value(&definition.orbits, &named.transformation)))
        .collect();
    let file = json!({
        "name": definition.name,
        "orbits": orbits,
        "defaultPattern": pattern_value(&definition.orbits, &definition.solved),
        "moves": moves,
    });
    Ok(format!("{}\n", serde_json::to_string_pretty(&file).expect("plain data")))
}

/// Writes a pattern on one line.
pub fn write_pattern(orbits: &[Orbit], pattern: &Pattern) -> String {
    pattern_value(orbits, pattern).to_string()
}

fn transformation_value(orbits: &[Orbit], transformation: &Transformation) -> Value {
    let parts = orbits.iter().zip(&transformation.orbits);
    let changed = parts.filter(|(_, part)| !part.is_identity());
    Value::Object(
        changed
            .map(|(orbit, part)| {
                (orbit.name.clone(), json!({"permutation": part.from, "orientationDelta": part.turn}))
            })
            .collect(),
    )
}

fn pattern_value(orbits: &[Orbit], pattern: &Pattern) -> Value {
    let parts = orbits.iter().zip(&pattern.orbits).map(|(orbit, part)| {
        let mut value = json!({"pieces": part.pieces, "orientation": part.orientation});
        if part.orientation_mod.iter().any(|&modulus| usize::from(modulus) != orbit.orientations) {
            // 0 stands for the full number of orientations.
            let moduli = part.orientation_mod.iter();
            let moduli: Vec<u8> = moduli
                .map(|&modulus| if usize::from(modulus) == orbit.orientations { 0 } else { modulus })
                .collect();
            value["orientationMod"] = json!(moduli);
        }
        (orbit.name.clone(), value)
    });
    Value::Object(parts.collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Instant;

    /// Two corners with three orientations: one move swaps them, the other twists both.
    const TWO_CORNERS: &str = r#"{"name": "two",
        "orbits": [{"orbitName": "CORNERS", "numPieces": 2, "numOrientations": 3}],
        "defaultPattern": {"CORNERS": {"pieces": [0, 1], "orientation": [0, 0]}},
        "moves": {"S": {"CORNERS": {"permutation": [1, 0], "orientationDelta": [0, 0]}},
                  "T": {"CORNERS": {"permutation": [0, 1], "orientationDelta": [-2, 5]}}}}"#;

    fn with(derived: &str) -> Result<Definition, Faults> {
        parse(&TWO_CORNERS.replacen('{', &format!("{{\"derivedMoves\": {derived},"), 1))
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
    fn derived_moves_are_computed_in_any_order() {
        let definition = with(r#"{"Q": "[S: P]", "P": "(T)2 S'"}"#).expect("a definition");
        let effect = |text: &str| {
            let algorithm = definition.algorithm(text).expect("an algorithm");
            definition.effect(&algorithm)
        };
        assert_eq!(effect("P"), effect("T T S"));
        assert_eq!(effect("Q"), effect("S T' S S'"));
        assert_eq!(effect("T"), effect("T4"));
        assert_eq!(definition.moves[1].transformation.orbits[0].turn, [1, 2]);
    }

    #[test]
    fn hostile_derived_moves_are_refused_at_once() {
        let start = Instant::now();
        let doubling = (0..100_u32).map(|n| format!(r#""d{n}_": "d{}_ d{}_""#, n + 1, n + 1));
        let doubling = format!("{{{}, \"d100_\": \"S\"}}", doubling.collect::<Vec<_>>().join(","));
        for (derived, message) in [
            (r#"{"A": "B", "B": "A"}"#, "moves are defined by each other: A, B"),
            (r#"{"A": "A"}"#, "defined by each other: A"),
            (&doubling, "stands for more than 100000 moves"),
            (r#"{"A": "(S)1000000000"}"#, "not from 1 to 100000"),
            (r#"{"A": "((S)99999)99999"}"#, "more than 100000 moves"),
            (r#"{"A": "S Q"}"#, "derived move A: column 3: \"Q\" is not a move"),
            (r#"{"S": "T"}"#, "two moves have the name S"),
            (r#"{"A": 3}"#, "derived move A is no text"),
        ] {
            let faults = with(derived).expect_err("faults").to_string();
            assert!(faults.contains(message), "{derived}: {faults}");
        }
        let nested = format!("{{\"A\": \"{}\"}}", "(".repeat(1 << 20));
        assert!(with(&nested).expect_err("faults").to_string().contains("nested too deeply"));
        assert!(parse(&"[".repeat(1 << 20)).is_err() && parse(&"{\"a\":".repeat(1 << 18)).is_err());
        assert!(start.elapsed().as_secs() < 60);
    }

    #[test]
    fn every_fault_is_named() {
        let faults = |text: &str| parse(text).expect_err("faults").0.join("\n");
        assert!(faults("{}").contains("not a KPuzzle"));
        let bad = TWO_CORNERS
            .replace(r#""pieces": [0, 1]"#, r#""pieces": [0, 300]"#)
            .replace("[-2, 5]", "[1]")
            .replace("\"S\": {", "\"S\": {\"EDGES\": {},");
        let named = faults(&bad);
        for part in ["piece 300 of CORNERS", "move T: CORNERS has 1 values", "move S names the orbit EDGES"] {
            assert!(named.contains(part), "{named}");
        }
        let huge = TWO_CORNERS.replace("\"numPieces\": 2", "\"numPieces\": 4000000000");
        assert!(faults(&huge).contains("4000000000 pieces"));
        assert!(
            faults(&TWO_CORNERS.replace("[1, 0]", "[1, 1]")).contains("place 1 of CORNERS is named twice")
        );
    }

    #[test]
    fn what_is_ignored_is_named() {
        let text = TWO_CORNERS.replacen('{', "{\"experimentalPuzzleDescription\": \"c f 0\",", 1);
        let definition = parse(&text).expect("a definition");
        assert_eq!(definition.remarks, ["the field experimentalPuzzleDescription is ignored"]);
    }

    #[test]
    fn orientations_and_pieces_that_do_not_count_are_kept() {
        let text = TWO_CORNERS.replace(
            r#""pieces": [0, 1], "orientation": [0, 0]"#,
            r#""pieces": [7, 7], "orientation": [2, 1], "orientationMod": [1, 0]"#,
        );
        let definition = parse(&text).expect("a definition");
        let corners = &definition.solved.orbits[0];
        assert_eq!((&corners.pieces[..], &corners.orientation[..]), (&[7, 7][..], &[0, 1][..]));
        assert_eq!(corners.orientation_mod, [1, 3]);
        assert_eq!(parse(&write(&definition).expect("no rules")), Ok(definition));
    }
}
