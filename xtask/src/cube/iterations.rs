//! Complete iterations with the heuristic of 1997, and Table 2.

use super::{job, search, solver, ten_cubes};
use crate::fixture::Figures;
use crate::job::{Context, Cost, Job, Outcome, Stopped};
use crate::paper::Tier;
use cube::HeuristicSpec;
use search_core::record::Iteration;

/// The bound that all ten cubes are searched to in minutes.
const QUICK: u32 = 14;
/// The first bound whose counts say something of the branching factor.
const FIRST: u32 = 11;
const BY_1997: &str = "nodes by the heuristic of 1997";
/// Seconds that the default solver takes for each cube, in the order of the file; measured.
const SECONDS: [f64; 10] = [0.2, 0.4, 2.8, 2.2, 7.0, 11.5, 54.2, 9.4, 11.7, 7.7];
/// The mebibytes that it takes.
const MEMORY: u64 = 700;
/// Cubes that the quick tier solves.
const SOLVED_QUICKLY: usize = 4;

/// The jobs of this module.
pub fn jobs(figures: &Figures<'_>) -> Vec<Job> {
    let mut jobs = vec![quick(figures), deep(figures)];
    jobs.extend((0..10).map(|at| solved(figures, at)));
    jobs.push(median(figures));
    jobs.extend((0..10).map(|at| by_1997(figures, at)));
    jobs
}

fn quick(figures: &Figures<'_>) -> Job {
    let mut cells = figures.of("iterations", |row, _| row == "mean of all");
    cells.extend(figures.of("machine", |row, _| row == "IDA*, heuristic of 1997"));
    job(
        "iterations",
        Tier::Quick,
        Cost::new(14.0, 200),
        "searches the ten cubes to depth 14 with the heuristic of 1997",
        &["korf97"],
        cells,
        shallow,
    )
}

fn shallow(context: &Context<'_>) -> Result<Outcome, Stopped> {
    let mut out = Outcome::default();
    let by_bound = mean_by_bound(&ten_cubes(), QUICK, context, &mut out)?;
    let mut ratios = Vec::new();
    for (pair, depth) in by_bound.windows(2).zip(FIRST + 1..) {
        ratios.push(pair[1].0 / pair[0].0);
        out.put(
            "iterations",
            format!("depth {depth}"),
            "heuristic branching factor",
            ratios[ratios.len() - 1],
        );
    }
    let mean = ratios.iter().sum::<f64>() / ratios.len() as f64;
    out.put("iterations", "mean of all", "heuristic branching factor", mean);
    let (nodes, seconds) = by_bound[by_bound.len() - 1];
    out.put("machine", "IDA*, heuristic of 1997", "nodes a second", nodes / seconds);
    out.curve("speed", "ours", vec![(nodes / seconds, 2.0)]);
    out.curve("speed", "paper", vec![(10_000.0, 1.0), (700_000.0, 2.0)]);
    let paper = [("depth 16", 9.5e9), ("depth 17", 122e9)];
    out.curve(
        "iterations",
        "paper",
        paper.iter().map(|(row, nodes)| (row[6..].parse().expect("a depth"), *nodes)).collect(),
    );
    Ok(out)
}

/// Mean nodes and seconds of the complete iterations from [`FIRST`] to `bound`, over `cubes`.
fn mean_by_bound(
    cubes: &[cube::Cube],
    bound: u32,
    context: &Context<'_>,
    out: &mut Outcome,
) -> Result<Vec<(f64, f64)>, Stopped> {
    let solver = solver("korf97", context)?;
    let mut all: Vec<Iteration> = Vec::new();
    for (at, cube) in cubes.iter().enumerate() {
        context.run.progress().begin(&format!("cube {} to depth {bound}", at + 1), 0);
        let iterations = search(&solver, cube, Some(bound), context.run)?.iterations;
        all.extend(iterations);
    }
    context.run.progress().end();
    let mut means = Vec::new();
    let mut points = Vec::new();
    for depth in FIRST..=bound {
        let at: Vec<&Iteration> = all.iter().filter(|i| i.bound == depth && i.complete).collect();
        let mean = |of: &dyn Fn(&Iteration) -> f64| at.iter().map(|i| of(i)).sum::<f64>() / at.len() as f64;
        let (nodes, seconds) = (mean(&|i| i.generated as f64), mean(&|i| i.seconds));
        let note = format!("mean of {} cubes", at.len());
        out.note("iterations", format!("depth {depth}"), "nodes, mean", nodes, note);
        means.push((nodes, seconds));
        points.push((f64::from(depth), nodes));
    }
    out.curve("iterations", format!("ours, mean of {} cubes", cubes.len()), points);
    Ok(means)
}

