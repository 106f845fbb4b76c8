//! Free moves compared with a plain search for the fewest counted moves.

use puzzle::count::{CountAsk, CountError, CountPlan};
use puzzle::system::System;
use puzzle::{Ask, Goal, Open, Pattern, Puzzle, Selection, Solver, SolverSetup, builtin};
use search_core::Run;
use search_core::ida::Wanted;
use search_core::table::Store;
use std::collections::BTreeSet;

fn run() -> Run<'static> {
    Run::new().with_threads(2)
}

fn selected(name: &str, moves: Option<&str>, free: &str) -> Puzzle {
    let words = |text: &str| text.split(' ').map(str::to_owned).collect();
    let definition = builtin::get(name).expect("a puzzle").expect("a definition");
    let selection = Selection { moves: moves.map(words), free: words(free), ..Selection::default() };
    definition.select(&selection).expect("a selection").puzzle
}

/// All positions that legal free moves lead to from some, these included.
fn closed(puzzle: &Puzzle, positions: BTreeSet<Pattern>) -> BTreeSet<Pattern> {
    let (mut all, mut last) = (positions.clone(), positions);
    while !last.is_empty() {
        let turned = last.iter().flat_map(|pattern| {
            let turned = puzzle.free().iter().map(|step| pattern.apply(&step.transformation));
            turned.filter(|pattern| puzzle.is_legal(pattern)).collect::<Vec<_>>()
        });
        last = turned.filter(|pattern| !all.contains(pattern)).collect();
        all.extend(last.iter().cloned());
    }
    all
}

/// The classes at each distance up to `depth`: each is its least position.
fn layers(puzzle: &Puzzle, depth: usize) -> Vec<BTreeSet<Pattern>> {
    let class = |pattern: &Pattern| {
        let class = closed(puzzle, BTreeSet::from([pattern.clone()]));
        class.into_iter().next().expect("its position")
    };
    let mut layers = vec![BTreeSet::from([class(puzzle.solved())])];
    let mut known = layers[0].clone();
    for _ in 0..depth {
        let mut next = BTreeSet::new();
        for pattern in closed(puzzle, layers.last().expect("a layer").clone()) {
            for step in puzzle.moves() {
                let to = pattern.apply(&step.transformation);
                if puzzle.is_legal(&to) {
                    let to = class(&to);
                    if known.insert(to.clone()) {
                        next.insert(to);
                    }
                }
            }
        }
        if next.is_empty() {
            break;
        }
        layers.push(next);
    }
    layers
}

#[test]
fn solutions_and_counts_have_the_fewest_counted_moves() {
    let cases = [
        (selected("square-1", None, "U D"), 2, 1),
        (selected("3x3x3", Some("U R F2"), "U"), 3, 0),
        (selected("pyraminx", Some("U R l u"), "l u"), 3, 0),
        (selected("pancake-5", None, "f2"), 4, 0),
        (selected("pyraminx-without-tips", Some("U L R"), "B"), 3, 0),
    ];
    for (puzzle, depth, from) in cases {
        let layers = layers(&puzzle, depth);
        let system = System::new(&puzzle, &run()).expect("a system");
        let ask = CountAsk::default().max_depth(depth);
        let plan = CountPlan::new(&puzzle, &system, &ask, &run()).expect("not cancelled");
        let counts = plan.count(&system, &ask, &run()).expect("it fits");
        let expected: Vec<u64> = layers.iter().map(|layer| layer.len() as u64).collect();
        assert_eq!(counts.layers, expected, "{}", puzzle.name());

        let directory = tempfile::tempdir().expect("a directory");
        let store = Store::new(directory.path(), "test");
        let setup = SolverSetup::default();
        let solver = Solver::new(puzzle.clone(), Vec::new(), &setup, store, &run()).expect("a solver");
        for (distance, layer) in layers.iter().enumerate().skip(from) {
            for start in layer.iter().step_by(layer.len().div_ceil(20)) {
                let turned = closed(&puzzle, BTreeSet::from([start.clone()]));
                let start = turned.last().expect("a position").clone();
                let answer = solver.solve(&Ask::new(start.clone()), &run()).expect("a replayed solution");
                assert_eq!(answer.ending.length(), Some(distance as u32), "{}", puzzle.name());
                let all = solver.solve(&Ask::new(start).wanted(Wanted::All { extra: 0 }), &run());
                let all = all.expect("replayed solutions").ending;
                let words: BTreeSet<&str> = all.solutions().iter().map(|one| one.moves.as_str()).collect();
                assert!(words.len() == all.solutions().len() && !words.is_empty(), "{words:?}");
            }
        }
    }
}

/// The numbers of positions of square-1 by twists (Mike Masonjones 2005, <http://forum.cubeman.org/?q=node/view/35>).
const TWISTS: [u64; 5] = [1, 64, 1153, 17050, 235_144];

#[test]
fn twists_of_square_1_have_their_known_numbers_of_positions() {
    let puzzle = selected("square-1", None, "U D");
    let system = System::new(&puzzle, &run()).expect("a system");
    let ask = CountAsk::default().max_depth(4);
    let plan = CountPlan::new(&puzzle, &system, &ask, &run()).expect("not cancelled");
    let counts = plan.count(&system, &ask, &run()).expect("it fits");
    assert_eq!(counts.layers, TWISTS);
}

#[test]
fn goals_and_unsolvable_starts_are_those_of_the_puzzle_with_free_moves() {
    let puzzle = selected("pancake-5", None, "f3");
    let at = |moves: &[usize]| {
        let step = |pattern: Pattern, &number: &usize| pattern.apply(&puzzle.moves()[number].transformation);
        moves.iter().fold(puzzle.solved().clone(), step)
    };
    let goal = |state: &Pattern| Goal::new(&puzzle, state, &Open::default()).expect("a goal");
    let directory = tempfile::tempdir().expect("a directory");
    let store = Store::new(directory.path(), "test");
    let (near, far) = (at(&[0, 2]), at(&[1, 2, 0, 2, 1]));
    let goals = vec![goal(&far), goal(&near)];
    let solver =
        Solver::new(puzzle.clone(), goals, &SolverSetup::default(), store, &run()).expect("a solver");
    let answer = solver.solve(&Ask::new(at(&[0])), &run()).expect("a replayed solution");
    assert_eq!(answer.ending.length(), Some(1));
}

#[test]
fn free_moves_that_are_not_supported_are_refused() {
    let fault = |name: &str, moves, free: &str| {
        let puzzle = selected(name, moves, free);
        let system = System::new(&puzzle, &run()).expect("a system");
        let counts = CountPlan::Layers.count(&system, &CountAsk::default().max_depth(1), &run());
        match counts {
            Err(CountError::Faults(faults)) => faults.to_string(),
            other => panic!("{name} with {free}: {other:?}"),
        }
    };
    assert!(fault("3x3x3", None, "U R").contains("must not change the same places"));
    assert!(fault("3x3x3", None, "U D").contains("up to 192 counted moves"));
}
