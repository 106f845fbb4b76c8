//! The jobs of Korf & Felner 2006, and of what goes beyond it.
//!
//! | module | tables of the report |
//! | --- | --- |
//! | [`presumed`] | presumed-optimal lengths, numbers in the text |
//! | [`complete`] | complete searches |
//! | [`verify`] | half-depth heuristic searches |
//! | [`ablation`] | the effect of each ingredient |
//! | [`graphs`] | sequences, beyond the paper |

pub mod ablation;
pub mod complete;
pub mod graphs;
pub mod presumed;
pub mod verify;

use crate::fixture::{Figures, Key};
use crate::job::{Context, Cost, Job, Outcome, Stopped};
use crate::paper::{Paper, Tier};
use crate::tables::ProgramTable;
use hanoi4::tables::DatabaseId;

/// All jobs of the paper.
pub fn jobs(figures: &Figures<'_>) -> Vec<Job> {
    let mut jobs = presumed::jobs(figures);
    jobs.extend(complete::jobs(figures));
    jobs.extend(verify::jobs(figures));
    jobs.extend(ablation::jobs(figures));
    jobs.extend(graphs::jobs(figures));
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
