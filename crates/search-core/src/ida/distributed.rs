//! Searches whose bounds are cut into subtrees, without the types of their trees.

use super::Order;
use super::tree::{AnyTree, UnitError};
use crate::record::{Iteration, TableUse};
use crate::run::Run;
use serde::{Deserialize, Serialize};

/// A solver's choice before a bound, as data.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Choice {
    /// The numbers of the parts of the heuristic that the bound reads; empty where there is no choice.
    pub parts: Vec<usize>,
    /// The number of nodes of the trials that chose them.
    pub trials: u64,
}

/// A search by iterative deepening: the trees that each bound searches. There is one tree unless the goal is a union.
pub trait TreeSearch {
    /// The least length of at least `bound` that a solution can have, as far as the heuristic knows.
    fn least(&self, bound: u32) -> u32;

    /// The number of trees.
    fn trees(&self) -> usize {
        1
    }

    /// Chooses what the bound after `iterations` reads. `last` is the choice of an earlier bound, with that bound; a
    /// solver repeats its trials only where that pays.
    fn choose(&self, iterations: &[Iteration], last: Option<(u32, &Choice)>, run: &Run<'_>) -> Choice {
        let _ = (iterations, last, run);
        Choice::default()
    }

    /// Calls `act` with a tree of a bound. Returns whether it did: the solver must have the chosen parts.
    fn with_tree(&self, choice: &Choice, tree: usize, act: &mut dyn FnMut(&dyn AnyTree)) -> bool;
}

/// A search that many processes can share, because it states what it depends on.
pub trait DistributedSearch: TreeSearch {
    /// The settings that the search depends on besides the instance and the tables: names and values, such as
    /// `heuristic` and `korf96`.
    fn settings(&self) -> Settings;

    /// The tables that are read.
    fn tables(&self) -> &[TableUse];

    /// The order in which each bound searches the branches.
    fn order(&self) -> Order {
        Order::Deepest
    }

    /// The factor by which each move multiplies the work, before it is measured.
    fn growth_per_move(&self) -> f64;
}

/// Names and values.
pub type Settings = Vec<(String, String)>;

/// Returns what `act` returns for a tree; an error if the choice is not one of this solver.
pub(super) fn with<T>(
    search: &(impl TreeSearch + ?Sized),
    choice: &Choice,
    tree: usize,
    act: impl FnOnce(&dyn AnyTree) -> T,
) -> Result<T, UnitError> {
    let (mut act, mut done) = (Some(act), None);
    search.with_tree(choice, tree, &mut |tree| done = act.take().map(|act| act(tree)));
    done.ok_or(UnitError::Heuristic)
}
