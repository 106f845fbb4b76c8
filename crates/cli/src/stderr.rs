//! Standard error: if it cannot be written (closed, full), the text is lost and the work continues.

use std::fmt::{self, Display};
use std::io::{self, Write};

/// Writes `text`, [escaped](printable()), and a newline.
pub(crate) fn line(text: impl Display) {
    write(format!("{}\n", printable(&text.to_string())).as_bytes());
}

/// The text with control characters other than newlines and tabs as escapes, so that an instance or a
/// file name cannot control the terminal.
pub(crate) fn printable(text: &str) -> String {
    let is_plain = |c: char| !c.is_control() || c == '\n' || c == '\t';
    let escaped = |c: char| if is_plain(c) { c.to_string() } else { c.escape_default().to_string() };
    text.chars().map(escaped).collect()
}

/// Writes a text of at most some hundred bytes without allocating memory.
pub(crate) fn plain(text: fmt::Arguments<'_>) {
    let mut buffer = io::Cursor::new([0; 512]);
    let _ = buffer.write_fmt(text);
    let end = buffer.position() as usize;
    write(&buffer.get_ref()[..end]);
}

/// Writes `bytes`.
pub(crate) fn write(bytes: &[u8]) {
    let _ = io::stderr().write_all(bytes);
}

#[cfg(test)]
mod tests {
    use super::printable;

    #[test]
    fn control_characters_are_escaped() {
        assert_eq!(printable("a\tb\nü\x1b[2J\r\u{9b}"), "a\tb\nü\\u{1b}[2J\\r\\u{9b}");
    }
}
