//! All possible defects of a text, with a message for each.

use super::format::Format;
use std::fmt;

/// The reason why a text is not a position: one or more defects.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct Fault {
    /// The format that the text was read as, if one was chosen.
    pub format: Option<Format>,
    /// The defects, in the order in which they were found.
    pub defects: Vec<Defect>,
}

impl Fault {
    /// A fault with these defects in a text read as `format`.
    pub(crate) fn of(format: Format, defects: Vec<Defect>) -> Fault {
        Fault { format: Some(format), defects }
    }

    /// The remedy, where no defect names it.
    pub fn remedy(&self) -> Option<&'static str> {
        let has = |is: fn(&Defect) -> bool| self.defects.iter().any(is);
        if has(|defect| matches!(defect, Defect::FaceOrder(_) | Defect::Perhaps(_))) {
            None
        } else if has(|defect| matches!(defect, Defect::FaceletCount(_))) {
            Some("write nine facelets for each face, in the order U R F D L B")
        } else if has(|defect| matches!(defect, Defect::Piece { .. } | Defect::SymbolCount { .. })) {
            Some("compare these stickers with the cube, or name another order of the faces with --faces")
        } else if has(|defect| matches!(defect, Defect::MoreTokens(_))) {
            Some("is this a cube? moves are written as R U2 F'")
        } else if has(|defect| matches!(defect, Defect::Fields(_))) {
            Some("give only one of them, or choose a column with --column")
        } else {
            None
        }
    }

    /// A fault with one defect, found before a format was chosen.
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

/// The reason why the stickers at a location belong to no piece.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Impossible {
    /// A sticker has a symbol that belongs to no face.
    #[error("{0} is not the symbol of any face")]
    Strange(char),
    /// Two stickers belong to the same face.
    #[error("it has {0} twice")]
    Equal(char),
    /// Two stickers belong to opposite faces.
    #[error("{0} and {1} are opposite faces")]
    Opposite(char, char),
    /// The three stickers are in the wrong rotational order.
    #[error("it is the mirror image of the corner {0}")]
    Mirrored(String),
}

/// One defect of a text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Defect {
    /// The text is empty.
    #[error("nothing to read")]
    Empty,
    /// The text can be read in several formats.
    #[error("this can be read as {}; choose with {}", either(.0, ""), either(.0, "--from "))]
    Ambiguous(Vec<Format>),
    /// A token that is not a move.
    #[error("{}column {column}: {text:?} is not a move{}", on_line(*.line), clause(.expected))]
    Token {
        /// The token.
        text: String,
        /// Its line, from 1.
        line: usize,
        /// The column of its first character, from 1.
        column: usize,
        /// The accepted forms; empty if an earlier defect has the same text.
        expected: &'static str,
    },
    /// Further tokens that are not moves.
    #[error("and {0} more that are not moves")]
    MoreTokens(usize),
    /// A printed number of moves that differs from the number of moves before it.
    #[error(
        "{}column {column}: the count says {said} moves, but there are {counted}; is the line cut off?",
        on_line(*.line)
    )]
    Count {
        /// Its line, from 1.
        line: usize,
        /// Its column, from 1.
        column: usize,
        /// The printed number.
        said: usize,
        /// The actual number of moves.
        counted: usize,
    },
    /// Several fields of a row that can each be a cube.
    #[error("several fields of the row can be read as a cube: {}", fields(.0))]
    Fields(Vec<(usize, String)>),
    /// A row of a list in which no field is a cube.
    #[error("a row of {0} fields, none of which is a cube")]
    NoField(usize),
    /// A link without a single scramble.
    #[error("{0}")]
    Link(String),
    /// Facelets in another order of the faces.
    #[error("{}", face_order(.0))]
    FaceOrder(String),
    /// A bracket that cannot be read, or a comma or colon in one.
    #[error("{}column {column}: \"{text}\": {why}", on_line(*.line))]
    Bracket {
        /// The character.
        text: char,
        /// Its line, from 1.
        line: usize,
        /// Its column, from 1.
        column: usize,
        /// The reason.
        why: &'static str,
    },
    /// Brackets that expand to too many moves; the limit.
    #[error("the brackets expand to more than {0} moves")]
    TooManyMoves(usize),
    /// Moves that leave the cube rotated where they must not.
    #[error("the moves leave the cube rotated by {0}; write them as face turns")]
    Rotation(String),
    /// The text was read in one format, but another may be meant.
    #[error("if these are {0}, use --from {0}")]
    Perhaps(Format),
    /// A face order that does not name each face once.
    #[error("a face order must name each of U R F D L B exactly once")]
    FaceNames,
    /// A number of facelets other than 54.
    #[error("{}; a cube has 54", facelets(*.0))]
    FaceletCount(usize),
    /// A number of different symbols other than six.
    #[error("{} different symbols instead of 6: {}", .0.len(), spaced(.0))]
    SymbolKinds(Vec<char>),
    /// A symbol that does not occur nine times.
    #[error("{symbol} occurs {count} times instead of 9")]
    SymbolCount {
        /// The symbol.
        symbol: char,
        /// The number of occurrences.
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
    /// A number of cubies other than 20.
    #[error("{0} cubies instead of 20")]
    CubieCount(usize),
    /// A word of the wrong length among Reid's cubies.
    #[error("cubie {number} ({text:?}) is at {location} and needs {needed} letters")]
    CubieLength {
        /// The number of the cubie, from 1.
        number: usize,
        /// The word.
        text: String,
        /// The location that it describes.
        location: &'static str,
        /// The required number of letters.
        needed: usize,
    },
    /// Stickers that belong to no piece.
    #[error("the {kind} at {location} shows {stickers}: {why}")]
    Piece {
        /// Corner or edge.
        kind: Kind,
        /// The location's faces.
        location: String,
        /// The stickers, in the order of the location's faces.
        stickers: String,
        /// The reason.
        why: Impossible,
    },
    /// A piece that occurs more than once.
    #[error("the {kind} {piece} occurs at {}", and(.locations))]
    Duplicate {
        /// Corner or edge.
        kind: Kind,
        /// The piece, in the symbols of the text.
        piece: String,
        /// The locations where it occurs.
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
        "a corner is twisted {}: twist one corner {} to repair the cube",
        sense(*.clockwise), sense(!*.clockwise)
    )]
    Twist {
        /// Whether the twists add up to one clockwise twist.
        clockwise: bool,
    },
    /// The edges' flips do not cancel.
    #[error("an edge is flipped: flip one edge to repair the cube")]
    Flip,
    /// The permutations of corners and edges differ in parity.
    #[error("two pieces are swapped: swap two corners or two edges to repair the cube")]
    Parity,
}

fn clause(expected: &str) -> String {
    if expected.is_empty() { String::new() } else { format!("; expected {expected}") }
}

/// A number of facelets, with the size of the cube that has this number.
fn facelets(count: usize) -> String {
    match [2, 4, 5, 6, 7].into_iter().find(|size| 6 * size * size == count) {
        Some(size) => format!("{count} facelets, as a {size}x{size}x{size} cube has"),
        None => format!("{count} facelets"),
    }
}

fn face_order(order: &str) -> String {
    let spaced = spaced(&order.chars().collect::<Vec<_>>());
    format!("valid only in the face order {spaced}: use --faces {order}")
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
