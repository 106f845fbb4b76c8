//! The referee's own search for lower bounds: breadth-first from both ends.
//!
//! The idea: each side holds the states at exactly the depth that it has reached. If the two newest layers have never
//! had a state in common, no path is as short as the sum of the two depths. The smaller layer is expanded next, so
//! `n` moves are excluded by about `2 b^(n/2)` states.
//!
//! Moves can be undone, so a neighbour of a state at depth `d` has depth `d - 1`, `d` or `d + 1`: removing the last
//! two layers from the neighbours leaves the next layer.
//!
//! A state whose depth plus estimate exceeds the bound is dropped. The estimate must be consistent: it is 0 at its end
//! and changes by at most one with each move. Then it never exceeds the distance, and a dropped state is on no path
//! within the bound. A kept state is reached at its true depth, because all states on a shortest path to it are
//! kept as well.
//!
//! The search is exact: whole states are compared, never hashes.

/// An end of the search: the start or the goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    Start,
    Goal,
}

/// A puzzle with one start and one or several goals.
pub(super) trait Space {
    /// A state, compared as a whole.
    type State: Copy + Ord;

    /// The states at an end; at least one.
    fn ends(&self, end: End) -> Vec<Self::State>;

    /// Calls `visit` with each state that is one move away. Moves can be undone.
    fn neighbours(&self, state: Self::State, visit: impl FnMut(Self::State));

    /// The minimum difference between the lengths of two paths, if the bound is the length of one.
    fn step(&self) -> u32 {
        1
    }

    /// A consistent lower bound on the distance of `state` from the states at an end.
    fn estimate(&self, _state: Self::State, _from: End) -> u32 {
        0
    }
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Outcome<S> {
    /// A shortest path, with both ends.
    Path(Vec<S>),
    /// Every path has more moves than this.
    MoreThan(u32),
    /// There is no path at all.
    Disconnected,
}

/// The result of a search, and the number of states that it expanded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Searched<S> {
    pub outcome: Outcome<S>,
    pub expanded: u64,
}

/// The states that one side reached, by depth; each layer is sorted.
struct Side<S> {
    layers: Vec<Vec<S>>,
}

impl<S: Copy + Ord> Side<S> {
    fn depth(&self) -> u32 {
        u32::try_from(self.layers.len() - 1).unwrap_or(u32::MAX)
    }

    fn newest(&self) -> &[S] {
        self.layers.last().expect("a side begins with a layer")
    }

    /// Adds the next layer, without states that cannot be on a path of at most `bound` moves to `towards`.
    fn advance<P: Space<State = S>>(&mut self, space: &P, towards: End, bound: u32) {
        let left = bound.saturating_sub(self.depth() + 1);
        let mut next = Vec::new();
        for &state in self.newest() {
            space.neighbours(state, |child| {
                if space.estimate(child, towards) <= left {
                    next.push(child);
                }
            });
        }
        next.sort_unstable();
        next.dedup();
        for layer in self.layers.iter().rev().take(2) {
            subtract(&mut next, layer);
        }
        next.shrink_to_fit();
        self.layers.push(next);
    }

    /// The states from the end of this side to `state`, which is in its newest layer.
    fn path_to<P: Space<State = S>>(&self, space: &P, state: S) -> Vec<S> {
        let mut path = vec![state];
        for layer in self.layers.iter().rev().skip(1) {
            let mut before = None;
            space.neighbours(path[path.len() - 1], |near| {
                if before.is_none() && layer.binary_search(&near).is_ok() {
                    before = Some(near);
                }
            });
            path.push(before.expect("a state of a layer has a neighbour in the layer before"));
        }
        path.reverse();
        path
    }
}

/// Removes from `states` those that are in `others`; both are sorted.
fn subtract<S: Copy + Ord>(states: &mut Vec<S>, others: &[S]) {
    let mut rest = others;
    states.retain(|state| {
        let smaller = rest.iter().take_while(|other| *other < state).count();
        rest = &rest[smaller..];
        rest.first() != Some(state)
    });
}

/// The first state that is in both lists; both are sorted.
fn common<S: Copy + Ord>(one: &[S], other: &[S]) -> Option<S> {
    let (few, many) = if one.len() < other.len() { (one, other) } else { (other, one) };
    few.iter().find(|state| many.binary_search(state).is_ok()).copied()
}

