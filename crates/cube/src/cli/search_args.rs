//! `--metric`, `--heuristic`, and the solver that they describe.

use super::move_args;
use crate::heuristics::{HeuristicSpec, family};
use crate::mask::{Goals, Mask};
use crate::metric::Metric;
use crate::moves::MoveSet;
use crate::strategy::{Solver, SolverError, SolverSetup};
use crate::tables::TableId;
use clap::{Args, ValueEnum};
use puzzle_cli::{Failure, Named, Session, tables};
use search_core::table::Recipe;

/// The options of a search, in a metric of type `M` ([`FaceMetric`](super::metric::FaceMetric) excludes slices).
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Search")]
pub(super) struct SearchArgs<M: AnyMetric = Metric> {
    /// The metric [default: htm]
    #[arg(long, value_enum)]
    metric: Option<M>,
    #[arg(long, value_name = "NAME", help = heuristic_help(), hide_possible_values = true,
        value_parser = Named::<String>::of(family::reported()))]
    heuristic: Option<String>,
}

/// A metric that can be typed.
pub(crate) trait AnyMetric: ValueEnum + Copy + Into<Metric> + Send + Sync + 'static {}

impl<M: ValueEnum + Copy + Into<Metric> + Send + Sync + 'static> AnyMetric for M {}

fn heuristic_help() -> String {
    format!(
        "The heuristic: {}, or the name of a table in `cube-opt tables plan` [default: the strongest that fits --memory and whose tables exist or can be built \
         within a minute; square-5 and larger only if their tables exist]",
        family::all_names()
    )
}

impl SearchArgs {
    /// The arguments with this metric and heuristic. Slice turns have a heuristic of their own, which has no name.
    pub(super) fn of(metric: Metric, heuristic: &str) -> SearchArgs {
        let heuristic = metric.is_of_faces().then(|| heuristic.to_owned());
        SearchArgs { metric: Some(metric), heuristic }
    }
}

impl<M: AnyMetric> SearchArgs<M> {
    /// Loads the solver for the solved cube, with one heuristic for all cubes.
    pub(super) fn load(&self, session: &Session) -> Result<Solver, Failure> {
        let set = move_args::set(None, self.metric())?;
        if set.is_some() && self.asks_for_heuristic() {
            let metric = self.metric().unwrap_or_default().name();
            return Err(Failure::usage(format_args!(
                "--metric {metric} cannot be combined with --heuristic"
            ))
            .with_remedy("leave out --heuristic: this metric has tables of its own"));
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
                .with_remedy("leave out --heuristic"));
        }
        let Some(name) = &self.heuristic else { return Ok(setup.metric(metric)) };
        match (name.parse::<HeuristicSpec>(), TableId::from_name(name)) {
            (Ok(heuristic), _) => Ok(setup.metric(metric).heuristic(heuristic)),
            (Err(_), Some(id)) => {
                let (heuristic, metric) = self.of_table(id)?;
                Ok(setup.metric(metric).heuristic(heuristic))
            }
            (Err(reason), None) => Err(Failure::usage(reason)),
        }
    }

    /// The metric, if one was named.
    pub(super) fn metric(&self) -> Option<Metric> {
        self.metric.map(Into::into)
    }

    /// Whether a heuristic was requested.
    pub(super) fn asks_for_heuristic(&self) -> bool {
        self.heuristic.is_some()
    }

    /// The heuristic that reads a table and, at most, the table that belongs to it, and their metric.
    fn of_table(&self, id: TableId) -> Result<(HeuristicSpec, Metric), Failure> {
        match self.metric() {
            Some(metric) if metric != id.metric => Err(Failure::usage(format_args!(
                "table {} is for the metric {}, not {}",
                id.name(),
                id.metric.name(),
                metric.name()
            ))
            .with_remedy("leave out --metric, or name the table of that metric")),
            _ => {
                let heuristic = HeuristicSpec::reading(id.pattern).ok_or_else(|| {
                    Failure::usage(format_args!("table {} is for goals that ignore pieces", id.name()))
                        .with_remedy("leave out --heuristic: such goals find their own tables")
                })?;
                Ok((heuristic, id.metric))
            }
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
        SolverError::NotSolved(_) => Failure::malformed(&error).with_remedy("allow more moves with --moves"),
        error => Failure::usage(error),
    }
}
