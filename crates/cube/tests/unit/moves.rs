//! Sets of moves, compared with brute force in plain notation: groups, rules, shortest solutions.

use super::common::{self, reference};
use crate::moves::cosets::SetCosets;
use crate::moves::tables::SetTable;
use crate::moves::{Group, MoveSet, Permutation, SetSolver};
use crate::notation::scramble::{self, Move, format_moves};
use crate::{Cube, Face, Metric, Turn};
use search_core::ida::{Config, Wanted};
use search_core::table::Store;
use search_core::{Ending, Run};
use std::collections::{BTreeSet, HashMap, HashSet};

/// A set of moves, its metric, and the names of its moves.
struct Case {
    text: &'static str,
    metric: Metric,
    names: Vec<String>,
}

fn case(text: &'static str, metric: Metric) -> Case {
    let names = MoveSet::parse(text, Some(metric)).unwrap().names().iter().map(|m| m.to_string()).collect();
    Case { text, metric, names }
}

fn cases() -> Vec<Case> {
    use Metric::{Htm, Qtm, Stm};
    [
        ("U R", Htm),
        ("U R", Qtm),
        ("U R F", Htm),
        ("U R2", Htm),
        ("U2 R2 F2", Htm),
        ("U D R2 L2", Htm),
        ("U Rw", Htm),
        ("U Rw F2", Stm),
        ("M U", Stm),
        ("M2 U", Stm),
        ("M E S", Stm),
        ("M E", Stm),
        ("R L M U2", Stm),
    ]
    .map(|(text, metric)| case(text, metric))
    .into()
}

/// The appearance of the cube after some moves, up to a rotation: by places, with the centres at home.
fn seen(text: &str) -> Cube {
    let scramble = scramble::parse(text).unwrap();
    scramble.orientation.held_from_cube(&scramble.cube())
}

/// A shortest string for every position within `depth`, by trying all moves. Positions are identified by their
/// appearance, which determines the effect of the next moves.
fn by_brute_force(case: &Case, depth: usize) -> (HashMap<Cube, String>, Vec<u64>) {
    let mut strings = HashMap::from([(Cube::SOLVED, String::new())]);
    let (mut layer, mut counts) = (vec![String::new()], vec![1]);
    for _ in 0..depth {
        let mut next = Vec::new();
        for string in &layer {
            for name in &case.names {
                let longer = format!("{string} {name}");
                if let std::collections::hash_map::Entry::Vacant(vacant) = strings.entry(seen(&longer)) {
                    vacant.insert(longer.clone());
                    next.push(longer);
                }
            }
        }
        if next.is_empty() {
            break;
        }
        counts.push(next.len() as u64);
        layer = next;
    }
    (strings, counts)
}

fn group(case: &Case) -> Group {
    Group::new(MoveSet::parse(case.text, Some(case.metric)).unwrap())
}

/// The positions at each depth up to seven moves, for groups whose distances take a few million bytes; and the
/// order of every group that brute force exhausts.
#[test]
fn counts_by_depth_equal_those_of_brute_force() {
    for case in cases() {
        let group = group(&case);
        let (strings, counts) = by_brute_force(&case, if case.names.len() > 8 { 5 } else { 7 });
        assert!(group.positions() >= strings.len() as u128, "{}", case.text);
        if group.order() > 4_000_000 {
            continue;
        }
        let distances = group.distances(&Run::new().with_threads(2)).unwrap();
        let (ours, theirs) = (&distances.counts, &counts);
        assert_eq!(ours[..theirs.len().min(ours.len())], theirs[..], "{}", case.text);
        assert_eq!(u128::from(ours.iter().sum::<u64>()), group.positions(), "{}", case.text);
        for (_, moves) in distances.farthest(5) {
            assert_eq!(moves.len(), usize::from(distances.diameter()));
            let is_nearer = strings.contains_key(&seen(&format_moves(moves)));
            assert!(!is_nearer || ours.len() == theirs.len(), "{}", case.text);
        }
    }
}

/// Whole groups: half turns alone, two faces that brute force exhausts, and the slices.
#[test]
fn small_groups_are_counted_whole() {
    for (text, metric, positions) in [
        ("U2 R2", Metric::Htm, 12),
        ("M E S", Metric::Stm, 768),
        ("M", Metric::Stm, 4),
        ("U2 R2 F2", Metric::Htm, 2592),
    ] {
        let case = case(text, metric);
        let (strings, counts) = by_brute_force(&case, 99);
        let group = group(&case);
        assert_eq!((group.positions(), strings.len()), (positions, positions as usize), "{text}");
        assert_eq!(group.distances(&Run::new()).unwrap().counts, counts, "{text}");
    }
}

