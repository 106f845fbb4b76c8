//! Iterative-deepening A* (Korf 1985): shortest solutions in memory linear in their length.
//!
//! The idea: search depth first for a solution of at most `bound` moves, pruning every node whose moves so far plus
//! heuristic value exceed the bound; if there is none, raise the bound to the least sum that was pruned. The first
//! bound with a solution is the shortest length.
//!
//! Invariant: after an iteration with bound `b` without a solution, every solution is longer than `b`. No optimal path
//! is lost, because a node on a path of length at most `b` has moves so far plus an admissible value of at most `b`,
//! and because the automaton allows at least one shortest string to every state on a shortest solution.
//!
//! | file | contents |
//! | --- | --- |
//! | `driver` | the loop over bounds and trees, on threads and from checkpoints |
//! | `distributed` | the solver's interface to the driver: its trees, choices and settings |
//! | `work_units` | one iteration as work for many processes |
//! | `search_state` | the state of a search as data, for another process to continue it |
//! | `file_checkpoints` | that state in a file |
//! | `incumbent` | the best known solution, which other methods may improve while the search runs |
//! | `schedule` | when these methods look for solutions |
//! | `upper_bounds` | the use of incumbents, as a solver's caller chooses it |
//! | `bounds`, `growth` | the sequence of bounds, the ending of a search, and its growth |
//! | `tree`, `partition` | the partition of a tree into subtrees, and the outcome of searching some of them |
//! | `split` | splitting the first levels of a tree into subtrees for the threads; the earliest solution wins |
//! | `root_moves` | restricted sets of operators for nodes near the root |
//! | `branch_depths` | branch ordering: the branches in which the previous bound went deepest come first |
//! | `depth_first` | the plain kernel |
//! | `interleaved` | the kernel that keeps many table reads in flight |
//! | `own` | the queue of subtrees for a heuristic's own kernel |
//! | `path` | the current path in one subtree, with the children still to be visited |
//! | `expander` | expanding nodes, with the settings that stay the same during an iteration |
//! | `subtree` | nodes, and subtrees to search |
//! | `stop` | when a thread may leave a subtree |
//! | `subtree_result`, `counts`, `operators` | the result of searching subtrees: counts, solutions |
//!
//! The length and the counts of complete iterations do not depend on the number of threads. By default neither does the
//! solution: subtrees are numbered in the order of the search, a solution stops only subtrees that come later, and the
//! solution of the earliest subtree is the one that a single thread would have found. With
//! [`Config::any_solution`] the first solution that any thread finds ends the search, since no shorter one exists.

mod bounds;
mod branch_depths;
mod counts;
mod depth_first;
mod distributed;
mod driver;
mod expander;
mod file_checkpoints;
mod growth;
mod incumbent;
mod interleaved;
mod operators;
mod own;
mod partition;
mod path;
mod renamed;
mod root_moves;
mod schedule;
mod search_state;
mod split;
mod stop;
mod subtree;
mod subtree_result;
#[cfg(test)]
mod testing;
mod tree;
mod upper_bounds;
pub mod work_units;

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// The wanted solutions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Wanted {
    /// One shortest solution: the first in the order of the search.
    #[default]
    First,
    /// All solutions that the automaton allows, up to `extra` moves longer than the shortest. Solutions that pass a
    /// goal on their way are left out.
    All {
        /// The greatest number of moves beyond the shortest length.
        extra: u32,
    },
}

/// The order in which each bound searches the branches of the tree. It changes which of the shortest solutions is
/// found, and when; the counts of complete iterations stay the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// The order of the operators: plain IDA\*, as in the papers.
    Operators,
    /// First the branches in which the previous bound went deepest, which mostly shortens the last iteration. An
    /// iteration that is always completed uses the order of [`Operators`](Order::Operators).
    #[default]
    Deepest,
}

impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Order::Operators => "operators",
            Order::Deepest => "deepest",
        })
    }
}

/// The name of an order is neither `operators` nor `deepest`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is neither `operators` nor `deepest`")]
pub struct UnknownOrder(String);

impl FromStr for Order {
    type Err = UnknownOrder;
    fn from_str(text: &str) -> Result<Order, UnknownOrder> {
        let all = [Order::Operators, Order::Deepest];
        all.into_iter().find(|order| order.to_string() == text).ok_or_else(|| UnknownOrder(text.to_owned()))
    }
}

