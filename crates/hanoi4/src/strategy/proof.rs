//! Proofs of presumed-optimal lengths: the database, the memory, the work directory.

use super::{AskError, Work};
use crate::bitmap::checkpoint;
use crate::corners::half::{self, CheckpointOptions};
use crate::cost::{CornerProof, LayerSpace, PROOFS};
use crate::error::SearchError;
use crate::layer_search::SearchOptions;
use crate::pdb::Database;
use crate::splittings;
use crate::tables::DatabaseId;
use crate::verify::{
    MIN_DISCS, Threshold, Verification, can_be_small, default_database, most_small, verify, verify_by_corners,
};
use search_core::Run;
use search_core::clock::Instant;
use search_core::record::TableUse;
use search_core::storage::{Budget, WorkKind};
use search_core::table::{Recipe, Store};

/// The question whether the presumed length of a number of discs is shortest.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ProofAsk {
    /// The number of discs.
    pub discs: u32,
    /// The depth to search to.
    pub threshold: Threshold,
    /// The number of discs of the database, 0 for none; `None` chooses the default.
    pub database: Option<u32>,
    /// The search; `None` chooses it ([`ProofAsk::method`]).
    pub method: Option<ProofMethod>,
    /// The number of small discs of a search by corners; `None` chooses it.
    pub small: Option<u32>,
    /// The place and budget of the search's layers and checkpoints.
    pub work: Work,
}

/// A half-depth search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum ProofMethod {
    /// Layers of bitmaps of the small discs, in memory or in a work directory; counts the states
    Bitmap,
    /// The times of corners (states with all small discs on two pegs) of the blocks within the threshold; needs a
    /// fraction of the memory
    Corners,
}

impl ProofMethod {
    /// The method's name.
    pub fn name(self) -> &'static str {
        match self {
            ProofMethod::Bitmap => "bitmap",
            ProofMethod::Corners => "corners",
        }
    }
}

/// A database in memory, and the time to load or build it.
#[derive(Debug)]
pub struct Loaded {
    /// The parameters of the database.
    pub id: DatabaseId,
    /// The database.
    pub database: Database,
    /// The name and checksum of its table.
    pub table: TableUse,
    /// The time to load or build it, in seconds.
    pub seconds: f64,
}

/// The heuristic of a proof with a database or without, as records name it.
pub fn heuristic(database: Option<&Loaded>) -> &'static str {
    if database.is_some() { "two splittings" } else { "none" }
}

impl ProofAsk {
    /// The question for some discs, with the default database and all layers in memory.
    ///
    /// # Errors
    /// [`AskError::Malformed`] for a number out of range.
    pub fn new(discs: u32) -> Result<ProofAsk, AskError> {
        if !(MIN_DISCS..=31).contains(&discs) {
            let message = format!("the number of discs must be {MIN_DISCS} to 31, not {discs}");
            return Err(AskError::Malformed(message));
        }
        let (threshold, work) = (Threshold::default(), Work::default());
        Ok(ProofAsk { discs, threshold, database: None, method: None, small: None, work })
    }

    /// Replaces the depth to which the proof searches.
    #[must_use]
    pub fn threshold(self, threshold: Threshold) -> ProofAsk {
        ProofAsk { threshold, ..self }
    }

    /// Uses the database of a number of discs, or none for 0.
    #[must_use]
    pub fn database(self, discs: Option<u32>) -> ProofAsk {
        ProofAsk { database: discs, ..self }
    }

    /// Keeps layers and checkpoints in a work directory.
    #[must_use]
    pub fn work(self, work: Work) -> ProofAsk {
        ProofAsk { work, ..self }
    }

    /// The database of the search, if it has one.
    ///
    /// # Errors
    /// [`AskError::Unsuitable`] where the chosen one cannot be used.
    pub fn database_id(&self) -> Result<Option<DatabaseId>, AskError> {
        let chosen = self.database.or_else(|| default_database(self.discs));
        let Some(of) = chosen.filter(|&of| of > 0) else { return Ok(None) };
        let id = DatabaseId::middle(of);
        if id.is_possible() && splittings::fits(self.discs - 1, of, id.dropped) {
            return Ok(Some(id));
        }
        let message = format!(
            "a database of {of} discs cannot be used for {} discs: give 8 to 24 discs, 5 to 13 fewer than the puzzle \
             has (from 24 discs on, 20 to 24 need only be 2 fewer)",
            self.discs
        );
        Err(AskError::Unsuitable(message))
    }

