//! Figures of heuristics: their values compared with the distances, and the locality of their lookups.

use super::chart::{Chart, Series, whole};
use crate::GENERATOR;
use chacha20::ChaCha8Rng;
use chacha20::rand_core::SeedableRng;
use cube::pdb::{Corners, Edges, edges};
use cube::random::random_cube;
use cube::{Cube, Metric};
use plotters::chart::SeriesLabelPosition;
use search_core::Run;
use search_core::automaton::{Automaton, StateId};
use search_core::memory::Memory;
use search_core::table::Store;
use slidetile::heuristic::additive::Tables;
use slidetile::pdb::Plan;
use slidetile::{Board, HeuristicSpec, Pruning, Puzzle, Solver, SolverSetup};

/// The number of nodes of the cube's search that are looked up.
const NODES: usize = 100_000;

/// The number of states of the 8-puzzle, of 181,440, with each heuristic value.
pub fn values(run: &Run<'_>) -> String {
    let puzzle = Puzzle::blank_first(Board::new(3, 3).expect("a size"));
    let distances = puzzle.distances();
    let folder = tempfile::tempdir().expect("a folder");
    let store = Store::new(folder.path(), GENERATOR);
    let mut series = Vec::new();
    for (name, heuristic) in
        [("Manhattan distance", HeuristicSpec::Manhattan), ("linear conflicts too", HeuristicSpec::Conflicts)]
    {
        let setup = SolverSetup::from(heuristic).pruning(Pruning::Inverse);
        let solver = Solver::load(puzzle.clone(), setup, &store, run).expect("no tables");
        series.push(Series { name, points: histogram(distances.keys().map(|tiles| solver.value(tiles))) });
    }
    let additive = two_patterns(&puzzle, run);
    let values = histogram(distances.keys().map(|tiles| additive.value(tiles)));
    series.push(Series { name: "two patterns", points: values });
    series.push(Series { name: "distance", points: histogram(distances.values().copied()) });
    Chart {
        axes: ["value", "states"],
        log: false,
        x_label: whole,
        legend: SeriesLabelPosition::UpperLeft,
        series,
    }
    .draw()
}

/// Additive pattern databases of the tiles 1 to 4 and 5 to 8, and of their reflections.
fn two_patterns(puzzle: &Puzzle, run: &Run<'_>) -> Tables<Memory> {
    let plan = Plan::new(puzzle, &[vec![0b0_0001_1110, 0b1_1110_0000]]).expect("patterns");
    let filled = plan.patterns.iter().map(|pattern| pattern.fill(run).expect("small tables").0).collect();
    Tables::new(plan, filled)
}

/// The frequency of each pair of values, since half of the values are odd and the parity of a
/// value is that of the distance.
fn histogram(values: impl Iterator<Item = u8>) -> Vec<(f64, f64)> {
    let mut counts = vec![0_u32; 16];
    for value in values {
        counts[usize::from(value) / 2] += 1;
    }
    (0..).step_by(2).zip(counts).map(|(value, count)| (f64::from(value), f64::from(count))).collect()
}

/// The distance in the table between consecutive lookups of a depth-first search.
pub fn lookups(_: &Run<'_>) -> String {
    let start = random_cube(&mut ChaCha8Rng::seed_from_u64(1));
    let mut visited = Vec::with_capacity(NODES);
    let automaton = Metric::Htm.automaton();
    visit(&start, automaton.start(), 6, &automaton, &mut visited);
    let corners = |cube: &Cube| {
        let (row, column) = Corners::coordinates(cube);
        Corners::index(row, column)
    };
    let six = Edges::new(Metric::Htm, edges::KORF).expect("six edges");
    let series = vec![
        Series { name: "corners, 42 MiB", points: shares(&visited, corners) },
        Series {
            name: "six edges, 20 MiB",
            points: shares(&visited, |cube| six.index(&edges_by_cubie(cube))),
        },
    ];
    Chart {
        axes: ["distance to the lookup before, in bytes", "lookups within it, in percent"],
        log: false,
        x_label: bytes,
        legend: SeriesLabelPosition::UpperLeft,
        series,
    }
    .draw()
}

/// Depth first, as IDA* goes: a node, then its children one after the other.
fn visit(cube: &Cube, state: StateId, depth: u32, automaton: &Automaton, visited: &mut Vec<Cube>) {
    if visited.len() == NODES {
        return;
    }
    visited.push(*cube);
    if depth == 0 {
        return;
    }
    for &turn in Metric::Htm.turns() {
        let op = Metric::Htm.operator(turn).expect("a turn of the metric");
        if let Some(next) = automaton.next(state, op) {
            visit(&cube.apply(turn), next, depth - 1, automaton, visited);
        }
    }
}

/// Where each edge is, and whether it is flipped there.
fn edges_by_cubie(cube: &Cube) -> [u8; 16] {
    let mut by_cubie = [0; 16];
    for (location, edge) in (0..).zip(cube.edges()) {
        by_cubie[usize::from(edge & 15)] = location | edge & 16;
    }
    by_cubie
}

/// For each power of two, the share of lookups within that number of bytes of the one before; a byte
/// has two entries.
fn shares(visited: &[Cube], index: impl Fn(&Cube) -> usize) -> Vec<(f64, f64)> {
    let places: Vec<usize> = visited.iter().map(|cube| index(cube) / 2).collect();
    let jumps: Vec<usize> = places.windows(2).map(|pair| pair[0].abs_diff(pair[1])).collect();
    let share =
        |bits: u32| jumps.iter().filter(|jump| **jump < 1 << bits).count() as f64 / jumps.len() as f64;
    (0..=26).step_by(2).map(|bits| (f64::from(bits), 100.0 * share(bits))).collect()
}

/// Formats a power of two, given its exponent, as a number of bytes.
fn bytes(exponent: f64) -> String {
    let exponent = exponent.round() as u32;
    let unit = ["", " Ki", " Mi"][(exponent / 10) as usize];
    format!("{}{unit}", 1 << (exponent % 10))
}
