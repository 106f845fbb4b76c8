//! Cosets that half turns leave: twists, tetrads, slices and some flips, reduced by all 48 symmetries.
//!
//! Half turns keep every corner in its tetrad (corners are in one when they are an even number of
//! faces apart), every edge in its slice, all twists and all flips. The cubes that are solved in
//! these four respects form a group that all 48 symmetries keep, so one table knows what the
//! tables of the three axes know, and more. A cube's coset is
//!
//! - the twists (3⁷) and which corners belong to which tetrad (70): 153,090, which fall into 3,393
//!   classes under the symmetries; the symmetry that brings them to their class's representative is
//!   applied to the edges;
//! - which edges belong to which slice: 12!/4!³ = 34,650;
//! - the flips, of which a table keeps those of the first `flips` locations, 0 to 11: its entries
//!   are minima over the others. Each flip more doubles the table.
//!
//! Why twists and flips turn with the cube: which slot of a corner's image its first slot becomes
//! depends, for one symmetry, on the tetrad alone; for an edge on the slice alone.
//!
//! The fill ([`fill`](mod@fill)) cannot work backwards through a table of minima: it enumerates
//! cosets with all flips.
//!
//! Source of the idea: the 48-symmetry cosets of S. Tronto's H48 and of cubeopt.

pub mod fill;

use crate::cube::Cube;
use crate::lanes::Lanes;
use crate::symmetry::Symmetry;

/// Classes of twists and tetrads under the 48 symmetries.
pub const CLASSES: usize = 3_393;
/// Twists of the corners, the last one implied.
const TWISTS: usize = 2_187;
/// Twists and tetrads.
const CORNERS: usize = 70 * TWISTS;
/// Ways for the edges of three slices to share twelve locations.
pub const SLICES: usize = 34_650;
/// The most flips that a table keeps: the last one is implied.
pub const MOST_FLIPS: u8 = 11;

/// Which corner cubies belong to the tetrad of UFL, by lane.
const TETRAD: [u8; 16] = [0, 1, 0, 1, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0];

/// The slice of each edge: 0 between F and B, 1 between R and L, 2 between U and D.
fn slice_of(edge: u8) -> u8 {
    if edge >= 8 { 2 } else { edge & 1 }
}

/// Marks a class whose representative is itself symmetric.
const SYMMETRIC: u32 = 1 << 24;

/// How slices and flips are read off the edges under one symmetry.
#[derive(Clone, Copy, Debug)]
struct EdgeGather<V> {
    /// What a cubie adds to its flip (bit 0), and the slice of its image (bits 1 and 2).
    cubie: V,
    /// What a location adds to the flip.
    location: V,
    /// Brings locations to their images' places.
    order: V,
}

/// The small tables that turn a cube into an entry: 0.6 MB, of which a lookup reads four words.
#[derive(Clone, Debug)]
pub struct Square<V> {
    flips: u8,
    /// For each pattern of tetrads, where its twists begin.
    tetrads: Box<[u32; 256]>,
    /// For tetrads and twists: `class | symmetry << 16`, and [`SYMMETRIC`].
    class_of: Vec<u32>,
    gathers: Vec<EdgeGather<V>>,
    /// For the slices at locations 0 to 5 (bit 0 of each, then bit 1 of each): their first rank.
    low: Box<[u16; 4096]>,
    /// For the slices at locations 6 to 11: the rank among those that go with the same low half.
    high: Box<[u16; 4096]>,
    /// Classes whose representative is itself symmetric, with the symmetries that keep it.
    symmetric: Vec<(u32, Vec<u8>)>,
    /// One symmetry and then another.
    products: Vec<[u8; Symmetry::COUNT]>,
}

