//! The pancake puzzle as a search that is shared: prefixes of a stack are flipped until it is sorted.

use super::{AnyTree, Choice, DistributedSearch, Settings, Tree};
use crate::automaton::Automaton;
use crate::domain::{Domain, Lengths, Op};
use crate::ida::{Config, RootMoves, search};
use crate::record::{Ending, Iteration, TableUse};
use crate::run::Run;

/// The number of pancakes.
const CAKES: usize = 10;

/// A stack of pancakes, the greatest last when it is sorted.
pub type Stack = [u8; CAKES];

/// The puzzle.
pub struct Flips;

impl Domain for Flips {
    type State = Stack;

    fn op_count(&self) -> usize {
        CAKES - 1
    }

    /// Flips two pancakes, or three, and so on.
    fn apply(&self, stack: &Stack, op: Op) -> Stack {
        let mut next = *stack;
        next[..op.index() + 2].reverse();
        next
    }

    fn is_goal(&self, stack: &Stack) -> bool {
        stack.is_sorted()
    }
}

/// Each flip changes one pair of neighbours. Half of them, so that searches are longer.
pub fn gap(stack: &Stack) -> u8 {
    let with_plate = stack.iter().copied().chain([CAKES as u8]);
    let gaps = with_plate.zip(&stack[1..]).filter(|(a, b)| a.abs_diff(**b) > 1).count();
    (gaps as u8).div_ceil(2)
}

/// An instance and a solver.
pub struct Pancakes {
    pub name: &'static str,
    pub start: Stack,
    pub automaton: Automaton,
}

impl Pancakes {
    pub fn solved() -> Pancakes {
        let start = std::array::from_fn(|cake| cake as u8);
        // No flip is done twice in a row.
        let rule = |last: usize, op: Op| (last != op.index() + 1).then_some(op.index() + 1);
        let automaton = Automaton::from_rule(CAKES - 1, CAKES, rule);
        Pancakes { name: "gap", start, automaton }
    }

    pub fn random(number: u64) -> Pancakes {
        let (mut made, mut random) = (Pancakes::solved(), number + 1);
        for _ in 0..40 {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            made.start = Flips.apply(&made.start, Op::new((random >> 33) as usize % (CAKES - 1)));
        }
        made
    }
}

impl DistributedSearch for Pancakes {
    fn settings(&self) -> Settings {
        vec![("heuristic".to_owned(), self.name.to_owned())]
    }

    fn tables(&self) -> &[TableUse] {
        &[]
    }

    fn value(&self) -> u32 {
        gap(&self.start).into()
    }

    fn lengths(&self) -> Lengths {
        Lengths::ANY
    }

    fn growth(&self) -> f64 {
        CAKES as f64
    }

    fn with_tree(&self, choice: &Choice, act: &mut dyn FnMut(&dyn AnyTree)) -> bool {
        act(&Tree {
            domain: &Flips,
            heuristic: &(gap as fn(&Stack) -> u8),
            automaton: &self.automaton,
            start: &self.start,
            root_moves: RootMoves::none(),
        });
        choice.parts.is_empty()
    }
}

/// The search by one process.
pub fn whole(cakes: &Pancakes) -> (Ending<Vec<Op>>, Vec<Iteration>) {
    let heuristic = gap as fn(&Stack) -> u8;
    let report = search(&Flips, &heuristic, &cakes.automaton, &cakes.start, &Config::default(), &Run::new());
    (report.ending, report.iterations)
}
