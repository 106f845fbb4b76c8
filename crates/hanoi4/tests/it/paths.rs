//! Paths between any two states, and heuristic search, compared with the reference implementation.

use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};
use hanoi4::corners;
use hanoi4::goals::Goals;
use hanoi4::model::{Move, Puzzle, State, format_moves};
use hanoi4::pdb::Database;
use hanoi4::reference;
use hanoi4::strategy::{Ask, Solver};
use referee::hanoi::{Towers, check};
use search_core::frontier::{Bounds, Options, heuristic_search};
use search_core::{Ending, Run};

fn run() -> Run<'static> {
    Run::new().with_memory(1 << 30)
}

fn solved(
    puzzle: Puzzle,
    from: State,
    to: State,
    max_depth: Option<u32>,
    run: &Run<'_>,
) -> Ending<Vec<Move>> {
    Solver::new().solve(&Ask::new(puzzle, from, to).max_depth(max_depth), run).unwrap().ending
}

fn random(rng: &mut ChaCha8Rng, puzzle: &Puzzle) -> State {
    (0..puzzle.discs()).fold(State::START, |state, disc| state.with(disc, rng.next_u32() % puzzle.pegs()))
}

#[test]
fn five_hundred_pairs_of_states_have_the_reference_distance() {
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    for _ in 0..50 {
        let puzzle = Puzzle::new(1 + rng.next_u32() % 9, 3 + rng.next_u32() % 2).unwrap();
        let goal = random(&mut rng, &puzzle);
        let distances = reference::distances(&puzzle, [goal]);
        for _ in 0..10 {
            let from = random(&mut rng, &puzzle);
            let ending = solved(puzzle, from, goal, None, &run());
            let Ending::Optimal { length, solutions, .. } = ending else { panic!("{ending:?}") };
            assert_eq!(length, u32::from(distances[from.index()]));
            let towers = |state| Towers::parse(puzzle.pegs() as usize, &puzzle.format(state)).unwrap();
            let moves = format_moves(&solutions[0]);
            assert_eq!(check(&towers(from), &towers(goal), &moves, u64::from(length)), Ok(()));
        }
    }
}

#[test]
fn times_of_corners_yield_shortest_paths_too() {
    let mut rng = ChaCha8Rng::seed_from_u64(444);
    for round in 0..24 {
        let puzzle = Puzzle::new(9 + round % 2, 4).unwrap();
        let (from, to) = (random(&mut rng, &puzzle), random(&mut rng, &puzzle));
        let length = reference::distances(&puzzle, [to])[from.index()];
        let found = corners::paths::shortest_path(&puzzle, (from, to), 999, &run());
        let (found, _) = found.unwrap();
        let moves = &found.solutions()[0];
        assert_eq!(moves.len(), usize::from(length));
        let towers = |state| Towers::parse(4, &puzzle.format(state)).unwrap();
        assert_eq!(check(&towers(from), &towers(to), &format_moves(moves), u64::from(length)), Ok(()));
    }
}

#[test]
fn both_engines_agree_on_paths_of_12_discs() {
    let mut rng = ChaCha8Rng::seed_from_u64(4444);
    for discs in [11, 12, 12] {
        let puzzle = Puzzle::new(discs, 4).unwrap();
        let (from, to) = (random(&mut rng, &puzzle), random(&mut rng, &puzzle));
        let both = solved(puzzle, from, to, None, &run());
        let ends = (from, to);
        let found = corners::paths::shortest_path(&puzzle, ends, 999, &run());
        assert_eq!(found.unwrap().0.length(), both.length());
    }
}

#[test]
fn heuristic_search_finds_the_reference_distance() {
    let mut rng = ChaCha8Rng::seed_from_u64(44);
    let puzzle = Puzzle::new(7, 4).unwrap();
    // Additive: the four largest discs and the three smallest, both to one peg.
    let (high, low) = (Database::complete(4, Goals::Peg(3)), Database::complete(3, Goals::Peg(3)));
    let value =
        |state: &State| u32::from(high.value(state.above(3))) + u32::from(low.value(state.smallest(3)));
    let goal = State::all_on(3, 7);
    let distances = reference::distances(&puzzle, [goal]);
    assert!(
        (0..1 << 14).map(State::from_code).all(|state| value(&state) <= u32::from(distances[state.index()])),
        "admissible"
    );
    let max = u32::from(high.max()) + u32::from(low.max());
    for _ in 0..500 {
        let from = random(&mut rng, &puzzle);
        let options = Options::in_memory(2);
        let bounds = Bounds { value: &value, max_value: max, first: 0, greatest: 99 };
        let found = heuristic_search(&puzzle, &options, &from, bounds, &run()).unwrap();
        assert_eq!(found.ending, Ending::solved(u32::from(distances[from.index()]), goal));
    }
}

#[test]
fn too_long_paths_give_a_lower_bound() {
    let puzzle = Puzzle::new(8, 4).unwrap();
    let ending = |max_depth, run: &Run<'_>| solved(puzzle, State::START, State::all_on(3, 8), max_depth, run);
    let (bounded, length) = (ending(Some(20), &run()), Some(33));
    // With eight discs, the lower bound by groups of discs is exact.
    assert_eq!(
        (bounded.lower_bound(), bounded.upper_bound(), bounded.is_cancelled()),
        (length, length, false)
    );
    let cancelled = run();
    cancelled.cancel().cancel();
    let ending = ending(None, &cancelled);
    // Without a search, each disc that is not on its peg moves at least once.
    assert_eq!((ending.lower_bound(), ending.upper_bound(), ending.is_cancelled()), (Some(8), length, true));
}
