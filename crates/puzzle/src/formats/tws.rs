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
mod write;

use std::iter::Peekable;

use crate::definition::derived::{self, Derived};
use crate::definition::{Definition, MOST_FAULTS, Named, Role, fault_of_size};
use crate::fault::Faults;
use crate::model::{Illegal, MOST_PLACES, Orbit, OrbitPattern, OrbitTransformation, Pattern, Transformation};

pub use write::write;

/// The blocks of ksolve that restrict a search.
const RESTRICTIONS: [&str; 7] =
    ["ForbiddenPairs", "ForbiddenGroups", "MoveLimits", "MoveWeights", "Block", "Ignore", "Multiplicators"];
/// The maximum number of words of a line.
const MOST_WORDS: usize = 1 << 16;
/// The maximum number of rules of illegal states.
const MOST_RULES: usize = 1 << 16;

/// A line that is not empty: its number and its words.
type Line<'a> = (usize, Vec<&'a str>);

/// The lines of a file without comments, one at a time, so that a file of short lines takes little memory. A comment begins
/// with a word that begins with `#`. A line with too many words ends the file, and has one word more than the maximum.
fn lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    let text = text.trim_start_matches('\u{feff}');
    // A carriage return before a line feed leaves an empty line, which numbers it twice.
    let ends = if text.contains('\n') { '\n' } else { '\r' };
    let lines = (1..).zip(text.split(ends)).map(|(number, line)| (number, words(line)));
    lines.filter(|(_, words)| !words.is_empty())
}

/// The words of a line before a comment, up to one more than the maximum.
fn words(line: &str) -> Vec<&str> {
    let words = line.split_whitespace().take_while(|word| !word.starts_with('#'));
    words.take(MOST_WORDS + 1).collect()
}

/// Reads a definition.
///
/// # Errors
/// All faults, by the numbers of lines.
pub fn parse(text: &str) -> Result<Definition, Faults> {
    let mut reader = Reader::new(text);
    let mut parts = Parts::default();
    while let Some((line, words)) = reader.next() {
        reader.command(line, &words, &mut parts);
        let size = fault_of_size(&parts.orbits, parts.moves.len() + parts.derived.len());
        let rules = || format!("there are more than {MOST_RULES} rules of illegal states");
        let size = size.or_else(|| (parts.illegal.len() > MOST_RULES).then(rules));
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
    let mut reader = Reader::new(text);
    let (mut first, mut count) = (None, 0);
    while let Some((line, words)) = reader.next() {
        let state = match words[0] {
            "ScrambleAlg" => Some(reader.algorithm(line, definition)?),
            command @ ("Scramble" | "ScrambleState" | "StartState") => {
                let block =
                    Block { from: usize::from(command == "Scramble"), solved: Some(&definition.solved) };
                reader.pattern(line, &definition.orbits, block)
            }
            other => reader.fault(line, &format!("{other:?} does not begin a state")),
        };
        count += usize::from(state.is_some());
        first = first.or(state);
        if reader.faults.len() > MOST_FAULTS {
            break;
        }
    }
    match first {
        Some(state) if reader.faults.is_empty() && count == 1 => Ok(state),
        _ => {
            if reader.faults.is_empty() {
                reader.faults.push(format!("the file has {count} states instead of one"));
            }
            Err(Faults(reader.faults))
        }
    }
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

/// Whether a line is a row of numbers.
fn is_row(words: &[&str]) -> bool {
    words[0] == "?" || words[0].starts_with(|c: char| c.is_ascii_digit())
}

struct Reader<'a> {
    lines: Peekable<Box<dyn Iterator<Item = Line<'a>> + 'a>>,
    faults: Vec<String>,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str) -> Reader<'a> {
        let lines: Box<dyn Iterator<Item = Line<'a>> + 'a> = Box::new(lines(text));
        Reader { lines: lines.peekable(), faults: Vec::new() }
    }

    /// The next line. A line with too many words is a fault, and ends the file.
    fn next(&mut self) -> Option<Line<'a>> {
        let (line, words) = self.lines.next()?;
        if words.len() > MOST_WORDS {
            self.lines = (Box::new(std::iter::empty()) as Box<dyn Iterator<Item = Line<'a>>>).peekable();
            return self.fault(line, &format!("more than {MOST_WORDS} words"));
        }
        Some((line, words))
    }

    /// The next line, if it is a row of numbers.
    fn next_row(&mut self) -> Option<Line<'a>> {
        self.lines.next_if(|(_, words)| is_row(words))
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
                // Once is enough.
                if parts.remarks.is_empty() {
                    let remark = format!("line {line}: ParallelMoves only helps a search and is ignored");
                    parts.remarks.push(remark);
                }
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
            if self.faults.len() > before + MOST_FAULTS {
                return None;
            }
            let Some((line, words)) = self.next() else {
                return self.fault(begin, "the block has no End");
            };
            if words[..] == ["End"] {
                break;
            }
            let orbit = orbits.iter().position(|orbit| words[..] == [orbit.name.as_str()]);
            let Some(orbit) = orbit.filter(|_| !is_row(&words)) else {
                self.fault::<()>(line, &format!("{:?} is no Set of the file", words.join(" ")));
                // The rows that follow belong to it.
                while self.next_row().is_some() {}
                continue;
            };
            if all.iter().any(|rows| rows.orbit == orbit) {
                self.fault::<()>(line, &format!("{} is given twice", orbits[orbit].name));
            }
            let Orbit { pieces, orientations, .. } = orbits[orbit];
            let row = |reader: &mut Self, first: usize, end: usize, wild: bool| {
                let (line, words) = reader.next_row()?;
                if words.len() != pieces {
                    return reader.fault(line, &format!("{} numbers instead of {pieces}", words.len()));
                }
                let mut numbers: Vec<Option<usize>> = Vec::new();
                for word in words {
                    match word.parse::<usize>() {
                        _ if wild && word == "?" => numbers.push(None),
                        Ok(number) if (first..end).contains(&number) => numbers.push(Some(number - first)),
                        _ => {
                            return reader.fault(line, &format!("{word} is not from {first} to {}", end - 1));
                        }
                    }
                }
                Some(numbers)
            };
            let Some(places) = row(self, from, from + MOST_PLACES, false) else {
                if self.faults.len() == before {
                    self.fault::<()>(line, "the row of pieces is missing");
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
