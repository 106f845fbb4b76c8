//! `--metric`, `--heuristic`, `--table`, and the solver that they describe.

use super::{move_args, table_names};
use crate::heuristics::{HeuristicSpec, family};
use crate::mask::{Goals, Mask};
use crate::metric::Metric;
use crate::moves::MoveSet;
use crate::strategy::{Solver, SolverError, SolverSetup};
use crate::tables::TableId;
use clap::{Args, ValueEnum};
use puzzle_cli::{Failure, Session, tables};
use search_core::table::Recipe;

/// The options of a search, in a metric of type `M` ([`FaceMetric`](super::metric::FaceMetric) excludes slices).
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Search")]
pub(super) struct SearchArgs<M: AnyMetric = Metric> {
    /// The metric [default: htm]
    #[arg(long, value_enum)]
    metric: Option<M>,
    #[arg(long, value_name = "NAME", help = heuristic_help())]
    heuristic: Option<String>,
    /// Search with only this table, by its name in `cube-opt tables plan`
    #[arg(long, value_name = "NAME", conflicts_with = "heuristic")]
    table: Option<String>,
}

/// A metric that can be typed.
pub(crate) trait AnyMetric: ValueEnum + Copy + Into<Metric> + Send + Sync + 'static {}

impl<M: ValueEnum + Copy + Into<Metric> + Send + Sync + 'static> AnyMetric for M {}

fn heuristic_help() -> String {
    format!(
        "The heuristic: {} [default: the strongest that fits --memory and whose tables exist or can be built \
         within a minute; square-5 and larger only if their tables exist]",
        family::all_names()
    )
}

impl SearchArgs {
    /// The arguments with this metric and heuristic. Slice turns have a heuristic of their own, which has no name.
    pub(super) fn of(metric: Metric, heuristic: &str) -> SearchArgs {
        let heuristic = metric.is_of_faces().then(|| heuristic.to_owned());
        SearchArgs { metric: Some(metric), heuristic, table: None }
    }
}

impl<M: AnyMetric> SearchArgs<M> {
    /// Loads the solver for the solved cube, with one heuristic for all cubes.
    pub(super) fn load(&self, session: &Session) -> Result<Solver, Failure> {
        let set = move_args::set(None, self.metric())?;
        if set.is_some() && self.asks_for_heuristic() {
            return Err(Failure::usage("--metric stm cannot be combined with --heuristic or --table")
                .with_remedy("leave them out: it has a table of its own"));
        }
        load(self.setup(&Goals::any(&[Mask::default()]), set)?.at_once(), session)
    }

    /// The settings of a solver for `goals`, with the moves of `set` or otherwise all face turns.
    pub(super) fn setup(&self, goals: &Goals, set: Option<MoveSet>) -> Result<SolverSetup, Failure> {
        let metric = self.metric().unwrap_or_default();
        let setup = SolverSetup::new().naming_progress().goals(goals.clone());
        if let Some(set) = set {
            return Ok(setup.moves(set));
        }
        if self.asks_for_heuristic() && !goals.masks().iter().all(Mask::is_none) {
            return Err(Failure::usage("a goal that leaves something open has its own heuristic")
                .with_remedy("leave out --heuristic and --table"));
        }
        match (&self.heuristic, &self.table) {
            (None, None) => Ok(setup.metric(metric)),
            (Some(name), _) => {
                let heuristic: HeuristicSpec = name.parse().map_err(Failure::usage)?;
                Ok(setup.metric(metric).heuristic(heuristic))
            }
            (None, Some(name)) => {
                let (heuristic, metric) = self.table_alone(table_names::one(name, metric)?)?;
                Ok(setup.metric(metric).heuristic(heuristic))
            }
        }
    }

    /// The metric, if one was named.
    pub(super) fn metric(&self) -> Option<Metric> {
        self.metric.map(Into::into)
    }

    /// Whether a heuristic or a table was requested.
    pub(super) fn asks_for_heuristic(&self) -> bool {
        self.heuristic.is_some() || self.table.is_some()
    }

    fn table_alone(&self, id: TableId) -> Result<(HeuristicSpec, Metric), Failure> {
        match self.metric() {
            Some(metric) if metric != id.metric => Err(Failure::usage(format_args!(
                "table {} is for the metric {}, not {}",
                id.name(),
                id.metric.name(),
                metric.name()
            ))
            .with_remedy("leave out --metric, or name the table of that metric")),
            _ => Ok((table_names::reading(id)?, id.metric)),
        }
    }
}

/// Loads a solver; missing tables are built.
pub(super) fn load(setup: SolverSetup, session: &Session) -> Result<Solver, Failure> {
    let solver = setup.load(session.store(super::VERSION), &session.run()).map_err(failure)?;
    tracing::info!(heuristic = solver.planned().heuristic, metric = solver.metric().name(), "loaded");
    Ok(solver)
}

/// The failure of a solver.
pub(super) fn failure(error: SolverError) -> Failure {
    match error {
        SolverError::Table(error) => tables::failure(super::NAME, &error),
        SolverError::Cancelled(_) => {
            Failure::interrupted("interrupted").with_remedy("run the same command again")
        }
        error => Failure::usage(error),
    }
}
