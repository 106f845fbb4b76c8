//! The entry point: reads a text in any format as a position, or returns a fault.
//!
//! Every list of face letters can also be read as moves without spaces, so the shape decides. Where a typing
//! error would silently turn one format into another, the text is refused:
//!
//! * 54 face letters, not all of them separated, are facelets; 12 words of two and 8 of three letters are
//!   Reid's cubies.
//! * About 54 symbols of at most seven kinds that are not moves are facelets in other symbols; all other texts
//!   with other characters (an amount, a slice, a rotation) are moves.
//! * Almost 54 plain face letters are refused as facelets of the wrong number, which may be moves. Many words
//!   of two or three letters that do not have Reid's shape, and 54 letters that are all separated, could be
//!   a damaged list or moves, and are refused as ambiguous.
//! * Few plain letters are moves.
//! * 54 letters that can be moves but have no amount among them are refused as ambiguous: they look like
//!   facelets, perhaps with `x` for an unknown one.
//! * A link has its moves in a parameter.
//! * A text that cannot be read in any of these ways may be a printed net ([`net`]), a line of a timer's list,
//!   a row of a timer's export or a name ([`names`]).

use super::fault::{Defect, Fault};
use super::format::Format;
use super::orientation::Orientation;
use super::{facelets, link, list, names, net, reid, row, scramble, text};
use crate::cube::{Cube, Turn};

/// The notation that a position was read from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Given {
    /// Facelets with these symbols at the centres of the places U, R, F, D, L, B.
    Facelets([char; 6]),
    /// Reid's cubies.
    Reid,
    /// Moves, resolved to turns of the cube's own faces.
    Moves(Vec<Turn>),
}

/// A legal cube, and how it was given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    /// The cube by its own faces, in the fixed frame.
    pub cube: Cube,
    /// How it is held (see `Orientation::to_held` to print turns for it).
    pub orientation: Orientation,
    /// The notation that it was read from.
    pub given: Given,
    /// The text of the cube as it was typed. For a line of a list, the scramble alone; for a net, its facelets
    /// in the usual order; for a name, its moves.
    pub text: String,
}

impl Position {
    /// The format of the text.
    pub fn format(&self) -> Format {
        match self.given {
            Given::Facelets(_) => Format::Facelets,
            Given::Reid => Format::Reid,
            Given::Moves(_) => Format::Moves,
        }
    }
}

/// Reads a text in the given format, or in the one that is detected.
///
/// # Errors
/// A [`Fault`] that names everything that is wrong. For a text with several possible formats, it names the
/// formats.
pub fn parse(text: &str, format: Option<Format>) -> Result<Position, Fault> {
    if is_blank(text) {
        return Err(Fault { format, defects: vec![Defect::Empty] });
    }
    if let Some(moves) = link::moves(text).filter(|_| format.is_none_or(|format| format == Format::Moves)) {
        return moves
            .map_err(|defect| Fault::of(Format::Moves, vec![defect]))
            .and_then(|moves| read(&moves, Format::Moves));
    }
    let read = format.map_or_else(|| detect(text), Ok).and_then(|format| read(text, format));
    // All fields can be moves, and only some of them may be meant.
    if let Some(fields) = row::of_tabs(text).filter(|_| read.is_ok() && format.is_none()) {
        return field(&fields, format);
    }
    read.or_else(|fault| pasted(text, format).unwrap_or(Err(fault)))
}

/// Reads a text in a format.
fn read(text: &str, format: Format) -> Result<Position, Fault> {
    let (cube, orientation, given) = match format {
        Format::Facelets => {
            let read = facelets::parse(text)?;
            (read.cube, read.orientation, Given::Facelets(read.centres))
        }
        Format::Reid => (reid::parse(text)?, Orientation::HOME, Given::Reid),
        Format::Moves => {
            let read = scramble::parse(text)?;
            (read.cube(), read.orientation, Given::Moves(read.turns))
        }
    };
    Ok(Position { cube, orientation, given, text: text.to_string() })
}

/// Reads a cube in a wrapping (a net, a line of a list, a name); `None` if the text is none of these.
/// Called only where a text cannot be read as it is, so no readable text changes its meaning.
fn pasted(text: &str, format: Option<Format>) -> Option<Result<Position, Fault>> {
    let may_be = |wanted| format.is_none_or(|format| format == wanted);
    if let Some(facelets) = net::unfold(text).filter(|_| may_be(Format::Facelets)) {
        return Some(read(&facelets, Format::Facelets));
    }
    if let Some(moves) = list::scramble(text).filter(|_| may_be(Format::Moves)) {
        let empty = text::is_blank(&moves);
        return Some(if empty {
            Err(Fault::of(Format::Moves, vec![Defect::Empty]))
        } else {
            read(&moves, Format::Moves)
        });
    }
    if let Some(fields) = row::fields(text) {
        return Some(field(&fields, format));
    }
    let named = names::find(text).filter(|_| format.is_none())?;
    Some(read(named.moves, Format::Moves))
}

