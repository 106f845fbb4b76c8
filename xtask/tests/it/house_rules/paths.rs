//! No stale path: every file or folder of the repository that documents and comments name exists, and every link within
//! the documents has a target.

use super::sources::{File, all_paths, assert_known, files};
use std::collections::BTreeSet;

/// The first parts of paths in the repository.
const TOP: &[&str] = &[
    ".cargo", ".ci", ".github", "benches", "crates", "docs", "examples", "fixtures", "fuzz", "python", "src",
    "tests", "web", "xtask",
];

/// The endings of source files and documents.
const ENDINGS: &[&str] = &[".rs", ".md", ".toml", ".yml"];

#[test]
fn every_path_named_in_documents_and_comments_exists() {
    let paths = Paths::new();
    // The report names jobs, which look like paths.
    let documents = files(".md").into_iter().filter(|file| !file.path.starts_with("docs/repro/"));
    let documents = documents.chain(files(".ci/run")).chain(files(".yml"));
    let comments = files(".rs").into_iter().map(|file| File { text: comments(&file.text), ..file });
    let mut stale = Vec::new();
    for file in documents.chain(comments) {
        for (line, text) in file.text.lines().enumerate() {
            let named = words(text).filter(|word| is_path(word) && !paths.holds(word, &file.path));
            stale.extend(named.map(|word| format!("{}:{}: {word}", file.path, line + 1)));
        }
    }
    assert_known("a path in a document or comment names a file or folder", stale, &[]);
}

#[test]
fn every_link_within_the_documents_leads_somewhere() {
    let paths = Paths::new();
    let documents = files(".md");
    let mut broken = Vec::new();
    for file in &documents {
        for target in links(&file.text).filter(|target| !target.contains(":")) {
            let (path, heading) = target.split_once('#').unwrap_or((target, ""));
            let path = if path.is_empty() { file.path.clone() } else { beside(&file.path, path) };
            let other = documents.iter().find(|other| other.path == path);
            let leads = paths.all.contains(&path)
                && (heading.is_empty() || other.is_some_and(|other| headings(&other.text).contains(heading)));
            if !leads {
                broken.push(format!("{}: {target}", file.path));
            }
        }
    }
    assert_known("a link within the documents leads somewhere", broken, &[]);
}

#[test]
fn stale_paths_are_recognised() {
    let paths = Paths::new();
    let stale = |line: &str| {
        let in_readme = words(line).filter(|word| is_path(word) && !paths.holds(word, "README.md"));
        in_readme.collect::<Vec<_>>().join(" ")
    };
    assert_eq!(stale("see `crates/cube/src/lib.rs`, cube/src, and lib.rs or R/L and either/or"), "");
    assert_eq!(stale("tests/**/snapshots, crates/*/src/cli, src/cli/COMMAND.rs"), "");
    assert_eq!(
        stale("`xtask/src/{lib,nothing}.rs` in crates/*/nowhere."),
        "xtask/src/nothing.rs crates/*/nowhere"
    );
    assert_eq!(
        stale("`no_such_file.rs`, search-core/src/no_folder"),
        "no_such_file.rs search-core/src/no_folder"
    );
}

/// The text of the comments, each on its own line.
fn comments(text: &str) -> String {
    text.lines()
        .map(|line| line.split_once("//").map_or("", |(_, comment)| comment).to_owned() + "\n")
        .collect()
}

/// The words of a line that consist of what paths consist of, with braces expanded.
fn words(line: &str) -> impl Iterator<Item = String> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "_-./{},*".contains(c);
    line.split(move |c| !is_part(c)).flat_map(|word| expanded(word.trim_end_matches(['.', ',', '/'])))
}

/// `a/{b,c}` is `a/b` and `a/c`; a comma elsewhere separates words.
fn expanded(word: &str) -> Vec<String> {
    match (word.split_once('{'), word.split_once('}')) {
        (Some((before, _)), Some((inner, after))) if inner.len() > before.len() => {
            let inner = &inner[before.len() + 1..];
            inner.split(',').map(|choice| format!("{before}{choice}{after}")).collect()
        }
        _ => word.split(',').map(str::to_owned).collect(),
    }
}

