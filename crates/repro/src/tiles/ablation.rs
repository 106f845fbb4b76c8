//! The effect of each technique of the search by pattern databases: one board, with one technique left out at a time.
//!
//! All variants prove the length of 2002, on one thread, so that the nodes of the last bound are repeatable too. The
//! pattern databases are those of `pdb`, except for the variant with only the partition of 2002.

use super::{default_solver, fifty, length, puzzle, ran, solver};
use crate::job::{Context, Outcome, Stopped};
use crate::number::Number;
use search_core::ida::Kernel;
use search_core::{Op, Report};
use slidetile::{Ask, HeuristicSpec, Order, Pruning, Solver};

/// The heuristic whose techniques are left out.
const HEURISTIC: HeuristicSpec = HeuristicSpec::Patterns;
/// Memory for its tables.
const CATALOGUE: u64 = 1 << 30;
/// Memory that holds four tables: the partition of 2002 and its reflection.
const FOUR_TABLES: u64 = 100 << 20;

/// Solves a board of 2002 without each technique of the pattern databases in turn.
pub fn ablation(number: usize, context: &Context<'_>) -> Result<Outcome, Stopped> {
    let (tiles, figures) = fifty().swap_remove(number - 1);
    let mut variants = Vec::new();
    let run = &context.run.with_threads(1).with_memory(CATALOGUE);
    let context = &Context { run, ..context.clone() };
    let mut add = |name: &'static str, report: Report<Vec<Op>>| {
        assert_eq!(u64::from(length(&report)), figures[0], "number {number}, {name}: the length of 2002");
        variants.push((name, report));
    };
    let (with, ask) = (|solver: &Solver, ask: Ask| ran(solver, &ask, context), || Ask::new(tiles));
    {
        let solver = default_solver(puzzle(5, 5), HEURISTIC, context)?;
        add("all techniques", with(&solver, ask())?);
        add("in the order of the operators", with(&solver, ask().order(Order::Operators))?);
        add("one subtree at a time", with(&solver, ask().kernel(Kernel::DepthFirst))?);
        add("three partitions, without trials", with(&solver, ask().partitions(3))?);
        add("one partition, without trials", with(&solver, ask().partitions(1))?);
    }
    {
        let solver = solver(puzzle(5, 5), HEURISTIC, Pruning::Inverse, context)?;
        add("without automaton", with(&solver, ask())?);
    }
    {
        let run = &context.run.with_memory(FOUR_TABLES);
        let small = &Context { run, ..context.clone() };
        let solver = default_solver(puzzle(5, 5), HEURISTIC, small)?;
        add("the partition of 2002 and its reflection", ran(&solver, &ask(), small)?);
    }
    let mut out = Outcome::default();
    let all = variants[0].1.expanded() as f64;
    for (name, report) in &variants {
        let (row, times) = (format!("number {number}, {name}"), report.expanded() as f64 / all);
        let complete = report.iterations.iter().filter(|iteration| iteration.complete);
        let note = format!("{} times those of all techniques", Number::Real(times).pretty());
        out.note("ablation", &row, "nodes expanded", report.expanded(), note);
        let before: u64 = complete.map(|iteration| iteration.expanded).sum();
        out.put("ablation", &row, "nodes expanded before the last bound", before);
        out.timed("ablation", &row, "seconds", report.seconds(), "");
    }
    let row = format!("number {number}, Korf & Felner 2002");
    out.note("ablation", row, "nodes expanded", figures[1], "printed: without regions, automaton and order");
    Ok(out)
}
