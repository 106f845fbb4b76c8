//! The command `improve` of all programs: shorter solutions from long ones, with totals.
//!
//! A program reads a puzzle with its solution and shortens it ([`Improver`]). The lines of a file are shortened on all
//! threads, each on one thread alone, so the answers do not depend on the number of threads.

use crate::args::{InputArgs, RecordArgs};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::format;
use crate::instance::Instance;
use crate::output::Output;
use crate::session::Session;
use clap::{Args, CommandFactory, ValueHint};
use search_core::improve::Improve;
use search_core::record::{Best, Method, RunRecord};
use search_core::{Ending, Report, Run, Silent, Solution};
use serde::Serialize;
use std::time::{Duration, Instant};

/// The arguments of the command `improve`.
#[derive(Args, Clone, Debug)]
pub struct ImproveArgs {
    /// Puzzles with their solutions: the puzzle, a semicolon or a tab, the moves; with none, or with -, they are read from
    /// standard input, one per line
    #[arg(value_name = "PUZZLE;MOVES", value_hint = ValueHint::Other)]
    solutions: Vec<String>,
    #[command(flatten)]
    input: InputArgs,
    /// Make every part of N consecutive moves optimal [default: by the puzzle]
    #[arg(long, value_name = "N", value_parser = parse_window)]
    window: Option<usize>,
    /// Look for more by replacing parts with others of equal length, chosen at random, in N rounds
    #[arg(long, value_name = "N", default_value_t = 0)]
    ties: u32,
    /// Random seed of --ties
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    /// Time limit for each solution: seconds, or a number with units, such as 90s, 5m or 1h30m
    #[arg(long, value_name = "DURATION", value_parser = format::parse_duration, help_heading = "Limits")]
    time_limit: Option<Duration>,
    #[command(flatten)]
    records: RecordArgs,
}

fn parse_window(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(window) if window > 0 => Ok(window),
        _ => Err("it is not a number of moves".to_owned()),
    }
}

/// A program's part of the command `improve`.
pub trait Improver: Sync {
    /// The number of moves in a window where the user names none.
    fn window(&self) -> usize;

    /// The metric, the method's name and its tables.
    fn method(&self) -> Method;

    /// Shortens a solution, on the calling thread. `puzzle` is `None` if the text has the moves alone.
    ///
    /// # Errors
    /// The failure of this solution.
    fn improve(
        &self,
        puzzle: Option<&str>,
        moves: &str,
        settings: &Improve,
        run: &Run<'_>,
    ) -> Result<Shortened, Failure>;
}

/// A shortened solution.
#[derive(Clone, Debug)]
pub struct Shortened {
    /// The length of the solution that was given.
    pub given: u32,
    /// The best solution, which the referee has replayed.
    pub solution: Solution,
    /// A proved lower bound on the length of every solution.
    pub lower_bound: u32,
    /// Whether no window of the best solution can be shortened.
    pub is_complete: bool,
}

/// The record that `--json` prints for a shortened solution.
#[derive(Clone, Debug, Serialize)]
pub struct ImproveRecord {
    /// The record of a search.
    #[serde(flatten)]
    pub run: RunRecord,
    /// The fields of this command.
    #[serde(flatten)]
    pub more: ImproveFields,
}

/// The fields that a record of this command has beside those of a search.
#[derive(Clone, Debug, Serialize)]
pub struct ImproveFields {
    /// The length of the solution that was given.
    pub given: u32,
    /// The number of moves in a window.
    pub window: usize,
    /// Whether no window can be shortened.
    pub locally_optimal: bool,
}

impl Shortened {
    /// The record of the answer to `instance`.
    pub fn record(self, instance: &str, window: usize, seconds: f64, method: Method) -> ImproveRecord {
        let Shortened { given, solution, lower_bound, is_complete } = self;
        let best = Best { length: solution.length, solution };
        let ending = Ending::bounded(lower_bound).knowing(Some(best), false);
        let report = Report { ending, iterations: Vec::new() };
        ImproveRecord {
            run: RunRecord::new(instance.to_owned(), report, seconds, method),
            more: ImproveFields { given, window, locally_optimal: is_complete },
        }
    }
}

/// The sums over a batch.
#[derive(Default)]
struct Totals {
    solutions: u64,
    given: u64,
    moves: u64,
}

