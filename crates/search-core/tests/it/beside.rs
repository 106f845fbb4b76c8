//! Quicker methods beside a search: they come by counts of nodes, also within a bound, and change no count.

use crate::ida::{SORTED, Stack, Stopping, configs, never_twice, replay, solve, zero};
use search_core::ida::{
    AnyTree, Choice, Config, Incumbent, Look, RootMoves, Schedule, Tree, TreeSearch, search_trees,
};
use search_core::record::Iteration;
use search_core::testing::Pancakes;
use search_core::{Cancel, Ending, Op, Run};
use std::sync::{Arc, Mutex};

const START: Stack = [4, 6, 2, 5, 0, 3, 1];
const SHARE: u64 = 16;
const LEAST: u64 = 1 << 9;

/// A search without a heuristic whose quicker method knows one solution, which it finds with enough nodes.
struct Known {
    solution: Vec<Op>,
    enough: u64,
    /// The uses of the method, and the incumbent's lower bound at each.
    looks: Mutex<Vec<(Look, u32)>>,
}

impl Known {
    fn new(solution: &[Op], enough: u64) -> Known {
        Known { solution: solution.to_vec(), enough, looks: Mutex::default() }
    }

    fn sizes(&self) -> Vec<u64> {
        self.looks.lock().unwrap().iter().map(|(look, _)| look.nodes).collect()
    }
}

impl TreeSearch for Known {
    fn least(&self, bound: u32) -> u32 {
        bound
    }

    fn schedule(&self, is_eager: bool) -> Option<Schedule> {
        let schedule = Schedule::share(SHARE).least(LEAST);
        Some(if is_eager { schedule.first(LEAST, 1 << 12) } else { schedule })
    }

    fn improve(&self, look: Look, incumbent: &Incumbent, _: &Run<'_>) {
        self.looks.lock().unwrap().push((look, incumbent.lower_bound()));
        if look.nodes >= self.enough {
            incumbent.offer(&self.solution);
        }
    }

    fn with_tree(&self, _: &Choice, _: usize, act: &mut dyn FnMut(&dyn AnyTree)) -> bool {
        let (automaton, heuristic) = (never_twice(), zero as fn(&Stack) -> u8);
        act(&Tree {
            domain: &Pancakes,
            heuristic: &heuristic,
            automaton: &automaton,
            start: &START,
            root_moves: RootMoves::none(),
        });
        true
    }
}

/// The nodes of the complete iterations.
fn counts(iterations: &[Iteration]) -> Vec<(u32, u64)> {
    let complete = iterations.iter().filter(|iteration| iteration.complete);
    complete.map(|iteration| (iteration.bound, iteration.generated)).collect()
}

/// A method that never finds a solution is used with every size whose nodes have been generated, and the search is the
/// one without it. One that finds a shortest solution within the last bound ends the search.
#[test]
fn sizes_follow_from_counts_of_nodes_and_change_no_count() {
    for (run, config) in configs() {
        let config = config.full_last_iteration(true);
        let plain = solve(&zero, &never_twice(), &START, &(run.clone(), config.clone()));
        let shortest = plain.ending.best().expect("solved").clone();
        let all: u64 = plain.iterations.iter().map(|iteration| iteration.generated).sum();
        let before: u64 = all - plain.iterations.last().expect("a bound").generated;

        let known = Known::new(&shortest, u64::MAX);
        let with = config.clone().incumbent(Incumbent::new());
        let report = search_trees(&known, &with, &run).expect("nothing to choose");
        assert_eq!(report.ending, plain.ending);
        assert_eq!(counts(&report.iterations), counts(&plain.iterations));
        let sizes = known.sizes();
        assert!(sizes.windows(2).all(|two| two[1] >= 4 * two[0] && two[1] % two[0] == 0), "{sizes:?}");
        let last = *sizes.last().expect("a use");
        // A thread reports its nodes every few thousand.
        assert!(SHARE * last <= all && all - (1 << 15) < 4 * SHARE * last, "{sizes:?} of {all}");

        // The size that is due within the last bound.
        let enough = (0..).map(|k| LEAST << (2 * k)).find(|size| SHARE * size > before).expect("a size");
        assert!(SHARE * enough < all / 2, "the last bound is large enough");
        let known = Known::new(&shortest, enough);
        let any = Config::default().kernel(config.kernel).any_solution(true).incumbent(Incumbent::new());
        let any = any.full_last_iteration(false);
        let report = search_trees(&known, &any, &run).expect("nothing to choose");
        let (length, iterations) = (shortest.len() as u32, counts(&report.iterations));
        assert_eq!(report.ending.length(), Some(length));
        assert_eq!(replay(&START, report.ending.best().expect("solved")), SORTED);
        assert!(iterations.iter().all(|(bound, _)| *bound < length));
        assert!(counts(&plain.iterations).starts_with(&iterations));
    }
}

/// Where a solution is wanted soon, the first use comes after a given number of nodes, and at the latest when the
/// search ends without a solution.
#[test]
fn a_solution_that_is_wanted_soon_comes_with_the_bounds_before_it() {
    let plain = solve(&zero, &never_twice(), &START, &configs()[0]);
    let longer = [plain.ending.best().expect("solved").clone(), vec![Op::new(1); 2]].concat();
    for (run, config) in configs() {
        let quick = config.incumbent(Incumbent::new()).any_solution(true).within(u32::MAX);
        for (max_bound, least) in [(None, 4), (Some(2), 3)] {
            let known = Known::new(&longer, 1);
            let quick = quick.clone().incumbent(Incumbent::new()).max_bound(max_bound);
            let report = search_trees(&known, &quick, &run).expect("nothing to choose");
            let looks = known.looks.lock().unwrap();
            assert!(matches!(looks[..], [(Look { nodes: LEAST, is_first: true, is_eager: true }, _)]));
            assert_eq!(report.ending.best(), Some(&longer));
            assert!(report.ending.lower_bound() >= Some(least), "{:?}", report.ending);
        }
    }
}

/// A search that is stopped and resumed again and again uses no size twice.
#[test]
fn a_resumed_search_uses_each_size_once() {
    let (mut text, mut sizes) = (None, Vec::new());
    let plain = solve(&zero, &never_twice(), &START, &configs()[0]);
    for stop in 1.. {
        let cancel = Cancel::new();
        let (text_now, left) = (Mutex::new(text.take()), Mutex::new(stop));
        let kept = Arc::new(Stopping { text: text_now, left, cancel: cancel.clone() });
        let known = Known::new(&[], u64::MAX);
        let config = Config::default().incumbent(Incumbent::new()).checkpoints(Some(kept.clone()));
        let run = Run::new().with_threads(1).with_cancel(&cancel);
        let report = search_trees(&known, &config, &run).expect("nothing to choose");
        sizes.extend(known.sizes());
        if !cancel.is_interrupted() {
            assert_eq!(report.ending, plain.ending);
            break;
        }
        assert!(matches!(report.ending, Ending::Cancelled { .. }));
        text = kept.text.lock().unwrap().take();
    }
    assert!(sizes.len() > 1 && sizes.is_sorted_by(|one, next| one < next), "{sizes:?}");
}
