//! `puzzle-opt algs`: all short solutions of cases, ranked.

use std::collections::{HashMap, HashSet};

use clap::Args;
use puzzle_cli::cases::{CaseRow, CaseTable, Ranked, split_name};
use puzzle_cli::{Exit, Failure, Instance, Limits, RecordArgs, Session};
use search_core::ida::Wanted;
use serde::Serialize;

use super::Args as Program;
use super::goal_args::GoalArgs;
use super::malformed;
use super::puzzle_args::PuzzleArgs;
use crate::ask::Ask;
use crate::definition::{Definition, Selected};
use crate::model::{Puzzle, Transformation};
use crate::solver::Solver;
use crate::states;
use crate::strategy::SolverSetup;

/// Find all short solutions of cases, ranked
///
/// Prints one table: the shortest solutions of each case and those at most --extra moves longer, by length, then
/// by cost: the sum of the amounts of their moves, 1 for U and U', 2 for U2. Of pairs of moves with the same effect,
/// such as U D and D U, one is used; pairs that one move can replace, such as U U2, are left out. Free rotations are not
/// counted. A case is a state, with a name if one stands before a tab or before a colon and a space.
#[derive(Args, Clone, Debug)]
#[command(after_help = AFTER_HELP)]
pub struct AlgsArgs {
    #[command(flatten)]
    puzzle: PuzzleArgs,
    /// Scrambles in the notation of the puzzle, patterns as JSON, or permutations; - (or nothing) for the
    /// lines of standard input
    #[arg(value_name = "CASE")]
    cases: Vec<String>,
    /// The form of the cases [default: detected]
    #[arg(long, value_enum, value_name = "FORM")]
    from: Option<states::Form>,
    /// Also find solutions that are up to N moves longer than the shortest
    #[arg(long, value_name = "N", default_value_t = 0)]
    extra: u32,
    /// Print the best K solutions of each case
    #[arg(long, value_name = "K")]
    top: Option<usize>,
    #[command(flatten)]
    goal: GoalArgs,
    #[command(flatten)]
    limits: Limits,
    /// Print CSV rows instead of text, one for each solution
    #[arg(long, conflicts_with = "json", help_heading = "Common options")]
    csv: bool,
    /// Leave out the table's header
    #[arg(long, help_heading = "Common options")]
    no_header: bool,
}

const AFTER_HELP: &str = "\
Examples:
  puzzle-opt algs 2x2x2 \"Y: R U2 R' U' R U2 L' U R' U' L\" --extra 1
  puzzle-opt algs pyraminx \"R U' R'\" \"U' L' U L\" --ignore EDGES:0-2 --top 3
  puzzle-opt algs skewb - --csv < cases.txt    one case per line";

/// A row: a solution, or the reason why there is none.
#[derive(Serialize)]
struct Row<'a> {
    case: &'a str,
    rank: Option<usize>,
    length: Option<usize>,
    cost: Option<f64>,
    moves: Option<&'a str>,
    solutions: Option<usize>,
    result: &'static str,
    lower_bound: Option<u32>,
    error: Option<String>,
}

impl<'a> Row<'a> {
    fn new(row: CaseRow<'a>, moves: Option<&'a str>) -> Row<'a> {
        let CaseRow { case, rank, length, cost, solutions, result, lower_bound, error } = row;
        Row { case, rank, length, cost, moves, solutions, result, lower_bound, error }
    }
}

pub(super) fn run(args: &AlgsArgs, session: &Session) -> Result<Exit, Failure> {
    let session = &session.with_records(&RecordArgs { csv: args.csv });
    let (definition, selected) = args.puzzle.read(session)?;
    let goals = args.goal.read(&definition, &selected, args.from)?;
    let store = session.store(super::VERSION);
    // Longer strings with the same effect are different solutions.
    let setup = SolverSetup::default().learn(Some(2));
    let solver = Solver::new(selected.puzzle.clone(), goals, &setup, store, &session.run())
        .map_err(|error| super::solver_failure(&error))?;
    let (costs, joined) = (costs(&selected.puzzle), joined(&selected.puzzle));
    let job = Job { args, session, definition, selected, solver, costs, joined };
    let mut table = CaseTable::new(session.output(), 12, !args.no_header)?;
    session.batch::<Program>(&args.cases, |instance, _| job.answer(instance, &mut table))
}

