//! The record of a block's new states: counts, goals, boundaries.

use super::{BitmapSearch, ExpandedSegment, wake};
use crate::bitmap::blocks::Link;
use crate::bitmap::boundary;
use crate::bitmap::layer::segment_of;
use crate::bitmap::shape::{PAIRS, Word256, pair_of};
use crate::model::{State, to_u32, to_u64};
use std::sync::atomic::AtomicU64;

/// The counts of one layer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct LayerCount {
    /// States, including all images under the group.
    pub states: u64,
    /// Orbits of states under the group.
    pub orbits: u64,
    /// States in the bitmaps: one of each orbit, or several for some orbits.
    pub stored: u64,
    /// Blocks that contain a state.
    pub blocks: u64,
    /// Bytes of the layer's streams.
    pub bytes: u64,
    /// States that the pruner removed from the bitmaps.
    pub pruned: u64,
    /// Whether the layer contains a goal.
    pub goal: bool,
}

impl LayerCount {
    /// Adds the counts of other blocks of the layer.
    pub(crate) fn add(&mut self, other: &LayerCount) {
        self.states += other.states;
        self.orbits += other.orbits;
        self.stored += other.stored;
        self.blocks += other.blocks;
        self.bytes += other.bytes;
        self.pruned += other.pruned;
        self.goal |= other.goal;
    }
}

impl BitmapSearch {
    /// Counts a block's new states, extracts its boundaries, and wakes the adjacent blocks.
    pub(super) fn record(
        &self,
        id: u32,
        bits: &[Word256],
        stored: u64,
        awake: &[AtomicU64],
        out: &mut ExpandedSegment,
    ) {
        let (_, place) = segment_of(id);
        wake(awake, id);
        let start = to_u32(out.boundaries.data.len());
        let mut pairs = 0;
        for pair in 0..6 {
            if !boundary::extract(&self.shape, bits, pair, &mut out.boundaries.data) {
                continue;
            }
            pairs |= 1 << pair;
            match self.blocks.link(id, 5 - pair) {
                Link::To(to, _) => wake(awake, to),
                Link::Unknown => out.unknown.push((id, 5 - pair)),
                Link::Closed => {}
            }
        }
        out.boundaries.blocks.resize(place + 1, (0, 0));
        out.boundaries.blocks[place] = (pairs, start);
        let goal = self.setup.goals.iter().any(|&pair| pairs >> pair & 1 == 1 && self.is_on(id, pair));
        let goal = goal || self.is_target(id, bits);
        let count = LayerCount { stored, blocks: 1, goal, ..self.count(id, bits, stored) };
        out.count.add(&count);
    }

    /// Whether the target is one of the new states of block `id`.
    fn is_target(&self, id: u32, bits: &[Word256]) -> bool {
        let Some((large, (unit, word, bit))) = self.target else { return false };
        large == self.blocks.large_discs(id) && bits[unit][word] >> bit & 1 == 1
    }

    /// Whether all large discs of block `id` are on the pegs of `pair`.
    fn is_on(&self, id: u32, pair: usize) -> bool {
        let (c, d) = PAIRS[pair];
        let large = self.blocks.large_discs(id);
        (0..self.blocks.large()).all(|disc| large.peg(disc) == c || large.peg(disc) == d)
    }

    /// Counts the states and orbits that the `stored` states of block `id` represent. Where the large discs
    /// leave pegs interchangeable, orbits are counted by Burnside's lemma: a permutation maps a state to
    /// itself if it maps the pegs of all discs to themselves.
    fn count(&self, id: u32, bits: &[Word256], stored: u64) -> LayerCount {
        let order = to_u64(self.blocks.group().perms().len());
        let fixed = |set: u8| match set.count_ones() {
            4 => stored,
            0 => 0,
            _ => self.count_on(set, bits),
        };
        let stabiliser = self.blocks.group().stabiliser(self.blocks.large_discs(id), self.blocks.large());
        let (members, sum) = stabiliser.fold((0, 0), |(n, sum), perm| (n + 1, sum + fixed(perm.fixed())));
        LayerCount { states: stored * (order / members), orbits: sum / members, ..LayerCount::default() }
    }

    /// The number of states with all small discs on the one or two pegs of `set`.
    fn count_on(&self, set: u8, bits: &[Word256]) -> u64 {
        let pegs: Vec<u32> = (0..4).filter(|&peg| set >> peg & 1 == 1).collect();
        match pegs[..] {
            [peg] => {
                let (unit, word, bit) = self.shape.locate(State::all_on(peg, self.setup.small));
                bits[unit][word] >> bit & 1
            }
            [c, d] => {
                let mut states = Vec::new();
                boundary::extract(&self.shape, bits, pair_of(c, d), &mut states);
                states.iter().map(|word| u64::from(word.count_ones())).sum()
            }
            _ => unreachable!("a permutation of four pegs that fixes three is the identity"),
        }
    }
}
