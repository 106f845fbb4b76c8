//! Sizes and durations, as options take them.

use puzzle_cli::format::{format_bytes, format_duration, parse_bytes, parse_duration, whole_mebibytes};

/// A size: what is printed for a command line is at least as much, by less than a mebibyte.
pub fn bytes(text: &str) {
    let size = match parse_bytes(text) {
        Ok(size) => size,
        Err(message) => return assert!(message.contains("4GiB")),
    };
    assert!(!format_bytes(size).is_empty());
    let printed = whole_mebibytes(size);
    // The last mebibyte below 2^64 bytes rounds up to 2^64.
    if let Some(whole) = size.checked_next_multiple_of(1 << 20) {
        assert_eq!(parse_bytes(&printed), Ok(whole), "{text:?}");
    }
}

/// A duration: printing it as milliseconds gives it back.
pub fn duration(text: &str) {
    let duration = match parse_duration(text) {
        Ok(duration) => duration,
        Err(message) => return assert!(message.contains("1h30m")),
    };
    assert!(!format_duration(duration).is_empty());
    assert_eq!(parse_duration(&format!("{}ms", duration.as_millis())), Ok(duration), "{text:?}");
}
