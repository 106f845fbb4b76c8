//! The kernel of the sums of pattern databases expands the nodes of the plain kernel, and finds its solutions.

use search_core::ida::{Config, Kernel, Order, Wanted, search};
use search_core::memory::Memory;
use search_core::record::Iteration;
use search_core::testing::Random;
use search_core::{Automaton, Domain, Ending, Op, Report, Run};
use slidetile::heuristic::Additive;
use slidetile::heuristic::additive::Tables;
use slidetile::pdb::{Frames, Plan};
use slidetile::random::Instances;
use slidetile::{Board, Puzzle, Tiles, fsm};

/// Tables of some random partitions of the tiles into patterns of at most `most` tiles.
fn tables(puzzle: &Puzzle, partitions: usize, most: usize, random: &mut Random) -> Tables<Memory> {
    let blank = usize::from(Frames::of(puzzle).blank());
    let partition = |_| {
        let mut homes: Vec<usize> = (0..puzzle.board().cells()).filter(|&home| home != blank).collect();
        (1..homes.len()).rev().for_each(|last| homes.swap(last, random.below(last + 1)));
        homes.chunks(most).map(|homes| homes.iter().fold(0, |set, home| set | 1 << home)).collect()
    };
    let partitions: Vec<Vec<u32>> = (0..partitions).map(partition).collect();
    let plan = Plan::new(puzzle, &partitions).expect("a small board");
    let filled = plan.patterns.iter().map(|pattern| pattern.fill(&Run::new()).expect("memory").0).collect();
    Tables::new(plan, filled)
}

/// The bound of an iteration, whether it is complete, and its counts of nodes.
type Nodes = (u32, bool, [u64; 4]);

/// The nodes of an iteration, without the stages that pruned them and the time.
fn nodes(iteration: &Iteration) -> Nodes {
    let Iteration { bound, complete, generated, expanded, pruned_by_heuristic, pruned_by_fsm, .. } =
        iteration;
    (*bound, *complete, [*generated, *expanded, *pruned_by_heuristic, *pruned_by_fsm])
}

/// The nodes of the complete iterations, and the ending.
fn outcome(report: Report<Vec<Op>>) -> (Vec<Nodes>, Ending<Vec<Op>>) {
    let complete = report.iterations.iter().filter(|iteration| iteration.complete);
    (complete.map(nodes).collect(), report.ending)
}

/// Searches a board with some kernels and numbers of threads, and compares them with the plain kernel.
fn compare<const P: usize, const Q: usize>(
    (puzzle, automaton): (&Puzzle, &Automaton),
    (tables, chosen): (&Tables<Memory>, &[usize]),
    tiles: &Tiles,
    config: &Config,
) -> u32 {
    let start = tables.start(tiles);
    let heuristic = Additive::<P, Q, _>::new(tables, chosen, &start);
    let outcome = |kernel: Option<Kernel>, threads| {
        let (config, run) = (config.clone().kernel(kernel), Run::new().with_threads(threads));
        outcome(search(puzzle, &heuristic, automaton, tiles, &config, &run))
    };
    let plain = outcome(Some(Kernel::DepthFirst), 1);
    for (lanes, threads) in [(1, 1), (3, 2), (8, 1)] {
        let own = outcome(Some(Kernel::Own { lanes }), threads);
        assert_eq!(own, plain, "{lanes} lanes, {threads} threads, {}", tiles.text(puzzle.board()));
    }
    assert_eq!(outcome(None, 1), plain, "the heuristic's kernel");
    match plain.1 {
        Ending::Optimal { length, .. } => length,
        other => panic!("{other:?}"),
    }
}

/// Complete and cut short iterations, searches for the first solution and for all, in both orders.
fn configs() -> [Config; 5] {
    [
        Config::default(),
        Config::default().order(Order::Operators),
        Config::default().full_last_iteration(true),
        Config::default().full_last_iteration(true).order(Order::Operators),
        Config::default().wanted(Wanted::All { extra: 0 }),
    ]
}

#[test]
fn the_kernel_of_the_sums_expands_the_nodes_of_the_plain_one() {
    let board = Board::new(3, 3).expect("a board");
    let goals = ["0 1 2 3 4 5 6 7 8", "1 2 3 4 5 6 7 0 8", "1 2 3 8 0 4 7 6 5"];
    let mut random = Random::new(5);
    for (goal, most) in goals.into_iter().flat_map(|goal| [2, 3, 4].map(|most| (goal, most))) {
        let puzzle = Puzzle::new(board, Tiles::parse(goal, Some(board)).expect("tiles").1);
        let tables = tables(&puzzle, 5, most, &mut random);
        let all: Vec<usize> = (0..tables.plan().partitions.len()).collect();
        let automata = [fsm::inverse_automaton(), Automaton::unrestricted(4)];
        let mut lengths = 0;
        for (number, tiles) in Instances::new(board, *puzzle.goal(), 3).take(3).enumerate() {
            let searched = (&puzzle, &automata[usize::from(number == 0 && most == 4)]);
            for config in &configs() {
                lengths += compare::<32, 8>(searched, (&tables, &all[..all.len().min(8)]), &tiles, config);
                lengths += compare::<16, 4>(searched, (&tables, &all[1..4]), &tiles, config);
                lengths += compare::<8, 2>(searched, (&tables, &all[..1]), &tiles, config);
            }
        }
        assert!(lengths > 3 * 15 * 15, "{lengths}");
    }
}

/// Boards of two sizes whose patterns share tables by reflection, or do not.
#[test]
fn the_kernel_of_the_sums_expands_the_nodes_of_the_plain_one_on_larger_boards() {
    let mut random = Random::new(8);
    for (rows, cols, most, moves) in [(4, 4, 5, 70), (3, 5, 5, 70), (5, 4, 4, 40)] {
        let board = Board::new(rows, cols).expect("a board");
        let puzzle = Puzzle::blank_first(board);
        let tables = tables(&puzzle, 3, most, &mut random);
        let all: Vec<usize> = (0..tables.plan().partitions.len()).collect();
        for _ in 0..3 {
            let mut tiles = *puzzle.goal();
            for _ in 0..moves {
                let ops: Vec<Op> = puzzle.applicable(&tiles).into_iter().collect();
                tiles = puzzle.apply(&tiles, ops[random.below(ops.len())]);
            }
            let searched = (&puzzle, &fsm::inverse_automaton());
            for config in &configs()[..3] {
                compare::<32, 8>(searched, (&tables, &all), &tiles, config);
                compare::<8, 2>(searched, (&tables, &all[..1]), &tiles, config);
            }
        }
    }
}
