//! Standard error: what cannot be written there (closed, full) is lost, and the work goes on.

use std::fmt::Display;
use std::io::{self, Write};

/// Writes `text` and a newline.
pub(crate) fn line(text: impl Display) {
    write(format!("{text}\n").as_bytes());
}

/// Writes `bytes`.
pub(crate) fn write(bytes: &[u8]) {
    let _ = io::stderr().write_all(bytes);
}
