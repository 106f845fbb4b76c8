//! The engine and the report on a handful of small jobs: pinned, interrupted, resumed.

use search_core::table::Store;
use search_core::{Cancel, Run};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use xtask::cell::Status;
use xtask::engine::{Ran, Request, State, run};
use xtask::fixture::{Fixture, Key, parse};
use xtask::job::{Cost, Job, Outcome, Stopped};
use xtask::paper::{Paper, Tier};
use xtask::report::provenance::Provenance;
use xtask::report::{Report, check};

const FIXTURES: &str = "\
source,table,row,column,value,rule,ours,why
Paper Table 1,search-tree,depth 1,nodes,18,=,,
Paper Table 1,search-tree,depth 2,nodes,243,=,,
Paper text,heuristics,corners,expected value,8.764,±0.0005,,
Paper text,heuristics,the three together,expected value,8.878,±0.0005,8.898,another class of edges
Paper text,machine,IDA*,nodes a second,700000,beside,,another machine
Paper Table 2,table-2,cube 1,length,16,=,,
";

/// A job that yields fixed figures, counts its runs, and may be told to stop half-way.
struct Sketch {
    id: &'static str,
    tier: Tier,
    cost: Cost,
    values: &'static [(&'static str, &'static str, &'static str, f64)],
    runs: Arc<AtomicUsize>,
    stops: Option<Cancel>,
}

impl Sketch {
    fn new(id: &'static str, tier: Tier, values: &'static [(&str, &str, &str, f64)]) -> Sketch {
        Sketch { id, tier, cost: Cost::new(1.0, 1), values, runs: Arc::default(), stops: None }
    }

    fn job(self) -> Job {
        let cells = self.values.iter().map(|(table, row, column, _)| Key::new(table, row, column)).collect();
        let Sketch { id, tier, cost, values, runs, stops } = self;
        Job {
            id: format!("cube/{id}"),
            paper: Paper::Cube,
            tier,
            title: format!("computes {id}"),
            cost,
            tables: Vec::new(),
            cells,
            seed: (id == "values").then_some(7),
            run: Box::new(move |context| {
                runs.fetch_add(1, Ordering::Relaxed);
                stops.iter().for_each(Cancel::cancel);
                context.run.check()?;
                let mut out = Outcome::default();
                for &(table, row, column, value) in values {
                    match value.fract() == 0.0 {
                        true => out.put(table, row, column, value as u64),
                        false => out.put(table, row, column, value),
                    }
                }
                out.curve("tree", "nodes in the tree", vec![(1.0, 18.0), (2.0, 243.0)]);
                Ok(out)
            }),
        }
    }
}

const TREE: &[(&str, &str, &str, f64)] =
    &[("search-tree", "depth 1", "nodes", 18.0), ("search-tree", "depth 2", "nodes", 243.0)];
const VALUES: &[(&str, &str, &str, f64)] = &[
    ("heuristics", "corners", "expected value", 8.7643),
    ("heuristics", "the three together", "expected value", 8.8979),
    ("machine", "IDA*", "nodes a second", 21e6),
];
const LENGTH: &[(&str, &str, &str, f64)] = &[("table-2", "cube 1", "length", 16.0)];

fn fixtures() -> Vec<Fixture> {
    parse(Paper::Cube, FIXTURES).expect("sound fixtures")
}

struct Bench {
    dir: tempfile::TempDir,
    run: Run<'static>,
}

impl Bench {
    fn new() -> Bench {
        let run = Run::new().with_threads(2).with_memory(1 << 30);
        Bench { dir: tempfile::tempdir().expect("a directory"), run }
    }

