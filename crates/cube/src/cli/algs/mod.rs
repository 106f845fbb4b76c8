//! `cube-opt algs`: all short solutions of the cases of a set, ranked.

mod answer;
mod input;
mod table;
mod time_left;

use super::mask::{PieceArgs, refused};
use super::notation::FromArgs;
use super::search_args::{SearchArgs, failure, load};
use super::{NAME, move_args};
use crate::algs::solver::full_goals;
use crate::algs::{Auf, Case, CaseSet, CaseSolver, Costs, Order};
use crate::cube::{Cube, Face};
use crate::mask::{Goals, InvalidGoal, Mask, Named};
use crate::metric::Metric;
use crate::moves::MoveSet;
use crate::notation::facelets;
use crate::strategy::Ask;
use answer::Answers;
use clap::builder::PossibleValue;
use clap::{Args, ValueEnum};
use puzzle_cli::argv;
use puzzle_cli::cases::CaseTable;
use puzzle_cli::resume::quoted;
use puzzle_cli::{Exit, Failure, Limits, RecordArgs, Session};
use serde::Serialize;
use std::cell::OnceCell;
use std::ffi::OsString;
use time_left::TimeLeft;

/// Find all short solutions of the cases of an algorithm set, ranked
///
/// Prints one table: the shortest solutions of each case and those at most --extra moves longer, in the order of
/// --rank. A free turn of U before or after a solution is printed in parentheses and not counted. Give the name
/// of a set (see `cube-opt help algs`), or cubes, each optionally with a name before a tab or before a colon and
/// a space: `T: R U R' U' R' F R2 U' R' U' R U R' F'`.
#[derive(Args, Clone, Debug)]
#[command(after_help = AFTER_HELP, after_long_help = format!("{}\n{AFTER_HELP}", sets_help()))]
pub(crate) struct AlgsArgs {
    /// The name of a set, or cubes; - (or nothing) for the lines of standard input
    #[arg(value_name = "SET|CUBE")]
    cases: Vec<String>,
    /// Only these cases of the set: names, separated by commas
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    case: Vec<String>,
    /// Only this case of the set and those after it
    #[arg(long, value_name = "CASE")]
    start_at: Option<String>,
    /// List the cases of a set with their facelets, without solving them
    #[arg(long)]
    list: bool,
    #[command(flatten)]
    from: FromArgs,
    /// Also find solutions that are up to N moves longer than the shortest
    #[arg(long, value_name = "N", default_value_t = 0)]
    extra: u32,
    /// Which turns of U are free
    #[arg(long, value_enum, default_value_t)]
    auf: Auf,
    /// The goal by its name, for cases given as cubes (`cube-opt help solve` explains the names)
    #[arg(long, value_enum, value_name = "NAME", help_heading = "Goal")]
    goal_set: Option<Named>,
    #[command(flatten)]
    pieces: PieceArgs,
    /// The cost of each move, such as `R=1 R2=1.5 2=+0.3`; see below for the syntax
    #[arg(
        long,
        value_name = "COSTS",
        default_value = "",
        hide_default_value = true,
        help_heading = "Ranking"
    )]
    cost: String,
    /// The order of the solutions
    #[arg(long, value_enum, default_value_t, help_heading = "Ranking")]
    rank: Order,
    /// Print the best K solutions of each case
    #[arg(long, value_name = "K", help_heading = "Ranking")]
    top: Option<usize>,
    /// Also print solutions that differ from a better one only by a rotation about U
    #[arg(long, help_heading = "Ranking")]
    rotations: bool,
    #[command(flatten)]
    search: SearchArgs,
    /// Solve with these moves alone, such as `R U F`, `M U`, `Rw R U`
    #[arg(long, value_name = "MOVES", help_heading = "Search")]
    moves: Option<String>,
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
Costs are separated by spaces: R=1 for all turns of a layer (also Rw=1.2, M=1.5), R2=1.5 for
one turn; 2=+0.3 and '=+0.1 are added for half and counterclockwise turns. The defaults are
  U=1 R=1 L=1.5 F=1.5 D=1.8 B=3 Uw=1.5 Rw=1.2 Lw=1.7 Fw=2 Dw=2 Bw=3.5 M=1.5 E=3 S=3 2=+0.3 '=+0

