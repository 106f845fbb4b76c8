//! A table of the depth of every position.
//!
//! The idea: an entry for each state of the product of all coordinates, filled by
//! [`search_core::pdb::fill`](fn@search_core::pdb::fill): half a byte an entry, in place, in parallel, forward and
//! backward; a quarter of a byte, the depth modulo 3, if depths exceed 14 or half a byte exceeds the memory. The arrangements of up to twelve distinct pieces are entries of their own kind ([`super::arrangement`]).
//! Coordinates that depend on each other are joined first, so that few entries have no position.

use search_core::pdb::{FillOptions, Filled, PatternSpace, fill};
use search_core::{Cancelled, Run};

use super::arrangement::Arrangements;
use super::{CountError, TableCounts};
use crate::coordinate::{Coordinate, MOST_STATES, Projection};
use crate::product::{Direction, Factor, MOST_RANKED, Product, Table};
use crate::system::System;

/// The maximum number of tables of which pairs are tried to be joined.
const MOST_JOINED: usize = 16;
/// The number of entries that are read between two questions whether to stop.
const ENTRIES_OF_PIECE: usize = 1 << 12;
/// The depth of a coordinate from which on the entries of a table get two bits.
const DEEP: usize = 10;

/// A table of the depth of every position.
#[derive(Clone, Debug)]
pub struct CountTable {
    space: EntrySpace,
    /// The bits of an entry, unless depths exceed them.
    bits: u64,
    inverses: Option<Vec<usize>>,
}

/// The entries of a table.
#[derive(Clone, Debug)]
enum EntrySpace {
    Product(Product),
    Arrangements(Arrangements),
}

impl CountTable {
    /// The table of a puzzle; `None` if it has too many entries to be numbered.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn of(system: &System, run: &Run<'_>) -> Result<Option<CountTable>, Cancelled> {
        let factors = Factors::of(system, None, run)?;
        let is_deep = system.coordinates.iter().any(|coordinate| coordinate.depth() > DEEP)
            || factors.arranged.iter().any(|from| from.len() < 6);
        let Some(space) = factors.space(system) else { return Ok(None) };
        let table = CountTable { space, bits: 4, inverses: system.inverses.clone() };
        let bits = if is_deep || table.bytes() > run.memory() { 2 } else { 4 };
        Ok(Some(CountTable { bits, ..table }))
    }

    /// The number of entries: that of positions, or more.
    pub fn entries(&self) -> u64 {
        match &self.space {
            EntrySpace::Product(product) => product.entries(),
            EntrySpace::Arrangements(arrangements) => arrangements.entries(),
        }
    }

    /// The bytes of memory that filling takes.
    pub fn bytes(&self) -> u64 {
        self.entries() / 8 * self.bits + self.entries() / 32
    }

    /// Fills the table. Finds words to `words` of the deepest positions, or to all.
    ///
    /// # Errors
    /// [`CountError`].
    pub fn count(&self, words: usize, run: &Run<'_>) -> Result<TableCounts, CountError> {
        if self.bytes() > run.memory() {
            return Err(CountError::Budget(Vec::new()));
        }
        if self.bits == 2 {
            return self.count_in::<2>(words, run);
        }
        match self.count_in::<4>(words, run) {
            Err(CountError::TooDeep(_)) => self.count_in::<2>(words, run),
            other => other,
        }
    }

    fn count_in<const BITS: u32>(&self, words: usize, run: &Run<'_>) -> Result<TableCounts, CountError> {
        let space: &dyn PatternSpace = match &self.space {
            EntrySpace::Product(product) => product,
            EntrySpace::Arrangements(arrangements) => arrangements,
        };
        let filled = fill::<BITS, _>(space, FillOptions::default(), run)?;
        let layers = filled.histogram.counts.clone();
        let depth = layers.len() - 1;
        let deepest = self.deepest(&filled, depth, words, run)?;
        Ok(TableCounts { layers, deepest })
    }

    /// Words to the first positions at the greatest depth.
    fn deepest<const BITS: u32>(
        &self,
        filled: &Filled<BITS>,
        depth: usize,
        words: usize,
        run: &Run<'_>,
    ) -> Result<Vec<Vec<usize>>, Cancelled> {
        let table = filled.table.borrowed();
        let value = if BITS == 2 { depth % 3 } else { depth };
        // The entry of a neighbour that is less deep.
        let less = |value: u8| if BITS == 2 { (value + 2) % 3 } else { value - 1 };
        let mut deepest = Vec::new();
        for (number, entry) in filled.deepest.iter().cloned().flatten().enumerate() {
            if number % ENTRIES_OF_PIECE == 0 {
                run.check()?;
            }
            if deepest.len() == words {
                break;
            }
            if usize::from(table.get(entry)) == value {
                let down = |from: usize, to: usize| table.get(to as u64) == less(table.get(from as u64));
                // Entries of two bits are also those of depths that are less by three, whose words are shorter.
                deepest.extend(self.word(entry as usize, down).filter(|word| word.len() == depth));
            }
        }
        Ok(deepest)
    }

    /// The entry that a move leads to.
    fn next(&self, entry: usize, op: usize) -> Option<usize> {
        match &self.space {
            EntrySpace::Product(product) => product.next(entry, op),
            EntrySpace::Arrangements(arrangements) => arrangements.next(entry, op),
        }
    }

    /// A shortest product of moves to an entry, along neighbours that are less deep. Backward steps need moves that have
    /// inverses.
    fn word(&self, entry: usize, down: impl Fn(usize, usize) -> bool) -> Option<Vec<usize>> {
        let undo = self.inverses.as_ref()?;
        let (mut at, mut word) = (entry, Vec::new());
        // The solved position has entry 0.
        while at != 0 {
            let to = |op: usize| self.next(at, op).filter(|&to| down(at, to));
            let (op, to) = (0..undo.len()).find_map(|op| Some((op, to(op)?)))?;
            word.push(undo[op]);
            at = to;
        }
        word.reverse();
        Some(word)
    }
}

