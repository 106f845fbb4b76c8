//! Sixteen bytes in one register of x86-64, and four times sixteen in two registers or one.

use super::{Four, Halves, Lanes, Row, Rows, each};
use search_core::simd::{ForTarget, Target};
use std::arch::x86_64::*;
use std::marker::PhantomData;

/// Sixteen bytes where the machine has AVX2.
pub(crate) type Avx2 = Register<TwoHalves>;
/// Sixteen bytes where the machine has AVX-512 with byte instructions.
pub(crate) type Avx512 = Register<Whole>;

/// Sixteen bytes in one register; `F` is the layout of four of them.
///
/// A value of this type, or of its four, exists only where the machine has the instructions: only [`Lanes::load`]
/// makes one from plain bytes, and it asserts this; all others are made from values.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Register<F>(__m128i, PhantomData<F>);

/// The layout of four times sixteen bytes in registers.
pub(crate) trait Layout: Four<One = Register<Self>> {
    /// The instructions that the layout needs.
    const TARGET: Target;
}

/// The factor of the second of two six-digit numbers that are combined in one sum.
const SECOND: i16 = 1024;

impl Layout for TwoHalves {
    const TARGET: Target = Target::Avx2;
}

impl Layout for Whole {
    const TARGET: Target = Target::Avx512;
}

impl<F: Layout> Register<F> {
    /// Whether this machine has the instructions that the type needs.
    pub(crate) fn is_available() -> bool {
        F::TARGET.is_available()
    }

    #[inline(always)]
    fn new(bytes: __m128i) -> Register<F> {
        Register(bytes, PhantomData)
    }

    #[inline(always)]
    fn map(self, f: impl Fn(__m128i) -> __m128i) -> Self {
        Self::new(f(self.0))
    }

    #[inline(always)]
    fn zip(self, other: Self, f: impl Fn(__m128i, __m128i) -> __m128i) -> Self {
        Self::new(f(self.0, other.0))
    }
}

impl<F> PartialEq for Register<F> {
    #[inline(always)]
    fn eq(&self, other: &Self) -> bool {
        // SAFETY: SSE2 is part of x86-64.
        unsafe { _mm_movemask_epi8(_mm_cmpeq_epi8(self.0, other.0)) == 0xffff }
    }
}

/// Sixteen bytes as a register.
#[inline(always)]
fn bytes(row: [u8; 16]) -> __m128i {
    // SAFETY: both types are 16 bytes of plain data.
    unsafe { std::mem::transmute(row) }
}

/// The operations of [`Rows`] by the instructions of one register width.
macro_rules! lanewise {
    ($shift:ident, $($name:ident: $instruction:ident),*) => {
        $(#[inline(always)]
        fn $name(self, other: Self) -> Self {
            self.zip(
                other,
                #[inline(always)]
                // SAFETY: a value of this type exists only where `Lanes::load` found the instructions.
                |a, b| unsafe { $instruction(a, b) },
            )
        })*
        #[inline(always)]
        fn high_nibbles(self) -> Self {
            let shifted = self.map(
                #[inline(always)]
                // SAFETY: a value of this type exists only where `Lanes::load` found the instructions.
                |a| unsafe { $shift::<4>(a) },
            );
            shifted.and(self.row(&Row([15; 16])))
        }
    };
}

/// The numbers of [`Four`], computed as sums.
macro_rules! digits {
    () => {
        #[inline(always)]
        fn six_digits_twice(self) -> [[u32; 2]; 4] {
            let weights = [1, 3, 9, 27, 81, 243, 0, 0, 9, 27, 81, 243, 1, 3, 0, 0];
            let sums = self.sums(weights, [1, 1, 1, 0, SECOND, SECOND, SECOND, 0]);
            each(
                #[inline(always)]
                |i| [sums[i] % SECOND as u32, sums[i] / SECOND as u32],
            )
        }
    };
}

impl<F: Layout> Rows for Register<F> {
    #[inline(always)]
    fn row(self, row: &'static Row) -> Self {
        Self::new(bytes(row.0))
    }
    lanewise!(
        _mm_srli_epi16, shuffle: _mm_shuffle_epi8, and: _mm_and_si128, xor: _mm_xor_si128, add: _mm_add_epi8,
        sub: _mm_sub_epi8, min: _mm_min_epu8
    );
}