/// All slice turns: 27 first moves; 504 strings of two that the rules allow, of which three pairs (half turns of two
/// slices in either order) have the same effect. Counted in the frame of the centres and in plain notation.
#[test]
fn slice_turns_are_counted_alike_in_both_frames() {
    let known = [1, 27, 501, 9175];
    let all = case("U R F D L B M E S", Metric::Stm);
    assert_eq!(by_brute_force(&all, 3).1, known);
    let set = MoveSet::all(Metric::Stm);
    let mut seen = HashSet::from([Permutation::IDENTITY]);
    let mut layer = vec![Permutation::IDENTITY];
    for count in known {
        assert_eq!(layer.len() as u64, count);
        let next = layer.iter().flat_map(|element| set.operators().iter().map(|o| element.then(&o.effect)));
        layer = next.filter(|element| seen.insert(*element)).collect();
    }
}

/// Membership: scrambles of a set are in its group; those that brute force excludes are not.
#[test]
fn cubes_are_in_the_group_or_not() {
    for case in cases() {
        let group = group(&case);
        let (strings, _) = by_brute_force(&case, 3);
        assert!(strings.keys().all(|cube| group.element(cube).is_some()), "{}", case.text);
    }
    for (text, metric) in [("U2 R2", Metric::Htm), ("M E S", Metric::Stm), ("M2 U2", Metric::Stm)] {
        let case = case(text, metric);
        let (strings, _) = by_brute_force(&case, 99);
        let others = by_brute_force(&self::case("U R F M", Metric::Stm), 3).0;
        for cube in others.keys() {
            assert_eq!(group(&case).element(cube).is_some(), strings.contains_key(cube), "{text}");
        }
    }
    let two = group(&case("U R", Metric::Htm));
    assert!(two.element(&seen("F")).is_none() && two.element(&seen("U R' U2")).is_some());
}

fn solver(case: &Case, most: u64, store: &Store) -> SetSolver {
    let group = group(case);
    let tables = SetTable::plan(&group, most, &[]);
    SetSolver::with_tables(group, None, &tables, store, &Run::new()).unwrap()
}

/// Every third position of each layer has a solution of the length of brute force, with small tables of parts and,
/// if the group is small, with the table of the whole group.
#[test]
fn lengths_equal_those_of_brute_force() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::new(dir.path(), "test");
    for case in cases() {
        let (strings, counts) = by_brute_force(&case, if case.names.len() > 8 { 4 } else { 6 });
        for most in [3_000, 200_000] {
            let solver = solver(&case, most, &store);
            let mut tried = vec![0; counts.len()];
            for (cube, string) in &strings {
                let depth = string.split_whitespace().count();
                tried[depth] += 1;
                if tried[depth] > 40 {
                    continue;
                }
                // The inverse is another position, at the same distance up to its frame; it is solved as it is.
                let report = solver.solve(cube, &Config::default(), &Run::new().with_threads(1)).unwrap();
                let Ending::Optimal { length, solutions, .. } = report.ending else {
                    panic!("{} has a solution: {string}", case.text)
                };
                let solution = format_moves(solutions[0].iter().copied());
                assert!(solutions[0].iter().all(|m| case.names.contains(&m.to_string())), "{}", case.text);
                assert!(is_solved(string, &solution), "{}: {string} / {solution}", case.text);
                assert_eq!(length as usize, solutions[0].len());
                // The inverse string has the same length if the set contains the inverses of its turns.
                assert_eq!(length as usize, depth, "{}: {string}", case.text);
            }
        }
    }
}

/// Five faces, with the coset table of all turns, and with small tables of their own.
#[test]
fn five_faces_are_searched_with_the_cosets_of_all_turns() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::new(dir.path(), "test");
    for (metric, scrambles) in [
        (Metric::Htm, ["U R F L B", "R L U F B' U2 L", "F2 B R L' U' F2"]),
        (Metric::Qtm, ["U R F L B", "R L U F B' U", "F B R L' U' F"]),
    ] {
        let case = case("U R F L B", metric);
        let cosets = SetCosets::of(&group(&case)).unwrap();
        assert_eq!(cosets.recipe.name(), format!("cube-coset-{}", metric.name()));
        let ours = SetSolver::with_cosets(group(&case), &cosets, common::store(), &Run::new()).unwrap();
        let theirs = solver(&case, 200_000, &store);
        for scramble in scrambles {
            let length = |solver: &SetSolver| {
                let report = solver.solve(&seen(scramble), &Config::default(), &Run::new()).unwrap();
                let Ending::Optimal { length, solutions, .. } = report.ending else { panic!("{scramble}") };
                let names = solutions[0].iter().map(Move::to_string);
                assert!(names.clone().all(|name| case.names.contains(&name)));
                assert!(is_solved(scramble, &names.collect::<Vec<_>>().join(" ")), "{scramble}");
                length
            };
            assert_eq!(length(&ours), length(&theirs), "{scramble}");
        }
    }
    assert!(SetCosets::of(&group(&case("U R F D", Metric::Htm))).is_none());
}

fn is_solved(string: &str, solution: &str) -> bool {
    seen(&format!("{string} {solution}")) == Cube::SOLVED
}

