//! A figure of a paper or of ours: an exact count, or a measured or printed decimal.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// A count or a decimal. In JSON and in fixtures it is a string, since counts pass 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Number {
    /// An exact count.
    Count(u128),
    /// A finite decimal.
    Real(f64),
}

impl Number {
    /// The number as a decimal.
    pub fn real(self) -> f64 {
        match self {
            Number::Count(count) => count as f64,
            Number::Real(real) => real,
        }
    }

    /// Whether it is another number but for the rounding of decimals.
    pub fn is_near(self, other: Number) -> bool {
        match (self, other) {
            (Number::Count(a), Number::Count(b)) => a == b,
            (a, b) => (a.real() - b.real()).abs() <= 1e-9 * a.real().abs().max(b.real().abs()),
        }
    }

    /// For display: counts in groups of three digits, decimals to about five digits.
    pub fn pretty(self) -> String {
        match self {
            Number::Count(count) => grouped(&count.to_string()),
            Number::Real(real) if real.abs() >= 100_000.0 => grouped(&format!("{real:.0}")),
            Number::Real(real) => {
                let decimals = match real.abs() {
                    r if r >= 1000.0 => 1,
                    r if r >= 100.0 => 2,
                    r if r >= 1.0 || r == 0.0 => 3,
                    _ => 4,
                };
                let text = format!("{real:.decimals$}");
                text.trim_end_matches('0').trim_end_matches('.').to_owned()
            }
        }
    }
}

/// Digits in groups of three.
pub(crate) fn grouped(digits: &str) -> String {
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Number::Count(count) => count.fmt(f),
            Number::Real(real) => real.fmt(f),
        }
    }
}

impl FromStr for Number {
    type Err = String;

    fn from_str(text: &str) -> Result<Number, String> {
        if let Ok(count) = text.parse() {
            return Ok(Number::Count(count));
        }
        let real = text.parse().ok().filter(|real: &f64| real.is_finite());
        real.map(Number::Real).ok_or_else(|| format!("{text:?} is no number"))
    }
}

impl TryFrom<String> for Number {
    type Error = String;
    fn try_from(text: String) -> Result<Number, String> {
        text.parse()
    }
}

impl From<Number> for String {
    fn from(number: Number) -> String {
        match number {
            // Keeps a decimal a decimal when it is read again.
            Number::Real(real) if real.fract() == 0.0 => format!("{real:.1}"),
            number => number.to_string(),
        }
    }
}

macro_rules! counts {
    ($($kind:ty),*) => { $(impl From<$kind> for Number {
        fn from(count: $kind) -> Number {
            Number::Count(count as u128)
        }
    })* };
}
counts!(u8, u32, u64, usize, u128);

impl From<f64> for Number {
    fn from(real: f64) -> Number {
        Number::Real(real)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_written_and_shown() {
        for (text, pretty) in [
            ("246639261965462754048", "246,639,261,965,462,754,048"),
            ("8.764", "8.764"),
            ("13.34847", "13.348"),
            ("0.08098", "0.081"),
            ("2.0", "2"),
            ("1234567.5", "1,234,568"),
            ("7", "7"),
        ] {
            let number: Number = text.parse().unwrap();
            assert_eq!((String::from(number), number.pretty()), (text.to_owned(), pretty.to_owned()));
        }
        assert!("".parse::<Number>().is_err() && "NaN".parse::<Number>().is_err());
        assert!("-1".parse::<Number>().is_ok() && "1,000".parse::<Number>().is_err());
    }
}
