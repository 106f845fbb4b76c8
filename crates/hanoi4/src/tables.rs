//! Databases as table files: their names and recipes.

use crate::bitmap::shape::{INNER, PAIRS, SMALL};
use crate::corners;
use crate::error::SearchError;
use crate::goals::Goals;
use crate::model::{State, to_u64};
use crate::pdb::Database;
use search_core::Run;
use search_core::pdb::{self, Graph, Packed};
use search_core::record::TableUse;
use search_core::table::{
    Built, Encoding, FileError, Kind, Proof, Recipe, Spec, Store, TableError, Unfinished, proof,
};

/// The greatest number of discs that select an entry of a default database: 1 GiB.
const MAX_KEPT: u32 = 15;

/// The seconds to build compressed databases of 17 to 23 discs on two threads of an AMD EPYC (Zen 5).
const SECONDS: [f64; 7] = [0.56, 2.3, 6.9, 11.1, 25.2, 85.2, 315.0];

/// The parameters of a database, and its recipe.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DatabaseId {
    /// The number of discs.
    pub discs: u32,
    /// The number of smallest discs that are left out; 0 for a complete database.
    pub dropped: u32,
    /// The goals.
    pub goals: Goals,
}

impl DatabaseId {
    /// The compressed database that [`verify`](crate::verify) uses: middle states, with 4 discs left out,
    /// or more so that at most `MAX_KEPT` remain.
    pub fn middle(discs: u32) -> DatabaseId {
        let dropped = (SMALL.end() - INNER).max(discs.saturating_sub(MAX_KEPT));
        DatabaseId { discs, dropped, goals: Goals::Middle }
    }

    /// Whether such a database can be built: 1 to 12 discs if it is complete, otherwise 5 to 24 discs of
    /// which 1 to 12 are left out and 1 to 16 are not.
    pub fn is_possible(self) -> bool {
        match self.dropped {
            0 => (1..=12).contains(&self.discs),
            1..=12 => {
                (self.dropped + 1..=self.dropped + 16).contains(&self.discs) && (5..=24).contains(&self.discs)
            }
            _ => false,
        }
    }

    /// The number of discs that select an entry.
    pub fn kept(self) -> u32 {
        self.discs - self.dropped
    }

    /// Loads the database from the store, after building it if it does not exist.
    ///
    /// # Errors
    /// [`TableError`].
    ///
    /// # Panics
    /// If the database is not [possible](DatabaseId::is_possible).
    pub fn get(self, store: &Store, run: &Run<'_>) -> Result<(Database, TableUse), TableError> {
        let table = store.get(&self, run)?;
        let used = table.used();
        Ok((Database::from_values(self.discs, self.kept(), table.body), used))
    }
}

/// The recipe of the table of this name.
pub fn recipe_of(name: &str) -> Option<Box<dyn Recipe>> {
    let words: Vec<&str> = name.split('-').collect();
    let ["hanoi4", goals, discs, kept] = words[..] else { return None };
    let goals = match goals {
        "middle" => Goals::Middle,
        _ => Goals::Peg(goals.strip_prefix("peg")?.parse().ok().filter(|peg| *peg <= 3)?),
    };
    let (discs, kept): (u32, u32) = (discs.parse().ok()?, kept.parse().ok()?);
    let id = DatabaseId { discs, dropped: discs.checked_sub(kept)?, goals };
    (id.is_possible() && id.name() == name).then(|| Box::new(id) as Box<dyn Recipe>)
}

/// The states of a complete database. An operator exchanges a disc between two pegs.
fn states(discs: u32, goals: Goals) -> Graph<impl Fn(usize, usize) -> Option<usize> + Sync> {
    let next = move |state: usize, pair: usize| {
        State::from_code(to_u64(state)).moved_between(PAIRS[pair], discs).map(State::index)
    };
    let goals = goals.states(discs).into_iter().map(State::index).collect();
    Graph::new(1 << (2 * discs), PAIRS.len(), goals, next).undirected()
}

impl Recipe for DatabaseId {
    fn name(&self) -> String {
        let (goals, ..) = goal_names(self.goals);
        format!("hanoi4-{goals}-{}-{}", self.discs, self.kept())
    }

    fn description(&self) -> String {
        let (_, goals, _) = goal_names(self.goals);
        format!("distance of {} discs to {goals}, index by the {} largest", self.discs, self.kept())
    }

    fn spec(&self) -> Spec {
        let (_, _, goals) = goal_names(self.goals);
        Spec {
            kind: Kind::PatternDatabase,
            puzzle: "hanoi 4 pegs".into(),
            operators: "from-to, pegs in order".into(),
            pattern: format!("{} discs, index by the {} largest, {goals}", self.discs, self.kept()),
            ranking: 1,
            bits: 8,
            encoding: Encoding::Exact,
            entries: 1 << (2 * self.kept()),
            complete: true,
        }
    }

    fn peak_bytes(&self) -> u64 {
        match self.dropped {
            0 => 3 << (2 * self.discs),
            dropped => corners::fitting(self.discs, dropped, 0).expect_err("a build takes memory"),
        }
    }

    /// Measured: 3 s for a complete database of 12 discs on one thread; the seconds of `SECONDS` for compressed
    /// ones of 17 discs and more on two.
    fn build_seconds(&self, threads: usize) -> f64 {
        let compressed = |discs: u32| match discs.checked_sub(17) {
            Some(more) => SECONDS[(more as usize).min(SECONDS.len() - 1)],
            None => SECONDS[0] / 3.4f64.powi(17 - discs as i32),
        };
        match self.dropped {
            0 => 3.0 * 4f64.powi(self.discs as i32 - 12),
            _ => compressed(self.discs) * 2.0 / threads.max(1) as f64,
        }
    }

    fn build(&self, unfinished: &Unfinished, run: &Run<'_>) -> Result<Built, FileError> {
        assert!(self.is_possible(), "{self:?} is not possible");
        let DatabaseId { discs, dropped, goals } = *self;
        let database = match dropped {
            0 => Database::cancellable_complete(discs, goals, run),
            _ => Database::resumable_compressed(discs, dropped, goals, unfinished, run),
        };
        let database = database.map_err(build_error)?;
        let depth = u32::from(database.max());
        Ok(Built { body: database.into_values(), depth })
    }

    /// A complete database is proved by its neighbours. An entry of a compressed one is a minimum over states with
    /// different neighbours, so such a table is built again.
    fn prove(&self, body: &[u8], run: &Run<'_>) -> Result<Proof, FileError> {
        if self.dropped > 0 {
            return proof::rebuild(self, body, run);
        }
        let table = Packed::<8, _>::new(body, self.spec().entries).expect("the length was checked");
        pdb::prove(&states(self.discs, self.goals), &table, None, run)?;
        Ok(Proof::Neighbours)
    }
}

/// The goals in a table's name, in its description, and in its file, where they never change.
fn goal_names(goals: Goals) -> (String, String, String) {
    match goals {
        Goals::Peg(peg) => (format!("peg{peg}"), format!("peg {peg}"), format!("Peg({peg})")),
        Goals::Middle => ("middle".to_owned(), "any two pegs but peg 0".to_owned(), "Middle".to_owned()),
    }
}

fn build_error(error: SearchError) -> FileError {
    match error {
        SearchError::Cancelled(cancelled) => cancelled.into(),
        SearchError::Memory(memory) => memory.into(),
        SearchError::Unfinished(error) => error,
        error => FileError::Build(Box::new(error)),
    }
}
