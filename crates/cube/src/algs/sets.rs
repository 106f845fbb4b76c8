//! The sets of cases, generated: one state of the last layer for each class of equivalent states that belongs to the
//! set.
//!
//! A set defines which states belong to it, and which properties of them are compared; its goal solves the same
//! properties. The cases are the classes of equivalent states ([`Seen::key`]). The representative of a case is the
//! least of its cubes whose properties are the key itself, so it does not depend on the order of enumeration.

use super::layer::{self, Seen};
use super::names;
use crate::cube::{Cube, Face};
use crate::mask::{Goals, Mask, Matters, Named, Pieces};
use std::collections::BTreeMap;

/// A set of cases of the last layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CaseSet {
    /// The permutations of an oriented last layer.
    Pll,
    /// The orientations.
    Oll,
    /// The orientations of the corners; all edges are oriented.
    Ocll,
    /// The corners; edges are ignored.
    Cll,
    /// The corners; all edges are oriented and stay oriented.
    Coll,
    /// The orientations and the corners.
    Ollcp,
    /// The edges; all corners are solved.
    Ell,
    /// The whole last layer; all edges are oriented and some corner is not.
    Zbll,
    /// The whole last layer.
    OneLook,
}

/// One case of a set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// Its name, unique within the set.
    pub name: String,
    /// One of its cubes.
    pub cube: Cube,
}

impl CaseSet {
    /// All sets.
    pub const ALL: [CaseSet; 9] = [
        CaseSet::Pll,
        CaseSet::Oll,
        CaseSet::Ocll,
        CaseSet::Cll,
        CaseSet::Coll,
        CaseSet::Ollcp,
        CaseSet::Ell,
        CaseSet::Zbll,
        CaseSet::OneLook,
    ];

