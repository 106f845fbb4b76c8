//! `cube-opt recheck`: the lower bounds of certificates of cubes, proved again with other tables.

use super::notation::{self, FromArgs};
use super::search_args::failure;
use super::stickers;
use super::{VERSION, referee_check};
use crate::fmc;
use crate::mask::Goals;
use crate::metric::Metric;
use crate::moves::MoveSet;
use crate::notation::Position;
use crate::notation::scramble::{Move, format_moves};
use crate::strategy::{Ask, Solver, SolverError, SolverSetup};
use puzzle_cli::{Exit, Failure, Limits, RecheckArgs, Session, recheck};
use referee::certificate::{self, Certificate, Puzzle};
use search_core::record::Used;
use search_core::{Report, Solution};

/// The certificate as this program reads it.
struct Claim {
    start: Position,
    goal: Position,
    goals: Goals,
    metric: Metric,
    /// The tables that it names.
    named: Vec<String>,
}

pub(super) fn run(args: &RecheckArgs, session: &Session) -> Result<Exit, Failure> {
    let mut loaded: Option<(Metric, Goals, Vec<String>, Solver)> = None;
    args.run(session, |certificate, bound, limits| {
        let claim = Claim::read(certificate)?;
        let fits = |(metric, goals, named, _): &&(Metric, Goals, Vec<String>, Solver)| {
            (*metric, goals, named) == (claim.metric, &claim.goals, &claim.named)
        };
        if loaded.as_ref().filter(fits).is_none() {
            let setup = SolverSetup::new().naming_progress().metric(claim.metric).at_once();
            let setup = setup.goals(claim.goals.clone()).avoiding(claim.named.iter().cloned());
            let solver = setup.load(session.store(VERSION), &session.run()).map_err(|error| match error {
                SolverError::Unsupported(reason) => Failure::new(Exit::Unsolved, reason)
                    .with_remedy("give more --memory; `referee check --effort` needs no tables"),
                other => failure(other),
            })?;
            loaded = Some((claim.metric, claim.goals.clone(), claim.named.clone(), solver));
        }
        let Some((.., solver)) = &loaded else { unreachable!("loaded above") };
        claim.search(solver, bound, limits, session)
    })
}

impl Claim {
    fn read(certificate: &Certificate) -> Result<Claim, Failure> {
        let Puzzle::Cube { start, goal, .. } = &certificate.puzzle else {
            return Err(recheck::other_puzzle(certificate));
        };
        let metric = match certificate.metric {
            certificate::Metric::Htm => Metric::Htm,
            certificate::Metric::Qtm => Metric::Qtm,
            certificate::Metric::Stm => Metric::Stm,
            certificate::Metric::Moves | certificate::Metric::Multi => {
                return Err(Failure::malformed("it has no metric of the cube"));
            }
        };
        let [start, goal] = [start, goal].map(|text| notation::read(text, FromArgs::facelets()));
        let (start, goal) = (start?, goal?);
        if start.given != goal.given || start.orientation != goal.orientation {
            return Err(Failure::malformed("start and goal have different centres"));
        }
        let goals = stickers::goals(&certificate.puzzle, &start, &goal.cube)?;
        let named = certificate.tables.iter().map(|table| table.name.clone()).collect();
        Ok(Claim { start, goal, goals, metric, named })
    }

    /// Searches for a solution of at most `bound` moves; the referee checks what is found.
    fn search(
        &self,
        solver: &Solver,
        bound: u32,
        limits: &Limits,
        session: &Session,
    ) -> Result<(Report<Solution>, Used), Failure> {
        // The moves from the start to the goal lead from this cube to the solved one.
        let cube = self.goal.cube.inverse().compose(&self.start.cube);
        let ask = Ask::new(cube).held(self.start.orientation);
        let ask = ask.max_bound(Some(bound)).time_limit(limits.time_limit);
        let answer = solver.solve(&ask, &session.run()).map_err(failure)?;
        let used = answer.used.clone();
        let report = answer.into_report().try_map(|moves| self.checked(&moves))?;
        Ok((report, used))
    }

    /// A solution, after the referee has replayed it.
    fn checked(&self, moves: &[Move]) -> Result<Solution, Failure> {
        let Claim { start, goal, goals, metric, .. } = self;
        let (length, printed) = (moves.len() as u32, format_moves(moves.iter().copied()));
        if *metric == Metric::Stm {
            let allowed: Vec<String> = MoveSet::all(*metric).names().iter().map(Move::to_string).collect();
            referee_check::check_moves(start, &goal.cube, &printed, &allowed, moves.len())?;
        } else {
            let turns = fmc::turns_of(moves).into_iter().map(|turn| start.orientation.from_held(turn));
            let reached = start.cube.apply_all(turns);
            let is_accepted = goals.accepts(&goal.cube.inverse().compose(&reached));
            let goal = if is_accepted { reached } else { goal.cube };
            referee_check::check(start, &goal, &printed, *metric, length)?;
        }
        Ok(Solution { length, moves: printed })
    }
}