impl ImproveArgs {
    /// Runs the command. `A` is the program's arguments.
    ///
    /// # Errors
    /// As [`Session::batch`].
    pub fn run<A: CommandFactory>(
        &self,
        improver: &impl Improver,
        session: &Session,
    ) -> Result<Exit, Failure> {
        let session = &session.with_records(&self.records).with_input(&self.input);
        let window = self.window.unwrap_or_else(|| improver.window());
        let settings = Improve::windows(window).ties(self.ties, self.seed);
        let alone = session.run().with_threads(1);
        let work = |instance: &Instance| {
            let begun = Instant::now();
            let run = alone.with_progress(&Silent);
            let run = match self.time_limit.and_then(|time| begun.checked_add(time)) {
                Some(deadline) => run.with_deadline(deadline),
                None => run,
            };
            let (puzzle, moves) = parted(&instance.text)?;
            let shortened = improver.improve(puzzle, moves, &settings, &run)?;
            Ok((shortened, begun.elapsed().as_secs_f64()))
        };
        let mut totals = Totals::default();
        let write = |instance: &Instance, (shortened, seconds): (Shortened, f64), output: &mut Output| {
            totals.add(&shortened);
            let record = shortened.record(&instance.text, window, seconds, improver.method());
            output.run_with(&record.run, &record.more)?;
            Ok(ended(&record.more, instance, session))
        };
        let exit = session.batch_in_parallel::<A, _>(&self.solutions, work, write);
        totals.tell(session);
        exit
    }
}

/// The puzzle and the moves of a text.
fn parted(text: &str) -> Result<(Option<&str>, &str), Failure> {
    let separator = if text.contains('\t') { '\t' } else { ';' };
    match text.split(separator).collect::<Vec<_>>()[..] {
        [moves] => Ok((None, moves.trim())),
        [puzzle, moves] => Ok((Some(puzzle.trim()), moves.trim())),
        _ => Err(Failure::malformed("more than two parts: a puzzle and its solution are expected")
            .with_remedy("write the puzzle, a semicolon, then the moves")),
    }
}

/// The exit code of a solution, and on standard error why its windows were not all searched.
fn ended(fields: &ImproveFields, instance: &Instance, session: &Session) -> Exit {
    let origin = instance.origin;
    if fields.locally_optimal {
        Exit::Done
    } else if session.is_interrupted() {
        Failure::interrupted(format_args!("interrupted at {origin}: not all windows were searched")).report();
        Exit::Interrupted
    } else {
        session
            .remark(&format!("{origin}: not all windows were searched within the limits of time and memory"));
        Exit::Unsolved
    }
}

impl Totals {
    fn add(&mut self, shortened: &Shortened) {
        self.solutions += 1;
        self.given += u64::from(shortened.given);
        self.moves += u64::from(shortened.solution.length);
    }

    fn tell(&self, session: &Session) {
        let Totals { solutions, given, moves } = *self;
        if solutions > 1 {
            let mean = |sum: u64| sum as f64 / solutions as f64;
            session.remark(&format!(
                "{solutions} solutions: {given} moves before, {moves} after; {:.2} before and {:.2} after on average",
                mean(given),
                mean(moves)
            ));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn puzzle_and_moves_are_parted_in_one_way() {
        assert_eq!(parted("R U; F ").unwrap(), (Some("R U"), "F"));
        assert_eq!(parted("R U\t F; R").unwrap(), (Some("R U"), "F; R"));
        assert_eq!(parted("R U").unwrap(), (None, "R U"));
        assert_eq!(parted("R; U; F").unwrap_err().exit, Exit::Malformed);
    }

    #[test]
    fn a_solution_as_short_as_the_bound_is_optimal() {
        let solution = Solution { length: 2, moves: "R U".to_owned() };
        let shortened = |lower_bound| {
            let shortened =
                Shortened { given: 9, solution: solution.clone(), lower_bound, is_complete: true };
            shortened.record("x", 4, 0.5, Method::default())
        };
        assert!(!shortened(1).run.result.is_proved() && shortened(2).run.result.is_proved());
        let json = serde_json::to_value(shortened(1)).expect("a record");
        assert_eq!((&json["given"], &json["window"]), (&9.into(), &4.into()));
        assert_eq!((&json["locally_optimal"], &json["upper_bound"]), (&true.into(), &2.into()));
    }
}
