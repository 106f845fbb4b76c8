//! Solvers of puzzles given as data, compared with breadth-first search.

use permutation::{Definition, Puzzle, Solver, kpuzzle};
use search_core::ida::Config;
use search_core::{Ending, Run};

fn run() -> Run<'static> {
    Run::new().with_threads(2)
}

fn pancakes(many: usize) -> Puzzle {
    let flip = |top: usize| (format!("flip{top}"), (0..top).rev().chain(top..many).collect());
    Definition::from_generators((2..=many).map(flip)).expect("there are flips").puzzle().expect("a puzzle")
}

/// The 2x2x2 cube with its last corner fixed, in the notation of cubing.js: URF UFL ULB UBR DFR DLF DBL DRB.
const POCKET_CUBE: &str = r#"{"name": "2x2x2",
  "orbits": [{"orbitName": "CORNERS", "numPieces": 8, "numOrientations": 3}],
  "defaultPattern": {"CORNERS": {"pieces": [0,1,2,3,4,5,6,7], "orientation": [0,0,0,0,0,0,0,0]}},
  "moves": {
    "U": {"CORNERS": {"permutation": [3,0,1,2,4,5,6,7], "orientationDelta": [0,0,0,0,0,0,0,0]}},
    "R": {"CORNERS": {"permutation": [4,1,2,0,7,5,6,3], "orientationDelta": [2,0,0,1,1,0,0,2]}},
    "F": {"CORNERS": {"permutation": [1,5,2,3,0,4,6,7], "orientationDelta": [1,2,0,0,2,1,0,0]}}}}"#;

#[test]
fn every_stack_of_pancakes_has_its_exact_length() {
    let puzzle = pancakes(6);
    let layers = puzzle.layers(None, &run()).expect("it fits");
    let sizes: Vec<usize> = layers.iter().map(Vec::len).collect();
    assert_eq!(sizes, [1, 5, 20, 79, 199, 281, 133, 2]);
    for patterns in [vec![], vec![vec![0, 1, 2]], vec![vec![0, 2, 4], vec![1, 3, 5]]] {
        let solver = Solver::new(puzzle.clone(), &patterns, 4, &run()).expect("a solver");
        for (distance, layer) in layers.iter().enumerate() {
            for points in layer {
                let mut state = puzzle.solved();
                state[..points.len()].copy_from_slice(points);
                assert!(usize::from(solver.value(&state)) <= distance);
                let report = solver.solve(&state, &Config::default(), &run());
                assert_eq!(report.ending.length(), Some(distance as u32));
                let mut row = vec![0; puzzle.points()];
                puzzle.write(&state, &mut row);
                assert!(puzzle.solves(&row, &report.ending.solutions()[0]));
            }
        }
    }
}

#[test]
fn the_pocket_cube_has_its_known_counts() {
    let definition = kpuzzle::parse(POCKET_CUBE).expect("a definition");
    let half_turns = definition.with_powers().puzzle().expect("a puzzle");
    assert_eq!(half_turns.counts(Some(5), &run()).expect("it fits"), [1, 9, 54, 321, 1847, 9992]);
    // Without inverses, a counterclockwise quarter turn takes three moves.
    let one_way = definition.puzzle().expect("a puzzle");
    assert_eq!(one_way.counts(Some(2), &run()).expect("it fits"), [1, 3, 9]);
    let solver = Solver::new(half_turns.clone(), &[vec![0, 1, 2, 3, 4]], 4, &run()).expect("a solver");
    let layers = half_turns.layers(Some(5), &run()).expect("it fits");
    for points in layers[5].iter().step_by(37) {
        let mut state = half_turns.solved();
        state[..points.len()].copy_from_slice(points);
        assert_eq!(solver.solve(&state, &Config::default(), &run()).ending.length(), Some(5));
    }
}

#[test]
fn unsolvable_states_are_bounded_and_memory_is_kept() {
    let definition = kpuzzle::parse(POCKET_CUBE).expect("a definition").with_powers();
    let puzzle = definition.puzzle().expect("a puzzle");
    let mut twisted: Vec<u8> = (0..24).collect();
    twisted[..3].rotate_left(1);
    let state = puzzle.read(&twisted).expect("whole pieces");
    let solver = Solver::new(puzzle.clone(), &[vec![0, 1, 2]], 3, &run()).expect("a solver");
    let config = Config::default().max_bound(5);
    assert!(matches!(solver.solve(&state, &config, &run()).ending, Ending::Bounded { lower_bound: 6.. }));
    assert!(puzzle.counts(None, &run().with_memory(1 << 16)).is_err());
    assert!(Solver::new(puzzle, &[vec![0, 1, 2]], 3, &run().with_memory(100)).is_err());
}
