//! Positions as the pieces at all places, hashed.
//!
//! The idea: each place of each part has a byte for the kind and the orientation of its piece. The hash of a
//! position is the sum of a random number for each place and byte. A move changes few places, so the hash of a child is that of
//! its parent and one number for each changed place: the summand of its piece at the place that it moves to, less its summand at the place that it leaves.
//!
//! Invariant: pieces that look alike have the same byte, and orientations that do not count are left out, so equal positions
//! have equal bytes and equal hashes.

use std::ops::Range;

use search_core::domain::Lengths;
use search_core::{Domain, Op, OpSet};

use super::Hashed;
use crate::model::{OrbitPattern, Pattern};
use crate::part::Part;
use crate::space::Width;
use crate::system::System;

/// The maximum number of places.
pub const MOST_PLACES: usize = 256;

/// A place that a move changes.
#[derive(Clone, Copy, Debug)]
struct Change {
    from: u8,
    to: u8,
    /// The first number of this change in [`Places::sums`], which has one for each byte.
    row: u32,
}

/// A rule that a move may break: no legal position has one of the marked bytes at this place before the move.
#[derive(Clone, Debug)]
struct Rule {
    from: u8,
    marked: Box<[bool]>,
}

/// The places of a puzzle and the moves as they act there.
#[derive(Clone, Debug)]
pub struct Places {
    moves: usize,
    /// The number of the first place of each part.
    first: Vec<usize>,
    /// For each part, the label, the modulus and the orientation that each byte stands for.
    bytes: Vec<Vec<(u8, u8, u8)>>,
    solved: Vec<u8>,
    steps: Vec<Range<usize>>,
    changes: Vec<Change>,
    /// For each change and byte, the change of the hash.
    sums: Vec<u64>,
    /// For each change and byte, the byte after the move.
    turned: Vec<u8>,
    /// The rules that each move may break.
    rules: Vec<Vec<Rule>>,
    has_rules: bool,
}

impl Places {
    /// The places of a puzzle; `None` if there are more than [`MOST_PLACES`], if a part has more than 256 different pieces and
    /// turns, or if a move has no inverse.
    pub fn new(system: &System) -> Option<Places> {
        system.inverses.as_ref()?;
        let (mut first, mut count) = (Vec::new(), 0);
        for part in &system.parts {
            first.push(count);
            count += part.places.len();
        }
        if count > MOST_PLACES {
            return None;
        }
        let moves = system.moves();
        let bytes: Vec<Vec<(u8, u8, u8)>> = system.parts.iter().map(bytes).collect();
        if bytes.iter().any(|of_part| of_part.len() > 256) {
            return None;
        }
        let mut places = Places {
            moves,
            first,
            bytes,
            solved: Vec::new(),
            steps: Vec::new(),
            changes: Vec::new(),
            sums: Vec::new(),
            turned: Vec::new(),
            rules: vec![Vec::new(); moves],
            has_rules: system.parts.iter().any(|part| !part.illegal.is_empty()),
        };
        let solved: Vec<&OrbitPattern> = system.parts.iter().map(|part| &part.solved).collect();
        places.solved = places.bytes_of(&solved)?;
        for number in 0..moves {
            let start = places.changes.len();
            for at in 0..system.parts.len() {
                places.add(at, &system.parts[at], number)?;
            }
            places.steps.push(start..places.changes.len());
        }
        Some(places)
    }

    /// Adds the changes of a move in a part, and the rules that they may break.
    fn add(&mut self, part: usize, of_part: &Part, number: usize) -> Option<()> {
        let (first, step) = (self.first[part], &of_part.moves[number]);
        let bytes = self.bytes[part].clone();
        for (to, (&from, &turn)) in step.from.iter().zip(&step.turn).enumerate() {
            let from = usize::from(from);
            if from == to && turn == 0 {
                continue;
            }
            let row = u32::try_from(self.sums.len()).ok()?;
            for (byte, &(label, modulus, orientation)) in bytes.iter().enumerate() {
                let sum = u16::from(orientation) + u16::from(turn);
                let after = (label, modulus, u8::try_from(sum % u16::from(modulus)).ok()?);
                let after = bytes.iter().position(|&known| known == after)?;
                self.turned.push(u8::try_from(after).ok()?);
                self.sums.push(key(first + to, after).wrapping_sub(key(first + from, byte)));
            }
            let place = |at: usize| u8::try_from(first + at).expect("at most 256 places");
            self.changes.push(Change { from: place(from), to: place(to), row });
            let labels: Vec<u8> =
                of_part.illegal.iter().filter(|rule| rule.0 == to).map(|rule| rule.1).collect();
            if !labels.is_empty() {
                let marked = bytes.iter().map(|byte| labels.contains(&byte.0)).collect();
                self.rules[number].push(Rule { from: place(from), marked });
            }
        }
        Some(())
    }

    /// The number of places.
    pub fn count(&self) -> usize {
        self.solved.len()
    }

    /// The bytes of a pattern of the puzzle, which may be rotated; `None` if it has pieces that the puzzle has not.
    pub fn read(&self, system: &System, pattern: &Pattern) -> Option<Vec<u8>> {
        let pattern = system.reduction.normalized(pattern)?;
        let parts: Vec<OrbitPattern> = system.parts.iter().map(|part| part.of_pattern(&pattern)).collect();
        self.bytes_of(&parts.iter().collect::<Vec<_>>())
    }

