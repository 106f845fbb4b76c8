//! Tells the program what it was built from: a digest of the sources of each puzzle, so that kept
//! results of an older program are recognised, and the compiler and flags for the report.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use xxhash_rust::xxh3::Xxh3;

/// What the results of each puzzle depend on, beside `search-core`, relative to the repository.
const PUZZLES: [(&str, [&str; 3]); 3] = [
    ("CUBE", ["crates/cube/src", "xtask/src/cube", "fixtures/cube"]),
    ("TILES", ["crates/slidetile/src", "xtask/src/tiles", "fixtures/sliding-tiles"]),
    ("HANOI", ["crates/hanoi4/src", "xtask/src/hanoi", "fixtures/hanoi"]),
];

fn main() {
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR").expect("set by cargo")).join("..");
    for (puzzle, folders) in PUZZLES {
        let mut digest = Xxh3::new();
        for folder in folders.iter().chain(&["crates/search-core/src"]) {
            println!("cargo::rerun-if-changed={}", root.join(folder).display());
            add(&mut digest, &root.join(folder), folder);
        }
        println!("cargo::rustc-env=SOURCES_{puzzle}={:016x}", digest.digest());
    }
    let rustc = Command::new(env::var("RUSTC").expect("set by cargo")).arg("--version").output();
    let version = rustc.map(|out| String::from_utf8_lossy(&out.stdout).trim().to_owned());
    println!("cargo::rustc-env=COMPILER={}", version.unwrap_or_else(|_| "unknown".into()));
    let of = |name: &str| env::var(name).unwrap_or_default();
    let flags = of("CARGO_ENCODED_RUSTFLAGS").replace('\u{1f}', " ");
    let flags = if flags.is_empty() { "default".to_owned() } else { flags };
    println!("cargo::rustc-env=BUILD={} for {}, flags {flags}", of("PROFILE"), of("TARGET"));
}

/// Adds every file below `folder`, with its name, in a fixed order. Command lines do not matter, nor do
/// lines of Rust that are empty or only a comment.
fn add(digest: &mut Xxh3, folder: &Path, name: &str) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut entries: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    entries.sort();
    for path in entries {
        let file = path.file_name().expect("an entry has a name").to_string_lossy().into_owned();
        let name = format!("{name}/{file}");
        if path.is_dir() && !matches!(&file[..], "cli" | "bin") {
            add(digest, &path, &name);
        } else if let Ok(bytes) = fs::read(&path) {
            digest.update(name.as_bytes());
            for line in bytes.split(|&byte| byte == b'\n') {
                let text = line.trim_ascii_start();
                if !(file.ends_with(".rs") && (text.is_empty() || text.starts_with(b"//"))) {
                    digest.update(line);
                    digest.update(b"\n");
                }
            }
        }
    }
}
