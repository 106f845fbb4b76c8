//! The matrix of searches: all of them find the same length, and the referee agrees.
//!
//! Every heuristic runs through all combinations of kernel, threads and instructions, of the
//! position and its inverse, spread over 200 seeded cubes. Lengths up to nine moves are compared with
//! breadth-first search, longer ones with each other.

use super::common::{
    self,
    reference::{self, Ball},
};
use crate::heuristics::Instructions;
use crate::solver::FaceSolver;
use crate::tables::{Pattern, TableId};
use crate::{Cube, Metric, Turn};
use search_core::ida::{Config, Kernel, Wanted};
use search_core::record::Iteration;
use search_core::table::Recipe;
use search_core::{Ending, Run};
use std::sync::OnceLock;

const KERNELS: [Kernel; 4] = [
    Kernel::DepthFirst,
    Kernel::Interleaved { lanes: 1 },
    Kernel::Interleaved { lanes: 3 },
    Kernel::Interleaved { lanes: 8 },
];
const INSTRUCTIONS: [Instructions; 2] = [Instructions::Best, Instructions::Portable];

/// The reach of the reference implementation: a ball of five moves, and four moves beyond it.
const REACH: u32 = 9;
const BEYOND: usize = 4;

/// A seeded cube, and its distance if the reference implementation reaches it.
struct Case {
    cube: Cube,
    /// The length of the random walk that made it, which is at least its distance.
    walk: u32,
    exact: Option<u32>,
    /// The length that the first solver of the inverse or the position found.
    found: OnceLock<u32>,
}

impl Case {
    /// Checks a length against the distance and all other searches.
    fn check(&self, length: u32, engine: &str) {
        match self.exact {
            Some(exact) => assert_eq!(length, exact, "{engine} on {:?}", self.cube),
            None => assert!((REACH + 1..=self.walk).contains(&length), "{engine} on {:?}", self.cube),
        }
        let first = *self.found.get_or_init(|| length);
        assert_eq!(length, first, "{engine} on {:?}", self.cube);
    }
}

/// `count` random walks of 0 to `longest` moves.
fn cases(metric: Metric, ball: &Ball, count: usize, longest: usize, seed: u64) -> Vec<Case> {
    let rng = &mut common::rng(seed);
    (0..count)
        .map(|i| {
            let walk = i % (longest + 1);
            let cube = common::random_walk(rng, metric, walk);
            Case { cube, walk: walk as u32, exact: ball.meet(&cube, BEYOND), found: OnceLock::new() }
        })
        .collect()
}

fn half_turn_cases() -> &'static [Case] {
    static CASES: OnceLock<Vec<Case>> = OnceLock::new();
    CASES.get_or_init(|| cases(Metric::Htm, reference::htm(), 200, 12, 1997))
}

/// The single shortest solution, replayed, and the complete iterations.
fn solve(
    solver: &FaceSolver,
    cube: &Cube,
    kernel: impl Into<Option<Kernel>>,
    threads: usize,
) -> (Vec<Turn>, Vec<Iteration>) {
    let config = Config::default().kernel(kernel.into());
    let solved = solver.solve(cube, &config, &Run::new().with_threads(threads)).unwrap();
    let Ending::Optimal { length, solutions, complete } = solved.ending else {
        panic!("{cube:?} is not solved: {:?}", solved.ending)
    };
    assert!(complete && solutions.len() == 1);
    common::replay(cube, &solutions[0], solver.metric(), length);
    assert!(u32::from(solver.value(cube)) <= length);
    let complete = solved.iterations.into_iter().filter(|iteration| iteration.complete);
    let untimed = complete.map(|iteration| Iteration { seconds: 0.0, ..iteration });
    (solutions.into_iter().next().expect("one"), untimed.collect())
}

/// Runs one heuristic on all cases whose walk has at most `longest` moves.
fn run(solvers: &[FaceSolver; 2], cases: &[Case], longest: u32) {
    let name = solvers[0].heuristic().to_string();
    for (i, case) in cases.iter().enumerate().filter(|(_, case)| case.walk <= longest) {
        // Among the cases, each kernel runs with each set of instructions and each number of threads.
        let (kernel, other) = (KERNELS[i % 4], KERNELS[(i + 1 + i / 4 % 3) % 4]);
        let (solver, second) = (&solvers[i / 4 % 2], &solvers[i / 8 % 2]);
        let (solution, iterations) = solve(solver, &case.cube, kernel, 1);
        case.check(solution.len() as u32, &name);
        let (same, counts) = solve(second, &case.cube, other, 2);
        assert_eq!(solution, same, "{name}, {kernel:?}, {other:?}: the answer depends on the engine");
        assert_eq!(iterations, counts, "{name}, {kernel:?}, {other:?}: the counts depend on the engine");
        let (inverse, _) = solve(second, &case.cube.inverse(), kernel, 1 + i / 16 % 2);
        case.check(inverse.len() as u32, &name);
    }
}