impl<F: Layout> ForTarget for Register<F> {
    const TARGET: Target = <F as Layout>::TARGET;
}

impl<F: Layout> Lanes for Register<F> {
    type Four = F;

    #[inline(always)]
    fn load(row: [u8; 16]) -> Self {
        assert!(Self::is_available(), "the machine has the instructions");
        Self::new(bytes(row))
    }
    #[inline(always)]
    fn store(self) -> [u8; 16] {
        // SAFETY: both types are 16 bytes of plain data.
        unsafe { std::mem::transmute::<__m128i, [u8; 16]>(self.0) }
    }
    #[inline(always)]
    fn bits<const BIT: i32>(self) -> u32 {
        // The selected bit of each byte becomes its sign bit; bits that cross bytes stay below it.
        // SAFETY: SSE2 is part of x86-64.
        let signs = unsafe { _mm_movemask_epi8(_mm_sll_epi16(self.0, _mm_cvtsi32_si128(7 - BIT))) };
        signs as u32
    }
    #[inline(always)]
    fn base_three(self, weights: Self) -> u32 {
        // SAFETY: `self` exists only where `Lanes::load` found AVX2, and with it SSSE3.
        unsafe {
            let pairs = _mm_maddubs_epi16(weights.0, self.0);
            let quads = _mm_madd_epi16(pairs, _mm_set_epi16(0, 0, 0, 0, 729, 1, 1, 1));
            let sum = _mm_add_epi32(quads, _mm_shuffle_epi32::<1>(quads));
            _mm_cvtsi128_si32(sum) as u32
        }
    }
}

/// Four times sixteen bytes in two registers of AVX2.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TwoHalves([__m256i; 2]);

impl TwoHalves {
    #[inline(always)]
    fn both<T>(self, f: impl Fn(__m256i) -> T) -> [T; 2] {
        [f(self.0[0]), f(self.0[1])]
    }

    #[inline(always)]
    fn map(self, f: impl Fn(__m256i) -> __m256i) -> Self {
        TwoHalves(self.both(f))
    }

    #[inline(always)]
    fn zip(self, other: Self, f: impl Fn(__m256i, __m256i) -> __m256i) -> Self {
        TwoHalves([f(self.0[0], other.0[0]), f(self.0[1], other.0[1])])
    }
}

impl Rows for TwoHalves {
    #[inline(always)]
    fn row(self, row: &'static Row) -> Self {
        Self::splat(Register::new(bytes(row.0)))
    }
    lanewise!(
        _mm256_srli_epi16, shuffle: _mm256_shuffle_epi8, and: _mm256_and_si256, xor: _mm256_xor_si256,
        add: _mm256_add_epi8, sub: _mm256_sub_epi8, min: _mm256_min_epu8
    );
}

impl Four for TwoHalves {
    type One = Avx2;
    type Halves = FourHalves<Self>;
    #[inline(always)]
    fn splat(row: Avx2) -> Self {
        // SAFETY: the arguments exist only where `Lanes::load` found AVX2.
        TwoHalves([unsafe { _mm256_broadcastsi128_si256(row.0) }; 2])
    }
    #[inline(always)]
    fn of([a, b, c, d]: [Avx2; 4]) -> Self {
        // SAFETY: the arguments exist only where `Lanes::load` found AVX2.
        TwoHalves(unsafe { [_mm256_set_m128i(b.0, a.0), _mm256_set_m128i(d.0, c.0)] })
    }
    #[inline(always)]
    fn bits<const BIT: i32>(self) -> [u64; 4] {
        // SAFETY: the arguments exist only where `Lanes::load` found AVX2.
        let [low, high] = self.both(
            #[inline(always)]
            |a| unsafe { _mm256_movemask_epi8(_mm256_sll_epi16(a, _mm_cvtsi32_si128(7 - BIT))) as u32 },
        );
        [low.into(), (low >> 16).into(), high.into(), (high >> 16).into()]
    }
    digits!();
}

