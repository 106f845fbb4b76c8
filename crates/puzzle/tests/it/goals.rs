//! Goals with open parts, and several goals, against plain search.

use crate::puzzles::{pocket_cube, top_spin};
use puzzle::goal::Places;
use puzzle::group::Uniform;
use puzzle::{Ask, Goal, Illegal, Open, Pattern, Puzzle, Selection, Solver, SolverSetup, builtin};
use search_core::ida::Wanted;
use search_core::table::Store;
use search_core::{Ending, Run};
use std::collections::{HashMap, HashSet, VecDeque};

fn built_in(name: &str) -> Puzzle {
    let definition = builtin::get(name).expect("a built-in puzzle").expect("in range");
    definition.select(&Selection::default()).expect("a puzzle").puzzle
}

/// The number of moves to each pattern from `start`; rotations cost nothing.
fn distances(puzzle: &Puzzle, start: &Pattern) -> HashMap<Pattern, u32> {
    let mut known = HashMap::new();
    let mut waiting = VecDeque::from([(start.clone(), 0)]);
    while let Some((pattern, distance)) = waiting.pop_front() {
        if known.contains_key(&pattern) {
            continue;
        }
        known.insert(pattern.clone(), distance);
        for rotation in puzzle.rotations() {
            waiting.push_front((pattern.apply(&rotation.transformation), distance));
        }
        for step in puzzle.moves() {
            let next = pattern.apply(&step.transformation);
            if puzzle.is_legal(&next) && !known.contains_key(&next) {
                waiting.push_back((next, distance + 1));
            }
        }
    }
    known
}

/// A random set of places of a random orbit.
fn random_places(puzzle: &Puzzle, rng: &mut Uniform) -> Places {
    let orbit = &puzzle.orbits()[rng.below(puzzle.orbits().len())];
    let places = (rng.below(4) > 0).then(|| (0..orbit.pieces).filter(|_| rng.below(2) == 0).collect());
    Places { orbit: orbit.name.clone(), places }
}

fn random_open(puzzle: &Puzzle, rng: &mut Uniform) -> Open {
    let mut some = |most: usize| -> Vec<Places> {
        (0..rng.below(most + 1)).map(|_| random_places(puzzle, rng)).collect()
    };
    let [ignored, unoriented, alike] = [some(1), some(1), some(2)];
    Open::default().ignored(ignored).unoriented(unoriented).alike(alike)
}

/// Solves random starts for random goals. Returns the numbers of goals that were solved, and of starts that reach none.
fn match_plain_search(puzzle: &Puzzle, seed: u64) -> (usize, usize) {
    let mut rng = Uniform::new(seed);
    let mut all: Vec<Pattern> = distances(puzzle, puzzle.solved()).into_keys().collect();
    all.sort();
    let (mut solved, mut unreachable) = (0, 0);
    for _ in 0..40 {
        let open = random_open(puzzle, &mut rng);
        let states: Vec<&Pattern> = (0..=rng.below(3)).map(|_| &all[rng.below(all.len())]).collect();
        let goals = states.iter().map(|state| Goal::new(puzzle, state, &open)).collect::<Result<Vec<_>, _>>();
        let Ok(goals) = goals else { continue };
        let directory = tempfile::tempdir().expect("a directory");
        let store = Store::new(directory.path(), "test");
        let run = Run::new().with_threads(2).with_memory(1 << 26);
        let setup = SolverSetup::default();
        let solver = Solver::new(puzzle.clone(), goals.clone(), &setup, store, &run);
        let Ok(solver) = solver else { continue };
        // Half of the solvers begin with near positions.
        if solved % 2 == 0 && solver.load_databases(&run).is_err() {
            continue;
        }
        solved += 1;
        for _ in 0..6 {
            let mut start = all[rng.below(all.len())].clone();
            if rng.below(4) == 0 && puzzle.illegal().is_empty() {
                let orbit = &mut start.orbits[0];
                let last = orbit.pieces.len() - 1;
                orbit.pieces.swap(0, last);
                orbit.orientation_mod.swap(0, last);
                orbit.orientation.swap(0, last);
            }
            let known = distances(puzzle, &start);
            let is_goal = |pattern: &&Pattern| goals.iter().any(|goal| goal.accepts(pattern));
            let reached: Vec<&Pattern> = known.keys().filter(is_goal).collect();
            let least = reached.iter().map(|pattern| known[*pattern]).min();
            let ask = Ask::new(start.clone()).wanted(Wanted::All { extra: 0 });
            let answer = solver.solve(&ask, &run).expect("checked solutions");
            let name = puzzle.name();
            assert_eq!(answer.ending.length(), least, "{name}: {start:?} to {states:?} with {open:?}");
            if least.is_none() {
                assert_eq!(answer.ending, Ending::Exhausted);
                unreachable += 1;
            }
            if puzzle.rotations().is_empty()
                && puzzle.solved().is_distinct(puzzle.orbits())
                && puzzle.illegal().is_empty()
            {
                let nearest = reached.iter().filter(|pattern| Some(known[**pattern]) == least).count();
                assert_eq!(
                    answer.ending.solutions().len(),
                    nearest,
                    "{name}: {start:?} to {states:?} with {open:?}"
                );
            }
            let different: HashSet<&str> =
                answer.ending.solutions().iter().map(|solution| &solution.moves[..]).collect();
            assert_eq!(different.len(), answer.ending.solutions().len());
        }
    }
    (solved, unreachable)
}

