//! Sixteen bytes at once, one per cubie.
//!
//! A face turn moves all corners, or all edges, with one byte shuffle. The portable version uses plain arrays.
//! On x86-64 with AVX2 one instruction does it, and where children of one node are looked up together, one
//! instruction does it for two of them; with AVX-512, for four. The version is chosen once, at run time, by the
//! type parameter of [`CubeSpace`](crate::space::CubeSpace). WebAssembly has an instruction for it too, if
//! compiled with vector instructions.

use search_core::simd::{ForTarget, Target};
use std::fmt::Debug;

#[cfg(all(target_family = "wasm", target_feature = "simd128"))]
mod wasm;
#[cfg(target_arch = "x86_64")]
mod x86;
#[cfg(all(target_family = "wasm", target_feature = "simd128"))]
pub(crate) use wasm::Simd128;
#[cfg(target_arch = "x86_64")]
pub(crate) use x86::{Avx2, Avx512};

/// The vector type that is available on every machine of the compilation target.
#[cfg(not(all(target_family = "wasm", target_feature = "simd128")))]
pub(crate) type Everywhere = Portable;
/// The vector type that is available on every machine of the compilation target.
#[cfg(all(target_family = "wasm", target_feature = "simd128"))]
pub(crate) type Everywhere = Simd128;

/// Sixteen bytes in memory, aligned like a register.
#[derive(Clone, Copy, Debug)]
#[repr(align(16))]
pub struct Row(pub [u8; 16]);

/// Bytes in rows of sixteen, and the operations that the cube needs on each row.
pub trait Rows: Copy + Debug + Send + Sync + 'static {
    /// Loads an array into every row. The existence of `self` proves that the machine has the instructions.
    #[must_use]
    fn row(self, row: &'static Row) -> Self;
    /// Lane `i` of the result is the lane of `self` with the number in the low four bits of `index[i]`. Bit 7
    /// of an index must be clear.
    fn shuffle(self, index: Self) -> Self;
    /// Like [`shuffle`](Rows::shuffle), with indexes that are all below 16.
    #[must_use]
    #[inline(always)]
    fn permute(self, index: Self) -> Self {
        self.shuffle(index)
    }
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
}

/// One row. Loops over values of the type are compiled for its [`ForTarget::TARGET`].
pub trait Lanes: Rows + ForTarget + PartialEq {
    /// Four rows.
    type Four: Four<One = Self>;

    /// Loads an array.
    ///
    /// # Panics
    /// If the machine lacks the instructions of the type.
    fn load(row: [u8; 16]) -> Self;
    /// Returns the lanes as an array.
    fn store(self) -> [u8; 16];
    /// Bit `i` of the result is bit `BIT` of lane `i`.
    fn bits<const BIT: i32>(self) -> u32;
    /// The sum over the lanes of value times weight, where lanes 0 to 5 have any weight up to 255 and the value
    /// of lane 6 is weighted by 729. Values are below 3; lanes from 7 on are 0.
    fn base_three(self, weights: Self) -> u32;
}

/// The first halves of four rows, for rows of this type.
pub type HalvesOf<V> = <<V as Lanes>::Four as Four>::Halves;

/// Four rows.
pub trait Four: Rows {
    /// One row.
    type One: Lanes;
    /// The first halves of four rows.
    type Halves: Halves<One = Self::One>;
    /// The same row four times.
    fn splat(row: Self::One) -> Self;
    /// Combines four rows.
    fn of(rows: [Self::One; 4]) -> Self;
    /// For each row, bit `BIT` of each lane in the low sixteen bits. The bits above them are unspecified.
    fn bits<const BIT: i32>(self) -> [u64; 4];
    /// For each row, two numbers to base three: with the digits of lanes 0 to 5, and with those of lanes 12, 13 and
    /// 8 to 11, lowest first. Other lanes are ignored.
    fn six_digits_twice(self) -> [[u32; 2]; 4];
}

