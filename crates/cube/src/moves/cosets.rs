//! The cosets of ⟨U, D, R2, L2, F2, B2⟩ under a set of moves that all symmetries of the cube map to itself.
//!
//! The idea: tables of corners and edges are weak if the whole cube can be reached, and weakest if a slice counts as
//! one move. The [cosets](crate::pdb::Coset) give a stronger bound, from a table that symmetries reduce sixteenfold and
//! that also serves all three axes and the inverse. They require that all symmetries preserve the set, that the centres
//! are its frame, and that each move is in the subgroup of its axis: a turn of layers about U–D preserves the cosets of
//! U–D, a half turn those of all axes. So all faces and slices have such a table, with the metric's own distances, and
//! the argument of [`CosetBound`](crate::heuristics::CosetBound) applies to them.

use super::group::Group;
use super::permutation::turned;
use super::symmetries::SetSymmetries;
use super::tables::{DEEPEST, build_seconds, operator_names, spec};
use crate::cube::Cube;
use crate::pdb::{Coset, coset};
use crate::symmetry::Symmetry;
use crate::tables::Distances;
use search_core::Run;
use search_core::table::{Built, FileError, Proof, Recipe, Spec, Unfinished};
use std::sync::Arc;

/// The number of legal cubes.
const CUBES: u128 = 43_252_003_274_489_856_000;
/// The maximum number of operators at one end.
const MOST_OPERATORS: usize = 32;

/// The coset table of a set of moves.
#[derive(Clone, Debug)]
pub(crate) struct CosetTable {
    coset: Arc<Coset>,
    moves: Vec<Cube>,
    name: String,
    operators: String,
    set: String,
}

impl CosetTable {
    /// The table for a group that has all cubes and whose moves all symmetries preserve; `None` for other groups.
    pub(crate) fn of(group: &Group) -> Option<CosetTable> {
        let set = group.set();
        let is_fit = !set.is_in_space()
            && set.operators().len() <= MOST_OPERATORS
            && group.order() == CUBES
            && SetSymmetries::of(set).count() == Symmetry::COUNT;
        is_fit.then(|| {
            let moves = set.operators().iter().map(|operator| operator.name);
            let moves: Vec<Cube> = moves.map(|name| turned(name.face, name.layers, name.quarters)).collect();
            CosetTable {
                coset: Arc::new(Coset::of_moves(moves.clone())),
                moves,
                name: format!("cube-moves-{}-coset-{}", set.stem(), set.metric().name()),
                operators: operator_names(set),
                set: set.to_string(),
            }
        })
    }

    /// The space of the cosets.
    pub(crate) fn coset(&self) -> &Coset {
        &self.coset
    }

    /// The effect of each operator on the solved cube.
    pub(crate) fn moves(&self) -> &[Cube] {
        &self.moves
    }

    /// The number of entries.
    pub(crate) const fn entries() -> usize {
        coset::CLASSES * coset::SLICES * coset::FLIPS
    }
}

impl Recipe for CosetTable {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn description(&self) -> String {
        format!("the cosets of <U,D,R2,L2,F2,B2>, up to 16 symmetries, with the moves {} alone", self.set)
    }

    fn spec(&self) -> Spec {
        spec(&self.operators, self.description(), CosetTable::entries())
    }

    fn build_seconds(&self, threads: usize) -> f64 {
        build_seconds(CosetTable::entries(), threads)
    }

    fn build(&self, _: &Unfinished, run: &Run<'_>) -> Result<Built, FileError> {
        self.coset.fill(Some(DEEPEST), run)
    }

    fn prove(&self, body: &[u8], run: &Run<'_>) -> Result<Proof, FileError> {
        self.coset.prove(body, Some(DEEPEST), run)
    }
}
