//! `cargo xtask gen-tables`: a plan of every table, then what is missing is built and what is there
//! verified.

use crate::fixture;
use crate::job::Job;
use crate::paper::Tier;
use crate::tables::ProgramTable;
use clap::{Args, ValueEnum};
use cube::Metric;
use hanoi4::tables::DatabaseId;
use puzzle_cli::units::{format_bytes, format_duration};
use puzzle_cli::{CommonArgs, Exit, Failure, Named, Session, tables};
use search_core::table::Store;
use serde::Serialize;
use slidetile::solver::{HeuristicSpec, Pruning};
use slidetile::tables::LearnedAutomaton;
use slidetile::{Board, Puzzle};
use std::time::{Duration, Instant};

/// The generator's name in the headers of new tables.
pub const GENERATOR: &str = concat!("xtask ", env!("CARGO_PKG_VERSION"));

/// Build the tables that the solvers and the reproduction read, and verify those that are there
///
/// A plan comes first: each table, what it is for, its size and the time that building takes. What
/// is missing is built, with progress; what is there is read to the last byte and compared with its
/// checksums.
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Examples:
  cargo xtask gen-tables --dry-run              the plan, nothing else
  cargo xtask gen-tables                        what the three solvers use by default
  cargo xtask gen-tables --set paper            what `repro-paper` reads up to --tier standard

Exit code 6 if a table is damaged or of another version.")]
pub struct GenTablesArgs {
    /// Which tables
    #[arg(long, value_enum, default_value = "default")]
    set: Set,
    /// Only show the plan
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    common: CommonArgs,
}

/// Which tables.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
enum Set {
    /// Those that the solvers use by default
    Default,
    /// Those that `repro-paper` reads up to the standard tier, too
    Paper,
    /// Those of the full tier and of the quarter-turn metric, too
    All,
}

/// One line of the plan.
struct Planned {
    table: ProgramTable,
    purpose: String,
}

/// Runs the task.
///
/// # Errors
/// What ends it.
pub fn run(args: &GenTablesArgs) -> Result<Exit, Failure> {
    let session = Session::build(&args.common)?;
    let store = Store::new(session.tables_dir()?, GENERATOR);
    let fixtures = fixture::all().map_err(Failure::error)?;
    let planned = plan(args.set, &crate::jobs(&fixtures));
    show(&planned, &store, &session)?;
    if args.dry_run {
        return Ok(Exit::Done);
    }
    let mut worst = Exit::Done;
    for Planned { table, .. } in &planned {
        let exit = if store.contains(&table.recipe.name()) {
            tables::verify(table.program, &store, &[table.recipe.name()], &session)?
        } else {
            build(table, &store, &session)?
        };
        worst = worst.worst(exit);
    }
    Ok(worst)
}

fn plan(set: Set, jobs: &[Job]) -> Vec<Planned> {
    let mut planned: Vec<Planned> = Vec::new();
    let mut add = |table: ProgramTable, purpose: String| match planned.iter_mut().find(|p| p.table == table) {
        Some(there) if there.purpose.contains(&purpose) => {}
        Some(there) => there.purpose += &format!(", {purpose}"),
        None => planned.push(Planned { table, purpose }),
    };
    for (table, purpose) in defaults() {
        add(table, purpose.to_owned());
    }
    let wanted = |job: &&Job| match set {
        Set::Default => false,
        Set::Paper => job.tier <= Tier::Standard,
        Set::All => true,
    };
    for job in jobs.iter().filter(wanted) {
        for table in &job.tables {
            add(table.clone(), format!("repro-paper --paper {}", job.paper));
        }
    }
    if set == Set::All {
        for metric in [Metric::Htm, Metric::Qtm] {
            for id in cube::heuristics::family::planned_tables(metric) {
                let purpose = format!("cube-opt --metric {}", metric.name());
                if let cube::tables::Pattern::Square(flips) = id.pattern {
                    let pattern = cube::tables::Pattern::SquareFloor(flips);
                    add(ProgramTable::cube(cube::tables::TableId { pattern, metric }), purpose.clone());
                }
                add(ProgramTable::cube(id), purpose);
            }
        }
    }
    planned
}

