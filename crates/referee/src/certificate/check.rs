//! Checks a certificate claim by claim.

use super::bounds::{Fit, fit};
use super::cube::{Cubes, Opening};
use super::game::{Found, Game};
use super::hanoi::Hanoi;
use super::permutation::{Permutations, Union};
use super::tiles::{Tiles, Written};
use super::{Answer, Best, Certificate, Effort, Finding, Metric, Notation, Puzzle, Report, Verdict};
use crate::cube;

/// The maximum length of the text of a start or goal, in bytes.
const MAX_STATE: usize = 1000;
/// The maximum length of an instance that is compared with the start, in bytes.
const MAX_INSTANCE: usize = 1 << 16;

/// The claims that have been checked.
struct Checks<'a> {
    certificate: &'a Certificate,
    report: Report,
}

/// Checks every claim of a certificate.
pub(super) fn check(certificate: &Certificate, effort: Effort) -> Report {
    let report = Report { findings: Vec::new(), lower_bound: None, proved: false };
    let mut checks = Checks { certificate, report };
    match game(certificate) {
        Err(fault) => checks.add(Verdict::Refuted, "start and goal are legal states".to_owned(), fault),
        Ok(mut game) => checks.all(&mut *game, effort),
    }
    checks.report
}

/// The instance, or the faults of its start and goal.
fn game(certificate: &Certificate) -> Result<Box<dyn Game>, String> {
    let wrong = |metric: &str| Err(format!("the metric {metric} is of another puzzle"));
    let length = match &certificate.puzzle {
        Puzzle::Cube { start, goal, .. }
        | Puzzle::Tiles { start, goal, .. }
        | Puzzle::Hanoi { start, goal, .. } => start.len().max(goal.len()),
        Puzzle::Permutation { .. } => 0,
    };
    if length > MAX_STATE {
        return Err(format!("they are longer than {MAX_STATE} bytes"));
    }
    match (&certificate.puzzle, certificate.metric) {
        (Puzzle::Cube { start, goal, ignored, orientation_ignored, alternatives, final_turn }, metric) => {
            let metric = match metric {
                Metric::Htm => cube::Metric::HalfTurn,
                Metric::Qtm => cube::Metric::QuarterTurn,
                Metric::Stm => cube::Metric::SliceTurn,
                Metric::Moves => return wrong("moves"),
                Metric::Multi => return wrong("multi"),
            };
            let open = Opening { ignored, orientation_ignored, alternatives, final_turn: *final_turn };
            Ok(Box::new(Cubes::read(start, goal, &open, metric)?))
        }
        (_, Metric::Htm) => wrong("htm"),
        (_, Metric::Qtm) => wrong("qtm"),
        (_, Metric::Stm) => wrong("stm"),
        (Puzzle::Tiles { rows, columns, start, goal, notation }, metric) => {
            let written = match notation {
                Notation::Blank | Notation::Tile => Written::Moves,
                Notation::Positions => Written::Positions,
            };
            let tiles = Tiles::read((*rows, *columns), start, goal, written)?;
            Ok(Box::new(if metric == Metric::Multi { tiles.several_as_one() } else { tiles }))
        }
        (_, Metric::Multi) => wrong("multi"),
        (Puzzle::Permutation { moves, rotations, blocked, start, goal, others, .. }, Metric::Moves) => {
            let read = |start: &[u8], goal: &[u8]| Permutations::read(moves, rotations, blocked, start, goal);
            let first = read(start, goal)?;
            let others = others.iter().map(|other| read(&other.start, &other.goal));
            Ok(Box::new(Union::new(first, others.collect::<Result<_, _>>()?)))
        }
        (Puzzle::Hanoi { pegs, start, goal }, Metric::Moves) => {
            Ok(Box::new(Hanoi::read(*pegs, start, goal)?))
        }
    }
}

/// `1 move`, `2 moves`.
fn moves(count: impl Into<u64>) -> String {
    match count.into() {
        1 => "1 move".to_owned(),
        count => format!("{count} moves"),
    }
}

