//! Named goals, for a cube held with the face D at the bottom.

use super::{Alternative, Axis, Goals, Mask, Matters, Pieces, slice};
use crate::cube::{Face, Turn};
use crate::symmetry::Symmetry;
use std::str::FromStr;

/// A named goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Named {
    /// The four edges of the bottom.
    Cross,
    /// The cross, and one corner of the bottom with the edge above it.
    Xcross,
    /// The cross, and two such pairs.
    Xxcross,
    /// The cross, and three such pairs.
    Xxxcross,
    /// All but the top layer.
    F2l,
    /// The first two layers, and the top layer oriented.
    Oll,
    /// Everything up to a final turn of the top.
    Pll,
    /// All edges oriented: they can be solved without quarter turns of F and B.
    Eo,
    /// All edges oriented, and DF and DB solved.
    EoLine,
    /// All edges oriented, and the cross solved.
    EoCross,
    /// All corners oriented: their stickers of top and bottom are on top and bottom.
    Co,
    /// The subgroup ⟨U, D, R2, L2, F2, B2⟩.
    Dr,
    /// The subgroup of half turns.
    Htr,
    /// The subgroup ⟨R2, L2, F2, B2⟩.
    Fr,
    /// A block of a corner and the three edges next to it.
    Block222,
    /// A block of two such corners.
    Block223,
    /// A block of two corners of the bottom and the three edges between them.
    RouxBlock,
    /// Two such blocks on opposite sides.
    RouxBlocks,
}

/// A word that is no name of a goal.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{name:?} is no goal: the names are {}", Named::ALL.map(Named::name).join(", "))]
pub struct UnknownGoal {
    name: String,
}

impl FromStr for Named {
    type Err = UnknownGoal;

    fn from_str(name: &str) -> Result<Named, UnknownGoal> {
        let named =
            Named::ALL.into_iter().find(|named| named.name() == name || named.other_name() == Some(name));
        named.ok_or_else(|| UnknownGoal { name: name.to_owned() })
    }
}

impl Named {
    /// All named goals.
    pub const ALL: [Named; 18] = [
        Named::Cross,
        Named::Xcross,
        Named::Xxcross,
        Named::Xxxcross,
        Named::F2l,
        Named::Oll,
        Named::Pll,
        Named::Eo,
        Named::EoLine,
        Named::EoCross,
        Named::Co,
        Named::Dr,
        Named::Htr,
        Named::Fr,
        Named::Block222,
        Named::Block223,
        Named::RouxBlock,
        Named::RouxBlocks,
    ];

    /// Reads names that are separated by commas.
    ///
    /// # Errors
    /// [`UnknownGoal`] for the first word that is no name.
    pub fn list(text: &str) -> Result<Vec<Named>, UnknownGoal> {
        text.split(',').map(|name| name.trim().parse()).collect()
    }

