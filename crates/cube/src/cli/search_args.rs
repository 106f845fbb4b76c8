//! `--metric`, `--heuristic`, `--table`: how to search, and the solver that does.

use super::table_names;
use crate::heuristics::{HeuristicSpec, family};
use crate::mask::{Goals, Mask};
use crate::metric::Metric;
use crate::moves::Counting;
use crate::solver::{GoalSolver, Solver};
use crate::tables::TableId;
use clap::{Args, ValueEnum};
use puzzle_cli::{Failure, Session, tables};
use search_core::table::{Recipe, Store};

/// How to search: in a metric of type `M`, which is [`Metric`] where slices are not available.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Search")]
pub struct SearchArgs<M: AnyMetric = Counting> {
    /// What counts as one move [default: htm]
    #[arg(long, value_enum)]
    metric: Option<M>,
    #[arg(long, value_name = "NAME", help = heuristic_help())]
    heuristic: Option<String>,
    /// Search with only this table, named as `cube-opt tables plan` prints it
    #[arg(long, value_name = "NAME", conflicts_with = "heuristic")]
    table: Option<String>,
}

/// A metric that can be typed.
pub trait AnyMetric: ValueEnum + Copy + Into<Counting> + Send + Sync + 'static {}

impl<M: ValueEnum + Copy + Into<Counting> + Send + Sync + 'static> AnyMetric for M {}

fn heuristic_help() -> String {
    format!(
        "The heuristic: {} [default: the strongest that fits --memory and whose tables exist or can be built \
         within a minute; square-5 and larger only if their tables exist]",
        family::all_names()
    )
}

impl SearchArgs {
    /// The arguments that ask for this. Slice turns have a heuristic of their own, which cannot be asked for.
    pub(super) fn of(metric: Counting, heuristic: &str) -> SearchArgs {
        let heuristic = (metric != Counting::Stm).then(|| heuristic.to_owned());
        SearchArgs { metric: Some(metric), heuristic, table: None }
    }
}

impl<M: AnyMetric> SearchArgs<M> {
    /// Loads the solver for the solved cube alone, and builds the tables that it lacks.
    pub(super) fn load(&self, session: &Session) -> Result<Solver, Failure> {
        self.load_for(&Mask::default(), session)
    }

    /// Loads the solver for `goals`, and builds the tables that it lacks.
    pub(super) fn load_goals(&self, goals: &Goals, session: &Session) -> Result<GoalSolver, Failure> {
        GoalSolver::new(goals.clone(), |mask| self.load_for(mask, session))
    }

    /// Loads the solver for the goal of `mask`.
    fn load_for(&self, mask: &Mask, session: &Session) -> Result<Solver, Failure> {
        let store = session.store(super::VERSION)?;
        let (heuristic, metric) = self.specify(mask, &store, session)?;
        self.load_heuristic(&heuristic, metric, session.run().memory(), session)
    }

    /// Loads the solver with `heuristic`, and builds the tables that it lacks, within so much memory.
    pub(super) fn load_heuristic(
        &self,
        heuristic: &HeuristicSpec,
        metric: Metric,
        memory: u64,
        session: &Session,
    ) -> Result<Solver, Failure> {
        let store = session.store(super::VERSION)?;
        tracing::info!(%heuristic, metric = metric.name(), "loading");
        let progress = session.bars().named(&heuristic.to_string());
        let run = session.run().with_memory(memory);
        Solver::load(heuristic, metric, &store, &run.with_progress(&progress))
            .map_err(|error| tables::failure(super::NAME, &error))
    }

    /// What counts as one move, if that was said.
    pub(super) fn counting(&self) -> Option<Counting> {
        self.metric.map(Into::into)
    }

    /// The metric, of face turns.
    pub(super) fn metric(&self) -> Result<Metric, Failure> {
        Metric::try_from(self.counting().unwrap_or_default()).map_err(|name| {
            Failure::usage(format_args!("the metric {name} is not for this search"))
                .with_remedy("choose htm or qtm")
        })
    }

    /// Whether a heuristic or a table was requested.
    pub(super) fn asks_for_heuristic(&self) -> bool {
        self.heuristic.is_some() || self.table.is_some()
    }

    fn specify(
        &self,
        mask: &Mask,
        store: &Store,
        session: &Session,
    ) -> Result<(HeuristicSpec, Metric), Failure> {
        let metric = self.metric()?;
        match (&self.heuristic, &self.table) {
            (None, None) => Ok((HeuristicSpec::for_goal(mask, metric, store, &session.run()), metric)),
            _ if !mask.is_none() => {
                Err(Failure::usage("a goal that leaves something open has its own heuristic")
                    .with_remedy("leave out --heuristic and --table"))
            }
            (Some(name), _) => Ok((name.parse().map_err(Failure::usage)?, metric)),
            (None, Some(name)) => self.table_alone(table_names::one(name, metric)?),
        }
    }

    fn table_alone(&self, id: TableId) -> Result<(HeuristicSpec, Metric), Failure> {
        match self.counting() {
            Some(metric) if metric != id.metric.into() => Err(Failure::usage(format_args!(
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