/// Whether a word names a file or folder of the repository, which may be missing.
fn is_path(word: &str) -> bool {
    let mut parts = word.split('/');
    let (first, second) = (parts.next().unwrap_or_default(), parts.next());
    let is_crate = matches!(second, Some("src" | "tests" | "examples" | "Cargo.toml"));
    let has_ending = ENDINGS.iter().any(|end| word.strip_suffix(end).is_some_and(|stem| !stem.is_empty()));
    let in_top = second.is_some() && TOP.contains(&first);
    !word.starts_with(['/', '-']) && !first.is_empty() && (in_top || is_crate || has_ending)
}

/// Every path of the repository.
struct Paths {
    all: BTreeSet<String>,
}

impl Paths {
    fn new() -> Paths {
        Paths { all: all_paths() }
    }

    /// Whether a word in this file names an existing path: from a folder around the file, from `crates`, in any crate
    /// (for a file outside of `crates`), or, unless it begins with a crate's folder, from any folder.
    fn holds(&self, word: &str, file: &str) -> bool {
        let word = with_placeholders(word);
        let folders = file.match_indices('/').map(|(end, _)| &file[..=end]);
        let anywhere: &[&str] = if file.starts_with("crates/") { &[] } else { &["crates/*/", "examples/*/"] };
        let mut prefixes = folders.chain(["", "crates/"]).chain(anywhere.iter().copied());
        let from_crate = ["src/", "tests/", "examples/"].iter().any(|start| word.starts_with(start));
        prefixes.any(|prefix| self.has(&normal(&format!("{prefix}{word}"))))
            || !from_crate && self.has(&format!("**/{word}"))
    }

    fn has(&self, pattern: &str) -> bool {
        let pattern_parts: Vec<&str> = pattern.split('/').collect();
        let matches = |path: &String| matches(&pattern_parts, &path.split('/').collect::<Vec<_>>());
        self.all.contains(pattern) || pattern.contains('*') && self.all.iter().any(matches)
    }
}

/// The path with `*` for the names of sources and folders in capitals, which are placeholders.
fn with_placeholders(path: &str) -> String {
    let part = |part: &str| {
        let stem = part.strip_suffix(".rs").unwrap_or(part);
        let is_placeholder = !stem.is_empty() && stem.chars().all(|c| c.is_ascii_uppercase() || c == '_');
        if is_placeholder { part.replace(stem, "*") } else { part.to_owned() }
    };
    path.split('/').map(part).collect::<Vec<_>>().join("/")
}

/// Whether a path matches a pattern: `*` is any part of a name, `**` any folders.
fn matches(pattern: &[&str], path: &[&str]) -> bool {
    match (pattern, path) {
        (["**", rest @ ..], _) => (0..=path.len()).any(|from| matches(rest, &path[from..])),
        ([first, rest @ ..], [name, below @ ..]) => {
            let same = match first.split_once('*') {
                Some((start, end)) => name.starts_with(start) && name.ends_with(end),
                None => first == name,
            };
            same && matches(rest, below)
        }
        _ => pattern.is_empty() && path.is_empty(),
    }
}

/// The path without `..` and `.`.
fn normal(path: &str) -> String {
    let mut parts = Vec::new();
    for part in path.split('/') {
        match part {
            ".." => drop(parts.pop()),
            "." | "" => (),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// The path that a link in `file` leads to.
fn beside(file: &str, target: &str) -> String {
    normal(&format!("{file}/../{target}"))
}

/// The targets of the links of a document.
fn links(text: &str) -> impl Iterator<Item = &str> {
    text.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(target, _)| target)
}

/// The names by which a document's headings can be linked to.
fn headings(text: &str) -> BTreeSet<String> {
    let titles =
        text.lines().filter(|line| line.starts_with('#')).map(|line| line.trim_start_matches('#').trim());
    let kept = |c: &char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_');
    titles
        .map(|title| title.to_lowercase().chars().filter(kept).collect::<String>().replace(' ', "-"))
        .collect()
}
