//! `cube-opt cheapest`: solutions of provably least cost, where each move has a cost.

use super::notation::{self, FromArgs};
use super::{VERSION, move_args, referee_check, search_args};
use crate::algs::Costs;
use crate::algs::costs::Cost;
use crate::cube::Cube;
use crate::moves::InvalidCosts;
use crate::notation::scramble::{Move, format_moves};
use crate::strategy::{Ask, Solver, SolverSetup};
use clap::Args;
use puzzle_cli::{Exit, Failure, InputArgs, Instance, Output, Session};
use search_core::Ending;
use search_core::record::{Iteration, TableUse};
use serde::Serialize;
use std::collections::BTreeMap;
use std::time::Duration;

/// Print solutions of provably least cost, where each move has a cost
///
/// One line per solution: its cost, then its moves. No solution with these moves costs less, however many moves
/// it has. When the time is up, the line `>= N` gives the proved lower bound on the cost of every solution.
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Costs are separated by spaces: R=1 for all turns of a layer (also Rw=1.2, M=1.5), R2=1.5 for
one turn; 2=+0.3 and '=+0.1 are added for half and counterclockwise turns. The defaults are
  U=1 R=1 L=1.5 F=1.5 D=1.8 B=3 Uw=1.5 Rw=1.2 Lw=1.7 Fw=2 Dw=2 Bw=3.5 M=1.5 E=3 S=3 2=+0.3 '=+0

Examples:
  cube-opt cheapest --moves \"R U F\" \"F R U R' U' F'\"        7 F U R U' R' F'
  cube-opt cheapest \"R U R' U' R' F R2 U' R' U' R U R' F'\"   with all faces: 15.3, itself
  cube-opt cheapest --moves \"R U\" --cost \"2=1\" \"R U2 R'\"    a half turn costs two quarter turns")]
pub(crate) struct CheapestArgs {
    /// Cubes; with none, or with -, they are read from standard input, one per line
    #[arg(value_name = "SCRAMBLE")]
    scrambles: Vec<String>,
    #[command(flatten)]
    from: FromArgs,
    #[command(flatten)]
    input: InputArgs,
    #[arg(long, value_name = "MOVES", default_value = "U R F D L B", help = move_args::HELP)]
    moves: String,
    /// The cost of each move, such as `R=1 R2=1.5 2=+0.3`; see below for the syntax
    #[arg(long, value_name = "COSTS", default_value = "", hide_default_value = true)]
    cost: String,
    /// Time limit for each instance: seconds, or a number with units, such as 90s, 5m or 1h30m
    #[arg(long, value_name = "DURATION", value_parser = puzzle_cli::format::parse_duration, help_heading = "Limits")]
    time_limit: Option<Duration>,
}

/// The record that `--json` prints.
#[derive(Serialize)]
struct Record<'a> {
    instance: &'a str,
    /// `cheapest`, `lower_bound` or `no_solution`.
    result: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    cost: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    length: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<String>,
    /// The proved lower bound on the cost.
    #[serde(skip_serializing_if = "Option::is_none")]
    lower_bound: Option<f64>,
    iterations: Vec<Searched>,
    seconds: f64,
    /// The cost of each move.
    costs: BTreeMap<String, f64>,
    tables: &'a [TableUse],
    threads: usize,
    version: &'static str,
}

/// The nodes of one bound.
#[derive(Serialize)]
struct Searched {
    bound: f64,
    expanded: u64,
    complete: bool,
}

pub(super) fn run(args: &CheapestArgs, session: &Session) -> Result<Exit, Failure> {
    let costs = Costs::parse(&args.cost).map_err(|error| Failure::usage(format_args!("--cost: {error}")))?;
    let set = move_args::parse(&args.moves, None)?;
    let setup = SolverSetup::new().moves_with_costs(set, |name| costs.of_move(name).0).map_err(|error| {
        let remedy = match error {
            InvalidCosts::Free(name) => format!("--cost \"{name}=0.1\", say"),
            InvalidCosts::Renamed(_) => {
                "choose faces alone, or moves such as `M U` that keep their names".to_owned()
            }
        };
        Failure::usage(error).with_remedy(remedy)
    })?;
    notation::refuse_single_moves(&args.scrambles, args.from)?;
    if notation::none_is_a_cube(&args.scrambles, args.from) {
        return notation::refuse_all(&args.scrambles, args.from, session);
    }
    let session = &session.with_input(&args.input);
    session.announce_input(&args.scrambles);
    let solver = search_args::load(setup.naming_progress(), session)?;
    let allowed = solver.moves().names();
    let batch = Batch { args, session, costs, allowed, solver };
    session.batch::<super::Args>(&args.scrambles, |instance, output| batch.answer(instance, output))
}

struct Batch<'a> {
    args: &'a CheapestArgs,
    session: &'a Session,
    costs: Costs,
    allowed: Vec<Move>,
    solver: Solver,
}

impl Batch<'_> {
    fn answer(&self, instance: &Instance, output: &mut Output) -> Result<Exit, Failure> {
        let Some(position) = notation::read_instance(&instance.text, self.args.from)? else {
            return Ok(Exit::Done);
        };
        let run = self.session.run();
        let ask = Ask::new(position.cube).held(position.orientation).time_limit(self.args.time_limit);
        self.solver.prepare(&ask, &run).map_err(search_args::failure)?;
        let answer = self.solver.solve(&ask, &run).map_err(search_args::failure)?;
        let price = |cost: u32| Cost(cost).as_f64();
        let searched = |Iteration { bound, expanded, complete, .. }: &Iteration| Searched {
            bound: price(*bound),
            expanded: *expanded,
            complete: *complete,
        };
        let mut record = Record {
            instance: &instance.text,
            result: "no_solution",
            cost: None,
            length: None,
            moves: None,
            lower_bound: None,
            iterations: answer.iterations.iter().map(searched).collect(),
            seconds: answer.seconds,
            costs: self
                .allowed
                .iter()
                .map(|&name| (name.to_string(), self.costs.of_move(name).as_f64()))
                .collect(),
            tables: &answer.used.tables,
            threads: run.threads(),
            version: VERSION,
        };
        match answer.ending {
            Ending::Optimal { length: cost, solutions, .. } => {
                let moves = &solutions[0];
                let (length, text) = (moves.len(), format_moves(moves.iter().copied()));
                let allowed: Vec<String> = self.allowed.iter().map(Move::to_string).collect();
                referee_check::check_moves(&position, &Cube::SOLVED, &text, &allowed, length)?;
                assert_eq!(self.costs.of(moves), Cost(cost), "the moves have the cost of the search");
                record = Record {
                    result: "cheapest",
                    cost: Some(price(cost)),
                    lower_bound: Some(price(cost)),
                    length: Some(length),
                    moves: Some(text.clone()),
                    ..record
                };
                output.record(&record, |_| vec![format!("{} {text}", Cost(cost)).trim_end().to_owned()])?;
                Ok(Exit::Done)
            }
            Ending::Bounded { lower_bound: cost, .. } | Ending::Cancelled { lower_bound: cost, .. } => {
                record = Record { result: "lower_bound", lower_bound: Some(price(cost)), ..record };
                output.record(&record, |_| vec![format!(">= {}", Cost(cost))])?;
                if self.session.is_interrupted() {
                    return Err(Failure::interrupted(format_args!("interrupted at {}", instance.origin)));
                }
                Ok(Exit::Unsolved)
            }
            Ending::Exhausted => {
                output.record(&record, |_| vec!["no solution".to_owned()])?;
                self.session.remark("the moves do not solve this cube");
                Ok(Exit::Malformed)
            }
        }
    }
}
