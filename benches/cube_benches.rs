//! The cube: filling tables, searching with the heuristics of 1997 and today's, and what each
//! technique of today's is worth: the same search without it.

use crate::bench::{Bench, Fault, Means, sample};
use cube::heuristics::Instructions;
use cube::notation::scramble;
use cube::pdb::{Corners, Edges, edges};
use cube::tables::{Pattern, TableId};
use cube::{Ask, Cube, HeuristicSpec, Metric, Solver, SolverSetup};
use search_core::ida::{Kernel, Order, UpperBounds};
use search_core::pdb::{FillOptions, PatternSpace, fill};
use search_core::table::{Recipe, Unfinished};
use search_core::{Ending, Run};
use std::hint::black_box;

/// The benchmarks of this module.
pub fn benches(threads: &[usize]) -> Vec<Bench> {
    let mut benches = vec![fill_1997(), fill_square()];
    let searches = [KORF97, COSET_3, COSET_3I, SQUARE_3, SQUARE_4];
    for &threads in threads {
        benches.extend(searches.iter().map(|search| search.bench(threads)));
        benches.push(slices(threads));
    }
    benches.extend(SQUARE_4.without());
    benches
}

fn entries(space: &impl PatternSpace, run: &Run<'_>) -> Result<u64, Fault> {
    Ok(fill::<4, _>(space, FillOptions::default(), run)?.table.len())
}

/// The three tables of 1997 from nothing, 84 MB (the paper: about an hour).
fn fill_1997() -> Bench {
    let count = 88_179_840 + 2 * 42_577_920;
    Bench::new("cube/fill/korf97", "the three tables of 1997", (count, "entries"), 3, |_| {
        sample(|run| {
            let mut sum = entries(&Corners::new(Metric::Htm), run)?;
            for set in [edges::KORF, Edges::complement(edges::KORF)] {
                sum += entries(&Edges::new(Metric::Htm, set).expect("a pattern"), run)?;
            }
            Ok(sum)
        })
    })
}

/// The table that a first solve builds.
fn fill_square() -> Bench {
    let id = TableId { pattern: Pattern::Square(4), metric: Metric::Htm };
    let count = id.entries();
    Bench::new("cube/fill/square-4", "the default table", (count, "entries"), 3, move |_| {
        sample(move |run| {
            let body = id.build(&Unfinished::NOWHERE, run)?.body;
            Ok(body.len() as u64 * 8 / u64::from(id.spec().bits))
        })
    })
}

fn heuristic(name: &str) -> HeuristicSpec {
    name.parse().expect("a heuristic")
}

/// One of the ten cubes of 1997 to a bound below its length, and the nodes of all iterations.
#[derive(Clone, Copy)]
struct Search {
    heuristic: &'static str,
    cube: usize,
    bound: u32,
    nodes: u64,
}

const KORF97: Search = Search { heuristic: "korf97", cube: 0, bound: 14, nodes: 58_557_261 };
const COSET_3: Search = Search { heuristic: "coset-3", cube: 0, bound: 15, nodes: 28_976_646 };
const COSET_3I: Search = Search { heuristic: "coset-3i", cube: 9, bound: 16, nodes: 27_639_507 };
const SQUARE_3: Search = Search { heuristic: "square-3", cube: 9, bound: 16, nodes: 23_264_360 };
const SQUARE_4: Search = Search { heuristic: "square-4", cube: 9, bound: 16, nodes: 12_751_259 };

impl Search {
    fn bench(self, threads: usize) -> Bench {
        let name = format!("cube/search/{}/{threads}", self.heuristic);
        self.with(name, threads, Instructions::Best, None)
    }

    /// The same search on one thread without one technique.
    fn without(self) -> Vec<Bench> {
        let name = |lacks: &str| format!("cube/without/{lacks}/1");
        let lanes = |lanes| Some(Kernel::Interleaved { lanes });
        vec![
            self.with(name("vector instructions"), 1, Instructions::Portable, None),
            self.with(name("subtrees in turn"), 1, Instructions::Best, Some(Kernel::DepthFirst)),
            self.with(name("more than 2 subtrees in turn"), 1, Instructions::Best, lanes(2)),
            self.with(name("more than 4 subtrees in turn"), 1, Instructions::Best, lanes(4)),
        ]
    }

    fn with(self, name: String, threads: usize, instructions: Instructions, kernel: Option<Kernel>) -> Bench {
        let Search { heuristic, cube, bound, nodes } = self;
        let title = format!("cube {} of 1997 to bound {bound} with {heuristic}", cube + 1);
        Bench::new(name, title, (nodes, "nodes"), 5, move |means| {
            let solver = solver(heuristic, instructions, means)?;
            let ask = Ask::new(ten_cubes()[cube]).kernel(kernel).max_bound(Some(bound));
            // The search alone, as its nodes per second are compared.
            let ask = ask.order(Some(Order::Deepest)).upper_bounds(UpperBounds::default().used(false));
            sample(move |run| {
                let solved = solver.solve(black_box(&ask), run)?.into_report();
                run.check()?;
                if solved.ending != (Ending::bounded(bound + 1)) {
                    return Err(format!("{heuristic} ends with {:?}", solved.ending).into());
                }
                Ok(solved.generated())
            })
        })
        .on(threads)
    }
}

/// Face and slice turns, with the cosets.
fn slices(threads: usize) -> Bench {
    let (bound, nodes) = (14, 22_673_569);
    let name = format!("cube/search/slices/{threads}");
    let title = format!("cube 3 of 1997 to bound {bound} in slice turns");
    Bench::new(name, title, (nodes, "nodes"), 5, move |means| {
        let solver = SolverSetup::new().metric(Metric::Stm).load(means.store.clone(), means.run)?;
        let ask = Ask::new(ten_cubes()[2]).max_bound(Some(bound));
        solver.prepare(&ask, means.run)?;
        sample(move |run| {
            let solved = solver.solve(black_box(&ask), run)?.into_report();
            run.check()?;
            if solved.ending != (Ending::bounded(bound + 1)) {
                return Err(format!("slice turns end with {:?}", solved.ending).into());
            }
            Ok(solved.generated())
        })
    })
    .on(threads)
}

fn solver(heuristic: &str, instructions: Instructions, means: &Means<'_>) -> Result<Solver, Fault> {
    let setup = SolverSetup::new().heuristic(self::heuristic(heuristic)).instructions(instructions);
    Ok(setup.load(means.store.clone(), means.run)?)
}

fn ten_cubes() -> Vec<Cube> {
    let ten = include_str!("../fixtures/cube/korf-1997-ten-cubes.txt");
    ten.lines().map(|line| scramble::parse(line).expect("a scramble").cube()).collect()
}
