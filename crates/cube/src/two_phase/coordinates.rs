//! The coordinates of both phases, and how turns change them.
//!
//! Phase 1 has the coordinates of the cosets of H: the twist of the corners, the flip of the edges, and the locations of
//! the middle slice's edges. Phase 2 has the permutations of the corners, of the eight edges of U and D, and of the four
//! edges of the slice, which turns of H do not mix. Each coordinate changes independently of the others, so a turn is
//! one read per coordinate.

use crate::cube::{Cube, Face, Turn};
use crate::pdb::corners::{TWISTS, twist_of, with_twist};
use crate::pdb::coset::{FLIPS, SLICE, SLICES, flip_of, slice_of};
use search_core::pdb::rank::{combination, permutation};

/// Permutations of eight pieces.
pub(super) const EIGHT: usize = 40_320;
/// Permutations of four pieces.
pub(super) const FOUR: usize = 24;

/// The turns of H: those of U and D, and half turns of the others.
pub(super) const INNER: [Turn; 10] = {
    let numbers = [0, 1, 2, 4, 7, 9, 10, 11, 13, 16];
    let mut turns = [Turn::from_index(0); 10];
    let mut i = 0;
    while i < 10 {
        turns[i] = Turn::from_index(numbers[i]);
        i += 1;
    }
    turns
};

/// Whether a turn is of H.
pub(super) fn is_inner(turn: Turn) -> bool {
    turn.quarters() == 2 || matches!(turn.face(), Face::U | Face::D)
}

/// Whether a turn may follow a turn of the face of index `last` (6: none): no face twice in a row, opposite faces in one order.
pub(super) fn may_follow(last: usize, turn: Turn) -> bool {
    let face = turn.face();
    last == 6 || face.index() != last && (face.opposite().index() != last || face.index() > last)
}

/// The value of a coordinate after each of `N` turns, for each value.
pub(super) type MoveTable<const N: usize> = Vec<[u16; N]>;

/// Makes a move table: `with` returns some cube with a value, `of` the value of a cube.
fn move_table<const N: usize>(
    values: usize,
    turns: [Turn; N],
    with: impl Fn(usize) -> Cube,
    of: impl Fn(&Cube) -> usize,
) -> MoveTable<N> {
    let after = |value| {
        let cube = with(value);
        turns.map(|turn| of(&cube.apply(turn)) as u16)
    };
    (0..values).map(after).collect()
}

/// The coordinates of phase 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Outer {
    /// As in the table of cosets.
    pub twist: u16,
    /// As in the table of cosets.
    pub flip: u16,
    /// The rank of the slice's locations.
    pub slice: u16,
}

impl Outer {
    /// The coordinates of a cube.
    pub(super) fn of(cube: &Cube) -> Outer {
        Outer {
            twist: twist_of(cube) as u16,
            flip: flip_of(cube) as u16,
            slice: combination::rank(slice_of(cube)) as u16,
        }
    }
}

/// The move tables of phase 1, for all 18 turns.
#[derive(Debug)]
pub(super) struct OuterMoves {
    pub twist: MoveTable<{ Turn::COUNT }>,
    pub flip: MoveTable<{ Turn::COUNT }>,
    pub slice: MoveTable<{ Turn::COUNT }>,
}

impl OuterMoves {
    pub(super) fn new() -> OuterMoves {
        let turns = std::array::from_fn(Turn::from_index);
        OuterMoves {
            twist: move_table(TWISTS, turns, with_twist, twist_of),
            flip: move_table(FLIPS, turns, with_flip, flip_of),
            slice: move_table(SLICES, turns, with_slice, |cube| combination::rank(slice_of(cube)) as usize),
        }
    }

    /// The coordinates after a turn.
    #[inline(always)]
    pub(super) fn after(&self, at: Outer, turn: Turn) -> Outer {
        Outer {
            twist: self.twist[at.twist as usize][turn.index()],
            flip: self.flip[at.flip as usize][turn.index()],
            slice: self.slice[at.slice as usize][turn.index()],
        }
    }
}

/// The coordinates of phase 1 of a cube that is made by some turns `q` and then by those of a fixed cube.
///
/// Each depends on the same coordinate of `q` alone, since the turns of the fixed cube permute locations.
#[derive(Debug)]
pub(super) struct Maps {
    twist: Vec<u16>,
    flip: Vec<u16>,
    slice: Vec<u16>,
}

impl Maps {
    /// The maps for `cube`.
    pub(super) fn before(cube: &Cube) -> Maps {
        let image = |values, with: fn(usize) -> Cube, of: fn(&Cube) -> usize| {
            (0..values).map(|value| of(&with(value).compose(cube)) as u16).collect()
        };
        Maps {
            twist: image(TWISTS, with_twist, twist_of),
            flip: image(FLIPS, with_flip, flip_of),
            slice: image(SLICES, with_slice, |cube| combination::rank(slice_of(cube)) as usize),
        }
    }

