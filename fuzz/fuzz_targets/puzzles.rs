//! Fuzzes `puzzle_checks::puzzles`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| puzzle_checks::puzzles::check(data));
