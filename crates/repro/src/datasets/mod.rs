//! Data sets: random instances with their optimal lengths and one solution each, for those who
//! train or test heuristics.
//!
//! | file | contents |
//! | --- | --- |
//! | `sets` | the sets, and the drawing of their instances |
//! | `solve` | solving an instance, and the referee's replay of the solution |
//! | `file` | the files: rows as JSON lines and CSV, provenance, resuming |
//!
//! A set is determined by its name, its seed and the number of instances. Where an instance has several shortest
//! solutions, the one in the set also depends on the heuristic, which the provenance names. A stopped run resumes by
//! reading its rows; their instances are drawn again from the seed but not solved.

mod file;
mod sets;
mod solve;

pub use file::{InstanceRow, Provenance};
pub use sets::SetName;

use file::Files;
use puzzle_cli::Failure;
use search_core::Run;
use search_core::table::Store;
use sets::Section;
use solve::AnySolver;
use std::collections::HashSet;
use std::path::Path;

/// The choices that determine a set.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// The set.
    pub set: SetName,
    /// The number of instances, or of instances per distance; by default that of [`SetName::count`].
    pub count: Option<usize>,
    /// The greatest distance, for a set with distances.
    pub farthest: u32,
    /// The random seed.
    pub seed: u64,
    /// The heuristic of the solver by its name; by default that of the command line.
    pub heuristic: Option<&'a str>,
}

/// Writes a set to a folder, or the rest of it if a run was stopped; returns its name and its number of rows.
///
/// # Errors
/// A heuristic that is unknown, tables or files that are not available, an interruption, a solution that the
/// referee refuses.
pub fn write(
    request: &Request<'_>,
    folder: &Path,
    store: &Store,
    run: &Run<'_>,
) -> Result<(String, usize), Failure> {
    let &Request { set, seed, .. } = request;
    let solver = AnySolver::load(set, request.heuristic, store, run)?;
    let mut files = Files::open(folder, &Provenance::new(set, seed, &solver))?;
    let sections = set.sections(request.count.unwrap_or(set.count()), request.farthest);
    let filled = sections.iter().try_for_each(|section| fill(&mut files, section, seed, &solver, run));
    files.write_csv()?;
    filled.map(|()| (files.name().to_owned(), files.rows().len()))
}

/// Adds the rows that a section lacks.
fn fill(
    files: &mut Files,
    section: &Section,
    seed: u64,
    solver: &AnySolver,
    run: &Run<'_>,
) -> Result<(), Failure> {
    let done: Vec<&InstanceRow> = files.rows().iter().filter(|row| row.section == section.name).collect();
    let (mut have, last) = (done.len(), done.last().map(|row| row.draw));
    let mut drawn = HashSet::new();
    for (draw, instance) in (0..section.draws).zip(section.instances(seed)) {
        if have >= section.count {
            break;
        }
        let is_new = drawn.insert(instance.clone());
        if !is_new || last.is_some_and(|last| draw <= last) {
            continue;
        }
        let Some((length, solution)) = solver.solve(&instance, section.length, run)? else {
            continue;
        };
        files.add(InstanceRow { section: section.name.clone(), draw, instance, length, solution })?;
        have += 1;
    }
    Ok(())
}
