//! Numbers the placements of `k` distinct tiles on `n` cells from 0, without gaps.
//!
//! The idea (Lehmer): each tile's digit is its cell, less the cells below it that earlier tiles
//! hold; the digits have the falling bases n, n - 1, and so on. A bit mask of the cells held
//! makes this one population count per tile.

/// The greatest number of tiles in a pattern.
pub const MAX_TILES: usize = 8;

/// The number of placements.
pub fn placements(cells: usize, tiles: usize) -> usize {
    (cells + 1 - tiles..=cells).product()
}

/// Numbers the placements of some tiles whose cells are packed in one word, five bits per tile, the
/// first tile lowest.
#[derive(Clone, Copy, Debug)]
pub struct Ranking {
    tiles: u8,
    /// The weight of each tile's digit.
    weights: [u32; MAX_TILES],
}

impl Ranking {
    /// The numbering for `tiles` tiles on `cells` cells.
    ///
    /// # Panics
    /// If there are more than 8 tiles or 32 cells, or 2^32 placements or more.
    pub fn new(cells: usize, tiles: usize) -> Ranking {
        assert!(tiles <= MAX_TILES && cells <= 32, "a table's pattern");
        assert!(u32::try_from(placements(cells, tiles)).is_ok(), "numbers have 32 bits");
        let mut weights = [0; MAX_TILES];
        for (tile, weight) in weights.iter_mut().enumerate().take(tiles) {
            *weight = placements(cells - tile - 1, tiles - tile - 1) as u32;
        }
        Ranking { tiles: tiles as u8, weights }
    }

    /// The number of tiles of a placement.
    pub fn tiles(&self) -> usize {
        self.tiles.into()
    }

    /// The number of a placement, as [`rank`] computes it.
    #[inline(always)]
    pub fn rank(&self, word: u64) -> u32 {
        // The usual sizes, so that the loop is unrolled.
        match self.tiles {
            6 => self.rank_first::<6>(word),
            7 => self.rank_first::<7>(word),
            _ => self.rank_first::<MAX_TILES>(word),
        }
    }

    /// The number of a placement of at most `K` tiles; those beyond have no weight.
    #[inline(always)]
    fn rank_first<const K: usize>(&self, word: u64) -> u32 {
        let mut held = 0u32;
        let mut rank = 0u32;
        for tile in 0..K {
            let cell = (word >> (5 * tile)) as u32 & 31;
            let bit = 1u32 << cell;
            let digit = cell - (held & (bit - 1)).count_ones();
            rank = rank.wrapping_add(digit.wrapping_mul(self.weights[tile]));
            held |= bit;
        }
        rank
    }
}

/// The number of the placement whose tiles stand in `at`, one after the other.
#[inline(always)]
pub fn rank(cells: usize, at: impl Iterator<Item = u8>) -> usize {
    let mut held = 0u64;
    let mut rank = 0;
    for (tile, cell) in at.enumerate() {
        let bit = 1u64 << cell;
        let below = (held & (bit - 1)).count_ones() as usize;
        rank = rank * (cells - tile) + (cell as usize - below);
        held |= bit;
    }
    rank
}

/// The placement with this number.
pub fn unrank(cells: usize, tiles: usize, mut rank: usize) -> [u8; MAX_TILES] {
    let mut at = [0; MAX_TILES];
    for tile in (0..tiles).rev() {
        at[tile] = (rank % (cells - tile)) as u8;
        rank /= cells - tile;
    }
    // Digits to cells: a later tile passes over the cells that earlier ones hold.
    for tile in (1..tiles).rev() {
        for earlier in (0..tile).rev() {
            at[tile] += u8::from(at[tile] >= at[earlier]);
        }
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_a_bijection() {
        for (cells, tiles) in [(4, 3), (9, 4), (10, 1), (6, 6), (9, 7), (8, 8)] {
            let mut seen = std::collections::HashSet::new();
            for number in 0..placements(cells, tiles) {
                let at = unrank(cells, tiles, number);
                assert!(at[..tiles].iter().all(|&cell| (cell as usize) < cells));
                assert!(seen.insert(at), "{at:?} twice");
                assert_eq!(rank(cells, at[..tiles].iter().copied()), number);
                let word = at[..tiles].iter().rev().fold(0, |word, &cell| word << 5 | u64::from(cell));
                assert_eq!(Ranking::new(cells, tiles).rank(word) as usize, number);
            }
        }
    }
}
