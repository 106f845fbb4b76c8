//! Moves, brackets and what stands between and after brackets, each with its place in the text.
//!
//! A comma or a colon counts only within `[ ]`, and an amount of a bracket only directly behind it. In
//! every other place they are no moves, and neither was ever accepted as one: a text without them
//! means what its moves mean, whatever its brackets.

use super::fault::Defect;
use super::text::{is_space, without_comment};
use super::token::{Move, inverts};

const MOVES: &str = "a face (U R F D L B), a wide turn (r, Rw, 2Rw), a slice (M E S) or a rotation (x y z), \
                     each alone or with 2, 3, ' or -";
const SPACE: &str = "a space on one side of the 2, which can belong to the move before it or after it";

/// A piece of the text, and where it begins, from 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item {
    pub(super) line: usize,
    pub(super) column: usize,
    pub(super) what: What,
}

/// A piece of the text.
#[derive(Clone, Copy, Debug)]
pub(super) enum What {
    Move(Move),
    /// `(` or `[`.
    Open(char),
    /// `)` or `]`, and the amount directly behind it.
    Close(char, Option<Power>),
    /// `,` or `:` within `[ ]`.
    Mark(char),
}

/// What is done with the moves of a bracket.
#[derive(Clone, Copy, Debug)]
pub(super) struct Power {
    pub(super) times: u32,
    pub(super) inverted: bool,
}

/// The pieces of a text, and everything that is not one.
pub(super) fn lex(text: &str) -> (Vec<Item>, Vec<Defect>) {
    let mut lexer = Lexer { items: Vec::new(), defects: Vec::new(), open: Vec::new() };
    for (number, line) in text.lines().enumerate() {
        let characters: Vec<char> = without_comment(line).chars().collect();
        lexer.line(number + 1, &characters);
    }
    (lexer.items, lexer.defects)
}

/// The bracket that closes this one.
pub(super) fn partner(open: char) -> char {
    if open == '(' { ')' } else { ']' }
}

struct Lexer {
    items: Vec<Item>,
    defects: Vec<Defect>,
    /// The brackets that are open.
    open: Vec<char>,
}

impl Lexer {
    fn line(&mut self, line: usize, characters: &[char]) {
        let mut at = 0;
        // The start of the move that ended at `at`.
        let mut glued_to = None;
        while let Some(&c) = characters.get(at) {
            let (from, rest) = (at, &characters[at + 1..]);
            let what = match c {
                c if is_space(c) => None,
                '(' | '[' => {
                    self.open.push(c);
                    Some(What::Open(c))
                }
                ')' | ']' => {
                    self.open.pop_if(|open| partner(*open) == c);
                    let (power, used) = power(rest).map_or((None, 0), |(power, used)| (Some(power), used));
                    at += used;
                    Some(What::Close(c, power))
                }
                ',' | ':' if self.in_square() => Some(What::Mark(c)),
                _ => {
                    at = self.single(line, characters, at, &mut glued_to);
                    continue;
                }
            };
            at += 1;
            glued_to = None;
            self.items.extend(what.map(|what| Item { line, column: from + 1, what }));
        }
    }

    fn in_square(&self) -> bool {
        self.open.last() == Some(&'[')
    }

    /// Reads the move at `at`, and returns where it ends.
    fn single(&mut self, line: usize, characters: &[char], at: usize, glued_to: &mut Option<usize>) -> usize {
        let (end, expected) = match Move::read(&characters[at..]) {
            None => (at, MOVES),
            Some((token, named, amount)) => {
                let end = at + named + amount;
                *glued_to = Some(at);
                if !(amount > 0 && characters[end - 1] == '2' && characters.get(end + 1) == Some(&'w')) {
                    self.items.push(Item { line, column: at + 1, what: What::Move(token) });
                    return end;
                }
                (end, SPACE)
            }
        };
        // The rest of the word is skipped. An amount that cannot be read belongs to the move before it.
        let amount_like = expected == SPACE || !characters[end].is_alphabetic();
        let from = glued_to.take().filter(|_| amount_like).unwrap_or(end);
        let rest = characters[end..].iter().position(|&c| self.separates(c));
        let end = rest.map_or(characters.len(), |rest| end + rest);
        let text = characters[from..end].iter().collect();
        self.defects.push(Defect::Token { text, line, column: from + 1, expected });
        end
    }

    fn separates(&self, c: char) -> bool {
        is_space(c) || matches!(c, '(' | ')' | '[' | ']') || self.in_square() && matches!(c, ',' | ':')
    }
}

/// The amount at the beginning of some characters, and how many of them it has. A `2` that begins a wide
/// turn (`2Rw`) is none.
fn power(characters: &[char]) -> Option<(Power, usize)> {
    let at = |i: usize| characters.get(i).copied().unwrap_or(' ');
    let begins_with = usize::from(inverts(at(0)) || matches!(at(0), '*' | '×'));
    let inverted = begins_with == 1 && inverts(at(0));
    let digits: String = characters[begins_with..].iter().take_while(|c| c.is_ascii_digit()).collect();
    let end = begins_with + digits.len();
    let wide = digits.ends_with('2') && at(end).is_ascii_alphabetic() && at(end + 1) == 'w';
    if digits.is_empty() || wide {
        return inverted.then_some((Power { times: 1, inverted }, 1));
    }
    let times = digits.parse().unwrap_or(u32::MAX);
    let after = usize::from(!inverted && inverts(at(end)));
    Some((Power { times, inverted: inverted || after == 1 }, end + after))
}
