//! A disk that fails, for tests.
//!
//! The idea: every file operation of [`file`](super::file) asks here first. A test names a directory of
//! its own and the number of the call to spoil. That call fails, after it wrote half of its bytes if it
//! writes; or the machine crashes there: all later calls fail too, and of what was not synced a seeded choice
//! is lost:
//!
//! - of each 512 bytes that were written; they read as zeros afterwards;
//! - of the creations, renamings and removals of files since their directory was synced, the last so many, as
//!   on a file system with a journal. A file that was synced itself exists.
//!
//! Not modelled: a lost creation of a directory; a lost change of a file's length.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

static DISKS: Mutex<Vec<State>> = Mutex::new(Vec::new());

/// A file operation that is about to be done.
pub(super) enum Call<'a> {
    Create(&'a Path),
    Write(&'a File, &'a [u8], u64),
    Sync(&'a File),
    Rename(&'a Path, &'a Path),
    Remove(&'a Path),
    SyncDirectory(&'a Path),
    Other,
}

/// How a call is spoilt.
#[derive(Clone, Copy, Debug)]
pub enum Fault {
    /// It fails with this error of the system.
    Error(i32),
    /// The machine crashes at it; the seed chooses what is lost.
    Crash(u64),
    /// Bits of what it reads are flipped; the number is that of the read.
    Flip(u64),
    /// Every read and write, whatever its number, is interrupted or handles fewer bytes than it was asked for;
    /// the seed chooses how many.
    Short(u64),
}

/// A change of a directory that is not durable yet.
enum Change {
    Created(PathBuf),
    /// From, to, and what the file held that had this name.
    Renamed(PathBuf, PathBuf, Option<Vec<u8>>),
    Removed(PathBuf, Vec<u8>),
}

struct State {
    root: PathBuf,
    calls: usize,
    reads: usize,
    fault: Option<(usize, Fault)>,
    unsynced: Vec<(File, u64, u64)>,
    changes: Vec<Change>,
}

/// The files of one directory, until the value is dropped.
#[derive(Debug)]
pub struct Disk(PathBuf);

impl Disk {
    /// The files below `root`, which need not exist yet.
    pub fn new(root: &Path) -> Disk {
        lock().push(State {
            root: root.into(),
            calls: 0,
            reads: 0,
            fault: None,
            unsynced: Vec::new(),
            changes: Vec::new(),
        });
        Disk(root.into())
    }

    /// Spoils call (or read) `at`, counted from now on; returns the calls and reads since the last time.
    ///
    /// # Panics
    /// If a value of the same directory was dropped.
    pub fn arm(&self, fault: Option<(usize, Fault)>) -> (usize, usize) {
        let mut disks = lock();
        let state = disks.iter_mut().find(|state| state.root == self.0).expect("it is not dropped");
        state.fault = fault;
        // Earlier operations are not lost.
        (state.unsynced, state.changes) = (Vec::new(), Vec::new());
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
            Err(io::Error::from_raw_os_error(code))
        }
        Some((at, Fault::Crash(seed))) if at <= number => {
            if at == number {
                state.note(call)?;
                perform(call)?;
            }
            state.lose(seed)?;
            Err(io::Error::from_raw_os_error(5))
        }
        _ => state.note(call),
    }
}

/// Does what a call is about to do where the machine crashes just after.
fn perform(call: &Call<'_>) -> io::Result<()> {
    match call {
        Call::Write(file, bytes, offset) => file.write_all_at(bytes, *offset),
        Call::Create(path) if !path.exists() => File::create(path).map(drop),
        Call::Rename(from, to) => fs::rename(from, to),
        Call::Remove(path) if path.exists() => fs::remove_file(path),
        _ => Ok(()),
    }
}

impl State {
    /// Notes what is not durable after a call.
    fn note(&mut self, call: &Call<'_>) -> io::Result<()> {
        match call {
            Call::Create(path) if !path.exists() => self.changes.push(Change::Created(path.into())),
            Call::Write(file, bytes, offset) => {
                self.unsynced.push((file.try_clone()?, *offset, bytes.len() as u64));
            }
            Call::Sync(file) => {
                let synced = file.metadata()?.ino();
                self.unsynced.retain(|(file, ..)| file.metadata().is_ok_and(|data| data.ino() != synced));
                let is_it = |path: &Path| fs::metadata(path).is_ok_and(|data| data.ino() == synced);
                self.changes.retain(|change| !matches!(change, Change::Created(path) if is_it(path)));
            }
            Call::Rename(from, to) => {
                let old = to.exists().then(|| fs::read(to)).transpose()?;
                self.changes.push(Change::Renamed(from.into(), to.into(), old));
            }
            Call::Remove(path) if path.exists() => {
                self.changes.push(Change::Removed(path.into(), fs::read(path)?));
            }
            Call::SyncDirectory(path) => self.changes.retain(|change| change.directory() != Some(path)),
            _ => {}
        }
        Ok(())
    }

    /// Loses some of what was not synced.
    fn lose(&mut self, mut seed: u64) -> io::Result<()> {
        for (file, offset, bytes) in self.unsynced.drain(..) {
            for start in (offset..offset + bytes).step_by(512) {
                if random(&mut seed).is_multiple_of(2) {
                    let length = 512.min(offset + bytes - start);
                    file.write_all_at(&vec![0; length as usize], start)?;
                }
            }
        }
        let kept = random(&mut seed) as usize % (self.changes.len() + 1);
        self.changes.drain(kept..).rev().try_for_each(Change::undo)?;
        self.changes.clear();
        Ok(())
    }
}

impl Change {
    fn directory(&self) -> Option<&Path> {
        match self {
            Change::Created(path) | Change::Renamed(_, path, _) | Change::Removed(path, _) => path.parent(),
        }
    }

    fn undo(self) -> io::Result<()> {
        match self {
            Change::Created(path) => fs::remove_file(path),
            Change::Renamed(from, to, old) => {
                fs::rename(&to, from)?;
                old.map_or(Ok(()), |old| fs::write(to, old))
            }
            Change::Removed(path, old) => fs::write(path, old),
        }
    }
}

/// Numbers that follow from a seed.
fn random(seed: &mut u64) -> u64 {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    *seed >> 33
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

/// The number of bytes, at least one and at most `wanted`, that the system reads or writes at once.
pub(super) fn at_once(path: &Path, wanted: usize) -> io::Result<usize> {
    let mut disks = lock();
    match disks.iter_mut().find(|state| path.starts_with(&state.root)).and_then(|state| state.fault.as_mut())
    {
        Some((_, Fault::Short(seed))) => match random(seed) as usize {
            number if number.is_multiple_of(5) => Err(io::ErrorKind::Interrupted.into()),
            number => Ok(1 + number % wanted),
        },
        _ => Ok(wanted),
    }
}

/// Whether what is written to a file must survive a crash of this machine, and not only a simulated one.
pub(super) fn is_real(path: &Path) -> bool {
    !lock().iter().any(|state| path.starts_with(&state.root))
}
