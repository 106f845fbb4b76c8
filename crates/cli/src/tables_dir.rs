//! Where table files lie: `--tables`, else `$OPTIMAL_PUZZLES_TABLES`, else the cache directory.

use crate::failure::Failure;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The variable that names the directory of tables.
const VARIABLE: &str = "OPTIMAL_PUZZLES_TABLES";

/// The directory of tables; it need not exist yet. `variable` reads an environment variable.
///
/// # Errors
/// When neither the argument nor any of the variables names a directory.
pub fn resolve(
    argument: Option<&Path>,
    variable: impl Fn(&str) -> Option<OsString>,
) -> Result<PathBuf, Failure> {
    let set = |name: &str| variable(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    // The base directory specification ignores relative paths.
    let absolute = |name: &str| set(name).filter(|path| path.is_absolute());
    argument
        .map(Path::to_path_buf)
        .or_else(|| set(VARIABLE))
        .or_else(|| absolute("XDG_CACHE_HOME").map(|cache| cache.join("optimal-puzzles")))
        .or_else(|| absolute("HOME").map(|home| home.join(".cache").join("optimal-puzzles")))
        .or_else(|| absolute("LOCALAPPDATA").map(|cache| cache.join("optimal-puzzles")))
        .ok_or_else(|| {
            Failure::usage("no directory for tables: there is no cache directory, as HOME is not set")
                .with_remedy(format_args!("name one with --tables DIR or ${VARIABLE}"))
        })
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn with(argument: Option<&str>, set: &[(&str, &str)]) -> Option<PathBuf> {
        let variable = |name: &str| set.iter().find(|(key, _)| *key == name).map(|(_, value)| value.into());
        resolve(argument.map(Path::new), variable).ok()
    }

    #[test]
    fn the_argument_goes_before_the_variable_before_the_cache() {
        let all = [(VARIABLE, "/v"), ("XDG_CACHE_HOME", "/x"), ("HOME", "/h")];
        assert_eq!(with(Some("arg"), &all), Some("arg".into()));
        assert_eq!(with(None, &all), Some("/v".into()));
        assert_eq!(with(None, &all[1..]), Some("/x/optimal-puzzles".into()));
        assert_eq!(with(None, &all[2..]), Some("/h/.cache/optimal-puzzles".into()));
        assert_eq!(with(None, &[("XDG_CACHE_HOME", "relative"), ("HOME", "/h")]), with(None, &all[2..]));
        assert_eq!(with(None, &[(VARIABLE, "")]), None);
    }
}