    /// The name.
    pub const fn name(self) -> &'static str {
        match self {
            Named::Cross => "cross",
            Named::Xcross => "xcross",
            Named::Xxcross => "xxcross",
            Named::Xxxcross => "xxxcross",
            Named::F2l => "f2l",
            Named::Oll => "oll",
            Named::Pll => "pll",
            Named::Eo => "eo",
            Named::EoLine => "eoline",
            Named::EoCross => "eocross",
            Named::Co => "co",
            Named::Dr => "dr",
            Named::Htr => "htr",
            Named::Fr => "fr",
            Named::Block222 => "222",
            Named::Block223 => "223",
            Named::RouxBlock => "roux1",
            Named::RouxBlocks => "roux2",
        }
    }

    /// Another name for the same goal.
    pub const fn other_name(self) -> Option<&'static str> {
        match self {
            Named::F2l => Some("xxxxcross"),
            Named::Fr => Some("floppy"),
            _ => None,
        }
    }

    /// A short description.
    pub const fn meaning(self) -> &'static str {
        match self {
            Named::Cross => "the four edges of the bottom",
            Named::Xcross => "the cross, and any one corner of the bottom with the edge above it",
            Named::Xxcross => "the cross, and any two such pairs",
            Named::Xxxcross => "the cross, and any three such pairs",
            Named::F2l => "all but the top layer (also called xxxxcross)",
            Named::Oll => "the first two layers, and the top layer oriented",
            Named::Pll => "everything, up to a final turn of the top",
            Named::Eo => "all edges oriented (with respect to F-B)",
            Named::EoLine => "all edges oriented, DF and DB solved",
            Named::EoCross => "all edges oriented, and the cross",
            Named::Co => "all corners oriented (with respect to U-D)",
            Named::Dr => "domino reduction: the subgroup <U,D,R2,L2,F2,B2>",
            Named::Htr => "half-turn reduction: the subgroup <U2,D2,R2,L2,F2,B2>",
            Named::Fr => "floppy reduction: the subgroup <R2,L2,F2,B2> (also called floppy)",
            Named::Block222 => "any 2x2x2 block at the bottom",
            Named::Block223 => "any 2x2x3 block with two corners at the bottom (Petrus)",
            Named::RouxBlock => "a 1x2x3 block on any side of the bottom (Roux, first block)",
            Named::RouxBlocks => "two 1x2x3 blocks on opposite sides of the bottom (Roux)",
        }
    }

    /// The goals, with `bottom` in the place of the face D. If this does not determine the front (for the line of
    /// `eoline`, the axis of `eo`), it is F if possible, and U otherwise.
    pub fn goals(self, bottom: Face) -> Goals {
        let goals = Goals::of(self.held(bottom, usual_front(bottom)).expect("the faces are adjacent"));
        match self {
            Named::Pll => goals.up_to_turn(bottom.opposite()).expect("nothing is compared away from home"),
            _ => goals,
        }
    }

    /// The alternatives, with `bottom` in the place of the face D and `front` in that of F; `None` if these are not
    /// adjacent.
    pub(super) fn held(self, bottom: Face, front: Face) -> Option<Vec<Alternative>> {
        let rotation = holding(bottom, front)?;
        let alternatives = match self {
            Named::Fr => floppy(),
            _ => self.masks().into_iter().map(Alternative::from).collect(),
        };
        Some(alternatives.iter().map(|alternative| alternative.image(rotation)).collect())
    }

    fn masks(self) -> Vec<Mask> {
        let of = |list: &str| Pieces::parse(list).expect("names of pieces");
        let cross = of("DF,DR,DB,DL");
        let (edges, corners) = (of("edges"), of("corners"));
        let solved = |pieces: Pieces| Mask::new(pieces.others(), Pieces::NONE);
        let mask = |position: Pieces, orientation: Pieces| {
            Mask::of(&Matters { position, orientation, ..Matters::NOTHING })
        };
        let any = |blocks: &[&str]| blocks.iter().map(|block| solved(of(block))).collect();
        let with_pairs = |count: u32| {
            let pairs = ["DFR,FR", "DLF,FL", "DBL,BL", "DRB,BR"];
            let chosen = (0..16_u32).filter(|chosen| chosen.count_ones() == count);
            let pieces = |chosen: u32| {
                let these = pairs.iter().enumerate().filter(|(at, _)| chosen >> at & 1 == 1);
                these.fold(cross, |pieces, (_, pair)| pieces.and(of(pair)))
            };
            chosen.map(|chosen| solved(pieces(chosen))).collect()
        };
        match self {
            Named::Cross => vec![solved(cross)],
            Named::Xcross => with_pairs(1),
            Named::Xxcross => with_pairs(2),
            Named::Xxxcross => with_pairs(3),
            Named::F2l => vec![solved(of("U").others())],
            Named::Oll => vec![mask(of("U").others(), Pieces::ALL)],
            Named::Pll => vec![Mask::default()],
            Named::Eo => vec![mask(Pieces::NONE, edges)],
            Named::EoLine => vec![mask(of("DF,DB"), edges)],
            Named::EoCross => vec![mask(cross, edges)],
            Named::Co => vec![mask(Pieces::NONE, corners)],
            Named::Dr => {
                let sets = vec![Pieces { corners: 0, edges: slice(Axis::Ud) }];
                vec![Mask::of(&Matters { orientation: Pieces::ALL, sets, ..Matters::NOTHING })]
            }
            Named::Htr => vec![Mask::half_turns()],
            Named::Fr => vec![floppy_in_place()],
            Named::Block222 => any(&["DFR,DF,DR,FR", "DLF,DF,DL,FL", "DBL,DB,DL,BL", "DRB,DB,DR,BR"]),
            Named::Block223 => any(&[
                "DFR,DRB,DR,DF,DB,FR,BR",
                "DLF,DFR,DF,DL,DR,FL,FR",
                "DBL,DLF,DL,DB,DF,BL,FL",
                "DRB,DBL,DB,DR,DL,BR,BL",
            ]),
            Named::RouxBlock => {
                any(&["DFR,DRB,DR,FR,BR", "DLF,DFR,DF,FL,FR", "DBL,DLF,DL,BL,FL", "DRB,DBL,DB,BR,BL"])
            }
            Named::RouxBlocks => {
                any(&["DFR,DRB,DLF,DBL,DR,DL,FR,BR,FL,BL", "DFR,DRB,DLF,DBL,DF,DB,FR,BR,FL,BL"])
            }
        }
    }
}

