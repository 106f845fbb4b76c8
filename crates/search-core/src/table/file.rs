//! One table file: write and publish, open, load, verify.
//!
//! A table is [published](storage::publish_for()) after it was read back and verified.
//!
//! Loading reads the body straight into memory, several blocks at once, and compares each block with
//! its checksum while it is in the cache: no answer comes from bytes that were not verified since they
//! were read. [`verify`] does the same without keeping the body.

use std::convert::Infallible;
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::xxh3_64;

use crate::automaton::Automaton;
use crate::cast::{to_u64, to_usize};
use crate::memory::Memory;
use crate::meter::Meter;
use crate::pdb::Packed;
use crate::record::TableUse;
use crate::run::{Run, Spare};
use crate::storage::{self, Access, DataFile, Source, available_space};
use crate::table::error::{FileError, FormatError, TableError};
use crate::table::format::{self, BLOCK, Encoding, FIXED, Header, Spec};

/// A table in memory.
#[derive(Debug)]
pub struct Table {
    /// Its file.
    pub path: PathBuf,
    /// Its header.
    pub header: Header,
    /// Its body.
    pub body: Memory,
}

impl Table {
    /// Its name in a store: that of its file, without the ending.
    pub fn name(&self) -> &str {
        self.path.file_stem().and_then(|name| name.to_str()).unwrap_or_default()
    }

    /// The table as run records name it.
    pub fn used(&self) -> TableUse {
        TableUse { name: self.name().to_owned(), checksum: self.header.checksum() }
    }

    /// The table as entries of `BITS` bits.
    ///
    /// # Panics
    /// If the table has entries of another width.
    pub fn into_packed<const BITS: u32>(self) -> Packed<BITS, Memory> {
        let spec = &self.header.spec;
        assert_eq!(u32::from(spec.bits), BITS, "the table's entries have another width");
        Packed::new(self.body, spec.entries).expect("the body's length was checked against the header")
    }

    /// The table as an automaton of `ops` operators.
    ///
    /// # Errors
    /// [`FormatError::Automaton`] if the entries are not those of an automaton.
    ///
    /// # Panics
    /// If the table is not one of [words](format::Encoding::Words).
    pub fn to_automaton(&self, ops: usize) -> Result<Automaton, TableError> {
        assert_eq!(self.header.spec.encoding, Encoding::Words, "the table's entries are no words");
        let (words, _) = self.body.as_chunks::<4>();
        let automaton =
            Automaton::from_table(ops, words.iter().map(|word| u32::from_le_bytes(*word)).collect());
        automaton.map_err(|error| FileError::from(FormatError::from(error)).of(self.name(), &self.path))
    }
}

/// The header for `body`, with the checksum of each block, computed in parallel. A number of entries
/// that is [unknown](Spec::UNKNOWN) follows from the body's length.
///
/// # Panics
/// If the body's length is not what `spec` announces.
pub fn describe(spec: &Spec, depth: u32, generator: &str, body: &[u8], run: &Run<'_>) -> Header {
    describe_parts(spec, depth, generator, &[body], run)
}

/// The header for a body in several parts, as [`describe`] makes it.
pub(super) fn describe_parts(
    spec: &Spec,
    depth: u32,
    generator: &str,
    parts: &[&[u8]],
    run: &Run<'_>,
) -> Header {
    let mut spec = spec.clone();
    let bytes: u64 = parts.iter().map(|part| to_u64(part.len())).sum();
    if spec.entries == Spec::UNKNOWN {
        spec.entries = bytes * 8 / u64::from(spec.bits);
    }
    assert_eq!(bytes, spec.body_len(), "the body has the length that its entries need");
    let mut checksums = vec![0; to_usize(bytes.div_ceil(u64::from(BLOCK)))];
    let spare: Spare<Vec<u8>> = Spare::default();
    let Ok(()) = run.try_for_each_item(&mut checksums, &|block, checksum: &mut u64| {
        let mut buffer = spare.take().unwrap_or_default();
        *checksum = xxh3_64(block_of(parts, block, &mut buffer));
        spare.leave(buffer);
        Ok::<(), Infallible>(())
    });
    Header { spec, depth, generator: generator.to_owned(), block: BLOCK, checksums }
}

/// A block of a body in several parts: put together in `buffer` if it spans several.
fn block_of<'a>(parts: &[&'a [u8]], block: usize, buffer: &'a mut Vec<u8>) -> &'a [u8] {
    let (mut start, mut left) = (block * BLOCK as usize, BLOCK as usize);
    buffer.clear();
    for part in parts {
        if start >= part.len() {
            start -= part.len();
            continue;
        }
        let taken = &part[start..part.len().min(start + left)];
        if taken.len() == left && buffer.is_empty() {
            return taken;
        }
        buffer.extend_from_slice(taken);
        (start, left) = (0, left - taken.len());
        if left == 0 {
            break;
        }
    }
    buffer
}

