//! The numbering of the cells that a pattern's tiles occupy, together with the blank's region.
//!
//! The idea: moves of other tiles cost nothing, so only the blank's region matters: the cells that it
//! reaches without moving a tile of the pattern. A **zone** is a set of occupied cells with one of the regions
//! around them. Sets are numbered by two small tables, one for their low cells and one for their high
//! cells. The zones of a set have successive numbers, the largest region first; most sets have one or two. The entry of
//! a set has the first region, so that a blank outside of it is in the second zone, unless there are more. A third and
//! last region of one cell is in the entry, too; the regions of the other sets are listed.
//!
//! A move of a tile changes the number of occupied cells that are black, as on a chessboard, from even to odd or
//! back. All zones of even sets come before those of odd ones, so a fill reads one part of its table and
//! writes the other.

use std::fmt;

use crate::board::Board;

/// The zones of a number of tiles on a board.
pub struct Zones {
    /// The number of cells in the low word of a set.
    low_cells: u32,
    /// By the low word: its number among the words with as many cells.
    low: Box<[u16; WORDS]>,
    /// By the high word: the number of the first set that has it.
    high: Box<[u32; WORDS]>,
    /// By the set's number. One read gives the zone of a blank in nearly all sets.
    first: Vec<FirstZones>,
    /// By zone: the blank's region.
    regions: Vec<u32>,
    /// The number of zones of even sets.
    evens: usize,
}

/// The number of words of 16 bits, so that indexes need no check; boards of fewer cells use the first ones.
const WORDS: usize = 1 << 16;

/// The first zones of a set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct FirstZones {
    /// The number of the first zone, from bit [`THIRD`](Self::THIRD) on the cell of the third one, and above it whether
    /// there are [more](Self::MORE).
    number: u32,
    /// The region of the first zone.
    region: u32,
}

impl FirstZones {
    /// The lowest bit of the cell that is the region of a third zone, the last one; [`NONE`](Self::NONE) if there is no
    /// such zone.
    const THIRD: u32 = 25;
    const NONE: u32 = 32;
    /// Set if more zones follow the second one, unless there is one more of a single cell.
    const MORE: u32 = 1 << 31;

    /// The zones of a set from number `from` on, given their regions.
    ///
    /// # Panics
    /// If there are too many zones.
    fn new(from: usize, regions: &[u32]) -> FirstZones {
        assert!(from < 1 << Self::THIRD, "boards of 32 cells have fewer zones");
        let (third, more) = match regions[1..] {
            [] | [_] => (Self::NONE, 0),
            [_, third] if third.is_power_of_two() => (third.trailing_zeros(), 0),
            _ => (Self::NONE, Self::MORE),
        };
        FirstZones { number: from as u32 | third << Self::THIRD | more, region: regions[0] }
    }
}

impl fmt::Debug for Zones {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} zones", self.len())
    }
}

/// The neighbours of each cell of a board, as sets.
pub(crate) fn steps(board: Board) -> [u32; 32] {
    let mut steps = [0; 32];
    for (cell, step) in steps.iter_mut().enumerate().take(board.cells()) {
        *step = board.neighbours(cell).fold(0, |set, next| set | 1 << next);
    }
    steps
}

/// The cells of a set, ascending.
pub(crate) fn cells(mut set: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let cell = set.trailing_zeros();
        set &= set.wrapping_sub(1);
        (cell < 32).then_some(cell as usize)
    })
}

/// The cells that the blank reaches from `blank` without entering an occupied one.
pub(crate) fn region(steps: &[u32; 32], held: u32, blank: usize) -> u32 {
    let (mut reached, mut border) = (1 << blank, 1 << blank);
    while border != 0 {
        border = cells(border).fold(0, |next, cell| next | steps[cell]) & !held & !reached;
        reached |= border;
    }
    reached
}

impl Zones {
    /// The zones of `tiles` tiles.
    ///
    /// # Panics
    /// If the board has more than 32 cells, or no cell is left for the blank.
    pub fn new(board: Board, tiles: usize) -> Zones {
        let count = board.cells();
        assert!(
            count <= 32 && tiles < count,
            "a set of cells is a word of 32 bits, and the blank needs a cell"
        );
        let low_cells = count.div_ceil(2);
        let mut of_size = vec![0u16; low_cells + 1];
        let mut number = |word: usize| {
            let next = &mut of_size[word.count_ones() as usize];
            *next += 1;
            *next - 1
        };
        let mut low = words();
        (0..1 << low_cells).for_each(|word| low[word] = number(word));
        let mut sets = 0;
        let mut high = words();
        for word in 0..1usize << (count - low_cells) {
            high[word] = sets;
            let below = tiles.checked_sub(word.count_ones() as usize).and_then(|left| of_size.get(left));
            sets += below.map_or(0, |&words| u32::from(words));
        }
        let first = vec![FirstZones::default(); sets as usize];
        let mut zones =
            Zones { low_cells: low_cells as u32, low, high, first, regions: Vec::new(), evens: 0 };
        zones.list(board, tiles);
        zones
    }

    /// Lists all zones, those of even sets first.
    fn list(&mut self, board: Board, tiles: usize) {
        let steps = steps(board);
        let all = u32::MAX >> (32 - board.cells());
        for odd in [false, true] {
            for set in sets(board.cells(), tiles).filter(|&set| is_odd(board, set) == odd) {
                let number = self.set(set);
                let (from, mut free) = (self.regions.len(), all & !set);
                while free != 0 {
                    let region = region(&steps, set, free.trailing_zeros() as usize);
                    free &= !region;
                    self.regions.push(region);
                }
                self.regions[from..].sort_by_key(|region| std::cmp::Reverse(region.count_ones()));
                self.first[number] = FirstZones::new(from, &self.regions[from..]);
            }
            if !odd {
                self.evens = self.regions.len();
            }
        }
    }

