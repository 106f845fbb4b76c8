//! Comments, lines and white space, which are the same in every format.
//!
//! A comment is `//` or `#` and the rest of its line, or a text between `/*` and `*/`. A semicolon does not
//! begin a comment: it separates the fields of a timer's export, and a comment there would hide moves. A line
//! ends with a line feed, a carriage return, or both.

/// Whether a character is white space.
pub(crate) fn is_space(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{feff}' | '\u{200b}')
}

/// The lines of a text with comments replaced by spaces, so that every character keeps its column. Superscripts
/// become plain digits.
pub(crate) fn lines(text: &str) -> Vec<String> {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let characters: Vec<char> = text.chars().collect();
    let (mut lines, mut line, mut at) = (Vec::new(), String::new(), 0);
    while let Some(&c) = characters.get(at) {
        let length = comment(&characters[at..]).max(1);
        for &c in &characters[at..at + length] {
            match c {
                '\n' => lines.push(std::mem::take(&mut line)),
                _ if length > 1 || c == '#' => line.push(' '),
                _ => line.push(plain(c)),
            }
        }
        debug_assert!(length == 1 || c == '/' || c == '#', "only comments are longer");
        at += length;
    }
    lines.push(line);
    lines
}

/// The length of the comment that some characters begin with; 0 if there is none. A `/*` without its `*/` does
/// not begin a comment.
fn comment(characters: &[char]) -> usize {
    let to_the_end = || characters.iter().position(|&c| c == '\n').unwrap_or(characters.len());
    match characters {
        ['#', ..] | ['/', '/', ..] => to_the_end(),
        ['/', '*', rest @ ..] => rest.windows(2).position(|two| two == ['*', '/']).map_or(0, |end| end + 4),
        _ => 0,
    }
}

/// The digit or sign that a superscript stands for.
fn plain(c: char) -> char {
    match c {
        '¹' => '1',
        '²' => '2',
        '³' => '3',
        '⁰' | '⁴'..='⁹' => char::from_digit(u32::from(c) - u32::from('⁰'), 10).unwrap_or(c),
        '⁻' => '-',
        _ => c,
    }
}

/// The symbols of a text, without white space, commas, comments and variation selectors (which follow some
/// coloured squares).
pub(crate) fn symbols(text: &str) -> Vec<char> {
    let meant = |c: &char| !is_space(*c) && !matches!(c, ',' | '\u{fe0f}');
    lines(text).iter().flat_map(|line| line.chars().filter(meant)).collect()
}

/// The words of a text, separated by white space and commas, without comments.
pub(crate) fn words(text: &str) -> Vec<String> {
    let separates = |c| is_space(c) || c == ',';
    let lines = lines(text);
    let words = lines.iter().flat_map(|line| line.split(separates));
    words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// Whether a text has only white space and comments.
pub(super) fn is_blank(text: &str) -> bool {
    symbols(text).is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_become_spaces_and_every_line_end_ends_a_line() {
        assert_eq!(lines("R // U\r\nF\rD"), ["R     ", "F", "D"]);
        assert_eq!(lines("R /* 1\n2 */ U"), ["R     ", "     U"]);
        assert_eq!(lines("R # U // F\nD"), ["R         ", "D"]);
        assert_eq!(lines("R /* U"), ["R /* U"]);
        assert_eq!(lines("R;U"), ["R;U"]);
        assert_eq!(lines("R² (U)⁶ F⁻¹"), ["R2 (U)6 F-1"]);
    }
}
