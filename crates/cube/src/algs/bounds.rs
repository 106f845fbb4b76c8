//! Several searches for the shortest solutions of all: each bound is searched in all of them before the next.
//!
//! So the first bound at which any search has a solution is the length of a shortest one, and no search goes deeper
//! than the shortest solution of all requires.

use search_core::ida::{Bounds, Config, Wanted};
use search_core::record::Iteration;
use search_core::{Ending, Lengths, Run};
use std::collections::BTreeSet;

/// All solutions of `searches` searches that are at most as much longer than the shortest of all as `config.wanted`
/// allows. `least` is a lower bound on all of them. `search` runs a search, given by its number, with one bound.
pub(crate) fn all<T: Ord + Clone, E>(
    searches: usize,
    least: u32,
    config: &Config,
    run: &Run<'_>,
    length: impl Fn(&T) -> u32,
    search: impl Fn(usize, u32) -> Result<Ending<T>, E>,
) -> Result<Ending<T>, E> {
    let extra = if let Wanted::All { extra } = config.wanted { extra } else { 0 };
    let config = config.clone().wanted(Wanted::All { extra });
    let mut bounds = Bounds::new(least, Lengths::ANY).with_config(&config);
    let (mut found, mut is_cancelled) = (BTreeSet::new(), false);
    while let Some(bound) = bounds.bound().filter(|_| !is_cancelled) {
        let mut next = None;
        for number in 0..searches {
            let ending = search(number, bound)?;
            next = next.into_iter().chain(next_bound(&ending, bound)).min();
            for solution in ending.solutions() {
                bounds.found(length(solution));
                found.insert((length(solution), solution.clone()));
            }
            is_cancelled = run.is_cancelled();
            if is_cancelled {
                break;
            }
        }
        if !is_cancelled {
            bounds.searched(Iteration { bound, complete: true, ..Iteration::default() }, next);
        }
    }
    Ok(bounds.ending(found.into_iter().map(|(_, solution)| solution).collect(), is_cancelled))
}

/// The least bound that can have a solution, after a search with one bound; `None` if none can.
fn next_bound<S>(ending: &Ending<S>, bound: u32) -> Option<u32> {
    match ending {
        Ending::Bounded { lower_bound, .. } => Some((*lower_bound).max(bound + 1)),
        Ending::Optimal { .. } => Some(bound + 1),
        Ending::Cancelled { .. } => Some(bound),
        Ending::Exhausted => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::convert::Infallible;

    /// Runs searches that have one solution of each of these lengths.
    fn of(lengths: &[&[u32]], extra: u32, max_bound: Option<u32>) -> Ending<(u32, usize)> {
        let config = Config::default().wanted(Wanted::All { extra }).max_bound(max_bound);
        let search = |number: usize, bound: u32| {
            Ok::<_, Infallible>(match lengths[number] {
                [] => Ending::Exhausted,
                all if all.contains(&bound) => {
                    Ending::Optimal { length: bound, solutions: vec![(bound, number)], complete: true }
                }
                _ => Ending::bounded(bound + 1),
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
        assert_eq!(of(&[&[5], &[7]], 0, Some(4)), Ending::bounded(5));
        assert_eq!(of(&[&[], &[]], 0, None), Ending::Exhausted);
    }
}
