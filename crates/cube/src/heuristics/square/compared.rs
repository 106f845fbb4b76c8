//! Values, one per byte of a word, compared with a limit together.
//!
//! Values and limits are small, so a sum never carries into the next byte: bit 7 of the sum of a value and of 127 minus
//! the limit is set if and only if the value is beyond the limit.

use search_core::OpSet;
use search_core::heuristic::Sieved;

/// One in each byte.
pub(super) const ONES: u64 = u64::MAX / 255;

/// The lowest bits of the bytes, the first one lowest.
#[inline(always)]
pub(super) fn lowest_bits(bytes: u64) -> u64 {
    (bytes & ONES).wrapping_mul(0x0102_0408_1020_4080) >> 56
}

/// The values that have been read, relative to a limit.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Compared {
    /// Not 0 if some value is beyond the limit.
    beyond: u64,
    /// Not 0 if some value is beyond the limit by one.
    by_one: u64,
    /// Not 0 if some value is beyond the limit by more than two.
    far: u64,
}

impl Compared {
    /// The greatest limit that fits in a byte with a value; no value is greater.
    const MOST_LIMIT: u32 = 63;

    /// Notes up to eight values, one per byte. Returns the lowest bit of each that is beyond the limit.
    #[inline(always)]
    pub(super) fn note(&mut self, values: u64, limit: u32) -> u64 {
        // Bit 7 of a byte is set if its value is beyond the limit.
        let excess = values + ONES * u64::from(0x7f - limit.min(Compared::MOST_LIMIT));
        let by_more = excess - ONES;
        self.beyond |= excess & ONES << 7;
        self.by_one |= excess & !by_more & ONES << 7;
        self.far |= (by_more - ONES) & ONES << 7;
        excess >> 7 & ONES
    }

    /// The remaining children: `kept`, unless some value is so great that all are pruned. `values` are those that were
    /// noted, one per byte.
    #[inline(always)]
    pub(super) fn sieved(self, kept: OpSet, limit: u32, values: impl Fn() -> u64) -> Sieved {
        let least = limit + 1 + u32::from(self.by_one == 0);
        let least_cut = if self.beyond == 0 { u32::MAX } else { least };
        let sieved = Sieved { kept, least_cut };
        if self.far == 0 {
            return sieved;
        }
        let greatest = values().to_le_bytes().into_iter().max().unwrap_or(0);
        sieved.with_greatest(greatest, limit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use search_core::Op;

    #[test]
    fn words_are_compared_like_single_values() {
        let kept = OpSet(0b1101);
        for limit in [0, 1, 5, 9, 12, 20, 63, 200] {
            for seed in 0..2_000u64 {
                let values: [u8; 8] =
                    std::array::from_fn(|i| (seed.wrapping_mul(0x9e37_79b9 + i as u64) >> 20) as u8 % 16);
                let word = u64::from_le_bytes(values);
                let mut compared = Compared::default();
                let beyond = compared.note(word, limit);
                let mut plain = Sieved::default();
                for (i, &value) in values.iter().enumerate() {
                    plain.take(Op::new(i), value, limit);
                    assert_eq!(beyond >> (8 * i) & 255, u64::from(u32::from(value) > limit));
                    assert_eq!(lowest_bits(beyond) >> i & 1, u64::from(u32::from(value) > limit));
                }
                let greatest = values.into_iter().max().unwrap();
                let plain = Sieved { kept, ..plain }.with_greatest(greatest, limit);
                assert_eq!(compared.sieved(kept, limit, || word).kept, plain.kept);
                assert_eq!(compared.sieved(kept, limit, || word).least_cut, plain.least_cut);
            }
        }
    }
}
