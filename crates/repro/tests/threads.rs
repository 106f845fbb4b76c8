//! Work starts no threads but those of its run: rayon's global pool never starts. The test needs a process of its own,
//! since each process has one global pool.

use cube::Metric;
use cube::analysis::tables::distribution;
use cube::shamir;
use cube::tables::{Pattern, TableId};
use hanoi4::bitmap::search::{NoPruning, Setup};
use hanoi4::corners::paths;
use hanoi4::goals::Goals;
use hanoi4::layer_search::{SearchOptions, search_layers};
use hanoi4::model::{Puzzle as Towers, State};
use hanoi4::pdb::Database;
use hanoi4::pegs::PegGroup;
use search_core::Run;
use search_core::frontier::{FrontierSearch, Options};
use search_core::table::{Recipe, Store, Unfinished};
use slidetile::random::Instances;
use slidetile::{Ask, HeuristicSpec, Pruning, Puzzle, Solver, SolverSetup, fsm};

fn cubes(store: &Store, run: &Run<'_>) {
    let heuristic: cube::HeuristicSpec = "edges:UR,UF,DL,FR".parse().expect("a heuristic");
    let cube = cube::notation::scramble::parse("R U F2").expect("moves").cube();
    let setup = cube::SolverSetup::new().heuristic(heuristic.clone());
    let solver = setup.load(store.clone(), run).expect("a solver");
    solver.solve(&cube::Ask::new(cube), run).expect("sound tables");
    for id in heuristic.tables(Metric::Htm) {
        let (table, _) = id.get(store, run).expect("a table");
        distribution(id, &table.nibbles(), run);
        store.verify(&id.name(), run).expect("a sound table");
    }
    TableId { pattern: Pattern::SquareFloor(0), metric: Metric::Htm }
        .build(&Unfinished::NOWHERE, run)
        .expect("a table");
    shamir::solve(&cube, Metric::Htm.turns(), 4, run);
}

fn tiles(store: &Store, run: &Run<'_>) {
    let puzzle = Puzzle::blank_first("3x3".parse().expect("a size"));
    let board = puzzle.board();
    let tiles = Instances::new(board, *puzzle.goal(), 1).next().expect("an instance");
    for heuristic in [HeuristicSpec::Patterns, HeuristicSpec::Pairs] {
        let setup = SolverSetup::from(heuristic).pruning(Pruning::Learned(10));
        let solver = Solver::load(puzzle.clone(), setup, store, run).expect("a solver");
        solver.solve(&Ask::new(tiles), run).expect("it has a solution");
    }
    fsm::branching_factor(board, &fsm::inverse_automaton(), run);
}

fn towers(run: &Run<'_>) {
    let puzzle = Towers::new(9, 4).expect("a size");
    let setup = Setup::new(9, 5, PegGroup::trivial());
    search_layers(setup, &NoPruning, &SearchOptions::default(), run).expect("a complete search");
    Database::compressed(8, 2, Goals::Middle, run).expect("a database");
    let ends = (State::START, State::all_on(3, 9));
    paths::shortest_path(&puzzle, ends, 99, &run.with_memory(1 << 30)).expect("memory");
    let mut search = FrontierSearch::new(&puzzle, Options::in_memory(2), [State::START]).expect("memory");
    search.step(run).expect("memory");
}

#[test]
fn no_work_starts_the_global_pool() {
    let dir = tempfile::tempdir().expect("a directory");
    let store = Store::new(dir.path(), "test");
    for threads in [1, 2] {
        let run = Run::new().with_threads(threads);
        cubes(&store, &run);
        tiles(&store, &run);
        towers(&run);
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1);
    assert!(pool.build_global().is_ok(), "something outside of its run's threads started the pool");
}
