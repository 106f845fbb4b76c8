//! The distance to H: exact by the table of cosets, or a lower bound by [small tables](super::distances::Small).
//!
//! The table of cosets is reduced by the 16 symmetries that preserve the axis: the twist determines the symmetry, under
//! which flip and slice are read. The images of flips and of slices under each symmetry are tables of 100 KB, so the
//! place of an entry takes four reads in the cache, and one read in memory, which is prefetched for all children of a node.

use super::coordinates::Outer;
use crate::metric::Metric;
use crate::pdb::Coset;
use crate::pdb::corners::TWISTS;
use crate::pdb::coset::{FLIPS, SLICES, SYMMETRIES};
use crate::symmetry::Symmetry;
use crate::tables::Table;
use search_core::pdb::PatternSpace;
use std::sync::Arc;

/// A lower bound on the distance to H, in two steps: locate, then read.
pub(super) trait PhaseOne: Sync {
    /// The places of the entries of some coordinates.
    type Place: Copy + Default;

    /// Locates the entries, and prefetches those of large tables.
    fn locate(&self, at: Outer) -> Self::Place;

    /// Reads the bound.
    fn read(&self, place: Self::Place) -> u8;
}

/// The distances of the table of cosets.
#[derive(Debug)]
pub(super) struct Exact {
    table: Arc<Table>,
    /// `class | symmetry << 8` of each twist.
    class_of: Vec<u16>,
    /// The image of each flip under each symmetry, without the effect of the slice.
    flips: Vec<u16>,
    /// For each symmetry and each slice, the rank of its image, and in the high half the change of the flips.
    slices: Vec<u32>,
}

impl Exact {
    /// The distances of `table` in `metric`.
    ///
    /// # Panics
    /// If the table is not that of the cosets.
    pub(super) fn new(metric: Metric, table: Arc<Table>) -> Exact {
        let coset = Coset::new(metric);
        assert_eq!(table.len(), (coset.rows() * coset.columns()) as u64, "the table is that of the cosets");
        let class_of = (0..TWISTS).map(|twist| {
            let (class, symmetry) = coset.class_of(twist);
            u16::from(class) | (symmetry.index() as u16) << 8
        });
        let symmetries = || (0..SYMMETRIES).map(Symmetry::from_index);
        let flips = symmetries().flat_map(|s| coset.flips_under(s).to_vec()).collect();
        let slices = symmetries().flat_map(|s| {
            let coset = &coset;
            (0..SLICES as u32).map(move |slice| {
                let (image, flip) = coset.slice_under(slice, s);
                image | u32::from(flip) << 16
            })
        });
        Exact { table, class_of: class_of.collect(), flips, slices: slices.collect() }
    }
}

impl PhaseOne for Exact {
    type Place = u32;

    #[inline(always)]
    fn locate(&self, at: Outer) -> u32 {
        let class = self.class_of[at.twist as usize];
        let symmetry = usize::from(class >> 8);
        let slice = self.slices[symmetry * SLICES + usize::from(at.slice)];
        let flip = self.flips[symmetry * FLIPS + usize::from(at.flip)] ^ (slice >> 16) as u16;
        let place = Coset::index(class as u8, (slice & 0xffff) as usize, flip.into());
        self.table.prefetch(place as u64);
        place as u32
    }

    #[inline(always)]
    fn read(&self, place: u32) -> u8 {
        self.table.get(place.into())
    }
}
