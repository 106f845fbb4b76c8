//! Whether each operator lowers, keeps or raises a distance: one read for all children of a node.
//!
//! The idea: neighbours in an undirected space differ by at most one. So two bits for each operator encode its effect on
//! an entry's value, and one word holds the value and these bits for up to 28 operators. A search that reads
//! the word of a node knows the values of all its children, without computing their entries: one line of memory for
//! each expanded node instead of one for each generated node.
//!
//! Invariant: the word of an entry holds its own distance, the operators that lower it, and those that do not raise it.
//! So the values of children are those of the table, and a search generates and expands the same nodes.
//!
//! Cost: eight bytes for each entry, sixteen times the table of four bits; derived in a few seconds for 10⁸ entries,
//! since all columns of a row go to the same rows.
//!
//! Source of the idea: Rokicki, Kociemba, Davidson & Dethridge 2010, whose coset solver reads a distance and the moves
//! that lower it together.

use super::packed::Packed;
use super::space::{PatternSpace, Step};
use crate::domain::OpSet;
use crate::heuristic::Sieved;
use crate::memory::{Memory, MemoryError};
use crate::prefetch::prefetch;
use crate::progress::Cancelled;
use crate::run::Run;

/// The most operators of a space.
pub const MOST_OPS: usize = 28;
/// The bits of [`MOST_OPS`] operators.
const OPS: u64 = (1 << MOST_OPS) - 1;
/// The number of pieces of parallel work: large, so that threads end together.
const PIECES: usize = 1 << 12;
/// Bytes of an entry.
const BYTES: usize = size_of::<u64>();

/// The distance of an entry, and what each operator does to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Delta(u64);

impl Delta {
    fn new(value: u8, lowering: OpSet, not_raising: OpSet) -> Delta {
        Delta(u64::from(value) << (2 * MOST_OPS) | not_raising.0 << MOST_OPS | lowering.0)
    }

    /// The distance.
    #[inline(always)]
    pub fn value(self) -> u8 {
        (self.0 >> (2 * MOST_OPS)) as u8
    }

    /// The operators that lower it.
    #[inline(always)]
    pub(crate) fn lowering(self) -> OpSet {
        OpSet(self.0 & OPS)
    }

    /// The operators that do not raise it.
    #[inline(always)]
    pub(crate) fn not_raising(self) -> OpSet {
        OpSet(self.0 >> MOST_OPS & OPS)
    }

    /// The members of `ops` that lead to a distance of at most `limit`, and the least distance that the others lead to.
    #[inline(always)]
    pub fn sieve(self, ops: OpSet, limit: u32) -> Sieved {
        let value = u32::from(self.value());
        // Branchless, since the outcome is hard to predict.
        let mut kept = if value < limit { OpSet::ALL.0 } else { self.not_raising().0 };
        kept = if value > limit { self.lowering().0 } else { kept };
        kept = if value > limit + 1 { 0 } else { kept };
        let (kept, cut) = (kept & ops.0, !kept & ops.0);
        let least =
            value + 1 - u32::from(cut & self.not_raising().0 != 0) - u32::from(cut & self.lowering().0 != 0);
        Sieved { kept: OpSet(kept), least_cut: if cut == 0 { u32::MAX } else { least } }
    }
}

/// The deltas of all entries of a pattern space.
#[derive(Debug)]
pub struct Deltas {
    words: Memory,
}

/// The reason why deltas could not be derived.
#[derive(Debug, thiserror::Error)]
pub enum DeriveError {
    /// There is not enough memory.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// The run was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// The table does not hold distances in the space.
    #[error(transparent)]
    Contents(#[from] WrongDistance),
}

/// An entry that is not the distance in its space, although the table matches its checksums.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WrongDistance {
    /// The entry is a goal, and its value is not 0.
    #[error("the value of the goal {entry} is {value}")]
    Goal {
        /// The entry.
        entry: u64,
        /// Its value.
        value: u8,
    },
    /// The entry has the value 0 but is not a goal.
    #[error("the value of entry {0} is 0, and it is no goal")]
    Zero(u64),
    /// No neighbour of the entry is nearer to a goal by one.
    #[error("the value of entry {entry} is {value}, and no neighbour has a smaller one")]
    NoDescent {
        /// The entry.
        entry: u64,
        /// Its value.
        value: u8,
    },
    /// The entry has no value.
    #[error("entry {0} is not reached")]
    Unreached(u64),
    /// The entry and a neighbour differ by more than one.
    #[error("the distances of entry {entry} and a neighbour of it are {value} and {neighbour}")]
    Jump {
        /// The entry.
        entry: u64,
        /// Its value.
        value: u8,
        /// The neighbour's value.
        neighbour: u8,
    },
}

