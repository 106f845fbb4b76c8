//! Access to the system: the standard streams and the files.

use super::sources::{File, assert_known, files};
use super::syntax::{Token, tokens_without_tests};

/// Macros that panic if standard output or standard error is closed or full.
const PANICS: &[&str] = &["print", "println", "eprint", "eprintln", "dbg"];
/// The standard library's names for files.
const FILES: &[&str] = &["fs", "File", "OpenOptions"];

#[test]
fn nothing_is_printed_by_macros_that_panic() {
    let panics = |pair: &[Token]| PANICS.contains(&&pair[0].text[..]) && pair[1].text == "!";
    let found = sources("").into_iter().filter(|file| tokens_without_tests(file).windows(2).any(panics));
    assert_known("nothing is printed by macros that panic", found.map(|file| file.path), &[]);
}

#[test]
fn libraries_reach_files_through_storage() {
    let is_file = |token: &Token| FILES.contains(&&token.text[..]);
    let libraries = ["search-core", "cube", "slidetile", "hanoi4"].map(|name| format!("crates/{name}/"));
    let others = libraries.iter().flat_map(|start| sources(start));
    let others = others.filter(|file| !file.path.starts_with("crates/search-core/src/storage/"));
    let found = others.filter(|file| tokens_without_tests(file).iter().any(is_file)).map(|file| file.path);
    assert_known("files are reached through search_core::storage", found, &[]);
}

/// The source files of programs and libraries under a folder, without their tests.
fn sources(folder: &str) -> Vec<File> {
    let is_source = |file: &File| {
        file.path.starts_with(folder) && file.path.contains("src/") && !file.path.ends_with("tests.rs")
    };
    files(".rs").into_iter().filter(is_source).collect()
}