/// Whether a word has the form of a move, known or not.
fn is_like_a_move(word: &str) -> bool {
    word.starts_with(|c: char| c.is_alphabetic()) && word.chars().count() <= 3
}

/// Reads the field of a row that is a cube.
fn field(fields: &[String], format: Option<Format>) -> Result<Position, Fault> {
    let single = |field: &&String| field.chars().count() == 1;
    if fields.len() > 9 && fields.iter().filter(|field| !field.is_empty()).all(|field| single(&field)) {
        return read(&fields.concat(), Format::Facelets);
    }
    let one = |field: &String| {
        let format = format.map_or_else(|| detect(field), Ok).ok().filter(|_| !text::is_blank(field))?;
        read(field, format).ok()
    };
    let all = fields.iter().enumerate().filter_map(|(at, field)| Some((at + 1, field, one(field)?)));
    let mut cubes: Vec<(usize, &String, Position)> = all.collect();
    match cubes.len() {
        0 => Err(Fault::unread(Defect::NoField(fields.len()))),
        // A row has a time or a number beside the cube. Words alone are moves, one of which is unknown.
        1 if fields.iter().filter(|field| !field.is_empty()).count() > 1
            && fields.iter().flat_map(|field| field.split_whitespace()).all(is_like_a_move) =>
        {
            read(&fields.join(" "), Format::Moves)
        }
        1 => Ok(cubes.remove(0).2),
        _ => {
            let named = cubes.into_iter().map(|(number, field, _)| (number, field.clone())).collect();
            Err(Fault::unread(Defect::Fields(named)))
        }
    }
}

/// Whether a text has no cube: only white space and comments, or the header of a list.
pub fn is_blank(text: &str) -> bool {
    text::is_blank(text) || row::is_header(text)
}

/// Detects the format of a text.
///
/// # Errors
/// [`Defect::Ambiguous`] with the candidates.
fn detect(text: &str) -> Result<Format, Fault> {
    let (symbols, words) = (text::symbols(text), text::words(text));
    let about_54 = (45..=63).contains(&symbols.len());
    if !symbols.iter().all(|&symbol| is_face_letter(symbol)) {
        if !about_54 || kinds(&symbols) > 7 {
            return Ok(Format::Moves);
        }
        return match scramble::parse(text).is_ok() {
            true if symbols.iter().all(|symbol| symbol.is_alphabetic()) && kinds(&symbols) > 5 => {
                ambiguous(&[Format::Facelets, Format::Moves])
            }
            true => Ok(Format::Moves),
            false => Ok(Format::Facelets),
        };
    }
    let of_length = |n: usize| words.iter().filter(|word| word.chars().count() == n).count();
    let alone = of_length(1) == words.len();
    match (symbols.len(), words.len()) {
        (_, 20) if of_length(2) == 12 && of_length(3) == 8 => Ok(Format::Reid),
        (54, _) if !alone => Ok(Format::Facelets),
        (54, _) => ambiguous(&[Format::Facelets, Format::Moves]),
        (_, 10..) if of_length(2) + of_length(3) == words.len() => ambiguous(&[Format::Reid, Format::Moves]),
        _ if about_54 && !alone => Err(miscounted(text)),
        _ => Ok(Format::Moves),
    }
}

fn ambiguous(candidates: &[Format]) -> Result<Format, Fault> {
    Err(Fault::unread(Defect::Ambiguous(candidates.to_vec())))
}

/// The defects of almost 54 face letters, with the remark that they may be moves.
fn miscounted(text: &str) -> Fault {
    let mut defects = facelets::parse(text).err().map_or(Vec::new(), |fault| fault.defects);
    defects.push(Defect::Perhaps(Format::Moves));
    Fault::of(Format::Facelets, defects)
}

fn is_face_letter(symbol: char) -> bool {
    "URFDLBurfdlb".contains(symbol)
}

/// The number of different symbols.
fn kinds(symbols: &[char]) -> usize {
    symbols.iter().collect::<std::collections::HashSet<_>>().len()
}
