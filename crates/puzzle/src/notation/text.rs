//! Lines and comments.

/// Whether a character is white space.
pub(super) fn is_space(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{feff}' | '\u{200b}')
}

/// The lines of a text with comments replaced by spaces, so that every character keeps its column. A line ends with a
/// line feed, a carriage return, or both. A `/*` without its `*/` does not begin a comment.
pub(crate) fn lines(text: &str) -> Vec<String> {
    without_comments(text).split('\n').map(str::to_owned).collect()
}

/// The same with a line feed at the end of each line but the last.
pub(crate) fn without_comments(text: &str) -> String {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    // Whether a closing mark follows is looked up once, so that many opening marks cost no more than one.
    let last_end = text.rfind("*/");
    let (mut shown, mut rest) = (String::with_capacity(text.len()), &text[..]);
    while let Some(c) = rest.chars().next() {
        let at = text.len() - rest.len();
        let hidden = if c == '#' || rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") && last_end.is_some_and(|end| end >= at + 2) {
            rest[2..].find("*/").map_or(0, |end| end + 4)
        } else {
            0
        };
        shown.extend(rest[..hidden].chars().map(|c| if c == '\n' { c } else { ' ' }));
        if hidden == 0 {
            shown.push(c);
        }
        rest = &rest[hidden.max(c.len_utf8())..];
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_become_spaces_and_every_line_end_ends_a_line() {
        assert_eq!(lines("R // U\r\nF\rD"), ["R     ", "F", "D"]);
        assert_eq!(lines("R /* 1\n2 */ U"), ["R     ", "     U"]);
        assert_eq!(lines("R # U\nD /* U"), ["R    ", "D /* U"]);
    }
}
