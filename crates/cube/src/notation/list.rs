//! A line of a timer's list of solves: `12. 23.45[slow] R U R' @2024-01-31 12:34:56`.
//!
//! csTimer writes a number, the time, a comment in brackets, the scramble and optionally the date.
//! A time may be in brackets, have a penalty (`23.45+`) or phases (`23.45=11.20+12.25`), or be
//! `DNF(23.45)`. Lists of scrambles have only the number (`12) R U R'`).

use super::text::is_space;

/// The scramble in a line of a list, with all other characters replaced by spaces; `None` if the text is not
/// such a line.
pub(super) fn scramble(text: &str) -> Option<String> {
    let line: Vec<char> = text.chars().collect();
    let begin = after_result(&line, after_number(&line)?);
    let end = line.iter().position(|&c| c == '@').unwrap_or(line.len()).max(begin);
    let kept = |(at, &c): (usize, &char)| if (begin..end).contains(&at) { c } else { ' ' };
    (!line.contains(&'\n')).then(|| line.iter().enumerate().map(kept).collect())
}

/// The start of the text after `12.` or `12)` and a space.
fn after_number(line: &[char]) -> Option<usize> {
    let begin = line.iter().take_while(|&&c| is_space(c)).count();
    let end = begin + line[begin..].iter().take_while(|c| c.is_ascii_digit()).count();
    let space = line.get(end + 1).is_none_or(|&c| is_space(c));
    (end > begin && matches!(line.get(end), Some('.' | ')')) && space).then_some(end + 1)
}

/// The start of the text after a time and its comment; `from` if there is no time.
fn after_result(line: &[char], from: usize) -> usize {
    let begin = from + line[from..].iter().take_while(|&&c| is_space(c)).count();
    let length = line[begin..].iter().take_while(|&&c| !is_space(c) && c != '[').count();
    let end = begin + length;
    if !is_result(&line[begin..end]) {
        return from;
    }
    after_comment(line, end)
}

/// The start of the text after the comment at `from`; `from` if there is none. A comment may contain brackets.
fn after_comment(line: &[char], from: usize) -> usize {
    let mut open = 0;
    for (at, c) in line.iter().enumerate().skip(from) {
        match c {
            '[' => open += 1,
            ']' => open -= 1,
            _ => {}
        }
        if open == 0 {
            return if at == from { from } else { at + 1 };
        }
    }
    from
}

/// Whether a word is a time, or stands for a missing one.
fn is_result(word: &[char]) -> bool {
    let word: String = word.iter().collect();
    let digits = |text: &str| text.contains(|c: char| c.is_ascii_digit());
    match word.trim_start_matches('(').strip_prefix("DNF") {
        Some(rest) => rest.chars().all(is_of_time),
        None => word.chars().all(is_of_time) && digits(&word),
    }
}

fn is_of_time(c: char) -> bool {
    c.is_ascii_digit() || matches!(c, '.' | ':' | '+' | '=' | '(' | ')')
}
