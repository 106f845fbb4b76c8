//! Shorter paths on four pegs, by optimal windows; and a lower bound that needs no long search.
//!
//! The idea: a window of a path moves only its smallest discs, say `k`. The larger ones never hinder them, so a shortest
//! path between the two states of these `k` discs can take the place of the window. For few discs a search by bitmaps
//! from both ends finds it in about a millisecond, however long the path. Windows with larger discs are short, and are
//! searched from both ends state by state.
//!
//! The lower bound: the discs are divided into groups of consecutive sizes. The moves of one group, without those of the
//! other discs, are a path between its two states, so it has at least as many moves as a shortest one. Each move belongs
//! to one group, so the sum is a lower bound (the argument for disjoint pattern databases: Korf & Felner 2006).
//!
//! Invariant: as for all windows ([`search_core::improve`]): both ends stay, and the path never becomes longer. A path
//! that also moves larger discs is no shorter than one of the window's own discs: without the moves of the larger discs
//! it is still a path, since these never hinder smaller ones.
//!
//! Cost: a search of `FEW` discs keeps some layers of 4^`FEW` bits; a group has a table of 4^`GROUP` distances.

use crate::bitmap::shape::SMALL;
use crate::both_ends;
use crate::error::SearchError;
use crate::model::{Move, Puzzle, State, to_u32};
use crate::presumed::four_peg_length;
use crate::reference::{self, Distances};
use search_core::improve::{Bidirectional, Improve, Improved, Shorten, Unsolved, Window};
use search_core::{Domain, Ending, Run, Silent};

/// The number of moves in a window where the user names none.
pub const WINDOW: usize = 64;
/// The greatest number of moves of a path that is improved before a search.
const LONGEST: usize = 1 << 10;
/// The greatest number of discs of a window that is searched by bitmaps.
const FEW: u32 = 10;
/// The greatest number of discs of a group.
const GROUP: u32 = 8;
/// The greatest number of moves of a window with more discs.
const SHORT: usize = 12;

/// The windows of a path.
struct Windows {
    puzzle: Puzzle,
}

impl Shorten for Windows {
    type State = State;
    type Move = Move;

    fn apply(&self, state: &State, step: &Move) -> State {
        state.with(step.disc, step.to)
    }

    fn cheapest(
        &self,
        window: &Window<'_, State, Move>,
        run: &Run<'_>,
    ) -> Result<Option<Vec<Move>>, Unsolved> {
        let discs = window.moves.iter().map(|step| step.disc + 1).max().unwrap_or(0);
        let (from, to) = (window.from.smallest(discs), window.to.smallest(discs));
        let is_tower = |state| (0..4).any(|peg| state == State::all_on(peg, discs));
        if from == to {
            return Ok(Some(Vec::new()));
        }
        if discs <= FEW {
            // The lengths for so few discs are proved.
            let is_shortest = is_tower(from) && is_tower(to) && window.cost == four_peg_length(discs);
            return if is_shortest { Ok(None) } else { shortest(discs, (from, to), window.most, run) };
        }
        if window.moves.len() > SHORT {
            return Err(Unsolved::Memory);
        }
        let search = Bidirectional::new(&self.puzzle, |from: &State, to: &State| {
            least_moved(self.puzzle.discs(), *from, *to)
        });
        let Window { from, to, cost, most, choice, .. } = *window;
        let found = search.cheapest(&Window { from, to, moves: &[], cost, most, choice }, run)?;
        let mut now = *from;
        Ok(found.map(|ops| {
            let step = |op| {
                let step = self.puzzle.move_of(now, op);
                now = self.puzzle.apply(&now, op);
                step
            };
            ops.into_iter().map(step).collect()
        }))
    }
}

/// A shortest path of a few discs on four pegs, if it has at most `most` moves.
fn shortest(
    discs: u32,
    (from, to): (State, State),
    most: u32,
    run: &Run<'_>,
) -> Result<Option<Vec<Move>>, Unsolved> {
    let puzzle = Puzzle::new(discs, 4).expect("at least one disc");
    if discs < *SMALL.start() {
        let path = reference::path(&puzzle, &reference::distances(&puzzle, [to]), from);
        return Ok(Some(path).filter(|path| to_u32(path.len()) <= most));
    }
    let silent = run.with_progress(&Silent);
    match both_ends::shortest_path(&puzzle, from, to, most, &silent) {
        Ok((Ending::Optimal { solutions, .. }, _)) => Ok(solutions.into_iter().next()),
        Ok((Ending::Cancelled { .. }, _)) => Err(run.check().err().map_or(Unsolved::Memory, Unsolved::from)),
        Ok(_) => Ok(None),
        Err(both_ends::Stopped { error: SearchError::Cancelled(cancelled), .. }) => Err(cancelled.into()),
        Err(_) => Err(Unsolved::Memory),
    }
}

