//! Sliding tiles: learning an automaton, filling a pattern database, and searching as in 1996 and
//! with pattern databases.

use crate::bench::{Bench, Means, sample};
use search_core::Ending;
use search_core::ida::UpperBounds;
use slidetile::{Ask, Board, HeuristicSpec, Pruning, Puzzle, Solver, SolverSetup, Tiles, fsm};
use std::hint::black_box;

/// The benchmarks of this module.
pub fn benches(threads: &[usize]) -> Vec<Bench> {
    let mut benches = vec![learn(), fill()];
    for &threads in threads {
        benches.extend(SEARCHES.iter().map(|search| search.bench(threads)));
    }
    benches
}

/// The paper's first instance.
pub(crate) fn first() -> (Puzzle, Tiles) {
    let text = "17 1 20 9 16 2 22 19 14 5 15 21 0 3 24 23 18 13 12 7 10 8 6 4 11";
    let (board, tiles) = Tiles::parse(text, None).expect("an arrangement");
    (Puzzle::blank_first(board), tiles)
}

/// The automaton of depth 14, from nothing to the merged table.
fn learn() -> Bench {
    Bench::new("tiles/learn/14", "the automaton of depth 14 on 5x5", (18_425, "strings"), 3, |_| {
        let board = Board::new(5, 5).expect("a board");
        sample(move |run| {
            let learned = fsm::learn_duplicates(board, 14, run)?;
            let states = fsm::automaton(&learned.strings).states();
            if states != 54_281 {
                return Err(format!("{states} states").into());
            }
            Ok(learned.strings.len() as u64)
        })
    })
}

/// One of the 6-tile tables of the 24-puzzle: 251,400 zones of 720 orders.
fn fill() -> Bench {
    Bench::new("tiles/fill/6 tiles", "a 6-tile database of 5x5", (181_008_000, "states"), 3, |_| {
        let puzzle = first().0;
        let plan = HeuristicSpec::Patterns.plan(&puzzle, u64::MAX).expect("partitions");
        sample(move |run| Ok(8 * plan.patterns[0].fill(run)?.0.len() as u64))
    })
}

/// The first instance to a bound below its length, and the nodes of all iterations.
struct Search {
    means: &'static str,
    heuristic: HeuristicSpec,
    pruning: Pruning,
    bound: u32,
    nodes: u64,
}

const SEARCHES: [Search; 3] = [
    Search {
        means: "korf96",
        heuristic: HeuristicSpec::Korf96,
        pruning: Pruning::Learned(14),
        bound: 94,
        nodes: 61_734_353,
    },
    // Shows what the automaton costs per node, and how many nodes it saves.
    Search {
        means: "korf96 without automaton",
        heuristic: HeuristicSpec::Korf96,
        pruning: Pruning::Inverse,
        bound: 94,
        nodes: 111_165_716,
    },
    Search {
        means: "pdb",
        heuristic: HeuristicSpec::Patterns,
        pruning: Pruning::Learned(14),
        bound: 96,
        nodes: 13_123_050,
    },
];

impl Search {
    fn bench(&self, threads: usize) -> Bench {
        let Search { means, heuristic, pruning, bound, nodes } = *self;
        let name = format!("tiles/search/{means}/{threads}");
        let title = format!("the first instance of 1996 to bound {bound} with {means}");
        Bench::new(name, title, (nodes, "nodes"), 5, move |with: &Means<'_>| {
            let (puzzle, tiles) = first();
            let setup = SolverSetup::from(heuristic).pruning(pruning);
            let solver = Solver::load(puzzle, setup, with.store, with.run)?;
            // The search alone, as its nodes per second are compared.
            let ask = Ask::new(tiles).max_bound(bound).upper_bounds(UpperBounds::default().used(false));
            sample(move |run| {
                let report = solver.solve(black_box(&ask), run)?.into_report();
                run.check()?;
                if report.ending != (Ending::bounded(bound + 2)) {
                    return Err(format!("{means} ends with {:?}", report.ending).into());
                }
                Ok(report.generated())
            })
        })
        .on(threads)
    }
}
