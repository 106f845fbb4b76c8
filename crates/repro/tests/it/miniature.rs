//! The engine and the report on a handful of small jobs: pinned, interrupted, resumed, recorded.

use repro::cell::Status;
use repro::engine::{Request, RunResult, Selection, State, run};
use repro::fixture::{Fixture, Key, parse};
use repro::job::{Cost, Job, Outcome, Stopped, work};
use repro::paper::{Paper, Tier};
use repro::report::provenance::Provenance;
use repro::report::recorded::{Recorder, Records};
use repro::report::{Report, check};
use repro::results::{Origin, StoredResult};
use search_core::table::Store;
use search_core::{Cancel, Run};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

const FIXTURES: &str = "\
source,table,row,column,value,rule,ours,why
Paper Table 1,search-tree,depth 1,nodes,18,=,,
Paper Table 1,search-tree,depth 2,nodes,243,=,,
Paper text,heuristics,corners,expected value,8.764,±0.0005,,
Paper text,heuristics,the three together,expected value,8.878,±0.0005,8.898,another class of edges
Paper text,machine,IDA*,nodes a second,700000,beside,,another machine
Paper Table 2,table-2,cube 1,length,16,=,,
";

/// A job that yields fixed figures, counts its runs, and may stop half-way.
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
        Sketch {
            id,
            tier,
            cost: Cost { seconds: 1.0, memory: 1 << 20, disk: 0 },
            values,
            runs: Arc::default(),
            stops: None,
        }
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
            version: 1,
            run: work(move |context| {
                runs.fetch_add(1, Ordering::Relaxed);
                stops.iter().for_each(Cancel::cancel);
                context.run.check()?;
                let mut out = Outcome::default();
                for &(table, row, column, value) in values {
                    match value.fract() == 0.0 {
                        _ if table == "machine" => out.timed(table, row, column, value as u64, ""),
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

    fn run(&self, jobs: &[Job], tier: Tier, remarks: &mut Vec<String>) -> RunResult {
        self.record(jobs, &Selection::new(&[Paper::Cube], tier), remarks)
    }

    /// Runs the requested jobs, and records them if requested.
    fn record(&self, jobs: &[Job], asked: &Selection, remarks: &mut Vec<String>) -> RunResult {
        let store = Store::new(self.dir.path().join("tables"), "test");
        let lines = std::sync::Mutex::new(Vec::new());
        let tell = |line: &str| lines.lock().expect("one thread").push(line.to_owned());
        let recorder = Recorder::new(&self.recorded()).expect("a folder");
        let request = Request {
            asked,
            out: self.dir.path(),
            store: &store,
            origin: &origin(),
            finished: &|kept| if asked.record { recorder.add(Paper::Cube, kept) } else { Ok(()) },
            tell: &tell,
            run: &self.run,
        };
        let ran = run(jobs, &request).expect("the directory can be written");
        remarks.extend(lines.into_inner().expect("one thread"));
        ran
    }

    fn recorded(&self) -> PathBuf {
        self.dir.path().join("recorded")
    }

    fn records(&self) -> Records {
        Records::read(&self.recorded()).expect("sound records")
    }
}

/// A quiet machine.
fn origin() -> Origin {
    let (commit, machine) = ("c0ffee".repeat(7)[..40].to_owned(), "a machine".to_owned());
    Origin { commit, machine, date: "2026-11-24".into(), ..Origin::default() }
}

/// The report, with times and load taken out.
fn report(jobs: &[Job], ran: &RunResult, tier: Tier) -> Report {
    let mut ran = ran.clone();
    for state in &mut ran.states {
        if let State::Done(kept) = state {
            (kept.origin.seconds, kept.origin.others) = (1.5, Some(0.0));
        }
    }
    let provenance = Provenance { version: "0".into(), commit: "c0ffee".into(), ..Provenance::default() };
    Report::new(jobs, &ran, &fixtures(), (&[Paper::Cube], tier), provenance)
}

/// The next version of a job.
fn newer(job: Job) -> Job {
    Job { version: 2, ..job }
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
    let (bench, mut remarks) = (Bench::new(), Vec::new());
    let jobs = sketches().map(Sketch::job);
    let ran = bench.run(&jobs, Tier::Quick, &mut remarks);
    let report = report(&jobs, &ran, Tier::Quick);
    let tally = report.tally(Paper::Cube);
    assert_eq!((tally.matched, tally.differs, tally.unexplained, tally.not_run), (3, 2, 0, 1));
    insta::assert_snapshot!("miniature.md", repro::report::render::markdown(&report));
    insta::assert_snapshot!("miniature.json", report.json());
    let page = repro::report::render::page(&report);
    assert_eq!(page.matches("<svg").count(), 1);
    assert!(
        !page.contains("http://") || page.matches("http://").all(|_| page.contains("www.w3.org/2000/svg"))
    );
    assert!(!page.contains("<script") && !page.contains("src=") && !page.contains("@import"));
}

#[test]
fn a_stopped_run_is_resumed_to_the_same_report() {
    let (bench, mut remarks) = (Bench::new(), Vec::new());
    let whole = {
        let (bench, jobs) = (Bench::new(), sketches().map(Sketch::job));
        report(&jobs, &bench.run(&jobs, Tier::Standard, &mut remarks), Tier::Standard)
    };
    let mut first = sketches();
    first[1].stops = Some(bench.run.cancel().clone());
    let ran = bench.run(&first.map(Sketch::job), Tier::Standard, &mut remarks);
    assert!(ran.interrupted && matches!(ran.states[0], State::Done(_)));
    assert!(matches!(ran.states[1], State::NotRun(_)));
    let bench = Bench { run: bench.run.with_cancel(&Cancel::new()), ..bench };
    let second = sketches();
    let runs: Vec<Arc<AtomicUsize>> = second.iter().map(|sketch| sketch.runs.clone()).collect();
    let jobs = second.map(Sketch::job);
    let ran = bench.run(&jobs, Tier::Standard, &mut remarks);
    assert_eq!(report(&jobs, &ran, Tier::Standard), whole);
    let runs: Vec<usize> = runs.iter().map(|runs| runs.load(Ordering::Relaxed)).collect();
    assert_eq!(runs, [0, 1, 1], "what was finished is not run again");
}

#[test]
fn tiers_build_on_each_other_and_a_changed_job_runs_again_with_a_remark() {
    let (bench, mut remarks) = (Bench::new(), Vec::new());
    let jobs = sketches().map(Sketch::job);
    bench.run(&jobs, Tier::Quick, &mut remarks);
    remarks.clear();
    let ran = bench.run(&jobs, Tier::Standard, &mut remarks);
    assert!(remarks.iter().any(|line| line.starts_with("[1/1] cube/length")), "{remarks:?}");
    assert!(ran.states.iter().all(|state| matches!(state, State::Done(_))));
    remarks.clear();
    let jobs = sketches().map(Sketch::job).map(newer);
    let ran = bench.run(&jobs, Tier::Quick, &mut remarks);
    assert!(remarks.contains(&"cube/tree runs again: it had version 1, now 2".to_owned()), "{remarks:?}");
    // The standard tier's job is not asked for, and its kept result is out of date.
    assert!(matches!(&ran.states[2], State::NotRun(takes) if takes.contains("it had version 1, now 2")));
    remarks.clear();
    let mut other = sketches();
    other[0].values = &TREE[..1];
    let mut jobs = other.map(Sketch::job).map(newer);
    jobs[1].seed = Some(8);
    bench.run(&jobs, Tier::Quick, &mut remarks);
    assert_eq!(remarks[0], "cube/values runs again: the seed has changed");
    // A damaged file counts as missing.
    std::fs::write(bench.dir.path().join("cells/cube-tree.json"), "{").expect("a file");
    remarks.clear();
    bench.run(&jobs, Tier::Quick, &mut remarks);
    assert!(remarks[0].starts_with("[1/1] cube/tree"), "{remarks:?}");
}

#[test]
fn a_job_that_does_not_fit_or_fails_is_not_run_and_the_others_are() {
    let (bench, mut remarks) = (Bench::new(), Vec::new());
    let mut all = sketches();
    all[0].cost.memory = 1 << 40;
    let mut jobs = all.map(Sketch::job);
    jobs[1].run = Box::new(|_| Err(Stopped::Failed("no such luck".into())));
    let ran = bench.run(&jobs, Tier::Standard, &mut remarks);
    let report = report(&jobs, &ran, Tier::Standard);
    let note = |id: &str| report.cells.iter().find(|cell| cell.job == id).expect("a cell").note.clone();
    assert_eq!(note("cube/tree"), "it needs 1.0 TiB of memory, and there are 1.0 GiB");
    assert_eq!(note("cube/values"), "no such luck");
    assert_eq!(report.cells.last().map(|cell| cell.status), Some(Status::NotRun));
    assert!(matches!(ran.states[2], State::Done(_)));
}

#[test]
fn a_report_that_does_not_match_is_detected() {
    let (bench, mut remarks) = (Bench::new(), Vec::new());
    let jobs = sketches().map(Sketch::job);
    let ran = bench.run(&jobs, Tier::Quick, &mut remarks);
    let dir: &Path = bench.dir.path();
    report(&jobs, &ran, Tier::Quick).write(dir).expect("written");
    let none = Records::default();
    let drift = |jobs: &[Job], fixtures: &[Fixture]| check::drift(dir, jobs, fixtures, &none);
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
    assert!(check::drift(&dir.join("nowhere"), &jobs, &fixtures(), &none)[0].starts_with("report.json"));
}

/// The standard tier, recorded.
fn to_record() -> Selection {
    Selection { record: true, ..Selection::new(&[Paper::Cube], Tier::Standard) }
}

#[test]
fn records_are_published_and_checked() {
    let (bench, mut remarks) = (Bench::new(), Vec::new());
    let jobs = sketches().map(Sketch::job);
    let ran = bench.record(&jobs, &to_record(), &mut remarks);
    assert!(matches!(&ran.states[0], State::NotRun(_)), "the quick tier is not recorded");
    let records = bench.records();
    let kept = records.of("cube/length").expect("a record");
    assert_eq!(kept.origin.command, "cargo xtask repro-paper --job cube/length --threads 2");
    assert!(records.of("cube/tree").is_none());

    // Another run does not compute recorded results, even those of another version of the job.
    let (other, asked) = (Bench::new(), Selection::new(&[Paper::Cube], Tier::Quick));
    let mut ran = other.record(&jobs, &asked, &mut remarks);
    records.stand_in(&jobs, &asked, &mut ran);
    let dir = other.dir.path();
    let drift = |jobs: &[Job], records: &Records| check::drift(dir, jobs, &fixtures(), records);
    let with_newer = || {
        let [tree, values, length] = sketches().map(Sketch::job);
        [tree, values, newer(length)]
    };
    for (jobs, is_stale) in [(with_newer(), true), (jobs, false)] {
        let report = report(&jobs, &ran, Tier::Quick);
        report.write(dir).expect("written");
        let tally = report.tally(Paper::Cube);
        assert_eq!((tally.matched, tally.not_run, tally.recorded), (4, 0, 1));
        assert_eq!(drift(&jobs, &records), [""; 0]);
        assert_eq!(check::recomputed(dir, &jobs, &ran), [""; 0]);
        for (_, text) in &report.files()[1..] {
            assert!(text.contains("2026-11-24"), "{text}");
            assert_eq!(text.contains("by an earlier version of the job"), is_stale, "{text}");
        }
    }
    // A version that has been raised since the report was written.
    assert_eq!(drift(&with_newer(), &records), ["the description of job cube/length has changed"]);
    let jobs = sketches().map(Sketch::job);
    // A report without the record, or with another one.
    let lost = "job cube/length is published as recorded, but has no record";
    assert_eq!(drift(&jobs, &Records::default()), [lost]);
    let file = bench.recorded().join("cube.jsonl");
    let text = std::fs::read_to_string(&file).expect("records");
    std::fs::write(&file, text.replace("2026-11-24", "2026-11-25")).expect("a file");
    let other = "the report does not show the record of job cube/length";
    assert_eq!(drift(&jobs, &bench.records()), [other]);
}

#[test]
fn a_damaged_record_is_refused_by_file_and_line() {
    let (bench, mut remarks) = (Bench::new(), Vec::new());
    let mut all = sketches();
    all[0].tier = Tier::Standard;
    let jobs = all.map(Sketch::job);
    bench.record(&jobs, &to_record(), &mut remarks);
    let file = bench.recorded().join("cube.jsonl");
    let whole = std::fs::read_to_string(&file).expect("records");
    assert_eq!(whole.lines().count(), 2);
    let second = whole.lines().nth(1).expect("cube/tree");
    let length = &whole[..whole.len() - second.len() - 1];
    let twice = whole.clone() + length;
    for (text, line, problem) in [
        (&whole[..whole.len() - 9], 2, "EOF while parsing"),
        (&whole.replace("\"243\"", "\"many\""), 2, "is no number"),
        (&whole.replace("c0ffee", "coffee"), 1, "is not a commit"),
        (&whole.replace("2026-11-24", "today"), 1, "\"today\" is not a date"),
        (&whole.replace("\"version\":1", "\"version\":0"), 1, "no version of the job"),
        (&whole.replace("\"dirty\":false", "\"dirty\":true"), 1, "uncommitted changes"),
        (&whole.replace("depth 1", "depth 2"), 2, "a figure occurs twice"),
        (&whole.replace("\"threads\":2", "\"threads\":2,\"fast\":1"), 1, "unknown field `fast`"),
        (&whole.replace("\"job\":\"cube", "\"job\":\"tiles"), 1, "belongs to another paper"),
        (&twice, 3, "cube/length is recorded twice"),
    ] {
        std::fs::write(&file, text).expect("a file");
        let fault = Records::read(&bench.recorded()).expect_err(problem)[0].to_string();
        assert!(fault.starts_with(&format!("{}:{line}: ", file.display())), "{fault}");
        assert!(fault.contains(problem), "{problem}: {fault}");
        // Nor is the file replaced by the next recorded result.
        let kept: StoredResult = serde_json::from_str(second).expect("a record");
        let added = Recorder::new(&bench.recorded()).and_then(|recorder| recorder.add(Paper::Cube, &kept));
        assert_eq!(std::fs::read_to_string(&file).expect("records") == text, added.is_err());
    }
    // Faults that only the jobs and the fixtures reveal.
    std::fs::write(&file, &whole).expect("a file");
    let (records, place) = (bench.records(), |line: u32| format!("{}:{line}: ", file.display()));
    assert_eq!(records.faults(&jobs, &fixtures()), []);
    let faults = |jobs: &[Job], fixtures: &[Fixture]| -> Vec<String> {
        records.faults(jobs, fixtures).iter().map(ToString::to_string).collect()
    };
    assert_eq!(faults(&jobs[1..], &fixtures()), [place(2) + "there is no job cube/tree"]);
    let quick = sketches().map(Sketch::job);
    assert_eq!(faults(&quick, &fixtures()), [place(2) + "cube/tree is computed for every report"]);
    let mut other = fixtures();
    other[5].value = 17u32.into();
    let unexplained = "table-2 / cube 1 / length: the fixtures have no reason for it";
    assert_eq!(faults(&jobs, &other), [place(1) + unexplained]);
}

#[test]
fn a_record_replaces_an_older_one_and_an_interruption_loses_none() {
    let (bench, mut remarks) = (Bench::new(), Vec::new());
    let mut first = sketches();
    (first[0].tier, first[2].tier) = (Tier::Standard, Tier::Full);
    first[2].stops = Some(bench.run.cancel().clone());
    let asked = Selection { tier: Tier::Full, ..to_record() };
    let ran = bench.record(&first.map(Sketch::job), &asked, &mut remarks);
    assert!(ran.interrupted);
    assert!(bench.records().of("cube/tree").is_some() && bench.records().of("cube/length").is_none());
    let file = bench.recorded().join("cube.jsonl");
    let before = std::fs::read_to_string(&file).expect("records");

    let bench = Bench { run: bench.run.with_cancel(&Cancel::new()), ..bench };
    let mut second = sketches();
    (second[0].tier, second[2].tier) = (Tier::Standard, Tier::Full);
    let runs = second[0].runs.clone();
    let jobs = second.map(Sketch::job);
    bench.record(&jobs, &asked, &mut remarks);
    assert_eq!(runs.load(Ordering::Relaxed), 0, "what was finished is not run again");
    let both = std::fs::read_to_string(&file).expect("records");
    assert!(both.ends_with(&before) && both.lines().count() == 2, "sorted by name, others as they were");

    let only = Selection { jobs: vec!["cube/tree".into()], ..asked };
    bench.record(&jobs.map(newer), &only, &mut remarks);
    let records = bench.records();
    let version = |job| records.of(job).expect("a record").origin.version;
    assert_eq!(["cube/tree", "cube/length"].map(version), [2, 1]);
}

#[test]
fn a_time_measured_on_a_busy_machine_is_not_shown() {
    let (bench, mut remarks) = (Bench::new(), Vec::new());
    let jobs = sketches().map(Sketch::job);
    let mut ran = bench.run(&jobs, Tier::Quick, &mut remarks);
    let State::Done(kept) = &mut ran.states[1] else { panic!("it ran") };
    kept.origin.others = Some(0.37);
    let report = Report::new(&jobs, &ran, &fixtures(), (&[Paper::Cube], Tier::Quick), Provenance::default());
    let cell = report.cells.iter().find(|cell| cell.key.table == "machine").expect("a cell");
    assert_eq!((cell.status, cell.ours), (Status::NotMeasured, None));
    assert_eq!(cell.note, "the machine was busy: other programs used 37% of it");
    report.write(bench.dir.path()).expect("written");
    for (_, text) in report.files() {
        assert!(!text.contains("21000000") && !text.contains("21,000,000"), "{text}");
    }
    assert_eq!(check::drift(bench.dir.path(), &jobs, &fixtures(), &Records::default()), [""; 0]);
    // Counts do not depend on other programs.
    let others = report.cells.iter().filter(|cell| cell.job == "cube/values" && cell.ours.is_some());
    assert_eq!(others.count(), 2);
}
