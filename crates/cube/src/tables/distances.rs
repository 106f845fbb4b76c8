//! Tables of exact distances, four bits per entry: filled breadth-first, proved by their neighbours.

use crate::mask::Freedom;
use crate::metric::Metric;
use crate::pdb::{Corners, OpenCorners};
use search_core::Run;
use search_core::memory::Memory;
use search_core::pdb::{self, FillOptions, Packed, PatternSpace, fill};
use search_core::table::{Built, FileError, Proof};

/// A space whose tables have four bits per entry.
pub trait Distances {
    /// Fills a table, to the depth `deepest` if there is one. The steps of its rows are kept only in memory that the
    /// table leaves of the budget.
    ///
    /// # Errors
    /// [`FileError`].
    fn fill(&self, deepest: Option<u8>, run: &Run<'_>) -> Result<Built, FileError>;

    /// Proves the entries of such a table.
    ///
    /// # Errors
    /// [`FileError`].
    fn prove(&self, body: &[u8], deepest: Option<u8>, run: &Run<'_>) -> Result<Proof, FileError>;
}

impl<S: PatternSpace> Distances for S {
    fn fill(&self, deepest: Option<u8>, run: &Run<'_>) -> Result<Built, FileError> {
        let table = Packed::<4, Memory>::bytes_for(self.rows() as u64 * self.columns() as u64);
        let left = usize::try_from(run.memory().saturating_sub(table)).unwrap_or(usize::MAX);
        let options = FillOptions { max_depth: deepest, ..FillOptions::default() };
        let options = FillOptions { step_cache: options.step_cache.min(left), ..options };
        Ok(fill::<4, _>(self, options, run)?.into())
    }

    fn prove(&self, body: &[u8], deepest: Option<u8>, run: &Run<'_>) -> Result<Proof, FileError> {
        let entries = self.rows() as u64 * self.columns() as u64;
        let table = Packed::<4, _>::new(body, entries).expect("the length was checked against the header");
        pdb::prove(self, &table, deepest, run)?;
        Ok(Proof::Neighbours)
    }
}

/// The eight corners of a goal that leaves some of them open: filled up to exchanges of corners, proved without them.
pub(super) struct OpenDistances {
    pub(super) metric: Metric,
    pub(super) freedom: Freedom,
}

impl Distances for OpenDistances {
    fn fill(&self, deepest: Option<u8>, run: &Run<'_>) -> Result<Built, FileError> {
        let open = OpenCorners::new(self.metric, self.freedom);
        let Built { body, depth } = open.fill(deepest, run)?;
        let table = Packed::new(body, OpenCorners::size(&self.freedom).0).expect("the length of this table");
        Ok(Built { body: open.expand(&table, run)?, depth })
    }

    fn prove(&self, body: &[u8], deepest: Option<u8>, run: &Run<'_>) -> Result<Proof, FileError> {
        Corners::up_to(self.metric, self.freedom).prove(body, deepest, run)
    }
}
