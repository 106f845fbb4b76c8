//! Sets of algorithms: the solutions of a case equal those of a plain enumeration, and the images of solutions equal
//! those that a search finds.

use super::common::{self, reference};
use crate::algs::layer::{after_u, is_last_layer, turned};
use crate::algs::names::{PLL, solved_by};
use crate::algs::solution::{as_turns, effect};
use crate::algs::solver::full_goals;
use crate::algs::{Auf, CaseSet, CaseSolver, Solution};
use crate::mask::{Goals, Named};
use crate::moves::{Group, MoveSet};
use crate::notation::scramble::{self, Move};
use crate::strategy::SolverSetup;
use crate::{Cube, Face, Mask, Metric, Turn};
use search_core::ida::{Config, Wanted};
use search_core::{Ending, Run};
use std::collections::{BTreeMap, BTreeSet};

const AUFS: [Auf; 4] = [Auf::Both, Auf::Before, Auf::After, Auf::None];

/// The solver for goals with all face turns; `name` is the heuristic for whole cubes.
fn faces(goals: &Goals, auf: Auf, metric: Metric, name: &str) -> CaseSolver {
    let setup = SolverSetup::new().metric(metric).goals(full_goals(goals, auf).unwrap()).patience(0.0);
    let is_named = goals.masks().iter().any(Mask::is_none);
    let setup = if is_named { setup.heuristic(common::heuristic(name)) } else { setup };
    CaseSolver::new(goals.clone(), auf, setup.load(common::store().clone(), &Run::new()).unwrap()).unwrap()
}

fn whole() -> Goals {
    Goals::any(&[Mask::default()])
}

/// The solver for the whole cube with chosen moves.
fn chosen(moves: &str, auf: Auf) -> CaseSolver {
    let setup = SolverSetup::new().moves(MoveSet::parse(moves, None).unwrap());
    CaseSolver::new(whole(), auf, setup.load(common::store().clone(), &Run::new()).unwrap()).unwrap()
}

fn solve(solver: &CaseSolver, cube: &Cube, extra: u32) -> (u32, Vec<Solution>) {
    let config = Config::default().wanted(Wanted::All { extra });
    match solver.solve(cube, &config, &Run::new().with_threads(2)).unwrap() {
        Ending::Optimal { length, solutions, complete: true } => (length, solutions),
        other => panic!("{other:?}"),
    }
}

/// All solutions with all rotations.
fn all(solver: &CaseSolver, cube: &Cube, solutions: Vec<Solution>) -> BTreeSet<Vec<Move>> {
    let solutions = solutions.into_iter().flat_map(|solution| solver.rotations(cube, solution));
    let checked = solutions.map(|Solution { before, moves, after, .. }| {
        let reached = cube.compose(&after_u(before)).compose(&effect(&moves).0).compose(&after_u(after));
        assert!(solver.accepts(&reached), "{cube:?} {moves:?}");
        moves
    });
    checked.collect()
}

/// The solutions by plain enumeration: those of all cubes that differ by free turns of U, without those that begin
/// or end with such a turn or pass a goal. `enumerate` lists the solutions of one cube.
fn plain(
    goals: &Goals,
    auf: Auf,
    cube: &Cube,
    enumerate: impl Fn(&Cube) -> Vec<Vec<Turn>>,
) -> BTreeSet<Vec<Turn>> {
    let is_u = |turn: &Turn| turn.face() == Face::U;
    let is_about_u = |turn: &&Turn| is_u(turn) || turn.face() == Face::D;
    let is_solved = |cube: &Cube| turned(cube, false, auf.after()).any(|cube| goals.accepts(&cube));
    let mut found = BTreeSet::new();
    for start in turned(cube, auf.before(), false) {
        for end in turned(&start, false, auf.after()) {
            found.extend(enumerate(&end).into_iter().filter(|turns| {
                let begins = auf.before() && turns.iter().take_while(is_about_u).any(is_u);
                let ends = auf.after() && turns.iter().rev().take_while(is_about_u).any(is_u);
                let passes =
                    (0..turns.len()).any(|made| is_solved(&start.apply_all(turns[..made].iter().copied())));
                !begins && !ends && !passes
            }));
        }
    }
    found
}

