//! The referee's sliding tiles against cases worked out by hand.

use referee::Refusal;
use referee::tiles::{Board, check, check_moves, parse_moves, parse_positions};

fn board(rows: usize, columns: usize, text: &str) -> Board {
    Board::parse(rows, columns, text).unwrap()
}

#[test]
fn letters_move_the_blank_and_numbers_move_tiles() {
    let start = board(2, 3, "0 1 2 3 4 5");
    let by_letters = start.after_all(&parse_moves("RDL").unwrap()).unwrap();
    assert_eq!(by_letters.to_string(), "1 4 2 0 3 5");
    assert_eq!(start.after_all(&parse_moves("1 4 3").unwrap()).unwrap(), by_letters);
    assert_eq!(start.after_all(&parse_moves("1,4,3").unwrap()).unwrap(), by_letters);
    assert_eq!(by_letters.after_all(&parse_moves("r u l").unwrap()).unwrap(), start);
}

#[test]
fn positions_are_cells_that_the_blank_comes_to() {
    let start = board(2, 3, "0 1 2 3 4 5");
    let by_letters = start.after_all(&parse_moves("RDL").unwrap()).unwrap();
    let positions = parse_positions("1, 4 3").unwrap();
    assert_eq!(start.after_all(&positions).unwrap(), by_letters);
    assert_eq!(check_moves(&start, &by_letters, &positions, 3), Ok(()));
    // Read as numbers of tiles, the same text leads to another board.
    let other = board(2, 3, "0 5 4 3 2 1");
    assert_ne!(other.after_all(&positions), other.after_all(&parse_moves("1 4 3").unwrap()));
    let refused = |text| {
        let moves = parse_positions(text);
        moves.and_then(|moves| check_moves(&start, &start, &moves, 0)).unwrap_err().to_string()
    };
    assert_eq!(refused("1 2 3"), "move 3 (3): cell 3 is not beside the blank");
    assert_eq!(refused("6"), "move 1 (6): there is no cell 6");
    assert_eq!(refused("0"), "move 1 (0): cell 0 is not beside the blank");
    assert_eq!(refused("1 x"), "move 2 (x): not the number of a cell");
}

/// Each round moves the three tiles one step around the ring, so three rounds solve the board again.
#[test]
fn three_rounds_of_the_blank_restore_a_two_by_two_board() {
    let start = board(2, 2, "0 1 2 3");
    assert_eq!(start.after_all(&parse_moves("RDLU").unwrap()).unwrap().to_string(), "0 3 1 2");
    assert_eq!(check(&start, &start, &"RDLU".repeat(3), 12), Ok(()));
    assert!(matches!(check(&start, &start, &"RDLU".repeat(2), 8), Err(Refusal::Goal { .. })));
}

#[test]
fn any_goal_and_the_claimed_length_are_checked() {
    let start = board(3, 3, "1 2 3 4 5 6 7 0 8");
    let goal = board(3, 3, "1 2 3 4 5 6 7 8 0");
    assert_eq!(check(&start, &goal, "R", 1), Ok(()));
    assert_eq!(check(&start, &goal, "8", 1), Ok(()));
    assert_eq!(check(&start, &goal, "R", 2), Err(Refusal::Length { claimed: 2, replayed: 1 }));
    assert_eq!(check(&goal, &goal, "", 0), Ok(()));
}

#[test]
fn impossible_moves_are_named() {
    let start = board(2, 3, "0 1 2 3 4 5");
    let refused = |text| check(&start, &start, text, 0).unwrap_err().to_string();
    assert_eq!(refused("RRR"), "move 3 (R): the blank would leave the board");
    assert_eq!(refused("DD"), "move 2 (D): the blank would leave the board");
    assert_eq!(refused("L"), "move 1 (L): the blank would leave the board");
    assert_eq!(refused("RX"), "move 2 (X): not one of L, U, R, D");
    assert_eq!(refused("1 5"), "move 2 (5): tile 5 is not beside the blank");
    assert_eq!(refused("1 9"), "move 2 (9): there is no tile 9");
    assert_eq!(refused("1 0"), "move 2 (0): the blank is not a tile");
    assert_eq!(refused("1 x"), "move 2 (x): not the number of a tile");
    // Cells 2 and 3 follow each other in the list but do not touch on the board.
    let start = board(2, 3, "1 2 0 3 4 5");
    assert!(check(&start, &start, "3", 1).is_err());
}

#[test]
fn invalid_boards_are_refused() {
    for text in ["0 1 2", "0 1 2 2", "0 1 2 4", "1 2 3 4", "0 1 2 x", "0 1 2 -3", "0 1 2 3 4"] {
        assert!(Board::parse(2, 2, text).is_err(), "{text}");
    }
}
