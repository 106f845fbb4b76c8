//! Complete iterations with the heuristic of 1997, and Table 2.

use super::{DEFAULT, search, solve, solve_for_long, solver, ten_cubes};
use crate::job::{Context, Outcome, Stopped};
use crate::results::Steps;
use cube::Cube;
use serde::{Deserialize, Serialize};

/// The bound that all ten cubes are searched to in minutes.
const QUICK: u32 = 14;
/// The first bound whose counts are large enough to estimate the branching factor.
const FIRST: u32 = 11;
/// Deeper bounds, each with the first of the ten cubes that have a complete iteration there: the file lists them by
/// length.
const DEEPER: [(u32, usize); 2] = [(16, 1), (17, 4)];
const BY_1997: &str = "nodes by the heuristic of 1997";

/// Searches the ten cubes to depth 14 with the heuristic of 1997.
pub fn shallow(context: &Context<'_>) -> Result<Outcome, Stopped> {
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

/// A complete iteration of one cube, as it is stored.
#[derive(Serialize, Deserialize)]
struct Iterated {
    bound: u32,
    nodes: u64,
    seconds: f64,
}

/// The complete iterations of `cubes` from [`FIRST`] to `bound`. Finished cubes are stored, so that a killed run
/// resumes after them.
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
pub fn deep(bound: usize, context: &Context<'_>) -> Result<Outcome, Stopped> {
    let mut out = Outcome::default();
    let &(bound, first) = DEEPER.iter().find(|(of, _)| *of as usize == bound).expect("one of the bounds");
    let cubes = &ten_cubes()[first..];
    let levels = by_bound(cubes, bound, context)?;
    let last = levels.last().expect("there is a bound");
    let (nodes, seconds) = last.put(&mut out);
    let counts = || last.each.iter().map(|one| one.0);
    out.put("iterations", last.row(), "nodes, least", counts().min().unwrap_or(0));
    out.put("iterations", last.row(), "nodes, greatest", counts().max().unwrap_or(0));
    let row = format!("depth {bound}, heuristic of 1997");
    out.timed("machine", row, "hours", seconds / 3600.0, "mean of one cube");
    out.curve("iterations", format!("ours, mean of {} cubes", cubes.len()), vec![(f64::from(bound), nodes)]);
    Ok(out)
}

/// Solves a cube, numbered from 1, by the default solver.
pub fn solved(number: usize, context: &Context<'_>) -> Result<Outcome, Stopped> {
    let (mut out, row) = (Outcome::default(), format!("cube {number}"));
    let solver = solver(DEFAULT, context)?;
    context.run.progress().begin(&row, 0);
    let solved = solve(&solver, &ten_cubes()[number - 1], context)?;
    context.run.progress().end();
    let length = solved.ending.length().expect("no bound was set");
    let (nodes, seconds) = (solved.generated(), solved.seconds());
    out.note("table-2", &row, "length", length, "proved by the default solver");
    out.raced("table-2", &row, "nodes by the default heuristic", nodes, "");
    if number == 1 {
        let speed = nodes as f64 / seconds;
        out.timed("machine", "IDA*, default heuristic", "nodes a second", speed, "");
        out.timed_curve("speed", "ours", vec![(speed, 3.0)]);
    }
    Ok(out)
}

/// Solves all ten cubes by the default solver, for their median length.
pub fn median(context: &Context<'_>) -> Result<Outcome, Stopped> {
    let solver = solver(DEFAULT, context)?;
    let mut lengths = Vec::new();
    for cube in ten_cubes() {
        lengths.push(solve(&solver, &cube, context)?.ending.length().expect("no bound was set"));
    }
    lengths.sort_unstable();
    let mut out = Outcome::default();
    out.put("table-2", "all", "median length", f64::from(lengths[4] + lengths[5]) / 2.0);
    Ok(out)
}

/// Solves a cube, numbered from 1, by the heuristic of 1997.
pub fn by_1997(number: usize, context: &Context<'_>) -> Result<Outcome, Stopped> {
    let mut out = Outcome::default();
    let solved = solve_for_long(&solver("korf97", context)?, &ten_cubes()[number - 1], context)?;
    out.raced("table-2", format!("cube {number}"), BY_1997, solved.generated(), "");
    Ok(out)
}
