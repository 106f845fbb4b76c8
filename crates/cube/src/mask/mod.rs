//! Goals that ignore some pieces, or their orientation.
//!
//! A mask says of each cubie whether it must be solved, be in place in any orientation, or does not
//! matter. The goal is the set of all legal cubes that the mask [accepts](Mask::accepts): the solved
//! cube, and every other that differs from it only in what is ignored.
//!
//! Techniques that need the solved cube as the only goal are not used: symmetries of the position,
//! and the inverse, whose goal is another set.

use crate::cube::{CORNERS, Cube, EDGES, Face, name};
use std::collections::BTreeSet;
use std::fmt;

/// What a goal ignores of the corners or of the edges; bit `i` stands for cubie `i`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Freedom {
    /// The cubies that do not matter.
    pub ignored: u16,
    /// Those that must be in place, in any orientation; none of the [`ignored`](Freedom::ignored).
    pub turned: u16,
}

/// What a goal ignores.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Mask {
    /// What it ignores of the corners.
    pub corners: Freedom,
    /// What it ignores of the edges.
    pub edges: Freedom,
}

/// Some corners and edges; bit `i` stands for cubie `i`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pieces {
    /// The corners.
    pub corners: u16,
    /// The edges.
    pub edges: u16,
}

/// All eight corners.
pub(crate) const ALL_CORNERS: u16 = 0xff;
/// All twelve edges.
const ALL_EDGES: u16 = 0xfff;

impl Freedom {
    /// Whether nothing is ignored.
    pub fn is_none(self) -> bool {
        self == Freedom::default()
    }

    /// The bits of a cubie's `value | orientation << 4` that matter.
    pub fn compared(self, cubie: usize) -> u8 {
        match (self.ignored >> cubie & 1, self.turned >> cubie & 1) {
            (1, _) => 0,
            (_, 1) => 0x0f,
            _ => 0xff,
        }
    }

    fn accepts(self, cubies: &[u8]) -> bool {
        let is_fine = |(location, &v): (usize, &u8)| {
            let cubie = v & 15;
            ((location as u8 | v & 0xf0) ^ cubie) & self.compared(cubie.into()) == 0
        };
        cubies.iter().enumerate().all(is_fine)
    }

    /// Whether an odd permutation of these cubies can be accepted.
    fn has_odd(self) -> bool {
        self.ignored.count_ones() >= 2
    }
}

impl Mask {
    /// The goal that ignores `ignored`, and the orientation of `turned`.
    pub fn new(ignored: Pieces, turned: Pieces) -> Mask {
        let freedom = |ignored: u16, turned: u16| Freedom { ignored, turned: turned & !ignored };
        Mask {
            corners: freedom(ignored.corners, turned.corners),
            edges: freedom(ignored.edges, turned.edges),
        }
    }

    /// Whether the goal is the solved cube alone.
    pub fn is_none(&self) -> bool {
        *self == Mask::default()
    }

    /// Whether `cube` is a goal.
    pub fn accepts(&self, cube: &Cube) -> bool {
        self.corners.accepts(&cube.corners) && self.edges.accepts(&cube.edges)
    }

    /// Whether there are goals of both parities: of odd and of even numbers of quarter turns.
    pub fn has_both_parities(&self) -> bool {
        self.corners.has_odd() && self.edges.has_odd()
    }

    /// The mask of the same pieces for cubes that are renamed so that `goal` becomes the solved one:
    /// a piece is named by its location in `goal`.
    #[must_use]
    pub fn renamed(&self, goal: &Cube) -> Mask {
        let freedom = |of: Freedom, at: &[u8]| {
            let set = |from: u16| {
                let is_in = |&(_, v): &(usize, &u8)| from >> (v & 15) & 1 == 1;
                at.iter().enumerate().filter(is_in).fold(0, |set, (location, _)| set | 1 << location)
            };
            Freedom { ignored: set(of.ignored), turned: set(of.turned) }
        };
        Mask { corners: freedom(self.corners, &goal.corners), edges: freedom(self.edges, &goal.edges) }
    }
}

