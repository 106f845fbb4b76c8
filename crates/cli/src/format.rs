//! Sizes, counts and durations: reading what people type, and printing for people.

use indicatif::HumanCount;
use std::time::Duration;

/// The units of a size, longest names first. A bare letter and `…iB` are powers of 1024, `…B`
/// powers of 1000.
const SIZES: [(&str, u64); 14] = [
    ("kib", 1 << 10),
    ("mib", 1 << 20),
    ("gib", 1 << 30),
    ("tib", 1 << 40),
    ("kb", 1_000),
    ("mb", 1_000_000),
    ("gb", 1_000_000_000),
    ("tb", 1_000_000_000_000),
    ("k", 1 << 10),
    ("m", 1 << 20),
    ("g", 1 << 30),
    ("t", 1 << 40),
    ("b", 1),
    ("", 1),
];

/// The units of a duration in milliseconds.
const DURATIONS: [(&str, u64); 6] =
    [("ms", 1), ("s", 1_000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000), ("", 1_000)];

/// Reads a size in bytes: `4GiB`, `512M`, `1.5g`, `2GB` (decimal), or plain bytes.
///
/// # Errors
/// A message that lists the forms.
pub fn parse_bytes(text: &str) -> Result<u64, String> {
    let lower = text.trim().to_ascii_lowercase();
    let (number, unit) = split_number(&lower);
    scaled(number, unit.trim_start(), &SIZES)
        .ok_or_else(|| format!("`{text}` is not a size; write 4GiB, 512MiB, 2G or plain bytes"))
}

/// Reads a duration: `90` or `90s` (seconds), `5m`, `1.5h`, `1h30m`, `250ms`, `2d`.
///
/// # Errors
/// A message that lists the forms.
pub fn parse_duration(text: &str) -> Result<Duration, String> {
    let wrong = || format!("`{text}` is not a duration; write 90, 90s, 5m, 1h or 1h30m");
    let (mut rest, mut sum) = (text.trim(), 0u64);
    loop {
        let (number, tail) = split_number(rest);
        let (unit, tail) = tail.split_at(tail.find(|c: char| c.is_ascii_digit()).unwrap_or(tail.len()));
        let part = scaled(number, unit, &DURATIONS).ok_or_else(wrong)?;
        sum = sum.checked_add(part).ok_or_else(wrong)?;
        rest = tail;
        if rest.is_empty() {
            return Ok(Duration::from_millis(sum));
        }
    }
}

/// The digits and points that `text` begins with, and the rest.
fn split_number(text: &str) -> (&str, &str) {
    text.split_at(text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len()))
}

/// `number` times its unit, rounded down; `None` when either is not known or the product is too great.
fn scaled(number: &str, unit: &str, units: &[(&str, u64)]) -> Option<u64> {
    let (_, scale) = units.iter().find(|(name, _)| *name == unit)?;
    match number.parse::<u64>() {
        Ok(whole) => whole.checked_mul(*scale),
        Err(_) => {
            let value = number.parse::<f64>().ok().filter(|_| number.contains('.'))? * *scale as f64;
            (value < 9e18).then_some(value as u64)
        }
    }
}

/// A size as people type it, rounded up: `42MiB`.
pub fn whole_mebibytes(bytes: u64) -> String {
    format!("{}MiB", bytes.div_ceil(1 << 20))
}

/// A size for people: `42.0 MiB`, `1.5 GiB`, `17 B`.
pub fn format_bytes(bytes: u64) -> String {
    let mut value = bytes as f64;
    let mut unit = "B";
    for next in ["KiB", "MiB", "GiB", "TiB"] {
        // Greater values would be printed as 1024.0.
        if value < 1023.95 {
            break;
        }
        value /= 1024.0;
        unit = next;
    }
    if unit == "B" { format!("{bytes} B") } else { format!("{value:.1} {unit}") }
}

/// A count for people: `88,179,840`.
pub fn format_count(count: u64) -> String {
    HumanCount(count).to_string()
}

