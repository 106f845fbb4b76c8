//! Ranks of orientations: a row of digits of base 2 or 3, of which the last may be implied.
//!
//! The idea: the digits are a number, the first digit the most significant. Where a law of the puzzle fixes the sum of
//! all digits modulo the base (a cube's flips and twists add up to zero), the last digit is redundant and left out;
//! [`unrank_closed`] restores it.
//!
//! Order: as numbers, so lexicographic in the digits.

/// The number of arrangements of `digits` free digits: `BASE` to the power of `digits`.
///
/// # Panics
/// On overflow.
pub const fn count<const BASE: u32>(digits: usize) -> u32 {
    BASE.pow(digits as u32)
}

/// The rank of `digits`, each below `BASE`, all of them free.
///
/// # Panics
/// In debug builds if a digit is not below `BASE` or the rank overflows.
#[inline(always)]
pub fn rank<const BASE: u32>(digits: &[u8]) -> u32 {
    debug_assert!(digits.iter().all(|&digit| u32::from(digit) < BASE));
    digits.iter().fold(0, |rank, &digit| rank * BASE + u32::from(digit))
}

/// Writes the digits whose rank is `rank`, all of them free: the inverse of [`rank()`].
///
/// # Panics
/// In debug builds if `rank` is not below [`count`]`(digits.len())`.
#[inline]
pub fn unrank<const BASE: u32>(rank: u32, digits: &mut [u8]) {
    let mut rest = rank;
    for digit in digits.iter_mut().rev() {
        *digit = (rest % BASE) as u8;
        rest /= BASE;
    }
    debug_assert_eq!(rest, 0, "rank {rank} does not fit");
}

/// The rank of `digits` whose sum is 0 modulo `BASE`: that of all but the last.
///
/// # Panics
/// If `digits` is empty; in debug builds if a digit is not below `BASE` or the sum is not 0 modulo
/// `BASE`.
#[inline(always)]
pub fn rank_closed<const BASE: u32>(digits: &[u8]) -> u32 {
    debug_assert_eq!(digits.iter().map(|&digit| u32::from(digit)).sum::<u32>() % BASE, 0);
    rank::<BASE>(&digits[..digits.len() - 1])
}

/// Writes the digits, with sum 0 modulo `BASE`, whose rank is `rank`: the inverse of
/// [`rank_closed`].
///
/// # Panics
/// If `digits` is empty; in debug builds if `rank` is not below [`count`]`(digits.len() - 1)`.
#[inline]
pub fn unrank_closed<const BASE: u32>(rank: u32, digits: &mut [u8]) {
    let (last, free) = digits.split_last_mut().expect("at least one digit");
    unrank::<BASE>(rank, free);
    let sum: u32 = free.iter().map(|&digit| u32::from(digit)).sum();
    *last = ((BASE - sum % BASE) % BASE) as u8;
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts like an odometer and checks every rank on the way.
    fn odometer<const BASE: u32>(len: usize) {
        let mut digits = vec![0u8; len];
        let mut closed = 0;
        for number in 0..count::<BASE>(len) {
            assert_eq!(rank::<BASE>(&digits), number);
            let mut back = vec![9; len];
            unrank::<BASE>(number, &mut back);
            assert_eq!(back, digits);
            if len > 0 && digits.iter().map(|&d| u32::from(d)).sum::<u32>() % BASE == 0 {
                assert_eq!(rank_closed::<BASE>(&digits), closed);
                unrank_closed::<BASE>(closed, &mut back);
                assert_eq!(back, digits);
                closed += 1;
            }
            for digit in digits.iter_mut().rev() {
                *digit = (*digit + 1) % BASE as u8;
                if *digit != 0 {
                    break;
                }
            }
        }
        assert!(len == 0 || closed == count::<BASE>(len - 1));
    }

    #[test]
    fn ranks_count_like_an_odometer() {
        (0..=12).for_each(odometer::<2>);
        (0..=8).for_each(odometer::<3>);
    }
}
