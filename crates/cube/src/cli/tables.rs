//! `cube-opt tables`: the tables that `plan` and `build` select.

use super::metric::FaceMetric;
use super::table_names::{self, TABLES_HELP};
use crate::heuristics::family::planned_tables;
use crate::heuristics::{HeuristicSpec, Speed};
use crate::strategy::strongest;
use clap::Args;
use puzzle_cli::format::format_bytes;
use puzzle_cli::tables::{Planned, Select};
use puzzle_cli::{Failure, Session, tables};
use search_core::table::{FileError, Store};

/// The arguments of `cube-opt tables`.
pub(super) type TablesCommand = tables::TablesCommand<PlanArgs, BuildArgs>;

/// The tables to plan, with the mean time to solve a random cube with each.
#[derive(Args, Clone, Debug)]
pub(super) struct PlanArgs {
    /// The metric of the tables
    #[arg(long, value_enum, default_value_t)]
    metric: FaceMetric,
    /// Skip the calibration, which takes some seconds: gives no solving times, and cautious build times
    #[arg(long)]
    quick: bool,
}

/// The tables to build.
#[derive(Args, Clone, Debug)]
#[command(after_help = TABLES_HELP)]
pub(super) struct BuildArgs {
    /// The tables [default: those that a search would use]
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    /// The metric of tables whose name does not include one
    #[arg(long, value_enum, default_value_t)]
    metric: FaceMetric,
}

impl Select for PlanArgs {
    fn select(&self, store: &Store, session: &Session) -> Result<Vec<Planned>, Failure> {
        let speed = if self.quick { None } else { Some(calibrate(session)?) };
        let heuristic = strongest(self.metric.0, store, &session.run());
        let budget = format_bytes(session.run().memory());
        session.remark(&format!("with {budget} of memory a search uses the heuristic {heuristic}"));
        let planned = planned_tables(self.metric.0).into_iter().map(|id| {
            let solve_seconds =
                |speed| HeuristicSpec::reading(id.pattern)?.specification().solve_seconds(id.metric, speed);
            Planned {
                build_seconds: speed.as_ref().and_then(|speed| speed.build_seconds(&id)),
                solve_seconds: speed.as_ref().and_then(solve_seconds),
                ..Planned::from(id)
            }
        });
        Ok(planned.collect())
    }
}

impl Select for BuildArgs {
    fn select(&self, store: &Store, session: &Session) -> Result<Vec<Planned>, Failure> {
        let tables = match &self.names[..] {
            [] => strongest(self.metric.0, store, &session.run()).tables(self.metric.0),
            names => {
                let named = names.iter().map(|name| table_names::all(name, self.metric.0));
                named.collect::<Result<Vec<_>, _>>()?.concat()
            }
        };
        Ok(tables.into_iter().map(Planned::from).collect())
    }
}

/// Calibrates: measures this machine for some seconds.
fn calibrate(session: &Session) -> Result<Speed, Failure> {
    let progress = session.bars().named("calibration");
    Speed::measure(&session.run().with_progress(&progress)).map_err(|error| match error {
        FileError::Cancelled(_) => Failure::interrupted("interrupted during the calibration")
            .with_remedy("run the same command again, or with --quick"),
        error => Failure::error(error).with_remedy("skip the calibration with --quick"),
    })
}
