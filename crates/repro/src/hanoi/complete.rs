//! Complete breadth-first searches from all discs on one peg.

use crate::job::{Context, Outcome, Stopped};
use hanoi4::bitmap::search::{LayerCount, NoPruning, Setup};
use hanoi4::corners::complete::{CompleteSearch, FEWEST_DISCS};
use hanoi4::error::SearchError;
use hanoi4::layer_search::{LayerReport, SearchOptions, search_layers};
use hanoi4::model::State;
use hanoi4::pegs::PegGroup;
use search_core::Run;
use search_core::storage::StorageError;

/// The largest size of the quick tier, which has all from 5 discs on.
pub const QUICK: u32 = 17;
/// Sizes whose layers are plotted.
const PLOTTED: [u32; 4] = [11, 13, 15, 17];

/// Searches the smallest sizes layer by layer, the others by the times of corners.
fn search(search: &CompleteSearch, run: &Run<'_>) -> Result<LayerReport, SearchError> {
    let discs = search.discs;
    if discs >= FEWEST_DISCS {
        return Ok(search.run(run)?.report);
    }
    let mut setup = Setup::new(discs, discs, PegGroup::fixing(0));
    setup.target = Some(State::all_on(3, discs));
    search_layers(setup, &NoPruning, &SearchOptions::default(), run)
}

/// Searches 5 to 17 discs completely, with six-fold symmetry.
pub fn quick(context: &Context<'_>) -> Result<Outcome, Stopped> {
    let mut out = Outcome::default();
    let mut differ = 0;
    context.run.progress().begin("complete searches", QUICK.into());
    for discs in 5..=QUICK {
        let size = CompleteSearch { discs, ..CompleteSearch::default() };
        let report = search(&size, &context.run.with_progress(&search_core::Silent))?;
        let found = put(discs, &report, &mut out);
        differ += u32::from(discs != 15 && found.length != found.radius);
        if discs == QUICK {
            let fold = report.total(|l| l.states) as f64 / report.total(|l| l.orbits) as f64;
            out.note(
                "sizes",
                "symmetry of three pegs",
                "factor",
                fold,
                format!("{discs} discs: states over orbits"),
            );
            let rate = report.total(|l| l.orbits) as f64 / report.seconds;
            out.timed(
                "machine",
                format!("complete search, {discs} discs"),
                "states a second",
                rate,
                "one of six images each",
            );
            out.timed_curve("speed", "ours", vec![(rate, 2.0)]);
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
    out.curve("layers", "paper: 15 discs, at the radius", vec![(130.0, 588.0)]);
    out.curve("width", "paper", vec![(21.0, 77_536_421_184.0), (22.0, 278_269_428_090.0)]);
    Ok(out)
}

struct Found {
    length: usize,
    radius: usize,
}

/// Adds the figures of a complete search.
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

/// Searches a tower completely, with six-fold symmetry.
pub fn large(discs: u32, context: &Context<'_>) -> Result<Outcome, Stopped> {
    let mut out = Outcome::default();
    let mut size = CompleteSearch { discs, ..CompleteSearch::default() };
    if discs >= 20 {
        size.work_dir = Some(context.work_dir.clone());
        size.program.clone_from(&context.identity);
    }
    let report = resumed(&size, context)?;
    let found = put(discs, &report, &mut out);
    out.timed("machine", format!("complete search, {discs} discs"), "seconds", report.seconds, "");
    if discs == 20 {
        out.put("sizes", "20 discs", "radius exceeds length by", found.radius - found.length);
    }
    if let Some(dir) = &size.work_dir {
        hanoi4::corners::complete::remove_work_dir(dir)?;
    }
    Ok(out)
}

/// Searches, resuming from the checkpoint of a killed run by the same program, if there is one.
fn resumed(size: &CompleteSearch, context: &Context<'_>) -> Result<LayerReport, SearchError> {
    match (search(size, context.run), &size.work_dir) {
        (Err(SearchError::Storage(StorageError::WorkDir(_))), Some(dir)) => {
            drop(std::fs::remove_dir_all(dir));
            search(size, context.run)
        }
        (result, _) => result,
    }
}
