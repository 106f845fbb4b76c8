//! Sixteen bytes in one register of WebAssembly. A module with these instructions is refused as a whole where
//! they are missing, so they are safe to call.

use super::{Four, Lanes, Rows};
use search_core::simd::{ForTarget, Target};
use std::arch::wasm32::*;

/// Sixteen bytes in one register.
#[derive(Clone, Copy, Debug)]
pub struct Simd128(v128);

impl PartialEq for Simd128 {
    #[inline(always)]
    fn eq(&self, other: &Self) -> bool {
        u8x16_all_true(u8x16_eq(self.0, other.0))
    }
}

/// Sixteen bytes as a register.
#[inline(always)]
fn bytes(row: [u8; 16]) -> v128 {
    let half = |at: usize| u64::from_le_bytes(std::array::from_fn(|i| row[at + i]));
    u64x2(half(0), half(8))
}

/// The sum of four words.
#[inline(always)]
fn sum(words: v128) -> u32 {
    u32x4_extract_lane::<0>(words)
        + u32x4_extract_lane::<1>(words)
        + u32x4_extract_lane::<2>(words)
        + u32x4_extract_lane::<3>(words)
}

impl Rows for Simd128 {
    #[inline(always)]
    fn row(self, row: [u8; 16]) -> Self {
        Simd128(bytes(row))
    }
    #[inline(always)]
    fn shuffle(self, index: Self) -> Self {
        // An index above 15 would give 0.
        Simd128(u8x16_swizzle(self.0, v128_and(index.0, u8x16_splat(15))))
    }
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Simd128(v128_and(self.0, other.0))
    }
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        Simd128(v128_xor(self.0, other.0))
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Simd128(u8x16_add(self.0, other.0))
    }
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Simd128(u8x16_sub(self.0, other.0))
    }
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        Simd128(u8x16_min(self.0, other.0))
    }
    #[inline(always)]
    fn high_nibbles(self) -> Self {
        Simd128(u8x16_shr(self.0, 4))
    }
}

impl ForTarget for Simd128 {
    const TARGET: Target = Target::Baseline;
}

impl Lanes for Simd128 {
    type Four = [Simd128; 4];

    #[inline(always)]
    fn load(row: [u8; 16]) -> Self {
        Simd128(bytes(row))
    }
    #[inline(always)]
    fn store(self) -> [u8; 16] {
        let halves = [u64x2_extract_lane::<0>(self.0), u64x2_extract_lane::<1>(self.0)].map(u64::to_le_bytes);
        std::array::from_fn(|i| halves[i / 8][i % 8])
    }
    #[inline(always)]
    fn bits<const BIT: i32>(self) -> u32 {
        // The wanted bit of each byte becomes its highest; what crosses bytes stays below it. Words are shifted by one
        // instruction, bytes by several.
        u32::from(u8x16_bitmask(u16x8_shl(self.0, 7 - BIT as u32)))
    }
    #[inline(always)]
    fn base_three(self, weights: Self) -> u32 {
        let products = u16x8_extmul_low_u8x16(self.0, weights.0);
        let low = i32x4_dot_i16x8(products, i16x8(1, 1, 1, 1, 1, 1, 0, 0));
        sum(low) + 729 * u32::from(u8x16_extract_lane::<6>(self.0))
    }
}

impl Rows for [Simd128; 4] {
    #[inline(always)]
    fn row(self, row: [u8; 16]) -> Self {
        [Simd128(bytes(row)); 4]
    }
    #[inline(always)]
    fn shuffle(self, index: Self) -> Self {
        std::array::from_fn(|i| self[i].shuffle(index[i]))
    }
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        std::array::from_fn(|i| self[i].and(other[i]))
    }
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        std::array::from_fn(|i| self[i].xor(other[i]))
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        std::array::from_fn(|i| self[i].add(other[i]))
    }
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        std::array::from_fn(|i| self[i].sub(other[i]))
    }
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        std::array::from_fn(|i| self[i].min(other[i]))
    }
    #[inline(always)]
    fn high_nibbles(self) -> Self {
        self.map(Rows::high_nibbles)
    }
}

impl Four for [Simd128; 4] {
    type One = Simd128;
    #[inline(always)]
    fn splat(row: Simd128) -> Self {
        [row; 4]
    }
    #[inline(always)]
    fn of(rows: [Simd128; 4]) -> Self {
        rows
    }
    #[inline(always)]
    fn bits<const BIT: i32>(self) -> u64 {
        self.iter().rev().fold(0, |bits, row| bits << 16 | u64::from(row.bits::<BIT>()))
    }
    #[inline(always)]
    fn sums(self, weights: [u8; 16], scales: [i16; 8]) -> [u32; 4] {
        let words = |at: usize| {
            let word = |i: usize| u64::from(weights[at + i]) << (16 * (i % 4));
            let four = |first: usize| (first..first + 4).fold(0, |words, i| words | word(i));
            u64x2(four(0), four(4))
        };
        let (low, high) = (words(0), words(8));
        let [a, b, c, d, e, f, g, h] = scales;
        let scales = i16x8(a, b, c, d, e, f, g, h);
        let [a, b, c, d] = self.map(|Simd128(row)| {
            let pairs = i32x4_dot_i16x8(u16x8_extend_low_u8x16(row), low);
            let more = i32x4_dot_i16x8(u16x8_extend_high_u8x16(row), high);
            // The sums of pairs are below 32768, so they fit.
            i32x4_dot_i16x8(i16x8_narrow_i32x4(pairs, more), scales)
        });
        // The four sums of four words at once.
        let halves = |a, b| i32x4_add(i32x4_shuffle::<0, 4, 1, 5>(a, b), i32x4_shuffle::<2, 6, 3, 7>(a, b));
        let (ab, cd) = (halves(a, b), halves(c, d));
        let sums = i32x4_add(i64x2_shuffle::<0, 2>(ab, cd), i64x2_shuffle::<1, 3>(ab, cd));
        [
            u32x4_extract_lane::<0>(sums),
            u32x4_extract_lane::<1>(sums),
            u32x4_extract_lane::<2>(sums),
            u32x4_extract_lane::<3>(sums),
        ]
    }
}
