//! `cube-opt solve`: shortest solutions, proved.

use super::algorithm::{Algorithm, Searcher};
use super::mask::{MaskArgs, named_help};
use super::search_args::SearchArgs;
use super::stickers::Stickers;
use super::{Args as Program, notation, referee_check};
use crate::cube::{Cube, Turn};
use crate::mask::{Goals, Mask};
use crate::notation::{Format, Position};
use crate::solver::up_to_symmetry;
use clap::Args;
use puzzle_cli::{
    CertificateArgs, Certificates, CheckpointArgs, Exit, Failure, Instance, Limits, Output, RecordArgs,
    Session, Subject,
};
use search_core::Solution;
use search_core::ida::{Config, Wanted};
use search_core::record::{Method, RunRecord};
use std::time::Instant;

/// Print provably shortest solutions
///
/// One line per solution: the number of moves, then the moves. A solved cube has the solution `0`.
/// When no solution is found within the given bound or time, the line `>= N` says that every
/// solution is proved to have at least N moves. The moves are for the cube as it is held
/// after the scramble (or as its facelets show it).
#[derive(Args, Clone, Debug)]
#[command(after_help = AFTER_HELP, after_long_help = format!("{}\n{AFTER_HELP}", named_help()))]
pub struct SolveArgs {
    /// The cubes; - (or nothing) for the lines of standard input
    #[arg(value_name = "SCRAMBLE")]
    scrambles: Vec<String>,
    /// How the cubes are written [default: detected]
    #[arg(long, value_enum)]
    from: Option<Format>,
    /// Print every shortest solution
    #[arg(long)]
    all: bool,
    /// Print every solution that is at most N moves longer than the shortest
    #[arg(long, value_name = "N")]
    extra: Option<u32>,
    /// Print one of each set of solutions that are equivalent under symmetry
    #[arg(long)]
    unique: bool,
    /// Search the last iteration to its end, so that its node counts are exact
    #[arg(long)]
    full_last_iteration: bool,
    /// Target state [default: solved]
    #[arg(long, value_name = "STATE", help_heading = "Goal")]
    goal: Option<String>,
    #[command(flatten)]
    mask: MaskArgs,
    /// How to search
    #[arg(long, value_enum, default_value_t, help_heading = "Search")]
    algorithm: Algorithm,
    #[command(flatten)]
    search: SearchArgs,
    #[command(flatten)]
    limits: Limits,
    #[command(flatten)]
    checkpoints: CheckpointArgs,
    #[command(flatten)]
    records: RecordArgs,
    #[command(flatten)]
    certificates: CertificateArgs,
}

const AFTER_HELP: &str = "\
Examples:
  cube-opt solve \"R U R' U'\"                       4 U R U' R'
  cube-opt solve - < scrambles.txt                 one answer per line, in order
  cube-opt solve --all --metric qtm \"R2 U2\"        every shortest solution in quarter turns
  cube-opt solve --goal \"M2 E2 S2\" \"R U\"           to the checkerboard
  cube-opt solve --goal-set cross \"R U F2 L\"       the cross alone; so does --only DF,DR,DB,DL
  cube-opt solve --only-orientation edges \"F R\"    all edges oriented, wherever they lie
  cube-opt solve --auf \"U R U R'\"                 up to a final turn of U: 3 R U' R'
  cube-opt solve --max-depth 5 \"R2 F B U2 L D\"     exit code 4 and `>= 6`: none has 5 moves";

/// The settings of all instances.
struct Batch<'a> {
    args: &'a SolveArgs,
    session: &'a Session,
    goal: Cube,
    /// The goals, of cubes renamed so that `goal` is the solved one.
    goals: Goals,
    searcher: Searcher,
    certificates: Certificates,
}

pub(super) fn run(args: &SolveArgs, session: &Session) -> Result<Exit, Failure> {
    let goal = match &args.goal {
        Some(text) => goal(text)?,
        None => Cube::SOLVED,
    };
    if args.algorithm == Algorithm::Shamir && (args.all || args.extra.is_some() || args.full_last_iteration) {
        return Err(Failure::usage("--algorithm shamir stops at the first solution")
            .with_remedy("leave out --all, --extra and --full-last-iteration"));
    }
    if args.unique && !args.all && args.extra.is_none() {
        return Err(Failure::usage("--unique chooses among all solutions, but only one is requested")
            .with_remedy("add --all, or --extra N"));
    }
    let goals = args.mask.read(&goal)?;
    if args.unique && !goals.only().is_some_and(Mask::is_none) {
        return Err(Failure::usage("--unique is not available for goals that leave something open"));
    }
    let session = &session.with_records(&args.records);
    let is_cube = |text: &String| text == "-" || notation::read(text.trim(), args.from).is_ok();
    if !args.scrambles.is_empty() && !args.scrambles.iter().any(is_cube) {
        // No table is built to say that nothing can be solved.
        let refuse = |instance: &Instance| notation::read_instance(&instance.text, args.from);
        return session.batch::<Program>(&args.scrambles, |instance, _| refuse(instance).map(|_| Exit::Done));
    }
    let certificates = args.certificates.open()?;
    let searcher = Searcher::load(args.algorithm, &args.search, &goals, session)?;
    let batch = Batch { args, session, goal, goals, searcher, certificates };
    session.batch::<Program>(&args.scrambles, |instance, output| batch.answer(instance, output))
}

