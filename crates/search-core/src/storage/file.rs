//! The file operations that everything else is built on.
//!
//! Files are read and written at given positions, so that threads can share one without sharing a
//! position in it.

#[cfg(all(any(test, feature = "faults"), unix))]
use super::fault::{Call, at_once, check, is_real, spoil};
use super::owner;
#[cfg(not(all(any(test, feature = "faults"), unix)))]
use super::sound::{Call, at_once, check, is_real, spoil};
use std::fs::{self, File};
use std::io;
#[cfg(unix)]
use std::os::unix::fs::FileExt;
#[cfg(windows)]
use std::os::windows::fs::FileExt;
use std::path::{Path, PathBuf};

/// The file system refused an operation on a file or directory.
#[derive(Debug, thiserror::Error)]
#[error("{path}: {error}")]
pub struct IoError {
    /// The file or directory.
    pub path: PathBuf,
    /// The system's error.
    pub error: io::Error,
}

impl IoError {
    /// Names the path that an error belongs to.
    pub(super) fn at(path: &Path) -> impl FnOnce(io::Error) -> IoError {
        let path = path.to_path_buf();
        move |error| IoError { path, error }
    }

    /// Whether the disk, or the user's share of it, is full.
    pub(crate) fn is_full(&self) -> bool {
        use io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
        matches!(self.error.kind(), StorageFull | QuotaExceeded | FileTooLarge)
    }
}

/// Bytes that can be read at any position: a file, or what a program keeps elsewhere.
pub trait Source: Sync {
    /// The number of bytes.
    ///
    /// # Errors
    /// [`IoError`].
    fn bytes(&self) -> Result<u64, IoError>;

    /// Fills `buffer` with the bytes from `offset` on.
    ///
    /// # Errors
    /// [`IoError`]; of the kind `UnexpectedEof` when they end too early.
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> Result<(), IoError>;

    /// Whether any thread may read. Otherwise only the one that was given the source does.
    fn is_for_all_threads(&self) -> bool {
        true
    }
}

impl Source for DataFile {
    fn bytes(&self) -> Result<u64, IoError> {
        DataFile::bytes(self)
    }

    fn read_at(&self, buffer: &mut [u8], offset: u64) -> Result<(), IoError> {
        DataFile::read_at(self, buffer, offset)
    }
}

/// The users who can read a new file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Those whom the system's default lets read it.
    Shared,
    /// All users; only the one who creates it can write it.
    ReadByAll,
    /// The user who creates it.
    Own,
}

impl Access {
    #[cfg(unix)]
    fn limit(self, options: &mut fs::OpenOptions) -> &fs::OpenOptions {
        use std::os::unix::fs::OpenOptionsExt;
        match self {
            Access::Shared => options,
            Access::ReadByAll => options.mode(0o644),
            Access::Own => options.mode(0o600),
        }
    }

    #[cfg(not(unix))]
    fn limit(self, options: &mut fs::OpenOptions) -> &fs::OpenOptions {
        options
    }
}

/// Makes `options` refuse a symbolic link, which another user may have planted in a shared directory.
pub(super) fn without_links(options: &mut fs::OpenOptions) -> &mut fs::OpenOptions {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(options, rustix::fs::OFlags::NOFOLLOW.bits() as i32);
    options
}

/// An open file.
#[derive(Debug)]
pub struct DataFile {
    path: PathBuf,
    file: File,
}

impl DataFile {
    /// A new, empty file for reading and writing; an old one of this name is overwritten.
    ///
    /// # Errors
    /// [`IoError`].
    pub fn create(path: &Path) -> Result<DataFile, IoError> {
        DataFile::create_for(path, Access::Shared)
    }

    /// A new, empty file as [`create`](DataFile::create) makes it, which users have this access to.
    ///
    /// # Errors
    /// [`IoError`].
    pub(crate) fn create_for(path: &Path, access: Access) -> Result<DataFile, IoError> {
        let mut options = File::options();
        options.read(true).write(true).create(true).truncate(true);
        DataFile::with(path, access.limit(&mut options), true)
    }

