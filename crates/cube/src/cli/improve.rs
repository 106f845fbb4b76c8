//! `cube-opt improve`: shorter solutions from long ones.

use super::Args as Program;
use super::metric::FaceMetric;
use super::notation::{self, FromArgs};
use super::referee_check;
use super::search_args::{SearchArgs, failure};
use crate::cube::{Cube, Turn};
use crate::fmc;
use crate::notation::scramble;
use crate::strategy::Solver;
use crate::strategy::improve::{self, Shorter};
use clap::Args;
use puzzle_cli::{Exit, Failure, ImproveArgs, Improver, Session, Shortened};
use search_core::improve::Improve;
use search_core::record::Method;
use search_core::{Run, Solution};

/// Shorten solutions
///
/// One line per solution: `N..M` and the moves, where M is the number of moves and no solution has fewer than N; M alone
/// if it is proved shortest. Every part of as many moves as --window says is replaced by a shortest one. Moves alone,
/// without a scramble, are replaced by moves with the same effect. Rotations in the given solution are
/// understood, and left out of the shorter one.
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Examples:
  cube-opt improve \"R U F; F' U2 U R' L L'\"          3 F' U' R'
  cube-opt improve --anew - < solves.txt             the solves of a file, one per line
  cube-opt improve --window 15 \"R U R' U R U2 R' U2 R U R' U R U2 R'\"")]
pub(crate) struct ImproveCubes {
    #[command(flatten)]
    from: FromArgs,
    /// Also solve each scramble anew, and print the shorter solution
    #[arg(long)]
    anew: bool,
    #[command(flatten)]
    improve: ImproveArgs,
    #[command(flatten)]
    search: SearchArgs<FaceMetric>,
}

pub(super) fn run(args: &ImproveCubes, session: &Session) -> Result<Exit, Failure> {
    let solver = args.search.load(session)?;
    let threads = session.run().threads();
    args.improve.run::<Program>(&Cubes { args, solver, threads }, session)
}

struct Cubes<'a> {
    args: &'a ImproveCubes,
    solver: Solver,
    threads: usize,
}

impl Improver for Cubes<'_> {
    fn window(&self) -> usize {
        improve::WINDOW
    }

    fn method(&self) -> Method {
        let used = self.solver.planned();
        Method {
            metric: self.solver.metric().name().to_owned(),
            heuristic: used.heuristic,
            tables: used.tables,
            threads: self.threads,
            seed: None,
            version: super::VERSION.to_owned(),
        }
    }

    fn improve(
        &self,
        puzzle: Option<&str>,
        moves: &str,
        settings: &Improve,
        run: &Run<'_>,
    ) -> Result<Shortened, Failure> {
        let solution = notation::read_moves(moves)?;
        let position = match puzzle {
            Some(text) => notation::read(if text.is_empty() { "solved" } else { text }, self.args.from)?,
            None => notation::read(&scramble::format(fmc::undo(&solution)), FromArgs::moves())?,
        };
        let turns: Vec<Turn> =
            solution.into_iter().map(|turn| position.orientation.from_held(turn)).collect();
        if !position.cube.apply_all(turns.iter().copied()).is_solved() {
            return Err(Failure::malformed("the moves do not solve the cube"));
        }
        let metric = self.solver.metric();
        let shorter = improve::shorter(&self.solver, &position.cube, &turns, settings, self.args.anew, run);
        let Shorter { turns: shorter, lower_bound, is_complete } = shorter.map_err(failure)?;
        let (length, moves) =
            (fmc::length(metric, &shorter), notation::moves(&shorter, position.orientation));
        referee_check::check(&position, &Cube::SOLVED, &moves, metric, length)?;
        let given = fmc::length(metric, &turns);
        Ok(Shortened { given, solution: Solution { length, moves }, lower_bound, is_complete })
    }
}