impl fmt::Display for Mask {
    /// `ignore UF,URF; any orientation of DR`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = |corners: u16, edges: u16| {
            let corners = CORNERS.iter().enumerate().filter(move |(i, _)| corners >> i & 1 == 1);
            let edges = EDGES.iter().enumerate().filter(move |(i, _)| edges >> i & 1 == 1);
            let names: Vec<String> =
                corners.map(|(_, c)| name(c)).chain(edges.map(|(_, e)| name(e))).collect();
            names.join(",")
        };
        let parts = [
            ("ignore ", names(self.corners.ignored, self.edges.ignored)),
            ("any orientation of ", names(self.corners.turned, self.edges.turned)),
        ];
        let parts: Vec<String> = parts
            .iter()
            .filter(|(_, names)| !names.is_empty())
            .map(|(what, names)| format!("{what}{names}"))
            .collect();
        f.write_str(&parts.join("; "))
    }
}

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
        // A face's letter alone is in all its pieces; of two or three letters the piece has no other.
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::scramble;

    fn after(moves: &str) -> Cube {
        Cube::SOLVED.apply_all(scramble::parse(moves).unwrap().turns)
    }

    fn mask(ignored: &str, turned: &str) -> Mask {
        Mask::new(Pieces::parse(ignored).unwrap(), Pieces::parse(turned).unwrap())
    }

    #[test]
    fn pieces_have_names() {
        assert_eq!(Pieces::parse("FU, fru"), Ok(Pieces { corners: 1, edges: 2 }));
        assert_eq!(Pieces::parse("U"), Ok(Pieces { corners: 0x0f, edges: 0x0f }));
        assert_eq!(Pieces::parse("corners,edges"), Ok(Pieces::ALL));
        assert_eq!(Pieces::parse(""), Ok(Pieces::NONE));
        for bad in ["UD", "X", "UU", "URFD", "UFU", "edge"] {
            assert_eq!(Pieces::parse(bad), Err(UnknownPiece(bad.to_owned())));
        }
        assert_eq!(mask("UF,URF", "UF,DR").to_string(), "ignore URF,UF; any orientation of DR");
    }

    #[test]
    fn a_mask_accepts_what_differs_in_what_it_leaves_out() {
        let last_layer = mask("U", "");
        assert!(last_layer.accepts(&after("R U R' U R U2 R'")));
        assert!(!last_layer.accepts(&after("R U R' U R U2 R")));
        let turned = mask("", "UF,UB");
        assert!(Mask::default().accepts(&Cube::SOLVED) && !Mask::default().accepts(&after("U")));
        assert!(turned.accepts(&Cube::SOLVED) && !turned.accepts(&after("U2")));
        // Two edges flipped where they are.
        let mut flipped = Cube::SOLVED;
        (flipped.edges[1], flipped.edges[3]) = (flipped.edges[1] ^ 16, flipped.edges[3] ^ 16);
        assert!(turned.accepts(&flipped) && !mask("", "UF").accepts(&flipped));
    }

    #[test]
    fn a_mask_can_be_renamed_for_any_goal() {
        let goal = after("R U2 F' L D B2 R'");
        let mask = mask("UF,URF,DL", "DR,DLF");
        for moves in ["", "R", "F2 U", "L D' L'"] {
            // What differs from the goal in the mask's pieces alone.
            let cube = after(moves);
            let reached = goal.compose(&cube);
            let differs = |of: Freedom, reached: &[u8], goal: &[u8]| {
                reached.iter().zip(goal).any(|(r, g)| {
                    let location_differs = (r ^ g) & 15 != 0;
                    let needed = of.compared((r & 15).into());
                    needed != 0 && (location_differs || (r ^ g) & needed & 0xf0 != 0)
                })
            };
            let wrong = differs(mask.corners, &reached.corners, &goal.corners)
                || differs(mask.edges, &reached.edges, &goal.edges);
            let renamed = goal.inverse().compose(&reached);
            assert_eq!(mask.renamed(&goal).accepts(&renamed), !wrong, "{moves}");
        }
    }
}
