//! The half-turn cosets: twists, tetrads, slices and some flips, reduced by all 48 symmetries.
//!
//! Half turns preserve every corner's tetrad (two corners are in the same one if they are an even number of faces
//! apart), every edge's slice, all twists and all flips. The cubes that are solved in these four respects form a
//! group that all 48 symmetries preserve, so one table contains what the tables of the three axes contain, and
//! more. A cube's coset consists of
//!
//! - the twists (3⁷) and the tetrad of the corner at each location (70): 153,090 combinations, which fall into
//!   3,393 classes under the symmetries; the symmetry that maps them to the representative of their class is
//!   applied to the edges;
//! - the slice of the edge at each location: 12!/4!³ = 34,650;
//! - the flips, of which a table keeps those of the first `flips` locations, 0 to 11; its entries are minima over
//!   the others. Each additional flip doubles the table.
//!
//! Why symmetries act on twists and flips location by location: under a given symmetry, the slot to which the first
//! slot of a corner is mapped depends on the corner's tetrad alone, and that of an edge on its slice alone.
//!
//! The fill ([`fill`](mod@fill)) cannot work backwards through a table of minima: it enumerates
//! cosets with all flips.
//!
//! Source of the idea: the 48-symmetry cosets of S. Tronto's H48 and of cubeopt.

mod endings;
pub(crate) mod fill;
mod flips;
mod listed;
mod lowered;
mod rows;
mod sample;

pub(crate) use sample::sample;

use super::corners::TWISTS;
use crate::cube::Cube;
use crate::lanes::{Four, Halves, HalvesOf, Lanes, Row, Rows, each, first};
use crate::space::{Side, View};
use crate::symmetry::Symmetry;
use search_core::prefetch::prefetch;
use std::collections::HashMap;
use std::ops::Range;

/// Classes of twists and tetrads under the 48 symmetries.
pub(crate) const CLASSES: usize = 3_393;
/// Twists and tetrads.
const CORNERS: usize = 70 * TWISTS;
/// An upper bound on [`CORNERS`], a power of two.
const PADDED: usize = 1 << 18;
/// Arrangements of the edges of three slices at twelve locations, up to exchanges within a slice.
pub(crate) const SLICES: usize = 34_650;
/// An upper bound on numbers of six digits to base three, a power of two.
const HALVES: usize = 1024;
/// The maximum number of flips that a table keeps; the last one is implied.
pub(crate) const MOST_FLIPS: u8 = 11;

/// The binary logarithm of the number of entries that share a value of the table of minima: those in a cache line.
pub(crate) const GROUP: u32 = 8;

/// The corner cubies of the tetrad of UFL, by lane, as bit 7.
static TETRAD: Row = Row([0, 128, 0, 128, 128, 0, 128, 0, 0, 0, 0, 0, 0, 0, 0, 0]);

/// The slice of each edge: 0 between F and B, 1 between R and L, 2 between U and D.
fn slice_of(edge: u8) -> u8 {
    if edge >= 8 { 2 } else { edge & 1 }
}

