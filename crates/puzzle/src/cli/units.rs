//! `puzzle-opt units`: one search on many machines, through files in a shared directory.

use std::path::Path;

use clap::{Args, ValueEnum};
use puzzle_cli::share::{self, Problem, Program};
use puzzle_cli::{Failure, Session};
use search_core::ida::Order;
use search_core::ida::work_units::{DistributedSearch, Plan, Settings};
use search_core::record::Method;
use search_core::{Op, Run, Solution, storage};

use super::goal_args::GoalArgs;
use super::puzzle_args::{FreeArgs, PuzzleArgs, SelectionArgs, definition};
use super::{malformed, rejected, solver_failure};
use crate::ask::Ask;
use crate::builtin;
use crate::definition::{Definition, Metric, Selection, split_names};
use crate::formats;
use crate::solver::Solver;
use crate::states;
use crate::strategy::SolverSetup;

/// An example for the help.
pub const AFTER_HELP: &str = "\
Example, with a job array of Slurm:
  puzzle-opt units split --units 64 cube 3x3x3 \"R U F' L2 D B R' U2 L D' F R2 B\"
  while puzzle-opt units merge cube; [ $? = 4 ]; do
    sbatch --wait --array=0-63 --wrap 'puzzle-opt units run cube --unit $SLURM_ARRAY_TASK_ID'
  done";

/// The state of a search, and its method.
#[derive(Args, Clone, Debug)]
pub struct StateArgs {
    #[command(flatten)]
    puzzle: PuzzleArgs,
    #[command(flatten)]
    free: FreeArgs,
    /// A scramble in the notation of the puzzle, a pattern as JSON, or a permutation
    #[arg(value_name = "SCRAMBLE")]
    scramble: String,
    /// The length of the longest strings of moves from which duplicates are learned; 0 for none
    #[arg(long, value_name = "LENGTH")]
    learn: Option<usize>,
    /// Order of the branches in each bound: operators, or deepest (first those that the previous bound
    /// entered most deeply)
    #[arg(long, value_name = "operators|deepest", default_value_t)]
    order: Order,
    #[command(flatten)]
    goal: GoalArgs,
}

/// States of puzzles.
pub struct States;

impl Program for States {
    const NAME: &'static str = super::NAME;
    const VERSION: &'static str = super::VERSION;
    type Args = StateArgs;
    type Problem = StateProblem;

    fn open(args: &StateArgs, session: &Session) -> Result<(String, StateProblem), Failure> {
        let named = &args.puzzle.puzzle;
        let source = match builtin::get(named) {
            Some(_) => ("puzzle", named.clone()),
            // The text of the definition, so that a unit does not depend on a file of the machine.
            None => {
                definition(named)?;
                let bytes = storage::read(Path::new(named)).map_err(Failure::error)?;
                ("definition", String::from_utf8_lossy(&bytes).into_owned())
            }
        };
        let SelectionArgs { moves, metric, rotations } = &args.puzzle.selection;
        let metric = metric.to_possible_value().map(|value| value.get_name().to_owned());
        let memory = session.run().memory().to_string();
        let all = [
            (source.0, Some(source.1)),
            ("moves", moves.clone()),
            ("metric", metric),
            ("rotations", rotations.clone()),
            ("free", args.free.free.clone()),
            ("learn", args.learn.map(|length| length.to_string())),
            ("order", Some(args.order.to_string())),
            ("goal", args.goal.to_setting()?),
            // The choice of tables depends on it.
            ("memory", Some(memory)),
        ];
        let settings: Settings =
            all.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect();
        let problem = StateProblem::load(&args.scramble, settings, session)?;
        Ok((args.scramble.clone(), problem))
    }

    fn reopen(plan: &Plan, session: &Session) -> Result<StateProblem, Failure> {
        let names = [
            "puzzle",
            "definition",
            "moves",
            "metric",
            "rotations",
            "free",
            "learn",
            "order",
            "goal",
            "memory",
        ];
        let settings = names.into_iter().filter_map(|name| {
            let value = plan.setting(name)?;
            Some((name.to_owned(), value.to_owned()))
        });
        StateProblem::load(&plan.instance, settings.collect(), session)
    }
}

/// A state and its solver.
pub struct StateProblem {
    solver: Solver,
    ask: Ask,
    settings: Settings,
}

impl StateProblem {
    /// The state of a text, and the solver of these settings.
    fn load(text: &str, settings: Settings, session: &Session) -> Result<StateProblem, Failure> {
        let setting = |name: &str| settings.iter().find(|(known, _)| known == name).map(|(_, value)| value);
        let number = |name| match setting(name) {
            None => Ok(None),
            Some(value) => value.parse().map(Some).map_err(|_| share::damaged()),
        };
        let metric = setting("metric").ok_or_else(share::damaged)?;
        let metric = Metric::from_str(metric, false).map_err(|_| share::damaged())?;
        let order = setting("order").ok_or_else(share::damaged)?.parse().map_err(|_| share::damaged())?;
        let definition: Definition = match (setting("puzzle"), setting("definition")) {
            (Some(name), None) => definition(name)?,
            (None, Some(text)) => formats::read(text).map_err(|faults| malformed("definition", &faults))?,
            _ => return Err(share::damaged()),
        };
        let selection = SelectionArgs {
            moves: setting("moves").cloned(),
            metric,
            rotations: setting("rotations").cloned(),
        };
        let free = setting("free").map(|names| split_names(names)).unwrap_or_default();
        let selected = definition
            .select(&Selection { free, ..selection.selection() })
            .map_err(|faults| malformed("choice of moves", &faults))?;
        let refused = |faults| malformed("state", &faults);
        let start =
            selected.state(&states::read(text, &definition, None).map_err(refused)?).map_err(refused)?;
        let memory: Option<u64> = number("memory")?;
        let run = session.run().with_memory(memory.ok_or_else(share::damaged)?);
        let learn: Option<u64> = number("learn")?;
        let setup = SolverSetup::default().learn(learn.map(|length| length as usize));
        let goal = setting("goal").map_or(Ok(GoalArgs::default()), |text| {
            GoalArgs::from_setting(text).ok_or_else(share::damaged)
        })?;
        let goals = goal.read(&definition, &selected, None)?;
        let solver = Solver::load(selected.puzzle, goals, &setup, session.store(super::VERSION), &run)
            .map_err(|error| solver_failure(&error))?;
        let ask = Ask::new(start).order(order);
        let shared = solver.shared(&ask, Settings::new(), &run).map_err(|error| solver_failure(&error))?;
        if shared.is_none() {
            run.check().map_err(Failure::interrupted)?;
            return Err(Failure::malformed("the moves do not solve this state"));
        }
        drop(shared);
        Ok(StateProblem { solver, ask, settings })
    }
}

impl Problem for StateProblem {
    fn shared(&self) -> Box<dyn DistributedSearch + '_> {
        // The tables are loaded and the group is known since the state was read.
        let shared = self.solver.shared(&self.ask, self.settings.clone(), &Run::new());
        Box::new(shared.ok().flatten().expect("that moves solve the state was checked when it was read"))
    }

    fn solution(&self, ops: &[Op]) -> Result<Solution, Failure> {
        self.solver.checked(&self.ask.start, ops).map_err(|error| rejected(&error))
    }

    fn method(&self, session: &Session) -> Method {
        Method {
            metric: "moves".to_owned(),
            heuristic: self.solver.heuristic().to_owned(),
            tables: self.solver.tables(),
            threads: session.run().threads(),
            seed: None,
            version: super::VERSION.to_owned(),
        }
    }
}
