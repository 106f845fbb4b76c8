//! Splits a text into moves, brackets and the marks within and after brackets, each with its position.
//!
//! A comma or a colon has a meaning only within `[ ]`, and the amount of a bracket only directly after it.
//! Commas outside of brackets may separate single moves (`R, L, U2`); if there is more than one move between
//! two of them, they separate cubes and are refused. Brackets without amounts, commas and colons do not change
//! the meaning of a text, but must be closed.
//!
//! Pauses (`.`), arrows (`->`) and numbers of moves in brackets (`(18f*)`, `(20q)`) are skipped. A number that
//! differs from that of the moves is refused, since the line is probably cut off.

use super::fault::Defect;
use super::text::{is_space, lines};
use super::token::{Move, inverts};

const MOVES: &str = "a face (U R F D L B), a wide turn (r, Rw, 2Rw), a slice (M E S) or a rotation (x y z), \
                     each alone or with 2, 3, ' or -";
const SPACE: &str = "a space on one side of the 2, which can belong to the move before it or after it";
const TIMES: &str = "a space before the x if it is a rotation, or no x to repeat the bracket";
const COMMA: &str = "one move between commas, or one cube per line";
/// The maximum number of characters of a count of moves.
const LONGEST_COUNT: usize = 8;
/// The maximum number of unknown tokens that are listed.
const MOST_TOKENS: usize = 6;

/// An item of the text with its line and column, from 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item {
    pub(super) line: usize,
    pub(super) column: usize,
    pub(super) what: What,
}

impl Item {
    /// The move, if the item is one.
    pub(super) fn as_move(&self) -> Option<Move> {
        match self.what {
            What::Move(token) => Some(token),
            _ => None,
        }
    }
}

/// The kind of an item.
#[derive(Clone, Copy, Debug)]
pub(super) enum What {
    Move(Move),
    /// `(` or `[`.
    Open(char),
    /// `)` or `]`, with the amount directly after it.
    Close(char, Option<Power>),
    /// `,` or `:` within `[ ]`.
    Mark(char),
}

/// The exponent of a bracket: how often its moves are repeated, and whether they are inverted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Power {
    pub(super) times: u32,
    pub(super) inverted: bool,
}

/// Splits a text into its items and the defects of the rest.
pub(super) fn lex(text: &str) -> (Vec<Item>, Vec<Defect>) {
    let mut lexer = Lexer::default();
    for (number, line) in lines(text).iter().enumerate() {
        let characters: Vec<char> = line.chars().collect();
        lexer.line(number + 1, &characters);
    }
    lexer.refuse_commas_between_cubes();
    (lexer.items, listed(lexer.defects))
}

/// The first defects and the number of the others. Each list of accepted forms is printed only once.
fn listed(mut defects: Vec<Defect>) -> Vec<Defect> {
    let mut said = Vec::new();
    for defect in &mut defects {
        if let Defect::Token { expected, .. } = defect {
            match said.contains(expected) {
                true => *expected = "",
                false => said.push(*expected),
            }
        }
    }
    let more = defects.len().saturating_sub(MOST_TOKENS);
    defects.truncate(MOST_TOKENS);
    if more > 0 {
        defects.push(Defect::MoreTokens(more));
    }
    defects
}

/// The bracket that closes this one.
pub(super) fn partner(open: char) -> char {
    if open == '(' { ')' } else { ']' }
}

#[derive(Default)]
struct Lexer {
    items: Vec<Item>,
    defects: Vec<Defect>,
    /// The brackets that are open.
    open: Vec<char>,
    /// The commas outside of brackets: line, column, and the number of items before.
    commas: Vec<(usize, usize, usize)>,
}

