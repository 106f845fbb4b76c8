//! Pattern databases of chosen pieces.
//!
//! The idea: ignore all pieces but the chosen ones. The result is a smaller puzzle, and all its distances are
//! computed backwards from the solved state. A solution of the puzzle also solves the smaller one, so the distance
//! there is a lower bound.
//!
//! The rank of an entry has one digit for each orbit with chosen pieces: the rank of the sequence of their places
//! among all sequences of distinct places of this length, followed by their orientations. Entries that no move
//! reaches (for example, because orientations must add up to zero) remain empty. No solvable state has such an
//! entry; the value of other states is then 0.

use crate::definition::Faults;
use crate::puzzle::{Puzzle, State};
use search_core::Run;
use search_core::memory::Memory;
use search_core::pdb::{FillError, FillOptions, Graph, Packed, fill};

/// The maximum number of entries of a pattern.
pub const MOST_ENTRIES: u64 = 1 << 32;
/// The value of an entry that was not reached.
const UNREACHED: u8 = u8::MAX;

/// The chosen pieces of one orbit.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Group {
    pieces: Vec<usize>,
    first: usize,
    places: usize,
    orientations: usize,
}

impl Group {
    /// The number of its entries; `None` if it exceeds 64 bits.
    fn entries(&self) -> Option<u64> {
        (0..self.pieces.len()).try_fold(1u64, |count, chosen| {
            count.checked_mul((self.places - chosen) as u64)?.checked_mul(self.orientations as u64)
        })
    }

    /// The rank of the pieces at these points.
    #[inline]
    fn rank(&self, points: impl Fn(usize) -> u8) -> u64 {
        let (mut rank, mut turned, mut used) = (0, 0, [0u64; 4]);
        for (chosen, &piece) in self.pieces.iter().enumerate() {
            let point = usize::from(points(piece)) - self.first;
            let place = point / self.orientations;
            turned = turned * self.orientations as u64 + (point % self.orientations) as u64;
            rank = rank * (self.places - chosen) as u64 + (place - below(&used, place)) as u64;
            used[place >> 6] |= 1 << (place & 63);
        }
        rank * (self.orientations as u64).pow(self.pieces.len() as u32) + turned
    }

    /// Computes the points of the pieces for this rank, in order.
    fn unrank(&self, rank: u64, points: &mut [u8]) {
        let base = self.orientations as u64;
        let turns = base.pow(self.pieces.len() as u32);
        let (mut turned, mut rest, mut used) = (rank % turns, rank / turns, [0u64; 4]);
        let mut digits = vec![0; self.pieces.len()];
        for (chosen, digit) in digits.iter_mut().enumerate().rev() {
            let choices = (self.places - chosen) as u64;
            (*digit, rest) = ((rest % choices) as usize, rest / choices);
        }
        for (point, digit) in points.iter_mut().zip(&digits) {
            let free = |place: &usize| used[place >> 6] >> (place & 63) & 1 == 0;
            let place = (0..self.places).filter(free).nth(*digit).expect("as many places as choices");
            used[place >> 6] |= 1 << (place & 63);
            *point = (self.first + place * self.orientations) as u8;
        }
        for point in points.iter_mut().rev() {
            (*point, turned) = (*point + (turned % base) as u8, turned / base);
        }
    }
}

/// The number of used places below `place`.
#[inline]
fn below(used: &[u64; 4], place: usize) -> usize {
    let whole: u32 = used[..place >> 6].iter().map(|word| word.count_ones()).sum();
    (whole + (used[place >> 6] & ((1 << (place & 63)) - 1)).count_ones()) as usize
}

/// A set of chosen pieces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    groups: Vec<Group>,
    sizes: Vec<u64>,
}

