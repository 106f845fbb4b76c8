//! The Fifteen and Nineteen Puzzles, and the ten 24-puzzles of Table 1.

use super::{default_solver, hundred, length, puzzle, search, solve, solve_for_long, solver, ten, totals};
use crate::job::{Context, Outcome, Stopped};
use crate::results::Steps;
use search_core::{Op, Report};
use serde::{Deserialize, Serialize};
use slidetile::random::Instances;
use slidetile::{HeuristicSpec, Pruning, Solver, Tiles};

const SEED: u64 = 1996;
const NINETEEN: usize = 100;
const BY_1996: &str = "nodes by the paper’s heuristic";
/// The heuristic that solves Table 1, and the bytes of its tables.
const PATTERNS: HeuristicSpec = HeuristicSpec::AllPatterns;
const CATALOGUE: u64 = 4 << 30;

/// Solves Korf's hundred 15-puzzles with the paper's heuristic. The machine's speed comes from the same searches.
pub fn hundred_lengths(context: &Context<'_>) -> Result<Outcome, Stopped> {
    let mut out = Outcome::default();
    let solver = default_solver(puzzle(4, 4), HeuristicSpec::Korf96, context)?;
    let (mut moves, mut nodes, mut seconds, mut differ) = (0, 0, 0.0, 0);
    let instances = hundred();
    context.run.progress().begin("15-puzzles", instances.len() as u64);
    for (at, (tiles, figures)) in instances.iter().enumerate() {
        let report = search(&solver, tiles, None, context)?;
        let (n, s) = totals(&report);
        (moves, nodes, seconds) = (moves + length(&report), nodes + n, seconds + s);
        differ += u32::from(u64::from(length(&report)) != figures[0]);
        context.run.progress().update(at as u64 + 1);
    }
    context.run.progress().end();
    let row = "hundred instances";
    let note = "Korf’s hundred of 1985; the paper does not say which instances it averages";
    out.note("fifteen", row, "mean length", f64::from(moves) / instances.len() as f64, note);
    out.put("fifteen", row, "lengths other than published", differ);
    out.raced("fifteen", row, "nodes, mean", nodes as f64 / instances.len() as f64, "");
    out.timed("machine", "IDA*, heuristic of 1996", "nodes a second", nodes as f64 / seconds, "");
    out.timed_curve("speed", "ours", vec![(nodes as f64 / seconds, 1.0)]);
    out.curve("speed", "paper", vec![(1e6, 1.0)]);
    Ok(out)
}

/// Solves the 15-puzzles of at most `longest` moves by Manhattan distance and by linear conflict.
pub fn conflicts(longest: u64, context: &Context<'_>) -> Result<Outcome, Stopped> {
    let mut out = Outcome::default();
    let chosen: Vec<Tiles> =
        hundred().into_iter().filter(|(_, f)| f[0] <= longest).map(|(tiles, _)| tiles).collect();
    let mut both = Vec::new();
    for heuristic in [HeuristicSpec::Manhattan, HeuristicSpec::Conflicts] {
        context.run.progress().begin(heuristic.name(), chosen.len() as u64);
        let solver = solver(puzzle(4, 4), heuristic, Pruning::Inverse, context)?;
        let (mut nodes, mut seconds) = (0.0, 0.0);
        for (at, tiles) in chosen.iter().enumerate() {
            let (n, s) = totals(&search(&solver, tiles, None, context)?);
            (nodes, seconds) = (nodes + n as f64, seconds + s);
            context.run.progress().update(at as u64 + 1);
        }
        both.push((nodes, seconds));
    }
    context.run.progress().end();
    let [(n, s), (m, t)] = both[..] else { unreachable!("two heuristics") };
    let (row, note) = ("Manhattan distance over linear conflict", format!("{} instances", chosen.len()));
    out.raced("fifteen", row, "ratio of nodes", n / m, note.clone());
    out.timed("fifteen", row, "ratio of speeds", n / s / (m / t), note.clone());
    out.timed("fifteen", row, "ratio of times", s / t, note);
    Ok(out)
}

fn unkept(error: std::io::Error) -> Stopped {
    Stopped::Failed(format!("keeping what is solved: {error}"))
}

/// A solved instance: its length, the nodes generated, the seconds.
type Solved = (u32, u64, f64);

