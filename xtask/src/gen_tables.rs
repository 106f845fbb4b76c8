//! `cargo xtask gen-tables`: shows a plan of all tables, builds missing ones and verifies the others.

use clap::{Args, ValueEnum};
use cube::Metric;
use hanoi4::tables::DatabaseId;
use puzzle_cli::format::{format_bytes, format_duration};
use puzzle_cli::tables::Planned;
use puzzle_cli::{CommonArgs, Exit, Failure, Session, tables};
use repro::job::Job;
use repro::paper::Tier;
use repro::tables::ProgramTable;
use repro::{GENERATOR, fixture};
use search_core::table::Store;
use slidetile::tables::LearnedAutomaton;
use slidetile::{Board, HeuristicSpec, Pruning, Puzzle, default_pruning};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// Build the tables that the solvers and the reproduction read, and verify existing ones
///
/// Shows a plan first: each table, its purpose, its size and the time to build it. Then builds missing
/// tables, with progress, and compares every byte of existing ones with their checksums.
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Examples:
  cargo xtask gen-tables --dry-run              only show the plan
  cargo xtask gen-tables                        what the three solvers use by default
  cargo xtask gen-tables --set paper            what `repro-paper` reads up to --tier standard

Exit code 6 if a table is damaged or of another version.")]
pub struct GenTablesArgs {
    /// The tables to build
    #[arg(long, value_enum, default_value = "default")]
    set: Set,
    /// Only print the plan
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    common: CommonArgs,
}

/// A set of tables.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
enum Set {
    /// Those that the solvers use by default
    Default,
    /// Also those that `repro-paper` reads up to the standard tier
    Paper,
    /// Also those of the full tier and of the quarter-turn metric
    All,
}

/// A table and its users.
struct Wanted {
    table: ProgramTable,
    purpose: String,
}

/// Runs the task.
///
/// # Errors
/// The failure that ends it.
pub fn run(args: &GenTablesArgs) -> Result<Exit, Failure> {
    let session = Session::build(&args.common)?;
    let store = session.store(GENERATOR);
    let fixtures = fixture::all().map_err(Failure::error)?;
    let wanted = wanted(args.set, &repro::jobs(&fixtures));
    let planned: Vec<Planned> = wanted.iter().map(Wanted::planned).collect();
    tables::plan(&planned, &store, &session)?;
    tell_cost(&planned, &store, &session);
    if args.dry_run {
        return Ok(Exit::Done);
    }
    let mut worst = Exit::Done;
    for (Wanted { table, .. }, planned) in wanted.iter().zip(planned) {
        let name = table.recipe.name();
        let exit = if store.contains(&name) {
            tables::verify(table.program, None, &store, &[name], &session)?
        } else if store.check_memory([&*table.recipe], &session.run()).is_ok() {
            tables::build(table.program, &[planned], &store, &session)?
        } else {
            session.remark(&format!("{name} is skipped: it does not fit in memory"));
            Exit::Done
        };
        worst = worst.max(exit);
    }
    Ok(worst)
}

impl Wanted {
    fn planned(&self) -> Planned {
        let Wanted { table, purpose } = self;
        let (recipe, purpose) = (Arc::clone(&table.recipe), Some(purpose.clone()));
        Planned { recipe, purpose, build_seconds: None, solve_seconds: None }
    }
}

fn wanted(set: Set, jobs: &[Job]) -> Vec<Wanted> {
    let mut wanted: Vec<Wanted> = Vec::new();
    let mut add = |table: ProgramTable, purpose: String| match wanted.iter_mut().find(|w| w.table == table) {
        Some(there) if there.purpose.contains(&purpose) => {}
        Some(there) => there.purpose += &format!(", {purpose}"),
        None => wanted.push(Wanted { table, purpose }),
    };
    for (table, purpose) in defaults() {
        add(table, purpose.to_owned());
    }
    let is_due = |job: &&Job| match set {
        Set::Default => false,
        Set::Paper => job.tier <= Tier::Standard,
        Set::All => true,
    };
    for job in jobs.iter().filter(is_due) {
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
    wanted
}

/// The tables that a first solve with each program builds.
fn defaults() -> Vec<(ProgramTable, &'static str)> {
    let first = cube::HeuristicSpec::defaults().next().expect("a default").tables(Metric::Htm);
    let mut tables: Vec<(ProgramTable, &str)> =
        first.into_iter().map(|id| (ProgramTable::cube(id), "cube-opt solve")).collect();
    for (rows, cols) in [(3, 3), (4, 4), (5, 5)] {
        let puzzle = Puzzle::blank_first(Board::new(rows, cols).expect("a board"));
        if let Pruning::Learned(depth) = default_pruning(puzzle.board()) {
            tables.push((
                ProgramTable::tiles(LearnedAutomaton { board: puzzle.board(), depth }),
                "tile24 solve",
            ));
        }
        let patterns = HeuristicSpec::Patterns.patterns(&puzzle, u64::MAX);
        tables.extend(patterns.into_iter().map(|pattern| (ProgramTable::tiles(pattern), "tile24 solve")));
    }
    let database = hanoi4::verify::default_database(20).map(DatabaseId::middle);
    tables.extend(database.map(|id| (ProgramTable::hanoi(id), "hanoi4 verify --discs 20")));
    tables
}

/// Reports the total cost of building the missing tables.
fn tell_cost(planned: &[Planned], store: &Store, session: &Session) {
    let recipes = planned.iter().map(|planned| &planned.recipe);
    let missing = recipes.filter(|recipe| {
        !store.contains(&recipe.name()) && store.check_memory([&***recipe], &session.run()).is_ok()
    });
    let (mut bytes, mut seconds) = (0, 0.0f64);
    for recipe in missing {
        bytes += recipe.bytes();
        seconds += recipe.build_seconds(session.run().threads());
    }
    session.remark(&format!(
        "in {}: {} to build in about {}",
        store.writes_to().ok().flatten().unwrap_or(Path::new("no directory")).display(),
        format_bytes(bytes),
        format_duration(Duration::from_secs_f64(seconds.round()))
    ));
}
