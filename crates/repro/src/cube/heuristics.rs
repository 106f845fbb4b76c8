//! Sizes, distributions and expected values; one table looked up to 96 times; cosets.

use super::{solver, specified};
use crate::fixture::Figures;
use crate::job::{Context, Outcome, Stopped, Work, work};
use chacha20::ChaCha8Rng;
use chacha20::rand_core::SeedableRng;
use cube::Metric;
use cube::Solver;
use cube::analysis::sample::Sample;
use cube::analysis::{manhattan, tables as exact};
use cube::heuristics::Manhattan;
use cube::heuristics::manhattan::Variant;
use cube::heuristics::patterns::hoey_views;
use cube::lanes::Portable;
use cube::pdb::{Edges, edges};
use cube::random::random_cube;
use cube::space::State;
use cube::tables::{Pattern, TableId, edge_names};
use search_core::pdb::Histogram;
use search_core::table::{Recipe, Unfinished};
use std::time::Instant;

const SEED: u64 = 1997;
/// Random cubes for means.
const SAMPLES: u64 = 200_000;
/// The number of random cubes for which two ways to compute a value are compared.
const COMPARED: u32 = 10_000;
const LOOKUPS: [u8; 13] = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96];
const COSETS: [&str; 6] = ["coset-1", "coset-2", "coset-3", "coset-1i", "coset-2i", "coset-3i"];

/// The expected values that the paper prints for the corners, six edges, and the three databases together.
fn printed(figures: &Figures<'_>) -> [f64; 3] {
    let expected = |row| figures.printed("heuristics", row, "expected value").unwrap_or(f64::NAN);
    ["corners", "six edges", "the three together"].map(expected)
}

/// Rebuilds the paper's databases to time them, and counts every entry.
pub fn databases(figures: &Figures<'_>) -> Work {
    let points = printed(figures).map(|mean| (mean, 0.0)).to_vec();
    work(move |context| {
        let mut out = heuristics(context)?;
        out.curve("distributions", "paper: expected values, on the axis", points.clone());
        Ok(out)
    })
}

/// Samples the expected value of 1 to 96 lookups in one table, with and without the corners.
pub fn views(figures: &Figures<'_>) -> Work {
    let [_, alone, together] = printed(figures);
    work(move |context| {
        let complement = edge_names(Edges::complement(edges::KORF)).replace(' ', ",");
        let mut out = lookups(&format!("edges:{complement}"), context)?;
        let points = vec![(1.0, alone), (2.0, together)];
        out.curve("lookups", "paper: one lookup alone, two with the corners", points);
        Ok(out)
    })
}

fn mebibytes(bytes: u64) -> f64 {
    bytes as f64 / f64::from(1 << 20)
}

/// Shares of a histogram's values, for the plot.
fn shares(counts: impl Iterator<Item = f64> + Clone) -> Vec<(f64, f64)> {
    let total: f64 = counts.clone().sum();
    counts.enumerate().map(|(value, count)| (value as f64, 100.0 * count / total)).collect()
}

fn sample(solver: &Solver, context: &Context<'_>) -> Result<Sample, Stopped> {
    Ok(Sample::draw(solver, SAMPLES, SEED, context.run)?)
}

fn heuristics(context: &Context<'_>) -> Result<Outcome, Stopped> {
    let mut out = Outcome::default();
    let parts = [("corners", Pattern::Corners), ("six edges", Pattern::Edges(edges::KORF))];
    let (mut histograms, mut minutes) = (Vec::new(), Vec::new());
    for (name, pattern) in parts {
        let id = TableId { pattern, metric: Metric::Htm };
        let begun = Instant::now();
        let failed = |error: search_core::table::FileError| Stopped::Failed(error.to_string());
        context.run.check()?;
        drop(id.build(&Unfinished::NOWHERE, context.run).map_err(failed)?);
        minutes.push(begun.elapsed().as_secs_f64() / 60.0);
        let (table, _) = id.get(context.store, context.run)?;
        let histogram = exact::distribution(id, &table.nibbles(), context.run);
        out.put("heuristics", name, "entries", id.entries());
        out.put("heuristics", name, "bytes", id.bytes());
        out.put("heuristics", name, "mebibytes", mebibytes(id.bytes()));
        out.put("heuristics", name, "greatest value", histogram.max().unwrap_or(0));
        out.put("heuristics", name, "expected value", histogram.expected());
        out.curve("distributions", name, shares(histogram.counts.iter().map(|&count| count as f64)));
        histograms.push((id, histogram));
    }
    out.timed("machine", "corner database", "minutes to build", minutes[0], "");
    out.timed("machine", "all three databases", "minutes to build", minutes[0] + minutes[1], "");
    together(&histograms, context, &mut out)?;
    simple(&mut out);
    Ok(out)
}

