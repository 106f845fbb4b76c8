//! Goals that ignore something: the solutions are those of a plain enumeration.

use super::common::{self, Collected, reference};
use crate::heuristics::{Instructions, Masked, Parts};
use crate::mask::{Axis, GoalOptions, Goals, Matters, Named, Pieces};
use crate::moves::MoveSet;
use crate::solver::FaceSolver;
use crate::solver::GoalSolver;
use crate::{Cube, Face, HeuristicSpec, Mask, Metric, Turn};
use search_core::ida::{Config, Kernel, Wanted};
use search_core::{Cancel, Ending, Report, Run};
use std::cell::Cell;
use std::sync::Arc;

fn mask(ignored: &str, turned: &str) -> Mask {
    Mask::new(Pieces::parse(ignored).unwrap(), Pieces::parse(turned).unwrap())
}

fn solver(mask: Mask, metric: Metric, (instructions, parts): (Instructions, Parts)) -> FaceSolver {
    // Sets of five edges: their tables are small, and there are several.
    let heuristic = match mask.is_none() {
        true => common::heuristic("korf97"),
        false => HeuristicSpec::Masked(Masked { mask, edges: 5, parts }),
    };
    let tables = heuristic.tables(metric).into_iter().map(common::table).collect();
    FaceSolver::new(&heuristic, metric, tables, instructions)
}

/// All solutions that are at most one move longer than the shortest.
fn solutions(solver: &FaceSolver, cube: &Cube, kernel: Kernel, threads: usize) -> (u32, Vec<Vec<Turn>>) {
    let config = Config::default().wanted(Wanted::All { extra: 1 }).kernel(kernel);
    match solver.solve(cube, &config, &Run::new().with_threads(threads)).unwrap().ending {
        Ending::Optimal { length, solutions, complete: true } => (length, solutions),
        other => panic!("{other:?}"),
    }
}

fn check(masks: &[Mask], metric: Metric, scrambles: usize) {
    let rng = &mut common::rng(1811);
    for &mask in masks {
        let (best, portable) = (Instructions::Best, Instructions::Portable);
        let kinds = [(best, Parts::All), (portable, Parts::All), (best, Parts::Others)];
        let engines = kinds.map(|kind| solver(mask, metric, kind));
        for at in 0..scrambles {
            let cube = common::random_walk(rng, metric, 1 + at % 4);
            let (kernel, threads) = match at % 3 {
                0 => (Kernel::DepthFirst, 1),
                1 => (Kernel::Interleaved { lanes: 3 }, 1),
                _ => (Kernel::Interleaved { lanes: 8 }, 2),
            };
            let (length, found) = solutions(&engines[at % 3], &cube, kernel, threads);
            let wanted = reference::solutions(metric, &|cube| mask.accepts(cube), &cube, length + 1);
            assert_eq!(wanted.first().map(Vec::len), Some(length as usize), "{mask} {cube:?}");
            assert_eq!(found, wanted, "{mask} {cube:?}");
            for engine in &engines {
                assert!(u32::from(engine.value(&cube)) <= length, "{mask} {cube:?}");
            }
        }
    }
}

#[test]
fn edges_alone() {
    let masks = [
        // A cross; a cross in any orientation; all edges but two; all edges in any orientation.
        mask("corners,U,FR,FL,BL,BR", ""),
        mask("corners,U,FR,FL,BL,BR", "D"),
        mask("corners,UF,UR", "DF"),
        mask("corners", "edges"),
    ];
    check(&masks, Metric::Htm, 9);
    check(&masks[..2], Metric::Qtm, 6);
}

#[test]
fn corners_and_edges() {
    // All but the last layer; in quarter turns both parities are accepted.
    check(&[mask("U", "")], Metric::Htm, 12);
    check(&[mask("U", "")], Metric::Qtm, 6);
    // One corner and three edges around it, the corner in any orientation.
    let block = Pieces::parse("URF,UF,UR,FR").unwrap().others();
    check(&[Mask::new(block, Pieces::parse("URF").unwrap())], Metric::Htm, 9);
}

