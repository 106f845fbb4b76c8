//! The ending of a search of any kind: iterative deepening, frontier search, or a search of a puzzle's own.
//!
//! An [`Ending`] is generic over what a solution is. A kernel finds strings of operators, a puzzle maps them to its
//! moves, and its command line maps those to [`Solution`]s that the referee has replayed; these conversions preserve
//! what is proved about the length.

use super::Iteration;
use serde::Serialize;
use std::convert::Infallible;
use std::fmt;
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// The ending of a search, with solutions of type `S`.
///
/// Every ending has a proved [lower bound](Ending::lower_bound) and, if a solution is known, an
/// [upper bound](Ending::upper_bound): the length of the best one. The two meet in [`Optimal`](Ending::Optimal).
///
/// In a run record it is an object with a `kind`: `optimal`, `lower_bound` or `exhausted`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Ending<S> {
    /// Solved; the length is proved to be shortest.
    Optimal {
        /// The length of a shortest solution.
        length: u32,
        /// The solutions, by length, then in the order of the search. At least one.
        solutions: Vec<S>,
        /// Whether all wanted solutions are listed (a cancelled search may lack some).
        #[serde(skip)]
        complete: bool,
    },
    /// Not proved within the given bound, or close enough to it; every solution has at least this length.
    #[serde(rename = "lower_bound")]
    Bounded {
        /// The proved lower bound.
        #[serde(rename = "length")]
        lower_bound: u32,
        /// The best solution so far.
        #[serde(skip)]
        best: Option<Best<S>>,
    },
    /// Cancelled; every solution has at least this length.
    #[serde(rename = "lower_bound")]
    Cancelled {
        /// The proved lower bound.
        #[serde(rename = "length")]
        lower_bound: u32,
        /// The best solution so far.
        #[serde(skip)]
        best: Option<Best<S>>,
    },
    /// No goal can be reached.
    Exhausted,
}

/// A solution that is not proved shortest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Best<S> {
    /// Its length, an upper bound on that of a shortest solution.
    pub length: u32,
    /// The solution.
    pub solution: S,
}

impl<S> Best<S> {
    /// The same with the solution converted by `f`.
    fn try_map<T, E>(self, f: impl FnOnce(S) -> Result<T, E>) -> Result<Best<T>, E> {
        Ok(Best { length: self.length, solution: f(self.solution)? })
    }
}

impl<S> Ending<S> {
    /// The ending of a successful search for one solution.
    pub fn solved(length: u32, solution: S) -> Ending<S> {
        Ending::Optimal { length, solutions: vec![solution], complete: true }
    }

    /// The ending of a search that reached its limit without a solution.
    pub fn bounded(lower_bound: u32) -> Ending<S> {
        Ending::Bounded { lower_bound, best: None }
    }

    /// The ending of a search that was cancelled without a solution.
    pub fn cancelled(lower_bound: u32) -> Ending<S> {
        Ending::Cancelled { lower_bound, best: None }
    }

    /// The same ending with a solution that is already known. If it is as short as the lower bound, it is optimal;
    /// `are_all` states whether no other solution is wanted.
    ///
    /// The known solution is ignored if the search has found a shortest one, or if `known` is not shorter than the
    /// best of this ending.
    #[must_use]
    pub fn knowing(self, known: Option<Best<S>>, are_all: bool) -> Ending<S> {
        let (lower_bound, best, is_cancelled) = match self {
            Ending::Bounded { lower_bound, best } => (lower_bound, best, false),
            Ending::Cancelled { lower_bound, best } => (lower_bound, best, true),
            ending => return ending,
        };
        match best.into_iter().chain(known).min_by_key(|best| best.length) {
            Some(Best { length, solution }) if length <= lower_bound => {
                Ending::Optimal { length, solutions: vec![solution], complete: are_all }
            }
            best if is_cancelled => Ending::Cancelled { lower_bound, best },
            best => Ending::Bounded { lower_bound, best },
        }
    }

    /// The greatest proved lower bound on the length of every solution; `None` if there is no solution.
    pub fn lower_bound(&self) -> Option<u32> {
        match *self {
            Ending::Optimal { length, .. } => Some(length),
            Ending::Bounded { lower_bound, .. } | Ending::Cancelled { lower_bound, .. } => Some(lower_bound),
            Ending::Exhausted => None,
        }
    }

