//! Boards as people write them.
//!
//! A board is a list of tiles from left to right and from top to bottom. Between them are white space, brackets or any of
//! `, ; / |`; the blank is `0`, `_`, `.` or `x`. The list may be on several lines, with comments (`#`) and a first line
//! that has the number of rows alone. If every tile is one digit, the tiles may be written without spaces
//! (`123456780`), in hexadecimal digits on a 4x4 board (`0FD1C3B648952A7E`).
//!
//! No text has two readings: tiles without spaces are read only if each digit of a board occurs once, and letters as
//! hexadecimal digits only if every word is one digit of a 4x4 board.

use crate::board::{Board, MAX_SIDE};
use crate::fault::{Fault, Faults};

/// The greatest number of rows and columns that a row or a size line announces.
const LONGEST: usize = MAX_SIDE;

/// One line of standard input, which is a whole board or a part of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line {
    /// A whole board, or no board at all.
    Whole,
    /// The first line of a board on several lines.
    First {
        /// The number of lines.
        lines: usize,
        /// The number of words in each line after the first.
        words: usize,
    },
    /// A 2x2 board, or the first row of a 4x4 board.
    Ambiguous,
}

/// The part of a board that a line is, for boards of a given size or any square size.
pub fn line(text: &str, board: Option<Board>) -> Line {
    let words = words(text);
    // No row has a tile twice: such a line is a board with a fault.
    if (1..words.len()).any(|at| words[..at].contains(&words[at])) {
        return Line::Whole;
    }
    let size = |word: &str| word.parse().ok().filter(|rows| (2..=LONGEST).contains(rows));
    let first = |lines, words| Line::First { lines, words };
    match (words.as_slice(), board) {
        ([only], Some(board)) if size(only) == Some(board.rows()) => first(board.rows() + 1, board.cols()),
        ([only], None) => size(only).map_or(Line::Whole, |rows| first(rows + 1, rows)),
        (row, Some(board)) if row.len() == board.cols() && board.rows() > 1 => {
            first(board.rows(), board.cols())
        }
        (_, Some(_)) => Line::Whole,
        (row @ [_, _, _, _], None) => {
            let all = ["0", "1", "2", "3"].iter().all(|tile| row.contains(tile));
            if all { Line::Ambiguous } else { first(4, 4) }
        }
        (row, None) if (2..=LONGEST).contains(&row.len()) && Board::square(row.len()).is_none() => {
            first(row.len(), row.len())
        }
        _ => Line::Whole,
    }
}

/// The number of words in a line.
pub fn word_count(line: &str) -> usize {
    words(line).len()
}

/// The tiles of a text, 0 for the blank.
///
/// # Errors
/// Every word that is not a tile.
pub fn numbers(text: &str, board: Option<Board>) -> Result<Vec<usize>, Faults> {
    let all: Vec<Vec<&str>> = text.lines().map(words).filter(|words| !words.is_empty()).collect();
    let words = match all.as_slice() {
        [size, rows @ ..] if is_size_line(size, rows) => rows.concat(),
        rows => rows.concat(),
    };
    if let [together] = words[..]
        && let Some(tiles) = digits(together, board)
    {
        return Ok(tiles);
    }
    if let Some(tiles) = hexadecimal(&words) {
        return Ok(tiles);
    }
    let (mut numbers, mut faults) = (Vec::new(), Vec::new());
    for word in words {
        match word {
            "_" | "." | "x" | "X" => numbers.push(0),
            _ => match word.parse() {
                Ok(number) => numbers.push(number),
                Err(_) => faults.push(Fault::NotANumber(word.to_owned())),
            },
        }
    }
    if faults.is_empty() { Ok(numbers) } else { Err(Faults(faults)) }
}

/// The words of a line, without its comment.
fn words(line: &str) -> Vec<&str> {
    let line = line.split('#').next().unwrap_or(line);
    let separates = |c: char| c.is_whitespace() || ",;/|[](){}".contains(c);
    line.split(separates).filter(|word| !word.is_empty()).collect()
}

/// Whether the first line has the number of rows alone: as many lines follow, of as many tiles each.
fn is_size_line(size: &[&str], rows: &[Vec<&str>]) -> bool {
    let [size] = size else { return false };
    size.parse() == Ok(rows.len()) && rows.iter().all(|row| row.len() == rows.len())
}

