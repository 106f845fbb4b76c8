//! `cube-opt tables`: what tables there are and could be.

use super::table_names::{self, TABLES_HELP};
use crate::Metric;
use crate::heuristics::family::planned_tables;
use crate::heuristics::{HeuristicSpec, Speed};
use crate::tables::TableId;
use clap::{Args, Subcommand};
use puzzle_cli::units::{format_bytes, format_duration};
use puzzle_cli::{Exit, Failure, Named, Session, tables};
use search_core::table::{FileError, Recipe, Store};
use serde::Serialize;
use std::time::{Duration, Instant};

/// List, plan, build, verify and remove tables of distances
///
/// A search builds the tables that it needs when they are not there; this is for doing it
/// beforehand, and for getting rid of them.
#[derive(Args, Clone, Debug)]
pub struct TablesArgs {
    #[command(subcommand)]
    command: TablesCommand,
}

#[derive(Subcommand, Clone, Debug)]
enum TablesCommand {
    /// List the tables that are there; only their headers are read
    List,
    /// Show what each table costs and gives: memory, the time to build it, whether it is there, and
    /// how long a random cube takes with it, from a calibration of some seconds
    Plan {
        /// The metric of the tables
        #[arg(long, value_enum, default_value_t)]
        metric: Metric,
        /// Leave out the calibration: no times to solve, careful guesses of the times to build
        #[arg(long)]
        quick: bool,
    },
    /// Build tables that are not there
    #[command(after_help = TABLES_HELP)]
    Build {
        /// The tables [default: those that a search would use]
        #[arg(value_name = "NAME")]
        names: Vec<String>,
        /// The metric of tables whose name does not say it
        #[arg(long, value_enum, default_value_t)]
        metric: Metric,
    },
    /// Read tables to the last byte and compare every block with its checksum
    Verify {
        /// The tables [default: all]
        #[arg(value_name = "NAME")]
        names: Vec<String>,
    },
    /// Remove tables
    Remove {
        /// The tables
        #[arg(value_name = "NAME", required_unless_present = "all")]
        names: Vec<String>,
        /// Remove all
        #[arg(long, conflicts_with = "names")]
        all: bool,
    },
}

pub(super) fn run(args: &TablesArgs, session: &Session) -> Result<Exit, Failure> {
    let store = super::store(session)?;
    match &args.command {
        TablesCommand::List => tables::list(super::NAME, &store, session),
        TablesCommand::Plan { metric, quick } => plan(*metric, *quick, &store, session),
        TablesCommand::Build { names, metric } => build(names, *metric, &store, session),
        TablesCommand::Verify { names } => tables::verify(super::NAME, &store, names, session),
        TablesCommand::Remove { names, all } => tables::remove(super::NAME, &store, names, *all, session),
    }
}

/// What one table costs.
#[derive(Serialize)]
struct Plan {
    name: String,
    holds: String,
    entries: u64,
    bytes: u64,
    build_seconds: f64,
    /// For a random cube, in the mean.
    solve_seconds: Option<f64>,
    there: bool,
    fits: bool,
}

fn plan(metric: Metric, quick: bool, store: &Store, session: &Session) -> Result<Exit, Failure> {
    let mut output = session.output();
    let speed = match quick {
        true => None,
        false => {
            let progress = Named::new("calibration", session.bars());
            let speed = Speed::measure(&session.run().with_progress(&progress));
            Some(speed.map_err(|error| {
                match error {
                    FileError::Cancelled(_) => Failure::interrupted("interrupted during the calibration")
                        .with_remedy("run the same command again, or with --quick"),
                    error => Failure::error(error).with_remedy("leave the calibration out with --quick"),
                }
            })?)
        }
    };
    for id in planned_tables(metric) {
        let measured = speed.as_ref().and_then(|speed| speed.build_seconds(&id));
        let heuristic = HeuristicSpec::reading(id.pattern);
        let plan = Plan {
            name: id.name(),
            holds: id.description(),
            entries: id.entries(),
            bytes: id.bytes(),
            build_seconds: measured.unwrap_or_else(|| id.build_seconds(session.run().threads())),
            solve_seconds: heuristic
                .zip(speed.as_ref())
                .and_then(|(heuristic, speed)| heuristic.specification().solve_seconds(metric, speed)),
            there: store.contains(&id.name()),
            fits: id.bytes() <= session.run().memory(),
        };
        output.record(&plan, |plan| vec![plan_line(plan)])?;
    }
    let heuristic = HeuristicSpec::strongest(metric, store, &session.run());
    let budget = format_bytes(session.run().memory());
    session.remark(&format!("with {budget} of memory a search uses the heuristic {heuristic}"));
    Ok(Exit::Done)
}

fn plan_line(plan: &Plan) -> String {
    let Plan { name, holds, bytes, build_seconds, solve_seconds, there, fits, .. } = plan;
    let time = |seconds: f64| format_duration(Duration::from_secs_f64(seconds));
    let mut state = match (there, fits) {
        (true, true) => "there".to_owned(),
        (true, false) => "there, too large for the memory".to_owned(),
        // A table that is built at a measured speed has a time to solve too.
        (false, true) if solve_seconds.is_some() => format!("about {} to build", time(*build_seconds)),
        (false, true) => format!("at most {} to build", time(*build_seconds)),
        (false, false) => "too large for the memory".to_owned(),
    };
    if let (Some(seconds), true) = (solve_seconds, fits) {
        state += &format!(", {} a cube", time(*seconds));
    }
    format!("{name:<24} {:>10}  {state:<40} {holds}", format_bytes(*bytes))
}

/// A table that is there now.
#[derive(Serialize)]
struct Ready {
    name: String,
    bytes: u64,
    checksum: String,
    built: bool,
    seconds: f64,
}

fn build(names: &[String], metric: Metric, store: &Store, session: &Session) -> Result<Exit, Failure> {
    let ids = named(names, metric, store, session)?;
    let fits = |id: &TableId| store.check_memory([id], &session.run());
    ids.iter().try_for_each(fits).map_err(|error| tables::failure(super::NAME, &error))?;
    let mut output = session.output();
    for id in ids {
        let (name, begun) = (id.name(), Instant::now());
        let built = !store.contains(&name);
        let progress = Named::new(&name, session.bars());
        let (_, table) = id
            .get(store, &session.run().with_progress(&progress))
            .map_err(|error| tables::failure(super::NAME, &error))?;
        let seconds = begun.elapsed().as_secs_f64();
        let ready = Ready { name: table.name, bytes: id.bytes(), checksum: table.checksum, built, seconds };
        output.record(&ready, |ready| {
            let how = if ready.built { "built" } else { "was there" };
            let time = format_duration(Duration::from_secs_f64(ready.seconds));
            vec![format!("{} {} {} {how} ({time})", ready.name, format_bytes(ready.bytes), ready.checksum)]
        })?;
    }
    Ok(Exit::Done)
}

/// The tables to build: those of the names, or those of the heuristic that a search would use.
fn named(
    names: &[String],
    metric: Metric,
    store: &Store,
    session: &Session,
) -> Result<Vec<TableId>, Failure> {
    if names.is_empty() {
        return Ok(HeuristicSpec::strongest(metric, store, &session.run()).tables(metric));
    }
    let tables: Vec<Vec<TableId>> =
        names.iter().map(|name| table_names::all(name, metric)).collect::<Result<_, _>>()?;
    Ok(tables.concat())
}
