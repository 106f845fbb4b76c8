//! Replays the kept inputs of the fuzz targets: examples, and every input that once failed a check.

use puzzle_checks::CHECKS;
use std::fs;
use std::path::Path;

#[test]
fn kept_inputs_pass_every_check() {
    let seeds = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds");
    for (name, check) in CHECKS {
        let folder = fs::read_dir(seeds.join(name)).expect("a folder of inputs");
        let mut files: Vec<_> = folder.map(|entry| entry.expect("an input").path()).collect();
        files.sort();
        assert!(files.len() >= 10, "{name} has {} inputs", files.len());
        for file in files {
            // The name is shown if the check panics.
            println!("{}", file.display());
            check(&fs::read(&file).expect("an input can be read"));
        }
    }
}

/// The number of mutations of each kept input of the readers of puzzles.
const MUTATIONS: u64 = 200;

/// The characters that readers treat specially, and some others.
const MARKS: &[u8] = b"0123456789-;,{}[]() \n'\"x";

/// A random number below `limit`: the high bits of a linear congruential generator.
fn below(state: &mut u64, limit: usize) -> usize {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) as usize % limit
}

/// Some edits of a text: pieces that are left out, repeated or moved, and characters that are replaced by others of it or
/// by numbers.
fn mutated(input: &[u8], number: u64) -> Vec<u8> {
    let (mut bytes, mut state) = (input.to_vec(), number.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    // The first two bytes select the check.
    for _ in 0..=below(&mut state, 4) {
        let at = 2 + below(&mut state, bytes.len() - 2);
        let end = (at + 1 + below(&mut state, 12)).min(bytes.len());
        match below(&mut state, 5) {
            0 if bytes.len() - (end - at) > 2 => drop(bytes.drain(at..end)),
            1 => bytes.extend_from_within(at..end),
            2 => bytes[at] = MARKS[below(&mut state, MARKS.len())],
            3 => bytes[at] = bytes[2 + below(&mut state, bytes.len() - 2)],
            _ => bytes[at..].rotate_left(end - at),
        }
    }
    bytes
}

#[test]
fn mutated_puzzles_pass_their_check() {
    let seeds = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds/puzzles");
    let folder = fs::read_dir(seeds).expect("a folder of inputs");
    for file in folder.map(|entry| entry.expect("an input").path()) {
        let input = fs::read(&file).expect("an input can be read");
        for number in 0..MUTATIONS {
            let mutated = mutated(&input, number);
            // The text is shown if the check panics.
            println!("{} {number}: {}", file.display(), String::from_utf8_lossy(&mutated));
            puzzle_checks::puzzles::check(&mutated);
        }
    }
}

/// Each check also on short inputs with every kind of first byte.
#[test]
fn short_inputs_pass_every_check() {
    for (name, check) in CHECKS {
        println!("{name}");
        check(&[]);
        for first in 0..12 {
            check(&[first]);
            (0..=255).step_by(17).for_each(|second| check(&[first, second, first ^ second, 7]));
        }
    }
}

#[test]
fn every_check_has_a_target() {
    let targets = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/fuzz_targets");
    let mut found: Vec<String> = fs::read_dir(targets)
        .expect("a folder")
        .map(|entry| {
            entry.expect("a file").path().file_stem().expect("a name").to_string_lossy().into_owned()
        })
        .collect();
    found.sort();
    assert_eq!(found, CHECKS.map(|(name, _)| name));
}
