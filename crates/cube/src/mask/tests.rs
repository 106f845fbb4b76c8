use super::*;
use crate::cube::{Face, Turn};
use crate::notation::scramble;

fn after(moves: &str) -> Cube {
    Cube::SOLVED.apply_all(scramble::parse(moves).unwrap().turns)
}

fn pieces(list: &str) -> Pieces {
    Pieces::parse(list).unwrap()
}

fn mask(ignored: &str, turned: &str) -> Mask {
    Mask::new(pieces(ignored), pieces(turned))
}

/// Some masks of every kind.
fn some() -> Vec<Mask> {
    let matters = |position: &str, orientation: &str, sets: &[&str]| Matters {
        position: pieces(position),
        orientation: pieces(orientation),
        sets: sets.iter().map(|set| pieces(set)).collect(),
        ..Matters::ALL
    };
    let along = |corner_axis, edge_axis| Matters { corner_axis, edge_axis, ..matters("D", "all", &[]) };
    vec![
        mask("U", ""),
        mask("UF,URF,DL", "DR,DLF"),
        Mask::of(&matters("", "edges", &[])),
        Mask::of(&matters("DF,DB", "edges,URF", &[])),
        Mask::of(&matters("", "U", &["FR,FL,BL,BR", "DF,DB,DLF,DRB"])),
        Mask::of(&along(Axis::Rl, Axis::Ud)),
        Mask::of(&along(Axis::Fb, Axis::Rl)),
        Mask::half_turns(),
    ]
}

const CUBES: [&str; 12] =
    ["", "U", "R", "F2 U", "L D' L'", "R2 L2", "U2 D2 F2", "F R", "B' U B", "D R2 D'", "M2 E2", "R U R'"];

#[test]
fn a_mask_accepts_differences_in_ignored_pieces() {
    let last_layer = mask("U", "");
    assert!(last_layer.accepts(&after("R U R' U R U2 R'")));
    assert!(!last_layer.accepts(&after("R U R' U R U2 R")));
    let turned = mask("", "UF,UB");
    assert!(Mask::default().accepts(&Cube::SOLVED) && !Mask::default().accepts(&after("U")));
    assert!(turned.accepts(&Cube::SOLVED) && !turned.accepts(&after("U2")));
    // Two edges flipped in place.
    let mut flipped = Cube::SOLVED;
    (flipped.edges[1], flipped.edges[3]) = (flipped.edges[1] ^ 16, flipped.edges[3] ^ 16);
    assert!(turned.accepts(&flipped) && !mask("", "UF").accepts(&flipped));
    assert!(mask("all", "").is_complete() && !mask("corners", "").is_complete());
    assert_eq!(mask("UF,UR,DL,URF", "UF,DR").to_string(), "ignore UR,UF,DL; any orientation of URF,DR");
}

/// The turns that preserve orientation along an axis keep edges (corners) oriented; a quarter turn of any other face
/// does not.
#[test]
fn orientation_follows_the_turns() {
    for axis in Axis::ALL {
        let goal = |orientation: &str| {
            Mask::of(&Matters {
                orientation: pieces(orientation),
                corner_axis: axis,
                edge_axis: axis,
                ..Matters::NOTHING
            })
        };
        let (corners, edges) = (goal("corners"), goal("edges"));
        let mut cubes = [Cube::SOLVED; 2];
        for step in 0..200 {
            let turn = Turn::from_index(step * 7 % 18);
            let is_around = Axis::of(turn.face()) == axis;
            let keeps = [turn.quarters() == 2 || is_around, turn.quarters() == 2 || !is_around];
            for ((cube, goal), keeps) in cubes.iter_mut().zip([corners, edges]).zip(keeps) {
                assert_eq!(goal.accepts(&cube.apply(turn)), keeps, "{axis:?} {turn}");
                if keeps {
                    *cube = cube.apply(turn);
                }
            }
        }
    }
}

#[test]
fn interchangeable_pieces_stay_within_their_set() {
    let slice = Matters { sets: vec![pieces("FR,FL,BL,BR")], ..Matters::NOTHING };
    let goal = Mask::of(&slice);
    assert!(["U R2 F2", "D L2 U'", "R2", "E"].iter().all(|moves| goal.accepts(&after(moves))));
    assert!(["R", "F U", "L'"].iter().all(|moves| !goal.accepts(&after(moves))));
    assert_eq!(
        goal.to_string(),
        "ignore URF,UFL,ULB,UBR,DFR,DLF,DBL,DRB; any orientation of UR,UF,UL,UB,DR,DF,DL,DB,FR,FL,BL,BR; \
         any order of UR,UF,UL,UB,DR,DF,DL,DB; any order of FR,FL,BL,BR"
    );
}

/// The group of half turns has 96 permutations of the corners; breadth-first search stays in the mask, and
/// of random cubes that the mask accepts in parts, it accepts those of the group.
#[test]
fn cubes_made_by_half_turns_are_a_group() {
    let goal = Mask::half_turns();
    let mut cube = Cube::SOLVED;
    for step in 0..500 {
        cube = cube.apply(Turn::new(Face::ALL[step * step % 7 % 6], 2));
        assert!(goal.accepts(&cube));
        for face in Face::ALL {
            assert!(!goal.accepts(&cube.apply(Turn::new(face, 1))));
        }
    }
    // Three corners of a tetrad exchanged in a cycle, everything else solved: no half turns do this.
    let mut cycled = Cube::SOLVED;
    (cycled.corners[0], cycled.corners[2], cycled.corners[5]) = (2, 5, 0);
    let tetrads =
        Mask { corners: Freedom::new(Kind::Corners, &[0b1010_0101, 0b0101_1010], 0, Axis::Ud), ..goal };
    assert_eq!((tetrads.accepts(&cycled), goal.accepts(&cycled)), (true, false));
    assert!(
        goal.is_within_domino(Axis::Ud) && goal.is_within_domino(Axis::Rl) && goal.is_within_domino(Axis::Fb)
    );
}

