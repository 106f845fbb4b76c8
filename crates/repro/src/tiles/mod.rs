//! The jobs of Korf & Taylor 1996.
//!
//! | module | tables of the report |
//! | --- | --- |
//! | [`parts`] | state spaces, shares, examples |
//! | [`learned`] | the theory: learned pairs and triples |
//! | [`automata`] | the automaton, the grid |
//! | [`searches`] | the Fifteen and Nineteen Puzzles, Table 1 |
//! | [`ablation`] | the effect of each technique of the pattern databases, beyond the paper |

pub mod ablation;
pub mod automata;
pub mod grid;
pub mod learned;
pub mod parts;
pub mod searches;

use crate::fixture::Figures;
use crate::job::{self, Context, Stopped, Work};
use crate::resume::search_file;
use crate::tables::ProgramTable;
use search_core::{Cancelled, Op, Report, Silent};
use slidetile::tables::LearnedAutomaton;
use slidetile::{
    Ask, Board, HeuristicSpec, Order, Pruning, Puzzle, Solver, SolverSetup, Tiles, default_pruning,
};
use std::sync::Arc;

/// The work of this name.
pub fn work(name: &str, number: usize, figures: &Figures<'_>) -> Option<Work> {
    Some(match name {
        "spaces" => job::work(|_| Ok(parts::spaces())),
        "shares" => job::work(parts::shares),
        "examples" => job::work(|context| Ok(parts::examples(context))),
        "learned" => job::work(|context| Ok(learned::learned(context))),
        "learned-values" => job::work(learned::values),
        "automaton" => job::work(move |context| automata::automata(number, context)),
        "grid" => job::work(automata::grid),
        "pruning" if number == 0 => automata::pruning_to_bound(figures),
        "pruning" => job::work(move |context| automata::pruning_solved(number, context)),
        "fifteen" => job::work(searches::hundred_lengths),
        "fifteen-conflicts" => job::work(move |context| searches::conflicts(number as u64, context)),
        "nineteen" => job::work(searches::nineteen_puzzles),
        "table-1" => job::work(searches::ten_by_patterns),
        "table-1-1996" => job::work(move |context| searches::by_1996(number, context)),
        "ablation" => job::work(move |context| ablation::ablation(number, context)),
        _ => return None,
    })
}

/// The tables of a board's default solver with a heuristic, such as `5x5 korf96`, or `5x5 pdb 1` for at most one
/// gibibyte of pattern databases.
pub fn tables(solver: &str) -> Vec<ProgramTable> {
    let words: Vec<&str> = solver.split_whitespace().collect();
    let [size, heuristic, ref gibibytes @ ..] = words[..] else { return Vec::new() };
    let puzzle = Puzzle::blank_first(size.parse().expect("a size"));
    let heuristic: HeuristicSpec = heuristic.parse().expect("a heuristic's name");
    let bytes = gibibytes.first().map_or(0, |gibibytes| gibibytes.parse::<u64>().expect("a number") << 30);
    let mut tables: Vec<ProgramTable> =
        heuristic.patterns(&puzzle, bytes).into_iter().map(ProgramTable::tiles).collect();
    if let Pruning::Learned(depth) = default_pruning(puzzle.board()) {
        tables.push(ProgramTable::tiles(LearnedAutomaton { board: puzzle.board(), depth }));
    }
    tables
}

/// The puzzle with the given rows and columns, its goal with the blank first.
fn puzzle(rows: usize, cols: usize) -> Puzzle {
    Puzzle::blank_first(Board::new(rows, cols).expect("a board"))
}

fn solver(
    puzzle: Puzzle,
    heuristic: HeuristicSpec,
    pruning: Pruning,
    context: &Context<'_>,
) -> Result<Solver, Stopped> {
    let setup = SolverSetup::from(heuristic).pruning(pruning);
    Ok(Solver::load(puzzle, setup, context.store, context.run)?)
}

/// A solver with the board's default automaton.
fn default_solver(
    puzzle: Puzzle,
    heuristic: HeuristicSpec,
    context: &Context<'_>,
) -> Result<Solver, Stopped> {
    Ok(Solver::load(puzzle, heuristic, context.store, context.run)?)
}

/// Searches to a bound, or to the end without one, by plain IDA* as in the paper.
fn search(
    solver: &Solver,
    tiles: &Tiles,
    max_bound: Option<u32>,
    context: &Context<'_>,
) -> Result<Report<Vec<Op>>, Stopped> {
    ran(solver, &Ask::new(*tiles).max_bound(max_bound).order(Order::Operators), context)
}

/// Solves by plain IDA*, with a checkpoint in the job's folder.
fn solve_for_long(solver: &Solver, tiles: &Tiles, context: &Context<'_>) -> Result<Report<Vec<Op>>, Stopped> {
    let file = search_file(&context.work_dir, &context.identity);
    ran(solver, &Ask::new(*tiles).order(Order::Operators).checkpoints(Arc::new(file)), context)
}

/// Solves as `tile24 solve` does.
fn solve(solver: &Solver, tiles: &Tiles, context: &Context<'_>) -> Result<Report<Vec<Op>>, Stopped> {
    ran(solver, &Ask::new(*tiles), context)
}

fn ran(solver: &Solver, ask: &Ask, context: &Context<'_>) -> Result<Report<Vec<Op>>, Stopped> {
    let answer = solver.solve(ask, &context.run.with_progress(&Silent)).expect("an instance with a solution");
    context.note_iterations(&answer.iterations);
    if answer.ending.is_cancelled() {
        return Err(Cancelled.into());
    }
    Ok(answer.into_report())
}

/// Nodes generated and seconds of all iterations.
fn totals<S>(report: &Report<S>) -> (u64, f64) {
    (report.generated(), report.seconds())
}

/// The length that was proved.
fn length<S>(report: &Report<S>) -> u32 {
    report.ending.length().expect("a solvable puzzle without a bound is solved")
}

/// An instance of a fixture file: its tiles, and the figures after them.
fn instances(text: &str) -> Vec<(Tiles, Vec<u64>)> {
    let mut reader =
        csv::ReaderBuilder::new().comment(Some(b'#')).has_headers(false).from_reader(text.as_bytes());
    let instance = |row: Result<csv::StringRecord, csv::Error>| {
        let row = row.expect("a row of the fixture");
        let figures = row.iter().skip(2).map(|figure| figure.parse().expect("a figure")).collect();
        (Tiles::parse(&row[1], None).expect("tiles of a square board").1, figures)
    };
    reader.records().map(instance).collect()
}

/// Korf 1985: instances with their lengths.
pub(crate) fn hundred() -> Vec<(Tiles, Vec<u64>)> {
    instances(include_str!("../../../../fixtures/sliding-tiles/korf-1985-hundred.csv"))
}

/// Table 1: instances with nodes and lengths.
fn ten() -> Vec<(Tiles, Vec<u64>)> {
    instances(include_str!("../../../../fixtures/sliding-tiles/korf-taylor-1996-table-1.csv"))
}

/// Korf & Felner 2002: fifty instances with lengths and nodes.
fn fifty() -> Vec<(Tiles, Vec<u64>)> {
    instances(include_str!("../../../../fixtures/sliding-tiles/korf-felner-2002-fifty.csv"))
}
