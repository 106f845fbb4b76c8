//! The jobs of Korf 1997 and the letters.
//!
//! | module | tables of the report |
//! | --- | --- |
//! | [`space`] | the problem space, Table 1, the paper's arithmetic |
//! | [`heuristics`] | sizes and expected values; lookups; cosets |
//! | [`iterations`] | complete iterations, Table 2 |
//! | [`analysis`] | t against n/m |
//! | [`duels`] | IDA* against Fiat–Shamir, one thread against many |

pub mod analysis;
pub mod duels;
pub mod heuristics;
pub mod iterations;
pub mod space;

use crate::fixture::{Figures, Key};
use crate::job::{Context, Cost, Job, Outcome, Stopped};
use crate::paper::{Paper, Tier};
use crate::resume::SearchFile;
use crate::tables::ProgramTable;
use cube::notation::scramble;
use cube::solver::FaceSolver;
use cube::{Cube, HeuristicSpec, Metric, Turn};
use search_core::ida::{Checkpoints, Config, Order};
use search_core::{Cancelled, Report, Silent};
use std::sync::Arc;

/// All jobs of the paper.
pub fn jobs(figures: &Figures<'_>) -> Vec<Job> {
    let mut jobs = space::jobs(figures);
    jobs.extend(heuristics::jobs(figures));
    jobs.extend(iterations::jobs(figures));
    jobs.extend(analysis::jobs(figures));
    jobs.extend(duels::jobs(figures));
    jobs
}

/// A job of this paper with the tables of some heuristics.
fn job(
    id: &str,
    tier: Tier,
    cost: Cost,
    title: &str,
    heuristics: &[&str],
    cells: Vec<Key>,
    run: impl Fn(&Context<'_>) -> Result<Outcome, Stopped> + Send + Sync + 'static,
) -> Job {
    let mut tables: Vec<ProgramTable> = Vec::new();
    for table in heuristics.iter().flat_map(|name| specified(name).tables(Metric::Htm)) {
        let table = ProgramTable::cube(table);
        if !tables.contains(&table) {
            tables.push(table);
        }
    }
    Job::new(Paper::Cube, id, tier, cost, title, cells, run).reading(tables)
}

fn specified(name: &str) -> HeuristicSpec {
    name.parse().expect("a heuristic's name")
}

/// The solver with a heuristic, its tables loaded.
fn solver(name: &str, context: &Context<'_>) -> Result<FaceSolver, Stopped> {
    let Context { store, run, .. } = *context;
    Ok(FaceSolver::load(&specified(name), Metric::Htm, store, run)?)
}

/// Searches to a bound, or to the end without one, by plain IDA* as in the paper.
fn search(
    solver: &FaceSolver,
    cube: &Cube,
    max_bound: Option<u32>,
    context: &Context<'_>,
) -> Result<Report<Vec<Turn>>, Stopped> {
    ran(solver, cube, &Config::default().max_bound(max_bound).order(Order::Operators), context)
}

/// Solves by plain IDA*, with a checkpoint in the job's folder.
fn solve_for_long(
    solver: &FaceSolver,
    cube: &Cube,
    context: &Context<'_>,
) -> Result<Report<Vec<Turn>>, Stopped> {
    let file = SearchFile::new(&context.work_dir, &context.identity);
    let checkpoints: Option<Arc<dyn Checkpoints>> = Some(Arc::new(file));
    ran(solver, cube, &Config::default().checkpoints(checkpoints).order(Order::Operators), context)
}

/// Solves as `cube-opt solve` does.
fn solve(solver: &FaceSolver, cube: &Cube, context: &Context<'_>) -> Result<Report<Vec<Turn>>, Stopped> {
    ran(solver, cube, &Config::default(), context)
}

fn ran(
    solver: &FaceSolver,
    cube: &Cube,
    config: &Config,
    context: &Context<'_>,
) -> Result<Report<Vec<Turn>>, Stopped> {
    let report = solver.solve(cube, config, &context.run.with_progress(&Silent))?;
    context.note_iterations(&report.iterations);
    if report.ending.is_cancelled() {
        return Err(Cancelled.into());
    }
    Ok(report)
}

/// The ten cubes of Table 2, in the order of the file.
fn ten_cubes() -> Vec<Cube> {
    let text = include_str!("../../../../fixtures/cube/korf-1997-ten-cubes.txt");
    let cube = |line: &str| scramble::parse(line).expect("a scramble").cube();
    text.lines().filter(|line| !line.is_empty()).map(cube).collect()
}
