//! Pattern databases: distances in products of coordinates, as tables that a store keeps.
//!
//! Why the values are lower bounds: a product of projections forgets part of a position, and every move of the puzzle is
//! a move of the product. An entry that a stopped fill leaves unreached reads as the greatest number of its width, which
//! is one more than the depth of that fill.

use search_core::Cancelled;
use search_core::Run;
use search_core::memory::Memory;
use search_core::pdb::{self, FillOptions, Packed, PatternSpace, fill};
use search_core::table::{Built, Encoding, FileError, Kind, Proof, Recipe, Spec, Unfinished, proof};
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_64;

use crate::coordinate::Coordinate;
use crate::cosets::{Cosets, MARGIN, cosets};
use crate::product::{Direction, Factor, Product};
use crate::reduced::Reduced;
use crate::shapes::{Pieces, ShapeProduct, ShapeView, Shapes};
use crate::space::{Distances, View};
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
    space: Entries,
    bits: u8,
}

/// The entries of a database.
#[derive(Clone, Debug)]
enum Entries {
    Product(Arc<Product>),
    Reduced(Arc<Reduced>),
    Shapes(Arc<ShapeProduct>),
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
        // Where one coordinate alone is deep, the product is deeper than four bits tell.
        let is_deep = chosen.iter().any(|&number| coordinates[number].depth() > DEEP);
        let bits = if is_deep { 8 } else { 4 };
        Some(Database::of_space(puzzle, system, coordinates, chosen, Entries::Product(product.into()), bits))
    }

    /// The database over cosets, whose coordinates are `chosen` of `coordinates`: the leading ones, and last the following one.
    pub(crate) fn reduced(
        puzzle: &str,
        system: &System,
        coordinates: &[Coordinate],
        chosen: &[usize],
        reduced: Reduced,
    ) -> Database {
        Database::of_space(puzzle, system, coordinates, chosen, Entries::Reduced(reduced.into()), 4)
    }

    /// The database over shapes with some pieces of a component; `None` if it has too many movements.
    pub(crate) fn shaped(
        puzzle: &str,
        system: &System,
        shapes: &Arc<Shapes>,
        pieces: Pieces,
    ) -> Option<Database> {
        let product = ShapeProduct::new(shapes.clone(), pieces)?;
        let pattern = format!("{SHAPES}{}", shapes.description(system, pieces));
        let mut meaning = shapes.meaning(pieces.component);
        meaning.extend(pieces.other.iter().flat_map(|&(other, _)| shapes.meaning(other)));
        meaning.extend_from_slice(format!("{puzzle}: {pattern}").as_bytes());
        // Where the shape alone is deep, the product is deeper than four bits tell.
        let bits = if shapes.steps().depth() > DEEP { 8 } else { 4 };
        Some(Database {
            name: format!("puzzle-{:016x}-{bits}", xxh3_64(&meaning)),
            puzzle: puzzle.to_owned(),
            pattern,
            coordinates: Vec::new(),
            space: Entries::Shapes(product.into()),
            bits,
        })
    }

    fn of_space(
        puzzle: &str,
        system: &System,
        coordinates: &[Coordinate],
        chosen: &[usize],
        space: Entries,
        bits: u8,
    ) -> Database {
        let mut meaning = Vec::new();
        let mut patterns = Vec::new();
        for &number in chosen {
            let coordinate = &coordinates[number];
            meaning.extend(coordinate.next().iter().flat_map(|state| state.to_le_bytes()));
            patterns.push(coordinate.description(&system.parts));
        }
        let mut pattern = patterns.join(" x ");
        if let Entries::Reduced(reduced) = &space {
            pattern.push_str(&format!("{REDUCED_BY}{} symmetries", reduced.symmetries().len()));
            let images = reduced.symmetries().iter().flatten();
            meaning.extend(images.map(|&image| u8::try_from(image).expect("at most 64 moves")));
        }
        // A store refuses a table whose header says otherwise, so puzzles do not share tables by accident.
        meaning.extend_from_slice(format!("{puzzle}: {pattern}").as_bytes());
        Database {
            name: format!("puzzle-{:016x}-{bits}", xxh3_64(&meaning)),
            puzzle: puzzle.to_owned(),
            pattern,
            coordinates: chosen.to_vec(),
            space,
            bits,
        }
    }

    /// The number of entries.
    pub fn entries(&self) -> u64 {
        match &self.space {
            Entries::Product(product) => product.entries(),
            Entries::Reduced(reduced) => reduced.entries(),
            Entries::Shapes(product) => product.entries(),
        }
    }

    /// The number of positions that the database tells apart: its entries, before symmetries reduce them.
    pub fn positions(&self) -> f64 {
        match &self.space {
            Entries::Reduced(reduced) => reduced.positions(),
            _ => self.entries() as f64,
        }
    }

    /// The lookup of a state of shapes; `None` if the database has other coordinates.
    pub fn shape_view(&self, table: Arc<Distances>) -> Option<ShapeView> {
        match &self.space {
            Entries::Shapes(product) => Some(product.view(table)),
            _ => None,
        }
    }

    /// The lookup of a position that has the coordinates of the database; `None` if it has shapes.
    pub fn view(&self, table: Arc<Distances>) -> Option<View> {
        let digits =
            |strides: &[usize]| self.coordinates.iter().copied().zip(strides.iter().copied()).collect();
        match &self.space {
            Entries::Product(product) => {
                Some(View { digits: digits(product.strides()), reduced: None, table })
            }
            Entries::Reduced(reduced) => {
                let following = *self.coordinates.last().expect("a following coordinate");
                Some(View {
                    digits: digits(&reduced.strides()),
                    reduced: Some((reduced.clone(), following)),
                    table,
                })
            }
            Entries::Shapes(_) => None,
        }
    }

    fn moves(&self) -> usize {
        match &self.space {
            Entries::Product(product) => product.ops(),
            Entries::Reduced(reduced) => reduced.ops(),
            Entries::Shapes(product) => product.ops(),
        }
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
    /// The database that the header of a table describes; `None` if `system` has no such coordinates.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn of_spec(
        puzzle: &str,
        system: &System,
        spec: &Spec,
        run: &Run<'_>,
    ) -> Result<Option<Database>, Cancelled> {
        if spec.pattern.contains(REDUCED_BY) {
            let symmetries = system.symmetries(run)?;
            let found = cosets(system, symmetries, MARGIN * spec.entries as f64, run)?;
            let database = |Cosets { coordinates, reduced }| {
                let chosen: Vec<usize> = (0..coordinates.len()).collect();
                Database::reduced(puzzle, system, &coordinates, &chosen, reduced)
            };
            return Ok(found.map(database));
        }
        if spec.pattern.starts_with(SHAPES) {
            let Some(shapes) = Shapes::new(system, run)?.map(Arc::new) else { return Ok(None) };
            let is_described = |pieces: &Pieces| {
                spec.pattern.strip_prefix(SHAPES) == Some(&*shapes.description(system, *pieces))
            };
            let mut choices = (0..shapes.components()).flat_map(|component| shapes.choices(component));
            let found = choices.find(is_described);
            return Ok(found.and_then(|pieces| Database::shaped(puzzle, system, &shapes, pieces)));
        }
        let described: Vec<String> =
            system.coordinates.iter().map(|coordinate| coordinate.description(&system.parts)).collect();
        let number = |name: &str| described.iter().position(|known| known == name);
        let chosen: Option<Vec<usize>> = spec.pattern.split(" x ").map(number).collect();
        Ok(chosen.and_then(|chosen| Database::new(puzzle, system, &system.coordinates, &chosen)))
    }
}

