//! `puzzle-opt solve`: shortest solutions, proved.

use std::sync::Arc;

use clap::Args;
use puzzle_cli::{
    BoundArgs, CertificateArgs, Certificates, CheckpointArgs, Exit, Failure, Instance, Limits, Output,
    PrintArgs, RandomArgs, RecordArgs, Session, Subject,
};
use search_core::Op;
use search_core::ida::{Order, UpperBounds, Wanted};
use search_core::record::{Method, RunRecord, Used};
use xxhash_rust::xxh3::xxh3_64;

use super::Args as Program;
use super::goal_args::GoalArgs;
use super::malformed;
use super::puzzle_args::{FreeArgs, PuzzleArgs};
use super::stickers::Stickers;
use crate::ask::Ask;
use crate::definition::{Definition, Selected};
use crate::model::Pattern;
use crate::solver::Solver;
use crate::states;
use crate::strategy::SolverSetup;

/// Print provably shortest solutions
///
/// One line per instance: the number of moves, then the moves. Free rotations in a solution are not counted.
/// When no solution is found within the given bound or time, the line `>= N` says that every solution is
/// proved to have at least N moves.
#[derive(Args, Clone, Debug)]
#[command(after_help = AFTER_HELP)]
pub struct SolveArgs {
    #[command(flatten)]
    puzzle: PuzzleArgs,
    #[command(flatten)]
    free: FreeArgs,
    /// Scrambles in the notation of the puzzle, patterns as JSON, or permutations; - (or nothing) for the
    /// lines of standard input
    #[arg(value_name = "SCRAMBLE")]
    scrambles: Vec<String>,
    /// The form of the scrambles [default: detected]
    #[arg(long, value_enum, value_name = "FORM")]
    from: Option<states::Form>,
    /// Print all shortest solutions; of strings of moves with the same effect, only one
    #[arg(long)]
    all: bool,
    /// Print all solutions of up to N moves more
    #[arg(long, value_name = "N")]
    extra: Option<u32>,
    #[command(flatten)]
    random: RandomArgs,
    /// The length of the longest strings of moves from which duplicates are learned; 0 for none
    #[arg(long, value_name = "LENGTH")]
    learn: Option<usize>,
    /// Order of the branches in each bound: operators, or deepest (first those that the previous bound
    /// entered most deeply)
    #[arg(long, value_name = "operators|deepest", default_value_t)]
    order: Order,
    /// Search the last iteration to its end, so that its node counts are exact
    #[arg(long)]
    full_last_iteration: bool,
    #[command(flatten)]
    goal: GoalArgs,
    #[command(flatten)]
    limits: Limits,
    #[command(flatten)]
    bounds: BoundArgs,
    #[command(flatten)]
    checkpoints: CheckpointArgs,
    #[command(flatten)]
    certificates: CertificateArgs,
    #[command(flatten)]
    print: PrintArgs,
    #[command(flatten)]
    records: RecordArgs,
}

const AFTER_HELP: &str = "\
Examples:
  puzzle-opt solve 2x2x2 \"R U R' F2\"
  puzzle-opt solve 3x3x3 \"R U F' L2\" --ignore EDGES           corners alone
  puzzle-opt solve square-1 --free \"U D\" \"/ (3,0) /\"          twists count, turns do not
  puzzle-opt solve 3x3x3 \"R U F' L2\" --quick                a solution soon, and a proved lower bound
  puzzle-opt solve megaminx.tws - < scrambles.txt    one answer per line, in order";

pub(super) fn run(args: &SolveArgs, session: &Session) -> Result<Exit, Failure> {
    let session = &session.with_records(&args.records).with_print(args.print);
    let (definition, selected) = args.puzzle.read_with(&args.free, session)?;
    let certificates = args.certificates.open()?;
    let setup = SolverSetup::default().learn(args.learn);
    let store = session.store(super::VERSION);
    let goals = args.goal.read(&definition, &selected, args.from)?;
    let identity = match args.goal.is_default() {
        true => format!("{:?}", selected.puzzle),
        false => format!("{:?}", (&selected.puzzle, &goals)),
    };
    let identity = xxh3_64(identity.as_bytes());
    let solver = Solver::new(selected.puzzle.clone(), goals, &setup, store, &session.run())
        .map_err(|error| super::solver_failure(&error))?;
    let solver = Arc::new(solver);
    let seed = session.random_choice(args.random);
    let batch = Batch { args, session, definition, selected, solver, certificates, identity, seed };
    session.batch::<Program>(&args.scrambles, |instance, output| batch.answer(instance, output))
}