    fn bytes_of(&self, parts: &[&OrbitPattern]) -> Option<Vec<u8>> {
        let mut all = Vec::new();
        for (part, bytes) in parts.iter().zip(&self.bytes) {
            for ((&label, &modulus), &orientation) in
                part.pieces.iter().zip(&part.orientation_mod).zip(&part.orientation)
            {
                let at = bytes.iter().position(|&known| known == (label, modulus, orientation))?;
                all.push(u8::try_from(at).ok()?);
            }
        }
        Some(all)
    }

    /// The hash of a position.
    pub fn hash(&self, position: &[u8]) -> u64 {
        let keys = position[..self.count()].iter().enumerate().map(|(at, &byte)| key(at, usize::from(byte)));
        keys.fold(0, u64::wrapping_add)
    }
}

/// The kinds of pieces of a part with each of their turns.
fn bytes(part: &Part) -> Vec<(u8, u8, u8)> {
    let of_kind = |(label, modulus, _): (u8, u8, usize)| (0..modulus).map(move |turn| (label, modulus, turn));
    part.kinds().into_iter().flat_map(of_kind).collect()
}

/// A number for a place and a byte: the output of SplitMix64 (Steele, Lea & Flood 2014) at their number.
fn key(place: usize, byte: usize) -> u64 {
    let mut bits = ((place * 256 + byte + 1) as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    bits = (bits ^ bits >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    bits = (bits ^ bits >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    bits ^ bits >> 31
}

/// The positions of a puzzle, with room for `W` places: a power of two.
#[derive(Clone, Debug)]
pub struct PlaceSpace<'a, const W: usize> {
    places: &'a Places,
    solved: [u8; W],
    lengths: Lengths,
}

impl<'a, const W: usize> PlaceSpace<'a, W> {
    /// The positions of a puzzle, of which one is to be solved in one of `lengths`.
    ///
    /// # Panics
    /// If there are more than `W` places, or `W` is not a power of two.
    pub fn new(places: &'a Places, lengths: Lengths) -> Self {
        assert!(W.is_power_of_two() && places.count() <= W, "there is room for {W} places");
        PlaceSpace { places, solved: padded(&places.solved), lengths }
    }

    /// A position of these bytes.
    pub fn position(&self, bytes: &[u8]) -> [u8; W] {
        padded(bytes)
    }

    /// The solved position.
    pub fn solved(&self) -> &[u8; W] {
        &self.solved
    }

    /// The places that a move changes.
    pub fn changed(&self, op: Op) -> impl Iterator<Item = usize> + '_ {
        self.places.changes[self.places.steps[op.index()].clone()].iter().map(|change| usize::from(change.to))
    }

    /// The amount by which a move changes the hash of a position.
    #[inline(always)]
    pub fn change(&self, position: &[u8; W], op: Op) -> u64 {
        let Places { steps, changes, sums, .. } = self.places;
        let mut sum = 0u64;
        for &Change { from, row, .. } in &changes[steps[op.index()].clone()] {
            let byte = position[usize::from(from) & (W - 1)];
            sum = sum.wrapping_add(sums[row as usize + usize::from(byte)]);
        }
        sum
    }
}

/// Runs `operation` with room for the places of a position. Each size has its own copy of all searches.
pub fn with_room<W: Width>(places: &Places, operation: W) -> W::Answer {
    match places.count() {
        0..=32 => operation.with::<32>(),
        33..=64 => operation.with::<64>(),
        _ => operation.with::<MOST_PLACES>(),
    }
}

/// The same for classes of positions, which have fewer sizes: their searches take more code, and copies are a smaller part of
/// their time.
pub fn with_class_room<W: Width>(places: &Places, operation: W) -> W::Answer {
    match places.count() {
        0..=64 => operation.with::<64>(),
        _ => operation.with::<MOST_PLACES>(),
    }
}

fn padded<const W: usize>(bytes: &[u8]) -> [u8; W] {
    let mut position = [0; W];
    position[..bytes.len()].copy_from_slice(bytes);
    position
}

impl<const W: usize> Domain for PlaceSpace<'_, W> {
    type State = [u8; W];

    fn op_count(&self) -> usize {
        self.places.moves
    }

    #[inline(always)]
    fn applicable(&self, position: &[u8; W]) -> OpSet {
        let all = OpSet::first(self.places.moves);
        if !self.places.has_rules {
            return all;
        }
        let keeps = |rule: &Rule| !rule.marked[usize::from(position[usize::from(rule.from) & (W - 1)])];
        all.into_iter().filter(|op| self.places.rules[op.index()].iter().all(keeps)).collect()
    }

    #[inline(always)]
    fn apply(&self, position: &[u8; W], op: Op) -> [u8; W] {
        let Places { steps, changes, turned, .. } = self.places;
        let mut child = *position;
        for &Change { from, to, row } in &changes[steps[op.index()].clone()] {
            let byte = position[usize::from(from) & (W - 1)];
            child[usize::from(to) & (W - 1)] = turned[row as usize + usize::from(byte)];
        }
        child
    }

    #[inline(always)]
    fn is_goal(&self, position: &[u8; W]) -> bool {
        *position == self.solved
    }

    fn lengths(&self, _: &[u8; W]) -> Lengths {
        self.lengths
    }
}

impl<const W: usize> Hashed for PlaceSpace<'_, W> {
    fn root(&self) -> [u8; W] {
        self.solved
    }

    fn hash(&self, position: &[u8; W]) -> u64 {
        self.places.hash(position)
    }

    #[inline(always)]
    fn child_hash(&self, position: &[u8; W], hash: u64, op: Op) -> u64 {
        hash.wrapping_add(self.change(position, op))
    }
}
