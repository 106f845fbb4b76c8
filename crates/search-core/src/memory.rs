//! Memory for tables: zeroed, aligned, on huge pages where the system offers them, and fallible.
//!
//! A random read in a table of several gigabytes costs about half as much when the table lies on
//! huge pages, because the address translation of the read then hits far more often. An anonymous
//! mapping is zeroed by the system page by page on first touch, so a fresh table costs nothing
//! until it is written.

use crate::prefetch::prefetch;
use std::ops::{Deref, DerefMut};
use std::time::Instant;

use memmap2::{MmapMut, MmapOptions};

/// The system refused memory for a table.
#[derive(Debug, thiserror::Error)]
#[error("not enough memory for a table of {bytes} bytes: {source}")]
pub struct MemoryError {
    /// The bytes asked for.
    pub bytes: usize,
    /// What the system said.
    #[source]
    pub source: std::io::Error,
}

/// A buffer of zeroed bytes that begins on a page (so on a cache line, and on any alignment up to
/// 4096), backed by huge pages where the system grants them.
#[derive(Debug)]
pub struct Memory {
    map: MmapMut,
    len: usize,
}

impl Memory {
    /// `bytes` zeroed bytes; none is allowed.
    ///
    /// # Errors
    /// [`MemoryError`] when the system refuses the address space.
    pub fn zeroed(bytes: usize) -> Result<Memory, MemoryError> {
        let refused = |source| MemoryError { bytes, source };
        if isize::try_from(bytes).is_err() {
            return Err(refused(std::io::ErrorKind::OutOfMemory.into()));
        }
        let map = MmapOptions::new().len(bytes.max(1)).map_anon().map_err(refused)?;
        ask_for_huge_pages(&map);
        Ok(Memory { map, len: bytes })
    }

    /// A copy of `bytes`.
    ///
    /// # Errors
    /// [`MemoryError`] when the system refuses the address space.
    pub fn copy_of(bytes: &[u8]) -> Result<Memory, MemoryError> {
        let mut memory = Memory::zeroed(bytes.len())?;
        memory.copy_from_slice(bytes);
        Ok(memory)
    }
}

/// Advice only: a system without huge pages is served just as well, more slowly.
#[cfg(target_os = "linux")]
fn ask_for_huge_pages(map: &MmapMut) {
    let _ = map.advise(memmap2::Advice::HugePage);
}

#[cfg(not(target_os = "linux"))]
fn ask_for_huge_pages(_: &MmapMut) {}

impl Deref for Memory {
    type Target = [u8];
    #[inline(always)]
    fn deref(&self) -> &[u8] {
        &self.map[..self.len]
    }
}

impl DerefMut for Memory {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [u8] {
        &mut self.map[..self.len]
    }
}

impl AsRef<[u8]> for Memory {
    #[inline(always)]
    fn as_ref(&self) -> &[u8] {
        self
    }
}

/// Reads that each thread does in [`random_read_seconds`].
pub const RANDOM_READS: usize = 1 << 22;

/// Seconds that one random read of a line takes when each of `threads` threads keeps 64 in flight
/// and does nothing else: what the machine can give a search whose table has this size.
///
/// The bytes must have been written, or the system has not given them places of their own.
///
/// # Panics
/// If there are no bytes or no threads.
pub fn random_read_seconds(bytes: &[u8], threads: usize) -> f64 {
    const IN_FLIGHT: usize = 64;
    let read = |thread: u64| {
        let mut places = [0; IN_FLIGHT];
        let (mut x, mut sum) = (0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(2 * thread + 1), 0u64);
        for i in 0..RANDOM_READS {
            // A shifted xor (Marsaglia 2003): three cheap steps to the next place.
            x ^= x << 13;
            x ^= x >> 7;
            x ^= x << 17;
            let place = (u128::from(x) * bytes.len() as u128 >> 64) as usize;
            prefetch(&raw const bytes[place]);
            let due = std::mem::replace(&mut places[i % IN_FLIGHT], place);
            sum = sum.wrapping_add(bytes[due].into());
        }
        sum
    };
    let begun = Instant::now();
    std::thread::scope(|scope| {
        for thread in 0..threads as u64 {
            scope.spawn(move || std::hint::black_box(read(thread)));
        }
    });
    begun.elapsed().as_secs_f64() / (RANDOM_READS * threads) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_zeroed_aligned_and_writable() {
        let mut memory = Memory::zeroed(5000).unwrap();
        assert_eq!(memory.len(), 5000);
        assert_eq!(memory.as_ptr() as usize % 4096, 0);
        assert!(memory.iter().all(|&byte| byte == 0));
        memory[4999] = 7;
        assert_eq!(memory.as_ref()[4999], 7);
        assert!(Memory::zeroed(0).unwrap().is_empty());
        assert_eq!(&*Memory::copy_of(&[1, 2, 3]).unwrap(), &[1, 2, 3]);
    }

    #[test]
    fn reads_take_time() {
        let memory = Memory::copy_of(&[1; 5000]).unwrap();
        let seconds = random_read_seconds(&memory, 2);
        assert!(seconds.is_finite() && seconds > 0.0, "{seconds}");
    }

    #[test]
    fn refusal_names_the_bytes_asked() {
        for bytes in [usize::MAX, isize::MAX as usize] {
            let error = Memory::zeroed(bytes).unwrap_err();
            assert_eq!(error.bytes, bytes);
            assert!(error.to_string().contains(&bytes.to_string()), "{error}");
        }
    }
}
