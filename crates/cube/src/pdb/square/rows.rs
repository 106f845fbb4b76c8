//! The last depth of a fill, by turns of whole rows of cosets.
//!
//! The idea: nearly all strings of turns have the greatest depth, thirteen times as many as the depth before it. But
//! a turn carries all cosets with given corners and slices to the same corners and slices, and rearranges their flips
//! ([`flips`](super::flips)). So for one class of twists and tetrads after the other, the cosets at the depth before
//! the last are enumerated with all their flips, in a bitmap of 9 MB; then each turn carries each of its 34,650 rows
//! to a row of the table.
//!
//! Invariant: a coset at distance `d` is one turn after one at distance `d - 1`. The coset's corners are those of its
//! class's representative. Some symmetry maps the corners before the turn to the representative of their class; the
//! bitmap of that class is closed under the symmetries that preserve the representative, so it does not matter which
//! one. Hence each class is reached by each turn from one class, under one symmetry: a [`Passage`]. Entries are only
//! ever lowered, so the order of the classes is irrelevant, and a class that was interrupted is simply repeated.
//!
//! Cost: 61,074 passages of 34,650 rows, each of which reads a row of the bitmap, and reads and writes a row of the
//! table. With nine flips that takes about as long as enumerating seven strings per row, less than the enumeration of the
//! depth before the last; all strings of the last depth would take thirteen times as long as that.

use super::endings::{Appending, Ending, Endings, Listed, Moved};
use super::flips::{Numbered, ROWS, Rearrangement, WORDS, flip};
use super::lowered::{spread, to_one, to_two};
use super::{CLASSES, SLICES, Square};
use crate::cube::Cube;
use crate::lanes::{Four, Lanes, each};
use crate::metric::Metric;
use crate::space::State;
use crate::symmetry::Symmetry;
use search_core::memory::{Memory, MemoryError};
use search_core::prefetch::prefetch;
use std::ops::Range;
use std::sync::Mutex;

/// The bytes of the rows of a block, of all flips.
const BLOCK: usize = size_of::<Numbered>();
/// The number of blocks.
const BLOCKS: usize = SLICES.div_ceil(ROWS);
/// The bytes of a cache line.
const LINE: usize = 64;

/// The cosets of one class, with all flips, as bits: blocks of rows, each ordered by words.
pub(super) struct Cosets(Memory);

impl Cosets {
    /// No cosets.
    ///
    /// # Errors
    /// The system refuses the memory.
    pub(crate) fn none() -> Result<Cosets, MemoryError> {
        Memory::zeroed(BLOCKS * BLOCK).map(Cosets)
    }

    /// Copies the rows of a block.
    #[inline(always)]
    fn copy_block(&self, number: usize, block: &mut Numbered) {
        let bytes = self.0[number * BLOCK..][..BLOCK].as_chunks::<8>().0;
        for (word, bytes) in block.as_flattened_mut().iter_mut().zip(bytes) {
            *word = u64::from_le_bytes(*bytes);
        }
    }
}

/// A turn into a class, from another class: a symmetry is applied to the cosets of that class, and then the turn.
#[derive(Clone, Copy, Debug)]
struct Passage {
    /// The class after the turn.
    class: u16,
    symmetry: u8,
    turn: u8,
}

/// The rows of the table that a block is carried to.
#[derive(Clone, Copy)]
struct Places {
    /// The rank of the slices of each row.
    ranks: [u32; ROWS],
    /// The flips that are changed in each row.
    flips: [u64; ROWS],
}

/// The last two depths of a fill.
pub(super) struct LastTurns<'a, V: Lanes> {
    appending: Appending<'a, V>,
    /// The number of flips that the table keeps.
    flips: u8,
    /// The classes of the table.
    classes: Range<usize>,
    /// For each class, the passages from it to a class of the table.
    passages: Vec<Vec<Passage>>,
    /// No turn.
    none: Endings<V>,
    /// All single turns.
    turns: Endings<V>,
    /// How nothing rearranges the flips.
    stay: Rearrangement,
    /// For each symmetry and turn, in this order, how a passage rearranges the flips.
    rearrangements: Vec<Rearrangement>,
    /// Edges with each arrangement of the slices and without flips, by rank, four at a time, for whole blocks.
    slices: Vec<V::Four>,
}

