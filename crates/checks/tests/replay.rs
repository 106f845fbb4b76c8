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
