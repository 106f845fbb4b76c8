//! The deepest positions, one of each class under the symmetries of the moves.
//!
//! The idea: a symmetry renames the moves so that words that lead to one position still do ([`crate::symmetry`]). The
//! word of a position, renamed, is a shortest word to another position of the same depth. Both are of one class.
//!
//! Where pieces look alike, stickers that look alike must be mapped to stickers that look alike, and back. So a symmetry
//! of the moves that exchanges pieces of different labels, or the open places of a goal with others, is left out. Rules
//! of illegal states are not mapped: with them, each position is a class.
//!
//! Limits: not all symmetries are found where all moves look alike, and none that hold a reduced puzzle in another way.
//! Then a class is listed several times.

use std::collections::HashSet;

use search_core::{Cancelled, Run};

use crate::part::Part;
use crate::system::System;

/// The maximum number of classes that are listed.
const LISTED: usize = 10;

/// A deepest position, for its class under symmetries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Antipode {
    /// A shortest word to it, as numbers of reduced moves.
    pub word: Vec<usize>,
    /// The number of positions of its class.
    pub alike: usize,
}

/// The symmetries that divide positions into classes.
pub(super) struct Classes<'a> {
    system: &'a System,
    /// For each symmetry other than the identity, the image of each move.
    renamed: Vec<Vec<usize>>,
}

impl<'a> Classes<'a> {
    pub(super) fn new(system: &'a System, run: &Run<'_>) -> Result<Classes<'a>, Cancelled> {
        if system.parts.iter().any(|part| !part.illegal.is_empty()) {
            return Ok(Classes { system, renamed: Vec::new() });
        }
        let (all, labels) = (system.symmetries(run)?.iter(), labels(system));
        let kept = all.filter(|symmetry| system.is_group || symmetry.keeps(&labels));
        Ok(Classes { system, renamed: kept.map(|symmetry| symmetry.moves.clone()).collect() })
    }

    /// The number of positions among which there are certainly as many classes as are listed.
    pub(super) fn words(&self) -> usize {
        LISTED * (self.renamed.len() + 1)
    }

    /// One word of each class, for the first classes among words to different positions.
    pub(super) fn listed(&self, words: Vec<Vec<usize>>) -> Vec<Antipode> {
        let (mut known, mut listed) = (HashSet::new(), Vec::new());
        for word in words {
            let position = self.position(word.iter().copied());
            if known.contains(&position) {
                continue;
            }
            if listed.len() == LISTED {
                break;
            }
            let image = |renamed: &Vec<usize>| self.position(word.iter().map(|&number| renamed[number]));
            let mut class: HashSet<Vec<u16>> = self.renamed.iter().map(image).collect();
            class.insert(position);
            listed.push(Antipode { word, alike: class.len() });
            known.extend(class);
        }
        listed
    }

    /// The states of the coordinates after a word.
    fn position(&self, word: impl Iterator<Item = usize> + Clone) -> Vec<u16> {
        let moves = self.system.moves();
        let coordinates = self.system.coordinates.iter().map(|coordinate| {
            let next = coordinate.next();
            word.clone().fold(0, |state: u16, number| next[usize::from(state) * moves + number])
        });
        coordinates.collect()
    }
}

/// The labels of the points of all parts: pieces that look alike have stickers with the same labels.
fn labels(system: &System) -> Vec<(usize, u8, u8)> {
    let of_part = |(number, part): (usize, &Part)| {
        let (orientations, solved) = (part.moves[0].orientations, part.solved.clone());
        let of_place = move |place: usize| {
            let (label, modulus) = (solved.pieces[place], solved.orientation_mod[place]);
            let turned = orientations - solved.orientation[place] % orientations;
            let sticker = move |point: u8| (number, label, (point + turned) % orientations % modulus);
            (0..orientations).map(sticker)
        };
        (0..part.places.len()).flat_map(of_place).collect::<Vec<_>>()
    };
    system.parts.iter().enumerate().flat_map(of_part).collect()
}
