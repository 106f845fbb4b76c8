//! Sequences of the On-Line Encyclopedia of Integer Sequences, and terms that it lacks.

use super::job;
use crate::fixture::{Figures, Key};
use crate::job::{Context, Cost, Job, Outcome, Stopped};
use crate::number::Number;
use crate::paper::Tier;
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
struct Sizes {
    paths: &'static [u32],
    five: &'static [u32],
    /// For each of [`LENGTHS`].
    lengths: [&'static [u32]; 5],
}

const QUICK: Sizes =
    Sizes { paths: &[11, 12], five: &[16], lengths: [&[15, 16], &[15, 16], &[14], &[14], &[14]] };
const STANDARD: Sizes = Sizes {
    paths: &[13, 14, 15, 16],
    five: &[18, 20],
    lengths: [&[20, 21, 22, 23], &[20, 21], &[19, 20], &[19, 20], &[19, 20]],
};
const NONE: Sizes = Sizes { paths: &[], five: &[], lengths: [&[]; 5] };
/// Long searches, each a job of its own: seconds on two cores, mebibytes.
const FULL: [(&str, f64, u64, Sizes); 7] = [
    ("graphs-five-21", 600.0, 8_000, Sizes { five: &[21], ..NONE }),
    ("graphs-linear-22", 350.0, 7_000, Sizes { lengths: [&[], &[22], &[], &[], &[]], ..NONE }),
    ("graphs-linear-23", 700.0, 14_500, Sizes { lengths: [&[], &[23], &[], &[], &[]], ..NONE }),
    ("graphs-cyclic-21", 1000.0, 3_000, Sizes { lengths: [&[], &[], &[21], &[21], &[21]], ..NONE }),
    ("graphs-cyclic-22/1", 800.0, 9_000, Sizes { lengths: [&[], &[], &[22], &[], &[]], ..NONE }),
    ("graphs-cyclic-22/2", 1500.0, 9_000, Sizes { lengths: [&[], &[], &[], &[22], &[]], ..NONE }),
    ("graphs-cyclic-22/3", 1400.0, 9_000, Sizes { lengths: [&[], &[], &[], &[], &[22]], ..NONE }),
];

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

/// The jobs of this module.
pub fn jobs(_: &Figures<'_>) -> Vec<Job> {
    let shorter = [
        ("graphs", Tier::Quick, Cost::new(3.0, 100), QUICK),
        ("graphs-23", Tier::Standard, Cost::new(2000.0, 7500), STANDARD),
    ];
    let full =
        FULL.map(|(id, seconds, mebibytes, sizes)| (id, Tier::Full, Cost::new(seconds, mebibytes), sizes));
    let jobs = shorter.into_iter().chain(full).map(|(id, tier, cost, sizes)| {
        let cells = sizes.cells();
        let title = "finds lengths and numbers of shortest paths on peg graphs";
        job(id, tier, cost, title, &[], cells, move |context| run(&sizes, context))
    });
    jobs.collect()
}

fn run(sizes: &Sizes, context: &Context<'_>) -> Result<Outcome, Stopped> {
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
            let found = legs::length(&ends, small, context.run)?;
            let length = found.length.expect("the graph is strongly connected");
            put(row, discs, length.into(), format!("by corners, {small} small discs"));
        }
    }
    Ok(out)
}