/// The tiles of a word in which each digit of a board occurs once.
fn digits(word: &str, board: Option<Board>) -> Option<Vec<usize>> {
    let tiles: Vec<usize> =
        word.chars().map(|c| c.to_digit(16).map(|tile| tile as usize)).collect::<Option<_>>()?;
    let cells = board.or_else(|| Board::square(tiles.len()))?.cells();
    let fits = tiles.len() == cells && (2..=16).contains(&cells);
    (fits && (0..cells).all(|tile| tiles.contains(&tile))).then_some(tiles)
}

/// The tiles of sixteen words that are the hexadecimal digits, each once.
fn hexadecimal(words: &[&str]) -> Option<Vec<usize>> {
    let one = |word: &&str| word.len() == 1;
    (words.len() == 16 && words.iter().all(one)).then(|| digits(&words.concat(), None))?
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(text: &str) -> Vec<usize> {
        numbers(text, None).unwrap_or_else(|faults| panic!("{text}: {faults}"))
    }

    #[test]
    fn boards_are_read_in_all_their_forms() {
        let plain = [1, 2, 3, 4, 5, 6, 7, 0, 8];
        for text in [
            "1 2 3 4 5 6 7 0 8",
            "1,2,3,4,5,6,7,0,8",
            "[[1, 2, 3], [4, 5, 6], [7, 0, 8]]",
            "1 2 3 4 5 6 7 _ 8",
            "1 2 3 | 4 5 6 | 7 x 8",
            "1 2 3/4 5 6/7 0 8",
            "[1 2 3; 4 5 6; 7 0 8]",
            "{{1, 2, 3}, {4, 5, 6}, {7, 0, 8}}",
            "123456708",
            "1 2 3\n4 5 6 # a comment\n7 . 8\n",
            "# solvable\n3\n1 2 3\n4 5 6\n7 X 8",
        ] {
            assert_eq!(read(text), plain, "{text}");
        }
        let sixteen = [0, 15, 13, 1, 12, 3, 11, 6, 4, 8, 9, 5, 2, 10, 7, 14];
        assert_eq!(read("0FD1C3B648952A7E"), sixteen);
        assert_eq!(read("0 f d 1 c 3 b 6 4 8 9 5 2 a 7 e"), sixteen);
    }

    #[test]
    fn words_that_are_not_tiles_are_named() {
        let faults = |text| numbers(text, None).unwrap_err().0.len();
        assert_eq!((faults("1 y 2 -3"), faults("12345678x"), faults("A B")), (2, 1, 2));
        // Not each digit once: one number, which no board has.
        assert_eq!(read("112345678"), [112_345_678]);
    }

    #[test]
    fn a_row_is_not_taken_for_a_board() {
        let row = |n| Line::First { lines: n, words: n };
        assert_eq!(line("0 1 2 3", None), Line::Ambiguous);
        assert_eq!(line("0 1 2 3", Board::new(2, 2)), Line::Whole);
        assert_eq!(line("0 1 2 3", Board::new(4, 4)), row(4));
        assert_eq!(line("4 5 6 7", None), row(4));
        assert_eq!(line("4 8 6", None), row(3));
        assert_eq!(line("4 8 6 1", Board::new(3, 4)), Line::First { lines: 3, words: 4 });
        assert_eq!(line("3", None), Line::First { lines: 4, words: 3 });
        for whole in ["1 2 3 4 5 6 7 0 8", "123456780", "", "# 1 2 3", "0FD1C3B648952A7E", "1 1 2 3"] {
            assert_eq!(line(whole, None), Line::Whole, "{whole}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..Default::default() })]

        /// Separators, lines and brackets do not change the tiles.
        #[test]
        fn any_separators_mean_the_same(cells in Just((0..25usize).collect::<Vec<_>>()).prop_shuffle(),
                                        marks in proptest::collection::vec(0..6usize, 25)) {
            let marks = marks.iter().map(|&mark| [" ", ", ", " | ", "\n", "] [", "/"][mark]);
            let text: String = cells.iter().zip(marks).map(|(tile, mark)| format!("{tile}{mark}")).collect();
            prop_assert_eq!(numbers(&text, None).unwrap(), cells);
        }

        /// Sixteen hexadecimal digits are a board; one digit less or more is not.
        #[test]
        fn hexadecimal_digits_are_tiles(cells in Just((0..16usize).collect::<Vec<_>>()).prop_shuffle(), capital: bool) {
            let text: String = cells.iter().map(|tile| format!("{tile:x}")).collect();
            let text = if capital { text.to_uppercase() } else { text };
            prop_assert_eq!(numbers(&text, None).unwrap(), cells);
            for wrong in [&text[1..], &format!("{text}0")] {
                prop_assert!(crate::Tiles::parse(wrong, None).is_err(), "{}", wrong);
            }
        }
    }
}
