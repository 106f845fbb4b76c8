//! Everything that can be wrong with a text, with a message for each defect.

use super::detect::Format;
use std::fmt;

/// Why a text is not a position: its defects, at least one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct Fault {
    /// The format that the text was read as, where that was settled.
    pub format: Option<Format>,
    /// The defects, in the order in which they were found.
    pub defects: Vec<Defect>,
}

impl Fault {
    /// The defects of a text read as `format`.
    pub(crate) fn of(format: Format, defects: Vec<Defect>) -> Fault {
        Fault { format: Some(format), defects }
    }

    /// One defect, before any format was settled.
    pub(crate) fn unread(defect: Defect) -> Fault {
        Fault { format: None, defects: vec![defect] }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(format) = self.format {
            write!(f, "read as {format}: ")?;
        }
        let messages: Vec<String> = self.defects.iter().map(Defect::to_string).collect();
        f.write_str(&messages.join("; "))
    }
}

/// Whether a piece is a corner or an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A piece with three stickers.
    Corner,
    /// A piece with two stickers.
    Edge,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Corner => "corner",
            Kind::Edge => "edge",
        })
    }
}

/// Why the stickers at a location are not those of any piece.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Impossible {
    /// A sticker has a symbol that belongs to no face.
    #[error("{0} is no face's symbol")]
    Strange(char),
    /// Two stickers are of the same face.
    #[error("it has {0} twice")]
    Equal(char),
    /// Two stickers are of opposite faces.
    #[error("{0} and {1} are opposite faces")]
    Opposite(char, char),
    /// The three stickers run the wrong way around.
    #[error("it is the mirror image of the corner {0}")]
    Mirrored(String),
}

/// One thing that is wrong with a text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Defect {
    /// The text is empty.
    #[error("nothing to read")]
    Empty,
    /// The text can be read in several ways.
    #[error("this can be read as {}; say which with {}", either(.0, ""), either(.0, "--from "))]
    Ambiguous(Vec<Format>),
    /// Something that is not a move.
    #[error("{}column {column}: {text:?} is not a move; expected {expected}", on_line(*.line))]
    Token {
        /// The text that is not understood.
        text: String,
        /// Its line, from 1.
        line: usize,
        /// The column of its first character, from 1.
        column: usize,
        /// What would be accepted.
        expected: &'static str,
    },
    /// A bracket, or a comma or colon in one, that cannot be read.
    #[error("{}column {column}: \"{text}\": {why}", on_line(*.line))]
    Bracket {
        /// The character.
        text: char,
        /// Its line, from 1.
        line: usize,
        /// Its column, from 1.
        column: usize,
        /// What is wrong with it.
        why: &'static str,
    },
    /// Brackets that stand for more moves than this.
    #[error("the brackets expand to more than {0} moves")]
    TooManyMoves(usize),
    /// Moves that must leave the cube held as it was, and do not.
    #[error("the moves end with the cube turned by {0}; write them as turns of faces")]
    Rotation(String),
    /// The text was read in one format, and may be meant in another.
    #[error("if these are {0}, say so with --from {0}")]
    Perhaps(Format),
    /// Not 54 facelets.
    #[error("{0} facelets; a cube has 54")]
    FaceletCount(usize),
    /// Not six different symbols.
    #[error("{} different symbols instead of 6: {}", .0.len(), spaced(.0))]
    SymbolKinds(Vec<char>),
    /// A symbol that does not occur nine times.
    #[error("{symbol} occurs {count} times instead of 9")]
    SymbolCount {
        /// The symbol.
        symbol: char,
        /// How often it occurs.
        count: usize,
    },
    /// Centres with the same symbol.
    #[error("the centres of the faces {} are all {symbol}", and(.faces))]
    SameCentre {
        /// The symbol.
        symbol: char,
        /// The letters of the faces.
        faces: Vec<String>,
    },
    /// Not 20 cubies.
    #[error("{0} cubies instead of 20")]
    CubieCount(usize),
    /// A word of the wrong length among Reid's cubies.
    #[error("cubie {number} ({text:?}) is at {location} and needs {needed} letters")]
    CubieLength {
        /// Which cubie, from 1.
        number: usize,
        /// The word.
        text: String,
        /// The location that it is given for.
        location: &'static str,
        /// How many letters it should have.
        needed: usize,
    },
    /// The stickers at a location are not those of any piece.
    #[error("the {kind} at {location} shows {stickers}: {why}")]
    Piece {
        /// Corner or edge.
        kind: Kind,
        /// The location's faces.
        location: String,
        /// The stickers, in the order of the location's faces.
        stickers: String,
        /// Why it is impossible.
        why: Impossible,
    },
    /// A piece that occurs more than once.
    #[error("the {kind} {piece} occurs at {}", and(.locations))]
    Duplicate {
        /// Corner or edge.
        kind: Kind,
        /// The piece, in the symbols of the text.
        piece: String,
        /// Where it is.
        locations: Vec<String>,
    },
    /// A piece that does not occur.
    #[error("the {kind} {piece} is missing")]
    Missing {
        /// Corner or edge.
        kind: Kind,
        /// The piece, in the symbols of the text.
        piece: String,
    },
    /// The corners' twists do not cancel.
    #[error(
        "one corner is twisted {} (or several that amount to it): twist any one corner {} to repair it",
        sense(*.clockwise), sense(!*.clockwise)
    )]
    Twist {
        /// Whether the sum of all twists is that of one clockwise twist.
        clockwise: bool,
    },
    /// The edges' flips do not cancel.
    #[error("one edge is flipped (or an odd number of them): flip any one edge to repair it")]
    Flip,
    /// Corners and edges are permuted with different parity.
    #[error(
        "the permutation has odd parity: two pieces are swapped, swap any two corners or any two edges to repair it"
    )]
    Parity,
}

fn sense(clockwise: bool) -> &'static str {
    if clockwise { "clockwise" } else { "counterclockwise" }
}

fn spaced(symbols: &[char]) -> String {
    symbols.iter().map(char::to_string).collect::<Vec<_>>().join(" ")
}

fn on_line(line: usize) -> String {
    if line > 1 { format!("line {line}, ") } else { String::new() }
}

fn either(formats: &[Format], before: &str) -> String {
    formats.iter().map(|format| format!("{before}{format}")).collect::<Vec<_>>().join(" or ")
}

fn and(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}
