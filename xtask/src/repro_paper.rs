//! `cargo xtask repro-paper`: reproduces the papers, cell by cell.

use crate::listing;
use clap::Args;
use puzzle_cli::format::format_duration;
use puzzle_cli::resume::quoted;
use puzzle_cli::{CommonArgs, Exit, Failure, Session};
use repro::cell::{Cell, Status};
use repro::engine::{self, Request, RunResult, Selection};
use repro::fixture::{self, Fixture};
use repro::job::Job;
use repro::number::Number;
use repro::paper::{Paper, Tier};
use repro::report::provenance::Provenance;
use repro::report::recorded::{self, Recorder, Records};
use repro::report::{Report, check};
use repro::results::{StoredResult, write_whole};
use repro::{GENERATOR, recheck};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The time for which `--recompute` runs each recorded job.
const RECHECKED: Duration = Duration::from_secs(3);

/// Reproduce the papers' tables and figures, cell by cell, and write the report
///
/// Each cell is computed by a job with a stated cost. Results of jobs are kept in the output folder, so
/// a run that was killed can be resumed, and a higher tier builds on a lower one. A result is reused
/// as long as the job's version, the tables and the seed are the same. Jobs above the quick tier can be
/// recorded in the repository; the report shows records of jobs that were not run.
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Examples:
  cargo xtask repro-paper                          the quick tier of all papers
  cargo xtask repro-paper --paper hanoi --tier standard
  cargo xtask repro-paper --resume                 resume the run that was stopped
  cargo xtask repro-paper --list                   the jobs, their tiers and costs
  cargo xtask repro-paper --job hanoi/complete-22 --record
  cargo xtask repro-paper --tier standard --record

Exit code 1 if a cell differs from its paper without an explanation, 5 if interrupted.")]
pub struct ReproPaperArgs {
    /// Only this paper [default: all]
    #[arg(long, value_enum)]
    paper: Option<Paper>,
    /// The last tier to run
    #[arg(long, value_enum, default_value = "quick")]
    tier: Tier,
    /// Only this job, of any tier; may be repeated
    #[arg(long, value_name = "NAME", conflicts_with_all = ["paper", "tier", "resume"])]
    job: Vec<String>,
    /// Record each result as soon as it exists; runs no job of the quick tier
    #[arg(long, conflicts_with = "resume")]
    record: bool,
    /// Folder of recorded results [default: fixtures/recorded]
    #[arg(long, value_name = "DIR")]
    recorded: Option<PathBuf>,
    /// Resume the run in the output folder, with its papers, tier and jobs
    #[arg(long, conflicts_with_all = ["paper", "tier", "fresh"])]
    resume: bool,
    /// Discard the results of the jobs that are run, and start over
    #[arg(long)]
    fresh: bool,
    /// Folder of results and the report [default: target/repro]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Also write the report's three files to this folder
    #[arg(long, value_name = "DIR")]
    publish: Option<PathBuf>,
    /// Only list the jobs, their tiers, costs and tables; with --json, every table by name
    #[arg(long, conflicts_with_all = ["resume", "fresh", "publish", "job", "record"])]
    list: bool,
    /// Only check that the report in this folder matches this program and the recorded results
    #[arg(long, value_name = "DIR")]
    #[arg(conflicts_with_all = ["resume", "fresh", "publish", "list", "paper", "tier", "job", "record"])]
    check: Option<PathBuf>,
    /// With --check, also compute the quick tier, and the first seconds of each recorded job, and compare both
    #[arg(long, requires = "check")]
    recompute: bool,
    #[command(flatten)]
    common: CommonArgs,
}

/// Runs the task.
///
/// # Errors
/// The failure that ends it.
pub fn run(args: &ReproPaperArgs) -> Result<Exit, Failure> {
    let fixtures = fixture::all().map_err(Failure::error)?;
    let jobs = repro::jobs(&fixtures);
    let session = Session::build(&args.common)?;
    if args.list {
        let wanted = jobs.iter().filter(|job| args.paper.is_none_or(|paper| paper == job.paper));
        listing::print(wanted, &mut session.output())?;
        return Ok(Exit::Done);
    }
    let out = args.out.clone().unwrap_or_else(crate::default_out);
    let repro = Reproduction { jobs: &jobs, fixtures: &fixtures, args, out: &out, session: &session };
    match &args.check {
        Some(dir) => repro.checked(dir),
        None => repro.reproduce(&asked(args, &jobs, &out)?),
    }
}

