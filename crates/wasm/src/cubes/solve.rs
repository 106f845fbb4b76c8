//! Shortest solutions of cubes, with what a person asks for: tables, moves, a goal, fixed moves.

use super::OFFERED;
use super::asked::{Asked, Typed, Way};
use crate::host::Host;
use crate::refusal::Refusal;
use crate::tables::HostTables;
use crate::work::{Answered, Found, Reporter, Wish, run};
use cube::fewest::{self, Ends, Niss};
use cube::heuristics::masked::{FEW_EDGES, Masked};
use cube::mask::Goals;
use cube::moves::{Group, MoveSet, SetSolver};
use cube::notation::facelets::{self, LETTERS};
use cube::notation::scramble;
use cube::solver::GoalSolver;
use cube::{Cube, HeuristicSpec, Mask, Metric, Solver, Turn};
use referee::cube as judge;
use search_core::ida::Config;
use search_core::table::{FileError, Recipe, TableError};
use search_core::{Ending, Report, Run};
use serde::Deserialize;
use std::cell::RefCell;

/// Searches for shortest solutions.
#[derive(Debug, Deserialize)]
pub struct Solve {
    /// The 54 facelets of a legal cube.
    facelets: String,
    heuristic: String,
    #[serde(flatten)]
    typed: Typed,
    #[serde(flatten)]
    wish: Wish,
}

/// The solver of a search: its tables stay in memory.
struct Loaded {
    /// The heuristic that was asked for; none where the search has another anyway.
    heuristic: Option<HeuristicSpec>,
    way: Way,
    solver: Kind,
    /// What its tables take the place of.
    remark: Option<String>,
}

enum Kind {
    /// With all face turns.
    Faces(GoalSolver),
    /// With a set of moves.
    Chosen(SetSolver),
}

thread_local! {
    /// The solver of the last search.
    static LAST: RefCell<Option<Loaded>> = const { RefCell::new(None) };
}

/// A search: what it works with.
struct Search<'a> {
    cube: &'a Cube,
    asked: &'a Asked,
    config: &'a Config,
    run: &'a Run<'a>,
}

impl Solve {
    pub(crate) fn answer(&self, host: &'static dyn Host) -> Result<Answered, Refusal> {
        let cube = facelets::parse(&self.facelets).map_err(Refusal::error)?.cube;
        if !OFFERED.contains(&&self.heuristic[..]) {
            let offered = OFFERED.join(", ");
            return Err(Refusal::Error(format!(
                "{} is not one of the page's tables: {offered}",
                self.heuristic
            )));
        }
        let asked = self.typed.read()?;
        let fixed = match &asked.way {
            Way::Faces(metric, _) => asked.ends.length(*metric),
            Way::Chosen(_) => 0,
        };
        let reporter = Reporter::new(host).with_fixed(fixed);
        let run = run(&reporter, self.wish.memory);
        if let Way::Chosen(set) = &asked.way
            && let Some(answered) = unsolved(&cube, set, &reporter)
        {
            return Ok(answered);
        }
        LAST.with_borrow_mut(|last| {
            let loaded = match last.take().filter(|loaded| self.is_served_by(loaded, &asked.way)) {
                Some(loaded) => loaded,
                None => self.load(&asked.way, host, &run)?,
            };
            let loaded = last.insert(loaded);
            let config = self.wish.config(host, fixed);
            let search = Search { cube: &cube, asked: &asked, config: &config, run: &run };
            search.answer(loaded, &reporter).map_err(Refusal::Error)
        })
    }

    fn is_served_by(&self, loaded: &Loaded, way: &Way) -> bool {
        let is_heuristic = |spec: &HeuristicSpec| spec.to_string() == self.heuristic;
        loaded.way == *way && loaded.heuristic.as_ref().is_none_or(is_heuristic)
    }