/// Compares the solver with a plain enumeration of up to `length` moves.
fn compare(solver: &CaseSolver, goals: &Goals, auf: Auf, cube: &Cube, extra: u32, enumerate: &Enumerate<'_>) {
    let (length, solutions) = solve(solver, cube, extra);
    let found = all(solver, cube, solutions);
    let wanted = plain(goals, auf, cube, |cube| enumerate(cube, length + extra));
    assert_eq!(found.iter().map(Vec::len).min(), Some(length as usize));
    assert_eq!(wanted.iter().map(Vec::len).min(), Some(length as usize), "{auf:?} {cube:?}");
    let found: BTreeSet<Vec<Turn>> = found.iter().map(|moves| as_turns(moves)).collect();
    assert_eq!(found, wanted, "{auf:?} {cube:?}");
}

type Enumerate<'a> = dyn Fn(&Cube, u32) -> Vec<Vec<Turn>> + 'a;

#[test]
fn all_solutions_of_last_layers_are_those_of_an_enumeration() {
    let algorithms = ["R U R' U R U2 R'", "F R U R' U' F'", "R U R' U' R' F R F'", "R' U' F' U F R"];
    for auf in AUFS {
        let solver = faces(&whole(), auf, Metric::Htm, "korf97");
        for moves in algorithms {
            let cube = solved_by(moves).apply(Turn::new(Face::U, 3));
            assert!(is_last_layer(&cube));
            // Where turns of U count, solutions are longer.
            if auf == Auf::Both || moves.len() < 16 {
                compare(&solver, &whole(), auf, &cube, 1, &|cube, length| {
                    reference::htm().solutions(cube, length)
                });
            }
        }
    }
}

#[test]
fn all_solutions_of_any_cubes_are_those_of_an_enumeration() {
    let rng = &mut common::rng(2024);
    for auf in AUFS {
        let solver = faces(&whole(), auf, Metric::Htm, "korf97");
        let quarters = faces(&whole(), auf, Metric::Qtm, "korf97");
        for length in 1..5 {
            let cube = common::random_walk(rng, Metric::Htm, length);
            compare(&solver, &whole(), auf, &cube, 1, &|cube, length| {
                reference::htm().solutions(cube, length)
            });
            let cube = common::random_walk(rng, Metric::Qtm, length);
            compare(&quarters, &whole(), auf, &cube, 2, &|cube, length| {
                reference::qtm().solutions(cube, length)
            });
        }
    }
}

/// For a goal that leaves something open, the effect of a turn of U on the open pieces is irrelevant.
#[test]
fn orientations_are_those_of_an_enumeration() {
    let goals = CaseSet::Oll.goals();
    assert_eq!(goals, Named::Oll.goals(Face::D));
    let accepts = |cube: &Cube| goals.accepts(cube);
    let plainly = |cube: &Cube, length| reference::solutions(Metric::Htm, &accepts, cube, length);
    let solver = faces(&goals, Auf::Both, Metric::Htm, "korf97");
    let cube = solved_by("F R U R' U' F'");
    assert!(solver.has_rotations(&cube));
    compare(&solver, &goals, Auf::Both, &cube, 0, &plainly);
    // Rotations give solutions only for cubes that are last layers.
    let cube = solved_by("R U R'").apply(Turn::new(Face::U, 2));
    assert!(!solver.has_rotations(&cube));
    for auf in AUFS {
        compare(&faces(&goals, auf, Metric::Htm, "korf97"), &goals, auf, &cube, 1, &plainly);
    }
}

/// All goals of sets solve their cases, and no prefix of a solution does.
#[test]
fn goals_of_sets_are_reached() {
    for set in [CaseSet::Coll, CaseSet::Cll] {
        let solver = faces(&set.goals(), Auf::Both, Metric::Htm, "korf97");
        let sune = solved_by("R U R' U R U2 R'");
        let case = set.cases().into_iter().find(|case| set.seen().key(&case.cube) == set.seen().key(&sune));
        let (length, solutions) = solve(&solver, &case.unwrap().cube, 0);
        assert_eq!(length, 7, "{}", set.name());
        let texts: Vec<String> = solutions.iter().map(Solution::moves_text).collect();
        assert!(!texts.is_empty() && all(&solver, &sune, solve(&solver, &sune, 0).1).len() >= 4, "{texts:?}");
    }
}