    /// The length of the best solution so far.
    pub fn upper_bound(&self) -> Option<u32> {
        match self {
            Ending::Optimal { length, .. } => Some(*length),
            Ending::Bounded { best, .. } | Ending::Cancelled { best, .. } => {
                best.as_ref().map(|best| best.length)
            }
            Ending::Exhausted => None,
        }
    }

    /// The best solution so far.
    pub fn best(&self) -> Option<&S> {
        match self {
            Ending::Optimal { solutions, .. } => solutions.first(),
            Ending::Bounded { best, .. } | Ending::Cancelled { best, .. } => {
                best.as_ref().map(|best| &best.solution)
            }
            Ending::Exhausted => None,
        }
    }

    /// The difference between the bounds; `None` if no solution is known.
    pub fn gap(&self) -> Option<u32> {
        Some(self.upper_bound()?.saturating_sub(self.lower_bound()?))
    }

    /// Whether the best solution is proved shortest.
    pub fn is_proved(&self) -> bool {
        matches!(self, Ending::Optimal { .. })
    }

    /// The same ending where all solutions are longer by `by`, because of moves that the search did not see.
    #[must_use]
    pub fn longer_by(self, by: u32) -> Ending<S> {
        let longer = |best: Option<Best<S>>| best.map(|best| Best { length: best.length + by, ..best });
        match self {
            Ending::Optimal { length, solutions, complete } => {
                Ending::Optimal { length: length + by, solutions, complete }
            }
            Ending::Bounded { lower_bound, best } => {
                Ending::Bounded { lower_bound: lower_bound + by, best: longer(best) }
            }
            Ending::Cancelled { lower_bound, best } => {
                Ending::Cancelled { lower_bound: lower_bound + by, best: longer(best) }
            }
            Ending::Exhausted => Ending::Exhausted,
        }
    }

    /// The proved length of a shortest solution.
    pub fn length(&self) -> Option<u32> {
        match self {
            Ending::Optimal { length, .. } => Some(*length),
            _ => None,
        }
    }

    /// The solutions; none unless the ending is [`Optimal`](Ending::Optimal).
    pub fn solutions(&self) -> &[S] {
        match self {
            Ending::Optimal { solutions, .. } => solutions,
            _ => &[],
        }
    }

    /// Whether the search was cancelled before it found a solution.
    pub fn is_cancelled(&self) -> bool {
        matches!(self, Ending::Cancelled { .. })
    }

    /// The same ending with `f` applied to each solution.
    pub fn map<T>(self, mut f: impl FnMut(S) -> T) -> Ending<T> {
        let Ok(ending) = self.try_map(|solution| Ok::<T, Infallible>(f(solution)));
        ending
    }

    /// The same ending with `f` applied to each solution.
    ///
    /// # Errors
    /// The first error of `f`.
    pub(crate) fn try_map<T, E>(self, mut f: impl FnMut(S) -> Result<T, E>) -> Result<Ending<T>, E> {
        Ok(match self {
            Ending::Optimal { length, solutions, complete } => {
                let solutions = solutions.into_iter().map(f).collect::<Result<_, E>>()?;
                Ending::Optimal { length, solutions, complete }
            }
            Ending::Bounded { lower_bound, best } => {
                let best = best.map(|best| best.try_map(&mut f)).transpose()?;
                Ending::Bounded { lower_bound, best }
            }
            Ending::Cancelled { lower_bound, best } => {
                let best = best.map(|best| best.try_map(&mut f)).transpose()?;
                Ending::Cancelled { lower_bound, best }
            }
            Ending::Exhausted => Ending::Exhausted,
        })
    }

    /// The same ending with one of its solutions, each of which is equally likely for a random `seed`. The choice depends on the
    /// seed and the number of solutions alone. It is one of all shortest solutions if the search listed these.
    #[must_use]
    pub fn at_random(self, seed: u64) -> Ending<S> {
        self.choose(|mut solutions| match solutions.len() as u64 {
            0 => solutions,
            count => vec![solutions.swap_remove(uniform(seed, count) as usize)],
        })
    }