/// If everything that matters fits into one table, its value is the distance.
#[test]
fn one_pattern_is_exact() {
    let cross = solver(mask("corners,U,FR,FL,BL,BR", ""), Metric::Htm, (Instructions::Best, Parts::All));
    let rng = &mut common::rng(7);
    for _ in 0..200 {
        let cube = common::random_walk(rng, Metric::Htm, 30);
        let Ending::Optimal { length, solutions, .. } =
            cross.solve(&cube, &Config::default(), &Run::new()).unwrap().ending
        else {
            panic!("every cross can be solved");
        };
        assert_eq!((u32::from(cross.value(&cube)), solutions[0].len() as u32), (length, length));
        assert!(mask("corners,U,FR,FL,BL,BR", "").accepts(&cube.apply_all(solutions[0].iter().copied())));
    }
}

fn pieces(list: &str) -> Pieces {
    Pieces::parse(list).unwrap()
}

fn matters(position: &str, orientation: &str) -> Matters {
    Matters { position: pieces(position), orientation: pieces(orientation), ..Matters::NOTHING }
}

#[test]
fn orientation_wherever_a_piece_lies() {
    let along = |edge_axis, corner_axis| Matters { edge_axis, corner_axis, ..matters("DF", "edges,URF,DFR") };
    let masks = [
        Mask::of(&matters("", "edges")),
        Mask::of(&matters("DF,DB", "edges")),
        Mask::of(&matters("", "UF,UB,DR")),
        Mask::of(&along(Axis::Ud, Axis::Rl)),
        Mask::of(&along(Axis::Rl, Axis::Fb)),
    ];
    check(&masks, Metric::Htm, 8);
    check(&masks[1..2], Metric::Qtm, 6);
}

#[test]
fn sets_of_pieces_that_may_change_places() {
    let sets = vec![pieces("FR,FL,BL,BR"), pieces("URF,UFL,DFR,UF,UB")];
    let masks = [
        Mask::of(&Matters { sets: sets.clone(), ..matters("", "edges") }),
        Mask::of(&Matters { sets, ..matters("U", "all") }),
    ];
    check(&masks, Metric::Htm, 8);
    check(&masks[1..], Metric::Qtm, 6);
}

/// Goals by name, with the cube held in two orientations, and all goals with an open final turn, compared with a
/// plain enumeration.
fn check_goals(goals: &Goals, metric: Metric, scrambles: usize) {
    let rng = &mut common::rng(2711);
    let solver = |mask: &Mask| {
        Ok::<_, std::convert::Infallible>(solver(*mask, metric, (Instructions::Best, Parts::All)))
    };
    let Ok(solver) = GoalSolver::new(goals.clone(), solver);
    for at in 0..scrambles {
        // The cubes are near the solved cube and near other accepted ones, if some are within reach.
        let far = common::random_walk(rng, metric, 1 + at % 4);
        let turns = if at % 2 == 0 { vec![] } else { vec![Turn::new(Face::U, 1 + (at % 3) as u8)] };
        let cube = Cube::SOLVED.apply_all(turns).compose(&far);
        let config = Config::default().wanted(Wanted::All { extra: 1 });
        let run = Run::new().with_threads(1 + at % 2);
        let Ending::Optimal { length, solutions, complete: true } =
            solver.solve(&cube, &config, &run).unwrap().ending
        else {
            panic!("{goals} can be reached");
        };
        let wanted = reference::solutions(metric, &|cube| goals.accepts(cube), &cube, length + 1);
        assert_eq!(wanted.first().map(Vec::len), Some(length as usize), "{goals} {cube:?}");
        assert_eq!(solutions, wanted, "{goals} {cube:?}");
        assert!(u32::from(solver.value(&cube)) <= length, "{goals} {cube:?}");
        let first = solver.solve(&cube, &Config::default(), &run).unwrap().ending;
        assert_eq!((first.length(), first.solutions().len()), (Some(length), 1));
        assert!(goals.accepts(&cube.apply_all(first.solutions()[0].iter().copied())));
        let full = Config::default().full_last_iteration(true);
        assert_eq!(
            solver.solve(&cube, &full, &run).unwrap().ending.solutions(),
            &wanted[..1],
            "{goals} {cube:?}"
        );
        let less = Config::default().max_bound(length.checked_sub(1));
        if length > 0 {
            let ending = solver.solve(&cube, &less, &run).unwrap().ending;
            assert!(
                matches!(ending, Ending::Bounded { lower_bound, .. } if lower_bound <= length),
                "{goals}"
            );
        }
    }
}