/// Publishes header and body as `target`, by way of the file `temporary` in the same directory,
/// which is overwritten if it exists, and gone afterwards, whatever happens. Stops soon when
/// cancelled.
///
/// # Errors
/// [`FileError`]; then `target` is as it was before. [`FileError::NoSpace`] when the disk is full.
pub fn publish(
    target: &Path,
    temporary: &Path,
    header: &Header,
    body: &[u8],
    run: &Run<'_>,
) -> Result<(), FileError> {
    publish_parts(target, temporary, header, &[body], run)
}

/// Publishes a body in several parts, as [`publish`] does.
pub(super) fn publish_parts(
    target: &Path,
    temporary: &Path,
    header: &Header,
    parts: &[&[u8]],
    run: &Run<'_>,
) -> Result<(), FileError> {
    let published = storage::publish_for(Access::ReadByAll, target, temporary, |file| {
        write(file, header, parts, run)?;
        let written = verify(temporary, run)?;
        debug_assert_eq!(&written, header);
        Ok(())
    });
    let needed = header.header_len() + header.body_len();
    published.map_err(|error| match error {
        FileError::Io(error) if error.is_full() => FileError::NoSpace { needed, available: None },
        error => error,
    })
}

/// Writes header and body to an empty file.
fn write(file: &DataFile, header: &Header, parts: &[&[u8]], run: &Run<'_>) -> Result<(), FileError> {
    file.write_at(&header.to_bytes(), 0)?;
    let meter = Meter::begin_bytes(run.progress(), "writing", header.body_len());
    let (mut end, mut buffer) = (header.header_len(), Vec::new());
    let written = (0..header.checksums.len()).try_for_each(|block| {
        run.check()?;
        let block = block_of(parts, block, &mut buffer);
        file.write_at(block, end)?;
        end += to_u64(block.len());
        meter.add(to_u64(block.len()));
        Ok(())
    });
    run.progress().end();
    written
}

/// Checks that the disk has `needed` bytes for files in `directory`.
///
/// # Errors
/// [`FileError::NoSpace`], [`FileError::Io`].
pub(super) fn require_space(directory: &Path, needed: u64) -> Result<(), FileError> {
    match available_space(directory)? {
        available if available < needed => Err(FileError::NoSpace { needed, available: Some(available) }),
        _ => Ok(()),
    }
}

/// Opens a table file: its structure and its header's checksum are checked, its body is not read.
///
/// # Errors
/// [`FileError::Format`], [`FileError::Io`].
pub fn open(path: &Path) -> Result<(DataFile, Header), FileError> {
    let file = DataFile::open(path)?;
    let header = read_header(&file)?;
    Ok((file, header))
}

fn read_header(source: &impl Source) -> Result<Header, FileError> {
    let len = source.bytes()?;
    let mut bytes = vec![0; FIXED.min(usize::try_from(len).unwrap_or(FIXED))];
    source.read_at(&mut bytes, 0)?;
    bytes.resize(to_usize(format::header_len(&bytes, len)?), 0);
    source.read_at(&mut bytes[FIXED..], to_u64(FIXED))?;
    Ok(format::parse(&bytes, len)?)
}

/// Opens the table that `spec` describes, loads its body into memory and verifies every block.
///
/// # Errors
/// [`FileError`]; [`FormatError::Mismatch`] when the file is another table; [`FormatError::Block`]
/// names the first damaged block.
pub fn load(path: &Path, spec: &Spec, run: &Run<'_>) -> Result<Table, FileError> {
    load_open(&DataFile::open(path)?, spec, run)
}

/// Loads the table in an open file, as [`load`] does.
pub(super) fn load_open(file: &DataFile, spec: &Spec, run: &Run<'_>) -> Result<Table, FileError> {
    let (header, body) = read(file, spec, run)?;
    Ok(Table { path: file.path().to_owned(), header, body })
}

/// Reads the table that `spec` describes from wherever its bytes are kept, and verifies every block, as
/// [`load`] does.
///
/// # Errors
/// As [`load`].
pub fn read(source: &impl Source, spec: &Spec, run: &Run<'_>) -> Result<(Header, Memory), FileError> {
    let header = read_header(source)?;
    spec.check(&header.spec)?;
    let bytes = usize::try_from(header.body_len()).unwrap_or(usize::MAX);
    let mut body = Memory::zeroed(bytes)?;
    let meter = Meter::begin_bytes(run.progress(), "loading", header.body_len());
    let result = match source.is_for_all_threads() {
        true => {
            let read = |index: usize, block: &mut [u8]| {
                run.check()?;
                read_block(source, &header, index, block)?;
                meter.add(to_u64(block.len()));
                Ok(())
            };
            run.try_for_each_chunk(&mut body, header.block as usize, &read)
        }
        false => read_here(source, &header, &mut body, &meter, run),
    };
    run.progress().end();
    result.map_err(|error| first_damage(error, source, &header, run))?;
    Ok((header, body))
}