impl Pattern {
    /// The pattern of these pieces, numbered over all orbits in order.
    ///
    /// # Errors
    /// [`Faults`]: no pieces, a piece that does not exist or is named twice, or too many entries.
    pub fn new(puzzle: &Puzzle, pieces: &[usize]) -> Result<Pattern, Faults> {
        let mut sorted = pieces.to_vec();
        sorted.sort_unstable();
        let mut faults = Vec::new();
        if pieces.is_empty() {
            faults.push("a pattern needs at least one piece".to_owned());
        }
        let twice = sorted.windows(2).filter(|pair| pair[0] == pair[1]);
        faults.extend(twice.map(|pair| format!("piece {} is named twice", pair[0])));
        let foreign = sorted.iter().filter(|&&piece| piece >= puzzle.pieces());
        faults.extend(
            foreign
                .map(|piece| format!("there is no piece {piece}: pieces are 0 to {}", puzzle.pieces() - 1)),
        );
        if !faults.is_empty() {
            return Err(Faults(faults));
        }
        let mut groups: Vec<Group> = Vec::new();
        for &piece in &sorted {
            let (first, places, orientations) = puzzle.home(piece);
            match groups.iter_mut().find(|group| group.first == first) {
                Some(group) => group.pieces.push(piece),
                None => groups.push(Group { pieces: vec![piece], first, places, orientations }),
            }
        }
        let sizes: Option<Vec<u64>> = groups.iter().map(Group::entries).collect();
        let total =
            sizes.as_ref().and_then(|sizes| sizes.iter().try_fold(1u64, |all, &size| all.checked_mul(size)));
        match (sizes, total) {
            (Some(sizes), Some(total)) if total <= MOST_ENTRIES => Ok(Pattern { groups, sizes }),
            _ => Err("the pattern has more than 2^32 entries: choose fewer pieces".to_owned().into()),
        }
    }

    /// The number of entries.
    pub fn entries(&self) -> u64 {
        self.sizes.iter().product()
    }

    /// The chosen pieces, in order.
    pub fn pieces(&self) -> impl Iterator<Item = usize> + '_ {
        self.groups.iter().flat_map(|group| group.pieces.iter().copied())
    }

    /// The rank of a state's entry.
    #[inline]
    pub fn rank(&self, state: &State) -> usize {
        let groups = self.groups.iter().zip(&self.sizes);
        groups.fold(0, |rank, (group, &size)| rank * size + group.rank(|piece| state[piece])) as usize
    }

    /// The entry from which a move leads to the entry `rank`.
    fn before(&self, puzzle: &Puzzle, rank: usize, op: usize) -> usize {
        let (mut rest, mut state) = (rank as u64, [0; crate::puzzle::MOST_PIECES]);
        for (group, &size) in self.groups.iter().zip(&self.sizes).rev() {
            let mut points = [0; crate::puzzle::MOST_PIECES];
            group.unrank(rest % size, &mut points[..group.pieces.len()]);
            for (&piece, &point) in group.pieces.iter().zip(&points) {
                state[piece] = puzzle.moved(op, point, true);
            }
            rest /= size;
        }
        self.rank(&state)
    }
}

/// A pattern with the distance of each of its entries.
#[derive(Debug)]
pub struct Database {
    /// The pattern.
    pub pattern: Pattern,
    table: Packed<8, Memory>,
    /// The number of entries at each distance.
    pub counts: Vec<u64>,
}

impl Database {
    /// Computes all distances.
    ///
    /// # Errors
    /// [`FillError`].
    pub fn fill(puzzle: &Puzzle, pattern: Pattern, run: &Run<'_>) -> Result<Database, FillError> {
        let goal = pattern.rank(&puzzle.solved());
        let (entries, ops) = (pattern.entries() as usize, puzzle.move_names().count());
        let space = Graph::new(entries, ops, vec![goal], |rank, op| Some(pattern.before(puzzle, rank, op)));
        let filled = fill::<8, _>(&space, FillOptions::default(), run)?;
        let counts = filled.histogram.counts.clone();
        drop(space);
        Ok(Database { pattern, table: filled.table, counts })
    }

    /// The value of a state.
    #[inline]
    pub fn value(&self, state: &State) -> u8 {
        match self.table.get(self.pattern.rank(state) as u64) {
            UNREACHED => 0,
            value => value,
        }
    }

    /// The table's bytes.
    pub fn bytes(&self) -> &[u8] {
        self.table.as_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::definition::{Definition, Move, Orbit};

    #[test]
    fn ranks_are_a_numbering() {
        let orbits = vec![
            Orbit { name: "A".into(), pieces: 4, orientations: 3 },
            Orbit { name: "B".into(), pieces: 5, orientations: 1 },
        ];
        let still = Move { name: "none".into(), from: (0..17).collect() };
        let puzzle = Definition { orbits, moves: vec![still] }.puzzle().expect("a puzzle");
        let pattern = Pattern::new(&puzzle, &[1, 3, 5, 8]).expect("a pattern");
        assert_eq!(pattern.entries(), (4 * 3 * 9) * (5 * 4));
        // The only move has no effect, so the entry before each is the entry itself.
        for rank in 0..pattern.entries() as usize {
            assert_eq!(pattern.before(&puzzle, rank, 0), rank);
        }
        let faults = Pattern::new(&puzzle, &[2, 2, 9]).expect_err("faults").0;
        assert_eq!(faults.len(), 2, "{faults:?}");
    }
}