impl Checks<'_> {
    fn add(&mut self, verdict: Verdict, claim: String, reason: impl Into<String>) {
        self.report.findings.push(Finding { verdict, claim, reason: reason.into() });
    }

    fn all(&mut self, game: &mut dyn Game, effort: Effort) {
        self.add(Verdict::Verified, "start and goal are legal states".to_owned(), "");
        self.instance(game);
        self.best(game);
        let is_reachable = self.reachable(game);
        match &self.certificate.result {
            Answer::Optimal { length, solutions } => {
                self.solutions(game, *length, solutions);
                if is_reachable {
                    self.none_below(game, *length, effort);
                    self.bounds(game, *length, true);
                }
            }
            Answer::LowerBound { length } if is_reachable => {
                self.none_below(game, *length, effort);
                self.bounds(game, *length, false);
            }
            Answer::Exhausted if is_reachable => self.none_at_all(game, effort),
            Answer::LowerBound { .. } | Answer::Exhausted => {
                self.add(Verdict::Verified, "there is no solution of that kind".to_owned(), "none at all");
                self.report.proved = true;
            }
        }
        self.trusted();
    }

    /// Checks that start and goal are those of the typed instance.
    fn instance(&mut self, game: &dyn Game) {
        let claim = "the start is the instance as it was typed".to_owned();
        let instance = &self.certificate.instance;
        if instance.len() > MAX_INSTANCE {
            return self.add(Verdict::Trusted, claim, "it is too long");
        }
        match game.is_described_by(instance) {
            Some(true) => self.add(Verdict::Verified, claim, ""),
            Some(false) => self.add(Verdict::Refuted, claim, "the instance describes another state"),
            None => self.add(Verdict::Trusted, claim, "the referee does not read this notation"),
        }
    }

    /// Checks that the goal can be reached, unless the opposite is claimed.
    fn reachable(&mut self, game: &dyn Game) -> bool {
        let claims_none = self.certificate.result == Answer::Exhausted;
        match game.obstacle() {
            None if claims_none => true,
            None if !game.is_always_reachable() => {
                let claim = "the goal can be reached from the start".to_owned();
                match &self.certificate.result {
                    // It is checked as a claim of its own.
                    Answer::Optimal { .. } => {}
                    Answer::LowerBound { .. } if self.certificate.best.is_some() => {}
                    _ => self.add(Verdict::Trusted, claim, "the referee knows no criterion for this puzzle"),
                }
                true
            }
            None => {
                self.add(Verdict::Verified, "the goal can be reached from the start".to_owned(), "");
                true
            }
            Some(why) => {
                let verdict = if claims_none { Verdict::Verified } else { Verdict::Refuted };
                let not = if claims_none { "cannot" } else { "can" };
                self.add(verdict, format!("the goal {not} be reached from the start"), why);
                false
            }
        }
    }

    /// Checks that all solutions solve the instance, the first in exactly `length` moves and none in fewer.
    fn solutions(&mut self, game: &mut dyn Game, length: u32, solutions: &[String]) {
        let claim = match solutions.len() {
            1 => format!("the solution leads from start to goal in {}", moves(length)),
            count => format!(
                "each of the {count} solutions leads from start to goal, the first in {}",
                moves(length)
            ),
        };
        let mut fault = solutions.is_empty().then(|| "no solution is listed".to_owned());
        for (at, solution) in solutions.iter().enumerate() {
            let wrong = match game.replay(solution) {
                Err(why) => Some(why),
                Ok(replayed) if replayed < u64::from(length) => {
                    Some(format!("it has only {}", moves(replayed)))
                }
                Ok(replayed) if at == 0 && replayed > u64::from(length) => {
                    Some(format!("it has {}", moves(replayed)))
                }
                Ok(_) => None,
            };
            if let Some(why) = wrong {
                fault = Some(format!("solution {}: {why}", at + 1));
                break;
            }
        }
        match fault {
            Some(why) => self.add(Verdict::Refuted, claim, why),
            None => self.add(Verdict::Verified, claim, "replayed"),
        }
        if let Some(all) = self.certificate.all {
            let kind = if all.up_to_symmetry { " up to symmetry" } else { "" };
            let claim = format!("the solutions of at most {} are all listed{kind}", moves(all.up_to));
            match all.up_to < length {
                true => self.add(Verdict::Refuted, claim, "this is less than the length"),
                false => self.add(Verdict::Trusted, claim, ""),
            }
        }
    }

    /// Checks that the best solution of an answer that is not proved solves the instance in as many moves as it claims,
    /// and in no fewer than the lower bound.
    fn best(&mut self, game: &mut dyn Game) {
        let Some(Best { length, solution }) = &self.certificate.best else { return };
        let claim = format!("the best solution leads from start to goal in {}", moves(*length));
        let fault = match &self.certificate.result {
            Answer::LowerBound { length: least } if least > length => {
                Some(format!("the lower bound is {}", moves(*least)))
            }
            Answer::LowerBound { .. } => match game.replay(solution) {
                Ok(replayed) if replayed == u64::from(*length) => None,
                Ok(replayed) => Some(format!("it has {}", moves(replayed))),
                Err(why) => Some(why),
            },
            Answer::Optimal { .. } => Some("a shortest solution is listed".to_owned()),
            Answer::Exhausted => Some("it is claimed that there is no solution".to_owned()),
        };
        match fault {
            Some(why) => self.add(Verdict::Refuted, claim, why),
            None => self.add(Verdict::Verified, claim, "replayed"),
        }
    }

    /// Checks that no solution has fewer than `length` moves, within the limits of the effort.
    fn none_below(&mut self, game: &mut dyn Game, length: u32, effort: Effort) {
        let Some(most) = length.checked_sub(1) else {
            (self.report.lower_bound, self.report.proved) = (Some(0), true);
            return;
        };
        // The greatest smaller length with the right parity; shorter solutions are covered by its search.
        let fits = |length: u32| game.parity().is_none_or(|parity| length % 2 == parity);
        let bound = if fits(most) { Some(most) } else { most.checked_sub(1) };
        let claim = |most: u32| format!("no solution of {} or fewer", moves(most));
        let parity = if bound == Some(most) { "" } else { "; parity excludes the other lengths" };
        let derived = bound.map(|bound| game.derive(bound, effort.states));
        let (excluded, how) = match derived {
            None => (Some(most), "parity excludes it".to_owned()),
            Some(derived) => match derived.result {
                Found::Path(shorter, moves) => return self.shorter(game, length, shorter, moves),
                Found::MoreThan(bound) => {
                    (Some(if fits(bound + 1) { bound } else { bound + 1 }), derived.how + parity)
                }
                Found::Disconnected => (Some(most), derived.how),
            },
        };
        let excluded = excluded.map_or(0, |excluded| excluded.min(most));
        self.report.lower_bound = Some(excluded + 1);
        self.report.proved = excluded == most;
        self.add(Verdict::Verified, claim(excluded), how);
        if excluded < most {
            let range = match most - excluded {
                1 => moves(most),
                _ => format!("{} to {}", excluded + 1, moves(most)),
            };
            self.add(Verdict::Trusted, format!("no solution of {range}"), self.witness());
        }
    }

    /// A solution shorter than claimed, found by the referee.
    fn shorter(&mut self, game: &mut dyn Game, length: u32, shorter: u64, solution: Option<String>) {
        self.report.lower_bound = u32::try_from(shorter).ok();
        let claim = format!("no solution of fewer than {}", moves(length));
        let solution = match solution {
            // A solution is replayed only in the certificate's own notation.
            Some(solution) if game.replay(&solution).is_ok_and(|replayed| replayed == shorter) => {
                format!("a shorter one: {solution}")
            }
            Some(solution) => format!("there is one of {}: {solution}", moves(shorter)),
            None => format!("there is one of {}", moves(shorter)),
        };
        self.add(Verdict::Refuted, claim, solution);
    }

    /// Checks that there is no solution, within the limits of the effort.
    fn none_at_all(&mut self, game: &mut dyn Game, effort: Effort) {
        let derived = game.derive(u32::MAX, effort.states);
        let claim = "there is no solution".to_owned();
        match derived.result {
            Found::Path(length, _) => {
                self.add(Verdict::Refuted, claim, format!("there is one of {}", moves(length)));
            }
            Found::Disconnected => {
                self.report.proved = true;
                self.add(Verdict::Verified, claim, derived.how);
            }
            Found::MoreThan(bound) => {
                self.report.lower_bound = bound.checked_add(1);
                self.add(Verdict::Verified, format!("no solution of {} or fewer", moves(bound)), derived.how);
                self.add(Verdict::Trusted, claim, self.witness());
            }
        }
    }

    /// Checks that the exhausted bounds are consistent with the length.
    fn bounds(&mut self, game: &dyn Game, length: u32, is_solved: bool) {
        let claim = "the exhausted bounds lead up to the length".to_owned();
        let step = if game.parity().is_some() { 2 } else { 1 };
        match fit(self.certificate, length, step, is_solved) {
            Fit::Exact(how) => self.add(Verdict::Verified, claim, how),
            Fit::Gap(what) => self.add(Verdict::Trusted, claim, what),
            Fit::Wrong(why) => self.add(Verdict::Refuted, claim, why),
        }
    }

    /// Lists the claims that the referee cannot check.
    fn trusted(&mut self) {
        let Certificate { exhausted, program, build, .. } = self.certificate;
        let nodes = exhausted.iter().fold(0u64, |sum, bound| sum.saturating_add(bound.generated));
        let (first, last) = (exhausted.first(), exhausted.last());
        if let (Some(first), Some(last)) = (first, last) {
            let bounds = match exhausted.len() {
                1 => format!("bound {} was", first.bound),
                _ => format!("the bounds {} to {} were", first.bound, last.bound),
            };
            self.add(Verdict::Trusted, format!("{bounds} exhausted, with {nodes} nodes generated"), "");
        }
        let claim = format!("made by {program}, built for {} ({})", build.target, build.profile);
        self.add(Verdict::Trusted, claim, "");
    }

    /// The assumptions behind the claims that are taken on trust.
    fn witness(&self) -> String {
        let Certificate { heuristic, automaton, tables, .. } = self.certificate;
        let names = |table: &super::Table| format!("{} {}", table.name, table.checksum);
        let tables: Vec<String> = tables.iter().map(names).collect();
        let tables =
            if tables.is_empty() { "no tables".to_owned() } else { format!("tables {}", tables.join(", ")) };
        format!("heuristic {heuristic}; duplicates pruned by: {automaton}; {tables}")
    }
}
