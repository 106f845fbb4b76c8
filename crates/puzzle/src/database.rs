//! Pattern databases: distances in products of coordinates, as tables that a store keeps.
//!
//! Why the values are lower bounds: a product of projections forgets part of a position, and every move of the puzzle is
//! a move of the product. An entry that a stopped fill leaves unreached reads as the greatest number of its width, which
//! is one more than the depth of that fill.

use search_core::Run;
use search_core::memory::Memory;
use search_core::pdb::{self, FillOptions, Packed, PatternSpace, fill};
use search_core::table::{Built, Encoding, FileError, Kind, Proof, Recipe, Spec, Unfinished, proof};
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_64;

use crate::coordinate::Coordinate;
use crate::product::{Direction, Factor, Product};
use crate::space::Distances;
use crate::system::System;

/// The version of the functions from positions to entries, raised whenever one of them changes.
const RANKING: u32 = 2;
/// The seconds that one thread takes for an entry and a move.
const SECONDS_PER_STEP: f64 = 4e-9;

/// The recipe of a pattern database.
#[derive(Clone, Debug)]
pub struct Database {
    name: String,
    puzzle: String,
    pattern: String,
    /// The numbers of its coordinates.
    pub coordinates: Vec<usize>,
    product: Arc<Product>,
    bits: u8,
}

impl Database {
    /// The database over some of `coordinates`; `None` if it has too many entries to be numbered.
    pub fn new(
        puzzle: &str,
        system: &System,
        coordinates: &[Coordinate],
        chosen: &[usize],
    ) -> Option<Database> {
        let factors: Vec<Factor<'_>> =
            chosen.iter().map(|&number| Factor::Coordinate(&coordinates[number])).collect();
        let product = Product::new(&factors, system.moves(), system.inverses.is_some(), Direction::Backward)?;
        let mut meaning = Vec::new();
        let mut patterns = Vec::new();
        for &number in chosen {
            let coordinate = &coordinates[number];
            meaning.extend(coordinate.next().iter().flat_map(|state| state.to_le_bytes()));
            patterns.push(coordinate.description(&system.parts));
        }
        // Where one coordinate alone is deep, the product is deeper than four bits tell.
        let is_deep = chosen.iter().any(|&number| coordinates[number].depth() > DEEP);
        let bits = if is_deep { 8 } else { 4 };
        let pattern = patterns.join(" x ");
        // A store refuses a table whose header says otherwise, so puzzles do not share tables by accident.
        meaning.extend_from_slice(format!("{puzzle}: {pattern}").as_bytes());
        Some(Database {
            name: format!("puzzle-{:016x}-{bits}", xxh3_64(&meaning)),
            puzzle: puzzle.to_owned(),
            pattern,
            coordinates: chosen.to_vec(),
            product: Arc::new(product),
            bits,
        })
    }

    /// The number of entries.
    pub fn entries(&self) -> u64 {
        self.product.entries()
    }

    /// For each of its coordinates, the number by which the state is multiplied in the entry's number.
    pub fn strides(&self) -> &[usize] {
        self.product.strides()
    }

    /// The entries of a table's body.
    ///
    /// # Panics
    /// If the body has another length.
    pub fn distances(&self, body: Memory, run: &Run<'_>) -> Distances {
        let length = "the length was checked";
        match self.bits {
            4 => Distances::four(Packed::new(body, self.entries()).expect(length), run),
            _ => Distances::eight(Packed::new(body, self.entries()).expect(length), run),
        }
    }
}

impl Database {
    /// The database of this pattern, as the header of its table says it; `None` if `system` has no such coordinates.
    pub fn of_pattern(puzzle: &str, system: &System, pattern: &str) -> Option<Database> {
        let described: Vec<String> =
            system.coordinates.iter().map(|coordinate| coordinate.description(&system.parts)).collect();
        let number = |name: &str| described.iter().position(|known| known == name);
        let chosen: Vec<usize> = pattern.split(" x ").map(number).collect::<Option<_>>()?;
        Database::new(puzzle, system, &system.coordinates, &chosen)
    }
}

/// The depth of a coordinate from which on a product of it gets entries of eight bits.
const DEEP: usize = 10;

impl Recipe for Database {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn description(&self) -> String {
        format!("{}: distances of {}", self.puzzle, self.pattern)
    }

    fn spec(&self) -> Spec {
        Spec {
            kind: Kind::PatternDatabase,
            puzzle: self.puzzle.clone(),
            operators: format!("{} moves", self.product.ops()),
            pattern: self.pattern.clone(),
            ranking: RANKING,
            bits: self.bits,
            encoding: Encoding::Exact,
            entries: self.entries(),
            complete: false,
        }
    }

    fn peak_bytes(&self) -> u64 {
        // Two bytes for each group of 64 entries, and kept steps.
        self.bytes() + self.entries() / 32 + self.step_cache() as u64
    }

    fn build_seconds(&self, threads: usize) -> f64 {
        self.entries() as f64 * self.product.ops() as f64 * SECONDS_PER_STEP / threads.max(1) as f64
    }

    /// Distances are proved by their neighbours, if every move can be undone; else the table is built again.
    fn prove(&self, body: &[u8], run: &Run<'_>) -> Result<Proof, FileError> {
        if !self.product.is_undirected() {
            return proof::rebuild(self, body, run);
        }
        let length = "the length was checked";
        match self.bits {
            4 => {
                let table = Packed::<4, _>::new(body, self.entries()).expect(length);
                pdb::prove(&*self.product, &table, self.until(14).max_depth, run)?;
            }
            _ => {
                let table = Packed::<8, _>::new(body, self.entries()).expect(length);
                pdb::prove(&*self.product, &table, self.until(254).max_depth, run)?;
            }
        }
        Ok(Proof::Neighbours)
    }

    fn build(&self, _: &Unfinished, run: &Run<'_>) -> Result<Built, FileError> {
        Ok(match self.bits {
            4 => fill::<4, _>(&*self.product, self.until(14), run)?.into(),
            _ => fill::<8, _>(&*self.product, self.until(254), run)?.into(),
        })
    }
}

impl Database {
    fn until(&self, depth: u8) -> FillOptions {
        FillOptions { max_depth: Some(depth), step_cache: self.step_cache() }
    }

    /// The bytes for kept steps: at most an eighth of the table.
    fn step_cache(&self) -> usize {
        let bytes = usize::try_from(self.bytes() / 8).unwrap_or(usize::MAX);
        bytes.min(FillOptions::default().step_cache)
    }
}
