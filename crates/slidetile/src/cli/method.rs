//! The arguments that choose how to search: heuristic, automaton and order.

use clap::Args;
use puzzle_cli::{Failure, Named, Session};
use search_core::ida::Order;
use search_core::record::{Method, TableUse};
use search_core::table::Store;

use crate::fsm::Pruning;
use crate::heuristic::HeuristicSpec;
use crate::metric::Metric;
use crate::puzzle::Puzzle;
use crate::solver::Solver;
use crate::strategy::SolverSetup;

/// The heuristic, the automaton and the order of a search.
#[derive(Args, Clone, Debug)]
pub struct MethodArgs {
    #[arg(long, value_name = "NAME", help = heuristic_help(), hide_possible_values = true,
        value_parser = Named::<HeuristicSpec>::of(HeuristicSpec::ALL.map(HeuristicSpec::name)))]
    pub heuristic: Option<HeuristicSpec>,
    /// Pruning of duplicate operator strings: off, inverse (no move undoes the last one), or the maximum length of
    /// learned strings [default: 12 on boards of at most 12 cells, 14 on others, inverse on
    /// boards larger than 6x6 and with --metric multi, where it prunes a second move along the same line]
    #[arg(long, value_name = "off|inverse|DEPTH", hide_possible_values = true,
        value_parser = Named::<Pruning>::of(["off", "inverse"]))]
    pub fsm: Option<Pruning>,
    /// Order of the branches within a bound: operators, or deepest (branches that the previous bound entered most
    /// deeply come first) [default: deepest for pdb and pdb-max; operators, as in the papers, for md,
    /// lc, pairs, triples and korf96 on boards of at most 32 cells]
    #[arg(long, value_name = "operators|deepest", hide_possible_values = true,
        value_parser = Named::<Order>::of(["operators", "deepest"]))]
    pub order: Option<Order>,
}

fn heuristic_help() -> String {
    format!(
        "The heuristic: {} [default: pdb if its tables fit --memory and the board has at most 32 cells, else korf96; lc on boards larger than 6x6; with --metric multi: pdb on boards of at most 16 cells, else lines]",
        HeuristicSpec::names()
    )
}

impl MethodArgs {
    /// The solver, with its tables.
    ///
    /// # Errors
    /// The failure for a table that is not available.
    pub fn load(&self, puzzle: Puzzle, store: &Store, session: &Session) -> Result<Solver, Failure> {
        let setup = SolverSetup::default().heuristic(self.heuristic).pruning(self.fsm);
        Solver::load(puzzle, setup, store, &session.run()).map_err(|error| super::solver_failure(&error))
    }
}

/// The method of a search, for its record.
pub fn of(metric: Metric, heuristic: &str, tables: &[TableUse], session: &Session) -> Method {
    Method {
        metric: metric.recorded().to_owned(),
        heuristic: heuristic.to_owned(),
        tables: tables.to_vec(),
        threads: session.run().threads(),
        seed: None,
        version: super::VERSION.to_owned(),
    }
}