/// All solutions against all strings of their length: each string has one that differs only within runs about
/// one axis, and no two found ones differ so alone.
#[test]
fn all_solutions_are_found_up_to_runs_about_an_axis() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::new(dir.path(), "test");
    let all = Config::default().wanted(Wanted::All { extra: 0 });
    for (text, metric, scrambles) in [
        ("U R", Metric::Htm, &["U R U2 R'", "R2 U2 R2 U2"][..]),
        ("U R2", Metric::Htm, &["R2 U R2 U'", "R2 U2 R2"]),
        ("U2 R2 F2", Metric::Htm, &["U2 R2 F2 U2", "U2 R2 U2 R2 U2 R2"]),
        ("U D R2", Metric::Qtm, &[]),
        ("U D", Metric::Qtm, &["U2 D2", "U D'"]),
        ("U R F D L B", Metric::Htm, &["R L", "U R2 D'"]),
        ("M U", Metric::Stm, &["M U M' U2", "M2 U2 M2 U2"]),
        ("M E S", Metric::Stm, &["M E M'", "M2 E2"]),
        ("R L M U2", Metric::Stm, &["R L U2 M", "R L'", "M2 U2 R2"]),
        ("U R F D L B M E S", Metric::Stm, &["R L", "M2 E2", "U M D"]),
    ] {
        if scrambles.is_empty() {
            assert!(MoveSet::parse(text, Some(metric)).is_err());
            continue;
        }
        let case = case(text, metric);
        let solver = solver(&case, 3_000, &store);
        for scramble in scrambles {
            let Ending::Optimal { length, solutions, .. } =
                solver.solve(&seen(scramble), &all, &Run::new()).unwrap().ending
            else {
                panic!("{text} solves {scramble}")
            };
            let is_in_space = solver.group().set().is_in_space();
            let runs = |string: &str| runs(string, is_in_space);
            let found: BTreeSet<String> =
                solutions.iter().map(|solution| runs(&format_moves(solution.iter().copied()))).collect();
            assert_eq!(found.len(), solutions.len(), "{text}: {scramble}: duplicates");
            let mut strings = vec![String::new()];
            for _ in 0..length {
                let longer =
                    |string: &String| case.names.iter().map(|m| format!("{string} {m}")).collect::<Vec<_>>();
                strings = strings.iter().flat_map(longer).collect();
            }
            let expected: BTreeSet<String> = strings
                .iter()
                .filter(|string| is_solved(scramble, string))
                .map(|string| runs(string))
                .collect();
            assert_eq!(found, expected, "{text}: {scramble}");
        }
    }
}

/// Of solutions of half turns so much longer that some come back to a position on their way, these alone are left out.
#[test]
fn longer_solutions_have_no_loop() {
    let dir = tempfile::tempdir().unwrap();
    let case = case("U2 D2 R2 L2 F2 B2", Metric::Htm);
    let solver = solver(&case, 3_000, &Store::new(dir.path(), "test"));
    let config = Config::default().wanted(Wanted::All { extra: 8 });
    let cube = seen("R2");
    let Ending::Optimal { solutions, .. } = solver.solve(&cube, &config, &Run::new()).unwrap().ending else {
        panic!("R2 is solved")
    };
    let turns = |moves: Vec<Move>| scramble::parse(&format_moves(moves)).unwrap().turns;
    let mut found: Vec<Vec<Turn>> =
        solutions.into_iter().map(|moves| Metric::Htm.canonical(&turns(moves))).collect();
    found.sort_by_key(|turns| (turns.len(), turns.clone()));
    let mut expected = Vec::new();
    half_turns(&cube, 9, &mut Vec::new(), &mut expected);
    let all = expected.len();
    expected.retain(|turns| !reference::has_loop(turns));
    expected.sort_by_key(|turns| (turns.len(), turns.clone()));
    assert!(expected.len() < all, "the test sees solutions with loops");
    assert_eq!(found, expected);
}

/// All canonical strings of at most `left` half turns more that solve the cube at their end and not before.
fn half_turns(cube: &Cube, left: usize, made: &mut Vec<Turn>, all: &mut Vec<Vec<Turn>>) {
    if cube.is_solved() {
        all.push(made.clone());
        return;
    }
    for face in Face::ALL.into_iter().filter(|_| left > 0) {
        let follows =
            |last: &Turn| last.face() != face && (last.face() != face.opposite() || last.face() < face);
        if made.last().is_none_or(follows) {
            let turn = Turn::new(face, 2);
            made.push(turn);
            half_turns(&cube.apply(turn), left - 1, made, all);
            made.pop();
        }
    }
}

/// The effect of each run about one axis in the cube's own frame and, for a set of moves in space, the orientation of
/// the cube after it.
fn runs(string: &str, is_in_space: bool) -> String {
    let moves = scramble::parse_moves(string).unwrap();
    let is_one_axis = |a: Face, b: Face| a.index() % 3 == b.index() % 3;
    let (mut before, mut named) = (String::new(), Vec::new());
    for run in moves.chunk_by(|a, b| is_one_axis(a.face, b.face)) {
        let start = scramble::parse(&before).unwrap();
        before = format!("{before} {}", format_moves(run.iter().copied()));
        let end = scramble::parse(&before).unwrap();
        let held = if is_in_space { end.orientation.to_string() } else { String::new() };
        named.push(format!("{:?} {held}", start.cube().inverse().compose(&end.cube())));
    }
    named.join("; ")
}
