//! `cargo xtask datasets`: writes random instances with their optimal lengths.

use clap::Args;
use puzzle_cli::{CommonArgs, Exit, Failure, Session};
use repro::GENERATOR;
use repro::datasets::{self, Request, SetName};
use std::path::{Path, PathBuf};

/// Write data sets of optimal lengths: instances, lengths and solutions as CSV and JSON lines
///
/// Each set has three files: rows as JSON lines, the same rows as CSV, and the provenance. Every solution is
/// replayed by the referee. The same command resumes a stopped run.
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Examples:
  cargo xtask datasets fifteen                        half a minute
  cargo xtask datasets cubes --heuristic square-8     some three hours on two cores, 7 GiB of memory
  cargo xtask datasets cubes --count 100 --seed 2     another hundred")]
pub struct DatasetsArgs {
    /// The sets to write
    #[arg(value_enum, value_name = "SET", required = true)]
    sets: Vec<SetName>,
    /// Number of instances, or of instances per distance [default: the number stated for each set]
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
/// The failure that ends it.
pub fn run(args: &DatasetsArgs) -> Result<Exit, Failure> {
    let session = Session::build(&args.common)?;
    let default = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/datasets");
    let out = args.out.clone().unwrap_or_else(default);
    let mut output = session.output();
    for &set in &args.sets {
        let store = session.store(GENERATOR);
        let heuristic = args.heuristic.as_deref();
        let request = Request { set, count: args.count, farthest: args.farthest, seed: args.seed, heuristic };
        let (name, rows) = datasets::write(&request, &out, &store, &session.run())?;
        output.line(&format!("{name}: {rows} rows"))?;
    }
    Ok(Exit::Done)
}
