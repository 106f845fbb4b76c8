//! Where the programs lie.

use std::env;
use std::path::PathBuf;

/// The variable that names the folder of other programs than those just built.
pub const VARIABLE: &str = "PROGRAMS";

/// The folder with the programs.
pub fn folder() -> PathBuf {
    if let Some(folder) = env::var_os(VARIABLE) {
        return folder.into();
    }
    // The test lies in `deps` beside them.
    let test = env::current_exe().expect("the test's own path");
    test.ancestors().nth(2).expect("the folder of build results").to_path_buf()
}

/// A program's file.
///
/// # Panics
/// When it has not been built.
pub fn path(program: &str) -> PathBuf {
    let path = folder().join(format!("{program}{}", env::consts::EXE_SUFFIX));
    let how = "build it by `cargo build --workspace --bins`; `cargo test --workspace` does so by itself";
    assert!(path.is_file(), "there is no {}: {how}", path.display());
    path
}