impl<V: Lanes> Square<V> {
    /// The cosets with `flips` flips.
    ///
    /// # Panics
    /// If `flips` is more than [`MOST_FLIPS`].
    pub fn new(flips: u8) -> Square<V> {
        assert!(flips <= MOST_FLIPS, "the last flip is implied");
        let (low, high) = slice_ranks();
        let mut tetrads = Box::new([0; 256]);
        let masks = (0..256usize).filter(|mask| mask.count_ones() == 4);
        for (rank, mask) in masks.enumerate() {
            tetrads[mask] = (rank * TWISTS) as u32;
        }
        let gathers = Symmetry::all().map(edge_gather).collect();
        let (class_of, symmetric) = classes(&tetrads);
        let after = |s: Symmetry| std::array::from_fn(|next| s.then(Symmetry(next as u8)).0);
        let products = Symmetry::all().map(after).collect();
        Square { flips, tetrads, class_of, gathers, low, high, symmetric, products }
    }

    /// How many flips are kept.
    pub fn flips(&self) -> u8 {
        self.flips
    }

    /// How many entries there are.
    pub const fn entries(flips: u8) -> u64 {
        (CLASSES as u64 * SLICES as u64) << flips
    }

    /// The entry of a position, given by location, or of an inverse, given by cubie of the position
    /// (which is the inverse with every twist negated).
    #[inline(always)]
    pub fn entry(&self, corners: V, edges: V, inverse: bool) -> u64 {
        let class = self.class_of[self.corners(corners, inverse) as usize];
        self.edges(class & 0xffff, (class >> 16 & 63) as usize, edges)
    }

