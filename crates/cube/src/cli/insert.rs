//! `cube-opt insert`: the best insertions into a skeleton, proved up to a number of inserted moves.

use super::metric::FaceMetric;
use super::notation::{self, FromArgs};
use super::referee_check;
use super::search_args::{SearchArgs, failure};
use crate::cube::{Cube, Turn};
use crate::fmc::insert::{Insertion, InsertionError, insertions};
use crate::fmc::{self, Niss};
use crate::notation::Position;
use crate::strategy::Solver;
use clap::Args;
use puzzle_cli::{Exit, Failure, InputArgs, Instance, Limits, Output, Session};
use search_core::record::TableUse;
use serde::Serialize;

/// Print the best insertions into a skeleton
///
/// A skeleton solves all but a few pieces. One line per solution: its length and its moves; after //, the number
/// of skeleton moves before the insertion, the inserted moves, and the number of moves saved where turns of one
/// face meet. The first line is proved: no insertion of at most --most moves at any one place of the skeleton
/// gives a shorter solution.
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Adjacent turns of one face are joined before moves are counted, so a longer insertion may give a
shorter solution. An insertion is left out if its first moves alone already solve the cube.

Example:
  cube-opt insert --skeleton \"F2 L D2 B' R2 U\" \"U' R2 B [D, R U R'] D2 L' F2\"")]
pub(crate) struct InsertArgs {
    /// Cubes; with none, or with -, they are read from standard input, one per line
    #[arg(value_name = "SCRAMBLE")]
    scrambles: Vec<String>,
    #[command(flatten)]
    from: FromArgs,
    #[command(flatten)]
    input: InputArgs,
    /// The skeleton; moves in ( ) are on the inverse scramble
    #[arg(long, value_name = "MOVES")]
    skeleton: String,
    /// Insert at most N moves
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(..=20))]
    most: u32,
    /// Print the N best solutions
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    count: u32,
    #[command(flatten)]
    search: SearchArgs<FaceMetric>,
    #[command(flatten)]
    limits: InsertLimits,
}

/// The limits of the search.
#[derive(Args, Clone, Copy, Debug)]
#[command(next_help_heading = "Limits")]
struct InsertLimits {
    /// Time limit for each instance: seconds, or a number with units, such as 90s, 5m or 1h30m
    #[arg(long, value_name = "DURATION", value_parser = puzzle_cli::format::parse_duration)]
    time_limit: Option<std::time::Duration>,
}

/// The record that `--json` prints.
#[derive(Serialize)]
struct Record<'a> {
    instance: &'a str,
    skeleton: String,
    /// The maximum number of inserted moves.
    most: u32,
    /// The number of different solutions.
    found: usize,
    solutions: Vec<Inserted>,
    metric: &'static str,
    heuristic: String,
    tables: &'a [TableUse],
    version: &'static str,
}

/// A printed solution.
#[derive(Serialize)]
struct Inserted {
    length: u32,
    moves: String,
    /// The number of skeleton moves before the insertion.
    after: usize,
    insertion: String,
    /// The number of moves saved where turns of one face meet.
    saved: u32,
}

pub(super) fn run(args: &InsertArgs, session: &Session) -> Result<Exit, Failure> {
    let skeleton = Niss::parse(&args.skeleton)
        .map_err(|fault| Failure::usage("--skeleton is not a list of moves").with_faults(&fault.defects))?;
    notation::refuse_single_moves(&args.scrambles, args.from)?;
    if notation::none_is_a_cube(&args.scrambles, args.from) {
        return notation::refuse_all(&args.scrambles, args.from, session);
    }
    let session = &session.with_input(&args.input);
    session.announce_input(&args.scrambles);
    let solver = args.search.load(session)?;
    let batch = Batch { args, session, skeleton, solver };
    session.batch::<super::Args>(&args.scrambles, |instance, output| batch.answer(instance, output))
}

struct Batch<'a> {
    args: &'a InsertArgs,
    session: &'a Session,
    skeleton: Niss,
    solver: Solver,
}

impl Batch<'_> {
    fn answer(&self, instance: &Instance, output: &mut Output) -> Result<Exit, Failure> {
        let Some(position) = notation::read_instance(&instance.text, self.args.from)? else {
            return Ok(Exit::Done);
        };
        if !self.skeleton.inverse.is_empty() && !fmc::is_at_home(&position) {
            return Err(notation::held_otherwise());
        }
        let limits = Limits { max_depth: None, time_limit: self.args.limits.time_limit };
        let run = limits.run(&self.session.run());
        let own = |turn: Turn| position.orientation.from_held(turn);
        let skeleton: Vec<Turn> = self.skeleton.turns().into_iter().map(own).collect();
        let found = insertions(&self.solver, &position.cube, &skeleton, self.args.most, &run);
        let all = found.map_err(|error| {
            let what = format!("{}: not all places of the skeleton were searched", instance.origin);
            match error {
                InsertionError::Solver(error) => failure(error),
                _ if self.session.is_interrupted() => Failure::interrupted(what),
                InsertionError::Cancelled(_) => Failure::new(Exit::Unsolved, what),
            }
        })?;
        let used = self.solver.planned();
        let best = all.iter().take(self.args.count as usize);
        let record = Record {
            instance: &instance.text,
            skeleton: notation::moves(&skeleton, position.orientation),
            most: self.args.most,
            found: all.len(),
            solutions: best.map(|one| self.checked(&position, &skeleton, one)).collect::<Result<_, _>>()?,
            metric: self.solver.metric().name(),
            heuristic: used.heuristic,
            tables: &used.tables,
            version: super::VERSION,
        };
        output.record(&record, Record::lines)?;
        Ok(if all.is_empty() { Exit::Unsolved } else { Exit::Done })
    }

    /// The printed form of an insertion, after the referee has replayed its solution.
    fn checked(&self, position: &Position, skeleton: &[Turn], one: &Insertion) -> Result<Inserted, Failure> {
        let metric = self.solver.metric();
        let moves = notation::moves(&one.solution, position.orientation);
        referee_check::check(position, &Cube::SOLVED, &moves, metric, one.length)?;
        let insertion = notation::moves(&one.turns, position.orientation);
        let whole = fmc::length(metric, skeleton) + fmc::length(metric, &one.turns);
        Ok(Inserted { length: one.length, moves, after: one.after, insertion, saved: whole - one.length })
    }
}

impl Record<'_> {
    fn lines(&self) -> Vec<String> {
        match &self.solutions[..] {
            [] => vec![format!("no insertion of at most {} moves solves it", self.most)],
            some => some.iter().map(Inserted::line).collect(),
        }
    }
}

impl Inserted {
    fn line(&self) -> String {
        let Inserted { length, moves, after, insertion, saved } = self;
        let saved = if *saved > 0 { format!(", {saved} saved") } else { String::new() };
        format!("{length} {moves} // after {after}: {insertion}{saved}")
    }
}
