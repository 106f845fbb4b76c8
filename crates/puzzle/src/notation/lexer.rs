//! Splits a text into moves, brackets and the marks within and after brackets, each with its position.
//!
//! A comma or a colon has a meaning only within `[ ]`. Commas outside of brackets may separate single moves
//! (`R, L, U2`). A pair of integers in round brackets is a name such as `(3,-1)`, without spaces.

use super::text::{is_space, lines};
use super::word::{Names, Refused, amount, read};

/// The maximum number of faults that are listed.
const MOST_FAULTS: usize = 6;

/// The number of faults after which a text is not read on.
const MOST_READ: usize = 1_000;

/// An item of the text with its position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item {
    pub(super) line: usize,
    pub(super) column: usize,
    pub(super) what: What,
}

/// The kind of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What {
    /// A move: the number of its name, and its amount.
    Move(usize, i64),
    /// `(` or `[`.
    Open(char),
    /// `)` or `]`, with its amount.
    Close(char, i64),
    /// `,` or `:` within `[ ]`.
    Mark(char),
}

/// `line 2, column 3`; the first line is not named.
pub(super) fn place(line: usize, column: usize) -> String {
    if line > 1 { format!("line {line}, column {column}") } else { format!("column {column}") }
}

/// The items of a text, or all faults of its words.
pub(super) fn lex(text: &str, names: &Names) -> Result<Vec<Item>, Vec<String>> {
    let mut lexer =
        Lexer { names, items: Vec::new(), faults: Vec::new(), open: Vec::new(), commas: Vec::new() };
    for (number, line) in lines(text).iter().enumerate() {
        if lexer.faults.len() > MOST_READ {
            break;
        }
        lexer.line(number + 1, &line.chars().collect::<Vec<_>>());
    }
    lexer.refuse_lists();
    let mut faults = lexer.faults;
    if faults.is_empty() {
        return Ok(lexer.items);
    }
    let more = faults.len().saturating_sub(MOST_FAULTS);
    faults.truncate(MOST_FAULTS);
    if more > 0 {
        faults.push(format!("and {more} more"));
    }
    Err(faults)
}

struct Lexer<'a> {
    names: &'a Names,
    items: Vec<Item>,
    faults: Vec<String>,
    /// The brackets that are open.
    open: Vec<char>,
    /// The commas outside of brackets: their place, and the number of items before.
    commas: Vec<(usize, usize, usize)>,
}

impl Lexer<'_> {
    fn line(&mut self, line: usize, characters: &[char]) {
        let mut at = 0;
        while let Some(&c) = characters.get(at).filter(|_| self.faults.len() <= MOST_READ) {
            let (column, mut used) = (at + 1, 1);
            let what = match c {
                c if is_space(c) => None,
                // A pause.
                '.' if self.names.dot_separates()
                    || characters.get(at + 1).is_none_or(|&next| is_space(next)) =>
                {
                    None
                }
                ',' if self.open.is_empty() => {
                    self.commas.push((line, column, self.items.len()));
                    None
                }
                ',' | ':' if self.open.last() == Some(&'[') => Some(What::Mark(c)),
                '(' if let Some((name, length)) = pair(&characters[at..]) => {
                    used = length;
                    let found = self.names.get(&name);
                    if found.is_none() {
                        self.faults.push(format!("{}: {name:?} is not a move", place(line, column)));
                    }
                    found.map(|index| What::Move(index, 1))
                }
                '(' | '[' => {
                    self.open.push(c);
                    Some(What::Open(c))
                }
                ')' | ']' => {
                    self.open.pop_if(|open| partner(*open) == c);
                    let (times, length) = amount(&characters[at + 1..], true).unwrap_or((1, 0));
                    used += length;
                    Some(What::Close(c, times))
                }
                _ => {
                    used = self.word(line, characters, at);
                    None
                }
            };
            self.items.extend(what.map(|what| Item { line, column, what }));
            at += used;
        }
    }

    /// Reads the word at `at`, and returns its length.
    fn word(&mut self, line: usize, characters: &[char], at: usize) -> usize {
        let in_square = self.open.last() == Some(&'[');
        let dot_ends = self.names.dot_separates();
        let ends = |&c: &char| {
            is_space(c)
                || matches!(c, '(' | ')' | '[' | ']' | ',')
                || in_square && c == ':'
                || dot_ends && c == '.'
        };
        let length = characters[at..].iter().position(ends).unwrap_or(characters.len() - at);
        // A character that is no part of any word, such as a colon outside of brackets.
        let length = length.max(1);
        let word = &characters[at..at + length];
        let text: String = word.iter().take(40).collect();
        let place = place(line, at + 1);
        match read(word, self.names) {
            Ok(moves) => {
                let moved = moves.into_iter().map(|(index, times)| What::Move(index, times));
                self.items.extend(moved.map(|what| Item { line, column: at + 1, what }));
            }
            Err(Refused::Unknown) if self.faults.is_empty() => {
                let examples = self.names.examples();
                self.faults.push(format!("{place}: {text:?} is not a move; moves are {examples}"));
            }
            Err(Refused::Unknown) => self.faults.push(format!("{place}: {text:?} is not a move")),
            Err(Refused::Ambiguous(one, other)) => self.faults.push(format!(
                "{place}: {text:?} can be read as {one:?} and as {other:?}; write spaces between moves"
            )),
            Err(Refused::Amount) => {
                self.faults.push(format!("{place}: {text:?} has an amount that is not from 1 to 100000"));
            }
        }
        length
    }

    /// Commas may separate single moves; more than one move between two of them is a list of something else.
    fn refuse_lists(&mut self) {
        let ends = self.commas.iter().map(|&(_, _, before)| before).chain([self.items.len()]);
        let mut from = 0;
        for end in ends {
            if end - from > 1 && !self.commas.is_empty() {
                let (line, column, _) = self.commas[0];
                let place = place(line, column);
                self.faults.push(format!(
                    "{place}: \",\" may only separate single moves; give one scramble per line"
                ));
                return;
            }
            from = end;
        }
    }
}

/// The bracket that closes this one.
pub(super) fn partner(open: char) -> char {
    if open == '(' { ')' } else { ']' }
}

/// The pair of integers in round brackets that some characters begin with, without spaces, and its length.
fn pair(characters: &[char]) -> Option<(String, usize)> {
    let end = characters.iter().take(24).position(|&c| c == ')')?;
    let text: String = characters[1..end]
        .iter()
        .filter(|&&c| !is_space(c))
        .map(|&c| if c == '−' { '-' } else { c })
        .collect();
    let (first, second) = text.split_once(',')?;
    let (first, second): (i32, i32) = (first.parse().ok()?, second.parse().ok()?);
    Some((format!("({first},{second})"), end + 1))
}