fn asked(args: &ReproPaperArgs, jobs: &[Job], out: &Path) -> Result<Selection, Failure> {
    let file = out.join("run.json");
    if args.resume {
        let text = fs::read(&file).map_err(|_| {
            Failure::usage(format_args!("no run in {} to resume", out.display()))
                .with_remedy("name its folder with --out DIR, or omit --resume")
        })?;
        return serde_json::from_slice(&text).map_err(Failure::error);
    }
    for name in &args.job {
        let known = jobs.iter().find(|job| job.id == *name);
        let job = known.ok_or_else(|| {
            Failure::usage(format_args!("there is no job {name}"))
                .with_remedy("cargo xtask repro-paper --list names all jobs")
        })?;
        if args.record && job.tier == Tier::Quick {
            return Err(Failure::usage(format_args!(
                "{name} is in the quick tier, which every report computes: it is not recorded"
            )));
        }
    }
    let papers = args.paper.map_or_else(|| Paper::ALL.to_vec(), |paper| vec![paper]);
    let asked =
        Selection { jobs: args.job.clone(), record: args.record, ..Selection::new(&papers, args.tier) };
    if args.fresh {
        for job in jobs.iter().filter(|job| asked.wants(job)) {
            engine::discard(job, out);
        }
    }
    fs::create_dir_all(out).map_err(|error| Failure::error(format_args!("{}: {error}", out.display())))?;
    let text = serde_json::to_string(&asked).map_err(Failure::error)?;
    write_whole(&file, text.as_bytes()).map_err(Failure::error)?;
    Ok(asked)
}

/// A run of the task, with the data that all its parts need.
struct Reproduction<'a> {
    jobs: &'a [Job],
    fixtures: &'a [Fixture],
    args: &'a ReproPaperArgs,
    out: &'a Path,
    session: &'a Session,
}

