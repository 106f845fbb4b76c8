//! Complete iterations with the heuristic of 1997, and Table 2.

use super::{job, search, solve, solve_for_long, solver, ten_cubes};
use crate::fixture::Figures;
use crate::job::{Context, Cost, Job, Outcome, Stopped};
use crate::paper::Tier;
use crate::results::Steps;
use cube::{Cube, HeuristicSpec};
use serde::{Deserialize, Serialize};

/// The bound that all ten cubes are searched to in minutes.
const QUICK: u32 = 14;
/// The first bound whose counts say something of the branching factor.
const FIRST: u32 = 11;
/// Deeper bounds, the first of the ten cubes that have a complete iteration there (the file lists them by
/// length), and the seconds for one cube.
const DEEPER: [(u32, usize, f64); 2] = [(16, 1, 50.0), (17, 4, 600.0)];
/// The mebibytes that they take, deltas included.
const DEEP_MEMORY: u64 = 1700;
const BY_1997: &str = "nodes by the heuristic of 1997";
/// Seconds that the default solver takes for each cube, in the order of the file; measured.
const SECONDS: [f64; 10] = [0.2, 0.4, 2.8, 2.2, 7.0, 11.5, 54.2, 9.4, 11.7, 7.7];
/// The mebibytes that it takes.
const MEMORY: u64 = 700;
/// Cubes that the quick tier solves.
const SOLVED_QUICKLY: usize = 4;

/// The jobs of this module.
pub fn jobs(figures: &Figures<'_>) -> Vec<Job> {
    let mut jobs = vec![quick(figures)];
    jobs.extend(DEEPER.iter().map(|&(bound, first, seconds)| deep(figures, bound, first, seconds)));
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
    let by_bound: Vec<(f64, f64)> =
        by_bound(&ten_cubes(), QUICK, context)?.iter().map(|level| level.put(&mut out)).collect();
    let points = (FIRST..).map(f64::from).zip(by_bound.iter().map(|mean| mean.0));
    out.curve("iterations", "ours, mean of 10 cubes", points.collect());
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
    out.timed("machine", "IDA*, heuristic of 1997", "nodes a second", nodes / seconds, "");
    out.timed_curve("speed", "ours", vec![(nodes / seconds, 2.0)]);
    out.curve("speed", "paper", vec![(10_000.0, 1.0), (700_000.0, 2.0)]);
    let paper = [("depth 16", 9.5e9), ("depth 17", 122e9)];
    out.curve(
        "iterations",
        "paper",
        paper.iter().map(|(row, nodes)| (row[6..].parse().expect("a depth"), *nodes)).collect(),
    );
    Ok(out)
}

/// The complete iterations of several cubes to one bound: nodes and seconds of each.
struct Level {
    bound: u32,
    each: Vec<(u64, f64)>,
}

impl Level {
    /// The row of the report.
    fn row(&self) -> String {
        format!("depth {}", self.bound)
    }

    /// Puts the mean number of nodes; returns the means of nodes and seconds.
    fn put(&self, out: &mut Outcome) -> (f64, f64) {
        let mean =
            |of: &dyn Fn(&(u64, f64)) -> f64| self.each.iter().map(of).sum::<f64>() / self.each.len() as f64;
        let (nodes, seconds) = (mean(&|one| one.0 as f64), mean(&|one| one.1));
        let note = format!("mean of {} cubes", self.each.len());
        out.note("iterations", self.row(), "nodes, mean", nodes, note);
        (nodes, seconds)
    }
}

/// A complete iteration of one cube, as it is kept.
#[derive(Serialize, Deserialize)]
struct Iterated {
    bound: u32,
    nodes: u64,
    seconds: f64,
}

