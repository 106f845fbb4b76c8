//! The costs and benefits of pattern databases on this machine, before they are built.
//!
//! The idea: the number of nodes that the search of a random board expands depends only on the catalogue, so the
//! median was counted once. The nodes expanded and the bytes filled in a second depend on
//! the machine. Both are measured: one table is filled, and seeded boards are searched for some seconds with the
//! smallest catalogue. Its tables are read if they exist; otherwise they are built, and not kept.
//!
//! Limits: boards differ by orders of magnitude, so the estimate is a median. Long searches read
//! more partitions for each node than those of the calibration, by a factor that was measured once ([`LONG`]).
//! Other programs that run meanwhile reduce the measured speed.

use search_core::calibration;
use search_core::clock::Instant;
use search_core::progress::Silent;
use search_core::table::file::{Table, describe};
use search_core::table::{FileError, Recipe, Store, TableError, Tables, Unfinished};
use search_core::{Cancelled, Run};
use std::time::Duration;

use super::{Solver, SolverError};
use crate::heuristic::{HeuristicSpec, STANDARD_BYTES};
use crate::pdb::{Pattern, Plan};
use crate::puzzle::Puzzle;
use crate::random::Instances;

/// The budgets of memory whose catalogues are compared.
const BUDGETS: [u64; 6] = [1 << 28, 1 << 29, STANDARD_BYTES, 2 << 30, 4 << 30, 8 << 30];
/// The calibration: the seed of its boards, the nodes of a search, and the time after which no further search begins.
const SEED: u64 = 1996;
const NODES: u64 = 4_000_000;
const LONG_ENOUGH: Duration = Duration::from_secs(3);

/// The ratio between the rates of long searches of the 24-puzzle and of the calibration. Measured on an idle machine, two threads
/// of an AMD EPYC (Zen 5): 23.4 million nodes per second in the calibration; 15.1 and 13.3 million in searches of
/// numbers 39 and 43 of the fifty with `--memory 4GiB` that expanded 2.9 and 0.6 billion nodes.
const LONG: f64 = 0.61;

/// The pattern databases that fit an amount of memory.
#[derive(Clone, Debug)]
pub struct Catalogue {
    /// The heuristic that reads them.
    pub heuristic: HeuristicSpec,
    /// The memory for the heuristic.
    pub memory: u64,
    /// The tables and their partitions.
    pub plan: Plan,
}

impl Catalogue {
    /// The catalogues of a puzzle that can be built within `memory`, those with few tables first. Each has the least of
    /// some usual budgets that suffices; the last one uses all of `memory`, if that suffices for more tables.
    pub fn all(puzzle: &Puzzle, memory: u64) -> Vec<Catalogue> {
        let mut all: Vec<Catalogue> = Vec::new();
        for memory in BUDGETS.into_iter().filter(|budget| *budget < memory).chain([memory]) {
            let large = memory > STANDARD_BYTES;
            let heuristic = if large { HeuristicSpec::AllPatterns } else { HeuristicSpec::Patterns };
            let Some(plan) = heuristic.plan(puzzle, memory) else { continue };
            let catalogue = Catalogue { heuristic, memory, plan };
            let is_new =
                all.last().is_none_or(|last| last.plan.patterns.len() < catalogue.plan.patterns.len());
            if is_new && catalogue.peak_bytes() <= memory {
                all.push(catalogue);
            }
        }
        all
    }

    /// The bytes of all tables.
    pub fn bytes(&self) -> u64 {
        self.plan.patterns.iter().map(Pattern::bytes).sum()
    }

    /// The greatest number of bytes in memory while the tables are built.
    pub fn peak_bytes(&self) -> u64 {
        let fill = self.plan.patterns.iter().map(|pattern| pattern.peak_bytes() - pattern.bytes()).max();
        self.bytes() + fill.unwrap_or(0)
    }

    /// The median of the expanded nodes of random boards, where they were counted.
    pub fn median_nodes(&self, puzzle: &Puzzle) -> Option<f64> {
        let (board, frames) = (puzzle.board(), &self.plan.frames);
        if frames.blank() != 0 {
            return None;
        }
        let sides = [board.rows(), board.cols()];
        let of_board =
            |(rows, cols, _): &&(usize, usize, f64)| sides == [*rows, *cols] || sides == [*cols, *rows];
        let counted = COUNTED.iter().find(of_board)?.2;
        let is_chosen = sides == [5, 5];
        Some(if is_chosen { counted * relative_nodes(self.plan.patterns.len()) } else { counted })
    }
}

/// The median of the expanded nodes of random boards whose goal has the blank in a corner, by rows and columns.
///
/// 24-puzzle: between the 25th and the 26th of fifty, with `--memory 4GiB`
/// (`fixtures/sliding-tiles/fifty-by-pattern-databases.csv`; number 50, which it does not have, took the most nodes in
/// 2002). Others: a hundred boards, `tile24 random --count 100 --seed 1996`.
const COUNTED: [(usize, usize, f64); 4] = [(3, 4, 675.0), (3, 5, 5_200.0), (4, 4, 6_400.0), (5, 5, 7.4e8)];

