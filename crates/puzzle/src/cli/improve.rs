//! `puzzle-opt improve`: shorter solutions from long ones.

use clap::Args;
use puzzle_cli::{Exit, Failure, ImproveArgs, Improver, Session, Shortened};
use search_core::improve::Improve;
use search_core::record::Method;
use search_core::{Run, Solution};

use super::Args as Program;
use super::malformed;
use super::puzzle_args::PuzzleArgs;
use crate::definition::{Definition, Selected};
use crate::solution::{Rejected, counted};
use crate::{improve, states};

/// Shorten solutions
///
/// One line per solution: `N..M` and the moves, where M is the number of moves and no solution has fewer than N. Every
/// part of as many moves as --window says is replaced by a shortest one with the same effect. Solutions are names of counted
/// moves, separated by spaces or dots. Moves alone, without a scramble, are replaced by moves with the same effect.
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Examples:
  puzzle-opt improve 2x2x2 \"R U F2; F2 U U2 R'\"      0..3 F2 U' R'
  puzzle-opt improve megaminx.tws - < solves.txt     one answer per line, in order")]
pub struct ImproveAny {
    #[command(flatten)]
    puzzle: PuzzleArgs,
    /// The form of the scrambles [default: detected]
    #[arg(long, value_enum, value_name = "FORM")]
    from: Option<states::Form>,
    #[command(flatten)]
    improve: ImproveArgs,
}

pub(super) fn run(args: &ImproveAny, session: &Session) -> Result<Exit, Failure> {
    let (definition, selected) = args.puzzle.read(session)?;
    let threads = session.run().threads();
    args.improve.run::<Program>(&States { args, definition, selected, threads }, session)
}

struct States<'a> {
    args: &'a ImproveAny,
    definition: Definition,
    selected: Selected,
    threads: usize,
}

impl Improver for States<'_> {
    fn window(&self) -> usize {
        improve::window(&self.selected.puzzle)
    }

    fn method(&self) -> Method {
        Method {
            metric: "moves".to_owned(),
            heuristic: "windows".to_owned(),
            threads: self.threads,
            version: super::VERSION.to_owned(),
            ..Method::default()
        }
    }

    fn improve(
        &self,
        text: Option<&str>,
        moves: &str,
        settings: &Improve,
        run: &Run<'_>,
    ) -> Result<Shortened, Failure> {
        let puzzle = &self.selected.puzzle;
        let ops = improve::read_moves(puzzle, moves).map_err(|faults| malformed("solution", &faults))?;
        let names = |ops: &[search_core::Op]| -> Vec<&str> {
            ops.iter().map(|op| &*puzzle.moves()[op.index()].name).collect()
        };
        let start = match text {
            Some(text) => {
                let refused = |faults| malformed("state", &faults);
                let read = states::read(text, &self.definition, self.args.from).map_err(refused)?;
                self.selected.state(&read).map_err(refused)?
            }
            None => improve::start_of(puzzle, &ops),
        };
        if counted(puzzle, &start, &names(&ops)) != Some(ops.len()) {
            return Err(Failure::malformed("the moves do not solve the puzzle"));
        }
        let found = improve::shorter(puzzle, &start, &ops, settings, run);
        let found = found.map_err(|faults| malformed("puzzle for windows", &faults))?;
        let (names, length) = (names(&found.moves), found.moves.len());
        let moves = names.join(" ");
        if counted(puzzle, &start, &names) != Some(length) {
            return Err(super::rejected(&Rejected { moves, length }));
        }
        let lower_bound = if found.is_cheapest { found.cost } else { 0 };
        let solution = Solution { length: found.cost, moves };
        let given = ops.len() as u32;
        Ok(Shortened { given, solution, lower_bound, is_complete: found.is_complete })
    }
}
