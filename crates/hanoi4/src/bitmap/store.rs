//! Layers of streams, in memory and in files.
//!
//! A layer is cut into segments of [`SEGMENT`] blocks; each segment of a layer is one stream. With
//! a directory, all streams of a layer go into one file, appended in whatever order the threads
//! finish, and are kept in memory as well while the budget allows. Files are only ever appended
//! to, and read stream by stream in order.

use std::borrow::Cow;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// Blocks in a segment.
pub const SEGMENT: usize = 64;

/// What memory and disk the layers may take, and where they lie on disk.
#[derive(Debug, Default)]
pub struct Budget {
    /// The most bytes of streams in memory; at least the current stream of every thread comes on
    /// top.
    pub memory: u64,
    /// The most bytes of layer files.
    pub disk: u64,
    memory_used: AtomicU64,
    disk_used: AtomicU64,
    disk_peak: AtomicU64,
}

impl Budget {
    /// A budget of so many bytes.
    pub fn new(memory: u64, disk: u64) -> Budget {
        Budget { memory, disk, ..Budget::default() }
    }

    /// Without bounds.
    pub fn unlimited() -> Budget {
        Budget::new(u64::MAX, u64::MAX)
    }

    /// Bytes of streams in memory now.
    pub fn memory_used(&self) -> u64 {
        self.memory_used.load(Ordering::Relaxed)
    }

    /// Whether layer files take half of what they may.
    pub fn is_disk_half_used(&self) -> bool {
        self.disk_used.load(Ordering::Relaxed) > self.disk / 2
    }

    /// Bytes in layer files now, and the most there ever were.
    pub fn disk_used(&self) -> (u64, u64) {
        (self.disk_used.load(Ordering::Relaxed), self.disk_peak.load(Ordering::Relaxed))
    }

    fn take(used: &AtomicU64, limit: u64, bytes: u64) -> bool {
        let after = used.fetch_add(bytes, Ordering::Relaxed) + bytes;
        if after > limit {
            used.fetch_sub(bytes, Ordering::Relaxed);
        }
        after <= limit
    }
}

/// Why a stream could not be kept or read.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The memory budget is spent and there is no directory to spill to.
    #[error("the memory budget of {0} bytes is spent; give more, or a work directory to spill to")]
    Memory(u64),
    /// The disk budget is spent.
    #[error("the disk budget of {0} bytes is spent")]
    Disk(u64),
    /// The file system refused.
    #[error("{path}: {error}")]
    Io {
        /// The file.
        path: PathBuf,
        /// What went wrong.
        error: io::Error,
    },
    /// What was read is not what was written.
    #[error("{path}: a layer is damaged at byte {offset}")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Where the stream begins.
        offset: u64,
    },
}

impl StoreError {
    /// Whether the disk (or the disk budget) is full, so that the run can go on later.
    pub fn is_full(&self) -> bool {
        match self {
            StoreError::Disk(_) => true,
            StoreError::Io { error, .. } => {
                matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
            }
            _ => false,
        }
    }
}

/// Where a stream lies in its layer's file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Extent {
    /// The first byte.
    pub offset: u64,
    /// How many words.
    pub words: u64,
    /// XXH3 of the bytes.
    pub checksum: u64,
}

/// One segment's stream.
#[derive(Debug, Default)]
struct Stream {
    extent: Extent,
    words: Option<Vec<u64>>,
}

/// The streams of one layer.
#[derive(Debug, Default)]
pub struct Layer {
    streams: Vec<Stream>,
    file: Option<LayerFile>,
}

/// The file of one layer.
#[derive(Debug)]
struct LayerFile {
    path: PathBuf,
    file: File,
    end: AtomicU64,
}

/// A stream that was kept by [`Layer::put`], to be handed to [`Layer::place`].
#[derive(Debug)]
pub struct Kept(Stream);

impl Layer {
    /// An empty layer in memory.
    pub fn in_memory() -> Layer {
        Layer::default()
    }

    /// An empty layer in a new file; an old one of this name is overwritten.
    ///
    /// # Errors
    /// [`StoreError::Io`].
    pub fn create(path: &Path) -> Result<Layer, StoreError> {
        let file = File::options().read(true).write(true).create(true).truncate(true).open(path);
        let file = file.map_err(|error| StoreError::Io { path: path.into(), error })?;
        let file = LayerFile { path: path.into(), file, end: AtomicU64::new(0) };
        Ok(Layer { streams: Vec::new(), file: Some(file) })
    }

