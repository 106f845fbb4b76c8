//! The cosets of ⟨U, D, R2, L2, F2, B2⟩ under a set of moves that all symmetries of the cube map to itself.
//!
//! The idea: tables of corners and edges are weak if the whole cube can be reached, and weakest if a slice counts as
//! one move. The [cosets](crate::pdb::Coset) give a stronger bound, from a table that symmetries reduce sixteenfold and
//! that also serves all three axes and the inverse. They require that all symmetries preserve the set, that the centres
//! are its frame, and that each move is in the subgroup of its axis: a turn of layers about U–D preserves the cosets of
//! U–D, a half turn those of all axes. So all faces and slices have such a table, with the metric's own distances, and
//! the argument of [`CosetBound`](crate::heuristics::CosetBound) applies to them.
//!
//! With fewer moves no distance is smaller. So the table of all turns of a metric is a bound for a set of most of them, such
//! as those of five faces, which symmetries need not preserve. The argument holds for it, too: a solution with these moves is
//! one of all moves, and a value that equals the number of moves left excludes the same last moves.

use super::group::Group;
use super::set::Operator;
use super::symmetries::SetSymmetries;
use super::tables::{DEEPEST, build_seconds, operator_names, spec};
use crate::cube::Cube;
use crate::pdb::{Coset, coset};
use crate::symmetry::Symmetry;
use crate::tables::{Distances, Pattern, TableId};
use search_core::Run;
use search_core::table::{Built, FileError, Proof, Recipe, Spec, Unfinished};
use std::sync::Arc;

/// The number of legal cubes.
const CUBES: u128 = 43_252_003_274_489_856_000;
/// The maximum number of operators.
const MOST_OPERATORS: usize = 64;

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
            let moves: Vec<Cube> = set.operators().iter().map(Operator::cube).collect();
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
    #[cfg(test)]
    pub(crate) fn coset(&self) -> &Coset {
        &self.coset
    }

    /// The effect of each operator on the solved cube.
    #[cfg(test)]
    pub(crate) fn moves(&self) -> &[Cube] {
        &self.moves
    }

    /// The number of entries.
    pub(crate) const fn entries() -> usize {
        coset::CLASSES * coset::SLICES * coset::FLIPS
    }
}

/// The cosets that the search of a set reads.
pub(crate) struct SetCosets {
    /// Their space.
    pub coset: Arc<Coset>,
    /// The effect of each operator of the set on the solved cube.
    pub moves: Vec<Cube>,
    /// The recipe of the table.
    pub recipe: Box<dyn Recipe>,
}

impl SetCosets {
    /// The cosets for a group: those of its moves, or those of all turns of its metric, if it has at least five sixths of
    /// the turns and reaches all cubes. `None` for other groups.
    pub(crate) fn of(group: &Group) -> Option<SetCosets> {
        CosetTable::of(group).map(SetCosets::from).or_else(|| SetCosets::of_all_turns(group))
    }

    fn of_all_turns(group: &Group) -> Option<SetCosets> {
        let (set, metric) = (group.set(), group.set().metric());
        let is_fit = metric.is_of_faces()
            && !set.is_in_space()
            && 6 * set.operators().len() >= 5 * metric.turns().len()
            && group.order() == CUBES;
        is_fit.then(|| SetCosets {
            coset: Arc::new(Coset::new(metric)),
            moves: set.operators().iter().map(Operator::cube).collect(),
            recipe: Box::new(TableId { pattern: Pattern::Coset, metric }),
        })
    }

    /// Whether the operators of two ends are few enough for a search from both ends.
    pub(crate) fn serve_both_ends(&self) -> bool {
        2 * self.moves.len() <= MOST_OPERATORS
    }
}

impl From<CosetTable> for SetCosets {
    fn from(table: CosetTable) -> SetCosets {
        SetCosets { coset: table.coset.clone(), moves: table.moves.clone(), recipe: Box::new(table) }
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
