//! The report as one page that needs nothing else: no script, no network.

use super::layout::{PLOTS, SECTIONS};
use super::{Report, columns, name, of_table, plots};
use crate::cell::{Cell, Status};
use crate::job::Curve;
use crate::number::Number;
use crate::paper::Paper;
use puzzle_cli::units::{format_bytes, format_duration};
use std::fmt::Write;
use std::time::Duration;

const STYLE: &str = include_str!("style.css");

/// Renders the report.
pub fn render(report: &Report) -> String {
    let mut out = String::new();
    let _ = write!(
        out,
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>Reproducing the papers, cell by cell</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n"
    );
    header(report, &mut out);
    out.push_str("<main>\n");
    for &paper in &report.papers {
        self::paper(report, paper, &mut out);
    }
    jobs(report, &mut out);
    out.push_str("</main>\n</body>\n</html>\n");
    out
}

fn header(report: &Report, out: &mut String) {
    let _ = write!(
        out,
        "<header>\n<h1>Reproducing the papers, cell by cell</h1>\n<p class=\"lead\">Every figure of three papers on \
         optimal search that can be checked, compared with what this code \
         computes. Made by <code>cargo xtask repro-paper --tier {}</code>.</p>\n<div class=\"cards\">\n",
        report.tier
    );
    for &paper in &report.papers {
        card(report, paper, out);
    }
    out.push_str("</div>\n");
    legend(out);
    provenance(report, out);
    out.push_str("</header>\n");
}

fn card(report: &Report, paper: Paper, out: &mut String) {
    let tally = report.tally(paper);
    let all = (tally.matched + tally.differs + tally.unexplained + tally.not_run).max(1);
    let _ =
        write!(out, "<a class=\"card\" href=\"#{paper}\">\n<h2>{}</h2>\n<div class=\"bar\">", paper.title());
    let parts = [
        ("match", tally.matched),
        ("differs", tally.differs),
        ("unexplained", tally.unexplained),
        ("notrun", tally.not_run),
    ];
    for (class, count) in parts.iter().filter(|(_, count)| *count > 0) {
        let _ = write!(
            out,
            "<span class=\"{class}\" style=\"width:{:.2}%\"></span>",
            *count as f64 * 100.0 / all as f64
        );
    }
    let _ = write!(
        out,
        "</div>\n<p><b>{}</b> match, <b>{}</b> differ, explained, <b>{}</b> not run",
        tally.matched, tally.differs, tally.not_run
    );
    if tally.unexplained > 0 {
        let _ = write!(out, ", <b class=\"alarm\">{} differ unexplained</b>", tally.unexplained);
    }
    out.push_str("</p>\n</a>\n");
}

fn legend(out: &mut String) {
    out.push_str(
        "<p class=\"legend\"><span class=\"chip match\">match</span> equal, or equal to the precision printed \
         <span class=\"chip differs\">differs</span> with the reason \
         <span class=\"chip notrun\">not run</span> with what it would take \
         <span class=\"chip ours\">ours</span> the paper has no such figure</p>\n",
    );
}

fn provenance(report: &Report, out: &mut String) {
    let p = &report.provenance;
    let dirty = if p.dirty { " with uncommitted changes" } else { "" };
    let short = p.commit.get(..12).unwrap_or(&p.commit);
    let _ = write!(
        out,
        "<details class=\"provenance\">\n<summary>Commit <code>{}</code>{dirty} · {} · {} threads</summary>\n<dl>\n",
        escape(short),
        escape(&p.cpu),
        p.threads
    );
    let mut item = |what: &str, text: &str| {
        let _ = writeln!(out, "<dt>{}</dt><dd>{}</dd>", escape(what), escape(text));
    };
    item("version", &format!("{}, commit {}{dirty}", p.version, p.commit));
    item("compiler", &p.compiler);
    item("build", &p.build);
    item("machine", &format!("{}, {} cores, {} of memory", p.cpu, p.cores, format_bytes(p.memory)));
    item("system", &p.system);
    for table in &p.tables {
        item(&format!("table {}", table.name), &table.checksum);
    }
    out.push_str("</dl>\n</details>\n");
}

