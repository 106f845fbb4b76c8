//! Certificates of permutation puzzles: distances found here by plain search are proved, other claims refuted.
#![cfg(feature = "certificate")]

use super::certificate::{assert_proved, assert_refuted, certificate, check, optimal};
use referee::certificate::{Answer, Blocked, Certificate, Colours, Metric, Named, Puzzle};

fn named(name: &str, from: &[u8]) -> Named {
    Named { name: name.into(), from: from.to_vec() }
}

/// A certificate of a stack of four pancakes.
fn pancakes(instance: &str, start: &[u8], result: Answer) -> Certificate {
    let puzzle = Puzzle::Permutation {
        name: "pancake-4".into(),
        moves: vec![named("f2", &[1, 0, 2, 3]), named("f3", &[2, 1, 0, 3]), named("f4", &[3, 2, 1, 0])],
        rotations: Vec::new(),
        blocked: Vec::new(),
        start: start.to_vec(),
        goal: vec![0, 1, 2, 3],
        others: Vec::new(),
    };
    certificate(instance, puzzle, Metric::Moves, result)
}

#[test]
fn the_nearest_of_several_goals_counts() {
    // One move from the second goal, which has colours of its own, and more from the sorted stack.
    let with = |other: [[u8; 4]; 2], result| {
        let mut certificate = pancakes("", &[3, 1, 2, 0], result);
        let Puzzle::Permutation { others, .. } = &mut certificate.puzzle else { unreachable!() };
        let [start, goal] = other.map(|colours| colours.to_vec());
        others.push(Colours { start, goal });
        certificate
    };
    let near = [[9, 8, 8, 7], [8, 9, 8, 7]];
    assert_proved(&with(near, optimal(1, "f2")));
    assert_refuted(&with(near, Answer::LowerBound { length: 2 }), "a shorter one");
    assert_refuted(&with(near, optimal(1, "f3")), "do not end at the goal");
    // Goals with other colours than the start are never reached.
    let never = [[9, 8, 8, 7], [8, 9, 8, 6]];
    assert_refuted(&with(never, optimal(1, "f2")), "do not end at the goal");
}

#[test]
fn every_stack_of_pancakes_is_proved_with_its_distance_alone() {
    let moves = [("f2", [1, 0, 2, 3]), ("f3", [2, 1, 0, 3]), ("f4", [3, 2, 1, 0])];
    let mut found: Vec<(Vec<u8>, Vec<&str>)> = vec![(vec![0, 1, 2, 3], Vec::new())];
    let mut at = 0;
    while at < found.len() {
        for (name, from) in moves {
            let next: Vec<u8> = from.iter().map(|&from| found[at].0[from]).collect();
            if found.iter().all(|(known, _)| *known != next) {
                let path = [&found[at].1[..], &[name]].concat();
                found.push((next, path));
            }
        }
        at += 1;
    }
    assert_eq!(found.len(), 24);
    for (start, scramble) in &found {
        let length = scramble.len() as u32;
        // Every move is its own inverse.
        let solution: Vec<&str> = scramble.iter().rev().copied().collect();
        let solution = solution.join(" ");
        assert_proved(&pancakes(&scramble.join(" "), start, optimal(length, &solution)));
        assert_proved(&pancakes("", start, Answer::LowerBound { length }));
        assert_refuted(&pancakes("", start, Answer::LowerBound { length: length + 1 }), "a shorter one");
        assert_refuted(&pancakes("", start, Answer::Exhausted), "there is one of");
        let longer = format!("f2 f2 {solution}");
        assert_refuted(&pancakes("", start, optimal(length + 2, &longer)), "a shorter one");
        assert_refuted(&pancakes("", start, optimal(length, "f5")), "neither a move nor a rotation");
    }
}

