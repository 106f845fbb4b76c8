//! Goals that ignore something: the solutions are those of a plain enumeration.

mod common;

use common::reference;
use cube::heuristics::Instructions;
use cube::mask::Pieces;
use cube::{Cube, HeuristicSpec, Mask, Metric, Solver, Turn};
use search_core::ida::{Config, Kernel, Wanted};
use search_core::{Ending, Run};

fn mask(ignored: &str, turned: &str) -> Mask {
    Mask::new(Pieces::parse(ignored).unwrap(), Pieces::parse(turned).unwrap())
}

fn solver(mask: Mask, metric: Metric, instructions: Instructions) -> Solver {
    let heuristic = HeuristicSpec::Masked(mask);
    let tables = heuristic.tables(metric).into_iter().map(common::table).collect();
    Solver::new(&heuristic, metric, tables, instructions)
}

/// All solutions at most one move longer than the shortest.
fn solutions(solver: &Solver, cube: &Cube, kernel: Kernel, threads: usize) -> (u32, Vec<Vec<Turn>>) {
    let config = Config { wanted: Wanted::All { extra: 1 }, kernel: Some(kernel), ..Config::default() };
    match solver.solve(cube, &config, &Run::new().with_threads(threads)).ending {
        Ending::Optimal { length, solutions, complete: true } => (length, solutions),
        other => panic!("{other:?}"),
    }
}

fn check(masks: &[Mask], metric: Metric, scrambles: usize) {
    let rng = &mut common::rng(1811);
    for &mask in masks {
        let engines = [Instructions::Best, Instructions::Portable].map(|kind| solver(mask, metric, kind));
        for at in 0..scrambles {
            let cube = common::random_walk(rng, metric, 1 + at % 4);
            let (kernel, threads) = match at % 3 {
                0 => (Kernel::DepthFirst, 1),
                1 => (Kernel::Interleaved { lanes: 3 }, 1),
                _ => (Kernel::Interleaved { lanes: 8 }, 2),
            };
            let (length, found) = solutions(&engines[at % 2], &cube, kernel, threads);
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

/// Where everything that matters fits into one table, its value is the distance.
#[test]
fn one_pattern_is_exact() {
    let cross = solver(mask("corners,U,FR,FL,BL,BR", ""), Metric::Htm, Instructions::Best);
    let rng = &mut common::rng(7);
    for _ in 0..200 {
        let cube = common::random_walk(rng, Metric::Htm, 30);
        let Ending::Optimal { length, solutions, .. } =
            cross.solve(&cube, &Config::default(), &Run::new()).ending
        else {
            panic!("every cross can be solved");
        };
        assert_eq!((u32::from(cross.value(&cube)), solutions[0].len() as u32), (length, length));
        assert!(mask("corners,U,FR,FL,BL,BR", "").accepts(&cube.apply_all(solutions[0].iter().copied())));
    }
}