fn paper(report: &Report, paper: Paper, out: &mut String) {
    let _ = write!(
        out,
        "<section class=\"paper\" id=\"{paper}\">\n<h2>{}</h2>\n<p class=\"cite\">{}</p>\n",
        paper.title(),
        escape(paper.citation())
    );
    for section in SECTIONS.iter().filter(|section| section.paper == paper) {
        let cells = of_table(report, paper, section.table);
        if cells.is_empty() {
            continue;
        }
        let _ =
            write!(out, "<section>\n<h3>{}</h3>\n<p>{}</p>\n", escape(section.title), escape(section.intro));
        for plot in PLOTS.iter().filter(|plot| plot.paper == paper && plot.after == section.table) {
            let curves: Vec<&Curve> = report
                .curves
                .iter()
                .filter(|of| of.paper == paper && of.curve.plot == plot.id)
                .map(|of| &of.curve)
                .collect();
            figure(plot, &curves, out);
        }
        table(&cells, out);
        out.push_str("</section>\n");
    }
    out.push_str("</section>\n");
}

fn figure(plot: &super::layout::Plot, curves: &[&Curve], out: &mut String) {
    let Some(svg) = plots::draw(plot, curves) else { return };
    let _ = write!(
        out,
        "<figure>\n<figcaption>{}</figcaption>\n<div class=\"plot\" role=\"img\" aria-label=\"{}\">{svg}</div>\n<ul class=\"series\">",
        escape(plot.title),
        escape(plot.title)
    );
    for (at, curve) in curves.iter().enumerate() {
        let mark = if plots::is_papers(curve) { "▲" } else { "●" };
        let _ = write!(
            out,
            "<li><span style=\"color:var(--s{})\">{mark}</span> {}</li>",
            plots::colour(curves, at),
            escape(&curve.name)
        );
    }
    let _ = write!(out, "</ul>\n<p class=\"caption\">{}</p>\n</figure>\n", escape(plot.caption));
}

fn table(cells: &[&Cell], out: &mut String) {
    out.push_str(
        "<div class=\"scroll\"><table>\n<thead><tr><th></th><th>paper</th><th>ours</th><th></th></tr></thead>\n<tbody>\n",
    );
    let columns = columns(cells);
    let mut last_note = "";
    for cell in cells {
        row(cell, columns, last_note == cell.note, out);
        last_note = &cell.note;
    }
    out.push_str("</tbody>\n</table></div>\n");
}

/// A cell, and below it its note unless the cell before has the same.
fn row(cell: &Cell, columns: usize, repeated: bool, out: &mut String) {
    let (class, word) = match cell.status {
        Status::Match => ("match", "match"),
        Status::Differs => ("differs", "differs"),
        Status::Unexplained => ("unexplained", "DIFFERS"),
        Status::NotRun => ("notrun", "not run"),
        Status::Ours => ("ours", "ours"),
    };
    let number = |number: Option<Number>| number.map_or_else(|| "—".to_owned(), Number::pretty);
    let source =
        if cell.source.is_empty() { cell.job.clone() } else { format!("{} · {}", cell.source, cell.job) };
    let _ = writeln!(
        out,
        "<tr><th title=\"{}\">{}</th><td>{}</td><td>{}</td><td><span class=\"chip {class}\">{word}</span></td></tr>",
        escape(&source),
        escape(&name(cell, columns)),
        number(cell.printed),
        number(cell.ours)
    );
    if !cell.note.is_empty() && !repeated {
        let _ = writeln!(out, "<tr class=\"note\"><td colspan=\"4\">{}</td></tr>", escape(&cell.note));
    }
}

fn jobs(report: &Report, out: &mut String) {
    out.push_str(
        "<section class=\"paper\" id=\"jobs\">\n<h2>Jobs</h2>\n<p>Each job, its actual time, and its stated cost on \
         two 2.5 GHz cores.</p>\n<div class=\"scroll\"><table class=\"jobs\">\n\
         <thead><tr><th>job</th><th>tier</th><th>took</th><th>stated</th></tr></thead>\n<tbody>\n",
    );
    for job in &report.jobs {
        let took =
            job.seconds.map_or_else(|| "not run".to_owned(), |s| format_duration(Duration::from_secs_f64(s)));
        let seed = job.seed.map_or_else(String::new, |seed| format!("; seed {seed}"));
        let _ = writeln!(
            out,
            "<tr><th>{}</th><td>{}</td><td>{took}</td><td>{}</td></tr>\n<tr class=\"note\"><td colspan=\"4\">{}{seed}</td></tr>",
            escape(&job.id),
            job.tier,
            job.cost,
            escape(&job.title)
        );
    }
    out.push_str("</tbody>\n</table></div>\n</section>\n");
}

/// Text for HTML, attributes included.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
