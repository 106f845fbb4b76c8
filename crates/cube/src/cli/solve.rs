//! `cube-opt solve`: shortest solutions, proved.

use super::algorithm::BranchOrder;
use super::fmc::{Fmc, FmcArgs};
use super::mask::{MaskArgs, named_help};
use super::notation::{self, FromArgs};
use super::search_args::{SearchArgs, failure, load};
use super::stickers::Stickers;
use super::{Args as Program, link, move_args, referee_check};
use crate::cube::{Cube, Turn};
use crate::fmc;
use crate::mask::{Goals, Mask};
use crate::metric::Metric;
use crate::notation::scramble::{self, Move, held_moves};
use crate::notation::{Given, Position};
use crate::space;
use crate::strategy::{Algorithm, Ask, Solver};
use clap::{Args, ValueHint};
use puzzle_cli::{
    BoundArgs, CertificateArgs, Certificates, CheckpointArgs, Exit, Failure, InputArgs, Instance, Limits,
    Output, Print, PrintArgs, RandomArgs, RecordArgs, Session, Subject,
};
use search_core::ida::{UpperBounds, Wanted};
use search_core::record::{HeuristicStage, Method, RunRecord, Used};
use search_core::{Ending, Op, Report, Solution};
use serde::Serialize;
use std::time::Instant;

/// Print provably shortest solutions
///
/// One line per solution: the number of moves, then the moves. A solved cube has the solution `0`.
/// If the optimum is not proved within the given bound or time, the line `N..M` gives both bounds and the best
/// solution: it has M moves, and no solution has fewer than N. `>= N` means that no solution is known. The moves are for the cube as it is held after the scramble (or as
/// its facelets show it).
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES, after_long_help = format!("{}\n{EXAMPLES}\n{MORE_EXAMPLES}", named_help()))]
pub(crate) struct SolveArgs {
    /// Cubes; with none, or with -, they are read from standard input, one per line
    #[arg(value_name = "SCRAMBLE", value_hint = ValueHint::Other)]
    scrambles: Vec<String>,
    #[command(flatten)]
    from: FromArgs,
    #[command(flatten)]
    input: InputArgs,
    /// Print every shortest solution
    #[arg(long)]
    all: bool,
    /// Print every solution that is at most N moves longer than the shortest and visits no position twice
    #[arg(long, value_name = "N")]
    extra: Option<u32>,
    /// Print one of each set of solutions that are equivalent under symmetry (with --all or --extra)
    #[arg(long)]
    unique: bool,
    #[command(flatten)]
    random: RandomArgs,
    /// Finish the last iteration after a solution is found, so that its node counts are exact
    #[arg(long, hide_short_help = true)]
    full_last_iteration: bool,
    /// Target state [default: solved]
    #[arg(long, value_name = "STATE", help_heading = "Goal")]
    goal: Option<String>,
    #[command(flatten)]
    mask: MaskArgs,
    #[command(flatten)]
    fmc: FmcArgs,
    /// The search algorithm
    #[arg(long, value_enum, default_value_t, help_heading = "Search", hide_short_help = true)]
    algorithm: Algorithm,
    /// The order of the branches within a bound [default: operators for the papers' heuristics, deepest
    /// for others]
    #[arg(long, value_enum, value_name = "ORDER", help_heading = "Search", hide_short_help = true)]
    order: Option<BranchOrder>,
    #[command(flatten)]
    search: SearchArgs,
    /// Use only these moves: faces (U R F D L B), slices (M E S), wide turns (Rw); R stands for all turns of the
    /// face, R2 for its half turn
    #[arg(long, value_name = "MOVES", help_heading = "Search")]
    moves: Option<String>,
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

const EXAMPLES: &str = "\
Examples:
  cube-opt solve \"R U R' U'\"                       4 U R U' R'
  cube-opt solve - < scrambles.txt                 one answer per line, in order
  cube-opt solve --all --metric qtm \"R2 U2\"        every shortest solution in quarter turns
  cube-opt solve --goal checkerboard \"R U\"         to a position by its name (cube-opt help convert)
  cube-opt solve --goal-set cross \"R U F2 L\"       the cross alone; so does --only DF,DR,DB,DL
  cube-opt solve --moves \"U R\" \"R U R' U'\"         with two faces alone
  cube-opt solve --print next \"R U F2\"            the length and the first move";

const MORE_EXAMPLES: &str = "\
  cube-opt solve --goal superflip \"\"               from the solved cube
  cube-opt solve --metric stm \"M E\"                a slice is one move
  cube-opt solve --only-orientation edges \"F R\"    all edges oriented, in any position
  cube-opt solve --auf \"U R U R'\"                  up to a final turn of U: 3 R U' R'
  cube-opt solve --pre \"R U\" --post F \"L D2 F\"     a shortest solution with this beginning and end
  cube-opt solve --pre \"R U (F')\" \"L D2 F\"         the same, with F' on the inverse scramble
  cube-opt solve --niss 2 \"R U F2 L'\"              4 L F2 (R U): two moves on the inverse scramble
  cube-opt solve --max-depth 5 \"R2 F B U2 L D\"     exit code 4 and `>= 6`: no solution has 5 moves
  cube-opt solve --column scramble - < times.csv   the scrambles in a column of a CSV file

Fixed moves (--pre, --post) count in full, and the shortest moves between them are found and
proved: no solution that begins and ends with them has fewer moves in total. Where a turn meets a
fixed turn of the same face, both count; a remark gives the length with such turns joined.";

/// The part of a record that only this program has.
#[derive(Serialize)]
struct More {
    /// A link to a player that shows the first solution.
    #[serde(skip_serializing_if = "Option::is_none")]
    link: Option<String>,
    /// The first bound of each heuristic, if there were several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    heuristics: Vec<HeuristicStage>,
}

/// The settings of all instances.
struct Batch<'a> {
    args: &'a SolveArgs,
    session: &'a Session,
    goal: Cube,
    /// Turns from the solved cube to the goal, if it was given by moves.
    goal_turns: Option<Vec<Turn>>,
    /// The goals of cubes renamed so that `goal` is the solved one.
    goals: Goals,
    fmc: Fmc,
    solver: Solver,
    /// The names of the moves that replace face turns, if any.
    allowed: Option<Vec<String>>,
    certificates: Certificates,
    /// The seed of the choices among solutions, if they are chosen at random.
    seed: Option<u64>,
}

