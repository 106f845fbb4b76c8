//! Positions as shapes with arrangements, and their pattern databases, compared with plain searches.

use puzzle::automaton::automaton;
use puzzle::database::Database;
use puzzle::near::{ClassSpace, Classes, Hashed, PlaceSpace, Places};
use puzzle::shapes::{Image, ShapeBound, ShapeSpace, ShapeView, Shapes, State};
use puzzle::solver::plan;
use puzzle::system::System;
use puzzle::{Ask, Pattern, Puzzle, Selection, Solver, SolverSetup, builtin, formats, states};
use search_core::domain::Lengths;
use search_core::heuristic::Kernel;
use search_core::ida::{Config, search};
use search_core::record::Iteration;
use search_core::table::{Proof, Recipe, Store};
use search_core::testing::Random;
use search_core::{Domain, Heuristic, Op, Run};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// A run whose memory holds tables of a few pieces.
fn run() -> Run<'static> {
    Run::new().with_threads(2).with_memory(24 << 20)
}

/// Square-1 with these free moves.
fn square_1(free: &str) -> Puzzle {
    let definition = builtin::get("square-1").expect("a puzzle").expect("a definition");
    let free = free.split_whitespace().map(str::to_owned).collect();
    definition.select(&Selection { free, ..Selection::default() }).expect("a selection").puzzle
}

fn system(puzzle: &Puzzle) -> System {
    System::new(puzzle, &run()).expect("a system")
}

/// A legal position at the end of random moves, counted and free ones.
fn walk(puzzle: &Puzzle, steps: usize, random: &mut Random) -> Pattern {
    let all: Vec<_> = puzzle.moves().iter().chain(puzzle.free()).collect();
    let mut pattern = puzzle.solved().clone();
    for _ in 0..steps {
        let to = pattern.apply(&all[random.below(all.len())].transformation);
        if puzzle.is_legal(&to) {
            pattern = to;
        }
    }
    pattern
}

#[test]
fn moves_lead_to_the_states_of_the_patterns_that_they_lead_to() {
    let puzzle = square_1("");
    let system = system(&puzzle);
    let shapes = Arc::new(Shapes::new(&system, &run()).expect("not cancelled").expect("shapes"));
    assert_eq!((shapes.steps().rows(), shapes.steps().ops()), (7356, 23));
    let space = ShapeSpace(shapes.clone());
    let mut random = Random::new(1);
    for _ in 0..200 {
        let pattern = walk(&puzzle, 60, &mut random);
        let state = shapes.state(&system, &pattern).expect("a legal position");
        assert_eq!(space.is_goal(&state), pattern == *puzzle.solved());
        for (number, step) in puzzle.moves().iter().enumerate() {
            let to = pattern.apply(&step.transformation);
            let is_legal = space.applicable(&state).contains(Op::new(number));
            assert_eq!(is_legal, puzzle.is_legal(&to));
            if is_legal {
                let state = space.apply(&state, Op::new(number));
                assert_eq!(Some(state), shapes.state(&system, &to));
            }
        }
    }
    // The halves of two corners are exchanged.
    let mut torn = puzzle.solved().clone();
    torn.orbits[0].pieces.swap(0, 3);
    assert_eq!(shapes.state(&system, &torn), None);
}