/// The elements of ⟨R2, L2, F2, B2⟩ that leave the corners in place: they exchange an even number of the pairs UR and DR,
/// UF and DF, UL and DL, UB and DB.
///
/// Why no other cube is accepted: the turns move each column of two corners and the edge between them as one. Where the
/// columns are in place, an odd number of exchanges would be an odd permutation.
fn floppy_in_place() -> Mask {
    let of = |list: &str| Pieces::parse(list).expect("names of pieces");
    let position = of("corners").and(Pieces { corners: 0, edges: slice(Axis::Ud) });
    let sets = ["UR,DR", "UF,DF", "UL,DL", "UB,DB"].map(of).to_vec();
    Mask::of(&Matters { position, orientation: Pieces::ALL, sets, ..Matters::NOTHING })
}

/// The subgroup ⟨R2, L2, F2, B2⟩, as the cosets of [`floppy_in_place`]: one for each of the 24 permutations of the columns.
/// A mask cannot describe them together, because the corners determine the edges between them.
fn floppy() -> Vec<Alternative> {
    let turns = [Face::R, Face::L, Face::F, Face::B].map(|face| Turn::new(face, 2));
    let mut cosets = vec![Alternative::from(floppy_in_place())];
    let mut done = 0;
    while done < cosets.len() {
        // The coset of `t h`, where that of `h` is known by the inverse of `h`.
        let beside =
            turns.map(|turn| Alternative { before: cosets[done].before.apply(turn), ..cosets[done] });
        for coset in beside {
            if !cosets.iter().any(|known| known.is_equivalent(&coset)) {
                cosets.push(coset);
            }
        }
        done += 1;
    }
    cosets
}

/// The face at the front when `bottom` is at the bottom and nothing else is said: F, or U if F is taken.
pub(super) fn usual_front(bottom: Face) -> Face {
    if Axis::of(bottom) == Axis::Fb { Face::U } else { Face::F }
}

