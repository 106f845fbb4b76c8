//! The lower bound of a set of moves: the maximum of its tables.

use super::arrangements::Arrangements;
use super::group::all_facelets;
use super::space::{MoveSpace, Places};
use super::tables::{SetTable, Space};
use search_core::Op;
use search_core::heuristic::{ChildBound, Kernel, NodeRef};
use search_core::memory::Memory;
use search_core::pdb::Packed;
use std::sync::Arc;

/// The number of subtrees in flight, so that the table reads of one overlap the work of the others.
const LANES: usize = 8;

/// A table with the data to look up a state in it.
#[derive(Debug)]
pub(crate) struct Part {
    space: Arc<Space>,
    /// The numbers, among [`Places`], of the pieces whose places give the entry.
    pieces: Vec<usize>,
    table: Packed<4, Memory>,
}

/// The maximum of tables, each a stage.
#[derive(Debug)]
pub(crate) struct SetBound {
    parts: Vec<Part>,
}

impl Part {
    /// The part of a table that was loaded.
    ///
    /// # Panics
    /// If `body` has another length than the table needs.
    pub(crate) fn new(table: &SetTable, body: Memory) -> Part {
        let facelets = all_facelets();
        let number = |base: u8| facelets.iter().position(|&facelet| facelet == base);
        let pieces =
            table.space.bases().into_iter().map(|base| number(base).expect("a piece's first facelet"));
        let entries = table.space.entries() as u64;
        let packed = Packed::new(body, entries).expect("a body of the table's length");
        Part { space: Arc::clone(&table.space), pieces: pieces.collect(), table: packed }
    }

    /// The entry of the state whose pieces are at the `image` of their places in `state`.
    #[inline(always)]
    fn entry(&self, state: &Places, image: impl Fn(u8) -> u8) -> usize {
        let mut images = self.pieces.iter().map(|&piece| image(state.at(piece)));
        match &*self.space {
            Space::Edges(space) => space.entry_of(images),
            Space::Arrangements(space) => {
                let mut of_bases = [0; Arrangements::MOST_BASES];
                of_bases.iter_mut().zip(&mut images).for_each(|(to, image)| *to = image);
                space.entry_of(of_bases)
            }
        }
    }
}

impl SetBound {
    /// The maximum of `parts`.
    ///
    /// # Panics
    /// If there is none.
    pub(crate) fn new(parts: Vec<Part>) -> SetBound {
        assert!(!parts.is_empty(), "a bound has at least one part");
        SetBound { parts }
    }
}

impl ChildBound<MoveSpace> for SetBound {
    type Carry = ();
    /// An entry.
    type Probe = usize;
    type Memo = ();

    #[inline(always)]
    fn stages(&self) -> usize {
        self.parts.len()
    }

    fn carry(&self, _: &MoveSpace, _: &Places) {}

    #[inline(always)]
    fn carry_child(&self, _: NodeRef<'_, MoveSpace, ()>, _: Op, _: &Places, (): &()) {}

    #[inline(always)]
    fn locate(&self, node: NodeRef<'_, MoveSpace, ()>, op: Op, stage: usize) -> usize {
        let part = &self.parts[stage];
        let entry = part.entry(node.state, |facelet| node.domain.image(op, facelet));
        part.table.prefetch(entry as u64);
        entry
    }

    #[inline(always)]
    fn read(&self, entry: usize, stage: usize, (): &mut ()) -> u8 {
        self.parts[stage].table.get(entry as u64)
    }

    fn value(&self, _: &MoveSpace, state: &Places) -> u8 {
        let value = |part: &Part| part.table.get(part.entry(state, |facelet| facelet) as u64);
        self.parts.iter().map(value).max().unwrap_or(0)
    }

    fn kernel(&self) -> Kernel {
        Kernel::Interleaved { lanes: LANES }
    }
}
