//! `unsafe` is confined to a few files, and each SAFETY comment names the check that it relies on. (That every block
//! has such a comment is clippy's `undocumented_unsafe_blocks`.)

use super::sources::{File, assert_known, files};
use super::syntax::tokens;

/// The files that contain `unsafe`.
const UNSAFE: &[&str] = &[
    "crates/cli/src/allocator.rs",
    "crates/cube/src/lanes/wasm.rs",
    "crates/cube/src/lanes/x86.rs",
    "crates/search-core/src/pdb/fill/cells.rs",
    "crates/search-core/src/prefetch.rs",
    "crates/search-core/src/simd.rs",
    "crates/search-core/src/zero_bytes.rs",
    "crates/wasm/src/exports.rs",
];

#[test]
fn unsafe_stays_in_listed_files() {
    let has_unsafe = |file: &File| tokens(file).iter().any(|token| token.text == "unsafe");
    let found = files(".rs").into_iter().filter(has_unsafe).map(|file| file.path);
    assert_known("`unsafe` stays in the files of the list UNSAFE", found, UNSAFE);
}

#[test]
fn every_safety_comment_names_its_check() {
    const REFERENCES: [&str; 6] = ["as above", "see above", "as below", "see below", "same as", "as before"];
    let refers = |comment: &String| {
        let comment = comment.to_lowercase();
        comment.split_whitespace().count() < 4 || REFERENCES.iter().any(|words| comment.contains(words))
    };
    let all = files(".rs").into_iter();
    let found = all.filter(|file| safety_comments(&file.text).iter().any(refers)).map(|file| file.path);
    assert_known("a SAFETY comment names the check it relies on, not another comment", found, &[]);
}

/// The caller must guarantee that the pointer is valid, which safe code cannot do.
#[test]
fn imports_with_pointers_are_unsafe_to_call() {
    let takes_pointer = |declaration: &str| {
        let end = declaration.find(';').unwrap_or(declaration.len());
        declaration[..end].contains("*const ") || declaration[..end].contains("*mut ")
    };
    let all = files(".rs").into_iter();
    let found =
        all.filter(|file| file.text.split("\n    safe fn ").skip(1).any(takes_pointer)).map(|file| file.path);
    assert_known("a function with pointers is not declared `safe fn`", found, &[]);
}

/// Each SAFETY comment with the lines that continue it.
fn safety_comments(text: &str) -> Vec<String> {
    let mut comments: Vec<String> = Vec::new();
    let mut open = false;
    for line in text.lines() {
        let Some((code, comment)) = line.split_once("//") else {
            open = false;
            continue;
        };
        if let Some(first) = comment.trim_start().strip_prefix("SAFETY:") {
            comments.push(first.to_owned());
            open = true;
        } else if open && code.trim().is_empty() {
            let last = comments.last_mut().expect("an open comment");
            last.push(' ');
            last.push_str(comment);
        } else {
            open = false;
        }
    }
    comments
}