/// A duration for people: `0.004 s`, `12.3 s`, `4 min 05 s`, `2 h 03 min`, `3 d 04 h`.
pub fn format_duration(duration: Duration) -> String {
    let (exact, whole) = (duration.as_secs_f64(), (duration.as_millis() as u64 + 500) / 1000);
    match whole {
        0 if exact < 0.0995 => format!("{exact:.3} s"),
        0..10 => format!("{exact:.2} s"),
        10..60 => format!("{exact:.1} s"),
        60..3_600 => format!("{} min {:02} s", whole / 60, whole % 60),
        3_600..86_400 => format!("{} h {:02} min", whole / 3_600, whole / 60 % 60),
        _ => format!("{} d {:02} h", whole / 86_400, whole / 3_600 % 24),
    }
}

/// A rate for people: `25.1 M/s`; `-` when no time has passed.
pub fn format_rate(count: u64, duration: Duration) -> String {
    format_per_second(count as f64 / duration.as_secs_f64())
}

/// A rate for people, from units per second; `-` when it is not a number.
pub fn format_per_second(rate: f64) -> String {
    match rate {
        r if !r.is_finite() => "-".to_owned(),
        r if r >= 999.95e6 => format!("{:.1} G/s", r / 1e9),
        r if r >= 999.95e3 => format!("{:.1} M/s", r / 1e6),
        r if r >= 999.95 => format!("{:.1} k/s", r / 1e3),
        r => format!("{r:.1} /s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read() {
        let good = [
            ("0", 0),
            ("1234", 1234),
            ("1234B", 1234),
            ("2G", 2 << 30),
            ("2gib", 2 << 30),
            ("2 GiB", 2 << 30),
            ("2GB", 2_000_000_000),
            ("1.5MiB", 3 << 19),
            ("512k", 512 << 10),
            ("1T", 1 << 40),
        ];
        for (text, bytes) in good {
            assert_eq!(parse_bytes(text), Ok(bytes), "{text}");
        }
        for text in ["", "GiB", "-1", "1e9", "1.2.3G", "4GiBs", "99999999999T", ".", "9e99", "NaN", "inf"] {
            assert!(parse_bytes(text).is_err(), "{text}");
        }
    }

    #[test]
    fn durations_are_read() {
        let good = [
            ("90", 90_000),
            ("90s", 90_000),
            ("5m", 300_000),
            ("1h", 3_600_000),
            ("1h30m", 5_400_000),
            ("250ms", 250),
            ("0.5", 500),
            ("0", 0),
            ("2d", 172_800_000),
        ];
        for (text, millis) in good {
            assert_eq!(parse_duration(text), Ok(Duration::from_millis(millis)), "{text}");
        }
        for text in ["", "s", "-1s", "1w", "1h30x", "999999999999999d", "1 hour"] {
            assert!(parse_duration(text).is_err(), "{text}");
        }
    }

    #[test]
    fn sizes_counts_and_durations_are_formatted_for_people() {
        assert_eq!(format_bytes(0), "0 B");
        assert_eq!(format_bytes(1023), "1023 B");
        assert_eq!(format_bytes(44_089_920), "42.0 MiB");
        assert_eq!(format_bytes((1 << 30) - 1), "1.0 GiB");
        assert_eq!(format_count(7), "7");
        assert_eq!(format_count(999), "999");
        assert_eq!(format_count(88_179_840), "88,179,840");
        for (millis, text) in [
            (0, "0.000 s"),
            (4, "0.004 s"),
            (99, "0.099 s"),
            (100, "0.10 s"),
            (1_234, "1.23 s"),
            (59_499, "59.5 s"),
            (59_999, "1 min 00 s"),
            (245_000, "4 min 05 s"),
            (7_380_000, "2 h 03 min"),
            (273_600_000, "3 d 04 h"),
        ] {
            assert_eq!(format_duration(Duration::from_millis(millis)), text);
        }
        assert_eq!(format_rate(25_100_000, Duration::from_secs(1)), "25.1 M/s");
        assert_eq!(format_rate(1, Duration::ZERO), "-");
    }
}
