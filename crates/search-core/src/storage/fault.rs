//! A disk that fails, for the tests of this crate.
//!
//! The idea: every file operation of [`file`](super::file) asks here first. A test names a directory of
//! its own and the number of the call to spoil. That call fails, after it wrote half of its bytes if it
//! writes; or the machine crashes there: all later calls fail too, and of each 512 bytes that were written
//! and not synced a seeded choice is lost, and reads as zeros afterwards.
//!
//! Not modelled: a lost creation, renaming or removal of a file.

use std::fs::File;
use std::io;
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

static DISKS: Mutex<Vec<State>> = Mutex::new(Vec::new());

/// What a file operation is about to do.
pub(super) enum Call<'a> {
    Write(&'a File, &'a [u8], u64),
    Sync(&'a File),
    Other,
}

/// How a call is spoilt.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Fault {
    /// It fails with this error of the system.
    Error(i32),
    /// The machine crashes before it; the seed chooses what is lost.
    Crash(u64),
    /// Bits of what it reads are flipped; the number is that of the read.
    Flip(u64),
}

struct State {
    root: PathBuf,
    calls: usize,
    reads: usize,
    fault: Option<(usize, Fault)>,
    unsynced: Vec<(File, u64, u64)>,
}

/// The files of one directory, until the value is dropped.
pub(crate) struct Disk(PathBuf);

impl Disk {
    pub(crate) fn new(root: &Path) -> Disk {
        let state = State { root: root.into(), calls: 0, reads: 0, fault: None, unsynced: Vec::new() };
        lock().push(state);
        Disk(root.into())
    }

    /// Spoils call (or read) `at`, counted from now on; returns the calls and reads since the last time.
    pub(crate) fn arm(&self, fault: Option<(usize, Fault)>) -> (usize, usize) {
        let mut disks = lock();
        let state = disks.iter_mut().find(|state| state.root == self.0).unwrap();
        state.fault = fault;
        (std::mem::take(&mut state.calls), std::mem::take(&mut state.reads))
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        lock().retain(|state| state.root != self.0);
    }
}

fn lock() -> MutexGuard<'static, Vec<State>> {
    DISKS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Fails if the call is to fail.
pub(super) fn check(path: &Path, call: &Call<'_>) -> io::Result<()> {
    let mut disks = lock();
    let Some(state) = disks.iter_mut().find(|state| path.starts_with(&state.root)) else { return Ok(()) };
    let number = state.calls;
    state.calls += 1;
    match state.fault {
        Some((at, Fault::Error(code))) if at == number => {
            if let Call::Write(file, bytes, offset) = call {
                file.write_all_at(&bytes[..bytes.len() / 2], *offset)?;
            }
            return Err(io::Error::from_raw_os_error(code));
        }
        Some((at, Fault::Crash(seed))) if at <= number => {
            if let (true, Call::Write(file, bytes, offset)) = (at == number, call) {
                file.write_all_at(bytes, *offset)?;
                state.unsynced.push((file.try_clone()?, *offset, bytes.len() as u64));
            }
            state.lose(seed)?;
            return Err(io::Error::from_raw_os_error(5));
        }
        _ => {}
    }
    match call {
        Call::Write(file, bytes, offset) => {
            state.unsynced.push((file.try_clone()?, *offset, bytes.len() as u64))
        }
        Call::Sync(file) => {
            let synced = file.metadata()?.ino();
            state.unsynced.retain(|(file, ..)| file.metadata().is_ok_and(|data| data.ino() != synced));
        }
        Call::Other => {}
    }
    Ok(())
}

impl State {
    /// Loses some of what was not synced.
    fn lose(&mut self, mut seed: u64) -> io::Result<()> {
        for (file, offset, bytes) in self.unsynced.drain(..) {
            for start in (offset..offset + bytes).step_by(512) {
                seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                if seed >> 63 == 1 {
                    file.write_all_at(&vec![0; 512.min(offset + bytes - start) as usize], start)?;
                }
            }
        }
        Ok(())
    }
}

/// Flips a bit of what was read, if that is wanted.
pub(super) fn spoil(path: &Path, bytes: &mut [u8]) {
    let mut disks = lock();
    let Some(state) = disks.iter_mut().find(|state| path.starts_with(&state.root)) else { return };
    let number = state.reads;
    state.reads += 1;
    if let Some((at, Fault::Flip(seed))) = state.fault
        && at == number
        && !bytes.is_empty()
    {
        let bit = (seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 8) as usize % (bytes.len() * 8);
        bytes[bit / 8] ^= 1 << (bit % 8);
    }
}
