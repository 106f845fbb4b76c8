//! A layer's buckets, in memory and in files.
//!
//! A record is a packed state and its used-operator bits in one 64-bit word, the state in the high
//! bits, so that sorting words sorts states. A bucket holds the records whose states begin with the
//! same bits. In a layer a bucket is sorted and in memory or in one file, as differences in a
//! variable number of bytes. Children that are not yet merged are appended to one file a bucket
//! in the order in which the threads find them. One bit a bucket says whether it holds anything;
//! nothing else is kept of it in memory (Korf & Felner 2006, "Handling Large Numbers of Files").

use super::FrontierError;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use xxhash_rust::xxh3::xxh3_64;

/// Counts bytes against a bound.
#[derive(Debug)]
pub struct Room {
    limit: u64,
    used: AtomicU64,
}

impl Room {
    /// Room for `limit` bytes.
    pub fn new(limit: u64) -> Room {
        Room { limit, used: AtomicU64::new(0) }
    }

    /// The bound.
    pub fn limit(&self) -> u64 {
        self.limit
    }

    /// Bytes in use.
    pub fn used(&self) -> u64 {
        self.used.load(Ordering::Relaxed)
    }

    /// Takes `bytes` if there is room for them.
    #[must_use]
    pub fn take(&self, bytes: u64) -> bool {
        let fits = |used: u64| used.checked_add(bytes).filter(|&after| after <= self.limit);
        self.used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, fits).is_ok()
    }

    /// Takes `bytes` that are there already, room or not.
    pub fn occupy(&self, bytes: u64) {
        self.used.fetch_add(bytes, Ordering::Relaxed);
    }

    /// Gives `bytes` back.
    pub fn give(&self, bytes: u64) {
        self.used.fetch_sub(bytes, Ordering::Relaxed);
    }
}

/// Memory and disk of one search.
#[derive(Debug)]
pub struct Rooms {
    /// Bytes of records in memory.
    pub memory: Room,
    /// Bytes of files.
    pub disk: Room,
}

/// One bit a bucket.
#[derive(Debug, Default)]
pub struct Existence(Vec<AtomicU64>);

impl Existence {
    /// No bucket of `buckets` exists.
    pub fn none(buckets: usize) -> Existence {
        Existence((0..buckets.div_ceil(64)).map(|_| AtomicU64::new(0)).collect())
    }

    /// Whether `bucket` exists.
    pub fn has(&self, bucket: usize) -> bool {
        self.0[bucket / 64].load(Ordering::Relaxed) >> (bucket % 64) & 1 == 1
    }

    /// `bucket` exists from now on.
    pub fn set(&self, bucket: usize) {
        self.0[bucket / 64].fetch_or(1 << (bucket % 64), Ordering::Relaxed);
    }
}

/// Sorted buckets of one layer.
#[derive(Debug)]
pub enum SortedBuckets {
    /// In memory, one vector a bucket.
    Memory(Vec<Vec<u64>>),
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

impl SortedBuckets {
    /// The records of a bucket.
    ///
    /// # Errors
    /// [`FrontierError::Io`] or [`FrontierError::Damaged`].
    pub fn read(&self, bucket: usize) -> Result<std::borrow::Cow<'_, [u64]>, FrontierError> {
        match self {
            SortedBuckets::Memory(buckets) => Ok((&buckets[bucket][..]).into()),
            SortedBuckets::Files { directory, depth, exists } if exists.has(bucket) => {
                let path = directory.join(bucket_name(*depth, bucket));
                let bytes = fs::read(&path).map_err(io(&path))?;
                Ok(decode(&bytes).ok_or(FrontierError::Damaged(path))?.into())
            }
            SortedBuckets::Files { .. } => Ok((&[][..]).into()),
        }
    }

    /// Bytes of the bucket's file; 0 in memory and where there is none.
    pub fn file_bytes(&self, bucket: usize) -> u64 {
        match self {
            SortedBuckets::Files { directory, depth, exists } if exists.has(bucket) => {
                fs::metadata(directory.join(bucket_name(*depth, bucket))).map_or(0, |meta| meta.len())
            }
            _ => 0,
        }
    }

    /// Keeps a bucket's records, which are sorted. Does nothing in memory: there the caller
    /// collects them.
    ///
    /// # Errors
    /// [`FrontierError::Disk`] or [`FrontierError::Io`].
    pub fn write(&self, bucket: usize, records: &[u64], rooms: &Rooms) -> Result<(), FrontierError> {
        let SortedBuckets::Files { directory, depth, exists } = self else { return Ok(()) };
        if records.is_empty() {
            return Ok(());
        }
        let bytes = encode(records);
        if !rooms.disk.take(bytes.len() as u64) {
            return Err(FrontierError::Disk(rooms.disk.limit()));
        }
        exists.set(bucket);
        let path = directory.join(bucket_name(*depth, bucket));
        let write = || {
            let mut file = File::create(&path)?;
            file.write_all(&bytes)?;
            file.sync_data()
        };
        write().map_err(io(&path))
    }

