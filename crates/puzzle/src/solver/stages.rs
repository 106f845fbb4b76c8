//! The pattern databases of a puzzle in stages: small ones that are built in a moment, then larger ones.
//!
//! The idea: each stage has about an eighth of the memory of the next, so it is built in about an eighth of the time, and a search
//! with it takes about eight times the nodes. A search begins with the least stage that prunes more than its table of near
//! positions does, and changes to the next when the searches with the present one have cost as much as building, or
//! loading, the next.
//!
//! Why the answer is shortest: every stage is a lower bound, and a search changes its stage between two bounds. A bound that
//! was searched to its end stays excluded, whichever stage searched it. The change depends on counts of nodes alone.
//!
//! Invariant: stages are numbered by the steps to the largest one, 0, which `tables plan` lists.
//!
//! Cost: the tables of all stages together have at most a seventh more bytes than those of the largest.

use std::sync::OnceLock;

use search_core::Run;
use search_core::table::{Recipe, Tables};

use super::SolverError;
use super::databases::Databases;
use crate::database::Database;
use crate::strategy::Plan;

/// The factor between the memory of two stages.
const FACTOR: u64 = 8;
/// The least memory of a stage.
const LEAST: u64 = 8 << 20;
/// The least factor between the times of building two stages.
const LEAST_FACTOR: f64 = 3.0;
/// The least part of the positions per second of building that a stage has beside the next one.
const LEAST_WORTH: f64 = 0.5;
/// The seconds of one thread that a byte of a table takes to be loaded.
const SECONDS_PER_BYTE: f64 = 3e-9;

/// The pattern databases of one stage.
pub(super) struct Stage {
    pub(super) plan: Plan,
    pub(super) databases: OnceLock<Databases>,
}

impl Stage {
    fn new(plan: Plan) -> Stage {
        Stage { plan, databases: OnceLock::new() }
    }

    /// The seconds that one thread builds all databases.
    fn build_seconds(&self) -> f64 {
        self.plan.databases.iter().map(|database| database.build_seconds(1)).sum()
    }

    /// Whether it is built much sooner than a larger stage, and not at the price of tables that say much less for the time they take,
    /// as pattern databases beside cosets do.
    fn pays_before(&self, above: &Stage) -> bool {
        let [own, its] = [self, above].map(Stage::build_seconds);
        own * LEAST_FACTOR <= its && self.positions() * its >= LEAST_WORTH * above.positions() * own
    }

    fn bytes(&self) -> u64 {
        self.plan.databases.iter().map(Recipe::bytes).sum()
    }

    /// Whether loading the databases builds none.
    pub(super) fn is_built(&self, store: &dyn Tables) -> bool {
        self.plan.databases.iter().all(|database| store.contains(&database.name()))
    }

    /// The seconds that one thread takes to load the databases, or the `share` of the time of building those that are missing.
    pub(super) fn seconds(&self, share: f64, store: &dyn Tables) -> f64 {
        let of = |database: &Database| match store.contains(&database.name()) {
            true => database.bytes() as f64 * SECONDS_PER_BYTE,
            false => database.build_seconds(1) * share,
        };
        self.plan.databases.iter().map(of).sum()
    }

    /// The number of positions that the two largest databases tell apart: a search with them takes about as many nodes as one
    /// with a table of as many near positions.
    pub(super) fn positions(&self) -> f64 {
        let mut of: Vec<f64> = self.plan.databases.iter().map(Database::positions).collect();
        of.sort_by(f64::total_cmp);
        of.iter().rev().take(2).sum()
    }
}

/// The stages of a puzzle, which are planned when a search may need them.
#[derive(Default)]
pub(super) struct Stages {
    largest: OnceLock<Stage>,
    /// The others, the next to the largest first.
    smaller: OnceLock<Vec<Stage>>,
}

impl Stages {
    /// The largest stage. `plan` chooses the databases within the memory of a run.
    ///
    /// # Errors
    /// Those of `plan`.
    pub(super) fn largest(
        &self,
        plan: impl FnOnce(&Run<'_>) -> Result<Plan, SolverError>,
        run: &Run<'_>,
    ) -> Result<&Stage, SolverError> {
        if self.largest.get().is_none() {
            let stage = Stage::new(plan(run)?);
            self.largest.get_or_init(|| stage);
        }
        Ok(self.largest.get().expect("it has been planned"))
    }

    /// All stages, the largest first. There is no other where that exists.
    ///
    /// # Errors
    /// Those of `plan`.
    pub(super) fn all(
        &self,
        plan: impl Fn(&Run<'_>) -> Result<Plan, SolverError>,
        store: &dyn Tables,
        run: &Run<'_>,
    ) -> Result<Vec<&Stage>, SolverError> {
        let largest = self.largest(&plan, run)?;
        if self.smaller.get().is_none() && !largest.is_built(store) {
            let (mut smaller, mut memory): (Vec<Stage>, u64) = (Vec::new(), run.memory() / FACTOR);
            let mut left = run.memory().saturating_sub(largest.bytes());
            while memory >= LEAST {
                let above = smaller.last().unwrap_or(largest);
                // Otherwise the choice would be the same.
                if above.bytes() > memory {
                    let stage = Stage::new(plan(&run.with_memory(memory))?);
                    if stage.pays_before(above) && stage.bytes() <= left {
                        left -= stage.bytes();
                        smaller.push(stage);
                    }
                }
                memory /= FACTOR;
            }
            self.smaller.get_or_init(|| smaller);
        }
        Ok(self.planned().collect())
    }

    /// The stages that have been planned, the largest first.
    pub(super) fn planned(&self) -> impl Iterator<Item = &Stage> {
        self.largest.get().into_iter().chain(self.smaller.get().into_iter().flatten())
    }

    /// The numbers of the stages whose databases are loaded, the largest first.
    pub(super) fn loaded(&self) -> impl Iterator<Item = (usize, &Databases)> {
        self.planned().enumerate().filter_map(|(number, stage)| Some((number, stage.databases.get()?)))
    }
}
