//! Half-depth heuristic searches: proofs of the presumed-optimal lengths.

use crate::job::{Context, Outcome, Stopped};
use hanoi4::layer_search::SearchOptions;
use hanoi4::tables::DatabaseId;
use hanoi4::verify::{Threshold, Verification, default_database, verify};
use search_core::storage::Budget;

/// The greatest size of the job that proves several.
const SMALL: u32 = 21;
/// The fewest discs whose search keeps its layers on disk.
const ON_DISK: u32 = 28;

/// Proves the presumed-optimal length of a tower; for 21 discs, those of 13 to 21.
pub fn verified(discs: u32, context: &Context<'_>) -> Result<Outcome, Stopped> {
    let mut out = Outcome::default();
    for discs in if discs == SMALL { 13..=discs } else { discs..=discs } {
        let found = proved(discs, context)?;
        put(&found, &mut out);
        if discs == SMALL + 1 {
            let rate = unique_states(&found) as f64 / found.search.seconds();
            let row = format!("half-depth search, {discs} discs");
            out.timed("machine", row, "states a second", rate, "");
            out.timed_curve("speed", "ours", vec![(rate, 1.0)]);
            out.curve("verify", "paper", figures_of_table_2());
        }
    }
    Ok(out)
}

/// The paper's unique states, for the plot.
fn figures_of_table_2() -> Vec<(f64, f64)> {
    let rows = include_str!("../../../../fixtures/hanoi/korf-felner-2006-table-2.csv").lines();
    let rows = rows.filter(|line| line.starts_with(|c: char| c.is_ascii_digit()));
    let point = |line: &str| {
        let fields: Vec<&str> = line.split(',').collect();
        (fields[0].parse().expect("discs"), fields[3].parse().expect("states"))
    };
    rows.map(point).collect()
}

fn proved(discs: u32, context: &Context<'_>) -> Result<Verification, Stopped> {
    let Context { store, run, .. } = *context;
    let database = match default_database(discs) {
        Some(of) => Some(DatabaseId::middle(of).get(store, run)?.0),
        None => None,
    };
    let taken = database.as_ref().map_or(0, |database| database.values().len() as u64);
    let budget = Budget::new(run.memory().saturating_sub(taken), u64::MAX);
    let identity = context.identity.clone();
    let mut options = SearchOptions { identity, ..SearchOptions::default() };
    if discs >= ON_DISK {
        std::fs::create_dir_all(context.work_dir.parent().unwrap_or(&context.work_dir)).ok();
        options.work_dir = Some(context.work_dir.clone());
    }
    Ok(verify(discs, Threshold::Full, database.as_ref(), budget, &options, run)?)
}

/// The states that a search by layers stored, up to permutations of pegs.
fn unique_states(found: &Verification) -> u64 {
    found.search.layers().map_or(0, |report| report.total(|layer| layer.orbits))
}

fn put(found: &Verification, out: &mut Outcome) {
    let row = format!("{} discs", found.discs);
    let search = &found.search;
    let states = unique_states(found);
    match found.ending.length() {
        Some(length) => out.note("verify", &row, "length", length, "proved"),
        None => out.note("verify", &row, "length", 0u32, "every solution is longer than presumed"),
    }
    let database = default_database(found.discs)
        .map_or("no database".to_owned(), |of| format!("database of {of} discs"));
    out.note("verify", &row, "unique states", states, database);
    out.timed("verify", &row, "seconds", search.seconds(), "");
    let bytes = search.peak_bytes().max(search.peak_disk());
    out.put("verify", &row, "gigabytes of storage", bytes as f64 / 1e9);
    if let Some(depth) = search.first_pruned() {
        out.put("verify", &row, "first depth with pruning", depth);
    }
    out.curve("verify", "ours", vec![(f64::from(found.discs), states as f64)]);
}