/// A shortened path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shorter {
    /// The moves.
    pub moves: Vec<Move>,
    /// A proved lower bound on the length of every path between the two ends.
    pub lower_bound: u32,
    /// Whether no window of the moves can be shortened.
    pub is_complete: bool,
}

/// The moves that are made from `from`, given by their pegs, and the state that they lead to. They must be legal.
pub fn followed(
    puzzle: &Puzzle,
    from: State,
    pegs: impl IntoIterator<Item = (usize, usize)>,
) -> (Vec<Move>, State) {
    let mut now = from;
    let step = |(from, to)| {
        let (disc, from, to) = (now.tops(puzzle.discs())[from], to_u32(from), to_u32(to));
        now = now.with(disc, to);
        Move { disc, from, to }
    };
    let moves = pegs.into_iter().map(step).collect();
    (moves, now)
}

/// Shortens a path of `puzzle`, which has four pegs, between two states.
///
/// # Panics
/// If the puzzle has another number of pegs.
pub fn shorter(
    puzzle: &Puzzle,
    (from, to): (State, State),
    moves: &[Move],
    settings: &Improve,
    run: &Run<'_>,
) -> Shorter {
    let Improved { moves, cost, is_complete, is_cheapest, .. } = windows(puzzle, from, moves, settings, run);
    let discs = puzzle.discs();
    let least = || match Groups::new(discs, to, run) {
        Ok(groups) => groups.distance(from),
        Err(_) => least_moved(discs, from, to),
    };
    let lower_bound = if is_cheapest { cost } else { least().min(cost) };
    Shorter { moves, lower_bound, is_complete }
}

/// Replaces the windows of a path by shortest ones.
fn windows(
    puzzle: &Puzzle,
    from: State,
    moves: &[Move],
    settings: &Improve,
    run: &Run<'_>,
) -> Improved<Move> {
    assert_eq!(puzzle.pegs(), 4, "the windows are of four pegs");
    settings.path(&Windows { puzzle: *puzzle }, &from, moves, run)
}

/// Shortens a path that is the upper bound of a search, if that takes little time.
pub(crate) fn upper_bound(puzzle: &Puzzle, from: State, moves: Vec<Move>, run: &Run<'_>) -> Vec<Move> {
    if moves.len() > LONGEST {
        return moves;
    }
    windows(puzzle, from, &moves, &Improve::windows(WINDOW), run).moves
}

/// The number of discs on other pegs: a lower bound without a table.
pub(crate) fn least_moved(discs: u32, from: State, to: State) -> u32 {
    to_u32((0..discs).filter(|&disc| from.peg(disc) != to.peg(disc)).count())
}

/// A group of discs of consecutive sizes, and the distances of its states to the goal.
struct Group {
    smallest: u32,
    discs: u32,
    distances: Distances,
}

/// Two divisions of the discs into groups: full groups from the largest disc on, and from the smallest.
pub(crate) struct Groups([Vec<Group>; 2]);

impl Groups {
    /// The groups of `discs` discs on four pegs and their distances to `to`.
    ///
    /// # Errors
    /// [`SearchError::Cancelled`].
    pub(crate) fn new(discs: u32, to: State, run: &Run<'_>) -> Result<Groups, SearchError> {
        let group = |smallest: u32, end: u32| {
            let size = end - smallest;
            let puzzle = Puzzle::new(size, 4).expect("at least one disc");
            let goal = to.smallest(end).above(smallest);
            let distances = reference::cancellable_distances(&puzzle, [goal], run)?;
            Ok::<_, SearchError>(Group { smallest, discs: size, distances })
        };
        let (mut down, mut up, mut end) = (Vec::new(), Vec::new(), discs);
        while end > 0 {
            let smallest = end.saturating_sub(GROUP);
            down.push(group(smallest, end)?);
            up.push(group(discs - end, discs - smallest)?);
            end = smallest;
        }
        Ok(Groups([down, up]))
    }

