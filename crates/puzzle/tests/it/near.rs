//! Tables of near positions and searches that begin with them, compared with exact distances.

use crate::puzzles::{cube3, pancakes, permutations, pocket_cube, pyraminx, skewb, top_spin};
use puzzle::automaton::automaton;
use puzzle::near::{FillError, Hashed, PlaceSpace, Places, fill};
use puzzle::system::System;
use puzzle::{Ask, Goal, Illegal, Open, Pattern, Puzzle, Selection, Solver, SolverSetup, builtin, states};
use search_core::domain::Lengths;
use search_core::ida::{Checkpoints, SearchState, Wanted};
use search_core::table::Store;
use search_core::{Ending, Run};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// A solver that loads tables when it needs them.
fn solver(puzzle: &Puzzle, store: &Store, run: &Run<'_>) -> Solver {
    Solver::new(puzzle.clone(), Vec::new(), &SolverSetup::default(), store.clone(), run).expect("a solver")
}

fn run(threads: usize) -> Run<'static> {
    Run::new().with_threads(threads).with_memory(1 << 28)
}

/// All legal patterns up to a depth, with their distances, by plain search.
fn distances(puzzle: &Puzzle, depth: usize) -> HashMap<Pattern, usize> {
    let mut found = HashMap::from([(puzzle.solved().clone(), 0)]);
    let mut layer = vec![puzzle.solved().clone()];
    for distance in 1..=depth {
        let mut next = Vec::new();
        for pattern in &layer {
            for step in puzzle.moves() {
                let after = pattern.apply(&step.transformation);
                if puzzle.is_legal(&after) && !found.contains_key(&after) {
                    found.insert(after.clone(), distance);
                    next.push(after);
                }
            }
        }
        layer = next;
    }
    found
}

/// Puzzles with distinct pieces, with identical ones, with open orientations, and with illegal states.
fn puzzles() -> Vec<(Puzzle, usize)> {
    let mut identical = pocket_cube("URF", &[]).into_parts();
    for piece in &mut identical.solved.orbits[0].pieces {
        *piece /= 2;
    }
    let mut open = pocket_cube("URF", &[]).into_parts();
    open.solved.orbits[0].orientation_mod[..4].fill(1);
    open.solved.orbits[0].pieces[4..].fill(9);
    let mut rules = top_spin(6, 4).into_parts();
    rules.illegal = vec![Illegal { orbit: 0, place: 1, piece: 0 }];
    let mut apart = permutations(
        "turns apart",
        vec![
            ("a".to_owned(), vec![1, 2, 0, 3, 4, 5, 6]),
            ("b".to_owned(), vec![0, 1, 2, 4, 5, 3, 6]),
            ("c".to_owned(), vec![0, 1, 3, 2, 4, 6, 5]),
            ("d".to_owned(), vec![2, 0, 1, 3, 4, 5, 6]),
            ("e".to_owned(), vec![0, 1, 2, 5, 3, 4, 6]),
        ],
    )
    .into_parts();
    apart.illegal = vec![Illegal { orbit: 0, place: 1, piece: 6 }, Illegal { orbit: 0, place: 4, piece: 0 }];
    [
        (pocket_cube("URF", &[]).into_parts(), 5),
        (identical, 6),
        (open, 6),
        (pyraminx(false, false).into_parts(), 5),
        (pancakes(8).into_parts(), 20),
        (top_spin(8, 4).into_parts(), 40),
        (rules, 40),
        (apart, 40),
        (cube3("UDRLFB", &[]).into_parts(), 3),
    ]
    .into_iter()
    .map(|(parts, depth)| (Puzzle::new(parts).expect("a puzzle"), depth))
    .collect()
}

