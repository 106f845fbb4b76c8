//! The setup of a search: its states and its resources.

use crate::model::State;
use crate::pegs::PegGroup;
use search_core::storage::Budget;
use std::path::PathBuf;

/// The states and the resources of a search.
#[derive(Debug)]
pub struct Setup {
    /// The number of discs.
    pub discs: u32,
    /// The number of small discs, in [`SMALL`](crate::bitmap::shape::SMALL) and at most `discs`.
    pub small: u32,
    /// Permutations that map the seeds to themselves and do not change what the pruner keeps.
    pub group: PegGroup,
    /// The states from which the search starts.
    pub seeds: Vec<State>,
    /// Indices of [pairs of pegs](crate::bitmap::shape::PAIRS): a state with all discs on one of them is a goal.
    pub goals: Vec<usize>,
    /// A further goal, in any of its images.
    pub target: Option<State>,
    /// Whether to keep all layers in memory, so that a path can be traced back.
    pub keep_layers: bool,
    /// The budget of memory and disk.
    pub budget: Budget,
    /// The directory for layers, if they are kept on disk.
    pub directory: Option<PathBuf>,
}

impl Setup {
    /// A search in memory from all discs on peg 0, without goals and budgets.
    pub fn new(discs: u32, small: u32, group: PegGroup) -> Setup {
        Setup {
            discs,
            small,
            group,
            seeds: vec![State::START],
            goals: Vec::new(),
            target: None,
            keep_layers: false,
            budget: Budget::unlimited(),
            directory: None,
        }
    }
}