    /// The coordinates of the whole, from those of `q`.
    #[inline(always)]
    pub(super) fn after(&self, q: Outer) -> Outer {
        Outer {
            twist: self.twist[q.twist as usize],
            flip: self.flip[q.flip as usize],
            slice: self.slice[q.slice as usize],
        }
    }
}

/// Edges at home with the flips `flip`.
fn with_flip(flip: usize) -> Cube {
    let all = flip | (flip.count_ones() as usize & 1) << 11;
    Cube { edges: std::array::from_fn(|i| i as u8 | (all >> i & 1) as u8 * 16), ..Cube::SOLVED }
}

/// A cube with the slice's edges at the locations of rank `slice`.
fn with_slice(slice: usize) -> Cube {
    let mask = combination::unrank(slice as u32, 12, 4);
    let (mut inside, mut outside) = (8..12, 0..8);
    let mut next = |i: usize| if mask >> i & 1 == 1 { inside.next() } else { outside.next() };
    Cube { edges: std::array::from_fn(|i| next(i).expect("four of twelve are inside")), ..Cube::SOLVED }
}

/// The permutations of the cubies, without orientations: what phase 2 begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Places {
    corners: [u8; 8],
    edges: [u8; 12],
}

impl Places {
    /// The permutations of a cube.
    pub(super) fn of(cube: &Cube) -> Places {
        Places { corners: cube.corners.map(|v| v & 15), edges: cube.edges.map(|v| v & 15) }
    }

    /// These permutations followed by `next`.
    #[inline(always)]
    pub(super) fn then(&self, next: &Places) -> Places {
        // Loops, since the methods of arrays are not always inlined.
        let mut then = Places { corners: self.corners_then(&next.corners), edges: next.edges };
        // Four lanes more than edges, so that no bound is checked.
        let mut padded = [0; 16];
        padded[..12].copy_from_slice(&self.edges);
        for from in &mut then.edges {
            *from = padded[*from as usize & 15];
        }
        then
    }

    #[inline(always)]
    fn corners_then(&self, next: &[u8; 8]) -> [u8; 8] {
        let mut corners = *next;
        for from in &mut corners {
            *from = self.corners[*from as usize & 7];
        }
        corners
    }

    /// The permutation of the corners after turns that permute them so.
    #[inline(always)]
    pub(super) fn corners_after(&self, next: &[u8; 8]) -> u16 {
        permutation::rank(&self.corners_then(next), 8) as u16
    }

    /// The corners after these permutations and the following ones.
    pub(super) fn corners_after_all(&self, next: &[Places]) -> [u8; 8] {
        next.iter().fold(*self, |places, next| places.then(next)).corners
    }

    /// The permutation of the corners.
    #[inline(always)]
    pub(super) fn corners(&self) -> u16 {
        permutation::rank(&self.corners, 8) as u16
    }

    /// The permutation of the edges of U and D. The cube must be in H.
    #[inline(always)]
    pub(super) fn edges(&self) -> u16 {
        permutation::rank(&self.edges[..8], 8) as u16
    }

    /// The permutation of the slice's edges. The cube must be in H.
    #[inline(always)]
    pub(super) fn slice(&self) -> u16 {
        let [.., a, b, c, d] = self.edges;
        permutation::rank(&[a - 8, b - 8, c - 8, d - 8], 4) as u16
    }
}

/// The move tables of phase 2, for the turns of H.
#[derive(Debug)]
pub(super) struct InnerMoves {
    pub corners: MoveTable<10>,
    pub edges: MoveTable<10>,
    pub slice: MoveTable<10>,
}

impl InnerMoves {
    pub(super) fn new() -> InnerMoves {
        let of = |rank: fn(&Places) -> u16| move |cube: &Cube| usize::from(rank(&Places::of(cube)));
        let corners = |rank: usize| {
            let mut cube = Cube::SOLVED;
            permutation::unrank(rank as u64, 8, &mut cube.corners);
            cube
        };
        let edges = |rank: usize| {
            let mut cube = Cube::SOLVED;
            permutation::unrank(rank as u64, 8, &mut cube.edges[..8]);
            cube
        };
        let slice = |rank: usize| {
            let mut cube = Cube::SOLVED;
            permutation::unrank(rank as u64, 4, &mut cube.edges[8..]);
            cube.edges[8..].iter_mut().for_each(|cubie| *cubie += 8);
            cube
        };
        InnerMoves {
            corners: move_table(EIGHT, INNER, corners, of(Places::corners)),
            edges: move_table(EIGHT, INNER, edges, of(Places::edges)),
            slice: move_table(FOUR, INNER, slice, of(Places::slice)),
        }
    }
}

const _: () = assert!(SLICE == 0xf00, "the slice's edges are the last four");
