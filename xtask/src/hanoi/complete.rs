//! Complete breadth-first searches from all discs on one peg.

use super::{job, resumable};
use crate::fixture::{Figures, Key};
use crate::job::{Context, Cost, Job, Outcome, Stopped};
use crate::paper::Tier;
use hanoi4::bitmap::search::{LayerCount, NoPruning, Setup};
use hanoi4::bitmap::shape::SMALL;
use hanoi4::layer_search::{LayerReport, SearchOptions, search_layers};
use hanoi4::model::State;
use hanoi4::pegs::PegGroup;
use search_core::storage::Budget;

/// Sizes of the quick tier.
const QUICK: std::ops::RangeInclusive<u32> = 5..=17;
/// Larger sizes: discs, tier, seconds, gibibytes of memory and of disk.
const LARGE: [(u32, Tier, f64, u64, u64); 5] = [
    (18, Tier::Standard, 100.0, 3, 0),
    (19, Tier::Standard, 420.0, 8, 0),
    (20, Tier::Full, 3600.0, 8, 24),
    (21, Tier::Full, 15_000.0, 8, 90),
    (22, Tier::Full, 60_000.0, 8, 340),
];
/// Sizes whose layers are plotted.
const PLOTTED: [u32; 4] = [11, 13, 15, 17];

/// The jobs of this module.
pub fn jobs(figures: &Figures<'_>) -> Vec<Job> {
    let small = |row: &str| row == "15 discs" || !row.ends_with(" discs");
    let mut cells = figures.of("complete", |row, _| small(row));
    cells.push(Key::new("sizes", "symmetry of three pegs", "factor"));
    let mut jobs = vec![job(
        "complete-17",
        Tier::Quick,
        Cost::new(15.0, 700),
        "searches 5 to 17 discs completely, with six-fold symmetry",
        &[],
        cells,
        quick,
    )];
    for (discs, tier, seconds, memory, disk) in LARGE {
        let row = format!("{discs} discs");
        let mut cells = figures.of("complete", |of, _| of == row);
        cells.extend(figures.of("machine", |of, _| of == format!("complete search, {row}")));
        if discs == 20 {
            cells.push(Key::new("sizes", "20 discs", "radius exceeds length by"));
        }
        jobs.push(job(
            &format!("complete-{discs}"),
            tier,
            Cost::new(seconds, memory << 10).with_disk(disk),
            &format!("searches {discs} discs completely, with six-fold symmetry"),
            &[],
            cells,
            move |context| large(discs, context),
        ));
    }
    jobs
}

fn setup(discs: u32, memory: u64) -> Setup {
    let small = discs.min(*SMALL.end());
    let mut setup = Setup::new(discs, small, PegGroup::fixing(0));
    setup.budget = Budget::new(memory, u64::MAX);
    setup.target = Some(State::all_on(3, discs));
    setup
}

fn quick(context: &Context<'_>) -> Result<Outcome, Stopped> {
    let mut out = Outcome::default();
    let mut differ = 0;
    context.run.progress().begin("complete searches", u64::from(*QUICK.end()));
    for discs in QUICK {
        let report = search_layers(
            setup(discs, context.run.memory()),
            &NoPruning,
            &SearchOptions::default(),
            &context.run.with_progress(&search_core::Silent),
        )?;
        let found = put(discs, &report, &mut out);
        differ += u32::from(discs != 15 && found.length != found.radius);
        if discs == *QUICK.end() {
            let fold = report.total(|l| l.states) as f64 / report.total(|l| l.orbits) as f64;
            out.note(
                "sizes",
                "symmetry of three pegs",
                "factor",
                fold,
                format!("{discs} discs: states over orbits"),
            );
            let rate = report.total(|l| l.orbits) as f64 / report.seconds;
            out.note(
                "machine",
                format!("complete search, {discs} discs"),
                "states a second",
                rate,
                "one of six images each",
            );
            out.curve("speed", "ours", vec![(rate, 2.0)]);
            // All 4^22 states, one of six images each, in the time of Table 1.
            out.curve(
                "speed",
                "paper",
                vec![(4f64.powi(22) / 6.0 / 842_573.0, 2.0), (38_707_832_296.0 / 14_462.0, 1.0)],
            );
        }
        context.run.progress().update(u64::from(discs));
    }
    context.run.progress().end();
    out.put("complete", "other sizes from 5 to 17", "radius other than the length", differ);
    out.curve("width", "paper", vec![(21.0, 77_536_421_184.0), (22.0, 278_269_428_090.0)]);
    Ok(out)
}

struct Found {
    length: usize,
    radius: usize,
}

/// Puts what a complete search found.
fn put(discs: u32, report: &LayerReport, out: &mut Outcome) -> Found {
    assert!(report.exhausted, "a complete search ends with an empty layer");
    let row = format!("{discs} discs");
    let length = report.layers.iter().position(|layer| layer.goal).expect("the goal can be reached");
    let radius = report.layers.len() - 1;
    let widest = |of: &dyn Fn(&LayerCount) -> u64| report.layers.iter().map(of).max().unwrap_or(0);
    let width = widest(&|layer| layer.states);
    out.put("complete", &row, "length", length);
    out.put("complete", &row, "radius", radius);
    out.put("complete", &row, "states at the radius", report.layers[radius].states);
    out.put("complete", &row, "width", width);
    out.put("complete", &row, "width, one of six images", widest(&|layer| layer.orbits));
    out.curve("width", "ours", vec![(f64::from(discs), width as f64)]);
    if PLOTTED.contains(&discs) {
        let points =
            report.layers.iter().enumerate().map(|(depth, layer)| (depth as f64, layer.states as f64));
        out.curve("layers", row, points.collect());
    }
    Found { length, radius }
}

fn large(discs: u32, context: &Context<'_>) -> Result<Outcome, Stopped> {
    let mut out = Outcome::default();
    let memory = context.run.memory();
    let expected_depth = hanoi4::presumed::four_peg_length(discs);
    let options = SearchOptions { expected_depth, ..SearchOptions::default() };
    let report = match discs {
        ..20 => search_layers(setup(discs, memory), &NoPruning, &options, context.run)?,
        _ => resumable(
            || setup(discs, memory),
            &NoPruning,
            &options,
            &format!("complete, {discs} discs"),
            context,
        )?,
    };
    let found = put(discs, &report, &mut out);
    out.put("machine", format!("complete search, {discs} discs"), "seconds", report.seconds);
    if discs == 20 {
        out.put("sizes", "20 discs", "radius exceeds length by", found.radius - found.length);
    }
    Ok(out)
}
