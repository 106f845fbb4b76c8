//! `hanoi4 pdb`: pattern databases as table files.

use crate::database::{Database, Goals};
use crate::model::{Puzzle, to_u64};
use crate::tables::DatabaseId;
use clap::{Args, Subcommand};
use puzzle_cli::units::format_count;
use puzzle_cli::{Exit, Failure, Session, tables};
use search_core::record::TableUse;
use serde::Serialize;

/// Build, look up, list, verify and remove pattern databases
#[derive(Args, Clone, Debug)]
pub struct PdbArgs {
    #[command(subcommand)]
    command: PdbCommand,
}

#[derive(Subcommand, Clone, Debug)]
enum PdbCommand {
    /// Build a database unless it exists, and print the distribution of its values
    Build(Which),
    /// Print the value of a state
    Value {
        #[command(flatten)]
        which: Which,
        /// The state: one peg digit per disc, the largest disc first
        state: String,
    },
    /// List the tables in the store
    List,
    /// Read tables completely and compare every block with its checksum
    Verify {
        /// Names of tables [default: all]
        names: Vec<String>,
    },
    /// Remove tables
    Remove {
        /// Names of tables
        #[arg(required_unless_present = "all")]
        names: Vec<String>,
        /// Remove all tables
        #[arg(long, conflicts_with = "names")]
        all: bool,
    },
}

/// The arguments that select a database.
#[derive(Args, Clone, Debug)]
struct Which {
    /// The number of discs
    #[arg(long, value_name = "N")]
    discs: u32,
    /// The number of smallest discs to leave out: 0 (a complete database, up to 12 discs) to 12
    #[arg(long, value_name = "N", default_value_t = 4)]
    drop: u32,
    /// Goal peg: all discs on this peg [default goals: all discs on two pegs other than peg 0]
    #[arg(long, value_name = "PEG")]
    peg: Option<u32>,
}

/// What `--json` prints of a database.
#[derive(Serialize)]
struct Answer {
    name: String,
    discs: u32,
    kept: u32,
    bytes: u64,
    max: u8,
    mean: f64,
    checksum: String,
    distribution: Vec<u64>,
}

/// Runs the subcommand.
///
/// # Errors
/// The failure that ends it.
pub fn run(args: &PdbArgs, session: &Session) -> Result<Exit, Failure> {
    let store = super::store(session)?;
    match &args.command {
        PdbCommand::Build(which) => build(which, session),
        PdbCommand::Value { which, state } => value(which, state, session),
        PdbCommand::List => tables::list(super::NAME, &store, session),
        PdbCommand::Verify { names } => tables::verify(super::NAME, &store, names, session),
        PdbCommand::Remove { names, all } => tables::remove(super::NAME, &store, names, *all, session),
    }
}

impl Which {
    fn get(&self, session: &Session) -> Result<(DatabaseId, Database, TableUse), Failure> {
        let goals = self.peg.map_or(Goals::Middle, Goals::Peg);
        let id = DatabaseId { discs: self.discs, dropped: self.drop, goals };
        if !id.is_possible() || self.peg.is_some_and(|peg| peg > 3) {
            return Err(Failure::usage("no such database")
                .with_remedy("give 1 to 12 discs with --drop 0, or 5 to 22 discs with --drop 1 to 12 and 1 to 16 discs not dropped; --peg 0 to 3"));
        }
        let store = super::store(session)?;
        let found = id.get(&store, &session.run());
        let (database, used) = found.map_err(|error| super::table_failure(&error))?;
        Ok((id, database, used))
    }
}

fn build(which: &Which, session: &Session) -> Result<Exit, Failure> {
    let (id, database, used) = which.get(session)?;
    let mut distribution = vec![0u64; usize::from(database.max()) + 1];
    database.values().iter().for_each(|&value| distribution[usize::from(value)] += 1);
    let sum: u64 = distribution.iter().enumerate().map(|(value, count)| to_u64(value) * count).sum();
    let answer = Answer {
        name: used.name,
        discs: id.discs,
        kept: id.kept(),
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

fn value(which: &Which, state: &str, session: &Session) -> Result<Exit, Failure> {
    let puzzle = Puzzle::new(which.discs, 4).map_err(|error| super::malformed(&error))?;
    let state = puzzle.parse(state).map_err(|error| super::malformed(&error))?;
    let (_, database, _) = which.get(session)?;
    session.output().record(&database.value(state), |value| vec![value.to_string()])?;
    Ok(Exit::Done)
}
