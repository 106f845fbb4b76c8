//! `cube-opt group`, `solve --moves` and `solve --metric stm`.

use super::harness::{cube_opt, redacted, run};
use insta::assert_snapshot;

#[test]
fn groups() {
    assert_snapshot!(
        [
            run("group 'U2 R2 F2'"),
            run("group --json --examples 1 'U M'"),
            run("group --metric qtm --examples 0 'U D'"),
            run("group --order 'U R F D L B'"),
            run("group --memory 50MiB --quiet 'U R'"),
            run("group --memory 50MiB 'U R'"),
        ]
        .join("\n")
    );
}

#[test]
fn two_faces_have_the_known_positions() {
    let output = cube_opt("group --json --examples 1 'R U'").output().unwrap();
    let record: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&record["positions"], &record["diameter"]), (&73_483_200.into(), &20.into()));
    assert_eq!(record["counts"].as_array().unwrap().last(), Some(&54.into()));
}

#[test]
fn invalid_sets_are_refused() {
    assert_snapshot!(
        [
            run("group ''"),
            run("group 'R U-'"),
            run("group 'R x'"),
            run("group 'R Q'"),
            run("group --metric qtm 'R2'"),
            run("group --metric htm 'M U'"),
        ]
        .join("\n")
    );
}

#[test]
fn solving_with_chosen_moves() {
    assert_snapshot!(
        [
            run("solve --quiet --moves 'U2 R2 F2' 'U2 R2 F2 U2' 'R2'"),
            run("solve --moves 'U2 R2 F2' 'U'"),
            run("solve --quiet --moves 'U M' 'M U M2' 'x y M3 U3' 'R'"),
            run("solve --quiet --moves 'U2 R2' --all 'U2 R2 U2 R2 U2 R2'"),
            run("solve --quiet --moves 'U2 R2 F2' --goal 'R2 F2' 'R2'"),
            run("solve --quiet --moves 'U2 R2 F2' --max-depth 2 'U2 R2 F2'"),
            run("solve --quiet --moves 'U Rw2' --extra 1 'Rw2 U'"),
        ]
        .join("\n")
    );
}

/// The steps of a fewest-moves solution: each with the moves that preserve the one before.
#[test]
fn reductions_with_chosen_moves() {
    let htr = "--moves 'U2 D2 R2 L2 F2 B2'";
    assert_snapshot!(
        [
            run("solve --quiet --deterministic --moves 'U D R2 L2 F2 B2' --goal-set htr 'U R2 F2 D L2 U2 B2'"),
            run(&format!("solve --quiet --deterministic {htr} --goal-set fr 'U2 R2 F2 D2 L2 U2' 'R2 F2' 'x U2 L2 D2 B2'")),
            run(&format!("solve --quiet {htr} --goal-set floppy --bottom any --all 'U2 R2 F2 D2 L2 U2'")),
            run("solve --quiet --deterministic --moves 'R2 L2 F2 B2' 'R2 F2 L2 B2 R2'"),
            run("solve --quiet --goal-set fr 'R2 F2 U'"),
            run("solve --quiet --goal-set fr --certificate none.jsonl 'R2'"),
        ]
        .join("\n")
    );
}

/// The moves' group proves that no solution exists, so no table is built.
#[test]
fn no_table_is_built_for_a_cube_without_solution() {
    let dir = tempfile::tempdir().unwrap();
    let (tables, none) = (dir.path().to_str().unwrap(), "solve --moves 'U R F' 'B' 'U R D'");
    let output = cube_opt(&format!("{none} --tables '{tables}'")).output().unwrap();
    assert_eq!(output.status.code(), Some(3));
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "no solution\nno solution\n");
    assert_eq!(dir.path().read_dir().unwrap().count(), 0);
}

#[test]
fn options_that_chosen_moves_do_not_support() {
    assert_snapshot!(
        [
            run("solve --moves 'U R' --heuristic corners 'R'"),
            run("solve --moves 'U R' --algorithm shamir 'R'"),
            run("solve --moves 'U Rw' --only D 'R'"),
            run("solve --metric stm --goal-set htr 'R2'"),
            run("solve --quiet --moves 'U R' --only D 'R F'"),
            run("solve --moves 'U R' --certificate none.jsonl 'R'"),
            run("scramble --seed 1 --shortest --metric stm --heuristic corners"),
        ]
        .join("\n")
    );
}

#[test]
fn the_record_names_the_set_and_its_tables() {
    let record = run("solve --quiet --json --threads 1 --moves 'U2 R2 F2' 'U2 R2 F2'");
    assert_snapshot!(redacted(&record, ""));
}

/// From both ends, with the cosets under slice turns; one of equivalent solutions; cubes as moves.
#[test]
fn solving_with_slices() {
    assert_snapshot!(
        [
            run("solve --quiet --metric stm --deterministic 'M E' 'R L' 'x R U M' 'R L F B U'"),
            run("solve --quiet --metric stm --all 'M2 E2'"),
            run("solve --quiet --metric stm --all --unique 'M2 E2'"),
            run("solve --quiet --moves 'U2 R2' --all --unique 'U2 R2 U2 R2 U2 R2'"),
            run("solve --quiet --metric stm --deterministic --goal 'four spots' ''"),
            run("convert --quiet --to moves --metric stm UUUUUUUUULLLLLLLLLBBBBBBBBBDDDDDDDDDRRRRRRRRRFFFFFFFFF"),
            run("convert --quiet --to moves --metric stm 'FFRUURFFRUUURRDUUURRBDFDRRBBBLDDLBBLDFDULLDFDFLLBBBFLL'"),
            run("solve --quiet --metric stm --max-depth 3 'R U F2 L M'"),
        ]
        .join("\n")
    );
}

/// The verdicts of the referee on certificates in slice turns, by its own search.
#[test]
fn certificates_of_slice_turns_are_proved() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("slices.jsonl");
    let solve = "solve --metric stm --all --unique --quiet --max-depth 5 --certificate";
    let told = run(&format!("{solve} {} 'M E' 'x R U M' 'R L F B U' 'R U F2 L M B D'", file.display()));
    assert!(told.contains("exit code: 4\n"), "{told}");
    let certificates = std::fs::read_to_string(&file).unwrap();
    assert_eq!(certificates.lines().count(), 4);
    for line in certificates.lines() {
        let certificate = referee::certificate::Certificate::parse(line).unwrap();
        let report = certificate.check(referee::certificate::Effort { states: 300_000 });
        assert!(report.stands() && report.proved, "{line}\n{report:?}");
    }
}