/// The factors of a product of all coordinates.
pub(super) struct Factors {
    /// For each part whose permutations are ranked, the place that each move takes each piece from.
    arranged: Vec<Vec<Vec<u8>>>,
    tables: Vec<Table>,
}

impl Factors {
    /// The factors of all parts but one.
    pub(super) fn of(system: &System, without: Option<usize>, run: &Run<'_>) -> Result<Factors, Cancelled> {
        let (mut arranged, mut tables) = (Vec::new(), Vec::new());
        for (number, part) in system.parts.iter().enumerate().filter(|&(number, _)| Some(number) != without) {
            match orientations_of_ranked(system, number, run)? {
                Some(orientations) => {
                    arranged.push(part.moves.iter().map(|step| step.from.clone()).collect());
                    tables.extend(orientations.iter().map(Table::of));
                }
                None => {
                    let own = system.coordinates.iter().filter(|of| of.projection.part == number);
                    tables.extend(own.map(Table::of));
                }
            }
        }
        Ok(Factors { arranged, tables: joined(tables, run)? })
    }

    /// Their product.
    pub(super) fn product(self, system: &System) -> Option<Product> {
        let ranked = self.arranged.into_iter().map(Factor::Permutations);
        let factors: Vec<Factor<'_>> = ranked.chain(self.tables.into_iter().map(Factor::Table)).collect();
        Product::new(&factors, system.moves(), system.inverses.is_some(), Direction::Forward)
    }

    /// Their product, with the arrangements of the largest part apart.
    fn space(mut self, system: &System) -> Option<EntrySpace> {
        self.arranged.sort_by_key(|from| from[0].len());
        let Some(largest) = self.arranged.pop() else { return self.product(system).map(EntrySpace::Product) };
        Arrangements::new(self.product(system)?, &largest).map(EntrySpace::Arrangements)
    }
}

/// Joins tables whose states depend on each other, so that a product of them has fewer entries that no position has.
fn joined(mut tables: Vec<Table>, run: &Run<'_>) -> Result<Vec<Table>, Cancelled> {
    if tables.len() > MOST_JOINED {
        return Ok(tables);
    }
    // Small ones first: they are soon tried.
    tables.sort_by_key(|table| table.states);
    let mut pair = (0, 1);
    while pair.1 < tables.len() {
        if let Some(both) = tables[pair.0].joined(&tables[pair.1], run)? {
            tables.remove(pair.1);
            tables.remove(pair.0);
            tables.push(both);
            tables.sort_by_key(|table| table.states);
            pair = (0, 1);
            continue;
        }
        pair = if pair.0 + 1 < pair.1 { (pair.0 + 1, pair.1) } else { (0, pair.1 + 1) };
    }
    Ok(tables)
}

/// Whether the permutations of a part are ranked instead of divided among coordinates, and then the coordinate of its
/// orientations, if it has any.
fn orientations_of_ranked(
    system: &System,
    number: usize,
    run: &Run<'_>,
) -> Result<Option<Option<Coordinate>>, Cancelled> {
    let part = &system.parts[number];
    let kinds = part.kinds();
    let own = system.coordinates.iter().filter(|of| of.projection.part == number);
    let are_divided = own.clone().count() > 1
        && !own.clone().any(|of| {
            of.projection == Projection::places(number, part)
                || of.projection == Projection::orientations(number, part)
        });
    let is_group = system.inverses.is_some() && part.illegal.is_empty() && kinds.len() == part.places.len();
    if !are_divided || !is_group || kinds.len() > MOST_RANKED {
        return Ok(None);
    }
    if kinds.iter().all(|kind| kind.1 == 1) {
        return Ok(Some(None));
    }
    Ok(Coordinate::new(part, Projection::orientations(number, part), MOST_STATES, run)?.map(Some))
}
