//! The search domain: the location of each piece.
//!
//! A state has for each piece the point of its first sticker, which is its place and its orientation. A move maps
//! points to points, so it is one table of bytes for all pieces. Callers pass a state as an **arrangement**: the
//! sticker at each point, where sticker `p` is the one at point `p` in the solved puzzle.

use crate::definition::{Definition, Faults, MOST_POINTS, Orbit};
use search_core::{Cancelled, Domain, Op, Run};

/// The maximum number of pieces.
pub const MOST_PIECES: usize = MOST_POINTS;

/// The point of each piece's first sticker; 0 after the last piece.
pub type State = [u8; MOST_PIECES];

/// A permutation puzzle.
#[derive(Clone, Debug)]
pub struct Puzzle {
    orbits: Vec<Orbit>,
    names: Vec<String>,
    /// For each move: the image of each point, and the inverse.
    to: Vec<[u8; MOST_POINTS]>,
    from: Vec<[u8; MOST_POINTS]>,
    /// The first point of each piece.
    solved: Vec<u8>,
    points: usize,
}

/// The reason why the states of a puzzle were not counted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CountError {
    /// The work was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// The states exceed the memory budget.
    #[error("more than {0} states were found, which exceed the memory")]
    Memory(usize),
}

impl Definition {
    /// Checks the definition and converts it to a search domain.
    ///
    /// # Errors
    /// [`Faults`] with all faults of the orbits and moves.
    pub fn puzzle(&self) -> Result<Puzzle, Faults> {
        let faults = self.faults();
        if faults.is_empty() { Ok(Puzzle::of(self)) } else { Err(Faults(faults)) }
    }
}

impl Puzzle {
    /// Converts a definition without faults.
    fn of(definition: &Definition) -> Puzzle {
        let byte = |point: usize| u8::try_from(point).expect("at most 256 points");
        let mut solved = Vec::new();
        let mut first = 0;
        for orbit in &definition.orbits {
            solved.extend((0..orbit.pieces).map(|piece| byte(first + piece * orbit.orientations)));
            first += orbit.pieces * orbit.orientations;
        }
        let table = |step: &crate::definition::Move, inverse: bool| {
            let mut table = [0; MOST_POINTS];
            for (point, &from) in step.from.iter().enumerate() {
                match inverse {
                    true => table[point] = byte(from),
                    false => table[from] = byte(point),
                }
            }
            table
        };
        Puzzle {
            names: definition.moves.iter().map(|step| step.name.clone()).collect(),
            to: definition.moves.iter().map(|step| table(step, false)).collect(),
            from: definition.moves.iter().map(|step| table(step, true)).collect(),
            orbits: definition.orbits.clone(),
            points: definition.points(),
            solved,
        }
    }

    /// The orbits.
    pub fn orbits(&self) -> &[Orbit] {
        &self.orbits
    }

    /// The number of points.
    pub fn points(&self) -> usize {
        self.points
    }

    /// The number of pieces.
    pub fn pieces(&self) -> usize {
        self.solved.len()
    }