fn run_all(heuristics: &[(&str, u32)]) {
    for &(name, longest) in heuristics {
        let solvers = INSTRUCTIONS.map(|instructions| common::solver(name, Metric::Htm, instructions));
        run(&solvers, half_turn_cases(), longest);
    }
}

#[test]
fn cosets_along_some_axes_find_exact_lengths() {
    run_all(&[("coset-1", 10), ("coset-2", 11), ("coset-3", 12)]);
}

#[test]
fn square_cosets_find_exact_lengths() {
    run_all(&[("square-0", 12), ("square-1", 12)]);
}

#[test]
fn cosets_with_the_inverse_find_exact_lengths() {
    run_all(&[("coset-1i", 11), ("coset-2i", 12), ("coset-3i", 12)]);
}

#[test]
fn patterns_of_1997_find_exact_lengths() {
    run_all(&[("korf97", 12), ("corners", 11), ("edges6", 10)]);
}

#[test]
fn many_lookups_of_one_table_find_exact_lengths() {
    run_all(&[("hoey:5", 11), ("corners+hoey:96", 7), ("corners+edges:UR,UF,DL,DB", 11)]);
}

#[test]
fn weak_heuristics_find_exact_lengths_near_the_goal() {
    let weak = ["manhattan-all", "manhattan-max", "manhattan-edges", "edges:UR", "edges:FR,DL+edges:BL"];
    run_all(&weak.map(|name| (name, 5)));
}

#[test]
fn quarter_turns_find_exact_lengths_and_skip_bounds() {
    let ball = reference::qtm();
    let cases = cases(Metric::Qtm, ball, 100, 7, 12);
    for name in ["manhattan-all", "manhattan-max", "manhattan-edges", "edges:UR,UF,UL,UB+edges:DR,FR,FL"] {
        let solvers = INSTRUCTIONS.map(|instructions| common::solver(name, Metric::Qtm, instructions));
        run(&solvers, &cases, 7);
    }
    // The parity of the distance is known, so every second bound is skipped.
    let solver = common::solver("manhattan-max", Metric::Qtm, Instructions::Best);
    let (_, iterations) = solve(&solver, &cases[5].cube, Kernel::DepthFirst, 1);
    assert!(iterations.iter().all(|iteration| iteration.bound % 2 == cases[5].walk % 2));
}

#[test]
fn filled_and_loaded_tables_are_equivalent() {
    let name = "edges:UR,UF,UL,UB+edges:DR,FR,FL,BL";
    let heuristic = common::heuristic(name);
    for metric in [Metric::Htm, Metric::Qtm] {
        let tables: Vec<_> = heuristic.tables(metric).into_iter().map(common::filled).collect();
        for (id, filled, _) in &tables {
            let loaded = id.get(common::store(), &Run::new()).expect("built or loaded").0;
            assert_eq!(filled.as_bytes(), loaded.as_bytes());
        }
        let filled = FaceSolver::new(&heuristic, metric, tables, Instructions::Best);
        let loaded = common::solver(name, metric, Instructions::Best);
        for case in half_turn_cases().iter().filter(|case| case.walk <= 4) {
            for kernel in KERNELS {
                let same = solve(&loaded, &case.cube, kernel, 2);
                assert_eq!(solve(&filled, &case.cube, kernel, 1), same);
            }
        }
    }
}

/// The solver loads and builds its tables itself, on the given number of threads.
#[test]
fn a_solver_gets_its_own_tables() {
    let dir = tempfile::tempdir().unwrap();
    let store = search_core::table::Store::new(dir.path(), "test");
    let heuristic = common::heuristic("edges:UR,UF,UL,UB");
    let load = || {
        FaceSolver::load(&heuristic, Metric::Htm, Instructions::Best, &store, &Run::new().with_threads(2))
            .unwrap()
    };
    let (built, loaded) = (load(), load());
    assert_eq!(built.tables(), loaded.tables());
    let id = TableId { pattern: Pattern::Edges(0xf), metric: Metric::Htm };
    let header = store.verify(&id.name(), &Run::new()).unwrap();
    assert_eq!(header.checksum(), built.tables()[0].checksum);
    let case = &half_turn_cases()[5];
    assert_eq!(solve(&built, &case.cube, None, 2), solve(&loaded, &case.cube, None, 2));
}

/// All canonical solutions up to `extra` moves longer than the shortest.
fn all(
    solver: &FaceSolver,
    cube: &Cube,
    extra: u32,
    kernel: impl Into<Option<Kernel>>,
    threads: usize,
) -> Vec<Vec<Turn>> {
    let config = Config::default().kernel(kernel.into()).wanted(Wanted::All { extra });
    let solved = solver.solve(cube, &config, &Run::new().with_threads(threads)).unwrap();
    let Ending::Optimal { length, solutions, complete } = solved.ending else {
        panic!("{cube:?} is not solved: {:?}", solved.ending)
    };
    assert!(complete && solutions[0].len() as u32 == length);
    for solution in &solutions {
        common::replay(cube, solution, solver.metric(), solution.len() as u32);
    }
    solutions
}

