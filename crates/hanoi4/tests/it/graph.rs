//! The command `hanoi4 graph`: answers, bad input, interruption.

use crate::hanoi4;

fn graph(args: &[&str]) -> (Option<i32>, String, String) {
    hanoi4(&[&["graph"], args].concat())
}

fn json(args: &[&str]) -> serde_json::Value {
    let (code, out, err) = graph(&[args, &["--json"]].concat());
    assert_eq!(code, Some(0), "{err}");
    serde_json::from_str(&out).unwrap()
}

#[test]
fn layers_and_perfect_states_are_printed() {
    let (code, out, err) = graph(&["--discs", "2", "--graph", "linear", "--pegs", "3", "--paths"]);
    assert_eq!(code, Some(0), "{err}");
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines[..4], ["depth states", "0 1", "1 1", "2 1"]);
    assert_eq!(
        lines[10..14],
        [
            "all discs on peg 0 at depth 0, 1 shortest path",
            "all discs on peg 1 at depth 4, 1 shortest path",
            "all discs on peg 2 at depth 8, 1 shortest path",
            "radius 8: 1 states",
        ]
    );
    let record = json(&["--discs", "7", "--pegs", "5", "--from", "2"]);
    assert_eq!((&record["radius"], &record["states"]), (&19.into(), &5u32.pow(7).into()));
    assert_eq!(record["perfect"][2]["length"], 0);
    assert!(record["complete"] == true && record["edges"].as_str().unwrap().starts_with("0-1,0-2"));
}

#[test]
fn the_methods_find_the_same_length_and_paths() {
    for method in ["half", "half-pruned", "full"] {
        let record = json(&["--discs", "9", "--to", "2", "--from", "1", "--paths", "--method", method]);
        assert_eq!((&record["length"], &record["paths"]), (&41.into(), &"11426".into()), "{method}");
        assert_eq!(record["method"], method);
    }
    assert_eq!(graph(&["--discs", "10", "--to", "3", "--paths"]).1, "49 moves, 2178 shortest paths\n");
    assert_eq!(graph(&["--discs", "9", "--to", "1", "--graph", "star"]).1, "93 moves\n");
    assert_eq!(graph(&["--discs", "2", "--to", "2", "--graph", "0-1,1-3"]).1, "cannot be reached\n");
}

#[test]
fn a_search_by_corners_is_the_default_on_four_pegs() {
    for (args, method) in [
        (&["--from", "0", "--to", "3"][..], "corners"),
        (&["--from", "2", "--to", "0", "--small", "3"], "corners"),
        (&["--to", "3", "--method", "full"], "full"),
    ] {
        let record = json(&[&["--discs", "8", "--graph", "0-3,0-2,1-0"], args].concat());
        assert_eq!((&record["length"], &record["method"]), (&68.into(), &method.into()), "{args:?}");
    }
    let by_legs = ["--discs", "9", "--graph", "linear", "--to", "3"];
    for (more, method) in [(&[][..], "corners"), (&["--method", "full"], "full"), (&["--paths"], "full")] {
        let record = json(&[&by_legs, more].concat());
        assert_eq!((&record["length"], &record["method"]), (&253.into(), &method.into()), "{more:?}");
    }
}

#[test]
fn a_search_of_many_discs_is_pruned_by_default() {
    for (more, method) in
        [(&[][..], "half-pruned"), (&["--method", "half"], "half"), (&["--database", "4"], "half-pruned")]
    {
        let record = json(&[&["--discs", "13", "--pegs", "5", "--to", "2", "--paths"], more].concat());
        assert_eq!((&record["length"], &record["method"]), (&55.into(), &method.into()), "{more:?}");
        assert_eq!(record["paths"], "5672071914930", "{more:?}");
    }
}

#[test]
fn distances_between_perfect_states_are_a_matrix() {
    let (_, out, _) = graph(&["--discs", "1", "--graph", "0>1,1-2", "--pegs", "3", "--distances"]);
    assert_eq!(out, "from: distance to each peg, radius\n0: 0 1 2, 2\n1: - 0 1, 1\n2: - 1 0, 1\n");
    let record = json(&["--discs", "9", "--graph", "cyclic", "--distances"]);
    assert_eq!(record["distances"][0], serde_json::json!([0, 521, 618, 683]));
}

#[test]
fn bad_input_is_refused() {
    for (args, code, message) in [
        (&["--discs", "0", "--from", "4", "--graph", "0-0"][..], 3, "not 0\n  - --from: 4 is not a peg"),
        (&["--discs", "3", "--pegs", "7"], 3, "3 to 6"),
        (&["--discs", "31", "--pegs", "6"], 2, "fewer discs"),
        (&["--discs", "12", "--memory", "1MiB"], 2, "--memory 7MiB"),
        (&["--discs", "4", "--graph", "star", "--to", "1", "--method", "half"], 2, "complete graph"),
        (&["--discs", "4", "--method", "half"], 2, "--to"),
        (&["--discs", "9", "--graph", "star", "--to", "1", "--small", "9"], 2, "1 to 8"),
        (&["--discs", "9", "--graph", "star", "--to", "1", "--method", "full", "--small", "3"], 2, "--small"),
        (&["--discs", "9", "--graph", "star", "--to", "1", "--paths", "--method", "corners"], 2, "--paths"),
        (&["--discs", "20", "--graph", "star", "--to", "1", "--memory", "1MiB"], 2, "--memory"),
        (
            &["--discs", "9", "--pegs", "5", "--graph", "linear", "--to", "1", "--method", "corners"],
            2,
            "4 pegs",
        ),
        (&["--discs", "9", "--graph", "linear", "--to", "1", "--database", "4"], 2, "--database"),
        (&["--discs", "9", "--to", "1", "--database", "8"], 2, "1 to 7"),
        (&["--discs", "2", "--to", "1", "--method", "half-pruned"], 2, "3 discs"),
        (&["--discs", "31", "--pegs", "5", "--to", "1"], 3, "at most 22 discs"),
    ] {
        let (found, out, err) = graph(args);
        assert!(found == Some(code) && out.is_empty() && err.contains(message), "{args:?}: {found:?} {err}");
    }
}
