//! Shortening a long path: its windows are replaced by optimal paths.
//!
//! The idea: a window of a path is a part of at most `N` consecutive moves. A path between its ends that costs less can
//! take its place, since all other moves stay valid. Windows of `N` moves are searched from the start of the path to its
//! end; after a replacement, the windows that overlap it are searched again. Windows of two, four, eight, ... moves come
//! first, because they cost little and leave less to the large ones. Before all of them, cycles are cut out.
//!
//! Invariant: the path begins and ends in the same states as the given one, and never costs more. When the work is
//! complete, the path is *locally optimal*: each part of it with at most `N` moves is a cheapest path between its ends.
//! Parts of cheapest paths are cheapest paths, so windows of exactly `N` moves suffice (or the whole path, if it has no
//! more, which is then a cheapest path itself). A replacement changes no window that ends before it, so the sweep steps
//! back by `N - 1` moves at most.
//!
//! Ties: a window may have several cheapest paths, and another one may open a shorter path to the windows beside it. Each
//! round of ties sweeps over the path, and puts a random cheapest path in the place of each window; the best path of all
//! rounds remains, and is then made locally optimal again.
//!
//! Cost: a path of `L` moves has `L - N + 1` windows, and each move that it loses has `N` of them searched again. What a
//! window costs depends on its search ([`Shorten::cheapest`]). [`Bidirectional`] visits about `2 b^(N / 2)` states, where
//! `b` is the branching factor, fewer with a heuristic.
//!
//! Sources: D. Ratner and I. Pohl, "Joint and LPA*: combination of approximation and search" (AAAI 1986), which improves
//! segments of a solution by local searches; H. Nakhost and M. Müller, "Action elimination and plan neighborhood graph
//! search" (ICAPS 2010), which compares ways to shorten plans.

mod bidirectional;

pub use bidirectional::Bidirectional;

use crate::progress::Cancelled;
use crate::run::Run;
use std::collections::HashMap;
use std::hash::Hash;

/// The moves of a puzzle, and optimal paths between near states.
pub trait Shorten {
    /// A legal state.
    type State: Clone + Eq + Hash;
    /// A move of a path.
    type Move: Clone;

    /// The state that a move leads to. The move is applicable.
    fn apply(&self, state: &Self::State, step: &Self::Move) -> Self::State;

    /// The cost of a move, at least 1.
    fn cost(&self, step: &Self::Move) -> u32 {
        let _ = step;
        1
    }

    /// A cheapest path between the ends of a window if one costs at most [`Window::most`], otherwise `None`.
    ///
    /// # Errors
    /// [`Unsolved`] if the work must stop, or needs too much memory.
    fn cheapest(
        &self,
        window: &Window<'_, Self::State, Self::Move>,
        run: &Run<'_>,
    ) -> Result<Option<Vec<Self::Move>>, Unsolved>;
}

/// A part of a path.
#[derive(Clone, Copy, Debug)]
pub struct Window<'a, S, M> {
    /// The state before its moves.
    pub from: &'a S,
    /// The state after its moves.
    pub to: &'a S,
    /// Its moves.
    pub moves: &'a [M],
    /// The cost of its moves.
    pub cost: u32,
    /// The greatest cost of a path that is wanted.
    pub most: u32,
    /// Chooses among paths of equal cost. `None` for any of them.
    pub choice: Option<u64>,
}

/// The reason why a window was not solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unsolved {
    /// The work must stop.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// Its states need more memory than there is.
    #[error("the states of a window exceed the memory budget")]
    Memory,
}

/// The settings of the improvement of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Improve {
    window: usize,
    ties: u32,
    seed: u64,
}

impl Improve {
    /// Windows of up to `window` moves, at least 1, without ties.
    pub fn windows(window: usize) -> Improve {
        Improve { window: window.max(1), ties: 0, seed: 0 }
    }

    /// Sets the number of rounds of random ties, and the seed of the choices.
    #[must_use]
    pub fn ties(self, rounds: u32, seed: u64) -> Improve {
        Improve { ties: rounds, seed, ..self }
    }

    /// Shortens the path of `moves` from `start`. If the work must stop, the result is the best path so far.
    ///
    /// ```
    /// use search_core::improve::{Bidirectional, Improve};
    /// use search_core::testing::Pancakes;
    /// use search_core::{Op, Run};
    ///
    /// let moves = [1, 4, 4, 2, 0, 2, 0, 2, 0].map(Op::new);
    /// let windows = Bidirectional::new(&Pancakes::<6>, |_: &[u8; 6], _: &[u8; 6]| 0);
    /// let improved = Improve::windows(4).path(&windows, &[3, 0, 4, 1, 5, 2], &moves, &Run::new());
    /// assert!(improved.is_complete && improved.moves.len() < 7);
    /// ```
    pub fn path<W: Shorten>(
        &self,
        windows: &W,
        start: &W::State,
        moves: &[W::Move],
        run: &Run<'_>,
    ) -> Improved<W::Move> {
        let mut work = Work { windows, path: Path::without_cycles(windows, start, moves), searched: 0 };
        let ending = work.improve(self, run);
        let Work { path, searched, .. } = work;
        let cost = path.moves.iter().map(|step| windows.cost(step)).sum();
        let is_complete = ending.is_ok() && path.unsolved == 0;
        let is_cheapest = is_complete && path.moves.len() <= self.window;
        Improved { moves: path.moves, cost, searched, unsolved: path.unsolved, is_complete, is_cheapest }
    }
}

