//! Half-depth heuristic searches: proofs of the presumed-optimal lengths.

use super::job;
use crate::fixture::Figures;
use crate::job::{Context, Cost, Job, Outcome, Stopped};
use crate::paper::Tier;
use hanoi4::layer_search::SearchOptions;
use hanoi4::tables::DatabaseId;
use hanoi4::verify::{Threshold, Verification, default_database, verify};
use search_core::storage::Budget;

/// Sizes of the quick tier.
const QUICK: std::ops::RangeInclusive<u32> = 13..=21;
/// Larger sizes: tier, seconds, gibibytes of memory and of disk.
const LARGE: [(u32, Tier, f64, u64, u64); 9] = [
    (22, Tier::Quick, 3.0, 1, 0),
    (23, Tier::Standard, 8.0, 2, 0),
    (24, Tier::Standard, 20.0, 3, 0),
    (25, Tier::Standard, 40.0, 5, 0),
    (26, Tier::Standard, 80.0, 7, 0),
    (27, Tier::Standard, 180.0, 9, 0),
    (28, Tier::Standard, 240.0, 9, 4),
    (29, Tier::Full, 2_000.0, 14, 45),
    (30, Tier::Full, 30_000.0, 20, 600),
];

/// The jobs of this module.
pub fn jobs(figures: &Figures<'_>) -> Vec<Job> {
    let mut databases: Vec<u32> = QUICK.filter_map(default_database).collect();
    databases.dedup();
    let mut jobs = vec![job(
        "verify-21",
        Tier::Quick,
        Cost::new(4.0, 300),
        "proves the presumed-optimal lengths of 13 to 21 discs",
        &databases,
        Vec::new(),
        |context| {
            let mut out = Outcome::default();
            for discs in QUICK {
                put(&proved(discs, context)?, &mut out);
            }
            Ok(out)
        },
    )];
    for (discs, tier, seconds, memory, disk) in LARGE {
        let row = format!("{discs} discs");
        jobs.push(job(
            &format!("verify-{discs}"),
            tier,
            Cost::new(seconds, memory << 10).with_disk(disk),
            &format!("proves the presumed-optimal length of {discs} discs"),
            &default_database(discs).into_iter().collect::<Vec<_>>(),
            figures.of("verify", |of, _| of == row),
            move |context| {
                let mut out = Outcome::default();
                let found = proved(discs, context)?;
                put(&found, &mut out);
                if discs == *QUICK.end() + 1 {
                    let report = &found.report;
                    let rate = report.total(|l| l.orbits) as f64 / report.seconds;
                    out.timed(
                        "machine",
                        format!("half-depth search, {discs} discs"),
                        "states a second",
                        rate,
                        "",
                    );
                    out.timed_curve("speed", "ours", vec![(rate, 1.0)]);
                    let paper = figures_of_table_2();
                    out.curve("verify", "paper", paper);
                }
                Ok(out)
            },
        ));
    }
    jobs
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
    let on_disk = LARGE.iter().any(|&(of, _, _, _, disk)| of == discs && disk > 0);
    let identity = context.identity.clone();
    let mut options = SearchOptions { identity, ..SearchOptions::default() };
    if on_disk {
        std::fs::create_dir_all(context.work_dir.parent().unwrap_or(&context.work_dir)).ok();
        options.work_dir = Some(context.work_dir.clone());
    }
    Ok(verify(discs, Threshold::Full, database.as_ref(), budget, &options, run)?)
}

fn put(found: &Verification, out: &mut Outcome) {
    let row = format!("{} discs", found.discs);
    let report = &found.report;
    let states = report.total(|layer| layer.orbits);
    match found.ending.length() {
        Some(length) => out.note("verify", &row, "length", length, "proved"),
        None => out.note("verify", &row, "length", 0u32, "every solution is longer than presumed"),
    }
    let database = default_database(found.discs)
        .map_or("no database".to_owned(), |of| format!("database of {of} discs"));
    out.note("verify", &row, "unique states", states, database);
    out.timed("verify", &row, "seconds", report.seconds, "");
    let bytes = report.peak_bytes.max(report.peak_disk);
    out.put("verify", &row, "gigabytes of storage", bytes as f64 / 1e9);
    if let Some(depth) = found.first_pruned {
        out.put("verify", &row, "first depth with pruning", depth);
    }
    out.curve("verify", "ours", vec![(f64::from(found.discs), states as f64)]);
}
