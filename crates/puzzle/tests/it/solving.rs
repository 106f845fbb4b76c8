//! Solvers compared with exact distances.

use crate::puzzles::{cube3, pancakes, permutations, pocket_cube, pyraminx, skewb, top_spin};
use puzzle::coordinate::{Coordinate, MOST_STATES, NONE, Projection};
use puzzle::product::{Direction, Factor, Product, Table};
use puzzle::reduced::Reduced;
use puzzle::solution::counted;
use puzzle::symmetry::symmetries;
use puzzle::system::System;
use puzzle::{Ask, Illegal, Pattern, Puzzle, Selection, Solver, SolverSetup, builtin, states};
use search_core::ida::Wanted;
use search_core::pdb::{FillOptions, fill, prove};
use search_core::table::Store;
use search_core::{Ending, Run};
use std::collections::HashMap;

fn run(memory: u64) -> Run<'static> {
    Run::new().with_threads(2).with_memory(memory)
}

fn solver(puzzle: Puzzle, memory: u64) -> (Solver, tempfile::TempDir) {
    let directory = tempfile::tempdir().expect("a directory");
    let store = Store::new(directory.path(), "test");
    let solver =
        Solver::load(puzzle, Vec::new(), &SolverSetup::default(), store, &run(memory)).expect("a solver");
    (solver, directory)
}

/// All legal patterns up to a depth, with their distances *to* the solved one, by plain search.
fn distances(puzzle: &Puzzle, depth: usize) -> HashMap<Pattern, usize> {
    let mut found = HashMap::from([(puzzle.solved().clone(), 0)]);
    let mut layer = vec![puzzle.solved().clone()];
    for distance in 1..=depth {
        let mut next = Vec::new();
        for pattern in &layer {
            for step in puzzle.moves() {
                let before = pattern.apply(&step.transformation.inverse());
                if puzzle.is_legal(&before) && !found.contains_key(&before) {
                    found.insert(before.clone(), distance);
                    next.push(before);
                }
            }
        }
        layer = next;
    }
    found
}

/// Solves a sample of the patterns and compares lengths; lower bounds of all.
fn matches_plain_search(puzzle: &Puzzle, depth: usize, sample: usize, memory: u64) {
    let exact = distances(puzzle, depth);
    let (solver, _directory) = solver(puzzle.clone(), memory);
    let mut all: Vec<(&Pattern, &usize)> = exact.iter().collect();
    all.sort();
    for &(pattern, &distance) in &all {
        let value = solver.value(pattern).expect("it can be solved");
        assert!(usize::from(value) <= distance, "{}: {value} for {distance}", puzzle.name());
    }
    for (pattern, &distance) in all.into_iter().step_by(sample) {
        let answer = solver.solve(&Ask::new(pattern.clone()), &run(memory)).expect("a checked solution");
        assert_eq!(answer.ending.length(), Some(distance as u32), "{}", puzzle.name());
        assert_eq!(answer.ending.solutions()[0].length as usize, distance);
    }
}

/// Each move keeps the database of the pieces that it leaves in place, so equal values exclude last moves.
#[test]
fn excluded_last_moves_lose_no_solution() {
    let puzzle = pocket_cube("URF", &[]);
    let exact = distances(&puzzle, 6);
    let kept = |name: &str| -> Vec<usize> {
        let step = puzzle.moves().iter().find(|step| step.name == name).expect("a move");
        let of = &step.transformation.orbits[0];
        (0..of.from.len()).filter(|&at| usize::from(of.from[at]) == at && of.turn[at] == 0).collect()
    };
    let patterns: Vec<Vec<usize>> = ["U", "R", "F"].map(kept).to_vec();
    assert!(patterns.iter().all(|pieces| pieces.len() == 4), "{patterns:?}");
    for symmetries in [false, true] {
        let directory = tempfile::tempdir().expect("a directory");
        let setup = SolverSetup::default().symmetries(symmetries).patterns(Some(patterns.clone()));
        let store = Store::new(directory.path(), "test");
        let solver = Solver::load(puzzle.clone(), Vec::new(), &setup, store, &run(LITTLE)).expect("a solver");
        assert!(!solver.tables().is_empty() && solver.greatest_length().is_none());
        let mut all: Vec<(&Pattern, &usize)> = exact.iter().collect();
        all.sort();
        for (pattern, &distance) in all.into_iter().step_by(23) {
            let answer = solver.solve(&Ask::new(pattern.clone()), &run(LITTLE)).expect("a solution");
            assert_eq!(answer.ending.length(), Some(distance as u32));
        }
    }
}

