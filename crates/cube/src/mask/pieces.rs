//! Sets of pieces, and their names.

use crate::cube::{CORNERS, EDGES, Face, name};
use std::collections::BTreeSet;
use std::fmt;

/// Some corners and edges; bit `i` stands for cubie `i`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pieces {
    /// The corners.
    pub corners: u16,
    /// The edges.
    pub edges: u16,
}

/// All eight corners.
const ALL_CORNERS: u16 = 0xff;
/// All twelve edges.
const ALL_EDGES: u16 = 0xfff;

/// A name of neither a piece nor a group of pieces.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0:?} is not a piece: an edge is named by two letters (UF), a corner by three (URF), in any order; a single \
     letter (U) stands for all pieces of the face; the groups are corners, edges and all"
)]
pub struct UnknownPiece(String);

impl Pieces {
    /// No piece.
    pub const NONE: Pieces = Pieces { corners: 0, edges: 0 };
    /// All pieces.
    pub const ALL: Pieces = Pieces { corners: ALL_CORNERS, edges: ALL_EDGES };

    /// The pieces of a list of names: `UF,URF`, a face's letter, `corners`, `edges`, `all`.
    ///
    /// # Errors
    /// The first name that is unknown.
    pub fn parse(list: &str) -> Result<Pieces, UnknownPiece> {
        let mut pieces = Pieces::NONE;
        for name in list.split([',', ' ']).filter(|name| !name.is_empty()) {
            let named = Pieces::named(name).ok_or_else(|| UnknownPiece(name.to_owned()))?;
            pieces = Pieces { corners: pieces.corners | named.corners, edges: pieces.edges | named.edges };
        }
        Ok(pieces)
    }

    fn named(name: &str) -> Option<Pieces> {
        match name.to_ascii_lowercase().as_str() {
            "corners" => return Some(Pieces { edges: 0, ..Pieces::ALL }),
            "edges" => return Some(Pieces { corners: 0, ..Pieces::ALL }),
            "all" => return Some(Pieces::ALL),
            _ => {}
        }
        let letters: BTreeSet<char> = name.to_ascii_uppercase().chars().collect();
        // A single letter matches all pieces of its face; two or three letters must be exactly those of the piece.
        let is_named = |faces: &[Face]| {
            let own: BTreeSet<char> = faces.iter().map(|face| face.letter()).collect();
            letters.is_subset(&own) && (name.len() == 1 || name.len() == faces.len() && letters == own)
        };
        let corners = CORNERS.iter().enumerate().filter(|(_, corner)| is_named(*corner));
        let edges = EDGES.iter().enumerate().filter(|(_, edge)| is_named(*edge));
        let pieces = Pieces {
            corners: corners.fold(0, |set, (i, _)| set | 1 << i),
            edges: edges.fold(0, |set, (i, _)| set | 1 << i),
        };
        (pieces != Pieces::NONE).then_some(pieces)
    }

    /// All other pieces.
    #[must_use]
    pub fn others(self) -> Pieces {
        Pieces { corners: !self.corners & ALL_CORNERS, edges: !self.edges & ALL_EDGES }
    }

    /// These pieces and `more`.
    #[must_use]
    pub fn and(self, more: Pieces) -> Pieces {
        Pieces { corners: self.corners | more.corners, edges: self.edges | more.edges }
    }

    /// These pieces without `less`.
    #[must_use]
    pub fn without(self, less: Pieces) -> Pieces {
        Pieces { corners: self.corners & !less.corners, edges: self.edges & !less.edges }
    }

    /// Whether the sets have a piece in common.
    pub fn meets(self, other: Pieces) -> bool {
        self.corners & other.corners | self.edges & other.edges != 0
    }
}

impl fmt::Display for Pieces {
    /// `URF,UF`: the corners, then the edges.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let corners = CORNERS.iter().enumerate().filter(|(i, _)| self.corners >> i & 1 == 1);
        let edges = EDGES.iter().enumerate().filter(|(i, _)| self.edges >> i & 1 == 1);
        let names: Vec<String> = corners.map(|(_, c)| name(c)).chain(edges.map(|(_, e)| name(e))).collect();
        f.write_str(&names.join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_have_names() {
        assert_eq!(Pieces::parse("FU, fru"), Ok(Pieces { corners: 1, edges: 2 }));
        assert_eq!(Pieces::parse("U"), Ok(Pieces { corners: 0x0f, edges: 0x0f }));
        assert_eq!(Pieces::parse("corners,edges"), Ok(Pieces::ALL));
        assert_eq!(Pieces::parse(""), Ok(Pieces::NONE));
        for bad in ["UD", "X", "UU", "URFD", "UFU", "edge"] {
            assert_eq!(Pieces::parse(bad), Err(UnknownPiece(bad.to_owned())));
        }
        assert_eq!(Pieces::parse("RF,FUR,UF").unwrap().to_string(), "URF,UF,FR");
    }
}
