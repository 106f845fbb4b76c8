//! Conversions between integers that never fail for the values they are given.

/// A length or an index in memory, in 64 bits.
#[inline(always)]
pub(crate) fn to_u64(n: usize) -> u64 {
    u64::try_from(n).expect("no system has longer addresses")
}

/// A length or index that was checked to refer to something in memory.
#[inline(always)]
pub(crate) fn to_usize(n: u64) -> usize {
    usize::try_from(n).expect("it was checked against a length in memory")
}
