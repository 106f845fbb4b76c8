//! Expands brackets: commutators `[A, B]`, conjugates `[A: B]`, repetitions `(A)3` and inverses `(A)'`.
//!
//! `[A, B]` is `A B A' B'`, and `[A: B]` is `A B A'`. The inverse of a sequence is the inverses of its moves in
//! reverse order. This also holds for rotations and slices, since brackets are expanded before any move is made.
//!
//! Brackets without a comma, a colon or an amount only group. Every bracket must be closed, because a text with an
//! open one is probably cut off. Since a few characters can expand to any number of moves, the length of the result
//! and the depth of nesting are limited.

use super::fault::Defect;
use super::lexer::{Item, Power, What, partner};
use super::token::Move;

/// The maximum number of moves that brackets may expand to.
pub const MOST_MOVES: usize = 100_000;
/// The maximum depth of nested brackets.
const DEEPEST: usize = 50;

/// The moves, with all brackets expanded.
pub(super) fn expand(items: &[Item]) -> Result<Vec<Move>, Defect> {
    if let Some(moves) = items.iter().map(Item::as_move).collect() {
        return Ok(moves);
    }
    let mut expansion = Expansion { items, at: 0, depth: 0 };
    let moves = expansion.sequence()?;
    match expansion.next() {
        None => Ok(moves),
        Some(item) => Err(fault(&item, "no open bracket to close")),
    }
}

/// The moves that undo these.
fn inverse(moves: &[Move]) -> Vec<Move> {
    moves.iter().rev().map(|token| token.inverse()).collect()
}

/// Returns `moves`, the total number, if it is within the limit.
fn bounded(moves: usize) -> Result<usize, Defect> {
    if moves <= MOST_MOVES { Ok(moves) } else { Err(Defect::TooManyMoves(MOST_MOVES)) }
}

fn fault(item: &Item, why: &'static str) -> Defect {
    let text = match item.what {
        What::Open(c) | What::Close(c, _) | What::Mark(c) => c,
        What::Move(_) => unreachable!("a move is no bracket"),
    };
    Defect::Bracket { text, line: item.line, column: item.column, why }
}

/// The state of an expansion: the items, the next one, and the depth of nesting.
struct Expansion<'a> {
    items: &'a [Item],
    at: usize,
    depth: usize,
}

impl Expansion<'_> {
    fn peek(&self) -> Option<Item> {
        self.items.get(self.at).copied()
    }

    fn next(&mut self) -> Option<Item> {
        let item = self.peek();
        self.at += 1;
        item
    }

    /// The moves up to the end of a part: a closing bracket, a comma, a colon or the end of the text.
    fn sequence(&mut self) -> Result<Vec<Move>, Defect> {
        let mut moves = Vec::new();
        while let Some(item) = self.peek() {
            match item.what {
                What::Move(token) => {
                    self.at += 1;
                    moves.push(token);
                }
                What::Open(open) => {
                    self.at += 1;
                    moves.extend(self.bracket(&item, open)?);
                }
                What::Close(..) | What::Mark(_) => break,
            }
            bounded(moves.len())?;
        }
        Ok(moves)
    }

    /// The moves of an open bracket.
    fn bracket(&mut self, begin: &Item, open: char) -> Result<Vec<Move>, Defect> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(fault(begin, "it is nested too deeply"));
        }
        let first = self.sequence()?;
        let moves = match self.peek() {
            Some(item @ Item { what: What::Mark(mark), .. }) => {
                self.at += 1;
                let second = self.sequence()?;
                if first.is_empty() || second.is_empty() {
                    return Err(fault(&item, "no moves on one side of it"));
                }
                both(&first, &second, mark)?
            }
            _ => first,
        };
        self.depth -= 1;
        match self.next() {
            Some(Item { what: What::Close(close, power), .. }) if close == partner(open) => {
                power.map_or(Ok(moves.clone()), |power| raised(&moves, power))
            }
            Some(item @ Item { what: What::Mark(_), .. }) => {
                Err(fault(&item, "a bracket may have only one comma or colon; write [A: [B, C]]"))
            }
            Some(item) => Err(fault(&item, "it does not match the open bracket")),
            None => Err(fault(begin, "it is never closed")),
        }
    }
}

/// The commutator of two sequences, or the second conjugated by the first.
fn both(first: &[Move], second: &[Move], mark: char) -> Result<Vec<Move>, Defect> {
    bounded(2 * (first.len() + second.len()))?;
    let mut moves = [first, second, &inverse(first)].concat();
    if mark == ',' {
        moves.extend(inverse(second));
    }
    Ok(moves)
}

/// Moves, repeated or inverted.
fn raised(moves: &[Move], power: Power) -> Result<Vec<Move>, Defect> {
    let times = usize::try_from(power.times).unwrap_or(usize::MAX);
    bounded(moves.len().saturating_mul(times))?;
    let once = if power.inverted { inverse(moves) } else { moves.to_vec() };
    Ok(if once.is_empty() { once } else { once.repeat(times) })
}