/// The maximum of the corners and the two sets of edges.
fn together(
    histograms: &[(TableId, Histogram)],
    context: &Context<'_>,
    out: &mut Outcome,
) -> Result<(), Stopped> {
    let [(corners, of_corners), (six, of_six)] = histograms else { unreachable!("two tables") };
    let seven = TableId { pattern: Pattern::Edges(edges::SEVEN), metric: Metric::Htm };
    out.put("heuristics", "seven edges", "mebibytes", mebibytes(seven.bytes()));
    let all = "the three together";
    out.put("heuristics", all, "mebibytes", mebibytes(corners.bytes() + 2 * six.bytes()));
    let expected = Histogram::expected_max(&[of_corners.clone(), of_six.clone(), of_six.clone()]);
    out.put("heuristics", all, "expected value", expected);
    let of_edges = specified("korf97").tables(Metric::Htm).len() - 1;
    out.put("heuristics", "one database of two edge sets", "tables of edges", of_edges);
    let sampled = sample(&solver("korf97", context)?, context)?;
    let note = format!("mean of {SAMPLES} random cubes, ± {:.4}", sampled.standard_error());
    out.note("heuristics", all, "sampled value", sampled.mean(), note);
    out.curve(
        "distributions",
        "the three together",
        shares(sampled.counts.iter().map(|&count| count as f64)),
    );
    Ok(())
}

/// Manhattan distance: exact for the edges, sampled for the corners.
fn simple(out: &mut Outcome) {
    let edges = manhattan::unrounded(Metric::Htm, Variant::Edges);
    out.note(
        "heuristics",
        "Manhattan distance of the edges",
        "expected value",
        edges,
        "before rounding up, exact",
    );
    let rounded = manhattan::distribution(Metric::Htm, Variant::Edges);
    let note = "rounded up, still a lower bound";
    out.note("heuristics", "Manhattan distance of the edges", "rounded value", rounded.expected(), note);
    let (heuristic, mut rng) = (Manhattan::new(Metric::Htm, Variant::Max), ChaCha8Rng::seed_from_u64(SEED));
    let mut corners =
        || f64::from(heuristic.sums(&State::<Portable>::new(&random_cube(&mut rng))).corners) / 4.0;
    let mean = (0..SAMPLES).map(|_| corners()).sum::<f64>() / SAMPLES as f64;
    out.note(
        "heuristics",
        "Manhattan distance of the corners",
        "expected value",
        mean,
        "before rounding up, sampled",
    );
}

fn lookups(complement: &str, context: &Context<'_>) -> Result<Outcome, Stopped> {
    let mut out = Outcome::default();
    let views = hoey_views();
    out.put("lookups", "lookups in one table", "count", views.len());
    // Two of the 96 are the two sets of the paper.
    out.put("lookups", "heuristics for free beside the two sets", "count", views.len() - 2);
    out.put(
        "lookups",
        "one table serves both edge sets",
        "disagreements in 10,000 cubes",
        disagreements(complement, context)?,
    );
    for (prefix, name) in [("", "edges alone"), ("corners+", "with the corners")] {
        let mut points = Vec::new();
        for count in LOOKUPS {
            let sampled = sample(&solver(&format!("{prefix}hoey:{count}"), context)?, context)?;
            let unit = if count == 1 { "lookup" } else { "lookups" };
            out.put("lookups", format!("{count} {unit}"), &format!("expected value, {name}"), sampled.mean());
            points.push((f64::from(count), sampled.mean()));
        }
        out.curve("lookups", name, points);
    }
    Ok(out)
}

/// The number of random cubes for which the complement's own table differs from the table of the six edges, looked up
/// under the symmetry that maps one set to the other.
fn disagreements(complement: &str, context: &Context<'_>) -> Result<u32, Stopped> {
    let (own, one) = (solver(&format!("edges6+{complement}"), context)?, solver("hoey:2", context)?);
    let mut rng = ChaCha8Rng::seed_from_u64(SEED);
    let mut differ = 0;
    for _ in 0..COMPARED {
        let cube = random_cube(&mut rng);
        differ += u32::from(own.value(&cube, context.run)? != one.value(&cube, context.run)?);
    }
    Ok(differ)
}

/// Counts all cosets, and samples the bound along one to three axes.
pub fn cosets(context: &Context<'_>) -> Result<Outcome, Stopped> {
    let mut out = Outcome::default();
    let id = TableId { pattern: Pattern::Coset, metric: Metric::Htm };
    let (table, _) = id.get(context.store, context.run)?;
    let histogram = exact::distribution(id, &table.nibbles(), context.run);
    out.put("coset", "cosets", "count", histogram.reached());
    out.put("coset", "cosets, billions", "count", histogram.reached() as f64 / 1e9);
    // Three axes, of the position and of its inverse.
    let views = COSETS.iter().filter(|name| name.ends_with('i')).count() * 2;
    out.put("coset", "views of one position", "count", views);
    out.put("coset", "table", "mebibytes", mebibytes(id.bytes()));
    out.put("coset", "table", "greatest value", histogram.max().unwrap_or(0));
    out.note("coset", "one axis", "expected value, exact", histogram.expected(), "over all cosets");
    let mut best = Vec::new();
    for name in COSETS {
        let sampled = sample(&solver(name, context)?, context)?;
        let axes = name.as_bytes()[6] - b'0';
        let of = if name.ends_with('i') { ", and of the inverse" } else { "" };
        let unit = if axes == 1 { "axis" } else { "axes" };
        out.put("coset", format!("{axes} {unit}{of}"), "expected value", sampled.mean());
        best = sampled.counts.iter().map(|&count| count as f64).collect();
    }
    out.curve(
        "distributions",
        "cosets, one axis",
        shares(histogram.counts.iter().map(|&count| count as f64)),
    );
    out.curve("distributions", "cosets, default", shares(best.into_iter()));
    Ok(out)
}
