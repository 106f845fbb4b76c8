//! Fuzzes `puzzle_checks::files`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| puzzle_checks::files::check(data));