#[test]
fn classes_of_shapes_have_the_neighbours_of_classes_of_positions() {
    let puzzle = square_1("U D");
    let system = system(&puzzle);
    let shapes = Arc::new(Shapes::new(&system, &run()).expect("not cancelled").expect("shapes"));
    assert_eq!((shapes.steps().rows(), shapes.steps().ops(), shapes.steps().depth()), (340, 64, 8));
    let space = ShapeSpace(shapes.clone());
    let (places, classes) = (Places::new(&system).expect("places"), Classes::new(&system).expect("classes"));
    let plain = ClassSpace::new(&classes, PlaceSpace::<32>::new(&places, Lengths::ANY));
    let hash = |state: &State| Hashed::hash(&space, state);
    let mut random = Random::new(2);
    for _ in 0..50 {
        let pattern = walk(&puzzle, 60, &mut random);
        let state = shapes.state(&system, &pattern).expect("a legal position");
        // Free moves lead to another position of the same class.
        let turned = puzzle.free().iter().map(|step| pattern.apply(&step.transformation));
        for turned in turned.filter(|turned| puzzle.is_legal(turned)) {
            assert_eq!(hash(&shapes.state(&system, &turned).expect("a legal position")), hash(&state));
        }
        let neighbours: HashSet<u64> =
            space.applicable(&state).into_iter().map(|op| hash(&space.apply(&state, op))).collect();
        let bytes = places.read(&system, &pattern).expect("a legal position");
        let class = plain.class(&PlaceSpace::<32>::new(&places, Lengths::ANY).position(&bytes));
        let expected: HashSet<[u8; 32]> =
            plain.applicable(&class).into_iter().map(|op| plain.apply(&class, op)).collect();
        assert_eq!(neighbours.len(), expected.len());
    }
}

#[test]
fn databases_of_shapes_are_proved_and_recognised_by_their_headers() {
    let (puzzle, run) = (square_1("U D"), run());
    let system = system(&puzzle);
    let directory = tempfile::tempdir().expect("a directory");
    let store = Store::new(directory.path(), "test");
    let databases = plan(&puzzle, &run).expect("a plan");
    assert_eq!(databases.len(), 2);
    for database in databases {
        let table = store.get(&database, &run).expect("a table");
        assert_eq!(database.prove(&table.body, &run).expect("sound entries"), Proof::Neighbours);
        let found = Database::of_spec(puzzle.name(), &system, &database.spec(), &run);
        let found = found.expect("not cancelled").expect("a database");
        assert_eq!((found.name(), found.spec()), (database.name(), database.spec()));
    }
}

#[test]
fn lower_bounds_of_shapes_never_exceed_lengths() {
    let directory = tempfile::tempdir().expect("a directory");
    let store = Store::new(directory.path(), "test");
    for free in ["", "U D"] {
        let puzzle = square_1(free);
        let solver = |load: bool| {
            let (puzzle, setup, run) = (puzzle.clone(), SolverSetup::default(), run());
            match load {
                true => Solver::load(puzzle, Vec::new(), &setup, store.clone(), &run),
                false => Solver::new(puzzle, Vec::new(), &setup, store.clone(), &run),
            }
            .expect("a solver")
        };
        let (by_tables, near) = (solver(true), solver(false));
        assert_eq!(by_tables.heuristic(), "pattern databases");
        let mut random = Random::new(3);
        for _ in 0..12 {
            let start = walk(&puzzle, 9, &mut random);
            let ask = Ask::new(start.clone());
            let length = |solver: &Solver| solver.solve(&ask, &run()).expect("a solution").ending.length();
            let shortest = length(&near).expect("a shortest solution");
            assert_eq!(length(&by_tables), Some(shortest), "{free}");
            assert!(by_tables.value(&start).is_some_and(|value| u32::from(value) <= shortest));
        }
    }
}

/// Square-1 as twsearch describes it: the first halves of corners look alike.
const TWSEARCH: &str = "
Name Square1
Set SLICE 24 1
Set CENTER 1 2
Solved
SLICE
17 1 9 17 2 10 17 3 11 17 4 12 17 5 13 17 6 14 17 7 15 17 8 16
CENTER
1
End
Move U
SLICE
12 1 2 3 4 5 6 7 8 9 10 11 13 14 15 16 17 18 19 20 21 22 23 24
End
Move D
SLICE
1 2 3 4 5 6 7 8 9 10 11 12 24 13 14 15 16 17 18 19 20 21 22 23
End
Move S
SLICE
1 2 3 15 16 17 18 19 20 10 11 12 13 14 4 5 6 7 8 9 21 22 23 24
CENTER
1
1
End
Illegal SLICE 3 17
Illegal SLICE 9 17
Illegal SLICE 14 17
Illegal SLICE 20 17
";

