//! Appends strings of turns to listed cosets, grouped by the class of twists and tetrads that they lead to: the
//! inner loops of [`super::fill`], which explains the idea.
//!
//! Directions: an ending acts on a position as moves do, by location. The coset before it is the image of a listed
//! one under a symmetry, so the last turn before it is an image too.

use super::listed::Layer;
use super::{CLASSES, SYMMETRIC, Square, class_in, corners_of, in_order, marked, symmetry_in, with_corners};
use crate::cube::{Cube, Face, Turn};
use crate::lanes::{Four, Halves, HalvesOf, Lanes, Row, Rows, each};
use crate::metric::Metric;
use crate::pdb::corners::TWISTS;
use crate::space::{State, View};
use crate::symmetry::Symmetry;
use search_core::Run;
use search_core::prefetch::prefetch;

/// The face of the last turn if there is no turn.
const NO_FACE: usize = Face::ALL.len();
/// The order of lanes for [`Square`]: locations 6 and 7 are also in lanes 12 and 13.
const LANES: [u8; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 6, 7, 15, 15];
/// The number of endings whose rows are fetched together.
const TOGETHER: usize = 32;

/// The listed cosets of one depth, in one row for each class of twists and tetrads, already mapped to the class's
/// representative; each row is ordered by the face of the last turn.
pub(super) struct Listed<V: Lanes> {
    /// The edges, four cosets at a time. The last coset of a row is repeated to fill its last four.
    edges: Vec<V::Four>,
    /// For each row, the starts of the cosets of each face and of those without a face, and the end of the row.
    rows: Vec<[u32; NO_FACE + 2]>,
}

impl<V: Lanes> Listed<V> {
    /// The cosets of `layer`.
    pub(crate) fn new(square: &Square<V>, layer: &Layer, run: &Run<'_>) -> Listed<V> {
        let cosets = representatives(&square.tetrads, &square.class_of[..], layer, run);
        let (mut edges, mut rows) = (Vec::new(), Vec::with_capacity(CLASSES));
        let mut rest = &cosets[..];
        for class in 0..CLASSES {
            let (row, others) = rest.split_at(rest.partition_point(|coset| coset.0 == class));
            rest = others;
            let begin = 4 * edges.len();
            let mut begins = [0; NO_FACE + 2];
            for (face, at) in begins.iter_mut().enumerate() {
                *at = (begin + row.partition_point(|coset| coset.1 < face)) as u32;
            }
            rows.push(begins);
            for four in row.chunks(4) {
                let edges_of = |i: usize| State::<V>::new(&four[i.min(four.len() - 1)].2).by_location().edges;
                edges.push(V::Four::of(each(edges_of)));
            }
        }
        Listed { edges, rows }
    }

    /// Prefetches the first lines of a row; the processor fetches the rest by itself.
    #[inline(always)]
    fn prefetch(&self, class: usize) {
        let row = self.edges.as_ptr().wrapping_add(self.rows[class][0] as usize / 4);
        prefetch(row.cast());
        prefetch(row.wrapping_add(1).cast());
    }
}

/// The cosets of `layer`, mapped to the representatives of their classes, with the class and the face of the last turn,
/// by which they are sorted. Not generic, so that it is compiled once.
fn representatives(
    tetrads: &[u32; 256],
    class_of: &[u32],
    layer: &Layer,
    run: &Run<'_>,
) -> Vec<(usize, usize, Cube)> {
    let bring = |(cube, last): &(Cube, Option<Turn>)| {
        let word = class_of[corners_of(tetrads, cube)];
        let symmetry = Symmetry::from_index(symmetry_in(word));
        let face = last.map_or(NO_FACE, |last| symmetry.turn(last).face().index());
        (class_in(word), face, symmetry.conjugate(cube))
    };
    let mut cosets = run.map(layer, bring);
    cosets.sort_by_key(|(class, face, _)| (*class, *face));
    cosets
}

/// All strings of some number of turns that the move rules allow.
pub(super) struct Endings<V: Lanes> {
    /// The corners that undo each string, four at a time. The last one is repeated.
    undoing: Vec<HalvesOf<V>>,
    each: Vec<Ending<V>>,
}

pub(super) struct Ending<V> {
    /// For each lane in order, the location that it comes from, and whether it is flipped (bit 4).
    from: V,
    /// The first turn's face, if the coset before must not end with a turn of this face.
    face: usize,
}