#[test]
fn values_of_near_positions_are_their_distances() {
    for (puzzle, depth) in puzzles() {
        let exact = distances(&puzzle, depth);
        let run = run(2);
        let system = System::new(&puzzle, &run).expect("a system");
        let places = Places::new(&system).expect("places");
        let space = PlaceSpace::<32>::new(&places, Lengths::ANY);
        for learn in [None, Some(0)] {
            let automaton = automaton(&system, learn, &run).expect("not cancelled");
            let most = u8::try_from(depth.min(4)).expect("small");
            // Room for one position makes the enumeration begin again.
            let near = fill(&space, &automaton, most, 1.0, &run).expect("a table");
            let mut missed = 0;
            for (pattern, &distance) in &exact {
                let bytes = places.read(&system, pattern).expect("its pieces");
                let value = usize::from(near.get(space.hash(&space.position(&bytes))));
                assert!(value <= distance, "{}: {value} for {distance}", puzzle.name());
                missed += usize::from(value != distance.min(usize::from(most) + 1));
            }
            // Positions whose hashes look alike have too small a value.
            assert!(missed <= exact.len() / 100, "{}: {missed} of {}", puzzle.name(), exact.len());
        }
    }
}

#[test]
fn tables_do_not_depend_on_threads() {
    let puzzle = pocket_cube("URF", &[]);
    let [one, three] = [1, 3].map(|threads| {
        let run = run(threads);
        let system = System::new(&puzzle, &run).expect("a system");
        let places = Places::new(&system).expect("places");
        let space = PlaceSpace::<16>::new(&places, Lengths::ANY);
        let automaton = automaton(&system, None, &run).expect("not cancelled");
        let near = fill(&space, &automaton, 6, 1e5, &run).expect("a table");
        let exact = distances(&puzzle, 6);
        let mut values: Vec<(Pattern, u8)> = (exact.into_keys())
            .map(|pattern| {
                let bytes = places.read(&system, &pattern).expect("its pieces");
                let value = near.get(space.hash(&space.position(&bytes)));
                (pattern, value)
            })
            .collect();
        values.sort();
        (near.strings().to_vec(), values)
    });
    assert_eq!(one, three);
}

#[test]
fn a_table_beyond_the_memory_is_refused() {
    let run = run(1).with_memory(1 << 12);
    let system = System::new(&pocket_cube("URF", &[]), &run).expect("a system");
    let places = Places::new(&system).expect("places");
    let space = PlaceSpace::<16>::new(&places, Lengths::ANY);
    let automaton = automaton(&system, None, &run).expect("not cancelled");
    assert!(matches!(fill(&space, &automaton, 5, 1.0, &run), Err(FillError::OverBudget { .. })));
}

#[test]
fn searches_that_begin_with_near_positions_find_shortest_solutions() {
    for (puzzle, depth) in puzzles() {
        let exact = distances(&puzzle, depth);
        let directory = tempfile::tempdir().expect("a directory");
        let store = Store::new(directory.path(), "test");
        let run = run(2);
        let solver = solver(&puzzle, &store, &run);
        let mut all: Vec<(&Pattern, &usize)> = exact.iter().collect();
        all.sort();
        for (pattern, &distance) in all.into_iter().step_by(exact.len() / 60 + 1) {
            let answer = solver.solve(&Ask::new(pattern.clone()), &run).expect("tables");
            assert_eq!(answer.ending.length(), Some(distance as u32), "{}", puzzle.name());
            assert_eq!(answer.ending.solutions()[0].length, distance as u32);
        }
    }
}

#[test]
fn both_stages_find_the_same_solutions() {
    let puzzle = skewb();
    let directory = tempfile::tempdir().expect("a directory");
    let store = Store::new(directory.path(), "test");
    let run = run(2);
    let staged = solver(&puzzle, &store, &run);
    let plain = solver(&puzzle, &store, &run);
    plain.load_databases(&run).expect("tables");
    let mut pattern = puzzle.solved().clone();
    for number in [0, 3, 1, 6, 2, 5, 0] {
        pattern = pattern.apply(&puzzle.moves()[number % puzzle.moves().len()].transformation);
        for wanted in [Wanted::All { extra: 0 }, Wanted::All { extra: 1 }] {
            let ask = Ask::new(pattern.clone()).wanted(wanted);
            let [first, second] = [&staged, &plain].map(|solver| {
                let ending = solver.solve(&ask, &run).expect("tables").ending;
                let mut solutions: Vec<String> =
                    ending.solutions().iter().map(|solution| solution.moves.clone()).collect();
                solutions.sort();
                solutions
            });
            assert_eq!(first, second);
        }
    }
}

