//! The functions that JavaScript calls, and the JavaScript functions that are called from here.
//!
//! A call: `input(len)` returns the address of memory for a request, `call(number)` answers it and returns the length
//! of the answer, which is at `output()`; reports carry the call's number, whichever thread makes them. The host's
//! functions get addresses and lengths in the same memory. There is no generated glue: both sides are here and in
//! `npm/src/wasm.ts`, a screen each.
//!
//! With atomics, the memory is shared: `pool(count)` makes the threads, `room(size)` gives each its stack and its
//! thread-local storage, and `work()` is what each of the workers calls that the page starts for them.

use crate::answer;
use crate::host::{Event, Host};
use std::cell::RefCell;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

// The functions that JavaScript provides. Names are UTF-8; a result of -1 or `false` is a failure.
#[link(wasm_import_module = "host")]
// SAFETY: these are the functions of `npm/src/wasm.ts`, with these types. They do not call back into this
// module. Those with pointers are unsafe to call: each address must be that of as many bytes as the length after it
// says, to read, or to write in `host_read`'s `buffer`.
unsafe extern "C" {
    fn host_report(call: u32, text: *const u8, len: usize);
    safe fn host_now() -> f64;
    fn host_kept(name: *const u8, len: usize) -> f64;
    fn host_keep(
        name: *const u8,
        name_len: usize,
        header: *const u8,
        header_len: usize,
        body: *const u8,
        body_len: usize,
    ) -> bool;
    fn host_remove(name: *const u8, len: usize);
    fn host_read(name: *const u8, name_len: usize, buffer: *mut u8, len: usize, offset: f64) -> bool;
}

/// The page.
#[derive(Debug)]
struct Page;

impl Host for Page {
    fn report(&self, event: &Event) {
        let text = serde_json::to_string(event).unwrap_or_default();
        // SAFETY: the address and the length are those of a string that lives until the call returns.
        unsafe { host_report(CALL.load(Ordering::Relaxed), text.as_ptr(), text.len()) };
    }

    fn now(&self) -> Duration {
        now()
    }

    fn threads(&self) -> usize {
        #[cfg(target_feature = "atomics")]
        return crate::threads::count();
        #[cfg(not(target_feature = "atomics"))]
        1
    }

    fn kept(&self, name: &str) -> Option<u64> {
        // SAFETY: the address and the length are those of a string that lives until the call returns.
        let bytes = unsafe { host_kept(name.as_ptr(), name.len()) };
        (bytes >= 0.0).then_some(bytes as u64)
    }

    fn read(&self, name: &str, buffer: &mut [u8], offset: u64) -> bool {
        // SAFETY: the name lives until the call returns; the buffer too, has this length, and is ours alone.
        unsafe { host_read(name.as_ptr(), name.len(), buffer.as_mut_ptr(), buffer.len(), offset as f64) }
    }

    fn keep(&self, name: &str, header: &[u8], body: &[u8]) -> bool {
        // SAFETY: each address and length are those of a slice that lives until the call returns.
        unsafe {
            host_keep(name.as_ptr(), name.len(), header.as_ptr(), header.len(), body.as_ptr(), body.len())
        }
    }

    fn remove(&self, name: &str) {
        // SAFETY: the address and the length are those of a string that lives until the call returns.
        unsafe { host_remove(name.as_ptr(), name.len()) };
    }
}

fn now() -> Duration {
    Duration::from_secs_f64(host_now().max(0.0) / 1e3)
}

/// The number of the last call.
static CALL: AtomicU32 = AtomicU32::new(0);

thread_local! {
    static INPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static OUTPUT: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Prepares for calls.
// SAFETY: no other symbol has this name.
#[unsafe(no_mangle)]
pub extern "C" fn start() {
    search_core::clock::set(now);
    // SAFETY: the searches of this program give `prefetch` addresses of tables alone: those of the heuristics of cubes,
    // tiles and permutation puzzles, and of automata. They hold them behind shared references while they search, and write none of them.
    unsafe { search_core::prefetch::permit_noted_reads() };
    std::panic::set_hook(Box::new(|panic| Page.report(&Event::Note { line: format!("panic: {panic}") })));
}

/// Returns the address of memory for a request of `len` bytes.
// SAFETY: no other symbol has this name.
#[unsafe(no_mangle)]
pub extern "C" fn input(len: usize) -> *mut u8 {
    INPUT.with_borrow_mut(|input| {
        input.clear();
        input.resize(len, 0);
        input.as_mut_ptr()
    })
}

/// Answers the request. Returns the length of the answer.
// SAFETY: no other symbol has this name.
#[unsafe(no_mangle)]
pub extern "C" fn call(number: u32) -> usize {
    CALL.store(number, Ordering::Relaxed);
    let request = INPUT.with_borrow(|input| String::from_utf8_lossy(input).into_owned());
    let answered = answer(&request, &Page);
    OUTPUT.with_borrow_mut(|output| {
        *output = answered;
        output.len()
    })
}

/// The address of the answer.
// SAFETY: no other symbol has this name.
#[unsafe(no_mangle)]
pub extern "C" fn output() -> *const u8 {
    OUTPUT.with_borrow(|output| output.as_ptr())
}

/// Creates `count` threads, including the calling one. Returns their number.
#[cfg(target_feature = "atomics")]
// SAFETY: no other symbol has this name.
#[unsafe(no_mangle)]
pub extern "C" fn pool(count: usize) -> usize {
    crate::threads::begin(count)
}

/// Allocates `size` bytes for a thread. They are never freed.
#[cfg(target_feature = "atomics")]
// SAFETY: no other symbol has this name.
#[unsafe(no_mangle)]
pub extern "C" fn room(size: usize) -> *mut u8 {
    vec![0; size].leak().as_mut_ptr()
}

/// Works as one of the threads, until its worker is ended. The instance of the module has a stack and thread-local
/// storage of its own by then.
#[cfg(target_feature = "atomics")]
// SAFETY: no other symbol has this name.
#[unsafe(no_mangle)]
pub extern "C" fn work() {
    crate::threads::work();
}
