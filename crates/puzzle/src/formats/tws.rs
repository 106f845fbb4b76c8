//! Definitions of twsearch (`.tws`) and ksolve (`.def`), and their states (`.scr`).
//!
//! A file consists of lines of words. `Name`, then `Set NAME PIECES ORIENTATIONS` for each orbit, then `Solved … End`
//! with a row of pieces (from 1; equal numbers look alike) and a row of orientations for some orbits (`?` is one that
//! does not count), then `Move NAME … End` with a row of places and a row of turns. An orbit that is not named is not
//! changed; rows of zeros may be missing. In `Solved` and in states, the turns belong to places. In a `Move`, as in
//! ksolve, the turn at `i` belongs to the piece that comes **from** place `i`. `StartState`, `MoveTransformation` and
//! `ScrambleState` number from 0, and the turns belong to places. `MoveAlias` and `MoveSequence` are moves defined by
//! others. `Illegal SET PLACE PIECE…` forbids pieces at a place.
//!
//! Of ksolve's other blocks, `ParallelMoves` is ignored, and those that restrict a search are refused.
//!
//! By the format's rule, `x`, `y`, `z`, and capital letters followed by `v` are rotations.

#[cfg(test)]
mod tests;

use crate::definition::derived::{self, Derived};
use crate::definition::{Definition, MOST_FAULTS, Named, Role, fault_of_size};
use crate::fault::Faults;
use crate::model::{Illegal, MOST_PLACES, Orbit, OrbitPattern, OrbitTransformation, Pattern, Transformation};

/// The blocks of ksolve that restrict a search.
const RESTRICTIONS: [&str; 7] =
    ["ForbiddenPairs", "ForbiddenGroups", "MoveLimits", "MoveWeights", "Block", "Ignore", "Multiplicators"];
/// The maximum number of words of a file.
const MOST_WORDS: usize = 1 << 22;

/// A line that is not empty: its number and its words.
type Line<'a> = (usize, Vec<&'a str>);

/// The lines of a file without comments. A comment begins with a word that begins with `#`.
fn lines(text: &str) -> Result<Vec<Line<'_>>, Faults> {
    let mut lines = Vec::new();
    let mut count = 0;
    let text = text.trim_start_matches('\u{feff}');
    // A carriage return before a line feed leaves an empty line, which numbers it twice.
    let ends = if text.contains('\n') { '\n' } else { '\r' };
    for (number, line) in (1..).zip(text.split(ends)) {
        let words: Vec<&str> = line.split_whitespace().take_while(|word| !word.starts_with('#')).collect();
        count += words.len();
        if count > MOST_WORDS {
            return Err(format!("the file has more than {MOST_WORDS} words").into());
        }
        if !words.is_empty() {
            lines.push((number, words));
        }
    }
    Ok(lines)
}

/// Reads a definition.
///
/// # Errors
/// All faults, by the numbers of lines.
pub fn parse(text: &str) -> Result<Definition, Faults> {
    let lines = lines(text)?;
    let mut reader = Reader { lines: &lines, at: 0, faults: Vec::new() };
    let mut parts = Parts::default();
    while let Some((line, words)) = reader.next() {
        reader.command(*line, words, &mut parts);
        let size = fault_of_size(&parts.orbits, parts.moves.len() + parts.derived.len());
        if size.is_some() || reader.faults.len() > MOST_FAULTS {
            reader.faults.extend(size);
            return Err(Faults(reader.faults));
        }
    }
    let Parts { name, orbits, solved, mut moves, derived, illegal, remarks } = parts;
    if orbits.is_empty() {
        reader.faults.push("the file has no Set".to_owned());
    }
    let Some(solved) = solved else {
        reader.faults.push("the file has no Solved pattern".to_owned());
        return Err(Faults(reader.faults));
    };
    if reader.faults.is_empty()
        && let Err(faults) = derived::add(&orbits, &mut moves, &derived)
    {
        reader.faults.extend(faults);
    }
    if moves.is_empty() {
        reader.faults.push("the file has no Move".to_owned());
    }
    let name = name.unwrap_or_else(|| "puzzle".to_owned());
    Faults::unless_none(reader.faults, || Definition { name, orbits, moves, solved, illegal, remarks })
}

