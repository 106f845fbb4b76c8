//! `tile24 tables plan`: the costs and benefits of catalogues of pattern databases, and forecasts for single boards.

use std::time::Duration;

use clap::Args;
use puzzle_cli::format::{format_bytes, format_count, format_duration, format_per_second};
use puzzle_cli::tables::{self, Planned, Select};
use puzzle_cli::{Exit, Failure, Instance, Output, Session};
use search_core::table::{Recipe, Store};
use serde::Serialize;

use super::Args as Program;
use super::tables::TablesArgs;
use crate::metric::Metric;
use crate::pdb::Pattern;
use crate::puzzle::Puzzle;
use crate::solver::{Catalogue, Expected, Probe, Solver, Speed};
use crate::strategy::default_heuristic;

/// The approximate number of nodes of the greatest bound in a calibration for one board.
const NODES: u64 = 30_000_000;
/// The greatest number of bounds that are estimated, and the greatest number of seconds.
const BOUNDS: usize = 10;
const LONGEST: f64 = 1e11;

/// The catalogues that fit the memory, with the time that half of random boards take; or one board's bounds.
#[derive(Args, Clone, Debug)]
pub(super) struct PlanArgs {
    /// Skip the calibration, which takes some seconds: gives no solving times, and cautious build times
    #[arg(long)]
    quick: bool,
    /// Show each table of --heuristic instead of catalogues
    #[arg(long)]
    each: bool,
    /// Estimate the time of the bounds of this board instead, by searching the first ones with --heuristic for some
    /// seconds; may be repeated; - reads boards from standard input
    #[arg(long = "for", value_name = "TILES", conflicts_with_all = ["quick", "each"])]
    boards: Vec<String>,
    #[command(flatten)]
    tables: TablesArgs,
}

impl Select for PlanArgs {
    fn select(&self, store: &Store, session: &Session) -> Result<Vec<Planned>, Failure> {
        self.tables.select(store, session)
    }

    fn plan(&self, store: &Store, session: &Session) -> Result<Exit, Failure> {
        let is_multi = self.tables.puzzle.metric == Some(Metric::Multi);
        if self.each || is_multi && self.boards.is_empty() {
            return tables::plan(&self.select(store, session)?, store, session);
        }
        if self.boards.is_empty() {
            return self.compare(store, session);
        }
        let mut solver = None;
        session.batch::<Program>(&self.boards, |instance, output| {
            self.forecast(&mut solver, instance, output, store, session)
        })
    }
}

/// The record of a catalogue, as `--json` prints it.
#[derive(Serialize)]
struct CatalogueRecord {
    heuristic: String,
    memory: u64,
    tables: usize,
    partitions: usize,
    bytes: u64,
    peak_bytes: u64,
    there: usize,
    build_seconds: f64,
    measured: bool,
    median_nodes: Option<f64>,
    median_seconds: Option<f64>,
}

impl CatalogueRecord {
    fn of(
        catalogue: &Catalogue,
        puzzle: &Puzzle,
        speed: Option<Speed>,
        store: &Store,
        session: &Session,
    ) -> CatalogueRecord {
        let Catalogue { heuristic, memory, plan } = catalogue;
        let missing: Vec<&Pattern> =
            plan.patterns.iter().filter(|pattern| !store.contains(&pattern.name())).collect();
        let threads = session.run().threads();
        let cautious = || missing.iter().map(|pattern| pattern.build_seconds(threads)).sum();
        let bytes = missing.iter().map(|pattern| pattern.bytes()).sum();
        CatalogueRecord {
            heuristic: heuristic.to_string(),
            memory: *memory,
            tables: plan.patterns.len(),
            partitions: plan.partitions.len(),
            bytes: catalogue.bytes(),
            peak_bytes: catalogue.peak_bytes(),
            there: plan.patterns.len() - missing.len(),
            build_seconds: speed.map_or_else(cautious, |speed| speed.build_seconds(bytes)),
            measured: speed.is_some(),
            median_nodes: catalogue.median_nodes(puzzle),
            median_seconds: speed.and_then(|speed| speed.median_seconds(catalogue, puzzle)),
        }
    }

