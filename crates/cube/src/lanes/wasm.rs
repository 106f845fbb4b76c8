//! Sixteen bytes in one register of WebAssembly. A module with these instructions does not load where they are
//! missing, so they are safe to call.

use super::{Four, Halves, Lanes, Row, Rows};
use search_core::simd::{ForTarget, Target};
#[cfg(target_arch = "wasm32")]
use std::arch::wasm32::*;
#[cfg(target_arch = "wasm64")]
use std::arch::wasm64::*;

/// Sixteen bytes in one register.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Simd128(v128);

/// The low nibble of each byte.
static LOW: Row = Row([15; 16]);

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

/// A row, read from memory. The read is volatile, so that the compiler does not turn it into a constant: browsers
/// build a constant register with up to four instructions at each use.
#[inline(always)]
fn constant(row: &'static Row) -> v128 {
    // SAFETY: a `Row` has the size and the alignment of a register, and is plain data.
    unsafe { std::ptr::from_ref(row).cast::<v128>().read_volatile() }
}

/// Factors for [`pairs`]: for two bytes `a` and `b`, the upper byte of the product is `a + 3 b`. The lower byte is
/// `3 a`, so there is no carry.
static PAIR: Row = Row([3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1]);
/// The same without lanes 7 and 15: the fourth number of each half is lane 6 or 14.
static PAIR_WITHOUT_7: Row = Row([3, 1, 3, 1, 3, 1, 0, 1, 3, 1, 3, 1, 3, 1, 0, 1]);

/// Eight numbers to base three, of two digits each.
#[inline(always)]
fn pairs(digits: v128, factors: &'static Row) -> v128 {
    u16x8_shr(i16x8_mul(digits, constant(factors)), 8)
}

/// Number `AT`, 0 to 3, of the product of `a` and `b`, all three read as four numbers of 16 bits. It is the sum of
/// `a[i] b[AT - i]`, as long as the lower sums fit into 16 bits.
#[inline(always)]
fn product<const AT: u32>(a: u64, b: u64) -> u32 {
    (a.wrapping_mul(b) >> (16 * AT)) as u32 & 0xffff
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
    fn row(self, row: &'static Row) -> Self {
        Simd128(constant(row))
    }
    #[inline(always)]
    fn shuffle(self, index: Self) -> Self {
        // An index above 15 would give 0.
        self.permute(index.and(self.row(&LOW)))
    }
    #[inline(always)]
    fn permute(self, index: Self) -> Self {
        Simd128(u8x16_swizzle(self.0, index.0))
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
        // Words are shifted by one instruction, bytes by several.
        Simd128(u16x8_shr(self.0, 4)).and(self.row(&LOW))
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
        // The selected bit of each byte becomes its highest bit; bits that cross bytes stay below it. A shift takes one
        // instruction for words, several for bytes.
        u32::from(u8x16_bitmask(u16x8_shl(self.0, 7 - BIT as u32)))
    }
    #[inline(always)]
    fn base_three(self, weights: Self) -> u32 {
        let products = u16x8_extmul_low_u8x16(self.0, weights.0);
        let low = i32x4_dot_i16x8(products, i16x8(1, 1, 1, 1, 1, 1, 0, 0));
        sum(low) + 729 * u32::from(u8x16_extract_lane::<6>(self.0))
    }
}

impl Four for [Simd128; 4] {
    type One = Simd128;
    type Halves = [Simd128; 2];
    #[inline(always)]
    fn splat(row: Simd128) -> Self {
        [row; 4]
    }
    #[inline(always)]
    fn of(rows: [Simd128; 4]) -> Self {
        rows
    }
    #[inline(always)]
    fn bits<const BIT: i32>(self) -> [u64; 4] {
        self.map(|row| row.bits::<BIT>().into())
    }
    #[inline(always)]
    fn six_digits_twice(self) -> [[u32; 2]; 4] {
        self.map(|Simd128(digits)| {
            let pairs = pairs(digits, &PAIR);
            // Lanes 6, 7, 14 and 15 are in number 3 of their halves, which number 2 of a product does not depend on.
            [
                product::<2>(u64x2_extract_lane::<0>(pairs), 1 << 32 | 9 << 16 | 81),
                product::<2>(u64x2_extract_lane::<1>(pairs), 9 << 32 | 81 << 16 | 1),
            ]
        })
    }
}

impl Halves for [Simd128; 2] {
    type One = Simd128;
    #[inline(always)]
    fn splat(row: Simd128) -> Self {
        [Simd128(i64x2_splat(i64x2_extract_lane::<0>(row.0))); 2]
    }
    #[inline(always)]
    fn of([a, b, c, d]: [Simd128; 4]) -> Self {
        [Simd128(i64x2_shuffle::<0, 2>(a.0, b.0)), Simd128(i64x2_shuffle::<0, 2>(c.0, d.0))]
    }
    #[inline(always)]
    fn signs(self) -> [u8; 4] {
        let [[a, b], [c, d]] = self.map(|row| u8x16_bitmask(row.0).to_le_bytes());
        [a, b, c, d]
    }
    #[inline(always)]
    fn seven_digits(self) -> [u32; 4] {
        let [[a, b], [c, d]] = self.map(|Simd128(digits)| {
            let pairs = pairs(digits, &PAIR_WITHOUT_7);
            let number = |pairs: u64| product::<3>(pairs, 1 << 48 | 9 << 32 | 81 << 16 | 729);
            [number(u64x2_extract_lane::<0>(pairs)), number(u64x2_extract_lane::<1>(pairs))]
        });
        [a, b, c, d]
    }
}
