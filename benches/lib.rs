//! Benchmarks over the public APIs; each asserts the counts that it times.
//!
//! `cargo bench -p puzzle-benches` runs them all. The files in `benches/` say what each one times.