    /// A layer that was written before.
    ///
    /// # Errors
    /// [`StoreError::Io`]; [`StoreError::Damaged`] when the file is shorter than the extents say.
    pub fn open(path: &Path, extents: &[Extent], budget: &Budget) -> Result<Layer, StoreError> {
        let io = |error| StoreError::Io { path: path.into(), error };
        let file = File::open(path).map_err(io)?;
        let length = file.metadata().map_err(io)?.len();
        for extent in extents {
            let end = extent.words.checked_mul(8).and_then(|bytes| bytes.checked_add(extent.offset));
            if end.is_none_or(|end| end > length) {
                return Err(StoreError::Damaged { path: path.into(), offset: extent.offset });
            }
        }
        Budget::take(&budget.disk_used, u64::MAX, length);
        let streams = extents.iter().map(|&extent| Stream { extent, words: None }).collect();
        Ok(Layer { streams, file: Some(LayerFile { path: path.into(), file, end: AtomicU64::new(length) }) })
    }

    /// Keeps a stream: in the file if there is one, and in memory if the budget allows.
    /// Threads call this at the same time.
    ///
    /// # Errors
    /// [`StoreError`] when a budget is spent or the file system refuses.
    pub fn put(&self, words: Vec<u64>, budget: &Budget) -> Result<Kept, StoreError> {
        let bytes = words.len() as u64 * 8;
        let fits = Budget::take(&budget.memory_used, budget.memory, bytes);
        let mut extent = Extent { words: words.len() as u64, ..Extent::default() };
        if let Some(file) = &self.file {
            if !Budget::take(&budget.disk_used, budget.disk, bytes) {
                return Err(StoreError::Disk(budget.disk));
            }
            budget.disk_peak.fetch_max(budget.disk_used.load(Ordering::Relaxed), Ordering::Relaxed);
            let data = bytemuck::cast_slice::<u64, u8>(&words);
            extent.offset = file.end.fetch_add(bytes, Ordering::Relaxed);
            extent.checksum = xxhash_rust::xxh3::xxh3_64(data);
            let written = file.file.write_all_at(data, extent.offset);
            written.map_err(|error| StoreError::Io { path: file.path.clone(), error })?;
        } else if !fits {
            return Err(StoreError::Memory(budget.memory));
        }
        let words = fits.then(|| {
            let mut words = words;
            words.shrink_to_fit();
            words
        });
        Ok(Kept(Stream { extent, words }))
    }

    /// Puts a kept stream where it belongs.
    pub fn place(&mut self, segment: usize, kept: Kept) {
        if self.streams.len() <= segment {
            self.streams.resize_with(segment + 1, Stream::default);
        }
        self.streams[segment] = kept.0;
    }

    /// The stream of a segment; empty where nothing was placed.
    ///
    /// # Errors
    /// [`StoreError`] when it cannot be read or is damaged.
    pub fn get(&self, segment: usize) -> Result<Cow<'_, [u64]>, StoreError> {
        let Some(stream) = self.streams.get(segment) else { return Ok(Cow::Borrowed(&[])) };
        match (&stream.words, &self.file) {
            (Some(words), _) => Ok(Cow::Borrowed(words)),
            (None, Some(file)) if stream.extent.words > 0 => {
                let mut words = vec![0u64; stream.extent.words as usize];
                let data = bytemuck::cast_slice_mut::<u64, u8>(&mut words);
                let read = file.file.read_exact_at(data, stream.extent.offset);
                read.map_err(|error| StoreError::Io { path: file.path.clone(), error })?;
                if xxhash_rust::xxh3::xxh3_64(data) != stream.extent.checksum {
                    let offset = stream.extent.offset;
                    return Err(StoreError::Damaged { path: file.path.clone(), offset });
                }
                Ok(Cow::Owned(words))
            }
            _ => Ok(Cow::Borrowed(&[])),
        }
    }

    /// Where each segment's stream lies in the file.
    pub fn extents(&self) -> Vec<Extent> {
        self.streams.iter().map(|stream| stream.extent).collect()
    }

    /// Makes the file durable.
    ///
    /// # Errors
    /// [`StoreError::Io`].
    pub fn sync(&self) -> Result<(), StoreError> {
        match &self.file {
            Some(file) => {
                file.file.sync_data().map_err(|error| StoreError::Io { path: file.path.clone(), error })
            }
            None => Ok(()),
        }
    }

    /// How many segments may hold something.
    pub fn segments(&self) -> usize {
        self.streams.len()
    }

    /// Drops the streams that are in memory, and gives the memory back to the budget.
    pub fn unload(&mut self, budget: &Budget) {
        let words: usize =
            self.streams.iter_mut().filter_map(|stream| stream.words.take()).map(|words| words.len()).sum();
        budget.memory_used.fetch_sub(words as u64 * 8, Ordering::Relaxed);
    }

    /// Gives the memory back to the budget, removes the file if asked, and is gone.
    pub fn retire(mut self, budget: &Budget, remove: bool) {
        self.unload(budget);
        if let Some(file) = self.file.filter(|_| remove) {
            let bytes = file.end.load(Ordering::Relaxed);
            budget.disk_used.fetch_sub(bytes, Ordering::Relaxed);
            // A file that cannot be removed only takes room; the next run overwrites it.
            let _ = std::fs::remove_file(&file.path);
        }
    }
}