/// For each view, the twist that the sum of two twists of its side stands for.
static TWISTS_OF: [Row; 2] = [
    Row([0, 1, 2, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
    Row([0, 2, 1, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
];

/// The low four bits of each lane.
static LOW: Row = Row([15; 16]);
/// Added to the numbers of lanes of each half, gives lanes of the row.
static UPPER: Row = Row([0, 0, 0, 0, 0, 0, 0, 0, 8, 8, 8, 8, 8, 8, 8, 8]);

/// The bit of a class whose representative is itself symmetric.
const SYMMETRIC: u32 = 1 << 24;

/// The class in a word of class and symmetry.
#[inline(always)]
fn class_in(word: u32) -> usize {
    (word & 0xffff) as usize
}

/// The symmetry in a word of class and symmetry. The compiler sees that it is less than 64.
#[inline(always)]
fn symmetry_in(word: u32) -> usize {
    (word >> 16 & 63) as usize
}

/// Slices and flips by location, after a symmetry: `cubie` and `order` are those of an [`EdgeGather`]; the flips
/// that depend on locations are not yet added.
#[inline(always)]
fn in_order<R: Rows>(edges: R, cubie: R, order: R) -> R {
    cubie.shuffle(edges).xor(edges.and(edges.row(&Row([0x10; 16])))).permute(order)
}

/// The twist of each corner, with its tetrad as bit 7.
#[inline(always)]
pub(crate) fn marked<R: Rows>(corners: R) -> R {
    corners.row(&TETRAD).shuffle(corners).xor(corners.high_nibbles())
}

/// The data to read slices and flips from the edges under one symmetry.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct EdgeGather<V> {
    /// The slice of the cubie's image (bits 0 and 1), and the flip that depends on the cubie (bit 4).
    cubie: V,
    /// The shuffle of locations to their images' lanes; 6 and 7 also go to lanes 12 and 13.
    order: V,
    /// The flip that depends on the location, by the lane of its image.
    location: u16,
}

/// One half of a table: the entries of about half of the classes, for machines that cannot allocate the whole
/// table at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Half {
    /// The first entries.
    First,
    /// The remaining entries.
    Second,
}

impl Half {
    /// Both, in order.
    pub(crate) const BOTH: [Half; 2] = [Half::First, Half::Second];
    /// The classes of the first half. With any number of flips, their entries fill whole words of 64 bits.
    const CLASSES: usize = 1_696;

    /// The classes of this half.
    pub(crate) fn classes(self) -> Range<usize> {
        match self {
            Half::First => 0..Half::CLASSES,
            Half::Second => Half::CLASSES..CLASSES,
        }
    }
}

/// The number of entries of some classes.
pub(crate) const fn entries_of(classes: usize, flips: u8) -> u64 {
    (classes as u64 * SLICES as u64) << flips
}

/// The small tables that turn a cube into an entry: 0.6 MB, of which a lookup reads four words.
#[derive(Clone, Debug)]
pub struct Square<V> {
    flips: u8,
    /// The flips that are kept.
    kept: u64,
    /// For each arrangement of the tetrads, the start of its twists.
    tetrads: Box<[u32; 256]>,
    /// For tetrads and twists: `class | symmetry << 16`, and [`SYMMETRIC`]. Padded, so that no bound is checked.
    class_of: Box<[u32; PADDED]>,
    /// The data for each symmetry; padded to 64, so that six bits are always a valid index.
    gathers: Box<[EdgeGather<V>; 64]>,
    /// For the slices at locations 0 to 5, as digits to base three with the first lowest: their first rank.
    low: Box<[u16; HALVES]>,
    /// For the slices at locations 6 to 11: the rank among those that can follow the same low half.
    high: Box<[u16; HALVES]>,
    /// The symmetries that preserve the representative of each class, the identity first.
    keeping: Vec<Vec<u8>>,
    /// The product of each pair of symmetries.
    products: Vec<[u8; Symmetry::COUNT]>,
}

impl<V: Lanes> Square<V> {
    /// The cosets with `flips` flips.
    ///
    /// # Panics
    /// If `flips` is more than `MOST_FLIPS`.
    pub fn new(flips: u8) -> Square<V> {
        assert!(flips <= MOST_FLIPS, "the last flip is implied");
        let (low, high) = slice_ranks();
        let mut tetrads = Box::new([0; 256]);
        let masks = (0..256usize).filter(|mask| mask.count_ones() == 4);
        for (rank, mask) in masks.enumerate() {
            tetrads[mask] = (rank * TWISTS) as u32;
        }
        let gathers =
            Box::new(std::array::from_fn(|s| edge_gather(Symmetry::from_index(s % Symmetry::COUNT))));
        let (class_of, keeping) = classes(&tetrads);
        let after =
            |s: Symmetry| std::array::from_fn(|next| s.then(Symmetry::from_index(next)).index() as u8);
        let products = Symmetry::all().map(after).collect();
        Square { flips, kept: (1 << flips) - 1, tetrads, class_of, gathers, low, high, keeping, products }
    }

    /// The number of flips that are kept.
    pub(crate) fn flips(&self) -> u8 {
        self.flips
    }

    /// The number of entries.
    pub(crate) const fn entries(flips: u8) -> u64 {
        entries_of(CLASSES, flips)
    }

    /// The entry of the side of a state that `view` uses.
    #[inline(always)]
    pub(crate) fn entry(&self, side: &Side<V>, view: View) -> u64 {
        let corners = self.numbers::<1>(marked(HalvesOf::<V>::splat(side.corners)), view);
        self.entries_at(corners, V::Four::splat(side.edges))[0]
    }

    /// The numbers of tetrads and twists of the first `N` of four positions or inverses, each followed by `next`. Of
    /// the first ones, only what [`marked`] returns is needed.
    #[inline(always)]
    pub(crate) fn corners<const N: usize>(
        &self,
        marked: HalvesOf<V>,
        next: HalvesOf<V>,
        view: View,
    ) -> [u32; N] {
        let sums = marked.shuffle(next.xor(next.row(&UPPER))).add(next.high_nibbles());
        self.numbers(sums, view)
    }

    /// The numbers of the tetrads (bit 7) and sums of two twists at each location.
    #[inline(always)]
    fn numbers<const N: usize>(&self, sums: HalvesOf<V>, view: View) -> [u32; N] {
        let tetrads = sums.signs();
        let twists = sums.row(&TWISTS_OF[view as usize]).permute(sums.and(sums.row(&LOW))).seven_digits();
        first(
            #[inline(always)]
            |i| self.tetrads[usize::from(tetrads[i])] + twists[i],
        )
    }

    /// Prefetches the class of a number of tetrads and twists.
    #[inline(always)]
    pub(crate) fn prefetch(&self, corners: u32) {
        prefetch(self.class_of.as_ptr().wrapping_add(corners as usize).cast());
    }

    /// The entries of the first `N` of four positions or inverses, from the numbers of their tetrads and twists and their
    /// edges.
    #[inline(always)]
    pub(crate) fn entries_at<const N: usize>(&self, corners: [u32; N], edges: V::Four) -> [u64; N] {
        self.edges(self.classes(corners), edges)
    }

    /// The words of [`class_of`](Square::class_of) for numbers of tetrads and twists.
    #[inline(always)]
    fn classes<const N: usize>(&self, corners: [u32; N]) -> [u32; N] {
        first(
            #[inline(always)]
            |i| self.class_of[corners[i] as usize % PADDED],
        )
    }

    /// The entries, from the classes and the edges, to which the classes' symmetries are applied.
    #[inline(always)]
    fn edges<const N: usize>(&self, classes: [u32; N], edges: V::Four) -> [u64; N] {
        let gathers = each(
            #[inline(always)]
            |i| &self.gathers[symmetry_in(classes[i.min(N - 1)])],
        );
        let cubie = V::Four::of(each(
            #[inline(always)]
            |i| gathers[i].cubie,
        ));
        let order = V::Four::of(each(
            #[inline(always)]
            |i| gathers[i].order,
        ));
        let (ranks, flips) = self.read_in_order::<N>(in_order(edges, cubie, order));
        first(
            #[inline(always)]
            |i| {
                let coset = class_in(classes[i]) as u32 * SLICES as u32 + ranks[i];
                let flips = flips[i] ^ u64::from(gathers[i].location);
                u64::from(coset) << self.flips | flips & self.kept
            },
        )
    }

    /// Reads slices and flips by location. Returns the ranks of the slices for the first `N` of four, and for each of
    /// four one bit per flip in the low sixteen bits.
    #[inline(always)]
    fn read_in_order<const N: usize>(&self, in_order: V::Four) -> ([u32; N], [u64; 4]) {
        let slices = in_order.and(in_order.row(&Row([3; 16]))).six_digits_twice();
        let ranks = first(
            #[inline(always)]
            |i| {
                let [low, high] = slices[i];
                u32::from(self.low[low as usize % HALVES] + self.high[high as usize % HALVES])
            },
        );
        (ranks, in_order.bits::<4>())
    }
}

fn edge_gather<V: Lanes>(s: Symmetry) -> EdgeGather<V> {
    let a = s.action();
    // Lanes without an edge belong to slice 0 and are not flipped.
    let (mut cubie, mut location, mut order) = ([0; 16], 0, [15; 16]);
    for i in 0..12 {
        let image = usize::from(a.edge[i]);
        cubie[i] = slice_of(a.edge[i]) | a.edge_shift[i] << 4;
        let shift = u16::from(a.edge_shift[i]);
        order[image] = i as u8;
        location |= shift << image;
        if image == 6 || image == 7 {
            order[image + 6] = i as u8;
        }
    }
    EdgeGather { cubie: V::load(cubie), order: V::load(order), location }
}

/// The ranks of the arrangements of three slices at twelve locations: a sum of one number for each half. Low halves
/// with equal numbers of edges of each slice are followed by the same high halves.
fn slice_ranks() -> (Box<[u16; HALVES]>, Box<[u16; HALVES]>) {
    let counts = |half: usize| {
        let mut counts = [0u16; 3];
        (0..6).for_each(|i| counts[half / 3usize.pow(i) % 3] += 1);
        counts
    };
    let (mut low, mut high) = (Box::new([0; HALVES]), Box::new([0; HALVES]));
    let mut of_counts = HashMap::new();
    for half in (0..3usize.pow(6)).filter(|half| counts(*half).iter().all(|&n| n <= 4)) {
        let rank = of_counts.entry(counts(half)).or_insert(0u16);
        high[half] = *rank;
        *rank += 1;
    }
    let mut first = 0u16;
    for half in 0..3usize.pow(6) {
        if let Some(rest) = of_counts.get(&counts(half).map(|n| 4u16.wrapping_sub(n))) {
            low[half] = first;
            first += rest;
        }
    }
    assert_eq!(usize::from(first), SLICES);
    (low, high)
}

/// A cube with the given twists and tetrads and solved edges. The order of the corners within a tetrad is
/// irrelevant, so the cube need not be legal.
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

/// The number of tetrads and twists of a cube: the reference implementation.
fn corners_of(tetrads: &[u32; 256], cube: &Cube) -> usize {
    let corners = cube.corners.iter().enumerate();
    let mask = corners.fold(0, |mask, (i, v)| mask | usize::from(TETRAD.0[*v as usize & 15] >> 7) << i);
    let twists = cube.corners[..7].iter().rev().fold(0, |sum, v| sum * 3 + usize::from(v >> 4));
    tetrads[mask] as usize + twists
}

/// The class of each combination of tetrads and twists, and the symmetries that preserve each representative.
fn classes(tetrads: &[u32; 256]) -> (Box<[u32; PADDED]>, Vec<Vec<u8>>) {
    const NONE: u32 = u32::MAX;
    let mut class_of = vec![NONE; CORNERS];
    let mut keeping_of = Vec::with_capacity(CLASSES);
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
                    class_of[image] = keeping_of.len() as u32 | (inverse.index() as u32) << 16;
                }
                if image == index {
                    keeping.push(s.index() as u8);
                }
            }
            keeping_of.push(keeping);
        }
    }
    assert_eq!(keeping_of.len(), CLASSES);
    for class in &mut class_of {
        if keeping_of[class_in(*class)].len() > 1 {
            *class |= SYMMETRIC;
        }
    }
    class_of.resize(PADDED, 0);
    (class_of.into_boxed_slice().try_into().expect("it was padded"), keeping_of)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::Turn;
    use crate::lanes::Portable;
    use crate::space::State;
    use std::collections::HashSet;

    fn mixed(steps: u16) -> Cube {
        (0..steps).fold(Cube::SOLVED, |cube, step| {
            cube.apply(Turn::from_index(usize::from(step * 5 + step / 7) % 18))
        })
    }

    /// Slices and flips of a cube, by a plain computation.
    fn edges_of(cube: &Cube) -> (Vec<u8>, usize) {
        let flips = cube.edges.iter().enumerate().fold(0, |flips, (i, v)| flips | usize::from(v >> 4) << i);
        (cube.edges.iter().map(|v| slice_of(v & 15)).collect(), flips)
    }

    fn check<V: Lanes>() {
        let square = Square::<V>::new(11);
        for steps in 0..400 {
            let cube = mixed(steps);
            let state = State::<V>::new(&cube);
            for view in View::ALL {
                let plain = if view == View::Inverse { cube.inverse() } else { cube };
                let side = state.side(view);
                let class = square.class_of[corners_of(&square.tetrads, &plain)];
                let image = Symmetry::from_index(symmetry_in(class)).conjugate(&plain);
                let (slices, flips) = edges_of(&image);
                let half =
                    |from: usize| (0..6).rev().fold(0, |half, i| 3 * half + usize::from(slices[from + i]));
                let rank = square.low[half(0)] + square.high[half(6)];
                let entry = ((class_in(class) * SLICES) as u64 + u64::from(rank)) << 11;
                assert_eq!(square.entry(side, view), entry | (flips & 2047) as u64);
            }
        }
    }

    #[test]
    fn entries_equal_the_plain_ones() {
        check::<Portable>();
        #[cfg(target_arch = "x86_64")]
        {
            if crate::lanes::Avx2::is_available() {
                check::<crate::lanes::Avx2>();
            }
            if crate::lanes::Avx512::is_available() {
                check::<crate::lanes::Avx512>();
            }
        }
    }

    #[test]
    fn images_and_half_turns_share_the_entries() {
        let square = Square::<Portable>::new(11);
        let entry = |cube: &Cube| square.entry(State::<Portable>::new(cube).by_location(), View::Position);
        let entries =
            |cube: &Cube| -> HashSet<u64> { Symmetry::all().map(|s| entry(&s.conjugate(cube))).collect() };
        let symmetric = Cube::SOLVED.apply_all([Turn::from_index(0), Turn::from_index(9)]);
        for cube in (0..60).map(|i| mixed(7 * i)).chain([Cube::SOLVED, symmetric]) {
            let own = entries(&cube);
            // At most as many as there are symmetries that preserve the representative.
            let class = class_in(square.class_of[corners_of(&square.tetrads, &cube)]);
            assert_eq!(square.keeping[class].len() % own.len(), 0);
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
                halves[i / 6] += slice * 3usize.pow(i as u32 % 6);
            }
            (counts == [4; 3]).then(|| low[halves[0]] + high[halves[1]])
        }) {
            assert!((ranks as usize) < SLICES && seen.insert(ranks));
        }
        assert_eq!(seen.len(), SLICES);
    }
}
