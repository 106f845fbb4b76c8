//! Publication that fails half-way, and damage on the disk.

use super::*;
use crate::table::error::ErrorKind;
use crate::table::format::sample;
use std::fs;
use std::thread::{self, ThreadId};
use tempfile::tempdir;

fn body() -> Vec<u8> {
    (0..sample().body_len()).map(|i| (i * i % 251) as u8).collect()
}

/// A header of `body` with blocks of 4096 bytes, so that a small body has several.
fn small_blocks(body: &[u8]) -> Header {
    Header { checksums: body.chunks(4096).map(xxh3_64).collect(), ..sample() }
}

fn published(path: &Path) -> Header {
    let body = body();
    let header = small_blocks(&body);
    publish(path, &path.with_extension("partial"), &header, &body, &Run::new()).unwrap();
    header
}

#[test]
fn a_published_table_loads_and_verifies() {
    let dir = tempdir().unwrap();
    let path = dir.path().join("a.table");
    let header = published(&path);
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1, "the temporary file is gone");
    assert_eq!(open(&path).unwrap().1, header);
    let table = load(&path, &header.spec, &Run::new()).unwrap();
    assert_eq!(&*table.body, body());
    assert_eq!(table.into_packed::<4>().get(1), body()[0] >> 4);
    assert_eq!(verify(&path, &Run::new()).unwrap(), header);
}

#[test]
fn verifying_and_loading_name_the_first_damaged_block_and_opening_reads_none() {
    let dir = tempdir().unwrap();
    let path = dir.path().join("a.table");
    let header = published(&path);
    let mut bytes = fs::read(&path).unwrap();
    for (at, expected) in [(20_159, 4), (9_000, 2), (8_191, 1), (0, 0)] {
        bytes[4096 + at] ^= 0x40;
        fs::write(&path, &bytes).unwrap();
        for error in
            [verify(&path, &Run::new()).unwrap_err(), load(&path, &header.spec, &Run::new()).unwrap_err()]
        {
            let FileError::Format(FormatError::Block { block, blocks: 5, offset, .. }) = error else {
                panic!("{error}")
            };
            assert_eq!((block, offset), (expected, 4096 + 4096 * expected as u64));
            assert_eq!(error.kind(), ErrorKind::Damaged);
        }
        assert!(open(&path).is_ok());
    }
}

#[test]
fn truncated_and_grown_files_are_refused() {
    let dir = tempdir().unwrap();
    let path = dir.path().join("a.table");
    published(&path);
    let bytes = fs::read(&path).unwrap();
    for len in [0, 1, 7, 8, 9, 63, 64, 65, 4087, 4088, 4095, 4096, 4097, 8192, bytes.len() - 1] {
        fs::write(&path, &bytes[..len]).unwrap();
        assert_eq!(open(&path).unwrap_err().kind(), ErrorKind::Damaged, "{len} bytes");
    }
    let mut grown = bytes.clone();
    grown.push(0);
    fs::write(&path, &grown).unwrap();
    assert_eq!(open(&path).unwrap_err().kind(), ErrorKind::Damaged);
    fs::write(&path, b"something else altogether, of some length or other, and then some more of it")
        .unwrap();
    assert_eq!(open(&path).unwrap_err().kind(), ErrorKind::Foreign);
    assert!(matches!(open(&dir.path().join("none")), Err(FileError::Io(_))));
}

#[cfg(unix)]
#[test]
fn a_full_disk_is_named_and_leaves_no_half_file() {
    use crate::storage::fault::{Disk, Fault};
    let (body, dir) = (body(), tempdir().unwrap());
    let header = small_blocks(&body);
    let partial = dir.path().join("a.partial");
    // The file is created, and its header cannot be written.
    let disk = Disk::new(dir.path());
    disk.arm(Some((1, Fault::Error(28))));
    let error = publish(&dir.path().join("a.table"), &partial, &header, &body, &Run::new());
    let error = error.unwrap_err();
    let expected = header.header_len() + header.body_len();
    assert!(matches!(error, FileError::NoSpace { needed, available: None } if needed == expected), "{error}");
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
}

#[test]
fn a_cancelled_publication_leaves_the_old_table() {
    let dir = tempdir().unwrap();
    let path = dir.path().join("a.table");
    let header = published(&path);
    let run = Run::new();
    run.cancel().cancel();
    let other = vec![0; body().len()];
    let result = publish(&path, &dir.path().join("a.partial"), &small_blocks(&other), &other, &run);
    assert!(matches!(result, Err(FileError::Cancelled(_))));
    assert_eq!(verify(&path, &Run::new()).unwrap(), header);
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
}

/// Bytes in memory; perhaps for one thread alone.
struct Bytes(Vec<u8>, Option<ThreadId>);

impl Source for Bytes {
    fn bytes(&self) -> Result<u64, storage::IoError> {
        Ok(to_u64(self.0.len()))
    }

    fn read_at(&self, buffer: &mut [u8], offset: u64) -> Result<(), storage::IoError> {
        assert!(self.1.is_none_or(|reader| reader == thread::current().id()), "another thread reads");
        let part = self.0.get(to_usize(offset)..).and_then(|rest| rest.get(..buffer.len()));
        let error = std::io::ErrorKind::UnexpectedEof.into();
        buffer.copy_from_slice(part.ok_or(storage::IoError { path: "memory".into(), error })?);
        Ok(())
    }

    fn is_for_all_threads(&self) -> bool {
        self.1.is_none()
    }
}

#[test]
fn tables_are_read_and_verified_from_elsewhere_too() {
    let body = body();
    let header = small_blocks(&body);
    let bytes = [header.to_bytes(), body.clone()].concat();
    for (threads, reader) in
        [(1, None), (3, None), (1, Some(thread::current().id())), (3, Some(thread::current().id()))]
    {
        let run = Run::new().with_threads(threads);
        let (got, loaded) = read(&Bytes(bytes.clone(), reader), &header.spec, &run).unwrap();
        assert_eq!((got, &*loaded), (header.clone(), &body[..]));
        let mut damaged = bytes.clone();
        damaged[4096 + 9_000] ^= 1;
        damaged[4096 + 20_000] ^= 1;
        let error = read(&Bytes(damaged, reader), &header.spec, &run).unwrap_err();
        assert!(matches!(error, FileError::Format(FormatError::Block { block: 2, .. })), "{error}");
        let error = read(&Bytes(bytes[..5000].to_vec(), reader), &header.spec, &run).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Damaged);
    }
}
