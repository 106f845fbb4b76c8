//! Text that a person types: cubes, masks, tiles, pegs, sizes, durations and names.
//!
//! Each parser must return, whatever the text, and its errors must be printable. What it accepts, it
//! must read again from what is printed. Where the referee reads the same notation, both must accept
//! the same texts and mean the same by them.

use crate::input::Input;
use crate::sizes;
use cube::mask::Pieces;
use cube::notation::{self, Format, Given, facelets, reid, scramble};
use cube::{Cube, HeuristicSpec, Mask};
use referee::hanoi::Towers;
use slidetile::{Board, Pruning, Tiles};
use std::fmt::{Debug, Display};
use std::str::FromStr;

/// Checks a text; the first byte selects what it is.
///
/// # Panics
/// When a promise is broken.
pub fn check(data: &[u8]) {
    let mut input = Input(data);
    let kind = input.below(9);
    match kind {
        1 => tiles(&mut input),
        2 => pegs(&mut input),
        _ => {
            let Some(text) = input.text() else { return };
            match kind {
                3 => pieces(text),
                4 => sizes::bytes(text),
                5 => sizes::duration(text),
                6 => names(text),
                7 => referee_moves(text),
                8 => [Format::Facelets, Format::Reid, Format::Moves]
                    .into_iter()
                    .for_each(|f| cube(text, Some(f))),
                _ => cube(text, None),
            }
        }
    }
}

/// A cube in any notation.
fn cube(text: &str, format: Option<Format>) {
    let position = match notation::parse(text, format) {
        Ok(position) => position,
        Err(fault) => return assert!(!fault.to_string().is_empty()),
    };
    let cube = position.cube;
    assert_eq!(Cube::from_cubies(*cube.corners(), *cube.edges()), Ok(cube), "a legal cube");
    let facelets = facelets::format(&cube);
    assert_eq!(facelets::parse(&facelets).map(|read| read.cube), Ok(cube), "facelets");
    assert_eq!(reid::parse(&reid::format(&cube)), Ok(cube), "Reid's notation");
    if let Given::Moves(turns) = position.given {
        let read = scramble::parse(&scramble::format(turns.iter().copied())).map(|read| read.turns);
        assert_eq!(read, Ok(turns), "turns");
        // The referee turns the whole cube where the notation does, so it shows the cube as it is held.
        if let Ok(moves) = referee::cube::parse_moves(text) {
            let seen = referee::cube::Cube::solved().after_all(&moves).to_string();
            let read = facelets::parse(&seen).expect("the referee's cube is legal");
            assert_eq!((read.cube, read.orientation), (cube, position.orientation), "the referee's cube");
        }
    }
}

/// A list of pieces, which is also a mask.
fn pieces(list: &str) {
    let pieces = match Pieces::parse(list) {
        Ok(pieces) => pieces,
        Err(unknown) => return assert!(!unknown.to_string().is_empty()),
    };
    assert_eq!(pieces.others().others(), pieces);
    for mask in [Mask::new(pieces, Pieces::NONE), Mask::new(Pieces::NONE, pieces)] {
        assert!(mask.accepts(&Cube::SOLVED));
        // The position of one ignored corner or edge follows from the others: its orientation alone is open.
        let (printed, mut named) = (mask.to_string(), Pieces::NONE);
        for part in printed.split("; ").filter(|part| !part.is_empty()) {
            let names = ["ignore ", "any orientation of "].iter().find_map(|start| part.strip_prefix(start));
            let names = names.unwrap_or_else(|| panic!("{printed}"));
            named = named.and(Pieces::parse(names).expect("names of pieces"));
        }
        assert_eq!(named, pieces, "{printed}");
    }
}

/// Tiles on a board of a given size or, where a side is 0, of the size that their number gives.
fn tiles(input: &mut Input<'_>) {
    let (rows, cols) = (input.below(8), input.below(8));
    let Some(text) = input.text() else { return };
    let board = Board::new(rows, cols);
    match Tiles::parse(text, board) {
        Ok((board, tiles)) => {
            let printed = tiles.text(board);
            assert_eq!(Tiles::parse(&printed, Some(board)), Ok((board, tiles)));
            let goal = Tiles::blank_first(board);
            assert_ne!(tiles.solvable(board, &goal), tiles.other_parity(board).solvable(board, &goal));
            let theirs = referee::tiles::Board::parse(board.rows(), board.cols(), text);
            assert_eq!(theirs.map(|board| board.to_string()), Ok(printed), "the referee's board");
        }
        Err(faults) => {
            assert!(!faults.to_string().is_empty());
            let theirs = board.map(|board| referee::tiles::Board::parse(board.rows(), board.cols(), text));
            assert!(!matches!(theirs, Some(Ok(_))), "the referee accepts what is refused: {faults}");
        }
    }
}

/// One peg digit per disc.
fn pegs(input: &mut Input<'_>) {
    let (discs, pegs) = (input.below(34), input.below(6));
    let Some(text) = input.text() else { return };
    let puzzle = match hanoi4::model::Puzzle::new(discs as u32, pegs as u32) {
        Ok(puzzle) => puzzle,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    let theirs = Towers::parse(pegs, text).ok().filter(|towers| towers.discs() == discs);
    match puzzle.parse(text) {
        Ok(state) => {
            let printed = puzzle.format(state);
            assert_eq!(puzzle.parse(&printed), Ok(state));
            assert_eq!(theirs.map(|towers| towers.to_string()), Some(printed), "the referee's towers");
        }
        Err(error) => assert!(theirs.is_none(), "the referee accepts what is refused: {error}"),
    }
}

/// Names of heuristics, board sizes and prunings.
fn names(text: &str) {
    printed_and_read::<HeuristicSpec>(text);
    printed_and_read::<Board>(text);
    printed_and_read::<slidetile::HeuristicSpec>(text);
    if let Ok(Pruning::Learned(depth)) = text.parse() {
        assert!((2..=Pruning::DEEPEST).contains(&depth));
    }
}

/// Checks that an accepted text is printed in a form that is read as the same value.
fn printed_and_read<T: FromStr<Err: Debug + Display> + Display + Debug + PartialEq>(text: &str) {
    match text.parse::<T>() {
        Ok(value) => assert_eq!(value.to_string().parse::<T>().as_ref().ok(), Some(&value), "{value}"),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// The referee reads and plays any text without a panic.
fn referee_moves(text: &str) {
    let solved = referee::cube::Cube::solved();
    let _ = referee::cube::check(&solved, &solved, text, referee::cube::Metric::QuarterTurn, 0);
    let board = referee::tiles::Board::parse(3, 3, "4 0 2 1 3 5 6 7 8").expect("a board");
    let _ = referee::tiles::check(&board, &board, text, 0);
    if let Ok(moves) = referee::tiles::parse_positions(text) {
        let _ = referee::tiles::check_moves(&board, &board, &moves, 0);
    }
    let towers = Towers::parse(4, "3210").expect("towers");
    let _ = referee::hanoi::check(&towers, &towers, text, 0);
}