    /// A file that exists, for reading.
    ///
    /// # Errors
    /// [`IoError`].
    pub fn open(path: &Path) -> Result<DataFile, IoError> {
        DataFile::with(path, File::options().read(true), false)
    }

    /// A file that exists, for reading and writing.
    ///
    /// # Errors
    /// [`IoError`].
    pub fn open_for_writing(path: &Path) -> Result<DataFile, IoError> {
        DataFile::with(path, File::options().read(true).write(true), false)
    }

    fn with(path: &Path, options: &fs::OpenOptions, creates: bool) -> Result<DataFile, IoError> {
        let file = open(path, options, creates)?;
        Ok(DataFile { path: path.into(), file })
    }

    /// The file's path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The file's size in bytes.
    ///
    /// # Errors
    /// [`IoError`].
    pub fn bytes(&self) -> Result<u64, IoError> {
        self.file.metadata().map(|metadata| metadata.len()).map_err(IoError::at(&self.path))
    }

    /// Whether nobody but this user and the administrator can have written the file: one of them owns it, and no other
    /// user may write it. The group of a user's own number, which many systems make for each user, has no other member.
    /// Where files have no owners, every file counts.
    ///
    /// # Errors
    /// [`IoError`].
    pub fn is_of_this_user(&self) -> Result<bool, IoError> {
        let metadata = self.file.metadata().map_err(IoError::at(&self.path))?;
        Ok(owner::is_own_or_of_administrator(&metadata)
            && !owner::is_writable_by_others(&self.file, &metadata))
    }

    /// Truncates the file to `bytes`, or extends it with zeros.
    ///
    /// # Errors
    /// [`IoError`].
    pub fn set_bytes(&self, bytes: u64) -> Result<(), IoError> {
        check(&self.path, &Call::Other)
            .and_then(|()| self.file.set_len(bytes))
            .map_err(IoError::at(&self.path))
    }

    /// Fills `buffer` with the bytes from `offset` on.
    ///
    /// # Errors
    /// [`IoError`]; of the kind `UnexpectedEof` when the file ends too early.
    pub fn read_at(&self, buffer: &mut [u8], offset: u64) -> Result<(), IoError> {
        check(&self.path, &Call::Other)
            .and_then(|()| read_at(&self.path, &self.file, buffer, offset))
            .map_err(IoError::at(&self.path))?;
        spoil(&self.path, buffer);
        Ok(())
    }

    /// Writes all of `bytes` from `offset` on.
    ///
    /// # Errors
    /// [`IoError`].
    pub fn write_at(&self, bytes: &[u8], offset: u64) -> Result<(), IoError> {
        check(&self.path, &Call::Write(&self.file, bytes, offset))
            .and_then(|()| write_at(&self.path, &self.file, bytes, offset))
            .map_err(IoError::at(&self.path))
    }

    /// Makes what was written durable.
    ///
    /// # Errors
    /// [`IoError`].
    pub fn sync(&self) -> Result<(), IoError> {
        check(&self.path, &Call::Sync(&self.file))
            .and_then(|()| if is_real(&self.path) { self.file.sync_data() } else { Ok(()) })
            .map_err(IoError::at(&self.path))
    }
}

/// Opens a file, or creates it as `options` and `creates` say. A pipe is refused: to open it would wait for its
/// other end. Nothing is created through a symbolic link.
///
/// # Errors
/// [`IoError`].
pub(super) fn open(path: &Path, options: &fs::OpenOptions, creates: bool) -> Result<File, IoError> {
    let is_pipe = fs::metadata(path).is_ok_and(|metadata| is_pipe(&metadata));
    let is_link = creates && fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_symlink());
    let mut options = options.clone();
    // The check gives the clear message, the flag is what no other process can outrun.
    let options = if creates { without_links(&mut options) } else { &options };
    let open = || match (is_pipe, is_link) {
        (true, _) => Err(io::Error::other("a pipe instead of a file")),
        (_, true) => Err(io::Error::other("a symbolic link instead of a file")),
        _ => options.open(path),
    };
    let call = if creates { Call::Create(path) } else { Call::Other };
    check(path, &call).and_then(|()| open()).map_err(IoError::at(path))
}