/// Images of the solutions of one case are all solutions that a search finds for another.
#[test]
fn images_of_solutions_are_complete() {
    let sets = [
        // With all faces: the mirror image and the inverse of one case, and both.
        (faces(&whole(), Auf::Both, Metric::Htm, "korf97"), "Aa", vec!["Aa", "Ab"], 1),
        (faces(&whole(), Auf::None, Metric::Htm, "korf97"), "Ua", vec!["Ua", "Ub"], 0),
        (faces(&whole(), Auf::After, Metric::Htm, "korf97"), "Ua", vec!["Ub"], 0),
        // With R, U and F: the mirror image that exchanges R and F.
        (chosen("U R", Auf::Both), "Ua", vec!["Ub"], 0),
    ];
    let case = |name: &str| {
        let (_, moves) = PLL.iter().find(|(known, _)| *known == name).unwrap();
        solved_by(moves)
    };
    for (solver, from, others, extra) in sets {
        let config = Config::default().wanted(Wanted::All { extra });
        let ending = solver.solve(&case(from), &config, &Run::new()).unwrap();
        assert!(ending.length().is_some_and(|length| length >= 9));
        for name in others {
            let to = case(name);
            // The same case seen from another side, if turns of U are free.
            let looks = if solver.has_rotations(&to) { vec![to, after_u(1).compose(&to)] } else { vec![to] };
            for cube in looks {
                let carried = solver.carried(&case(from), &ending, &cube);
                assert_eq!(solver.class(&cube) == solver.class(&case(from)), carried.is_some());
                let Some(carried) = carried else { continue };
                let (length, direct) = solve(&solver, &cube, extra);
                assert_eq!(carried.length(), Some(length));
                let images = all(&solver, &cube, carried.solutions().to_vec());
                assert_eq!(images, all(&solver, &cube, direct), "{from} {name}");
            }
        }
    }
}

/// The cases that share a search.
#[test]
fn classes_join_mirror_images_and_inverses() {
    let solver = faces(&whole(), Auf::Both, Metric::Htm, "korf97");
    let classes = |solver: &CaseSolver, set: CaseSet| {
        let cubes = set.cases().into_iter().map(|case| solver.class(&case.cube));
        cubes.collect::<BTreeSet<_>>().len()
    };
    // A, E, F, G, H, J, N, R, T, U, V, Y, Z.
    assert_eq!(classes(&solver, CaseSet::Pll), 13);
    // The known numbers up to mirror images and inverses: ZBLL has 177, including PLL and the solved case.
    assert_eq!(classes(&solver, CaseSet::Zbll), 177 - 13 - 1);
    assert_eq!(classes(&solver, CaseSet::OneLook), 1211);
    // The mirror image that preserves R maps turns of U and R to such turns.
    let two = chosen("U R", Auf::Both);
    assert_eq!(classes(&two, CaseSet::Zbll), 177 - 13 - 1);
    let none = faces(&whole(), Auf::None, Metric::Htm, "korf97");
    assert!(classes(&none, CaseSet::Pll) >= 13);
}

/// Two faces, and a slice: by an enumeration with these moves alone.
#[test]
fn chosen_moves_are_those_of_an_enumeration() {
    let names: Vec<Move> = scramble::parse_moves("U U2 U' R R2 R'").unwrap();
    let solver = chosen("U R", Auf::Both);
    for moves in ["R U R' U R U2 R'", "R U2 R' U' R U' R'"] {
        let cube = solved_by(moves);
        let (length, solutions) = solve(&solver, &cube, 1);
        let mut wanted = BTreeSet::new();
        let mut strings: Vec<Vec<Move>> = vec![vec![]];
        for made in 0..=length + 1 {
            for string in &strings {
                let done = effect(string).0;
                let solves = turned(&cube, true, true).any(|cube| cube.compose(&done).is_solved());
                let is_loose = string.iter().take(1).chain(string.last()).any(|name| name.face == Face::U);
                if solves && !is_loose {
                    wanted.insert(string.clone());
                }
            }
            if made <= length {
                let follows =
                    |string: &Vec<Move>, name: &Move| string.last().is_none_or(|last| last.face != name.face);
                strings = strings
                    .iter()
                    .flat_map(|string| {
                        let next = names.iter().filter(|name| follows(string, name));
                        next.map(|name| [&string[..], &[*name]].concat()).collect::<Vec<_>>()
                    })
                    .collect();
            }
        }
        assert_eq!(length, 7);
        assert_eq!(all(&solver, &cube, solutions), wanted);
    }
    // Moves that are not in the group have no solution.
    let config = Config::default().wanted(Wanted::All { extra: 0 });
    let ending = solver.solve(&solved_by("F R U R' U' F'"), &config, &Run::new()).unwrap();
    assert_eq!(ending, Ending::Exhausted);
}

