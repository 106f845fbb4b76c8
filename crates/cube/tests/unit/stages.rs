//! A weak heuristic first, then a strong one: the answers equal those of one search.

use super::common;
use crate::Metric;
use crate::heuristics::Instructions;
use crate::solver::FaceSolver;
use crate::strategy::in_two_stages;
use search_core::ida::{Config, Wanted};
use search_core::record::Iteration;
use search_core::table::TableError;
use search_core::{Cancel, Ending, Run};
use std::cell::Cell;
use std::error::Error;

fn counts(iterations: &[Iteration]) -> Vec<(u32, u64)> {
    let complete = iterations.iter().filter(|iteration| iteration.complete);
    complete.map(|iteration| (iteration.bound, iteration.generated)).collect()
}

fn solver(name: &str, metric: Metric) -> FaceSolver {
    common::solver(name, metric, Instructions::Best)
}

#[test]
fn two_stages_prove_the_same_as_one_search() {
    let rng = &mut common::rng(41);
    for (metric, most_nodes) in [(Metric::Htm, 3_000), (Metric::Qtm, 1_000)] {
        let (weak, strong) = (solver("coset-1", metric), solver("coset-3i", metric));
        let (mut once, mut twice) = (0, 0);
        for number in 0..24 {
            let cube = common::random_walk(rng, metric, 5 + number % 6);
            for wanted in [Wanted::First, Wanted::All { extra: 0 }, Wanted::All { extra: 1 }] {
                let config = Config::default().wanted(wanted);
                let whole = strong.solve(&cube, &config, &Run::new()).unwrap();
                let stages = [1, 3].map(|threads| {
                    let (run, is_asked) = (Run::new().with_threads(threads), Cell::new(false));
                    let next = || {
                        is_asked.set(true);
                        Ok::<_, TableError>(&strong)
                    };
                    let stages =
                        in_two_stages(&weak, most_nodes, next, (&cube, &config), None, &run).expect("solved");
                    assert_eq!(stages.handed_over.is_some(), is_asked.get());
                    stages
                });
                let [one, three] = &stages;
                assert_eq!((&one.report.ending, one.handed_over), (&three.report.ending, three.handed_over));
                assert_eq!(counts(&one.report.iterations), counts(&three.report.iterations));
                assert_eq!(one.report.ending.length(), whole.ending.length());
                if wanted != Wanted::First {
                    assert_eq!(one.report.ending, whole.ending, "{cube:?}");
                }
                let bounds: Vec<u32> =
                    one.report.iterations.iter().map(|iteration| iteration.bound).collect();
                assert!(bounds.is_sorted_by(|a, b| a < b), "{bounds:?}: no bound is searched twice");
                match one.handed_over {
                    None => once += 1,
                    Some(from) => {
                        twice += 1;
                        let first = one.report.iterations.iter().filter(|iteration| iteration.bound < from);
                        assert!(wanted != Wanted::All { extra: 1 } || first.count() == 0);
                    }
                }
            }
        }
        assert!(once > 10 && twice > 24, "{once} by the first alone, {twice} by both");
    }
}

#[test]
fn bounds_proved_by_the_first_stage_remain_without_the_second() {
    let (metric, weak) = (Metric::Htm, solver("coset-1", Metric::Htm));
    let cube = common::random_walk(&mut common::rng(42), metric, 11);
    let solve =
        |next: &dyn Fn() -> Result<&'static FaceSolver, Box<dyn Error>>, max_bound, cancel: &Cancel| {
            let config = Config::default().max_bound(max_bound);
            in_two_stages(&weak, 1_000, next, (&cube, &config), None, &Run::new().with_cancel(cancel))
        };
    let cancel = Cancel::new();
    let failed = solve(&|| Err("damaged".into()), None, &cancel);
    assert_eq!(failed.expect_err("an error").to_string(), "damaged");
    let bounded = solve(&|| panic!("not needed"), Some(5), &cancel).expect("no second stage");
    assert!(matches!(bounded.report.ending, Ending::Bounded { .. }) && bounded.handed_over.is_none());
    let interrupted = || {
        cancel.cancel();
        Err("interrupted".into())
    };
    let stages = solve(&interrupted, None, &cancel).expect("an answer");
    let Ending::Cancelled { lower_bound, .. } = stages.report.ending else { panic!("{stages:?}") };
    assert_eq!(stages.report.iterations.last().map(|last| last.bound + 1), Some(lower_bound));
}
