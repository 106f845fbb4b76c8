//! `tile24 units`: one search on many machines, by files in a directory that they share.
//!
//! The directory holds a plan for each bound and an outcome for each unit that is done. Every file is complete
//! or absent, and bound to instance, heuristic, tables and version, so a unit may be searched twice or begun anew.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::{Args, Subcommand};
use puzzle_cli::units::parse_duration;
use puzzle_cli::{Exit, Failure, Limits, RecordArgs, Session, sealed};
use search_core::ida::Config;
use search_core::ida::units::{Gathered, Outcome, Step, UnitError};
use search_core::record::{Iteration, RunRecord, TableUse};
use search_core::storage::{create_directory, file_names};
use search_core::{Domain, Ending, Op, Report};
use serde::{Deserialize, Serialize};

use super::instance::PuzzleArgs;
use super::method::{self, MethodArgs};
use super::solve::{Notation, checked};
use crate::board::Board;
use crate::solver::Solver;
use crate::solver::units::CutIteration;
use crate::tiles::Tiles;

/// Share a search among processes or machines
///
/// split searches the first bounds and cuts the next one into units; run searches units; merge puts
/// their outcomes together: it prints the solution, or cuts the next bound. split and merge print the
/// answer of `solve`, with code 0 if the instance is solved and 4 if it is not.
#[derive(Subcommand, Clone, Debug)]
#[command(after_help = AFTER_HELP)]
pub enum UnitsCommand {
    Split(SplitArgs),
    Run(RunArgs),
    Merge(MergeArgs),
}

const AFTER_HELP: &str = "\
Example, with a job array of Slurm:
  tile24 units split --units 64 board \"14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3\"
  while tile24 units merge board; [ $? = 4 ]; do
    sbatch --wait --array=0-63 --wrap 'tile24 units run board --unit $SLURM_ARRAY_TASK_ID'
  done";

/// Search the first bounds, and cut the next one into units
#[derive(Args, Clone, Debug)]
pub struct SplitArgs {
    /// The directory of the units, new or empty
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// The tiles left to right, top to bottom, 0 the blank, separated by spaces or commas
    #[arg(value_name = "TILES")]
    tiles: String,
    /// The number of units of each bound
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=65_536))]
    units: u32,
    /// How long to search here before the units begin
    #[arg(long, value_name = "DURATION", default_value = "10s", value_parser = parse_duration)]
    locally: Duration,
    #[command(flatten)]
    method: MethodArgs,
    #[command(flatten)]
    puzzle: PuzzleArgs,
    #[command(flatten)]
    records: RecordArgs,
}

/// Search units
#[derive(Args, Clone, Debug)]
pub struct RunArgs {
    /// The directory of the units
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// The number of the unit, from 0 [default: all that have no outcome]
    #[arg(long, value_name = "K")]
    unit: Option<usize>,
}

/// Put the outcomes together: print the solution, or cut the next bound into units
#[derive(Args, Clone, Debug)]
pub struct MergeArgs {
    /// The directory of the units
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    #[command(flatten)]
    records: RecordArgs,
}

impl UnitsCommand {
    /// Runs the subcommand.
    ///
    /// # Errors
    /// The failure that ends it.
    pub fn run(&self, session: &Session) -> Result<Exit, Failure> {
        match self {
            UnitsCommand::Split(args) => split(args, &session.with_records(&args.records)),
            UnitsCommand::Run(args) => run(args, session),
            UnitsCommand::Merge(args) => merge(args, &session.with_records(&args.records)),
        }
    }
}

/// The first words of the files. The number is raised whenever searches change their course.
const MAGIC: &str = "tile24 unit 1";

/// A bound that is cut into units, with all that a process needs to search one.
#[derive(Debug, Serialize, Deserialize)]
struct Plan {
    version: String,
    instance: String,
    size: String,
    goal: String,
    heuristic: String,
    fsm: String,
    tables: Vec<TableUse>,
    /// The bounds before.
    iterations: Vec<Iteration>,
    units: usize,
    iteration: CutIteration,
}

impl Plan {
    fn bound(&self) -> u32 {
        self.iteration.cut.bound
    }

    /// The subtrees of each unit.
    fn shares(&self) -> Vec<Range<usize>> {
        self.iteration.cut.shares(self.units.max(1))
    }

    /// Seconds of all processes together.
    fn seconds(&self) -> f64 {
        self.iterations.iter().map(|iteration| iteration.seconds).sum()
    }

