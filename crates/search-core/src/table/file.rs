//! One table file: write and publish, open, load, verify.
//!
//! Publication: the table is written to a temporary file in the target's directory, synced, read
//! back and verified, and renamed over the target; then the directory is synced. So a reader finds
//! the old state or the complete table, even after a power failure, and whatever goes wrong before
//! the rename leaves nothing under the table's name.
//!
//! Loading reads the body straight into memory, several blocks at once, and compares each block with
//! its checksum while it is in the cache: no answer comes from bytes that were not verified since they
//! were read. [`verify`] does the same without keeping the body.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::Path;

use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_64;

use crate::memory::Memory;
use crate::meter::Meter;
use crate::pdb::Packed;
use crate::progress::Cancelled;
use crate::run::Run;
use crate::table::error::{FileError, FormatError};
use crate::table::format::{self, BLOCK, FIXED, Header, Spec};

/// A table in memory.
#[derive(Debug)]
pub struct Table {
    /// What it is.
    pub header: Header,
    /// Its body.
    pub body: Memory,
}

impl Table {
    /// The table as entries of `BITS` bits.
    ///
    /// # Panics
    /// If the table has entries of another width.
    pub fn into_packed<const BITS: u32>(self) -> Packed<BITS, Memory> {
        let spec = &self.header.spec;
        assert_eq!(u32::from(spec.bits), BITS, "the table's entries have another width");
        let entries = usize::try_from(spec.entries).expect("a body in memory has addressable entries");
        Packed::new(self.body, entries).expect("the body's length was checked against the header")
    }
}

/// The header for `body`, with the checksum of each block, computed in parallel.
///
/// # Panics
/// If the body's length is not what `spec` announces.
pub fn describe(spec: &Spec, depth: u32, generator: &str, body: &[u8], run: &Run<'_>) -> Header {
    assert_eq!(body.len() as u64, spec.body_len(), "the body has the length that its entries need");
    let checksums = run.install(|| body.par_chunks(BLOCK as usize).map(xxh3_64).collect());
    Header { spec: spec.clone(), depth, generator: generator.to_owned(), block: BLOCK, checksums }
}

/// Writes header and body to `out`, and stops soon when cancelled.
///
/// # Errors
/// [`FileError::NoSpace`] when the disk is full; [`FileError::Io`]; [`FileError::Cancelled`].
pub fn write_to(mut out: impl Write, header: &Header, body: &[u8], run: &Run<'_>) -> Result<(), FileError> {
    let needed = header.header_len() + header.body_len();
    let on_full = |error| no_space_or_io(error, needed);
    out.write_all(&header.to_bytes()).map_err(on_full)?;
    let meter = Meter::begin(run.progress(), "writing", header.body_len());
    let written = body.chunks(BLOCK as usize).try_for_each(|block| {
        run.check()?;
        meter.add(block.len() as u64);
        out.write_all(block).map_err(on_full)
    });
    run.progress().end();
    written?;
    out.flush().map_err(on_full)
}

/// "Disk full" in its several forms is an error of its own.
fn no_space_or_io(error: io::Error, needed: u64) -> FileError {
    use io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
    match error.kind() {
        StorageFull | QuotaExceeded | FileTooLarge => FileError::NoSpace { needed, available: None },
        _ => FileError::Io(error),
    }
}

/// Publishes header and body as `target`, by way of the file `temporary` in the same directory,
/// which is overwritten if it exists, and gone afterwards, whatever happens.
///
/// # Errors
/// [`FileError`]; then `target` is as it was before.
pub fn publish(
    target: &Path,
    temporary: &Path,
    header: &Header,
    body: &[u8],
    run: &Run<'_>,
) -> Result<(), FileError> {
    publish_by(target, temporary, |file| {
        write_to(&mut *file, header, body, run)?;
        file.sync_all().map_err(|error| no_space_or_io(error, header.header_len() + header.body_len()))?;
        let written = verify(temporary, run)?;
        debug_assert_eq!(&written, header);
        Ok(())
    })
}

fn publish_by(
    target: &Path,
    temporary: &Path,
    write: impl FnOnce(&mut File) -> Result<(), FileError>,
) -> Result<(), FileError> {
    let result = File::create(temporary)
        .map_err(FileError::Io)
        .and_then(|mut file| write(&mut file))
        .and_then(|()| Ok(fs::rename(temporary, target)?));
    if result.is_err() {
        let _ = fs::remove_file(temporary);
        return result;
    }
    sync_directory(target)
}

/// Makes the rename itself last through a power failure.
#[cfg(unix)]
fn sync_directory(target: &Path) -> Result<(), FileError> {
    let directory = target.parent().filter(|path| !path.as_os_str().is_empty()).unwrap_or(Path::new("."));
    Ok(File::open(directory)?.sync_all()?)
}