impl<'a, V: Lanes> LastTurns<'a, V> {
    /// The turns into some classes of a table that keeps `flips` flips. `all` are the cosets with all flips.
    pub(crate) fn new(
        all: &'a Square<V>,
        metric: Metric,
        flips: u8,
        classes: Range<usize>,
    ) -> LastTurns<'a, V> {
        let appending = Appending::new(all);
        let [none, turns] = [0, 1].map(|turns| Endings::new(metric, turns));
        let mut passages = vec![Vec::new(); CLASSES];
        for class in classes.clone() {
            for (turn, (before, symmetry)) in appending.before(class, &turns).into_iter().enumerate() {
                passages[before].push(Passage { class: class as u16, symmetry, turn: turn as u8 });
            }
        }
        let rearranged = |symmetry: Symmetry, turn: &Ending<V>| {
            Rearrangement::new(&appending.moved(symmetry.index(), turn).from(), flips)
        };
        let stay = rearranged(Symmetry::IDENTITY, none.get(0));
        let of_symmetry = |symmetry| (0..turns.len()).map(move |turn| (symmetry, turn));
        let rearrangements =
            Symmetry::all().flat_map(of_symmetry).map(|(s, turn)| rearranged(s, turns.get(turn))).collect();
        LastTurns {
            flips,
            classes,
            passages,
            stay,
            rearrangements,
            slices: slices(all),
            none,
            turns,
            appending,
        }
    }

    /// The bytes of a row of the table.
    fn row_bytes(&self) -> usize {
        (1 << self.flips) / 4
    }

    /// Enters the cosets of a class that endings reach from listed cosets, and those one turn after them. `parts` are
    /// the entries of the table's classes. `cosets` has none, before and after.
    #[inline(always)]
    pub(crate) fn enter(
        &self,
        class: usize,
        listed: &Listed<V>,
        endings: &Endings<V>,
        parts: &[Mutex<&mut [u8]>],
        cosets: &mut Cosets,
    ) {
        let is_own = self.classes.contains(&class);
        if !is_own && self.passages[class].is_empty() {
            return;
        }
        let bits = &mut cosets.0[..];
        self.appending.each_of_class(
            class,
            listed,
            endings,
            #[inline(always)]
            |rank, flips| {
                let (rank, flips) = (rank as usize, flips as usize % (64 * WORDS));
                // The bytes of a word are ordered from the lowest to the highest.
                let at = rank / ROWS * BLOCK + flips / 64 * (8 * ROWS) + rank % ROWS * 8 + flips % 64 / 8;
                bits[at] |= 1 << (flips % 8);
            },
        );
        let part = |class: usize| {
            parts[class - self.classes.start].lock().expect("no thread panics while it has a part")
        };
        if is_own {
            let stay = self.appending.moved(Symmetry::IDENTITY.index(), self.none.get(0));
            self.carry(cosets, stay, &self.stay, &mut part(class), to_one);
        }
        for &Passage { class, symmetry, turn } in &self.passages[class] {
            let (symmetry, turn) = (usize::from(symmetry), usize::from(turn));
            let moved = self.appending.moved(symmetry, self.turns.get(turn));
            let rearrangement = &self.rearrangements[symmetry * self.turns.len() + turn];
            self.carry(cosets, moved, rearrangement, &mut part(class.into()), to_two);
        }
        cosets.0.fill(0);
    }

    /// Carries all rows to the part of the table for a class, whose entries change as `lower` says.
    #[inline(always)]
    fn carry(
        &self,
        cosets: &Cosets,
        moved: Moved<V>,
        rearrangement: &Rearrangement,
        part: &mut [u8],
        lower: impl Fn(u64, u64) -> u64,
    ) {
        let moved = moved.four();
        let (row_bytes, numbers) = (self.row_bytes(), rearrangement.numbers());
        // A power of two.
        let last_word = numbers.len() - 1;
        let mut rows = [[0; ROWS]; WORDS];
        // The bits of each row in order, 32 for each word of entries.
        let mut seen = [[0u32; 2 * WORDS]; ROWS];
        let mut next = self.places(0, &moved);
        for number in 0..BLOCKS {
            let places = next;
            if number + 1 < BLOCKS {
                next = self.places(number + 1, &moved);
                for rank in next.ranks {
                    let row = part.as_ptr().wrapping_add(rank as usize * row_bytes);
                    (0..row_bytes).step_by(LINE).for_each(|at| prefetch(row.wrapping_add(at)));
                }
            }
            cosets.copy_block(number, &mut rows);
            rearrangement.apply(&mut rows);
            flip(&mut rows[..=last_word], &places.flips);
            for row in 0..ROWS {
                let flipped = places.flips[row] as usize / 64 & last_word;
                for (word, number) in rows.iter().zip(numbers) {
                    let at = (usize::from(*number) ^ flipped) % WORDS;
                    seen[row][2 * at] = word[row] as u32;
                    seen[row][2 * at + 1] = (word[row] >> 32) as u32;
                }
                let entries = &mut part[places.ranks[row] as usize * row_bytes..][..row_bytes];
                for (entries, seen) in entries.as_chunks_mut::<8>().0.iter_mut().zip(&seen[row]) {
                    let seen = spread::<2>((*seen).into());
                    *entries = lower(u64::from_le_bytes(*entries), seen).to_le_bytes();
                }
            }
        }
    }

    /// The rows that a block is carried to.
    #[inline(always)]
    fn places(&self, block: usize, moved: &Moved<V::Four>) -> Places {
        let mut places = Places { ranks: [0; ROWS], flips: [0; ROWS] };
        for half in 0..ROWS / 4 {
            let edges = self.slices[block * (ROWS / 4) + half];
            let (ranks, flips) = self.appending.read(moved.edges(edges));
            places.ranks[4 * half..][..4].copy_from_slice(&ranks);
            places.flips[4 * half..][..4].copy_from_slice(&flips);
        }
        places
    }
}