    /// The number of zones.
    pub fn len(&self) -> usize {
        self.regions.len()
    }

    /// Always false: every board has zones.
    pub fn is_empty(&self) -> bool {
        self.regions.is_empty()
    }

    /// The number of zones whose sets have an even number of black cells; they come first.
    pub fn evens(&self) -> usize {
        self.evens
    }

    /// The blank's region in a zone.
    pub fn region(&self, zone: usize) -> u32 {
        self.regions[zone]
    }

    /// The number of a set of as many cells as there are tiles.
    #[inline(always)]
    fn set(&self, set: u32) -> usize {
        self.numbers().set(set)
    }

    /// The numbering of the zones, without the indirections of this type.
    #[inline(always)]
    pub(crate) fn numbers(&self) -> ZoneNumbers<'_> {
        let Zones { low_cells, low, high, first, .. } = self;
        ZoneNumbers { low_cells: *low_cells, low, high, first, zones: self }
    }

    /// The zone of a set of as many cells as there are tiles and a blank elsewhere.
    ///
    /// Meaningless if the blank's cell is occupied.
    ///
    /// # Panics
    /// If there are more cells than tiles.
    #[inline(always)]
    pub fn zone(&self, held: u32, blank: usize) -> usize {
        self.numbers().zone(held, blank)
    }

    /// The first zone from `zone` on whose region contains the blank.
    #[cold]
    fn later_zone(&self, zone: usize, blank: usize) -> usize {
        let regions = self.regions[zone..].iter();
        zone + regions.take_while(|&region| region >> blank & 1 == 0).count()
    }
}

/// The numbering of zones.
#[derive(Clone, Copy)]
pub(crate) struct ZoneNumbers<'z> {
    low: &'z [u16; WORDS],
    high: &'z [u32; WORDS],
    first: &'z [FirstZones],
    low_cells: u32,
    zones: &'z Zones,
}

impl ZoneNumbers<'_> {
    /// The number of a set of as many cells as there are tiles.
    #[inline(always)]
    fn set(&self, set: u32) -> usize {
        let (low, high) = (set & ((1 << self.low_cells) - 1), set >> self.low_cells);
        self.high[usize::from(high as u16)] as usize + usize::from(self.low[usize::from(low as u16)])
    }

    /// As [`Zones::zone`].
    #[inline(always)]
    pub fn zone(&self, held: u32, blank: usize) -> usize {
        let FirstZones { number, region } = self.first[self.set(held)];
        let (first, beyond) = (number & ((1 << FirstZones::THIRD) - 1), !region >> blank & 1);
        // Branchless if there are no more, since a branch would be hard to predict.
        if beyond & number >> 31 == 0 {
            let is_third = number >> FirstZones::THIRD == blank as u32;
            (first + beyond + u32::from(is_third)) as usize
        } else {
            self.zones.later_zone(first as usize + 1, blank)
        }
    }
}

/// A table of zeros, with an entry for each word.
fn words<T: Clone + Default>() -> Box<[T; WORDS]> {
    vec![T::default(); WORDS].try_into().unwrap_or_else(|_| unreachable!("as many entries as words"))
}

/// All sets of `size` of the first `count` cells, ascending.
pub(super) fn sets(count: usize, size: usize) -> impl Iterator<Item = u32> {
    let (mut next, end) = ((1u64 << size) - 1, 1u64 << count);
    std::iter::from_fn(move || {
        let set = next;
        // The next word with as many bits: the top of the lowest run of ones moves up by one, the others move down.
        let (lowest, ripple) = (set & set.wrapping_neg(), set + (set & set.wrapping_neg()));
        next = if set == 0 { end } else { ripple | ((set ^ ripple) / lowest) >> 2 };
        (set < end).then_some(set as u32)
    })
}

/// Whether a set has an odd number of black cells.
pub(super) fn is_odd(board: Board, set: u32) -> bool {
    cells(set).map(|cell| board.row(cell) + board.col(cell)).sum::<usize>() % 2 == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_set_and_blank_has_a_zone_and_every_zone_is_used() {
        for (size, tiles) in [("2x2", 3), ("3x3", 1), ("3x3", 5), ("3x4", 6), ("4x5", 4)] {
            let board: Board = size.parse().unwrap();
            let (zones, steps) = (Zones::new(board, tiles), steps(board));
            let mut owner = vec![None; zones.len()];
            for held in sets(board.cells(), tiles) {
                for blank in (0..board.cells()).filter(|&cell| held >> cell & 1 == 0) {
                    let zone = zones.zone(held, blank);
                    let region = region(&steps, held, blank);
                    assert_eq!(zones.region(zone), region);
                    assert_eq!(zone >= zones.evens(), is_odd(board, held));
                    assert_eq!(*owner[zone].get_or_insert((held, region)), (held, region));
                }
            }
            assert!(owner.iter().all(Option::is_some), "{size} {tiles}");
        }
    }

    #[test]
    fn five_tiles_of_3x3_leave_a_third_cell_and_more_regions() {
        let zones = Zones::new("3x3".parse().unwrap(), 5);
        let third = |first: &FirstZones| first.number >> FirstZones::THIRD & 63;
        assert!(zones.first.iter().any(|first| third(first) < FirstZones::NONE));
        assert!(zones.first.iter().any(|first| first.number & FirstZones::MORE != 0));
    }

    #[test]
    fn the_number_of_sets_is_the_binomial_coefficient() {
        for (count, size, number) in [(4, 2, 6), (9, 4, 126), (25, 6, 177_100), (5, 5, 1), (3, 0, 1)] {
            assert_eq!(sets(count, size).count(), number);
        }
    }
}
