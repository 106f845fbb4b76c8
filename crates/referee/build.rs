//! Passes on what Cargo says of the build, for `--version`.

use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=OPTIMAL_PUZZLES_COMMIT");
    let variable = |name: &str| env::var(name).unwrap_or_default();
    let commit = env::var("OPTIMAL_PUZZLES_COMMIT").ok().or_else(packed);
    let commit = commit.and_then(|commit| Some(format!("commit {}, ", commit.get(..9)?))).unwrap_or_default();
    println!("cargo::rustc-env=BUILD_OF={commit}{}", variable("TARGET"));
}

/// The commit of a package from crates.io, which Cargo writes beside the manifest. A build from a clone has none, unless
/// `$OPTIMAL_PUZZLES_COMMIT` names it, so that a commit does not compile everything again.
fn packed() -> Option<String> {
    let text = fs::read_to_string(".cargo_vcs_info.json").ok()?;
    text.split('"').skip_while(|word| *word != "sha1").nth(2).map(str::to_owned)
}