/// Solves random 19-puzzles with the paper's heuristic.
pub fn nineteen_puzzles(context: &Context<'_>) -> Result<Outcome, Stopped> {
    let mut out = Outcome::default();
    let puzzle = puzzle(4, 5);
    let solver = default_solver(puzzle.clone(), HeuristicSpec::Korf96, context)?;
    let mut steps = Steps::<Solved>::open(&context.work_dir, &context.identity).map_err(unkept)?;
    context.run.progress().begin("19-puzzles", NINETEEN as u64);
    let first = steps.done.len();
    for tiles in Instances::new(puzzle.board(), *puzzle.goal(), SEED).take(NINETEEN).skip(first) {
        context.run.progress().update(steps.done.len() as u64);
        let report = search(&solver, &tiles, None, context)?;
        let (nodes, seconds) = totals(&report);
        steps.add((length(&report), nodes, seconds)).map_err(unkept)?;
    }
    context.run.progress().end();
    let mean = |of: &dyn Fn(&Solved) -> f64| steps.done.iter().map(of).sum::<f64>() / NINETEEN as f64;
    let row = "hundred instances";
    let most = steps.done.iter().map(|step| step.1).max().unwrap_or(0);
    out.put("nineteen", row, "mean length", mean(&|step| f64::from(step.0)));
    out.raced("nineteen", row, "nodes, mean", mean(&|step| step.1 as f64), format!("maximum {most}"));
    out.timed("nineteen", row, "seconds, mean", mean(&|step| step.2), "");
    Ok(out)
}

/// The solver of the 24-puzzle with more pattern databases than by default.
fn by_catalogue(context: &Context<'_>) -> Result<Solver, Stopped> {
    let (puzzle, run) = (puzzle(5, 5), context.run.with_memory(CATALOGUE));
    Ok(Solver::load(puzzle, PATTERNS, context.store, &run)?)
}

/// An instance solved by pattern databases.
#[derive(Serialize, Deserialize)]
struct ByPatterns {
    length: u32,
    generated: u64,
    expanded: u64,
    /// The nodes of the bounds before the last one, which are the same in each run.
    complete: u64,
    seconds: f64,
}

impl ByPatterns {
    fn of(report: &Report<Vec<Op>>) -> ByPatterns {
        let complete = report.iterations.iter().filter(|one| one.complete).map(|one| one.expanded);
        let (generated, seconds) = totals(report);
        ByPatterns {
            length: length(report),
            generated,
            expanded: report.expanded(),
            complete: complete.sum(),
            seconds,
        }
    }
}

/// Solves the instances of Table 1 with pattern databases. Each result is saved as soon as its instance is solved.
pub fn ten_by_patterns(context: &Context<'_>) -> Result<Outcome, Stopped> {
    let mut out = Outcome::default();
    let solver = by_catalogue(context)?;
    let instances = ten();
    let mut steps = Steps::<ByPatterns>::open(&context.work_dir, &context.identity).map_err(unkept)?;
    context.run.progress().begin("24-puzzles", instances.len() as u64);
    for (tiles, _) in instances.iter().skip(steps.done.len()) {
        context.run.progress().update(steps.done.len() as u64);
        steps.add(ByPatterns::of(&solve(&solver, tiles, context)?)).map_err(unkept)?;
    }
    context.run.progress().end();
    for (at, solved) in steps.done.iter().enumerate() {
        let row = format!("instance {}", at + 1);
        let expanded =
            format!("{} expanded, {} of them with complete bounds", solved.expanded, solved.complete);
        out.note("table-1", &row, "length", solved.length, "proved");
        out.raced("table-1", &row, "nodes by pattern databases", solved.generated, expanded);
        out.timed("table-1", &row, "seconds by pattern databases", solved.seconds, "");
    }
    let sum = |of: &dyn Fn(&ByPatterns) -> f64| steps.done.iter().map(of).sum::<f64>();
    let seconds = sum(&|solved| solved.seconds);
    out.put(
        "table-1",
        "all",
        "mean length",
        sum(&|solved| f64::from(solved.length)) / instances.len() as f64,
    );
    out.timed("table-1", "all", "seconds by pattern databases", seconds, "");
    let speed = sum(&|solved| solved.generated as f64) / seconds;
    out.timed("machine", "IDA*, pattern databases", "nodes a second", speed, "");
    out.timed_curve("speed", "ours", vec![(speed, 2.0)]);
    Ok(out)
}

/// Solves an instance of Table 1, numbered from 1, with the paper's heuristic and an automaton.
pub fn by_1996(number: usize, context: &Context<'_>) -> Result<Outcome, Stopped> {
    let (mut out, row) = (Outcome::default(), format!("instance {number}"));
    let solver = default_solver(puzzle(5, 5), HeuristicSpec::Korf96, context)?;
    let report = solve_for_long(&solver, &ten()[number - 1].0, context)?;
    let (nodes, seconds) = totals(&report);
    out.raced("table-1", &row, BY_1996, nodes, "");
    if number == 1 {
        let points = report.iterations.iter().map(|i| (f64::from(i.bound), i.generated as f64));
        out.curve("nodes", "instance 1, solved", points.collect());
    }
    out.timed("machine", &row, "hours", seconds / 3600.0, "");
    out.timed("machine", &row, "days", seconds / 86_400.0, "");
    Ok(out)
}
