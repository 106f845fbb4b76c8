//! The tests of `cargo xtask trust`, in small numbers.

use super::program::{self, home};
use repro::trust::{Outcome, forge_all, kill_all, mutate_all};
use search_core::Run;

fn assert_kept(outcomes: &[Outcome]) {
    for outcome in outcomes {
        assert!(outcome.broken.is_empty(), "{outcome}");
    }
}

#[test]
#[ignore = ".ci/run runs it with the released programs"]
fn killed_work_ends_with_the_same_answer() {
    // A reproduction takes half a minute: the test `cli` kills one of its jobs.
    for (name, kinds) in [("tile24", 3), ("cube-opt", 6), ("puzzle-opt", 1), ("hanoi4", 4)] {
        let outcomes =
            kill_all((&program::folder(), name), 3 * kinds, 1, &Run::new()).expect("the programs start");
        assert_kept(&outcomes);
        assert_eq!(outcomes.len(), kinds);
        for outcome in &outcomes {
            let (kills, ends) = (&outcome.endings[0], &outcome.endings[1]);
            assert!(kills.0 == 3 && ends.0 >= 1, "{outcome}");
        }
    }
}

#[test]
#[ignore = ".ci/run runs it with the released programs"]
fn changed_files_and_inputs_do_not_change_answers() {
    let outcomes = mutate_all((&program::folder(), ""), 650, 1, &Run::new()).expect("the programs start");
    assert_kept(&outcomes);
    let refused =
        |outcome: &&Outcome| outcome.endings.iter().any(|(count, what)| what == "refused" && *count > 9);
    assert!(outcomes.iter().filter(refused).count() >= 6, "{outcomes:?}");
}

/// A smaller number is a test of `repro`.
#[test]
#[ignore = ".ci/run runs it with the released programs"]
fn forged_tables_are_found_and_crash_no_search() {
    assert_kept(&forge_all("", 2_400, 1, &Run::new()).expect("every table that is built is proved"));
}

/// A limit on the size of files does not end a program by a signal.
#[test]
fn a_limit_on_the_size_of_files_is_an_error() {
    let home = home();
    let build = format!(
        "ulimit -f 100; exec {} tables build --size 4x4 --quiet --tables {}",
        program::path("tile24").display(),
        home.path().display()
    );
    let output = std::process::Command::new("sh").args(["-c", &build]).output().expect("a shell");
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(1) && told.contains("remedy: free disk space"), "{output:?}");
}

/// Refused memory does not end a program by a signal.
#[cfg(target_os = "linux")]
#[test]
#[ignore = ".ci/run runs it with the released programs"]
fn refused_memory_is_an_error() {
    let home = home();
    let mut told = 0;
    for (name, work) in [
        ("cube-opt", "perft 7 --memory 4GiB"),
        ("cube-opt", "solve --heuristic korf97 R"),
        ("tile24", "tables build --size 3x5"),
        ("hanoi4", "bfs --discs 13 --method bitmap"),
        ("hanoi4", "bfs --discs 11 --method frontier"),
    ] {
        // Beginning with so little memory that the program can barely start.
        for kilobytes in [40_000, 60_000, 90_000, 140_000] {
            let script = format!(
                "ulimit -v {kilobytes}; exec {} {work} --quiet --threads 2 --tables {}",
                program::path(name).display(),
                home.path().join(kilobytes.to_string()).display()
            );
            let output = std::process::Command::new("sh").args(["-c", &script]).output().expect("a shell");
            let text = String::from_utf8_lossy(&output.stderr);
            match output.status.code() {
                Some(0) => {}
                Some(1) if text.contains("not enough memory") => told += 1,
                _ => panic!("{name} {work}, {kilobytes} kB: {}: {text}", output.status),
            }
        }
    }
    assert!(told >= 8, "{told} refusals");
}

/// A missing directory of tables is not a usage error.
#[cfg(unix)]
#[test]
fn a_removed_directory_of_tables_is_an_error_of_the_disk() {
    let home = home();
    for (name, solve) in [
        ("tile24", "solve --heuristic pdb '8 6 7 2 5 4 3 0 1'"),
        ("cube-opt", "solve --heuristic corners R"),
        ("hanoi4", "tables build --discs 6 --drop 0"),
    ] {
        let program = program::path(name);
        let script =
            format!("mkdir d && cd d && rmdir ../d && exec {} {solve} --tables tables", program.display());
        let mut shell = std::process::Command::new("sh");
        let output = shell.args(["-c", &script]).current_dir(home.path()).output().expect("a shell");
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{name}: {told}");
        assert!(told.contains("No such file or directory"), "{name}: {told}");
        assert!(told.contains("the directory of tables was removed"), "{name}: {told}");
    }
}
