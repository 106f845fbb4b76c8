//! Partitions with their tables, and the costs of a state without a parent: found by descending to the goal.

use std::collections::HashMap;

use super::TILES;
use crate::pdb::Plan;
use crate::pdb::order::{MAX_TILES, Passing, order};
use crate::pdb::partition::Lookup;
use crate::tiles::{SMALL, Tiles};

/// A plan with its tables.
pub struct Tables<B> {
    pub(super) plan: Plan,
    pub(super) tables: Vec<B>,
    /// By number of tiles, for the numbers that occur.
    pub(super) passing: [Option<Passing>; MAX_TILES + 1],
}

impl<B: AsRef<[u8]>> Tables<B> {
    /// A plan and a table for each of its patterns.
    ///
    /// # Panics
    /// If tables and patterns differ in number or in their bytes.
    pub fn new(plan: Plan, tables: Vec<B>) -> Tables<B> {
        assert_eq!(plan.patterns.len(), tables.len(), "a table for each pattern");
        let mut passing = [const { None }; MAX_TILES + 1];
        for (pattern, table) in plan.patterns.iter().zip(&tables) {
            assert_eq!(pattern.table_bytes(), table.as_ref().len(), "a bit for each state");
            passing[pattern.tiles()].get_or_insert_with(|| Passing::new(pattern.tiles()));
        }
        Tables { plan, tables, passing }
    }

    /// The partitions and their lookups.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The placement of a pattern's tiles, and their cost.
    pub(super) fn placement<const BYTES: usize>(
        &self,
        lookup: &Lookup,
        tiles: &Tiles<BYTES>,
        cells: usize,
    ) -> Placement {
        let pattern = &self.plan.patterns[lookup.table];
        let mut at = [0; TILES];
        (0..cells).for_each(|cell| at[tiles.tile(cell)] = self.plan.frames.maps()[lookup.frame][cell]);
        let (blank, at) = (usize::from(at[0]), lookup.tiles.map(|tile| at[usize::from(tile)]));
        let held = at[..pattern.tiles()].iter().fold(0, |held, &cell| held | 1 << cell);
        let (class, number) = order(pattern.tiles(), &at, held);
        // A table without a path to the goal does not belong to this pattern: its bound is 0.
        let cost = pattern.cost(self.tables[lookup.table].as_ref(), at, blank).unwrap_or(0);
        Placement { held, order: (class << 3) as u16 | number as u16, cost }
    }

    /// The placements of every pattern's tiles.
    pub fn start<const BYTES: usize>(&self, tiles: &Tiles<BYTES>) -> Start {
        // Partitions have patterns in common.
        let mut known = HashMap::new();
        let mut placement = |lookup: &Lookup| {
            let of = || self.placement(lookup, tiles, self.plan.cells);
            *known.entry((lookup.table, lookup.frame)).or_insert_with(of)
        };
        let partitions = self.plan.partitions.iter();
        let placements = partitions.map(|lookups| lookups.iter().map(&mut placement).collect()).collect();
        Start { tiles: tiles.small(), placements }
    }

    /// The greatest sum.
    pub fn value<const BYTES: usize>(&self, tiles: &Tiles<BYTES>) -> u8 {
        self.start(tiles).value()
    }
}

/// The first state of a search, with the placement of every pattern's tiles.
#[derive(Clone, Debug)]
pub struct Start {
    pub(super) tiles: Tiles<SMALL>,
    /// By partition and lookup.
    pub(super) placements: Vec<Vec<Placement>>,
}

impl Start {
    /// The state.
    pub(crate) fn tiles(&self) -> &Tiles<SMALL> {
        &self.tiles
    }

    /// The sum of each partition.
    pub fn values(&self) -> impl Iterator<Item = u32> + '_ {
        self.placements.iter().map(|placements| placements.iter().map(|placement| placement.cost).sum())
    }

    /// The greatest sum.
    pub fn value(&self) -> u8 {
        self.values().max().unwrap_or(0).min(255) as u8
    }
}

/// The placement of a pattern's tiles, and their cost.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placement {
    pub held: u32,
    pub order: u16,
    pub cost: u32,
}
