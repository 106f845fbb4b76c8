//! What brackets mean: commutators `[A, B]`, conjugates `[A: B]`, repetitions `(A)3` and inverses `(A)'`.
//!
//! `[A, B]` is `A B A' B'`, and `[A: B]` is `A B A'`. The inverse of moves is their inverses in reverse
//! order. This holds for rotations and slices too, since the moves are expanded before they are made.
//!
//! Brackets without a comma, a colon or an amount only group, and may even lack their partner, as long
//! as none in the text has one. A few characters could expand to any number of moves, so the result
//! and the depth of the brackets are bounded.

use super::fault::Defect;
use super::lexer::{Item, Power, What, partner};
use super::token::Move;

/// The most moves that brackets may expand to.
pub const MOST_MOVES: usize = 100_000;
/// How deep brackets may stand in brackets.
const DEEPEST: usize = 50;

/// The moves, with all brackets expanded.
pub(super) fn expand(items: &[Item]) -> Result<Vec<Move>, Defect> {
    if !items.iter().any(|item| matches!(item.what, What::Mark(_) | What::Close(_, Some(_)))) {
        let moves = items.iter().filter_map(|item| match item.what {
            What::Move(token) => Some(token),
            _ => None,
        });
        return Ok(moves.collect());
    }
    let mut expansion = Expansion { items, at: 0, depth: 0 };
    let moves = expansion.sequence()?;
    match expansion.next() {
        None => Ok(moves),
        Some(item) => Err(fault(&item, "it closes no bracket")),
    }
}

/// The moves that undo these.
fn inverse(moves: &[Move]) -> Vec<Move> {
    moves.iter().rev().map(|token| token.inverse()).collect()
}

/// `moves` in all, if they are few enough.
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

/// What is left to expand.
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

    /// The moves of a bracket that is open.
    fn bracket(&mut self, begin: &Item, open: char) -> Result<Vec<Move>, Defect> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(fault(begin, "it stands in too many other brackets"));
        }
        let first = self.sequence()?;
        let moves = match self.peek() {
            Some(item @ Item { what: What::Mark(mark), .. }) => {
                self.at += 1;
                let second = self.sequence()?;
                if first.is_empty() || second.is_empty() {
                    return Err(fault(&item, "there are no moves on one side of it"));
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
                Err(fault(&item, "a bracket has one comma or colon; write [A: [B, C]]"))
            }
            Some(item) => Err(fault(&item, "it does not fit the bracket that is open")),
            None => Err(fault(begin, "it is not closed")),
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

/// Moves, inverted or repeated.
fn raised(moves: &[Move], power: Power) -> Result<Vec<Move>, Defect> {
    let times = usize::try_from(power.times).unwrap_or(usize::MAX);
    bounded(moves.len().saturating_mul(times))?;
    let once = if power.inverted { inverse(moves) } else { moves.to_vec() };
    Ok(if once.is_empty() { once } else { once.repeat(times) })
}
