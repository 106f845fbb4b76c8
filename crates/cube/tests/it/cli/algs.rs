//! `cube-opt algs`.

use super::harness::{cube_opt, run, run_with};
use insta::assert_snapshot;

/// Options for the small heuristic whose table is built in a moment.
const CORNERS: &str = "--quiet --heuristic corners";

#[test]
fn sets_are_listed() {
    assert_snapshot!(
        [
            run("algs ocll --list"),
            run("algs pll --list --case aa,T --csv"),
            run("algs zbll --list --start-at S72 --json"),
            run("algs zbll --list --case S72 --csv --no-header"),
        ]
        .join("\n")
    );
}
#[test]
fn user_defined_cases() {
    let cases = "# name: cube\nSune: R U2 R3 U3 R U3 R3\nbad: R Q\n\tF R U R' U' F'\na, \"b\"\tR\n[R: U]\n";
    assert_snapshot!(
        [
            run_with(&format!("algs {CORNERS} --top 2"), cases),
            run_with(&format!("algs {CORNERS} --csv --top 1"), cases),
            run_with(&format!("algs {CORNERS} --json --top 1"), "Sune: R U2 R3 U3 R U3 R3"),
            run(&format!("algs {CORNERS} 'one: R U' 'two: x R U'")),
        ]
        .join("\n")
    );
}

#[test]
fn free_turns_and_ranking() {
    let case = "'R U R3 U R U2 R3 U'";
    assert_snapshot!(
        [
            run(&format!("algs {CORNERS} --auf none {case}")),
            run(&format!("algs {CORNERS} --auf after --top 3 {case}")),
            run(&format!("algs {CORNERS} --rotations {case}")),
            run(&format!("algs {CORNERS} --extra 1 --top 3 --rank cost --cost 'U=0.5 L=0.25 2=1' {case}")),
            run(&format!("algs {CORNERS} --extra 1 --top 3 --cost 'R=0 U=0' {case}")),
            run(&format!("algs {CORNERS} --max-depth 5 {case}")),
            run("algs --quiet --only DF,FR,DFR 'F2: R U2 R3 U3'"),
        ]
        .join("\n")
    );
}

#[test]
fn chosen_moves() {
    assert_snapshot!(
        [
            run("algs --quiet --moves 'U2 R2 F2' 'U2 R2 F2 U2' 'R'"),
            run("algs pll --quiet --moves 'M U' --case H,Z,T"),
        ]
        .join("\n")
    );
}

#[test]
fn options_that_sets_do_not_support() {
    assert_snapshot!(
        [
            run("algs pll --case X"),
            run("algs pll --start-at X"),
            run("algs pll --goal-set oll"),
            run("algs pll --from moves"),
            run("algs --list 'R U'"),
            run("algs oll --moves 'R U F'"),
            run("algs pll --moves 'R U F' --heuristic corners"),
            run("algs pll --top 0"),
            run("algs pll --cost R"),
            run("algs pll --cost Q=1"),
            run("algs --goal-set htr R"),
            run("algs --ignore corners,edges R"),
            run("algs pll --csv --json"),
        ]
        .join("\n")
    );
}

/// An interrupted answer resumes where it ended: the parts together are the whole.
#[test]
fn a_set_resumes_at_a_case() {
    let text = |line: &str| {
        let output = cube_opt(line).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{line}");
        String::from_utf8(output.stdout).unwrap()
    };
    let whole = text("algs ocll --list");
    let rest = text("algs ocll --list --start-at U --no-header");
    assert!(whole.ends_with(&rest) && rest.lines().count() == 5);
    let options = "--quiet --csv --moves 'M U' --case Ua,Ub,H,Z";
    let whole = text(&format!("algs pll {options}"));
    let rest = text(&format!("algs pll {options} --start-at Ua --no-header"));
    let first: String =
        whole.lines().take_while(|line| !line.starts_with("Ua,")).map(|l| format!("{l}\n")).collect();
    assert_eq!(first + &rest, whole);
    assert!(whole.starts_with("case,rank,length,cost,before,moves,after,"));
}