    /// Removes the layer and gives its room back.
    pub fn remove(self, buckets: usize, rooms: &Rooms) {
        match self {
            SortedBuckets::Memory(buckets) => rooms.memory.give(bytes_of(&buckets)),
            SortedBuckets::Files { directory, depth, exists } => {
                for bucket in (0..buckets).filter(|&bucket| exists.has(bucket)) {
                    let path = directory.join(bucket_name(depth, bucket));
                    rooms.disk.give(fs::metadata(&path).map_or(0, |meta| meta.len()));
                    // A file that stays only takes room.
                    let _ = fs::remove_file(&path);
                }
            }
        }
    }
}

/// Bytes of records in memory.
pub fn bytes_of(buckets: &[Vec<u64>]) -> u64 {
    buckets.iter().map(|bucket| bucket.len() as u64 * 8).sum()
}

/// Children in the order in which they were found, waiting to be merged.
#[derive(Debug)]
pub struct Children {
    waiting: Vec<Mutex<Vec<u64>>>,
    spilled: Option<(PathBuf, Existence)>,
}

impl Children {
    /// No children yet, for so many buckets; spilled to `directory` if there is one.
    pub fn new(buckets: usize, directory: Option<&Path>) -> Children {
        let spilled = directory.map(|directory| (directory.to_path_buf(), Existence::none(buckets)));
        Children { waiting: (0..buckets).map(|_| Mutex::new(Vec::new())).collect(), spilled }
    }

    /// The name of the file of a bucket's children.
    pub fn name(bucket: usize) -> String {
        format!("children-{bucket}")
    }

    /// Adds records to a bucket and empties `records`. What finds no room in memory is spilled.
    ///
    /// # Errors
    /// [`FrontierError::Memory`], [`FrontierError::Disk`] or [`FrontierError::Io`].
    pub fn add(&self, bucket: usize, records: &mut Vec<u64>, rooms: &Rooms) -> Result<(), FrontierError> {
        let mut waiting = self.waiting[bucket].lock().expect("no thread panics while it holds a bucket");
        if rooms.memory.take(records.len() as u64 * 8) {
            waiting.append(records);
            return Ok(());
        }
        let (directory, exists) = self.spilled.as_ref().ok_or(FrontierError::Memory(rooms.memory.limit()))?;
        if !rooms.disk.take((waiting.len() + records.len()) as u64 * 8) {
            return Err(FrontierError::Disk(rooms.disk.limit()));
        }
        rooms.memory.give(waiting.len() as u64 * 8);
        waiting.append(records);
        let path = directory.join(Children::name(bucket));
        let first = !exists.has(bucket);
        exists.set(bucket);
        let file = File::options().create(true).write(true).truncate(first).append(!first).open(&path);
        file.and_then(|mut file| file.write_all(bytemuck::cast_slice(&waiting))).map_err(io(&path))?;
        *waiting = Vec::new();
        Ok(())
    }

    /// Takes all records out of a bucket and removes its file.
    ///
    /// # Errors
    /// [`FrontierError::Io`] or [`FrontierError::Damaged`].
    pub fn take(&self, bucket: usize, rooms: &Rooms) -> Result<Vec<u64>, FrontierError> {
        let mut waiting = self.waiting[bucket].lock().expect("no thread panics while it holds a bucket");
        let mut records = std::mem::take(&mut *waiting);
        rooms.memory.give(records.len() as u64 * 8);
        if let Some((directory, _)) = self.spilled.as_ref().filter(|(_, exists)| exists.has(bucket)) {
            let path = directory.join(Children::name(bucket));
            let bytes = fs::read(&path).map_err(io(&path))?;
            let whole = bytes.chunks_exact(8);
            if !whole.remainder().is_empty() {
                return Err(FrontierError::Damaged(path));
            }
            records.extend(whole.map(|word| u64::from_ne_bytes(word.try_into().expect("eight bytes"))));
            rooms.disk.give(bytes.len() as u64);
            fs::remove_file(&path).map_err(io(&path))?;
        }
        Ok(records)
    }
}

/// An error of the file system on `path`.
pub(super) fn io(path: &Path) -> impl FnOnce(std::io::Error) -> FrontierError {
    let path = path.to_path_buf();
    move |error| FrontierError::Io { path, error }
}

/// Sorted words as differences, seven bits a byte, the low ones first; then their checksum.
pub fn encode(sorted: &[u64]) -> Vec<u8> {
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

/// The words that [`encode`] wrote; `None` if the bytes are not such.
pub fn decode(bytes: &[u8]) -> Option<Vec<u64>> {
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
