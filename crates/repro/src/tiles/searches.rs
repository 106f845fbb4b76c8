//! The Fifteen and Nineteen Puzzles, and the ten 24-puzzles of Table 1.

use super::{
    default_solver, hundred, length, puzzle, search, solve, solve_for_long, solver, tables, ten, totals,
};
use crate::fixture::Figures;
use crate::job::{Context, Cost, Job, Outcome, Stopped};
use crate::paper::{Paper, Tier};
use crate::results::Steps;
use search_core::{Op, Report};
use serde::{Deserialize, Serialize};
use slidetile::random::Instances;
use slidetile::{HeuristicSpec, Pruning, Solver, Tiles};

const SEED: u64 = 1996;
const NINETEEN: usize = 100;
const BY_1996: &str = "nodes by the paper’s heuristic";
/// Seconds to solve the ten instances of Table 1 with pattern databases.
const SECONDS: f64 = 3600.0;
/// The heuristic that does it, and the bytes of its tables.
const PATTERNS: HeuristicSpec = HeuristicSpec::AllPatterns;
const CATALOGUE: u64 = 4 << 30;
/// Mebibytes that they take.
const MEMORY: u64 = 4500;
/// The number of instances that the standard tier solves with the paper's heuristic.
const STANDARD_1996: usize = 2;

/// The jobs of this module.
pub fn jobs(figures: &Figures<'_>) -> Vec<Job> {
    let mut jobs = fifteen(figures);
    jobs.push(nineteen(figures));
    jobs.push(by_patterns(figures));
    jobs.extend((0..10).map(|at| by_1996(figures, at)));
    jobs
}

fn fifteen(figures: &Figures<'_>) -> Vec<Job> {
    let mut lengths = Job::new(
        Paper::Tiles,
        "fifteen",
        Tier::Quick,
        Cost::new(32.0, 100),
        "solves Korf’s hundred 15-puzzles with the paper’s heuristic",
        figures.of("fifteen", |row, _| row == "hundred instances"),
        hundred_lengths,
    )
    .reading(tables(&puzzle(4, 4), HeuristicSpec::Korf96, 0));
    // The machine's speed comes from the same searches.
    lengths.cells.extend(figures.of("machine", |row, _| row == "IDA*, heuristic of 1996"));
    vec![
        lengths,
        Job::new(
            Paper::Tiles,
            "fifteen-conflicts",
            Tier::Quick,
            Cost::new(5.0, 100),
            "solves the 15-puzzles of at most 46 moves by Manhattan distance and by linear conflict",
            figures.of("fifteen", |row, _| row.starts_with("Manhattan")),
            |context| conflicts(46, context),
        ),
        Job::new(
            Paper::Tiles,
            "fifteen-conflicts-54",
            Tier::Standard,
            Cost::new(500.0, 100),
            "solves the 15-puzzles of at most 54 moves by Manhattan distance and by linear conflict",
            figures.of("fifteen", |row, _| row.starts_with("Manhattan")),
            |context| conflicts(54, context),
        ),
    ]
}

fn hundred_lengths(context: &Context<'_>) -> Result<Outcome, Stopped> {
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

fn conflicts(longest: u64, context: &Context<'_>) -> Result<Outcome, Stopped> {
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

fn nineteen(figures: &Figures<'_>) -> Job {
    Job::new(
        Paper::Tiles,
        "nineteen",
        Tier::Full,
        Cost::new(9000.0, 100),
        &format!("solves {NINETEEN} random 19-puzzles with the paper’s heuristic"),
        figures.table("nineteen"),
        nineteen_puzzles,
    )
    .reading(tables(&puzzle(4, 5), HeuristicSpec::Korf96, 0))
    .seeded(SEED)
}

fn unkept(error: std::io::Error) -> Stopped {
    Stopped::Failed(format!("keeping what is solved: {error}"))
}

/// A solved instance: its length, the nodes generated, the seconds.
type Solved = (u32, u64, f64);

fn nineteen_puzzles(context: &Context<'_>) -> Result<Outcome, Stopped> {
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
    /// Those of the bounds before the last one: the same in each run.
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

/// Table 1 by pattern databases, instance by instance, each kept when it is solved.
fn by_patterns(figures: &Figures<'_>) -> Job {
    Job::new(
        Paper::Tiles,
        "table-1",
        Tier::Full,
        Cost::new(SECONDS, MEMORY),
        "solves the ten instances with additive pattern databases",
        figures.of("table-1", |_, column| column != BY_1996),
        ten_by_patterns,
    )
    .reading(tables(&puzzle(5, 5), PATTERNS, CATALOGUE))
}

fn ten_by_patterns(context: &Context<'_>) -> Result<Outcome, Stopped> {
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

/// One instance of Table 1 as the paper solved it.
fn by_1996(figures: &Figures<'_>, at: usize) -> Job {
    let row = format!("instance {}", at + 1);
    let mut cells = figures.of("table-1", |of, column| of == row && column == BY_1996);
    cells.extend(figures.of("machine", |of, _| of == row));
    let printed = figures.printed("table-1", &row, BY_1996).unwrap_or(0.0);
    let named = row.clone();
    Job::new(
        Paper::Tiles,
        &format!("table-1-1996/{}", at + 1),
        if at < STANDARD_1996 { Tier::Standard } else { Tier::Full },
        Cost::new(printed / 6e7, 100),
        &format!("solves {row} with the paper’s heuristic and an automaton"),
        cells,
        move |context| {
            let mut out = Outcome::default();
            let solver = default_solver(puzzle(5, 5), HeuristicSpec::Korf96, context)?;
            let report = solve_for_long(&solver, &ten()[at].0, context)?;
            let (nodes, seconds) = totals(&report);
            out.raced("table-1", &named, BY_1996, nodes, "");
            if at == 0 {
                let points = report.iterations.iter().map(|i| (f64::from(i.bound), i.generated as f64));
                out.curve("nodes", "instance 1, solved", points.collect());
            }
            out.timed("machine", &named, "hours", seconds / 3600.0, "");
            out.timed("machine", &named, "days", seconds / 86_400.0, "");
            Ok(out)
        },
    )
    .reading(tables(&puzzle(5, 5), HeuristicSpec::Korf96, 0))
}