fn goal(text: &str) -> Result<Cube, Failure> {
    let position = notation::read(text, None)
        .map_err(|failure| Failure::usage("--goal is not a cube").with_faults(failure.faults))?;
    Ok(position.cube)
}

impl Batch<'_> {
    fn answer(&self, instance: &Instance, output: &mut Output) -> Result<Exit, Failure> {
        let Some(position) = notation::read_instance(&instance.text, self.args.from)? else {
            return Ok(Exit::Done);
        };
        let begun = Instant::now();
        // What leads from the position to the goal leads from this cube to the solved one.
        let cube = self.goal.inverse().compose(&position.cube);
        let run = self.args.limits.run(&self.session.run());
        let (config, method) = (self.config(), self.method());
        let options = format!("{:?}", (&self.goal, &self.goals, config.wanted, config.full_last_iteration));
        let (checkpoints, store) = (&self.args.checkpoints, self.session.store(super::VERSION)?);
        let file = self.session.search_file(checkpoints, store.dir(), &instance.text, &method, &options);
        let config = Config { checkpoints: Some(file.clone()), ..config };
        let mut report = self.searcher.solve(&cube, &config, &run);
        if self.args.unique {
            report.ending = report.ending.choose(|all| up_to_symmetry(self.searcher.metric, &cube, all));
        }
        let report = report.try_map(|turns| self.checked(&position, &turns))?;
        let seconds = begun.elapsed().as_secs_f64();
        let record = RunRecord::new(instance.text.clone(), report, seconds, method);
        let exit = self.session.answer(&record, Some(instance.origin), &self.args.limits, output);
        if self.certificates.are_wanted() && exit.is_ok() {
            self.certificates.write(&record, &self.subject(&position)?)?;
        }
        file.end();
        exit
    }

    /// What the certificate says beyond the record.
    fn subject(&self, position: &Position) -> Result<Subject<Stickers>, Failure> {
        let all = self.args.all || self.args.extra.is_some();
        Ok(Subject {
            puzzle: Stickers::of(position, &self.goal, &self.goals)?,
            search: self.args.algorithm.name(),
            automaton: self.args.algorithm.automaton().to_owned(),
            all: all.then_some(self.args.unique),
        })
    }

    fn config(&self) -> Config {
        let wanted = match (self.args.all, self.args.extra) {
            (_, Some(extra)) => Wanted::All { extra },
            (true, None) => Wanted::All { extra: 0 },
            (false, None) => Wanted::First,
        };
        Config {
            wanted,
            max_bound: self.args.limits.max_depth,
            full_last_iteration: self.args.full_last_iteration,
            ..Config::default()
        }
    }

    fn method(&self) -> Method {
        Method {
            metric: self.searcher.metric.name().to_owned(),
            heuristic: self.searcher.heuristic(),
            tables: self.searcher.tables().to_vec(),
            threads: self.session.run().threads(),
            seed: None,
            version: super::VERSION.to_owned(),
        }
    }

    /// The solution as it will be printed, replayed by the referee.
    fn checked(&self, position: &Position, turns: &[Turn]) -> Result<Solution, Failure> {
        let metric = self.searcher.metric;
        let moves = notation::moves(turns, position.orientation);
        let length = turns.iter().map(|&turn| metric.length(turn)).sum();
        let reached = position.cube.apply_all(turns.iter().copied());
        let goal = if self.is_accepted(&reached) { reached } else { self.goal };
        referee_check::check(position, &goal, &moves, metric, length)?;
        Ok(Solution { length, moves })
    }

    /// Whether `cube` is the goal except for what is left open.
    fn is_accepted(&self, cube: &Cube) -> bool {
        self.goals.accepts(&self.goal.inverse().compose(cube))
    }
}
