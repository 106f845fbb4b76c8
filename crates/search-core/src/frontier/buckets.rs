//! A layer's buckets, in memory and in files.
//!
//! A record is a packed state and its used-operator bits in one 64-bit word, the state in the high bits, so that
//! sorting words sorts states. A bucket contains the records whose states begin with the same bits. In a layer a bucket
//! is sorted and in memory or in one file, as differences in a variable number of bytes. Children that are not yet
//! merged are appended to one file per bucket in the order in which the threads find them. One bit per bucket records
//! whether it is non-empty; nothing else about buckets is kept in memory (Korf & Felner 2006, "Handling Large Numbers
//! of Files").

use crate::cast::to_u64;
use crate::storage::{Budget, DataFile, StorageError, file_bytes, read, remove};
use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock};
use xxhash_rust::xxh3::xxh3_64;

/// One bit per bucket: whether it exists.
#[derive(Debug)]
pub(super) struct Existence(Vec<AtomicU64>);

impl Existence {
    /// Creates the set in which none of `buckets` buckets exists.
    pub(super) fn none(buckets: usize) -> Existence {
        Existence::from_words(&vec![0; buckets.div_ceil(64)])
    }

    /// The set that a checkpoint's words describe.
    pub(super) fn from_words(words: &[u64]) -> Existence {
        Existence(words.iter().copied().map(AtomicU64::new).collect())
    }

    /// The set as words, for a checkpoint.
    pub(super) fn words(&self) -> impl Iterator<Item = u64> {
        self.0.iter().map(|word| word.load(Ordering::Relaxed))
    }

    /// Whether `bucket` exists.
    pub(super) fn has(&self, bucket: usize) -> bool {
        self.0.get(bucket / 64).is_some_and(|word| word.load(Ordering::Relaxed) >> (bucket % 64) & 1 == 1)
    }

    /// Records that `bucket` exists.
    pub(super) fn set(&self, bucket: usize) {
        self.0[bucket / 64].fetch_or(1 << (bucket % 64), Ordering::Relaxed);
    }
}

/// Sorted buckets of one layer.
#[derive(Debug)]
pub(super) enum SortedBuckets {
    /// In memory; a bucket that was not written is empty.
    Memory(Vec<OnceLock<Vec<u64>>>),
    /// In files of a directory, one for each bucket that exists.
    Files {
        /// The directory.
        directory: PathBuf,
        /// The depth, which is part of the names.
        depth: u32,
        /// Which buckets exist.
        exists: Existence,
    },
}

/// The name of the file of a layer's bucket.
fn bucket_name(depth: u32, bucket: usize) -> String {
    format!("layer-{depth}-bucket-{bucket}")
}

/// The name of the file of a bucket's children.
fn children_name(bucket: usize) -> String {
    format!("children-{bucket}")
}

/// Whether a file with this name belongs to a search.
pub(super) fn is_own(name: &str) -> bool {
    bucket_of(name).is_some() || number_after::<usize>(name, "children-").is_some()
}

/// The depth and the bucket of the file with this name.
fn bucket_of(name: &str) -> Option<(u32, usize)> {
    let (layer, bucket) = name.split_once("-bucket-")?;
    Some((number_after(layer, "layer-")?, bucket.parse().ok()?))
}

fn number_after<N: std::str::FromStr>(name: &str, prefix: &str) -> Option<N> {
    name.strip_prefix(prefix)?.parse().ok()
}

impl SortedBuckets {
    /// A layer of `buckets` empty buckets, in files of `directory` or in memory.
    pub(super) fn new(directory: Option<&Path>, depth: u32, buckets: usize) -> SortedBuckets {
        match directory {
            Some(directory) => {
                let directory = directory.to_path_buf();
                SortedBuckets::Files { directory, depth, exists: Existence::none(buckets) }
            }
            None => SortedBuckets::Memory((0..buckets).map(|_| OnceLock::new()).collect()),
        }
    }

    /// The file of a bucket that exists in a file.
    fn file(&self, bucket: usize) -> Option<PathBuf> {
        match self {
            SortedBuckets::Files { directory, depth, exists } if exists.has(bucket) => {
                Some(directory.join(bucket_name(*depth, bucket)))
            }
            _ => None,
        }
    }

    /// The records of a bucket.
    ///
    /// # Errors
    /// [`StorageError::Io`] or [`StorageError::Damaged`].
    pub(super) fn read(&self, bucket: usize) -> Result<Cow<'_, [u64]>, StorageError> {
        if let SortedBuckets::Memory(buckets) = self {
            return Ok(buckets[bucket].get().map_or(&[][..], Vec::as_slice).into());
        }
        let Some(path) = self.file(bucket) else { return Ok((&[][..]).into()) };
        let records = decode(&read(&path)?);
        Ok(records.ok_or(StorageError::Damaged { path, offset: 0 })?.into())
    }

    /// Whether the file with this name belongs to the layer.
    pub(super) fn has_file(&self, name: &str) -> bool {
        bucket_of(name).and_then(|(_, bucket)| self.file(bucket)).is_some_and(|path| path.ends_with(name))
    }

    /// The size of the bucket's file in bytes; 0 if there is none.
    pub(super) fn file_bytes(&self, bucket: usize) -> u64 {
        self.file(bucket).map_or(0, |path| file_bytes(&path).unwrap_or(0))
    }

    /// Writes a bucket's sorted records. Called once per bucket.
    ///
    /// # Errors
    /// [`StorageError::Memory`], [`StorageError::Disk`] or [`StorageError::Io`].
    pub(super) fn write(
        &self,
        bucket: usize,
        records: Vec<u64>,
        budget: &Budget,
    ) -> Result<(), StorageError> {
        if records.is_empty() {
            return Ok(());
        }
        match self {
            SortedBuckets::Memory(buckets) => {
                budget.take_memory(bytes_of(&records))?;
                buckets[bucket].set(records).expect("a bucket is written once");
                Ok(())
            }
            SortedBuckets::Files { directory, depth, exists } => {
                let bytes = encode(&records);
                budget.take_disk(to_u64(bytes.len()))?;
                exists.set(bucket);
                let file = DataFile::create(&directory.join(bucket_name(*depth, bucket)))?;
                file.write_at(&bytes, 0)?;
                Ok(file.sync()?)
            }
        }
    }

    /// Removes the layer of `buckets` buckets and gives its bytes back to the budget.
    pub(super) fn remove(self, buckets: usize, budget: &Budget) {
        for bucket in 0..buckets {
            if let SortedBuckets::Memory(layer) = &self {
                budget.memory.give(layer[bucket].get().map_or(0, |records| bytes_of(records)));
            } else if let Some(path) = self.file(bucket) {
                budget.disk.give(self.file_bytes(bucket));
                // A file that cannot be removed only takes space.
                let _ = remove(&path);
            }
        }
    }
}

