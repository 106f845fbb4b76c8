//! What `cargo xtask trust` tries, in small numbers.

use crate::program;
use search_core::Run;
use xtask::trust::{Outcome, kill_all, mutate_all};

fn assert_kept(outcomes: &[Outcome]) {
    for outcome in outcomes {
        assert!(outcome.broken.is_empty(), "{outcome}");
    }
}

#[test]
fn killed_work_ends_as_if_undisturbed() {
    let outcomes = kill_all(&program::folder(), 24, 1, &Run::new()).expect("the programs start");
    assert_kept(&outcomes);
    for outcome in &outcomes {
        let (kills, ends) = (&outcome.endings[0], &outcome.endings[1]);
        assert!(kills.0 == 3 && ends.0 >= 1, "{outcome}");
    }
}

#[test]
fn changed_files_and_inputs_change_no_answer() {
    let outcomes = mutate_all(&program::folder(), 450, 1, &Run::new()).expect("the programs start");
    assert_kept(&outcomes);
    let refused =
        |outcome: &&Outcome| outcome.endings.iter().any(|(count, what)| what == "refused" && *count > 9);
    assert!(outcomes.iter().filter(refused).count() >= 6, "{outcomes:?}");
}

/// A limit on the size of files ends no program by a signal.
#[test]
fn a_limit_on_the_size_of_files_is_an_error() {
    let home = tempfile::tempdir().expect("a directory");
    let build = format!(
        "ulimit -f 100; exec {} tables build --size 4x4 --quiet --tables {}",
        program::path("tile24").display(),
        home.path().display()
    );
    let output = std::process::Command::new("sh").args(["-c", &build]).output().expect("a shell");
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(1) && told.contains("remedy: free disk space"), "{output:?}");
}
