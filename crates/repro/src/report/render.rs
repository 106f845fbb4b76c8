//! The report as Markdown and as one self-contained page without scripts: two templates over the same values.
//!
//! The Markdown has one line per cell, so that a diff shows what changed. Both contain the checksum of
//! `report.json`, so that a change below the displayed precision shows too.

use super::layout::{Plot, SECTIONS, Section};
use super::{JobLine, Report, plots};
use crate::cell::{Cell, Status};
use crate::fixture::Rule;
use crate::job::Curve;
use crate::number::Number;
use crate::paper::Paper;
use minijinja::{Environment, Value, context};
use puzzle_cli::format::{format_bytes, format_duration};
use std::collections::BTreeSet;
use std::time::Duration;
use xxhash_rust::xxh3::xxh3_64;

/// Renders the report as Markdown.
pub fn markdown(report: &Report) -> String {
    render("report.md", include_str!("report.md.jinja"), report)
}

/// Renders the report as a page.
pub fn page(report: &Report) -> String {
    render("report.html", include_str!("report.html.jinja"), report)
}

/// Renders a template. Its name's ending decides how values are escaped.
fn render(name: &str, template: &str, report: &Report) -> String {
    let mut templates = Environment::new();
    templates.set_trim_blocks(true);
    templates.set_lstrip_blocks(true);
    templates.set_keep_trailing_newline(true);
    templates.add_filter("markdown", escape_markdown);
    let rendered = templates.render_named_str(name, template, values(report));
    rendered.expect("a template uses only the values that it is given")
}

/// Text for a cell of a Markdown table.
fn escape_markdown(text: &str) -> String {
    text.replace('|', "\\|").replace('*', "\\*").replace('<', "&lt;").replace('\n', " ")
}

fn values(report: &Report) -> Value {
    let papers = report.papers.iter().map(|&paper| paper_values(report, paper));
    let jobs = report.jobs.iter().map(|job| {
        let took = job.origin.as_ref().map(|o| format_duration(Duration::from_secs_f64(o.seconds)));
        let (tier, cost) = (job.tier.to_string(), job.cost.to_string());
        let recorded = recorded(job);
        context! { id => job.id, title => job.title, seed => job.seed, tier, cost, took, recorded }
    });
    let is_other = |cell: &&Cell| match cell.status {
        Status::Differs => cell.rule != Some(Rule::Beside),
        status => status == Status::Unexplained,
    };
    let others = report.cells.iter().filter(is_other).map(|cell| {
        context! { paper => cell.paper.title(), section => anchor(cell.paper, &cell.key.table), ..row_values(report, cell, 2) }
    });
    context! {
        style => include_str!("style.css"),
        tier => report.tier.to_string(),
        checksum => format!("{:016x}", xxh3_64(report.json().as_bytes())),
        papers => papers.collect::<Vec<_>>(),
        differences => others.collect::<Vec<_>>(),
        provenance => report.provenance,
        memory => format_bytes(report.provenance.memory),
        jobs => jobs.collect::<Vec<_>>(),
    }
}

fn paper_values(report: &Report, paper: Paper) -> Value {
    let sections = SECTIONS.iter().filter(|section| section.paper == paper);
    let sections: Vec<Value> = sections.filter_map(|section| section_values(report, section)).collect();
    let tally = report.tally(paper);
    context! { id => paper.to_string(), title => paper.title(), citation => paper.citation(), tally, sections }
}

/// The values of a section; `None` if the report has no cell of it.
fn section_values(report: &Report, section: &Section) -> Option<Value> {
    let of_table = |cell: &&Cell| cell.paper == section.paper && cell.key.table == section.table;
    let cells: Vec<&Cell> = report.cells.iter().filter(of_table).collect();
    let columns = cells.iter().map(|cell| &cell.key.column).collect::<BTreeSet<_>>().len();
    let rows: Vec<Value> = cells.iter().map(|cell| row_values(report, cell, columns)).collect();
    let plots: Vec<Value> =
        section.plots.iter().filter_map(|plot| plot_values(report, section.paper, plot)).collect();
    let id = anchor(section.paper, &section.table);
    (!rows.is_empty()).then(|| context! { id, title => section.title, intro => section.intro, plots, rows })
}

/// The name of a section within the page.
fn anchor(paper: Paper, table: &str) -> String {
    format!("{paper}-{table}")
}

/// The origin of a recorded job's result; `None` for others.
fn recorded(job: &JobLine) -> Option<Value> {
    let origin = job.origin.as_ref().filter(|_| job.recorded)?;
    let busy = origin.others.map(|share| format!("{:.0}%", 100.0 * share));
    let (stale, tables) = (job.is_stale(), &job.tables);
    let commit = &origin.commit[..origin.commit.len().min(12)];
    Some(context! { origin, commit, stale, busy, tables })
}

/// The values of a cell. Its name is its row, with its column unless the table has only one.
fn row_values(report: &Report, cell: &Cell, columns: usize) -> Value {
    let (row, column) = (&cell.key.row, &cell.key.column);
    let name = if columns == 1 { row.clone() } else { format!("{row} · {column}") };
    let word = match cell.status {
        Status::Match => "match",
        Status::Differs => "differs",
        Status::Unexplained => "DIFFERS",
        Status::NotRun => "not run",
        Status::NotMeasured => "not measured",
        Status::Ours => "ours",
    };
    context! {
        name,
        word,
        status => cell.status,
        printed => cell.printed.map(Number::pretty),
        ours => cell.ours.map(Number::pretty),
        note => cell.note,
        recorded => report.job(&cell.job).filter(|_| cell.ours.is_some()).and_then(recorded),
        source => cell.source,
        job => cell.job,
    }
}

/// The values of a plot; `None` if the report has no point of it.
fn plot_values(report: &Report, paper: Paper, plot: &Plot) -> Option<Value> {
    let of_plot = report.curves.iter().filter(|of| of.paper == paper && of.curve.plot == plot.id);
    let curves: Vec<&Curve> = of_plot.map(|of| &of.curve).collect();
    // A plot of only the paper's points would show nothing that was computed.
    if curves.iter().all(|curve| plots::is_papers(curve)) {
        return None;
    }
    let series = curves.iter().enumerate().map(|(at, curve)| {
        let (colour, is_papers) = (plots::colour(&curves, at), plots::is_papers(curve));
        context! { name => curve.name, colour, is_papers }
    });
    let (svg, series) = (plots::draw(plot, &curves)?, series.collect::<Vec<_>>());
    Some(context! { title => plot.title, caption => plot.caption, svg, series })
}
