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

use crate::fixture::Figures;
use crate::job::{self, Context, Stopped, Work};
use crate::resume::search_file;
use crate::tables::ProgramTable;
use cube::notation::scramble;
use cube::notation::scramble::Move;
use cube::{Ask, Cube, HeuristicSpec, Metric, Solver, SolverSetup};
use search_core::ida::Order;
use search_core::{Cancelled, Report, Silent};
use std::sync::Arc;

/// The name of the heuristic that a first solve uses.
const DEFAULT: &str = "default";

/// The work of this name.
pub fn work(name: &str, number: usize, figures: &Figures<'_>) -> Option<Work> {
    Some(match name {
        "search-tree" => space::search_tree(figures),
        "heuristics" => heuristics::databases(figures),
        "lookups" => heuristics::views(figures),
        "coset" => job::work(heuristics::cosets),
        "iterations" if number == 0 => job::work(iterations::shallow),
        "iterations" => job::work(move |context| iterations::deep(number, context)),
        "table-2" => job::work(move |context| iterations::solved(number, context)),
        "median" => job::work(iterations::median),
        "table-2-1997" => job::work(move |context| iterations::by_1997(number, context)),
        "t-by-m" if number == 0 => job::work(|context| analysis::measured(&analysis::TABLES, context)),
        "t-by-m" => job::work(|context| analysis::measured(&[analysis::SEVEN], context)),
        "fiat-shamir" => job::work(move |context| duels::fiat_shamir(number as u32, context)),
        "splitting" => job::work(duels::splitting),
        _ => return None,
    })
}

/// The tables of some heuristics, by their names.
pub fn tables(heuristics: &str) -> Vec<ProgramTable> {
    let mut tables: Vec<ProgramTable> = Vec::new();
    for table in heuristics.split_whitespace().flat_map(|name| specified(name).tables(Metric::Htm)) {
        let table = ProgramTable::cube(table);
        if !tables.contains(&table) {
            tables.push(table);
        }
    }
    tables
}

/// A heuristic by its name; `default` is the one that a first solve uses.
fn specified(name: &str) -> HeuristicSpec {
    match name {
        DEFAULT => HeuristicSpec::defaults().next().expect("a default"),
        name => name.parse().expect("a heuristic's name"),
    }
}

/// The solver with a heuristic, its tables loaded.
fn solver(name: &str, context: &Context<'_>) -> Result<Solver, Stopped> {
    let Context { store, run, .. } = *context;
    Ok(SolverSetup::new().heuristic(specified(name)).load(store.clone(), run)?)
}

/// Searches to a bound, or to the end without one, by plain IDA* as in the paper.
fn search(
    solver: &Solver,
    cube: &Cube,
    max_bound: Option<u32>,
    context: &Context<'_>,
) -> Result<Report<Vec<Move>>, Stopped> {
    ran(solver, &Ask::new(*cube).max_bound(max_bound).order(Some(Order::Operators)), context)
}

/// Solves by plain IDA*, with a checkpoint in the job's folder.
fn solve_for_long(solver: &Solver, cube: &Cube, context: &Context<'_>) -> Result<Report<Vec<Move>>, Stopped> {
    let file = search_file(&context.work_dir, &context.identity);
    let ask = Ask::new(*cube).checkpoints(Arc::new(file)).order(Some(Order::Operators));
    ran(solver, &ask, context)
}

/// Solves as `cube-opt solve` does.
fn solve(solver: &Solver, cube: &Cube, context: &Context<'_>) -> Result<Report<Vec<Move>>, Stopped> {
    ran(solver, &Ask::new(*cube), context)
}

fn ran(solver: &Solver, ask: &Ask, context: &Context<'_>) -> Result<Report<Vec<Move>>, Stopped> {
    let report = solver.solve(ask, &context.run.with_progress(&Silent))?.into_report();
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
