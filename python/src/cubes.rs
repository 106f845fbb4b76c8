//! Cubes. A row is 20 bytes: the corners as `cubie + 16 twist`, then the edges as `cubie + 16 flip`.

use crate::arrays;
use crate::batch::{Batch, Records};
use crate::failure::{exception, of_table, read_all, usage};
use crate::settings::{Limits, Settings};
use crate::supervise::supervise_whole;
use cube::fmc;
use cube::notation::scramble::Move;
use cube::notation::{self, Format, Orientation, Position, facelets, reid, scramble};
use cube::perft::Perft;
use cube::random::random_cube;
use cube::strategy::SolverError;
use cube::{Ask, Cube, HeuristicSpec, Metric, Solver, SolverSetup, Turn};
use puzzle_cli::Failure;
use pyo3::prelude::*;
use pyo3::types::PyByteArray;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use referee::cube as judge;
use search_core::{Run, Solution};
use std::path::PathBuf;

/// The bytes of a cube.
const CUBIES: usize = 20;

fn cube_of(row: &[u8]) -> Result<Cube, Vec<String>> {
    let (corners, edges) = row.split_at(8);
    let corners = corners.try_into().expect("8 corners");
    let edges = edges.try_into().expect("12 edges");
    Cube::from_cubies(corners, edges).map_err(|illegal| vec![illegal.to_string()])
}

fn cubes_of(bytes: &[u8]) -> PyResult<Vec<Cube>> {
    read_all(bytes.chunks_exact(CUBIES), "cube", cube_of).map_err(|failure| exception(&failure))
}

/// Appends a cube's row.
pub fn write(cube: Cube, bytes: &mut Vec<u8>) {
    bytes.extend_from_slice(cube.corners());
    bytes.extend_from_slice(cube.edges());
}

/// The text, and the cube that it describes; else everything that is wrong with it.
pub fn position(text: String) -> Result<(String, Position), Vec<String>> {
    match notation::parse(&text, None) {
        Ok(position) => Ok((text, position)),
        Err(fault) => Err(fault.defects.iter().map(ToString::to_string).collect()),
    }
}

/// The failure of a solver.
pub fn of_solver(error: SolverError) -> Failure {
    match error {
        SolverError::Table(error) => of_table(&error),
        error => Failure::usage(error),
    }
}

/// The metric of this name.
pub fn metric(name: &str) -> PyResult<Metric> {
    let found = Metric::FACES.into_iter().find(|metric| metric.name() == name);
    found.ok_or_else(|| usage(format_args!("metric must be htm or qtm, not {name:?}")))
}

/// Replays a solution as it will be returned, by the referee.
pub fn checked(position: &Position, moves: &[Move], metric: Metric) -> Result<Solution, Failure> {
    let length = fmc::length(metric, &fmc::turns_of(moves));
    let moves = scramble::format_moves(moves.iter().copied());
    let verdict = || {
        let held = judge::parse_moves(&position.orientation.to_string())?;
        let start = judge::Cube::parse(&facelets::format(&position.cube))?.after_all(&held);
        let goal = judge::Cube::solved().after_all(&held);
        let metric = match metric {
            Metric::Htm | Metric::Stm => judge::Metric::HalfTurn,
            Metric::Qtm => judge::Metric::QuarterTurn,
        };
        judge::check(&start, &goal, &moves, metric, u64::from(length))
    };
    verdict().map_err(|refusal| Failure::error(format_args!("the referee rejects `{moves}`: {refusal}")))?;
    Ok(Solution { length, moves })
}

/// An optimal solver of cubes: a heuristic with its tables.
#[pyclass(frozen)]
pub struct CubeSolver {
    pub settings: Settings,
    pub solver: Solver,
}