/// The first eight lanes of four rows, two of them in each row.
pub trait Halves: Rows {
    /// One row.
    type One: Lanes;
    /// The same half four times.
    fn splat(row: Self::One) -> Self;
    /// Combines the first halves of four rows.
    fn of(rows: [Self::One; 4]) -> Self;
    /// For each half, bit 7 of each lane.
    fn signs(self) -> [u8; 4];
    /// For each half, the number to base three with the digits of lanes 0 to 6, lowest first. Lane 7 is ignored.
    fn seven_digits(self) -> [u32; 4];
}

/// The values of `f` at 0 to 3. Unlike the methods of arrays it is always inlined, which hot code needs.
#[inline(always)]
pub fn each<T>(mut f: impl FnMut(usize) -> T) -> [T; 4] {
    [f(0), f(1), f(2), f(3)]
}

/// The values of `f` at 0 to `N - 1`. Like [`each`] it is always inlined.
#[inline(always)]
pub fn first<T: Copy + Default, const N: usize>(mut f: impl FnMut(usize) -> T) -> [T; N] {
    let mut values = [T::default(); N];
    for (i, value) in values.iter_mut().enumerate() {
        *value = f(i);
    }
    values
}

/// The number to base three with these digits, lowest first.
fn base_three(digits: &[u8]) -> u32 {
    digits.iter().rev().fold(0, |number, &digit| 3 * number + u32::from(digit))
}

/// Plain arrays: the reference implementation, for any machine.
///
/// On x86-64, where it serves the few machines without AVX2, most operations are called instead of inlined, which saves
/// compile time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Portable([u8; 16]);

impl Portable {
    /// Applies an operation on bits to all lanes as one number, which compiles faster than a loop over the lanes.
    #[inline(always)]
    fn bitwise(self, other: Self, f: impl Fn(u128, u128) -> u128) -> Self {
        Portable(f(u128::from_ne_bytes(self.0), u128::from_ne_bytes(other.0)).to_ne_bytes())
    }

    #[inline(always)]
    fn zip(self, other: Self, f: impl Fn(u8, u8) -> u8) -> Self {
        Portable(first(|i| f(self.0[i], other.0[i])))
    }
}

impl Rows for Portable {
    #[inline(always)]
    fn row(self, row: &'static Row) -> Self {
        Portable(row.0)
    }
    #[cfg_attr(target_arch = "x86_64", inline(never))]
    #[cfg_attr(not(target_arch = "x86_64"), inline(always))]
    fn shuffle(self, index: Self) -> Self {
        Portable(first(|i| self.0[index.0[i] as usize & 15]))
    }
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        self.bitwise(other, |a, b| a & b)
    }
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        self.bitwise(other, |a, b| a ^ b)
    }
    #[cfg_attr(target_arch = "x86_64", inline(never))]
    #[cfg_attr(not(target_arch = "x86_64"), inline(always))]
    fn add(self, other: Self) -> Self {
        self.zip(other, u8::wrapping_add)
    }
    #[cfg_attr(target_arch = "x86_64", inline(never))]
    #[cfg_attr(not(target_arch = "x86_64"), inline(always))]
    fn sub(self, other: Self) -> Self {
        self.zip(other, u8::wrapping_sub)
    }
    #[cfg_attr(target_arch = "x86_64", inline(never))]
    #[cfg_attr(not(target_arch = "x86_64"), inline(always))]
    fn min(self, other: Self) -> Self {
        self.zip(other, u8::min)
    }
    #[cfg_attr(target_arch = "x86_64", inline(never))]
    #[cfg_attr(not(target_arch = "x86_64"), inline(always))]
    fn high_nibbles(self) -> Self {
        Portable(first(|i| self.0[i] >> 4))
    }
}

impl ForTarget for Portable {
    const TARGET: Target = Target::Baseline;
}

impl Lanes for Portable {
    type Four = [Portable; 4];