/// A ring of four points: two neighbours change places, the ring turns freely.
fn ring(start: [u8; 4], blocked: Vec<Blocked>, moves: usize, result: Answer) -> Certificate {
    let swaps = [[1, 0, 2, 3], [0, 2, 1, 3], [0, 1, 3, 2], [3, 1, 2, 0]];
    let all = swaps.iter().enumerate().map(|(number, from)| named(&format!("[r{number}: s]"), from));
    let puzzle = Puzzle::Permutation {
        name: "ring".into(),
        moves: all.take(moves).collect(),
        rotations: vec![named("r", &[1, 2, 3, 0])],
        blocked,
        start: start.to_vec(),
        goal: vec![0, 1, 2, 3],
        others: Vec::new(),
    };
    certificate("", puzzle, Metric::Moves, result)
}

#[test]
fn rotations_are_free_and_rules_are_kept() {
    assert_proved(&ring([1, 2, 3, 0], Vec::new(), 4, optimal(0, "r r r")));
    assert_proved(&ring([1, 2, 0, 3], Vec::new(), 4, optimal(1, "[r2: s] r r r")));
    assert_proved(&ring([2, 1, 0, 3], Vec::new(), 4, Answer::LowerBound { length: 2 }));
    assert_refuted(&ring([1, 0, 2, 3], Vec::new(), 4, optimal(1, "[r1: s]")), "do not end at the goal");
    // Without all conjugates, or with rules, nothing is searched.
    for (blocked, moves) in [(Vec::new(), 3), (vec![Blocked { point: 3, colour: 0 }], 4)] {
        let report = check(&ring([1, 0, 2, 3], blocked, moves, optimal(1, "[r0: s]")));
        assert!(report.stands() && report.proved, "{report:?}");
        let report = check(&ring([2, 1, 0, 3], Vec::new(), moves - 1, Answer::LowerBound { length: 2 }));
        assert!(report.stands() && !report.proved && report.lower_bound == Some(1), "{report:?}");
    }
    let rule = vec![Blocked { point: 0, colour: 1 }];
    assert_refuted(&ring([1, 0, 2, 3], rule.clone(), 4, optimal(1, "[r0: s]")), "the start breaks a rule");
    assert_refuted(&ring([0, 2, 1, 3], rule, 4, optimal(3, "r [r0: s] r r r")), "breaks a rule");
}

#[test]
fn puzzles_that_are_none_are_refuted() {
    let change = |change: &dyn Fn(&mut Puzzle)| {
        let mut certificate = pancakes("f2", &[1, 0, 2, 3], optimal(1, "f2"));
        change(&mut certificate.puzzle);
        certificate
    };
    let Certificate { puzzle: Puzzle::Permutation { .. }, .. } = change(&|_| {}) else { panic!("it is one") };
    assert_proved(&change(&|_| {}));
    type Change<'a> = &'a dyn Fn(&mut Puzzle);
    let cases: [(Change<'_>, &str); 6] = [
        (&|puzzle| with_moves(puzzle, |moves| moves[0].from[0] = 0), "is no permutation"),
        (&|puzzle| with_moves(puzzle, |moves| moves[0].from[0] = 9), "is no permutation"),
        (&|puzzle| with_moves(puzzle, |moves| moves[0].from.truncate(3)), "has 3 points instead of 4"),
        (&|puzzle| with_moves(puzzle, |moves| moves[1].name = "f2".into()), "named twice"),
        (&|puzzle| with_moves(puzzle, |moves| moves[1].name = String::new()), "has no name"),
        (
            &|puzzle| {
                if let Puzzle::Permutation { start, .. } = puzzle {
                    start[0] = 7;
                }
            },
            "different colours",
        ),
    ];
    for (changed, why) in cases {
        assert_refuted(&change(changed), why);
    }
}

fn with_moves(puzzle: &mut Puzzle, change: impl FnOnce(&mut Vec<Named>)) {
    if let Puzzle::Permutation { moves, .. } = puzzle {
        change(moves);
    }
}
