//! `cube-opt units`: one search on many machines, by files in a shared directory.

use super::search_args::{SearchArgs, failure};
use super::{notation, referee_check};
use crate::cube::Cube;
use crate::metric::Metric;
use crate::notation::Position;
use crate::notation::scramble::{Move, format_moves};
use crate::strategy::{Ask, Solver};
use clap::{Args, ValueEnum};
use puzzle_cli::share::{self, Problem, Program};
use puzzle_cli::{Failure, Session};
use search_core::ida::work_units::{DistributedSearch, Plan};
use search_core::record::Method;
use search_core::{Op, Run, Solution};

/// An example for the help.
pub(crate) const AFTER_HELP: &str = "\
Example, with a job array of Slurm:
  cube-opt units split --units 64 cube \"R L2 U D2 B F U B R2 L D' F' U2 R' L B2 D F\"
  while cube-opt units merge cube; [ $? = 4 ]; do
    sbatch --wait --array=0-63 --wrap 'cube-opt units run cube --unit $SLURM_ARRAY_TASK_ID'
  done";

/// The cube and the options of the search.
#[derive(Args, Clone, Debug)]
pub(crate) struct CubeArgs {
    /// The cube, written as for `solve`
    #[arg(value_name = "SCRAMBLE")]
    scramble: String,
    #[command(flatten)]
    search: SearchArgs,
}

/// The puzzle whose searches are shared.
pub(crate) struct Cubes;

impl Program for Cubes {
    const NAME: &'static str = super::NAME;
    const VERSION: &'static str = super::VERSION;
    type Args = CubeArgs;
    type Problem = CubeProblem;

    fn open(args: &CubeArgs, session: &Session) -> Result<(String, CubeProblem), Failure> {
        Ok((args.scramble.clone(), CubeProblem::load(&args.scramble, &args.search, session)?))
    }

    fn reopen(plan: &Plan, session: &Session) -> Result<CubeProblem, Failure> {
        let setting = |name| plan.setting(name).ok_or_else(share::damaged);
        let metric = Metric::from_str(setting("metric")?, false).map_err(|_| share::damaged())?;
        let search = SearchArgs::of(metric, setting("heuristic")?);
        CubeProblem::load(&plan.instance, &search, session)
    }
}

/// A cube and its solver.
pub(crate) struct CubeProblem {
    solver: Solver,
    position: Position,
    ask: Ask,
}

impl CubeProblem {
    fn load(text: &str, search: &SearchArgs, session: &Session) -> Result<CubeProblem, Failure> {
        let position = notation::read(text, notation::FromArgs::default())?;
        let (solver, run) = (search.load(session)?, session.run());
        let ask = Ask::new(position.cube).held(position.orientation);
        solver.prepare(&ask, &run).map_err(failure)?;
        Ok(CubeProblem { solver, position, ask })
    }
}

impl Problem for CubeProblem {
    fn shared(&self) -> Box<dyn DistributedSearch + '_> {
        let shared = self.solver.shared(&self.ask, &Run::new());
        shared.expect("the tables are loaded, and all moves of a metric solve every cube")
    }

    fn solution(&self, ops: &[Op]) -> Result<Solution, Failure> {
        let solution = self.solver.solution(&self.ask, ops).ok_or_else(share::damaged)?;
        let allowed: Vec<String> = self.solver.moves().names().iter().map(Move::to_string).collect();
        let moves = format_moves(solution.iter().copied());
        referee_check::check_moves(&self.position, &Cube::SOLVED, &moves, &allowed, solution.len())?;
        let length = referee_check::length(self.solver.moves(), &solution, &moves)?;
        Ok(Solution { length, moves })
    }

    fn method(&self, session: &Session) -> Method {
        let used = self.solver.planned();
        Method {
            metric: self.solver.metric().name().to_owned(),
            heuristic: used.heuristic,
            tables: used.tables,
            threads: session.run().threads(),
            seed: None,
            version: super::VERSION.to_owned(),
        }
    }
}
