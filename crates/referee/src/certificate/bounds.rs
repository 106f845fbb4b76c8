//! Compares the exhausted bounds with the claimed length.
//!
//! This checks that the certificate is consistent. Whether the bounds were really searched is taken on trust, beyond
//! the reach of the referee's own search.

use super::{Certificate, Search};

/// The conclusion from the bounds about a length.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Fit {
    /// The bounds lead up to the length without a gap.
    Exact(String),
    /// The bounds leave a gap, which a heuristic may explain.
    Gap(String),
    /// The bounds contradict the length.
    Wrong(String),
}

/// Compares the bounds with the claimed `length`. Lengths differ by multiples of `step`. With `is_solved`, a solution
/// of this length is claimed, not only that none is shorter.
pub(super) fn fit(certificate: &Certificate, length: u32, step: u32, is_solved: bool) -> Fit {
    let bounds: Vec<u32> = certificate.exhausted.iter().map(|exhausted| exhausted.bound).collect();
    if let Some(pair) = bounds.windows(2).find(|pair| pair[0] >= pair[1]) {
        return Fit::Wrong(format!("bound {} comes after bound {}", pair[1], pair[0]));
    }
    let last = bounds.last().copied();
    match certificate.search {
        Search::Ida | Search::Shamir => {
            let most = if is_solved { certificate.all.map_or(length, |all| all.up_to) } else { length };
            deepening(&bounds, length, step, most, is_solved)
        }
        Search::Layers => match last {
            _ if bounds.len() > 1 => Fit::Wrong("a search by layers has one bound".to_owned()),
            Some(bound) if is_solved && bound != length => {
                Fit::Wrong(format!("the search ended at {bound}, not {length}"))
            }
            Some(bound) if bound > length => Fit::Wrong(format!("{bound} is beyond {length}")),
            Some(bound) => Fit::Exact(format!("one search, to {bound}")),
            None => Fit::Gap("no bound is listed".to_owned()),
        },
        Search::HalfDepth => {
            // Solutions have odd lengths: the largest disc moves once, and the other moves come in pairs. So the
            // length after `2 · bound + 1`, which was decided, is `2 · bound + 3`.
            let reach = |bound: u32| u64::from(bound) * 2 + if is_solved { 3 } else { 2 };
            match last {
                _ if bounds.len() > 1 => Fit::Wrong("a search to the middle has one bound".to_owned()),
                Some(bound) if reach(bound) < u64::from(length) => {
                    Fit::Wrong(format!("bound {bound} is less than half of {length}"))
                }
                Some(bound) => Fit::Exact(format!("twice {bound} and 1 is {}", 2 * u64::from(bound) + 1)),
                None => Fit::Gap("no bound is listed".to_owned()),
            }
        }
    }
}

/// The bounds of an iterative-deepening search: first those below the length, then those with solutions, up to `most`.
fn deepening(bounds: &[u32], length: u32, step: u32, most: u32, is_solved: bool) -> Fit {
    if let Some(bound) = bounds.iter().find(|&&bound| bound % step != length % step) {
        return Fit::Wrong(format!("bound {bound} has another parity than length {length}"));
    }
    if !is_solved && bounds.contains(&length) {
        return Fit::Wrong(format!("bound {length} is exhausted, so every solution is longer than {length}"));
    }
    if let Some(bound) = bounds.iter().find(|&&bound| bound > most) {
        return Fit::Wrong(format!("bound {bound} is beyond length {most}"));
    }
    let below: Vec<u32> = bounds.iter().copied().filter(|&bound| bound < length).collect();
    let expected = |at: usize| below.get(at + 1).copied().unwrap_or(length);
    let gap = below.iter().enumerate().find(|&(at, &bound)| expected(at) - bound > step);
    match (gap, &below[..]) {
        (Some((at, bound)), _) => Fit::Gap(format!("bound {bound} is followed by {}", expected(at))),
        (None, [first]) => Fit::Exact(format!("{first}, then {length}")),
        (None, [first, .., last]) => Fit::Exact(format!("{first} to {last}, then {length}")),
        (None, []) => {
            Fit::Gap(format!("no bound is below {length}: the heuristic alone excludes smaller lengths"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn deepened(bounds: &[u32], length: u32, step: u32) -> Fit {
        deepening(bounds, length, step, length, true)
    }

    #[test]
    fn bounds_lead_up_to_the_length() {
        assert!(matches!(deepened(&[], 5, 1), Fit::Gap(_)));
        assert!(matches!(deepened(&[5], 5, 1), Fit::Gap(_)));
        assert!(matches!(deepened(&[3, 4], 5, 1), Fit::Exact(_)));
        assert!(matches!(deepened(&[3, 4, 5], 5, 1), Fit::Exact(_)));
        assert!(matches!(deepened(&[1, 3], 5, 2), Fit::Exact(_)));
        assert!(matches!(deepened(&[1, 4], 5, 1), Fit::Gap(_)));
        assert!(matches!(deepened(&[2, 3], 5, 1), Fit::Gap(_)));
        assert!(matches!(deepened(&[2], 5, 2), Fit::Wrong(_)));
        assert!(matches!(deepened(&[6], 5, 1), Fit::Wrong(_)));
        assert!(matches!(deepening(&[4, 5, 6], 5, 1, 6, true), Fit::Exact(_)));
        assert!(matches!(deepening(&[4, 5], 5, 1, 5, false), Fit::Wrong(_)));
        assert!(matches!(deepening(&[4], 5, 1, 5, false), Fit::Exact(_)));
    }
}
