//! A solution that is known before the search, or found elsewhere while it runs: when it ends the search, and when it is
//! only the upper bound.

use crate::ida::{SORTED, Stack, Stopping, configs, distances, never_twice, replay, solve, zero};
use search_core::ida::{Config, Incumbent, SearchState, Wanted};
use search_core::progress::{BoundAhead, Progress};
use search_core::testing::half_gaps;
use search_core::{Cancel, Ending, Op, Run};
use std::sync::{Arc, Mutex};

/// A known solution of the shortest length is the answer as soon as all shorter lengths are excluded. A longer one is
/// part of the answer if the search ends before, because of its limit or because the gap is small enough.
#[test]
fn a_known_solution_ends_the_search_or_is_its_upper_bound() {
    let mut states: Vec<_> = distances().into_iter().filter(|(_, distance)| *distance > 4).collect();
    states.sort_unstable();
    for (start, exact) in states.into_iter().step_by(199) {
        let plain = solve(&half_gaps, &never_twice(), &start, &configs()[0]);
        let shortest = plain.ending.best().expect("solved").clone();
        let longer = [shortest.clone(), vec![Op::new(1); 2]].concat();
        for (run, config) in configs() {
            let with = |known: &[Op], config: Config| {
                let incumbent = Incumbent::new();
                incumbent.offer(known);
                let config = config.incumbent(incumbent.clone());
                (solve(&half_gaps, &never_twice(), &start, &(run.clone(), config)), incumbent)
            };
            let any = config.clone().any_solution(true);
            let (report, incumbent) = with(&shortest, any.clone());
            assert_eq!(report.ending, Ending::solved(exact, shortest.clone()));
            assert!(report.iterations.iter().all(|iteration| iteration.bound < exact && iteration.complete));
            assert_eq!((incumbent.lower_bound(), incumbent.upper_bound()), (exact, Some(exact)));
            let (report, incumbent) = with(&longer, any.clone());
            assert_eq!((report.ending.length(), incumbent.upper_bound()), (Some(exact), Some(exact)));
            assert_eq!(replay(&start, &incumbent.best().expect("a solution").solution), SORTED);
            // In order, the incumbent does not choose the solution.
            assert_eq!(with(&shortest, config.clone()).0.ending, plain.ending);
            let all = config.clone().wanted(Wanted::All { extra: 0 });
            let solutions = solve(&half_gaps, &never_twice(), &start, &(run.clone(), all.clone())).ending;
            assert_eq!(with(&shortest, all.any_solution(true)).0.ending, solutions);
            let (report, _) = with(&longer, any.clone().max_bound(exact - 1));
            assert_eq!((report.ending.lower_bound(), report.ending.gap()), (Some(exact), Some(2)));
            assert_eq!(report.ending.best(), Some(&longer));
            let (report, _) = with(&longer, config.clone().within(3));
            assert!(report.ending.gap() == Some(3) || report.ending.lower_bound() == plain_least(&start));
            let (report, _) = with(&longer, config.clone().within(u32::MAX));
            assert_eq!((report.iterations.len(), report.ending.best()), (0, Some(&longer)));
        }
    }
}

/// The first bound of a search.
fn plain_least(start: &Stack) -> Option<u32> {
    solve(&half_gaps, &never_twice(), start, &(Run::new(), Config::default().max_bound(0)))
        .ending
        .lower_bound()
}

/// Offers a solution while a bound is searched.
struct OfferAt {
    bound: u32,
    solution: Vec<Op>,
    incumbent: Incumbent,
}

impl Progress for OfferAt {
    fn begin_bound(&self, bound: &BoundAhead) {
        if bound.bound == self.bound {
            self.incumbent.offer(&self.solution);
        }
    }
}

/// The threads leave their subtrees: hardly any nodes of the bound are generated.
#[test]
fn a_solution_that_is_found_elsewhere_ends_the_current_bound() {
    let start = [4, 6, 2, 5, 0, 3, 1];
    let plain = solve(&zero, &never_twice(), &start, &configs()[0]);
    let (solution, exact) = (plain.ending.best().expect("solved").clone(), plain.ending.length());
    let whole = Config::default().full_last_iteration(true);
    let whole = solve(&zero, &never_twice(), &start, &(Run::new().with_threads(1), whole)).iterations;
    let all = whole.last().expect("the bound").generated;
    for (run, config) in configs() {
        let incumbent = Incumbent::new();
        let bound = exact.expect("solved");
        let offer = OfferAt { bound, solution: solution.clone(), incumbent: incumbent.clone() };
        let config = config.incumbent(incumbent).any_solution(true);
        let report = solve(&zero, &never_twice(), &start, &(run.with_progress(&offer), config));
        assert_eq!(report.ending, Ending::solved(bound, solution.clone()));
        let last = report.iterations.last().expect("the bound");
        assert!(last.bound == bound && !last.complete);
        assert!(last.generated < all / 8, "{} of {all} nodes", last.generated);
    }
}

/// A search that is stopped and resumed again and again, by a process that knows no solution, keeps the upper bound.
#[test]
fn a_resumed_search_keeps_the_upper_bound() {
    let start = [4, 6, 2, 5, 0, 3, 1];
    let plain = solve(&half_gaps, &never_twice(), &start, &configs()[0]);
    let longer = [plain.ending.best().expect("solved").clone(), vec![Op::new(1); 2]].concat();
    let (mut text, known) = (None, Incumbent::new());
    known.offer(&longer);
    let mut incumbent = known;
    for stop in 1.. {
        let cancel = Cancel::new();
        let (text_now, left) = (Mutex::new(text.take()), Mutex::new(stop));
        let kept = Arc::new(Stopping { text: text_now, left, cancel: cancel.clone() });
        let config = Config::default().incumbent(incumbent).any_solution(true);
        let config = config.checkpoints(Some(kept.clone()));
        let report = solve(&half_gaps, &never_twice(), &start, &(Run::new().with_cancel(&cancel), config));
        if !cancel.is_interrupted() {
            assert_eq!(report.ending.length(), plain.ending.length());
            break;
        }
        assert!(report.ending.is_proved() || report.ending.best() == Some(&longer), "{stop}");
        text = kept.text.lock().unwrap().take();
        incumbent = Incumbent::new();
    }
    // A solution from a file that does not solve the start is dropped.
    let forged = Stopping {
        text: Mutex::new(Some(
            serde_json::to_string(&SearchState::before(1).with_incumbent(&longer[1..])).unwrap(),
        )),
        left: Mutex::new(usize::MAX),
        cancel: Cancel::new(),
    };
    let config =
        Config::default().incumbent(Incumbent::new()).max_bound(2).checkpoints(Some(Arc::new(forged)));
    let report = solve(&half_gaps, &never_twice(), &start, &(Run::new(), config));
    assert_eq!((report.ending.is_proved(), report.ending.best()), (false, None));
}
