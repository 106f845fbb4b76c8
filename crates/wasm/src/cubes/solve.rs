//! Shortest solutions of cubes, with the user's tables, moves, goal and fixed moves.

use super::asked::{Asked, Typed, Way};
use super::{OFFERED, addresses, bytes, default_heuristic};
use crate::host::{Found, Host};
use crate::refusal::Refusal;
use crate::tables::HostTables;
use crate::work::{Answered, Reporter, Wish, run};
use cube::fmc::{self, Niss};
use cube::mask::Goals;
use cube::notation::facelets::{self, LETTERS};
use cube::notation::scramble::{self, Move};
use cube::space;
use cube::strategy::SolverError;
use cube::{Ask, Cube, HeuristicSpec, Mask, Metric, Solver, SolverSetup, Turn};
use referee::cube as judge;
use search_core::ida::Config;
use search_core::record::Answer;
use search_core::table::{FileError, TableError};
use search_core::{Ending, Op, Report, Run, Solution};
use serde::Deserialize;
use std::cell::RefCell;

/// Searches for shortest solutions.
#[derive(Debug, Deserialize)]
pub struct Solve {
    /// The 54 facelets of a legal cube.
    facelets: String,
    /// By default that of the host's tables.
    #[serde(default)]
    heuristic: String,
    #[serde(flatten)]
    typed: Typed,
    #[serde(flatten)]
    wish: Wish,
}

/// The solver of the last search: its tables stay in memory.
struct Loaded {
    /// The requested heuristic; `None` if the search uses another one in any case.
    heuristic: Option<HeuristicSpec>,
    way: Way,
    solver: Solver,
    /// A remark on tables used instead of the requested ones.
    remark: Option<String>,
}

thread_local! {
    /// The solver of the last search.
    static LAST: RefCell<Option<Loaded>> = const { RefCell::new(None) };
}

impl Solve {
    pub(crate) fn answer(&self, host: &'static dyn Host) -> Result<Answered, Refusal> {
        let cube = facelets::parse(&self.facelets).map_err(Refusal::error)?.cube;
        let heuristic = &self.heuristic[..];
        if !heuristic.is_empty() && !OFFERED.contains(&heuristic) {
            let offered = OFFERED.join(", ");
            return Err(Refusal::Error(format!("{heuristic} is not one of the page's tables: {offered}")));
        }
        let asked = self.typed.read()?;
        let fixed = match &asked.way {
            Way::Faces(metric, _) => asked.ends.length(*metric),
            Way::Chosen(..) => 0,
        };
        let reporter = Reporter::new(host).with_fixed(fixed);
        let run = run(&reporter, self.wish.memory);
        let heuristic = match heuristic {
            "" => default_heuristic(host, run.memory()),
            name => name,
        };
        LAST.with_borrow_mut(|last| {
            let is_served = |loaded: &Loaded| is_served_by(loaded, heuristic, &asked.way);
            let loaded = match last.take().filter(is_served) {
                Some(loaded) => loaded,
                None => load(heuristic, &asked.way, host, &run)?,
            };
            let loaded = last.insert(loaded);
            let Config { wanted, checkpoints, .. } = self.wish.config(host, fixed);
            let ask = Ask::new(cube).ends(asked.ends.clone()).wanted(wanted).min_bound(self.wish.at_least);
            let ask = ask.upper_bounds(self.wish.upper_bounds(host, fixed, replaying(&cube, &asked)));
            let ask = checkpoints.into_iter().fold(ask, Ask::checkpoints);
            let answer = loaded.solver.solve(&ask, &run).map_err(Refusal::error)?;
            answered(loaded, &cube, &asked, answer, &reporter).map_err(Refusal::Error)
        })
    }
}

/// Whether a solver is that of the request.
fn is_served_by(loaded: &Loaded, heuristic: &str, way: &Way) -> bool {
    let is_heuristic = |spec: &HeuristicSpec| spec.to_string() == heuristic;
    loaded.way == *way && loaded.heuristic.as_ref().is_none_or(is_heuristic)
}