/// Reads a state: the pattern of a `Scramble`, `ScrambleState` or `StartState` block, or the moves of a
/// `ScrambleAlg` block. Orbits that are not named are as in the solved pattern.
///
/// # Errors
/// All faults, by the numbers of lines; more than one state.
pub fn parse_state(text: &str, definition: &Definition) -> Result<Pattern, Faults> {
    let lines = lines(text)?;
    let mut reader = Reader { lines: &lines, at: 0, faults: Vec::new() };
    let mut states = Vec::new();
    while let Some((line, words)) = reader.next() {
        match words[0] {
            "ScrambleAlg" => states.push(reader.algorithm(*line, definition)?),
            command @ ("Scramble" | "ScrambleState" | "StartState") => {
                let block =
                    Block { from: usize::from(command == "Scramble"), solved: Some(&definition.solved) };
                states.extend(reader.pattern(*line, &definition.orbits, block));
            }
            other => reader.faults.push(format!("line {line}: {other:?} does not begin a state")),
        }
    }
    if reader.faults.is_empty() && states.len() != 1 {
        reader.faults.push(format!("the file has {} states instead of one", states.len()));
    }
    Faults::unless_none(reader.faults, || states.swap_remove(0))
}

/// Whether a text begins as a `.scr` file does.
pub(crate) fn is_state(text: &str) -> bool {
    let commands = ["Scramble", "ScrambleState", "ScrambleAlg", "StartState"];
    text.lines()
        .filter_map(|line| line.split_whitespace().next())
        .find(|word| !word.starts_with('#'))
        .is_some_and(|word| commands.contains(&word))
}

/// Whether twsearch takes a move of this name for a rotation.
fn is_rotation(name: &str) -> bool {
    let axis = name.strip_prefix(['x', 'y', 'z']).is_some_and(|rest| matches!(rest, "" | "2" | "'"));
    let faces = name.strip_suffix('v').unwrap_or("");
    axis || !faces.is_empty() && faces.chars().all(|c| c == '_' || c.is_ascii_uppercase())
}

/// The parts that were read so far.
#[derive(Default)]
struct Parts {
    name: Option<String>,
    orbits: Vec<Orbit>,
    solved: Option<Pattern>,
    moves: Vec<Named>,
    /// Moves that are sequences of others.
    derived: Vec<Derived>,
    illegal: Vec<Illegal>,
    remarks: Vec<String>,
}

/// How the rows of a block are read.
#[derive(Clone, Copy)]
struct Block<'a> {
    /// The number of the first place and piece.
    from: usize,
    /// The pattern of which an orbit that is not named is taken; the identity if there is none.
    solved: Option<&'a Pattern>,
}

/// The rows of one orbit: labels or places from 0, and orientations, `None` for `?`.
struct Rows {
    orbit: usize,
    pieces: Vec<usize>,
    orientations: Vec<Option<usize>>,
}

struct Reader<'a> {
    lines: &'a [Line<'a>],
    at: usize,
    faults: Vec<String>,
}

impl<'a> Reader<'a> {
    fn next(&mut self) -> Option<&'a Line<'a>> {
        let line = self.lines.get(self.at);
        self.at += 1;
        line
    }

    fn fault<T>(&mut self, line: usize, fault: &str) -> Option<T> {
        self.faults.push(format!("line {line}: {fault}"));
        None
    }

    fn command(&mut self, line: usize, words: &[&str], parts: &mut Parts) {
        let solved_first = "the Solved pattern must come first";
        match words {
            ["Name", name] if parts.name.is_none() => parts.name = Some((*name).to_owned()),
            ["Name", ..] => {
                self.fault::<()>(line, "Name takes one word, once");
            }
            ["Set", name, pieces, orientations] if parts.solved.is_none() => {
                self.set(line, [name, pieces, orientations], &mut parts.orbits);
            }
            ["Set", ..] => {
                self.fault::<()>(
                    line,
                    "Set takes a name, a number of pieces and of orientations, before Solved",
                );
            }
            ["Solved" | "StartState"] if parts.solved.is_none() => {
                let block = Block { from: usize::from(words[0] == "Solved"), solved: None };
                let pattern = self.pattern(line, &parts.orbits, block);
                // A faulty pattern was reported; the moves are still read.
                parts.solved = Some(pattern.unwrap_or_else(|| Pattern::distinct(&parts.orbits)));
            }
            ["Solved" | "StartState", ..] => {
                self.fault::<()>(line, "a second Solved pattern, or words after it");
            }
            [command @ ("Move" | "MoveTransformation"), name] => {
                if parts.solved.is_none() {
                    self.fault::<()>(line, solved_first);
                }
                let transformation = self.transformation(line, &parts.orbits, *command == "Move");
                self.add(line, name, transformation, parts);
            }
            ["MoveAlias", name, other] => self.sequence(line, name, other, parts),
            ["MoveSequence", name, _, ..] => self.sequence(line, name, &words[2..].join(" "), parts),
            ["Illegal", set, place, pieces @ ..] if !pieces.is_empty() => {
                if parts.solved.is_none() {
                    self.fault::<()>(line, solved_first);
                }
                self.illegal(line, set, place, pieces, parts);
            }
            ["ParallelMoves"] => {
                self.skip_block();
                parts.remarks.push(format!("line {line}: ParallelMoves only helps a search and is ignored"));
            }
            [block] if RESTRICTIONS.contains(block) => {
                self.skip_block();
                self.fault::<()>(line, &format!("{block} restricts the search, which is not supported"));
            }
            _ => {
                self.fault::<()>(line, &format!("{:?} is not understood", words.join(" ")));
            }
        }
    }

