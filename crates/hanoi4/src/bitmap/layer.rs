//! Layers of streams, in memory and in files.
//!
//! A layer is cut into segments of [`SEGMENT`] blocks; each segment of a layer is one stream. With
//! a directory, all streams of a layer go into one file, appended in whatever order the threads
//! finish, and are kept in memory as well while the budget allows. Files are only ever appended
//! to, and read stream by stream in order.

use crate::model::to_u64;
use search_core::storage::{Budget, DataFile, StorageError, remove};
use std::borrow::Cow;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

/// Blocks in a segment.
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
    file: DataFile,
    end: AtomicU64,
}

/// A stream that was kept by [`Layer::put`], to be handed to [`Layer::place`].
#[derive(Debug)]
pub struct StoredStream(Stream);

impl Layer {
    /// An empty layer in memory.
    pub fn in_memory() -> Layer {
        Layer::default()
    }

    /// An empty layer in a new file; an old one of this name is overwritten.
    ///
    /// # Errors
    /// [`StorageError::Io`].
    pub fn create(path: &Path) -> Result<Layer, StorageError> {
        let file = LayerFile { file: DataFile::create(path)?, end: AtomicU64::new(0) };
        Ok(Layer { streams: Vec::new(), file: Some(file) })
    }

    /// A layer that was written before.
    ///
    /// # Errors
    /// [`StorageError::Io`]; [`StorageError::Damaged`] when the file is shorter than the extents say.
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
        let streams = extents.iter().map(|&extent| Stream { extent, words: None }).collect();
        Ok(Layer { streams, file: Some(LayerFile { file, end: AtomicU64::new(length) }) })
    }

    /// Keeps a stream: in the file if there is one, and in memory if the budget allows.
    /// Threads call this at the same time.
    ///
    /// # Errors
    /// [`StorageError`] when a budget is spent or the file system refuses.
    pub fn put(&self, words: Vec<u64>, budget: &Budget) -> Result<StoredStream, StorageError> {
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
        let words = fits.then(|| {
            let mut words = words;
            words.shrink_to_fit();
            words
        });
        Ok(StoredStream(Stream { extent, words }))
    }

    /// Puts a kept stream where it belongs.
    pub fn place(&mut self, segment: usize, kept: StoredStream) {
        if self.streams.len() <= segment {
            self.streams.resize_with(segment + 1, Stream::default);
        }
        self.streams[segment] = kept.0;
    }

    /// The stream of a segment; empty where nothing was placed.
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

    /// Where each segment's stream lies in the file.
    pub fn extents(&self) -> Vec<Extent> {
        self.streams.iter().map(|stream| stream.extent).collect()
    }

    /// Makes the file durable.
    ///
    /// # Errors
    /// [`StorageError::Io`].
    pub fn sync(&self) -> Result<(), StorageError> {
        if let Some(LayerFile { file, .. }) = &self.file {
            file.sync()?;
        }
        Ok(())
    }

    /// How many segments may hold something.
    pub fn segments(&self) -> usize {
        self.streams.len()
    }

    /// Drops the streams that are in memory, and gives the memory back to the budget.
    pub fn unload(&mut self, budget: &Budget) {
        let words: usize =
            self.streams.iter_mut().filter_map(|stream| stream.words.take()).map(|words| words.len()).sum();
        budget.memory.give(to_u64(words) * 8);
    }

    /// Removes the layer and its file, and gives memory and disk back to the budget.
    pub fn remove(mut self, budget: &Budget) {
        self.unload(budget);
        if let Some(LayerFile { file, end }) = self.file {
            budget.disk.give(end.into_inner());
            let path = file.path().to_path_buf();
            drop(file);
            // A file that cannot be removed only takes room; the next run overwrites it.
            let _ = remove(&path);
        }
    }
}