    /// The space that the search needs in addition to its database.
    ///
    /// # Errors
    /// As [`database_id`](ProofAsk::database_id).
    pub fn space(&self) -> Result<LayerSpace, AskError> {
        Ok(LayerSpace::of_proof(self.discs, self.database_id()?.map_or(0, |id| id.discs)))
    }

    /// Chooses the search, and the number of small discs of one by corners.
    #[must_use]
    pub fn search(self, method: Option<ProofMethod>, small: Option<u32>) -> ProofAsk {
        ProofAsk { method, small, ..self }
    }

    /// The search: the chosen one; that of the checkpoint in the work directory; by corners if a number of small discs is
    /// chosen; by layers if they fit the memory of `run`; otherwise by corners.
    ///
    /// # Errors
    /// As [`database_id`](ProofAsk::database_id).
    pub fn method(&self, run: &Run<'_>) -> Result<ProofMethod, AskError> {
        if let Some(method) = self.method {
            return Ok(method);
        }
        let has_checkpoint = |kind: WorkKind| {
            let dir = self.work.dir.as_ref();
            dir.is_some_and(|dir| kind.has_checkpoint_in(dir))
        };
        if self.small.is_some() || has_checkpoint(half::KIND) {
            return Ok(ProofMethod::Corners);
        }
        let in_memory = Work::default().budget(self.space()?, self.taken()?, run.memory());
        if has_checkpoint(checkpoint::KIND) || in_memory.is_ok() {
            return Ok(ProofMethod::Bitmap);
        }
        Ok(ProofMethod::Corners)
    }

    /// The number of small discs of a search by corners.
    ///
    /// # Errors
    /// [`AskError::Unsuitable`] if the chosen one does not fit the database.
    fn small(&self) -> Result<u32, AskError> {
        let database = self.database_id()?.map_or((0, 0), |id| (id.discs - id.dropped, id.discs));
        let is_possible = |small: u32| can_be_small(self.discs, database, small);
        let possible = most_small(self.discs, database);
        match self.small {
            Some(small) if is_possible(small) => Ok(small),
            Some(small) => {
                let message = format!("{small} small discs do not fit the database: give 1 to {possible}");
                Err(AskError::Unsuitable(message))
            }
            // One more about halves the corners that are entered, in about the same memory.
            None => Ok(possible),
        }
    }

    /// Checks the memory for the search, and the disk for its layers.
    fn check(&self, run: &Run<'_>) -> Result<(), AskError> {
        match self.method(run)? {
            ProofMethod::Bitmap if self.small.is_some() => {
                Err(AskError::Unsuitable("only a proof by corners has a number of small discs".into()))
            }
            ProofMethod::Bitmap => self.layers(run).map(|_| ()),
            ProofMethod::Corners => {
                let least = half::bytes(self.small()?, 1, 1) + self.taken()?;
                let base = self.measured().unwrap_or(least);
                if run.memory() < base { Err(AskError::Memory(base)) } else { Ok(()) }
            }
        }
    }

    /// The memory and disk for the layers.
    fn layers(&self, run: &Run<'_>) -> Result<Budget, AskError> {
        self.work.budget(self.space()?, self.taken()?, run.memory())
    }

    /// The bytes of the database.
    fn taken(&self) -> Result<u64, AskError> {
        Ok(self.database_id()?.map_or(0, |id| id.bytes()))
    }

    /// The bytes of a search by corners with the database, if they have been measured.
    fn measured(&self) -> Option<u64> {
        let is_default = self.threshold == Threshold::Full && self.small.is_none();
        let of = default_database(self.discs);
        let is_measured =
            is_default && PROOFS.contains(&self.discs) && self.database.is_none_or(|own| Some(own) == of);
        is_measured
            .then(|| CornerProof::of(self.discs))
            .filter(|cost| !cost.is_forecast)
            .map(|cost| cost.memory)
    }

    /// Loads the database of the search, if it has one; builds it if its table does not exist.
    ///
    /// # Errors
    /// [`AskError`].
    pub fn load(&self, store: &Store, run: &Run<'_>) -> Result<Option<Loaded>, AskError> {
        self.check(run)?;
        let Some(id) = self.database_id()? else { return Ok(None) };
        let start = Instant::now();
        let (database, table) = id.get(store, run)?;
        Ok(Some(Loaded { id, database, table, seconds: start.elapsed().as_secs_f64() }))
    }