/// What a first solve with each program would build.
fn defaults() -> Vec<(ProgramTable, &'static str)> {
    let first = cube::HeuristicSpec::defaults().next().expect("a default").tables(Metric::Htm);
    let mut tables: Vec<(ProgramTable, &str)> =
        first.into_iter().map(|id| (ProgramTable::cube(id), "cube-opt solve")).collect();
    for (rows, cols) in [(3, 3), (4, 4), (5, 5)] {
        let puzzle = Puzzle::blank_first(Board::new(rows, cols).expect("a board"));
        if let Pruning::Learned(depth) = Pruning::default_for(puzzle.board()) {
            tables.push((
                ProgramTable::tiles(LearnedAutomaton { board: puzzle.board(), depth }),
                "tile24 solve",
            ));
        }
        let plan = HeuristicSpec::default_for(&puzzle).plan(&puzzle).ok().flatten().unwrap_or_default();
        tables
            .extend(plan.patterns.into_iter().map(|pattern| (ProgramTable::tiles(pattern), "tile24 solve")));
    }
    let database = hanoi4::verify::default_database(20).map(DatabaseId::middle);
    tables.extend(database.map(|id| (ProgramTable::hanoi(id), "hanoi4 verify --discs 20")));
    tables
}

/// A line of the plan as JSON.
#[derive(Serialize)]
struct Line {
    name: String,
    holds: String,
    purpose: String,
    bytes: u64,
    build_seconds: f64,
    there: bool,
    fits: bool,
}

fn show(planned: &[Planned], store: &Store, session: &Session) -> Result<(), Failure> {
    let mut output = session.output();
    let (mut bytes, mut seconds) = (0, 0.0);
    for Planned { table, purpose } in planned {
        let line = Line {
            name: table.recipe.name(),
            holds: table.recipe.description(),
            purpose: purpose.clone(),
            bytes: table.recipe.bytes(),
            build_seconds: table.recipe.build_seconds(session.run().threads()),
            there: store.contains(&table.recipe.name()),
            fits: table.recipe.peak_bytes() <= session.run().memory(),
        };
        if !line.there && line.fits {
            bytes += line.bytes;
            seconds += line.build_seconds;
        }
        output.record(&line, text)?;
    }
    session.remark(&format!(
        "in {}: to be built {} in about {}",
        store.dir().display(),
        format_bytes(bytes),
        format_duration(Duration::from_secs_f64(seconds.round()))
    ));
    Ok(())
}

fn text(line: &Line) -> Vec<String> {
    let time = || format_duration(Duration::from_secs_f64(line.build_seconds.max(1.0).round()));
    let state = match (line.there, line.fits) {
        (true, _) => "there".to_owned(),
        (false, true) => format!("to be built, about {}", time()),
        (false, false) => "larger than the memory allowed: left out".to_owned(),
    };
    vec![
        format!("{:<34} {:>10}  {state}", line.name, format_bytes(line.bytes)),
        format!("    {}; for {}", line.holds, line.purpose),
    ]
}

fn build(table: &ProgramTable, store: &Store, session: &Session) -> Result<Exit, Failure> {
    let name = table.recipe.name();
    if table.recipe.peak_bytes() > session.run().memory() {
        session.remark(&format!("{name} is left out: it takes {}", format_bytes(table.recipe.peak_bytes())));
        return Ok(Exit::Done);
    }
    let begun = Instant::now();
    let progress = Named::new(&name, session.bars());
    let run = session.run().with_progress(&progress);
    let table = store.get(&*table.recipe, &run).map_err(|error| tables::failure(table.program, &error))?;
    let (time, checksum) = (format_duration(begun.elapsed()), table.used().checksum);
    session.output().line(&format!("{name:<34} built in {time}, checksum {checksum}"))?;
    Ok(Exit::Done)
}
