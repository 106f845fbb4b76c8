//! The blocks of a search, and which of them are adjacent.
//!
//! A block is a configuration of the large discs that is canonical under the group of peg
//! permutations. Blocks are numbered in the order in which a search first touches them. A large
//! disc's move between the pegs of a pair leads to one other configuration, which some permutation
//! maps to its canonical form: the **link** of the block for this pair. A link is resolved when a
//! state first crosses it, in both directions at once.
//!
//! Cost: 38 bytes per block, and an entry of a hash map.

use super::shape::{PAIRS, pair_of};
use crate::model::{State, to_u32};
use crate::pegs::{PegGroup, PegPerm};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::Range;

/// The link is not resolved yet.
const UNKNOWN: u32 = u32::MAX;
/// No move crosses the link.
const CLOSED: u32 = u32::MAX - 1;

/// The link of a block for one pair of pegs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Link {
    /// A block, and the permutation that maps the configuration after the move to it.
    To(u32, PegPerm),
    /// Not resolved yet.
    Unknown,
    /// No disc can move, or the block was not admitted.
    Closed,
}

/// The blocks of a search.
#[derive(Debug)]
pub struct Blocks {
    large: u32,
    group: PegGroup,
    codes: Vec<u64>,
    links: Vec<[(u32, u8); 6]>,
    numbers: HashMap<u64, u32, BuildHasherDefault<CodeHasher>>,
}

impl Blocks {
    /// An empty set of blocks with `large` large discs.
    pub fn new(large: u32, group: PegGroup) -> Blocks {
        Blocks { large, group, codes: Vec::new(), links: Vec::new(), numbers: HashMap::default() }
    }

    /// The number of large discs.
    pub fn large(&self) -> u32 {
        self.large
    }

    /// The group under which blocks are canonical.
    pub fn group(&self) -> &PegGroup {
        &self.group
    }

    /// The number of blocks.
    pub fn count(&self) -> usize {
        self.codes.len()
    }

    /// The numbers of all blocks.
    pub fn ids(&self) -> Range<u32> {
        0..to_u32(self.codes.len())
    }

    /// The configuration of block `id`.
    pub fn large_discs(&self, id: u32) -> State {
        State::from_code(self.codes[id as usize])
    }

    /// The codes of all configurations, in the order of the blocks' numbers.
    pub fn codes(&self) -> &[u64] {
        &self.codes
    }

    /// The number of the block with a canonical configuration.
    pub fn find(&self, large: State) -> Option<u32> {
        self.numbers.get(&large.code()).copied()
    }

    /// The number of the block with a canonical configuration; adds the block if it is new.
    ///
    /// # Panics
    /// If there would be more than 2³² − 2 blocks.
    pub fn find_or_add(&mut self, large: State) -> u32 {
        let next =
            u32::try_from(self.codes.len()).ok().filter(|&id| id < CLOSED).expect("fewer than 2^32 blocks");
        let id = *self.numbers.entry(large.code()).or_insert(next);
        if id == next {
            self.codes.push(large.code());
            self.links.push([(UNKNOWN, 0); 6]);
        }
        id
    }

    /// The link of block `id` for `pair` of pegs.
    #[inline]
    pub fn link(&self, id: u32, pair: usize) -> Link {
        match self.links[id as usize][pair] {
            (UNKNOWN, _) => Link::Unknown,
            (CLOSED, _) => Link::Closed,
            (to, perm) => Link::To(to, self.group.perms()[usize::from(perm)]),
        }
    }

    /// Resolves an unknown link: adds the block behind it if `admit` accepts its configuration, and sets
    /// the links of both sides. Returns the block behind the link.
    pub fn resolve(&mut self, id: u32, pair: usize, admit: impl Fn(State) -> bool) -> Option<u32> {
        let from = self.large_discs(id);
        let found =
            from.moved_between(PAIRS[pair], self.large).map(|after| self.group.canonical(after, self.large));
        let known = found.filter(|&(large, _)| self.numbers.contains_key(&large.code()) || admit(large));
        let Some((large, perm)) = known else {
            self.links[id as usize][pair].0 = CLOSED;
            return None;
        };
        let to = self.find_or_add(large);
        self.links[id as usize][pair] = (to, self.number_of(perm));
        self.link_back(from, id, pair, perm, to);
        Some(to)
    }

    /// Closes a link, on this side only.
    pub fn close(&mut self, id: u32, pair: usize) {
        self.links[id as usize][pair].0 = CLOSED;
    }

    /// Sets the links from block `to` to block `id`: one for each permutation that maps the large discs of
    /// `to` to themselves.
    fn link_back(&mut self, from: State, id: u32, pair: usize, perm: PegPerm, to: u32) {
        let (a, b) = PAIRS[pair];
        let start = perm.state(from, self.large);
        let same: Vec<PegPerm> = self.group.stabiliser(self.large_discs(to), self.large).collect();
        for swap in same {
            let back = pair_of(swap.peg(perm.peg(a)), swap.peg(perm.peg(b)));
            let (_, home) = self.group.canonical(swap.state(start, self.large), self.large);
            self.links[to as usize][back] = (id, self.number_of(home));
        }
    }

    fn number_of(&self, perm: PegPerm) -> u8 {
        let place = self.group.perms().iter().position(|&member| member == perm);
        u8::try_from(place.expect("the permutation is a member of the group")).expect("24 members at most")
    }
}

/// A fast hash function for configurations; no attacker chooses them.
#[derive(Debug, Default)]
pub struct CodeHasher(u64);

impl Hasher for CodeHasher {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u64(self.0 ^ u64::from(byte)));
    }
    fn write_u64(&mut self, code: u64) {
        let product = u128::from(code ^ 0x9e37_79b9_7f4a_7c15) * 0xd6e8_feb8_6659_fd93;
        self.0 = (product ^ product >> 64) as u64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_lead_back() {
        let group = PegGroup::fixing(0);
        let mut blocks = Blocks::new(4, group);
        blocks.find_or_add(State::START);
        let mut at = 0;
        while blocks.ids().contains(&at) {
            for (pair, &(a, b)) in PAIRS.iter().enumerate() {
                let Some(to) = blocks.resolve(at, pair, |_| true) else { continue };
                let Link::To(_, perm) = blocks.link(at, pair) else { panic!("resolved") };
                let after = blocks.large_discs(at).moved_between((a, b), 4).unwrap();
                assert_eq!(perm.state(after, 4), blocks.large_discs(to));
                let back = pair_of(perm.peg(a), perm.peg(b));
                let Link::To(home, _) = blocks.link(to, back) else { panic!("both sides") };
                assert_eq!(home, at);
            }
            at += 1;
        }
        // (4⁴ + 3 · 2⁴ + 2) / 6 orbits, by Burnside.
        assert_eq!(blocks.count(), 51);
    }

    #[test]
    fn refused_blocks_stay_closed() {
        let mut blocks = Blocks::new(2, PegGroup::trivial());
        blocks.find_or_add(State::START);
        assert_eq!(blocks.resolve(0, 0, |_| false), None);
        assert_eq!(blocks.link(0, 0), Link::Closed);
        assert_eq!(blocks.link(0, 1), Link::Unknown);
        assert_eq!(blocks.resolve(0, 5, |_| true), None, "no large disc on pegs 2 and 3");
    }
}
