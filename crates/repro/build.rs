//! Passes the compiler and its flags to the program, which states them in its reports.

use std::env;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let rustc = Command::new(env::var("RUSTC").expect("set by cargo")).arg("--version").output();
    let version = rustc.map(|out| String::from_utf8_lossy(&out.stdout).trim().to_owned());
    println!("cargo::rustc-env=COMPILER={}", version.unwrap_or_else(|_| "unknown".into()));
    let of = |name: &str| env::var(name).unwrap_or_default();
    let flags = of("CARGO_ENCODED_RUSTFLAGS").replace('\u{1f}', " ");
    let flags = if flags.is_empty() { "default".to_owned() } else { flags };
    println!("cargo::rustc-env=BUILD={} for {}, flags {flags}", of("PROFILE"), of("TARGET"));
}
