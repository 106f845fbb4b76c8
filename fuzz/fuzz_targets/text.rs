//! Fuzzes `puzzle_checks::text`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| puzzle_checks::text::check(data));