    /// Tetrads and twists.
    #[inline(always)]
    fn corners(&self, corners: V, inverse: bool) -> u32 {
        let tetrads = V::load(TETRAD).shuffle(corners.and(V::load([15; 16]))).bits::<0>() & 0xff;
        let digits = if inverse { [0, 2, 1, 0] } else { [0, 1, 2, 0] };
        let mut lanes = [0; 16];
        lanes[..4].copy_from_slice(&digits);
        let twists = V::load(lanes).shuffle(corners.high_nibbles());
        let first_seven = V::load([3, 3, 3, 3, 3, 3, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        let powers = V::load([1, 3, 9, 27, 81, 243, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        self.tetrads[tetrads as usize] + twists.and(first_seven).base_three(powers)
    }

    /// The entry of a class, and of edges to which a symmetry is applied.
    #[inline(always)]
    fn edges(&self, class: u32, symmetry: usize, edges: V) -> u64 {
        let gather = &self.gathers[symmetry];
        let kinds =
            gather.cubie.shuffle(edges.and(V::load([15; 16]))).xor(edges.high_nibbles()).xor(gather.location);
        let in_order = kinds.shuffle(gather.order);
        let flips = in_order.bits::<0>() & ((1 << self.flips) - 1);
        let (a, b) = (in_order.bits::<1>(), in_order.bits::<2>());
        let low = a & 63 | (b & 63) << 6;
        let high = a >> 6 & 63 | (b >> 6 & 63) << 6;
        let slices = self.low[low as usize] + self.high[high as usize];
        u64::from(class * SLICES as u32 + u32::from(slices)) << self.flips | u64::from(flips)
    }

    /// All entries that stand for a position given by location: one, or as many as there are
    /// symmetries that keep the representative of its class.
    #[inline(always)]
    fn each_entry(&self, corners: V, edges: V, mut visit: impl FnMut(u64)) {
        let class = self.class_of[self.corners(corners, false) as usize];
        let (number, symmetry) = (class & 0xffff, (class >> 16 & 63) as usize);
        if class & SYMMETRIC == 0 {
            visit(self.edges(number, symmetry, edges));
        } else {
            for then in self.keeping(number) {
                visit(self.edges(number, self.products[symmetry][*then as usize] as usize, edges));
            }
        }
    }

    /// The symmetries that keep the representative of a class that is marked as symmetric.
    #[cold]
    fn keeping(&self, class: u32) -> &[u8] {
        match self.symmetric.binary_search_by_key(&class, |(class, _)| *class) {
            Ok(at) => &self.symmetric[at].1,
            Err(_) => &[0],
        }
    }
}

fn edge_gather<V: Lanes>(s: Symmetry) -> EdgeGather<V> {
    let a = s.action();
    // Lanes that are no edge are of slice 0 and not flipped.
    let (mut cubie, mut location, mut order) = ([0; 16], [0; 16], [15; 16]);
    for i in 0..12 {
        cubie[i] = a.edge_shift[i] | slice_of(a.edge[i]) << 1;
        location[i] = a.edge_shift[i];
        order[a.edge[i] as usize] = i as u8;
    }
    EdgeGather { cubie: V::load(cubie), location: V::load(location), order: V::load(order) }
}

/// Ranks of the ways in which three slices share twelve locations: a sum of one number for each
/// half. Low halves with as many edges of each slice go with the same high halves.
fn slice_ranks() -> (Box<[u16; 4096]>, Box<[u16; 4096]>) {
    let counts = |half: usize| {
        let (a, b) = (half & 63, half >> 6);
        (a & b == 0).then(|| [6 - (a | b).count_ones(), a.count_ones(), b.count_ones()])
    };
    let (mut low, mut high) = (Box::new([0; 4096]), Box::new([0; 4096]));
    let mut of_counts = std::collections::HashMap::new();
    for half in 0..4096 {
        if let Some(counts) = counts(half).filter(|counts| counts.iter().all(|&n| n <= 4)) {
            let rank = of_counts.entry(counts).or_insert(0u16);
            high[half] = *rank;
            *rank += 1;
        }
    }
    let mut first = 0u16;
    for half in 0..4096 {
        let rest = counts(half).and_then(|counts| of_counts.get(&counts.map(|n| 4u32.wrapping_sub(n))));
        if let Some(rest) = rest {
            low[half] = first;
            first += rest;
        }
    }
    assert_eq!(usize::from(first), SLICES);
    (low, high)
}

/// A cube with some twists and tetrads; its edges are solved. Which corner of its tetrad is where
/// does not matter, so the cube need not be legal.
fn with_corners(tetrads: usize, mut twists: usize) -> Cube {
    let mut cubies = [[0, 2, 5, 7].into_iter(), [1, 3, 4, 6].into_iter()];
    let mut cube = Cube::SOLVED;
    let mut sum = 0;
    for (i, corner) in cube.corners.iter_mut().enumerate() {
        let cubie = cubies[tetrads >> i & 1].next().expect("four corners in each tetrad");
        let twist = if i < 7 { twists % 3 } else { (3 - sum % 3) % 3 };
        (twists, sum) = (twists / 3, sum + twist);
        *corner = cubie | (twist as u8) << 4;
    }
    cube
}

/// Tetrads and twists of a cube: plain and slow.
fn corners_of(tetrads: &[u32; 256], cube: &Cube) -> usize {
    let corners = cube.corners.iter().enumerate();
    let mask = corners.fold(0, |mask, (i, v)| mask | usize::from(TETRAD[*v as usize & 15]) << i);
    let twists = cube.corners[..7].iter().rev().fold(0, |sum, v| sum * 3 + usize::from(v >> 4));
    tetrads[mask] as usize + twists
}

/// The class of all tetrads and twists, and the classes with symmetric representatives.
fn classes(tetrads: &[u32; 256]) -> (Vec<u32>, Vec<(u32, Vec<u8>)>) {
    const NONE: u32 = u32::MAX;
    let mut class_of = vec![NONE; CORNERS];
    let mut symmetric = Vec::new();
    let mut classes = 0;
    let inverses: Vec<Symmetry> = Symmetry::all().map(Symmetry::inverse).collect();
    for mask in (0..256usize).filter(|mask| mask.count_ones() == 4) {
        for twists in 0..TWISTS {
            let index = tetrads[mask] as usize + twists;
            if class_of[index] != NONE {
                continue;
            }
            let representative = with_corners(mask, twists);
            let mut keeping = Vec::new();
            for (s, inverse) in Symmetry::all().zip(&inverses) {
                let image = corners_of(tetrads, &s.conjugate(&representative));
                if class_of[image] == NONE {
                    class_of[image] = classes | u32::from(inverse.0) << 16;
                }
                if image == index {
                    keeping.push(s.0);
                }
            }
            if keeping.len() > 1 {
                symmetric.push((classes, keeping));
            }
            classes += 1;
        }
    }
    assert_eq!(classes as usize, CLASSES);
    for class in &mut class_of {
        if symmetric.binary_search_by_key(&(*class & 0xffff), |(class, _)| *class).is_ok() {
            *class |= SYMMETRIC;
        }
    }
    (class_of, symmetric)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::Turn;
    use crate::lanes::Portable;
    use crate::space::State;
    use std::collections::HashSet;

    fn mixed(steps: u16) -> Cube {
        (0..steps).fold(Cube::SOLVED, |cube, step| cube.apply(Turn(((step * 5 + step / 7) % 18) as u8)))
    }

    /// Slices and flips of a cube, plainly.
    fn edges_of(cube: &Cube) -> (Vec<u8>, usize) {
        let flips = cube.edges.iter().enumerate().fold(0, |flips, (i, v)| flips | usize::from(v >> 4) << i);
        (cube.edges.iter().map(|v| slice_of(v & 15)).collect(), flips)
    }

    fn check<V: Lanes>() {
        let square = Square::<V>::new(11);
        for steps in 0..400 {
            let cube = mixed(steps);
            let state = State::<V>::new(&cube);
            for inverse in [false, true] {
                let plain = if inverse { cube.inverse() } else { cube };
                let (corners, edges) = state.side(inverse);
                let class = square.class_of[corners_of(&square.tetrads, &plain)];
                let image = Symmetry((class >> 16 & 63) as u8).conjugate(&plain);
                let (slices, flips) = edges_of(&image);
                let half = |from: usize| {
                    (0..6).fold(0, |half, i| {
                        let slice = usize::from(slices[from + i]);
                        half | (slice & 1) << i | (slice >> 1) << (6 + i)
                    })
                };
                let rank = square.low[half(0)] + square.high[half(6)];
                let entry = ((class & 0xffff) as u64 * SLICES as u64 + u64::from(rank)) << 11;
                assert_eq!(square.entry(corners, edges, inverse), entry | (flips & 2047) as u64);
                // Images of a cube, and cubes that a half turn makes of it, share its entries.
                let mut entries = HashSet::new();
                square.each_entry(corners, edges, |entry| _ = entries.insert(entry));
            }
        }
    }

    #[test]
    fn entries_equal_the_plain_ones() {
        check::<Portable>();
        #[cfg(target_arch = "x86_64")]
        if crate::lanes::Ssse3::is_available() {
            check::<crate::lanes::Ssse3>();
        }
    }

    #[test]
    fn images_and_half_turns_share_the_entries() {
        let square = Square::<Portable>::new(11);
        let entries = |cube: &Cube| {
            let state = State::<Portable>::new(cube);
            let mut entries = Vec::new();
            square.each_entry(state.corner_at, state.edge_at, |entry| entries.push(entry));
            entries.sort_unstable();
            entries.dedup();
            entries
        };
        let symmetric = Cube::SOLVED.apply_all([Turn(0), Turn(9)]);
        for cube in (0..60).map(|i| mixed(7 * i)).chain([Cube::SOLVED, symmetric]) {
            let own = entries(&cube);
            let state = State::<Portable>::new(&cube);
            assert!(own.contains(&square.entry(state.corner_at, state.edge_at, false)));
            for s in Symmetry::all() {
                assert_eq!(entries(&s.conjugate(&cube)), own);
            }
            for face in crate::Face::ALL {
                assert_eq!(entries(&Cube::of_turn(Turn::new(face, 2)).compose(&cube)), own);
            }
        }
    }

    #[test]
    fn slices_are_ranked_once_each() {
        let (low, high) = slice_ranks();
        let mut seen = HashSet::new();
        for ranks in (0..3usize.pow(12)).filter_map(|mut number| {
            let mut halves = [0usize; 2];
            let mut counts = [0; 3];
            for i in 0..12 {
                let slice = number % 3;
                number /= 3;
                counts[slice] += 1;
                halves[i / 6] |= (slice & 1) << (i % 6) | (slice >> 1) << (6 + i % 6);
            }
            (counts == [4; 3]).then(|| low[halves[0]] + high[halves[1]])
        }) {
            assert!((ranks as usize) < SLICES && seen.insert(ranks));
        }
        assert_eq!(seen.len(), SLICES);
    }
}