    /// Skips the lines up to an `End`.
    fn skip_block(&mut self) {
        while self.next().is_some_and(|(_, words)| words[..] != ["End"]) {}
    }

    fn set(&mut self, line: usize, [name, pieces, orientations]: [&str; 3], orbits: &mut Vec<Orbit>) {
        let (Ok(pieces), Ok(orientations)) = (pieces.parse(), orientations.parse()) else {
            self.fault::<()>(line, "Set takes a name, a number of pieces and a number of orientations");
            return;
        };
        let orbit = Orbit { name: name.to_owned(), pieces, orientations };
        let faults = orbit.faults();
        if orbits.iter().any(|other| other.name == name) {
            self.fault::<()>(line, &format!("a second Set {name}"));
        } else if faults.is_empty() {
            orbits.push(orbit);
        } else {
            self.faults.extend(faults.into_iter().map(|fault| format!("line {line}: {fault}")));
        }
    }

    fn add(&mut self, line: usize, name: &str, transformation: Option<Transformation>, parts: &mut Parts) {
        if parts.moves.iter().any(|other| other.name == name) {
            self.fault::<()>(line, &format!("a second Move {name}"));
        } else if let Some(transformation) = transformation {
            let role = if is_rotation(name) { Role::Rotation } else { Role::Counted };
            parts.moves.push(Named { name: name.to_owned(), transformation, role });
        }
    }

    /// A move that is a sequence of others, which may come after it.
    fn sequence(&mut self, line: usize, name: &str, text: &str, parts: &mut Parts) {
        if parts.solved.is_none() {
            self.fault::<()>(line, "the Solved pattern must come first");
        }
        let role = if is_rotation(name) { Role::Rotation } else { Role::Counted };
        let place = format!("line {line}: ");
        parts.derived.push(Derived { name: name.to_owned(), text: text.to_owned(), role, place });
    }

    fn illegal(&mut self, line: usize, set: &str, place: &str, pieces: &[&str], parts: &mut Parts) {
        let Some(orbit) = parts.orbits.iter().position(|orbit| orbit.name == set) else {
            self.fault::<()>(line, &format!("there is no Set {set}"));
            return;
        };
        let most = parts.orbits[orbit].pieces;
        let number = |word: &str| word.parse::<usize>().ok().filter(|n| (1..=most).contains(n));
        let Some(place) = number(place) else {
            self.fault::<()>(line, &format!("place {place} is not from 1 to {most}"));
            return;
        };
        for piece in pieces {
            match number(piece) {
                Some(piece) => {
                    let piece = u8::try_from(piece - 1).expect("at most 256 pieces");
                    parts.illegal.push(Illegal { orbit, place: place - 1, piece });
                }
                None => {
                    self.fault::<()>(line, &format!("piece {piece} is not from 1 to {most}"));
                }
            }
        }
    }

    /// The rows of a block up to its `End`.
    fn rows(&mut self, begin: usize, orbits: &[Orbit], from: usize, wild: bool) -> Option<Vec<Rows>> {
        let mut all: Vec<Rows> = Vec::new();
        let before = self.faults.len();
        loop {
            let Some((line, words)) = self.next() else {
                return self.fault(begin, "the block has no End");
            };
            let is_row =
                |words: &[&str]| words[0] == "?" || words[0].starts_with(|c: char| c.is_ascii_digit());
            if words[..] == ["End"] {
                break;
            }
            let orbit = orbits.iter().position(|orbit| words[..] == [orbit.name.as_str()]);
            let Some(orbit) = orbit.filter(|_| !is_row(words)) else {
                self.fault::<()>(*line, &format!("{:?} is no Set of the file", words.join(" ")));
                // The rows that follow belong to it.
                while self.lines.get(self.at).is_some_and(|(_, words)| is_row(words)) {
                    self.at += 1;
                }
                continue;
            };
            if all.iter().any(|rows| rows.orbit == orbit) {
                self.fault::<()>(*line, &format!("{} is given twice", orbits[orbit].name));
            }
            let Orbit { pieces, orientations, .. } = orbits[orbit];
            let row = |reader: &mut Self, first: usize, end: usize, wild: bool| {
                let (line, words) = reader.lines.get(reader.at).filter(|(_, words)| is_row(words))?;
                reader.at += 1;
                if words.len() != pieces {
                    return reader.fault(*line, &format!("{} numbers instead of {pieces}", words.len()));
                }
                let mut numbers: Vec<Option<usize>> = Vec::new();
                for word in words {
                    match word.parse::<usize>() {
                        _ if wild && *word == "?" => numbers.push(None),
                        Ok(number) if (first..end).contains(&number) => numbers.push(Some(number - first)),
                        _ => {
                            return reader
                                .fault(*line, &format!("{word} is not from {first} to {}", end - 1));
                        }
                    }
                }
                Some(numbers)
            };
            let Some(places) = row(self, from, from + MOST_PLACES, false) else {
                if self.faults.len() == before {
                    self.fault::<()>(*line, "the row of pieces is missing");
                }
                continue;
            };
            let turns = row(self, 0, orientations, wild);
            all.push(Rows {
                orbit,
                pieces: places.into_iter().flatten().collect(),
                orientations: turns.unwrap_or_else(|| vec![Some(0); pieces]),
            });
        }
        (self.faults.len() == before).then_some(all)
    }

