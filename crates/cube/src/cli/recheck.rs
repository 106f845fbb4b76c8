//! `cube-opt recheck`: the lower bounds of certificates of cubes, proved again with other tables.

use super::notation::{self, FromArgs};
use super::search_args::failure;
use super::{VERSION, referee_check};
use crate::metric::Metric;
use crate::notation::scramble::format_moves;
use crate::strategy::{Ask, Solver, SolverSetup};
use puzzle_cli::{Exit, Failure, Limits, RecheckArgs, Session, recheck};
use referee::certificate::{self, Certificate, Puzzle};
use search_core::record::Used;
use search_core::{Report, Solution};

pub(super) fn run(args: &RecheckArgs, session: &Session) -> Result<Exit, Failure> {
    let mut loaded: Option<(Metric, Vec<String>, Solver)> = None;
    args.run(session, |certificate, bound, limits| {
        let named: Vec<String> = certificate.tables.iter().map(|table| table.name.clone()).collect();
        let metric = metric(certificate)?;
        let fits = |(of, tables, _): &&(Metric, Vec<String>, Solver)| *of == metric && *tables == named;
        if loaded.as_ref().filter(fits).is_none() {
            let setup = SolverSetup::new().naming_progress().metric(metric).at_once();
            let setup = setup.avoiding(named.iter().cloned());
            let solver = setup.load(session.store(VERSION), &session.run()).map_err(failure)?;
            loaded = Some((metric, named, solver));
        }
        let Some((.., solver)) = &loaded else { unreachable!("loaded above") };
        search(solver, certificate, bound, limits, session)
    })
}

/// The metric of a certificate of a cube whose goal is a single one.
fn metric(certificate: &Certificate) -> Result<Metric, Failure> {
    let Puzzle::Cube { ignored, orientation_ignored, alternatives, final_turn, .. } = &certificate.puzzle
    else {
        return Err(recheck::other_puzzle(certificate));
    };
    let is_open = !ignored.is_empty()
        || !orientation_ignored.is_empty()
        || !alternatives.is_empty()
        || final_turn.is_some();
    match certificate.metric {
        certificate::Metric::Htm if !is_open => Ok(Metric::Htm),
        certificate::Metric::Qtm if !is_open => Ok(Metric::Qtm),
        certificate::Metric::Moves => Err(Failure::malformed("it has no metric of the cube")),
        _ => Err(Failure::new(
            Exit::Unsolved,
            "slices, and goals that leave something open, have only one heuristic: its tables are those of the certificate",
        )
        .with_remedy("`referee check --effort` proves as much as it can without tables")),
    }
}

/// Searches for a solution of at most `bound` moves; the referee checks what is found.
fn search(
    solver: &Solver,
    certificate: &Certificate,
    bound: u32,
    limits: &Limits,
    session: &Session,
) -> Result<(Report<Solution>, Used), Failure> {
    let Puzzle::Cube { start, goal, .. } = &certificate.puzzle else {
        return Err(recheck::other_puzzle(certificate));
    };
    let [start, goal] = [start, goal].map(|text| notation::read(text, FromArgs::facelets()));
    let (start, goal) = (start?, goal?);
    if start.given != goal.given || start.orientation != goal.orientation {
        return Err(Failure::malformed("start and goal have different centres"));
    }
    // The moves from the start to the goal lead from this cube to the solved one.
    let ask = Ask::new(goal.cube.inverse().compose(&start.cube)).held(start.orientation);
    let ask = ask.max_bound(Some(bound)).time_limit(limits.time_limit);
    let answer = solver.solve(&ask, &session.run()).map_err(failure)?;
    let used = answer.used.clone();
    let report = answer.into_report().try_map(|moves| {
        let (length, moves) = (moves.len() as u32, format_moves(moves.iter().copied()));
        referee_check::check(&start, &goal.cube, &moves, solver.metric(), length)?;
        Ok::<_, Failure>(Solution { length, moves })
    })?;
    Ok((report, used))
}

#[cfg(test)]
#[path = "recheck_tests.rs"]
mod tests;
