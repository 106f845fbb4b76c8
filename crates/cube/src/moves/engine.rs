//! The two searches of a set of moves: one for every set, and one from both ends for all faces and slices.

use super::bound::SetBound;
use super::cosets::CosetTable;
use super::rules::Rules;
use super::space::{MoveSpace, Places};
use crate::cube::Cube;
use crate::heuristics::CosetBound;
use crate::lanes::{Everywhere, Lanes};
use crate::moves::Permutation;
use crate::space::{AnyMoves, CubeSpace, Sides, State, in_order};
use crate::tables::Table;
use search_core::heuristic::ChildBound;
use search_core::ida::{self, AnyTree, Config, RootMoves, Tree};
use search_core::memory::Memory;
use search_core::pdb::Packed;
use search_core::{Automaton, Domain, Heuristic, Lengths, Op, Report, Run};
use std::sync::Arc;

/// A search in which everything but the cube is fixed.
pub(super) trait Engine: Send + Sync {
    /// Searches for shortest solutions of `cube`, which is `element` of the group: operators in order.
    fn search(&self, cube: &Cube, element: &Permutation, config: &Config, run: &Run<'_>) -> Report<Vec<Op>>;

    /// Calls `act` with the tree of a search with these root moves.
    fn with_tree(
        &self,
        cube: &Cube,
        element: &Permutation,
        root_moves: &RootMoves,
        act: &mut dyn FnMut(&dyn AnyTree),
    );

    /// The lower bound.
    fn value(&self, cube: &Cube, element: &Permutation) -> u8;

    /// The lengths that solutions can have.
    fn lengths(&self, cube: &Cube, element: &Permutation) -> Lengths;

    /// The operators of a solution in order, from those of a tree; nothing if one is none.
    fn in_order(&self, ops: &[Op]) -> Option<Vec<Op>>;
}

/// The search with the maximum of tables, for every set.
pub(super) struct ByPlaces {
    pub(super) space: MoveSpace,
    pub(super) bound: SetBound,
    pub(super) rules: Automaton,
}

impl Engine for ByPlaces {
    fn search(&self, _: &Cube, element: &Permutation, config: &Config, run: &Run<'_>) -> Report<Vec<Op>> {
        ida::search(&self.space, &self.bound, &self.rules, &Places::of(element), config, run)
    }

    fn with_tree(
        &self,
        _: &Cube,
        element: &Permutation,
        root_moves: &RootMoves,
        act: &mut dyn FnMut(&dyn AnyTree),
    ) {
        let ByPlaces { space: domain, bound: heuristic, rules: automaton } = self;
        let start = &Places::of(element);
        act(&Tree { domain, heuristic, automaton, start, root_moves });
    }

    fn value(&self, _: &Cube, element: &Permutation) -> u8 {
        ChildBound::value(&self.bound, &self.space, &Places::of(element))
    }

    fn lengths(&self, _: &Cube, element: &Permutation) -> Lengths {
        self.space.lengths(&Places::of(element))
    }

    fn in_order(&self, ops: &[Op]) -> Option<Vec<Op>> {
        ops.iter().all(|op| op.index() < self.space.op_count()).then(|| ops.to_vec())
    }
}

/// The search from both ends with the cosets along three axes, of the position and its inverse.
struct BothEnds<V> {
    space: CubeSpace<V, AnyMoves>,
    bound: CosetBound<V>,
    rules: Automaton,
    moves: usize,
}

impl<V: Lanes> BothEnds<V> {
    fn new(table: &CosetTable, body: Memory, rules: &Rules) -> BothEnds<V> {
        let filled: Table =
            Packed::new(body, CosetTable::entries() as u64).expect("a body of the table's length");
        let space = CubeSpace::of_moves(table.moves(), Sides::Two);
        let bound = CosetBound::new(&space, table.coset(), Arc::new(filled), 3, true);
        BothEnds { space, bound, rules: rules.at_both_ends(), moves: table.moves().len() }
    }
}

impl<V: Lanes> Engine for BothEnds<V> {
    fn search(&self, cube: &Cube, _: &Permutation, config: &Config, run: &Run<'_>) -> Report<Vec<Op>> {
        let start = State::new(cube);
        ida::search(&self.space, &self.bound, &self.rules, &start, config, run)
            .map(|ops| in_order(self.moves, &ops))
    }

    fn with_tree(
        &self,
        cube: &Cube,
        _: &Permutation,
        root_moves: &RootMoves,
        act: &mut dyn FnMut(&dyn AnyTree),
    ) {
        let BothEnds { space: domain, bound: heuristic, rules: automaton, .. } = self;
        let start = &State::new(cube);
        act(&Tree { domain, heuristic, automaton, start, root_moves });
    }

    fn value(&self, cube: &Cube, _: &Permutation) -> u8 {
        Heuristic::value(&self.bound, &self.space, &State::new(cube))
    }

    fn lengths(&self, cube: &Cube, _: &Permutation) -> Lengths {
        self.space.lengths(&State::new(cube))
    }

    fn in_order(&self, ops: &[Op]) -> Option<Vec<Op>> {
        ops.iter().all(|op| op.index() < self.space.op_count()).then(|| in_order(self.moves, ops))
    }
}

/// The search from both ends, with the best vector instructions of this machine.
pub(super) fn both_ends(table: &CosetTable, body: Memory, rules: &Rules) -> Box<dyn Engine> {
    #[cfg(target_arch = "x86_64")]
    {
        use crate::lanes::Avx2;
        if Avx2::is_available() {
            return Box::new(BothEnds::<Avx2>::new(table, body, rules));
        }
    }
    Box::new(BothEnds::<Everywhere>::new(table, body, rules))
}
