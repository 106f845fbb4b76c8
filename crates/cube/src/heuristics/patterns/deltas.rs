//! Pattern databases with the effect of every turn: one read of each serves all children of a node.
//!
//! The idea, and why it is exact: [`search_core::pdb::deltas`]. A child is pruned if any part prunes it, so the nodes
//! are those of [`PatternBound`]. Only the node's own entries are computed, once each, and their lines are fetched
//! together; so all parts are one stage.
//!
//! Cost: eight bytes for each entry of each lookup. That is 1.4 GB for the heuristic of 1997, derived within seconds
//! once a search turns out to be long.

use super::bound::{Coordinates, CornerPart, PatternBound};
use super::{EdgeLookup, bound};
use crate::cube::Turn;
use crate::lanes::Lanes;
use crate::metric::Metric;
use crate::pdb::Corners;
use crate::space::{CubeSpace, State};
use crate::tables::{Pattern, TableId};
use search_core::heuristic::{Batch, Heuristic, Kernel, NodeRef, Sieved};
use search_core::pdb::{Delta, Deltas};
use search_core::prefetch::prefetch;
use search_core::table::{FileError, Recipe, TableError};
use search_core::{Op, Run};
use std::path::Path;
use std::sync::Arc;

/// The maximum number of parts.
const MOST_PARTS: usize = 8;

/// The maximum of pattern databases, each with the effect of every turn.
#[derive(Debug)]
pub(crate) struct DeltaBound<V> {
    corners: Option<(Arc<Corners>, Deltas)>,
    edges: Vec<(EdgeLookup<V>, Deltas)>,
}

impl<V: Lanes> DeltaBound<V> {
    /// The total number of entries of all parts of `bound`; `None` if deltas cannot be used, because a part looks up
    /// the inverse position or there are too many parts.
    pub(crate) fn entries(bound: &PatternBound<V>) -> Option<u64> {
        let turn = Turn::from_index(0);
        let is_fine = bound.edges().iter().all(|part| part.lookup.turn(turn).is_some());
        let parts = bound.edges().len() + usize::from(bound.corners().is_some());
        let corners = bound.corners().map(|part| part.table.len());
        let tables = corners.into_iter().chain(bound.edges().iter().map(|part| part.table.len()));
        (is_fine && parts <= MOST_PARTS).then(|| tables.sum())
    }

    /// Derives the deltas from the tables of `bound`, for searches in `metric`.
    ///
    /// # Errors
    /// [`TableError`] of the first part whose deltas cannot be derived.
    ///
    /// # Panics
    /// If [`entries`](Self::entries) returns `None`.
    pub(crate) fn derive(
        bound: &PatternBound<V>,
        metric: Metric,
        run: &Run<'_>,
    ) -> Result<DeltaBound<V>, TableError> {
        let turns = metric.turns();
        let error =
            |pattern, error| FileError::from(error).of(&TableId { pattern, metric }.name(), Path::new(""));
        let corners = bound.corners().map(|CornerPart { space, table }| {
            let ops: Vec<usize> = (0..turns.len()).collect();
            let deltas = Deltas::derive(&**space, table, &ops, run);
            Ok::<_, TableError>((space.clone(), deltas.map_err(|wrong| error(Pattern::Corners, wrong))?))
        });
        let edges = bound.edges().iter().map(|bound::EdgePart { lookup, table }| {
            let op = |turn: &Turn| {
                let of_entry = lookup.turn(*turn).expect("the lookup is of the position");
                turns.iter().position(|turn| *turn == of_entry).expect("symmetries keep the metric")
            };
            let ops: Vec<usize> = turns.iter().map(op).collect();
            let set = lookup.edges().cubies().iter().fold(0, |set, cubie| set | 1 << cubie);
            let deltas = Deltas::derive(lookup.edges(), table, &ops, run);
            Ok((lookup.clone(), deltas.map_err(|wrong| error(Pattern::Edges(set), wrong))?))
        });
        let edges = edges.collect::<Result<_, TableError>>()?;
        Ok(DeltaBound { corners: corners.transpose()?, edges })
    }

    /// Computes the entry of each part, the corners first, and prefetches their lines.
    #[inline(always)]
    fn locate_parts(&self, state: &State<V>, (row, column): Coordinates, entries: &mut Entries) {
        let mut first = 0;
        if let Some((space, deltas)) = &self.corners {
            entries[0] = Corners::index(row, column);
            deltas.prefetch(entries[0]);
            // Needed for the coordinates of the children.
            prefetch(space.rows_after(row).as_ptr().cast());
            first = 1;
        }
        for ((lookup, deltas), entry) in self.edges.iter().zip(&mut entries[first..]) {
            *entry = lookup.entry(state);
            deltas.prefetch(*entry);
        }
    }

    /// The delta of each part, the corners first.
    #[inline(always)]
    fn read_parts(&self, entries: &Entries) -> impl Iterator<Item = Delta> {
        let corners = self.corners.iter().map(|(_, deltas)| deltas);
        let parts = corners.chain(self.edges.iter().map(|(_, deltas)| deltas));
        parts.zip(entries).map(|(deltas, entry)| deltas.get(*entry))
    }
}

/// The entries of a node, the corners first.
type Entries = [usize; MOST_PARTS];

impl<V: Lanes> Heuristic<CubeSpace<V>> for DeltaBound<V> {
    type Carry = Coordinates;
    type Scratch = Entries;

    fn carry(&self, _: &CubeSpace<V>, state: &State<V>) -> Coordinates {
        self.corners.as_ref().map_or((0, 0), |_| Corners::coordinates(&state.cube()))
    }

    #[inline(always)]
    fn carry_child(
        &self,
        parent: NodeRef<'_, CubeSpace<V>, Coordinates>,
        op: Op,
        _: &State<V>,
        _: &Entries,
    ) -> Coordinates {
        let Some((space, _)) = &self.corners else { return (0, 0) };
        let (turn, (row, column)) = (parent.domain.turn_of(op).0.index(), *parent.carry);
        (space.rows_after(row)[turn], space.columns_after(column)[turn])
    }

    #[inline(always)]
    fn locate(&self, node: NodeRef<'_, CubeSpace<V>, Coordinates>, _: Batch, entries: &mut Entries) {
        debug_assert!(!node.domain.is_two_sided(), "pattern databases search from one side");
        self.locate_parts(node.state, *node.carry, entries);
    }

    #[inline(always)]
    fn read(&self, Batch { ops, limit, .. }: Batch, entries: &mut Entries) -> Sieved {
        let mut all = Sieved { kept: ops, ..Sieved::default() };
        for delta in self.read_parts(entries) {
            let one = delta.sieve(all.kept, limit);
            all = Sieved { kept: one.kept, least_cut: all.least_cut.min(one.least_cut) };
        }
        all
    }

    fn value(&self, space: &CubeSpace<V>, state: &State<V>) -> u8 {
        let mut entries = Entries::default();
        self.locate_parts(state, self.carry(space, state), &mut entries);
        self.read_parts(&entries).map(Delta::value).max().unwrap_or(0)
    }

    /// More subtrees in turn than elsewhere: a node takes less time, but its cache lines take as long to arrive.
    fn kernel(&self) -> Kernel {
        Kernel::Interleaved { lanes: 16 }
    }
}
