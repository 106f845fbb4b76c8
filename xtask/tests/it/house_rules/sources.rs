//! The files that the rules read, and the lists of known exceptions.

use std::collections::BTreeSet;
use std::fmt::Display;
use std::fs;
use std::path::{Path, PathBuf};

/// One text file of the repository.
pub struct File {
    /// Its path from the root of the repository, with `/` between the parts.
    pub path: String,
    /// Its contents.
    pub text: String,
}

/// The root of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the repository").to_path_buf()
}

/// Every file whose name ends in `ending`, sorted by path.
pub fn files(ending: &str) -> Vec<File> {
    let read = |path: &String| fs::read_to_string(root().join(path)).expect("a text file");
    let paths = all_paths().into_iter().filter(|path| path.ends_with(ending));
    paths.map(|path| File { text: read(&path), path }).collect()
}

/// The path of every file and folder of the repository, without build results and hidden folders
/// but those of the project's own checks.
pub fn all_paths() -> BTreeSet<String> {
    let mut paths = BTreeSet::new();
    collect(&root(), "", &mut paths);
    paths
}

fn collect(folder: &Path, prefix: &str, paths: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let skipped = matches!(&name[..], "target" | ".git" | "node_modules" | "__pycache__" | ".venv");
        if skipped || name.ends_with(".snap.new") {
            continue;
        }
        let path = format!("{prefix}{name}");
        if entry.path().is_dir() {
            collect(&entry.path(), &format!("{path}/"), paths);
        }
        paths.insert(path);
    }
}

/// Compares the exceptions to a rule with the known ones; both must be the same.
///
/// # Panics
/// Names what is new and which exceptions are no longer needed.
pub fn assert_known<T: Display>(rule: &str, found: impl IntoIterator<Item = T>, known: &[&str]) {
    let found: BTreeSet<String> = found.into_iter().map(|item| item.to_string()).collect();
    let known: BTreeSet<String> = known.iter().map(|item| (*item).to_owned()).collect();
    let list = |items: Vec<&String>| items.iter().map(|item| format!("\n  {item}")).collect::<String>();
    let new = list(found.difference(&known).collect());
    let stale = list(known.difference(&found).collect());
    assert!(new.is_empty(), "{rule}; not so:{new}");
    assert!(stale.is_empty(), "{rule}; remove these exceptions, they are no longer needed:{stale}");
}