pub(super) fn run(args: &SolveArgs, session: &Session) -> Result<Exit, Failure> {
    let (goal, goal_turns) = match &args.goal {
        Some(text) => goal(text)?,
        None => (Cube::SOLVED, Some(Vec::new())),
    };
    if args.algorithm == Algorithm::Shamir && (args.all || args.extra.is_some() || args.full_last_iteration) {
        return Err(Failure::usage("--algorithm shamir stops at the first solution")
            .with_remedy("leave out --all, --extra and --full-last-iteration"));
    }
    if args.unique && !args.all && args.extra.is_none() {
        return Err(Failure::usage("--unique chooses among all solutions, but only one is requested")
            .with_remedy("add --all, or --extra N"));
    }
    let goals = args.mask.read(&goal)?;
    let is_open = !goals.only().is_some_and(Mask::is_none);
    let fmc = args.fmc.read()?;
    refuse_combinations(args, &fmc, &goals)?;
    if args.unique && is_open {
        return Err(Failure::usage("--unique is not available for goals that leave something open")
            .with_remedy("leave out --unique"));
    }
    let set = move_args::set(args.moves.as_deref(), args.search.metric())?;
    if set.is_some() {
        let is_of_faces = set.as_ref().is_some_and(|set| set.face_turns().is_some());
        args.refuse_with_a_set(is_open && !is_of_faces)?;
    }
    args.refuse_with_shamir(is_open)?;
    let session = &session.with_records(&args.records).with_input(&args.input).with_print(args.print);
    notation::refuse_single_moves(&args.scrambles, args.from)?;
    if notation::none_is_a_cube(&args.scrambles, args.from) {
        return notation::refuse_all(&args.scrambles, args.from, session);
    }
    let certificates = args.certificates.open()?;
    let allowed = set.as_ref().map(|set| set.names().iter().map(Move::to_string).collect());
    let setup = args.search.setup(&goals, set)?.algorithm(args.algorithm);
    // A time limit applies to the search, without loading.
    let setup = if args.limits.time_limit.is_some() { setup.at_once() } else { setup };
    let setup = if args.bounds.quick { setup.for_quick_answers() } else { setup };
    session.announce_input(&args.scrambles);
    let solver = load(setup, session)?;
    let seed = session.random_choice(args.random);
    let batch = Batch { args, session, goal, goal_turns, goals, fmc, solver, allowed, certificates, seed };
    session.batch::<Program>(&args.scrambles, |instance, output| batch.answer(instance, output))
}

