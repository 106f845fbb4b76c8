//! Permutation puzzles: the referee's space of colourings, and what it can prove about them.
//!
//! Rotations are free. If the conjugate of every move by every rotation is a move, the rotations of a solution can be made
//! at its end: the moves between them become their conjugates, as many as before. So the search is for the rotated forms of
//! the goal, by moves alone. It needs moves that can be undone by moves, and rules only where nothing is rotated. What does
//! not meet these conditions is replayed, and not searched.
//!
//! Parity: if all colours differ, every move is an odd permutation and every rotation an even one, the length of every
//! solution has the parity of the permutation from start to goal.

use super::game::{Derived, Found, Game, is_odd, searched};
use super::search::{End, Space};
use super::{Blocked, Named};
use crate::permutation::{MAX_POINTS, Step, names};
use std::collections::BTreeSet;

/// The maximum number of moves, and of rotations.
const MAX_STEPS: usize = 4096;
/// The maximum number of rotated forms of a goal.
const MAX_ROTATED: usize = 10_000;

/// A start, a goal, and the steps between them.
pub(super) struct Permutations {
    moves: Vec<Step>,
    rotations: Vec<Step>,
    blocked: Vec<Blocked>,
    start: Vec<u8>,
    /// The goal as it is given, then its other rotated forms.
    goals: Vec<Vec<u8>>,
    /// The reason why nothing is searched, if there is one.
    unsearched: Option<&'static str>,
}

impl Permutations {
    /// Reads the puzzle, or describes its faults.
    pub(super) fn read(
        moves: &[Named],
        rotations: &[Named],
        blocked: &[Blocked],
        start: &[u8],
        goal: &[u8],
    ) -> Result<Permutations, String> {
        let points = start.len();
        if !(1..=MAX_POINTS).contains(&points) || goal.len() != points {
            return Err(format!(
                "start and goal have {points} and {} points; both need the same number, 1 to {MAX_POINTS}",
                goal.len()
            ));
        }
        if moves.len() > MAX_STEPS || rotations.len() > MAX_STEPS {
            return Err(format!("there are more than {MAX_STEPS} moves or rotations"));
        }
        let step = |named: &Named| match named.from.len() {
            length if length == points => {
                Step::new(&named.name, &named.from).map_err(|refusal| refusal.to_string())
            }
            length => Err(format!("{:?} has {length} points instead of {points}", named.name)),
        };
        let steps = |all: &[Named]| all.iter().map(step).collect::<Result<Vec<Step>, String>>();
        let (moves, rotations) = (steps(moves)?, steps(rotations)?);
        let mut seen = BTreeSet::new();
        if let Some(twice) = moves.iter().chain(&rotations).find(|step| !seen.insert(step.name())) {
            return Err(format!("{:?} is named twice", twice.name()));
        }
        if let Some(rule) = blocked.iter().find(|rule| usize::from(rule.point) >= points) {
            return Err(format!("a rule is about point {}, which does not exist", rule.point));
        }
        let mut puzzle = Permutations {
            unsearched: None,
            goals: rotated(goal, &rotations)?,
            blocked: blocked.to_vec(),
            start: start.to_vec(),
            moves,
            rotations,
        };
        for (name, state) in [("start", start), ("goal", goal)] {
            if !puzzle.is_legal(state) {
                return Err(format!("the {name} breaks a rule"));
            }
        }
        puzzle.unsearched = puzzle.obstacle_to_search();
        Ok(puzzle)
    }

    fn is_legal(&self, state: &[u8]) -> bool {
        self.blocked.iter().all(|rule| state[usize::from(rule.point)] != rule.colour)
    }

