//! The two-phase search as the source of upper bounds: answers stay shortest, and a good solution comes before its proof.

use super::common;
use crate::mask::Named;
use crate::moves::MoveSet;
use crate::notation::scramble::{self, Move};
use crate::random::random_cube;
use crate::strategy::{Ask, Solver, SolverSetup};
use crate::{Cube, Face, HeuristicSpec, Metric};
use search_core::ida::UpperBounds;
use search_core::record::Answer;
use search_core::{Ending, Run};

fn solver(name: &str, metric: Metric) -> Solver {
    let heuristic: HeuristicSpec = name.parse().unwrap();
    let setup = SolverSetup::new().metric(metric).heuristic(heuristic);
    setup.load(common::store().clone(), &Run::new()).unwrap()
}

/// The bounds of an answer whose best solution was replayed.
fn bounds(cube: &Cube, metric: Metric, answer: &Answer<Vec<Move>>) -> (u32, u32) {
    let turns: Vec<_> = answer.best().unwrap().iter().map(|name| name.turn().unwrap()).collect();
    assert!(cube.apply_all(turns.iter().copied()).is_solved());
    let (lower, upper) = (answer.lower_bound().unwrap(), answer.upper_bound().unwrap());
    assert_eq!(upper, turns.iter().map(|&turn| metric.length(turn)).sum::<u32>());
    (lower, upper)
}

#[test]
fn a_quick_answer_has_a_good_solution_and_a_lower_bound() {
    let rng = &mut common::rng(51);
    for (name, metric, most) in
        [("coset", Metric::Htm, 23), ("edges:UR,UF,UL,UB", Metric::Htm, 23), ("coset", Metric::Qtm, 31)]
    {
        let (solver, cube) = (solver(name, metric), random_cube(rng));
        let quick = UpperBounds::default().within(u32::MAX);
        let answer = solver.solve(&Ask::new(cube).upper_bounds(quick), &Run::new()).unwrap();
        let (lower, upper) = bounds(&cube, metric, &answer);
        assert!(matches!(answer.ending, Ending::Bounded { .. }), "{:?}", answer.ending);
        assert!(u32::from(solver.value(&cube, &Run::new()).unwrap()) <= lower && upper <= most, "{upper}");
        // A limit ends the search; the solution stays.
        let close = UpperBounds::default().within(1);
        let ask = Ask::new(cube).upper_bounds(close).max_bound(Some(lower));
        let (lower_then, upper) = bounds(&cube, metric, &solver.solve(&ask, &Run::new()).unwrap());
        assert!(lower_then > lower && upper <= most);
    }
}

#[test]
fn a_solution_is_known_after_some_million_nodes() {
    let (solver, cube) = (solver("coset", Metric::Htm), random_cube(&mut common::rng(54)));
    let mut known = Vec::new();
    for last in 10.. {
        let answer = solver.solve(&Ask::new(cube).max_bound(Some(last)), &Run::new()).unwrap();
        let upper = answer.best().map(|_| bounds(&cube, Metric::Htm, &answer).1);
        let nodes = answer.into_report().generated();
        known.push((nodes, upper));
        if nodes > 1 << 21 {
            break;
        }
    }
    let (few, many): (Vec<_>, Vec<_>) = known.iter().partition(|(nodes, _)| *nodes < 1 << 20);
    assert!(!few.is_empty() && few.iter().all(|(_, upper)| upper.is_none()), "{known:?}");
    assert!(many.iter().any(|(_, upper)| upper.is_some_and(|upper| upper <= 23)), "{known:?}");
}

/// Beams for goals that leave something open, for a union of four goals, and for sets of moves.
#[test]
fn a_quick_answer_of_other_goals_is_near_the_optimum() {
    let open = |name: Named| SolverSetup::new().goals(name.goals(Face::D));
    let set = |text| SolverSetup::new().moves(MoveSet::parse(text, None).unwrap());
    let seen = |text: &str| {
        let scramble = scramble::parse(text).unwrap();
        scramble.orientation.held_from_cube(&scramble.cube())
    };
    for (setup, text) in [
        (open(Named::Cross), "R U F2 L D' B R2 U' F L2 D B'"),
        (open(Named::Xcross), "R U F2 L D' B R2 U' F L2 D B'"),
        (set("U2 R2 F2"), "U2 R2 F2 U2 R2 U2 F2 R2"),
        (set("M E S"), "M E S M2 E"),
    ] {
        let solver = setup.load(common::store().clone(), &Run::new()).unwrap();
        let solve = |within| {
            let ask = Ask::new(seen(text)).upper_bounds(UpperBounds::default().within(within));
            solver.solve(&ask, &Run::new()).unwrap()
        };
        let (exact, quick) = (solve(0).ending.length().unwrap(), solve(u32::MAX));
        let (lower, upper) = (quick.lower_bound().unwrap(), quick.upper_bound().unwrap());
        assert!(lower <= exact && (exact..=exact + 3).contains(&upper), "{text}: {lower} {exact} {upper}");
        let moves = quick.best().unwrap();
        let after = seen(&format!("{text} {}", scramble::format_moves(moves.iter().copied())));
        assert!(solver.goals().accepts(&after), "{text}");
        assert_eq!(moves.len() as u32, upper);
    }
}

#[test]
fn upper_bounds_change_no_proved_length() {
    let rng = &mut common::rng(52);
    for metric in [Metric::Htm, Metric::Qtm] {
        let solver = solver("coset", metric);
        for length in [0, 3, 8, 12, 13] {
            let cube = common::random_walk(rng, metric, length);
            let asks = [
                UpperBounds::default(),
                UpperBounds::default().used(false),
                UpperBounds::default().deterministic(true),
                UpperBounds::default().within(2),
            ];
            let answers = asks.map(|asked| {
                let answer = solver.solve(&Ask::new(cube).upper_bounds(asked), &Run::new().with_threads(2));
                bounds(&cube, metric, &answer.unwrap())
            });
            let [(lower, upper), others @ .., (least, close)] = answers;
            assert_eq!(lower, upper);
            assert!(others.iter().all(|&other| other == (lower, upper)));
            assert!(least <= lower && (lower..=least + 2).contains(&close));
        }
    }
}
