//! The command `units`: one search on many machines, by files in a directory that they share.
//!
//! The directory holds a plan for each bound and an outcome for each unit that is done. Every file is complete or absent, and a plan is bound to instance, method, tables and version
//! ([`search_core::ida::work_units`]), so a unit may be searched twice or begun anew.

use crate::format::parse_duration;
use crate::{BoundArgs, Exit, Failure, Limits, RecordArgs, Session, sealed};
use clap::{Args, Subcommand};
use search_core::ida::SearchState;
use search_core::ida::work_units::{
    Advance, DistributedSearch, LastPartition, Names, Next, Outcome, Outcomes, Plan, PlanMismatch,
    SplitPolicy, Step, UnitError,
};
use search_core::record::{Iteration, Method, RunRecord};
use search_core::storage::{create_directory, file_names};
use search_core::{Ending, Op, Report, Solution};
use serde::Serialize;
use std::fmt::Debug;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Subtrees for each unit: enough to keep many threads busy.
const GRAIN: usize = 512;

/// A program whose searches can be shared.
pub trait Program {
    /// Its name.
    const NAME: &'static str;
    /// Its name and version.
    const VERSION: &'static str;
    /// The arguments that describe an instance and how it is searched.
    type Args: Args + Clone + Debug;
    /// An instance and its solver.
    type Problem: Problem;

    /// Reads an instance, and loads its solver. Returns the text of the instance too.
    ///
    /// # Errors
    /// If an argument is invalid, or a table is not available.
    fn open(args: &Self::Args, session: &Session) -> Result<(String, Self::Problem), Failure>;

    /// Reads the instance of a plan of this version, and loads its solver with the settings of the plan.
    ///
    /// # Errors
    /// If the plan is invalid, or a table is not available.
    fn reopen(plan: &Plan, session: &Session) -> Result<Self::Problem, Failure>;
}

/// An instance and its solver.
pub trait Problem {
    /// The search.
    fn shared(&self) -> Box<dyn DistributedSearch + '_>;

    /// The printed form of a solution, checked by the referee. `ops` lead to the goal.
    ///
    /// # Errors
    /// If the referee rejects the solution.
    fn solution(&self, ops: &[Op]) -> Result<Solution, Failure>;

    /// The method of the search, for the record.
    fn method(&self, session: &Session) -> Method;
}

/// Share a search among processes or machines
///
/// `split` searches the first bounds and divides the next one into units. `run` searches units. `merge` combines
/// their outcomes: it prints the solution, or divides the next bound. `split` and `merge` print the answer of
/// `solve`, with code 0 if the instance is solved and 4 if it is not.
#[derive(Subcommand, Clone, Debug)]
pub enum UnitsCommand<A: Args + Clone + Debug> {
    /// Search the first bounds and divide the next one into units
    Split(SplitArgs<A>),
    /// Search units
    Run(RunArgs),
    /// Combine the outcomes: print the solution, or divide the next bound into units
    Merge(MergeArgs),
}

/// The arguments of `split`.
#[derive(Args, Clone, Debug)]
pub struct SplitArgs<A: Args + Clone + Debug> {
    /// The directory of the units, new or empty
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// Number of units per bound
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=65_536))]
    units: u32,
    /// Time to search on this machine before a bound is divided into units
    #[arg(long, value_name = "DURATION", default_value = "10s", value_parser = parse_duration)]
    locally: Duration,
    #[command(flatten)]
    problem: A,
    #[command(flatten)]
    records: RecordArgs,
}

/// The arguments of `run`.
#[derive(Args, Clone, Debug)]
pub struct RunArgs {
    /// The directory of the units
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// The number of the unit, from 0 [default: all that have no outcome]
    #[arg(long, value_name = "K")]
    unit: Option<usize>,
}

/// The arguments of `merge`.
#[derive(Args, Clone, Debug)]
pub struct MergeArgs {
    /// The directory of the units
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    #[command(flatten)]
    records: RecordArgs,
}

impl<A: Args + Clone + Debug> UnitsCommand<A> {
    /// Runs the subcommand.
    ///
    /// # Errors
    /// The failure that ends it.
    pub fn run<P: Program<Args = A>>(&self, session: &Session) -> Result<Exit, Failure> {
        match self {
            UnitsCommand::Split(args) => split::<P>(args, &session.with_records(&args.records)),
            UnitsCommand::Run(args) => run::<P>(args, session),
            UnitsCommand::Merge(args) => merge::<P>(args, &session.with_records(&args.records)),
        }
    }
}

/// The failure for units of another search.
pub fn refused(other: &PlanMismatch) -> Failure {
    match other {
        PlanMismatch::Version { .. } => Failure::usage(other).with_remedy("use one version on all machines"),
        PlanMismatch::Setting { .. } => Failure::usage(other),
        PlanMismatch::Table { .. } => {
            Failure::table(other).with_remedy("use the same tables and --memory on all machines")
        }
        PlanMismatch::Tables { .. } => {
            Failure::table(other).with_remedy("use the same --memory on all machines")
        }
    }
}