    /// Searches, with the database that [`load`](ProofAsk::load) has loaded for the same question.
    ///
    /// # Errors
    /// [`AskError`]; with a work directory the last checkpoint is then intact.
    pub fn prove(&self, loaded: Option<&Loaded>, run: &Run<'_>) -> Result<Verification, AskError> {
        let database = loaded.map(|loaded| &loaded.database);
        if self.method(run)? == ProofMethod::Corners {
            let (small, taken) = (self.small()?, self.taken()?);
            let run = run.with_memory(run.memory().saturating_sub(taken));
            let checkpoints = self.checkpoints(loaded, small);
            let found =
                verify_by_corners(self.discs, self.threshold, database, small, checkpoints.as_ref(), &run);
            return found.map_err(|error| match error {
                // What the search has, and as much again: how much it needs has not been measured.
                SearchError::Budget { need, .. } => AskError::Memory(2 * need as u64 + taken),
                error => error.into(),
            });
        }
        let budget = self.layers(run)?;
        Ok(verify(self.discs, self.threshold, database, budget, &self.options(), run)?)
    }

    /// Removes the work directory, once the answer is saved or printed.
    ///
    /// # Errors
    /// [`SearchError::Storage`].
    pub fn remove_work_dir(&self, method: ProofMethod) -> Result<(), SearchError> {
        self.work.remove(match method {
            ProofMethod::Bitmap => checkpoint::KIND,
            ProofMethod::Corners => half::KIND,
        })
    }

    /// The checkpoints of a search by corners, if there is a work directory.
    fn checkpoints(&self, loaded: Option<&Loaded>, small: u32) -> Option<CheckpointOptions> {
        let ProofAsk { discs, threshold, .. } = self;
        let Work { dir, disk, fresh, checkpoint_every } = &self.work;
        let table = loaded.map(|loaded| &loaded.table);
        let table = table.map_or("none".to_owned(), |table| format!("{} {}", table.name, table.checksum));
        Some(CheckpointOptions {
            dir: dir.clone()?,
            identity: format!(
                "hanoi4 verify, {discs} discs, {small} small, database {table}, {threshold:?}, corners, format 1"
            ),
            fresh: *fresh,
            every: *checkpoint_every,
            disk: disk.unwrap_or(u64::MAX),
        })
    }

    fn options(&self) -> SearchOptions {
        let ProofAsk { discs, threshold, .. } = self;
        let database = self.database_id().ok().flatten().map(|id| id.discs);
        SearchOptions {
            identity: format!("hanoi4 verify, {discs} discs, database {database:?}, {threshold:?}, format 3"),
            work_dir: self.work.dir.clone(),
            fresh: self.work.fresh,
            keep_work_dir: true,
            ..SearchOptions::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn databases_that_do_not_fit_are_refused() {
        let id = |discs, of| ProofAsk::new(discs).unwrap().database(of).database_id();
        assert_eq!(id(20, None).unwrap(), Some(DatabaseId::middle(15)));
        assert_eq!(id(20, Some(0)).unwrap(), None);
        assert!(matches!(id(20, Some(25)), Err(AskError::Unsuitable(_))));
        assert!(matches!(ProofAsk::new(MIN_DISCS - 1), Err(AskError::Malformed(_))));
    }

    #[test]
    fn layers_that_do_not_fit_the_memory_are_replaced_by_corners() {
        let run = Run::new().with_memory(16 << 30);
        let ask = |discs| ProofAsk::new(discs).unwrap();
        assert_eq!(ask(25).method(&run).unwrap(), ProofMethod::Bitmap);
        for discs in [29, 30] {
            assert_eq!(ask(discs).method(&run).unwrap(), ProofMethod::Corners);
            let work = Work { dir: Some("work".into()), ..Work::default() };
            assert_eq!(ask(discs).work(work).method(&run).unwrap(), ProofMethod::Corners);
        }
        // As measured, with the database.
        let by_corners = ask(30).search(Some(ProofMethod::Corners), None);
        let Err(AskError::Memory(need)) = by_corners.check(&run.with_memory(4 << 30)) else {
            panic!("30 discs in 4 GiB")
        };
        assert!((6 << 30..8 << 30).contains(&need) && by_corners.check(&run.with_memory(need)).is_ok());
        let layers = ask(25).search(Some(ProofMethod::Bitmap), Some(9));
        assert!(matches!(layers.check(&run), Err(AskError::Unsuitable(_))));
    }
}
