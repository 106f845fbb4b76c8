//! Improved paths compared with exact distances.

use super::{Bidirectional, Improve, Improved, Shorten, Unsolved, Window};
use crate::domain::{Domain, Op, OpSet};
use crate::testing::{Pancakes, Random};
use crate::{Cancel, Run};
use std::collections::BTreeMap;

type Stack = [u8; 7];

/// The least costs of all stacks from one, by Dijkstra's algorithm.
fn costs_from(start: Stack, costs: &[u32]) -> BTreeMap<Stack, u32> {
    let (mut known, mut open) = (BTreeMap::new(), BTreeMap::from([(0, vec![start])]));
    while let Some((cost, stacks)) = open.pop_first() {
        for stack in stacks {
            if known.contains_key(&stack) {
                continue;
            }
            known.insert(stack, cost);
            for op in OpSet::first(6) {
                open.entry(cost + costs[op.index()]).or_default().push(Pancakes.apply(&stack, op));
            }
        }
    }
    known
}

/// The least cost of a path from one stack to another, from those of all stacks from the sorted one: cakes are renamed.
fn between(from: &Stack, to: &Stack, costs: &BTreeMap<Stack, u32>) -> u32 {
    costs[&from.map(|cake| to.iter().position(|&other| other == cake).expect("the same cakes") as u8)]
}

fn walk(length: usize, random: &mut Random) -> Vec<Op> {
    (0..length).map(|_| Op::new(random.below(6))).collect()
}

fn states(start: Stack, moves: &[Op]) -> Vec<Stack> {
    let mut states = vec![start];
    moves.iter().for_each(|&op| states.push(Pancakes.apply(&states[states.len() - 1], op)));
    states
}

fn cost(moves: &[Op], costs: &[u32]) -> u32 {
    moves.iter().map(|op| costs[op.index()]).sum()
}

#[test]
fn paths_are_locally_optimal_and_keep_their_ends() {
    let (mut random, sorted, run) = (Random::new(11), Pancakes::<7>::sorted(), Run::new());
    for costs in [[1; 6], [1, 2, 3, 4, 5, 6], [3, 1, 1, 2, 1, 3]] {
        let exact = costs_from(sorted, &costs);
        for round in 0..60 {
            let start = Pancakes::<7>::random(30, &mut random);
            let given = walk(40, &mut random);
            let (window, ties) = (1 + random.below(6), u32::from(round % 3 == 0));
            let half = |from: &Stack, to: &Stack| between(from, to, &exact) / 2;
            let windows = Bidirectional::new(&Pancakes, half).costs(costs.to_vec());
            let improved = Improve::windows(window).ties(ties, round).path(&windows, &start, &given, &run);
            let Improved { moves, cost: total, is_complete, is_cheapest, .. } = improved;
            let (before, after) = (states(start, &given), states(start, &moves));
            assert_eq!(before.last(), after.last());
            assert!(is_complete && total == cost(&moves, &costs) && total <= cost(&given, &costs));
            for at in 0..moves.len() {
                let end = moves.len().min(at + window);
                assert_eq!(cost(&moves[at..end], &costs), between(&after[at], &after[end], &exact));
            }
            assert_eq!(is_cheapest, moves.len() <= window);
        }
    }
}

#[test]
fn windows_are_solved_exactly_with_and_without_heuristic() {
    let (mut random, run) = (Random::new(5), Run::new());
    let exact = costs_from(Pancakes::<7>::sorted(), &[1; 6]);
    let without = Bidirectional::new(&Pancakes, |_: &Stack, _: &Stack| 0);
    let with = Bidirectional::new(&Pancakes, |from: &Stack, to: &Stack| between(from, to, &exact));
    for _ in 0..300 {
        let from = Pancakes::<7>::random(20, &mut random);
        let moves = walk(8, &mut random);
        let to = *states(from, &moves).last().expect("there is one");
        let (cost, most) = (8, random.below(9) as u32);
        let choice = (most % 2 == 0).then_some(random.bits());
        let window = Window { from: &from, to: &to, moves: &moves, cost, most, choice };
        let length = between(&from, &to, &exact);
        let wanted = (length <= most || length == 0).then_some(length as usize);
        for found in [without.cheapest(&window, &run), with.cheapest(&window, &run)] {
            let found = found.expect("not stopped");
            assert_eq!(found.as_ref().map(Vec::len), wanted);
            assert!(found.is_none_or(|moves| states(from, &moves).last() == Some(&to)));
        }
    }
}

#[test]
fn ties_are_chosen_by_their_seed() {
    let (windows, run) = (Bidirectional::new(&Pancakes::<7>, |_: &Stack, _: &Stack| 0), Run::new());
    let from = Pancakes::<7>::sorted();
    let moves = [0, 3, 1, 5, 2, 4].map(Op::new);
    let to = *states(from, &moves).last().expect("there is one");
    let solve = |choice| {
        let window = Window { from: &from, to: &to, moves: &moves, cost: 6, most: 6, choice: Some(choice) };
        windows.cheapest(&window, &run).expect("not stopped").expect("there is a path")
    };
    let all: std::collections::BTreeSet<Vec<usize>> =
        (0..40).map(|choice| solve(choice).iter().map(|op| op.index()).collect()).collect();
    assert!(all.len() > 1 && solve(3) == solve(3));
}

#[test]
fn stopped_work_keeps_the_path_so_far() {
    let (start, mut random) = (Pancakes::<7>::sorted(), Random::new(8));
    let given = walk(60, &mut random);
    let windows = Bidirectional::new(&Pancakes, |_: &Stack, _: &Stack| 0);
    let improve = |run: &Run<'_>| Improve::windows(5).ties(2, 1).path(&windows, &start, &given, run);
    let whole = improve(&Run::new());
    let mut least = u32::MAX;
    for question in 1..100 {
        let improved = improve(&Run::new().with_cancel(&Cancel::at_question(question)));
        assert_eq!(states(start, &improved.moves).last(), states(start, &given).last());
        assert!(improved.cost <= 60 && (improved.is_complete || improved.cost >= whole.cost));
        least = least.min(improved.cost);
    }
    assert!(least < 60);
    // A window whose states do not fit the memory is left as it is.
    let poor = improve(&Run::new().with_memory(500));
    assert!(!poor.is_complete && poor.unsolved > 0 && poor.cost >= whole.cost);
    assert_eq!(Unsolved::Memory.to_string(), "the states of a window exceed the memory budget");
}