impl<V: Lanes> Endings<V> {
    /// The strings of `turns` turns.
    pub(crate) fn new(metric: Metric, turns: u32) -> Endings<V> {
        let automaton = metric.automaton();
        let mut strings = vec![(Cube::SOLVED, automaton.start(), None)];
        for _ in 0..turns {
            let longer = strings.iter().flat_map(|(cube, state, first)| {
                automaton.allowed(*state).into_iter().map(|op| {
                    let turn = metric.turns()[op.index()];
                    let next = automaton.next(*state, op).expect("the automaton allows the operator");
                    (cube.apply(turn), next, first.or(Some(turn)))
                })
            });
            strings = longer.collect();
        }
        let undoing = strings.chunks(4).map(|four| {
            let corners =
                |i: usize| State::<V>::new(&four[i.min(four.len() - 1)].0.inverse()).by_location().corners;
            HalvesOf::<V>::of(each(corners))
        });
        let undoing = undoing.collect();
        let ending = |(cube, _, first): &(Cube, _, Option<Turn>)| Ending {
            from: State::<V>::new(cube).by_location().edges.shuffle(V::load(LANES)),
            face: first.filter(|_| metric == Metric::Htm).map_or(NO_FACE, |first| first.face().index()),
        };
        Endings { undoing, each: strings.iter().map(ending).collect() }
    }

    /// The number of strings.
    pub(crate) fn len(&self) -> usize {
        self.each.len()
    }

    /// A string.
    pub(crate) fn get(&self, number: usize) -> &Ending<V> {
        &self.each[number]
    }
}

/// How a symmetry, and then an ending, move the edges.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moved<R> {
    /// As in an [`EdgeGather`](super::EdgeGather).
    cubie: R,
    /// For each lane, the one that it comes from.
    order: R,
    /// The flips that depend on the location (bit 4).
    flips: R,
}

impl<R: Rows> Moved<R> {
    /// The edges after the symmetry and the ending, in the order of lanes for [`Square`].
    #[inline(always)]
    pub(crate) fn edges(&self, edges: R) -> R {
        in_order(edges, self.cubie, self.order).xor(self.flips)
    }
}

impl<V: Lanes> Moved<V> {
    /// The same for four rows.
    #[inline(always)]
    pub(crate) fn four(self) -> Moved<V::Four> {
        let [cubie, order, flips] = [self.cubie, self.order, self.flips].map(V::Four::splat);
        Moved { cubie, order, flips }
    }

    /// For each location, the one that its edge comes from.
    pub(crate) fn from(&self) -> [u8; 12] {
        let order = self.order.store();
        std::array::from_fn(|i| order[i] & 15)
    }
}

/// Appends endings to listed cosets.
pub(super) struct Appending<'a, V> {
    square: &'a Square<V>,
    /// The corners of the classes' representatives, [`marked`].
    representatives: Vec<V>,
    /// The inverse of each symmetry; padded to 64, so that six bits are always a valid index.
    inverses: [u8; 64],
    /// For each symmetry, the image of each face.
    faces: Vec<[u8; NO_FACE + 1]>,
    /// For each symmetry, the flips that depend on the location (bit 4).
    shifts: Vec<V>,
}

