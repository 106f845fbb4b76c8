//! Moves on a scramble and on its inverse, and the best insertions into them.

use super::solve::checked_turns;
use crate::host::Host;
use crate::refusal::{Fault, Refusal};
use crate::work::{Reporter, run};
use cube::fmc::sequence::{Inserter, Sequence, SequenceError};
use cube::fmc::words::{MOST_MOVES, Open};
use cube::fmc::{self, Niss};
use cube::mask::GoalOptions;
use cube::notation::{facelets, scramble};
use cube::{Cube, Metric, Turn};
use serde::{Deserialize, Serialize};
use std::cell::RefCell;

/// The metric of the page's skeletons.
const METRIC: Metric = Metric::Htm;

/// Reads moves on a scramble and on its inverse: `R U (F D')`.
#[derive(Debug, Deserialize)]
pub struct Sides {
    text: String,
}

/// The moves on each side.
#[derive(Debug, Serialize)]
pub struct Split {
    scramble: String,
    inverse: String,
}

impl Sides {
    pub(crate) fn answer(&self) -> Result<Split, Refusal> {
        let Niss { normal, inverse } = read(&self.text)?;
        Ok(Split { scramble: scramble::format(normal), inverse: scramble::format(inverse) })
    }
}

fn read(text: &str) -> Result<Niss, Refusal> {
    Niss::parse(text).map_err(|fault| Refusal::Faults(fault.defects.iter().map(Fault::new).collect()))
}

/// Searches for the best insertions into a skeleton.
#[derive(Debug, Deserialize)]
pub struct Insert {
    /// The 54 facelets of a legal cube.
    facelets: String,
    /// The moves of the skeleton; those in ( ) are on the inverse.
    skeleton: String,
    /// The maximum number of solutions, and of single insertions.
    count: usize,
}

/// The insertions into a skeleton.
#[derive(Debug, Serialize)]
pub struct Insertions {
    /// The pieces that the skeleton leaves unsolved.
    #[serde(flatten)]
    open: Pieces,
    solved: Vec<Inserted>,
    steps: Vec<Inserted>,
}

/// The number of pieces that are not solved.
#[derive(Debug, Serialize)]
pub struct Pieces {
    corners: u32,
    edges: u32,
}

impl From<Open> for Pieces {
    fn from(Open { corners, edges, .. }: Open) -> Pieces {
        Pieces { corners, edges }
    }
}

/// A skeleton with insertions.
#[derive(Debug, Serialize)]
pub struct Inserted {
    length: u32,
    moves: String,
    insertions: Vec<Part>,
    #[serde(flatten)]
    open: Pieces,
}

/// One insertion.
#[derive(Debug, Serialize)]
pub struct Part {
    /// The number of moves before it.
    after: usize,
    moves: String,
    /// The moves as a commutator, if they are one.
    shown: String,
    /// The number of moves saved where turns of one face meet.
    saved: u32,
}

thread_local! {
    /// The finder of the last request.
    static LAST: RefCell<Option<Inserter>> = const { RefCell::new(None) };
}

impl Insert {
    pub(crate) fn answer(&self, host: &'static dyn Host) -> Result<Insertions, Refusal> {
        let cube = facelets::parse(&self.facelets).map_err(Refusal::error)?.cube;
        let skeleton = read(&self.skeleton)?.turns();
        let reporter = Reporter::new(host);
        let run = run(&reporter, None);
        LAST.with_borrow_mut(|last| {
            let inserter = match last.take() {
                Some(inserter) => inserter,
                None => Inserter::new(METRIC, MOST_MOVES, &run).map_err(Refusal::error)?,
            };
            let found = last.insert(inserter).find(&cube, &skeleton, self.count, &run);
            let found = found.map_err(|error| match error {
                SequenceError::Open(_) => Refusal::Faults(vec![Fault::new(error)]),
                SequenceError::Cancelled(_) => Refusal::error(error),
            })?;
            let shown = |all: Vec<Sequence>| {
                all.iter().map(|one| inserted(&cube, &skeleton, one)).collect::<Result<_, _>>()
            };
            let open = Open::of(&cube.apply_all(skeleton.iter().copied())).into();
            Ok(Insertions { open, solved: shown(found.solved)?, steps: shown(found.steps)? })
        })
    }
}

/// A sequence of insertions; the referee has replayed it if it is a solution.
fn inserted(cube: &Cube, skeleton: &[Turn], sequence: &Sequence) -> Result<Inserted, Refusal> {
    let solution = &sequence.last().solution;
    if sequence.open.pieces() == 0 {
        let goals = GoalOptions::default().goals(&Cube::SOLVED).map_err(Refusal::error)?;
        checked_turns(METRIC, &goals, cube, 0, solution).map_err(Refusal::Error)?;
    }
    let mut before = fmc::length(METRIC, &fmc::joined(METRIC, skeleton));
    let part = |one: &fmc::insert::Insertion| {
        let saved = before + fmc::length(METRIC, &one.turns) - one.length;
        before = one.length;
        let moves = scramble::format(one.turns.iter().copied());
        let shown = fmc::bracketed(&one.turns).unwrap_or_else(|| moves.clone());
        Part { after: one.after, moves, shown, saved }
    };
    Ok(Inserted {
        length: sequence.last().length,
        moves: scramble::format(solution.iter().copied()),
        insertions: sequence.insertions.iter().map(part).collect(),
        open: sequence.open.into(),
    })
}