    /// The arguments with which a search uses the catalogue.
    fn arguments(&self) -> String {
        let (gibibytes, mebibytes) = (self.memory >> 30, self.memory >> 20);
        match self.memory {
            whole if whole == gibibytes << 30 => format!("{} --memory {gibibytes}GiB", self.heuristic),
            _ => format!("{} --memory {mebibytes}MiB", self.heuristic),
        }
    }

    fn line(&self) -> String {
        let about = if self.measured { "about" } else { "at most" };
        let build = time(self.build_seconds);
        let state = match self.tables - self.there {
            0 => "exists".to_owned(),
            all if all == self.tables => format!("{about} {build} to build"),
            missing => format!("{about} {build} to build {missing} of them"),
        };
        let half = self.median_seconds.map(|seconds| {
            // Shorter times would be displayed as zero.
            format!("; half of random boards take less than {}", time(seconds.max(0.01)))
        });
        let name = self.arguments();
        let partitions = if self.partitions == 1 { "partition" } else { "partitions" };
        format!(
            "{name:<24} {:>10}  {} tables, {} {partitions}, peak {}, {state}{}",
            format_bytes(self.bytes),
            self.tables,
            self.partitions,
            format_bytes(self.peak_bytes),
            half.unwrap_or_default()
        )
    }
}

/// The record of a forecast: a board's first bounds and the estimates of further ones, as `--json` prints it.
#[derive(Serialize)]
struct ForecastRecord {
    instance: String,
    heuristic: String,
    tables: usize,
    first_bound: u32,
    searched: Vec<Bound>,
    /// The bound for which the calibration found a solution.
    solved: Option<u32>,
    nodes_per_second: Option<f64>,
    growth: Option<f64>,
    expected: Vec<Bound>,
}

/// A bound that was searched, or an estimate of one.
#[derive(Serialize)]
struct Bound {
    bound: u32,
    nodes: f64,
    seconds: f64,
    /// The seconds of this bound and all before it.
    total_seconds: f64,
    /// The share of boards not yet solved that are solved by this bound.
    #[serde(skip_serializing_if = "Option::is_none")]
    share_solved: Option<f64>,
}

/// Bounds with running totals of their seconds.
fn bounds(all: impl Iterator<Item = Expected>, mut total_seconds: f64) -> Vec<Bound> {
    let bound = |Expected { bound, nodes, seconds }| {
        total_seconds += seconds;
        Bound { bound, nodes, seconds, total_seconds, share_solved: None }
    };
    all.map(bound).collect()
}

impl ForecastRecord {
    fn of(instance: &str, solver: &Solver, probe: &Probe) -> ForecastRecord {
        let searched = probe.searched.iter().map(|iteration| Expected {
            bound: iteration.bound,
            nodes: iteration.expanded as f64,
            seconds: iteration.seconds,
        });
        let searched = bounds(searched, 0.0);
        let (first_bound, spent) = (
            searched.first().map_or(0, |first| first.bound),
            searched.last().map_or(0.0, |last| last.total_seconds),
        );
        let further = probe.bounds().take(BOUNDS).take_while(|next| next.seconds < LONGEST);
        let mut expected = bounds(further, spent);
        for bound in &mut expected {
            bound.share_solved = solver.share_solved(probe, bound.bound);
        }
        // Beyond the bound that solves all known boards there is no estimate.
        let end = expected.iter().position(|bound| bound.share_solved == Some(1.0));
        expected.truncate(end.map_or(BOUNDS, |end| end + 1));
        let unsolved = probe.length.is_none();
        ForecastRecord {
            instance: instance.to_owned(),
            heuristic: solver.heuristic().to_string(),
            tables: solver.tables().len(),
            first_bound,
            searched,
            solved: probe.length,
            nodes_per_second: unsolved.then(|| probe.nodes_per_second()),
            growth: unsolved.then(|| probe.growth()),
            expected,
        }
    }