    #[inline(always)]
    fn load(row: [u8; 16]) -> Self {
        Portable(row)
    }
    #[inline(always)]
    fn store(self) -> [u8; 16] {
        self.0
    }
    #[cfg_attr(target_arch = "x86_64", inline(never))]
    #[cfg_attr(not(target_arch = "x86_64"), inline(always))]
    fn bits<const BIT: i32>(self) -> u32 {
        self.0.iter().enumerate().fold(0, |mask, (i, v)| mask | u32::from(v >> BIT & 1) << i)
    }
    #[cfg_attr(target_arch = "x86_64", inline(never))]
    #[cfg_attr(not(target_arch = "x86_64"), inline(always))]
    fn base_three(self, weights: Self) -> u32 {
        let low: u32 = (0..6).map(|i| u32::from(self.0[i]) * u32::from(weights.0[i])).sum();
        low + 729 * u32::from(self.0[6])
    }
}

/// Rows side by side, where no vector holds more than one.
macro_rules! side_by_side {
    ($($name:ident),*) => {
        $(#[cfg_attr(target_arch = "x86_64", inline(never))]
        #[cfg_attr(not(target_arch = "x86_64"), inline(always))]
        fn $name(mut self, other: Self) -> Self {
            for i in 0..N {
                self[i] = self[i].$name(other[i]);
            }
            self
        })*
    };
}

impl<R: Rows, const N: usize> Rows for [R; N] {
    #[cfg_attr(target_arch = "x86_64", inline(never))]
    #[cfg_attr(not(target_arch = "x86_64"), inline(always))]
    fn row(mut self, row: &'static Row) -> Self {
        for i in 0..N {
            self[i] = self[i].row(row);
        }
        self
    }
    #[cfg_attr(target_arch = "x86_64", inline(never))]
    #[cfg_attr(not(target_arch = "x86_64"), inline(always))]
    fn high_nibbles(mut self) -> Self {
        for i in 0..N {
            self[i] = self[i].high_nibbles();
        }
        self
    }
    side_by_side!(shuffle, permute, and, xor, add, sub, min);
}

impl Four for [Portable; 4] {
    type One = Portable;
    type Halves = [Portable; 2];
    #[inline(always)]
    fn splat(row: Portable) -> Self {
        [row; 4]
    }
    #[inline(always)]
    fn of(rows: [Portable; 4]) -> Self {
        rows
    }
    #[inline(always)]
    fn bits<const BIT: i32>(self) -> [u64; 4] {
        each(|i| self[i].bits::<BIT>().into())
    }
    #[cfg_attr(target_arch = "x86_64", inline(never))]
    #[cfg_attr(not(target_arch = "x86_64"), inline(always))]
    fn six_digits_twice(self) -> [[u32; 2]; 4] {
        each(|i| {
            let Portable(row) = self[i];
            let [a, b, c, d] = [row[8], row[9], row[10], row[11]];
            [base_three(&row[..6]), base_three(&[row[12], row[13], a, b, c, d])]
        })
    }
}

impl Halves for [Portable; 2] {
    type One = Portable;
    #[inline(always)]
    fn splat(row: Portable) -> Self {
        Self::of([row; 4])
    }
    #[inline(always)]
    fn of([a, b, c, d]: [Portable; 4]) -> Self {
        let both = |a: Portable, b: Portable| Portable(first(|i| if i < 8 { a.0[i] } else { b.0[i - 8] }));
        [both(a, b), both(c, d)]
    }
    #[cfg_attr(target_arch = "x86_64", inline(never))]
    #[cfg_attr(not(target_arch = "x86_64"), inline(always))]
    fn signs(self) -> [u8; 4] {
        let [low, high] = self.map(|row| row.bits::<7>());
        [low as u8, (low >> 8) as u8, high as u8, (high >> 8) as u8]
    }
    #[cfg_attr(target_arch = "x86_64", inline(never))]
    #[cfg_attr(not(target_arch = "x86_64"), inline(always))]
    fn seven_digits(self) -> [u32; 4] {
        each(|i| base_three(&self[i / 2].0[i % 2 * 8..][..7]))
    }
}