impl Lexer {
    fn line(&mut self, line: usize, characters: &[char]) {
        let mut at = 0;
        // The start of the move that ended at `at`.
        let mut glued_to = None;
        while let Some(&c) = characters.get(at) {
            let (from, rest) = (at, &characters[at + 1..]);
            if let Some((count, length)) = Count::read(&characters[at..]) {
                count.check(&self.items, line, at + 1, &mut self.defects);
                at += length;
                continue;
            }
            let what = match c {
                c if is_space(c) => None,
                '.' | '→' => None,
                '-' if rest.first() == Some(&'>') => {
                    at += 1;
                    None
                }
                ',' if self.open.is_empty() => {
                    self.commas.push((line, at + 1, self.items.len()));
                    None
                }
                '(' | '[' => {
                    self.open.push(c);
                    Some(What::Open(c))
                }
                ')' | ']' => {
                    self.open.pop_if(|open| partner(*open) == c);
                    if rest.first() == Some(&'x') && rest.get(1).is_some_and(char::is_ascii_digit) {
                        at = self.refuse(line, characters, (from + 1, at + 1), TIMES);
                        glued_to = None;
                        continue;
                    }
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

    /// Commas may separate single moves; otherwise they separate cubes.
    fn refuse_commas_between_cubes(&mut self) {
        let moves = |items: &[Item]| items.iter().filter(|item| matches!(item.what, What::Move(_))).count();
        let ends = self.commas.iter().map(|&(_, _, before)| before).chain([self.items.len()]);
        let mut from = 0;
        for end in ends {
            if moves(&self.items[from..end]) > 1 && !self.commas.is_empty() {
                let (line, column, _) = self.commas[0];
                self.defects.push(Defect::Token { text: ",".to_owned(), line, column, expected: COMMA });
                return;
            }
            from = end;
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
                    let what = token.map(What::Move);
                    self.items.extend(what.map(|what| Item { line, column: at + 1, what }));
                    return end;
                }
                (end, SPACE)
            }
        };
        // The rest of the word is skipped. An amount that cannot be read belongs to the move before it.
        let amount_like = expected == SPACE || !characters[end].is_alphabetic();
        let from = glued_to.take().filter(|_| amount_like).unwrap_or(end);
        self.refuse(line, characters, (from, end), expected)
    }

    /// Refuses the characters from `from` to the end of the word that `at` is in. Returns where it ends.
    fn refuse(
        &mut self,
        line: usize,
        characters: &[char],
        (from, at): (usize, usize),
        expected: &'static str,
    ) -> usize {
        let rest = characters[at..].iter().position(|&c| self.separates(c));
        let end = rest.map_or(characters.len(), |rest| at + rest);
        let text = characters[from..end].iter().collect();
        self.defects.push(Defect::Token { text, line, column: from + 1, expected });
        end
    }

    fn separates(&self, c: char) -> bool {
        let is_mark = match c {
            ',' => self.in_square() || self.open.is_empty(),
            ':' => self.in_square(),
            _ => matches!(c, '(' | ')' | '[' | ']'),
        };
        is_mark || is_space(c)
    }
}

/// A number of moves that some programs print after them: `(18f*)`, `(20q)`, `(12)`.
struct Count {
    number: usize,
    /// The unit: face turns or quarter turns; `None` if it is not given, or if slices count too.
    unit: Option<char>,
}

impl Count {
    /// The count that some characters begin with, and its length.
    fn read(characters: &[char]) -> Option<(Count, usize)> {
        let inner = characters.strip_prefix(&['('])?;
        let length = inner.iter().take(LONGEST_COUNT).position(|&c| c == ')')?;
        let text: String = inner[..length].iter().collect();
        let text = text.strip_suffix('*').unwrap_or(&text);
        let digits = text.strip_suffix(['f', 'q', 's']).unwrap_or(text);
        let number = digits.parse().ok().filter(|_| digits.bytes().all(|byte| byte.is_ascii_digit()))?;
        let unit = text.chars().last().filter(|unit| matches!(unit, 'f' | 'q'));
        Some((Count { number, unit }, length + 2))
    }

    /// Refuses a wrong count, if all moves are face turns without brackets.
    fn check(&self, items: &[Item], line: usize, column: usize, defects: &mut Vec<Defect>) {
        let quarters = items.iter().map(|item| match item.what {
            What::Move(token) => token.quarters_of_a_face(),
            _ => None,
        });
        let Some(quarters) = quarters.collect::<Option<Vec<_>>>() else { return };
        let counted = match self.unit {
            Some('f') => quarters.len(),
            Some(_) => quarters.iter().map(|&quarters| if quarters == 2 { 2 } else { 1 }).sum(),
            None => return,
        };
        if counted != self.number && defects.is_empty() {
            defects.push(Defect::Count { line, column, said: self.number, counted });
        }
    }
}

/// The amount that some characters begin with, and its length. A `2` that begins a wide turn (`2Rw`) is not
/// an amount.
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
