//! The theory of Korf & Taylor 1996: learned groups, compared with a reference implementation and the paper's examples.

use crate::zero_one;
use search_core::{Heuristic, Run};
use slidetile::board::MAX_CELLS;
use slidetile::heuristic::Grouped;
use slidetile::heuristic::classic::{Classic, NARROW, Parts};
use slidetile::heuristic::grouped::Group;
use slidetile::random::Instances;
use slidetile::{Board, Puzzle, Tiles};

fn board(size: &str) -> Board {
    size.parse().expect("a size")
}

/// The reference implementation: a search over all placements of the group and the blank's cell, one by one.
fn plain_costs(board: Board, homes: &[usize], blank: usize) -> Vec<u8> {
    let cells = board.cells();
    let size = homes.len() + 1;
    let number = |at: &[u8]| at.iter().rev().fold(0, |number, &cell| number * cells + usize::from(cell));
    let digits = |mut number: usize| {
        let mut at = vec![0u8; size];
        for digit in &mut at {
            *digit = (number % cells) as u8;
            number /= cells;
        }
        at
    };
    let mut goal: Vec<u8> = homes.iter().map(|&home| home as u8).collect();
    goal.push(blank as u8);
    zero_one::distances(cells.pow(size as u32), [number(&goal)], |state, each| {
        let at = digits(state);
        let blank = usize::from(at[size - 1]);
        for cell in board.neighbours(blank) {
            let mut after = at.clone();
            after[size - 1] = cell as u8;
            let tile = at[..size - 1].iter().position(|&other| usize::from(other) == cell);
            if let Some(tile) = tile {
                after[tile] = blank as u8;
            }
            each(number(&after), tile.is_some());
        }
    })
}

/// The least cost of each placement over the blank's cells, with the cells of the tiles.
fn least_costs(board: Board, homes: &[usize], blank: usize) -> Vec<(Vec<usize>, usize)> {
    let (cells, tiles) = (board.cells(), homes.len() as u32);
    let costs = plain_costs(board, homes, blank);
    let places =
        |number: usize| -> Vec<usize> { (0..tiles).map(|tile| number / cells.pow(tile) % cells).collect() };
    let least = |number: usize| {
        let at = places(number);
        let blanks = (0..cells).filter(|cell| !at.contains(cell));
        let cost = blanks.map(|cell| costs[number + cell * cells.pow(tiles)]).min();
        let distinct = (1..at.len()).all(|tile| !at[..tile].contains(&at[tile]));
        distinct.then(|| (at, usize::from(cost.expect("room for the blank"))))
    };
    (0..cells.pow(tiles)).filter_map(least).collect()
}

/// The puzzle whose goal has the tiles in order and the blank in a cell.
fn puzzle(board: Board, blank: usize) -> Puzzle {
    let mut tiles: Vec<usize> = (1..board.cells()).collect();
    tiles.insert(blank, 0);
    Puzzle::new(board, Tiles::new(board, &tiles).expect("a permutation"))
}

#[test]
fn single_tiles_learn_manhattan_distance() {
    for (size, blank) in [("3x3", 0), ("3x4", 11), ("4x4", 5), ("5x5", 0)] {
        let board = board(size);
        for home in (0..board.cells()).filter(|&home| home != blank) {
            for (at, cost) in least_costs(board, &[home], blank) {
                assert_eq!(cost, board.distance(at[0], home), "{size}: tile of {home} at {}", at[0]);
            }
        }
    }
}

#[test]
fn learned_costs_are_those_of_a_plain_search() {
    for (size, blank, homes) in [
        ("3x3", 0, vec![1, 2, 4, 5]),
        ("3x3", 4, vec![0, 1, 3]),
        ("2x4", 7, vec![0, 2, 3]),
        ("4x4", 0, vec![1, 4]),
    ] {
        let board = board(size);
        let group = Group::learn(&puzzle(board, blank), &homes);
        for (at, cost) in least_costs(board, &homes, blank) {
            let mut positions = [0; MAX_CELLS];
            group.tiles.iter().zip(&at).for_each(|(&tile, &cell)| positions[usize::from(tile)] = cell);
            let distance: usize =
                at.iter().zip(&homes).map(|(&cell, &home)| board.distance(cell, home)).sum();
            assert_eq!(distance + group.excess(&positions) as usize, cost, "{size} {at:?}");
        }
    }
}

#[test]
fn pairs_of_the_24_puzzle_find_the_papers_three_kinds_and_no_other() {
    let puzzle = Puzzle::blank_first(board("5x5"));
    let counts = Grouped::new(&puzzle, 2, &Run::new()).excesses_of_pairs();
    assert!(counts.keys().all(|(kind, _)| kind.is_some()), "{counts:?}");
    for kind in ["linear conflict", "corner", "last move"] {
        assert!(counts.contains_key(&(Some(kind), 2)), "{kind}: {counts:?}");
    }
}

/// The tiles in order, after exchanging the contents of some cells.
fn exchanged(board: Board, exchanges: &[(usize, usize)]) -> Tiles {
    let mut cells: Vec<usize> = (0..board.cells()).collect();
    exchanges.iter().for_each(|&(a, b)| cells.swap(a, b));
    Tiles::new(board, &cells).expect("a permutation")
}

#[test]
fn triples_recover_what_pairs_lose() {
    let board = board("4x4");
    let puzzle = Puzzle::blank_first(board);
    let (pairs, triples) = (Grouped::new(&puzzle, 2, &Run::new()), Grouped::new(&puzzle, 3, &Run::new()));
    let value = |tiles: &Tiles| {
        let conflicts = Classic::<NARROW>::new(&puzzle, Parts::CONFLICTS);
        [pairs.value(tiles), triples.value(tiles), conflicts.value(&puzzle, tiles)]
    };
    // Three reversed tiles in the last row: pairs count one conflict, triples both.
    let row = exchanged(board, &[(13, 15)]);
    let distance = Classic::<NARROW>::new(&puzzle, Parts::MANHATTAN).value(&puzzle, &row);
    let [by_pairs, by_triples, by_lines] = value(&row);
    assert!(by_pairs < by_triples && by_triples >= by_lines, "{distance} {by_pairs} {by_triples} {by_lines}");
    // A wrong corner with both neighbours in place: pairs move one of them, triples both.
    let corner = exchanged(board, &[(15, 6)]);
    let corners = Classic::<NARROW>::new(&puzzle, Parts { conflicts: true, last_moves: 0, corners: true });
    let [by_pairs, by_triples, _] = value(&corner);
    assert!(by_pairs < by_triples && by_triples >= corners.value(&puzzle, &corner));
}

#[test]
fn learned_groups_are_between_manhattan_distance_and_the_exact_distance() {
    let board = board("4x4");
    let puzzle = Puzzle::blank_first(board);
    let (pairs, triples) = (Grouped::new(&puzzle, 2, &Run::new()), Grouped::new(&puzzle, 3, &Run::new()));
    let manhattan = Classic::<NARROW>::new(&puzzle, Parts::MANHATTAN);
    for start in Instances::new(board, *puzzle.goal(), 3).take(20) {
        let (low, mid, high) = (manhattan.value(&puzzle, &start), pairs.value(&start), triples.value(&start));
        assert!(low <= mid && mid <= high, "{low} {mid} {high}");
    }
}
