//! `tile24 solve`: shortest solutions, proved.

use std::cell::RefCell;
use std::time::Duration;

use clap::builder::PossibleValue;
use clap::{Args, ValueEnum, ValueHint};
use puzzle_cli::format::parse_duration;
use puzzle_cli::{
    BoundArgs, CertificateArgs, Certificates, CheckpointArgs, Exit, Failure, InputArgs, Instance, Limits,
    Output, PrintArgs, RecordArgs, Session, Subject,
};
use search_core::Op;
use search_core::ida::UpperBounds;
use search_core::queue::Cost;
use search_core::record::RunRecord;
use search_core::table::Store;
use serde::Serialize;

use super::Args as Program;
use super::instance::{PuzzleArgs, malformed};
use super::method::{self, MethodArgs};
use crate::ask::Ask;
use crate::board::Board;
use crate::fsm::Pruning;
use crate::metric::Metric;
use crate::puzzle::Puzzle;
use crate::solution::Notation;
use crate::solver::Solver;
use crate::tiles::Tiles;

/// Print provably shortest solutions
///
/// One line per instance: the number of moves, then the moves. The solved board has the solution
/// `0`. If the optimum is not proved within the given bound or time, the line `N..M` gives both bounds and the best
/// solution: it has M moves, and no solution has fewer than N. `>= N` means that no solution is known.
#[derive(Args, Clone, Debug)]
#[command(after_help = AFTER_HELP)]
pub struct SolveArgs {
    /// Boards: the tiles from left to right, top to bottom, with 0 for the blank, separated by spaces or commas;
    /// with none, or with -, they are read from standard input, one per line
    #[arg(value_name = "TILES", value_hint = ValueHint::Other)]
    tiles: Vec<String>,
    #[command(flatten)]
    input: InputArgs,
    #[command(flatten)]
    method: MethodArgs,
    /// The notation of moves
    #[arg(long, value_enum, default_value_t)]
    notation: Notation,
    /// Finish the last iteration after a solution is found, so that its node counts are exact
    #[arg(long, hide_short_help = true)]
    full_last_iteration: bool,
    /// Read all boards first, estimate the time of each by searching its first bounds, and begin with the easiest
    #[arg(long, hide_short_help = true)]
    easiest_first: bool,
    /// Begin a board only if its forecast fits what is left of this time since the start, such as 40h; the boards left
    /// are listed with their forecasts (exit code 4). Implies --easiest-first
    #[arg(long, value_name = "DURATION", value_parser = parse_duration, hide_short_help = true)]
    budget: Option<Duration>,
    #[command(flatten)]
    puzzle: PuzzleArgs,
    #[command(flatten)]
    limits: Limits,
    #[command(flatten)]
    bounds: BoundArgs,
    #[command(flatten)]
    checkpoints: CheckpointArgs,
    #[command(flatten)]
    print: PrintArgs,
    #[command(flatten)]
    records: RecordArgs,
    #[command(flatten)]
    certificates: CertificateArgs,
}

const AFTER_HELP: &str = "\
Examples:
  tile24 solve \"1 2 0 3 4 5 6 7 8\"                 2 LL
  tile24 solve --size 4x5 - < instances.txt        one answer per line, in order
  tile24 solve --budget 40h - < instances.txt      the easiest boards first, as many as fit
  tile24 solve --goal blank-last --notation tile \"1 2 3 4 5 6 7 0 8\"
  tile24 solve --metric multi \"1 2 0 3 4 5 6 7 8\"  1 L2
  tile24 solve --heuristic korf96 --fsm 16 -       as in Korf & Taylor 1996";

pub(super) fn run(args: &SolveArgs, session: &Session) -> Result<Exit, Failure> {
    let session = &session.with_records(&args.records).with_input(&args.input).with_print(args.print);
    let store = session.store(super::VERSION);
    let mut batch = SolveBatch {
        args,
        session,
        store,
        solver: None,
        certificates: args.certificates.open()?,
        is_goal_stated: false,
    };
    if !args.easiest_first && args.budget.is_none() {
        return args
            .puzzle
            .batch::<Program>(&args.tiles, session, |instance, output| batch.answer(instance, output));
    }
    let batch = RefCell::new(batch);
    args.puzzle.grouped(&args.tiles, |grouping| {
        session.batch_by_cost::<Program>(
            &args.tiles,
            grouping,
            args.budget,
            |instance| batch.borrow_mut().forecast(instance),
            |instance, output| batch.borrow_mut().answer(instance, output),
        )
    })
}

