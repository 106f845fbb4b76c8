//! Sixteen bytes at once, one per cubie.
//!
//! A face turn moves all cubies of a kind with one byte shuffle. The portable version is plain
//! arrays; on x86-64 with AVX2 one instruction does it, and where children of one node are looked
//! up together, one instruction does it for two of them, with AVX-512 for four. Which version runs
//! is chosen once, at run time, by the type parameter of [`CubeSpace`](crate::space::CubeSpace).
//! WebAssembly has one instruction for it too, if it is compiled with vector instructions.

use search_core::simd::{ForTarget, Target};
use std::fmt::Debug;

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod wasm;
#[cfg(target_arch = "x86_64")]
mod x86;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub use wasm::Simd128;
#[cfg(target_arch = "x86_64")]
pub use x86::{Avx2, Avx512};

/// What every machine has for which the program is compiled.
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
pub type Everywhere = Portable;
/// What every machine has for which the program is compiled.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub type Everywhere = Simd128;

/// Sixteen bytes that lie in memory as a register does.
#[derive(Clone, Copy, Debug)]
#[repr(align(16))]
pub struct Row(pub [u8; 16]);

/// Bytes in rows of sixteen, and the operations that the cube needs on each row.
pub trait Rows: Copy + Debug + Send + Sync + 'static {
    /// From an array: every row the same. That `self` exists shows that the machine has the
    /// instructions.
    #[must_use]
    fn row(self, row: &'static Row) -> Self;
    /// Lane `i` of the result is the lane of `self` that the low four bits of `index[i]` name. Bit 7
    /// of an index is clear.
    fn shuffle(self, index: Self) -> Self;
    /// As [`shuffle`](Rows::shuffle), by indexes that are all below 16.
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

    /// From an array.
    ///
    /// # Panics
    /// If the machine lacks the instructions of the type.
    fn load(row: [u8; 16]) -> Self;
    /// To an array.
    fn store(self) -> [u8; 16];
    /// Bit `i` of the result is bit `BIT` of lane `i`.
    fn bits<const BIT: i32>(self) -> u32;
    /// The sum over the lanes of value times weight, where lanes 0 to 5 have any weight up to 255
    /// and lane 6 counts 729 times. Values are below 3, lane 7 and up are 0.
    fn base_three(self, weights: Self) -> u32;
}

/// Four rows.
pub trait Four: Rows {
    /// One row.
    type One: Lanes;
    /// The same row four times.
    fn splat(row: Self::One) -> Self;
    /// From four rows.
    fn of(rows: [Self::One; 4]) -> Self;
    /// For each row, bit `BIT` of each lane in the low sixteen bits. What lies above them is not specified.
    fn bits<const BIT: i32>(self) -> [u64; 4];
    /// For each row, the number to base three with the digits of lanes 0 to 6, the lowest first. The other lanes do not count.
    fn seven_digits(self) -> [u32; 4];
    /// For each row, two numbers to base three, with the digits of lanes 0 to 5 and those of lanes 12, 13 and 8 to 11, the
    /// lowest first. The other lanes do not count.
    fn six_digits_twice(self) -> [[u32; 2]; 4];
}

/// The values of `f` at 0 to 3. Unlike the methods of arrays it is always inlined, as hot code needs.
#[inline(always)]
pub fn each<T>(mut f: impl FnMut(usize) -> T) -> [T; 4] {
    [f(0), f(1), f(2), f(3)]
}

/// The values of `f` at 0 to `N - 1`, always inlined too.
#[inline(always)]
pub fn first<T: Copy + Default, const N: usize>(mut f: impl FnMut(usize) -> T) -> [T; N] {
    let mut values = [T::default(); N];
    for (i, value) in values.iter_mut().enumerate() {
        *value = f(i);
    }
    values
}

/// The number with these digits to base three, the lowest first.
fn base_three(digits: &[u8]) -> u32 {
    digits.iter().rev().fold(0, |number, &digit| 3 * number + u32::from(digit))
}

/// Plain arrays: the reference implementation, for any machine.
///
/// On x86-64, where it serves the few machines without AVX2, what no vector instruction does is called instead of
/// inlined. Kernels call it in so many places that compiling them takes a third of the time otherwise.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Portable([u8; 16]);

impl Portable {
    #[inline(always)]
    fn zip(self, other: Self, f: impl Fn(u8, u8) -> u8) -> Self {
        Portable(std::array::from_fn(|i| f(self.0[i], other.0[i])))
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

impl Rows for [Portable; 4] {
    #[inline(always)]
    fn row(self, row: &'static Row) -> Self {
        [Portable(row.0); 4]
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

impl Four for [Portable; 4] {
    type One = Portable;
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
        self.map(|row| row.bits::<BIT>().into())
    }
    #[cfg_attr(target_arch = "x86_64", inline(never))]
    #[cfg_attr(not(target_arch = "x86_64"), inline(always))]
    fn seven_digits(self) -> [u32; 4] {
        self.map(|row| base_three(&row.0[..7]))
    }
    #[cfg_attr(target_arch = "x86_64", inline(never))]
    #[cfg_attr(not(target_arch = "x86_64"), inline(always))]
    fn six_digits_twice(self) -> [[u32; 2]; 4] {
        self.map(|Portable(row)| {
            let [a, b, c, d] = [row[8], row[9], row[10], row[11]];
            [base_three(&row[..6]), base_three(&[row[12], row[13], a, b, c, d])]
        })
    }
}
