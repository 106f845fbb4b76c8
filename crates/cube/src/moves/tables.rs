//! The tables of a set of moves: pattern databases of distances under these moves alone.
//!
//! If the whole group is small, one table has the distance of every position. Otherwise one has all
//! corners and one all edges that move. If the edges are too many for one table, each of two tables has as many
//! as fit, and they may share some.
//!
//! Entries have four bits: distances to 14, and 15 for all greater ones. So a value never exceeds a
//! distance, and where the table is that of the whole group, only positions beyond 14 moves are searched.
//!
//! Distances under a set are longer than those under all moves, so these tables are far stronger for it
//! than those of all face turns, which would be admissible too.

use super::arrangements::Arrangements;
use super::edges::SomeEdges;
use super::group::{Group, all_facelets, corner_facelets, edge_facelets};
use super::permutation::Permutation;
use super::set::MoveSet;
use crate::pdb::edges;
use crate::tables::{Distances, edge_names};
use search_core::table::{Built, Encoding, FileError, Kind, Proof, Recipe, Spec, Unfinished};
use search_core::{Cancelled, Run};
use std::sync::Arc;

/// The greatest distance that an entry holds.
pub(super) const DEEPEST: u8 = 14;
/// The version of the functions from positions to entries, those of cosets included, raised whenever one of them changes.
const RANKING: u32 = 1;
/// Entries that one thread fills per second, at least.
const ENTRIES_PER_SECOND: f64 = 5e6;
/// The most entries of a table.
pub(crate) const MOST_ENTRIES: u64 = 100_000_000;

/// The pieces whose distances a table holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pieces {
    /// All: exact distances.
    All,
    /// The corners.
    Corners,
    /// The edges.
    Edges,
    /// Some edges, bit `i` for edge `i`.
    SomeEdges(u16),
}

/// The space of a table.
#[derive(Clone, Debug)]
pub(crate) enum Space {
    /// The arrangements that the moves reach.
    Arrangements(Arrangements),
    /// Any arrangement of some edges.
    Edges(SomeEdges),
}

/// One table of a set of moves.
#[derive(Clone, Debug)]
pub(crate) struct SetTable {
    /// Its pieces.
    pub pieces: Pieces,
    /// Its entries.
    pub space: Arc<Space>,
    name: String,
    operators: String,
    set: String,
}

impl SetTable {
    /// The tables of a group, with `most` entries each, without those of the names `avoided`: then other sets of edges take
    /// the place of theirs.
    pub(crate) fn plan(group: &Group, most: u64, avoided: &[String]) -> Vec<SetTable> {
        let arrangements = |facelets: Vec<u8>| {
            Arrangements::new(group.set(), &facelets, group.solved(), most).map(Space::Arrangements)
        };
        let table = |pieces, facelets| {
            let is_allowed = !avoided.contains(&SetTable::name_of(group.set(), pieces));
            let space = if is_allowed { arrangements(facelets) } else { None };
            space.map(|space| SetTable::new(group, pieces, space))
        };
        if let Some(all) = table(Pieces::All, all_facelets()) {
            return vec![all];
        }
        let corners = table(Pieces::Corners, corner_facelets());
        let edges = match table(Pieces::Edges, edge_facelets()) {
            Some(edges) => vec![edges],
            None => {
                let some = |chosen| SetTable::of_edges(group, chosen);
                edge_sets(group, most, avoided).into_iter().filter_map(some).collect()
            }
        };
        corners.into_iter().chain(edges).collect()
    }

    /// The table of some edges, bit `i` for edge `i`; `None` if they are no pattern.
    pub(crate) fn of_edges(group: &Group, chosen: u16) -> Option<SetTable> {
        let is_pattern = chosen >> 12 == 0 && (1..=edges::MOST as u32).contains(&chosen.count_ones());
        is_pattern.then(|| {
            SetTable::new(group, Pieces::SomeEdges(chosen), Space::Edges(SomeEdges::new(group, chosen)))
        })
    }

    /// The tables of a group that fit the memory of `run` together, with [`MOST_ENTRIES`] each or fewer. Each plan takes
    /// some tenths of a second.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub(crate) fn plan_within(
        group: &Group,
        avoided: &[String],
        run: &Run<'_>,
    ) -> Result<Vec<SetTable>, Cancelled> {
        let mut most = MOST_ENTRIES;
        loop {
            run.check()?;
            let tables = SetTable::plan(group, most, avoided);
            if most < 1000 || tables.iter().map(Recipe::bytes).sum::<u64>() <= run.memory() {
                return Ok(tables);
            }
            most /= 2;
        }
    }

    fn new(group: &Group, pieces: Pieces, space: Space) -> SetTable {
        let set = group.set();
        SetTable {
            pieces,
            space: Arc::new(space),
            name: SetTable::name_of(set, pieces),
            operators: operator_names(set),
            set: set.to_string(),
        }
    }

    fn name_of(set: &MoveSet, pieces: Pieces) -> String {
        let stem = match pieces {
            Pieces::All => "all".to_owned(),
            Pieces::Corners => "corners".to_owned(),
            Pieces::Edges => "edges".to_owned(),
            Pieces::SomeEdges(chosen) => format!("edges{}.{chosen:03x}", chosen.count_ones()),
        };
        format!("cube-moves-{}-{stem}-{}", set.stem(), set.metric().name())
    }
}

