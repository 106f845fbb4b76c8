//! The book: its figures are those that the code draws, its contents list every page, and its chapters are complete.

use search_core::Run;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs")
}

fn read(path: &str) -> String {
    fs::read_to_string(docs().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The files of a folder of `docs` with an ending, by their path from `docs`.
fn listed(folder: &str, ending: &str) -> BTreeSet<String> {
    let entries = fs::read_dir(docs().join(folder)).expect("a folder").flatten();
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    names.filter(|name| name.ends_with(ending)).map(|name| format!("{folder}{name}")).collect()
}

#[test]
fn figures_are_what_the_code_draws() {
    let figures = repro::figures::all(&Run::new());
    let names: BTreeSet<String> =
        figures.iter().map(|figure| format!("book/figures/{}", figure.file)).collect();
    assert_eq!(names, listed("book/figures/", ".svg"));
    for figure in figures {
        let how = "draw it again by `cargo xtask figures`, and read what the chapter says about it";
        assert!(
            figure.svg == read(&format!("book/figures/{}", figure.file)),
            "{} differs: {how}",
            figure.file
        );
    }
}

#[test]
fn the_contents_list_every_page() {
    let contents = read("SUMMARY.md");
    let links = contents.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
    let linked: BTreeSet<String> = links.map(|(target, _)| target.to_owned()).collect();
    let mut pages: BTreeSet<String> =
        ["", "book/", "measurements/", "repro/"].iter().flat_map(|folder| listed(folder, ".md")).collect();
    pages.remove("SUMMARY.md");
    assert_eq!(linked, pages);
}

#[test]
fn every_chapter_has_a_figure_commands_sources_and_an_exercise() {
    let chapters = listed("book/", ".md");
    assert!(chapters.len() >= 7, "{chapters:?}");
    let mut figures = BTreeSet::new();
    for chapter in &chapters {
        let text = read(chapter);
        for part in ["\n## Run it\n", "\n$ ", "\n## In the code\n", "\n## Sources\n", "\n## Exercise\n"] {
            assert!(text.contains(part), "{chapter} has no {part:?}");
        }
        let shown = text.split("](figures/").skip(1).filter_map(|rest| rest.split_once(')'));
        let shown: Vec<String> = shown.map(|(file, _)| format!("book/figures/{file}")).collect();
        assert!(!shown.is_empty(), "{chapter} has no figure");
        figures.extend(shown);
    }
    let pages = listed("", ".md");
    let shown = |figure: &String| pages.iter().any(|page| read(page).contains(&format!("]({figure})")));
    figures.extend(listed("book/figures/", ".svg").into_iter().filter(shown));
    assert_eq!(figures, listed("book/figures/", ".svg"), "every figure is in a chapter or on another page");
}

/// The chart in the README: each row of the table "Other solvers" has its two figures there.
#[test]
fn the_chart_beside_other_solvers_has_the_measured_figures() {
    let (page, chart) = (read("measurements/cube.md"), read("figures/peers.svg"));
    let table = page.split("\n## Other solvers\n").nth(1).expect("the section");
    let rows =
        table.lines().skip_while(|line| !line.starts_with('|')).take_while(|line| line.starts_with('|'));
    let mut compared = 0;
    for row in rows.skip(2) {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        for cell in [cells[3], cells[6]] {
            let figure = cell.split([' ', ',']).next().expect("a figure");
            assert!(chart.contains(&format!(">{figure}<")), "{figure} of {row}");
            compared += 1;
        }
    }
    assert_eq!(compared, 10);
}
