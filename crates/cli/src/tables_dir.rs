//! Where files lie: tables in the directories of `--tables`, else of `$OPTIMAL_PUZZLES_TABLES`, else in the cache directory;
//! checkpoints in the state directory.

use std::env::split_paths;
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

/// The variable that names the directories of tables.
pub const VARIABLE: &str = "OPTIMAL_PUZZLES_TABLES";
/// The program's part of a user's directories.
const NAME: &str = "optimal-puzzles";

/// The directories of tables, in the order in which they are read; they need not exist yet. `variable` reads an
/// environment variable. The result is empty if neither the argument nor any of the variables names a directory.
pub fn resolve(argument: Option<&OsStr>, variable: impl Fn(&str) -> Option<OsString>) -> Vec<PathBuf> {
    let list = |paths: &OsStr| -> Vec<PathBuf> {
        split_paths(paths).filter(|path| !path.as_os_str().is_empty()).collect()
    };
    match argument.map(list).or_else(|| variable(VARIABLE).map(|paths| list(&paths))) {
        Some(named) if !named.is_empty() => named,
        _ => in_users("XDG_CACHE_HOME", ".cache", variable).into_iter().collect(),
    }
}

/// The directory of this user's checkpoints; `None` if no variable names one.
pub fn state(variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    in_users("XDG_STATE_HOME", ".local/state", variable)
}

/// The program's directory in one of the user's base directories, which is in `home` where no variable names it.
fn in_users(base: &str, home: &str, variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    // The base directory specification ignores relative paths.
    let absolute = |name: &str| variable(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let base = absolute(base).or_else(|| absolute("HOME").map(|user| user.join(home)));
    base.or_else(|| absolute("LOCALAPPDATA")).map(|base| base.join(NAME))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn with(argument: Option<&str>, set: &[(&str, &str)]) -> Vec<PathBuf> {
        resolve(argument.map(OsStr::new), variables(set))
    }

    fn variables(set: &[(&str, &str)]) -> impl Fn(&str) -> Option<OsString> {
        |name| set.iter().find(|(key, _)| *key == name).map(|(_, value)| value.into())
    }

    #[test]
    fn the_argument_precedes_the_variable_and_the_variable_the_cache() {
        let all = [(VARIABLE, "/v:/w"), ("XDG_CACHE_HOME", "/x"), ("HOME", "/h")];
        let paths = |paths: &[&str]| paths.iter().map(PathBuf::from).collect::<Vec<_>>();
        assert_eq!(with(Some("arg"), &all), paths(&["arg"]));
        assert_eq!(with(Some("a::b"), &all), paths(&["a", "b"]));
        assert_eq!(with(None, &all), paths(&["/v", "/w"]));
        assert_eq!(with(None, &all[1..]), paths(&["/x/optimal-puzzles"]));
        assert_eq!(with(None, &all[2..]), paths(&["/h/.cache/optimal-puzzles"]));
        assert_eq!(with(None, &[("XDG_CACHE_HOME", "relative"), ("HOME", "/h")]), with(None, &all[2..]));
        assert_eq!(with(None, &[(VARIABLE, "")]), paths(&[]));
    }

    #[test]
    fn checkpoints_are_in_the_state_directory() {
        let of = |set: &[(&str, &str)]| state(variables(set));
        assert_eq!(of(&[("XDG_STATE_HOME", "/s"), ("HOME", "/h")]), Some("/s/optimal-puzzles".into()));
        assert_eq!(of(&[("HOME", "/h")]), Some("/h/.local/state/optimal-puzzles".into()));
        assert_eq!(of(&[]), None);
    }
}