/// Nodes of the best partition of the 24-puzzle by the number of tables, as geometric means over forty boards and
/// one bound (docs/measurements/tiles.md).
const BY_TABLES: [(f64, f64); 7] = [
    (4.0, 18_808.0),
    (8.0, 7_704.0),
    (16.0, 3_469.0),
    (46.0, 2_200.0),
    (92.0, 1_800.0),
    (189.0, 1_507.0),
    (367.0, 1_488.0),
];

/// The ratio between the nodes with `tables` tables of the 24-puzzle and those with 189: linear interpolation of
/// logarithms between the counts.
fn relative_nodes(tables: usize) -> f64 {
    let nodes = |tables: f64| {
        let above = BY_TABLES.partition_point(|(count, _)| *count < tables).clamp(1, BY_TABLES.len() - 1);
        let ((few, more), (many, fewer)) = (BY_TABLES[above - 1], BY_TABLES[above]);
        let share = ((tables / few).ln() / (many / few).ln()).clamp(0.0, 1.0);
        calibration::between(more, fewer, share)
    };
    nodes(tables as f64) / nodes(189.0)
}

/// The speed of this machine with all its threads.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Speed {
    /// The bytes of a pattern database filled in a second.
    pub filled: f64,
    /// The nodes expanded in a second, where the nodes of a board were counted.
    pub expanded: Option<f64>,
}

impl Speed {
    /// Measures for some seconds, with the first of some catalogues of a puzzle. Tables that are not in `store` are
    /// built and not kept.
    ///
    /// # Errors
    /// [`SolverError`]: cancelled, or a table is not available.
    pub fn measure(
        puzzle: &Puzzle,
        catalogues: &[Catalogue],
        store: &Store,
        run: &Run<'_>,
    ) -> Result<Option<Speed>, SolverError> {
        let Some(smallest) = catalogues.first() else { return Ok(None) };
        let (pattern, begun) = (&smallest.plan.patterns[0], Instant::now());
        pattern.fill(run).map_err(|problem| of(pattern, store, problem))?;
        let filled = pattern.table_bytes() as f64 / begun.elapsed().as_secs_f64();
        let expanded = match smallest.median_nodes(puzzle) {
            Some(_) => Some(expanded_per_second(puzzle, smallest, store, run)?),
            None => None,
        };
        Ok(Some(Speed { filled, expanded }))
    }

    /// The seconds for filling tables of `bytes` bytes.
    pub fn build_seconds(&self, bytes: u64) -> f64 {
        bytes as f64 / self.filled
    }

    /// The median of the seconds for random boards, where their nodes were counted.
    pub fn median_seconds(&self, catalogue: &Catalogue, puzzle: &Puzzle) -> Option<f64> {
        let (nodes, rate) = (catalogue.median_nodes(puzzle)?, self.expanded?);
        Some(if nodes > NODES as f64 { nodes / (LONG * rate) } else { nodes / rate })
    }
}

/// The problem of a table.
fn of(recipe: &dyn Recipe, store: &Store, problem: FileError) -> TableError {
    problem.of(&recipe.name(), &store.path(&recipe.name()))
}

/// The tables of a store; missing ones are built and not kept.
struct NotKept<'a>(&'a Store);

impl Tables for NotKept<'_> {
    fn table(&self, recipe: &dyn Recipe, run: &Run<'_>) -> Result<Table, TableError> {
        let NotKept(store) = self;
        if store.contains(&recipe.name()) {
            return store.get(recipe, run);
        }
        let built = recipe.build(&Unfinished::NOWHERE, run).map_err(|problem| of(recipe, store, problem))?;
        let header = describe(&recipe.spec(), built.depth, "calibration", &built.body, run);
        Ok(Table { path: store.path(&recipe.name()), header, body: built.body })
    }
}

