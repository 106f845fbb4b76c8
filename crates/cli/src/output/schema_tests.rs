//! Records of searches against `docs/record.schema.json`, by the keywords of JSON Schema that the file uses.

use search_core::record::{Best, Iteration, Method, RunRecord, Stage, TableUse};
use search_core::{Ending, Report, Solution};
use serde_json::{Map, Value};

/// The places at which a value does not fit a schema.
fn faults(schema: &Value, value: &Value, place: &str) -> Vec<String> {
    let mut faults = Vec::new();
    let mut expect = |fits: bool, keyword: &str| {
        if !fits {
            faults.push(format!("{place}: {keyword}"));
        }
    };
    for (keyword, wanted) in schema.as_object().expect("a schema is an object") {
        match keyword.as_str() {
            "const" => expect(value == wanted, keyword),
            "enum" => expect(wanted.as_array().is_some_and(|all| all.contains(value)), keyword),
            "type" => expect(has_type(wanted.as_str().expect("a type"), value), keyword),
            "required" => {
                let names = wanted.as_array().expect("names").iter().filter_map(Value::as_str);
                names.for_each(|name| expect(value.get(name).is_some(), name));
            }
            "additionalProperties" | "properties" | "items" => {}
            "$schema" | "title" | "description" => {}
            other => panic!("the keyword {other} is not checked"),
        }
    }
    let none = Map::new();
    let known = schema.get("properties").and_then(Value::as_object).unwrap_or(&none);
    for (name, value) in value.as_object().unwrap_or(&none) {
        let place = format!("{place}.{name}");
        match known.get(name) {
            Some(schema) => faults.extend(self::faults(schema, value, &place)),
            None if schema.get("additionalProperties").is_some() => faults.push(place),
            None => {}
        }
    }
    if let Some(schema) = schema.get("items") {
        let items = value.as_array().map_or(&[][..], Vec::as_slice);
        faults.extend(items.iter().flat_map(|item| self::faults(schema, item, place)));
    }
    faults
}

fn has_type(name: &str, value: &Value) -> bool {
    match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_u64(),
        "number" => value.is_number(),
        other => panic!("the type {other} is not checked"),
    }
}

fn record(ending: Ending<Solution>, seed: Option<u64>) -> Value {
    let stages = vec![Stage { looked_up: 4, cut: 1 }];
    let report = Report { ending, iterations: vec![Iteration { stages, ..Iteration::default() }] };
    let tables = vec![TableUse { name: "a".into(), checksum: "b".into() }];
    let method = Method { tables, seed, ..Method::default() };
    serde_json::to_value(RunRecord::new("x".into(), report, 0.5, method)).unwrap()
}

#[test]
fn records_fit_the_published_schema() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/record.schema.json");
    let schema: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
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
        assert_eq!(faults(&schema, &record, "record"), [""; 0], "{record}");
    }
    // The check finds a wrong version, a missing field and an unknown one.
    let mut wrong = record(Ending::bounded(7), None);
    wrong["schema"] = 1.into();
    wrong["result"]["more"] = true.into();
    wrong.as_object_mut().unwrap().remove("metric");
    assert_eq!(
        faults(&schema, &wrong, "record"),
        ["record: metric", "record.result.more", "record.schema: const"]
    );
}