    /// A lower bound on the number of moves from `from` to the goal.
    pub(crate) fn distance(&self, from: State) -> u32 {
        let part = |group: &Group| {
            let state = from.smallest(group.smallest + group.discs).above(group.smallest);
            u32::from(group.distances[state.index()])
        };
        self.0.iter().map(|groups| groups.iter().map(part).sum()).max().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recursion;
    use search_core::testing::Random;

    fn random_state(discs: u32, random: &mut Random) -> State {
        (0..discs).fold(State::START, |state, disc| state.with(disc, to_u32(random.below(4))))
    }

    #[test]
    fn both_bounds_enclose_the_distance_and_paths_stay_legal() {
        let (discs, run) = (9, Run::new().with_threads(1));
        let puzzle = Puzzle::new(discs, 4).unwrap();
        let mut random = Random::new(7);
        let (mut gained, mut exact_bounds) = (0, 0);
        for goal in (0..3).map(|_| random_state(discs, &mut random)).collect::<Vec<_>>() {
            let distances = reference::distances(&puzzle, [goal]);
            let groups = Groups::new(discs, goal, &run).unwrap();
            for _ in 0..20 {
                let from = random_state(discs, &mut random);
                let moves = recursion::path(discs, from, goal, 1 << 20).unwrap();
                let better = upper_bound(&puzzle, from, moves.clone(), &run);
                let end = better.iter().fold(from, |state, step| {
                    let op = puzzle.op(step.from, step.to);
                    assert!(puzzle.applicable(&state).contains(op) && puzzle.move_of(state, op) == *step);
                    puzzle.apply(&state, op)
                });
                let (exact, lower) = (u32::from(distances[from.index()]), groups.distance(from));
                assert!(end == goal && lower <= exact && exact <= to_u32(better.len()));
                assert!(better.len() <= moves.len() && lower >= least_moved(discs, from, goal));
                gained += moves.len() - better.len();
                exact_bounds += u32::from(exact == to_u32(better.len()));
            }
        }
        assert!(gained > 0 && exact_bounds > 30, "{gained} moves, {exact_bounds} shortest");
    }

    /// Walks become paths whose windows are shortest, by the exact distances of all states.
    #[test]
    fn shortened_walks_have_optimal_windows_and_both_bounds() {
        let (discs, run) = (6, Run::new().with_threads(1));
        let puzzle = Puzzle::new(discs, 4).unwrap();
        let mut random = Random::new(11);
        for (length, window) in [(10, 4), (60, 8), (60, 30)] {
            for _ in 0..5 {
                let from = random_state(discs, &mut random);
                let (mut to, mut moves) = (from, Vec::new());
                for _ in 0..length {
                    let ops: Vec<_> = puzzle.applicable(&to).into_iter().collect();
                    let op = ops[random.below(ops.len())];
                    moves.push(puzzle.move_of(to, op));
                    to = puzzle.apply(&to, op);
                }
                let found = shorter(&puzzle, (from, to), &moves, &Improve::windows(window), &run);
                let mut states = vec![from];
                for step in &found.moves {
                    let (now, op) = (states[states.len() - 1], puzzle.op(step.from, step.to));
                    assert!(puzzle.applicable(&now).contains(op) && puzzle.move_of(now, op) == *step);
                    states.push(puzzle.apply(&now, op));
                }
                let least =
                    |from: State, to: State| u32::from(reference::distances(&puzzle, [to])[from.index()]);
                assert!(found.is_complete && states.last() == Some(&to) && found.moves.len() <= moves.len());
                let exact = least(from, to);
                assert!(found.lower_bound <= exact && exact <= to_u32(found.moves.len()));
                assert!(found.moves.len() > window || found.lower_bound == exact);
                for (at, state) in states.iter().enumerate().skip(window) {
                    assert_eq!(least(states[at - window], *state), to_u32(window));
                }
            }
        }
    }

    #[test]
    fn a_tower_has_the_sum_of_its_groups_as_lower_bound() {
        let (run, peg) = (Run::new().with_threads(1), |peg| State::all_on(peg, 20));
        let groups = Groups::new(20, peg(3), &run).unwrap();
        assert_eq!((groups.distance(peg(0)), groups.distance(peg(3))), (33 + 33 + 9, 0));
        run.cancel().cancel();
        assert!(Groups::new(20, peg(3), &run).is_err());
        assert_eq!(least_moved(20, peg(0), peg(3)), 20);
    }
}
