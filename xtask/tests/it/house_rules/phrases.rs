//! Documents, comments, messages and help texts are free of phrases that a native reader stumbles over.

use super::sources::{assert_known, files};

/// Whether the rule holds for sources as well as for documents.
const SOURCES_TOO: bool = true;

/// Phrases to avoid, in lower case, and their replacements.
const PHRASES: &[(&str, &str)] = &[
    ("the papers again", "reproducing the papers"),
    ("foretell", "predict"),
    ("tells the rest", "lists all options"),
    ("how to go on after", "how to resume"),
    ("one a line", "one per line"),
    ("cube a line", "cube per line"),
    ("answer a line", "answer per line"),
    ("solution a line", "solution per line"),
    ("object a line", "object per line"),
    ("record a line", "record per line"),
    ("come to be", "(say what becomes of it)"),
    ("comes to be", "(say what becomes of it)"),
    ("turned in any way", "ignore the orientation"),
    ("lead to this", "target"),
    ("the same but for", "equivalent under"),
    ("same but for a symmetry", "equivalent under symmetry"),
    ("are there or build", "exist or can be built"),
    ("are there or soon built", "exist or can be built soon"),
    ("tell on standard error", "log to standard error"),
    ("is told on standard error", "is written to standard error"),
    ("generator starts from", "seed"),
    ("are no arrangement", "invalid tile list"),
    ("this is no ", "invalid …"),
    ("is no state", "invalid state"),
    ("can be had", "is available"),
    ("cannot be had", "is not available"),
    ("to be had", "available"),
    ("said before work starts", "checks … before work starts"),
    ("greatest box of", "largest board area"),
    ("would else", "would otherwise"),
    ("exact twin", "reference implementation"),
    ("did not pay", "did not help"),
    ("does not pay", "does not help"),
    ("who does not get", "a process that does not get"),
    ("what it must be", "(say what the item is)"),
    ("nobody's word", "(say what is checked)"),
];

#[test]
fn no_phrase_to_avoid_occurs() {
    let mut texts = files(".md");
    texts.retain(|file| !file.path.starts_with("docs/repro/"));
    if SOURCES_TOO {
        // This file has to name the phrases.
        texts.extend(files(".rs").into_iter().filter(|file| !file.path.ends_with("house_rules/phrases.rs")));
    }
    let mut found = Vec::new();
    for file in &texts {
        let (text, starts) = joined(&file.text);
        for (phrase, instead) in PHRASES {
            for (at, _) in text.match_indices(phrase) {
                let line = starts.partition_point(|start| *start <= at);
                found.push(format!("{}:{line}: \"{phrase}\"; write \"{instead}\"", file.path));
            }
        }
    }
    assert_known("documents and sources are in plain English", found, &[]);
}

/// The lines in lower case and without the marks of comments, joined by spaces, so that a phrase may
/// cross lines; and the start of each line.
fn joined(text: &str) -> (String, Vec<usize>) {
    let (mut all, mut starts) = (String::new(), Vec::new());
    for line in text.lines() {
        starts.push(all.len());
        all += line.trim_start().trim_start_matches(['/', '!']).trim();
        all.push(' ');
    }
    (all.to_lowercase(), starts)
}
