//! Inputs as people paste them, from `fixtures/pasted`.

#[path = "../../../../fixtures/pasted/check.rs"]
mod check;

#[test]
fn inputs_are_read_or_refused_as_the_fixtures_say() {
    check::check(
        assert_cmd::cargo::cargo_bin!("tile24"),
        &["--heuristic", "korf96", "--tables", concat!(env!("CARGO_TARGET_TMPDIR"), "/pasted")],
    );
}
