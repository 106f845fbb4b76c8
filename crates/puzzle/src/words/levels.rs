//! A beam search through the levels of a [table](super::table).
//!
//! The idea: at each level a few entries bring a fitting piece home, some by longer words that leave less to the later levels. The
//! beam keeps the partial solutions with the least sum of their length and the length that the shortest entries of the
//! remaining levels give. It starts from the position and from those that one or two moves lead to.
//!
//! Pieces that look alike may go to each other's homes; a position whose rest is out of reach for that reason is dropped.

use std::collections::HashSet;

use search_core::{Cancelled, Run};

use super::generators::Generators;
use super::table::{Entry, Table};

/// The number of partial solutions that are kept at each level.
const WIDTH: usize = 300;
/// The maximum number of partial solutions before the first level.
const MOST_FIRST: usize = 3_000;

/// A piece, and the home that a base point stands for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    /// Pieces with equal looks are not told apart.
    pub(super) look: usize,
    /// The first point of its part.
    pub(super) first: u16,
    /// The number of points of a place.
    pub(super) turns: u16,
    /// The modulus within which its orientation counts.
    pub(super) modulus: u16,
}

/// A position after some moves: the point of each piece, those of the finished levels first.
#[derive(Clone)]
struct Partial {
    points: Vec<u16>,
    word: Vec<u8>,
    /// The length of its word and of those for the remaining levels.
    length: usize,
}

/// The search.
pub(super) struct Levels<'a> {
    pub(super) moves: &'a Generators,
    pub(super) table: &'a Table,
    /// The piece of each level.
    pub(super) pieces: &'a [Piece],
}

impl Levels<'_> {
    /// A word that brings the pieces home from these points; `None` if none is known.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub(super) fn solve(&self, points: &[u16], run: &Run<'_>) -> Result<Option<Vec<u8>>, Cancelled> {
        let mut beam = self.first(points);
        let mut best: Option<Vec<u8>> = None;
        for level in 0..self.pieces.len() {
            run.check()?;
            let mut children = Vec::new();
            let mut seen = HashSet::new();
            for partial in &beam {
                self.expand(level, partial, &mut seen, &mut children);
            }
            children.sort_by(|a: &Partial, b| (a.length, &a.word).cmp(&(b.length, &b.word)));
            children.truncate(WIDTH);
            beam = children;
        }
        for partial in beam {
            if best.as_ref().is_none_or(|best| partial.word.len() < best.len()) {
                best = Some(partial.word);
            }
        }
        Ok(best)
    }

    /// The position, and those after a few moves.
    fn first(&self, points: &[u16]) -> Vec<Partial> {
        let mut all = vec![Partial { points: points.to_vec(), word: Vec::new(), length: 0 }];
        let mut layer = all.clone();
        let count = self.moves.count();
        while all.len() + layer.len() * count <= MOST_FIRST && !layer.is_empty() {
            let longer = layer.iter().flat_map(|partial| {
                let fits = |number: &u8| {
                    partial.word.last().is_none_or(|&last| !self.moves.are_joined(last, *number))
                };
                (0..count as u8).filter(fits).map(|number| {
                    let step = &self.moves.steps[usize::from(number)];
                    let points = partial.points.iter().map(|&point| step[usize::from(point)]).collect();
                    Partial { points, word: [&partial.word[..], &[number]].concat(), length: 0 }
                })
            });
            layer = longer.collect();
            all.extend(layer.iter().cloned());
        }
        all
    }

    /// Adds the partial solutions that bring a fitting piece home.
    fn expand(
        &self,
        level: usize,
        partial: &Partial,
        seen: &mut HashSet<Vec<u16>>,
        children: &mut Vec<Partial>,
    ) {
        for at in self.fitting(level) {
            let mut points = partial.points.clone();
            points.swap(level, at);
            for point in self.points(level, points[level]) {
                if point == self.table.base[level] {
                    self.add(level, points.clone(), partial.word.clone(), seen, children);
                }
                for entry in self.table.entries(level, point) {
                    let mut word = partial.word.clone();
                    self.moves.undo(&mut word, &entry.word);
                    self.add(level, divided(&points, level, entry), word, seen, children);
                }
            }
        }
    }

    fn add(
        &self,
        level: usize,
        points: Vec<u16>,
        word: Vec<u8>,
        seen: &mut HashSet<Vec<u16>>,
        children: &mut Vec<Partial>,
    ) {
        let rest = points[level + 1..].to_vec();
        if seen.contains(&rest) {
            return;
        }
        if let Some(remaining) = self.remaining(level + 1, points.clone()) {
            let length = word.len() + remaining;
            children.push(Partial { points, word, length });
        }
        seen.insert(rest);
    }

    /// The length of the shortest entries of all levels from `level` on; `None` if one is missing.
    fn remaining(&self, level: usize, mut points: Vec<u16>) -> Option<usize> {
        let mut length = 0;
        for level in level..self.pieces.len() {
            let mut best: Option<(usize, usize, Option<&Entry>)> = None;
            for at in self.fitting(level) {
                for point in self.points(level, points[at]) {
                    let entry = match point == self.table.base[level] {
                        true => None,
                        false => match self.table.entries(level, point).first() {
                            Some(entry) => Some(entry),
                            None => continue,
                        },
                    };
                    let own = entry.map_or(0, |entry| entry.word.len());
                    if best.is_none_or(|(least, ..)| own < least) {
                        best = Some((own, at, entry));
                    }
                }
            }
            let (own, at, entry) = best?;
            points.swap(level, at);
            if let Some(entry) = entry {
                points[level..].iter_mut().for_each(|point| *point = entry.back[usize::from(*point)]);
            }
            length += own;
        }
        Some(length)
    }

    /// The numbers of the pieces without a home that may go to the home of a level.
    fn fitting(&self, level: usize) -> impl Iterator<Item = usize> {
        let look = self.pieces[level].look;
        (level..self.pieces.len()).filter(move |&at| self.pieces[at].look == look)
    }

    /// The points that look like `point` for the piece of a level.
    fn points(&self, level: usize, point: u16) -> impl Iterator<Item = u16> + use<> {
        let Piece { first, turns, modulus, .. } = self.pieces[level];
        let (place, turn) = ((point - first) / turns, (point - first) % turns);
        (turn % modulus..turns).step_by(usize::from(modulus)).map(move |turn| first + place * turns + turn)
    }
}

/// The points of the pieces after an entry of a level is divided out.
fn divided(points: &[u16], level: usize, entry: &Entry) -> Vec<u16> {
    let moved = points[level..].iter().map(|&point| entry.back[usize::from(point)]);
    points[..level].iter().copied().chain(moved).collect()
}
