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
    #[error("{}column {column}: {text:?} is not a move{}", on_line(*.line), clause(.expected))]
    Token {
        /// The text that is not understood.
        text: String,
        /// Its line, from 1.
        line: usize,
        /// The column of its first character, from 1.
        column: usize,
        /// What would be accepted; empty if another defect says it already.
        expected: &'static str,
    },
    /// Further tokens that are not moves.
    #[error("and {0} more that are not moves")]
    MoreTokens(usize),
    /// A count of moves that is not that of the moves before it.
    #[error(
        "{}column {column}: the count says {said} moves, but there are {counted}; is the line cut off?",
        on_line(*.line)
    )]
    Count {
        /// Its line, from 1.
        line: usize,
        /// Its column, from 1.
        column: usize,
        /// The number that is written.
        said: usize,
        /// The number of moves.
        counted: usize,
    },
    /// Several fields of a row that can each be a cube.
    #[error("several fields of the row can be a cube: {}; give one alone", fields(.0))]
    Fields(Vec<(usize, String)>),
    /// A row of a list, none of whose fields is a cube.
    #[error("a row of {0} fields, none of which is a cube")]
    NoField(usize),
    /// A link without a single scramble.
    #[error("{0}")]
    Link(String),
    /// Facelets in another order of the faces.
    #[error("{}", face_order(.0))]
    FaceOrder(String),
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
    /// An order of the faces that does not name each of them once.
    #[error("an order of the faces names each of U R F D L B once")]
    FaceNames,
    /// Not 54 facelets.
    #[error("{}; a cube has 54", facelets(*.0))]
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

fn clause(expected: &str) -> String {
    if expected.is_empty() { String::new() } else { format!("; expected {expected}") }
}

/// A number of facelets, with the size of the cube that has as many.
fn facelets(count: usize) -> String {
    match [2, 4, 5, 6, 7].into_iter().find(|size| 6 * size * size == count) {
        Some(size) => format!("{count} facelets, as a {size}x{size}x{size} cube has"),
        None => format!("{count} facelets"),
    }
}

fn face_order(order: &str) -> String {
    let spaced = spaced(&order.chars().collect::<Vec<_>>());
    format!("valid in the face order {spaced}, and in that alone: use --faces {order}")
}

fn fields(fields: &[(usize, String)]) -> String {
    fields.iter().map(|(number, text)| format!("field {number} ({text:?})")).collect::<Vec<_>>().join(" and ")
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