impl Deltas {
    /// The bytes that the deltas of `entries` entries take.
    pub const fn bytes_for(entries: u64) -> u64 {
        entries * BYTES as u64
    }

    /// The deltas of `table`, which holds the distances in `space`. The `i`-th operator of a [`Delta`] is operator
    /// `ops[i]` of the space. Runs in parallel.
    ///
    /// # Errors
    /// [`DeriveError`]; [`WrongDistance`] if the table does not hold distances in the space: an entry is not reached, or
    /// neighbours differ by more than one.
    ///
    /// # Panics
    /// If there are more than [`MOST_OPS`] operators, if the space is not undirected, or if the table has another length.
    pub fn derive<B: AsRef<[u8]> + Sync>(
        space: &impl PatternSpace,
        table: &Packed<4, B>,
        ops: &[usize],
        run: &Run<'_>,
    ) -> Result<Deltas, DeriveError> {
        assert!(ops.len() <= MOST_OPS, "an entry has room for {MOST_OPS} operators");
        assert!(space.is_undirected(), "neighbours of a directed space may differ by any amount");
        let columns = space.columns();
        assert_eq!(table.len(), (space.rows() * columns) as u64, "the table is that of the space");
        let mut words = Memory::zeroed(space.rows() * columns * BYTES)?;
        let table = table.borrowed();
        let derive = |scratch: &mut Scratch, row: usize, words: &mut [u8]| {
            if row.is_multiple_of(64) && run.is_cancelled() {
                return Err(DeriveError::Cancelled(Cancelled));
            }
            let Scratch { values, next, lowering, not_raising } = scratch;
            let first = (row * columns) as u64;
            read_distances(&table, first, values)?;
            lowering.fill(0);
            not_raising.fill(0);
            for (i, &op) in ops.iter().enumerate() {
                let Step { row, map, flip } = space.step(row, op);
                let map = space.map(map);
                read_distances(&table, u64::from(row) * columns as u64, next)?;
                for column in 0..columns {
                    let to = map.map_or(column as u16, |map| map[column]) ^ flip;
                    let (value, next) = (values[column], next[usize::from(to)]);
                    if next.abs_diff(value) > 1 {
                        let entry = first + column as u64;
                        return Err(WrongDistance::Jump { entry, value, neighbour: next }.into());
                    }
                    lowering[column] |= u32::from(next < value) << i;
                    not_raising[column] |= u32::from(next <= value) << i;
                }
            }
            for (column, word) in words.chunks_exact_mut(BYTES).enumerate() {
                let ops = |bits: u32| OpSet(bits.into());
                let delta = Delta::new(values[column], ops(lowering[column]), ops(not_raising[column]));
                word.copy_from_slice(&delta.0.to_ne_bytes());
            }
            Ok(())
        };
        let (row, piece) = (columns * BYTES, space.rows().div_ceil(PIECES).max(1));
        let derive_piece = |number: usize, words: &mut [u8]| {
            let mut scratch = Scratch::new(columns);
            let mut rows = (number * piece..).zip(words.chunks_exact_mut(row));
            rows.try_for_each(|(row, words)| derive(&mut scratch, row, words))
        };
        run.try_for_each_chunk(&mut words, piece * row, &derive_piece)?;
        Ok(Deltas { words })
    }

    /// The number of entries.
    pub fn len(&self) -> usize {
        self.words.len() / BYTES
    }

