//! `tile24 solve`: shortest solutions, proved.

use std::time::Instant;

use clap::{Args, ValueEnum};
use puzzle_cli::{
    CertificateArgs, Certificates, CheckpointArgs, Exit, Failure, Instance, Limits, Output, RecordArgs,
    Session, Subject,
};
use referee::tiles::{Board, check_moves, parse_moves, parse_positions};
use search_core::ida::Config;
use search_core::record::RunRecord;
use search_core::table::Store;
use search_core::{Op, Solution};
use serde::Serialize;

use super::Args as Program;
use super::instance::PuzzleArgs;
use super::method::{self, MethodArgs};
use crate::board::{self, letter};
use crate::puzzle::Puzzle;
use crate::solver::{Pruning, Solver};
use crate::tiles::Tiles;

/// Print provably shortest solutions
///
/// One line per instance: the number of moves, then the moves. The solved board has the solution
/// `0`. When no solution is found within the given bound or time, the line `>= N` says that
/// every solution is proved to have at least N moves.
#[derive(Args, Clone, Debug)]
#[command(after_help = AFTER_HELP)]
pub struct SolveArgs {
    /// The tiles left to right, top to bottom, 0 the blank, separated by spaces or commas; - (or
    /// nothing) for the lines of standard input
    #[arg(value_name = "TILES")]
    tiles: Vec<String>,
    #[command(flatten)]
    method: MethodArgs,
    /// The notation of moves
    #[arg(long, value_enum, default_value_t)]
    notation: Notation,
    /// Search the last iteration to its end, so that its node counts are exact
    #[arg(long)]
    full_last_iteration: bool,
    #[command(flatten)]
    puzzle: PuzzleArgs,
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
  tile24 solve \"1 2 0 3 4 5 6 7 8\"                 2 LL
  tile24 solve --size 4x5 - < instances.txt        one answer per line, in order
  tile24 solve --goal blank-last --notation tile \"1 2 3 4 5 6 7 0 8\"
  tile24 solve --heuristic korf96 --fsm 16 -       as in Korf & Taylor 1996";

/// The notation of moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Notation {
    /// The directions of the blank: L, U, R, D
    #[default]
    Blank,
    /// The numbers of the tiles that move
    Tile,
    /// The cells that the blank moves to, from 0
    Positions,
}

pub(super) fn run(args: &SolveArgs, session: &Session) -> Result<Exit, Failure> {
    let (store, session) = (session.store(super::VERSION)?, &session.with_records(&args.records));
    let mut batch = Batch { args, session, store, solver: None, certificates: args.certificates.open()? };
    session.batch::<Program>(&args.tiles, |instance, output| batch.answer(instance, output))
}

/// What the instances of a batch share: the solver, as long as the board is the same.
struct Batch<'a> {
    args: &'a SolveArgs,
    session: &'a Session,
    store: Store,
    solver: Option<(board::Board, Solver)>,
    certificates: Certificates,
}

/// A board and its goal, as a certificate shows them.
#[derive(Debug, Serialize)]
#[serde(tag = "kind", rename = "tiles")]
struct Boards {
    rows: usize,
    columns: usize,
    start: String,
    goal: String,
    notation: Notation,
}

impl Batch<'_> {
    fn answer(&mut self, instance: &Instance, output: &mut Output) -> Result<Exit, Failure> {
        let (puzzle, tiles) = self.args.puzzle.read(&instance.text)?;
        let board = puzzle.board();
        if self.solver.as_ref().is_none_or(|(of, _)| *of != board) {
            self.solver = Some((board, self.args.method.load(puzzle, &self.store, self.session)?));
        }
        let Some((_, solver)) = &self.solver else { unreachable!("loaded above") };
        let begun = Instant::now();
        let run = self.args.limits.run(&self.session.run());
        let config = Config {
            max_bound: self.args.limits.max_depth,
            full_last_iteration: self.args.full_last_iteration,
            ..Config::default()
        };
        let method = method::of(solver, self.session);
        let options =
            format!("{:?}", (solver.puzzle().goal(), self.args.method.fsm, config.full_last_iteration));
        let (checkpoints, directory) = (&self.args.checkpoints, self.store.dir());
        let file = self.session.search_file(checkpoints, directory, &instance.text, &method, &options);
        let config = Config { checkpoints: Some(file.clone()), ..config };
        let report = solver.solve(&tiles, &config, &run);
        let report = report.try_map(|ops| checked(solver.puzzle(), &tiles, &ops, self.args.notation))?;
        let seconds = begun.elapsed().as_secs_f64();
        let record = RunRecord::new(instance.text.clone(), report, seconds, method);
        let exit = self.session.answer(&record, Some(instance.origin), &self.args.limits, output);
        if exit.is_ok() {
            self.certificates.write(&record, &self.subject(solver.puzzle(), &tiles))?;
        }
        file.end();
        exit
    }

    /// What the certificate says beyond the record.
    fn subject(&self, puzzle: &Puzzle, tiles: &Tiles) -> Subject<Boards> {
        let board = puzzle.board();
        let (start, goal) = (tiles.text(board), puzzle.goal().text(board));
        let (rows, columns, notation) = (board.rows(), board.cols(), self.args.notation);
        Subject {
            puzzle: Boards { rows, columns, start, goal, notation },
            search: "ida",
            automaton: match self.args.method.pruning(board) {
                Pruning::Off => "none".to_owned(),
                Pruning::Inverse => "no move undoes the last".to_owned(),
                Pruning::Learned(depth) => format!("learned to depth {depth}"),
            },
            all: None,
        }
    }
}

/// The solution as it will be printed, replayed by the referee.
pub(super) fn checked(
    puzzle: &Puzzle,
    tiles: &Tiles,
    ops: &[Op],
    notation: Notation,
) -> Result<Solution, Failure> {
    judge(puzzle, tiles, ops)?;
    Ok(Solution {
        length: u32::try_from(ops.len()).expect("fewer than 2^32 moves"),
        moves: write(puzzle, tiles, ops, notation),
    })
}

fn write(puzzle: &Puzzle, tiles: &Tiles, ops: &[Op], notation: Notation) -> String {
    let words = |numbers: Vec<usize>| numbers.iter().map(usize::to_string).collect::<Vec<_>>().join(" ");
    match notation {
        Notation::Blank => ops.iter().map(|&op| letter(op)).collect(),
        Notation::Positions => words(puzzle.path(tiles, ops)),
        Notation::Tile => {
            let mut now = *tiles;
            let step = |cell: usize| {
                let tile = now.tile(cell);
                now = now.slide(cell);
                tile
            };
            words(puzzle.path(tiles, ops).into_iter().map(step).collect())
        }
    }
}

/// Replays a solution, in every notation, by the referee.
fn judge(puzzle: &Puzzle, tiles: &Tiles, ops: &[Op]) -> Result<(), Failure> {
    let board = puzzle.board();
    let read = |tiles: &Tiles| Board::parse(board.rows(), board.cols(), &tiles.text(board));
    let verdict = |solution: &str, notation: Notation| {
        let moves = match notation {
            Notation::Blank | Notation::Tile => parse_moves(solution)?,
            Notation::Positions => parse_positions(solution)?,
        };
        check_moves(&read(tiles)?, &read(puzzle.goal())?, &moves, ops.len() as u64)
    };
    Notation::value_variants().iter().try_for_each(|&notation| {
        let solution = write(puzzle, tiles, ops, notation);
        verdict(&solution, notation).map_err(|refusal| {
            Failure::error(format_args!("the referee rejects the solution `{solution}`: {refusal}"))
                .with_remedy("this is a bug; please report it with the instance")
        })
    })
}
