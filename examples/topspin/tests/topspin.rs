//! TopSpin against a plain breadth-first search and against known counts.

use assert_cmd::Command;
use chacha20::ChaCha8Rng;
use chacha20::rand_core::SeedableRng;
use search_core::frontier::{FrontierSearch, Options, PackedDomain};
use search_core::ida::Config;
use search_core::pdb::Projection;
use search_core::table::{Recipe, Store, Unfinished};
use search_core::{Domain, Op, Run};
use std::collections::{HashMap, VecDeque};
use topspin::pattern::GROUP;
use topspin::solver::replayed;
use topspin::{Pattern, Ring, Solver, TopSpin};

/// The distance of every state, by a queue and a map.
fn distances(puzzle: TopSpin) -> HashMap<Ring, u32> {
    let mut found = HashMap::from([(puzzle.goal(), 0)]);
    let mut queue = VecDeque::from([puzzle.goal()]);
    while let Some(ring) = queue.pop_front() {
        for op in puzzle.applicable(&ring) {
            let child = puzzle.apply(&ring, op);
            let depth = found[&ring] + 1;
            found.entry(child).or_insert_with(|| {
                queue.push_back(child);
                depth
            });
        }
    }
    found
}

fn sizes() -> impl Iterator<Item = TopSpin> {
    let valid = |tokens: usize| (3..=tokens - 2).filter_map(move |k| TopSpin::new(tokens, k).ok());
    (5..=8).flat_map(valid)
}

/// The number of reachable states, by the formula.
fn states(puzzle: TopSpin) -> usize {
    let even_only = puzzle.turnstile() % 4 < 2 && puzzle.tokens() % 2 == 1;
    (1..puzzle.tokens()).product::<usize>() / if even_only { 2 } else { 1 }
}

#[test]
fn all_states_of_the_formula_are_reached_and_counted_alike() {
    for puzzle in sizes() {
        let found = distances(puzzle);
        assert_eq!(found.len(), states(puzzle), "{puzzle:?}");
        let mut counts = vec![0; *found.values().max().unwrap() as usize + 1];
        found.values().for_each(|&depth| counts[depth as usize] += 1);
        let mut search = FrontierSearch::new(&puzzle, Options::in_memory(2), [puzzle.goal()]).unwrap();
        for count in counts {
            assert_eq!(search.states(), count, "{puzzle:?} at {}", search.depth());
            search.step(&Run::new()).unwrap();
        }
        assert_eq!(search.states(), 0);
    }
}

#[test]
fn packing_and_inverses_undo() {
    for puzzle in sizes().chain(TopSpin::new(17, 4)) {
        let ring = puzzle.random(&mut ChaCha8Rng::seed_from_u64(7));
        assert_eq!(puzzle.unpack(puzzle.pack(&ring)), ring);
        for op in puzzle.applicable(&ring) {
            assert_eq!(puzzle.apply(&puzzle.apply(&ring, op), puzzle.inverse(op)), ring, "{puzzle:?} {op:?}");
        }
    }
}

#[test]
fn searches_find_the_distance_of_every_state_and_the_heuristic_never_exceeds_it() {
    let (dir, run) = (tempfile::tempdir().unwrap(), Run::new().with_threads(1));
    let store = Store::new(dir.path(), "test");
    for puzzle in [TopSpin::new(7, 4), TopSpin::new(7, 3), TopSpin::new(8, 4)].map(Result::unwrap) {
        let pattern = Pattern { puzzle, tokens: 4 };
        let table = store.get(&pattern, &run).unwrap().into_packed::<4>();
        let solver = Solver::new(pattern, store.get(&pattern, &run).unwrap(), &run).unwrap();
        for (ring, distance) in distances(puzzle) {
            assert!(u32::from(table.get((pattern.project(&puzzle, &ring) / GROUP) as u64)) <= distance);
            let report = solver.solve(&ring, &Config::default(), &run);
            assert_eq!(report.ending.length(), Some(distance), "{ring:?}");
            assert!(replayed(puzzle, &ring, &report.ending.solutions()[0]).is_some());
        }
    }
}

#[test]
fn a_wrong_solution_is_not_replayed() {
    let puzzle = TopSpin::new(9, 4).unwrap();
    let ring = puzzle.apply(&puzzle.goal(), Op::new(2));
    assert_eq!(replayed(puzzle, &ring, &[Op::new(2)]), Some(vec![5]));
    assert_eq!(replayed(puzzle, &ring, &[Op::new(3)]), None);
}

#[test]
fn a_pattern_has_a_minimum_for_each_group() {
    let pattern = Pattern { puzzle: TopSpin::new(8, 4).unwrap(), tokens: 3 };
    let built = pattern.build(&Unfinished::NOWHERE, &Run::new()).unwrap();
    assert_eq!(built.body.len() as u64, pattern.spec().body_len());
}

#[test]
fn the_program_solves_counts_and_refuses() {
    let dir = tempfile::tempdir().unwrap();
    let run = |args: &[&str], input: &str| {
        let mut program = Command::cargo_bin("topspin").unwrap();
        let output = program.args(args).arg("--tables").arg(dir.path()).write_stdin(input).output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
    };
    assert_eq!(run(&["solve", "0 1 2 3 4 5 6 7 8"], "").1, "0\n");
    assert_eq!(run(&["solve", "-"], "0 1 5 4 3 2 6 7 8\n6 7 8 0 1 5 4 3 2\n").1, "1 5\n1 5\n");
    assert_eq!(run(&["solve", "0 2 1 3 4 5 6 7 8"], "").0, 3);
    assert_eq!(run(&["solve", "0 1 1 3 4 5 6 7 8"], "").0, 3);
    assert_eq!(run(&["bfs", "--tokens", "6"], "").1.lines().next(), Some("0 1"));
    assert_eq!(run(&["bfs", "--tokens", "18"], "").0, 2);
    assert!(run(&["tables", "plan", "--tokens", "9"], "").1.starts_with("topspin-9-4-pdb6 "));
    let rings = run(&["random", "--tokens", "10", "--count", "3", "--seed", "1"], "").1;
    assert_eq!(rings.lines().count(), 3);
    assert_eq!(run(&["solve", "-"], &rings).0, 0);
}
