//! The jobs of Korf & Felner 2006.
//!
//! | module | tables of the report |
//! | --- | --- |
//! | [`presumed`] | presumed-optimal lengths, numbers in the text |
//! | [`complete`] | complete searches |
//! | [`verify`] | half-depth heuristic searches |
//! | [`ablation`] | the effect of each ingredient |

pub mod ablation;
pub mod complete;
pub mod presumed;
pub mod verify;

use crate::fixture::{Figures, Key};
use crate::job::{Context, Cost, Job, Outcome, Stopped};
use crate::paper::{Paper, Tier};
use crate::tables::ProgramTable;
use hanoi4::bitmap::search::{Pruner, SearchError, Setup};
use hanoi4::layer_search::{LayerReport, SearchOptions, search_layers};
use hanoi4::tables::DatabaseId;
use search_core::storage::StorageError;

/// All jobs of the paper.
pub fn jobs(figures: &Figures<'_>) -> Vec<Job> {
    let mut jobs = presumed::jobs(figures);
    jobs.extend(complete::jobs(figures));
    jobs.extend(verify::jobs(figures));
    jobs.extend(ablation::jobs(figures));
    jobs
}

/// A job of this paper that reads the databases of these numbers of discs.
fn job(
    id: &str,
    tier: Tier,
    cost: Cost,
    title: &str,
    databases: &[u32],
    cells: Vec<Key>,
    run: impl Fn(&Context<'_>) -> Result<Outcome, Stopped> + Send + Sync + 'static,
) -> Job {
    let tables = databases.iter().map(|&discs| ProgramTable::hanoi(DatabaseId::middle(discs))).collect();
    Job::new(Paper::Hanoi, id, tier, cost, title, cells, run).reading(tables)
}

/// Runs a search, resuming from the checkpoint of a killed run of the same search by the same
/// program, if there is one.
fn resumable(
    setup: impl Fn() -> Setup,
    pruner: &dyn Pruner,
    options: &SearchOptions,
    identity: &str,
    context: &Context<'_>,
) -> Result<LayerReport, SearchError> {
    let dir = &context.work_dir;
    let identity = format!("{identity}, sources {}", Paper::Hanoi.sources());
    let options = SearchOptions { identity, work_dir: Some(dir.clone()), ..options.clone() };
    if dir.exists() {
        let options = SearchOptions { resume: true, ..options.clone() };
        match search_layers(setup(), pruner, &options, context.run) {
            Err(SearchError::Storage(StorageError::WorkDir(_))) => drop(std::fs::remove_dir_all(dir)),
            result => return result,
        }
    }
    if let Some(parent) = dir.parent() {
        // If this fails, the search reports why.
        let _ = std::fs::create_dir_all(parent);
    }
    search_layers(setup(), pruner, &options, context.run)
}
