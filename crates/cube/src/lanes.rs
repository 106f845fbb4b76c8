//! Sixteen bytes at once: one cubie a byte.
//!
//! A face turn moves all cubies of a kind with one byte shuffle. The portable version is plain
//! arrays; on x86-64 with SSSE3 one instruction does it. Which of the two runs is chosen once, at
//! run time, by the type parameter of [`CubeSpace`](crate::space::CubeSpace).

use std::fmt::Debug;

/// Sixteen bytes and the operations that the cube needs on them.
pub trait Lanes: Copy + Debug + PartialEq + Send + Sync + 'static {
    /// From an array.
    fn load(bytes: [u8; 16]) -> Self;
    /// To an array.
    fn store(self) -> [u8; 16];
    /// Lane `i` of the result is lane `index[i]` of `self`. Indexes are below 16.
    fn shuffle(self, index: Self) -> Self;
    /// Lane by lane.
    fn and(self, other: Self) -> Self;
    /// Lane by lane.
    fn xor(self, other: Self) -> Self;
    /// Lane by lane, modulo 256.
    fn add(self, other: Self) -> Self;
    /// Lane by lane, modulo 256.
    fn sub(self, other: Self) -> Self;
    /// Lane by lane, unsigned.
    fn min(self, other: Self) -> Self;
    /// Each lane shifted right by four.
    fn high_nibbles(self) -> Self;
    /// Bit `i` of the result is bit `BIT` of lane `i`.
    fn bits<const BIT: i32>(self) -> u32;
    /// The sum over the lanes of value times weight, where lanes 0 to 5 have any weight up to 255
    /// and lane 6 counts 729 times. Values are below 3, lane 7 and up are 0.
    fn base_three(self, weights: Self) -> u32;
}

/// Plain arrays: runs everywhere, and is the twin that the others are tested against.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Portable([u8; 16]);

impl Portable {
    #[inline(always)]
    fn zip(self, other: Self, f: impl Fn(u8, u8) -> u8) -> Self {
        Portable(std::array::from_fn(|i| f(self.0[i], other.0[i])))
    }
}

impl Lanes for Portable {
    #[inline(always)]
    fn load(bytes: [u8; 16]) -> Self {
        Portable(bytes)
    }
    #[inline(always)]
    fn store(self) -> [u8; 16] {
        self.0
    }
    #[inline(always)]
    fn shuffle(self, index: Self) -> Self {
        Portable(index.0.map(|i| self.0[i as usize & 15]))
    }
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        self.zip(other, |a, b| a & b)
    }
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        self.zip(other, |a, b| a ^ b)
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.zip(other, u8::wrapping_add)
    }
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.zip(other, u8::wrapping_sub)
    }
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        self.zip(other, u8::min)
    }
    #[inline(always)]
    fn high_nibbles(self) -> Self {
        Portable(self.0.map(|a| a >> 4))
    }
    #[inline(always)]
    fn bits<const BIT: i32>(self) -> u32 {
        self.0.iter().enumerate().fold(0, |mask, (i, v)| mask | u32::from(v >> BIT & 1) << i)
    }
    #[inline(always)]
    fn base_three(self, weights: Self) -> u32 {
        let low: u32 = (0..6).map(|i| u32::from(self.0[i]) * u32::from(weights.0[i])).sum();
        low + 729 * u32::from(self.0[6])
    }
}