const ALL: u64 = 1 << 28;
const LITTLE: u64 = 2 << 20;

#[test]
fn lengths_are_those_of_plain_search() {
    for memory in [ALL, LITTLE] {
        matches_plain_search(&pocket_cube("URF", &[]), 5, 97, memory);
        matches_plain_search(&pancakes(7), 8, 97, memory);
        matches_plain_search(&top_spin(7, 3), 30, 97, memory);
        matches_plain_search(&pyraminx(true, false), 3, 97, memory);
    }
    matches_plain_search(&cube3("UDRLFB", &[]), 3, 97, 1 << 23);
}

#[test]
fn symmetries_are_found_and_raise_lower_bounds() {
    let cases = [(cube3("UDRLFB", &[]), 47), (pocket_cube("URF", &[]), 5), (pyraminx(false, false), 23)];
    for (puzzle, known) in cases {
        let system = System::new(&puzzle, &Run::new()).expect("a system");
        assert_eq!(
            symmetries(&system.parts, &Run::new()).expect("not cancelled").len(),
            known,
            "{}",
            puzzle.name()
        );
    }
    let puzzle = cube3("UDRLFB", &[]);
    let directory = tempfile::tempdir().expect("a directory");
    let store = Store::new(directory.path(), "test");
    // Of chosen databases all are kept.
    let chosen = vec![vec![0, 1, 2, 3], vec![8, 9, 10, 11]];
    for patterns in [Some(chosen), None] {
        let [with, without] = [true, false].map(|symmetries| {
            let setup = SolverSetup::default().symmetries(symmetries).patterns(patterns.clone());
            Solver::load(puzzle.clone(), Vec::new(), &setup, store.clone(), &run(1 << 23)).expect("a solver")
        });
        assert!(with.lookup_count() > with.tables().len());
        assert_eq!(without.lookup_count(), without.tables().len());
        let (mut pattern, mut sums, mut raised) = (puzzle.solved().clone(), [0, 0], 0);
        for number in (0..400).map(|at| at * at * 7 + at) {
            pattern = pattern.apply(&puzzle.moves()[number % 18].transformation);
            let values = [&with, &without].map(|solver| solver.value(&pattern).expect("it can be solved"));
            assert!(values[0] >= values[1] || patterns.is_none());
            raised += usize::from(values[0] > values[1]);
            (sums[0], sums[1]) = (sums[0] + u32::from(values[0]), sums[1] + u32::from(values[1]));
        }
        assert!(raised > 0 && sums[0] > sums[1], "{raised} values of {sums:?} are raised");
        // Images of one database stand for those of other pieces.
        assert!(with.tables().len() <= without.tables().len());
    }
}

/// The value of a position is the maximum of its own lookups and its inverse's.
#[test]
fn positions_and_their_inverses_have_equal_lower_bounds() {
    let puzzle = cube3("UDRLFB", &[]);
    let (solver, _directory) = solver(puzzle.clone(), 1 << 23);
    assert_eq!(solver.lookup_count(), 6);
    let mut number = 1u32;
    let (mut exact, mut farthest) = (HashMap::new(), 0);
    for length in 0..400 {
        let (mut there, mut back) = (puzzle.solved().clone(), puzzle.identity());
        for _ in 0..length % 40 {
            number = number.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let step = &puzzle.moves()[number as usize / 65_536 % 18].transformation;
            (there, back) = (there.apply(step), step.inverse().then(&back));
        }
        let values = [&there, &puzzle.solved().apply(&back)].map(|pattern| solver.value(pattern));
        assert_eq!(values[0], values[1]);
        farthest = farthest.max(values[0].expect("it can be solved"));
        *exact.entry(values[0]).or_insert(0) += 1;
    }
    assert!(exact.len() > 5 && farthest > 7, "{exact:?}");
}