/// A path after its improvement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Improved<M> {
    /// The moves.
    pub moves: Vec<M>,
    /// Their cost.
    pub cost: u32,
    /// The number of windows that were searched.
    pub searched: u64,
    /// The number of windows that needed too much memory, and were left as they are.
    pub unsolved: u64,
    /// Whether no window of the path can be shortened: the work was not stopped, and all windows were solved.
    pub is_complete: bool,
    /// Whether the whole path is proved cheapest, because it fits in one window.
    pub is_cheapest: bool,
}

/// The path while it is improved.
#[derive(Clone)]
struct Path<S, M> {
    moves: Vec<M>,
    /// The states before each move, and the last one.
    states: Vec<S>,
    /// The number of windows of the last sweep that were not solved.
    unsolved: u64,
}

impl<S: Clone + Eq + Hash, M: Clone> Path<S, M> {
    /// A path without its cycles: of the moves between two visits of a state none remains.
    fn without_cycles<W>(windows: &W, start: &S, moves: &[M]) -> Path<S, M>
    where
        W: Shorten<State = S, Move = M>,
    {
        let (mut states, mut kept) = (vec![start.clone()], Vec::new());
        let mut places = HashMap::from([(start.clone(), 0)]);
        for step in moves {
            let next = windows.apply(&states[kept.len()], step);
            if let Some(&place) = places.get(&next) {
                for state in states.drain(place + 1..) {
                    places.remove(&state);
                }
                kept.truncate(place);
            } else {
                kept.push(step.clone());
                places.insert(next.clone(), kept.len());
                states.push(next);
            }
        }
        Path { moves: kept, states, unsolved: 0 }
    }

    /// Puts other moves with the same effect in the place of those from `from` to `to`.
    fn replace<W>(&mut self, windows: &W, from: usize, to: usize, moves: Vec<M>)
    where
        W: Shorten<State = S, Move = M>,
    {
        let mut states = Vec::with_capacity(moves.len());
        for step in &moves {
            states.push(windows.apply(states.last().unwrap_or(&self.states[from]), step));
        }
        debug_assert!(*states.last().unwrap_or(&self.states[from]) == self.states[to], "the same end");
        self.moves.splice(from..to, moves);
        self.states.splice(from + 1..=to, states);
    }
}

/// The improvement of a path.
struct Work<'a, W: Shorten> {
    windows: &'a W,
    path: Path<W::State, W::Move>,
    searched: u64,
}

impl<W: Shorten> Work<'_, W> {
    fn cost(&self, moves: &[W::Move]) -> u32 {
        moves.iter().map(|step| self.windows.cost(step)).sum()
    }

    fn improve(&mut self, settings: &Improve, run: &Run<'_>) -> Result<(), Cancelled> {
        let mut small = 2;
        while small < settings.window {
            self.sweep(small, None, run)?;
            small *= 2;
        }
        self.sweep(settings.window, None, run)?;
        for round in 1..=u64::from(settings.ties) {
            if self.path.moves.len() <= settings.window {
                break;
            }
            let before = self.path.clone();
            let swept = self
                .sweep(settings.window, Some(settings.seed ^ round << 32), run)
                .and_then(|()| self.sweep(settings.window, None, run));
            if swept.is_err() {
                // Without a gain, the path before the round is preferable: it is locally optimal.
                if self.cost(&self.path.moves) < self.cost(&before.moves) {
                    return swept;
                }
                self.path = before;
                break;
            }
        }
        Ok(())
    }

    /// Searches the windows of `size` moves from the start to the end, those again that overlap a replacement. With a
    /// `seed`, each window becomes a random cheapest path.
    fn sweep(&mut self, size: usize, seed: Option<u64>, run: &Run<'_>) -> Result<(), Cancelled> {
        let mut at = 0;
        self.path.unsolved = 0;
        loop {
            run.check()?;
            let Path { moves, states, .. } = &self.path;
            let end = moves.len().min(at + size);
            let cost = self.cost(&moves[at..end]);
            let (from, to, choice) = (&states[at], &states[end], seed.map(|seed| seed ^ self.searched));
            let most = if seed.is_some() { cost } else { cost.saturating_sub(1) };
            let window = Window { from, to, moves: &moves[at..end], cost, most, choice };
            let found = if at == end { Ok(None) } else { self.windows.cheapest(&window, run) };
            self.searched += u64::from(at < end);
            match found {
                Ok(Some(moves)) => {
                    let is_cheaper = self.cost(&moves) < cost;
                    self.path.replace(self.windows, at, end, moves);
                    if is_cheaper {
                        at = at.saturating_sub(size - 1);
                        continue;
                    }
                }
                Ok(None) => {}
                Err(Unsolved::Cancelled(cancelled)) => return Err(cancelled),
                Err(Unsolved::Memory) => self.path.unsolved += 1,
            }
            if at + size >= self.path.moves.len() {
                return Ok(());
            }
            at += 1;
        }
    }
}

#[cfg(test)]
mod tests;
