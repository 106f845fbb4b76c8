//! The cosets of ⟨U, D, R2, L2, F2, B2⟩ under a set of moves that all symmetries of the cube map to itself.
//!
//! The idea: the tables of corners and edges say little where the whole cube can be reached, least of all
//! where a slice counts as one move. The [cosets](crate::pdb::Coset) say more, in a table that symmetries
//! reduce sixteenfold, and for free along three axes and for the inverse. They need that the set is the same
//! seen by every symmetry, that the centres are its frame, and that each move lies in the subgroup of its axis:
//! a turn of layers about U–D keeps the cosets of U–D, a half turn those of all axes. So all faces and slices
//! have such a table, with the metric's own distances, and the argument of
//! [`CosetBound`](crate::heuristics::CosetBound) holds for them.

use super::group::Group;
use super::permutation::turned;
use super::symmetries::SetSymmetries;
use super::tables::DEEPEST;
use crate::cube::Cube;
use crate::pdb::{Coset, coset};
use crate::symmetry::Symmetry;
use crate::tables::Distances;
use search_core::Run;
use search_core::table::{Built, Encoding, FileError, Kind, Proof, Recipe, Spec, Unfinished};
use std::sync::Arc;

/// The number of legal cubes.
const CUBES: u128 = 43_252_003_274_489_856_000;
/// The most operators at one end.
const MOST_OPERATORS: usize = 32;
/// The version of the function from positions to entries, raised whenever it changes.
const RANKING: u32 = 1;
/// Entries that one thread fills per second, at least.
const ENTRIES_PER_SECOND: f64 = 5e6;

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
    /// The table for a group that has all cubes and whose moves are the same seen by every symmetry; none for others.
    pub(crate) fn of(group: &Group) -> Option<CosetTable> {
        let set = group.set();
        let is_fit = !set.is_in_space()
            && set.operators().len() <= MOST_OPERATORS
            && group.order() == CUBES
            && SetSymmetries::of(set).count() == Symmetry::COUNT;
        is_fit.then(|| {
            let moves = set.operators().iter().map(|operator| operator.name);
            let moves: Vec<Cube> = moves.map(|name| turned(name.face, name.layers, name.quarters)).collect();
            let operators: Vec<String> =
                set.operators().iter().map(|operator| operator.name.to_string()).collect();
            CosetTable {
                coset: Arc::new(Coset::of_moves(moves.clone())),
                moves,
                name: format!("cube-moves-{}-coset-{}", set.stem(), set.metric().name()),
                operators: operators.join(" "),
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
        Spec {
            kind: Kind::PatternDatabase,
            puzzle: "cube".to_owned(),
            operators: self.operators.clone(),
            pattern: self.description(),
            ranking: RANKING,
            bits: 4,
            encoding: Encoding::Exact,
            entries: CosetTable::entries() as u64,
            // As for all tables of sets, greater distances than entries hold may be left out.
            complete: false,
        }
    }

    fn build_seconds(&self, threads: usize) -> f64 {
        CosetTable::entries() as f64 / (ENTRIES_PER_SECOND * threads.max(1) as f64)
    }

    fn build(&self, _: &Unfinished, run: &Run<'_>) -> Result<Built, FileError> {
        self.coset.fill(Some(DEEPEST), run)
    }

    fn prove(&self, body: &[u8], run: &Run<'_>) -> Result<Proof, FileError> {
        self.coset.prove(body, Some(DEEPEST), run)
    }
}
