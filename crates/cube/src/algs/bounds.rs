//! Several searches of which the shortest solutions are wanted: all of them with one bound, then all with
//! the next.
//!
//! So the first bound at which any search has a solution is the length of a shortest one, and no search
//! goes deeper than the shortest of all requires.

use search_core::ida::{Config, Wanted};
use search_core::{Ending, Run};
use std::collections::BTreeSet;

/// All solutions, of any of `searches` searches, that are at most `config.wanted` longer than the
/// shortest of all; `least` is a lower bound on all of them. `search` runs the search of a number with one bound.
pub fn all<T: Ord, E>(
    searches: usize,
    least: u32,
    config: &Config,
    run: &Run<'_>,
    length: impl Fn(&T) -> u32,
    search: impl Fn(usize, u32) -> Result<Ending<T>, E>,
) -> Result<Ending<T>, E> {
    let extra = if let Wanted::All { extra } = config.wanted { extra } else { 0 };
    let mut found: BTreeSet<(u32, T)> = BTreeSet::new();
    let mut bound = least.max(config.min_bound);
    loop {
        let shortest = found.first().map(|(length, _)| *length);
        let last = shortest.map(|length| length.saturating_add(extra));
        if last.into_iter().chain(config.max_bound).min().is_some_and(|last| bound > last) {
            break;
        }
        let mut next: Option<u32> = None;
        for number in 0..searches {
            let after = match search(number, bound)? {
                Ending::Exhausted => None,
                Ending::Bounded { lower_bound } => Some(lower_bound.max(bound + 1)),
                Ending::Cancelled { .. } => Some(bound),
                Ending::Optimal { solutions, .. } => {
                    found.extend(solutions.into_iter().map(|solution| (length(&solution), solution)));
                    Some(bound + 1)
                }
            };
            next = next.into_iter().chain(after).min();
            if run.is_cancelled() {
                return Ok(ended(found, true, bound));
            }
        }
        match next {
            Some(next) => bound = next,
            None if found.is_empty() => return Ok(Ending::Exhausted),
            None => break,
        }
    }
    Ok(ended(found, false, bound))
}

/// How the searches end when all bounds below `bound` have been searched.
fn ended<T: Ord>(found: BTreeSet<(u32, T)>, is_cancelled: bool, bound: u32) -> Ending<T> {
    match found.first() {
        Some(&(length, _)) => {
            let solutions = found.into_iter().map(|(_, solution)| solution).collect();
            Ending::Optimal { length, solutions, complete: !is_cancelled }
        }
        None if is_cancelled => Ending::Cancelled { lower_bound: bound },
        None => Ending::Bounded { lower_bound: bound },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::convert::Infallible;

    /// Searches with solutions of these lengths; each length is a solution.
    fn of(lengths: &[&[u32]], extra: u32, max_bound: Option<u32>) -> Ending<(u32, usize)> {
        let config = Config::default().wanted(Wanted::All { extra }).max_bound(max_bound);
        let search = |number: usize, bound: u32| {
            Ok::<_, Infallible>(match lengths[number] {
                [] => Ending::Exhausted,
                all if all.contains(&bound) => {
                    Ending::Optimal { length: bound, solutions: vec![(bound, number)], complete: true }
                }
                _ => Ending::Bounded { lower_bound: bound + 1 },
            })
        };
        let Ok(ending) = all(lengths.len(), 1, &config, &Run::new(), |solution| solution.0, search);
        ending
    }

    #[test]
    fn the_shortest_of_all_searches_decides() {
        let optimal = |length, solutions: &[(u32, usize)]| Ending::Optimal {
            length,
            solutions: solutions.to_vec(),
            complete: true,
        };
        assert_eq!(of(&[&[5, 6], &[4, 7], &[]], 0, None), optimal(4, &[(4, 1)]));
        assert_eq!(of(&[&[5, 6], &[4, 7], &[]], 1, None), optimal(4, &[(4, 1), (5, 0)]));
        assert_eq!(of(&[&[5, 6], &[4, 7], &[]], 3, Some(5)), optimal(4, &[(4, 1), (5, 0)]));
        assert_eq!(of(&[&[5], &[7]], 0, Some(4)), Ending::Bounded { lower_bound: 5 });
        assert_eq!(of(&[&[], &[]], 0, None), Ending::Exhausted);
    }
}
