//! The goals of pattern databases: all discs on one peg, or the middle states.

use crate::bitmap::shape::PAIRS;
use crate::model::State;
use crate::pegs::PegGroup;
use crate::presumed::four_peg_length;

/// The pairs of pegs without peg 0: in a middle state, all discs are on one of them.
pub const MIDDLE_PAIRS: [usize; 3] = [3, 4, 5];

/// The goals to which a database holds distances.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Goals {
    /// All discs on one peg.
    Peg(u32),
    /// All discs on two pegs other than peg 0: the middle states.
    Middle,
}

impl Goals {
    /// The permutations that map the set of goals to itself.
    pub fn group(self) -> PegGroup {
        match self {
            Goals::Peg(peg) => PegGroup::fixing(peg),
            Goals::Middle => PegGroup::fixing(0),
        }
    }

    /// An estimate of the greatest distance of a state of `discs` discs: the distance of a tower.
    pub fn farthest(self, discs: u32) -> u32 {
        match self {
            Goals::Peg(_) => four_peg_length(discs),
            Goals::Middle => (four_peg_length(discs + 1) - 1) / 2,
        }
    }

    /// The goals of `discs` discs; some occur more than once.
    pub fn states(self, discs: u32) -> Vec<State> {
        match self {
            Goals::Peg(peg) => vec![State::all_on(peg, discs)],
            Goals::Middle => {
                let on =
                    |pair: usize| (0..1 << discs).map(move |on_d| State::on_pair(PAIRS[pair], on_d, discs));
                MIDDLE_PAIRS.iter().flat_map(|&pair| on(pair)).collect()
            }
        }
    }
}
