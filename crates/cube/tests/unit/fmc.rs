//! Solutions with fixed ends, the inverse scramble and moves on both sides, compared with brute force.

use super::common;
use crate::fmc::{self, Niss};
use crate::notation::{self, facelets, scramble};
use crate::strategy::Ends;
use crate::{Ask, Cube, HeuristicSpec, Metric, Solver, SolverSetup, Turn};
use proptest::prelude::*;
use search_core::ida::Wanted;
use search_core::{Ending, Run};
use std::collections::{BTreeMap, BTreeSet};

fn turns(text: &str) -> Vec<Turn> {
    scramble::parse(text).unwrap().turns
}

fn solver(metric: Metric) -> Solver {
    let heuristic: HeuristicSpec = "manhattan-max".parse().unwrap();
    SolverSetup::new().metric(metric).heuristic(heuristic).load(common::store().clone(), &Run::new()).unwrap()
}

/// All shortest strings between the fixed turns.
fn between(metric: Metric, cube: &Cube, ends: &Ends, most: usize) -> Vec<Vec<Turn>> {
    let mut strings = vec![Vec::new()];
    for _ in 0..=most {
        let solves = |w: &&Vec<Turn>| cube.apply_all(ends.around(w)).is_solved();
        let solutions: Vec<_> = strings.iter().filter(solves).cloned().collect();
        if !solutions.is_empty() {
            return solutions;
        }
        let longer = |w: Vec<Turn>| metric.turns().iter().map(move |&turn| [&w[..], &[turn]].concat());
        strings = strings.into_iter().flat_map(longer).collect();
    }
    Vec::new()
}

/// Of strings that differ in the order of opposite faces, one is listed.
#[test]
fn a_random_solution_is_each_of_the_shortest_ones_equally_often() {
    let (metric, cube) = (Metric::Htm, Cube::SOLVED.apply_all(turns("R2 L2 U2 D2")));
    let all = between(metric, &cube, &Ends::default(), 4);
    let all: BTreeSet<Vec<Turn>> = all.iter().map(|solution| metric.canonical(solution)).collect();
    assert!(all.len() > 1);
    let (solver, mut counts) = (solver(metric), BTreeMap::new());
    for seed in 0..200 * all.len() as u64 {
        let answer = solver.solve(&Ask::new(cube).random(Some(seed)), &Run::new()).expect("no table is read");
        let [solution] = answer.ending.solutions() else { panic!("one is chosen") };
        *counts.entry(metric.canonical(&fmc::turns_of(solution))).or_insert(0_u32) += 1;
    }
    assert!(counts.keys().eq(&all), "{counts:?}");
    // Six standard deviations.
    assert!(counts.values().all(|count| count.abs_diff(200) < 6 * 15), "{counts:?}");
}

#[test]
fn the_shortest_between_fixed_ends_is_that_of_brute_force() {
    for metric in [Metric::Htm, Metric::Qtm] {
        for (scrambled, before, after) in [
            ("R U F", "F' U'", ""),
            ("R U F", "", "U' R'"),
            ("R U F", "F'", "R'"),
            ("R U F", "L", "L'"),
            ("R U F", "F' L2 D", ""),
            ("R", "U R", "F U"),
            ("", "R", "R"),
            ("", "R L", "L"),
        ] {
            let cube = Cube::SOLVED.apply_all(turns(scrambled));
            let ends = Ends { before: turns(before), after: turns(after) };
            let expected = between(metric, &cube, &ends, 3);
            let most = expected.first().map_or(3, Vec::len) as u32;
            let fixed = ends.length(metric);
            let solve = |ask: Ask, most| {
                let ask = ask.wanted(Wanted::All { extra: 0 }).max_bound(Some(most));
                solver(metric).solve(&ask, &Run::new()).expect("no table is read")
            };
            let report = solve(Ask::new(ends.between(&cube)), most);
            let bound = report.iterations.last().map(|iteration| iteration.bound);
            let report = solve(Ask::new(cube).ends(ends.clone()), most + fixed);
            assert_eq!(report.iterations.last().map(|iteration| iteration.bound), bound.map(|b| b + fixed));
            let Some(shortest) = expected.first() else {
                // In the quarter-turn metric, bounds of the other parity are skipped.
                let least = fixed + 4;
                assert!(matches!(report.ending, Ending::Bounded { lower_bound, .. } if lower_bound >= least));
                continue;
            };
            assert_eq!(
                report.ending.length(),
                Some(shortest.len() as u32 + fixed),
                "{scrambled} {before} {after}"
            );
            let canonical: std::collections::BTreeSet<_> =
                expected.iter().map(|w| ends.around(&metric.canonical(w))).collect();
            let found: Vec<Vec<Turn>> =
                report.ending.solutions().iter().map(|moves| fmc::turns_of(moves)).collect();
            assert_eq!(found, Vec::from_iter(canonical), "{scrambled} {before} {after}");
        }
    }
}

