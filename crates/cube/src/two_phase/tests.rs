//! The coordinates against plain cubes, the tables against definitions and breadth-first search, and solutions of cubes of
//! known distance.

use super::coordinates::{INNER, InnerMoves, Maps, Outer, OuterMoves, Places, is_inner};
use super::distances::{Inner, Pairs, Small};
use super::phase_one::{Exact, PhaseOne};
use super::{Found, Limits, TwoPhase};
use crate::cube::{Cube, Turn};
use crate::metric::Metric;
use crate::notation::scramble;
use crate::pdb::Coset;
use crate::random::random_cube;
use crate::tables::{AnyTable, Pattern, Table, TableId};
use chacha20::ChaCha8Rng;
use chacha20::rand_core::SeedableRng;
use search_core::memory::Memory;
use search_core::table::Recipe;
use search_core::{Cancel, Run};
use std::collections::HashSet;
use std::sync::{Arc, LazyLock, Mutex};

/// The search with small tables in a metric.
fn small(metric: Metric) -> &'static TwoPhase {
    static SMALL: [LazyLock<TwoPhase>; 2] =
        [LazyLock::new(|| make(Metric::Htm)), LazyLock::new(|| make(Metric::Qtm))];
    fn make(metric: Metric) -> TwoPhase {
        TwoPhase::new(metric, None, &Run::new()).expect("not cancelled")
    }
    &SMALL[usize::from(metric == Metric::Qtm)]
}

/// A table of cosets whose entries are all zero: a lower bound that prunes nothing.
fn no_cosets() -> Arc<Table> {
    let id = TableId { pattern: Pattern::Coset, metric: Metric::Htm };
    let body = Memory::zeroed(id.bytes() as usize).expect("memory");
    match id.over(body) {
        AnyTable::Nibbles(table) => table,
        AnyTable::Crumbs(_) => unreachable!("entries of four bits"),
    }
}

fn length(metric: Metric, turns: &[Turn]) -> u32 {
    turns.iter().map(|&turn| metric.length(turn)).sum()
}

/// Solves on one thread, and checks each solution as it is reported.
fn solve(two: &TwoPhase, cube: &Cube, limits: &Limits) -> Found {
    let lengths = Mutex::new(Vec::new());
    let improved = |turns: &[Turn]| {
        assert!(cube.apply_all(turns.iter().copied()).is_solved());
        lengths.lock().unwrap().push(length(two.metric(), turns));
    };
    let found = two.solve(cube, limits, &improved, &Run::new().with_threads(1));
    let lengths = lengths.into_inner().unwrap();
    assert!(lengths.is_sorted_by(|a, b| a > b), "{lengths:?}");
    assert_eq!(found.best.as_ref().map(|turns| length(two.metric(), turns)), lengths.last().copied());
    found
}

#[test]
fn coordinates_follow_the_turns() {
    let (outer, inner) = (OuterMoves::new(), InnerMoves::new());
    let exact = Exact::new(Metric::Htm, no_cosets());
    let coset = Coset::new(Metric::Htm);
    let (mut cube, mut inside) = (Cube::SOLVED, Cube::SOLVED);
    for step in 0..2_000 {
        let turn = Turn::from_index((step * 7 + step / 18 * 5) % 18);
        let next = cube.apply(turn);
        assert_eq!(outer.after(Outer::of(&cube), turn), Outer::of(&next));
        assert_eq!(Places::of(&cube).then(&Places::of(Cube::of_turn(turn))), Places::of(&next));
        assert_eq!(exact.locate(Outer::of(&next)) as usize, coset.index_of(&next));
        cube = next;
        let number = (step * 3 + step / 10) % 10;
        let (places, after) = (Places::of(&inside), inside.apply(INNER[number]));
        let next = Places::of(&after);
        assert_eq!(inner.corners[usize::from(places.corners())][number], next.corners());
        assert_eq!(inner.edges[usize::from(places.edges())][number], next.edges());
        assert_eq!(inner.slice[usize::from(places.slice())][number], next.slice());
        inside = after;
    }
    let home = Outer::of(&Cube::SOLVED);
    assert!(Turn::all().all(|turn| is_inner(turn) == (Outer::of(Cube::of_turn(turn)) == home)));
    assert!(Turn::all().all(|turn| is_inner(turn) == INNER.contains(&turn)));
}