#[test]
fn goals_of_edges_by_name() {
    for named in [Named::Cross, Named::Eo, Named::EoLine, Named::EoCross] {
        check_goals(&named.goals(Face::D), Metric::Htm, 6);
    }
    check_goals(&Named::EoLine.goals(Face::L), Metric::Htm, 6);
    check_goals(&Named::Cross.goals(Face::D), Metric::Qtm, 4);
}

#[test]
fn goals_of_corners_and_edges_by_name() {
    for named in [Named::Xcross, Named::F2l, Named::Co] {
        check_goals(&named.goals(Face::D), Metric::Htm, 4);
    }
    check_goals(&Named::F2l.goals(Face::R), Metric::Htm, 4);
}

/// These are searched with the distances of cosets.
#[test]
fn goals_within_subgroups_by_name() {
    for named in [Named::Oll, Named::Dr, Named::Htr, Named::Fr] {
        check_goals(&named.goals(Face::D), Metric::Htm, 6);
    }
    check_goals(&Named::Dr.goals(Face::F), Metric::Htm, 6);
}

#[test]
fn goals_up_to_a_final_turn() {
    check_goals(&Named::Pll.goals(Face::D), Metric::Htm, 8);
    check_goals(&Named::Pll.goals(Face::D), Metric::Qtm, 6);
    let up_to = |mask: Mask, face| Goals::any(&[mask]).up_to_turn(face).unwrap();
    // The corners alone; then one edge and the corner beside it, which the turn moves.
    check_goals(&up_to(mask("edges", ""), Face::U), Metric::Htm, 6);
    check_goals(&up_to(mask("corners,U,FR,FL,BL,BR", ""), Face::D), Metric::Htm, 6);
    check_goals(&up_to(Mask::of(&matters("UF,DF", "edges")), Face::U), Metric::Htm, 6);
}

/// Chosen turns lead to goals along the strings that a plain enumeration of them finds.
#[test]
fn goals_are_reached_with_chosen_turns() {
    let cases = [
        (held(&[Named::Htr], "D", ""), "U D R2 L2 F2 B2", Metric::Htm),
        (held(&[Named::Dr], "D,F", ""), "U D R L F2 B2", Metric::Htm),
        (held(&[Named::Fr], "any", ""), "U2 D2 R2 L2 F2 B2", Metric::Htm),
        (held(&[Named::Cross], "any", ""), "U R F", Metric::Htm),
        (held(&[Named::Block222], "D", ""), "U R F L", Metric::Qtm),
        (Named::Pll.goals(Face::D), "U R F2", Metric::Htm),
    ];
    let rng = &mut common::rng(1129);
    for (goals, moves, metric) in cases {
        let set = MoveSet::parse(moves, Some(metric)).unwrap();
        let turns = set.face_turns().unwrap();
        let solver = |mask: &Mask| {
            Ok::<_, std::convert::Infallible>(solver(*mask, metric, (Instructions::Best, Parts::All)))
        };
        let Ok(solver) = GoalSolver::new(goals.clone(), solver);
        for at in 0..6 {
            let scramble = (0..2 + at).map(|_| turns[common::below(rng, turns.len())]);
            let cube = Cube::SOLVED.apply_all(scramble.collect::<Vec<_>>());
            let config = Config::default().wanted(Wanted::All { extra: 1 });
            let run = Run::new().with_threads(1 + at % 2);
            let report = solver.solve_with(&turns, &cube, &config, &run).unwrap();
            let Ending::Optimal { length, solutions, complete: true } = report.ending else {
                panic!("{goals} can be reached")
            };
            let is_goal = |cube: &Cube| goals.accepts(cube);
            let wanted = reference::solutions_with(&turns, metric, &is_goal, &cube, length + 1);
            assert_eq!(wanted.first().map(Vec::len), Some(length as usize), "{goals} {cube:?}");
            assert_eq!(solutions, wanted, "{goals} {moves} {cube:?}");
            let first = solver.solve_with(&turns, &cube, &Config::default(), &run).unwrap().ending;
            assert_eq!((first.length(), first.solutions().len()), (Some(length), 1));
        }
    }
}