Examples:
  cube-opt algs pll --top 3                     the three best of each permutation
  cube-opt algs zbll --csv > zbll.csv           all shortest solutions of 472 cases
  cube-opt algs zbll --moves \"R U\" --extra 2     with two faces alone
  cube-opt algs oll --case 27,45 --extra 1      two cases, up to one move longer
  cube-opt algs zbll --list                     names and facelets
  cube-opt algs \"T: R U R' U' R' F R2 U' R' U' R U R' F'\"
  cube-opt algs --goal-set f2l - < f2l.txt      your own cases, one per line
  cube-opt algs pll --cost \"L=1 B=9 2=+0.5\" --rank cost --extra 1";

/// The sets and their meanings, for the help.
fn sets_help() -> String {
    let line = |set: CaseSet| format!("  {:6}{}\n", set.name(), set.meaning());
    format!(
        "Sets (cases that differ only by turns of U before or after count as one):\n{}",
        CaseSet::ALL.map(line).concat()
    )
}

impl ValueEnum for Auf {
    fn value_variants<'a>() -> &'a [Auf] {
        &[Auf::Both, Auf::Before, Auf::After, Auf::None]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(match self {
            Auf::Both => "both",
            Auf::Before => "before",
            Auf::After => "after",
            Auf::None => "none",
        }))
    }
}

impl ValueEnum for Order {
    fn value_variants<'a>() -> &'a [Order] {
        &[Order::Length, Order::Cost]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let (name, help) = match self {
            Order::Length => ("length", "length, then cost"),
            Order::Cost => ("cost", "cost, then length"),
        };
        Some(PossibleValue::new(name).help(help))
    }
}

/// A case as `--list` prints it.
#[derive(Serialize)]
struct Listed<'a> {
    set: &'static str,
    case: &'a str,
    facelets: String,
}

pub(super) fn run(args: &AlgsArgs, session: &Session) -> Result<Exit, Failure> {
    let session = &session.with_records(&RecordArgs { csv: args.csv });
    let costs = Costs::parse(&args.cost).map_err(|error| Failure::usage(format_args!("--cost: {error}")))?;
    let set = args.set();
    args.refuse(set)?;
    if let (Some(set), true) = (set, args.list) {
        return list(set, &args.chosen_cases(set)?, args.no_header, session);
    }
    let job = Job { args, session, goals: args.goals(set)?, costs, solver: OnceCell::new() };
    // Refuses options that no solver supports, before any table is loaded.
    let moves = job.moves()?;
    match set {
        Some(set) => job.set(&args.chosen_cases(set)?, moves),
        None => job.lines(moves),
    }
}

/// Prints the cases of a set.
fn list(set: CaseSet, cases: &[(usize, Case)], no_header: bool, session: &Session) -> Result<Exit, Failure> {
    let mut output = session.output();
    if no_header {
        output.skip_header();
    }
    let width = cases.iter().map(|(_, case)| case.name.len()).max().unwrap_or(0);
    for (_, case) in cases {
        let listed = Listed { set: set.name(), case: &case.name, facelets: facelets::format(&case.cube) };
        output.table_row(&listed, |listed| vec![format!("{:<width$}  {}", listed.case, listed.facelets)])?;
    }
    Ok(Exit::Done)
}

impl AlgsArgs {
    /// The set with the given name, if there is one.
    fn set(&self) -> Option<CaseSet> {
        let [name] = &self.cases[..] else { return None };
        CaseSet::ALL.into_iter().find(|set| set.name().eq_ignore_ascii_case(name.trim()))
    }

