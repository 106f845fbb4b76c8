//! The task writes exactly the sample of the data sets in `fixtures/datasets`, also after a kill.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The sets of the sample, with the arguments that wrote them.
const SETS: [(&str, &[&str]); 2] = [
    ("fifteen-seed-1", &["fifteen", "--count", "10", "--heuristic", "korf96"]),
    (
        "cube-distances-seed-1",
        &["cube-distances", "--count", "3", "--farthest", "8", "--heuristic", "manhattan-max"],
    ),
];

fn sample() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/datasets")
}

/// Writes a set to `folder`. Returns whether it succeeded, and its standard error.
fn write(arguments: &[&str], folder: &Path) -> (bool, String) {
    let mut task = Command::new(env!("CARGO_BIN_EXE_xtask"));
    task.arg("datasets").args(arguments).arg("--out").arg(folder).arg("--tables").arg(folder.join("tables"));
    let output = task.output().expect("the task runs");
    (output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned())
}

fn assert_is_sample(name: &str, folder: &Path) {
    for ending in ["jsonl", "csv", "json"] {
        let file = format!("{name}.{ending}");
        let ours = fs::read_to_string(folder.join(&file)).expect("a file");
        let kept = fs::read_to_string(sample().join(&file)).expect("a file of the sample");
        assert!(ours == kept, "{file} differs: {ours}");
    }
}

#[test]
fn the_sample_is_written_again() {
    for (name, arguments) in SETS {
        let folder = tempfile::tempdir().expect("a folder");
        let (done, error) = write(arguments, folder.path());
        assert!(done, "{error}");
        assert_is_sample(name, folder.path());

        // A kill leaves a part of the rows, the last of them cut off.
        let lines = folder.path().join(format!("{name}.jsonl"));
        let text = fs::read_to_string(&lines).expect("rows");
        fs::write(&lines, &text[..text.len() / 2]).expect("fewer rows");
        let (done, error) = write(arguments, folder.path());
        assert!(done, "{error}");
        assert_is_sample(name, folder.path());
    }
}

#[test]
fn a_set_is_not_continued_with_another_heuristic() {
    let folder = tempfile::tempdir().expect("a folder");
    assert!(write(&["fifteen", "--count", "1", "--heuristic", "korf96"], folder.path()).0);
    let (done, error) = write(&["fifteen", "--count", "2", "--heuristic", "lc"], folder.path());
    assert!(!done && error.contains("made with other settings"), "{error}");
}