#[test]
fn the_domino_group_is_recognized() {
    for bottom in Face::ALL {
        let goals = Named::Dr.goals(bottom);
        let mask = goals.only().unwrap();
        for axis in Axis::ALL {
            assert_eq!(mask.is_within_domino(axis), axis == Axis::of(bottom));
        }
    }
    let of = |named: Named| *named.goals(Face::D).only().unwrap();
    assert!(of(Named::Oll).is_within_domino(Axis::Ud) && !of(Named::Oll).is_within_domino(Axis::Rl));
    assert!(Axis::ALL.iter().all(|axis| Mask::default().is_within_domino(*axis)));
    for named in [Named::F2l, Named::Eo, Named::Co, Named::EoCross] {
        assert!(Axis::ALL.iter().all(|axis| !of(named).is_within_domino(*axis)), "{named:?}");
    }
}

#[test]
fn a_mask_can_be_renamed_for_any_goal() {
    let goal = after("R U2 F' L D B2 R'");
    let mask = mask("UF,URF,DL", "DR,DLF");
    for moves in ["", "R", "F2 U", "L D' L'"] {
        // Cubes that differ from the goal only in the mask's pieces.
        let cube = after(moves);
        let reached = goal.compose(&cube);
        let differs = |ignored: u16, turned: u16, reached: &[u8], goal: &[u8]| {
            reached.iter().zip(goal).any(|(r, g)| {
                let is_of = |set: u16| set >> (r & 15) & 1 == 1;
                !is_of(ignored) && ((r ^ g) & 15 != 0 || !is_of(turned) && (r ^ g) & 0xf0 != 0)
            })
        };
        let (ignored, turned) = (pieces("UF,URF,DL"), pieces("DR,DLF"));
        let wrong = differs(ignored.corners, turned.corners, &reached.corners, &goal.corners)
            || differs(ignored.edges, turned.edges, &reached.edges, &goal.edges);
        let renamed = goal.inverse().compose(&reached);
        assert_eq!(mask.renamed(&goal).accepts(&renamed), !wrong, "{moves}");
    }
}

/// Away from home, a piece is oriented as in the goal, relative to the same axis.
#[test]
fn renamed_orientations_are_those_of_the_goal() {
    let goal = after("R U2 F' L D B2 R'");
    for axis in Axis::ALL {
        let mask =
            Mask::of(&Matters { orientation: pieces("UF,DR,BL"), edge_axis: axis, ..Matters::NOTHING });
        for moves in CUBES {
            let reached = goal.compose(&after(moves));
            let orientation = |cube: &Cube, cubie: usize| {
                let at = cube.edges.iter().position(|v| usize::from(v & 15) == cubie).unwrap();
                Kind::Edges.orientation(axis, cubie, at, cube.edges[at] >> 4)
            };
            let same =
                [1, 4, 10].iter().all(|&cubie| orientation(&reached, cubie) == orientation(&goal, cubie));
            assert_eq!(mask.renamed(&goal).accepts(&goal.inverse().compose(&reached)), same, "{moves}");
        }
    }
}

#[test]
fn images_accept_conjugates() {
    for mask in some() {
        for symmetry in Symmetry::all() {
            let image = mask.image(symmetry);
            for moves in CUBES {
                let cube = after(moves);
                assert_eq!(image.accepts(&symmetry.conjugate(&cube)), mask.accepts(&cube), "{mask} {moves}");
            }
        }
    }
}

#[test]
fn codes_round_trip() {
    for mask in some() {
        for (kind, freedom) in mask.kinds() {
            let code = freedom.code(kind);
            let words: Vec<&str> = code.split('-').collect();
            assert_eq!(Freedom::from_code(kind, &words), Some(*freedom), "{code}");
            let is_whole = freedom.of(kind, kind.all()) == *freedom;
            assert!(is_whole || freedom.is_of_half_turns(), "{code}");
        }
    }
    for bad in
        ["00000000", "00000000-1ff", "10000000-00", "0123456-00", "00000000-00-x", "00000000-00-h", "g-0"]
    {
        let words: Vec<&str> = bad.split('-').collect();
        assert_eq!(Freedom::from_code(Kind::Corners, &words), None, "{bad}");
    }
}

/// Compares a goal up to a final turn with all four turns.
#[test]
fn goals_up_to_a_final_turn_accept_all_its_turns() {
    for mask in some() {
        for face in Face::ALL {
            let Ok(goals) = Goals::any(&[mask]).up_to_turn(face) else { continue };
            for first in CUBES {
                for second in CUBES {
                    let cube = after(first).compose(&after(second));
                    let turned = (1..4).map(|quarters| cube.apply(Turn::new(face, quarters)));
                    let accepted = turned.chain([cube]).any(|cube| mask.accepts(&cube));
                    assert_eq!(goals.accepts(&cube), accepted, "{mask} {face:?} {first} {second}");
                }
            }
        }
    }
    let count =
        |mask: Mask, face| Goals::any(&[mask]).up_to_turn(face).map(|goals| goals.alternatives().len());
    assert_eq!((count(Mask::default(), Face::U), count(mask("U", ""), Face::U)), (Ok(4), Ok(1)));
    let (eo, co) = (Named::Eo.goals(Face::D), Named::Co.goals(Face::D));
    assert!(eo.clone().up_to_turn(Face::F).is_err() && eo.up_to_turn(Face::U).is_ok());
    assert!(co.clone().up_to_turn(Face::F).is_err() && co.up_to_turn(Face::D).is_ok());
}
