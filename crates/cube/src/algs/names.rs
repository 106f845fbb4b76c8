//! Letters and numbers of cases, by known algorithms.
//!
//! A name belongs to the case that its algorithm solves. The algorithms are well known; they only identify the case,
//! and need not be shortest. Tests check that no two solve the same case and that every case has a name.

use super::layer::Seen;
use crate::cube::Cube;
use crate::notation::scramble;
use std::collections::HashMap;
use std::sync::LazyLock;

/// The permutations of the last layer, by their letters.
pub(crate) const PLL: [(&str, &str); 21] = [
    ("Aa", "x R' U R' D2 R U' R' D2 R2"),
    ("Ab", "x R2 D2 R U R' D2 R U' R"),
    ("E", "x' R U' R' D R U R' D' R U R' D R U' R' D'"),
    ("F", "R' U' F' R U R' U' R' F R2 U' R' U' R U R' U R"),
    ("Ga", "R2 U R' U R' U' R U' R2 U' D R' U R D'"),
    ("Gb", "R' U' R U D' R2 U R' U R U' R U' R2 D"),
    ("Gc", "R2 U' R U' R U R' U R2 U D' R U' R' D"),
    ("Gd", "R U R' U' D R2 U' R U' R' U R' U R2 D'"),
    ("H", "M2 U M2 U2 M2 U M2"),
    ("Ja", "L' U' L F L' U' L U L F' L2 U L"),
    ("Jb", "R U R' F' R U R' U' R' F R2 U' R'"),
    ("Na", "R U R' U R U R' F' R U R' U' R' F R2 U' R' U2 R U' R'"),
    ("Nb", "R' U R U' R' F' U' F R U R' F R' F' R U' R"),
    ("Ra", "R U' R' U' R U R D R' U' R D' R' U2 R'"),
    ("Rb", "R' U2 R U2 R' F R U R' U' R' F' R2"),
    ("T", "R U R' U' R' F R2 U' R' U' R U R' F'"),
    ("Ua", "M2 U M U2 M' U M2"),
    ("Ub", "M2 U' M U2 M' U' M2"),
    ("V", "R' U R' U' y R' F' R2 U' R' U R' F R F"),
    ("Y", "F R U' R' U' R U R' F' R U R' U' R' F R F'"),
    ("Z", "M' U' M2 U' M2 U' M' U2 M2"),
];

/// The orientations of the last layer, in the order of their usual numbers, from 1.
pub(crate) const OLL: [&str; 57] = [
    "R U2 R2 F R F' U2 R' F R F'",
    "F R U R' U' F' f R U R' U' f'",
    "f R U R' U' f' U' F R U R' U' F'",
    "f R U R' U' f' U F R U R' U' F'",
    "r' U2 R U R' U r",
    "r U2 R' U' R U' r'",
    "r U R' U R U2 r'",
    "r' U' R U' R' U2 r",
    "R U R' U' R' F R2 U R' U' F'",
    "R U R' U R' F R F' R U2 R'",
    "r U R' U R' F R F' R U2 r'",
    "F R U R' U' F' U F R U R' U' F'",
    "F U R U' R2 F' R U R U' R'",
    "R' F R U R' F' R F U' F'",
    "r' U' r R' U' R U r' U r",
    "r U r' R U R' U' r U' r'",
    "R U R' U R' F R F' U2 R' F R F'",
    "r U R' U R U2 r2 U' R U' R' U2 r",
    "M U R U R' U' M' R' F R F'",
    "M U R U R' U' M2 U R U' r'",
    "R U2 R' U' R U R' U' R U' R'",
    "R U2 R2 U' R2 U' R2 U2 R",
    "R2 D' R U2 R' D R U2 R",
    "r U R' U' r' F R F'",
    "F' r U R' U' r' F R",
    "R U2 R' U' R U' R'",
    "R U R' U R U2 R'",
    "r U R' U' M U R U' R'",
    "r2 D' r U r' D r2 U' r' U' r",
    "r2 D r' U' r D' r2 U r U r'",
    "R' U' F U R U' R' F' R",
    "R U B' U' R' U R B R'",
    "R U R' U' R' F R F'",
    "R U R2 U' R' F R U R U' F'",
    "R U2 R2 F R F' R U2 R'",
    "L' U' L U' L' U L U L F' L' F",
    "F R' F' R U R U' R'",
    "R U R' U R U' R' U' R' F R F'",
    "L F' L' U' L U F U' L'",
    "R' F R U R' U' F' U R",
    "R U R' U R U2 R' F R U R' U' F'",
    "R' U' R U' R' U2 R F R U R' U' F'",
    "R' U' F' U F R",
    "f R U R' U' f'",
    "F R U R' U' F'",
    "R' U' R' F R F' U R",
    "F' L' U' L U L' U' L U F",
    "F R U R' U' R U R' U' F'",
    "r U' r2 U r2 U r2 U' r",
    "r' U r2 U' r2 U' r2 U r'",
    "f R U R' U' R U R' U' f'",
    "R' U' R U' R' U F' U F R",
    "r' U' R U' R' U R U' R' U2 r",
    "r U R' U R U' R' U R U2 r'",
    "R' F R U R U' R2 F' R2 U' R' U R U R'",
    "r' U' r U' R' U R U' R' U R r' U r",
    "R U R' U' M' U R U' r'",
];