/// The tables of moves of all coordinates, along walks of whole patterns.
#[test]
fn tables_of_moves_follow_patterns() {
    let cycle = vec![("a".to_owned(), vec![1, 2, 3, 4, 5, 0]), ("b".to_owned(), vec![1, 2, 0, 3, 4, 5])];
    let square_1 = builtin::get("square-1").expect("a puzzle").expect("a definition");
    let square_1 = square_1.select(&Selection::default()).expect("a puzzle").puzzle;
    for (name, puzzle) in [
        ("3x3x3", cube3("UDRLFB", &[])),
        ("pyraminx", pyraminx(true, false)),
        ("TopSpin", top_spin(8, 4)),
        ("one way", permutations("one way", cycle)),
        ("square-1", square_1),
    ] {
        let system = System::new(&puzzle, &run(ALL)).expect("a system");
        let mut pattern = puzzle.solved().clone();
        let (mut number, mut legal) = (1u32, 0);
        for _ in 0..300 {
            let before = system.states(&pattern, &system.coordinates).expect("states");
            let steps = system.reduction.moves().iter().enumerate();
            let mut possible = Vec::new();
            for (op, step) in steps {
                let after = pattern.apply(&step.transformation);
                let next = system.coordinates.iter().zip(&before);
                let next: Vec<u16> = next
                    .map(|(coordinate, &state)| coordinate.next()[usize::from(state) * system.moves() + op])
                    .collect();
                if puzzle.is_legal(&after) {
                    assert_eq!(Some(next), system.states(&after, &system.coordinates), "{name}: {op}");
                    possible.push(after);
                } else {
                    assert!(next.contains(&NONE), "{name}: {op}");
                }
            }
            legal += possible.len();
            number = number.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            pattern = possible.swap_remove(number as usize / 65_536 % possible.len());
        }
        assert!(legal > 300, "{name}");
    }
}

/// Twists and flips of the 3x3x3 cube, of which sixteen symmetries keep both, with and without the reduction.
#[test]
fn reduced_tables_have_the_distances_of_whole_ones() {
    let (puzzle, run) = (cube3("UDRLFB", &[]), run(ALL));
    let system = System::new(&puzzle, &run).expect("a system");
    let coordinates: Vec<Coordinate> = (system.parts.iter().enumerate())
        .map(|(number, part)| {
            let projection = Projection::orientations(number, part);
            Coordinate::new(part, projection, MOST_STATES, &run).expect("not cancelled").expect("small")
        })
        .collect();
    let symmetries = symmetries(&system.parts, &run).expect("not cancelled");
    let symmetries: Vec<Vec<usize>> = symmetries.into_iter().map(|symmetry| symmetry.moves).collect();
    let [first, second] = [0, 1].map(|number| Table::of(&coordinates[number]));
    let factors = [0, 1].map(|number| Factor::Coordinate(&coordinates[number]));
    let product = Product::new(&factors, system.moves(), true, Direction::Backward).expect("a product");
    let whole = fill::<4, _>(&product, FillOptions::default(), &run).expect("memory").table;
    for [leading, following] in [[first.clone(), second.clone()], [second, first]] {
        let is_swapped = leading.states != coordinates[0].states();
        let states = [leading.states, following.states];
        let reduced = Reduced::new(vec![leading], following, &system.generators(), &symmetries);
        let reduced = reduced.expect("a product");
        assert_eq!(reduced.symmetries().len(), 16);
        assert!(8 * reduced.entries() < product.entries());
        let table = fill::<4, _>(&reduced, FillOptions::default(), &run).expect("memory").table;
        prove(&reduced, &table, None, &run).expect("distances");
        for leading in 0..states[0] {
            for following in 0..states[1] {
                let mut pair = [leading, following];
                if is_swapped {
                    pair.reverse();
                }
                let entry: usize =
                    pair.iter().zip(product.strides()).map(|(state, stride)| state * stride).sum();
                let value = table.get(reduced.entry(leading, following) as u64);
                assert_eq!(value, whole.get(entry as u64), "{pair:?}");
            }
        }
    }
}

#[test]
fn moves_that_cannot_be_undone_are_solved_backward() {
    let cycle = vec![("a".to_owned(), vec![1, 2, 3, 4, 5, 0]), ("b".to_owned(), vec![1, 2, 0, 3, 4, 5])];
    let puzzle = permutations("one way", cycle);
    matches_plain_search(&puzzle, 30, 7, ALL);
}

