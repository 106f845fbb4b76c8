//! The tables in memory.

use super::TableId;
use search_core::memory::Memory;
use search_core::pdb::Packed;
use search_core::record::TableUse;
use std::sync::Arc;

/// A table of distances, four bits per entry.
pub type Table = Packed<4, Memory>;
/// A table of distances above a base, two bits per entry.
pub(crate) type Crumbs = Packed<2, Memory>;

/// A loaded table: its identity, its entries, and its mention in run records.
pub(crate) type LoadedTable = (TableId, AnyTable, TableUse);

/// A table in memory, with entries of either width.
#[derive(Clone, Debug)]
pub enum AnyTable {
    /// Four bits per entry.
    Nibbles(Arc<Table>),
    /// Two bits per entry.
    Crumbs(Arc<Crumbs>),
}

impl AnyTable {
    /// The table of distances.
    ///
    /// # Panics
    /// If entries have two bits.
    pub fn nibbles(self) -> Arc<Table> {
        match self {
            AnyTable::Nibbles(table) => table,
            AnyTable::Crumbs(_) => panic!("the table's entries have two bits"),
        }
    }

    /// The table of distances above a base.
    ///
    /// # Panics
    /// If entries have four bits.
    pub(crate) fn crumbs(self) -> Arc<Crumbs> {
        match self {
            AnyTable::Crumbs(table) => table,
            AnyTable::Nibbles(_) => panic!("the table's entries have four bits"),
        }
    }

    /// The bytes of the entries.
    pub fn as_bytes(&self) -> &[u8] {
        match self {
            AnyTable::Nibbles(table) => table.as_bytes(),
            AnyTable::Crumbs(table) => table.as_bytes(),
        }
    }
}