/// The size of records in memory, in bytes.
fn bytes_of(records: &[u64]) -> u64 {
    to_u64(size_of_val(records))
}

/// Children waiting to be merged, in the order in which they were found.
#[derive(Debug)]
pub(super) struct Children {
    waiting: Vec<Mutex<Vec<u64>>>,
    spilled: Option<(PathBuf, Existence)>,
}

impl Children {
    /// Creates an empty collection for `buckets` buckets, which spills to `directory` if there is one.
    pub(super) fn new(buckets: usize, directory: Option<&Path>) -> Children {
        let spilled = directory.map(|directory| (directory.to_path_buf(), Existence::none(buckets)));
        Children { waiting: (0..buckets).map(|_| Mutex::new(Vec::new())).collect(), spilled }
    }

    /// Adds records to a bucket and empties `records`. Those that do not fit in memory are spilled.
    ///
    /// # Errors
    /// [`StorageError::Memory`], [`StorageError::Disk`] or [`StorageError::Io`].
    pub(super) fn add(
        &self,
        bucket: usize,
        records: &mut Vec<u64>,
        budget: &Budget,
    ) -> Result<(), StorageError> {
        let mut waiting = self.waiting[bucket].lock().expect("no thread panics while it holds a bucket");
        if budget.memory.take(bytes_of(records)) {
            waiting.append(records);
            return Ok(());
        }
        let (directory, exists) = self.spilled.as_ref().ok_or(StorageError::Memory(budget.memory.limit()))?;
        budget.take_disk(bytes_of(&waiting) + bytes_of(records))?;
        budget.memory.give(bytes_of(&waiting));
        waiting.append(records);
        let path = directory.join(children_name(bucket));
        let file =
            if exists.has(bucket) { DataFile::open_for_writing(&path) } else { DataFile::create(&path) }?;
        exists.set(bucket);
        file.write_at(bytemuck::cast_slice(&waiting), file.bytes()?)?;
        *waiting = Vec::new();
        Ok(())
    }

    /// Takes all records out of a bucket and removes its file.
    ///
    /// # Errors
    /// [`StorageError::Io`] or [`StorageError::Damaged`].
    pub(super) fn take(&self, bucket: usize, budget: &Budget) -> Result<Vec<u64>, StorageError> {
        let mut waiting = self.waiting[bucket].lock().expect("no thread panics while it holds a bucket");
        let mut records = std::mem::take(&mut *waiting);
        budget.memory.give(bytes_of(&records));
        if let Some((directory, _)) = self.spilled.as_ref().filter(|(_, exists)| exists.has(bucket)) {
            let path = directory.join(children_name(bucket));
            let bytes = read(&path)?;
            let whole = bytes.chunks_exact(8);
            if !whole.remainder().is_empty() {
                return Err(StorageError::Damaged { path, offset: 0 });
            }
            records.extend(whole.map(|word| u64::from_ne_bytes(word.try_into().expect("eight bytes"))));
            budget.disk.give(to_u64(bytes.len()));
            remove(&path)?;
        }
        Ok(records)
    }
}

/// Encodes sorted words as differences, seven bits per byte with the low bits first, followed by a checksum.
pub(super) fn encode(sorted: &[u64]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(sorted.len() * 3 + 8);
    let mut last = 0;
    for &word in sorted {
        let mut rest = word - last;
        last = word;
        while rest >= 0x80 {
            bytes.push(rest as u8 | 0x80);
            rest >>= 7;
        }
        bytes.push(rest as u8);
    }
    bytes.extend(xxh3_64(&bytes).to_le_bytes());
    bytes
}

/// The words that [`encode`] wrote; `None` for any other bytes.
pub(super) fn decode(bytes: &[u8]) -> Option<Vec<u64>> {
    let (body, checksum) = bytes.split_last_chunk::<8>()?;
    if xxh3_64(body) != u64::from_le_bytes(*checksum) {
        return None;
    }
    let (mut words, mut last, mut rest, mut shift) = (Vec::with_capacity(body.len() / 2), 0u64, 0u64, 0);
    for &byte in body {
        if shift > 63 {
            return None;
        }
        rest |= u64::from(byte & 0x7f) << shift;
        shift += 7;
        if byte < 0x80 {
            last = last.checked_add(rest)?;
            words.push(last);
            (rest, shift) = (0, 0);
        }
    }
    (shift == 0).then_some(words)
}