    /// The names of the moves in order.
    pub fn move_names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }

    /// The solved state.
    pub fn solved(&self) -> State {
        let mut state = [0; MOST_PIECES];
        state[..self.solved.len()].copy_from_slice(&self.solved);
        state
    }

    /// The first point of a piece's orbit, and the orbit's numbers of places and orientations.
    pub(crate) fn home(&self, piece: usize) -> (usize, usize, usize) {
        let (mut first, mut before) = (0, 0);
        for orbit in &self.orbits {
            if piece < before + orbit.pieces {
                return (first, orbit.pieces, orbit.orientations);
            }
            (first, before) = (first + orbit.pieces * orbit.orientations, before + orbit.pieces);
        }
        unreachable!("a piece of the puzzle")
    }

    /// The image of a point under a move, or under its inverse.
    pub(crate) fn moved(&self, op: usize, point: u8, back: bool) -> u8 {
        let tables = if back { &self.from } else { &self.to };
        tables[op][usize::from(point)]
    }

    /// Reads an arrangement: the sticker at each point.
    ///
    /// # Errors
    /// [`Faults`]: missing stickers, and pieces that are split. Whether moves lead from the state to the solved
    /// one is not checked.
    pub fn read(&self, arrangement: &[u8]) -> Result<State, Faults> {
        if arrangement.len() != self.points {
            return Err(format!("there are {} stickers for {} points", arrangement.len(), self.points).into());
        }
        let mut at = vec![None; self.points];
        for (point, &sticker) in (0..).zip(arrangement) {
            if let Some(place) = at.get_mut(usize::from(sticker)) {
                *place = Some(point);
            }
        }
        let mut faults: Vec<String> = (at.iter().enumerate().filter(|(_, point)| point.is_none()))
            .map(|(sticker, _)| format!("sticker {sticker} is missing"))
            .collect();
        let mut state = [0; MOST_PIECES];
        if faults.is_empty() {
            for (piece, &sticker) in self.solved.iter().enumerate() {
                state[piece] = at[usize::from(sticker)].expect("no sticker is missing");
            }
            let mut expected = vec![0; self.points];
            if !self.is_whole(&state) {
                faults.push("a piece is outside its orbit".to_owned());
            } else {
                self.write(&state, &mut expected);
                let torn = (0..self.points).filter(|&point| expected[point] != arrangement[point]);
                faults.extend(torn.map(|point| format!("the piece at point {point} is split")));
            }
        }
        if faults.is_empty() { Ok(state) } else { Err(Faults(faults)) }
    }

    /// Whether each piece is in its orbit.
    fn is_whole(&self, state: &State) -> bool {
        (0..self.pieces()).all(|piece| {
            let (first, places, orientations) = self.home(piece);
            (first..first + places * orientations).contains(&usize::from(state[piece]))
        })
    }

    /// Writes the sticker at each point.
    ///
    /// # Panics
    /// If the number of stickers differs from the number of points.
    pub fn write(&self, state: &State, arrangement: &mut [u8]) {
        assert_eq!(arrangement.len(), self.points, "a sticker for each point");
        let (mut piece, mut first) = (0, 0);
        for orbit in &self.orbits {
            let turns = orbit.orientations;
            for _ in 0..orbit.pieces {
                let point = usize::from(state[piece]) - first;
                let (place, turned) = (point / turns, point % turns);
                for sticker in 0..turns {
                    let at = first + place * turns + (turned + sticker) % turns;
                    arrangement[at] = self.solved[piece] + sticker as u8;
                }
                piece += 1;
            }
            first += orbit.pieces * turns;
        }
    }

    /// Whether moves solve an arrangement. They are replayed on stickers, not on pieces as in the search.
    pub fn solves(&self, arrangement: &[u8], ops: &[Op]) -> bool {
        let mut stickers = arrangement.to_vec();
        for op in ops {
            let from = &self.from[op.index()];
            stickers = from[..stickers.len()].iter().map(|&point| stickers[usize::from(point)]).collect();
        }
        stickers.iter().enumerate().all(|(point, &sticker)| point == usize::from(sticker))
    }

    /// The states at each distance from the solved one, up to `depth` moves: layer `d` has the states whose shortest
    /// solutions have `d` moves. Each layer is sorted.
    ///
    /// # Errors
    /// [`CountError`].
    pub fn layers(&self, depth: Option<usize>, run: &Run<'_>) -> Result<Vec<Vec<Box<[u8]>>>, CountError> {
        let size = self.pieces();
        // A state with its box, and the same amount again for children.
        let room = usize::try_from(run.memory()).unwrap_or(usize::MAX) / (3 * (size + 24));
        let mut layers: Vec<Vec<Box<[u8]>>> = vec![vec![self.solved.clone().into()]];
        let mut found = 1;
        run.progress().begin("layers", 0);
        while depth.is_none_or(|depth| layers.len() <= depth) {
            run.check()?;
            let parents: Vec<&[Box<[u8]>]> = layers[layers.len() - 1].chunks(1 << 12).collect();
            let children = run.map(&parents, |parents| {
                let mut children: Vec<Box<[u8]>> = Vec::with_capacity(parents.len() * self.from.len());
                for (parent, table) in
                    parents.iter().flat_map(|parent| self.from.iter().map(move |table| (parent, table)))
                {
                    children.push(parent.iter().map(|&point| table[usize::from(point)]).collect());
                }
                children.sort_unstable();
                children.dedup();
                children.retain(|child| layers.iter().all(|layer| layer.binary_search(child).is_err()));
                children
            });
            let mut next: Vec<Box<[u8]>> = children.into_iter().flatten().collect();
            next.sort_unstable();
            next.dedup();
            if next.is_empty() {
                break;
            }
            found += next.len();
            if found > room {
                return Err(CountError::Memory(found));
            }
            layers.push(next);
            run.progress().update(layers.len() as u64 - 1);
        }
        run.progress().end();
        Ok(layers)
    }

    /// The number of states at each distance from the solved one, up to `depth` moves.
    ///
    /// # Errors
    /// [`CountError`].
    pub fn counts(&self, depth: Option<usize>, run: &Run<'_>) -> Result<Vec<u64>, CountError> {
        Ok(self.layers(depth, run)?.iter().map(|layer| layer.len() as u64).collect())
    }
}

impl Domain for Puzzle {
    type State = State;

    fn op_count(&self) -> usize {
        self.to.len()
    }

    #[inline]
    fn apply(&self, state: &State, op: Op) -> State {
        let table = &self.to[op.index()];
        let mut moved = [0; MOST_PIECES];
        for (to, &point) in moved[..self.solved.len()].iter_mut().zip(state) {
            *to = table[usize::from(point)];
        }
        moved
    }

    #[inline]
    fn is_goal(&self, state: &State) -> bool {
        state[..self.solved.len()] == self.solved[..]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrangements_are_read_and_written() {
        let swap = vec![("s".to_owned(), vec![1, 0, 2])];
        let puzzle = Definition::from_generators(swap).expect("a move").puzzle().expect("a puzzle");
        let state = puzzle.read(&[2, 0, 1]).expect("an arrangement");
        let mut written = [0; 3];
        puzzle.write(&state, &mut written);
        assert_eq!(written, [2, 0, 1]);
        puzzle.write(&puzzle.apply(&state, Op::new(0)), &mut written);
        assert_eq!(written, [0, 2, 1]);
        let faults = puzzle.read(&[0, 0, 7]).expect_err("two stickers are missing").0;
        assert_eq!(faults, ["sticker 1 is missing", "sticker 2 is missing"]);
    }
}
