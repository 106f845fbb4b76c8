//! The Towers of Hanoi with any number of pegs, as stacks of discs.
//!
//! Disc 1 is the smallest; pegs are numbered from 0. A state is written as one peg digit per disc,
//! the largest disc first, so `0000` is four discs on peg 0.

use crate::Refusal;
use std::fmt;

/// The discs on each peg, from the bottom to the top.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Towers {
    pegs: Vec<Vec<usize>>,
}

/// A move of the top disc of one peg to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    /// The disc that moves, if the move names it.
    pub disc: Option<usize>,
    /// The peg that it leaves.
    pub from: usize,
    /// The peg that it moves to.
    pub to: usize,
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(disc) = self.disc {
            write!(f, "{disc}:")?;
        }
        write!(f, "{}>{}", self.from, self.to)
    }
}

impl Move {
    /// Reads `disc:from>to` or `from>to`.
    ///
    /// # Errors
    /// A description of the part that cannot be read.
    pub fn parse(text: &str) -> Result<Move, String> {
        let number = |word: &str| word.parse().map_err(|_| format!("{word:?} is not a number"));
        let (disc, pegs) = match text.split_once(':') {
            Some((disc, pegs)) => (Some(number(disc)?), pegs),
            None => (None, text),
        };
        let (from, to) = pegs.split_once('>').ok_or("not of the form disc:from>to or from>to")?;
        Ok(Move { disc, from: number(from)?, to: number(to)? })
    }
}

/// Reads moves separated by white space or commas.
///
/// # Errors
/// [`Refusal::Move`] names the first one that cannot be read.
pub fn parse_moves(text: &str) -> Result<Vec<Move>, Refusal> {
    let words = text.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty());
    let read = |(i, word)| Move::parse(word).map_err(|reason| Refusal::of_move(i + 1, word, reason));
    words.enumerate().map(read).collect()
}

impl Towers {
    /// Reads a state on `pegs` pegs: one peg digit per disc, largest first.
    ///
    /// # Errors
    /// [`Refusal::State`] if a character is not the digit of a peg.
    pub fn parse(pegs: usize, text: &str) -> Result<Towers, Refusal> {
        let mut towers = Towers { pegs: vec![Vec::new(); pegs] };
        let discs = text.chars().count();
        for (i, digit) in text.chars().enumerate() {
            let peg = digit.to_digit(10).map(|d| d as usize).filter(|&peg| peg < pegs);
            let peg =
                peg.ok_or_else(|| Refusal::state(format!("{digit:?} is not one of the {pegs} pegs")))?;
            towers.pegs[peg].push(discs - i);
        }
        Ok(towers)
    }

    /// The number of discs.
    pub fn discs(&self) -> usize {
        self.pegs.iter().map(Vec::len).sum()
    }

    /// The disc that a legal move moves.
    fn movable(&self, step: Move) -> Result<usize, String> {
        for peg in [step.from, step.to] {
            if peg >= self.pegs.len() {
                return Err(format!("there is no peg {peg}"));
            }
        }
        if step.from == step.to {
            return Err("the disc does not move".to_string());
        }
        let disc = *self.pegs[step.from].last().ok_or_else(|| format!("peg {} is empty", step.from))?;
        if let Some(named) = step.disc.filter(|&named| named != disc) {
            return Err(format!("disc {disc}, not {named}, is on top of peg {}", step.from));
        }
        match self.pegs[step.to].last() {
            Some(&below) if below < disc => {
                Err(format!("disc {disc} cannot lie on the smaller disc {below}"))
            }
            _ => Ok(disc),
        }
    }

    /// Makes one move.
    ///
    /// # Errors
    /// The reason why the move is impossible; the towers are then unchanged.
    pub fn play(&mut self, step: Move) -> Result<(), String> {
        let disc = self.movable(step)?;
        self.pegs[step.from].pop();
        self.pegs[step.to].push(disc);
        Ok(())
    }

    /// The towers after all `moves`, in order.
    ///
    /// # Errors
    /// [`Refusal::Move`] names the first impossible move.
    pub fn after_all(&self, moves: &[Move]) -> Result<Towers, Refusal> {
        let mut towers = self.clone();
        for (i, &step) in moves.iter().enumerate() {
            towers.play(step).map_err(|reason| Refusal::of_move(i + 1, step, reason))?;
        }
        Ok(towers)
    }
}

impl fmt::Display for Towers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let holder =
            |disc| self.pegs.iter().position(|peg| peg.contains(&disc)).expect("every disc is on a peg");
        (1..=self.discs()).rev().try_for_each(|disc| write!(f, "{}", holder(disc)))
    }
}

/// Checks that `solution` leads from `start` to `goal` in exactly `claimed` moves.
///
/// # Errors
/// The [`Refusal`] names the move that fails and the reason, the end of the moves, or their length.
pub fn check(start: &Towers, goal: &Towers, solution: &str, claimed: u64) -> Result<(), Refusal> {
    let moves = parse_moves(solution)?;
    Refusal::verdict(&start.after_all(&moves)?, goal, moves.len() as u64, claimed)
}
