//! Makes a refusal of memory an error with an exit code, not an abort.
//!
//! Tables are allocated by functions that return an error if the system refuses the memory. For everything else
//! (vectors, maps, text) the standard library would abort the process by a signal. So the programs wrap the system's
//! allocator: if the system refuses memory, the wrapper reports an error and ends the program with exit code 1.
//! Checkpoints and tables are published whole, so none is left half written.

use crate::exit::Exit;
use crate::stderr;
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, Ordering};

#[global_allocator]
static ALLOCATOR: Telling = Telling;

struct Telling;

// SAFETY: every method calls the system's allocator with the same arguments, whose validity the caller guarantees. It
// returns the result unchanged unless that is null; then it does not return.
unsafe impl GlobalAlloc for Telling {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract of `GlobalAlloc`, which is that of `System`.
        checked(unsafe { System.alloc(layout) }, layout.size())
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract of `GlobalAlloc`, which is that of `System`.
        checked(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    #[inline]
    unsafe fn realloc(&self, ptr: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller keeps the contract of `GlobalAlloc`, which is that of `System`.
        checked(unsafe { System.realloc(ptr, layout, size) }, size)
    }

    #[inline]
    unsafe fn dealloc(&self, ptr: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the contract of `GlobalAlloc`, which is that of `System`.
        unsafe { System.dealloc(ptr, layout) }
    }
}

#[inline]
fn checked(ptr: *mut u8, bytes: usize) -> *mut u8 {
    if ptr.is_null() {
        refused(bytes)
    }
    ptr
}

/// Ends the program. If writing the message also fails to allocate memory, no second message is attempted.
#[cold]
fn refused(bytes: usize) -> ! {
    static TOLD: AtomicBool = AtomicBool::new(false);
    if !TOLD.swap(true, Ordering::Relaxed) {
        stderr::plain(format_args!(
            "error: not enough memory: the system refused {bytes} bytes\n\
             remedy: raise the limit on memory (ulimit -v, a container's), or choose a smaller table or search\n"
        ));
    }
    let (code, _) = Exit::Error.code_and_word();
    std::process::exit(code.into())
}
