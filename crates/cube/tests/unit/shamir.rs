//! The Fiat-Shamir search, compared with breadth-first distances and known depths.

use crate::cube::{Cube, Face, Turn};
use crate::metric::Metric;
use crate::notation::{facelets, scramble};
use crate::shamir::{ShamirSearch, solve};
use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};
use search_core::{Ending, Report, Run};
use std::collections::HashMap;
use std::time::{Duration, Instant};

fn run(start: &Cube, generators: &[Turn], max_depth: u32, threads: usize) -> Report<Vec<Turn>> {
    solve(start, generators, max_depth, &Run::new().with_threads(threads))
}

/// All cubes within a depth, with their distances to the solved cube, by plain breadth-first search
/// with the inverses of the generators.
fn distances(from: &Cube, generators: &[Turn], depth: usize) -> HashMap<Cube, usize> {
    let mut distances = HashMap::from([(*from, 0)]);
    let mut layer = vec![*from];
    for d in 1..=depth {
        let mut next = Vec::new();
        for cube in layer.iter().flat_map(|cube| generators.iter().map(|turn| cube.apply(turn.inverse()))) {
            distances.entry(cube).or_insert_with(|| {
                next.push(cube);
                d
            });
        }
        layer = next;
    }
    distances
}

/// Checks that the solution solves the cube, in `length` of the generators.
fn assert_solves(start: &Cube, generators: &[Turn], run: &Report<Vec<Turn>>, length: usize) {
    let solution = run.ending.solutions().first().expect("solved");
    assert_eq!((solution.len(), start.apply_all(solution.iter().copied())), (length, Cube::SOLVED));
    assert!(solution.iter().all(|turn| generators.contains(turn)));
}

fn every_cube_has_its_distance(generators: &[Turn], depth: usize) {
    one_cube_of_each(1, generators, depth);
}

/// Solves one cube of each `every` cubes at the greatest depth, and all the others.
fn one_cube_of_each(every: usize, generators: &[Turn], depth: usize) {
    let mut cubes: Vec<_> = distances(&Cube::SOLVED, generators, depth).into_iter().collect();
    cubes.sort_unstable_by_key(|(cube, length)| (*length, *cube));
    let far = cubes.partition_point(|(_, length)| *length < depth);
    for &(cube, length) in cubes[..far].iter().chain(cubes[far..].iter().step_by(every)) {
        assert_solves(&cube, generators, &run(&cube, generators, depth as u32, 1), length);
    }
}

#[test]
fn cubes_to_depth_four_have_their_breadth_first_distances() {
    one_cube_of_each(11, Metric::Htm.turns(), 4);
    one_cube_of_each(7, Metric::Qtm.turns(), 4);
}

#[test]
#[ignore = "solves 50,000 cubes"]
fn every_cube_to_depth_four_has_its_breadth_first_distance() {
    every_cube_has_its_distance(Metric::Htm.turns(), 4);
    every_cube_has_its_distance(Metric::Qtm.turns(), 4);
}

#[test]
fn other_generators_too_even_without_their_inverses() {
    let quarter = |face| Turn::new(face, 1);
    every_cube_has_its_distance(&[quarter(Face::U), quarter(Face::R)], 8);
    every_cube_has_its_distance(&[quarter(Face::U), Turn::new(Face::F, 2), Turn::new(Face::B, 3)], 6);
    every_cube_has_its_distance(&Face::ALL.map(|face| Turn::new(face, 2)), 5);
}

/// The distance, by two breadth-first searches that meet.
fn distance(cube: &Cube, solved: &HashMap<Cube, usize>, generators: &[Turn], depth: usize) -> Option<usize> {
    let around = distances(cube, generators, depth);
    around.iter().filter_map(|(cube, there)| solved.get(cube).map(|back| there + back)).min()
}

fn random_cubes(seed: u64, generators: &[Turn], lengths: &[usize]) -> Vec<Cube> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut turn = || generators[(rng.next_u64() % generators.len() as u64) as usize];
    lengths.iter().map(|&n| Cube::SOLVED.apply_all((0..n).map(|_| turn()))).collect()
}