/// Reads a body on this thread, a block for each thread at a time, and verifies these on all of them.
fn read_here(
    source: &impl Source,
    header: &Header,
    body: &mut [u8],
    meter: &Meter<'_>,
    run: &Run<'_>,
) -> Result<(), FileError> {
    let (block, at_once) = (header.block as usize, run.threads());
    for (first, piece) in (0..).step_by(at_once).zip(body.chunks_mut(block * at_once)) {
        run.check()?;
        source.read_at(piece, offset_of(header, first))?;
        let blocks: Vec<&[u8]> = piece.chunks(block).collect();
        run.try_for_each(blocks.len(), &|at| check_block(header, first + at, blocks[at]))?;
        meter.add(to_u64(piece.len()));
    }
    Ok(())
}

/// Loads the table in an open file, which `spec` describes, into several parts, which it fills. After an error, they may
/// hold anything.
///
/// # Errors
/// As [`load`].
pub(super) fn load_parts(
    file: &DataFile,
    spec: &Spec,
    parts: &mut [&mut [u8]],
    run: &Run<'_>,
) -> Result<Header, FileError> {
    let header = read_header(file)?;
    spec.check(&header.spec)?;
    let meter = Meter::begin_bytes(run.progress(), "loading", header.body_len());
    let mut rest = parts.iter_mut().flat_map(|part| part.chunks_mut(1 << 12));
    let (mut buffer, mut into): (Vec<u8>, &mut [u8]) = (Vec::new(), &mut []);
    let loaded = (0..header.checksums.len()).try_for_each(|index| {
        run.check()?;
        read_block(file, &header, index, sized(&mut buffer, &header, index))?;
        let mut from = &buffer[..];
        while !from.is_empty() {
            if into.is_empty() {
                into = rest.next().expect("the parts have the body's length");
            }
            let taken = from.len().min(into.len());
            let (filled, after) = std::mem::take(&mut into).split_at_mut(taken);
            filled.copy_from_slice(&from[..taken]);
            (into, from) = (after, &from[taken..]);
        }
        meter.add(to_u64(buffer.len()));
        Ok(())
    });
    run.progress().end();
    loaded.map(|()| header)
}

/// Hashes every block of the body and compares it with its checksum.
///
/// # Errors
/// [`FileError`]; [`FormatError::Block`] names the first damaged block.
pub fn verify(path: &Path, run: &Run<'_>) -> Result<Header, FileError> {
    let (file, header) = open(path)?;
    let meter = Meter::begin_bytes(run.progress(), "verifying", header.body_len());
    let spare: Spare<Vec<u8>> = Spare::default();
    let result = run.try_for_each(header.checksums.len(), &|index| {
        run.check()?;
        let mut buffer = spare.take().unwrap_or_default();
        read_block(&file, &header, index, sized(&mut buffer, &header, index))?;
        meter.add(to_u64(buffer.len()));
        spare.leave(buffer);
        Ok(())
    });
    run.progress().end();
    result.map_err(|error| first_damage(error, &file, &header, run))?;
    Ok(header)
}

/// The error of the first damaged block if `error` is that of any, which depends on the threads.
fn first_damage(error: FileError, file: &impl Source, header: &Header, run: &Run<'_>) -> FileError {
    if !matches!(error, FileError::Format(_)) {
        return error;
    }
    let mut buffer = Vec::new();
    let blocks = 0..header.checksums.len();
    let found = blocks.map(|index| {
        run.check()?;
        read_block(file, header, index, sized(&mut buffer, header, index))
    });
    found.filter_map(Result::err).next().unwrap_or(error)
}

/// `buffer` with the length of a block.
fn sized<'b>(buffer: &'b mut Vec<u8>, header: &Header, block: usize) -> &'b mut [u8] {
    let start = to_u64(block) * u64::from(header.block);
    let len = (header.body_len() - start).min(u64::from(header.block));
    buffer.resize(to_usize(len), 0);
    buffer
}

/// Reads a block into `buffer`, which has its length, and compares it with its checksum.
fn read_block(file: &impl Source, header: &Header, block: usize, buffer: &mut [u8]) -> Result<(), FileError> {
    file.read_at(buffer, offset_of(header, block))?;
    check_block(header, block, buffer)
}

/// Where a block begins in the file.
fn offset_of(header: &Header, block: usize) -> u64 {
    header.header_len() + to_u64(block) * u64::from(header.block)
}

/// Compares the bytes of a block with its checksum.
fn check_block(header: &Header, block: usize, bytes: &[u8]) -> Result<(), FileError> {
    let (expected, got) = (header.checksums[block], xxh3_64(bytes));
    if expected == got {
        return Ok(());
    }
    let (blocks, offset) = (header.checksums.len(), offset_of(header, block));
    Err(FormatError::Block { block, blocks, offset, expected, got }.into())
}

#[cfg(test)]
#[path = "file_tests.rs"]
mod tests;