#[test]
fn scrambles_of_six_twists_have_their_lengths_by_tables() {
    let definition = formats::read(TWSEARCH).expect("a definition");
    let puzzle = definition.select(&Selection::default()).expect("a selection").puzzle;
    let directory = tempfile::tempdir().expect("a directory");
    let store = Store::new(directory.path(), "test");
    let solver = Solver::load(puzzle.clone(), Vec::new(), &SolverSetup::default(), store, &run());
    let solver = solver.expect("a solver");
    let text = include_str!("../../../../fixtures/puzzles/scrambles.csv");
    for row in text.lines().filter_map(|row| row.strip_prefix("squareone,")) {
        let (length, scramble) = row.split_once(',').expect("a length and a scramble");
        let start = states::read(scramble, &definition, None).expect("a state");
        let answer = solver.solve(&Ask::new(start), &run()).expect("a replayed solution");
        assert_eq!(answer.ending.length().map(|length| length.to_string()).as_deref(), Some(length));
    }
}

#[test]
fn scrambles_of_eleven_twists_have_their_numbers_of_twists() {
    let definition = formats::read(TWSEARCH).expect("a definition");
    let free = vec!["U".to_owned(), "D".to_owned()];
    let puzzle = definition.select(&Selection { free, ..Selection::default() }).expect("a selection").puzzle;
    let directory = tempfile::tempdir().expect("a directory");
    let store = Store::new(directory.path(), "test");
    let solver = Solver::load(puzzle, Vec::new(), &SolverSetup::default(), store, &run());
    let solver = solver.expect("a solver");
    let text = include_str!("../../../../fixtures/puzzles/square-1.csv");
    // Those of eleven twists take too long with small tables.
    for row in text.lines().filter(|row| row.starts_with("9,") || row.starts_with("7,")).take(3) {
        let fields: Vec<&str> = row.split(',').collect();
        let start = states::read(fields[2], &definition, None).expect("a state");
        let answer = solver.solve(&Ask::new(start), &run()).expect("a replayed solution");
        assert_eq!(answer.ending.length().map(|length| length.to_string()).as_deref(), Some(fields[0]));
    }
}

#[test]
fn images_have_the_moves_and_the_distances_of_positions() {
    let (puzzle, system_of_twists) = (square_1(""), system(&square_1("U D")));
    let system = system(&puzzle);
    let shapes = Arc::new(Shapes::new(&system, &run()).expect("not cancelled").expect("shapes"));
    let images = shapes.images(&system, &run()).expect("not cancelled");
    // The reflection that exchanges the layers.
    assert_eq!(images.len(), 1);
    let (space, image) = (ShapeSpace(shapes.clone()), &*images[0]);
    let mut random = Random::new(4);
    for _ in 0..100 {
        let state = walk_of_states(&space, 100, &mut random);
        let its = image.state(&state);
        assert_ne!(its, state);
        assert_eq!((image.state(&its), usize::from(its[0])), (state, image.row(usize::from(state[0]))));
        let renamed: HashSet<Op> = space.applicable(&state).into_iter().map(|op| image.op(op)).collect();
        assert_eq!(renamed, space.applicable(&its).into_iter().collect());
        for op in space.applicable(&state) {
            assert_eq!(image.state(&space.apply(&state, op)), space.apply(&its, image.op(op)));
        }
    }
    let exact = distances(&space, 7);
    for (state, distance) in &exact {
        assert_eq!(exact.get(&image.state(state)), Some(distance));
    }
    let twists = Shapes::new(&system_of_twists, &run()).expect("not cancelled").expect("shapes");
    assert!(twists.images(&system_of_twists, &run()).expect("not cancelled").is_empty());
}

/// The state at the end of random moves that apply.
fn walk_of_states(space: &ShapeSpace, steps: usize, random: &mut Random) -> State {
    (0..steps).fold(space.root(), |state, _| {
        let ops: Vec<Op> = space.applicable(&state).into_iter().collect();
        space.apply(&state, ops[random.below(ops.len())])
    })
}

