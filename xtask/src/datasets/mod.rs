//! `cargo xtask datasets`: random instances with their optimal lengths and one solution each, for those who
//! train or test heuristics.
//!
//! | file | contents |
//! | --- | --- |
//! | `sets` | the sets: how their instances are drawn |
//! | `solve` | solving an instance, and the referee's replay of the solution |
//! | `file` | the files: rows as JSON lines and CSV, provenance, resuming |
//!
//! A set is determined by its name, its seed and the number of instances; which of several shortest solutions
//! it has depends on the heuristic too, which the provenance names. A run that is stopped continues where it
//! was: the rows so far are read again, and instances are drawn again from the seed without solving them.

mod file;
mod sets;
mod solve;

pub use file::{Provenance, Row};
pub use sets::SetName;

use clap::Args;
use file::Files;
use puzzle_cli::{CommonArgs, Exit, Failure, Session};
use sets::Section;
use solve::AnySolver;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// Write data sets of optimal lengths: instances, lengths and solutions as CSV and JSON lines
///
/// Each set has three files: rows as JSON lines, the same rows as CSV, and the provenance. Every solution is
/// replayed by the referee. The same command continues a run that was stopped.
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Examples:
  cargo xtask datasets fifteen                        half a minute
  cargo xtask datasets cubes --heuristic square-8     some three hours on two cores, 7 GiB of memory
  cargo xtask datasets cubes --count 100 --seed 2     another hundred")]
pub struct DatasetsArgs {
    /// Which sets
    #[arg(value_enum, value_name = "SET", required = true)]
    sets: Vec<SetName>,
    /// How many instances, or instances per distance [default: the number stated for each set]
    #[arg(long, value_name = "N")]
    count: Option<usize>,
    /// The greatest distance in `cube-distances`
    #[arg(long, value_name = "N", default_value_t = 18, value_parser = clap::value_parser!(u32).range(1..=18))]
    farthest: u32,
    /// Random seed
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Heuristic of the solver, as `cube-opt` or `tile24` names it [default: that program's default]
    #[arg(long, value_name = "NAME")]
    heuristic: Option<String>,
    /// Folder to write to [default: target/datasets]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    common: CommonArgs,
}

/// Runs the task.
///
/// # Errors
/// What ends it.
pub fn run(args: &DatasetsArgs) -> Result<Exit, Failure> {
    let session = Session::build(&args.common)?;
    let default = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/datasets");
    let out = args.out.clone().unwrap_or_else(default);
    let mut output = session.output();
    for &set in &args.sets {
        let store = session.store(crate::gen_tables::GENERATOR)?;
        let solver = AnySolver::load(set, args.heuristic.as_deref(), &store, &session.run())?;
        let provenance = Provenance::new(set, args.seed, &solver);
        let mut files = Files::open(&out, &provenance)?;
        let count = args.count.unwrap_or(set.count());
        for section in set.sections(count, args.farthest) {
            if let Err(failure) = fill(&mut files, &section, args.seed, &solver, &session) {
                files.write_csv()?;
                return Err(failure);
            }
        }
        files.write_csv()?;
        output.line(&format!("{}: {} rows", files.name(), files.rows().len()))?;
    }
    Ok(Exit::Done)
}

/// Adds the rows that a section lacks.
fn fill(
    files: &mut Files,
    section: &Section,
    seed: u64,
    solver: &AnySolver,
    session: &Session,
) -> Result<(), Failure> {
    let done: Vec<&Row> = files.rows().iter().filter(|row| row.section == section.name).collect();
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
        let Some((length, solution)) = solver.solve(&instance, section.length, &session.run())? else {
            continue;
        };
        files.add(Row { section: section.name.clone(), draw, instance, length, solution })?;
        have += 1;
    }
    Ok(())
}