/// The number of nodes expanded in a second of searching random boards.
fn expanded_per_second(
    puzzle: &Puzzle,
    catalogue: &Catalogue,
    store: &Store,
    run: &Run<'_>,
) -> Result<f64, SolverError> {
    let within = run.with_memory(catalogue.memory);
    let solver = Solver::load(puzzle.clone(), catalogue.heuristic, &NotKept(store), &within)?;
    let silent = run.with_progress(&Silent);
    let boards = Instances::new(puzzle.board(), *puzzle.goal(), SEED);
    calibration::median_of_trials(LONG_ENOUGH, boards, |tiles| {
        let stopped = |stopped: Cancelled| of(&catalogue.plan.patterns[0], store, stopped.into());
        let probe = solver.probe(&tiles, NODES, &silent).map_err(stopped)?;
        let (nodes, seconds) = probe.searched.iter().fold((0, 0.0), |(nodes, seconds), iteration| {
            (nodes + iteration.expanded, seconds + iteration.seconds)
        });
        Ok(Some(nodes as f64 / seconds.max(1e-9)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use crate::tiles::Tiles;

    fn blank_first(rows: usize, cols: usize) -> Puzzle {
        Puzzle::blank_first(Board::new(rows, cols).expect("a board"))
    }

    #[test]
    fn catalogues_grow_with_the_memory_and_fit_it() {
        let puzzle = blank_first(5, 5);
        for memory in [0, 100 << 20, 300 << 20, 1 << 30, 3 << 30, 10 << 30] {
            let all = Catalogue::all(&puzzle, memory);
            assert!(all.iter().all(|catalogue| catalogue.peak_bytes() <= catalogue.memory.min(memory)));
            let tables: Vec<usize> = all.iter().map(|catalogue| catalogue.plan.patterns.len()).collect();
            assert!(tables.is_sorted_by(|few, many| few < many), "{tables:?}");
            let nodes: Vec<f64> =
                all.iter().filter_map(|catalogue| catalogue.median_nodes(&puzzle)).collect();
            assert!(nodes.len() == all.len() && nodes.is_sorted_by(|more, fewer| more > fewer), "{nodes:?}");
            // The largest rate is the one that a search would reach.
            let most = HeuristicSpec::AllPatterns.patterns(&puzzle, memory).len();
            assert!(all.last().is_none_or(|last| last.plan.patterns.len() == most), "{memory}");
        }
        let counts = |memory| Catalogue::all(&puzzle, memory).len();
        assert_eq!([0, 300 << 20, 1 << 30, 10 << 30].map(counts), [0, 2, 3, 6]);
    }

    #[test]
    fn a_board_with_one_catalogue_has_one_and_large_boards_have_none() {
        let count = |rows, cols| Catalogue::all(&blank_first(rows, cols), 1 << 34).len();
        assert_eq!([(4, 4), (4, 5), (5, 6), (6, 6)].map(|(rows, cols)| count(rows, cols)), [1, 1, 1, 0]);
    }

    #[test]
    fn nodes_are_known_where_they_were_counted() {
        let median = |puzzle: &Puzzle| {
            Catalogue::all(puzzle, 1 << 33).last().and_then(|last| last.median_nodes(puzzle))
        };
        assert!(median(&blank_first(4, 3)).is_some_and(|nodes| nodes == 675.0));
        assert!(median(&blank_first(4, 5)).is_none());
        let board = Board::new(5, 5).expect("a board");
        let corner = Puzzle::new(board, Tiles::blank_last(board));
        assert_eq!(median(&corner), median(&blank_first(5, 5)), "all corners have the same tables");
        let mut middle: Vec<usize> = (1..25).collect();
        middle.insert(12, 0);
        assert!(median(&Puzzle::new(board, Tiles::new(board, &middle).expect("tiles"))).is_none());
    }

    #[test]
    fn interpolated_nodes_meet_the_counts_and_stay_within_them() {
        for (tables, nodes) in BY_TABLES {
            let relative = relative_nodes(tables as usize) * 1_507.0;
            assert!((relative / nodes - 1.0).abs() < 1e-9, "{tables}: {relative}");
        }
        assert_eq!(relative_nodes(1), relative_nodes(4));
        assert_eq!(relative_nodes(1000), relative_nodes(367));
        assert!((4..367).all(|tables| relative_nodes(tables + 1) <= relative_nodes(tables)));
    }

    #[test]
    fn the_speed_is_measured_without_keeping_tables() {
        let dir = tempfile::tempdir().expect("a directory");
        let (puzzle, store) = (blank_first(3, 4), Store::new(dir.path(), "test"));
        let run = Run::new().with_threads(1);
        let catalogues = Catalogue::all(&puzzle, 1 << 30);
        let speed =
            Speed::measure(&puzzle, &catalogues, &store, &run).expect("measured").expect("a catalogue");
        assert!(speed.filled > 0.0 && speed.expanded.is_some_and(|rate| rate > 0.0), "{speed:?}");
        assert!(store.list().expect("a directory").is_empty());
        let twice = Speed { filled: 2.0 * speed.filled, expanded: speed.expanded.map(|rate| 2.0 * rate) };
        let seconds = |speed: Speed| speed.median_seconds(&catalogues[0], &puzzle).expect("counted");
        assert!((seconds(speed) / seconds(twice) - 2.0).abs() < 1e-9);
        assert!((speed.build_seconds(1000) / twice.build_seconds(1000) - 2.0).abs() < 1e-9);
        run.cancel().cancel();
        assert!(Speed::measure(&puzzle, &catalogues, &store, &run).is_err());
        assert!(Speed::measure(&puzzle, &[], &store, &run).is_ok_and(|speed| speed.is_none()));
    }
}