    /// Refuses options that cannot be combined.
    fn refuse(&self, set: Option<CaseSet>) -> Result<(), Failure> {
        let names = || CaseSet::ALL.map(CaseSet::name).join(", ");
        let is_of_sets = self.list || !self.case.is_empty() || self.start_at.is_some();
        if set.is_none() && is_of_sets {
            return Err(Failure::usage("--list, --case and --start-at need a set")
                .with_remedy(format_args!("name one set: {}", names())));
        }
        if set.is_some() && (self.goal_set.is_some() || self.pieces.read()?.is_some() || self.from.is_given())
        {
            return Err(Failure::usage("a set defines its own goal and cubes")
                .with_remedy("leave out --from and the options of the goal, or give the cases as cubes"));
        }
        if self.goal_set.is_some() && self.pieces.read()?.is_some() {
            return Err(refused(InvalidGoal::NameAndPieces));
        }
        if self.top == Some(0) {
            return Err(
                Failure::usage("--top 0 prints nothing").with_remedy("leave out --top for all solutions")
            );
        }
        Ok(())
    }

    /// The cases to solve, each with its number in the set.
    fn chosen_cases(&self, set: CaseSet) -> Result<Vec<(usize, Case)>, Failure> {
        let cases = set.cases();
        let find = |name: &str| {
            let name = name.trim();
            let is_exact = |case: &Case| case.name == name;
            let is_alike = |case: &Case| case.name.eq_ignore_ascii_case(name);
            cases.iter().position(is_exact).or_else(|| cases.iter().position(is_alike)).ok_or_else(|| {
                Failure::usage(format_args!("the set {} has no case `{name}`", set.name()))
                    .with_remedy(format_args!("cube-opt algs {} --list shows their names", set.name()))
            })
        };
        let chosen = self.case.iter().map(|name| find(name)).collect::<Result<Vec<_>, _>>()?;
        let start = self.start_at.as_deref().map(find).transpose()?.unwrap_or(0);
        let is_wanted = |at: &usize| *at >= start && (chosen.is_empty() || chosen.contains(at));
        Ok(cases.into_iter().enumerate().filter(|(at, _)| is_wanted(at)).collect())
    }

    /// The goals, without a final turn.
    fn goals(&self, set: Option<CaseSet>) -> Result<Goals, Failure> {
        let goals = match (set, self.goal_set) {
            (Some(set), _) => set.goals(),
            (None, Some(Named::Pll)) => Goals::any(&[Mask::default()]),
            (None, Some(named)) => named.goals(Face::D),
            (None, None) => Goals::any(&[self.pieces.read()?.unwrap_or_default()]),
        };
        if goals.only().is_some_and(Mask::is_complete) {
            return Err(refused(InvalidGoal::Nothing));
        }
        Ok(goals)
    }
}

/// The data common to all cases.
struct Job<'a> {
    args: &'a AlgsArgs,
    session: &'a Session,
    goals: Goals,
    costs: Costs,
    solver: OnceCell<CaseSolver>,
}

