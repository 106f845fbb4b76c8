//! Moves as permutations of points, and words of moves.

use std::collections::HashMap;

/// For each point, the one to which an element carries it.
pub(super) type Permutation = Box<[u16]>;

/// The product of two elements.
pub(super) fn then(first: &[u16], next: &[u16]) -> Permutation {
    first.iter().map(|&point| next[usize::from(point)]).collect()
}

/// The inverse of an element.
pub(super) fn inverse(of: &[u16]) -> Permutation {
    let mut back = vec![0; of.len()];
    // Points are numbered below 2^16.
    of.iter().zip(0u16..).for_each(|(&image, point)| back[usize::from(image)] = point);
    back.into()
}

/// The moves, which are closed under inversion.
pub(super) struct Generators {
    pub(super) steps: Vec<Permutation>,
    /// For each move, the one that undoes it.
    back: Vec<u8>,
    /// For two successive moves, the single move with the same effect: `Some(None)` if they cancel, `None` if no single move
    /// has this effect.
    joined: Vec<Vec<Option<Option<u8>>>>,
}

impl Generators {
    /// The moves with these effects; `None` if the inverse of one is no move.
    pub(super) fn new(steps: Vec<Permutation>) -> Option<Generators> {
        let numbers: HashMap<&Permutation, u8> = steps.iter().zip(0..).collect();
        let back: Option<Vec<u8>> = steps.iter().map(|step| numbers.get(&inverse(step)).copied()).collect();
        let join = |a: &Permutation, b: &Permutation| {
            let both = then(a, b);
            let is_identity = both.iter().zip(0u16..).all(|(&image, point)| image == point);
            if is_identity { Some(None) } else { numbers.get(&both).map(|&number| Some(number)) }
        };
        let joined = steps.iter().map(|a| steps.iter().map(|b| join(a, b)).collect()).collect();
        Some(Generators { back: back?, joined, steps })
    }

    /// The number of moves.
    pub(super) fn count(&self) -> usize {
        self.steps.len()
    }

    /// The number of points.
    pub(super) fn degree(&self) -> usize {
        self.steps[0].len()
    }

    /// Whether a single move, or none, does what two moves do.
    pub(super) fn are_joined(&self, first: u8, next: u8) -> bool {
        self.joined[usize::from(first)][usize::from(next)].is_some()
    }

    /// Appends a move to a word, joined with its last move where that is possible.
    pub(super) fn push(&self, word: &mut Vec<u8>, number: u8) {
        match word.last().and_then(|&last| self.joined[usize::from(last)][usize::from(number)]) {
            None => word.push(number),
            Some(None) => drop(word.pop()),
            Some(Some(joined)) => {
                word.pop();
                self.push(word, joined);
            }
        }
    }

    /// Appends another word.
    pub(super) fn append(&self, word: &mut Vec<u8>, other: &[u8]) {
        other.iter().for_each(|&number| self.push(word, number));
    }

    /// Appends the inverse of another word.
    pub(super) fn undo(&self, word: &mut Vec<u8>, other: &[u8]) {
        other.iter().rev().for_each(|&number| self.push(word, self.back[usize::from(number)]));
    }

    /// The effect of a word.
    pub(super) fn product(&self, word: &[u8]) -> Permutation {
        let step = |point: u16, number: &u8| self.steps[usize::from(*number)][usize::from(point)];
        (0..self.degree() as u16).map(|point| word.iter().fold(point, step)).collect()
    }
}