/// Edges with each arrangement of the slices and without flips, by rank, four at a time, for whole blocks. The last
/// one is repeated.
fn slices<V: Lanes>(square: &Square<V>) -> Vec<V::Four> {
    let half =
        |number: usize| -> [u8; 6] { std::array::from_fn(|i| (number / 3usize.pow(i as u32) % 3) as u8) };
    let mut cubes = vec![Cube::SOLVED; SLICES];
    for low in 0..3usize.pow(6) {
        for high in 0..3usize.pow(6) {
            if let Some(edges) = edges_in([half(low), half(high)].as_flattened()) {
                cubes[usize::from(square.low[low] + square.high[high])].edges = edges;
            }
        }
    }
    let edges = |rank: usize| State::<V>::new(&cubes[rank.min(SLICES - 1)]).by_location().edges;
    (0..BLOCKS * ROWS).step_by(4).map(|rank| V::Four::of(each(|i| edges(rank + i)))).collect()
}

/// Edges in these slices, without flips, if each slice has four. Their order within a slice is irrelevant.
fn edges_in(slices: &[u8]) -> Option<[u8; 12]> {
    let mut edges = Cube::SOLVED.edges;
    let mut cubies = [[0, 2, 4, 6].into_iter(), [1, 3, 5, 7].into_iter(), [8, 9, 10, 11].into_iter()];
    for (edge, slice) in edges.iter_mut().zip(slices) {
        *edge = cubies[usize::from(*slice)].next()?;
    }
    Some(edges)
}

#[cfg(test)]
mod tests {
    use super::super::fill::{FillSpec, fill};
    use super::super::{MOST_FLIPS, entries_of};
    use super::*;
    use crate::lanes::Everywhere;
    use search_core::Run;
    use search_core::pdb::Packed;
    use search_core::table::Unfinished;

    /// The numbers of flips in the documented table.
    const DOCUMENTED: Range<u8> = 6..MOST_FLIPS + 1;

    /// For each number of flips, the shares of the cosets whose entries are at most 10, 11, 12, and more, in some
    /// classes of twists and tetrads.
    fn shares<V: Lanes>() -> Vec<[f64; 4]> {
        let all = Square::<V>::new(MOST_FLIPS);
        let mut counts = [[0; 4]; MOST_FLIPS as usize + 1];
        for class in (0..CLASSES).step_by(101) {
            let spec = FillSpec { classes: class..class + 1, group: 0, base: 10, depth: 12 };
            let built = fill::<V>(&all, Metric::Htm, (spec, 2), &Unfinished::NOWHERE, &Run::new());
            let table = Packed::<2, _>::new(built.unwrap().body, entries_of(1, MOST_FLIPS)).unwrap();
            let mut values: Vec<u8> = table.iter().collect();
            // The class stands for as many twists and tetrads as it has images.
            let images = (Symmetry::COUNT / all.keeping[class].len()) as u64;
            for flips in (DOCUMENTED.start..=MOST_FLIPS).rev() {
                for value in &values {
                    counts[usize::from(flips)][usize::from(*value)] += images;
                }
                // An entry with one flip less is the minimum of two.
                let rows = values.chunks_exact(1 << flips);
                let halves = rows.map(|row| row.split_at(row.len() / 2));
                values = halves.flat_map(|(a, b)| a.iter().zip(b).map(|(a, b)| *a.min(b))).collect();
            }
        }
        let share = |counts: [u64; 4]| counts.map(|count| count as f64 / counts.iter().sum::<u64>() as f64);
        DOCUMENTED.map(|flips| share(counts[usize::from(flips)])).collect()
    }

    /// The table "Shares of values" of docs/measurements/cube.md.
    #[test]
    #[ignore = "enumerates the cosets of hundreds of classes to depth 11: a minute"]
    fn the_documented_shares_of_values() {
        #[cfg(target_arch = "x86_64")]
        let found = match crate::lanes::Avx512::is_available() {
            true => shares::<crate::lanes::Avx512>(),
            false => shares::<Everywhere>(),
        };
        #[cfg(not(target_arch = "x86_64"))]
        let found = shares::<Everywhere>();
        println!("{found:.4?}");
        let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/measurements/cube.md");
        let page = std::fs::read_to_string(page).expect("the page is there");
        let table = page.split("## Shares of values").nth(1).expect("the page has the table");
        for (flips, found) in DOCUMENTED.zip(found) {
            let row = table.lines().find(|line| line.starts_with(&format!("| `square-{flips}`")));
            let cells = row.expect("the table has a row").split('|').skip(2);
            let documented: Vec<f64> =
                cells.filter_map(|cell| cell.trim().strip_suffix('%')?.parse().ok()).collect();
            assert_eq!(documented.len(), 4);
            for (documented, found) in documented.iter().zip(found) {
                assert!((documented / 100.0 - found).abs() < 6e-4, "{flips} flips: {found:?}");
            }
        }
    }
}