    fn run(&self, jobs: &[Job], tier: Tier, sources: &str, told: &mut Vec<String>) -> Ran {
        let store = Store::new(self.dir.path().join("tables"), "test");
        let lines = std::sync::Mutex::new(Vec::new());
        let tell = |line: &str| lines.lock().expect("one thread").push(line.to_owned());
        let request = Request {
            papers: &[Paper::Cube],
            tier,
            out: self.dir.path(),
            store: &store,
            sources: &|_| sources.to_owned(),
            tell: &tell,
            run: &self.run,
        };
        let ran = run(jobs, &request).expect("the directory can be written");
        told.extend(lines.into_inner().expect("one thread"));
        ran
    }
}

/// The report, with times and machine taken out.
fn report(jobs: &[Job], ran: &Ran, tier: Tier) -> Report {
    let provenance = Provenance { version: "0".into(), commit: "c0ffee".into(), ..Provenance::default() };
    let mut report = Report::new(jobs, ran, &fixtures(), (&[Paper::Cube], tier), provenance);
    for job in report.jobs.iter_mut().filter(|job| job.seconds.is_some()) {
        job.seconds = Some(1.5);
    }
    report
}

fn sketches() -> [Sketch; 3] {
    [
        Sketch::new("tree", Tier::Quick, TREE),
        Sketch::new("values", Tier::Quick, VALUES),
        Sketch::new("length", Tier::Standard, LENGTH),
    ]
}

#[test]
fn the_report_of_a_miniature_run() {
    let (bench, mut told) = (Bench::new(), Vec::new());
    let jobs = sketches().map(Sketch::job);
    let ran = bench.run(&jobs, Tier::Quick, "s1", &mut told);
    let report = report(&jobs, &ran, Tier::Quick);
    let tally = report.tally(Paper::Cube);
    assert_eq!((tally.matched, tally.differs, tally.unexplained, tally.not_run), (3, 2, 0, 1));
    insta::assert_snapshot!("miniature.md", xtask::report::render::markdown(&report));
    insta::assert_snapshot!("miniature.json", report.json());
    let page = xtask::report::render::page(&report);
    assert_eq!(page.matches("<svg").count(), 1);
    assert!(
        !page.contains("http://") || page.matches("http://").all(|_| page.contains("www.w3.org/2000/svg"))
    );
    assert!(!page.contains("<script") && !page.contains("src=") && !page.contains("@import"));
}

#[test]
fn a_run_that_is_stopped_goes_on_to_the_same_report() {
    let (bench, mut told) = (Bench::new(), Vec::new());
    let whole = {
        let (bench, jobs) = (Bench::new(), sketches().map(Sketch::job));
        report(&jobs, &bench.run(&jobs, Tier::Standard, "s1", &mut told), Tier::Standard)
    };
    let mut first = sketches();
    first[1].stops = Some(bench.run.cancel().clone());
    let ran = bench.run(&first.map(Sketch::job), Tier::Standard, "s1", &mut told);
    assert!(ran.interrupted && matches!(ran.states[0], State::Done(_)));
    assert!(matches!(ran.states[1], State::NotRun(_)));
    let bench = Bench { run: bench.run.with_cancel(&Cancel::new()), ..bench };
    let second = sketches();
    let runs: Vec<Arc<AtomicUsize>> = second.iter().map(|sketch| sketch.runs.clone()).collect();
    let jobs = second.map(Sketch::job);
    let ran = bench.run(&jobs, Tier::Standard, "s1", &mut told);
    assert_eq!(report(&jobs, &ran, Tier::Standard), whole);
    let runs: Vec<usize> = runs.iter().map(|runs| runs.load(Ordering::Relaxed)).collect();
    assert_eq!(runs, [0, 1, 1], "what was finished is not run again");
}

