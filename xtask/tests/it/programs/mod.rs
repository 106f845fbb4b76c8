//! The programs from a user's point of view: the help of every command, every kind of failure, the lines of `--json`, the
//! commands that the documents show; and killed work, damaged files and hostile inputs in small numbers.
//!
//! Help and failures are pinned by snapshots. If a change is intended, rewrite them and those of the crates' own tests,
//! and review the diff: `INSTA_UPDATE=always cargo test --workspace --test it --test topspin -- programs:: cli::`.
//!
//! The programs are those beside this test, as built by `cargo test --workspace`, or those in the folder that
//! `$PROGRAMS` names. Cargo builds a program only for the tests of its own package, hence `--workspace` and `--test
//! topspin`.

mod certificates;
#[cfg(unix)]
mod documented;
#[cfg(unix)]
mod failures;
mod help;
#[cfg(target_os = "linux")]
mod memory;
#[cfg(unix)]
mod package;
mod program;
mod records;
#[cfg(unix)]
mod regressions;
#[cfg(target_os = "linux")]
mod resume_names;
#[cfg(target_os = "linux")]
mod stops;
#[cfg(unix)]
mod trust;
mod units;
