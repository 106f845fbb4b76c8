//! The distribution of the distances in a table, over all cubes.
//!
//! A table of corners or of edges has one entry for each pattern, and all patterns have equally many cubes. The
//! table of cosets is reduced by symmetry: an entry stands for as many cosets as its class has twists, since the
//! symmetry that maps a twist to the representative of its class permutes flips and slices.

use crate::pdb::Coset;
use crate::pdb::corners::TWISTS;
use crate::pdb::coset::{CLASSES, FLIPS, SLICES};
use crate::tables::{Pattern, Table, TableId};
use search_core::Run;
use search_core::pdb::{Histogram, Packed};

/// The number of patterns (or cosets) at each distance.
///
/// # Panics
/// If `table` is not the one named by `id`, or holds bounds instead of distances.
pub fn distribution(id: TableId, table: &Table, run: &Run<'_>) -> Histogram {
    assert_eq!(table.len(), id.entries(), "the table is the one of its name");
    match id.pattern {
        Pattern::Coset => cosets(&Coset::new(id.metric), table, run),
        Pattern::Corners | Pattern::CornersUpTo(_) | Pattern::Edges(_) | Pattern::EdgesUpTo { .. } => {
            Histogram::of(table, run)
        }
        Pattern::Square(_) | Pattern::SquareHalf(..) | Pattern::SquareFloor(_) => {
            unreachable!("a table of half-turn cosets holds bounds, not distances")
        }
    }
}

/// The number of cosets at each distance: the entries of each class, weighted by the number of its twists.
pub fn cosets(coset: &Coset, table: &Table, run: &Run<'_>) -> Histogram {
    run.install(|| count_cosets(coset, table, run))
}

fn count_cosets(coset: &Coset, table: &Table, run: &Run<'_>) -> Histogram {
    let mut twists = vec![0; CLASSES];
    for twist in 0..TWISTS {
        twists[usize::from(coset.class_of(twist).0)] += 1;
    }
    let entries = (SLICES * FLIPS) as u64;
    let mut counts = vec![0; 256];
    let mut unreached = 0;
    for (class, bytes) in table.as_bytes().chunks(Packed::<4, ()>::bytes_for(entries) as usize).enumerate() {
        let of_class = Packed::<4, _>::new(bytes, entries).expect("a class fills its bytes");
        let of_class = Histogram::of(&of_class, run);
        for (value, count) in of_class.counts.iter().enumerate() {
            counts[value] += count * twists[class];
        }
        unreached += of_class.unreached * twists[class];
    }
    Histogram::new(counts, unreached)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Metric;
    use search_core::table::{Recipe, Unfinished};

    fn built(name: &str) -> (TableId, Table) {
        let id = TableId::from_name(name).unwrap();
        let body = id.build(&Unfinished::NOWHERE, &Run::new()).unwrap().body;
        (id, Packed::new(body, id.entries()).unwrap())
    }

    #[test]
    fn edges_have_one_entry_each() {
        let (id, table) = built("cube-edges2-003-htm");
        let histogram = distribution(id, &table, &Run::new());
        assert_eq!((histogram.reached(), histogram.unreached), (528, 0));
        // Three turns each of U, R and F move one of UR and UF, and no two of the nine have the same effect.
        assert_eq!(histogram.counts[..2], [1, 9]);
    }

    /// The classes together have all cosets: 3^7 twists, 2^11 flips, 495 slices.
    #[test]
    fn every_coset_is_counted() {
        let table = Table::new(
            search_core::memory::Memory::zeroed(168 * SLICES * FLIPS / 2).unwrap(),
            (168 * SLICES * FLIPS) as u64,
        );
        let id = TableId { pattern: Pattern::Coset, metric: Metric::Htm };
        assert_eq!(distribution(id, &table.unwrap(), &Run::new()).counts, [2_217_093_120]);
    }
}
