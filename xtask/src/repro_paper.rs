//! `cargo xtask repro-paper`: reproduces the papers, cell by cell.

use crate::engine::{self, Ran, Request};
use crate::fixture::{self, Fixture};
use crate::job::Job;
use crate::keep::write_whole;
use crate::paper::{Paper, Tier};
use crate::report::provenance::Provenance;
use crate::report::{Report, check};
use clap::Args;
use puzzle_cli::resume::quoted;
use puzzle_cli::units::format_duration;
use puzzle_cli::{CommonArgs, Exit, Failure, Session};
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Reproduce the papers' tables and figures, cell by cell, and write the report
///
/// Each cell is computed by a job with a stated cost. Results of jobs are kept in the output folder, so
/// a run that was killed can be resumed, and a higher tier builds on a lower one. A result is reused
/// as long as the sources, the tables and the seed are the same.
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Examples:
  cargo xtask repro-paper                          the quick tier of all papers
  cargo xtask repro-paper --paper hanoi --tier standard
  cargo xtask repro-paper --resume                 resume the run that was stopped
  cargo xtask repro-paper --list                   the jobs, their tiers and costs

Exit code 1 if a cell differs from its paper without an explanation, 5 if interrupted.")]
pub struct ReproPaperArgs {
    /// Only this paper [default: all]
    #[arg(long, value_enum)]
    paper: Option<Paper>,
    /// How much to run
    #[arg(long, value_enum, default_value = "quick")]
    tier: Tier,
    /// Resume the run in the output folder, with its papers and tier
    #[arg(long, conflicts_with_all = ["paper", "tier", "fresh"])]
    resume: bool,
    /// Discard all results and start over
    #[arg(long)]
    fresh: bool,
    /// Folder of results and the report [default: target/repro]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Also write the report's three files to this folder
    #[arg(long, value_name = "DIR")]
    publish: Option<PathBuf>,
    /// Only list the jobs, their tiers and costs
    #[arg(long, conflicts_with_all = ["resume", "fresh", "publish"])]
    list: bool,
    /// Only check that the report in this folder matches this program
    #[arg(long, value_name = "DIR", conflicts_with_all = ["resume", "fresh", "publish", "list", "paper", "tier"])]
    check: Option<PathBuf>,
    #[command(flatten)]
    common: CommonArgs,
}

/// The papers and the tier of a run, stored so that it can be resumed.
#[derive(Serialize, Deserialize)]
struct Asked {
    papers: Vec<Paper>,
    tier: Tier,
}

/// Runs the task.
///
/// # Errors
/// The failure that ends it.
pub fn run(args: &ReproPaperArgs) -> Result<Exit, Failure> {
    let fixtures = fixture::all().map_err(Failure::error)?;
    let jobs = crate::jobs(&fixtures);
    if let Some(dir) = &args.check {
        return checked(dir, &jobs, &fixtures);
    }
    let session = Session::build(&args.common)?;
    if args.list {
        return list(&jobs, args, &session);
    }
    let out = args.out.clone().unwrap_or_else(crate::default_out);
    let asked = asked(args, &out)?;
    reproduce(&jobs, &fixtures, &asked, (args, &out), &session)
}

fn asked(args: &ReproPaperArgs, out: &Path) -> Result<Asked, Failure> {
    let file = out.join("run.json");
    if args.resume {
        let text = fs::read(&file).map_err(|_| {
            Failure::usage(format_args!("no run in {} to resume", out.display()))
                .with_remedy("name its folder with --out DIR, or omit --resume")
        })?;
        return serde_json::from_slice(&text).map_err(Failure::error);
    }
    if args.fresh {
        let _ = fs::remove_dir_all(out.join("cells"));
        let _ = fs::remove_dir_all(out.join("work"));
    }
    let papers = args.paper.map_or_else(|| Paper::ALL.to_vec(), |paper| vec![paper]);
    let asked = Asked { papers, tier: args.tier };
    fs::create_dir_all(out).map_err(|error| Failure::error(format_args!("{}: {error}", out.display())))?;
    let text = serde_json::to_string(&asked).map_err(Failure::error)?;
    write_whole(&file, text.as_bytes()).map_err(Failure::error)?;
    Ok(asked)
}