#[test]
fn seeded_cubes_up_to_depth_ten_and_the_referee_agrees() {
    for (metric, judge, half, lengths) in [
        (Metric::Htm, referee::cube::Metric::HalfTurn, 4, &[6, 7, 7, 8, 8, 9][..]),
        (Metric::Qtm, referee::cube::Metric::QuarterTurn, 5, &[8, 9, 10, 10, 11, 12][..]),
    ] {
        let generators = metric.turns();
        let solved = distances(&Cube::SOLVED, generators, half + 1);
        for cube in random_cubes(5, generators, lengths) {
            let Some(length) = distance(&cube, &solved, generators, half) else { continue };
            let run = run(&cube, generators, 10, 2);
            assert_solves(&cube, generators, &run, length);
            let text = scramble::format(run.ending.solutions()[0].iter().copied());
            let start = referee::cube::Cube::parse(&facelets::format(&cube)).unwrap();
            let verdict =
                referee::cube::check(&start, &referee::cube::Cube::solved(), &text, judge, length as u64);
            assert_eq!(verdict, Ok(()));
        }
    }
}

#[test]
fn the_answer_does_not_depend_on_the_threads() {
    for cube in random_cubes(7, Metric::Htm.turns(), &[7, 8, 9, 10]) {
        let one = run(&cube, Metric::Htm.turns(), 10, 1);
        for threads in [2, 3, 5] {
            let other = run(&cube, Metric::Htm.turns(), 10, threads);
            assert_eq!(other.ending, one.ending);
            let complete = |run: &Report<Vec<Turn>>| {
                let iterations = run.iterations.iter().filter(|iteration| iteration.complete);
                iterations.map(|iteration| (iteration.bound, iteration.generated)).collect::<Vec<_>>()
            };
            assert_eq!(complete(&other), complete(&one));
        }
    }
}

/// The superflip needs 20 half turns and 24 quarter turns.
#[test]
fn a_bound_is_proved_when_nothing_is_found() {
    let superflip = scramble::parse("U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2").unwrap().cube();
    let htm = run(&superflip, Metric::Htm.turns(), 10, 2);
    assert_eq!((htm.ending, htm.iterations.len()), (Ending::bounded(11), 11));
    let (last, _) = ShamirSearch::new(&superflip, Metric::Htm.turns()).at(10, &Run::new()).unwrap();
    assert_eq!(last.lists, [243, 3240, 3240, 243]);
    // The superflip is even, so only even numbers of quarter turns are searched.
    let qtm = run(&superflip, Metric::Qtm.turns(), 11, 2);
    assert_eq!(qtm.iterations.iter().map(|at| at.bound).collect::<Vec<_>>(), [0, 2, 4, 6, 8, 10]);
    assert_eq!(qtm.ending, Ending::bounded(12));
    assert!(qtm.iterations.iter().all(|iteration| iteration.complete));
}

#[test]
fn a_solved_cube_needs_no_turns() {
    let run = run(&Cube::SOLVED, Metric::Htm.turns(), 20, 1);
    assert_eq!((run.ending, run.iterations.len()), (Ending::solved(0, Vec::new()), 1));
}

#[test]
fn cancellation_stops_promptly() {
    let superflip = scramble::parse("U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2").unwrap().cube();
    let deadline = Instant::now() + Duration::from_millis(300);
    let run = Run::new().with_threads(2).with_deadline(deadline);
    let ending = solve(&superflip, Metric::Htm.turns(), 20, &run).ending;
    assert!(matches!(ending, Ending::Cancelled { lower_bound: 1.., .. }), "{ending:?}");
    assert!(deadline.elapsed() < Duration::from_secs(1), "{:?}", deadline.elapsed());
}

/// A cube made by sixteen turns.
#[test]
#[ignore = "two or three minutes on two threads: searches 2 * 1.9 billion products"]
fn a_cube_at_distance_sixteen_is_solved() {
    let start = scramble::parse("R L' U2 F D' B2 R U F' L2 D B' U' R2 F2 L").unwrap().cube();
    let run = run(&start, Metric::Htm.turns(), 16, 2);
    let length = run.ending.length().expect("it was made by sixteen turns");
    assert_solves(&start, Metric::Htm.turns(), &run, length as usize);
    eprintln!("length {length} in {:.1} s", run.seconds());
}