/// Each entry is the least of its neighbours' values plus the turns' costs, and the goal alone is zero: so the table
/// has the distances.
#[test]
fn every_entry_of_phase_two_follows_from_its_neighbours() {
    let moves = InnerMoves::new();
    for (metric, greatest) in [(Metric::Htm, [14, 12]), (Metric::Qtm, [22, 19])] {
        let inner = Inner::new(metric, &Run::new()).unwrap();
        for ((first, pairs), greatest) in
            [(&moves.corners, &inner.corners), (&moves.edges, &inner.edges)].into_iter().zip(greatest)
        {
            let mut seen = 0;
            for row in 0..first.len() {
                for column in 0..24 {
                    let cost = |i: usize| {
                        let next = pairs.get(first[row][i], moves.slice[column][i]);
                        u32::from(next) + metric.length(INNER[i])
                    };
                    let value = u32::from(pairs.get(row as u16, column as u16));
                    let least = (0..10).map(cost).min().unwrap();
                    assert_eq!(value, if (row, column) == (0, 0) { 0 } else { least });
                    seen = seen.max(value);
                }
            }
            assert_eq!(seen, greatest, "{metric:?}");
        }
    }
}

/// The cubes within some moves, layer by layer, with all turns or those of H alone.
fn layers(metric: Metric, turns: &[Turn], depth: u32) -> Vec<Vec<Cube>> {
    let mut layers = vec![vec![Cube::SOLVED]];
    let mut seen = HashSet::from([Cube::SOLVED]);
    for at in 1..=depth {
        let mut layer = Vec::new();
        for &turn in turns {
            let Some(before) = at.checked_sub(metric.length(turn)) else { continue };
            for cube in &layers[before as usize] {
                let next = cube.apply(turn);
                if seen.insert(next) {
                    layer.push(next);
                }
            }
        }
        layers.push(layer);
    }
    layers
}

/// Checks a projection's distances up to that of the last layer: each is the depth of the first cube with this projection.
fn check_projection(layers: &[Vec<Cube>], distance: impl Fn(&Cube) -> u8, place: impl Fn(&Cube) -> u32) {
    let mut seen = HashSet::new();
    for (depth, layer) in layers.iter().enumerate() {
        let new: HashSet<u32> = layer.iter().map(&place).filter(|place| !seen.contains(place)).collect();
        for cube in layer {
            let value = usize::from(distance(cube));
            assert!(value <= depth);
            assert_eq!(new.contains(&place(cube)), value == depth);
        }
        seen.extend(new);
    }
}

#[test]
fn distances_near_the_goal_equal_breadth_first_search() {
    for metric in [Metric::Htm, Metric::Qtm] {
        let two = small(metric);
        let inside = layers(metric, &INNER, 5);
        let pairs = [(&two.inner.corners, true), (&two.inner.edges, false)];
        for (pairs, is_of_corners) in pairs {
            let place = |cube: &Cube| {
                let places = Places::of(cube);
                let first = if is_of_corners { places.corners() } else { places.edges() };
                pairs.place(first, places.slice())
            };
            check_projection(&inside, |cube| pairs.at(place(cube)), place);
        }
        let all: Vec<Turn> = Turn::all().collect();
        let outside = layers(metric, &all, 4);
        let bound = Small::new(metric, &Run::new()).unwrap();
        let check = |pairs: &Pairs, which: usize| {
            let place = |cube: &Cube| bound.locate(Outer::of(cube))[which];
            check_projection(&outside, |cube| pairs.at(place(cube)), place);
        };
        bound.pairs().into_iter().enumerate().for_each(|(which, pairs)| check(pairs, which));
    }
}