    /// The reason why the moves do not meet the conditions of the search, if they do not.
    fn obstacle_to_search(&self) -> Option<&'static str> {
        let known: BTreeSet<&[u8]> = self.moves.iter().map(Step::from).collect();
        if !self.rotations.is_empty() && !self.blocked.is_empty() {
            return Some("the puzzle has both rotations and rules");
        }
        if !self.moves.iter().all(|step| known.contains(&*step.inverse())) {
            return Some("some move cannot be undone by a move");
        }
        // The rotation, the move, and the rotation back.
        let conjugate = |step: &Step, turn: &Step| {
            let back = turn.inverse();
            let points =
                (0..back.len()).map(|point| turn.from()[usize::from(step.from()[usize::from(back[point])])]);
            points.collect::<Vec<u8>>()
        };
        let is_closed = |turn: &Step| self.moves.iter().all(|step| known.contains(&*conjugate(step, turn)));
        let is_free = self.rotations.iter().all(is_closed);
        (!is_free).then_some("a conjugate of a move by a rotation is no move")
    }

    /// Searches among states of `N` bytes. The memory of a search is that of the children of the states that it expands, so
    /// fewer are expanded than of a cube, which has 18 moves and 20 bytes.
    fn derive_in<const N: usize>(&self, bound: u32, effort: u64) -> Derived {
        let share = (360.0 / (N * self.moves.len().max(1)) as f64).min(1.0);
        let effort = (effort as f64 * share) as u64;
        let pad = |colours: &Vec<u8>| {
            let mut state = [0; N];
            state[..colours.len()].copy_from_slice(colours);
            state
        };
        let space = Colourings::<N> {
            puzzle: self,
            points: self.start.len(),
            ends: [vec![pad(&self.start)], self.goals.iter().map(pad).collect()],
        };
        let written = |from: [u8; N], to: [u8; N]| {
            let leads = |step: &&Step| step.applied(&from[..space.points]) == to[..space.points];
            self.moves.iter().find(leads).map_or_else(String::new, |step| step.name().to_owned())
        };
        searched(&space, bound, effort, " ", written)
    }
}

/// The rotated forms of a state, the state itself first.
fn rotated(state: &[u8], rotations: &[Step]) -> Result<Vec<Vec<u8>>, String> {
    let mut all = vec![state.to_vec()];
    let mut known: BTreeSet<Vec<u8>> = all.iter().cloned().collect();
    let mut at = 0;
    while at < all.len() {
        for turn in rotations {
            let next = turn.applied(&all[at]);
            if known.insert(next.clone()) {
                all.push(next);
            }
        }
        if all.len() > MAX_ROTATED {
            return Err(format!("the goal has more than {MAX_ROTATED} rotated forms"));
        }
        at += 1;
    }
    Ok(all)
}

impl Game for Permutations {
    fn obstacle(&self) -> Option<String> {
        let sorted = |colours: &[u8]| {
            let mut colours = colours.to_vec();
            colours.sort_unstable();
            colours
        };
        let differs = sorted(&self.start) != sorted(&self.goals[0]);
        differs.then(|| "start and goal have different colours".to_owned())
    }

    fn is_always_reachable(&self) -> bool {
        false
    }

    fn parity(&self) -> Option<u32> {
        let mut home = [None; MAX_POINTS];
        for (point, &colour) in self.goals[0].iter().enumerate() {
            if home[usize::from(colour)].replace(point).is_some() {
                return None;
            }
        }
        let is_odd_step =
            |step: &Step| is_odd(&step.from().iter().map(|&from| from.into()).collect::<Vec<_>>());
        if !self.moves.iter().all(is_odd_step) || self.rotations.iter().any(is_odd_step) {
            return None;
        }
        let places: Option<Vec<usize>> = self.start.iter().map(|&colour| home[usize::from(colour)]).collect();
        places.map(|places| u32::from(is_odd(&places)))
    }

    /// A scramble of named steps is made on the goal; other texts, and scrambles of another state, are not read.
    fn is_described_by(&self, text: &str) -> Option<bool> {
        let mut state = self.goals[0].clone();
        for name in names(text) {
            let step = self.moves.iter().chain(&self.rotations).find(|step| step.name() == name)?;
            state = step.applied(&state);
        }
        (state == self.start).then_some(true)
    }

    fn replay(&mut self, solution: &str) -> Result<u64, String> {
        let (mut state, mut length) = (self.start.clone(), 0);
        for (number, name) in (1..).zip(names(solution)) {
            let step = self.moves.iter().find(|step| step.name() == name);
            let rotation = || self.rotations.iter().find(|step| step.name() == name);
            let Some(made) = step.or_else(rotation) else {
                return Err(format!("move {number} ({name}) is neither a move nor a rotation"));
            };
            state = made.applied(&state);
            length += u64::from(step.is_some());
            if !self.is_legal(&state) {
                return Err(format!("move {number} ({name}) breaks a rule"));
            }
        }
        match self.goals.contains(&state) {
            true => Ok(length),
            false => Err("the moves do not end at the goal".to_owned()),
        }
    }