/// The rotation that brings D to `bottom` and F to `front`, if they are adjacent.
fn holding(bottom: Face, front: Face) -> Option<Symmetry> {
    let fits = |symmetry: &Symmetry| {
        let action = symmetry.action();
        action.proper && action.face[Face::D.index()] == bottom && action.face[Face::F.index()] == front
    };
    Symmetry::all().find(fits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Cube;
    use crate::notation::scramble;

    fn after(moves: &str) -> Cube {
        Cube::SOLVED.apply_all(scramble::parse(moves).unwrap().turns)
    }

    #[test]
    fn named_goals_accept_the_right_cubes() {
        // For each goal, cubes that it accepts and cubes that it does not.
        let cases: [(Named, &[&str], &[&str]); 18] = [
            (Named::Cross, &["R U R'", "U"], &["D", "R", "F2"]),
            (Named::Xcross, &["R U R'", "L' U2 L B U B'"], &["D", "R", "R U R' L' U L B U B' L U L'"]),
            (Named::Xxcross, &["R U R' U L U L'", "R U R' B U B'"], &["D", "R U R' L' U L B U B'"]),
            (Named::Xxxcross, &["R U R'", "U2"], &["D", "R U R' L' U L"]),
            (Named::F2l, &["R U R' U R U2 R'", "U"], &["R", "R U R'"]),
            (Named::Oll, &["U", "R2 U R U R' U' R' U' R' U R'"], &["R U R' U R U2 R'", "R"]),
            (Named::Pll, &["U", "U2"], &["R2 U R U R' U' R' U' R' U R'", "D"]),
            (Named::Eo, &["R U L D' F2 B2", "M2 U M2"], &["F", "B'", "F U F'"]),
            (Named::EoLine, &["R U R'", "L U L'"], &["D", "F", "D2", "R2 D R2 D'"]),
            (Named::EoCross, &["R U R'", "U"], &["F", "D2", "R2"]),
            (Named::Co, &["U R2 D F2 B2", "M' U2 M"], &["R", "F", "R U R' U'"]),
            (Named::Dr, &["U R2 D' F2 B2 L2"], &["R", "F", "R U R' U'", "F B'"]),
            (
                Named::Fr,
                &["R2 F2 L2 B2 R2", "R2 L2", "M2"],
                &["U2", "U2 D2", "E2", "R2 U2 R2", "U2 R2 L2 U2", "R"],
            ),
            (Named::Htr, &["U2 R2 F2 D2 L2"], &["U", "R", "U R2 U'", "U D'"]),
            (Named::Block222, &["U R U R'", "R"], &["D", "R F2 L B2"]),
            (Named::Block223, &["U R U R'", "R"], &["D", "R B'"]),
            (Named::RouxBlock, &["U R U R'", "R U R2"], &["D", "F R B L"]),
            (Named::RouxBlocks, &["U M U2 M'", "U2"], &["D", "R"]),
        ];
        for (named, accepted, refused) in cases {
            let goals = named.goals(Face::D);
            assert!(goals.accepts(&Cube::SOLVED), "{named:?}");
            for moves in accepted {
                assert!(goals.accepts(&after(moves)), "{named:?} {moves}");
            }
            for moves in refused {
                assert!(!goals.accepts(&after(moves)), "{named:?} {moves}");
            }
        }
        assert_eq!(slice(Axis::Ud), 0xf00);
    }

    #[test]
    fn lists_of_names_are_read_whole() {
        assert_eq!(Named::list("222, xxxxcross"), Ok(vec![Named::Block222, Named::F2l]));
        for wrong in ["", "cross,", ",", "cross;eo", "Cross"] {
            assert!(Named::list(wrong).is_err(), "{wrong}");
        }
    }

    /// With another face at the bottom, a goal accepts the same cubes, rotated.
    #[test]
    fn a_goal_can_have_any_face_at_the_bottom() {
        for named in Named::ALL {
            let home = named.goals(Face::D);
            for bottom in Face::ALL {
                let rotation = holding(bottom, usual_front(bottom)).unwrap();
                let held = named.goals(bottom);
                for moves in ["", "U", "D", "R", "L2", "F", "B2", "R U R'", "F2 U2", "U R2 D' F2", "M2 E2 S2"]
                {
                    let cube = after(moves);
                    let accepts = held.accepts(&rotation.conjugate(&cube));
                    assert_eq!(accepts, home.accepts(&cube), "{named:?} {bottom:?} {moves}");
                }
            }
        }
    }

    /// The floppy cube, a cube of 3x3x1, has 192 positions; the subgroup is compared with them among products of half turns.
    #[test]
    fn floppy_reduction_accepts_its_subgroup_alone() {
        let half = |faces: &[Face]| faces.iter().map(|&face| Turn::new(face, 2)).collect::<Vec<_>>();
        let sides = half(&[Face::R, Face::L, Face::F, Face::B]);
        let (mut subgroup, mut done) = (vec![Cube::SOLVED], 0);
        while done < subgroup.len() {
            for &turn in &sides {
                let cube = subgroup[done].apply(turn);
                if !subgroup.contains(&cube) {
                    subgroup.push(cube);
                }
            }
            done += 1;
        }
        assert_eq!((subgroup.len(), floppy().len()), (192, 24));
        let goals = Named::Fr.goals(Face::D);
        assert!(subgroup.iter().all(|cube| goals.accepts(cube)));
        let (mut cube, mut accepted) = (Cube::SOLVED, 0);
        for at in 0..20_000_usize {
            cube =
                cube.apply(Turn::new(Face::ALL[at * at % 7 % 6], 2)).apply(Turn::new(Face::ALL[at % 5], 2));
            accepted += usize::from(goals.accepts(&cube));
            assert_eq!(goals.accepts(&cube), subgroup.contains(&cube), "{cube:?}");
        }
        assert!(accepted > 0);
    }
}