    /// The solver that was asked for.
    fn load(&self, way: &Way, host: &'static dyn Host, run: &Run<'_>) -> Result<Loaded, Refusal> {
        let (metric, goals) = match way {
            Way::Faces(metric, goals) => (*metric, goals),
            Way::Chosen(set) => {
                let loaded = SetSolver::load(Group::new(set.clone()), &HostTables(host), run);
                let solver = Kind::Chosen(loaded.map_err(Refusal::error)?);
                return Ok(Loaded { heuristic: None, way: way.clone(), solver, remark: None });
            }
        };
        if goals.alternatives().iter().all(|alternative| !alternative.mask.is_none()) {
            let solver = load_for(goals, None, metric, host, run).map_err(Refusal::error)?;
            return Ok(Loaded {
                heuristic: None,
                way: way.clone(),
                solver: Kind::Faces(solver),
                remark: None,
            });
        }
        let (solver, remark) = self.load_largest(goals, metric, host, run)?;
        let heuristic = Some(spec(&self.heuristic)?);
        Ok(Loaded { heuristic, way: way.clone(), solver: Kind::Faces(solver), remark })
    }

    /// The solver with the heuristic that was asked for. A browser may have less memory than its tables need: then the
    /// one with the largest tables that it has memory for.
    fn load_largest(
        &self,
        goals: &Goals,
        metric: Metric,
        host: &'static dyn Host,
        run: &Run<'_>,
    ) -> Result<(GoalSolver, Option<String>), Refusal> {
        let smaller = OFFERED.iter().rev().skip_while(|name| **name != self.heuristic).skip(1);
        let mut refused = Vec::new();
        for heuristic in [&self.heuristic[..]].into_iter().chain(smaller.copied()) {
            let spec = spec(heuristic)?;
            match load_for(goals, Some(&spec), metric, host, run) {
                Ok(solver) => {
                    let remark = refused.first().map(|wanted| {
                        let used = megabytes(&spec, metric);
                        format!("Not enough memory for the {wanted} table: the {used} table was used.")
                    });
                    return Ok((solver, remark));
                }
                Err(TableError { problem: FileError::Memory(_) | FileError::OverBudget { .. }, .. }) => {
                    let bytes = megabytes(&spec, metric);
                    run.progress().note(&format!("not enough memory for the {bytes} table"));
                    refused.push(bytes);
                }
                Err(error) => return Err(Refusal::error(error)),
            }
        }
        let least = refused.last().map_or("", String::as_str);
        Err(Refusal::Error(format!(
            "the browser does not have enough memory for a table of {least}: close other pages and try again"
        )))
    }
}

/// The answer for a cube that a set of moves does not solve: no table is built to say so.
fn unsolved(cube: &Cube, set: &MoveSet, reporter: &Reporter) -> Option<Answered> {
    let group = Group::new(set.clone());
    if group.element(cube).is_some() {
        return None;
    }
    let remark = format!(
        "The moves {set} do not solve this cube: it is not one of the {} positions that they generate.",
        group.positions()
    );
    let report = Report { ending: Ending::Exhausted, iterations: Vec::new() };
    Some(Answered { remark: Some(remark), ..Answered::of(report, reporter) })
}

/// The solver for goals: with `whole` for those that leave nothing open, and patterns of six edges for the others.
fn load_for(
    goals: &Goals,
    whole: Option<&HeuristicSpec>,
    metric: Metric,
    host: &'static dyn Host,
    run: &Run<'_>,
) -> Result<GoalSolver, TableError> {
    let open = |mask: &Mask| HeuristicSpec::Masked(Masked { mask: *mask, edges: FEW_EDGES });
    let spec = |mask: &Mask| whole.filter(|_| mask.is_none()).cloned().unwrap_or_else(|| open(mask));
    GoalSolver::new(goals.clone(), |mask| Solver::load(&spec(mask), metric, &HostTables(host), run))
}

pub(super) fn spec(heuristic: &str) -> Result<HeuristicSpec, Refusal> {
    heuristic.parse().map_err(Refusal::error)
}

