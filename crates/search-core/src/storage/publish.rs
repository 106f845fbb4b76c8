//! Publication: a file appears under its name complete, or not at all.
//!
//! The file is written under another name in the same directory, synced and renamed. So a reader
//! finds the old file or the complete new one, even after a power failure, and whatever goes wrong
//! before the rename leaves the old one.

use super::file::{Access, DataFile, IoError, remove, rename};
use std::path::Path;

/// Publishes what `write` writes as `target`, by way of the file `temporary` in the same directory,
/// which is overwritten if it exists, and gone afterwards, whatever happens.
///
/// # Errors
/// The errors of `write`, and [`IoError`]; then `target` is as it was before, or new if only its name
/// could not be made durable.
pub fn publish<E: From<IoError>>(
    target: &Path,
    temporary: &Path,
    write: impl FnOnce(&DataFile) -> Result<(), E>,
) -> Result<(), E> {
    publish_for(Access::Shared, target, temporary, write)
}

/// [`publish`] of a file that users have this access to.
///
/// # Errors
/// As there.
pub fn publish_for<E: From<IoError>>(
    access: Access,
    target: &Path,
    temporary: &Path,
    write: impl FnOnce(&DataFile) -> Result<(), E>,
) -> Result<(), E> {
    let written = (|| {
        let file = DataFile::create_for(temporary, access)?;
        write(&file)?;
        Ok(file.sync()?)
    })();
    let published = written.and_then(|()| Ok(rename(temporary, target)?));
    if published.is_err() {
        // The first error is the one to report; a file that stays only takes space.
        let _ = remove(temporary);
    }
    published
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::{file_names, read};

    #[test]
    fn a_failed_publication_leaves_the_old_file_alone() {
        let home = tempfile::tempdir().unwrap();
        let [target, temporary] = ["target", "temporary"].map(|name| home.path().join(name));
        let write = |bytes: &'static [u8]| move |file: &DataFile| file.write_at(bytes, 0);
        publish(&target, &temporary, write(b"old")).unwrap();
        let failed = publish(&target, &temporary, |file| {
            file.write_at(b"half", 0)?;
            DataFile::open(&home.path().join("none")).map(drop)
        });
        assert!(failed.is_err());
        assert_eq!(
            (file_names(home.path()).unwrap(), read(&target).unwrap()),
            (vec!["target".into()], b"old".to_vec())
        );
        publish(&target, &temporary, write(b"new")).unwrap();
        assert_eq!(
            (file_names(home.path()).unwrap(), read(&target).unwrap()),
            (vec!["target".into()], b"new".to_vec())
        );
    }
}
