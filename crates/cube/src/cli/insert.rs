//! `cube-opt insert`: the best insertions into a skeleton, proved up to a number of inserted moves.

use super::metric::FaceMetric;
use super::notation::{self, FromArgs};
use super::referee_check;
use super::search_args::{SearchArgs, failure};
use crate::cube::{Cube, Turn};
use crate::fmc::insert::{Insertion, InsertionError, insertions};
use crate::fmc::sequence::{Inserter, Sequence, SequenceError};
use crate::fmc::words::{MOST_MOVES, Open};
use crate::fmc::{self, Niss};
use crate::metric::Metric;
use crate::notation::Position;
use crate::strategy::Solver;
use clap::Args;
use puzzle_cli::{Exit, Failure, InputArgs, Instance, Limits, Output, Session};
use search_core::Run;
use search_core::record::TableUse;
use serde::Serialize;

/// Print the best insertions into a skeleton
///
/// A skeleton solves all but a few pieces. One line per solution: its length and its moves; after //, the number
/// of skeleton moves before the insertion, the inserted moves, and the number of moves saved where turns of one
/// face meet. The first line is proved: no insertion of at most --most moves at any one place of the skeleton
/// gives a shorter solution. With --insertions 2 it is proved for one insertion and for two, the second at any place of the
/// moves with the first, of strings that move at most five corners, or at most five edges, or two corners and two edges, and
/// nothing else.
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Adjacent turns of one face are joined before moves are counted, so a longer insertion may give a
shorter solution. An insertion is left out if its first moves alone already solve the cube.

Examples:
  cube-opt insert --skeleton \"F2 L D2 B' R2 U\" \"U' R2 B [D, R U R'] D2 L' F2\"
  cube-opt insert --insertions 2 --skeleton \"R2 U' F\" \"F' [R U R', D] U [U, F D F'] R2\"")]
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
    /// Insert at one place, or also at two, one insertion after the other; 2 needs no tables, and --most 10 at most
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=2))]
    insertions: u8,
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
    /// The maximum number of moves of an insertion.
    most: u32,
    /// The number of different solutions; with two insertions, of those that are printed.
    found: usize,
    solutions: Vec<Inserted>,
    metric: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    heuristic: Option<String>,
    tables: &'a [TableUse],
    version: &'static str,
}

/// A printed solution.
#[derive(Serialize)]
struct Inserted {
    length: u32,
    moves: String,
    #[serde(flatten)]
    first: Part,
    /// The second insertion.
    #[serde(skip_serializing_if = "Option::is_none")]
    then: Option<Part>,
}

/// A printed insertion.
#[derive(Serialize)]
struct Part {
    /// The number of moves before the insertion.
    after: usize,
    insertion: String,
    /// The number of moves saved where turns of one face meet.
    saved: u32,
}

/// The function that finds insertions.
enum Finder {
    /// At one place, by a search.
    One(Box<Solver>),
    /// Also at two places, of strings that move few pieces.
    Two(Inserter),
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
    let finder = match args.insertions {
        1 => Finder::One(Box::new(args.search.load(session)?)),
        _ if args.most > MOST_MOVES => {
            return Err(Failure::usage(format_args!("--insertions 2 is for --most {MOST_MOVES} at most")));
        }
        _ if args.search.asks_for_heuristic() => {
            return Err(Failure::usage("--insertions 2 reads no table").with_remedy("leave out --heuristic"));
        }
        _ => {
            let metric = args.search.metric().unwrap_or_default();
            let inserter = Inserter::new(metric, args.most, &session.run());
            Finder::Two(inserter.map_err(|_| Failure::interrupted("interrupted before the first skeleton"))?)
        }
    };
    let batch = Batch { args, session, skeleton, finder };
    session.batch::<super::Args>(&args.scrambles, |instance, output| batch.answer(instance, output))
}

struct Batch<'a> {
    args: &'a InsertArgs,
    session: &'a Session,
    skeleton: Niss,
    finder: Finder,
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
        let all = self.found(&position.cube, &skeleton, instance, &run)?;
        let used = match &self.finder {
            Finder::One(solver) => Some(solver.planned()),
            Finder::Two(_) => None,
        };
        let best = all.iter().take(self.args.count as usize);
        let record = Record {
            instance: &instance.text,
            skeleton: notation::moves(&skeleton, position.orientation),
            most: self.args.most,
            found: all.len(),
            solutions: best.map(|one| self.checked(&position, &skeleton, one)).collect::<Result<_, _>>()?,
            metric: self.metric().name(),
            heuristic: used.as_ref().map(|used| used.heuristic.clone()),
            tables: used.as_ref().map_or(&[], |used| &used.tables),
            version: super::VERSION,
        };
        output.record(&record, Record::lines)?;
        Ok(if all.is_empty() { Exit::Unsolved } else { Exit::Done })
    }

    fn metric(&self) -> Metric {
        match &self.finder {
            Finder::One(solver) => solver.metric(),
            Finder::Two(_) => self.args.search.metric().unwrap_or_default(),
        }
    }

    /// The solutions, the shortest first.
    fn found(
        &self,
        cube: &Cube,
        skeleton: &[Turn],
        instance: &Instance,
        run: &Run<'_>,
    ) -> Result<Vec<Sequence>, Failure> {
        let cancelled = || {
            let what = format!("{}: not all places of the skeleton were searched", instance.origin);
            match self.session.is_interrupted() {
                true => Failure::interrupted(what),
                false => Failure::new(Exit::Unsolved, what),
            }
        };
        match &self.finder {
            Finder::One(solver) => {
                let found = insertions(solver, cube, skeleton, self.args.most, run);
                let found = found.map_err(|error| match error {
                    InsertionError::Solver(error) => failure(error),
                    InsertionError::Cancelled(_) => cancelled(),
                })?;
                let alone = |one| Sequence { insertions: vec![one], open: Open::default() };
                Ok(found.into_iter().map(alone).collect())
            }
            Finder::Two(inserter) => {
                let found = inserter.find(cube, skeleton, self.args.count as usize, run);
                let found = found.map_err(|error| match error {
                    SequenceError::Open(_) => {
                        Failure::new(Exit::Unsolved, format!("{}: {error}", instance.origin))
                    }
                    SequenceError::Cancelled(_) => cancelled(),
                })?;
                Ok(found.solved)
            }
        }
    }

    /// The printed form of a solution, after the referee has replayed it.
    fn checked(&self, position: &Position, skeleton: &[Turn], one: &Sequence) -> Result<Inserted, Failure> {
        let (metric, Insertion { length, solution, .. }) = (self.metric(), one.last());
        let moves = notation::moves(solution, position.orientation);
        referee_check::check(position, &Cube::SOLVED, &moves, metric, *length)?;
        let mut before = fmc::length(metric, skeleton);
        let mut part = |one: &Insertion| {
            let saved = before + fmc::length(metric, &one.turns) - one.length;
            before = one.length;
            Part { after: one.after, insertion: notation::moves(&one.turns, position.orientation), saved }
        };
        let (first, then) = (part(&one.insertions[0]), one.insertions.get(1).map(&mut part));
        Ok(Inserted { length: *length, moves, first, then })
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
        let parts: Vec<String> = [&self.first].into_iter().chain(&self.then).map(Part::text).collect();
        format!("{} {} // {}", self.length, self.moves, parts.join("; then "))
    }
}

impl Part {
    fn text(&self) -> String {
        let Part { after, insertion, saved } = self;
        let saved = if *saved > 0 { format!(", {saved} saved") } else { String::new() };
        format!("after {after}: {insertion}{saved}")
    }
}