#[test]
fn long_searches_load_pattern_databases() {
    let puzzle = cube3("UDRLFB", &[]);
    let directory = tempfile::tempdir().expect("a directory");
    let store = Store::new(directory.path(), "test");
    // Databases of a megabyte are built sooner than twelve moves are searched.
    let run = run(2).with_memory(1 << 20);
    let solver = solver(&puzzle, &store, &run);
    let mut pattern = puzzle.solved().clone();
    for number in [0, 7, 3, 13, 9, 16, 1, 6, 15, 4] {
        pattern = pattern.apply(&puzzle.moves()[number].transformation);
    }
    let answer = solver.solve(&Ask::new(pattern.clone()), &run).expect("tables");
    assert!(answer.used.heuristic.ends_with("then pattern databases"), "{}", answer.used.heuristic);
    assert_eq!(answer.used.stages.len(), 2);
    let bounds: Vec<u32> = answer.iterations.iter().map(|iteration| iteration.bound).collect();
    assert!(bounds.is_sorted_by(|a, b| a < b), "{bounds:?}");
    assert_eq!(answer.ending.length(), Some(10));
    // The group lacks this pattern.
    let mut twisted = puzzle.solved().clone();
    twisted.orbits[1].pieces.swap(0, 1);
    let answer = solver.solve(&Ask::new(twisted), &run).expect("tables");
    assert_eq!(answer.ending, Ending::Exhausted);
}

/// The corners and centres of the 4x4x4 cube, their goal, and a state whose shortest solutions have eleven moves.
fn corners_and_centres() -> (Puzzle, Goal, Pattern) {
    let definition = builtin::get("4x4x4").expect("it is built in").expect("a definition");
    let puzzle = definition.select(&Selection::default()).expect("its moves").puzzle;
    let start = states::read("U2 2F R 2D2 U' F2 R2 2D2 L", &definition, None).expect("a state");
    let open = Open::default().ignored(vec!["EDGES".parse().expect("places")]);
    let goal = Goal::new(&puzzle, puzzle.solved(), &open).expect("a goal");
    (puzzle, goal, start)
}

/// Small pattern databases do what the large ones of a lesser budget do.
#[test]
fn small_databases_come_before_large_ones() {
    let (puzzle, goal, start) = corners_and_centres();
    let solve = |memory: u64| {
        let directory = tempfile::tempdir().expect("a directory");
        let (store, run) = (Store::new(directory.path(), "test"), run(2).with_memory(memory));
        let setup = SolverSetup::default();
        let solver = Solver::new(puzzle.clone(), vec![goal.clone()], &setup, store, &run).expect("a solver");
        let answer = solver.solve(&Ask::new(start.clone()), &run).expect("tables");
        let entries: u64 = solver.counts().flatten().sum();
        (answer.ending.length(), answer.used.heuristic, entries)
    };
    let [small, large] = [2 << 30, 192 << 20].map(solve);
    assert_eq!([small.0, large.0], [Some(11); 2]);
    assert_eq!(small.1, "near positions, then small pattern databases");
    assert_eq!(large.1, "near positions, then pattern databases");
    // Four bits an entry, in an eighth of an eighth of the memory.
    assert!(small.2 < 64 << 20 && large.2 <= 384 << 20, "{} and {} entries", small.2, large.2);
}

#[test]
fn a_limit_ends_the_first_stage() {
    let puzzle = cube3("UDRLFB", &[]);
    let directory = tempfile::tempdir().expect("a directory");
    let store = Store::new(directory.path(), "test");
    let run = run(1);
    let solver = solver(&puzzle, &store, &run);
    let mut pattern = puzzle.solved().clone();
    for number in [0, 7, 3, 13, 9, 16, 1] {
        pattern = pattern.apply(&puzzle.moves()[number].transformation);
    }
    let answer = solver.solve(&Ask::new(pattern).max_bound(5), &run).expect("no tables");
    assert_eq!(answer.ending, Ending::bounded(6));
    assert!(answer.used.tables.is_empty());
}