impl Space {
    /// The number of entries.
    pub(crate) fn entries(&self) -> usize {
        match self {
            Space::Arrangements(space) => space.entries(),
            Space::Edges(space) => space.entries(),
        }
    }

    /// The facelets whose images give the entry, in order.
    pub(crate) fn bases(&self) -> Vec<u8> {
        match self {
            Space::Arrangements(space) => space.bases().collect(),
            Space::Edges(space) => space.bases().collect(),
        }
    }

    fn distances(&self) -> &dyn Distances {
        match self {
            Space::Arrangements(space) => space,
            Space::Edges(space) => space,
        }
    }
}

/// The edges that the moves carry elsewhere or flip, in one or two sets that are as large as fits. Sets whose table has a name
/// in `avoided` are replaced by smaller or other ones; the result is empty if there are none.
fn edge_sets(group: &Group, most: u64, avoided: &[String]) -> Vec<u16> {
    let first = edge_facelets();
    let is_moved = |edge: &usize| {
        let stays = |effect: &Permutation| effect.image(first[*edge]) == first[*edge];
        !group.set().operators().iter().all(|operator| stays(&operator.effect))
    };
    let mut moved: Vec<usize> = (0..first.len()).filter(is_moved).collect();
    // Those of the set of 1997 first: if all edges are moved, the two sets are its own.
    moved.sort_by_key(|edge| edges::KORF >> edge & 1 == 0);
    let many = (1..=edges::MOST).rev().find(|&many| SomeEdges::count(many) <= most).unwrap_or(1);
    let set = |edges: &[usize]| edges.iter().fold(0, |set, edge| set | 1 << edge);
    let sets = |many: usize, first: usize| {
        let mut moved = moved.clone();
        moved.rotate_left(first);
        match moved.len() <= many {
            true => vec![set(&moved)],
            false => vec![set(&moved[..many]), set(&moved[moved.len() - many..])],
        }
    };
    let is_allowed = |sets: &Vec<u16>| {
        let name = |&chosen: &u16| SetTable::name_of(group.set(), Pieces::SomeEdges(chosen));
        sets.iter().all(|set| !avoided.contains(&name(set)))
    };
    let all = (1..=many).rev().flat_map(|many| (0..moved.len()).map(move |first| (many, first)));
    all.map(|(many, first)| sets(many, first)).find(is_allowed).unwrap_or_default()
}

/// The specification of a table of distances under the moves `operators`.
pub(super) fn spec(operators: &str, pattern: String, entries: usize) -> Spec {
    Spec {
        kind: Kind::PatternDatabase,
        puzzle: "cube".to_owned(),
        operators: operators.to_owned(),
        pattern,
        ranking: RANKING,
        bits: 4,
        encoding: Encoding::Exact,
        entries: entries as u64,
        // Greater distances than entries hold are left out, by choice.
        complete: false,
    }
}

/// The time to fill a table of distances.
pub(super) fn build_seconds(entries: usize, threads: usize) -> f64 {
    entries as f64 / (ENTRIES_PER_SECOND * threads.max(1) as f64)
}

/// The names of the operators of a set.
pub(super) fn operator_names(set: &MoveSet) -> String {
    set.operators().iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

impl Recipe for SetTable {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn description(&self) -> String {
        let pieces = match self.pieces {
            Pieces::All => "all positions".to_owned(),
            Pieces::Corners => "the corners".to_owned(),
            Pieces::Edges => "the edges".to_owned(),
            Pieces::SomeEdges(chosen) => format!("the edges {}", edge_names(chosen)),
        };
        format!("{pieces}, with the moves {} alone", self.set)
    }

    fn spec(&self) -> Spec {
        spec(&self.operators, self.description(), self.space.entries())
    }

    fn build_seconds(&self, threads: usize) -> f64 {
        build_seconds(self.space.entries(), threads)
    }

    fn build(&self, _: &Unfinished, run: &Run<'_>) -> Result<Built, FileError> {
        self.space.distances().fill(Some(DEEPEST), run)
    }

    fn prove(&self, body: &[u8], run: &Run<'_>) -> Result<Proof, FileError> {
        self.space.distances().prove(body, Some(DEEPEST), run)
    }
}
