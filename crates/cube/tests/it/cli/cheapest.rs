//! `cube-opt cheapest`.

use super::harness::{run, run_with};
use insta::assert_snapshot;

#[test]
fn cheapest_solutions() {
    let cubes = "F R U R3 U3 F3\n# a comment\nF R Q\nx U2 R\nB\n";
    assert_snapshot!(
        [
            run_with("cheapest --quiet --moves 'R U F' --cost '2=1.5'", cubes),
            run("cheapest --quiet --moves 'M U' 'M2 U M2 U2 M2 U M2' 'R'"),
            run("cheapest --moves 'M E S' 'M'"),
            run("cheapest --cost 'R=0' 'R'"),
            run("cheapest --cost 'R' 'R'"),
        ]
        .join("\n")
    );
}
