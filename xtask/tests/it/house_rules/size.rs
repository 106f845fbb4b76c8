//! No source file is longer than 500 lines.

use super::sources::{assert_known, files};

/// The greatest number of lines of a source file.
const LIMIT: usize = 500;

/// Files that are still longer.
const LONGER: &[&str] = &[];

#[test]
fn no_source_file_is_too_long() {
    let long = files(".rs").into_iter().filter(|file| file.text.lines().count() > LIMIT);
    assert_known(&format!("a source file has at most {LIMIT} lines"), long.map(|file| file.path), LONGER);
}
