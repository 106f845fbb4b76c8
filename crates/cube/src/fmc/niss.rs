//! Moves on a scramble and on its inverse: `R U (F D')`.
//!
//! Moves outside of `( )` are made on the scramble, those within on the inverse scramble. There may be any number
//! of brackets, anywhere: only the order on each side matters. The corresponding solution is the moves on the
//! scramble, followed by the inverse of those on the inverse scramble.

use super::undo;
use crate::cube::Turn;
use crate::notation::scramble::{self, Scramble, lines};
use crate::notation::{Defect, Fault, Format, Orientation};
use std::fmt;

/// Turns on the scramble and on its inverse.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Niss {
    /// The turns on the scramble.
    pub normal: Vec<Turn>,
    /// The turns on the inverse scramble.
    pub inverse: Vec<Turn>,
}

impl Niss {
    /// A solution with its last `count` turns written on the inverse scramble.
    pub fn of(turns: &[Turn], count: usize) -> Niss {
        let (normal, rest) = turns.split_at(turns.len().saturating_sub(count));
        Niss { normal: normal.to_vec(), inverse: undo(rest) }
    }

    /// The whole solution.
    pub fn turns(&self) -> Vec<Turn> {
        [&self.normal[..], &undo(&self.inverse)].concat()
    }

    /// Reads turns on both sides. Wide turns and slices are accepted as long as each side leaves the cube held as
    /// before.
    ///
    /// # Errors
    /// A [`Fault`] that names every token that is not a move, a bracket that cannot be read, or the remaining
    /// rotation.
    pub fn parse(text: &str) -> Result<Niss, Fault> {
        let normal = side(&only(text, false)?)?;
        let inverse = side(&only(text, true)?)?;
        Ok(Niss { normal, inverse })
    }
}

impl fmt::Display for Niss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = |turns: &[Turn]| scramble::format(turns.iter().copied());
        let (normal, inverse) = (side(&self.normal), side(&self.inverse));
        match (normal.is_empty(), inverse.is_empty()) {
            (_, true) => f.write_str(&normal),
            (true, false) => write!(f, "({inverse})"),
            (false, false) => write!(f, "{normal} ({inverse})"),
        }
    }
}

fn side(text: &str) -> Result<Vec<Turn>, Fault> {
    let Scramble { turns, orientation } = scramble::parse(text)?;
    if orientation == Orientation::HOME {
        return Ok(turns);
    }
    Err(Fault::of(Format::Moves, vec![Defect::Rotation(orientation.to_string())]))
}

/// The text with one side replaced by spaces, so that the other keeps its positions.
fn only(text: &str, within: bool) -> Result<String, Fault> {
    let (mut kept, mut open) = (String::new(), None);
    for (line, row) in lines(text).iter().enumerate() {
        for (column, c) in row.chars().enumerate() {
            let place = (line + 1, column + 1);
            match (c, open) {
                ('(', Some(_)) => return Err(fault(c, place, "it is nested in another bracket")),
                ('(', None) => open = Some(place),
                (')', None) => return Err(fault(c, place, "no open bracket to close")),
                (')', Some(_)) => open = None,
                _ if open.is_some() == within => {
                    kept.push(c);
                    continue;
                }
                _ => {}
            }
            kept.push(' ');
        }
        kept.push('\n');
    }
    match open {
        Some(place) => Err(fault('(', place, "it is never closed")),
        None => Ok(kept),
    }
}

fn fault(text: char, (line, column): (usize, usize), why: &'static str) -> Fault {
    Fault::of(Format::Moves, vec![Defect::Bracket { text, line, column, why }])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_sides_are_read_and_written() {
        for (text, written, whole) in [
            ("R U (F D')", "R U (F D')", "R U D F'"),
            ("(F) R (D') U // skeleton (to be improved)", "R U (F D')", "R U D F'"),
            ("(F2)", "(F2)", "F2"),
            ("R", "R", "R"),
            ("", "", ""),
            ("[R, U] (M M')", "R U R' U' (L' R L R')", "R U R' U' R L' R' L"),
        ] {
            let niss = Niss::parse(text).unwrap();
            assert_eq!(niss.to_string(), written);
            assert_eq!(scramble::format(niss.turns()), whole);
            for count in 0..8 {
                let split = Niss::of(&niss.turns(), count);
                assert_eq!(split.turns(), niss.turns());
                assert_eq!(split.inverse.len(), count.min(niss.turns().len()));
                assert_eq!(Niss::parse(&split.to_string()), Ok(split));
            }
        }
    }

    #[test]
    fn faults_have_their_place() {
        let message = |text| Niss::parse(text).unwrap_err().to_string();
        assert!(message("R (U").contains("column 3: \"(\": it is never closed"));
        assert!(message("R) U").contains("column 2: \")\": no open bracket to close"));
        assert!(message("R (U (F))").contains("column 6"));
        assert!(message("R (U Q)").contains("column 6: \"Q\" is not a move"));
        assert!(message("(R U)2").contains("column 6: \"2\" is not a move"));
        assert!(message("R x").contains("the moves leave the cube rotated by x"));
    }
}