#[cfg(unix)]
fn is_pipe(metadata: &fs::Metadata) -> bool {
    std::os::unix::fs::FileTypeExt::is_fifo(&metadata.file_type())
}

#[cfg(not(unix))]
fn is_pipe(_: &fs::Metadata) -> bool {
    false
}

/// Fills `buffer`; the system may take several reads for that.
fn read_at(path: &Path, file: &File, mut buffer: &mut [u8], mut offset: u64) -> io::Result<()> {
    while !buffer.is_empty() {
        match at_once(path, buffer.len()).and_then(|most| read_some(file, &mut buffer[..most], offset)) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(read) => (buffer, offset) = (&mut buffer[read..], offset + read as u64),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Writes all bytes; the system may take several writes for that.
fn write_at(path: &Path, file: &File, mut bytes: &[u8], mut offset: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        match at_once(path, bytes.len()).and_then(|most| write_some(file, &bytes[..most], offset)) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(written) => (bytes, offset) = (&bytes[written..], offset + written as u64),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

#[cfg(unix)]
fn read_some(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    file.read_at(buffer, offset)
}

#[cfg(unix)]
fn write_some(file: &File, bytes: &[u8], offset: u64) -> io::Result<usize> {
    file.write_at(bytes, offset)
}

#[cfg(windows)]
fn read_some(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    file.seek_read(buffer, offset)
}

#[cfg(windows)]
fn write_some(file: &File, bytes: &[u8], offset: u64) -> io::Result<usize> {
    file.seek_write(bytes, offset)
}

// Without a system no file is ever opened, so nothing gets here.
#[cfg(not(any(unix, windows)))]
fn read_some(_: &File, _: &mut [u8], _: u64) -> io::Result<usize> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(not(any(unix, windows)))]
fn write_some(_: &File, _: &[u8], _: u64) -> io::Result<usize> {
    Err(io::ErrorKind::Unsupported.into())
}

/// All bytes of a file.
///
/// # Errors
/// [`IoError`].
pub fn read(path: &Path) -> Result<Vec<u8>, IoError> {
    let mut bytes = check(path, &Call::Other).and_then(|()| fs::read(path)).map_err(IoError::at(path))?;
    spoil(path, &mut bytes);
    Ok(bytes)
}

/// All bytes of a file that belongs to this user and is no symbolic link.
///
/// # Errors
/// [`IoError`].
pub fn read_own(path: &Path) -> Result<Vec<u8>, IoError> {
    let mut options = File::options();
    let file = open(path, without_links(options.read(true)), false)?;
    let is_own = file.metadata().map(|metadata| owner::is_own(&metadata)).map_err(IoError::at(path))?;
    if !is_own {
        return Err(IoError { path: path.into(), error: io::Error::other("it belongs to another user") });
    }
    let file = DataFile { path: path.into(), file };
    let mut bytes = vec![0; usize::try_from(file.bytes()?).unwrap_or(usize::MAX)];
    file.read_at(&mut bytes, 0)?;
    Ok(bytes)
}

/// Whether the user can create files in a directory that exists.
pub fn is_writable(directory: &Path) -> bool {
    #[cfg(unix)]
    {
        use rustix::fs::{Access, AtFlags, CWD, accessat};
        accessat(CWD, directory, Access::WRITE_OK | Access::EXEC_OK, AtFlags::EACCESS).is_ok()
    }
    #[cfg(not(unix))]
    directory.is_dir()
}

/// Gives the file `from` the name `to` in the same directory, in place of the file that has it,
/// and makes that durable where the system can.
///
/// # Errors
/// [`IoError`].
pub fn rename(from: &Path, to: &Path) -> Result<(), IoError> {
    check(to, &Call::Rename(from, to)).and_then(|()| fs::rename(from, to)).map_err(IoError::at(to))?;
    let directory = to.parent().filter(|path| !path.as_os_str().is_empty()).unwrap_or(Path::new("."));
    sync_directory(directory)
}

/// Makes the names of a directory's files durable where the system can.
///
/// # Errors
/// [`IoError`].
pub(super) fn sync_directory(directory: &Path) -> Result<(), IoError> {
    #[cfg(unix)]
    {
        let sync = || match is_real(directory) {
            true => File::open(directory).and_then(|file| file.sync_all()),
            false => Ok(()),
        };
        check(directory, &Call::SyncDirectory(directory))
            .and_then(|()| sync())
            .map_err(IoError::at(directory))?;
    }
    #[cfg(not(unix))]
    let _ = directory;
    Ok(())
}

/// Removes a file. Returns whether it existed.
///
/// # Errors
/// [`IoError`].
pub fn remove(path: &Path) -> Result<bool, IoError> {
    match check(path, &Call::Remove(path)).and_then(|()| fs::remove_file(path)) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(IoError { path: path.into(), error }),
    }
}

/// The size of a file in bytes.
///
/// # Errors
/// [`IoError`].
pub fn file_bytes(path: &Path) -> Result<u64, IoError> {
    fs::metadata(path).map(|metadata| metadata.len()).map_err(IoError::at(path))
}

/// Makes a directory and those above it, unless they exist.
///
/// # Errors
/// [`IoError`].
pub fn create_directory(path: &Path) -> Result<(), IoError> {
    check(path, &Call::Other).and_then(|()| fs::create_dir_all(path)).map_err(IoError::at(path))
}

/// Makes a directory that only this user can enter, and those above it, unless they exist.
///
/// # Errors
/// [`IoError`].
pub fn create_own_directory(path: &Path) -> Result<(), IoError> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    check(path, &Call::Other).and_then(|()| builder.create(path)).map_err(IoError::at(path))
}