/// A complete search of a cube near the solved one finds a shortest solution.
#[test]
fn near_cubes_are_solved_shortest() {
    for metric in [Metric::Htm, Metric::Qtm] {
        let all: Vec<Turn> = Turn::all().collect();
        for (depth, layer) in layers(metric, &all, 4).iter().enumerate() {
            for cube in layer.iter().step_by(layer.len().div_ceil(12)) {
                let found = solve(small(metric), cube, &Limits::new());
                assert_eq!(length(metric, &found.best.unwrap()), depth as u32, "{cube:?}");
            }
        }
    }
}

/// The optimal lengths of Korf's ten cubes.
const KORF: [u32; 10] = [16, 17, 17, 17, 18, 18, 18, 18, 18, 18];

#[test]
fn no_solution_is_shorter_than_the_optimum() {
    let lines = include_str!("../../../../fixtures/cube/korf-1997-ten-cubes.txt").lines();
    for (line, optimum) in lines.zip(KORF) {
        let cube = scramble::parse(line).unwrap().cube();
        let found = solve(small(Metric::Htm), &cube, &Limits::new().nodes(1_000_000));
        let best = length(Metric::Htm, &found.best.unwrap());
        assert!((optimum..=22).contains(&best), "{best} for {optimum}");
    }
}

#[test]
fn moves_before_a_cube_change_each_coordinate_by_itself() {
    let rng = &mut ChaCha8Rng::seed_from_u64(53);
    for _ in 0..4 {
        let cube = random_cube(rng);
        let maps = Maps::before(&cube);
        for _ in 0..100 {
            let before = random_cube(rng);
            assert_eq!(maps.after(Outer::of(&before)), Outer::of(&before.compose(&cube)));
        }
    }
}

#[test]
fn symmetric_cubes_get_short_solutions() {
    for (name, htm, qtm) in [
        ("U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2", 20, 24), // the superflip
        ("R2 L2 U2 D2 F2 B2", 6, 12),                                   // the checkerboard, 4 with slices
        ("", 0, 0),
    ] {
        let cube = scramble::parse(name).unwrap().cube();
        for (metric, optimum) in [(Metric::Htm, htm), (Metric::Qtm, qtm)] {
            let limits = Limits::new().enough(optimum).nodes(2_000_000);
            let best = length(metric, &solve(small(metric), &cube, &limits).best.unwrap());
            assert!((optimum..=optimum + 6).contains(&best), "{best} for {optimum}");
            assert_eq!((best - optimum) % if metric == Metric::Qtm { 2 } else { 1 }, 0);
        }
    }
}

#[test]
fn one_thread_with_a_budget_always_finds_the_same() {
    let mut rng = ChaCha8Rng::seed_from_u64(50);
    for metric in [Metric::Htm, Metric::Qtm] {
        let cube = random_cube(&mut rng);
        let limits = Limits::new().nodes(600_000);
        let first = solve(small(metric), &cube, &limits);
        assert_eq!(first, solve(small(metric), &cube, &limits));
        let two = small(metric).solve(&cube, &limits, &|_| (), &Run::new().with_threads(2));
        assert!(cube.apply_all(two.best.unwrap()).is_solved());
        // Nothing is found that is not shorter than asked.
        let best = length(metric, &first.best.unwrap());
        let better = solve(small(metric), &cube, &limits.below(best)).best;
        assert!(better.is_none_or(|turns| length(metric, &turns) < best));
    }
}

#[test]
fn a_cancelled_run_stops_filling_and_searching() {
    let cube = random_cube(&mut ChaCha8Rng::seed_from_u64(51));
    for question in 1..6 {
        let run = Run::new().with_threads(1).with_cancel(&Cancel::at_question(question));
        assert!(TwoPhase::new(Metric::Htm, None, &run).is_err());
        let run = Run::new().with_threads(1).with_cancel(&Cancel::at_question(question));
        let found = small(Metric::Htm).solve(&cube, &Limits::new(), &|_| (), &run);
        assert!(found.generated < 10_000, "{}", found.generated);
    }
}