#[test]
fn turns_that_meet_are_joined() {
    let joined = |text: &str| scramble::format(fmc::joined(Metric::Htm, &turns(text)));
    assert_eq!(joined("R R U"), "R2 U");
    assert_eq!(joined("R L R' U"), "L U");
    assert_eq!(joined("F R U U' R F"), "F R2 F");
    assert_eq!(joined("F R U U' R' F"), "F2");
    assert_eq!(joined("F R L U D U' D' L' R' F'"), "");
    assert_eq!(scramble::format(fmc::joined(Metric::Qtm, &turns("R R R U"))), "R' U");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..Default::default() })]

    /// The inverse of a scramble, rotations included, is the position of its inverse text.
    #[test]
    fn the_inverse_is_that_of_the_text(picks in prop::collection::vec((0..14usize, 0..3usize), 0..15)) {
        let names = ["U", "R", "F", "D", "L", "B", "x", "y", "z", "M", "E", "S", "r", "Uw"];
        let word = |&(name, amount): &(usize, usize)| format!("{}{}", names[name], ["", "2", "'"][amount]);
        let text: Vec<String> = picks.iter().map(word).collect();
        let undone: Vec<String> = picks.iter().rev().map(|&(name, amount)| word(&(name, 2 - amount))).collect();
        if !text.is_empty() {
            let position = notation::parse(&text.join(" "), None).unwrap();
            let expected = notation::parse(&undone.join(" "), None).unwrap();
            let inverse = fmc::inverse(&position);
            prop_assert_eq!((inverse.cube, inverse.orientation), (expected.cube, expected.orientation));
            let read = notation::parse(&format!("{} y y'", inverse.text), None).unwrap();
            prop_assert_eq!((read.cube, read.orientation), (inverse.cube, inverse.orientation));
            prop_assert_eq!(fmc::inverse(&inverse).cube, position.cube);
        }
    }

    /// The two parts of a solution with moves on both sides meet when made on the scramble and on its inverse.
    #[test]
    fn moves_on_both_sides_form_one_solution(scrambled in prop::collection::vec(0..18usize, 0..8), count in 0..10usize) {
        let scrambled: Vec<Turn> = scrambled.into_iter().map(Turn::from_index).collect();
        let (cube, solution) = (Cube::SOLVED.apply_all(scrambled.iter().copied()), fmc::undo(&scrambled));
        let niss = Niss::of(&solution, count);
        let normal = cube.apply_all(niss.normal.iter().copied());
        let other = cube.inverse().apply_all(niss.inverse.iter().copied());
        // The moves on the inverse undo the cube that the moves on the scramble leave, and conversely.
        let left = Cube::SOLVED.apply_all(niss.inverse.iter().copied());
        prop_assert_eq!(normal, left);
        prop_assert_eq!(other, Cube::SOLVED.apply_all(niss.normal.iter().copied()));
        prop_assert_eq!(niss.turns(), solution);
    }
}

#[test]
fn the_inverse_of_facelets_is_a_cube() {
    let cube = Cube::SOLVED.apply_all(turns("R U F2"));
    let position = notation::parse(&facelets::format(&cube), None).unwrap();
    assert_eq!(fmc::inverse(&position).cube, cube.inverse());
}