/// The configuration of a search. By default it finds one shortest solution, without limits.
///
/// ```
/// use search_core::ida::{Config, Wanted};
///
/// let config = Config::default().wanted(Wanted::All { extra: 1 }).max_bound(20);
/// assert_eq!(config.max_bound, Some(20));
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Config {
    /// The kernel that each thread runs; by default [that of the heuristic](crate::Heuristic::kernel).
    pub kernel: Option<Kernel>,
    /// The wanted solutions.
    pub wanted: Wanted,
    /// Begin with this bound if the heuristic's value is less. The caller guarantees that no solution is shorter.
    pub min_bound: u32,
    /// Give up after this bound. Without it, a search from a start that cannot reach the goal ends only if a complete
    /// iteration prunes nothing by the heuristic ([`Exhausted`](crate::Ending::Exhausted)). If such starts are
    /// possible, reject them before the search (by parity, for example), set a bound, or give the `Run` a time limit.
    pub max_bound: Option<u32>,
    /// Give up before a bound that is expected, from the last two bounds, to generate more nodes than this, unless a
    /// solution is known. Another heuristic can then continue the search.
    pub most_nodes: Option<u64>,
    /// Restricted operators for nodes near the root. If symmetries of the start make some operators equivalent, one of
    /// each class is enough. (Nodes with at most three moves left are expanded by all operators.)
    pub root_moves: RootMoves,
    /// The order of the branches.
    pub order: Order,
    /// Complete the last iteration even if only its first solution is wanted, so that its counts do not depend on the
    /// number of threads.
    pub full_last_iteration: bool,
    /// A bound is divided among the threads until it has this many subtrees; by default at least 512 for each thread.
    /// Fewer suit a search of some thousand nodes, which otherwise spends most of its time on the division. Counts of
    /// complete iterations, and the first solution in the order of the search, do not depend on it.
    pub subtrees: Option<usize>,
    /// The place where the search saves checkpoints, if any.
    pub checkpoints: Option<Arc<dyn Checkpoints>>,
    /// Whether any shortest solution will do: the first one that a thread finds, or the incumbent. By default the
    /// answer is the first solution in the order of the search, whatever the number of threads.
    pub any_solution: bool,
    /// The best known solution. It is part of the answer if the search ends before it finds a shortest one. It ends a
    /// search for [any solution](Config#structfield.any_solution) as soon as the lower bound is close enough to its
    /// length. A search for all solutions, or one that completes its last iteration, is never ended by it.
    pub incumbent: Option<Incumbent>,
    /// The greatest difference between the incumbent's length and the lower bound with which the search ends. If it is
    /// not 0, the incumbent ends the search even if the first solution in order is wanted.
    pub within: u32,
}

impl Config {
    /// The difference between the incumbent's length and the lower bound at which the search ends; `None` if the
    /// incumbent does not end it.
    pub(crate) fn enough(&self) -> Option<u32> {
        let is_any = self.any_solution || self.within > 0;
        let is_ended = is_any && self.wanted == Wanted::First && !self.full_last_iteration;
        is_ended.then_some(self.within)
    }

    /// A search of a single bound.
    pub fn at(bound: u32) -> Config {
        Config::default().min_bound(bound).max_bound(bound)
    }

    /// Sets [`kernel`](Config#structfield.kernel).
    #[must_use]
    pub fn kernel(self, kernel: impl Into<Option<Kernel>>) -> Config {
        Config { kernel: kernel.into(), ..self }
    }

    /// Sets [`wanted`](Config#structfield.wanted).
    #[must_use]
    pub fn wanted(self, wanted: Wanted) -> Config {
        Config { wanted, ..self }
    }

    /// Sets [`min_bound`](Config#structfield.min_bound).
    #[must_use]
    pub fn min_bound(self, min_bound: u32) -> Config {
        Config { min_bound, ..self }
    }

    /// Sets [`max_bound`](Config#structfield.max_bound).
    #[must_use]
    pub fn max_bound(self, max_bound: impl Into<Option<u32>>) -> Config {
        Config { max_bound: max_bound.into(), ..self }
    }

    /// Sets [`most_nodes`](Config#structfield.most_nodes).
    #[must_use]
    pub fn most_nodes(self, most_nodes: impl Into<Option<u64>>) -> Config {
        Config { most_nodes: most_nodes.into(), ..self }
    }

    /// Sets [`root_moves`](Config#structfield.root_moves).
    #[must_use]
    pub fn root_moves(self, root_moves: RootMoves) -> Config {
        Config { root_moves, ..self }
    }

    /// Sets [`order`](Config#structfield.order).
    #[must_use]
    pub fn order(self, order: Order) -> Config {
        Config { order, ..self }
    }

    /// Sets [`full_last_iteration`](Config#structfield.full_last_iteration).
    #[must_use]
    pub fn full_last_iteration(self, full_last_iteration: bool) -> Config {
        Config { full_last_iteration, ..self }
    }

    /// Sets [`subtrees`](Config#structfield.subtrees).
    #[must_use]
    pub fn subtrees(self, subtrees: impl Into<Option<usize>>) -> Config {
        Config { subtrees: subtrees.into(), ..self }
    }

    /// Sets [`any_solution`](Config#structfield.any_solution).
    #[must_use]
    pub fn any_solution(self, any_solution: bool) -> Config {
        Config { any_solution, ..self }
    }

    /// Sets [`incumbent`](Config#structfield.incumbent).
    #[must_use]
    pub fn incumbent(self, incumbent: impl Into<Option<Incumbent>>) -> Config {
        Config { incumbent: incumbent.into(), ..self }
    }

    /// Sets [`within`](Config#structfield.within).
    #[must_use]
    pub fn within(self, within: u32) -> Config {
        Config { within, ..self }
    }

    /// Sets [`checkpoints`](Config#structfield.checkpoints).
    #[must_use]
    pub fn checkpoints(self, checkpoints: Option<Arc<dyn Checkpoints>>) -> Config {
        Config { checkpoints, ..self }
    }
}

pub use crate::heuristic::Kernel;
pub use bounds::Bounds;
pub use distributed::{Choice, Look, TreeSearch};
pub use driver::{search, search_trees};
pub use file_checkpoints::{FileCheckpoints, checkpoint_text, read_checkpoint, search_of_checkpoint};
pub use growth::expected_nodes;
pub use incumbent::Incumbent;
pub use renamed::RenamedTree;
pub use root_moves::{NodeMoves, RootMoves};
pub use schedule::Schedule;
pub use search_state::{Checkpoints, SearchState};
pub use tree::{AnyTree, Tree};
pub use upper_bounds::UpperBounds;
