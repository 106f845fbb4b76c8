//! Sequences of the On-Line Encyclopedia of Integer Sequences, and terms that it lacks.

use super::job;
use crate::fixture::{Figures, Key};
use crate::job::{Context, Cost, Job, Outcome, Stopped};
use crate::number::Number;
use crate::paper::Tier;
use hanoi4::corners::star;
use hanoi4::graph::{Limits, PegGraph, Task, explore, half_depth_sorted};

const TABLE: &str = "sequences";
/// Moves from the centre of a star to a leaf.
const STAR: &str = "star, centre to leaf (A291877)";
/// Shortest paths between two perfect states.
const PATHS: &str = "complete, number of shortest paths (A143807)";
/// Moves between two perfect states: row, graph, target.
const LENGTHS: [(&str, &str, u32); 4] = [
    ("linear, end to end (A160002)", "linear", 3),
    ("cyclic, to the next peg (A338024)", "cyclic", 1),
    ("cyclic, two pegs on (A292764)", "cyclic", 2),
    ("cyclic, three pegs on (A338089)", "cyclic", 3),
];

/// The numbers of discs that a job computes for each row.
struct Sizes {
    star: &'static [u32],
    paths: &'static [u32],
    lengths: &'static [u32],
}

const QUICK: Sizes = Sizes { star: &[15, 16], paths: &[11, 12], lengths: &[11] };
const STANDARD: Sizes = Sizes { star: &[20, 21, 22, 23], paths: &[13, 14, 15, 16], lengths: &[13] };

impl Sizes {
    fn cells(&self) -> Vec<Key> {
        let rows = [(STAR, self.star), (PATHS, self.paths)];
        let rows = rows.into_iter().chain(LENGTHS.iter().map(|&(row, ..)| (row, self.lengths)));
        let key = |row, discs: &u32| Key::new(TABLE, row, &format!("{discs} discs"));
        rows.flat_map(|(row, sizes)| sizes.iter().map(move |discs| key(row, discs))).collect()
    }
}

/// The jobs of this module.
pub fn jobs(_: &Figures<'_>) -> Vec<Job> {
    let sizes = [
        ("graphs", Tier::Quick, Cost::new(3.0, 100), QUICK),
        ("graphs-23", Tier::Standard, Cost::new(2000.0, 7500), STANDARD),
    ];
    let jobs = sizes.map(|(id, tier, cost, sizes)| {
        let cells = sizes.cells();
        let title = "finds lengths and numbers of shortest paths on peg graphs";
        job(id, tier, cost, title, &[], cells, move |context| run(&sizes, context))
    });
    jobs.into()
}

fn run(sizes: &Sizes, context: &Context<'_>) -> Result<Outcome, Stopped> {
    let mut out = Outcome::default();
    let mut put = |row: &str, discs: u32, found: Number, note: String| {
        out.note(TABLE, row, &format!("{discs} discs"), found, note);
    };
    let complete = PegGraph::parse("complete", 4).expect("a graph");
    for &discs in sizes.paths {
        let task = Task { graph: &complete, discs, from: 0, word_discs: None };
        let found = half_depth_sorted(&task, context.run)?;
        let paths = found.paths.expect("fewer than 2^128 paths");
        put(PATHS, discs, Number::Count(paths), format!("of {} moves", found.length));
    }
    for (row, name, to) in LENGTHS {
        let graph = PegGraph::parse(name, 4).expect("a graph");
        for &discs in sizes.lengths {
            let task = Task { graph: &graph, discs, from: 0, word_discs: None };
            let limits = Limits { to: Some(to), ..Limits::default() };
            let report = explore(&task, &limits, context.run)?;
            let length = report.perfect[to as usize].expect("the graph is strongly connected").length;
            put(row, discs, length.into(), String::new());
        }
    }
    for &discs in sizes.star {
        let (small, _) = star::fitting(discs, context.run.memory()).unwrap_or((*star::SMALL.end(), 0));
        let found = star::length(discs, small, context.run)?;
        put(STAR, discs, found.length.into(), format!("by corners, {small} small discs"));
    }
    Ok(out)
}
