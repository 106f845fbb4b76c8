//! Memory for tables: zeroed, aligned, on huge pages where the system offers them, and fallible.
//!
//! A random read in a table of several gigabytes costs about half as much when the table lies on
//! huge pages, because the address translation of the read then hits far more often. An anonymous
//! mapping is zeroed by the system page by page on first touch, so a fresh table costs nothing
//! until it is written.
//!
//! ```
//! let mut table = search_core::memory::Memory::zeroed(1 << 16)?;
//! table[7] = 1;
//! assert_eq!(table.iter().map(|&byte| u32::from(byte)).sum::<u32>(), 1);
//! # Ok::<(), search_core::memory::MemoryError>(())
//! ```

use std::io;
use std::ops::{Deref, DerefMut};

#[cfg(target_family = "wasm")]
use allocated as pages;
#[cfg(not(target_family = "wasm"))]
use mapped as pages;

/// Pages that the system maps.
#[cfg(not(target_family = "wasm"))]
mod mapped {
    use memmap2::{MmapMut, MmapOptions};
    use std::io;

    #[derive(Debug)]
    pub(super) struct Pages(MmapMut);

    impl Pages {
        pub(super) fn zeroed(bytes: usize) -> io::Result<Pages> {
            let map = MmapOptions::new().len(bytes.max(1)).map_anon()?;
            // This is only advice: without huge pages the program is slower but works.
            #[cfg(target_os = "linux")]
            let _ = map.advise(memmap2::Advice::HugePage);
            Ok(Pages(map))
        }

        #[inline(always)]
        pub(super) fn bytes(&self) -> &[u8] {
            &self.0
        }

        #[inline(always)]
        pub(super) fn bytes_mut(&mut self) -> &mut [u8] {
            &mut self.0
        }
    }
}

/// Pages from the allocator, for systems that cannot map any.
#[cfg(any(test, target_family = "wasm"))]
// If the system maps pages, only tests use this.
#[cfg_attr(not(target_family = "wasm"), allow(dead_code))]
mod allocated {
    use bytemuck::allocation::try_zeroed_vec;
    use bytemuck::{Pod, Zeroable};
    use std::io;

    const SIZE: usize = 4096;

    #[derive(Clone, Copy, Zeroable, Pod)]
    #[repr(C, align(4096))]
    struct Page([u8; SIZE]);

    pub(super) struct Pages(Vec<Page>);

    impl std::fmt::Debug for Pages {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            write!(f, "{} pages", self.0.len())
        }
    }

    impl Pages {
        pub(super) fn zeroed(bytes: usize) -> io::Result<Pages> {
            let pages = try_zeroed_vec(bytes.div_ceil(SIZE).max(1));
            pages.map(Pages).map_err(|()| io::ErrorKind::OutOfMemory.into())
        }

        #[inline(always)]
        pub(super) fn bytes(&self) -> &[u8] {
            bytemuck::cast_slice(&self.0)
        }

        #[inline(always)]
        pub(super) fn bytes_mut(&mut self) -> &mut [u8] {
            bytemuck::cast_slice_mut(&mut self.0)
        }
    }
}

/// The system refused memory for a table.
#[derive(Debug, thiserror::Error)]
#[error("not enough memory for a table of {bytes} bytes: {source}")]
pub struct MemoryError {
    /// The size that was requested.
    pub bytes: usize,
    /// The system's error.
    #[source]
    pub source: io::Error,
}

/// A buffer of zeroed bytes that begins on a page (so on a cache line, and on any alignment up to
/// 4096), backed by huge pages where the system grants them.
#[derive(Debug)]
pub struct Memory {
    pages: pages::Pages,
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
            return Err(refused(io::ErrorKind::OutOfMemory.into()));
        }
        Ok(Memory { pages: pages::Pages::zeroed(bytes).map_err(refused)?, len: bytes })
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
        &self.pages.bytes()[..self.len]
    }
}

impl DerefMut for Memory {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [u8] {
        &mut self.pages.bytes_mut()[..self.len]
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
    fn allocated_pages_are_like_mapped_ones() {
        let mut pages = allocated::Pages::zeroed(5000).unwrap();
        assert!(pages.bytes().len() >= 5000 && pages.bytes().iter().all(|&byte| byte == 0));
        assert_eq!(pages.bytes().as_ptr() as usize % 4096, 0);
        pages.bytes_mut()[4999] = 7;
        assert_eq!(pages.bytes()[4999], 7);
        assert!(!allocated::Pages::zeroed(0).unwrap().bytes().is_empty());
        let error = allocated::Pages::zeroed(isize::MAX as usize).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::OutOfMemory);
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