    /// The solver of the plan, and the tiles.
    fn load(&self, session: &Session) -> Result<(Solver, Tiles), Failure> {
        puzzle_cli::tables::check_version(&self.version, super::VERSION)?;
        let size = self.size.parse::<Board>().map_err(|_| damaged())?;
        let puzzle = PuzzleArgs { size: Some(size), goal: self.goal.clone() };
        let (puzzle, tiles) = puzzle.read(&self.instance)?;
        let method = MethodArgs {
            heuristic: Some(self.heuristic.parse().map_err(|_| damaged())?),
            fsm: Some(self.fsm.parse().map_err(|_| damaged())?),
        };
        let solver = method.load(puzzle, &session.store(super::VERSION)?, session)?;
        puzzle_cli::tables::check_same(&self.tables, solver.tables())?;
        Ok((solver, tiles))
    }
}

fn damaged() -> Failure {
    Failure::error("the plan of the units is damaged or of another version")
        .with_remedy("split the instance anew, in another directory")
}

/// The directory of the units.
struct Directory<'a>(&'a Path);

impl Directory<'_> {
    fn plan(&self, bound: u32) -> PathBuf {
        self.0.join(format!("bound-{bound}.plan"))
    }

    fn outcome_path(&self, bound: u32, unit: usize) -> PathBuf {
        self.0.join(format!("bound-{bound}-unit-{unit}.outcome"))
    }

    /// The outcome of a unit, if it is there and undamaged.
    fn outcome(&self, bound: u32, unit: usize) -> Option<Outcome> {
        let path = self.outcome_path(bound, unit);
        path.exists().then(|| sealed::read_json(&path, MAGIC).ok().flatten())?
    }

    fn write(path: &Path, contents: &impl Serialize) -> Result<(), Failure> {
        sealed::write_json(path, MAGIC, contents).map_err(Failure::error)
    }

    /// The greatest bound that is cut, if any is.
    fn latest(&self) -> Result<Option<u32>, Failure> {
        let bound = |name: &String| name.strip_prefix("bound-")?.strip_suffix(".plan")?.parse::<u32>().ok();
        Ok(file_names(self.0).map_err(Failure::error)?.iter().filter_map(bound).max())
    }

    fn latest_plan(&self) -> Result<Plan, Failure> {
        let none = || {
            Failure::usage(format_args!("{} holds no units", self.0.display()))
                .with_remedy("cut an instance with `tile24 units split`")
        };
        let path = self.plan(self.latest()?.ok_or_else(none)?);
        sealed::read_json(&path, MAGIC).map_err(Failure::error)?.ok_or_else(damaged)
    }
}

fn split(args: &SplitArgs, session: &Session) -> Result<Exit, Failure> {
    let (puzzle, tiles) = args.puzzle.read(&args.tiles)?;
    let directory = Directory(&args.dir);
    create_directory(directory.0).map_err(Failure::error)?;
    if directory.latest()?.is_some() {
        let message = format!("{} holds units already", args.dir.display());
        return Err(Failure::usage(message).with_remedy("merge them, or give a new directory"));
    }
    let solver = args.method.load(puzzle, &session.store(super::VERSION)?, session)?;
    let limits = Limits { time_limit: Some(args.locally), max_depth: None };
    let begun = Instant::now();
    let report = solver.solve(&tiles, &Config::default(), &limits.run(&session.run()));
    if session.is_interrupted() {
        return Err(Failure::interrupted("interrupted").with_remedy("split the instance anew"));
    }
    if let Ending::Cancelled { lower_bound } = report.ending {
        let iterations: Vec<_> =
            report.iterations.into_iter().filter(|iteration| iteration.complete).collect();
        let board = solver.puzzle().board();
        let plan = Plan {
            version: super::VERSION.to_owned(),
            instance: args.tiles.clone(),
            size: board.to_string(),
            goal: args.puzzle.goal.clone(),
            heuristic: solver.heuristic().to_string(),
            fsm: args.method.pruning(board).to_string(),
            tables: solver.tables().to_vec(),
            iteration: solver.cut(
                &tiles,
                &iterations,
                None,
                lower_bound,
                subtrees(args.units as usize),
                &session.run(),
            ),
            iterations,
            units: args.units as usize,
        };
        if session.is_interrupted() {
            return Err(Failure::interrupted("interrupted").with_remedy("split the instance anew"));
        }
        return publish(&directory, &plan, &solver, &tiles, session);
    }
    let seconds = begun.elapsed().as_secs_f64();
    print(&args.tiles, &solver, &tiles, report, seconds, session)
}

/// The number of subtrees for so many units: enough for each to keep many threads busy.
fn subtrees(units: usize) -> usize {
    units * 512
}