impl TwoHalves {
    /// For each row, the sum of value times weight times the scale of the pair of lanes. Values are below 4; the
    /// sums of pairs and the scales are below 32768.
    #[inline(always)]
    fn sums(self, weights: [u8; 16], scales: [i16; 8]) -> [u32; 4] {
        // SAFETY: `self` exists only where `Lanes::load` found AVX2; the transmuted types are plain data of
        // the same sizes.
        unsafe {
            let weights = _mm256_broadcastsi128_si256(bytes(weights));
            let scales = _mm256_broadcastsi128_si256(std::mem::transmute::<[i16; 8], __m128i>(scales));
            let [a, b] = self.both(
                #[inline(always)]
                |a| _mm256_madd_epi16(_mm256_maddubs_epi16(weights, a), scales),
            );
            let sums = _mm256_add_epi32(_mm256_unpacklo_epi64(a, b), _mm256_unpackhi_epi64(a, b));
            let sums = _mm256_add_epi32(sums, _mm256_srli_epi64::<32>(sums));
            let [first, third, second, fourth] =
                first_of_each(std::mem::transmute::<__m256i, [[u32; 2]; 4]>(sums));
            [first, second, third, fourth]
        }
    }
}

/// The lowest number of each row.
#[inline(always)]
fn first_of_each<const N: usize>(rows: [[u32; N]; 4]) -> [u32; 4] {
    each(
        #[inline(always)]
        |i| rows[i][0],
    )
}

/// Four times sixteen bytes in one register of AVX-512.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Whole(__m512i);

impl Whole {
    #[inline(always)]
    fn map(self, f: impl Fn(__m512i) -> __m512i) -> Self {
        Whole(f(self.0))
    }

    #[inline(always)]
    fn zip(self, other: Self, f: impl Fn(__m512i, __m512i) -> __m512i) -> Self {
        Whole(f(self.0, other.0))
    }
}

impl Rows for Whole {
    #[inline(always)]
    fn row(self, row: &'static Row) -> Self {
        Self::splat(Register::new(bytes(row.0)))
    }
    lanewise!(
        _mm512_srli_epi16, shuffle: _mm512_shuffle_epi8, and: _mm512_and_si512, xor: _mm512_xor_si512,
        add: _mm512_add_epi8, sub: _mm512_sub_epi8, min: _mm512_min_epu8
    );
}

impl Four for Whole {
    type One = Avx512;
    type Halves = FourHalves<Self>;
    #[inline(always)]
    fn splat(row: Avx512) -> Self {
        // SAFETY: the arguments exist only where `Lanes::load` found AVX-512.
        Whole(unsafe { _mm512_broadcast_i32x4(row.0) })
    }
    #[inline(always)]
    fn of([a, b, c, d]: [Avx512; 4]) -> Self {
        // SAFETY: the arguments exist only where `Lanes::load` found AVX-512.
        Whole(unsafe {
            let low = _mm256_set_m128i(b.0, a.0);
            let high = _mm256_set_m128i(d.0, c.0);
            _mm512_inserti64x4::<1>(_mm512_castsi256_si512(low), high)
        })
    }
    #[inline(always)]
    fn bits<const BIT: i32>(self) -> [u64; 4] {
        // SAFETY: the arguments exist only where `Lanes::load` found AVX-512.
        let bits = unsafe { _mm512_test_epi8_mask(self.0, _mm512_set1_epi8((1u8 << BIT) as i8)) };
        [bits, bits >> 16, bits >> 32, bits >> 48]
    }
    digits!();
}

impl Whole {
    /// As [`TwoHalves::sums`].
    #[inline(always)]
    fn sums(self, weights: [u8; 16], scales: [i16; 8]) -> [u32; 4] {
        // SAFETY: `self` exists only where `Lanes::load` found AVX-512; the transmuted types are plain data
        // of the same sizes.
        unsafe {
            let weights = _mm512_broadcast_i32x4(bytes(weights));
            let scales = _mm512_broadcast_i32x4(std::mem::transmute::<[i16; 8], __m128i>(scales));
            let sums = _mm512_madd_epi16(_mm512_maddubs_epi16(weights, self.0), scales);
            let sums = _mm512_add_epi32(sums, _mm512_shuffle_epi32::<0b01_00_11_10>(sums));
            let sums = _mm512_add_epi32(sums, _mm512_shuffle_epi32::<0b10_11_00_01>(sums));
            first_of_each(std::mem::transmute::<__m512i, [[u32; 4]; 4]>(sums))
        }
    }
}

/// Four times eight bytes in one register of AVX2; `F` is the layout of four whole rows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FourHalves<F>(__m256i, PhantomData<F>);

