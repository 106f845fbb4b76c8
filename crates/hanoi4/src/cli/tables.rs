//! `hanoi4 tables`: pattern databases as table files, and their contents.

use super::notation_args::NotationArgs;
use crate::goals::Goals;
use crate::model::to_u64;
use crate::pdb::Database;
use crate::tables::{DatabaseId, recipe_of};
use crate::verify::{MIN_DISCS, default_database};
use clap::{Args, Subcommand};
use puzzle_cli::format::format_count;
use puzzle_cli::tables::{Planned, Select, TablesCommand};
use puzzle_cli::{Exit, Failure, Session};
use search_core::record::TableUse;
use search_core::table::Store;
use serde::Serialize;
use std::collections::BTreeSet;

/// List, plan, build, verify, remove and look up pattern databases
#[derive(Args, Clone, Debug)]
pub struct TablesArgs {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Clone, Debug)]
enum Command {
    #[command(flatten)]
    Common(TablesCommand<PlanArgs, DatabaseArgs>),
    /// Print the number of entries of a database with each value
    Distribution(DatabaseArgs),
    /// Print the value of a state
    Value {
        #[command(flatten)]
        database: DatabaseArgs,
        /// The state, as `solve --from` reads it
        state: String,
        #[command(flatten)]
        notation: NotationArgs,
    },
}

/// The databases to plan: one, or all that verifications use by default.
#[derive(Args, Clone, Debug)]
struct PlanArgs {
    /// The number of discs [default: every number that a verification uses by default]
    #[arg(long, value_name = "N")]
    discs: Option<u32>,
    #[command(flatten)]
    kind: KindArgs,
}

/// The arguments that select a database.
#[derive(Args, Clone, Debug)]
struct DatabaseArgs {
    /// The number of discs
    #[arg(long, value_name = "N")]
    discs: u32,
    #[command(flatten)]
    kind: KindArgs,
}

/// The arguments that select a kind of databases.
#[derive(Args, Clone, Debug)]
struct KindArgs {
    /// The number of smallest discs to leave out: 0 (a complete database, up to 12 discs) to 12 [default: 4,
    /// or more so that at most 15 discs remain]
    #[arg(long, value_name = "N")]
    drop: Option<u32>,
    /// Goal peg: all discs on this peg [default goals: all discs on two pegs other than peg 0]
    #[arg(long, value_name = "PEG")]
    peg: Option<u32>,
}

/// Runs the subcommand.
///
/// # Errors
/// The failure that ends it.
pub fn run(args: &TablesArgs, session: &Session) -> Result<Exit, Failure> {
    match &args.command {
        Command::Common(command) => {
            command.run(super::NAME, |_, name| Ok(recipe_of(name)), &session.store(super::VERSION), session)
        }
        Command::Distribution(database) => distribution(database, session),
        Command::Value { database, state, notation } => value(database, state, *notation, session),
    }
}

impl KindArgs {
    fn database(&self, discs: u32) -> Result<DatabaseId, Failure> {
        let goals = self.peg.map_or(Goals::Middle, Goals::Peg);
        let dropped = self.drop.unwrap_or(DatabaseId::middle(discs).dropped);
        let id = DatabaseId { discs, dropped, goals };
        if id.is_possible() && self.peg.is_none_or(|peg| peg <= 3) {
            return Ok(id);
        }
        Err(Failure::usage(format_args!("no database of {discs} discs with {dropped} left out")).with_remedy(
            "with --drop 0 give 1 to 12 discs; with --drop 1 to 12 give 5 to 24 discs, of which 1 to 16 remain; \
             --peg is 0 to 3",
        ))
    }
}

impl DatabaseArgs {
    fn get(&self, session: &Session) -> Result<(Database, TableUse), Failure> {
        let found = self.kind.database(self.discs)?.get(&session.store(super::VERSION), &session.run());
        found.map_err(|error| super::table_failure(&error))
    }
}

impl Select for DatabaseArgs {
    fn select(&self, _: &Store, _: &Session) -> Result<Vec<Planned>, Failure> {
        Ok(vec![self.kind.database(self.discs)?.into()])
    }
}

impl Select for PlanArgs {
    fn select(&self, _: &Store, _: &Session) -> Result<Vec<Planned>, Failure> {
        match self.discs {
            Some(discs) => Ok(vec![self.kind.database(discs)?.into()]),
            None => {
                let sizes: BTreeSet<u32> = (MIN_DISCS..=31).filter_map(default_database).collect();
                Ok(sizes.into_iter().map(DatabaseId::middle).map(Planned::from).collect())
            }
        }
    }
}

/// The object that `--json` prints for a database.
#[derive(Serialize)]
struct Distribution {
    name: String,
    discs: u32,
    kept: u32,
    bytes: u64,
    max: u8,
    mean: f64,
    checksum: String,
    distribution: Vec<u64>,
}

fn distribution(args: &DatabaseArgs, session: &Session) -> Result<Exit, Failure> {
    let (database, used) = args.get(session)?;
    let mut distribution = vec![0u64; usize::from(database.max()) + 1];
    database.values().iter().for_each(|&value| distribution[usize::from(value)] += 1);
    let sum: u64 = distribution.iter().enumerate().map(|(value, count)| to_u64(value) * count).sum();
    let answer = Distribution {
        name: used.name,
        discs: database.discs(),
        kept: database.kept(),
        bytes: to_u64(database.values().len()),
        max: database.max(),
        mean: sum as f64 / database.values().len() as f64,
        checksum: used.checksum,
        distribution,
    };
    session.output().record(&answer, |answer| {
        let mut lines = vec![format!(
            "{}: {} entries, greatest {}, mean {:.3}, {}",
            answer.name,
            format_count(answer.bytes),
            answer.max,
            answer.mean,
            answer.checksum
        )];
        lines.extend(answer.distribution.iter().enumerate().map(|(value, count)| format!("{value} {count}")));
        lines
    })?;
    Ok(Exit::Done)
}

fn value(
    args: &DatabaseArgs,
    state: &str,
    notation: NotationArgs,
    session: &Session,
) -> Result<Exit, Failure> {
    let (_, state) = notation.read(state, 4, Some(args.discs)).map_err(|error| notation.failure(&error))?;
    let (database, _) = args.get(session)?;
    session.output().record(&database.value(state), |value| vec![value.to_string()])?;
    Ok(Exit::Done)
}