    /// The name.
    pub const fn name(self) -> &'static str {
        match self {
            CaseSet::Pll => "pll",
            CaseSet::Oll => "oll",
            CaseSet::Ocll => "ocll",
            CaseSet::Cll => "cll",
            CaseSet::Coll => "coll",
            CaseSet::Ollcp => "ollcp",
            CaseSet::Ell => "ell",
            CaseSet::Zbll => "zbll",
            CaseSet::OneLook => "1lll",
        }
    }

    /// A short description.
    pub const fn meaning(self) -> &'static str {
        match self {
            CaseSet::Pll => "21 permutations of an oriented last layer",
            CaseSet::Oll => "57 orientations of the last layer",
            CaseSet::Ocll => "7 orientations of the corners, edges oriented",
            CaseSet::Cll => "42 cases of the corners, edges ignored",
            CaseSet::Coll => "42 cases of the corners, edges oriented before and after",
            CaseSet::Ollcp => "331 cases of orientation and the corners' permutation",
            CaseSet::Ell => "29 cases of the edges, corners solved",
            CaseSet::Zbll => "472 cases of a whole last layer with oriented edges, without pll",
            CaseSet::OneLook => "3915 cases of a whole last layer",
        }
    }

    /// The properties of a state that are compared.
    pub(crate) const fn seen(self) -> Seen {
        match self {
            CaseSet::Pll | CaseSet::Ell | CaseSet::Zbll | CaseSet::OneLook => Seen::ALL,
            CaseSet::Oll => Seen::ORIENTATION,
            CaseSet::Ocll => Seen::TWISTS,
            CaseSet::Cll | CaseSet::Coll => Seen::CORNERS,
            CaseSet::Ollcp => Seen { flips: true, ..Seen::CORNERS },
        }
    }

    /// Whether a state of the last layer belongs to the set. (A state with nothing left to solve does not.)
    fn has(self, cube: &Cube) -> bool {
        let flips = Seen { twists: false, ..Seen::ORIENTATION };
        let are_flipped = || flips.of(cube) != [0; 8];
        let are_twisted = || Seen::TWISTS.of(cube) != [0; 8];
        let belongs = match self {
            CaseSet::Pll => !are_flipped() && !are_twisted(),
            CaseSet::Oll | CaseSet::Cll | CaseSet::Ollcp | CaseSet::OneLook => true,
            CaseSet::Ocll | CaseSet::Coll => !are_flipped(),
            CaseSet::Ell => Seen::CORNERS.key(cube) == Seen::CORNERS.of(&Cube::SOLVED),
            CaseSet::Zbll => !are_flipped() && are_twisted(),
        };
        belongs && self.seen().key(cube) != self.seen().of(&Cube::SOLVED)
    }

    /// The cases, in the order of their names' parts: letters, numbers.
    ///
    /// Permutations have their letters and orientations their numbers. Other cases have the letter of their twists, or
    /// the number of their orientation, and a number of this program: their place among the cases with that letter, in
    /// the order of their keys.
    pub fn cases(self) -> Vec<Case> {
        let seen = self.seen();
        let mut least: BTreeMap<[u8; 8], Cube> = BTreeMap::new();
        for cube in layer::all().filter(|cube| self.has(cube)) {
            let key = seen.key(&cube);
            if seen.of(&cube) == key {
                let known = least.entry(key).or_insert(cube);
                *known = cube.min(*known);
            }
        }
        let mut groups: BTreeMap<(usize, String), Vec<Cube>> = BTreeMap::new();
        for cube in least.into_values() {
            groups.entry(self.group(&cube)).or_default().push(cube);
        }
        let named = groups.into_iter().flat_map(|((_, name), cubes)| {
            let counts = name.is_empty() || cubes.len() > 1 || !self.is_named_whole(&cubes[0]);
            let numbered = cubes.into_iter().zip(1..);
            numbered.map(move |(cube, at): (Cube, usize)| Case {
                name: if counts { format!("{name}{at}") } else { name.clone() },
                cube,
            })
        });
        named.collect()
    }

    /// Whether the name of a case's group is the complete name of the case.
    fn is_named_whole(self, cube: &Cube) -> bool {
        match self {
            CaseSet::Pll | CaseSet::Oll | CaseSet::Ocll => true,
            CaseSet::OneLook => names::oll(cube) == 0,
            _ => false,
        }
    }

    /// The place and the name of the group of a case.
    fn group(self, cube: &Cube) -> (usize, String) {
        let letter = |at: Option<usize>| {
            let (at, name) = at.map_or((names::TWISTS.len(), "O"), |at| (at, names::TWISTS[at].0));
            (at, name.to_owned())
        };
        let permutation = |cube: &Cube| {
            let at = names::pll(cube).expect("each permutation has a letter");
            (at, names::PLL[at].0.to_owned())
        };
        match self {
            CaseSet::Pll => permutation(cube),
            CaseSet::Oll => (names::oll(cube), names::oll(cube).to_string()),
            CaseSet::Ell => (0, String::new()),
            CaseSet::Ocll | CaseSet::Cll | CaseSet::Coll | CaseSet::Zbll => letter(names::twists(cube)),
            CaseSet::OneLook if names::oll(cube) == 0 => permutation(cube),
            CaseSet::Ollcp | CaseSet::OneLook => {
                let number = names::oll(cube);
                (names::PLL.len() + number, format!("{number}-"))
            }
        }
    }

    /// The goals of a solution, without turns of U.
    pub fn goals(self) -> Goals {
        let layer = |list: &str| Pieces::parse(list).expect("names of pieces");
        let edges = layer("UR,UF,UL,UB");
        let mask = match self {
            CaseSet::Pll | CaseSet::Ell | CaseSet::Zbll | CaseSet::OneLook => Mask::default(),
            CaseSet::Oll | CaseSet::Ocll => return Named::Oll.goals(Face::D),
            CaseSet::Cll => Mask::new(edges, Pieces::NONE),
            CaseSet::Coll | CaseSet::Ollcp => {
                Mask::of(&Matters { position: edges.others(), orientation: Pieces::ALL, ..Matters::NOTHING })
            }
        };
        Goals::any(&[mask])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;
    use std::sync::LazyLock;

    /// All sets with their cases.
    static CASES: LazyLock<[(CaseSet, Vec<Case>); 9]> =
        LazyLock::new(|| CaseSet::ALL.map(|set| (set, set.cases())));

    /// The numbers known from the literature (without the solved case).
    #[test]
    fn the_sets_have_the_known_numbers_of_cases() {
        let counts = CASES.each_ref().map(|(_, cases)| cases.len());
        assert_eq!(counts, [21, 57, 7, 42, 42, 331, 29, 472, 3915]);
        for (set, cases) in &*CASES {
            let count = cases.len().to_string();
            assert!(set.meaning().starts_with(&count), "{}", set.name());
        }
    }

    /// Burnside: the number of classes is the mean number of states that a pair of turns of U leaves unchanged. If only
    /// some properties are compared, the states are the values of these properties.
    #[test]
    fn numbers_of_cases_satisfy_burnsides_lemma() {
        for (set, cases) in &*CASES {
            let seen = set.seen();
            let states: Vec<Cube> = layer::all().filter(|cube| set.has(cube)).collect();
            let shown: HashSet<[u8; 8]> = states.iter().map(|cube| seen.of(cube)).collect();
            let mut fixed = 0;
            for i in 0..4 {
                for j in 0..4 {
                    let turn = |cube: &Cube| layer::after_u(j).compose(cube).compose(&layer::after_u(i));
                    let kept = states.iter().filter(|cube| seen.of(&turn(cube)) == seen.of(cube));
                    fixed += kept.map(|cube| seen.of(cube)).collect::<HashSet<_>>().len();
                }
            }
            assert_eq!((fixed % 16, fixed / 16), (0, cases.len()), "{} of {}", set.name(), shown.len());
        }
    }

    #[test]
    fn cases_have_names_of_their_own_and_belong_to_the_set() {
        for (set, cases) in &*CASES {
            let names: HashSet<&String> = cases.iter().map(|case| &case.name).collect();
            let keys: HashSet<[u8; 8]> = cases.iter().map(|case| set.seen().key(&case.cube)).collect();
            assert_eq!((names.len(), keys.len()), (cases.len(), cases.len()), "{}", set.name());
            assert!(cases.iter().all(|case| set.has(&case.cube)), "{}", set.name());
            // The compared properties are those that the goal requires: exactly the solved cases are goals.
            let goals = set.goals().up_to_turn(Face::U).unwrap();
            let is_for_oriented_edges = matches!(set, CaseSet::Ocll | CaseSet::Coll);
            let flips = Seen { twists: false, ..Seen::ORIENTATION };
            for cube in layer::all().step_by(7) {
                let is_solved = set.seen().key(&cube) == set.seen().key(&Cube::SOLVED);
                let is_flipped = is_for_oriented_edges && flips.of(&cube) != [0; 8];
                assert_eq!(goals.accepts(&cube), is_solved && !is_flipped, "{} {cube:?}", set.name());
            }
        }
        let names = |set: CaseSet| {
            let (_, cases) = CASES.iter().find(|(other, _)| *other == set).expect("a set");
            cases.iter().map(|case| case.name.clone()).collect::<Vec<_>>()
        };
        assert_eq!(names(CaseSet::Pll)[..4], ["Aa", "Ab", "E", "F"]);
        assert_eq!(names(CaseSet::Oll)[56], "57");
        assert_eq!(names(CaseSet::Ocll), ["H", "Pi", "U", "T", "L", "As", "S"]);
        let groups = |letter: &str| {
            names(CaseSet::Zbll)
                .iter()
                .filter(|name| name.trim_end_matches(|c: char| c.is_ascii_digit()) == letter)
                .count()
        };
        assert_eq!(["H", "Pi", "U", "T", "L", "As", "S"].map(groups), [40, 72, 72, 72, 72, 72, 72]);
        assert_eq!(names(CaseSet::Coll)[40..], ["O1", "O2"]);
        assert_eq!(
            (names(CaseSet::OneLook)[20].as_str(), names(CaseSet::OneLook)[21].as_str()),
            ("Z", "1-1")
        );
    }
}