#[test]
fn recorded_lengths_are_found() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/puzzles/scrambles.csv");
    let text = std::fs::read_to_string(path).expect("the recorded scrambles");
    let definition = builtin::get("3x3x3").expect("it is built in").expect("a definition");
    let selected = definition.select(&Selection::default()).expect("its moves");
    let directory = tempfile::tempdir().expect("a directory");
    let store = Store::new(directory.path(), "test");
    let run = run(2);
    let solver = solver(&selected.puzzle, &store, &run);
    let mut found = 0;
    for line in text.lines().filter_map(|line| line.strip_prefix("3x3x3,11,")) {
        let read = states::read(line, &definition, None).expect("moves");
        let start = selected.state(&read).expect("a state of the puzzle");
        let answer = solver.solve(&Ask::new(start), &run).expect("no tables");
        assert_eq!(answer.ending.length(), Some(11), "{line}");
        found += 1;
    }
    assert_eq!(found, 3);
}

/// Keeps the last state of each bound of a search, and resumes from one. All states of a search together take gigabytes.
#[derive(Debug, Default)]
struct Kept {
    begin: Option<SearchState>,
    states: Mutex<Vec<SearchState>>,
}

impl Checkpoints for Kept {
    fn resume(&self) -> Option<SearchState> {
        self.begin.clone()
    }

    /// Each heuristic searches for longer, and saving after each of thousands of subtrees takes minutes.
    fn pause(&self) -> Duration {
        Duration::from_millis(1)
    }

    fn keep(&self, state: &SearchState) {
        let mut states = self.states.lock().expect("no panic");
        states.pop_if(|last| last.bound == state.bound);
        states.push(state.clone());
    }
}

/// Solves `pattern`, and again from one state of each of its two heuristics: the last, from which little is left to be
/// searched. Returns the names of the heuristics.
fn check_resumed_searches(solver: &dyn Fn() -> Solver, pattern: &Pattern, run: &Run<'_>) -> String {
    let solve = |begin: Option<SearchState>| {
        let kept = Arc::new(Kept { begin, ..Kept::default() });
        let ask = Ask::new(pattern.clone()).checkpoints(kept.clone());
        let answer = solver().solve(&ask, run).expect("tables");
        (answer, kept)
    };
    let (whole, kept) = solve(None);
    assert_eq!(whole.used.stages.len(), 2);
    let states = kept.states.lock().expect("no panic").clone();
    let from = whole.used.stages[1].from;
    let near = states.iter().rfind(|state| state.bound < from).expect("a state with near positions");
    let last = states.last().filter(|state| state.bound >= from).expect("a state with databases");
    for state in [near, last] {
        let (answer, _) = solve(Some(state.clone()));
        assert_eq!(answer.ending.length(), whole.ending.length());
        let counts = |answer: &search_core::record::Answer<_>| -> Vec<(u32, u64)> {
            let complete = answer.iterations.iter().filter(|iteration| iteration.complete);
            complete.map(|iteration| (iteration.bound, iteration.generated)).collect()
        };
        // The bounds before the checkpoint are those of the whole search; later ones may use another heuristic.
        let before = |counts: Vec<(u32, u64)>| -> Vec<(u32, u64)> {
            counts.into_iter().filter(|(bound, _)| *bound <= state.bound).collect()
        };
        assert_eq!(before(counts(&answer)), before(counts(&whole)), "from bound {}", state.bound);
    }
    whole.used.heuristic
}

#[test]
fn searches_resume_with_the_heuristic_that_they_had() {
    let puzzle = cube3("UDRLFB", &[]);
    let directory = tempfile::tempdir().expect("a directory");
    let store = Store::new(directory.path(), "test");
    let mut pattern = puzzle.solved().clone();
    for number in [0, 7, 3, 13, 9, 16, 1, 6, 15, 4] {
        pattern = pattern.apply(&puzzle.moves()[number].transformation);
    }
    // Databases of a megabyte search the last bounds.
    let run = run(1).with_memory(1 << 20);
    let heuristic = check_resumed_searches(&|| solver(&puzzle, &store, &run), &pattern, &run);
    assert_eq!(heuristic, "near positions, then pattern databases");
}

#[test]
fn searches_resume_with_small_databases() {
    let (puzzle, goal, start) = corners_and_centres();
    let directory = tempfile::tempdir().expect("a directory");
    let run = run(2).with_memory(2 << 30);
    let solver = || {
        let store = Store::new(directory.path(), "test");
        Solver::new(puzzle.clone(), vec![goal.clone()], &SolverSetup::default(), store, &run)
            .expect("a solver")
    };
    let heuristic = check_resumed_searches(&solver, &start, &run);
    assert_eq!(heuristic, "near positions, then small pattern databases");
}
