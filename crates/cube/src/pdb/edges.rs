//! Some of the twelve edges: their locations times their flips.
//!
//! Row: the rank of the locations of the chosen cubies, in their order, among the arrangements of this number of
//! cubies at twelve locations. Column: their flips, one bit per cubie, the first cubie's the least significant. A
//! turn XORs the flips with bits that depend on the locations alone.
//!
//! Source: Korf 1997, "Pattern Databases": six edges have 12!/6!·2⁶ = 42,577,920 entries, greatest
//! value 10, expected value 7.668; seven have 510,935,040.
//!
//! The goal may leave the locations or flips of some of them open (`Edges::up_to`): then the table starts from
//! all arrangements that the goal accepts.
//!
//! Which six? Up to symmetry there are 30 sets, and exactly one has the paper's expected value: [`KORF`], the four
//! edges of a face and two adjacent ones of the middle layer. The other six edges
//! ([`complement`](Edges::complement)) are its image under a symmetry of the cube, so one table serves both sets,
//! as Hoey remarked in his letter of May 1997.

use crate::cube::{Cube, Turn};
use crate::mask::{Freedom, Kind, members};
use crate::metric::Metric;
use search_core::pdb::rank::permutation;
use search_core::pdb::{PatternSpace, Step};

/// The six edges UR UF UL UB FR FL.
pub const KORF: u16 = 0b0011_0000_1111;
/// Seven edges: those of [`KORF`] and DR.
pub const SEVEN: u16 = KORF | 1 << 4;
/// The maximum number of edges in a pattern.
pub const MOST: usize = 8;

/// A pattern space of some edges in one metric.
#[derive(Clone, Debug)]
pub struct Edges {
    metric: Metric,
    cubies: Vec<u8>,
    /// The freedom that the goal leaves.
    freedom: Freedom,
    /// For each turn, `to | flip << 4` of the cubie at each location.
    moves: [[u8; 12]; Turn::COUNT],
}

/// A set of edges that is not a pattern.
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
        Ok(Edges { metric, cubies, freedom: Freedom::default(), moves: edge_moves() })
    }

    /// The same space, whose goals are all arrangements that `freedom` accepts.
    #[must_use]
    pub(crate) fn up_to(self, freedom: Freedom) -> Edges {
        Edges { freedom, ..self }
    }

    /// The edges that are not in `set`.
    pub const fn complement(set: u16) -> u16 {
        !set & 0xfff
    }

    /// The chosen cubies, ascending.
    pub(crate) fn cubies(&self) -> &[u8] {
        &self.cubies
    }

    /// The entry of a cube, given for each cubie: `location | flip << 4`.
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

impl Edges {
    /// Adds the goals with the first `done` of the chosen cubies as in `edge_of`, at the locations `used`.
    fn extend_goals(&self, edge_of: &mut [u8; 16], done: usize, used: u16, goals: &mut Vec<usize>) {
        let Some(&cubie) = self.cubies.get(done) else { return goals.push(self.index(edge_of)) };
        let cubie = usize::from(cubie);
        for location in members(self.freedom.class(cubie) & !used) {
            for flip in (0..2).filter(|&flip| self.freedom.allows(Kind::Edges, cubie, location, flip)) {
                edge_of[cubie] = location as u8 | flip << 4;
                self.extend_goals(edge_of, done + 1, used | 1 << location, goals);
            }
        }
    }
}

/// For each turn, `to | flip << 4` of the cubie at each edge location.
pub(super) fn edge_moves() -> [[u8; 12]; Turn::COUNT] {
    std::array::from_fn(|turn| edges_moved(Cube::of_turn(Turn::from_index(turn))))
}

/// `to | flip << 4` of the cubie at each edge location, for the move that makes `cube` of the solved one.
pub(super) fn edges_moved(cube: &Cube) -> [u8; 12] {
    let mut to = [0; 12];
    for (at, v) in cube.edges.iter().enumerate() {
        to[*v as usize & 15] = at as u8 | v & 16;
    }
    to
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
        let mut goals = Vec::new();
        self.extend_goals(&mut [0; 16], 0, 0, &mut goals);
        goals
    }
    fn is_undirected(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lanes::{Lanes, Portable};
    use crate::mask::Axis;
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

    /// Hoey's condition: one rotation of the whole cube maps one set to the other.
    #[test]
    fn a_symmetry_carries_the_six_edges_to_the_other_six() {
        let image = |s: Symmetry| {
            (0..12).filter(|i| KORF >> i & 1 == 1).fold(0, |set, i| set | 1 << s.action().edge[i])
        };
        assert!(Symmetry::all().any(|s| image(s) == Edges::complement(KORF)));
    }

    /// The goals of some freedoms are those that a check of every entry of three edges accepts.
    #[test]
    fn goals_are_the_arrangements_that_are_accepted() {
        let free = |sets: &[u16], turned, axis| Freedom::new(Kind::Edges, sets, turned, axis);
        let set = 0b1000_0000_0110;
        let freedoms = [
            Freedom::default(),
            free(&[], 0b1000_0100_0010, Axis::Fb),
            free(&[0xfff], 0, Axis::Fb),
            free(&[0b1111_0000_0011, 0b1100], 0b0110, Axis::Rl),
            free(&[0b0000_0000_1110], 0b1000_0000_0000, Axis::Ud),
        ];
        for freedom in freedoms {
            let edges = Edges::new(Metric::Htm, set).unwrap().up_to(freedom);
            let mut accepted = Vec::new();
            for places in (0..12u16.pow(3)).map(|n| [n % 12, n / 12 % 12, n / 144]) {
                let [a, b, c] = places;
                for flips in (0..8u16).filter(|_| a != b && b != c && c != a) {
                    let mut edge_of = [0; 16];
                    let chosen = [1, 2, 11];
                    (0..3).for_each(|i| edge_of[chosen[i]] = places[i] as u8 | (flips >> i & 1) as u8 * 16);
                    let is_fine = |&cubie: &usize| {
                        let v = edge_of[cubie];
                        freedom.allows(Kind::Edges, cubie, usize::from(v & 15), v >> 4)
                    };
                    if chosen.iter().all(is_fine) {
                        accepted.push(edges.index(&edge_of));
                    }
                }
            }
            let mut goals = edges.goals();
            goals.sort_unstable();
            accepted.sort_unstable();
            assert_eq!(goals, accepted);
        }
    }
}