    /// The ending of the same search limited to solutions of at most `longest` moves.
    #[must_use]
    pub fn within(self, longest: u32) -> Ending<S> {
        match self {
            Ending::Optimal { length, .. } if length > longest => Ending::bounded(length),
            ending => ending,
        }
    }

    /// The same ending with the solutions that `choose` returns. If it returns none, a lower bound remains: the
    /// length, or one more if all solutions of this length had been found.
    #[must_use]
    pub fn choose(self, choose: impl FnOnce(Vec<S>) -> Vec<S>) -> Ending<S> {
        match self {
            Ending::Optimal { length, solutions, complete } => match choose(solutions) {
                none if none.is_empty() && complete => Ending::bounded(length + 1),
                none if none.is_empty() => Ending::cancelled(length),
                solutions => Ending::Optimal { length, solutions, complete },
            },
            ending => ending,
        }
    }
}

/// A number below `count` that a seed determines; for a random seed each is equally likely. Hashes of the seed that would make
/// small numbers likelier are passed over.
fn uniform(seed: u64, count: u64) -> u64 {
    let fair = u64::MAX - u64::MAX % count;
    let mut hashes = (0_u64..).map(|round| xxh3_64_with_seed(&round.to_le_bytes(), seed));
    hashes.find(|&hash| hash < fair).expect("most hashes are fair") % count
}

/// The ending of a search and its counts.
#[derive(Clone, Debug, PartialEq)]
pub struct Report<S> {
    /// How it ended.
    pub ending: Ending<S>,
    /// Each bound that was searched, in order.
    pub iterations: Vec<Iteration>,
}

impl<S> Report<S> {
    /// The same report with `f` applied to each solution.
    pub fn map<T>(self, f: impl FnMut(S) -> T) -> Report<T> {
        Report { ending: self.ending.map(f), iterations: self.iterations }
    }

    /// The same report with `f` applied to each solution.
    ///
    /// # Errors
    /// The first error of `f`.
    pub fn try_map<T, E>(self, f: impl FnMut(S) -> Result<T, E>) -> Result<Report<T>, E> {
        Ok(Report { ending: self.ending.try_map(f)?, iterations: self.iterations })
    }

    /// Children generated in all iterations.
    pub fn generated(&self) -> u64 {
        self.iterations.iter().map(|iteration| iteration.generated).sum()
    }

    /// Nodes expanded in all iterations.
    pub fn expanded(&self) -> u64 {
        self.iterations.iter().map(|iteration| iteration.expanded).sum()
    }

    /// Seconds of all iterations.
    pub fn seconds(&self) -> f64 {
        self.iterations.iter().map(|iteration| iteration.seconds).sum()
    }
}

/// A solution to print. In a run record it is the string of its moves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Solution {
    /// Its length in the metric of the search.
    #[serde(skip)]
    pub length: u32,
    /// The moves in the puzzle's notation.
    pub moves: String,
}

impl Solution {
    /// The first move: where the text has one character for each move, the first one, and otherwise the first word. Of turns
    /// of two opposite faces that count as one move, it is one. Empty if there are no moves.
    pub fn first_move(&self) -> &str {
        let is_of_letters = self.moves.chars().count() == self.length as usize;
        let end = self.moves.find(char::is_whitespace).unwrap_or(self.moves.len());
        let letter = self.moves.chars().next().map_or(0, char::len_utf8);
        &self.moves[..if is_of_letters { letter } else { end }]
    }
}

