//! Tells the program what it was built from: a digest of the sources of each job, so that kept results of
//! another program are recognised, and the compiler and flags for the report.

mod digests;
mod sources;

use std::env;
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use xxhash_rust::xxh3::xxh3_64;

fn main() {
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR").expect("set by cargo")).join("..");
    for folder in digests::FOLDERS {
        println!("cargo::rerun-if-changed={}", root.join(folder).display());
    }
    let read = |file: &str| fs::read_to_string(root.join(file)).ok();
    let digests = digests::of(&read).unwrap_or_else(|problem| panic!("the sources of the jobs: {problem}"));
    let out = PathBuf::from(env::var("OUT_DIR").expect("set by cargo")).join("sources.rs");
    fs::write(out, format!("{digests:?}")).expect("the folder of the build can be written");
    for (puzzle, module) in digests::PAPERS {
        let of_paper: Vec<_> = digests.iter().filter(|(function, _)| function.starts_with(module)).collect();
        let digest = xxh3_64(format!("{of_paper:?}").as_bytes());
        println!("cargo::rustc-env=SOURCES_{puzzle}={digest:016x}");
    }
    let rustc = Command::new(env::var("RUSTC").expect("set by cargo")).arg("--version").output();
    let version = rustc.map(|out| String::from_utf8_lossy(&out.stdout).trim().to_owned());
    println!("cargo::rustc-env=COMPILER={}", version.unwrap_or_else(|_| "unknown".into()));
    let of = |name: &str| env::var(name).unwrap_or_default();
    let flags = of("CARGO_ENCODED_RUSTFLAGS").replace('\u{1f}', " ");
    let flags = if flags.is_empty() { "default".to_owned() } else { flags };
    println!("cargo::rustc-env=BUILD={} for {}, flags {flags}", of("PROFILE"), of("TARGET"));
}
