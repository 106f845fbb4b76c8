//! The effect of each technique of the search by pattern databases: the same board without one.
//!
//! All variants prove the length of 2002, on one thread, so that the nodes of the last bound are repeatable too. The
//! pattern databases are those of `pdb`, but for the variant with the partition of 2002 alone.

use super::{default_solver, fifty, length, puzzle, ran, solver, tables};
use crate::fixture::Figures;
use crate::job::{Context, Cost, Job, Outcome, Stopped};
use crate::number::Number;
use crate::paper::{Paper, Tier};
use search_core::ida::{self, Config, Kernel};
use search_core::table::Tables as _;
use search_core::{Automaton, Cancelled, Op, Report, Run, Silent};
use slidetile::board::OPS;
use slidetile::heuristic::Additive;
use slidetile::heuristic::additive::Tables;
use slidetile::tables::LearnedAutomaton;
use slidetile::{Ask, HeuristicSpec, Order, Pruning, Puzzle, Solver, Tiles, fsm};
use std::cmp::Reverse;

/// Boards by their numbers in 2002, their tiers, and the seconds that all variants take together.
const BOARDS: [(usize, Tier, f64); 4] =
    [(40, Tier::Standard, 120.0), (25, Tier::Standard, 400.0), (28, Tier::Full, 3e3), (37, Tier::Full, 3e3)];
/// The heuristic whose techniques are left out.
const HEURISTIC: HeuristicSpec = HeuristicSpec::Patterns;
/// Mebibytes that it takes.
const MEMORY: u64 = 1300;
/// Memory for its tables.
const CATALOGUE: u64 = 1 << 30;
/// Memory that holds four tables: the partition of 2002 and its reflection.
const FOUR_TABLES: u64 = 100 << 20;

/// The jobs of this module.
pub fn jobs(_: &Figures<'_>) -> Vec<Job> {
    BOARDS.into_iter().map(board).collect()
}

fn board((number, tier, seconds): (usize, Tier, f64)) -> Job {
    Job::new(
        Paper::Tiles,
        &format!("ablation-{number}"),
        tier,
        Cost::new(seconds, MEMORY),
        &format!("solves number {number} of 2002 without each technique of the pattern databases in turn"),
        Vec::new(),
        move |context| ablation(number, context),
    )
    .reading(tables(&puzzle(5, 5), HEURISTIC, CATALOGUE))
}

fn ablation(number: usize, context: &Context<'_>) -> Result<Outcome, Stopped> {
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
    }
    {
        let solver = solver(puzzle(5, 5), HEURISTIC, Pruning::Inverse, context)?;
        add("without automaton", with(&solver, ask())?);
    }
    for (name, partitions) in [("three partitions, without trials", 3), ("one partition, without trials", 1)]
    {
        let fixed = Fixed::load(puzzle(5, 5), context)?;
        add(name, fixed.solve(&tiles, partitions, context.run)?);
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

/// Partitions that are read from the first bound to the last.
struct Fixed {
    puzzle: Puzzle,
    automaton: Automaton,
    tables: Tables<search_core::memory::Memory>,
}

impl Fixed {
    fn load(puzzle: Puzzle, context: &Context<'_>) -> Result<Fixed, Stopped> {
        let Context { store, run, .. } = *context;
        let board = puzzle.board();
        let learned = LearnedAutomaton { board, depth: fsm::default_depth(board) };
        let automaton = store.table(&learned, run)?.to_automaton(OPS)?;
        let plan = HEURISTIC.plan(&puzzle, run.memory()).expect("the board has pattern databases");
        let filled = store.tables(&plan.patterns, run)?.into_iter().map(|table| table.body).collect();
        Ok(Fixed { puzzle, automaton, tables: Tables::new(plan, filled) })
    }

    /// Solves with as many partitions as are asked for, those with the greatest values at the start.
    fn solve(&self, tiles: &Tiles, partitions: usize, run: &Run<'_>) -> Result<Report<Vec<Op>>, Stopped> {
        let start = self.tables.start(tiles);
        let values: Vec<u32> = start.values().collect();
        let mut chosen: Vec<usize> = (0..values.len()).collect();
        chosen.sort_by_key(|&partition| Reverse(values[partition]));
        chosen.truncate(partitions);
        let config = Config::default();
        let run = &run.with_progress(&Silent);
        let report = match self.tables.plan().lookups(&chosen) {
            ..=8 => {
                let heuristic = Additive::<8, _>::new(&self.tables, &chosen, &start);
                ida::search(&self.puzzle, &heuristic, &self.automaton, tiles, &config, run)
            }
            _ => {
                let heuristic = Additive::<16, _>::new(&self.tables, &chosen, &start);
                ida::search(&self.puzzle, &heuristic, &self.automaton, tiles, &config, run)
            }
        };
        if report.ending.is_cancelled() { Err(Cancelled.into()) } else { Ok(report) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use search_core::table::Store;
    use slidetile::random::Instances;
    use std::sync::OnceLock;

    #[test]
    fn fixed_partitions_prove_what_the_solver_proves() {
        let dir = tempfile::tempdir().expect("a folder");
        let (store, run) = (&Store::new(dir.path(), "test"), &Run::new().with_threads(1));
        let context = &Context {
            store,
            work_dir: dir.path().to_owned(),
            identity: String::new(),
            run,
            first: &OnceLock::new(),
        };
        let puzzle = puzzle(3, 4);
        let solver = default_solver(puzzle.clone(), HEURISTIC, context).expect("a solver");
        let fixed = Fixed::load(puzzle.clone(), context).expect("tables");
        for tiles in Instances::new(puzzle.board(), *puzzle.goal(), 2002).take(5) {
            let proved = length(&ran(&solver, &Ask::new(tiles), context).expect("solved"));
            for partitions in [1, 3] {
                let report = fixed.solve(&tiles, partitions, run).expect("solved");
                assert_eq!(length(&report), proved, "{partitions} partitions");
            }
        }
    }
}