/// Two-sided search, one-sided search and plain enumeration find the same sets.
#[test]
fn all_solutions_are_found_by_every_heuristic() {
    let solvers = ["coset-3i", "korf97", "coset-3", "square-1"];
    let solvers = solvers.map(|name| common::solver(name, Metric::Htm, Instructions::Best));
    let rng = &mut common::rng(9);
    let checkerboard = crate::notation::scramble::parse("M2 E2 S2").expect("moves").cube();
    let walks = (0..20).map(|i| common::random_walk(rng, Metric::Htm, i % 10));
    let mut most = 0;
    for (i, cube) in walks.chain([checkerboard]).enumerate() {
        let exact = reference::htm().meet(&cube, BEYOND).expect("at most nine moves");
        for extra in 0..=1 {
            let plain = reference::htm().solutions(&cube, exact + extra);
            most = most.max(plain.len());
            for (j, solver) in solvers.iter().enumerate() {
                let found = all(solver, &cube, extra, KERNELS[(i + j) % 4], 1 + (i + extra as usize) % 2);
                assert_eq!(found, plain, "{} on {cube:?}, {extra} longer", solver.heuristic());
            }
        }
    }
    assert!(most >= 6, "the order of three slices does not matter: {most}");
}

/// All searches leave out exactly the longer solutions that visit a position twice. R2 is its own inverse, so
/// solutions are also found as others read backwards.
#[test]
fn longer_solutions_have_no_loop() {
    let solvers = ["coset-3i", "korf97", "coset-3", "square-1"];
    let solvers = solvers.map(|name| common::solver(name, Metric::Htm, Instructions::Best));
    for (text, length) in [("R U", 10), ("R2", 9)] {
        let cube = crate::notation::scramble::parse(text).expect("moves").cube();
        let mut plain = reference::htm().solutions(&cube, length);
        let found = plain.len();
        plain.retain(|turns| !reference::has_loop(turns));
        assert!(plain.len() < found, "the test sees solutions with loops");
        for solver in &solvers {
            assert_eq!(all(solver, &cube, 8, None, 2), plain, "{} on {text}", solver.heuristic());
        }
    }
}

/// Twenty cubes at distance 13: the first ones in a seeded sequence of random walks.
#[test]
#[ignore = "fills square-4, and the patterns of 1997 take a second or two a cube"]
fn all_solutions_at_distance_thirteen() {
    let [square, patterns] =
        ["square-4", "korf97"].map(|name| common::solver(name, Metric::Htm, Instructions::Best));
    let (rng, threads) = (&mut common::rng(13), Run::new().threads());
    let (mut cubes, mut most) = (0, 0);
    while cubes < 20 {
        let cube = common::random_walk(rng, Metric::Htm, 14);
        let found = all(&square, &cube, 0, None, threads);
        if found[0].len() == 13 {
            assert_eq!(found, all(&patterns, &cube, 0, None, threads), "{cube:?}");
            (cubes, most) = (cubes + 1, most.max(found.len()));
        }
    }
    println!("{cubes} cubes, up to {most} solutions");
}

#[test]
fn all_solutions_in_quarter_turns() {
    let solver = common::solver("edges:UR,UF,UL,UB+edges:DR,FR,FL", Metric::Qtm, Instructions::Best);
    let rng = &mut common::rng(9);
    for i in 0..20 {
        let cube = common::random_walk(rng, Metric::Qtm, i % 6);
        let exact = reference::qtm().meet(&cube, BEYOND).expect("at most nine moves");
        for extra in [0, 2] {
            let found = all(&solver, &cube, extra, KERNELS[i % 4], 1 + i % 2);
            assert_eq!(found, reference::qtm().solutions(&cube, exact + extra), "{cube:?}, {extra} longer");
        }
    }
}

#[test]
fn the_superflip_is_not_solved_in_ten_moves() {
    let superflip = "U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2";
    let superflip = crate::notation::scramble::parse(superflip).expect("moves").cube();
    for name in ["coset-3i", "coset-1", "korf97", "square-0"] {
        let solver = common::solver(name, Metric::Htm, Instructions::Best);
        for kernel in KERNELS {
            let config = Config::default().kernel(kernel).max_bound(10);
            let solved = solver.solve(&superflip, &config, &Run::new().with_threads(2)).unwrap();
            let Ending::Bounded { lower_bound, .. } = solved.ending else { panic!("{:?}", solved.ending) };
            assert!((11..=20).contains(&lower_bound), "{name}: {lower_bound}");
            assert!(solved.iterations.iter().all(|iteration| iteration.complete && iteration.bound <= 10));
        }
    }
}
