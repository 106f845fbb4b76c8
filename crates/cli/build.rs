//! Passes on what Cargo says of the build, for certificates.

use std::env;

fn main() {
    for name in ["TARGET", "PROFILE"] {
        println!("cargo::rustc-env=BUILD_{name}={}", env::var(name).unwrap_or_default());
    }
    println!("cargo::rerun-if-changed=build.rs");
}
