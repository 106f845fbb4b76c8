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
            }
        }
    }
}