    fn pattern(&mut self, line: usize, orbits: &[Orbit], block: Block<'_>) -> Option<Pattern> {
        let rows = self.rows(line, orbits, block.from, true)?;
        let mut pattern = block.solved.cloned().unwrap_or_else(|| Pattern::distinct(orbits));
        for Rows { orbit, pieces, orientations } in rows {
            let full = u8::try_from(orbits[orbit].orientations).expect("at most 255 orientations");
            let labels: Result<Vec<u8>, _> = pieces.iter().map(|&piece| u8::try_from(piece)).collect();
            let Ok(labels) = labels else {
                return self.fault(line, &format!("a piece of {} is above 255", orbits[orbit].name));
            };
            pattern.orbits[orbit] = OrbitPattern {
                pieces: labels,
                orientation: orientations.iter().map(|turn| turn.unwrap_or(0) as u8).collect(),
                orientation_mod: orientations
                    .iter()
                    .map(|turn| if turn.is_some() { full } else { 1 })
                    .collect(),
            };
        }
        Some(pattern)
    }

    /// A move. With `by_piece`, the turn at `i` belongs to the piece that comes from place `i`.
    fn transformation(&mut self, line: usize, orbits: &[Orbit], by_piece: bool) -> Option<Transformation> {
        let rows = self.rows(line, orbits, usize::from(by_piece), false)?;
        let mut transformation = Transformation::identity(orbits);
        for Rows { orbit, pieces, orientations } in rows {
            let turns: Vec<u8> = orientations.iter().map(|turn| turn.unwrap_or(0) as u8).collect();
            let from: Result<Vec<u8>, _> = pieces.iter().map(|&place| u8::try_from(place)).collect();
            let Ok(from) = from else {
                return self.fault(line, &format!("a place of {} is above 255", orbits[orbit].name));
            };
            let turn = |place: usize| {
                let source = if by_piece { usize::from(from[place]) } else { place };
                turns.get(source).copied().unwrap_or(0)
            };
            let part = OrbitTransformation {
                turn: (0..from.len()).map(turn).collect(),
                orientations: transformation.orbits[orbit].orientations,
                from: from.clone(),
            };
            let faults = part.faults(&orbits[orbit]);
            self.faults.extend(faults.iter().map(|fault| format!("line {line}: {fault}")));
            transformation.orbits[orbit] = part;
        }
        Some(transformation)
    }

    /// The pattern after the moves up to `End`.
    fn algorithm(&mut self, begin: usize, definition: &Definition) -> Result<Pattern, Faults> {
        let mut text = String::new();
        loop {
            match self.next() {
                None => return Err(format!("line {begin}: the block has no End").into()),
                Some((_, words)) if words[..] == ["End"] => break,
                Some((_, words)) => text += &format!("{}\n", words.join(" ")),
            }
        }
        definition.perform(&definition.solved, &definition.algorithm(&text)?)
    }
}

/// Writes a definition, and remarks on what the format cannot express.
///
/// # Errors
/// Names with spaces, orientations of which only a part counts, rotations whose names are no names of rotations.
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
        if !word(&named.name) || (named.role == Role::Rotation) != is_rotation(&named.name) {
            faults.push(format!("twsearch would read the name {:?} otherwise", named.name));
        }
        text += &format!("\nMove {}\n", named.name);
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

/// The name of an orbit and its rows, numbered from 1.
fn rows(name: &str, pieces: impl Iterator<Item = u8>, turns: &[String]) -> String {
    let pieces: Vec<String> = pieces.map(|piece| (usize::from(piece) + 1).to_string()).collect();
    format!("{name}\n{}\n{}\n", pieces.join(" "), turns.join(" "))
}