/// The goals of these names, in all ways to hold the cube with these faces at the bottom and at the front.
fn held(names: &[Named], bottom: &str, front: &str) -> Goals {
    let faces = |text: &str| (!text.is_empty()).then(|| text.parse().unwrap());
    let options = GoalOptions {
        named: names.to_vec(),
        bottom: faces(bottom),
        front: faces(front),
        ..GoalOptions::default()
    };
    options.goals(&Cube::SOLVED).unwrap()
}

#[test]
fn goals_held_in_any_way_share_tables_and_are_solved() {
    // Goals with the numbers of alternatives and of solvers.
    let cases = [
        (held(&[Named::Cross], "any", ""), 6, 1),
        (held(&[Named::Eo], "any", "any"), 3, 1),
        (held(&[Named::EoCross], "any", "any"), 12, 1),
        (held(&[Named::EoLine, Named::Cross], "D,U", ""), 4, 2),
        (held(&[Named::Xcross], "any", ""), 24, 1),
        (held(&[Named::Xxcross], "D", ""), 6, 2),
        (held(&[Named::Block222], "any", ""), 8, 1),
        (held(&[Named::Block223], "any", ""), 12, 1),
        (held(&[Named::RouxBlock], "D,U", ""), 8, 1),
        (held(&[Named::RouxBlocks], "any", ""), 12, 1),
        (held(&[Named::Dr], "any", ""), 3, 1),
        (held(&[Named::Fr], "D,U", "any"), 1, 1),
    ];
    for (goals, alternatives, solvers) in cases {
        let loaded = Cell::new(0);
        let load = |mask: &Mask| {
            loaded.set(loaded.get() + 1);
            Ok::<_, std::convert::Infallible>(solver(*mask, Metric::Htm, (Instructions::Best, Parts::All)))
        };
        let Ok(_) = GoalSolver::new(goals.clone(), load);
        assert_eq!((goals.masks().len(), loaded.get()), (alternatives, solvers), "{goals}");
        check_goals(&goals, Metric::Htm, 4);
    }
    check_goals(&held(&[Named::Cross], "any", ""), Metric::Qtm, 4);
}

/// A complete bound with its generated and expanded nodes.
type Counts = (u32, u64, u64);

/// The ending, and the counts of complete bounds: the part that is independent of threads and checkpoints.
fn lasting(report: &Report<Vec<Turn>>) -> (Ending<Vec<Turn>>, Vec<Counts>) {
    let complete = report.iterations.iter().filter(|iteration| iteration.complete);
    (report.ending.clone(), complete.map(|i| (i.bound, i.generated, i.expanded)).collect())
}

