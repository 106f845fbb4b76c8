//! The program `referee`: what it prints and its exit codes.
#![cfg(feature = "cli")]

use assert_cmd::Command;
use std::path::Path;

const GOOD: &str = r#"{"certificate":1,"instance":"1 0 2 3","puzzle":{"kind":"tiles","rows":2,"columns":2,"start":"1 0 2 3","goal":"0 1 2 3","notation":"blank"},"metric":"moves","result":{"kind":"optimal","length":1,"solutions":["L"]},"search":"ida","exhausted":[],"heuristic":"md","automaton":"none","tables":[],"program":"tile24 0","build":{"target":"here","profile":"debug"}}"#;

/// The exit code and standard output of `referee check`, in a directory.
fn check(home: &Path, args: &[&str], input: &str) -> (i32, String) {
    let mut command = Command::cargo_bin("referee").unwrap();
    let output = command.current_dir(home).arg("check").args(args).write_stdin(input).output().unwrap();
    (output.status.code().unwrap(), String::from_utf8(output.stdout).unwrap())
}

#[test]
fn each_ending_has_its_exit_code() {
    let home = tempfile::tempdir().unwrap();
    let bad = GOOD.replace("[\"L\"]", "[\"R\"]");
    let cases = [
        (format!("{GOOD}\n\n{GOOD}\n"), 0, "2 checked: 2 proved, 0 partly"),
        (GOOD.to_owned(), 0, "no solution of 0 moves or fewer"),
        (format!("{GOOD}\n{bad}\n"), 4, "-:2: 2x2 tiles"),
        (format!("{GOOD}\n{{\"certificate\":1"), 3, "-:2: malformed: not a certificate: EOF"),
        (
            format!("{bad}\nnonsense\n{GOOD}\n"),
            4,
            "3 checked: 1 proved, 0 partly taken on trust, 1 refuted, 1 malformed",
        ),
        (String::new(), 3, "no certificate in the file"),
    ];
    for (input, code, told) in cases {
        let (found, out) = check(home.path(), &["-"], &input);
        assert!(found == code && out.contains(told), "{found} {out}");
    }
    assert_eq!(check(home.path(), &["missing.jsonl"], "").0, 1);
    assert_eq!(check(home.path(), &["missing.jsonl", "-"], GOOD).0, 1);
    assert_eq!(check(home.path(), &["."], "").0, 1);
    assert_eq!(check(home.path(), &[], "").0, 2);
    assert_eq!(check(home.path(), &["-", "--effort", "-1"], "").0, 2);
    std::fs::write(home.path().join("raw"), b"\xff\xfe{}\n\x1b[2J\n").unwrap();
    let (code, out) = check(home.path(), &["raw"], "");
    assert!(code == 3 && out.contains("not UTF-8 from byte 1") && !out.contains('\x1b'), "{out}");
}

#[test]
fn json_has_an_object_for_each_certificate() {
    let home = tempfile::tempdir().unwrap();
    let (code, out) = check(home.path(), &["--json", "-"], &format!("{GOOD}\nno\n"));
    assert_eq!(code, 3);
    let lines: Vec<serde_json::Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 2);
    let one = &lines[0];
    assert!(one["stands"] == true && one["proved"] == true && one["lower_bound"] == 1, "{one}");
    assert!(one["file"] == "-" && one["line"] == 1 && one["instance"] == "1 0 2 3", "{one}");
    let findings = one["findings"].as_array().unwrap();
    assert!(findings.iter().any(|finding| finding["verdict"] == "trusted"), "{one}");
    assert!(findings.iter().all(|finding| finding["claim"].is_string() && finding["reason"].is_string()));
    assert!(lines[1]["malformed"].as_str().unwrap().starts_with("not a certificate"), "{}", lines[1]);
}