/// The cases that two faces solve: with the four permutations of edges, the 84 that are known as 2GLL.
#[test]
fn two_faces_solve_the_known_number_of_cases() {
    let group = Group::new(MoveSet::parse("U R", None).unwrap());
    let is_solvable =
        |case: &crate::algs::Case| turned(&case.cube, true, true).any(|cube| group.element(&cube).is_some());
    let count = |set: CaseSet| set.cases().iter().filter(|case| is_solvable(case)).count();
    assert_eq!((count(CaseSet::Zbll), count(CaseSet::Pll)), (80, 4));
}

#[test]
fn slices_carry_the_layer_along() {
    let solver = chosen("M U", Auf::Both);
    let (length, solutions) = solve(&solver, &solved_by("M2 U M2 U2 M2 U M2"), 0);
    assert_eq!(length, 7);
    assert!(solutions.iter().any(|solution| solution.moves_text() == "M2 U M2 U2 M2 U M2"));
}

/// The lengths of the permutations, up to free turns of U.
const LENGTHS: [(&str, u32); 21] = [
    ("Aa", 9),
    ("Ab", 9),
    ("E", 14),
    ("F", 13),
    ("Ga", 12),
    ("Gb", 12),
    ("Gc", 12),
    ("Gd", 12),
    ("H", 9),
    ("Ja", 10),
    ("Jb", 10),
    ("Na", 13),
    ("Nb", 13),
    ("Ra", 13),
    ("Rb", 13),
    ("T", 10),
    ("Ua", 9),
    ("Ub", 9),
    ("V", 14),
    ("Y", 13),
    ("Z", 12),
];

fn check_lengths(most: u32, heuristic: &str) {
    let solver = faces(&whole(), Auf::Both, Metric::Htm, heuristic);
    let cases = CaseSet::Pll.cases();
    for (case, (name, length)) in cases.iter().zip(LENGTHS) {
        assert_eq!(case.name, name);
        if length <= most {
            assert_eq!(solve(&solver, &case.cube, 0).0, length, "{name}");
        }
    }
}

#[test]
fn short_permutations_have_the_known_lengths() {
    check_lengths(9, "korf97");
}

#[test]
#[ignore = "long: builds a table of half a gigabyte"]
fn all_permutations_have_the_known_lengths() {
    check_lengths(u32::MAX, "square-4");
}

/// The mean over all states with oriented edges, 12.08, is the figure that is known for ZBLL.
#[test]
#[ignore = "long: builds a table of half a gigabyte, some 300 searches"]
fn zbll_has_the_known_mean_length() {
    let solver = faces(&whole(), Auf::Both, Metric::Htm, "square-4");
    let mut lengths: BTreeMap<Cube, u32> = BTreeMap::new();
    // The solved cube and the turns of U.
    let (mut states, mut moves) = (4, 0);
    for case in [CaseSet::Zbll.cases(), CaseSet::Pll.cases()].concat() {
        let orbit: BTreeSet<Cube> = turned(&case.cube, true, true).collect();
        let length =
            lengths.entry(solver.class(&case.cube)).or_insert_with(|| solve(&solver, &case.cube, 0).0);
        states += orbit.len();
        moves += orbit.len() * *length as usize;
    }
    assert_eq!(states, 7776);
    assert_eq!((lengths.len(), (moves * 100 + states / 2) / states), (163 + 13, 1208));
}
