//! The published report and the records are what this program computes. Here are the jobs that need no tables and take
//! about a second; `repro-paper --check docs/repro --recompute` compares the others.

use repro::engine::{self, Request, Selection};
use repro::job::{Cost, Job, Outcome, work};
use repro::paper::{Paper, Tier};
use repro::recheck::{compare, is_comparable};
use repro::report::check;
use repro::report::recorded::{Records, default_dir};
use repro::results::{Origin, StoredResult};
use search_core::record::Iteration;
use search_core::table::Store;
use search_core::{Cancel, Run};
use std::path::Path;
use std::time::{Duration, Instant};

/// Seconds of a quick job that is computed here.
const SHORT: f64 = 1.0;
/// The time for which each recorded job runs.
const LIMIT: Duration = Duration::from_secs(1);

fn all_jobs() -> Vec<Job> {
    repro::jobs(&repro::fixture::all().expect("the fixtures are sound"))
}

fn run() -> Run<'static> {
    Run::new().with_threads(2).with_memory(1 << 30)
}

#[test]
fn short_jobs_yield_the_published_figures() {
    let dir = tempfile::tempdir().expect("a folder");
    let is_short = |job: &Job| job.tier == Tier::Quick && job.tables.is_empty() && job.cost.seconds <= SHORT;
    let jobs: Vec<Job> = all_jobs().into_iter().filter(is_short).collect();
    assert!(jobs.len() >= 3, "{} jobs", jobs.len());
    let request = Request {
        asked: &Selection::new(&Paper::ALL, Tier::Quick),
        out: dir.path(),
        store: &Store::new(dir.path(), "test"),
        origin: &Origin::default(),
        finished: &|_| Ok(()),
        tell: &|_| {},
        run: &run(),
    };
    let ran = engine::run(&jobs, &request).expect("a folder");
    let published = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/repro");
    assert_eq!(check::recomputed(&published, &jobs, &ran), [""; 0]);
}

#[test]
fn recorded_jobs_without_tables_begin_as_recorded() {
    let dir = tempfile::tempdir().expect("a folder");
    let (records, store) =
        (Records::read(&default_dir()).expect("sound records"), Store::new(dir.path(), "test"));
    let mut compared = 0;
    for job in all_jobs() {
        let record = records.of(&job.id).filter(|record| is_comparable(&job, record, &store, &run(), LIMIT));
        if let Some(record) = record {
            let comparison = compare(&job, record, &store, &run(), LIMIT).expect("it runs");
            assert_eq!(comparison.differences, [""; 0]);
            compared += comparison.compared;
        }
    }
    assert!(compared > 0);
}

/// A job whose first search completes the bounds 1 to 3 and then searches the last bound until it is stopped, unless
/// `ends`.
fn sketch(ends: bool) -> Job {
    let run = work(move |context| {
        let iteration = |bound| Iteration {
            bound,
            generated: 10u64.pow(bound),
            complete: bound < 4,
            ..Iteration::default()
        };
        context.note_iterations(&[1, 2, 3, 4].map(iteration));
        context.note_iterations(&[iteration(9)]);
        loop {
            if ends {
                break;
            }
            context.run.check()?;
        }
        let mut out = Outcome::default();
        out.put("table", "row", "count", 7u32);
        out.timed("table", "row", "seconds", 7.5, "");
        Ok(out)
    });
    let (id, title) = ("cube/sketch".to_owned(), "counts".to_owned());
    let cost = Cost { seconds: 9.0, memory: 1 << 20, disk: 0 };
    let (tables, cells) = (Vec::new(), Vec::new());
    Job { id, paper: Paper::Cube, tier: Tier::Full, title, cost, tables, cells, seed: None, version: 1, run }
}

fn record(seconds: f64, outcome: Outcome) -> StoredResult {
    let origin = Origin { version: 1, seconds, ..Origin::default() };
    StoredResult::new(&sketch(true), Vec::new(), origin, outcome)
}

#[test]
fn a_changed_figure_or_iteration_is_found() {
    let dir = tempfile::tempdir().expect("a folder");
    let store = Store::new(dir.path(), "test");
    let limit = Duration::from_millis(100);
    let mut outcome =
        Outcome { iterations: vec![(1, 10), (2, 100), (3, 1000), (4, 9999)], ..Outcome::default() };
    outcome.put("table", "row", "count", 7u32);
    let differences = |ends: bool, outcome: &Outcome| {
        let comparison = compare(&sketch(ends), &record(9.0, outcome.clone()), &store, &run(), limit);
        let comparison = comparison.expect("it runs");
        (comparison.compared, comparison.differences.join("; "))
    };
    assert_eq!(differences(true, &outcome), (4, String::new()));
    let begun = Instant::now();
    assert_eq!(differences(false, &outcome), (3, String::new()));
    assert!(begun.elapsed() >= limit);
    outcome.iterations[1].1 = 101;
    assert_eq!(differences(false, &outcome).1, "cube/sketch: 101 nodes with bound 2, now 100");
    outcome.iterations.clear();
    outcome.values[0].number = 8u32.into();
    assert_eq!(differences(true, &outcome), (1, "cube/sketch: table / row / count: 8, now 7".to_owned()));
    outcome.values.clear();
    assert_eq!(differences(true, &outcome).1, "cube/sketch: table / row / count is new");
    let cancelled = Cancel::new();
    cancelled.cancel();
    let stopped = run().with_cancel(&cancelled);
    assert!(compare(&sketch(true), &record(9.0, outcome), &store, &stopped, limit).is_err());
}

#[test]
fn only_records_that_can_differ_in_time_are_compared() {
    let dir = tempfile::tempdir().expect("a folder");
    let store = Store::new(dir.path(), "test");
    let comparable = |job: &Job, seconds, iterations: &[(u32, u64)]| {
        let record = record(seconds, Outcome { iterations: iterations.to_vec(), ..Outcome::default() });
        is_comparable(job, &record, &store, &run(), LIMIT)
    };
    assert!(comparable(&sketch(true), 0.5, &[]) && comparable(&sketch(true), 5.0, &[(1, 10)]));
    assert!(!comparable(&sketch(true), 5.0, &[]), "nothing would be compared");
    assert!(!comparable(&Job { version: 2, ..sketch(true) }, 0.5, &[]), "the record is of another version");
    let mut large = sketch(true);
    large.cost.memory = 1 << 40;
    assert!(!comparable(&large, 0.5, &[]), "too little memory");
    let database = hanoi4::tables::DatabaseId::middle(22);
    let tables = vec![repro::tables::ProgramTable::hanoi(database)];
    let reads = Job { tables, ..sketch(true) };
    assert!(!comparable(&reads, 0.5, &[]), "a table is missing");
}