/// The complete iterations of `cubes` from [`FIRST`] to `bound`. Finished cubes are kept, so that a
/// killed run resumes after them.
fn by_bound(cubes: &[Cube], bound: u32, context: &Context<'_>) -> Result<Vec<Level>, Stopped> {
    let solver = solver("korf97", context)?;
    let kept = |error: std::io::Error| Stopped::Failed(format!("keeping what is searched: {error}"));
    let mut steps = Steps::<Vec<Iterated>>::open(&context.work_dir, &context.identity).map_err(kept)?;
    for (at, cube) in cubes.iter().enumerate().skip(steps.done.len()) {
        context.run.progress().begin(&format!("cube {} of {} to depth {bound}", at + 1, cubes.len()), 0);
        let iterations = search(&solver, cube, Some(bound), context)?.iterations;
        let complete = iterations.iter().filter(|iteration| iteration.complete);
        let iterated = complete.map(|i| Iterated { bound: i.bound, nodes: i.generated, seconds: i.seconds });
        steps.add(iterated.collect()).map_err(kept)?;
    }
    context.run.progress().end();
    let level = |bound| {
        let here = steps.done.iter().flatten().filter(|iterated| iterated.bound == bound);
        Level { bound, each: here.map(|iterated| (iterated.nodes, iterated.seconds)).collect() }
    };
    Ok((FIRST..=bound).map(level).collect())
}

/// The complete iterations to a depth at which the paper prints figures.
fn deep(figures: &Figures<'_>, bound: u32, first: usize, seconds: f64) -> Job {
    let of_bound = move |row: &str| row.starts_with(&format!("depth {bound}"));
    let mut cells = figures.of("iterations", |row, _| of_bound(row));
    cells.extend(figures.of("machine", |row, _| of_bound(row)));
    let cubes = &ten_cubes()[first..];
    let (count, cubes) = (cubes.len(), cubes.to_vec());
    job(
        &format!("iterations-{bound}"),
        Tier::Full,
        Cost::new(count as f64 * seconds, DEEP_MEMORY),
        &format!("searches {count} cubes to depth {bound} with the heuristic of 1997"),
        &["korf97"],
        cells,
        move |context| {
            let mut out = Outcome::default();
            let levels = by_bound(&cubes, bound, context)?;
            let last = levels.last().expect("there is a bound");
            let (nodes, seconds) = last.put(&mut out);
            let counts = || last.each.iter().map(|one| one.0);
            out.put("iterations", last.row(), "nodes, least", counts().min().unwrap_or(0));
            out.put("iterations", last.row(), "nodes, greatest", counts().max().unwrap_or(0));
            let row = format!("depth {bound}, heuristic of 1997");
            out.timed("machine", row, "hours", seconds / 3600.0, "mean of one cube");
            out.curve("iterations", format!("ours, mean of {count} cubes"), vec![(f64::from(bound), nodes)]);
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
            let solved = solve(&solver, &ten_cubes()[at], context)?;
            context.run.progress().end();
            let length = solved.ending.length().expect("no bound was set");
            let (nodes, seconds) = (solved.generated(), solved.seconds());
            out.note("table-2", &named, "length", length, "proved by the default solver");
            out.raced("table-2", &named, "nodes by the default heuristic", nodes, "");
            if at == 0 {
                let speed = nodes as f64 / seconds;
                out.timed("machine", "IDA*, default heuristic", "nodes a second", speed, "");
                out.timed_curve("speed", "ours", vec![(speed, 3.0)]);
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
                let solved = solve(&solver, &cube, context)?;
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
    let cells = figures.of("table-2", |of, column| of == row && column == BY_1997);
    let named = row.clone();
    // Two cores search about 190 million nodes a second. A complete iteration to depth 16 has 9 billion nodes, one to 17
    // 120 billion; how many the last one has depends on where its first solution lies.
    let seconds = [40.0, 80.0, 500.0, 550.0, 1200.0, 2000.0, 5800.0, 5700.0, 4300.0, 4600.0][at];
    job(
        &format!("table-2-1997/{}", at + 1),
        Tier::Full,
        Cost::new(seconds, DEEP_MEMORY),
        &format!("solves {row} with the heuristic of 1997"),
        &["korf97"],
        cells,
        move |context| {
            let mut out = Outcome::default();
            let solved = solve_for_long(&solver("korf97", context)?, &ten_cubes()[at], context)?;
            out.raced("table-2", &named, BY_1997, solved.generated(), "");
            Ok(out)
        },
    )
}
