//! Long searches with patterns: deltas agree with the tables, and the nodes are the same with and without them.

use super::common::{self, Collected, visit};
use crate::heuristics::patterns::DeltaBound;
use crate::heuristics::{HeuristicSpec, Instructions};
use crate::lanes::Portable;
use crate::solver::FaceSolver;
use crate::space::{CubeSpace, Sides, State};
use crate::{Cube, Metric, Turn};
use search_core::heuristic::{Batch, NodeRef};
use search_core::ida::{Config, Wanted};
use search_core::record::{Iteration, TableUse};
use search_core::table::{ErrorKind, Recipe, Unfinished};
use search_core::{Cancel, Domain, Ending, Heuristic, OpSet, Report, Run};
use std::sync::Arc;

/// The counts of a search, without its stages and seconds.
fn counts(iterations: &[Iteration]) -> Vec<[u64; 5]> {
    let of = |i: &Iteration| {
        let bound = u64::from(i.bound);
        [bound, i.generated, i.expanded, i.pruned_by_heuristic, i.pruned_by_fsm]
    };
    iterations.iter().filter(|iteration| iteration.complete).map(of).collect()
}

/// The heuristic of 1997: corners, and one table of edges looked up twice, under a symmetry the second time.
#[test]
fn deltas_agree_with_the_tables() {
    for (name, metric) in [("korf97", Metric::Htm), ("edges:UR,UF,UL+edges:DB", Metric::Qtm)] {
        let HeuristicSpec::Patterns(parts) = common::heuristic(name) else { panic!("{name} is a maximum") };
        let (space, rng) = (CubeSpace::<Portable>::new(metric, Sides::One), &mut common::rng(51));
        let tables = visit::maximum(&parts, metric);
        let deltas = DeltaBound::derive(&tables, metric, &Run::new()).unwrap();
        let ops = OpSet::first(space.op_count());
        for _ in 0..3_000 {
            let state = State::new(&common::random_walk(rng, metric, 30));
            let value = deltas.value(&space, &state);
            assert_eq!(value, tables.value(&space, &state), "{name}");
            let carry = deltas.carry(&space, &state);
            let node = NodeRef { domain: &space, state: &state, carry: &carry };
            for limit in u32::from(value).saturating_sub(2)..u32::from(value) + 2 {
                let batch = Batch { ops, stage: 0, limit };
                let kept = deltas.evaluate(node, batch, &mut Default::default()).kept;
                let is_within = |op| u32::from(tables.value(&space, &space.apply(&state, op))) <= limit;
                assert_eq!(kept, ops.into_iter().filter(|op| is_within(*op)).collect(), "{name} {limit}");
            }
        }
    }
}

/// Two sets of three edges: so few entries that searches of a second are long.
const SMALL: &str = "edges:UR,UF,UL+edges:DR,DF,DL";

/// Whether deltas were read: they are one stage, while the tables are two.
fn has_read_deltas(report: &Report<Vec<Turn>>) -> bool {
    let reads_deltas = |iteration: &Iteration| iteration.generated > 0 && iteration.stages.is_empty();
    report.iterations.iter().any(reads_deltas)
}

fn small(metric: Metric) -> FaceSolver {
    common::solver(SMALL, metric, Instructions::Best).without_symmetries()
}

#[test]
fn a_long_search_has_the_nodes_of_the_tables() {
    let (mut long, mut short) = (0, 0);
    for (metric, length) in [(Metric::Htm, 9), (Metric::Htm, 5), (Metric::Qtm, 11)] {
        let solver = small(metric);
        let cube = common::random_walk(&mut common::rng(52), metric, length);
        for wanted in [Wanted::First, Wanted::All { extra: 0 }, Wanted::All { extra: 1 }] {
            for max_bound in [None, Some(8)] {
                let config = Config::default().wanted(wanted).max_bound(max_bound);
                let plain = solver.solve(&cube, &config, &Run::new().with_memory(0)).unwrap();
                assert!(!has_read_deltas(&plain), "there is no memory for them");
                for threads in [1, 2] {
                    let report = solver.solve(&cube, &config, &Run::new().with_threads(threads)).unwrap();
                    assert_eq!(report.ending, plain.ending);
                    assert_eq!(counts(&report.iterations), counts(&plain.iterations));
                    match has_read_deltas(&report) {
                        true => long += 1,
                        false => short += 1,
                    }
                }
            }
        }
    }
    assert!(long >= 8 && short >= 8, "{long}, {short}");
}

#[test]
fn a_search_that_may_not_be_long_ends_before() {
    let solver = small(Metric::Htm);
    let cube = common::random_walk(&mut common::rng(53), Metric::Htm, 20);
    let config = Config::default().most_nodes(100_000);
    let report = solver.solve(&cube, &config, &Run::new()).unwrap();
    assert!(matches!(report.ending, Ending::Bounded { .. }) && !has_read_deltas(&report));
    let nodes: u64 = report.iterations.iter().map(|iteration| iteration.generated).sum();
    assert!(nodes < 300_000, "{nodes}");
}

/// A search that is stopped repeatedly, alternately with and without memory for deltas, ends with the same counts.
#[test]
fn a_long_search_continues_from_its_checkpoints() {
    let solver = small(Metric::Htm);
    let cube: Cube = common::random_walk(&mut common::rng(52), Metric::Htm, 9);
    let config = Config::default().wanted(Wanted::All { extra: 0 });
    let whole = solver.solve(&cube, &config, &Run::new()).unwrap();
    assert!(has_read_deltas(&whole));
    let (mut from, mut stops) = (None, 0);
    let last = loop {
        let cancel = Cancel::new();
        let kept = Arc::new(Collected { from, cancel: Some((cancel.clone(), 20)), ..Collected::default() });
        let config = config.clone().checkpoints(Some(kept.clone()));
        let run = Run::new().with_cancel(&cancel).with_memory(if stops % 2 == 0 { 0 } else { 1 << 30 });
        let report = solver.solve(&cube, &config, &run).unwrap();
        if !cancel.is_interrupted() {
            break report;
        }
        from = kept.kept.lock().unwrap().pop();
        stops += 1;
        assert!(stops < 1000, "each run gets further");
    };
    assert_eq!((&last.ending, counts(&last.iterations)), (&whole.ending, counts(&whole.iterations)));
    assert!(stops > 3, "{stops}");
}

/// A table whose checksums fit, with an entry that is no distance.
#[test]
fn a_long_search_refuses_a_table_that_does_not_hold_distances() {
    let heuristic = common::heuristic(SMALL);
    let tables = heuristic.tables(Metric::Htm).into_iter().map(|id| {
        let mut body = id.build(&Unfinished::NOWHERE, &Run::new()).unwrap().body;
        let at = body.len() / 2;
        body[at] = 0;
        (id, id.over(body), TableUse { name: id.name(), checksum: String::new() })
    });
    let solver = FaceSolver::new(&heuristic, Metric::Htm, tables.collect(), Instructions::Best);
    let cube = common::random_walk(&mut common::rng(52), Metric::Htm, 9);
    let error = solver.solve(&cube, &Config::default(), &Run::new()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Damaged);
    assert!(error.to_string().starts_with("table cube-edges3-"), "{error}");
}
