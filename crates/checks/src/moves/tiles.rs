//! Walks of the tiles: the heuristics of Korf & Taylor 1996, learned groups, additive pattern
//! databases, and the referee's board.

use crate::input::Input;
use search_core::heuristic::{Batch, ChildBound, Heuristic, NodeRef};
use search_core::memory::Memory;
use search_core::{Domain, Op, OpSet, Run};
use slidetile::board::letter;
use slidetile::heuristic::additive::Tables;
use slidetile::heuristic::classic::{NARROW, WIDE};
use slidetile::heuristic::explain::explain;
use slidetile::heuristic::{Additive, Classic, Grouped, Parts};
use slidetile::pdb::Plan;
use slidetile::{Board, Puzzle, Tiles};
use std::sync::LazyLock;

/// The parts that are compared with their explanation.
const PARTS: [Parts; 4] = [
    Parts::MANHATTAN,
    Parts::CONFLICTS,
    Parts { conflicts: false, last_moves: 2, corners: false },
    Parts::ALL,
];

/// A board and goal with its heuristics of each of the [`PARTS`].
struct Built<const W: usize> {
    puzzle: Puzzle,
    classic: Vec<Classic<W>>,
}

fn built<const W: usize>(sizes: &[(usize, usize)]) -> Vec<Built<W>> {
    let puzzles = sizes.iter().flat_map(|&(rows, cols)| {
        let board = Board::new(rows, cols).expect("a size of a board");
        [Puzzle::blank_first(board), Puzzle::new(board, Tiles::blank_last(board))]
    });
    let built = puzzles.map(|puzzle| {
        let classic = PARTS.iter().map(|&parts| Classic::new(&puzzle, parts)).collect();
        Built { puzzle, classic }
    });
    built.collect()
}

static NARROW_BOARDS: LazyLock<Vec<Built<NARROW>>> =
    LazyLock::new(|| built(&[(2, 2), (3, 2), (2, 5), (3, 3), (4, 4), (5, 5)]));
static WIDE_BOARDS: LazyLock<Vec<Built<WIDE>>> = LazyLock::new(|| built(&[(6, 6), (2, 6)]));

/// Walks from the goal.
pub fn check(input: &mut Input<'_>) {
    let (board, parts) = (input.below(16), input.below(PARTS.len()));
    match board.checked_sub(NARROW_BOARDS.len()) {
        None => walk(&NARROW_BOARDS[board], parts, input),
        Some(wide) => walk(&WIDE_BOARDS[wide % WIDE_BOARDS.len()], parts, input),
    }
}

/// The operator that a byte chooses among those that apply.
fn chosen(puzzle: &Puzzle, tiles: &Tiles, byte: u8) -> Op {
    let ops: Vec<Op> = puzzle.applicable(tiles).into_iter().collect();
    ops[usize::from(byte) % ops.len()]
}

fn walk<const W: usize>(Built { puzzle, classic }: &Built<W>, parts: usize, input: &mut Input<'_>) {
    let (heuristic, board) = (&classic[parts], puzzle.board());
    let text = puzzle.goal().text(board);
    let mut theirs = referee::tiles::Board::parse(board.rows(), board.cols(), &text).expect("the goal");
    let mut tiles = *puzzle.goal();
    let mut carry = ChildBound::carry(heuristic, puzzle, &tiles);
    for (byte, made) in input.zip(1u32..) {
        let op = chosen(puzzle, &tiles, byte);
        let node = NodeRef { domain: puzzle, state: &tiles, carry: &carry };
        let mut memo = Default::default();
        let probe = ChildBound::locate(heuristic, node, op, 0);
        let value = ChildBound::<Puzzle>::read(heuristic, probe, 0, &mut memo);
        let child = puzzle.apply(&tiles, op);
        carry = ChildBound::carry_child(heuristic, node, op, &child, &memo);
        tiles = child;
        assert_eq!(carry, ChildBound::carry(heuristic, puzzle, &tiles), "carried");
        assert_eq!(value, ChildBound::value(heuristic, puzzle, &tiles), "updated and from scratch");
        assert_eq!(u32::from(value), explain(puzzle, PARTS[parts], &tiles).value(), "explained");
        assert!(u32::from(value) <= made, "{value} after {made} moves");
        let step = referee::tiles::parse_moves(&letter(op).to_string()).expect("a direction");
        theirs = theirs.after_all(&step).expect("a legal move");
        assert_eq!(theirs.to_string(), tiles.text(board), "the referee's board");
        assert!(tiles.solvable(board, puzzle.goal()));
    }
}

/// The 8-puzzle with the tables of a partition and of its reflection, and with pairs and triples.
struct Eight {
    puzzle: Puzzle,
    tables: Tables<Memory>,
    grouped: [Grouped; 2],
}

static EIGHT: LazyLock<Eight> = LazyLock::new(|| {
    let puzzle = Puzzle::blank_first(Board::new(3, 3).expect("a board"));
    let plan = Plan::new(&puzzle, &[vec![0b000_110_110, 0b111_001_000]]).expect("a corner");
    let fill = |pattern: &slidetile::pdb::Pattern| pattern.fill(&Run::new()).expect("memory").0;
    let tables = plan.patterns.iter().map(fill).collect();
    let tables = Tables::new(plan, tables);
    let grouped = [2, 3].map(|size| Grouped::new(&puzzle, size, &Run::new()));
    Eight { puzzle, tables, grouped }
});

/// Walks of the 8-puzzle from its goal, with tables.
pub fn patterns(input: &mut Input<'_>) {
    let Eight { puzzle, tables, grouped } = &*EIGHT;
    let mut tiles = *puzzle.goal();
    let start = tables.start(&tiles);
    let heuristic = Additive::<8, 2, _>::new(tables, &[0, 1], &start);
    let mut carry = heuristic.carry(puzzle, &tiles);
    for (byte, made) in input.zip(1u32..) {
        let op = chosen(puzzle, &tiles, byte);
        let child = puzzle.apply(&tiles, op);
        let node = NodeRef { domain: puzzle, state: &tiles, carry: &carry };
        let (mut scratch, mut updated) = (Default::default(), 0);
        for stage in 0..Heuristic::<Puzzle>::stages(&heuristic) {
            let batch = Batch { ops: OpSet::EMPTY.with(op), stage, limit: 0 };
            let sieved = heuristic.evaluate(node, batch, &mut scratch);
            updated = updated.max(if sieved.kept.is_empty() { sieved.least_cut } else { 0 });
        }
        let fresh = heuristic.value(puzzle, &child);
        assert_eq!(updated, u32::from(fresh), "updated and from scratch");
        assert_eq!(fresh, tables.value(&child), "read alone");
        carry = heuristic.carry_child(node, op, &child, &scratch);
        assert_eq!(heuristic.carry(puzzle, &child), carry, "carried");
        assert!(u32::from(fresh) <= made, "{fresh} after {made} moves");
        for grouped in grouped {
            let value = grouped.value(&child);
            assert!(u32::from(value) <= made, "{value} after {made} moves");
        }
        tiles = child;
    }
}