#[test]
fn tiers_build_on_each_other_and_a_changed_program_runs_again_and_says_so() {
    let (bench, mut told) = (Bench::new(), Vec::new());
    let jobs = sketches().map(Sketch::job);
    bench.run(&jobs, Tier::Quick, "s1", &mut told);
    told.clear();
    let ran = bench.run(&jobs, Tier::Standard, "s1", &mut told);
    assert!(told.iter().any(|line| line.starts_with("[1/1] cube/length")), "{told:?}");
    assert!(ran.states.iter().all(|state| matches!(state, State::Done(_))));
    told.clear();
    let ran = bench.run(&jobs, Tier::Quick, "s2", &mut told);
    assert!(told.contains(&"cube/tree runs again: the program has changed".to_owned()), "{told:?}");
    // The standard tier's job is not asked for, and what was kept of it counts no more.
    assert!(matches!(&ran.states[2], State::NotRun(takes) if takes.contains("the program has changed")));
    told.clear();
    let mut other = sketches();
    other[0].values = &TREE[..1];
    let mut jobs = other.map(Sketch::job);
    jobs[1].seed = Some(8);
    bench.run(&jobs, Tier::Quick, "s2", &mut told);
    assert_eq!(told[0], "cube/values runs again: the seed has changed");
    // A damaged file is as good as none.
    std::fs::write(bench.dir.path().join("cells/cube-tree.json"), "{").expect("a file");
    told.clear();
    bench.run(&jobs, Tier::Quick, "s2", &mut told);
    assert!(told[0].starts_with("[1/1] cube/tree"), "{told:?}");
}

#[test]
fn what_does_not_fit_or_fails_is_not_run_and_the_rest_goes_on() {
    let (bench, mut told) = (Bench::new(), Vec::new());
    let mut all = sketches();
    all[0].cost = Cost::new(1.0, 1 << 20);
    let mut jobs = all.map(Sketch::job);
    jobs[1].run = Box::new(|_| Err(Stopped::Failed("no such luck".into())));
    let ran = bench.run(&jobs, Tier::Standard, "s1", &mut told);
    let report = report(&jobs, &ran, Tier::Standard);
    let note = |id: &str| report.cells.iter().find(|cell| cell.job == id).expect("a cell").note.clone();
    assert_eq!(note("cube/tree"), "it needs 1.0 TiB of memory, and there are 1.0 GiB");
    assert_eq!(note("cube/values"), "no such luck");
    assert_eq!(report.cells.last().map(|cell| cell.status), Some(Status::NotRun));
    assert!(matches!(ran.states[2], State::Done(_)));
}

#[test]
fn a_report_that_does_not_match_is_detected() {
    let (bench, mut told) = (Bench::new(), Vec::new());
    let jobs = sketches().map(Sketch::job);
    let ran = bench.run(&jobs, Tier::Quick, "s1", &mut told);
    let dir: &Path = bench.dir.path();
    report(&jobs, &ran, Tier::Quick).write(dir).expect("written");
    let drift = |jobs: &[Job], fixtures: &[Fixture]| check::drift(dir, jobs, fixtures);
    assert_eq!(drift(&jobs, &fixtures()), [""; 0]);
    let mut changed = fixtures();
    changed[0].value = 19u32.into();
    assert!(drift(&jobs, &changed)[0].contains("contradicts its fixture"));
    assert_eq!(drift(&jobs[..2], &fixtures()), ["job cube/length no longer exists"]);
    let page = std::fs::read_to_string(dir.join("index.html")).expect("a page");
    std::fs::write(dir.join("index.html"), page.replace("match", "hatch")).expect("a file");
    assert_eq!(drift(&jobs, &fixtures()), ["index.html is not what report.json renders to"]);
    std::fs::write(dir.join("index.html"), page).expect("a file");
    // A figure changed below the displayed precision.
    let json = std::fs::read_to_string(dir.join("report.json")).expect("data");
    assert!(json.contains("\"8.8979\""));
    std::fs::write(dir.join("report.json"), json.replace("\"8.8979\"", "\"8.89791\"")).expect("a file");
    let stale = ["report.md", "index.html"].map(|file| format!("{file} is not what report.json renders to"));
    assert_eq!(drift(&jobs, &fixtures()), stale);
    assert!(check::drift(&dir.join("nowhere"), &jobs, &fixtures())[0].starts_with("report.json"));
}