#[test]
fn identical_pieces_and_open_orientations_are_solved() {
    let mut parts = pocket_cube("URF", &[]).into_parts();
    for piece in &mut parts.solved.orbits[0].pieces {
        *piece /= 2;
    }
    matches_plain_search(&Puzzle::new(parts.clone()).expect("a puzzle"), 6, 97, ALL);
    parts.solved.orbits[0].orientation_mod[..4].fill(1);
    parts.solved.orbits[0].pieces[4..].fill(9);
    matches_plain_search(&Puzzle::new(parts).expect("a puzzle"), 6, 97, ALL);
    let mut parts = pancakes(8).into_parts();
    parts.solved.orbits[0].pieces = vec![0, 0, 0, 1, 1, 2, 2, 2];
    matches_plain_search(&Puzzle::new(parts).expect("a puzzle"), 20, 11, ALL);
}

#[test]
fn rules_of_illegal_states_are_kept() {
    // Token 0 never lies in the place where flips begin.
    let mut parts = top_spin(6, 4).into_parts();
    parts.illegal = vec![Illegal { orbit: 0, place: 1, piece: 0 }];
    let puzzle = Puzzle::new(parts).expect("a puzzle");
    matches_plain_search(&puzzle, 40, 3, ALL);
    let mut parts = top_spin(6, 4).into_parts();
    parts.solved.orbits[0].pieces = vec![0, 1, 2, 1, 1, 2];
    parts.illegal = vec![Illegal { orbit: 0, place: 5, piece: 0 }, Illegal { orbit: 0, place: 2, piece: 1 }];
    let puzzle = Puzzle::new(parts).expect("a puzzle");
    matches_plain_search(&puzzle, 40, 1, ALL);
    // Pieces with rules about the same places, which are told apart.
    let mut parts = pancakes(8).into_parts();
    parts.illegal = [1, 4, 6].map(|piece| Illegal { orbit: 0, place: 0, piece }).to_vec();
    matches_plain_search(&Puzzle::new(parts).expect("a puzzle"), 6, 31, LITTLE);
}

#[test]
fn rotated_puzzles_are_solved_up_to_rotation() {
    for (puzzle, memory) in
        [(pocket_cube("U", &["x", "y"]), ALL), (skewb(), ALL), (cube3("UF", &["x", "y"]), 1 << 23)]
    {
        let (solver, _directory) = solver(puzzle.clone(), memory);
        let mut pattern = puzzle.solved().clone();
        for number in [0, 3, 7, 2, 5] {
            let turn = &puzzle.rotations()[number % 2].transformation;
            pattern =
                pattern.apply(&puzzle.moves()[number % puzzle.moves().len()].transformation).apply(turn);
        }
        let answer = solver.solve(&Ask::new(pattern), &run(memory)).expect("a checked solution");
        assert!(answer.ending.solutions()[0].length <= 5);
    }
}

#[test]
fn all_solutions_are_found_and_unsolvable_patterns_have_none() {
    let puzzle = pocket_cube("URF", &[]);
    let (solver, _directory) = solver(puzzle.clone(), ALL);
    let names = ["U", "R2", "F'", "U2", "R", "F2", "U'", "R'", "F", "U2", "R'"];
    let step = |name: &&str| puzzle.moves().iter().find(|step| step.name == *name).expect("a move");
    let pattern =
        names.iter().fold(puzzle.solved().clone(), |state, name| state.apply(&step(name).transformation));
    let ask = Ask::new(pattern.clone()).wanted(Wanted::All { extra: 1 });
    let answer = solver.solve(&ask, &run(ALL)).expect("checked solutions");
    assert!(answer.ending.solutions().len() > 1);
    for solution in answer.ending.solutions() {
        let names: Vec<&str> = solution.moves.split(' ').collect();
        assert_eq!(counted(&puzzle, &pattern, &names), Some(solution.length as usize));
    }
    let mut twisted = puzzle.solved().clone();
    twisted.orbits[0].orientation[0] = 1;
    let answer = solver.solve(&Ask::new(twisted), &run(ALL)).expect("no search");
    assert_eq!(answer.ending, Ending::Exhausted);
    assert_eq!(counted(&puzzle, &pattern, &["U2"]), None);
}

