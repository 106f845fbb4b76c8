//! Comments and white space, which mean the same in every format.

/// Whether a character is white space.
pub(crate) fn is_space(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{feff}' | '\u{200b}')
}

/// A line without its comment (from `//`, `#` or `;` to the end).
pub(crate) fn without_comment(line: &str) -> &str {
    let end = ["//", "#", ";"].iter().filter_map(|mark| line.find(mark)).min();
    &line[..end.unwrap_or(line.len())]
}

/// The symbols of a text, without white space, commas, comments and variation selectors (which
/// follow some coloured squares).
pub(crate) fn symbols(text: &str) -> Vec<char> {
    let meant = |c: &char| !is_space(*c) && !matches!(c, ',' | '\u{fe0f}');
    text.lines().flat_map(|line| without_comment(line).chars().filter(meant)).collect()
}

/// The words of a text, separated by white space and commas, without comments.
pub(crate) fn words(text: &str) -> Vec<&str> {
    let separates = |c| is_space(c) || c == ',';
    let words = text.lines().flat_map(|line| without_comment(line).split(separates));
    words.filter(|word| !word.is_empty()).collect()
}

/// Whether a text has only white space and comments.
pub fn is_blank(text: &str) -> bool {
    symbols(text).is_empty()
}