#[cfg(not(unix))]
fn sync_directory(_: &Path) -> Result<(), FileError> {
    Ok(())
}

/// Opens a table file: its structure and its header's checksum are checked, its body is not read.
///
/// # Errors
/// [`FileError::Format`], [`FileError::Io`].
pub fn open(path: &Path) -> Result<(File, Header), FileError> {
    let mut file = File::open(path)?;
    let file_len = file.metadata()?.len();
    let mut bytes = Vec::with_capacity(FIXED);
    (&mut file).take(FIXED as u64).read_to_end(&mut bytes)?;
    let header_len = format::header_len(&bytes, file_len)?;
    (&mut file).take(header_len - FIXED as u64).read_to_end(&mut bytes)?;
    let header = format::parse(&bytes, file_len)?;
    Ok((file, header))
}

/// Opens the table that `spec` describes, loads its body into memory and verifies every block.
///
/// # Errors
/// [`FileError`]; [`FormatError::Mismatch`] when the file is another table; [`FormatError::Block`]
/// names the first damaged block.
pub fn load(path: &Path, spec: &Spec, run: &Run<'_>) -> Result<Table, FileError> {
    let (file, header) = open(path)?;
    spec.check(&header.spec)?;
    let bytes = usize::try_from(header.body_len()).unwrap_or(usize::MAX);
    let mut body = Memory::zeroed(bytes)?;
    let meter = Meter::begin(run.progress(), "loading", header.body_len());
    let read = |(index, block): (usize, &mut [u8])| {
        run.check()?;
        read_block(&file, &header, index, block)?;
        meter.add(block.len() as u64);
        Ok(())
    };
    let blocks = body.par_chunks_mut(header.block as usize).enumerate();
    let result = run.install(|| blocks.try_for_each(read));
    run.progress().end();
    match result {
        Ok(()) => Ok(Table { header, body }),
        Err(FileError::Format(_)) => Err(first_damage(&file, &header, run)),
        Err(other) => Err(other),
    }
}

/// Hashes every block of the body and compares it with its checksum.
///
/// # Errors
/// [`FileError`]; [`FormatError::Block`] names the first damaged block.
pub fn verify(path: &Path, run: &Run<'_>) -> Result<Header, FileError> {
    let (file, header) = open(path)?;
    let meter = Meter::begin(run.progress(), "verifying", header.body_len());
    let check = |buffer: &mut Vec<u8>, index| {
        run.check()?;
        read_block(&file, &header, index, sized(buffer, &header, index))?;
        meter.add(buffer.len() as u64);
        Ok(())
    };
    let blocks = (0..header.checksums.len()).into_par_iter().map_init(Vec::new, check);
    let result = run.install(|| blocks.try_reduce_with(|(), ()| Ok(())));
    run.progress().end();
    match result {
        Some(Err(FileError::Format(_))) => Err(first_damage(&file, &header, run)),
        Some(Err(other)) => Err(other),
        Some(Ok(())) | None => Ok(header),
    }
}

/// Of several damaged blocks the first, whichever thread found one.
fn first_damage(file: &File, header: &Header, run: &Run<'_>) -> FileError {
    let mut buffer = Vec::new();
    let blocks = 0..header.checksums.len();
    let found = blocks.map(|index| {
        run.check()?;
        read_block(file, header, index, sized(&mut buffer, header, index))
    });
    found.filter_map(Result::err).next().unwrap_or(FileError::Cancelled(Cancelled))
}

/// `buffer` with the length of a block.
fn sized<'b>(buffer: &'b mut Vec<u8>, header: &Header, block: usize) -> &'b mut [u8] {
    let start = block as u64 * u64::from(header.block);
    let len = (header.body_len() - start).min(u64::from(header.block));
    buffer.resize(len as usize, 0);
    buffer
}

/// Reads a block into `buffer`, which has its length, and compares it with its checksum.
fn read_block(file: &File, header: &Header, block: usize, buffer: &mut [u8]) -> Result<(), FileError> {
    let offset = header.header_len() + block as u64 * u64::from(header.block);
    read_at(file, buffer, offset)?;
    let (expected, got) = (header.checksums[block], xxh3_64(buffer));
    if expected == got {
        return Ok(());
    }
    let blocks = header.checksums.len();
    Err(FormatError::Block { block, blocks, offset, expected, got }.into())
}

/// Reads exactly `buffer.len()` bytes from `offset` on, without a position that threads would
/// share.
#[cfg(unix)]
fn read_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, buffer, offset)
}

#[cfg(windows)]
fn read_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<()> {
    let mut done = 0;
    while done < buffer.len() {
        match std::os::windows::fs::FileExt::seek_read(file, &mut buffer[done..], offset + done as u64)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            read => done += read,
        }
    }
    Ok(())
}

#[cfg(test)]
#[path = "file_tests.rs"]
mod tests;