fn deep(figures: &Figures<'_>) -> Job {
    let mut cells = figures.of("iterations", |row, _| row == "depth 16");
    cells.extend(figures.of("machine", |row, _| row.starts_with("depth 16")));
    job(
        "iterations-16",
        Tier::Standard,
        Cost::new(330.0, 200),
        "searches two cubes to depth 16 with the heuristic of 1997",
        &["korf97"],
        cells,
        |context| {
            let mut out = Outcome::default();
            let means = mean_by_bound(&ten_cubes()[8..], 16, context, &mut out)?;
            let (_, seconds) = means[means.len() - 1];
            out.put("machine", "depth 16, heuristic of 1997", "hours", seconds / 3600.0);
            out.values.retain(|value| value.key.row.contains("16"));
            Ok(out)
        },
    )
}

/// The heuristic that a first solve uses.
fn default_heuristic() -> String {
    HeuristicSpec::defaults().next().expect("a default").to_string()
}

/// One cube by the default solver.
fn solved(figures: &Figures<'_>, at: usize) -> Job {
    let row = format!("cube {}", at + 1);
    let tier = if at < SOLVED_QUICKLY { Tier::Quick } else { Tier::Standard };
    let named = row.clone();
    job(
        &format!("table-2/{}", at + 1),
        tier,
        Cost::new(SECONDS[at], MEMORY),
        &format!("solves {row} with the default heuristic"),
        &[&default_heuristic()],
        figures.of("table-2", |of, column| of == row && column == "length"),
        move |context| {
            let mut out = Outcome::default();
            let solver = solver(&default_heuristic(), context)?;
            context.run.progress().begin(&named, 0);
            let solved = search(&solver, &ten_cubes()[at], None, context.run)?;
            context.run.progress().end();
            let length = solved.ending.length().expect("no bound was set");
            let (nodes, seconds) = (solved.generated(), solved.seconds());
            let note = format!("proved in {seconds:.1} s by the default solver");
            out.note("table-2", &named, "length", length, note);
            out.put("table-2", &named, "nodes by the default heuristic", nodes);
            if at == 0 {
                out.put("machine", "IDA*, default heuristic", "nodes a second", nodes as f64 / seconds);
                out.curve("speed", "ours", vec![(nodes as f64 / seconds, 3.0)]);
            }
            Ok(out)
        },
    )
}

fn median(figures: &Figures<'_>) -> Job {
    job(
        "median",
        Tier::Standard,
        Cost::new(SECONDS.iter().sum(), MEMORY),
        "solves all ten cubes with the default heuristic for their median length",
        &[&default_heuristic()],
        figures.of("table-2", |row, _| row == "all"),
        |context| {
            let solver = solver(&default_heuristic(), context)?;
            let mut lengths = Vec::new();
            for cube in ten_cubes() {
                let solved = search(&solver, &cube, None, context.run)?;
                lengths.push(solved.ending.length().expect("no bound was set"));
            }
            lengths.sort_unstable();
            let mut out = Outcome::default();
            out.put("table-2", "all", "median length", f64::from(lengths[4] + lengths[5]) / 2.0);
            Ok(out)
        },
    )
}

/// One cube by the heuristic of 1997, to the end.
fn by_1997(figures: &Figures<'_>, at: usize) -> Job {
    let row = format!("cube {}", at + 1);
    let mut cells = figures.of("table-2", |of, column| of == row && column == BY_1997);
    // Only cubes of length 18 have a complete iteration to depth 17.
    if at == 9 {
        cells.extend(figures.of("iterations", |of, _| of == "depth 17"));
        cells.extend(figures.of("machine", |of, _| of.starts_with("depth 17")));
    }
    let named = row.clone();
    let seconds = [400.0, 3e3, 3e3, 3e3, 4e4, 4e4, 4e4, 4e4, 4e4, 4e4][at];
    job(
        &format!("table-2-1997/{}", at + 1),
        Tier::Full,
        Cost::new(seconds, 200),
        &format!("solves {row} with the heuristic of 1997"),
        &["korf97"],
        cells,
        move |context| {
            let mut out = Outcome::default();
            let solved = search(&solver("korf97", context)?, &ten_cubes()[at], None, context.run)?;
            out.put("table-2", &named, BY_1997, solved.generated());
            if let Some(last) = solved.iterations.iter().find(|i| at == 9 && i.bound == 17 && i.complete) {
                for column in ["nodes, mean", "nodes, least", "nodes, greatest"] {
                    out.note("iterations", "depth 17", column, last.generated, "of cube 10");
                }
                out.put("machine", "depth 17, heuristic of 1997", "hours", last.seconds / 3600.0);
            }
            Ok(out)
        },
    )
}