/// The shortest solutions of a pattern, by plain distances. They are unsorted.
fn shortest(puzzle: &Puzzle, exact: &HashMap<Pattern, usize>, pattern: &Pattern) -> Vec<String> {
    let Some(left @ 1..) = exact.get(pattern).copied() else { return vec![String::new()] };
    let nearer = puzzle.moves().iter().map(|step| (&step.name, pattern.apply(&step.transformation)));
    let nearer = nearer.filter(|(_, next)| exact.get(next) == Some(&(left - 1)));
    nearer
        .flat_map(|(name, next)| {
            let rest = shortest(puzzle, exact, &next).into_iter();
            rest.map(move |rest| format!("{name} {rest}").trim_end().to_owned())
        })
        .collect()
}

/// Without a learned automaton each shortest string is listed: no two faces of the pocket cube commute.
#[test]
fn a_random_solution_is_each_of_the_shortest_ones_equally_often() {
    let puzzle = pocket_cube("URF", &[]);
    let exact = distances(&puzzle, 6);
    let directory = tempfile::tempdir().expect("a directory");
    let (store, setup) = (Store::new(directory.path(), "test"), SolverSetup::default().learn(Some(0)));
    let solver = Solver::load(puzzle.clone(), Vec::new(), &setup, store, &run(ALL)).expect("a solver");
    let mut far: Vec<&Pattern> =
        exact.iter().filter(|(_, distance)| **distance == 6).map(|(pattern, _)| pattern).collect();
    far.sort();
    let several = far
        .into_iter()
        .map(|pattern| (pattern, shortest(&puzzle, &exact, pattern)))
        .find(|(_, all)| all.len() > 2);
    let (pattern, all) = several.expect("a pattern with several solutions");
    let mut counts: HashMap<String, u32> = all.iter().map(|moves| (moves.clone(), 0)).collect();
    assert_eq!(counts.len(), all.len());
    for seed in 0..200 * all.len() as u64 {
        let ask = Ask::new(pattern.clone()).random(Some(seed));
        let answer = solver.solve(&ask, &run(ALL)).expect("a checked solution");
        let [solution] = answer.ending.solutions() else { panic!("one is chosen") };
        *counts.get_mut(&solution.moves).expect("a shortest solution") += 1;
    }
    // Six standard deviations.
    assert!(counts.values().all(|count| count.abs_diff(200) < 6 * 15), "{counts:?}");
}

#[test]
fn patterns_outside_of_the_group_are_refused_without_a_search() {
    // Two swapped edges: each part can be solved, but not both.
    let puzzle = cube3("UDRLFB", &[]);
    let (solver, _directory) = self::solver(puzzle.clone(), 1 << 23);
    let mut swapped = puzzle.solved().clone();
    swapped.orbits[1].pieces.swap(0, 1);
    let answer = solver.solve(&Ask::new(swapped), &run(1 << 23)).expect("no search");
    assert_eq!(answer.ending, Ending::Exhausted);
}

/// The factor that docs/measurements/puzzles.md gives.
#[test]
fn images_under_symmetries_leave_the_documented_number_of_nodes() {
    let definition = builtin::get("3x3x3").expect("a puzzle").expect("a definition");
    let puzzle = definition.select(&Selection::default()).expect("a selection").puzzle;
    // Five corners and five edges, of the orbits in this order.
    let patterns = vec![vec![0, 1, 2, 3, 4], vec![8, 9, 10, 11, 12]];
    let directory = tempfile::tempdir().expect("a directory");
    let run = Run::new().with_threads(1).with_memory(64 << 20);
    let nodes = |symmetries: bool| -> u64 {
        let store = Store::new(directory.path(), "test");
        let setup = SolverSetup::default().symmetries(symmetries).patterns(Some(patterns.clone()));
        let solver = Solver::load(puzzle.clone(), Vec::new(), &setup, store, &run).expect("a solver");
        let complete = ["U R F' U2 D' R B' D R2 B2 D2", "R' F' B' U2 L2 B R2 L B2 F U2"].map(|scramble| {
            let start = states::read(scramble, &definition, None).expect("a state");
            let ask = Ask::new(start).max_bound(10);
            let answer = solver.solve(&ask, &run).expect("a lower bound");
            assert_eq!(answer.ending.lower_bound(), Some(11), "{scramble}");
            answer.iterations.iter().map(|iteration| iteration.generated).sum::<u64>()
        });
        complete.into_iter().sum()
    };
    assert_eq!((nodes(false), nodes(true)), (794_900, 94_023));
}
