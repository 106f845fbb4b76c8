//! Lines and comments.

/// Whether a character is white space.
pub(super) fn is_space(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{feff}' | '\u{200b}')
}

/// The lines of a text with comments replaced by spaces, so that every character keeps its column. A line ends with a
/// line feed, a carriage return, or both. A `/*` without its `*/` does not begin a comment.
pub(crate) fn lines(text: &str) -> Vec<String> {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let characters: Vec<char> = text.chars().collect();
    // Whether a closing mark follows is looked up once, so that many opening marks cost no more than one.
    let last_end = characters.windows(2).rposition(|two| two == ['*', '/']);
    let (mut lines, mut line, mut at) = (Vec::new(), String::new(), 0);
    while let Some(&c) = characters.get(at) {
        let rest = &characters[at..];
        let length = match rest {
            ['#', ..] | ['/', '/', ..] => rest.iter().position(|&c| c == '\n').unwrap_or(rest.len()),
            ['/', '*', inner @ ..] if last_end.is_some_and(|end| end >= at + 2) => {
                inner.windows(2).position(|two| two == ['*', '/']).map_or(0, |end| end + 4)
            }
            _ => 0,
        };
        for &hidden in &rest[..length] {
            match hidden {
                '\n' => lines.push(std::mem::take(&mut line)),
                _ => line.push(' '),
            }
        }
        if length == 0 {
            match c {
                '\n' => lines.push(std::mem::take(&mut line)),
                _ => line.push(c),
            }
        }
        at += length.max(1);
    }
    lines.push(line);
    lines
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