/// The tokens of a small TopSpin with two kinds of pieces and one that stays away from a place.
fn ruled() -> Puzzle {
    let mut parts = top_spin(6, 4).into_parts();
    parts.solved.orbits[0].pieces = vec![0, 1, 2, 1, 1, 2];
    parts.illegal = vec![Illegal { orbit: 0, place: 5, piece: 0 }, Illegal { orbit: 0, place: 2, piece: 1 }];
    Puzzle::new(parts).expect("a puzzle")
}

#[test]
fn lengths_to_random_goals_are_those_of_plain_search() {
    let mut alike = built_in("pancake-6").into_parts();
    alike.solved.orbits[0].pieces = vec![0, 0, 1, 1, 2, 3];
    let puzzles = [
        (built_in("pancake-5"), 20),
        (built_in("burnt-pancake-4"), 15),
        (built_in("topspin-6-4"), 10),
        (Puzzle::new(alike).expect("a puzzle"), 4),
        (pocket_cube("UR", &[]).with_half_turns(), 10),
        (pocket_cube("URFDLB", &["x", "y"]).with_half_turns(), 10),
        (ruled(), 1),
    ];
    let mut all_unreachable = 0;
    for (seed, (puzzle, least)) in puzzles.iter().enumerate() {
        let (solved, unreachable) = match_plain_search(puzzle, seed as u64);
        all_unreachable += unreachable;
        assert!(solved >= *least, "{}: only {solved} random goals are goals", puzzle.name());
    }
    assert!(all_unreachable > 10, "only {all_unreachable} starts reach no goal");
}

/// A puzzle with fewer moves.
trait Reduced {
    fn with_half_turns(self) -> Puzzle;
}

impl Reduced for Puzzle {
    fn with_half_turns(self) -> Puzzle {
        let mut parts = self.into_parts();
        parts.moves.retain(|step| step.power == 2);
        Puzzle::new(parts).expect("a puzzle")
    }
}

#[test]
fn the_same_tables_serve_all_goals_that_leave_the_same_places_open() {
    let puzzle = pocket_cube("URF", &[]);
    let turned = puzzle.solved().apply(&puzzle.moves()[0].transformation);
    let open = Open::default().ignored(vec!["CORNERS:0-2".parse().expect("places")]);
    for open in [Open::default(), open] {
        let [home, away] =
            [puzzle.solved(), &turned].map(|state| Goal::new(&puzzle, state, &open).expect("a goal"));
        assert_eq!(home.puzzle(), away.puzzle());
        assert!(home.accepts(puzzle.solved()) && away.accepts(&turned) && !home.accepts(&turned));
        assert_eq!(away.relabeled(&turned).as_ref(), Some(away.puzzle().solved()));
    }
    assert_eq!(Goal::new(&puzzle, &turned, &Open::default()).expect("a goal").puzzle(), &puzzle);
}

#[test]
fn impossible_openings_are_refused_with_their_faults() {
    let places = |text: &str| vec![text.parse::<Places>().expect("places")];
    let fault = |puzzle: &Puzzle, open: Open| {
        Goal::new(puzzle, puzzle.solved(), &open).map(|_| ()).expect_err("faults").to_string()
    };
    let cube = pocket_cube("URF", &[]);
    let open = Open::default();
    assert!(fault(&cube, open.clone().ignored(places("EDGES"))).contains("orbits are CORNERS"));
    assert!(fault(&cube, open.clone().ignored(places("CORNERS:8"))).contains("places are 0 to 7"));
    let twice = open.clone().ignored(places("CORNERS:0-3")).alike(places("CORNERS:3-5"));
    assert!(fault(&cube, twice).contains("place 3 of CORNERS belongs to two sets"));
    let some = open.clone().alike(places("CORNERS:0-3")).unoriented(places("CORNERS:0"));
    assert!(fault(&cube, some).contains("the orientation counts for some"));
    let orbit = ruled().orbits()[0].name.clone();
    let ignored = |list: &str| Open::default().ignored(places(&format!("{orbit}:{list}")));
    assert!(fault(&ruled(), ignored("1")).contains("must be left open together"));
    assert!(fault(&ruled(), ignored("0,2,5")).contains("rules of the puzzle tell pieces"));
}