    fn lines(&self) -> Vec<String> {
        let nodes = self.searched.iter().map(|bound| bound.nodes).sum::<f64>() as u64;
        let (last, seconds) = self.searched.last().map_or((0, 0.0), |last| (last.bound, last.total_seconds));
        let mut lines = vec![format!(
            "at least {} moves by {}; bounds to {last} expand {} nodes in {}",
            self.first_bound,
            self.heuristic,
            format_count(nodes),
            time(seconds)
        )];
        if let Some(bound) = self.solved {
            lines.push(format!("the calibration found a solution with bound {bound}"));
        }
        if let (Some(rate), Some(growth)) = (self.nodes_per_second, self.growth) {
            lines[0] +=
                &format!(", then {}; the next bound {growth:.1} times as many", format_per_second(rate));
        }
        for Bound { bound, nodes, seconds, total_seconds, share_solved } in &self.expected {
            let share = share_solved.map_or(String::new(), |share| {
                format!("; {:.0}% of boards like this one are solved by then", 100.0 * share)
            });
            lines.push(format!(
                "bound {bound}: about {}, {nodes:.1e} nodes; {} for all bounds up to it{share}",
                time(*seconds),
                time(*total_seconds)
            ));
        }
        lines
    }
}

impl PlanArgs {
    /// Compares the catalogues of a puzzle.
    fn compare(&self, store: &Store, session: &Session) -> Result<Exit, Failure> {
        let (puzzle, run) = (self.tables.puzzle()?, session.run());
        let catalogues = Catalogue::all(&puzzle, run.memory());
        let bars = session.bars().named("calibration");
        let speed = match self.quick {
            true => None,
            false => {
                Speed::measure(&puzzle, &catalogues, store, &run.with_progress(&bars)).map_err(|error| {
                    let remedy = "skip the calibration with --quick";
                    match session.is_interrupted() {
                        true => {
                            Failure::interrupted("interrupted during the calibration").with_remedy(remedy)
                        }
                        false => super::solver_failure(&error),
                    }
                })?
            }
        };
        let (best, budget) = (default_heuristic(&puzzle, store, &run), format_bytes(run.memory()));
        session.remark(&format!("with {budget} of memory a search uses the heuristic {best}"));
        let mut output = session.output();
        for catalogue in &catalogues {
            let row = CatalogueRecord::of(catalogue, &puzzle, speed, store, session);
            output.record(&row, |row| vec![row.line()])?;
        }
        Ok(Exit::Done)
    }

    /// Searches the first bounds of a board, and estimates further ones.
    fn forecast(
        &self,
        solver: &mut Option<Solver>,
        instance: &Instance,
        output: &mut Output,
        store: &Store,
        session: &Session,
    ) -> Result<Exit, Failure> {
        let (puzzle, tiles) = self.tables.puzzle.read(&instance.text)?;
        let (run, board) = (session.run(), puzzle.board());
        if solver.as_ref().is_none_or(|solver| solver.puzzle().board() != board) {
            // Dropped first, so that two solvers are never in memory.
            *solver = None;
            let loaded = Solver::load(puzzle, self.tables.heuristic, store, &run);
            *solver = Some(loaded.map_err(|error| super::solver_failure(&error))?);
        }
        let Some(solver) = solver else { unreachable!("loaded above") };
        let probe = solver.probe(&tiles, NODES, &run).map_err(|_| {
            Failure::interrupted("interrupted during the calibration")
                .with_remedy("run the same command again")
        })?;
        output.record(&ForecastRecord::of(&instance.text, solver, &probe), ForecastRecord::lines)?;
        Ok(Exit::Done)
    }
}

fn time(seconds: f64) -> String {
    format_duration(Duration::from_secs_f64(seconds))
}
