//! Small text files with a checksum: a line with the hash of the rest of the file, then the text. A damaged file is not read.

use search_core::storage::{Access, IoError, publish, publish_for, read};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::path::Path;
use xxhash_rust::xxh3::xxh3_64;

/// The content of the file for `text`. `magic` is its beginning.
pub fn seal(magic: &str, text: &str) -> String {
    format!("{magic} {:016x}\n{text}", xxh3_64(text.as_bytes()))
}

/// The text in a file's bytes, or `None` if they are damaged or do not begin with `magic`.
pub fn unseal<'a>(magic: &str, bytes: &'a [u8]) -> Option<&'a str> {
    let (first, text) = std::str::from_utf8(bytes).ok()?.split_once('\n')?;
    let hash = first.strip_prefix(magic)?.strip_prefix(' ')?;
    (hash == format!("{:016x}", xxh3_64(text.as_bytes()))).then_some(text)
}

/// Writes a file atomically, by way of one with the extension `partial`.
///
/// # Errors
/// [`IoError`]; then the file is unchanged.
pub fn write(path: &Path, text: &str) -> Result<(), IoError> {
    publish(path, &path.with_extension("partial"), |file| file.write_at(text.as_bytes(), 0))
}

/// [`write()`] of a file that only this user can read.
///
/// # Errors
/// As there.
pub fn write_own(path: &Path, text: &str) -> Result<(), IoError> {
    let partial = path.with_extension("partial");
    publish_for(Access::Own, path, &partial, |file| file.write_at(text.as_bytes(), 0))
}

/// Writes a file of JSON.
///
/// # Errors
/// [`IoError`]; then the file is unchanged.
///
/// # Panics
/// If `contents` cannot be JSON.
pub fn write_json(path: &Path, magic: &str, contents: &impl Serialize) -> Result<(), IoError> {
    let text = serde_json::to_string(contents).expect("it can be written as JSON");
    write(path, &seal(magic, &format!("{text}\n")))
}

/// The value in a file of JSON, or `None` if the file is damaged, does not begin with `magic`, or has another form.
///
/// # Errors
/// [`IoError`].
pub fn read_json<T: DeserializeOwned>(path: &Path, magic: &str) -> Result<Option<T>, IoError> {
    let bytes = read(path)?;
    Ok(unseal(magic, &bytes).and_then(|text| serde_json::from_str(text).ok()))
}
