//! Permutations of the pegs: canonical forms, stabilisers, orbits.
//!
//! The idea (Bode & Hinz 1999; Korf & Felner 2006, "Four-peg Towers of Hanoi Problem"): a
//! permutation of the pegs that maps the set of starting states to itself maps every layer of the
//! search to itself. So it suffices to store one state of each orbit, and all can be counted.
//!
//! A state consists of its large and its small discs. The searches keep exactly the states whose
//! *large* discs are canonical: the least, as a number, among their images. Where the large discs
//! leave pegs interchangeable (a non-trivial stabiliser), all images of the small discs are kept.

use crate::model::{State, low_bits};

/// A permutation of the four pegs: `self.0[p]` is the image of peg `p`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PegPerm([u8; 4]);

impl PegPerm {
    /// The identity.
    pub const IDENTITY: PegPerm = PegPerm([0, 1, 2, 3]);

    /// A permutation that maps the two pegs `from` to the two pegs `to`, and the others in ascending order.
    pub fn mapping(from: (u32, u32), to: (u32, u32)) -> PegPerm {
        let mut images = [0; 4];
        let rest = |(c, d): (u32, u32)| (0..4).filter(move |&peg| peg != c && peg != d);
        let pegs = [from.0, from.1].into_iter().chain(rest(from));
        pegs.zip([to.0, to.1].into_iter().chain(rest(to)))
            .for_each(|(from, to)| images[from as usize] = to as u8);
        PegPerm(images)
    }

    /// The image of `peg`.
    #[inline(always)]
    pub fn peg(self, peg: u32) -> u32 {
        u32::from(self.0[peg as usize])
    }

    /// The image of a state of `discs` discs; replaces all digits at once, peg by peg.
    #[inline(always)]
    pub fn state(self, state: State, discs: u32) -> State {
        const ONES: u64 = 0x5555_5555_5555_5555;
        let (low, high) = (state.code() & ONES, state.code() >> 1 & ONES);
        let on = [!(low | high) & ONES, low & !high, high & !low, low & high];
        let image = (0..4).fold(0, |sum, peg| sum | on[peg] * u64::from(self.0[peg]));
        State::from_code(image & low_bits(2 * discs))
    }

    /// The pegs that are mapped to themselves, as a bit set.
    pub fn fixed(self) -> u8 {
        (0..4).filter(|&peg| self.0[peg as usize] == peg).fold(0, |set, peg| set | 1 << peg)
    }
}

/// A group of permutations of the pegs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PegGroup {
    perms: Vec<PegPerm>,
}

impl PegGroup {
    /// The permutations that map `peg` to itself.
    pub fn fixing(peg: u32) -> PegGroup {
        PegGroup::filtered(|perm| perm.peg(peg) == peg)
    }

    /// The permutations with a property. The caller guarantees that they form a group, as for
    /// "maps this state to itself".
    pub fn filtered(keeps: impl Fn(PegPerm) -> bool) -> PegGroup {
        PegGroup { perms: all_perms().into_iter().filter(|&perm| keeps(perm)).collect() }
    }

    /// The trivial group: every state is its own orbit.
    pub fn trivial() -> PegGroup {
        PegGroup { perms: vec![PegPerm::IDENTITY] }
    }

    /// The members, the identity first.
    pub fn perms(&self) -> &[PegPerm] {
        &self.perms
    }

    /// The least image of `state` (of `discs` discs), and a permutation that maps `state` to it.
    pub fn canonical(&self, state: State, discs: u32) -> (State, PegPerm) {
        let images = self.perms.iter().map(|&perm| (perm.state(state, discs), perm));
        images.min().expect("a group has a member")
    }

    /// The members that map `state` (of `discs` discs) to itself.
    pub fn stabiliser(&self, state: State, discs: u32) -> impl Iterator<Item = PegPerm> {
        self.perms.iter().copied().filter(move |perm| perm.state(state, discs) == state)
    }
}

/// All 24 permutations, in lexicographic order.
fn all_perms() -> Vec<PegPerm> {
    let digits = |code: u32| [0, 1, 2, 3].map(|at| (code >> (2 * (3 - at)) & 3) as u8);
    let distinct = |perm: &[u8; 4]| perm.iter().fold(0, |set, &peg| set | 1 << peg) == 15;
    (0..256).map(digits).filter(distinct).map(PegPerm).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_have_the_right_orders() {
        assert_eq!(PegGroup::fixing(0).perms().len(), 6);
        assert_eq!(PegGroup::filtered(|_| true).perms().len(), 24);
        assert_eq!(PegGroup::trivial().perms(), [PegPerm::IDENTITY]);
    }

    #[test]
    fn images_agree_with_the_definition_disc_by_disc() {
        for perm in all_perms() {
            for state in (0..1024).map(State::from_code) {
                let image = perm.state(state, 5);
                assert!((0..5).all(|disc| image.peg(disc) == perm.peg(state.peg(disc))));
            }
        }
    }

    #[test]
    fn orbits_times_stabilisers_give_the_group() {
        let group = PegGroup::fixing(0);
        for state in (0..256).map(State::from_code) {
            let mut orbit: Vec<_> = group.perms().iter().map(|perm| perm.state(state, 4)).collect();
            orbit.sort_unstable();
            orbit.dedup();
            assert_eq!(orbit.len() * group.stabiliser(state, 4).count(), 6);
            let (least, perm) = group.canonical(state, 4);
            assert_eq!((least, perm.state(state, 4)), (orbit[0], least));
        }
    }
}