/// The length, then the moves.
impl fmt::Display for Solution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let separator = if self.moves.is_empty() { "" } else { " " };
        write!(f, "{}{separator}{}", self.length, self.moves)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mapping_preserves_the_proved_length() {
        let optimal = Ending::Optimal { length: 3, solutions: vec!["a", "b"], complete: false };
        let mapped = optimal.clone().map(str::len);
        assert_eq!(mapped, Ending::Optimal { length: 3, solutions: vec![1, 1], complete: false });
        assert_eq!(optimal.clone().try_map(|_| Err::<(), _>("no")), Err("no"));
        assert_eq!(Ending::<u8>::bounded(4).try_map(Err::<u8, _>), Ok(Ending::bounded(4)));
        assert_eq!(optimal.clone().within(3), optimal);
        assert_eq!(optimal.clone().within(2), Ending::bounded(3));
        assert_eq!(optimal.clone().choose(|all| all[1..].to_vec()).solutions(), ["b"]);
        assert_eq!(optimal.choose(|_| Vec::new()), Ending::cancelled(3));
        let complete = Ending::Optimal { length: 3, solutions: vec!["a"], complete: true };
        assert_eq!(complete.choose(|_| Vec::new()), Ending::bounded(4));
    }

    #[test]
    fn a_known_solution_as_short_as_the_lower_bound_is_optimal() {
        let known = |length| Some(Best { length, solution: "a" });
        let open = Ending::bounded(7).knowing(known(9), true);
        assert_eq!((open.lower_bound(), open.upper_bound(), open.gap()), (Some(7), Some(9), Some(2)));
        assert_eq!((open.best(), open.is_proved(), open.length()), (Some(&"a"), false, None));
        assert_eq!(
            Ending::cancelled(9).knowing(known(9), false),
            Ending::Optimal { length: 9, solutions: vec!["a"], complete: false }
        );
        assert_eq!(open.clone().knowing(known(10), true), open);
        assert_eq!(open.clone().knowing(known(7), true), Ending::solved(7, "a"));
        assert_eq!(Ending::solved(7, "b").knowing(known(7), true), Ending::solved(7, "b"));
        assert_eq!((Ending::<u8>::cancelled(7).gap(), Ending::<u8>::Exhausted.gap()), (None, None));
        let longer = open.longer_by(3);
        assert_eq!((longer.lower_bound(), longer.upper_bound()), (Some(10), Some(12)));
        assert_eq!(
            longer.try_map(|text| Ok::<_, ()>(text.len())).map(|ending| ending.best().copied()),
            Ok(Some(1))
        );
    }

    #[test]
    fn the_first_move_is_a_letter_or_a_word() {
        let first =
            |length, moves: &str| Solution { length, moves: moves.to_owned() }.first_move().to_owned();
        let cases = [
            (0, "", ""),
            (1, "R'", "R'"),
            (2, "R2 U'", "R2"),
            (4, "LURD", "L"),
            (2, "R2", "R"),
            (1, "U D'", "U"),
        ];
        for (length, moves, wanted) in cases {
            assert_eq!(first(length, moves), wanted, "{moves}");
        }
        assert_eq!((first(2, "L2 U3"), first(3, "10 11 2")), ("L2".into(), "10".into()));
    }

    #[test]
    fn every_solution_is_equally_likely() {
        for count in [1_u64, 2, 3, 7, 100] {
            let all = || (0..count).collect::<Vec<_>>();
            let ending = Ending::Optimal { length: 3, solutions: all(), complete: true };
            let (draws, mut counts) = (2000 * count, vec![0_u64; count as usize]);
            for seed in 0..draws {
                let chosen = ending.clone().at_random(seed);
                assert_eq!((chosen.length(), chosen.solutions().len()), (Some(3), 1));
                assert_eq!(chosen, ending.clone().at_random(seed));
                counts[chosen.solutions()[0] as usize] += 1;
            }
            // Six standard deviations.
            assert!(counts.iter().all(|&count| count.abs_diff(2000) < 6 * 45), "{counts:?}");
        }
        assert_eq!(Ending::<u8>::bounded(4).at_random(1), Ending::bounded(4));
    }

    #[test]
    fn records_contain_moves_and_lengths() {
        let json = |ending: Ending<Solution>| serde_json::to_string(&ending).unwrap();
        let solution = Solution { length: 2, moves: "R U".into() };
        assert_eq!(solution.to_string(), "2 R U");
        assert_eq!(Solution { length: 0, moves: String::new() }.to_string(), "0");
        assert_eq!(json(Ending::solved(2, solution)), r#"{"kind":"optimal","length":2,"solutions":["R U"]}"#);
        let bound = r#"{"kind":"lower_bound","length":7}"#;
        assert_eq!(json(Ending::bounded(7)), bound);
        assert_eq!(json(Ending::cancelled(7)), bound);
        assert_eq!(json(Ending::Exhausted), r#"{"kind":"exhausted"}"#);
    }
}