/// The words of a pattern before the number of symmetries that reduce it.
const REDUCED_BY: &str = ", reduced by ";
/// The words of a pattern before the number of rows of shapes.
const SHAPES: &str = "shapes ";
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
            operators: format!("{} moves", self.moves()),
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
        // Operators that do not apply take no time.
        let moves = match &self.space {
            Entries::Shapes(product) => product.mean_ops(),
            _ => self.moves() as f64,
        };
        self.entries() as f64 * moves * SECONDS_PER_STEP / threads.max(1) as f64
    }

    /// Distances are proved by their neighbours, if every move can be undone; else the table is built again.
    fn prove(&self, body: &[u8], run: &Run<'_>) -> Result<Proof, FileError> {
        let depth = self.most_depth();
        match &self.space {
            Entries::Product(product) if !product.is_undirected() => proof::rebuild(self, body, run),
            _ => prove(self.space(), body, self.bits, depth, run),
        }
    }

    fn build(&self, _: &Unfinished, run: &Run<'_>) -> Result<Built, FileError> {
        Ok(match self.bits {
            4 => fill::<4, _>(self.space(), self.options(), run)?.into(),
            _ => fill::<8, _>(self.space(), self.options(), run)?.into(),
        })
    }
}

/// Proves the distances in `body` by their neighbours.
fn prove(
    space: &dyn PatternSpace,
    body: &[u8],
    bits: u8,
    depth: u8,
    run: &Run<'_>,
) -> Result<Proof, FileError> {
    let (length, entries) = ("the length was checked", (space.rows() * space.columns()) as u64);
    match bits {
        4 => pdb::prove(space, &Packed::<4, _>::new(body, entries).expect(length), Some(depth), run)?,
        _ => pdb::prove(space, &Packed::<8, _>::new(body, entries).expect(length), Some(depth), run)?,
    }
    Ok(Proof::Neighbours)
}

impl Database {
    /// The pattern space. As a trait object it has one copy of the code that fills and proves tables of all kinds.
    fn space(&self) -> &dyn PatternSpace {
        match &self.space {
            Entries::Product(product) => &**product,
            Entries::Reduced(reduced) => &**reduced,
            Entries::Shapes(product) => &**product,
        }
    }

    /// The greatest distance that an entry tells.
    fn most_depth(&self) -> u8 {
        if self.bits == 4 { 14 } else { 254 }
    }

    fn options(&self) -> FillOptions {
        FillOptions { max_depth: Some(self.most_depth()), step_cache: self.step_cache() }
    }

    /// The bytes for kept steps: at most an eighth of the table.
    fn step_cache(&self) -> usize {
        let bytes = usize::try_from(self.bytes() / 8).unwrap_or(usize::MAX);
        bytes.min(FillOptions::default().step_cache)
    }
}
