//! The cosets of ⟨U, D, R2, L2, F2, B2⟩: all twists, all flips, and the locations of the middle slice's edges.
//!
//! A cube's coset is its twist (3⁷), its flip (2¹¹) and the locations of the four edges of the middle slice (495):
//! 2,217,093,120 cosets. The 16 symmetries that preserve the axis U–D preserve the subgroup, so cosets that are
//! images of each other have the same distance. The symmetry is determined by the twist alone: twists fall into
//! classes (rows), and the symmetry that maps a twist to the representative of its class is applied to flips and
//! slice. Classes whose representative is itself symmetric store some cosets twice. That costs a quarter more
//! entries than a full reduction, but no lookup has to read a table of a million words first.
//!
//! Row: the class of the twist and the locations of the slice. Column: the flip (2,048).
//!
//! A symmetry of the axis maps the first slots of corners to first slots (they are `U` or `D`), so a twist becomes
//! plus or minus itself at the new location. A quarter turn around the axis swaps the slots of the slice's edges,
//! so it changes the flip of an edge if exactly one of its cubie and its location belongs to the slice.
//!
//! Source: M. Reid, cube-lovers, 7 January 1995; H. Kociemba; Hoey's letter of May 1997. The
//! distances along the other two axes, and those of the inverse, come from the same table.

use super::corners::{TWISTS, twist_of, with_twist};
use super::edges::edges_moved;
use crate::cube::Cube;
use crate::metric::Metric;
use crate::symmetry::Symmetry;
use search_core::pdb::rank::combination;
use search_core::pdb::{PatternSpace, Step};

/// Classes of twists under the symmetries of the axis.
pub(crate) const CLASSES: usize = 168;
/// Locations of the four edges of the middle slice.
pub(crate) const SLICES: usize = 495;
/// Flips of the edges, the last one implied.
pub(crate) const FLIPS: usize = 2_048;
/// Symmetries that preserve the axis.
pub(crate) const SYMMETRIES: usize = 16;
/// The edge cubies, and the locations, of the middle slice, as a set of bits.
pub(crate) const SLICE: u32 = 0b1111_0000_0000;

/// The coset space under some moves, with its small tables.
#[derive(Clone, Debug)]
pub struct Coset {
    /// The cube after each move of the solved one.
    moves: Vec<Cube>,
    /// For each twist, its class and the symmetry that maps it to the representative of the class.
    class_of: Vec<(u8, Symmetry)>,
    /// The least twist of each class.
    representatives: Vec<u16>,
    /// `16 * move + symmetry`: the images of all flips under a move and then a symmetry, without the effect of the
    /// slice. The last 16 are those of the symmetries alone.
    flip_maps: Vec<Vec<u16>>,
    /// For each move, `to | flip << 4` of the cubie at each edge location; the last one is for no move.
    edges: Vec<[u8; 12]>,
}

impl Coset {
    /// The space in `metric`.
    pub fn new(metric: Metric) -> Coset {
        Coset::of_moves(metric.turns().iter().map(|&turn| *Cube::of_turn(turn)).collect())
    }

    /// The space under `moves`, each given by the cube that it makes of the solved one. The set must contain the
    /// images of its moves under every symmetry of the axis, and their inverses: then cosets that are images of
    /// each other have the same distance.
    ///
    /// # Panics
    /// If the set is not closed in this way, or has more than 4,000 moves.
    pub(crate) fn of_moves(moves: Vec<Cube>) -> Coset {
        let is_move = |cube: &Cube| moves.contains(cube);
        let has_images = |cube: &Cube| keeping_axis().all(|s| is_move(&s.conjugate(cube)));
        assert!(
            moves.len() <= 4_000 && moves.iter().all(|cube| has_images(cube) && is_move(&cube.inverse())),
            "moves have their inverses and their images among them"
        );
        let mut class_of = vec![(u8::MAX, Symmetry::IDENTITY); TWISTS];
        let mut representatives = Vec::new();
        for twist in 0..TWISTS {
            if class_of[twist].0 != u8::MAX {
                continue;
            }
            let class = u8::try_from(representatives.len()).expect("fewer than 256 classes");
            representatives.push(twist as u16);
            for s in keeping_axis() {
                let image = conjugate_twist(twist, s);
                if class_of[image].0 == u8::MAX {
                    class_of[image] = (class, s.inverse());
                }
            }
        }
        assert_eq!(representatives.len(), CLASSES);
        let edges: Vec<[u8; 12]> = moves.iter().chain([&Cube::SOLVED]).map(edges_moved).collect();
        let flip_maps = edges
            .iter()
            .flat_map(|edges| keeping_axis().map(move |s| (edges, s)))
            .map(|(edges, s)| (0..FLIPS).map(|flip| map_flip(edges, s, flip)).collect())
            .collect();
        Coset { moves, class_of, representatives, flip_maps, edges }
    }

