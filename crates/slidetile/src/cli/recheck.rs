//! `tile24 recheck`: the lower bounds of certificates of boards, proved again with other tables.

use puzzle_cli::{Exit, Failure, Limits, RecheckArgs, Session, recheck};
use referee::certificate::{self, Certificate, Puzzle as Boards};
use search_core::record::Used;
use search_core::{Report, Solution};

use super::instance::malformed;
use super::solver_failure;
use crate::ask::Ask;
use crate::board::Board;
use crate::metric::Metric;
use crate::multi;
use crate::puzzle::Puzzle;
use crate::solution::Notation;
use crate::solver::{Solver, SolverError};
use crate::strategy::SolverSetup;
use crate::tiles::Tiles;

pub(super) fn run(args: &RecheckArgs, session: &Session) -> Result<Exit, Failure> {
    let mut loaded: Option<(Metric, Board, Tiles, Vec<String>, Solver)> = None;
    args.run(session, |certificate, bound, limits| {
        let (puzzle, tiles) = read(certificate)?;
        let (metric, board, goal) = (puzzle.metric(), puzzle.board(), *puzzle.goal());
        let named: Vec<String> = certificate.tables.iter().map(|table| table.name.clone()).collect();
        let fits = |(by, of, to, tables, _): &&(Metric, Board, Tiles, Vec<String>, Solver)| {
            (*by, *of, *to) == (metric, board, goal) && *tables == named
        };
        if loaded.as_ref().filter(fits).is_none() {
            let setup = SolverSetup::default().avoiding(named.iter().cloned());
            let store = session.store(super::VERSION);
            let solver = Solver::load(puzzle, setup, &store, &session.run());
            loaded = Some((metric, board, goal, named, solver.map_err(|error| solver_failure(&error))?));
        }
        let Some((.., solver)) = &loaded else { unreachable!("loaded above") };
        search(solver, tiles, bound, limits, session)
    })
}

/// The puzzle and the start of a certificate.
fn read(certificate: &Certificate) -> Result<(Puzzle, Tiles), Failure> {
    let Boards::Tiles { rows, columns, start, goal, .. } = &certificate.puzzle else {
        return Err(recheck::other_puzzle(certificate));
    };
    let board = format!("{rows}x{columns}").parse().map_err(Failure::malformed)?;
    let (board, start) = Tiles::parse(start, Some(board)).map_err(|faults| malformed("start", &faults))?;
    let puzzle = Puzzle::with_goal(board, goal).map_err(|faults| malformed("goal", &faults))?;
    let metric = match certificate.metric {
        certificate::Metric::Multi if !multi::fits(board) => {
            return Err(solver_failure(&SolverError::MultiTooLarge));
        }
        certificate::Metric::Multi => Metric::Multi,
        _ => Metric::Single,
    };
    Ok((puzzle.with_metric(metric), start))
}

/// Searches for a solution of at most `bound` moves; the referee checks what is found.
fn search(
    solver: &Solver,
    tiles: Tiles,
    bound: u32,
    limits: &Limits,
    session: &Session,
) -> Result<(Report<Solution>, Used), Failure> {
    let run = limits.run(&session.run());
    let answer = solver.solve(&Ask::new(tiles).max_bound(bound), &run);
    let answer = answer.map_err(|faults| malformed("start", &faults))?;
    let used = answer.used.clone();
    let checked = |ops: Vec<_>| Notation::Blank.checked(solver.puzzle(), &tiles, &ops);
    let report = answer.into_report().try_map(checked).map_err(|rejected| super::rejection(&rejected))?;
    Ok((report, used))
}
