//! The theory: the results of searches over one and two tiles, and the benefit of learned groups.

use super::{length, puzzle, search, solver, totals};
use crate::job::{Context, Outcome, Stopped};
use slidetile::board::MAX_CELLS;
use slidetile::heuristic::Grouped;
use slidetile::heuristic::grouped::Group;
use slidetile::random::Instances;
use slidetile::{HeuristicSpec, Pruning, Tiles};
use std::collections::BTreeMap;

const SEED: u64 = 8;
/// Random 24-puzzles for mean values; triples look up 2,300 groups for each.
const VALUES: usize = 200;
/// Random 8-puzzles for nodes.
const SOLVED: usize = 100;
const HEURISTICS: [(HeuristicSpec, &str); 5] = [
    (HeuristicSpec::Manhattan, "Manhattan distance"),
    (HeuristicSpec::Conflicts, "linear conflict"),
    (HeuristicSpec::Pairs, "learned pairs"),
    (HeuristicSpec::Triples, "learned triples"),
    (HeuristicSpec::Korf96, "specialised, all parts"),
];

/// Learns all single tiles and all pairs of the 24-puzzle, and classifies their excess.
pub fn learned(context: &Context<'_>) -> Outcome {
    let mut out = Outcome::default();
    let puzzle = puzzle(5, 5);
    let board = puzzle.board();
    let single = |home: usize| {
        let group = Group::learn(&puzzle, &[home]);
        (0..board.cells()).filter(|&cell| group.excess(&[cell; MAX_CELLS]) > 0).count()
    };
    let differ: usize = (1..board.cells()).map(single).sum();
    out.put("learned", "single tiles", "placements that differ from Manhattan distance", differ);
    let (mut kinds, mut others) = (BTreeMap::new(), 0);
    for ((kind, _), placements) in Grouped::new(&puzzle, 2, context.run).excesses_of_pairs() {
        match kind {
            Some(kind) => *kinds.entry(kind).or_insert(0u32) += placements,
            None => others += placements,
        }
    }
    out.put("learned", "pairs", "kinds of excess", kinds.len());
    out.put("learned", "pairs", "kinds beside the three", others);
    for (kind, placements) in kinds {
        out.put("learned", format!("pairs: {kind}"), "placements of two tiles", placements);
    }
    out
}

/// Compares learned pairs and triples with specialised code: values on 24-puzzles, nodes on 8-puzzles.
pub fn values(context: &Context<'_>) -> Result<Outcome, Stopped> {
    let mut out = Outcome::default();
    let (small, large) = (puzzle(3, 3), puzzle(5, 5));
    let easy: Vec<Tiles> = Instances::new(small.board(), *small.goal(), SEED).take(SOLVED).collect();
    let hard: Vec<Tiles> = Instances::new(large.board(), *large.goal(), SEED).take(VALUES).collect();
    for (heuristic, row) in HEURISTICS {
        context.run.progress().begin(row, 0);
        let of_large = solver(large.clone(), heuristic, Pruning::Inverse, context)?;
        let mut sum = 0.0;
        for tiles in &hard {
            context.run.check()?;
            sum += f64::from(of_large.value(tiles));
        }
        out.put("learned", row, "mean value, 24-puzzle", sum / VALUES as f64);
        let of_small = solver(small.clone(), heuristic, Pruning::Inverse, context)?;
        let (mut nodes, mut moves) = (0, 0);
        for tiles in &easy {
            let report = search(&of_small, tiles, None, context)?;
            (nodes, moves) = (nodes + totals(&report).0, moves + length(&report));
        }
        let note = format!("{SOLVED} instances, {moves} moves in total");
        out.raced("learned", row, "nodes, 8-puzzle", nodes as f64 / SOLVED as f64, note);
    }
    context.run.progress().end();
    Ok(out)
}