impl ValueEnum for Notation {
    fn value_variants<'a>() -> &'a [Notation] {
        &Notation::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let (name, help) = match self {
            Notation::Blank => ("blank", "The directions of the blank: L, U, R, D"),
            Notation::Tile => ("tile", "The numbers of the tiles that move"),
            Notation::Positions => ("positions", "The cells that the blank moves to, from 0"),
        };
        Some(PossibleValue::new(name).help(help))
    }
}

/// The solving of a batch. Instances of one board share the solver.
struct SolveBatch<'a> {
    args: &'a SolveArgs,
    session: &'a Session,
    store: Store,
    solver: Option<(Board, Solver)>,
    certificates: Certificates,
    /// Whether the remark that names the goal was printed.
    is_goal_stated: bool,
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

impl SolveBatch<'_> {
    fn answer(&mut self, instance: &Instance, output: &mut Output) -> Result<Exit, Failure> {
        let (puzzle, tiles) = self.args.puzzle.read(&instance.text)?;
        self.is_goal_stated = self.is_goal_stated || self.args.puzzle.hint(&puzzle, &tiles, self.session);
        self.load(puzzle)?;
        let Some((_, solver)) = &self.solver else { unreachable!("loaded above") };
        let run = self.args.limits.run(&self.session.run());
        let full = self.args.full_last_iteration;
        let method =
            method::of(solver.puzzle().metric(), solver.heuristic().name(), solver.tables(), self.session);
        let options =
            format!("{:?}", (solver.puzzle().goal(), self.args.method.fsm, self.args.method.order, full));
        let file = self.session.search_file(&self.args.checkpoints, &instance.text, &method, &options);
        let ask = Ask::new(tiles)
            .max_bound(self.args.limits.max_depth)
            .full_last_iteration(full)
            .order(self.args.method.order)
            .upper_bounds(self.upper_bounds(solver.puzzle(), &tiles, &instance.text));
        let answer = solver.solve(&ask.checkpoints(file.clone()), &run);
        let answer = answer.map_err(|faults| malformed("tiles", &faults))?;
        let seconds = answer.seconds;
        let notation = self.args.notation;
        let report = answer.into_report().try_map(|ops| notation.checked(solver.puzzle(), &tiles, &ops));
        let report = report.map_err(|rejected| super::rejection(&rejected))?;
        let record = RunRecord::new(instance.text.clone(), report, seconds, method);
        let exit = self.session.answer(
            &record,
            Some(instance.origin),
            (&self.args.limits, &self.args.bounds),
            output,
        );
        if exit.is_ok() {
            self.certificates.write(&record, &self.subject(solver, &tiles))?;
        }
        file.end();
        exit
    }

    /// Loads the solver of a puzzle, unless it is loaded already.
    fn load(&mut self, puzzle: Puzzle) -> Result<(), Failure> {
        let board = puzzle.board();
        if self.solver.as_ref().is_none_or(|(of, _)| *of != board) {
            self.solver = Some((board, self.args.method.load(puzzle, &self.store, self.session)?));
        }
        Ok(())
    }

    /// The cost that a board will probably have.
    fn forecast(&mut self, instance: &Instance) -> Result<Cost, Failure> {
        let (puzzle, tiles) = self.args.puzzle.read(&instance.text)?;
        self.load(puzzle)?;
        let Some((_, solver)) = &self.solver else { unreachable!("loaded above") };
        let cost = solver.expected_cost(&tiles, &self.session.run());
        cost.map_err(|_| Failure::interrupted(format_args!("interrupted at {}", instance.origin)))
    }

    /// The use of upper bounds for one board.
    fn upper_bounds(&self, puzzle: &Puzzle, tiles: &Tiles, text: &str) -> UpperBounds {
        let (puzzle, tiles, notation) = (puzzle.clone(), *tiles, self.args.notation);
        let checked = move |ops: &[Op]| notation.checked(&puzzle, &tiles, ops).ok();
        self.session.upper_bounds(&self.args.bounds, text, checked)
    }

    /// The contents of the certificate beyond those of the record.
    fn subject(&self, solver: &Solver, tiles: &Tiles) -> Subject<Boards> {
        let board = solver.puzzle().board();
        let (start, goal) = (tiles.text(board), solver.puzzle().goal().text(board));
        let (rows, columns, notation) = (board.rows(), board.cols(), self.args.notation);
        Subject {
            puzzle: Boards { rows, columns, start, goal, notation },
            search: "ida",
            automaton: match solver.pruning() {
                Pruning::Off => "none".to_owned(),
                Pruning::Inverse if solver.puzzle().metric() == Metric::Multi => {
                    "no move is along the line of the last".to_owned()
                }
                Pruning::Inverse => "no move undoes the last".to_owned(),
                Pruning::Learned(depth) => format!("learned to depth {depth}"),
            },
            all: None,
        }
    }
}