/// Refuses options that cannot be combined with fixed moves or the inverse scramble.
fn refuse_combinations(args: &SolveArgs, fmc: &Fmc, goals: &Goals) -> Result<(), Failure> {
    let is_open = !goals.only().is_some_and(Mask::is_none);
    if goals.has_cosets() && args.certificates.certificate.is_some() {
        return Err(
            Failure::usage("a certificate cannot state the goal fr").with_remedy("leave out --certificate")
        );
    }
    if args.print.print == Print::Next && args.fmc.are_used() {
        return Err(Failure::usage("--print next is for the moves of the scramble itself")
            .with_remedy("leave out --print, or --inverse, --pre, --post and --niss"));
    }
    if is_open && fmc.needs_inverse() {
        return Err(Failure::usage("--post, --niss and moves in ( ) need a goal that leaves nothing open")
            .with_remedy("fix first moves alone, with --pre"));
    }
    if args.unique && fmc.fixes_moves() {
        return Err(Failure::usage("--unique: symmetries do not preserve fixed moves")
            .with_remedy("leave out --unique, or --pre and --post"));
    }
    if args.certificates.certificate.is_some() && args.fmc.are_used() {
        return Err(Failure::usage("a certificate needs the scramble itself, without fixed moves")
            .with_remedy("leave out --certificate, or --inverse, --pre, --post and --niss"));
    }
    Ok(())
}

/// The goal, and turns that lead to it, if it was given by moves.
fn goal(text: &str) -> Result<(Cube, Option<Vec<Turn>>), Failure> {
    let position = notation::read(text, FromArgs::default())
        .map_err(|failure| Failure::usage("--goal is not a cube").with_faults(failure.faults))?;
    let turns = match position.given {
        Given::Moves(turns) => Some(turns),
        _ => None,
    };
    Ok((position.cube, turns))
}

impl SolveArgs {
    /// Refuses options that the Fiat-Shamir search does not support.
    fn refuse_with_shamir(&self, is_open: bool) -> Result<(), Failure> {
        if self.algorithm != Algorithm::Shamir {
            return Ok(());
        }
        if self.search.asks_for_heuristic() {
            return Err(
                Failure::usage("--algorithm shamir uses no heuristic").with_remedy("leave out --heuristic")
            );
        }
        if is_open {
            return Err(Failure::usage("--algorithm shamir needs a goal that leaves nothing open")
                .with_remedy("leave out --algorithm, or the options that leave something open"));
        }
        Ok(())
    }

    /// Whether a certificate is requested for moves that certificates do not support.
    fn has_unknown_moves(&self) -> bool {
        let is_axial = self.search.metric() == Some(Metric::Axial);
        self.certificates.certificate.is_some() && (self.moves.is_some() || is_axial)
    }

    /// The metric that is a set of moves, for messages: the one that was asked for, or an example.
    fn set_metric(&self) -> &'static str {
        self.search.metric().filter(|metric| !metric.is_of_faces()).unwrap_or(Metric::Stm).name()
    }

    /// Refuses options that a search with a set of moves does not support.
    fn refuse_with_a_set(&self, is_open: bool) -> Result<(), Failure> {
        let refused = [
            ("--heuristic: sets of moves have tables of their own", self.search.asks_for_heuristic()),
            ("--algorithm shamir", self.algorithm == Algorithm::Shamir),
            ("a goal that leaves something open, unless all moves turn one face", is_open),
            ("--inverse, --pre, --post or --niss", self.fmc.are_used()),
            ("--certificate, except --metric stm without --moves", self.has_unknown_moves()),
        ];
        match refused.into_iter().find(|(_, is_asked)| *is_asked) {
            Some((option, _)) => Err(Failure::usage(format_args!(
                "--moves and --metric {} cannot be combined with {option}",
                self.set_metric()
            ))
            .with_remedy("leave out one of them")),
            None => Ok(()),
        }
    }
}

