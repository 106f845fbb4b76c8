//! The words of the command line: those of the process, unless a host that runs the program gave others.

use std::env;
use std::ffi::OsString;
use std::sync::{OnceLock, PoisonError, RwLock};

static GIVEN: OnceLock<RwLock<Vec<OsString>>> = OnceLock::new();

/// Sets the words, the program's name first, for a program that a host runs within its own process.
pub(crate) fn set(words: Vec<OsString>) {
    *GIVEN.get_or_init(RwLock::default).write().unwrap_or_else(PoisonError::into_inner) = words;
}

/// The words of the command line, the program's name first.
pub fn words() -> Vec<OsString> {
    let given = GIVEN.get().map(|given| given.read().unwrap_or_else(PoisonError::into_inner).clone());
    given.unwrap_or_else(|| env::args_os().collect())
}
