//! Fetches memory before it is read, so that many reads are in flight at a time.
//!
//! ```
//! let table = vec![0u64; 1 << 16];
//! let places = [40_000, 7, 65_535, 12_345];
//! places.iter().for_each(|&place| search_core::prefetch::prefetch(&raw const table[place] as *const u8));
//! assert_eq!(places.iter().map(|&place| table[place]).sum::<u64>(), 0); // waits once, not four times
//! ```
//!
//! WebAssembly has no prefetch instruction. There, addresses are recorded, and after each round over its subtrees a
//! search reads all of them in a short loop, so that the processor waits for them together. The memory must still
//! exist, which safe code cannot guarantee. So nothing is read unless the program has called `permit_noted_reads`,
//! which is unsafe and exists only on WebAssembly.

/// Asks the processor to fetch the line of `address`. Any address is allowed; an invalid one has no effect. On
/// WebAssembly the address is recorded. On processors other than x86-64 and aarch64 nothing happens.
#[inline(always)]
pub fn prefetch(address: *const u8) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: the instruction is part of the architecture's baseline (SSE), is a hint, and never
    // faults, whatever the address.
    unsafe {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(address.cast());
    }
    #[cfg(target_arch = "aarch64")]
    // SAFETY: the instruction is part of the architecture's baseline, is a hint, and never faults,
    // whatever the address; it changes no register and no flag.
    unsafe {
        core::arch::asm!("prfm pldl1keep, [{0}]", in(reg) address, options(nostack, preserves_flags, readonly));
    }
    #[cfg(target_family = "wasm")]
    noted::add(address);
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64", target_family = "wasm")))]
    let _ = address;
}

/// Lets searches read the addresses that were given to [`prefetch`], from now on and in the whole program.
///
/// # Safety
/// While a search runs, every address that its domain and heuristic pass to [`prefetch`] must belong to memory that
/// stays allocated and unwritten until the search ends. Tables owned by the heuristic or the automaton, without
/// interior mutability, satisfy this.
#[cfg(target_family = "wasm")]
pub unsafe fn permit_noted_reads() {
    noted::PERMITTED.store(true, std::sync::atomic::Ordering::Relaxed);
}

/// Reads the addresses that this thread has noted since the last call, on WebAssembly and if that is permitted.
#[inline(always)]
pub(crate) fn fetch_noted() {
    #[cfg(target_family = "wasm")]
    noted::fetch();
}

/// Forgets the addresses that this thread has noted. A search begins with this, because memory that an earlier one
/// used may have been freed.
pub(crate) fn forget_noted() {
    #[cfg(target_family = "wasm")]
    noted::forget();
}

/// The addresses that a thread has noted.
#[cfg(any(target_family = "wasm", test))]
mod noted {
    use std::cell::Cell;
    use std::hint::black_box;
    use std::sync::atomic::{AtomicBool, Ordering};

    /// Whether the program has promised that noted addresses can be read.
    pub static PERMITTED: AtomicBool = AtomicBool::new(false);

    /// The maximum number of recorded addresses: more than a round of the half-turn cosets needs. New addresses then
    /// replace the first ones.
    const ROOM: usize = 512;

    /// The end of the memory, which never shrinks.
    #[cfg(target_family = "wasm")]
    fn end() -> u64 {
        #[cfg(target_arch = "wasm32")]
        use core::arch::wasm32::memory_size;
        #[cfg(target_arch = "wasm64")]
        use core::arch::wasm64::memory_size;
        const BYTES_OF_PAGE: u64 = 1 << 16;
        memory_size(0) as u64 * BYTES_OF_PAGE
    }

    #[cfg(not(target_family = "wasm"))]
    fn end() -> u64 {
        u64::MAX
    }

    struct Noted {
        addresses: [Cell<*const u8>; ROOM],
        count: Cell<usize>,
    }

    thread_local! {
        static NOTED: Noted = const {
            Noted { addresses: [const { Cell::new(std::ptr::null()) }; ROOM], count: Cell::new(0) }
        };
    }

    #[inline(always)]
    pub fn add(address: *const u8) {
        NOTED.with(
            #[inline(always)]
            |noted| {
                let count = noted.count.get();
                noted.addresses[count % ROOM].set(address);
                noted.count.set(count.wrapping_add(1));
            },
        );
    }

    /// Reads the recorded addresses, if that is permitted. Returns the number of bytes read.
    #[inline(always)]
    pub fn fetch() -> usize {
        NOTED.with(
            #[inline(always)]
            |noted| {
                let count = noted.count.replace(0).min(ROOM);
                if !PERMITTED.load(Ordering::Relaxed) {
                    return 0;
                }
                let end = end();
                let mut all = 0;
                for address in noted.addresses[..count].iter().map(Cell::get) {
                    if (address as u64) < end {
                        // SAFETY: the search that noted the address has not ended, because it forgets those of
                        // others when it begins, and the caller of `permit_noted_reads` has promised that the
                        // memory stays allocated, and unwritten, until then.
                        all ^= unsafe { address.read_volatile() };
                    }
                }
                black_box(all);
                count
            },
        )
    }

    pub fn forget() {
        NOTED.with(|noted| noted.count.set(0));
    }
}

#[cfg(test)]
mod tests {
    use super::noted;

    /// Safe code may record an address and free the memory, so without the unsafe permission nothing is read.
    #[test]
    fn freed_memory_is_not_read() {
        let table = vec![1u8; 4096];
        noted::add(table.as_ptr());
        drop(table);
        assert_eq!(noted::fetch(), 0);
        noted::add(std::ptr::null());
        noted::forget();
        assert_eq!(noted::fetch(), 0);
    }
}