impl<'a, V: Lanes> Appending<'a, V> {
    /// Prepares tables for the cosets of `square`.
    pub(crate) fn new(square: &'a Square<V>) -> Appending<'a, V> {
        let mut representatives = Vec::with_capacity(CLASSES);
        for mask in (0..256usize).filter(|mask| mask.count_ones() == 4) {
            for twists in 0..TWISTS {
                let word = square.class_of[square.tetrads[mask] as usize + twists];
                if class_in(word) == representatives.len() {
                    let corners = State::new(&with_corners(mask, twists)).by_location().corners;
                    representatives.push(marked(corners));
                }
            }
        }
        let inverses =
            std::array::from_fn(|s| Symmetry::from_index(s % Symmetry::COUNT).inverse().index() as u8);
        let faces = |s: usize| {
            let action = Symmetry::from_index(inverses[s].into()).action();
            std::array::from_fn(|f| action.face.get(f).map_or(NO_FACE as u8, |face| *face as u8))
        };
        let faces = (0..64).map(faces).collect();
        let shift = |location: u16| V::load(std::array::from_fn(|i| (location >> i & 1) as u8 * 0x10));
        let shifts = square.gathers.iter().map(|gather| shift(gather.location)).collect();
        Appending { square, representatives, inverses, faces, shifts }
    }

    /// For each ending that leads to this class, the class before it, and the symmetry to apply to the cosets of that
    /// class before the ending.
    pub(crate) fn before(&self, class: usize, endings: &Endings<V>) -> Vec<(usize, u8)> {
        let corners = HalvesOf::<V>::splat(self.representatives[class]);
        let words = endings.undoing.iter().flat_map(|undoing| {
            let numbers: [u32; 4] = self.square.corners(corners, *undoing, View::Position);
            self.square.classes(numbers)
        });
        let before = words.map(|word| (class_in(word), self.inverses[symmetry_in(word)]));
        before.take(endings.len()).collect()
    }

    /// How a symmetry, and then an ending, move the edges.
    #[inline(always)]
    pub(crate) fn moved(&self, symmetry: usize, ending: &Ending<V>) -> Moved<V> {
        let gather = &self.square.gathers[symmetry];
        let order = gather.order.shuffle(ending.from);
        let flips = ending.from.and(ending.from.row(&Row([0x10; 16])));
        Moved { cubie: gather.cubie, order, flips: self.shifts[symmetry].shuffle(ending.from).xor(flips) }
    }

    /// The ranks of the slices and the flips of four cosets, given by their [moved](Moved::edges) edges. Flips beyond the
    /// twelve locations are unspecified.
    #[inline(always)]
    pub(crate) fn read(&self, edges: V::Four) -> ([u32; 4], [u64; 4]) {
        self.square.read_in_order(edges)
    }

    /// Visits the rank of the slices and the kept flips of every coset of this class that an ending reaches from a
    /// listed coset. Most cosets are visited once.
    #[inline(always)]
    pub(crate) fn each_of_class(
        &self,
        class: usize,
        listed: &Listed<V>,
        endings: &Endings<V>,
        mut visit: impl FnMut(u32, u64),
    ) {
        let corners = HalvesOf::<V>::splat(self.representatives[class]);
        for (undoing, together) in endings.undoing.chunks(TOGETHER / 4).zip(endings.each.chunks(TOGETHER)) {
            let mut words = [0; TOGETHER];
            for (undoing, words) in undoing.iter().zip(words.as_chunks_mut::<4>().0) {
                let numbers: [u32; 4] = self.square.corners(corners, *undoing, View::Position);
                *words = self.square.classes(numbers);
                for word in words {
                    listed.prefetch(class_in(*word));
                }
            }
            for (word, ending) in words.iter().zip(together) {
                let class = class_in(*word);
                let back = self.inverses[symmetry_in(*word)];
                self.append(class, back, listed, ending, &mut visit);
                if word & SYMMETRIC != 0 {
                    for keep in &self.square.keeping[class][1..] {
                        let back = self.square.products[usize::from(*keep)][usize::from(back)];
                        self.append(class, back, listed, ending, &mut visit);
                    }
                }
            }
        }
    }

    /// Applies a symmetry to a row of listed cosets, and then an ending.
    #[inline(always)]
    fn append(
        &self,
        class: usize,
        symmetry: u8,
        listed: &Listed<V>,
        ending: &Ending<V>,
        mut visit: impl FnMut(u32, u64),
    ) {
        let symmetry = usize::from(symmetry);
        let moved = self.moved(symmetry, ending).four();
        let row = &listed.rows[class];
        let [begin, end] = [row[0], row[NO_FACE + 1].next_multiple_of(4)].map(|at| at as usize / 4);
        // Skips cosets whose last turn the first one would undo or double, in whole groups of four.
        let face = usize::from(self.faces[symmetry][ending.face]);
        let (from, to) = if face == NO_FACE {
            (end, end)
        } else {
            let from = row[face].div_ceil(4) as usize;
            (from, from.max(row[face + 1] as usize / 4))
        };
        for edges in listed.edges[begin..from].iter().chain(&listed.edges[to..end]) {
            let (ranks, flips) = self.read(moved.edges(*edges));
            for i in 0..4 {
                visit(ranks[i], flips[i] & self.square.kept);
            }
        }
    }
}
