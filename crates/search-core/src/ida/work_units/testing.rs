//! The pancake puzzle as a search that is shared.

use super::{DistributedSearch, Settings};
use crate::automaton::Automaton;
use crate::domain::Op;
use crate::ida::{AnyTree, Choice, Config, Order, RootMoves, Tree, TreeSearch, search};
use crate::record::{Ending, Iteration, TableUse};
use crate::run::Run;
use crate::testing::{self, Random, half_gaps};

/// The number of pancakes.
const CAKES: usize = 10;

/// A stack of pancakes.
pub(crate) type Stack = [u8; CAKES];

/// An instance and a solver.
pub(crate) struct Pancakes {
    pub name: &'static str,
    pub start: Stack,
    pub automaton: Automaton,
    pub order: Order,
}

impl Pancakes {
    pub(crate) fn solved() -> Pancakes {
        let (start, automaton) = (testing::Pancakes::sorted(), testing::Pancakes::<CAKES>::never_twice());
        Pancakes { name: "gap", start, automaton, order: Order::Deepest }
    }

    pub(crate) fn random(number: u64) -> Pancakes {
        let start = testing::Pancakes::random(40, &mut Random::new(number));
        Pancakes { start, ..Pancakes::solved() }
    }
}

impl TreeSearch for Pancakes {
    fn least(&self, bound: u32) -> u32 {
        bound.max(half_gaps(&self.start).into())
    }

    fn with_tree(&self, choice: &Choice, _: usize, act: &mut dyn FnMut(&dyn AnyTree)) -> bool {
        act(&Tree {
            domain: &testing::Pancakes,
            heuristic: &(half_gaps as fn(&Stack) -> u8),
            automaton: &self.automaton,
            start: &self.start,
            root_moves: RootMoves::none(),
        });
        choice.parts.is_empty()
    }
}

impl DistributedSearch for Pancakes {
    fn settings(&self) -> Settings {
        vec![("heuristic".to_owned(), self.name.to_owned())]
    }

    fn tables(&self) -> &[TableUse] {
        &[]
    }

    fn order(&self) -> Order {
        self.order
    }

    fn growth_per_move(&self) -> f64 {
        CAKES as f64
    }
}

/// The search by one process.
pub(crate) fn whole(cakes: &Pancakes) -> (Ending<Vec<Op>>, Vec<Iteration>) {
    let heuristic = half_gaps as fn(&Stack) -> u8;
    let report = search(
        &testing::Pancakes,
        &heuristic,
        &cakes.automaton,
        &cakes.start,
        &Config::default().order(cakes.order),
        &Run::new(),
    );
    (report.ending, report.iterations)
}