/// The settings of all instances.
struct Batch<'a> {
    args: &'a SolveArgs,
    session: &'a Session,
    definition: Definition,
    selected: Selected,
    solver: Arc<Solver>,
    certificates: Certificates,
    /// A hash of the puzzle and its goals, to tell checkpoints apart.
    identity: u64,
    /// The seed of the choices among solutions, if they are chosen at random.
    seed: Option<u64>,
}

impl Batch<'_> {
    fn answer(&self, instance: &Instance, output: &mut Output) -> Result<Exit, Failure> {
        let Batch { args, session, solver, .. } = self;
        let refused = |faults| malformed("state", &faults);
        let read = states::read(&instance.text, &self.definition, args.from).map_err(refused)?;
        let start = self.selected.state(&read).map_err(refused)?;
        let run = args.limits.run(&session.run());
        let seed = self.seed.map(|seed| instance.origin.seed(seed));
        let method = Method {
            metric: "moves".to_owned(),
            heuristic: solver.heuristic().to_owned(),
            tables: solver.tables(),
            threads: session.run().threads(),
            seed,
            version: super::VERSION.to_owned(),
        };
        let ask = Ask::new(start.clone())
            .wanted(self.wanted())
            .random(seed)
            .max_bound(args.limits.max_depth)
            .order(args.order)
            .full_last_iteration(args.full_last_iteration)
            .upper_bounds(self.upper_bounds(&instance.text, start));
        let options = format!(
            "{:?}",
            (self.identity, ask.searched(), args.learn, args.order, args.full_last_iteration)
        );
        let file = session.search_file(&args.checkpoints, &instance.text, &method, &options);
        let ask = ask.checkpoints(file.clone());
        let answer = solver.solve(&ask, &run).map_err(|error| super::solver_failure(&error))?;
        let Used { heuristic, tables, .. } = answer.used.clone();
        let method = Method { heuristic, tables, ..method };
        let seconds = answer.seconds;
        let record = RunRecord::new(instance.text.clone(), answer.into_report(), seconds, method);
        let limits = (&args.limits, &args.bounds);
        let exit = session.answer_with(&record, &args.goal, Some(instance.origin), limits, output);
        if self.certificates.are_wanted() && exit.is_ok() {
            self.certificates.write(&record, &self.subject(&ask.start)?)?;
        }
        file.end();
        exit
    }

    /// The use of upper bounds for one state.
    fn upper_bounds(&self, text: &str, start: Pattern) -> UpperBounds {
        let solver = self.solver.clone();
        let checked = move |ops: &[Op]| solver.checked(&start, ops).ok();
        self.session.upper_bounds(&self.args.bounds, text, checked)
    }

    /// The part of the certificate that is not in the record.
    fn subject(&self, start: &Pattern) -> Result<Subject<Stickers>, Failure> {
        let puzzle = Stickers::of(self.solver.goals(), start)?;
        let automaton = match self.args.learn {
            Some(0) => "nothing".to_owned(),
            Some(length) => format!("an automaton learned from strings of up to {length} moves"),
            None => "an automaton learned from short strings of moves".to_owned(),
        };
        // Of strings of moves with one effect, one is listed, so a certificate does not claim that all are.
        Ok(Subject { puzzle, search: "ida", automaton, all: None })
    }

    fn wanted(&self) -> Wanted {
        match (self.args.all, self.args.extra) {
            (_, Some(extra)) => Wanted::All { extra },
            (true, None) => Wanted::All { extra: 0 },
            (false, None) => Wanted::First,
        }
    }
}