/// The twists of the last layer by their letters, each with the number in [`OLL`] of the case that also has
/// all edges oriented; `O` has no twist.
pub(crate) const TWISTS: [(&str, usize); 7] =
    [("H", 21), ("Pi", 22), ("U", 23), ("T", 24), ("L", 25), ("As", 26), ("S", 27)];

type Names = HashMap<[u8; 8], usize>;

/// The place in [`PLL`] of the case of a permutation; `None` for the identity.
pub(crate) fn pll(cube: &Cube) -> Option<usize> {
    static NAMES: LazyLock<Names> = LazyLock::new(|| keys(Seen::ALL, PLL.iter().map(|(_, moves)| *moves)));
    NAMES.get(&Seen::ALL.key(cube)).copied()
}

/// The number in [`OLL`], from 1, of the orientation of a state; 0 if everything is oriented.
pub(crate) fn oll(cube: &Cube) -> usize {
    static NAMES: LazyLock<Names> = LazyLock::new(|| keys(Seen::ORIENTATION, OLL.iter().copied()));
    NAMES.get(&Seen::ORIENTATION.key(cube)).map_or(0, |at| at + 1)
}

/// The place in [`TWISTS`] of the twists of a state; `None` if there is no twist.
pub(crate) fn twists(cube: &Cube) -> Option<usize> {
    static NAMES: LazyLock<Names> =
        LazyLock::new(|| keys(Seen::TWISTS, TWISTS.iter().map(|(_, number)| OLL[number - 1])));
    NAMES.get(&Seen::TWISTS.key(cube)).copied()
}

/// The case that an algorithm solves.
pub(crate) fn solved_by(moves: &str) -> Cube {
    scramble::parse(moves).expect("moves").cube().inverse()
}

/// Maps the key of each algorithm's case to the index of the algorithm.
fn keys<'a>(seen: Seen, algorithms: impl Iterator<Item = &'a str>) -> Names {
    algorithms.enumerate().map(|(at, moves)| (seen.key(&solved_by(moves)), at)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algs::layer::{all, is_last_layer};
    use std::collections::HashSet;

    #[test]
    fn each_algorithm_solves_a_case_of_its_own() {
        let algorithms = PLL.iter().map(|(_, moves)| *moves).chain(OLL);
        assert!(algorithms.into_iter().all(|moves| is_last_layer(&solved_by(moves))));
        for (at, (name, moves)) in PLL.iter().enumerate() {
            assert_eq!(Seen::ORIENTATION.key(&solved_by(moves)), [0; 8], "{name}");
            assert_eq!(pll(&solved_by(moves)), Some(at), "{name}");
        }
        for (at, moves) in OLL.iter().enumerate() {
            assert_eq!(oll(&solved_by(moves)), at + 1, "{moves}");
        }
        for (at, (name, number)) in TWISTS.iter().enumerate() {
            assert_eq!(twists(&solved_by(OLL[number - 1])), Some(at), "{name}");
        }
    }

    #[test]
    fn every_case_has_a_name() {
        let orientations: HashSet<usize> = all().map(|cube| oll(&cube)).collect();
        assert_eq!(orientations, (0..=57).collect());
        let unnamed = all().filter(|cube| oll(cube) == 0 && pll(cube).is_none());
        assert_eq!(unnamed.map(|cube| Seen::ALL.key(&cube)).collect::<HashSet<_>>().len(), 1);
        let untwisted = all().filter(|cube| twists(cube).is_none());
        assert!(untwisted.into_iter().all(|cube| Seen::TWISTS.of(&cube) == [0; 8]));
    }

    /// Facts of the usual names that do not depend on the algorithms above: pairs of permutations that are inverses or
    /// mirror images of each other, and the shapes of some orientations.
    #[test]
    fn the_names_are_the_usual_ones() {
        let of = |name: &str| {
            let (_, moves) = PLL.iter().find(|(known, _)| *known == name).unwrap();
            solved_by(moves)
        };
        let name = |cube: &Cube| PLL[pll(cube).unwrap()].0;
        for (one, other) in [("Aa", "Ab"), ("Ua", "Ub"), ("Ga", "Gb"), ("Gc", "Gd")] {
            assert_eq!((name(&of(one).inverse()), name(&of(other).inverse())), (other, one));
        }
        let mirror = crate::symmetry::Symmetry::from_index(1);
        for (one, other) in
            [("Aa", "Ab"), ("Ja", "Jb"), ("Ra", "Rb"), ("Na", "Nb"), ("Ga", "Gc"), ("Gb", "Gd")]
        {
            assert_eq!(name(&mirror.conjugate(&of(one))), other);
        }
        for same in ["E", "F", "H", "T", "V", "Y", "Z"] {
            assert_eq!(name(&mirror.conjugate(&of(same))), same);
        }
        let flipped = |number: usize| {
            let flips = solved_by(OLL[number - 1]).edges()[..4].iter().filter(|v| **v >= 16).count();
            let twists = solved_by(OLL[number - 1]).corners()[..4].iter().filter(|v| **v >= 16).count();
            (flips, twists)
        };
        // Dots have four flipped edges, the cross none; 28 and 57 have no twisted corner, 20 neither.
        for number in [1, 2, 3, 4, 17, 18, 19, 20] {
            assert_eq!(flipped(number).0, 4, "{number}");
        }
        assert!((21..=27).all(|number| flipped(number).0 == 0));
        assert_eq!([20, 28, 57].map(|number| flipped(number).1), [0; 3]);
    }
}