/// The checked result of a search, with additional output.
struct Found {
    report: Report<Solution>,
    /// A link that shows the first solution.
    link: Option<String>,
    /// The first solution, if it has fixed turns and becomes shorter when turns of one face are joined.
    joined: Option<Solution>,
}

impl Batch<'_> {
    fn answer(&self, instance: &Instance, output: &mut Output) -> Result<Exit, Failure> {
        let Some(position) = notation::read_instance(&instance.text, self.args.from)? else {
            return Ok(Exit::Done);
        };
        let begun = Instant::now();
        let position = self.fmc.position(position)?;
        // The moves from the position to the goal lead from this cube to the solved one.
        let cube = self.goal.inverse().compose(&position.cube);
        let seed = self.seed.map(|seed| instance.origin.seed(seed));
        let ask =
            self.ask(&cube, &position).upper_bounds(self.upper_bounds(instance, &position)).random(seed);
        let run = self.session.run();
        let method = Method { seed, ..self.method(self.solver.prepare(&ask, &run).map_err(failure)?) };
        let options = (&self.goal, &self.goals, ask.searched(), self.args.full_last_iteration);
        let options = format!("{options:?}{}", self.fmc.key());
        let file = self.session.search_file(&self.args.checkpoints, &instance.text, &method, &options);
        let answer = self.solver.solve(&ask.checkpoints(file.clone()), &run).map_err(failure)?;
        let Used { heuristic, tables, stages: heuristics } = answer.used.clone();
        let method = Method { heuristic, tables, ..method };
        let Found { report, link, joined } = self.found(&position, answer.into_report())?;
        if matches!(report.ending, Ending::Exhausted) {
            self.explain();
        }
        let seconds = begun.elapsed().as_secs_f64();
        let record = RunRecord::new(instance.text.clone(), report, seconds, method);
        let (more, limits) = (More { link, heuristics }, &self.args.limits);
        let exit = self.session.answer_with(
            &record,
            &more,
            Some(instance.origin),
            (limits, &self.args.bounds),
            output,
        );
        if let Some(joined) = joined {
            self.session.remark(&format!("{}: with turns of one face joined: {joined}", instance.origin));
        }
        if self.certificates.are_wanted() && exit.is_ok() {
            // The text that the referee can read: of a line of a list the scramble, of a net its facelets.
            let record = RunRecord { instance: position.text.trim().to_owned(), ..record };
            self.certificates.write(&record, &self.subject(&position)?)?;
        }
        file.end();
        exit
    }

    /// A link that shows a solution of `position`, if moves that lead to it are known.
    fn link(&self, position: &Position, turns: &[Turn]) -> Option<String> {
        let reached = position.cube.apply_all(turns.iter().copied());
        let goal = self.goal_turns.as_deref().filter(|_| reached == self.goal);
        let setup = link::setup(position, goal, turns)?;
        Some(link::twizzle(&setup, &notation::moves(turns, position.orientation)))
    }

    /// The result of a search, after the referee has checked every solution.
    fn found(&self, position: &Position, report: Report<Vec<Move>>) -> Result<Found, Failure> {
        let first = report.ending.solutions().first();
        let turns = first.filter(|_| self.allowed.is_none()).map(|moves| own(moves, position));
        let link = turns.as_ref().and_then(|turns| self.link(position, turns));
        let joined = turns.map_or(Ok(None), |turns| self.joined(position, &turns))?;
        let report = report.try_map(|moves| self.checked(position, &moves))?;
        Ok(Found { report, link, joined })
    }

    /// Explains why a cube has no solution.
    fn explain(&self) {
        let (moves, positions) = (self.solver.moves(), self.solver.positions());
        self.session.remark(&format!(
            "the moves {moves} do not solve this cube: it is not one of the {positions} positions that they generate"
        ));
    }

    /// A solution with fixed turns, if it becomes shorter when turns of one face are joined.
    fn joined(&self, position: &Position, turns: &[Turn]) -> Result<Option<Solution>, Failure> {
        let metric = self.solver.metric();
        let joined = fmc::joined(metric, turns);
        if !self.fmc.fixes_moves() || fmc::length(metric, &joined) == fmc::length(metric, turns) {
            return Ok(None);
        }
        self.checked(position, &held_moves(joined, position.orientation)).map(Some)
    }

    /// The part of the certificate that is not in the record.
    fn subject(&self, position: &Position) -> Result<Subject<Stickers>, Failure> {
        let all = self.args.all || self.args.extra.is_some();
        Ok(Subject {
            puzzle: Stickers::of(position, &self.goal, &self.goals)?,
            search: self.solver.algorithm().name(),
            automaton: self.solver.pruning().to_owned(),
            all: all.then_some(self.args.unique),
        })
    }

    fn wanted(&self) -> Wanted {
        match (self.args.all, self.args.extra) {
            (_, Some(extra)) => Wanted::All { extra },
            (true, None) => Wanted::All { extra: 0 },
            (false, None) => Wanted::First,
        }
    }

    fn ask(&self, cube: &Cube, position: &Position) -> Ask {
        Ask::new(*cube)
            .held(position.orientation)
            .ends(self.fmc.ends(position))
            .wanted(self.wanted())
            .max_bound(self.args.limits.max_depth)
            .time_limit(self.args.limits.time_limit)
            .full_last_iteration(self.args.full_last_iteration)
            .order(self.args.order.map(Into::into))
            .up_to_symmetry(self.args.unique)
    }

    /// The use of upper bounds for one cube. Better solutions are printed for whole cubes without fixed moves.
    fn upper_bounds(&self, instance: &Instance, position: &Position) -> UpperBounds {
        let (position, goal, metric) = (position.clone(), self.goal, self.solver.metric());
        let is_plain = self.allowed.is_none() && !self.fmc.fixes_moves();
        let checked = move |ops: &[Op]| {
            let turns = space::solution(metric, ops).filter(|_| is_plain)?;
            let length = fmc::length(metric, &turns);
            let moves = scramble::format_moves(held_moves(turns, position.orientation));
            referee_check::check(&position, &goal, &moves, metric, length).ok()?;
            Some(Solution { length, moves })
        };
        self.session.upper_bounds(&self.args.bounds, &instance.text, checked)
    }

    fn method(&self, used: Used) -> Method {
        Method {
            metric: self.solver.metric().name().to_owned(),
            heuristic: used.heuristic,
            tables: used.tables,
            threads: self.session.run().threads(),
            seed: None,
            version: super::VERSION.to_owned(),
        }
    }

    /// The solution as it will be printed, replayed by the referee.
    fn checked(&self, position: &Position, moves: &[Move]) -> Result<Solution, Failure> {
        let metric = self.solver.metric();
        let printed = self.fmc.printed(moves);
        if let Some(allowed) = &self.allowed {
            let turns: Option<Vec<Turn>> = moves.iter().map(|name| name.turn()).collect();
            let own = turns.into_iter().flatten().map(|turn| position.orientation.from_held(turn));
            let goal = self.reached(&position.cube.apply_all(own));
            referee_check::check_moves(position, &goal, &printed, allowed, moves.len())?;
            let length = referee_check::length(self.solver.moves(), moves, &printed)?;
            return Ok(Solution { length, moves: printed });
        }
        let turns = own(moves, position);
        let length = fmc::length(metric, &turns);
        let goal = self.reached(&position.cube.apply_all(turns));
        let plain = self.fmc.plain(&printed, position)?;
        referee_check::check(position, &goal, &plain, metric, length)?;
        Ok(Solution { length, moves: printed })
    }

    /// The goal for the referee: `cube`, if that is the goal apart from what is left open.
    fn reached(&self, cube: &Cube) -> Cube {
        if self.goals.accepts(&self.goal.inverse().compose(cube)) { *cube } else { self.goal }
    }
}

/// The turns of the cube's own faces that a solution of face turns makes.
fn own(moves: &[Move], position: &Position) -> Vec<Turn> {
    fmc::turns_of(moves).into_iter().map(|turn| position.orientation.from_held(turn)).collect()
}