#[pymethods]
impl CubeSolver {
    #[new]
    #[pyo3(signature = (heuristic, metric_name, memory, threads, tables, progress))]
    fn new(
        py: Python<'_>,
        heuristic: Option<&str>,
        metric_name: &str,
        memory: Option<&str>,
        threads: Option<usize>,
        tables: Option<PathBuf>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<CubeSolver> {
        let settings = Settings::new(threads, memory, tables)?;
        let metric = metric(metric_name)?;
        let spec = heuristic.map(|name| name.parse::<HeuristicSpec>().map_err(usage)).transpose()?;
        let setup = SolverSetup::new().metric(metric).heuristic(spec);
        let solver =
            supervise_whole(py, &settings.run, progress, |run| setup.load(settings.store.clone(), run))?;
        let solver = solver.map_err(|error| exception(&of_solver(error)))?;
        Ok(CubeSolver { settings, solver })
    }

    /// The name of the heuristic, or of those that the next search may use.
    fn heuristic(&self) -> String {
        self.solver.planned().heuristic
    }

    /// The tables' names and checksums.
    fn tables(&self) -> Vec<(String, String)> {
        self.solver.planned().tables.into_iter().map(|used| (used.name, used.checksum)).collect()
    }

    fn threads(&self) -> usize {
        self.settings.run.threads()
    }

    fn solve(
        &self,
        py: Python<'_>,
        instances: Vec<String>,
        max_depth: Option<u32>,
        time_limit: Option<f64>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Records> {
        let positions = read_all(instances, "cube", position).map_err(|failure| exception(&failure))?;
        let metric = self.solver.metric();
        let limits = Limits::new(time_limit)?;
        let used = self.solver.planned();
        let batch = Batch {
            settings: &self.settings,
            // The time is that of the search, without the loading of tables.
            limits: Limits::default(),
            metric: metric.name(),
            heuristic: used.heuristic,
            tables: &used.tables,
        };
        batch.answer(py, &positions, progress, |position, run: &Run<'_>| {
            let ask = Ask::new(position.cube).held(position.orientation);
            let ask = ask.max_bound(max_depth).time_limit(limits.time());
            let answer = self.solver.solve(&ask, run).map_err(of_solver)?;
            let used = answer.used.clone();
            let report = answer.into_report().try_map(|moves| checked(position, &moves, metric))?;
            Ok((report, used))
        })
    }

    /// The heuristic's value of each row.
    fn values(&self, py: Python<'_>, cubes: &[u8]) -> PyResult<Py<PyByteArray>> {
        arrays::values(py, &self.settings, cubes.len() / CUBIES, |range, values| {
            for row in range {
                let cube = cube_of(&cubes[row * CUBIES..][..CUBIES]);
                let cube = cube.map_err(|faults| {
                    let named = faults.into_iter().map(|fault| format!("number {row}: {fault}"));
                    exception(&Failure::malformed("not a cube").with_faults(named))
                })?;
                let value = self.solver.value(&cube, &self.settings.run);
                values.push(value.map_err(|error| exception(&of_solver(error)))?);
            }
            Ok(())
        })
    }
}

/// Uniformly random cubes, those of `cube-opt scramble` with the same seed.
#[pyfunction]
pub fn cube_random(py: Python<'_>, count: usize, seed: u64) -> Py<PyByteArray> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    arrays::rows(py, 0..count, |_, bytes| write(random_cube(&mut rng), bytes))
}

/// The children of each row, by the metric's turns in order.
#[pyfunction]
pub fn cube_expand(
    py: Python<'_>,
    cubes: &[u8],
    metric_name: &str,
) -> PyResult<(Py<PyByteArray>, Vec<String>)> {
    let turns = metric(metric_name)?.turns();
    let children = arrays::rows(py, cubes_of(cubes)?, |cube, bytes| {
        for &turn in turns {
            write(cube.apply(turn), bytes);
        }
    });
    Ok((children, turns.iter().map(Turn::to_string).collect()))
}

/// Each row after some moves.
#[pyfunction]
pub fn cube_apply(py: Python<'_>, cubes: &[u8], moves: &str) -> PyResult<Py<PyByteArray>> {
    let defects = |fault: notation::Fault| Failure::malformed("not moves").with_faults(&fault.defects);
    let moves = scramble::parse(moves).map_err(|fault| exception(&defects(fault)))?;
    if moves.orientation != Orientation::HOME {
        return Err(usage("the moves turn the whole cube, which rows of cubies do not show"));
    }
    let done = moves.cube();
    Ok(arrays::rows(py, cubes_of(cubes)?, |cube, bytes| write(cube.compose(&done), bytes)))
}

/// The number of cubes at each distance up to `depth`.
#[pyfunction]
pub fn cube_counts(
    py: Python<'_>,
    depth: usize,
    metric_name: &str,
    memory: Option<&str>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Vec<u64>> {
    let (metric, settings) = (metric(metric_name)?, Settings::new(None, memory, None)?);
    let room = settings.run.memory() / 2;
    let needed = Perft::bytes_needed(metric, depth);
    if needed > u128::from(settings.run.memory()) {
        let message = format!("{depth} moves need about {needed} bytes of memory");
        return Err(exception(&Failure::usage(message).with_remedy("give a greater memory, or fewer moves")));
    }
    let counts = supervise_whole(py, &settings.run, progress, |run| {
        let mut perft = Perft::new(metric);
        let mut counts = vec![1];
        for at in 1..=depth {
            counts.push(if at == depth { perft.count_next(room, run)? } else { perft.advance(room, run)? });
        }
        Ok::<_, search_core::Cancelled>(counts)
    })?;
    counts.map_err(|cancelled| exception(&Failure::interrupted(cancelled)))
}

/// Cubes written in any notation, as rows.
#[pyfunction]
pub fn cube_parse(py: Python<'_>, texts: Vec<String>) -> PyResult<Py<PyByteArray>> {
    let positions = read_all(texts, "cube", position).map_err(|failure| exception(&failure))?;
    Ok(arrays::rows(py, positions, |(_, position), bytes| write(position.cube, bytes)))
}

/// Rows as texts: `facelets` or `reid`.
#[pyfunction]
pub fn cube_text(cubes: &[u8], format: &str) -> PyResult<Vec<String>> {
    let write = match Format::ALL.into_iter().find(|known| known.name() == format) {
        Some(Format::Facelets) => facelets::format,
        Some(Format::Reid) => reid::format,
        _ => return Err(usage(format_args!("format must be facelets or reid, not {format:?}"))),
    };
    Ok(cubes_of(cubes)?.iter().map(write).collect())
}

/// Rows of 54 facelets, each the number of a face in the order U R F D L B, as texts.
#[pyfunction]
pub fn facelet_texts(rows: &[u8]) -> PyResult<Vec<String>> {
    let letter = |symbol: &u8| "URFDLB".chars().nth(usize::from(*symbol));
    let text = |row: &[u8]| {
        let text = row.iter().map(letter).collect::<Option<String>>();
        text.ok_or_else(|| vec!["a facelet is not the number of a face, 0 to 5".to_owned()])
    };
    read_all(rows.chunks_exact(54), "cube", text).map_err(|failure| exception(&failure))
}
