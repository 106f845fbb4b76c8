//! State spaces; how often each part increases the heuristic's value; the paper's examples.

use super::puzzle;
use crate::job::{Context, Outcome, Stopped};
use search_core::Heuristic;
use search_core::matching::{Hyperedge, exact};
use slidetile::heuristic::Grouped;
use slidetile::heuristic::classic::{Classic, NARROW, Parts};
use slidetile::heuristic::explain::explain;
use slidetile::random::Instances;
use slidetile::{Puzzle, Tiles};

const SEED: u64 = 1996;
const SAMPLES: usize = 50_000;
const LAST: [Parts; 2] =
    [Parts { last_moves: 1, ..Parts::MANHATTAN }, Parts { last_moves: 2, ..Parts::MANHATTAN }];
const CORNERS: Parts = Parts { corners: true, ..Parts::MANHATTAN };

/// Counts the states of the boards, those of the 8-puzzle by breadth-first search.
pub fn spaces() -> Outcome {
    let mut out = Outcome::default();
    // Half of all arrangements can reach the goal.
    let states = |cells: u128| (1..=cells).product::<u128>() / 2;
    let reached = puzzle(3, 3).distances().len();
    assert_eq!(reached as u128, states(9), "half of all arrangements, one by one");
    out.note("spaces", "8-puzzle", "states, at least", reached, "by breadth-first search");
    for (name, cells) in [("15-puzzle", 16), ("24-puzzle", 25), ("19-puzzle", 20)] {
        out.put("spaces", name, "states", states(cells));
    }
    out.put("spaces", "24-puzzle over 15-puzzle", "ratio", states(25) as f64 / states(16) as f64);
    out
}

/// The counts of one arrangement.
struct Gains {
    conditions: [bool; 2],
    gains: [u32; 5],
    values: [u32; 2],
}

fn gains(puzzle: &Puzzle, tiles: &Tiles) -> Gains {
    let board = puzzle.board();
    let at = tiles.positions(board);
    let value = |parts| explain(puzzle, parts, tiles).value();
    let manhattan = value(Parts::MANHATTAN);
    let all = value(Parts::ALL);
    let gain = |parts| value(parts) - manhattan;
    Gains {
        conditions: [
            board.col(at[1]) != 0 && board.row(at[5]) != 0,
            [3, 9, 15, 19, 21, 23].iter().any(|&tile| at[tile] == tile),
        ],
        gains: [gain(Parts::CONFLICTS), gain(LAST[0]), gain(LAST[1]), gain(CORNERS), all - manhattan],
        values: [manhattan, all],
    }
}

/// Evaluates the parts of the heuristic on random 24-puzzles, from scratch.
pub fn shares(context: &Context<'_>) -> Result<Outcome, Stopped> {
    let mut out = Outcome::default();
    let puzzle = puzzle(5, 5);
    let sample: Vec<Tiles> = Instances::new(puzzle.board(), *puzzle.goal(), SEED).take(SAMPLES).collect();
    context.run.check()?;
    let all: Vec<Gains> = context.run.map(&sample, |tiles| gains(&puzzle, tiles));
    let share = |holds: &dyn Fn(&Gains) -> bool| {
        100.0 * all.iter().filter(|g| holds(g)).count() as f64 / SAMPLES as f64
    };
    let mean =
        |of: &dyn Fn(&Gains) -> u32| all.iter().map(|g| f64::from(of(g))).sum::<f64>() / SAMPLES as f64;
    out.put("shares", "last move", "condition holds, %", share(&|g| g.conditions[0]));
    out.put("shares", "a corner’s neighbour is home", "condition holds, %", share(&|g| g.conditions[1]));
    let parts = ["linear conflict", "last move", "last two moves", "corner tiles", "all together"];
    for (at, part) in parts.iter().enumerate() {
        out.put("shares", part, "gains, %", share(&|g| g.gains[at] > 0));
        out.put("shares", part, "mean gain", mean(&|g| g.gains[at]));
    }
    out.put("shares", "Manhattan distance", "mean value", mean(&|g| g.values[0]));
    out.put("shares", "all together", "mean value", mean(&|g| g.values[1]));
    for (row, at) in [("last move", 1), ("last two moves", 2)] {
        let greatest = all.iter().map(|g| g.gains[at]).max().unwrap_or(0);
        out.put("examples", row, "greatest gain", greatest);
    }
    Ok(out)
}

/// The goal with the contents of some cells exchanged.
fn exchanged(puzzle: &Puzzle, exchanges: &[(usize, usize)]) -> Tiles {
    let mut cells: Vec<usize> = (0..puzzle.board().cells()).collect();
    exchanges.iter().for_each(|&(a, b)| cells.swap(a, b));
    Tiles::new(puzzle.board(), &cells).expect("a permutation")
}

/// Evaluates the paper's examples by specialised code, by learned pairs and by triples.
pub fn examples(context: &Context<'_>) -> Outcome {
    let mut out = Outcome::default();
    let puzzle = puzzle(5, 5);
    let learned = [
        (Grouped::new(&puzzle, 2, context.run), "learned pairs"),
        (Grouped::new(&puzzle, 3, context.run), "learned triples, at least"),
    ];
    let conflicts_and_corners = Parts { conflicts: true, ..CORNERS };
    let excess = |parts, tiles: &Tiles| {
        let value = |parts| Classic::<NARROW>::new(&puzzle, parts).value(&puzzle, tiles);
        value(parts) - value(Parts::MANHATTAN)
    };
    for (row, tiles, among, column, parts) in [
        (
            "(2 1) in the top row",
            exchanged(&puzzle, &[(1, 2)]),
            vec![1, 2],
            "linear conflict",
            Parts::CONFLICTS,
        ),
        (
            "(3 2 1) in the top row",
            exchanged(&puzzle, &[(1, 3)]),
            vec![1, 2, 3],
            "linear conflict",
            Parts::CONFLICTS,
        ),
        (
            "3 and 9 home, 4 not",
            exchanged(&puzzle, &[(4, 12)]),
            vec![3, 4, 9],
            "specialised",
            conflicts_and_corners,
        ),
    ] {
        out.put("examples", row, column, excess(parts, &tiles));
        for (groups, column) in &learned {
            let edges = groups.hyperedges(&tiles.positions(puzzle.board()));
            out.note("examples", row, column, heaviest(&edges, &among), "among the tiles listed");
        }
    }
    let corners = exchanged(&puzzle, &[(4, 20), (4, 24)]);
    let row = "three corners wrong, all six neighbours home";
    out.put("examples", row, "corner tiles", excess(CORNERS, &corners));
    out
}

/// The heaviest disjoint groups among some tiles.
fn heaviest(edges: &[Hyperedge], among: &[u32]) -> u32 {
    let nodes = among.iter().fold(0, |nodes, tile| nodes | 1 << tile);
    let inside = edges.iter().filter(|edge| edge.nodes & !nodes == 0);
    let inside: Vec<Hyperedge> =
        inside.map(|edge| Hyperedge { nodes: edge.nodes, weight: edge.weight }).collect();
    exact(&inside, usize::MAX).expect("no limit was set")
}
