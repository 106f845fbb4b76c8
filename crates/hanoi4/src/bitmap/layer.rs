//! Layers of streams, in memory and in files.
//!
//! A layer is divided into segments of [`SEGMENT`] blocks; each segment of a layer is one stream. With
//! a directory, all streams of a layer are appended to one file, in the order in which the threads
//! finish, and kept in memory too while the budget allows. Files are only appended to, and read
//! stream by stream.

use crate::model::to_u64;
use search_core::storage::{Budget, DataFile, StorageError, remove};
use std::borrow::Cow;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

/// The number of blocks in a segment.
pub const SEGMENT: usize = 64;

/// The segment of block `id`, and the block's place in it.
#[inline(always)]
pub fn segment_of(id: u32) -> (usize, usize) {
    (id as usize / SEGMENT, id as usize % SEGMENT)
}

/// The block at a place of a segment.
#[inline(always)]
pub fn block_at(segment: usize, place: usize) -> u32 {
    (segment * SEGMENT + place) as u32
}

/// The location of a stream in its layer's file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Extent {
    /// The offset of the first byte.
    pub offset: u64,
    /// The number of words.
    pub words: u64,
    /// The XXH3 checksum of the bytes.
    pub checksum: u64,
}

/// One segment's stream, as [`Layer::store`] stored it.
#[derive(Debug, Default)]
pub struct StoredStream {
    extent: Extent,
    words: Option<Box<[u64]>>,
}

/// The streams of one layer.
#[derive(Debug, Default)]
pub struct Layer {
    streams: Vec<StoredStream>,
    file: Option<LayerFile>,
}

/// The file of one layer.
#[derive(Debug)]
struct LayerFile {
    file: DataFile,
    end: AtomicU64,
}

impl Layer {
    /// An empty layer in memory.
    pub fn in_memory() -> Layer {
        Layer::default()
    }

    /// An empty layer in a new file; overwrites an existing file.
    ///
    /// # Errors
    /// [`StorageError::Io`].
    pub fn create(path: &Path) -> Result<Layer, StorageError> {
        let file = LayerFile { file: DataFile::create(path)?, end: AtomicU64::new(0) };
        Ok(Layer { streams: Vec::new(), file: Some(file) })
    }

    /// Opens a layer that was written before.
    ///
    /// # Errors
    /// [`StorageError::Io`]; [`StorageError::Damaged`] if the file is shorter than the extents require.
    pub fn open(path: &Path, extents: &[Extent], budget: &Budget) -> Result<Layer, StorageError> {
        let file = DataFile::open(path)?;
        let length = file.bytes()?;
        for extent in extents {
            let end = extent.words.checked_mul(8).and_then(|bytes| bytes.checked_add(extent.offset));
            if end.is_none_or(|end| end > length) {
                return Err(StorageError::Damaged { path: path.into(), offset: extent.offset });
            }
        }
        budget.disk.occupy(length);
        let streams = extents.iter().map(|&extent| StoredStream { extent, words: None }).collect();
        Ok(Layer { streams, file: Some(LayerFile { file, end: AtomicU64::new(length) }) })
    }

    /// Stores a stream: in the file if the layer has one, and in memory if the budget allows. Threads may
    /// call this at the same time.
    ///
    /// # Errors
    /// [`StorageError`] if a budget is exceeded or the file cannot be written.
    pub fn store(&self, words: Vec<u64>, budget: &Budget) -> Result<StoredStream, StorageError> {
        let bytes = to_u64(words.len()) * 8;
        let fits = budget.memory.take(bytes);
        let mut extent = Extent { words: to_u64(words.len()), ..Extent::default() };
        if let Some(LayerFile { file, end }) = &self.file {
            budget.take_disk(bytes)?;
            let data = bytemuck::cast_slice::<u64, u8>(&words);
            extent.offset = end.fetch_add(bytes, Ordering::Relaxed);
            extent.checksum = xxhash_rust::xxh3::xxh3_64(data);
            file.write_at(data, extent.offset)?;
        } else if !fits {
            return Err(StorageError::Memory(budget.memory.limit()));
        }
        Ok(StoredStream { extent, words: fits.then(|| words.into_boxed_slice()) })
    }

    /// Assigns a stored stream to a segment.
    pub fn insert(&mut self, segment: usize, stream: StoredStream) {
        if self.streams.len() <= segment {
            self.streams.resize_with(segment + 1, StoredStream::default);
        }
        self.streams[segment] = stream;
    }

    /// The stream of a segment; empty if none was inserted.
    ///
    /// # Errors
    /// [`StorageError`] when it cannot be read or is damaged.
    pub fn get(&self, segment: usize) -> Result<Cow<'_, [u64]>, StorageError> {
        let Some(stream) = self.streams.get(segment) else { return Ok(Cow::Borrowed(&[])) };
        match (&stream.words, &self.file) {
            (Some(words), _) => Ok(Cow::Borrowed(words)),
            (None, Some(LayerFile { file, .. })) if stream.extent.words > 0 => {
                let mut words = vec![0u64; stream.extent.words as usize];
                let data = bytemuck::cast_slice_mut::<u64, u8>(&mut words);
                file.read_at(data, stream.extent.offset)?;
                if xxhash_rust::xxh3::xxh3_64(data) != stream.extent.checksum {
                    let offset = stream.extent.offset;
                    return Err(StorageError::Damaged { path: file.path().into(), offset });
                }
                Ok(Cow::Owned(words))
            }
            _ => Ok(Cow::Borrowed(&[])),
        }
    }

    /// The location of each segment's stream in the file.
    pub fn extents(&self) -> Vec<Extent> {
        self.streams.iter().map(|stream| stream.extent).collect()
    }

    /// Makes the file durable.
    ///
    /// # Errors
    /// [`StorageError::Io`].
    pub fn sync(&self) -> Result<(), StorageError> {
        self.file.as_ref().map_or(Ok(()), |stored| Ok(stored.file.sync()?))
    }

    /// The number of segments up to the last one with a stream.
    pub fn segments(&self) -> usize {
        self.streams.len()
    }

    /// Drops the streams in memory, and returns the memory to the budget.
    pub fn unload(&mut self, budget: &Budget) {
        let words: usize =
            self.streams.iter_mut().filter_map(|stream| stream.words.take()).map(|words| words.len()).sum();
        budget.memory.give(to_u64(words) * 8);
    }

    /// Removes the layer and its file, and returns memory and disk to the budget.
    pub fn remove(mut self, budget: &Budget) {
        self.unload(budget);
        if let Some(LayerFile { file, end }) = self.file {
            budget.disk.give(end.into_inner());
            let path = file.path().to_path_buf();
            drop(file);
            // A file that cannot be removed only takes space; the next run overwrites it.
            let _ = remove(&path);
        }
    }
}