fn reproduce(
    jobs: &[Job],
    fixtures: &[Fixture],
    asked: &Asked,
    (args, out): (&ReproPaperArgs, &Path),
    session: &Session,
) -> Result<Exit, Failure> {
    let start = Instant::now();
    let store = session.store(crate::gen_tables::GENERATOR)?;
    let request = Request {
        papers: &asked.papers,
        tier: asked.tier,
        out,
        store: &store,
        sources: &|paper: Paper| paper.sources().to_owned(),
        tell: &|line| session.remark(line),
        run: &session.run(),
    };
    let ran = engine::run(jobs, &request).map_err(Failure::error)?;
    let provenance = Provenance::here(session.run().threads());
    let report = Report::new(jobs, &ran, fixtures, (&asked.papers, asked.tier), provenance);
    // An interrupted run has only part of the results.
    let published = args.publish.as_deref().filter(|_| !ran.interrupted);
    for dir in std::iter::once(out).chain(published) {
        report.write(dir).map_err(|error| Failure::error(format_args!("{}: {error}", dir.display())))?;
    }
    session.remark(&format!(
        "{} after {}",
        out.join("index.html").display(),
        format_duration(start.elapsed())
    ));
    verdict(&report, &ran, (args, out), session)
}

/// The command that resumes this run.
fn resume_command(args: &ReproPaperArgs, out: &Path) -> String {
    let CommonArgs { tables, threads, memory, .. } = &args.common;
    let path = |path: &Path| quoted(path.as_os_str());
    let options = [
        Some(("out", path(out))),
        args.publish.as_deref().map(|dir| ("publish", path(dir))),
        tables.as_deref().map(|dir| ("tables", path(dir))),
        threads.map(|threads| ("threads", threads.to_string())),
        memory.map(|memory| ("memory", memory.to_string())),
    ];
    let options = options.into_iter().flatten().map(|(name, value)| format!(" --{name} {value}"));
    format!("cargo xtask repro-paper --resume{}", options.collect::<String>())
}

fn verdict(
    report: &Report,
    ran: &Ran,
    (args, out): (&ReproPaperArgs, &Path),
    session: &Session,
) -> Result<Exit, Failure> {
    let mut output = session.output();
    let mut unexplained = 0;
    for &paper in &report.papers {
        let tally = report.tally(paper);
        unexplained += tally.unexplained;
        output.line(&format!(
            "{paper}: {} match, {} differ (explained), {} differ unexplained, {} not run",
            tally.matched, tally.differs, tally.unexplained, tally.not_run
        ))?;
    }
    if ran.interrupted {
        return Err(Failure::interrupted("interrupted; results of finished jobs are kept")
            .with_remedy(format_args!("resume with: {}", resume_command(args, out))));
    }
    if unexplained > 0 {
        let faults = report.cells.iter().filter(|cell| cell.status == crate::cell::Status::Unexplained);
        let fault = |cell: &crate::cell::Cell| {
            let shown =
                |number: Option<crate::number::Number>| number.map_or_else(String::new, |n| n.to_string());
            format!(
                "{}: {} printed, {} computed; {}",
                cell.key,
                shown(cell.printed),
                shown(cell.ours),
                cell.note
            )
        };
        return Err(Failure::error("cells differ from their paper without an explanation")
            .with_faults(faults.map(fault)));
    }
    Ok(Exit::Done)
}

fn list(jobs: &[Job], args: &ReproPaperArgs, session: &Session) -> Result<Exit, Failure> {
    let mut output = session.output();
    for job in jobs.iter().filter(|job| args.paper.is_none_or(|paper| paper == job.paper)) {
        let tables: Vec<String> = job.tables.iter().map(|table| table.recipe.name()).collect();
        let tables =
            if tables.is_empty() { String::new() } else { format!("; tables {}", tables.join(", ")) };
        output.line(&format!(
            "{:<24} {:<9} {}; {} cells{tables}",
            job.id,
            job.tier,
            job.cost,
            job.cells.len()
        ))?;
        output.line(&format!("{:<24} {}", "", job.title))?;
    }
    Ok(Exit::Done)
}

fn checked(dir: &Path, jobs: &[Job], fixtures: &[Fixture]) -> Result<Exit, Failure> {
    let problems = check::drift(dir, jobs, fixtures);
    if problems.is_empty() {
        return Ok(Exit::Done);
    }
    Err(Failure::error(format_args!("the report in {} does not match this program", dir.display()))
        .with_faults(problems)
        .with_remedy(format_args!(
            "cargo xtask repro-paper --tier quick --publish {} writes it again",
            dir.display()
        )))
}
