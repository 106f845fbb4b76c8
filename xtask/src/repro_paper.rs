//! `cargo xtask repro-paper`: the papers' figures again, cell by cell.

use crate::engine::{self, Ran, Request};
use crate::fixture::{self, Fixture};
use crate::job::Job;
use crate::keep::write_whole;
use crate::paper::{Paper, Tier};
use crate::report::provenance::Provenance;
use crate::report::{Report, check};
use clap::Args;
use puzzle_cli::units::format_duration;
use puzzle_cli::{CommonArgs, Exit, Failure, Session};
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Reproduce the papers' tables and figures, cell by cell, and write the report
///
/// Each cell is computed by a job with a stated cost. Finished jobs are kept in the output folder: a
/// run that was killed goes on where it stood, and a higher tier builds on a lower one. What a job
/// kept is used again as long as the sources, the tables and the seed are the same.
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Examples:
  cargo xtask repro-paper                          everything that takes minutes, all papers
  cargo xtask repro-paper --paper hanoi --tier standard
  cargo xtask repro-paper --resume                 go on with the run that was stopped
  cargo xtask repro-paper --list                   the jobs, their tiers and costs

Exit code 1 if a cell differs from its paper and nothing explains it, 5 if interrupted.")]
pub struct ReproPaperArgs {
    /// Only this paper [default: all]
    #[arg(long, value_enum)]
    paper: Option<Paper>,
    /// How much to run
    #[arg(long, value_enum, default_value = "quick")]
    tier: Tier,
    /// Go on with the run in the output folder, whatever papers and tier it was asked for
    #[arg(long, conflicts_with_all = ["paper", "tier", "fresh"])]
    resume: bool,
    /// Forget finished jobs and begin anew
    #[arg(long)]
    fresh: bool,
    /// Where finished jobs and the report are kept [default: target/repro]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Write the report's three files here too
    #[arg(long, value_name = "DIR")]
    publish: Option<PathBuf>,
    /// Only list the jobs, their tiers and costs
    #[arg(long, conflicts_with_all = ["resume", "fresh", "publish"])]
    list: bool,
    /// Only check that the report in this folder is one that this program would write
    #[arg(long, value_name = "DIR", conflicts_with_all = ["resume", "fresh", "publish", "list", "paper", "tier"])]
    check: Option<PathBuf>,
    #[command(flatten)]
    common: CommonArgs,
}

/// What a run was asked for, kept so that it can be resumed.
#[derive(Serialize, Deserialize)]
struct Asked {
    papers: Vec<Paper>,
    tier: Tier,
}

/// Runs the task.
///
/// # Errors
/// What ends it.
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
            Failure::usage(format_args!("there is no run in {} to go on with", out.display()))
                .with_remedy("name its folder with --out DIR, or leave --resume out")
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
    for dir in std::iter::once(out).chain(args.publish.as_deref()) {
        report.write(dir).map_err(|error| Failure::error(format_args!("{}: {error}", dir.display())))?;
    }
    session.remark(&format!(
        "{} after {}",
        out.join("index.html").display(),
        format_duration(start.elapsed())
    ));
    verdict(&report, &ran, out, session)
}

fn verdict(report: &Report, ran: &Ran, out: &Path, session: &Session) -> Result<Exit, Failure> {
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
        return Err(Failure::interrupted("interrupted; finished jobs are kept")
            .with_remedy(format_args!("cargo xtask repro-paper --resume --out {} goes on", out.display())));
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
        return Err(Failure::error("cells differ from their paper and nothing explains it")
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
    Err(Failure::error(format_args!("the report in {} has drifted", dir.display()))
        .with_faults(problems)
        .with_remedy(format_args!(
            "cargo xtask repro-paper --tier quick --publish {} makes it anew",
            dir.display()
        )))
}