/// Searches for paths of at most `bound` moves, and expands at most `effort` states.
pub(super) fn search<P: Space>(space: &P, bound: u32, effort: u64) -> Searched<P::State> {
    let side = |end| {
        let mut first = space.ends(end);
        first.sort_unstable();
        first.dedup();
        Side { layers: vec![first] }
    };
    let (mut forward, mut backward) = (side(End::Start), side(End::Goal));
    let mut expanded = 0;
    let outcome = loop {
        if let Some(state) = common(forward.newest(), backward.newest()) {
            let mut path = forward.path_to(space, state);
            path.extend(backward.path_to(space, state).into_iter().rev().skip(1));
            break Outcome::Path(path);
        }
        let excluded = forward.depth().saturating_add(backward.depth());
        let is_forward = forward.newest().len() <= backward.newest().len();
        let (side, towards) =
            if is_forward { (&mut forward, End::Goal) } else { (&mut backward, End::Start) };
        if excluded >= bound {
            break Outcome::MoreThan(bound);
        }
        if side.newest().is_empty() {
            // This side has reached all states that it can reach within the bound.
            break if bound == u32::MAX { Outcome::Disconnected } else { Outcome::MoreThan(bound) };
        }
        let states = side.newest().len() as u64;
        if expanded + states > effort {
            break Outcome::MoreThan(excluded);
        }
        expanded += states;
        side.advance(space, towards, bound);
    };
    Searched { outcome, expanded }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers 0 to 19 in a ring, with or without a consistent estimate.
    struct Ring {
        ends: [u32; 2],
        estimates: bool,
    }

    fn apart(a: u32, b: u32) -> u32 {
        a.abs_diff(b).min(20 - a.abs_diff(b))
    }

    impl Space for Ring {
        type State = u32;
        fn ends(&self, end: End) -> Vec<u32> {
            vec![self.ends[usize::from(end == End::Goal)]]
        }
        fn neighbours(&self, state: u32, mut visit: impl FnMut(u32)) {
            visit((state + 1) % 20);
            visit((state + 19) % 20);
        }
        fn estimate(&self, state: u32, from: End) -> u32 {
            if self.estimates { apart(state, self.ends(from)[0]) / 2 } else { 0 }
        }
    }

    #[test]
    fn paths_are_shortest_and_bounds_are_exact() {
        for estimates in [false, true] {
            for goal in 0..20 {
                let ring = Ring { ends: [3, goal], estimates };
                let distance = apart(3, goal);
                for bound in 0..12 {
                    match search(&ring, bound, 100).outcome {
                        Outcome::Path(path) => {
                            assert!(distance <= bound && path.len() as u32 == distance + 1);
                            assert!(path[0] == 3 && path[path.len() - 1] == goal);
                            assert!(path.windows(2).all(|pair| apart(pair[0], pair[1]) == 1));
                        }
                        outcome => assert!(outcome == Outcome::MoreThan(bound) && distance > bound),
                    }
                }
                for effort in 0..9 {
                    let searched = search(&ring, 19, effort);
                    assert!(searched.expanded <= effort);
                    match searched.outcome {
                        Outcome::MoreThan(moves) => assert!(moves < distance),
                        Outcome::Path(path) => assert_eq!(path.len() as u32, distance + 1),
                        Outcome::Disconnected => panic!("a ring is connected"),
                    }
                }
            }
        }
    }

    /// Two rings of ten.
    struct Rings;

    impl Space for Rings {
        type State = u32;
        fn ends(&self, end: End) -> Vec<u32> {
            vec![if end == End::Start { 0 } else { 10 }]
        }
        fn neighbours(&self, state: u32, mut visit: impl FnMut(u32)) {
            visit(state / 10 * 10 + (state + 1) % 10);
            visit(state / 10 * 10 + (state + 9) % 10);
        }
    }

    /// A ring of twenty with two goals.
    struct TwoGoals(u32, [u32; 2]);

    impl Space for TwoGoals {
        type State = u32;
        fn ends(&self, end: End) -> Vec<u32> {
            if end == End::Start { vec![self.0] } else { self.1.to_vec() }
        }
        fn neighbours(&self, state: u32, mut visit: impl FnMut(u32)) {
            visit((state + 1) % 20);
            visit((state + 19) % 20);
        }
    }

    #[test]
    fn the_nearest_of_several_goals_is_found() {
        for (start, goals) in (0..20).flat_map(|start| (0..20).map(move |goal| (start, [goal, 7]))) {
            let distance = goals.iter().map(|&goal| apart(start, goal)).min().unwrap();
            let Outcome::Path(path) = search(&TwoGoals(start, goals), 20, 100).outcome else {
                panic!("a ring is connected");
            };
            assert_eq!((path[0], path.len() as u32), (start, distance + 1));
            assert!(goals.contains(&path[path.len() - 1]));
            if distance > 0 {
                let below = search(&TwoGoals(start, goals), distance - 1, 100).outcome;
                assert_eq!(below, Outcome::MoreThan(distance - 1));
            }
        }
    }

    #[test]
    fn ends_that_are_not_connected_have_no_path() {
        assert_eq!(search(&Rings, u32::MAX, 100).outcome, Outcome::Disconnected);
        assert_eq!(search(&Rings, 50, 100).outcome, Outcome::MoreThan(50));
        assert_eq!(search(&Rings, u32::MAX, 5).outcome, Outcome::MoreThan(3));
    }
}
