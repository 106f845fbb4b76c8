//! Ranks of permutations and partial permutations, in lexicographic order.
//!
//! The idea: the rank is a number in the factorial base. Its digit for place `i` is the number of
//! values below `values[i]` that no earlier place holds (Lehmer 1960). The counts for all 16 values
//! fit in one 64-bit word, four bits each; using up a value takes one from the count of each
//! greater value, which is one subtraction for all of them (Korf and Schultze 2005, "Large-Scale
//! Parallel Breadth-First Search", rank in linear time; here with a word for their table).
//!
//! Invariant: nibble `v` of the word is the number of unused values below `v`. No nibble underflows:
//! a value is used once, and until then it is counted by every greater one.
//!
//! Cost: about four instructions a place; no tables.

/// Nibble `v` holds `v`: with nothing used, `v` values lie below `v`.
const IDENTITY: u64 = 0xFEDC_BA98_7654_3210;
/// One in every nibble but the lowest.
const ABOVE: u64 = 0x1111_1111_1111_1110;

/// The number of arrangements of `k` of `n` values: n!/(n-k)!.
///
/// # Panics
/// If `k > n` or `n > 16`.
pub const fn count(n: usize, k: usize) -> u64 {
    assert!(k <= n && n <= 16, "at most 16 values, and no more places than values");
    let mut product = 1;
    let mut i = 0;
    while i < k {
        product *= (n - i) as u64;
        i += 1;
    }
    product
}

/// The rank of `values`, `values.len()` distinct values below `n`, among all such sequences in
/// lexicographic order. With `values.len() == n` this is the rank of a permutation.
///
/// # Panics
/// In debug builds if a value is not below `n` or `n > 16`. Values must be distinct; otherwise the
/// result means nothing.
#[inline(always)]
pub fn rank(values: &[u8], n: usize) -> u64 {
    debug_assert!(values.len() <= n && n <= 16 && values.iter().all(|&v| usize::from(v) < n));
    let mut below = IDENTITY;
    let mut rank = 0;
    for (i, &value) in values.iter().enumerate() {
        let shift = 4 * u32::from(value);
        rank = rank * (n - i) as u64 + (below >> shift & 15);
        below = below.wrapping_sub(ABOVE << shift);
    }
    rank
}

/// Writes to `values` the sequence of `values.len()` distinct values below `n` whose rank is
/// `rank`: the inverse of [`rank()`].
///
/// # Panics
/// If `values.len() > n` or `n > 16`; in debug builds if `rank` is not below
/// [`count(n, values.len())`](count).
#[inline]
pub fn unrank(rank: u64, n: usize, values: &mut [u8]) {
    let places = values.len();
    debug_assert!(rank < count(n, places));
    let mut digits = [0u8; 16];
    let mut rest = rank;
    for i in (0..places).rev() {
        digits[i] = (rest % (n - i) as u64) as u8;
        rest /= (n - i) as u64;
    }
    let mut unused = IDENTITY;
    for (value, digit) in values.iter_mut().zip(digits) {
        let shift = 4 * u32::from(digit);
        *value = (unused >> shift & 15) as u8;
        let low = (1 << shift) - 1;
        unused = unused & low | unused >> 4 & !low;
    }
}

/// Whether a permutation of `0..values.len()` is odd.
///
/// # Panics
/// In debug builds if `values` has more than 16 elements.
#[inline]
pub fn is_odd(values: &[u8]) -> bool {
    debug_assert!(values.len() <= 16);
    let mut below = IDENTITY;
    let mut inversions = 0;
    for &value in values {
        let shift = 4 * u32::from(value);
        inversions += below >> shift & 15;
        below = below.wrapping_sub(ABOVE << shift);
    }
    inversions & 1 == 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Every sequence of `k` distinct values below `n` in lexicographic order, by plain recursion.
    fn all(n: u8, k: usize, prefix: &mut Vec<u8>, out: &mut Vec<Vec<u8>>) {
        if prefix.len() == k {
            out.push(prefix.clone());
            return;
        }
        for value in 0..n {
            if !prefix.contains(&value) {
                prefix.push(value);
                all(n, k, prefix, out);
                prefix.pop();
            }
        }
    }

    #[test]
    fn ranks_are_positions_in_lexicographic_order() {
        for n in 0..=7u8 {
            for k in 0..=usize::from(n) {
                let mut sequences = Vec::new();
                all(n, k, &mut Vec::new(), &mut sequences);
                assert_eq!(sequences.len() as u64, count(n.into(), k));
                for (position, sequence) in sequences.iter().enumerate() {
                    assert_eq!(rank(sequence, n.into()), position as u64, "{sequence:?}");
                    let mut values = vec![0; k];
                    unrank(position as u64, n.into(), &mut values);
                    assert_eq!(&values, sequence);
                }
            }
        }
    }

    fn plain_rank(values: &[u8], n: usize) -> u64 {
        let mut rank = 0;
        for (i, &value) in values.iter().enumerate() {
            let below = (0..value).filter(|v| !values[..i].contains(v)).count();
            rank = rank * (n - i) as u64 + below as u64;
        }
        rank
    }

    proptest! {
        #[test]
        fn long_permutations_round_trip(order in Just((0..16u8).collect::<Vec<_>>()).prop_shuffle(), k in 0..=16usize) {
            let values = &order[..k];
            let number = rank(values, 16);
            prop_assert_eq!(number, plain_rank(values, 16));
            let mut back = vec![0; k];
            unrank(number, 16, &mut back);
            prop_assert_eq!(back, values);
        }

        #[test]
        fn parity_counts_inversions(order in Just((0..12u8).collect::<Vec<_>>()).prop_shuffle()) {
            let pairs = (0..12).flat_map(|i| (i + 1..12).map(move |j| (i, j)));
            let inversions = pairs.filter(|&(i, j)| order[i] > order[j]).count();
            prop_assert_eq!(is_odd(&order), inversions % 2 == 1);
        }
    }

    #[test]
    fn the_greatest_ranks_fit() {
        let reversed: Vec<u8> = (0..16).rev().collect();
        assert_eq!(rank(&reversed, 16), count(16, 16) - 1);
        assert_eq!(count(16, 16), 20_922_789_888_000);
        assert_eq!(count(12, 6), 665_280);
    }
}