    /// The class of a twist, and the symmetry that maps the twist to its representative.
    #[inline(always)]
    pub(crate) fn class_of(&self, twist: usize) -> (u8, Symmetry) {
        self.class_of[twist]
    }

    /// The entry of a class of twists, the rank of the slice's locations, and a flip.
    #[inline(always)]
    pub(crate) fn index(class: u8, slice: usize, flip: usize) -> usize {
        (class as usize * SLICES + slice) * FLIPS + flip
    }

    /// The entry of a cube: the reference implementation of the index that the search uses.
    pub(crate) fn index_of(&self, cube: &Cube) -> usize {
        let (class, s) = self.class_of(twist_of(cube));
        let image = s.conjugate(cube);
        Coset::index(class, combination::rank(slice_of(&image)) as usize, flip_of(&image))
    }

    /// The effect of a move (the last number is no move), followed by the symmetry `s`, on the columns of a row with
    /// its slice at `slice`: the new locations of the slice, the step's XOR of the flips, and its column map.
    fn carry(&self, slice: u32, op: usize, s: Symmetry) -> (u32, u16, u16) {
        let (mut to, mut flip) = (0, 0);
        for location in 0..12u8 {
            let v = self.edges[op][usize::from(location)];
            let (moved, in_slice) = (v & 15, slice >> location & 1);
            let image = s.action().edge[moved as usize];
            to |= in_slice << image;
            let swaps = s.action().edge_shift[moved as usize] ^ (in_slice as u8 * slice_shift(s));
            flip |= u16::from(v >> 4 ^ swaps) << image;
        }
        (to, flip & (FLIPS - 1) as u16, (op * SYMMETRIES + s.index()) as u16)
    }

    /// The images of all flips under a symmetry of the axis, without the effect of the slice.
    pub(crate) fn flips_under(&self, s: Symmetry) -> &[u16] {
        &self.flip_maps[self.moves.len() * SYMMETRIES + s.index()]
    }

    /// The image of the slice's locations of rank `slice` under a symmetry of the axis, and the XOR of the flips.
    pub(crate) fn slice_under(&self, slice: u32, s: Symmetry) -> (u32, u16) {
        let (image, flip, _) = self.carry(combination::unrank(slice, 12, 4), self.moves.len(), s);
        (combination::rank(image), flip)
    }

    fn row(class: u8, slice: u32) -> u32 {
        u32::from(class) * SLICES as u32 + combination::rank(slice)
    }
}

/// The symmetries that preserve the axis U–D.
fn keeping_axis() -> impl Iterator<Item = Symmetry> {
    (0..SYMMETRIES).map(Symmetry::from_index)
}

/// The flips by location, bit `i` for location `i`, without the last one.
pub(crate) fn flip_of(cube: &Cube) -> usize {
    cube.edges.iter().enumerate().fold(0, |flips, (i, v)| flips | usize::from(v >> 4) << i) & (FLIPS - 1)
}

/// The locations of the middle slice's edges, as a set of bits.
pub(crate) fn slice_of(cube: &Cube) -> u32 {
    cube.edges.iter().enumerate().fold(0, |mask, (i, v)| mask | (SLICE >> (v & 15) & 1) << i)
}

fn conjugate_twist(twist: usize, s: Symmetry) -> usize {
    twist_of(&s.conjugate(&with_twist(twist)))
}

