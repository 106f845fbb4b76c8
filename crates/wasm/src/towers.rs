//! Towers of Hanoi: shortest paths between any two states, and the number of states at each distance.

use crate::host::{Event, Found, Host};
use crate::refusal::{Fault, Refusal};
use crate::work::{Answered, Reporter, run};
use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};
use hanoi4::model::{BadInput, Move, Puzzle, State, format_moves};
use hanoi4::notation::Notation;
use hanoi4::presumed::Presumed;
use hanoi4::strategy::{Ask, CountAsk, Solver};
use referee::hanoi as judge;
use search_core::Solution;
use serde::{Deserialize, Serialize};

/// The greatest number of discs of a path, by the number of pegs from 3 on: the search takes seconds, and the path can
/// be watched.
const MOST_DISCS: [u32; 2] = [12, 13];
/// The greatest number of discs of a complete search, by the number of pegs from 3 on.
const MOST_COUNTED: [u32; 2] = [16, 14];

/// A puzzle and two of its states: the peg of each disc, or the discs of each peg.
#[derive(Debug, Deserialize)]
pub struct Ends {
    discs: u32,
    pegs: u32,
    from: String,
    to: String,
}

/// Two legal states.
#[derive(Debug, Serialize)]
pub struct Legal {
    /// The length that is presumed shortest between two pegs.
    presumed: u64,
}

fn puzzle(discs: u32, pegs: u32, most: [u32; 2]) -> Result<Puzzle, Refusal> {
    let refused = |faults: Vec<String>| Refusal::Faults(faults.iter().map(Fault::new).collect());
    let puzzle = Puzzle::new(discs, pegs).map_err(|error| refused(error.faults))?;
    let most = most[pegs as usize - 3];
    if discs > most {
        return Err(refused(vec![format!("this page supports at most {most} discs on {pegs} pegs")]));
    }
    Ok(puzzle)
}

impl Ends {
    fn read(&self) -> Result<(Puzzle, State, State), Refusal> {
        let puzzle = puzzle(self.discs, self.pegs, MOST_DISCS)?;
        let read = |text: &str| Notation::default().read(text, self.pegs, Some(self.discs));
        match (read(&self.from), read(&self.to)) {
            (Ok((_, from)), Ok((_, to))) => Ok((puzzle, from, to)),
            (from, to) => {
                let named = |end: &str, error: Option<BadInput>| {
                    let faults = error.map(|error| error.faults).unwrap_or_default();
                    faults.into_iter().map(|fault| format!("{end}: {fault}")).collect::<Vec<_>>()
                };
                let faults = [named("start", from.err()), named("goal", to.err())].concat();
                Err(Refusal::Faults(faults.iter().map(Fault::new).collect()))
            }
        }
    }

    pub(crate) fn answer(&self) -> Result<Legal, Refusal> {
        self.read()?;
        let presumed = Presumed::new(self.discs, self.pegs).length(self.discs);
        Ok(Legal { presumed: u64::try_from(presumed).map_err(Refusal::error)? })
    }

    pub(crate) fn solve(&self, host: &'static dyn Host) -> Result<Answered, Refusal> {
        let (puzzle, from, to) = self.read()?;
        let reporter = Reporter::new(host);
        let ask = Ask::new(puzzle, from, to);
        let run = run(&reporter, None);
        let known = ask.known(&run);
        if let Some(best) = &known.best {
            let solution = checked(&puzzle, from, to, &best.solution).map_err(Refusal::Error)?;
            host.report(&Event::Better { bound: known.lower_bound, solution });
        }
        let answer = Solver::new().solve_knowing(&ask, &known, &run);
        let report = answer.map_err(Refusal::error)?.into_report();
        let found = report.try_map(|moves| checked(&puzzle, from, to, &moves)).map_err(Refusal::Error)?;
        Ok(Answered::of(found, &reporter))
    }
}

/// A solution, replayed by the referee.
fn checked(puzzle: &Puzzle, from: State, to: State, moves: &[Move]) -> Result<Found, String> {
    let (length, moves) = (moves.len() as u32, format_moves(moves));
    let towers = |state| judge::Towers::parse(puzzle.pegs() as usize, &puzzle.format(state));
    let verdict = towers(from).and_then(|from| judge::check(&from, &towers(to)?, &moves, u64::from(length)));
    verdict.map_err(|refusal| format!("the referee rejects the solution: {refusal}"))?;
    Ok(Solution { length, moves }.into())
}

/// Draws a state, each equally likely.
#[derive(Debug, Deserialize)]
pub struct Random {
    discs: u32,
    pegs: u32,
    seed: u64,
}

impl Random {
    pub(crate) fn answer(&self) -> Result<String, Refusal> {
        let puzzle = puzzle(self.discs, self.pegs, MOST_DISCS)?;
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
        let mut peg = || loop {
            // Draws beyond the last multiple of the pegs are repeated.
            let draw = rng.next_u32();
            if draw < u32::MAX - u32::MAX % puzzle.pegs() {
                return draw % puzzle.pegs();
            }
        };
        let state = (0..puzzle.discs()).fold(State::START, |state, disc| state.with(disc, peg()));
        Ok(puzzle.format(state))
    }
}

/// Counts the states at each distance from all discs on one peg.
#[derive(Debug, Deserialize)]
pub struct Counts {
    discs: u32,
    pegs: u32,
}

/// The states at each distance.
#[derive(Debug, Serialize)]
pub struct Layers {
    /// From distance 0 on.
    states: Vec<u64>,
    seconds: f64,
}

impl Counts {
    pub(crate) fn answer(&self, host: &'static dyn Host) -> Result<Layers, Refusal> {
        let Counts { discs, pegs } = *self;
        puzzle(discs, pegs, MOST_COUNTED)?;
        let reporter = Reporter::new(host);
        let run = run(&reporter, None);
        let found = CountAsk::new(discs, pegs).count(&run).map_err(Refusal::error)?;
        let states = found.report.layers.iter().map(|layer| layer.states).collect();
        Ok(Layers { states, seconds: reporter.seconds() })
    }
}
