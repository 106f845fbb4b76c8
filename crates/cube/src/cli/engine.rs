//! Which heuristic to search with: what was asked for, or the strongest that is to be had soon.

use super::{names, verdict};
use crate::Metric;
use crate::choice::Choice;
use crate::cube::Cube;
use crate::mask::Mask;
use crate::notation::scramble;
use crate::solver::Solver;
use crate::tables::TableId;
use clap::Args;
use puzzle_cli::{Failure, Named, Session, tables};
use search_core::ida::Config;
use search_core::table::{Recipe, Store};
use std::cell::OnceCell;

/// How to search.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Search")]
pub struct EngineArgs {
    /// What one move is [default: htm]
    #[arg(long, value_enum)]
    metric: Option<Metric>,
    /// The heuristic: coset, square-0 to square-11, korf97, corners, edges6, edges7,
    /// edges:UR,UF,…, hoey:N, several of these joined by +, coset-1 to coset-3i, manhattan-max,
    /// manhattan-all, manhattan-edges [default: the strongest that fits --memory and whose tables
    /// are there or build within a minute; square tables beyond square-4 only where they are there]
    #[arg(long, value_name = "NAME")]
    heuristic: Option<String>,
    /// Search with this table alone, named as `cube-opt tables` does
    #[arg(long, value_name = "NAME", conflicts_with = "heuristic")]
    table: Option<String>,
}

/// Tables that take longer are not built unless they are asked for.
const PATIENCE: f64 = 60.0;

impl EngineArgs {
    /// Loads the solver, and builds the tables that it lacks.
    pub(super) fn load(&self, session: &Session) -> Result<Solver, Failure> {
        let store = super::store(session)?;
        let (choice, metric) = self.choose(&store, session)?;
        load(&store, &choice, metric, session)
    }

    /// Loads the solver for the goal of `mask`; no other heuristic is for it.
    pub(super) fn load_masked(&self, mask: Mask, session: &Session) -> Result<Solver, Failure> {
        if self.asks_for_heuristic() {
            return Err(Failure::usage("a goal that leaves something out brings its own heuristic")
                .with_remedy("leave out --heuristic and --table"));
        }
        load(&super::store(session)?, &Choice::Masked(mask), self.metric(), session)
    }

    /// The metric.
    pub(super) fn metric(&self) -> Metric {
        self.metric.unwrap_or_default()
    }

    /// Whether a heuristic or a table was asked for.
    pub(super) fn asks_for_heuristic(&self) -> bool {
        self.heuristic.is_some() || self.table.is_some()
    }

    fn choose(&self, store: &Store, session: &Session) -> Result<(Choice, Metric), Failure> {
        let metric = self.metric();
        match (&self.heuristic, &self.table) {
            (Some(name), _) => Ok((names::heuristic(name)?, metric)),
            (None, Some(name)) => self.table_alone(names::table(name, metric)?),
            (None, None) => Ok((strongest(metric, store, session), metric)),
        }
    }

    fn table_alone(&self, id: TableId) -> Result<(Choice, Metric), Failure> {
        match self.metric {
            Some(metric) if metric != id.metric => Err(Failure::usage(format_args!(
                "table {} is for the metric {}, not {}",
                id.name(),
                id.metric.name(),
                metric.name()
            ))),
            _ => Ok((names::alone(id)?, id.metric)),
        }
    }
}

/// Loads a solver, and builds the tables that it lacks.
fn load(store: &Store, choice: &Choice, metric: Metric, session: &Session) -> Result<Solver, Failure> {
    tracing::info!(heuristic = %choice, metric = metric.name(), "loading");
    let name = choice.to_string();
    let progress = Named::new(&name, session.bars());
    Solver::load(choice, metric, store, &session.run().with_progress(&progress))
        .map_err(|error| tables::failure(super::NAME, &error))
}

/// The strongest heuristic that fits the memory and whose tables are there, or are small and built
/// soon.
pub(super) fn strongest(metric: Metric, store: &Store, session: &Session) -> Choice {
    let is_soon = |choice: &Choice| {
        let missing = choice.tables(metric).into_iter().filter(|id| !store.contains(&id.name()));
        missing.map(|id| id.build_seconds(session.run().threads())).sum::<f64>() <= PATIENCE
    };
    let fits = |choice: &Choice| store.check_memory(&choice.tables(metric), &session.run()).is_ok();
    let is_there = |choice: &Choice| choice.tables(metric).iter().all(|id| store.contains(&id.name()));
    if let Some(large) = Choice::large().find(|choice| fits(choice) && is_there(choice)) {
        return large;
    }
    let mut by_strength = Choice::by_strength().into_iter();
    by_strength.find(|choice| fits(choice) && is_soon(choice)).expect("the weakest needs no table")
}

/// Finds moves from the solved cube to others; loads the solver when the first is asked for.
pub(super) struct MovesTo<'a> {
    args: &'a EngineArgs,
    session: &'a Session,
    solver: OnceCell<Solver>,
}

impl<'a> MovesTo<'a> {
    pub(super) fn new(args: &'a EngineArgs, session: &'a Session) -> MovesTo<'a> {
        MovesTo { args, session, solver: OnceCell::new() }
    }

    /// A shortest sequence of moves from the solved cube to `cube`, replayed by the referee.
    pub(super) fn find(&self, cube: &Cube) -> Result<String, Failure> {
        let solver = match self.solver.get() {
            Some(solver) => solver,
            None => {
                let loaded = self.args.load(self.session)?;
                self.solver.get_or_init(|| loaded)
            }
        };
        let config = Config::default();
        // What solves the inverse leads from the solved cube to this one.
        let solved = solver.solve(&cube.inverse(), &config, &self.session.run());
        let Some(turns) = solved.ending.solutions().first() else {
            return Err(Failure::interrupted("interrupted before the cube was solved")
                .with_remedy("run the same command again"));
        };
        let moves = scramble::format(turns.iter().copied());
        verdict::check_scramble(cube, &moves)?;
        Ok(moves)
    }
}
