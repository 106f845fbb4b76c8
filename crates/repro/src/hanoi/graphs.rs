//! Sequences of the On-Line Encyclopedia of Integer Sequences, and terms that it lacks.

use crate::fixture::{Fixture, Key};
use crate::job::{Context, Outcome, Stopped};
use crate::number::Number;
use hanoi4::graph::legs::{self, Ends};
use hanoi4::graph::{GraphTask, PegGraph, half_depth_pruned, half_depth_sorted, pruning_database};

const TABLE: &str = "sequences";
/// Shortest paths between two perfect states.
const PATHS: &str = "complete, number of shortest paths (A143807)";
/// Moves between two perfect states of five pegs.
const FIVE: &str = "complete, five pegs (A007665)";
/// Moves between two perfect states: row, graph, target.
const LENGTHS: [(&str, &str, u32); 5] = [
    ("star, centre to leaf (A291877)", "star", 1),
    ("linear, end to end (A160002)", "linear", 3),
    ("cyclic, to the next peg (A338024)", "cyclic", 1),
    ("cyclic, two pegs on (A292764)", "cyclic", 2),
    ("cyclic, three pegs on (A338089)", "cyclic", 3),
];

/// The numbers of discs that a job computes for each row.
pub struct Sizes {
    paths: &'static [u32],
    five: &'static [u32],
    /// For each of [`LENGTHS`].
    lengths: [&'static [u32]; 5],
}

const NONE: Sizes = Sizes { paths: &[], five: &[], lengths: [&[]; 5] };

/// The sizes of each job.
const JOBS: [(&str, Sizes); 9] = [
    ("graphs", Sizes { paths: &[11, 12], five: &[16], lengths: [&[15, 16], &[15, 16], &[14], &[14], &[14]] }),
    (
        "graphs-23",
        Sizes {
            paths: &[13, 14, 15, 16],
            five: &[18, 20],
            lengths: [&[20, 21, 22, 23], &[20, 21], &[19, 20], &[19, 20], &[19, 20]],
        },
    ),
    ("graphs-five-21", Sizes { five: &[21], ..NONE }),
    ("graphs-linear-22", Sizes { lengths: [&[], &[22], &[], &[], &[]], ..NONE }),
    ("graphs-linear-23", Sizes { lengths: [&[], &[23], &[], &[], &[]], ..NONE }),
    ("graphs-cyclic-21", Sizes { lengths: [&[], &[], &[21], &[21], &[21]], ..NONE }),
    ("graphs-cyclic-22/1", Sizes { lengths: [&[], &[], &[22], &[], &[]], ..NONE }),
    ("graphs-cyclic-22/2", Sizes { lengths: [&[], &[], &[], &[22], &[]], ..NONE }),
    ("graphs-cyclic-22/3", Sizes { lengths: [&[], &[], &[], &[], &[22]], ..NONE }),
];

/// The sizes of a job.
pub fn sizes(job: &str) -> Option<&'static Sizes> {
    JOBS.iter().find(|(name, _)| *name == job).map(|(_, sizes)| sizes)
}

/// The terms that a job computes and no fixture has.
pub fn new_terms(job: &str, fixtures: &[Fixture]) -> Vec<Key> {
    let mut terms = sizes(job).map(Sizes::cells).unwrap_or_default();
    terms.retain(|term| !fixtures.iter().any(|fixture| fixture.key == *term));
    terms
}

impl Sizes {
    fn rows(&self) -> impl Iterator<Item = (&'static str, &'static [u32])> + use<'_> {
        let lengths = LENGTHS.iter().zip(self.lengths).map(|(&(row, ..), sizes)| (row, sizes));
        [(PATHS, self.paths), (FIVE, self.five)].into_iter().chain(lengths)
    }

    fn cells(&self) -> Vec<Key> {
        let key = |row, discs: &u32| Key::new(TABLE, row, &format!("{discs} discs"));
        self.rows().flat_map(|(row, sizes)| sizes.iter().map(move |discs| key(row, discs))).collect()
    }
}

/// Finds lengths and numbers of shortest paths on peg graphs.
pub fn lengths(sizes: &Sizes, context: &Context<'_>) -> Result<Outcome, Stopped> {
    let mut out = Outcome::default();
    let mut put = |row: &str, discs: u32, found: Number, note: String| {
        out.note(TABLE, row, &format!("{discs} discs"), found, note);
    };
    let complete = PegGraph::parse("complete", 4).expect("a graph");
    for &discs in sizes.paths {
        let task = GraphTask { graph: &complete, discs, from: 0, word_discs: None };
        let found = half_depth_sorted(&task, context.run)?;
        let paths = found.paths.expect("fewer than 2^128 paths");
        put(PATHS, discs, Number::Count(paths), format!("of {} moves", found.length));
    }
    let complete = PegGraph::parse("complete", 5).expect("a graph");
    for &discs in sizes.five {
        let task = GraphTask { graph: &complete, discs, from: 0, word_discs: None };
        let found = half_depth_pruned(&task, pruning_database(discs), true, context.run)?;
        let paths = found.paths.expect("paths are counted");
        put(FIVE, discs, found.length.into(), format!("{paths} shortest paths"));
    }
    for ((row, name, to), discs) in LENGTHS.into_iter().zip(sizes.lengths) {
        let graph = PegGraph::parse(name, 4).expect("a graph");
        for &discs in discs {
            let ends = Ends { graph: &graph, discs, from: 0, to };
            let (small, _) = legs::fitting(&ends, context.run.memory()).unwrap_or((*legs::SMALL.end(), 0));
            let (length, _) = legs::length(&ends, small, context.run)?;
            let length = length.expect("the graph is strongly connected");
            put(row, discs, length.into(), format!("by corners, {small} small discs"));
        }
    }
    Ok(out)
}