/// A search for a union continues from any checkpoint to the same answer and counts, and searches no bound twice. A
/// checkpoint of another search is ignored.
#[test]
fn a_search_for_a_union_resumes_from_any_checkpoint() {
    let pll = Named::Pll.goals(Face::D);
    let corners = Goals::any(&[mask("edges", "")]).up_to_turn(Face::U).unwrap();
    let (mut parts, mut solved) = (0, 0);
    for (goals, wanted, turns) in [
        (&pll, Wanted::First, 13),
        (&pll, Wanted::All { extra: 1 }, 11),
        (&corners, Wanted::All { extra: 1 }, 20),
    ] {
        let cube = common::random_walk(&mut common::rng(5), Metric::Htm, turns);
        let solver = |mask: &Mask| {
            Ok::<_, std::convert::Infallible>(solver(*mask, Metric::Htm, (Instructions::Best, Parts::All)))
        };
        let Ok(solver) = GoalSolver::new(goals.clone(), solver);
        let solve = |collected: &Arc<Collected>, cube: &Cube, run: &Run<'_>| {
            let config = Config::default().wanted(wanted).checkpoints(Some(collected.clone()));
            solver.solve(cube, &config, run).unwrap()
        };
        let plain = lasting(&solver.solve(&cube, &Config::default().wanted(wanted), &Run::new()).unwrap());
        let all = Arc::new(Collected::default());
        assert_eq!(lasting(&solve(&all, &cube, &Run::new().with_threads(1))), plain);
        let kept = std::mem::take(&mut *all.kept.lock().unwrap());
        for (at, from) in kept.iter().enumerate().step_by(1 + kept.len() / 40) {
            parts += 1;
            let continued = Arc::new(Collected { from: Some(from.clone()), ..Collected::default() });
            let report = solve(&continued, &cube, &Run::new().with_threads(1 + at % 2));
            assert_eq!(lasting(&report), plain, "{at} of {}", kept.len());
            assert!(continued.kept.lock().unwrap().iter().all(|later| later.bound >= from.bound));
        }
        // A solution of another cube: the search begins anew.
        let other = cube.apply(Turn::new(Face::R, 1));
        if let Some(from) = kept.iter().rfind(|one| one.solutions().next().is_some()) {
            solved += 1;
            let forged = Arc::new(Collected { from: Some(from.clone()), ..Collected::default() });
            let config = Config::default().wanted(wanted);
            let wanted = lasting(&solver.solve(&other, &config, &Run::new()).unwrap());
            assert_eq!(lasting(&solve(&forged, &other, &Run::new())), wanted);
        }
    }
    assert!(parts > 20 && solved > 0, "{parts}, {solved}");
}

/// A search for a union that is stopped at many checkpoints and continued from them ends with its answer.
#[test]
fn a_search_for_a_union_may_be_stopped_repeatedly() {
    let goals = Named::Pll.goals(Face::D);
    let solver = |mask: &Mask| {
        Ok::<_, std::convert::Infallible>(solver(*mask, Metric::Htm, (Instructions::Best, Parts::All)))
    };
    let Ok(solver) = GoalSolver::new(goals, solver);
    let cube = common::random_walk(&mut common::rng(6), Metric::Htm, 13);
    let plain = lasting(&solver.solve(&cube, &Config::default(), &Run::new()).unwrap());
    let (mut from, mut stops) = (None, 0);
    loop {
        let cancel = Cancel::new();
        let run = Run::new().with_threads(1 + stops % 2).with_cancel(&cancel);
        let first = Arc::new(Collected {
            from,
            cancel: Some((cancel.clone(), 60 + stops % 2)),
            ..Collected::default()
        });
        let config = Config::default().checkpoints(Some(first.clone()));
        let report = solver.solve(&cube, &config, &run).unwrap();
        if !cancel.is_interrupted() {
            assert_eq!(lasting(&report), plain);
            break;
        }
        from = first.kept.lock().unwrap().pop();
        stops += 1;
        assert!(stops < 1000, "each run gets further");
    }
    assert!(stops > 20, "{stops}");
}