/// Whether a symmetry of the axis swaps the slots of the slice's edges.
fn slice_shift(s: Symmetry) -> u8 {
    s.action().edge_shift[8]
}

/// Moves the bits of a flip as a move followed by a symmetry moves the edges.
fn map_flip(edges: &[u8; 12], s: Symmetry, flip: usize) -> u16 {
    let all = flip | (flip.count_ones() as usize & 1) << 11;
    let image = (0..12).fold(0, |image, location| {
        image | (all >> location & 1) << s.action().edge[edges[location] as usize & 15]
    });
    (image & (FLIPS - 1)) as u16
}

impl PatternSpace for Coset {
    fn rows(&self) -> usize {
        CLASSES * SLICES
    }
    fn columns(&self) -> usize {
        FLIPS
    }
    fn ops(&self) -> usize {
        self.moves.len()
    }
    fn step(&self, row: usize, op: usize) -> Step {
        let twist = self.representatives[row / SLICES];
        let after = twist_of(&with_twist(twist.into()).compose(&self.moves[op]));
        let (class, s) = self.class_of(after);
        let slice = combination::unrank((row % SLICES) as u32, 12, 4);
        let (slice, flip, map) = self.carry(slice, op, s);
        Step { row: Coset::row(class, slice), map, flip }
    }
    fn map(&self, id: u16) -> Option<&[u16]> {
        Some(&self.flip_maps[id as usize])
    }
    fn goals(&self) -> Vec<usize> {
        vec![self.index_of(&Cube::SOLVED)]
    }
    fn aliases(&self, row: usize) -> Vec<Step> {
        let twist = self.representatives[row / SLICES] as usize;
        let slice = combination::unrank((row % SLICES) as u32, 12, 4);
        let same_twist = keeping_axis().skip(1).filter(|&s| conjugate_twist(twist, s) == twist);
        same_twist
            .map(|s| {
                let (image, flip, map) = self.carry(slice, self.moves.len(), s);
                let class = (row / SLICES) as u8;
                Step { row: Coset::row(class, image), map, flip }
            })
            .collect()
    }
    fn is_undirected(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::Turn;

    /// With all face turns, and with turns of opposite faces at once as well: in opposite directions (slices) or any.
    #[test]
    fn entries_follow_moves_and_symmetries() {
        let turns: Vec<Cube> = Turn::all().map(|turn| *Cube::of_turn(turn)).collect();
        let slice = |turn: Turn| Cube::SOLVED.apply_all([turn.inverse(), turn.across()]);
        let slices = Turn::all().take(9).map(slice);
        check(&turns);
        check(&turns.iter().copied().chain(slices).collect::<Vec<_>>());
        let pair = |first: Turn| {
            let of =
                move |quarters| Cube::SOLVED.apply_all([first, Turn::new(first.face().opposite(), quarters)]);
            [1, 2, 3].map(of)
        };
        check(&turns.iter().copied().chain(Turn::all().take(9).flat_map(pair)).collect::<Vec<_>>());
    }

    fn check(moves: &[Cube]) {
        let coset = Coset::of_moves(moves.to_vec());
        let mut cube = Cube::SOLVED;
        for step in 0..400u16 {
            let index = coset.index_of(&cube);
            let images = keeping_axis().map(|s| coset.index_of(&s.conjugate(&cube)));
            let (row, column) = (index / FLIPS, index % FLIPS);
            let apply = |step: Step| {
                let map = coset.map(step.map).unwrap();
                step.row as usize * FLIPS + usize::from(map[column] ^ step.flip)
            };
            let aliases: Vec<usize> = coset.aliases(row).into_iter().map(apply).collect();
            for image in images {
                assert!(image == index || aliases.contains(&image));
            }
            let op = usize::from(step) * 5 % moves.len();
            let stepped = apply(coset.step(row, op));
            // The representative is an image of the cube: some image of its move has the same entry.
            let (_, s) = coset.class_of(twist_of(&cube));
            let turned = coset.index_of(&s.conjugate(&cube).compose(&moves[op]));
            assert_eq!(stepped, turned);
            cube = cube.compose(&moves[op]);
        }
    }
}
