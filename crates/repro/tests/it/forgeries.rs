//! Forged tables are found and crash nothing: `cargo xtask trust` in small numbers.

use repro::trust::forge_all;
use search_core::Run;

#[test]
fn forged_tables_are_found_and_crash_no_search() {
    let outcomes = forge_all("", 600, 1, &Run::new()).expect("every table that is built is proved");
    for outcome in &outcomes {
        assert!(outcome.broken.is_empty(), "{outcome}");
        println!("{outcome}");
    }
    assert!(outcomes.len() >= 12);
}
