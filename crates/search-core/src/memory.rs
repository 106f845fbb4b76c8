//! Memory for tables: zeroed, aligned, on huge pages where the system offers them, and fallible.
//!
//! A random read in a table of several gigabytes costs about half as much when the table lies on
//! huge pages, because the address translation of the read then hits far more often. An anonymous
//! mapping is zeroed by the system page by page on first touch, so a fresh table costs nothing
//! until it is written.

use std::ops::{Deref, DerefMut};

use memmap2::{MmapMut, MmapOptions};

/// The system refused memory for a table.
#[derive(Debug, thiserror::Error)]
#[error("not enough memory for a table of {bytes} bytes: {source}")]
pub struct MemoryError {
    /// The size that was requested.
    pub bytes: usize,
    /// The system's error.
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
    /// A buffer of `bytes` zeroed bytes, which may be 0.
    ///
    /// # Errors
    /// [`MemoryError`] when the system refuses the address space.
    pub fn zeroed(bytes: usize) -> Result<Memory, MemoryError> {
        let refused = |source| MemoryError { bytes, source };
        if isize::try_from(bytes).is_err() {
            return Err(refused(std::io::ErrorKind::OutOfMemory.into()));
        }
        let map = MmapOptions::new().len(bytes.max(1)).map_anon().map_err(refused)?;
        // Advice only: a system without huge pages is served just as well, more slowly.
        #[cfg(target_os = "linux")]
        let _ = map.advise(memmap2::Advice::HugePage);
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
    fn refusal_names_the_bytes_asked() {
        for bytes in [usize::MAX, isize::MAX as usize] {
            let error = Memory::zeroed(bytes).unwrap_err();
            assert_eq!(error.bytes, bytes);
            assert!(error.to_string().contains(&bytes.to_string()), "{error}");
        }
    }
}
