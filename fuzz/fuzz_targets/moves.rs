//! Fuzzes `puzzle_checks::moves`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| puzzle_checks::moves::check(data));
