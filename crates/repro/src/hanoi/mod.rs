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

use crate::fixture::Figures;
use crate::job::{self, Work};
use crate::tables::ProgramTable;
use hanoi4::tables::DatabaseId;
use hanoi4::verify::default_database;

/// The work of the task `name` with `number` discs, or `None` if there is no such task.
pub fn work(name: &str, number: usize, figures: &Figures<'_>) -> Option<Work> {
    let discs = number as u32;
    Some(match name {
        "presumed" => presumed::presumed(figures),
        "complete" if discs == complete::QUICK => job::work(complete::quick),
        "complete" => job::work(move |context| complete::large(discs, context)),
        "verify" => job::work(move |context| verify::verified(discs, context)),
        "ablation" => job::work(ablation::ablation),
        name => {
            let sizes = graphs::sizes(name)?;
            job::work(move |context| graphs::lengths(sizes, context))
        }
    })
}

/// The default databases of towers with these numbers of discs.
pub fn tables(discs: &str) -> Vec<ProgramTable> {
    let discs = discs.split_whitespace().map(|discs| discs.parse().expect("a number of discs"));
    let databases = discs.filter_map(default_database);
    databases.map(|discs| ProgramTable::hanoi(DatabaseId::middle(discs))).collect()
}