    fn derive(&self, bound: u32, effort: u64) -> Derived {
        if let Some(reason) = self.unsearched {
            let result = match self.goals.contains(&self.start) {
                true => Found::Path(0, Some(String::new())),
                false => Found::MoreThan(0),
            };
            return Derived { result, how: format!("start and goal differ; no search, because {reason}") };
        }
        match self.start.len() {
            0..=32 => self.derive_in::<32>(bound, effort),
            33..=64 => self.derive_in::<64>(bound, effort),
            65..=128 => self.derive_in::<128>(bound, effort),
            _ => self.derive_in::<MAX_POINTS>(bound, effort),
        }
    }
}

/// A start with several goals, each in colours of its own. A path to any of them counts.
pub(super) struct Union {
    first: Permutations,
    others: Vec<Permutations>,
}

impl Union {
    /// The goal of `first` and those of `others`.
    pub(super) fn new(first: Permutations, others: Vec<Permutations>) -> Union {
        Union { first, others }
    }

    fn all(&self) -> impl Iterator<Item = &Permutations> {
        std::iter::once(&self.first).chain(&self.others)
    }
}

impl Game for Union {
    fn obstacle(&self) -> Option<String> {
        let first = self.first.obstacle();
        first.filter(|_| self.others.iter().all(|other| other.obstacle().is_some()))
    }

    fn is_always_reachable(&self) -> bool {
        false
    }

    fn parity(&self) -> Option<u32> {
        let parity = self.first.parity()?;
        self.others.iter().all(|other| other.parity() == Some(parity)).then_some(parity)
    }

    fn is_described_by(&self, text: &str) -> Option<bool> {
        self.first.is_described_by(text)
    }

    fn replay(&mut self, solution: &str) -> Result<u64, String> {
        let first = self.first.replay(solution);
        let mut others = self.others.iter_mut().filter_map(|other| other.replay(solution).ok());
        first.or_else(|fault| others.next().ok_or(fault))
    }

    /// Searches for each goal with a share of the effort.
    fn derive(&self, bound: u32, effort: u64) -> Derived {
        let reached: Vec<_> = self.all().filter(|one| one.obstacle().is_none()).collect();
        let share = effort / reached.len().max(1) as u64;
        let mut all: Vec<Derived> = reached.iter().map(|one| one.derive(bound, share)).collect();
        let Some(last) = all.pop() else {
            return Derived {
                result: Found::Disconnected,
                how: "no goal has the colours of the start".into(),
            };
        };
        all.into_iter().fold(last, |one, two| {
            let how = format!("{}; {}", two.how, one.how);
            Derived { result: nearer(one.result, two.result), how }
        })
    }
}

/// The result for the nearer of two goals, from the results for each.
fn nearer(one: Found, two: Found) -> Found {
    match (one, two) {
        (Found::Disconnected, other) | (other, Found::Disconnected) => other,
        (Found::MoreThan(one), Found::MoreThan(two)) => Found::MoreThan(one.min(two)),
        (Found::Path(one, moves), Found::Path(two, _)) if one <= two => Found::Path(one, moves),
        (Found::Path(..), Found::Path(two, moves)) => Found::Path(two, moves),
        (Found::Path(length, moves), Found::MoreThan(excluded))
        | (Found::MoreThan(excluded), Found::Path(length, moves)) => {
            match u64::from(excluded) + 1 >= length {
                true => Found::Path(length, moves),
                false => Found::MoreThan(excluded),
            }
        }
    }
}

/// Colourings as lists, padded at the end.
struct Colourings<'a, const N: usize> {
    puzzle: &'a Permutations,
    points: usize,
    ends: [Vec<[u8; N]>; 2],
}

impl<const N: usize> Space for Colourings<'_, N> {
    type State = [u8; N];

    fn ends(&self, end: End) -> Vec<[u8; N]> {
        self.ends[end as usize].clone()
    }

    fn neighbours(&self, state: [u8; N], mut visit: impl FnMut([u8; N])) {
        for step in &self.puzzle.moves {
            let mut child = [0; N];
            for (to, &from) in child.iter_mut().zip(step.from()) {
                *to = state[usize::from(from)];
            }
            if self.puzzle.is_legal(&child[..self.points]) {
                visit(child);
            }
        }
    }

    fn step(&self) -> u32 {
        if self.puzzle.parity().is_some() { 2 } else { 1 }
    }
}