/// The requested solver.
fn load(heuristic: &str, way: &Way, host: &'static dyn Host, run: &Run<'_>) -> Result<Loaded, Refusal> {
    let load = |setup: SolverSetup| setup.load(HostTables(host), run);
    let (heuristic, solver, remark) = match way {
        Way::Chosen(set, goals) => {
            let setup = SolverSetup::new().moves(set.clone()).goals(goals.clone()).patience(0.0);
            (None, load(setup).map_err(Refusal::error)?, None)
        }
        Way::Faces(metric, goals) => {
            let setup = SolverSetup::new().metric(*metric).goals(goals.clone()).patience(0.0);
            match goals.masks().iter().any(Mask::is_none) {
                true => {
                    let wanted = spec(heuristic)?;
                    let addresses = addresses(&wanted, *metric);
                    if addresses > usize::BITS {
                        return Err(Refusal::Addresses(addresses));
                    }
                    let smaller = OFFERED.iter().rev().skip_while(|name| **name != heuristic).skip(1);
                    let smaller = smaller.map(|name| spec(name)).collect::<Result<Vec<_>, _>>()?;
                    let solver =
                        load(setup.heuristic(wanted.clone()).or_smaller(smaller)).map_err(refused)?;
                    let remark = replaced(&wanted, &solver);
                    (Some(wanted), solver, remark)
                }
                false => (None, load(setup).map_err(Refusal::error)?, None),
            }
        }
    };
    Ok(Loaded { heuristic, way: way.clone(), solver, remark })
}

/// The refusal of a solver. A browser may have less memory than any of the tables needs.
fn refused(error: SolverError) -> Refusal {
    match error {
        SolverError::Table(TableError {
            problem: FileError::Memory(_) | FileError::OverBudget { .. },
            ..
        }) => {
            let least = spec(OFFERED[0]).map_or(String::new(), |spec| megabytes(&spec, Metric::Htm));
            Refusal::Error(format!(
                "the browser does not have enough memory for a table of {least}: close other pages and try again"
            ))
        }
        error => Refusal::error(error),
    }
}

/// The remark on a solver with smaller tables than those of `wanted`, for which there was not enough memory.
fn replaced(wanted: &HeuristicSpec, solver: &Solver) -> Option<String> {
    let used = solver.heuristic().filter(|used| *used != wanted)?;
    let [wanted, used] = [wanted, used].map(|spec| megabytes(spec, solver.metric()));
    Some(format!("Not enough memory for the {wanted} table: the {used} table was used."))
}

pub(super) fn spec(heuristic: &str) -> Result<HeuristicSpec, Refusal> {
    heuristic.parse().map_err(Refusal::error)
}

/// The size of a heuristic's tables.
fn megabytes(spec: &HeuristicSpec, metric: Metric) -> String {
    format!("{} MB", bytes(spec, metric).div_ceil(1_000_000))
}

/// The answer, with all solutions replayed by the referee.
fn answered(
    loaded: &Loaded,
    cube: &Cube,
    asked: &Asked,
    answer: Answer<Vec<Move>>,
    reporter: &Reporter,
) -> Result<Answered, String> {
    let (solver, used) = (&loaded.solver, answer.used.clone());
    if matches!(answer.ending, Ending::Exhausted) {
        let remark = format!(
            "The moves {} do not solve this cube: it is not one of the {} positions that they generate.",
            solver.moves(),
            solver.positions()
        );
        let report = Report { ending: Ending::Exhausted, iterations: answer.iterations };
        return Ok(Answered { remark: Some(remark), ..Answered::of(report, reporter) });
    }
    let joined = answer.best().and_then(|moves| joined(solver.metric(), asked, moves));
    let found = answer.into_report().try_map(|moves| checked(solver, cube, asked, &moves))?;
    let remarks: Vec<String> = loaded.remark.clone().into_iter().chain(joined).collect();
    let remark = (!remarks.is_empty()).then(|| remarks.join(" "));
    Ok(Answered { remark, ..Answered::of(found, reporter).by(&used.heuristic, &used.tables) })
}