    /// Whether there is no entry.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// The delta of an entry.
    ///
    /// # Panics
    /// If there is no such entry.
    #[inline(always)]
    pub fn get(&self, index: usize) -> Delta {
        let words: &[u64] = bytemuck::cast_slice(&self.words);
        Delta(words[index])
    }

    /// Asks the processor to fetch the line of an entry. Any index is allowed.
    #[inline(always)]
    pub fn prefetch(&self, index: usize) {
        prefetch(self.words.as_ptr().wrapping_add(index.wrapping_mul(BYTES)));
    }
}

/// Buffers for deriving a row, with an element for each column.
struct Scratch {
    values: Vec<u8>,
    /// The distances of the row that an operator leads to.
    next: Vec<u8>,
    lowering: Vec<u32>,
    not_raising: Vec<u32>,
}

impl Scratch {
    fn new(columns: usize) -> Scratch {
        Scratch {
            values: vec![0; columns],
            next: vec![0; columns],
            lowering: vec![0; columns],
            not_raising: vec![0; columns],
        }
    }
}

/// Reads the distances from entry `first` on.
fn read_distances(table: &Packed<4, &[u8]>, first: u64, values: &mut [u8]) -> Result<(), WrongDistance> {
    table.read(first, values);
    match values.iter().position(|&value| value == Packed::<4, ()>::UNREACHED) {
        None => Ok(()),
        Some(column) => Err(WrongDistance::Unreached(first + column as u64)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Op;
    use crate::pdb::{FillOptions, Graph, fill};

    /// A ring with chords, with one operator per direction; the last operator is applicable only in some places.
    fn ring() -> Graph<impl Fn(usize, usize) -> Option<usize> + Sync> {
        let next = |at: usize, op: usize| match op {
            0 => Some((at + 1) % 60),
            1 => Some((at + 59) % 60),
            2 => Some((at + 17) % 60),
            3 => Some((at + 43) % 60),
            _ => (at.is_multiple_of(7) && at + 7 < 60).then_some(at),
        };
        Graph::new(60, 5, vec![3, 31], next).undirected()
    }

    #[test]
    fn deltas_agree_with_the_values_of_neighbours() {
        let (space, run) = (ring(), Run::new());
        let table = fill::<4, _>(&space, FillOptions::default(), &run).unwrap().table;
        let order = [4, 2, 0, 3, 1];
        let deltas = Deltas::derive(&space, &table, &order, &run).unwrap();
        assert_eq!((deltas.len(), deltas.is_empty()), (60, false));
        for entry in 0..60 {
            let delta = deltas.get(entry);
            let value = table.get(entry as u64);
            assert_eq!(delta.value(), value);
            let next: Vec<u8> = order.iter().map(|&op| table.get(space.step(entry, op).row.into())).collect();
            for (limit, ops) in (0..8).flat_map(|limit| (0..32).map(move |ops| (limit, OpSet(ops)))) {
                let mut wanted = Sieved::default();
                ops.into_iter().for_each(|op: Op| wanted.take(op, next[op.index()], limit));
                assert_eq!(delta.sieve(ops, limit), wanted, "{entry} {limit} {ops:?}");
            }
        }
    }

    #[test]
    fn a_table_with_wrong_distances_is_refused() {
        let derived = |byte: u8| {
            let table = Packed::<4, _>::new(vec![byte; 30], 60).unwrap();
            match Deltas::derive(&ring(), &table, &[0, 1], &Run::new().with_threads(1)) {
                Err(DeriveError::Contents(wrong)) => wrong,
                derived => panic!("{derived:?}"),
            }
        };
        assert_eq!(derived(0x50), WrongDistance::Jump { entry: 0, value: 0, neighbour: 5 });
        assert_eq!(derived(0xF0), WrongDistance::Unreached(1));
    }

    #[test]
    fn a_cancelled_run_ends() {
        let cancel = crate::Cancel::new();
        cancel.cancel();
        let table = Packed::<4, _>::new(vec![0; 30], 60).unwrap();
        let derived = Deltas::derive(&ring(), &table, &[0], &Run::new().with_cancel(&cancel));
        assert!(matches!(derived, Err(DeriveError::Cancelled(_))));
    }
}