/// The size of a heuristic's tables.
fn megabytes(spec: &HeuristicSpec, metric: Metric) -> String {
    let bytes: u64 = spec.tables(metric).iter().map(Recipe::bytes).sum();
    format!("{} MB", bytes.div_ceil(1_000_000))
}

impl Search<'_> {
    fn answer(&self, loaded: &Loaded, reporter: &Reporter) -> Result<Answered, String> {
        match &loaded.solver {
            Kind::Faces(solver) => {
                let report = solver.solve(&self.asked.ends.between(self.cube), self.config, self.run);
                let report = self.asked.ends.whole(solver.metric(), report);
                let joined = report.ending.solutions().first().and_then(|turns| self.joined(solver, turns));
                let found = report.try_map(|turns| self.checked(solver, &turns))?;
                let answered = Answered::of(found, reporter).by(&solver.heuristic(), solver.tables());
                let remarks: Vec<String> = loaded.remark.clone().into_iter().chain(joined).collect();
                let remark = (!remarks.is_empty()).then(|| remarks.join(" "));
                Ok(Answered { remark, ..answered })
            }
            Kind::Chosen(solver) => {
                let set = solver.group().set();
                let allowed: Vec<String> = set.names().iter().map(scramble::Move::to_string).collect();
                let report = solver.solve(self.cube, self.config, self.run);
                let found = report.try_map(|moves| {
                    let (length, moves) = (moves.len(), scramble::format_moves(moves));
                    let (start, solved) = (seen(self.cube)?, judge::Cube::solved());
                    judge::check_moves(&start, &solved, &moves, &allowed, length).map_err(rejected)?;
                    Ok::<_, String>(Found { length: length as u32, moves, shown: None })
                })?;
                let heuristic = format!("{} with the moves {set}", solver.bound());
                Ok(Answered::of(found, reporter).by(&heuristic, solver.tables()))
            }
        }
    }

    /// Says how long a solution with fixed turns is when turns of one face are joined, if that makes it shorter.
    fn joined(&self, solver: &GoalSolver, turns: &[Turn]) -> Option<String> {
        let (Ends { .. }, metric) = (&self.asked.ends, solver.metric());
        let joined = fewest::joined(metric, turns);
        let length = fewest::length(metric, &joined);
        let is_shorter = !self.asked.ends.are_free() && length < fewest::length(metric, turns);
        let moves = scramble::format(joined);
        is_shorter.then(|| format!("With turns of one face joined these are {length}: {moves}"))
    }

    /// A solution, replayed by the referee as it will be printed.
    fn checked(&self, solver: &GoalSolver, turns: &[Turn]) -> Result<Found, String> {
        let metric = solver.metric();
        let length = turns.iter().map(|&turn| metric.length(turn)).sum();
        let reached = self.cube.apply_all(turns.iter().copied());
        let goal = if solver.goals().accepts(&reached) { reached } else { Cube::SOLVED };
        let counted = match metric {
            Metric::Htm => judge::Metric::HalfTurn,
            Metric::Qtm => judge::Metric::QuarterTurn,
        };
        let (start, goal) = (seen(self.cube)?, seen(&goal)?);
        let check =
            |moves: &str| judge::check(&start, &goal, moves, counted, u64::from(length)).map_err(rejected);
        let moves = scramble::format(turns.iter().copied());
        check(&moves)?;
        let shown = (self.asked.niss > 0).then(|| Niss::of(turns, self.asked.niss).to_string());
        if let Some(shown) = &shown {
            let whole = Niss::parse(shown).map_err(|fault| fault.to_string())?.turns();
            check(&scramble::format(whole))?;
        }
        Ok(Found { length, moves, shown })
    }
}

fn rejected(refusal: impl ToString) -> String {
    format!("the referee rejects the solution: {}", refusal.to_string())
}

/// A cube as the referee sees it.
fn seen(cube: &Cube) -> Result<judge::Cube, String> {
    judge::Cube::parse(&facelets::format_with(cube, LETTERS)).map_err(|refusal| refusal.to_string())
}