/// The failure for files of the directory that cannot be used.
pub fn damaged() -> Failure {
    Failure::error("the plan of the units is damaged or of another version")
        .with_remedy("split the instance again, in another directory")
}

fn of_unit(error: &UnitError) -> Failure {
    Failure::error(error).with_remedy("split the instance again, in another directory")
}

/// The directory of the units of a program.
struct Directory<'a> {
    path: &'a Path,
    /// The first words of the files. The number is raised whenever searches change their course.
    magic: String,
}

impl<'a> Directory<'a> {
    fn new<P: Program>(path: &'a Path) -> Directory<'a> {
        Directory { path, magic: format!("{} unit 4", P::NAME) }
    }

    fn plan(&self, bound: u32) -> PathBuf {
        self.path.join(format!("bound-{bound}.plan"))
    }

    fn outcome(&self, bound: u32, unit: usize) -> PathBuf {
        self.path.join(format!("bound-{bound}-unit-{unit}.outcome"))
    }

    /// The outcome in a file, or `None` if it does not exist or is damaged. Like the functions below it is not generic:
    /// to read and write JSON takes much code, which is compiled once here instead of once per program.
    fn read_outcome(&self, path: &Path) -> Option<Outcome> {
        path.exists().then(|| sealed::read_json(path, &self.magic).ok().flatten())?
    }

    fn write_outcome(&self, path: &Path, outcome: &Outcome) -> Result<(), Failure> {
        sealed::write_json(path, &self.magic, outcome).map_err(Failure::error)
    }

    fn read_plan(&self, path: &Path) -> Result<Plan, Failure> {
        let plan: Option<Plan> = sealed::read_json(path, &self.magic).map_err(Failure::error)?;
        plan.ok_or_else(damaged)
    }

    fn write_plan(&self, plan: &Plan) -> Result<(), Failure> {
        sealed::write_json(&self.plan(plan.bound()), &self.magic, plan).map_err(Failure::error)
    }

    /// Adds the outcomes of units that were missing.
    fn gather(&self, plan: &Plan, outcomes: &mut Outcomes, missing: &mut Vec<usize>) {
        let path = |unit| self.outcome(plan.bound(), unit);
        missing.retain(|&unit| !self.read_outcome(&path(unit)).is_some_and(|outcome| outcomes.add(outcome)));
    }

    /// The greatest bound that is divided into units, if there is one.
    fn latest(&self) -> Result<Option<u32>, Failure> {
        let bound = |name: &String| name.strip_prefix("bound-")?.strip_suffix(".plan")?.parse::<u32>().ok();
        Ok(file_names(self.path).map_err(Failure::error)?.iter().filter_map(bound).max())
    }

    fn latest_plan<P: Program>(&self) -> Result<Plan, Failure> {
        let none = || {
            Failure::usage(format_args!("{} holds no units", self.path.display()))
                .with_remedy(format_args!("cut an instance with `{} units split`", P::NAME))
        };
        let plan = self.read_plan(&self.plan(self.latest()?.ok_or_else(none)?))?;
        plan.check_version(P::VERSION).map_err(|other| refused(&other))?;
        Ok(plan)
    }
}

fn split<P: Program>(args: &SplitArgs<P::Args>, session: &Session) -> Result<Exit, Failure> {
    let directory = Directory::new::<P>(&args.dir);
    if args.dir.exists() && directory.latest()?.is_some() {
        let message = format!("{} already holds units", args.dir.display());
        return Err(Failure::usage(message).with_remedy("merge them, or give a new directory"));
    }
    let (instance, problem) = P::open(&args.problem, session)?;
    create_directory(directory.path).map_err(Failure::error)?;
    let names = Names { version: P::VERSION, instance: &instance };
    let (shared, until) = (problem.shared(), Instant::now().checked_add(args.locally));
    let mut here = |_: &[Iteration]| SplitPolicy { units: 1, grain: GRAIN * session.run().threads() };
    let run = until.map_or_else(|| session.run(), |until| session.run().with_deadline(until));
    let standing = SearchState::begin(&*shared);
    let advance =
        standing.advance(&*shared, names, None, &mut here, &run).map_err(|error| of_unit(&error))?;
    go_on(&directory, advance, &problem, names, args.units as usize, session)
}

fn merge<P: Program>(args: &MergeArgs, session: &Session) -> Result<Exit, Failure> {
    let directory = Directory::new::<P>(&args.dir);
    let plan = directory.latest_plan::<P>()?;
    let (bound, mut outcomes) = (plan.bound(), plan.outcomes());
    let mut missing: Vec<usize> = (0..plan.shares().len()).collect();
    directory.gather(&plan, &mut outcomes, &mut missing);
    let problem = P::reopen(&plan, session)?;
    plan.check(&*problem.shared()).map_err(|other| refused(&other))?;
    let names = Names { version: P::VERSION, instance: &plan.instance };
    let advance = match plan.next(&outcomes) {
        None => {
            let missing: Vec<String> = missing.iter().map(usize::to_string).collect();
            session.remark(&format!("bound {bound}: no outcome yet for units {}", missing.join(",")));
            Advance::Over(Ending::bounded(bound), plan.state.iterations.clone())
        }
        Some(Next::Over { ending, iterations }) => {
            if !ending.solutions().iter().all(|ops| plan.is_solution(&*problem.shared(), ops)) {
                return Err(damaged());
            }
            Advance::Over(ending, iterations)
        }
        Some(Next::Longer(standing)) => Advance::Cancelled(standing),
    };
    go_on(&directory, advance, &problem, names, plan.most_units(), session)
}

/// Continues until a bound is divided into units, and writes these; or until the search ends, and prints the answer.
fn go_on(
    directory: &Directory<'_>,
    advance: Advance,
    problem: &impl Problem,
    names: Names<'_>,
    units: usize,
    session: &Session,
) -> Result<Exit, Failure> {
    let interrupted = || Failure::interrupted("interrupted").with_remedy("run the same command again");
    let mut advance = advance;
    if session.is_interrupted() {
        return Err(interrupted());
    }
    if let Advance::Cancelled(standing) = advance {
        let (shared, mut division) =
            (problem.shared(), |_: &[Iteration]| SplitPolicy { units, grain: GRAIN });
        let next = standing.advance(&*shared, names, None, &mut division, &session.run());
        advance = next.map_err(|error| of_unit(&error))?;
    }
    let (ending, iterations) = match advance {
        Advance::Cancelled(_) => return Err(interrupted()),
        Advance::Over(ending, iterations) => (ending, iterations),
        Advance::Units(plan) => {
            let bound = plan.bound();
            directory.write_plan(&plan)?;
            session.remark(&format!("bound {bound} is cut into units 0 to {}", plan.shares().len() - 1));
            (Ending::bounded(bound), plan.state.iterations)
        }
    };
    let seconds = iterations.iter().map(|iteration| iteration.seconds).sum();
    let report = Report { ending, iterations }.try_map(|ops| problem.solution(&ops))?;
    let record = RunRecord::new(names.instance.to_owned(), report, seconds, problem.method(session));
    session.answer(&record, None, (&Limits::default(), &BoundArgs::default()), &mut session.output())
}

fn run<P: Program>(args: &RunArgs, session: &Session) -> Result<Exit, Failure> {
    let directory = Directory::new::<P>(&args.dir);
    let plan = directory.latest_plan::<P>()?;
    let (bound, shares) = (plan.bound(), plan.shares());
    if let Some(unit) = args.unit.filter(|&unit| unit >= shares.len()) {
        let message = format!("there is no unit {unit}: bound {bound} has units 0 to {}", shares.len() - 1);
        return Err(Failure::usage(message));
    }
    let problem = P::reopen(&plan, session)?;
    let shared = problem.shared();
    plan.check(&*shared).map_err(|other| refused(&other))?;
    let (chosen, mut output) = (|unit| args.unit.is_none_or(|only| only == unit), session.output());
    let last = LastPartition::new();
    let (mut outcomes, mut missing) = (plan.outcomes(), (0..shares.len()).collect());
    for (unit, items) in shares.into_iter().enumerate().filter(|&(unit, _)| chosen(unit)) {
        let path = directory.outcome(bound, unit);
        if directory.read_outcome(&path).is_some() {
            session.remark(&format!("unit {unit} of bound {bound} is done already"));
            continue;
        }
        // The outcomes of other processes may have arrived in the meantime.
        directory.gather(&plan, &mut outcomes, &mut missing);
        if matches!(outcomes.step(), Some(Step::Solved(_))) {
            session.remark(&format!("bound {bound} is solved: unit {unit} need not be searched"));
            continue;
        }
        let begun = Instant::now();
        let outcome = match plan.search(&*shared, items, &last, &session.run()) {
            Ok(outcome) => outcome,
            Err(UnitError::Cancelled(_)) => {
                let message = format!("interrupted in unit {unit} of bound {bound}");
                return Err(Failure::interrupted(message).with_remedy("run the same command again"));
            }
            Err(error) => return Err(of_unit(&error)),
        };
        directory.write_outcome(&path, &outcome)?;
        let (solved, seconds) = (outcome.is_solved(), begun.elapsed().as_secs_f64());
        output.record(&Done { bound, unit, solved, seconds }, |done: &Done| vec![done.text()])?;
    }
    Ok(Exit::Done)
}

/// The line that `run` prints about a unit.
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