impl Reproduction<'_> {
    fn reproduce(&self, asked: &Selection) -> Result<Exit, Failure> {
        let start = Instant::now();
        let records = self.records()?;
        let provenance = Provenance::here(self.session.run().threads());
        if asked.record && (provenance.dirty || provenance.commit.len() != 40) {
            return Err(Failure::usage("files differ from the commit that a record would name")
                .with_remedy("commit the changes first, or omit --record"));
        }
        let mut ran = self.run(asked, &provenance)?;
        // Results just recorded also belong to the report.
        let records = if asked.record { self.records()? } else { records };
        records.stand_in(self.jobs, asked, &mut ran);
        let report = Report::new(self.jobs, &ran, self.fixtures, (&asked.papers, asked.tier), provenance);
        // An interrupted run has only part of the results.
        let published = self.args.publish.as_deref().filter(|_| !ran.interrupted);
        for dir in std::iter::once(self.out).chain(published) {
            report.write(dir).map_err(|error| Failure::error(format_args!("{}: {error}", dir.display())))?;
        }
        let page = self.out.join("index.html");
        self.session.remark(&format!("{} after {}", page.display(), format_duration(start.elapsed())));
        self.verdict(&report, &ran)
    }

    /// Runs the requested jobs, and records their results if requested.
    fn run(&self, asked: &Selection, provenance: &Provenance) -> Result<RunResult, Failure> {
        let store = self.session.store(GENERATOR);
        let recorder = match asked.record {
            true => Some(Recorder::new(&self.recorded()).map_err(Failure::error)?),
            false => None,
        };
        let finished = |kept: &StoredResult| {
            let job = self.jobs.iter().find(|job| job.id == kept.job);
            recorder.iter().zip(job).try_for_each(|(recorder, job)| recorder.add(job.paper, kept))
        };
        let request = Request {
            asked,
            out: self.out,
            store: &store,
            origin: &provenance.origin(),
            finished: &finished,
            tell: &|line| self.session.remark(line),
            run: &self.session.run(),
        };
        engine::run(self.jobs, &request).map_err(Failure::error)
    }

    /// Runs the recorded jobs whose tables exist for some seconds and compares the results; returns the differences.
    fn compared(&self, records: &Records) -> Result<Vec<String>, Failure> {
        let (store, run) = (self.session.store(GENERATOR), self.session.run());
        let mut differences = Vec::new();
        for job in self.jobs {
            let comparable =
                |record: &&StoredResult| recheck::is_comparable(job, record, &store, &run, RECHECKED);
            let Some(record) = records.of(&job.id).filter(comparable) else { continue };
            let comparison = recheck::compare(job, record, &store, &run, RECHECKED);
            let comparison = comparison.map_err(|problem| match problem {
                recheck::Problem::Cancelled(_) => {
                    Failure::interrupted("interrupted: not all records were compared")
                }
                problem => Failure::error(problem),
            })?;
            self.session.remark(&format!("{}: {} figures compared", job.id, comparison.compared));
            differences.extend(comparison.differences);
        }
        Ok(differences)
    }

    /// The folder of recorded results.
    fn recorded(&self) -> PathBuf {
        self.args.recorded.clone().unwrap_or_else(recorded::default_dir)
    }

    /// The recorded results, if they are sound.
    fn records(&self) -> Result<Records, Failure> {
        let faulty = |faults: Vec<recorded::Fault>| {
            Failure::error("recorded results cannot be used")
                .with_faults(faults)
                .with_remedy("remove these lines; --job NAME --record records a job again")
        };
        let records = Records::read(&self.recorded()).map_err(faulty)?;
        let faults = records.faults(self.jobs, self.fixtures);
        if faults.is_empty() { Ok(records) } else { Err(faulty(faults)) }
    }

    /// The command that resumes this run.
    fn resume_command(&self) -> String {
        let ReproPaperArgs { publish, recorded, common, .. } = self.args;
        let CommonArgs { tables, threads, memory, .. } = common;
        let path = |path: &Path| quoted(path.as_os_str());
        let options = [
            Some(("out", path(self.out))),
            publish.as_deref().map(|dir| ("publish", path(dir))),
            recorded.as_deref().map(|dir| ("recorded", path(dir))),
            tables.as_ref().map(|dirs| ("tables", quoted(dirs))),
            threads.map(|threads| ("threads", threads.to_string())),
            memory.map(|memory| ("memory", memory.to_string())),
        ];
        let options = options.into_iter().flatten().map(|(name, value)| format!(" --{name} {value}"));
        format!("cargo xtask repro-paper --resume{}", options.collect::<String>())
    }

    fn verdict(&self, report: &Report, ran: &RunResult) -> Result<Exit, Failure> {
        let mut output = self.session.output();
        let mut unexplained = 0;
        for &paper in &report.papers {
            let tally = report.tally(paper);
            unexplained += tally.unexplained;
            output.line(&format!(
                "{paper}: {} match, {} differ (explained), {} differ unexplained, {} not run; {} recorded",
                tally.matched, tally.differs, tally.unexplained, tally.not_run, tally.recorded
            ))?;
        }
        if ran.interrupted {
            return Err(Failure::interrupted("interrupted; results of finished jobs are kept")
                .with_remedy(format_args!("resume with: {}", self.resume_command())));
        }
        if unexplained > 0 {
            let faults = report.cells.iter().filter(|cell| cell.status == Status::Unexplained);
            return Err(Failure::error("cells differ from their paper without an explanation")
                .with_faults(faults.map(fault)));
        }
        Ok(Exit::Done)
    }

    /// Checks a published report, and the recorded results with it.
    fn checked(&self, dir: &Path) -> Result<Exit, Failure> {
        let records = self.records()?;
        let mut problems = check::drift(dir, self.jobs, self.fixtures, &records);
        if problems.is_empty() && self.args.recompute {
            let provenance = Provenance::here(self.session.run().threads());
            let ran = self.run(&Selection::new(&Paper::ALL, Tier::Quick), &provenance)?;
            if ran.interrupted {
                return Err(Failure::interrupted("interrupted; results of finished jobs are kept"));
            }
            problems = check::recomputed(dir, self.jobs, &ran);
            problems.extend(self.compared(&records)?);
        }
        if problems.is_empty() {
            return Ok(Exit::Done);
        }
        let publish = format!("cargo xtask repro-paper --tier quick --publish {}", dir.display());
        Err(Failure::error(format_args!("the report in {} does not match this program", dir.display()))
            .with_faults(problems)
            .with_remedy(format_args!("{publish} writes it again")))
    }
}

/// A description, in one line, of a cell that differs for no known reason.
fn fault(cell: &Cell) -> String {
    let shown = |number: Option<Number>| number.map_or_else(String::new, |number| number.to_string());
    let (printed, ours) = (shown(cell.printed), shown(cell.ours));
    format!("{}: {printed} printed, {ours} computed; {}", cell.key, cell.note)
}
