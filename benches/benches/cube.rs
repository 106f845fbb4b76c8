//! The cube: filling the tables of 1997, and searching with them and with the coset table.
//!
//! Each search is one cube to a bound at which it has no solution, so that the whole tree is
//! searched, and the nodes of the last iteration are asserted. Throughput is generated nodes.

use cube::notation::scramble;
use cube::patterns::{Corners, Edges, edges};
use cube::solver::{End, Instructions, Solver};
use cube::tables::TableId;
use cube::{Choice, Cube, Metric};
use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use search_core::ida::Config;
use search_core::pdb::{FillOptions, PatternSpace, fill};
use search_core::record::TableUse;
use search_core::{Cancel, Silent};
use std::sync::LazyLock;

fn main() {
    divan::main();
}

/// The first of the ten cubes of 1997: 16 moves.
static CUBE: LazyLock<Cube> = LazyLock::new(|| {
    let ten = include_str!("../../fixtures/cube/korf-1997-ten-cubes.txt");
    scramble::parse(ten.lines().next().expect("ten cubes")).expect("a scramble").cube()
});

fn entries(space: &impl PatternSpace) -> usize {
    let filled = fill::<4, _>(space, FillOptions::default(), &Silent, &Cancel::new()).expect("memory");
    assert!(filled.complete);
    filled.table.len()
}

/// The three tables of 1997 from nothing, 84 MB (the paper: about an hour).
#[divan::bench(sample_count = 3, sample_size = 1)]
fn fill_the_tables_of_1997() {
    let corners = entries(&Corners::new(Metric::Htm));
    let sets = [edges::KORF, Edges::complement(edges::KORF)];
    let edges = sets.map(|set| entries(&Edges::new(Metric::Htm, set).expect("a pattern")));
    assert_eq!((corners, edges), (88_179_840, [42_577_920; 2]));
}

fn solver(name: &str) -> Solver {
    let choice: Choice = name.parse().expect("a heuristic");
    let table = |id: TableId| {
        let body = id.build(&Silent, &Cancel::new()).expect("memory").body;
        (id, id.over(body), TableUse { name: id.name(), checksum: String::new() })
    };
    let tables = choice.tables(Metric::Htm).into_iter().map(table).collect();
    Solver::new(&choice, Metric::Htm, tables, Instructions::Best)
}

/// Times the search to `bound`, whose last iteration generates `generated` nodes.
fn search(bencher: Bencher, solver: &Solver, threads: usize, bound: u32, generated: u64) {
    let config = Config { threads, kernel: solver.kernel(), max_bound: Some(bound), ..Config::default() };
    bencher.counter(ItemsCount::new(generated)).bench_local(|| {
        let solved = solver.solve(black_box(&CUBE), &config, &Silent, &Cancel::new());
        assert_eq!(solved.ending, End::Bounded { lower_bound: bound + 1 });
        assert_eq!(solved.iterations.last().map(|last| last.generated), Some(generated));
    });
}

/// The heuristic of 1997 (the paper: 0.7 million nodes a second).
#[divan::bench(args = [1, 2], sample_count = 5, sample_size = 1)]
fn search_korf97(bencher: Bencher, threads: usize) {
    static SOLVER: LazyLock<Solver> = LazyLock::new(|| solver("korf97"));
    search(bencher, &SOLVER, threads, 14, 54_120_795);
}

/// The default: cosets along three axes, of the position and its inverse.
#[divan::bench(args = [1, 2], sample_count = 5, sample_size = 1)]
fn search_coset(bencher: Bencher, threads: usize) {
    static SOLVER: LazyLock<Solver> = LazyLock::new(|| solver("coset"));
    search(bencher, &SOLVER, threads, 15, COSET_15);
}

/// Nodes of the iteration with bound 15.
const COSET_15: u64 = 3_764_338;
