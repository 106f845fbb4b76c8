//! Insertions into a skeleton, compared with all strings of turns at all places.

use super::common;
use crate::fmc::insert::{Insertion, insertions};
use crate::fmc::{joined, length};
use crate::notation::scramble;
use crate::{Cube, HeuristicSpec, Metric, Solver, SolverSetup, Turn};
use search_core::Run;
use std::collections::BTreeMap;

/// A solver that reads no table.
fn solver(metric: Metric) -> Solver {
    let heuristic: HeuristicSpec = "manhattan-max".parse().unwrap();
    SolverSetup::new().metric(metric).heuristic(heuristic).load(common::store().clone(), &Run::new()).unwrap()
}

fn turns(text: &str) -> Vec<Turn> {
    scramble::parse(text).unwrap().turns
}

/// Every solution by a string of at most `most` moves at any place, with its smallest number of inserted moves.
/// Strings whose beginning already solves the cube are left out.
fn by_brute_force(metric: Metric, cube: &Cube, skeleton: &[Turn], most: usize) -> BTreeMap<Vec<Turn>, usize> {
    let mut all = BTreeMap::new();
    for after in 0..=skeleton.len() {
        let (p, q) = skeleton.split_at(after);
        let mut strings = vec![Vec::new()];
        for count in 0..=most {
            let (solved, open): (Vec<_>, Vec<_>) =
                strings.into_iter().partition(|w: &Vec<Turn>| cube.apply_all([p, w, q].concat()).is_solved());
            for w in solved {
                let known = all.entry(joined(metric, &[p, &w, q].concat())).or_insert(count);
                *known = count.min(*known);
            }
            let longer = |w: Vec<Turn>| metric.turns().iter().map(move |&turn| [&w[..], &[turn]].concat());
            strings = open.into_iter().flat_map(longer).collect();
        }
    }
    all
}

fn found(metric: Metric, cube: &Cube, skeleton: &[Turn], most: u32) -> Vec<Insertion> {
    insertions(&solver(metric), cube, skeleton, most, &Run::new()).unwrap()
}

#[test]
fn all_insertions_are_those_of_brute_force() {
    for metric in [Metric::Htm, Metric::Qtm] {
        for (scramble, skeleton, most) in [
            ("R U F2 L'", "L U' R'", 3),
            ("R U F2 L'", "L U' R'", 1),
            ("R U F2 L'", "L F2 U' R'", 3),
            ("R L U D F B", "F' D' U' L' R'", 2),
            ("R2 F", "", 3),
            ("", "R L", 3),
        ] {
            let (cube, skeleton) = (Cube::SOLVED.apply_all(turns(scramble)), turns(skeleton));
            let expected = by_brute_force(metric, &cube, &skeleton, most);
            let found = found(metric, &cube, &skeleton, most as u32);
            let as_map: BTreeMap<Vec<Turn>, usize> =
                found.iter().map(|one| (one.solution.clone(), one.turns.len())).collect();
            assert_eq!(as_map, expected, "{scramble} {metric:?}");
            assert_eq!(as_map.len(), found.len(), "each solution once");
            assert!(found.is_sorted_by_key(|one| one.length));
            for one in &found {
                let whole = [&skeleton[..one.after], &one.turns, &skeleton[one.after..]].concat();
                assert!(cube.apply_all(whole.iter().copied()).is_solved());
                assert_eq!(one.solution, joined(metric, &whole));
                assert_eq!(one.length, length(metric, &one.solution));
            }
        }
    }
}

/// A longer insertion can be better than a shorter one.
#[test]
fn cancelled_turns_are_not_counted() {
    // R' D R D' is missing after the third move, where its first turn meets another turn of its face.
    let whole = turns("F U2 R L' B2");
    let insertion = turns("R D R' U");
    let cube = Cube::SOLVED.apply_all([&whole[..3], &insertion, &whole[3..]].concat()).inverse();
    let best = &found(Metric::Htm, &cube, &whole, 4)[0];
    assert_eq!((best.after, best.turns.len(), best.length), (3, 4, 8));
}
