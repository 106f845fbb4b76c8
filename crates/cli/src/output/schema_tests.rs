//! Records of searches against `docs/record.schema.json`.

use crate::testing::schema_faults;
use search_core::record::{Best, Iteration, Method, RunRecord, Stage, TableUse};
use search_core::{Ending, Report, Solution};
use serde_json::Value;

fn record(ending: Ending<Solution>, seed: Option<u64>) -> Value {
    let stages = vec![Stage { looked_up: 4, cut: 1 }];
    let report = Report { ending, iterations: vec![Iteration { stages, ..Iteration::default() }] };
    let tables = vec![TableUse { name: "a".into(), checksum: "b".into() }];
    let method = Method { tables, seed, ..Method::default() };
    serde_json::to_value(RunRecord::new("x".into(), report, 0.5, method)).unwrap()
}

#[test]
fn records_fit_the_published_schema() {
    let solution = || Solution { length: 9, moves: "R U".into() };
    let known = || Some(Best { length: 9, solution: solution() });
    for ending in [
        Ending::solved(9, solution()),
        Ending::bounded(7),
        Ending::bounded(7).knowing(known(), true),
        Ending::cancelled(7).knowing(known(), true),
        Ending::Exhausted,
    ] {
        let record = record(ending, Some(3));
        assert_eq!(schema_faults(&record), [""; 0], "{record}");
    }
    // The check finds a wrong version, a missing field and an unknown one.
    let mut wrong = record(Ending::bounded(7), None);
    wrong["schema"] = 1.into();
    wrong["result"]["more"] = true.into();
    wrong.as_object_mut().unwrap().remove("metric");
    assert_eq!(schema_faults(&wrong), ["record: metric", "record.result.more", "record.schema: const"]);
}
