//! Ranks of combinations: which `k` of `n` places are taken, as a bit mask.
//!
//! The idea: the combinatorial number system. A mask with bits at places `p1 < p2 < … < pk` is
//! preceded, among the masks of `k` bits, by `C(p1,1) + C(p2,2) + … + C(pk,k)` smaller ones: the
//! masks that agree from the top down to bit `i` and have bit `i` lower number `C(pi, i)` (Knuth,
//! The Art of Computer Programming 4A, 7.2.1.3). So the order is that of the masks as numbers.
//!
//! Cost: one table read for each taken place; the table has 33 × 33 words.

/// The maximum number of places of a mask.
const PLACES: usize = 32;

/// Pascal's triangle: `CHOOSE[n][k]` is the number of combinations of `k` of `n`, 0 if `k > n`.
const CHOOSE: [[u32; PLACES + 1]; PLACES + 1] = {
    let mut table = [[0; PLACES + 1]; PLACES + 1];
    let mut n = 0;
    while n <= PLACES {
        table[n][0] = 1;
        let mut k = 1;
        while k <= n {
            table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    table
};

/// The number of combinations of `k` of `n` places: n!/(k!(n-k)!), 0 if `k > n`.
///
/// # Panics
/// If `n` or `k` exceeds 32.
#[inline(always)]
pub const fn count(n: usize, k: usize) -> u32 {
    CHOOSE[n][k]
}

/// The rank of `mask` among the masks with as many bits, in the order of the masks as numbers.
#[inline(always)]
pub fn rank(mask: u32) -> u32 {
    let mut rest = mask;
    let mut rank = 0;
    let mut taken = 1;
    while rest != 0 {
        rank += CHOOSE[rest.trailing_zeros() as usize][taken];
        rest &= rest - 1;
        taken += 1;
    }
    rank
}

/// The mask of `k` bits among the lowest `n` whose rank is `rank`: the inverse of [`rank()`].
///
/// # Panics
/// If `n` or `k` exceeds 32; in debug builds if `rank` is not below [`count(n, k)`](count).
#[inline]
pub fn unrank(rank: u32, n: usize, k: usize) -> u32 {
    debug_assert!(rank < count(n, k));
    let mut rest = rank;
    let mut mask = 0;
    let mut place = n;
    for taken in (1..=k).rev() {
        // The greatest place such that the number of masks below it does not exceed the rest.
        place -= 1;
        while CHOOSE[place][taken] > rest {
            place -= 1;
        }
        rest -= CHOOSE[place][taken];
        mask |= 1 << place;
    }
    mask
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn ranks_are_positions_among_ascending_masks() {
        for n in 0..=12 {
            for k in 0..=n {
                let masks = (0..1u32 << n).filter(|mask| mask.count_ones() as usize == k);
                let mut total = 0;
                for (position, mask) in masks.enumerate() {
                    assert_eq!(rank(mask), position as u32);
                    assert_eq!(unrank(position as u32, n, k), mask);
                    total += 1;
                }
                assert_eq!(total, count(n, k));
            }
        }
    }

    #[test]
    fn the_greatest_combination_fits() {
        assert_eq!(count(32, 16), 601_080_390);
        assert_eq!(rank(0xFFFF_0000), count(32, 16) - 1);
        assert_eq!(rank(u32::MAX), 0);
        assert_eq!(unrank(0, 32, 32), u32::MAX);
        assert_eq!(count(3, 5), 0);
    }

    proptest! {
        #[test]
        fn wide_masks_round_trip(mask: u32) {
            let k = mask.count_ones() as usize;
            prop_assert!(rank(mask) < count(32, k));
            prop_assert_eq!(unrank(rank(mask), 32, k), mask);
        }
    }
}