impl Job<'_> {
    /// The set of moves, if one is given.
    fn moves(&self) -> Result<Option<MoveSet>, Failure> {
        let AlgsArgs { search, auf, .. } = self.args;
        let moves = move_args::set(self.args.moves.as_deref(), search.metric())?;
        if search.metric() == Some(Metric::Axial) {
            return Err(Failure::usage("algorithms are counted in the metrics htm, qtm and stm")
                .with_remedy("leave out --metric axial"));
        }
        self.full_goals(*auf)?;
        if moves.is_some() && !self.goals.only().is_some_and(Mask::is_none) {
            return Err(Failure::usage(
                "--moves and --metric stm cannot be combined with a goal that leaves something open",
            )
            .with_remedy(
                "leave out --moves, or choose a set that solves the whole cube: pll, ell, zbll, 1lll",
            ));
        }
        if moves.is_some() && search.asks_for_heuristic() {
            return Err(Failure::usage(
                "--moves and --metric stm cannot be combined with --heuristic: sets of moves have tables of their own",
            )
            .with_remedy("leave out one of them"));
        }
        Ok(moves)
    }

    fn full_goals(&self, auf: Auf) -> Result<Goals, Failure> {
        full_goals(&self.goals, auf)
            .map_err(|error| Failure::usage(error).with_remedy("choose --auf before or --auf none"))
    }

    /// The solver; its tables are loaded for the first case, and built if they are missing.
    fn solver(&self, moves: Option<&MoveSet>) -> Result<&CaseSolver, Failure> {
        if let Some(solver) = self.solver.get() {
            return Ok(solver);
        }
        let AlgsArgs { search, auf, .. } = self.args;
        let full = self.full_goals(*auf)?;
        // The goal of a set of moves is the solved cube alone.
        let goals = if moves.is_some() { &self.goals } else { &full };
        let solver = load(search.setup(goals, moves.cloned())?.at_once(), self.session)?;
        solver.prepare(&Ask::new(Cube::SOLVED), &self.session.run()).map_err(failure)?;
        let solver = CaseSolver::new(self.goals.clone(), *auf, solver).map_err(Failure::usage)?;
        Ok(self.solver.get_or_init(|| solver))
    }

    fn answers<'a>(&'a self, solver: &'a CaseSolver) -> Answers<'a> {
        let AlgsArgs { extra, limits, rotations, rank, top, .. } = self.args;
        Answers::new(
            solver,
            self.session,
            answer::Settings {
                extra: *extra,
                limits: *limits,
                rotations: *rotations,
                costs: &self.costs,
                order: *rank,
                top: top.unwrap_or(usize::MAX),
            },
        )
    }

    /// Answers the cases of a set.
    fn set(&self, cases: &[(usize, Case)], moves: Option<MoveSet>) -> Result<Exit, Failure> {
        let solver = self.solver(moves.as_ref())?;
        let mut answers = self.answers(solver);
        answers.expect(cases.iter().map(|(_, case)| &case.cube));
        let width = cases.iter().map(|(_, case)| case.name.len()).max().unwrap_or(0);
        let mut table = CaseTable::new(self.session.output(), width, !self.args.no_header)?;
        let mut time_left = TimeLeft::new(self.session, cases.len());
        let mut worst = Exit::Done;
        for (at, (_, case)) in cases.iter().enumerate() {
            let place = time_left.place(at + 1, &case.name, answers.searches_left());
            let answer = (!self.session.is_interrupted())
                .then(|| answers.answer(&input::of_case(case), &place))
                .transpose()?
                .flatten();
            let Some(answer) = answer else {
                Failure::interrupted(format_args!(
                    "interrupted at case {} of {}: {}",
                    at + 1,
                    cases.len(),
                    case.name
                ))
                .with_remedy(format_args!("resume with: {}", resumed(&case.name)))
                .report();
                return Ok(Exit::Interrupted);
            };
            worst = worst.max(table::write(&mut table, &answer)?);
        }
        Ok(worst)
    }

    /// Answers cubes, from arguments or lines.
    fn lines(&self, moves: Option<MoveSet>) -> Result<Exit, Failure> {
        let mut state: Option<Answers<'_>> = None;
        let mut table = CaseTable::new(self.session.output(), 12, !self.args.no_header)?;
        self.session.batch::<super::Args>(&self.args.cases, |instance, _| {
            let case = match input::read(instance, self.args.from) {
                Ok(Some(case)) => case,
                Ok(None) => return Ok(Exit::Done),
                Err((name, failure)) => return table::refuse(&mut table, &name, &failure),
            };
            if state.is_none() {
                state = Some(self.answers(self.solver(moves.as_ref())?));
            }
            let answers = state.as_mut().expect("the state was created above");
            match answers.answer(&case, &format!("case {}", case.name))? {
                Some(answer) => table::write(&mut table, &answer),
                None => {
                    Failure::interrupted(format_args!("interrupted at {}", instance.origin)).report();
                    Ok(Exit::Interrupted)
                }
            }
        })
    }
}

/// The command that resumes a set at a case, quoted for a shell.
fn resumed(case: &str) -> String {
    let mut words = argv::words().split_off(1);
    while let Some(at) = words.iter().position(|word| word == "--start-at") {
        words.drain(at..words.len().min(at + 2));
    }
    words.retain(|word| !word.to_string_lossy().starts_with("--start-at=") && word != "--no-header");
    words.extend(["--start-at", case, "--no-header"].map(OsString::from));
    let words: Vec<String> = words.iter().map(quoted).collect();
    format!("{NAME} {}", words.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algs::costs;

    #[test]
    fn the_help_has_the_default_costs() {
        let flat = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(flat(AFTER_HELP).contains(&flat(costs::DEFAULT)));
    }
}
