//! Fetches memory before it is read, so that many reads are in flight at a time.
//!
//! WebAssembly has no instruction for it. There an address is only noted, and a search that has collected those of
//! many nodes calls [`fetch_noted`]: a short loop reads them all, so that the processor waits for them together,
//! instead of for one after the other between the computations of each node.

/// Asks the processor to fetch the line of `address`. Any address is allowed; one where nothing
/// lies is harmless and useless. On WebAssembly, [`fetch_noted`] fetches it. Nothing happens on processors other than
/// x86-64 and aarch64.
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
    #[cfg(target_arch = "wasm32")]
    noted::add(address);
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "wasm32")))]
    let _ = address;
}

/// Fetches what this thread has asked for since the last call, where the processor has no instruction to do it at once.
#[inline(always)]
pub fn fetch_noted() {
    #[cfg(target_arch = "wasm32")]
    noted::fetch();
}

/// Forgets what this thread has asked for. A search begins with this, because the memory that an earlier one asked for
/// may have been freed.
pub fn forget_noted() {
    #[cfg(target_arch = "wasm32")]
    noted::forget();
}

/// The addresses that a thread has asked for.
#[cfg(target_arch = "wasm32")]
mod noted {
    use core::arch::wasm32::memory_size;
    use std::cell::Cell;
    use std::hint::black_box;

    /// More than a round of the half-turn cosets asks for. Beyond that, new addresses take the places of the first.
    const ROOM: usize = 512;
    /// Bytes of a page of memory.
    const PAGE: u64 = 1 << 16;

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

    #[inline(always)]
    pub fn fetch() {
        NOTED.with(
            #[inline(always)]
            |noted| {
                let count = noted.count.replace(0).min(ROOM);
                let end = memory_size(0) as u64 * PAGE;
                let mut all = 0;
                for address in noted.addresses[..count].iter().map(Cell::get) {
                    if (address as u64) < end {
                        // SAFETY: the byte lies within memory, which never shrinks. The search that asked for it is
                        // still there, and only reads what it asks for.
                        all ^= unsafe { address.read_volatile() };
                    }
                }
                black_box(all);
            },
        );
    }

    pub fn forget() {
        NOTED.with(|noted| noted.count.set(0));
    }
}
