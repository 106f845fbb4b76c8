//! `cube-opt units`: one search on many machines, by files in a directory that they share.

use super::search_args::SearchArgs;
use super::{chosen, notation, referee_check};
use crate::cube::Cube;
use crate::moves::units::SharedSet;
use crate::moves::{Counting, SetSolver};
use crate::notation::Position;
use crate::notation::scramble::{Move, format_moves};
use crate::solver::Solver;
use crate::solver::units::SharedCube;
use crate::space;
use clap::{Args, ValueEnum};
use puzzle_cli::share::{self, Problem, Program};
use puzzle_cli::{Failure, Session};
use search_core::ida::units::{Plan, Shared};
use search_core::record::Method;
use search_core::{Op, Solution};

/// An example for the help.
pub const AFTER_HELP: &str = "\
Example, with a job array of Slurm:
  cube-opt units split --units 64 cube \"R L2 U D2 B F U B R2 L D' F' U2 R' L B2 D F\"
  while cube-opt units merge cube; [ $? = 4 ]; do
    sbatch --wait --array=0-63 --wrap 'cube-opt units run cube --unit $SLURM_ARRAY_TASK_ID'
  done";

/// What is searched, and how.
#[derive(Args, Clone, Debug)]
pub struct CubeArgs {
    /// The cube, written as for `solve`
    #[arg(value_name = "SCRAMBLE")]
    scramble: String,
    #[command(flatten)]
    search: SearchArgs,
}

/// Cubes.
pub struct Cubes;

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
        let metric = Counting::from_str(setting("metric")?, false).map_err(|_| share::damaged())?;
        let search = SearchArgs::of(metric, setting("heuristic")?);
        CubeProblem::load(&plan.instance, &search, session)
    }
}

/// A cube and its solver.
pub struct CubeProblem {
    solver: Loaded,
    position: Position,
}

/// The solver of the metric.
enum Loaded {
    /// Face turns.
    Faces(Box<Solver>),
    /// Face and slice turns.
    Slices(Box<SetSolver>),
}

impl CubeProblem {
    fn load(text: &str, search: &SearchArgs, session: &Session) -> Result<CubeProblem, Failure> {
        let position = notation::read(text, notation::FromArgs::default())?;
        let solver = match chosen::slices(search, session)? {
            Some(solver) => Loaded::Slices(Box::new(solver)),
            None => Loaded::Faces(Box::new(search.load(session)?)),
        };
        Ok(CubeProblem { solver, position })
    }

    /// The cube as it is held.
    fn held(&self) -> Cube {
        self.position.orientation.held_from_cube(&self.position.cube)
    }
}

impl Problem for CubeProblem {
    fn shared(&self) -> Box<dyn Shared + '_> {
        match &self.solver {
            Loaded::Faces(solver) => Box::new(SharedCube { solver, cube: &self.position.cube }),
            Loaded::Slices(solver) => {
                Box::new(SharedSet::new(solver, &self.held()).expect("slice turns solve every cube"))
            }
        }
    }

    fn solution(&self, ops: &[Op]) -> Result<Solution, Failure> {
        match &self.solver {
            Loaded::Faces(solver) => {
                let metric = solver.metric();
                let turns = space::solution(metric, ops).ok_or_else(share::damaged)?;
                let moves = notation::moves(&turns, self.position.orientation);
                let length = turns.iter().map(|&turn| metric.length(turn)).sum();
                referee_check::check(&self.position, &Cube::SOLVED, &moves, metric, length)?;
                Ok(Solution { length, moves })
            }
            Loaded::Slices(solver) => {
                let solution = solver.solution(ops).ok_or_else(share::damaged)?;
                let (length, moves) = (solution.len(), format_moves(solution));
                let allowed: Vec<String> = solver.group().set().names().iter().map(Move::to_string).collect();
                referee_check::check_moves(&self.position, &Cube::SOLVED, &moves, &allowed, length)?;
                Ok(Solution { length: length as u32, moves })
            }
        }
    }

    fn method(&self, session: &Session) -> Method {
        let (metric, heuristic, tables) = match &self.solver {
            Loaded::Faces(solver) => {
                (solver.metric().name(), solver.heuristic().to_string(), solver.tables())
            }
            Loaded::Slices(solver) => {
                let set = solver.group().set();
                (set.counting().name(), format!("{} with the moves {set}", solver.bound()), solver.tables())
            }
        };
        Method {
            metric: metric.to_owned(),
            heuristic,
            tables: tables.to_vec(),
            threads: session.run().threads(),
            seed: None,
            version: super::VERSION.to_owned(),
        }
    }
}