/// SSSE3 byte shuffles.
#[cfg(target_arch = "x86_64")]
pub use x86::Ssse3;

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::Lanes;
    use std::arch::x86_64::{
        __m128i, _mm_add_epi8, _mm_add_epi32, _mm_and_si128, _mm_cmpeq_epi8, _mm_cvtsi128_si32,
        _mm_madd_epi16, _mm_maddubs_epi16, _mm_min_epu8, _mm_movemask_epi8, _mm_set_epi16, _mm_set1_epi8,
        _mm_shuffle_epi8, _mm_shuffle_epi32, _mm_slli_epi16, _mm_srli_epi16, _mm_sub_epi8, _mm_xor_si128,
    };

    /// Sixteen bytes in one register.
    ///
    /// A value of this type exists only where the machine has SSSE3: [`Ssse3::load`] is the only
    /// way to make the first one, and checks it in debug builds; the cube's space is built with
    /// this type only after the same check at run time ([`Ssse3::is_available`]).
    #[derive(Clone, Copy, Debug)]
    pub struct Ssse3(__m128i);

    impl Ssse3 {
        /// Whether this machine has what the type needs.
        pub fn is_available() -> bool {
            is_x86_feature_detected!("ssse3")
        }
    }

    impl PartialEq for Ssse3 {
        #[inline(always)]
        fn eq(&self, other: &Self) -> bool {
            // SAFETY: SSE2 is part of x86-64.
            unsafe { _mm_movemask_epi8(_mm_cmpeq_epi8(self.0, other.0)) == 0xffff }
        }
    }

    impl Lanes for Ssse3 {
        #[inline(always)]
        fn load(bytes: [u8; 16]) -> Self {
            debug_assert!(Ssse3::is_available());
            // SAFETY: both types are 16 bytes of plain data.
            Ssse3(unsafe { std::mem::transmute::<[u8; 16], __m128i>(bytes) })
        }
        #[inline(always)]
        fn store(self) -> [u8; 16] {
            // SAFETY: both types are 16 bytes of plain data.
            unsafe { std::mem::transmute::<__m128i, [u8; 16]>(self.0) }
        }
        #[inline(always)]
        fn shuffle(self, index: Self) -> Self {
            // SAFETY: values of this type exist only where SSSE3 does.
            Ssse3(unsafe { _mm_shuffle_epi8(self.0, index.0) })
        }
        #[inline(always)]
        fn and(self, other: Self) -> Self {
            // SAFETY: SSE2 is part of x86-64.
            Ssse3(unsafe { _mm_and_si128(self.0, other.0) })
        }
        #[inline(always)]
        fn xor(self, other: Self) -> Self {
            // SAFETY: SSE2 is part of x86-64.
            Ssse3(unsafe { _mm_xor_si128(self.0, other.0) })
        }
        #[inline(always)]
        fn add(self, other: Self) -> Self {
            // SAFETY: SSE2 is part of x86-64.
            Ssse3(unsafe { _mm_add_epi8(self.0, other.0) })
        }
        #[inline(always)]
        fn sub(self, other: Self) -> Self {
            // SAFETY: SSE2 is part of x86-64.
            Ssse3(unsafe { _mm_sub_epi8(self.0, other.0) })
        }
        #[inline(always)]
        fn min(self, other: Self) -> Self {
            // SAFETY: SSE2 is part of x86-64.
            Ssse3(unsafe { _mm_min_epu8(self.0, other.0) })
        }
        #[inline(always)]
        fn high_nibbles(self) -> Self {
            // SAFETY: SSE2 is part of x86-64.
            Ssse3(unsafe { _mm_and_si128(_mm_srli_epi16::<4>(self.0), _mm_set1_epi8(15)) })
        }
        #[inline(always)]
        fn bits<const BIT: i32>(self) -> u32 {
            // The wanted bit of each byte becomes its sign; what crosses bytes stays below it.
            // SAFETY: SSE2 is part of x86-64.
            let signs = unsafe {
                let shifted = match BIT {
                    0 => _mm_slli_epi16::<7>(self.0),
                    1 => _mm_slli_epi16::<6>(self.0),
                    2 => _mm_slli_epi16::<5>(self.0),
                    3 => _mm_slli_epi16::<4>(self.0),
                    4 => _mm_slli_epi16::<3>(self.0),
                    5 => _mm_slli_epi16::<2>(self.0),
                    6 => _mm_slli_epi16::<1>(self.0),
                    _ => self.0,
                };
                _mm_movemask_epi8(shifted)
            };
            signs as u32
        }
        #[inline(always)]
        fn base_three(self, weights: Self) -> u32 {
            // SAFETY: values of this type exist only where SSSE3 does.
            unsafe {
                let pairs = _mm_maddubs_epi16(weights.0, self.0);
                let quads = _mm_madd_epi16(pairs, _mm_set_epi16(0, 0, 0, 0, 729, 1, 1, 1));
                let sum = _mm_add_epi32(quads, _mm_shuffle_epi32::<1>(quads));
                _mm_cvtsi128_si32(sum) as u32
            }
        }
    }

    #[cfg(test)]
    mod tests {
        use super::super::Portable;
        use super::*;
        use proptest::prelude::*;

        proptest! {
            #[test]
            fn equals_the_portable_twin(a: [u8; 16], b: [u8; 16], index in prop::array::uniform16(0u8..16),
                digits in prop::array::uniform7(0u8..3), weights in prop::array::uniform6(any::<u8>())) {
                prop_assume!(Ssse3::is_available());
                let (x, y, i) = (Ssse3::load(a), Ssse3::load(b), Ssse3::load(index));
                let (p, q, j) = (Portable::load(a), Portable::load(b), Portable::load(index));
                prop_assert_eq!(x.shuffle(i).store(), p.shuffle(j).store());
                prop_assert_eq!(x.and(y).store(), p.and(q).store());
                prop_assert_eq!(x.xor(y).store(), p.xor(q).store());
                prop_assert_eq!(x.add(y).store(), p.add(q).store());
                prop_assert_eq!(x.sub(y).store(), p.sub(q).store());
                prop_assert_eq!(x.min(y).store(), p.min(q).store());
                prop_assert_eq!(x.high_nibbles().store(), p.high_nibbles().store());
                prop_assert_eq!(x.bits::<0>(), p.bits::<0>());
                prop_assert_eq!(x.bits::<1>(), p.bits::<1>());
                prop_assert_eq!(x.bits::<4>(), p.bits::<4>());
                prop_assert_eq!(x.bits::<7>(), p.bits::<7>());
                prop_assert_eq!(x == y, p == q);
                let mut d = [0; 16];
                d[..7].copy_from_slice(&digits);
                let mut w = [0; 16];
                w[..6].copy_from_slice(&weights);
                w[6] = 1;
                prop_assert_eq!(Ssse3::load(d).base_three(Ssse3::load(w)), Portable::load(d).base_three(Portable::load(w)));
            }
        }
    }
}
