//! Fuzzes `puzzle_checks::checkpoints`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| puzzle_checks::checkpoints::check(data));