impl<F> FourHalves<F> {
    #[inline(always)]
    fn map(self, f: impl Fn(__m256i) -> __m256i) -> Self {
        FourHalves(f(self.0), PhantomData)
    }

    #[inline(always)]
    fn zip(self, other: Self, f: impl Fn(__m256i, __m256i) -> __m256i) -> Self {
        FourHalves(f(self.0, other.0), PhantomData)
    }
}

impl<F: Layout> Rows for FourHalves<F> {
    #[inline(always)]
    fn row(self, row: &'static Row) -> Self {
        // SAFETY: `self` exists only where `Lanes::load` found AVX2.
        self.map(|_| unsafe { _mm256_broadcastsi128_si256(bytes(row.0)) })
    }
    lanewise!(
        _mm256_srli_epi16, shuffle: _mm256_shuffle_epi8, and: _mm256_and_si256, xor: _mm256_xor_si256,
        add: _mm256_add_epi8, sub: _mm256_sub_epi8, min: _mm256_min_epu8
    );
}

impl<F: Layout> Halves for FourHalves<F> {
    type One = Register<F>;
    #[inline(always)]
    fn splat(row: Register<F>) -> Self {
        // SAFETY: the arguments exist only where `Lanes::load` found AVX2.
        FourHalves(unsafe { _mm256_broadcastq_epi64(row.0) }, PhantomData)
    }
    #[inline(always)]
    fn of([a, b, c, d]: [Register<F>; 4]) -> Self {
        // SAFETY: the arguments exist only where `Lanes::load` found AVX2.
        let halves = unsafe { _mm256_set_m128i(_mm_unpacklo_epi64(c.0, d.0), _mm_unpacklo_epi64(a.0, b.0)) };
        FourHalves(halves, PhantomData)
    }
    #[inline(always)]
    fn signs(self) -> [u8; 4] {
        // SAFETY: `self` exists only where `Lanes::load` found AVX2.
        unsafe { _mm256_movemask_epi8(self.0) as u32 }.to_le_bytes()
    }
    #[inline(always)]
    fn seven_digits(self) -> [u32; 4] {
        // SAFETY: `self` exists only where `Lanes::load` found AVX2; the transmuted types are plain data of the same
        // size.
        unsafe {
            let weights =
                _mm256_broadcastsi128_si256(bytes([1, 3, 9, 27, 81, 243, 1, 0, 1, 3, 9, 27, 81, 243, 1, 0]));
            let scales = _mm256_set1_epi64x(729 << 48 | 1 << 32 | 1 << 16 | 1);
            let sums = _mm256_madd_epi16(_mm256_maddubs_epi16(weights, self.0), scales);
            let sums = _mm256_add_epi32(sums, _mm256_srli_epi64::<32>(sums));
            first_of_each(std::mem::transmute::<__m256i, [[u32; 2]; 4]>(sums))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Portable;
    use super::*;
    use proptest::prelude::*;

    /// Compares each operation with that on plain arrays; `four` holds four values each.
    fn check<F: Layout>(four: [[[u8; 16]; 4]; 2], weights: [u8; 16], digits: [u8; 7]) {
        if !Register::<F>::is_available() {
            return;
        }
        let index = four[1].map(|lanes| lanes.map(|lane| lane & 0x7f));
        for (a, (b, i)) in four[0].into_iter().zip(four[1].into_iter().zip(index)) {
            let (x, y, j) = (Register::<F>::load(a), Register::<F>::load(b), Register::<F>::load(i));
            let (p, q, k) = (Portable::load(a), Portable::load(b), Portable::load(i));
            assert_eq!(x.shuffle(j).store(), p.shuffle(k).store());
            let below = |lanes: [u8; 16]| lanes.map(|lane| lane & 15);
            assert_eq!(
                x.permute(Register::load(below(i))).store(),
                p.permute(Portable::load(below(i))).store()
            );
            assert_eq!(x.and(y).store(), p.and(q).store());
            assert_eq!(x.xor(y).store(), p.xor(q).store());
            assert_eq!(x.add(y).store(), p.add(q).store());
            assert_eq!(x.sub(y).store(), p.sub(q).store());
            assert_eq!(x.min(y).store(), p.min(q).store());
            assert_eq!(x.high_nibbles().store(), p.high_nibbles().store());
            assert_eq!(x.bits::<0>(), p.bits::<0>());
            assert_eq!(x.bits::<1>(), p.bits::<1>());
            assert_eq!(x.bits::<4>(), p.bits::<4>());
            assert_eq!(x.bits::<7>(), p.bits::<7>());
            assert_eq!(x == y, p == q);
        }
        let (mut d, mut w) = ([0; 16], weights);
        d[..7].copy_from_slice(&digits);
        w[6] = 1;
        let sum = Register::<F>::load(d).base_three(Register::<F>::load(w));
        assert_eq!(sum, Portable::load(d).base_three(Portable::load(w)));

        let of = |four: [[u8; 16]; 4]| (F::of(four.map(Register::load)), four.map(Portable::load));
        let ((x, p), (y, q), (j, k)) = (of(four[0]), of(four[1]), of(index));
        let low = |bits: [u64; 4]| bits.map(|bits| bits as u16);
        // Bits show every lane.
        let same = |x: F, p: [Portable; 4]| {
            assert_eq!(low(x.bits::<0>()), low(p.bits::<0>()));
            assert_eq!(low(x.bits::<2>()), low(p.bits::<2>()));
            assert_eq!(low(x.bits::<4>()), low(p.bits::<4>()));
            assert_eq!(low(x.bits::<7>()), low(p.bits::<7>()));
        };
        let digits = four[0].map(|lanes| lanes.map(|lane| lane % 3));
        check_halves::<F>([four[0], four[1], digits]);
        let (digits, plain) = of(digits);
        assert_eq!(digits.six_digits_twice(), plain.six_digits_twice());
        same(x, p);
        same(x.shuffle(j), p.shuffle(k));
        same(x.and(y), p.and(q));
        same(x.xor(y), p.xor(q));
        same(x.add(y), p.add(q));
        same(x.sub(y), p.sub(q));
        same(x.min(y), p.min(q));
        same(x.high_nibbles(), p.high_nibbles());
        same(F::splat(Register::load(four[0][0])), Four::splat(Portable::load(four[0][0])));
    }

    /// Compares the operations on halves; the last four rows are digits to base three.
    fn check_halves<F: Layout>([a, b, digits]: [[[u8; 16]; 4]; 3]) {
        let of = |four: [[u8; 16]; 4]| {
            (F::Halves::of(four.map(Register::load)), Halves::of(four.map(Portable::load)))
        };
        let low = |four: [[u8; 16]; 4]| of(four.map(|lanes| lanes.map(|lane| lane & 15)));
        let ((x, p), (y, q), (j, k)) = (of(a), of(b), low(b));
        // Signs of shifted lanes show every bit.
        let same = |mut x: F::Halves, mut p: [Portable; 2]| {
            for _ in 0..8 {
                assert_eq!(x.signs(), p.signs());
                (x, p) = (x.add(x), p.add(p));
            }
        };
        same(x, p);
        same(x.shuffle(j), p.shuffle(k));
        same(x.permute(j), p.permute(k));
        same(x.and(y), p.and(q));
        same(x.xor(y), p.xor(q));
        same(x.sub(y), p.sub(q));
        same(x.min(y), p.min(q));
        same(x.high_nibbles(), p.high_nibbles());
        static ROW: Row = Row([9, 1, 200, 3, 4, 5, 60, 7, 8, 90, 10, 11, 12, 130, 14, 15]);
        same(x.row(&ROW), p.row(&ROW));
        same(F::Halves::splat(Register::load(a[0])), Halves::splat(Portable::load(a[0])));
        let (digits, plain) = of(digits);
        assert_eq!(digits.seven_digits(), plain.seven_digits());
    }

    /// Where the machine lacks the instructions, safe code cannot make a value (Miri has none of them).
    #[test]
    fn values_require_the_instructions() {
        fn is_made(load: impl FnOnce() + std::panic::UnwindSafe) -> bool {
            std::panic::catch_unwind(load).is_ok()
        }
        assert_eq!(is_made(|| _ = Avx2::load([1; 16])), Avx2::is_available());
        assert_eq!(is_made(|| _ = Avx512::load([1; 16])), Avx512::is_available());
    }

    proptest! {
        #[test]
        fn registers_equal_plain_arrays(
            four: [[[u8; 16]; 4]; 2], weights: [u8; 16], digits in prop::array::uniform7(0u8..3),
        ) {
            check::<TwoHalves>(four, weights, digits);
            check::<Whole>(four, weights, digits);
        }
    }
}
