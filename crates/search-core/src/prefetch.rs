//! Fetches memory before it is read, so that many reads are in flight at a time.

/// Asks the processor to fetch the line of `address`. Any address is allowed; one where nothing
/// lies is harmless and useless. Nothing happens on processors other than x86-64 and aarch64.
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
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    let _ = address;
}