/// Writes a plan, and prints the bound that is proved.
fn publish(
    directory: &Directory<'_>,
    plan: &Plan,
    solver: &Solver,
    tiles: &Tiles,
    session: &Session,
) -> Result<Exit, Failure> {
    Directory::write(&directory.plan(plan.bound()), plan)?;
    let (bound, units) = (plan.bound(), plan.shares().len());
    session.remark(&format!("bound {bound} is cut into units 0 to {}", units - 1));
    let report =
        Report { ending: Ending::Bounded { lower_bound: bound }, iterations: plan.iterations.clone() };
    print(&plan.instance, solver, tiles, report, plan.seconds(), session)
}

fn run(args: &RunArgs, session: &Session) -> Result<Exit, Failure> {
    let directory = Directory(&args.dir);
    let plan = directory.latest_plan()?;
    let (bound, shares) = (plan.bound(), plan.shares());
    if let Some(unit) = args.unit.filter(|&unit| unit >= shares.len()) {
        let message = format!("there is no unit {unit}: bound {bound} has units 0 to {}", shares.len() - 1);
        return Err(Failure::usage(message));
    }
    let (solver, tiles) = plan.load(session)?;
    let (chosen, mut output) = (|unit| args.unit.is_none_or(|only| only == unit), session.output());
    for (unit, share) in shares.into_iter().enumerate().filter(|&(unit, _)| chosen(unit)) {
        if directory.outcome(bound, unit).is_some() {
            session.remark(&format!("unit {unit} of bound {bound} is done already"));
            continue;
        }
        let begun = Instant::now();
        let outcome = match solver.search_unit(&tiles, &plan.iteration, share, &session.run()) {
            Ok(outcome) => outcome,
            Err(UnitError::Cancelled(_)) => {
                let message = format!("interrupted in unit {unit} of bound {bound}");
                return Err(Failure::interrupted(message).with_remedy("run the same command again"));
            }
            Err(error) => return Err(Failure::error(error).with_remedy("split the instance anew")),
        };
        Directory::write(&directory.outcome_path(bound, unit), &outcome)?;
        let (solved, seconds) = (outcome.is_solved(), begun.elapsed().as_secs_f64());
        output.record(&Done { bound, unit, solved, seconds }, |done: &Done| vec![done.text()])?;
    }
    Ok(Exit::Done)
}

/// What `run` prints of a unit.
#[derive(Serialize)]
struct Done {
    bound: u32,
    unit: usize,
    solved: bool,
    seconds: f64,
}

impl Done {
    fn text(&self) -> String {
        let Done { bound, unit, solved, seconds } = self;
        let found = if *solved { "a solution" } else { "no solution" };
        format!("bound {bound}, unit {unit}: {found}, {seconds:.2} s")
    }
}

fn merge(args: &MergeArgs, session: &Session) -> Result<Exit, Failure> {
    let directory = Directory(&args.dir);
    let mut plan = directory.latest_plan()?;
    let (bound, units) = (plan.bound(), plan.shares().len());
    let mut gathered = Gathered::new(plan.iteration.cut.clone());
    let is_missing = |&unit: &usize| !directory.outcome(bound, unit).is_some_and(|it| gathered.add(it));
    let missing: Vec<String> = (0..units).filter(is_missing).map(|unit| unit.to_string()).collect();
    let (solver, tiles) = plan.load(session)?;
    let ending = match gathered.step() {
        None => {
            session.remark(&format!("bound {bound}: units {} are missing", missing.join(",")));
            Ending::Bounded { lower_bound: bound }
        }
        Some(step) => {
            plan.iterations.push(gathered.iteration());
            match step {
                Step::Solved(ops) if solver.solves(&tiles, &ops) => Ending::solved(bound, ops),
                Step::Solved(_) => return Err(damaged()),
                Step::Longer(None) => Ending::Exhausted,
                Step::Longer(Some(excess)) => {
                    let next = solver.puzzle().lengths(&tiles).at_least(bound + excess);
                    let (enough, run) = (subtrees(plan.units), session.run());
                    let last = Some(&plan.iteration);
                    plan.iteration = solver.cut(&tiles, &plan.iterations, last, next, enough, &run);
                    run.check().map_err(|_| Failure::interrupted("interrupted"))?;
                    return publish(&directory, &plan, &solver, &tiles, session);
                }
            }
        }
    };
    let (seconds, instance) = (plan.seconds(), plan.instance);
    let report = Report { ending, iterations: plan.iterations };
    print(&instance, &solver, &tiles, report, seconds, session)
}

/// Prints the answer as `solve` does.
fn print(
    instance: &str,
    solver: &Solver,
    tiles: &Tiles,
    report: Report<Vec<Op>>,
    seconds: f64,
    session: &Session,
) -> Result<Exit, Failure> {
    let report = report.try_map(|ops| checked(solver.puzzle(), tiles, &ops, Notation::default()))?;
    let record = RunRecord::new(instance.to_owned(), report, seconds, method::of(solver, session));
    session.answer(&record, None, &Limits::default(), &mut session.output())
}
