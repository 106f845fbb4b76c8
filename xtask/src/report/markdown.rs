//! The report as Markdown: one line a cell, so that a diff shows what changed.

use super::layout::SECTIONS;
use super::{Report, columns, name, of_table};
use crate::cell::{Cell, Status};
use crate::number::Number;
use puzzle_cli::units::{format_bytes, format_duration};
use std::fmt::Write;
use std::time::Duration;

/// Renders the report.
pub fn render(report: &Report) -> String {
    let mut out = String::new();
    head(report, &mut out);
    for &paper in &report.papers {
        line(&mut out, &format!("## {}\n\n{}.\n", paper.title(), paper.citation()));
        for section in SECTIONS.iter().filter(|section| section.paper == paper) {
            let cells = of_table(report, paper, section.table);
            if !cells.is_empty() {
                line(&mut out, &format!("### {}\n\n{}\n", section.title, section.intro));
                table(&cells, &mut out);
            }
        }
    }
    jobs(report, &mut out);
    out
}

fn line(out: &mut String, text: &str) {
    out.push_str(text);
    out.push('\n');
}

fn head(report: &Report, out: &mut String) {
    let p = &report.provenance;
    line(out, "# Reproducing the papers, cell by cell\n");
    line(out, &format!("Computed by `cargo xtask repro-paper --tier {}`.", report.tier));
    line(out, "\n| paper | match | differs, explained | not run | |\n| --- | --- | --- | --- | --- |");
    for &paper in &report.papers {
        let tally = report.tally(paper);
        let alarm = if tally.unexplained > 0 {
            format!("**{} differ unexplained**", tally.unexplained)
        } else {
            String::new()
        };
        let counts = format!("{} | {} | {}", tally.matched, tally.differs, tally.not_run);
        line(out, &format!("| {} | {counts} | {alarm} |", paper.title()));
    }
    line(out, "\n| provenance | |\n| --- | --- |");
    let dirty = if p.dirty { ", with changes" } else { "" };
    let machine =
        format!("{}, {} cores, {} threads used, {}", p.cpu, p.cores, p.threads, format_bytes(p.memory));
    for (what, text) in [
        ("version", format!("{}, commit {}{dirty}", p.version, p.commit)),
        ("compiler", p.compiler.clone()),
        ("build", p.build.clone()),
        ("machine", machine),
        ("system", p.system.clone()),
    ] {
        line(out, &format!("| {what} | {} |", escape(&text)));
    }
    for table in &p.tables {
        line(out, &format!("| table {} | {} |", table.name, table.checksum));
    }
    out.push('\n');
}

fn table(cells: &[&Cell], out: &mut String) {
    line(out, "| | paper | ours | | |\n| --- | ---: | ---: | --- | --- |");
    let columns = columns(cells);
    for cell in cells {
        let number = |number: Option<Number>| number.map_or_else(String::new, Number::pretty);
        let word = if cell.status == Status::Unexplained { "**DIFFERS**" } else { cell.status.word() };
        let (printed, ours) = (number(cell.printed), number(cell.ours));
        let (name, note) = (escape(&name(cell, columns)), escape(&cell.note));
        line(out, &format!("| {name} | {printed} | {ours} | {word} | {note} |"));
    }
    out.push('\n');
}

fn jobs(report: &Report, out: &mut String) {
    line(
        out,
        "## Jobs\n\n| job | tier | seconds | stated cost | seed | what |\n| --- | --- | ---: | --- | --- | --- |",
    );
    for job in &report.jobs {
        let took = job.seconds.map(|s| format_duration(Duration::from_secs_f64(s)));
        let took = took.unwrap_or_else(|| "not run".to_owned());
        let seed = job.seed.map_or_else(String::new, |seed| seed.to_string());
        let _ = writeln!(
            out,
            "| {} | {} | {took} | {} | {seed} | {} |",
            job.id,
            job.tier,
            job.cost,
            escape(&job.title)
        );
    }
}

/// Text for a cell of a Markdown table.
fn escape(text: &str) -> String {
    text.replace('|', "\\|").replace('*', "\\*").replace('<', "&lt;").replace('\n', " ")
}