/// The remark on a solution with fixed turns that becomes shorter when turns of one face are joined.
fn joined(metric: Metric, asked: &Asked, moves: &[Move]) -> Option<String> {
    if asked.ends.are_free() {
        return None;
    }
    let turns = fmc::turns_of(moves);
    let joined = fmc::joined(metric, &turns);
    let length = fmc::length(metric, &joined);
    let is_shorter = length < fmc::length(metric, &turns);
    let moves = scramble::format(joined);
    is_shorter.then(|| format!("With turns of one face joined these are {length}: {moves}"))
}

/// A solution, replayed by the referee as it will be printed.
fn checked(solver: &Solver, cube: &Cube, asked: &Asked, moves: &[Move]) -> Result<Found, String> {
    let (text, start) = (scramble::format_moves(moves.iter().copied()), seen(cube)?);
    if let Way::Chosen(set, goals) = &asked.way {
        let allowed: Vec<String> = set.names().iter().map(Move::to_string).collect();
        let goal = match set.face_turns() {
            Some(_) => reached(goals, cube, &fmc::turns_of(moves))?,
            None => judge::Cube::solved(),
        };
        judge::check_moves(&start, &goal, &text, &allowed, moves.len()).map_err(rejected)?;
        let length = set.length(moves);
        if solver.metric() == Metric::Axial {
            judge::check_axial(&text, length).map_err(rejected)?;
        }
        return Ok(Solution { length: length as u32, moves: text }.into());
    }
    checked_turns(solver.metric(), solver.goals(), cube, asked.niss, &fmc::turns_of(moves))
}

/// The function that replays better solutions of a search with all turns of faces for one goal, and makes them whole.
/// Those of other searches are not shown.
fn replaying(cube: &Cube, asked: &Asked) -> impl Fn(&[Op]) -> Option<Found> + Send + Sync + use<> {
    let (cube, asked) = (*cube, asked.clone());
    move |ops| {
        let Way::Faces(metric, goals) = &asked.way else { return None };
        let turns = space::solution(*metric, ops)?;
        let whole = [&asked.ends.before[..], &turns, &asked.ends.after].concat();
        checked_turns(*metric, goals, &cube, asked.niss, &whole).ok()
    }
}

/// A solution of face turns, replayed by the referee as it will be printed.
pub(super) fn checked_turns(
    metric: Metric,
    goals: &Goals,
    cube: &Cube,
    niss: usize,
    turns: &[Turn],
) -> Result<Found, String> {
    let (text, start) = (scramble::format(turns.iter().copied()), seen(cube)?);
    let length = fmc::length(metric, turns);
    let goal = reached(goals, cube, turns)?;
    let counted = match metric {
        Metric::Htm | Metric::Stm | Metric::Axial => judge::Metric::HalfTurn,
        Metric::Qtm => judge::Metric::QuarterTurn,
    };
    let check =
        |moves: &str| judge::check(&start, &goal, moves, counted, u64::from(length)).map_err(rejected);
    check(&text)?;
    let shown = (niss > 0).then(|| Niss::of(turns, niss).to_string());
    if let Some(shown) = &shown {
        let whole = Niss::parse(shown).map_err(|fault| fault.to_string())?.turns();
        check(&scramble::format(whole))?;
    }
    Ok(Found { shown, ..Solution { length, moves: text }.into() })
}

/// The cube that the turns must lead to: the one that they reach, if it is a goal.
fn reached(goals: &Goals, cube: &Cube, turns: &[Turn]) -> Result<judge::Cube, String> {
    let reached = cube.apply_all(turns.iter().copied());
    seen(&if goals.accepts(&reached) { reached } else { Cube::SOLVED })
}

fn rejected(refusal: impl ToString) -> String {
    format!("the referee rejects the solution: {}", refusal.to_string())
}

/// A cube in the form that the referee reads.
fn seen(cube: &Cube) -> Result<judge::Cube, String> {
    judge::Cube::parse(&facelets::format_with(cube, LETTERS)).map_err(|refusal| refusal.to_string())
}
