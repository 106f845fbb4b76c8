//! Orbits that only show how the whole puzzle is held.
//!
//! If counted moves leave the pieces of some orbits in place, and different rotations carry these pieces to different
//! places, then for each state there is exactly one rotation after which these pieces are at home. Positions that
//! differ by a rotation are the same, so each is represented by the state with these pieces at home, and counted
//! moves lead from such states to such states. Neither these orbits nor the rotations are needed for the search.

use super::Definition;
use crate::fault::Faults;
use crate::model::{Move, OrbitPattern, Pattern, PuzzleParts, Rotation, Transformation};
use std::collections::{HashMap, HashSet};

/// The maximum number of rotations that are listed.
const MOST_ROTATIONS: usize = 1_000;

/// The orbits that show how the puzzle is held, and the rotations.
#[derive(Clone, Debug)]
pub struct Frame {
    /// For each orbit, whether it belongs to the frame.
    held: Vec<bool>,
    /// For the labels at the places of the frame, the rotation that brings them home.
    home: HashMap<Vec<u8>, Transformation>,
}

impl Frame {
    /// The frame of a definition, if these moves and rotations have one.
    pub(super) fn find(definition: &Definition, moves: &[Move], rotations: &[Rotation]) -> Option<Frame> {
        if rotations.is_empty() || !definition.illegal.is_empty() {
            return None;
        }
        let held: Vec<bool> = (0..definition.orbits.len())
            .map(|orbit| moves.iter().all(|step| leaves(definition, &step.transformation, orbit)))
            .collect();
        if held.iter().all(|&held| held) || held.iter().all(|&held| !held) {
            return None;
        }
        let group = products(Transformation::identity(&definition.orbits), rotations)?;
        let mut home = HashMap::new();
        for rotation in &group {
            let labels = labels(&held, &definition.solved.apply(rotation));
            // Two rotations that the frame does not tell apart.
            if home.insert(labels, rotation.inverse()).is_some() {
                return None;
            }
        }
        Some(Frame { held, home })
    }

    /// The state without its frame, after the rotation that brings the frame home.
    pub(super) fn remove(&self, pattern: &Pattern) -> Result<Pattern, Faults> {
        let Some(rotation) = self.home.get(&labels(&self.held, pattern)) else {
            return Err("no rotation of the whole puzzle brings the pieces home that moves leave in place"
                .to_owned()
                .into());
        };
        let turned = pattern.apply(rotation);
        let kept = turned.orbits.into_iter().zip(&self.held).filter(|(_, held)| !**held);
        Ok(Pattern { orbits: kept.map(|(orbit, _)| orbit).collect() })
    }

    /// A state with the pieces of the frame at home.
    pub(super) fn restore(&self, solved: &Pattern, state: &Pattern) -> Pattern {
        let mut kept = state.orbits.iter();
        let orbit = |(held, home): (&bool, &OrbitPattern)| {
            if *held {
                home.clone()
            } else {
                kept.next().expect("an orbit that is no part of the frame").clone()
            }
        };
        Pattern { orbits: self.held.iter().zip(&solved.orbits).map(orbit).collect() }
    }

    /// The puzzle without frame and rotations.
    pub(super) fn without(&self, parts: PuzzleParts) -> PuzzleParts {
        let transformation = |whole: Transformation| Transformation { orbits: self.kept(whole.orbits) };
        let moves = |all: Vec<Move>| -> Vec<Move> {
            let of_step = |step: Move| Move { transformation: transformation(step.transformation), ..step };
            all.into_iter().map(of_step).collect()
        };
        PuzzleParts {
            orbits: self.kept(parts.orbits),
            moves: moves(parts.moves),
            free: moves(parts.free),
            rotations: Vec::new(),
            solved: Pattern { orbits: self.kept(parts.solved.orbits) },
            ..parts
        }
    }

    fn kept<T>(&self, all: Vec<T>) -> Vec<T> {
        all.into_iter().zip(&self.held).filter(|(_, held)| !**held).map(|(one, _)| one).collect()
    }
}

/// Whether a move leaves the pieces of an orbit in place, and turns them only where that does not count.
fn leaves(definition: &Definition, transformation: &Transformation, orbit: usize) -> bool {
    let part = &transformation.orbits[orbit];
    let moduli = &definition.solved.orbits[orbit].orientation_mod;
    let turns = part.turn.iter().zip(moduli);
    part.from.iter().enumerate().all(|(place, &from)| place == usize::from(from))
        && turns.into_iter().all(|(&turn, &modulus)| turn % modulus == 0)
}

/// The labels at the places of the frame.
fn labels(held: &[bool], pattern: &Pattern) -> Vec<u8> {
    let orbits = pattern.orbits.iter().zip(held).filter(|(_, held)| **held);
    orbits.flat_map(|(orbit, _)| orbit.pieces.iter().copied()).collect()
}

/// All products of the rotations, the identity first; `None` if they are too many.
pub(crate) fn products(identity: Transformation, rotations: &[Rotation]) -> Option<Vec<Transformation>> {
    let mut known: HashSet<Transformation> = HashSet::from([identity.clone()]);
    let mut group = vec![identity];
    let mut at = 0;
    while at < group.len() {
        for rotation in rotations {
            let product = group[at].then(&rotation.transformation);
            if known.insert(product.clone()) {
                group.push(product);
                if group.len() > MOST_ROTATIONS {
                    return None;
                }
            }
        }
        at += 1;
    }
    Some(group)
}
