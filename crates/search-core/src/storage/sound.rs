//! The disk of the programs: nothing is made to fail.

use std::fs::File;
use std::io;
use std::path::Path;

/// A file operation that is about to be done: for a disk that fails, in tests.
#[expect(dead_code, reason = "a disk that fails reads it, in tests")]
pub(super) enum Call<'a> {
    Create(&'a Path),
    Write(&'a File, &'a [u8], u64),
    Sync(&'a File),
    Rename(&'a Path, &'a Path),
    Remove(&'a Path),
    SyncDirectory(&'a Path),
    Other,
}

/// No call fails.
#[inline(always)]
pub(super) fn check(_: &Path, _: &Call<'_>) -> io::Result<()> {
    Ok(())
}

/// Nothing that was read is changed.
#[inline(always)]
pub(super) fn spoil(_: &Path, _: &mut [u8]) {}

/// The system is asked for all bytes at once.
#[inline(always)]
pub(super) fn at_once(_: &Path, wanted: usize) -> io::Result<usize> {
    Ok(wanted)
}

/// Every file must survive a crash of the machine.
#[inline(always)]
pub(super) fn is_real(_: &Path) -> bool {
    true
}
