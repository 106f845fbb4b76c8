//! The interface between the checks and each puzzle.

use super::search::{End, Outcome, Searched, Space, search};

/// An instance of a puzzle: a legal start, a legal goal, and the cost of moves.
pub(super) trait Game {
    /// The reason why the goal cannot be reached from the start; `None` if it can.
    fn obstacle(&self) -> Option<String>;

    /// Whether every goal without an [`obstacle`](Self::obstacle) can be reached.
    fn is_always_reachable(&self) -> bool {
        true
    }

    /// The parity of the length of every path, if all paths have the same.
    fn parity(&self) -> Option<u32>;

    /// Whether the typed text of the instance describes this start (and goal, if the text has one); `None` if the
    /// referee cannot read it.
    fn is_described_by(&self, text: &str) -> Option<bool>;

    /// Replays a solution and returns its length.
    fn replay(&mut self, solution: &str) -> Result<u64, String>;

    /// Searches for paths of at most `bound` moves. Expands at most `effort` states, and the same number again if that
    /// is not enough for the bound.
    fn derive(&self, bound: u32, effort: u64) -> Derived;
}

/// The result of the referee's own search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Derived {
    pub result: Found,
    /// The method: a search with its number of states, or an argument.
    pub how: String,
}

/// The result of the referee's own search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// A shortest path: its length and, if it was found by a search, its moves.
    Path(u64, Option<String>),
    /// Every path has more moves than this.
    MoreThan(u32),
    /// There is no path.
    Disconnected,
}

/// Searches a space. `written` returns the text of the move between two neighbouring states; `separator` is put
/// between moves.
pub(super) fn searched<P: Space>(
    space: &P,
    bound: u32,
    effort: u64,
    separator: &str,
    written: impl Fn(P::State, P::State) -> String,
) -> Derived {
    let mut searched = search(space, bound, effort);
    if let Outcome::MoreThan(excluded) = searched.outcome
        && excluded < bound
    {
        let further = deepened(space, excluded, bound, effort);
        searched = Searched { expanded: searched.expanded + further.expanded, ..further };
    }
    let Searched { outcome, expanded } = searched;
    let result = match outcome {
        Outcome::Path(states) => {
            let moves: Vec<String> = states.windows(2).map(|pair| written(pair[0], pair[1])).collect();
            Found::Path(moves.len() as u64, Some(moves.join(separator)))
        }
        Outcome::MoreThan(bound) => Found::MoreThan(bound),
        Outcome::Disconnected => Found::Disconnected,
    };
    Derived { result, how: format!("breadth-first from both ends, {expanded} states expanded") }
}

/// Searches with increasing bounds below `bound`, after a first search excluded only some lengths: with a smaller
/// bound the estimate prunes more. Without an estimate this would gain nothing.
fn deepened<P: Space>(space: &P, mut excluded: u32, bound: u32, effort: u64) -> Searched<P::State> {
    let starts = space.ends(End::Start).into_iter();
    let estimate = starts.map(|start| space.estimate(start, End::Goal)).min().unwrap_or(0);
    let mut expanded = 0;
    if estimate > 0 {
        // The estimate never exceeds the distance.
        excluded = excluded.max(estimate - 1);
        while excluded < bound {
            // The next possible length of a path.
            let next = bound - (bound - excluded - 1) / space.step() * space.step();
            let further = search(space, next, effort - expanded);
            expanded += further.expanded;
            match further.outcome {
                Outcome::MoreThan(moves) if moves >= next => excluded = next,
                Outcome::MoreThan(_) => break,
                outcome => return Searched { outcome, expanded },
            }
        }
    }
    Searched { outcome: Outcome::MoreThan(excluded.min(bound)), expanded }
}

/// Whether a permutation is odd; `None` if it is not a permutation.
pub(super) fn is_odd(permutation: &[usize]) -> bool {
    let mut seen = vec![false; permutation.len()];
    let mut odd = false;
    for first in 0..permutation.len() {
        let mut at = first;
        let mut length = 0;
        while !std::mem::replace(&mut seen[at], true) {
            at = permutation[at];
            length += 1;
        }
        odd ^= length > 0 && length % 2 == 0;
    }
    odd
}
