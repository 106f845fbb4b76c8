//! Some of the twelve edges: their locations times their flips.
//!
//! Row: the rank of the locations of the chosen cubies, in their order, among the arrangements of
//! as many of twelve. Column: their flips, one bit per cubie, the first cubie's the least
//! significant. A turn XORs the flips with bits that depend on the locations alone.
//!
//! Source: Korf 1997, "Pattern Databases": six edges have 12!/6!·2⁶ = 42,577,920 entries, greatest
//! value 10, expected value 7.668; seven have 510,935,040.
//!
//! The goal may ignore how some of them are flipped ([`Edges::turned`]).
//!
//! Which six? Up to symmetry there are 30 sets; exactly one has the paper's expected value:
//! [`KORF`], the four edges of a face and two adjacent ones of the middle layer. The other six
//! edges ([`complement`](Edges::complement)) are its image under a symmetry of the cube, so one
//! table serves both sets, as Hoey remarked in his letter of May 1997.

use crate::cube::{Cube, Turn};
use crate::metric::Metric;
use search_core::pdb::rank::permutation;
use search_core::pdb::{PatternSpace, Step};

/// The six edges UR UF UL UB FR FL.
pub const KORF: u16 = 0b0011_0000_1111;
/// One more edge, DR: seven.
pub const SEVEN: u16 = KORF | 1 << 4;
/// The most edges that a pattern can have.
pub const MOST: usize = 8;

/// A pattern space of some edges in one metric.
#[derive(Clone, Debug)]
pub struct Edges {
    metric: Metric,
    cubies: Vec<u8>,
    /// The flips that a goal may have, one bit per chosen cubie.
    free: usize,
    /// For each turn, `to | flip << 4` of what lies at each location.
    moves: [[u8; 12]; Turn::COUNT],
}

/// A set of edges that is no pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a pattern has 1 to {MOST} of the 12 edges, not {0}")]
pub struct InvalidEdges(pub u32);

impl Edges {
    /// The space of the edges in `set` (bit `i` for edge `i`).
    ///
    /// # Errors
    /// If the set is empty, has more than [`MOST`] edges or names edges beyond the twelfth.
    pub fn new(metric: Metric, set: u16) -> Result<Edges, InvalidEdges> {
        let count = set.count_ones();
        if set >> 12 != 0 || !(1..=MOST as u32).contains(&count) {
            return Err(InvalidEdges(count));
        }
        let cubies = (0..12).filter(|i| set >> i & 1 == 1).collect();
        Ok(Edges { metric, cubies, free: 0, moves: edge_moves() })
    }

    /// The same space, its goals with all flips of the edges in `turned`.
    #[must_use]
    pub fn turned(self, turned: u16) -> Edges {
        let bit = |(i, cubie): (usize, &u8)| usize::from(turned >> cubie & 1) << i;
        Edges { free: self.cubies.iter().enumerate().map(bit).sum(), ..self }
    }

    /// The edges that are not in `set`.
    pub const fn complement(set: u16) -> u16 {
        !set & 0xfff
    }

    /// The chosen cubies, ascending.
    pub fn cubies(&self) -> &[u8] {
        &self.cubies
    }

    /// The entry of a cube, given by cubie: `location | flip << 4`.
    #[inline(always)]
    pub fn index(&self, edge_of: &[u8; 16]) -> usize {
        let (mut locations, mut flips) = ([0; MOST], 0);
        let n = self.cubies.len();
        for (i, (location, cubie)) in locations.iter_mut().zip(&self.cubies).enumerate() {
            let v = edge_of[usize::from(*cubie)];
            *location = v & 15;
            flips |= usize::from(v >> 4) << i;
        }
        (permutation::rank(&locations[..n], 12) as usize) << n | flips
    }
}

/// For each turn, `to | flip << 4` of what lies at each edge location.
pub(super) fn edge_moves() -> [[u8; 12]; Turn::COUNT] {
    std::array::from_fn(|turn| {
        let mut to = [0; 12];
        for (at, v) in Cube::of_turn(Turn::from_index(turn)).edges.iter().enumerate() {
            to[*v as usize & 15] = at as u8 | v & 16;
        }
        to
    })
}

impl PatternSpace for Edges {
    fn rows(&self) -> usize {
        permutation::count(12, self.cubies.len()) as usize
    }
    fn columns(&self) -> usize {
        1 << self.cubies.len()
    }
    fn ops(&self) -> usize {
        self.metric.turns().len()
    }
    fn step(&self, row: usize, op: usize) -> Step {
        let moves = &self.moves[self.metric.turns()[op].index()];
        let mut locations = [0; MOST];
        let locations = &mut locations[..self.cubies.len()];
        permutation::unrank(row as u64, 12, locations);
        let mut flip = 0;
        for (i, location) in locations.iter_mut().enumerate() {
            let v = moves[*location as usize];
            *location = v & 15;
            flip |= u16::from(v >> 4) << i;
        }
        Step { row: permutation::rank(locations, 12) as u32, map: 0, flip }
    }
    fn goals(&self) -> Vec<usize> {
        let home = self.index(&std::array::from_fn(|i| i as u8));
        (0..self.columns()).filter(|flips| flips & !self.free == 0).map(|flips| home | flips).collect()
    }
    fn is_undirected(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lanes::{Lanes, Portable};
    use crate::space::State;
    use crate::symmetry::Symmetry;

    #[test]
    fn entries_follow_the_turns() {
        let edges = Edges::new(Metric::Htm, 0b1000_0110_0101).unwrap();
        let mut cube = Cube::SOLVED;
        for step in 0..300u16 {
            let turn = Turn::from_index(usize::from(step) * 5 % 18);
            let before = State::<Portable>::new(&cube).by_cubie().edges.store();
            cube = cube.apply(turn);
            let entry = edges.index(&State::<Portable>::new(&cube).by_cubie().edges.store());
            let (row, column) = (edges.index(&before) >> 5, edges.index(&before) & 31);
            let step = edges.step(row, turn.index());
            assert_eq!((step.row as usize) << 5 | column ^ usize::from(step.flip), entry);
        }
    }

    /// Hoey's condition: one rotation of the whole cube carries one set to the other.
    #[test]
    fn a_symmetry_carries_the_six_edges_to_the_other_six() {
        let image = |s: Symmetry| {
            (0..12).filter(|i| KORF >> i & 1 == 1).fold(0, |set, i| set | 1 << s.action().edge[i])
        };
        assert!(Symmetry::all().any(|s| image(s) == Edges::complement(KORF)));
    }

    #[test]
    fn goals_have_the_flips_that_are_left_out() {
        let edges = Edges::new(Metric::Htm, 0b1000_0110_0101).unwrap();
        let home = edges.goals()[0];
        let turned = edges.clone().turned(0b1000_0100_0010);
        // The second edge of the mask is none of the pattern; the others are its fifth and fourth.
        assert_eq!((edges.goals().len(), turned.goals()), (1, vec![home, home | 8, home | 16, home | 24]));
    }
}