/// The names of the files in a directory.
///
/// # Errors
/// [`IoError`].
pub fn file_names(directory: &Path) -> Result<Vec<String>, IoError> {
    let name = |entry: io::Result<fs::DirEntry>| Ok(entry?.file_name().to_string_lossy().into_owned());
    let names = check(directory, &Call::Other)
        .and_then(|()| fs::read_dir(directory))
        .and_then(|entries| entries.map(name).collect());
    names.map_err(IoError::at(directory))
}

/// The bytes that are free in the file system of a directory.
///
/// # Errors
/// [`IoError`].
pub fn available_space(directory: &Path) -> Result<u64, IoError> {
    #[cfg(not(target_family = "wasm"))]
    let space = fs4::available_space(directory);
    #[cfg(target_family = "wasm")]
    let space = Err(io::ErrorKind::Unsupported.into());
    space.map_err(IoError::at(directory))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_read_and_written_at_any_position() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("data");
        let file = DataFile::create(&path).unwrap();
        file.write_at(b"world", 6).unwrap();
        file.write_at(b"hello ", 0).unwrap();
        file.sync().unwrap();
        let file = DataFile::open(&path).unwrap();
        let mut part = [0; 4];
        file.read_at(&mut part, 4).unwrap();
        assert_eq!(&part, b"o wo");
        let short = file.read_at(&mut part, 8).unwrap_err();
        assert_eq!((short.error.kind(), &*short.path), (io::ErrorKind::UnexpectedEof, &*path));
        let file = DataFile::open_for_writing(&path).unwrap();
        file.set_bytes(3).unwrap();
        assert_eq!((file.bytes().unwrap(), read(&path).unwrap()), (3, b"hel".to_vec()));
    }

    #[test]
    fn files_are_renamed_listed_and_removed() {
        let home = tempfile::tempdir().unwrap();
        let [a, b] = ["a", "b"].map(|name| home.path().join(name));
        for (path, bytes) in [(&a, b"1"), (&b, b"2")] {
            DataFile::create(path).unwrap().write_at(bytes, 0).unwrap();
        }
        rename(&a, &b).unwrap();
        assert_eq!((file_names(home.path()).unwrap(), read(&b).unwrap()), (vec!["b".into()], b"1".to_vec()));
        assert!(remove(&b).unwrap() && !remove(&b).unwrap());
        assert!(available_space(home.path()).unwrap() > 0);
        assert_eq!(DataFile::open(&b).unwrap_err().error.kind(), io::ErrorKind::NotFound);
    }
}