/// All states up to a depth with their distances, by plain search.
fn distances(space: &ShapeSpace, depth: usize) -> HashMap<State, usize> {
    let mut found = HashMap::from([(space.root(), 0)]);
    let mut layer = vec![space.root()];
    for distance in 1..=depth {
        let next: Vec<State> = (layer.iter())
            .flat_map(|state| space.applicable(state).into_iter().map(|op| space.apply(state, op)))
            .collect();
        layer = next.into_iter().filter(|state| is_new(&mut found, state, distance)).collect();
    }
    found
}

/// Inserts a state with its distance if it is new. Returns whether it was.
fn is_new(found: &mut HashMap<State, usize>, state: &State, distance: usize) -> bool {
    let is_new = !found.contains_key(state);
    found.entry(*state).or_insert(distance);
    is_new
}

#[test]
fn bounds_of_shapes_prune_no_less_than_all_lookups_of_each_child_and_lose_no_solution() {
    let (puzzle, run) = (square_1(""), run());
    let system = system(&puzzle);
    let shapes = Arc::new(Shapes::new(&system, &run).expect("not cancelled").expect("shapes"));
    let (space, rules) = (ShapeSpace(shapes.clone()), automaton(&system, None, &run).expect("not cancelled"));
    let directory = tempfile::tempdir().expect("a directory");
    let store = Store::new(directory.path(), "test");
    let view = |database: &Database| -> ShapeView {
        let table = store.get(database, &run).expect("a table");
        database.shape_view(database.distances(table.body, &run).into()).expect("shapes")
    };
    let views: Vec<ShapeView> = plan(&puzzle, &run).expect("a plan").iter().map(view).collect();
    let plain = |state: &State| views.iter().map(|view| view.get(state)).max().expect("a lookup");
    let images = shapes.images(&system, &run).expect("not cancelled");
    let bound =
        |images: &[Arc<Image>], kernel| ShapeBound::new(&space, views.clone(), images, &rules, kernel);
    let bounds = [
        bound(&[], Kernel::DepthFirst),
        bound(&[], Kernel::Interleaved { lanes: 5 }),
        bound(images, Kernel::DepthFirst),
        bound(images, Kernel::Interleaved { lanes: 5 }),
    ];
    assert_eq!(bounds.each_ref().map(ShapeBound::count), [2, 2, 4, 4]);
    let exact = distances(&space, 6);
    for (state, &distance) in &exact {
        assert!(usize::from(bounds[2].value(&space, state)) <= distance);
    }
    let mut random = Random::new(5);
    let (mut all, mut fewer) = (0, [0; 2]);
    for steps in [40, 80, 120, 160, 200] {
        let start = walk_of_states(&space, steps, &mut random);
        let config = Config::default().max_bound(18);
        let twin = search(&space, &plain, &rules, &start, &config, &run);
        let reports = bounds.each_ref().map(|bound| search(&space, bound, &rules, &start, &config, &run));
        let complete = |iterations: &[Iteration]| -> HashMap<u32, u64> {
            let complete = iterations.iter().filter(|iteration| iteration.complete);
            complete.map(|iteration| (iteration.bound, iteration.generated)).collect()
        };
        let of_twin = complete(&twin.iterations);
        all += of_twin.values().sum::<u64>();
        for (number, report) in reports.iter().enumerate() {
            assert_eq!(report.ending.length(), twin.ending.length());
            for (bound, generated) in complete(&report.iterations) {
                let Some(&of_twin) = of_twin.get(&bound) else { continue };
                assert!(generated <= of_twin, "{generated} instead of {of_twin} with bound {bound}");
                fewer[number / 2] += generated;
            }
        }
        // Both kernels expand the same nodes.
        for pair in reports.chunks_exact(2) {
            assert_eq!(complete(&pair[0].iterations), complete(&pair[1].iterations));
        }
    }
    assert!(all > 10_000 && 2 * all > fewer[0] && fewer[0] > fewer[1], "{all} {fewer:?}");
}