/// The cost of each move by its name: its amount, forward or backward.
fn costs(puzzle: &Puzzle) -> HashMap<String, u32> {
    let moves = puzzle.moves().iter().map(|step| {
        let mut same_base = puzzle.moves().iter().filter(|other| other.base == step.base);
        let first = same_base.find(|other| other.power == 1);
        let order = first.and_then(|first| first.transformation.order());
        let backward = order.and_then(|order| u32::try_from(order).ok()?.checked_sub(step.power));
        (step.name.clone(), backward.map_or(step.power, |backward| backward.min(step.power)))
    });
    moves.collect()
}

/// The pairs of moves that one move, or none, can replace.
fn joined(puzzle: &Puzzle) -> HashSet<(String, String)> {
    let effects: HashSet<&Transformation> = puzzle.moves().iter().map(|step| &step.transformation).collect();
    let pairs = puzzle.moves().iter().flat_map(|a| puzzle.moves().iter().map(move |b| (a, b)));
    let joined = pairs.filter(|(a, b)| {
        let both = a.transformation.then(&b.transformation);
        both.is_identity() || effects.contains(&both)
    });
    joined.map(|(a, b)| (a.name.clone(), b.name.clone())).collect()
}

/// The data common to all cases.
struct Job<'a> {
    args: &'a AlgsArgs,
    session: &'a Session,
    definition: Definition,
    selected: Selected,
    solver: Solver,
    costs: HashMap<String, u32>,
    joined: HashSet<(String, String)>,
}

impl Job<'_> {
    fn answer(&self, instance: &Instance, table: &mut CaseTable) -> Result<Exit, Failure> {
        let Job { args, session, .. } = self;
        let (name, text) = split_name(&instance.text);
        let name = name.map_or_else(|| instance.origin.to_string(), str::to_owned);
        let read = states::read(text, &self.definition, args.from);
        let start = match read.and_then(|pattern| self.selected.state(&pattern)) {
            Ok(start) => start,
            Err(faults) => {
                return table.refuse(&name, &malformed("state", &faults), |row| Row::new(row, None));
            }
        };
        let ask = Ask::new(start).wanted(Wanted::All { extra: args.extra }).max_bound(args.limits.max_depth);
        let run = args.limits.run(&session.run());
        let ending = self.solver.solve(&ask, &run).map_err(|error| super::solver_failure(&error))?.ending;
        if session.is_interrupted() {
            Failure::interrupted(format_args!("interrupted at {}", instance.origin)).report();
            return Ok(Exit::Interrupted);
        }
        let mut ranked: Vec<Ranked<String>> = (ending.solutions().iter())
            .filter(|solution| !self.can_be_shortened(&solution.moves))
            .map(|solution| Ranked {
                length: solution.length as usize,
                cost: f64::from(self.cost(&solution.moves)),
                solution: solution.moves.clone(),
            })
            .collect();
        ranked.sort_by(|a, b| {
            let cost = a.cost.total_cmp(&b.cost);
            a.length.cmp(&b.length).then(cost).then_with(|| a.solution.cmp(&b.solution))
        });
        let found = ranked.len();
        ranked.truncate(args.top.unwrap_or(usize::MAX));
        table.write(&name, &ending.map(|_| ()), (found, &ranked), |row, moves| {
            Row::new(row, moves.map(String::as_str))
        })
    }

    /// Whether two neighbouring moves can be replaced by one or none.
    fn can_be_shortened(&self, moves: &str) -> bool {
        let pair = |pair: &[&str]| (pair[0].to_owned(), pair[1].to_owned());
        words(moves).windows(2).any(|two| self.joined.contains(&pair(two)))
    }

    /// The sum of the costs of moves; rotations cost nothing.
    fn cost(&self, moves: &str) -> u32 {
        words(moves).iter().filter_map(|word| self.costs.get(*word)).sum()
    }
}

/// The moves of a solution: words, and conjugates in brackets.
fn words(moves: &str) -> Vec<&str> {
    let (mut words, mut open, mut begin) = (Vec::new(), 0_usize, 0);
    for (at, c) in moves.char_indices() {
        match c {
            '[' => open += 1,
            ']' => open = open.saturating_sub(1),
            ' ' if open == 0 => {
                words.push(&moves[begin..at]);
                begin = at + 1;
            }
            _ => {}
        }
    }
    words.push(&moves[begin..]);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conjugates_in_brackets_are_one_move() {
        assert_eq!(words("R [x' y: U2] F'"), ["R", "[x' y: U2]", "F'"]);
        assert_eq!(words(""), [""]);
    }
}
