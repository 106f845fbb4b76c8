//! Cubes. A row is 20 bytes: the corners as `cubie + 16 twist`, then the edges as `cubie + 16 flip`.

use crate::arrays;
use crate::batch::{self, Records};
use crate::failure::{exception, of_table, read_all, usage};
use crate::settings::{self, Settings};
use crate::supervise::supervise_whole;
use chacha20::ChaCha8Rng;
use chacha20::rand_core::SeedableRng;
use cube::fmc;
use cube::mask::{Faces, GoalOptions, Goals, Named, PieceOptions, Pieces};
use cube::moves::MoveSet;
use cube::notation::scramble::Move;
use cube::notation::{self, Format, Orientation, Position, facelets, reid, scramble};
use cube::perft::Perft;
use cube::random::random_cube;
use cube::strategy::SolverError;
use cube::{Ask, Cube, HeuristicSpec, Mask, Metric, Solver, SolverSetup, Turn};
use puzzle_cli::Failure;
use pyo3::prelude::*;
use pyo3::types::PyByteArray;
use referee::Refusal;
use referee::cube as judge;
use search_core::ida::Wanted;
use search_core::{Run, Solution};
use std::collections::HashMap;
use std::path::PathBuf;
use std::str::FromStr;

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
    // As on the command line, nothing is the solved cube.
    let read = if text.is_empty() { "solved" } else { &text };
    match notation::parse(read, None) {
        Ok(position) => Ok((text, position)),
        Err(fault) => Err(fault.defects.iter().map(ToString::to_string).collect()),
    }
}

/// The failure of a solver.
pub fn of_solver(error: SolverError) -> Failure {
    match error {
        SolverError::Table(error) => of_table(&error),
        error @ SolverError::NotSolved(_) => Failure::malformed(error),
        error => Failure::usage(error),
    }
}

/// The metric of this name.
pub fn metric(name: &str) -> PyResult<Metric> {
    let found = Metric::FACES.into_iter().find(|metric| metric.name() == name);
    found.ok_or_else(|| usage(format_args!("metric must be htm or qtm, not {name:?}")))
}

/// The metric of the referee in which a solution is counted.
pub fn counted(metric: Metric) -> judge::Metric {
    match metric {
        Metric::Htm | Metric::Stm | Metric::Axial => judge::Metric::HalfTurn,
        Metric::Qtm => judge::Metric::QuarterTurn,
    }
}

/// Replays a solution of face turns as it will be returned, by the referee.
pub fn checked(position: &Position, moves: &[Move], metric: Metric) -> Result<Solution, Failure> {
    let length = fmc::length(metric, &fmc::turns_of(moves));
    let moves = scramble::format_moves(moves.iter().copied());
    let verdict = || {
        let held = judge::parse_moves(&position.orientation.to_string())?;
        let (start, goal) = (seen(&position.cube, &held)?, judge::Cube::solved().after_all(&held));
        judge::check(&start, &goal, &moves, counted(metric), u64::from(length))
    };
    verdict().map_err(|refusal| Failure::error(format_args!("the referee rejects `{moves}`: {refusal}")))?;
    Ok(Solution { length, moves })
}

/// A cube's facelets as the referee sees them, held as `held` turns it.
pub fn seen(cube: &Cube, held: &[judge::Move]) -> Result<judge::Cube, Refusal> {
    Ok(judge::Cube::parse(&facelets::format(cube))?.after_all(held))
}

/// The arguments of a solver, by their names in the Python class.
struct Options(HashMap<String, String>);

impl Options {
    fn get<T>(&self, name: &str, read: impl FnOnce(&str) -> Result<T, String>) -> PyResult<Option<T>> {
        let given = self.0.get(name).map(|text| read(text)).transpose();
        given.map_err(|fault| usage(format_args!("{name}: {fault}")))
    }

    fn metric(&self) -> PyResult<Option<Metric>> {
        self.get("metric", |name| {
            let found = Metric::ALL.into_iter().find(|metric| metric.name() == name);
            found.ok_or_else(|| format!("expected htm, qtm, stm or axial, not {name:?}"))
        })
    }

    /// The moves that replace all face turns.
    fn moves(&self) -> PyResult<Option<MoveSet>> {
        let metric = self.metric()?;
        let set =
            self.get("moves", |text| MoveSet::parse(text, metric).map_err(|error| error.to_string()))?;
        Ok(set.or_else(|| metric.filter(|metric| !metric.is_of_faces()).map(MoveSet::all)))
    }

    /// The target, which is the solved cube unless another is given.
    fn goal(&self) -> PyResult<Cube> {
        let read = |text: &str| notation::parse(text, None).map_err(|fault| fault.to_string());
        Ok(self.get("goal", read)?.map_or(Cube::SOLVED, |position| position.cube))
    }

    /// The goals, of cubes renamed so that `goal` is the solved one.
    fn goals(&self, goal: &Cube) -> PyResult<Goals> {
        let pieces = |name| self.get(name, |text| Pieces::parse(text).map_err(|error| error.to_string()));
        let faces = |name| self.get(name, |text| Faces::from_str(text).map_err(|error| error.to_string()));
        let names = |text: &str| Named::list(text).map_err(|error| error.to_string());
        let options = GoalOptions {
            named: self.get("goal_set", names)?.unwrap_or_default(),
            bottom: faces("bottom")?,
            front: faces("front")?,
            auf: self.0.contains_key("auf"),
            pieces: PieceOptions {
                only: pieces("only")?,
                only_position: pieces("only_position")?,
                only_orientation: pieces("only_orientation")?,
                ignore: pieces("ignore")?,
                ..PieceOptions::default()
            },
        };
        if !options.named.is_empty() && self.0.contains_key("goal") {
            return Err(usage("goal_set says what to solve: leave out goal"));
        }
        options.goals(goal).map_err(usage)
    }
}

/// An optimal solver of cubes: a heuristic with its tables, the moves and the goal.
#[pyclass(frozen)]
pub struct CubeSolver {
    pub settings: Settings,
    pub solver: Solver,
    goal: Cube,
    /// The names of the moves, where they replace all face turns.
    allowed: Option<Vec<String>>,
}

impl CubeSolver {
    /// Refuses moves and goals of one's own, for `work` that does not serve them.
    ///
    /// # Errors
    /// `InvalidArgument`.
    pub fn refuse_other_goals(&self, work: &str) -> PyResult<()> {
        let is_whole = self.solver.goals().only().is_some_and(Mask::is_none) && self.goal.is_solved();
        match is_whole && self.allowed.is_none() {
            true => Ok(()),
            false => Err(usage(format_args!("{work}: only for the solved cube with all turns of faces"))),
        }
    }

    /// Replays a solution as it will be returned, by the referee.
    fn checked(&self, position: &Position, moves: &[Move]) -> Result<Solution, Failure> {
        let metric = self.solver.metric();
        let turns: Option<Vec<Turn>> = moves.iter().map(|name| name.turn()).collect();
        let own = turns.iter().flatten().map(|&turn| position.orientation.from_held(turn));
        let reached = position.cube.apply_all(own);
        let is_goal = self.solver.goals().accepts(&self.goal.inverse().compose(&reached));
        let goal = if is_goal { reached } else { self.goal };
        let turns = turns.filter(|_| self.allowed.is_none());
        let of_set = self.solver.moves().length(moves);
        let length = turns.as_ref().map_or(of_set as u32, |turns| fmc::length(metric, turns));
        let text = scramble::format_moves(moves.iter().copied());
        let verdict = || {
            let held = judge::parse_moves(&position.orientation.to_string())?;
            let start = seen(&position.cube, &held)?;
            let goal = seen(&goal, &held)?;
            if let Some(allowed) = &self.allowed {
                judge::check_moves(&start, &goal, &text, allowed, moves.len())?;
                return if metric == Metric::Axial { judge::check_axial(&text, of_set) } else { Ok(()) };
            }
            judge::check(&start, &goal, &text, counted(metric), u64::from(length))
        };
        verdict()
            .map_err(|refusal| Failure::error(format_args!("the referee rejects `{text}`: {refusal}")))?;
        Ok(Solution { length, moves: text })
    }
}

#[pymethods]
impl CubeSolver {
    #[new]
    #[pyo3(signature = (heuristic, options, memory, threads, tables, progress))]
    fn new(
        py: Python<'_>,
        heuristic: Option<&str>,
        options: HashMap<String, String>,
        memory: Option<&str>,
        threads: Option<usize>,
        tables: Option<PathBuf>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<CubeSolver> {
        let settings = Settings::new(threads, memory, tables)?;
        let options = Options(options);
        let spec = heuristic.map(|name| name.parse::<HeuristicSpec>().map_err(usage)).transpose()?;
        let (goal, moves) = (options.goal()?, options.moves()?);
        let allowed = moves.as_ref().map(|set| set.names().iter().map(Move::to_string).collect());
        let setup = SolverSetup::new().metric(options.metric()?.unwrap_or_default());
        let setup = setup.heuristic(spec).goals(options.goals(&goal)?);
        let setup = moves.into_iter().fold(setup, SolverSetup::moves);
        let solver =
            supervise_whole(py, &settings.run, progress, |run| setup.load(settings.store.clone(), run))?;
        let solver = solver.map_err(|error| exception(&of_solver(error)))?;
        Ok(CubeSolver { settings, solver, goal, allowed })
    }

    /// The name of the heuristic, or of those that the next search may use.
    fn heuristic(&self) -> String {
        self.solver.planned().heuristic
    }

    /// The tables' names and checksums.
    fn tables(&self) -> Vec<(String, String)> {
        self.solver.planned().tables.into_iter().map(|used| (used.name, used.checksum)).collect()
    }

    /// The metric.
    fn metric(&self) -> &'static str {
        self.solver.metric().name()
    }

    fn threads(&self) -> usize {
        self.settings.run.threads()
    }

    /// `extra` is that of all solutions that are at most so much longer than a shortest one, or `None` for one solution.
    #[pyo3(signature = (instances, max_depth, time_limit, progress, extra = None, within = 0, deterministic = None, is_up_to_symmetry = false, order = None, random = None))]
    #[expect(clippy::too_many_arguments, reason = "the arguments of the Python method")]
    fn solve(
        &self,
        py: Python<'_>,
        instances: Vec<String>,
        max_depth: Option<u32>,
        time_limit: Option<f64>,
        progress: Option<Py<PyAny>>,
        extra: Option<u32>,
        within: u32,
        deterministic: Option<bool>,
        is_up_to_symmetry: bool,
        order: Option<&str>,
        random: Option<u64>,
    ) -> PyResult<Records> {
        let positions = read_all(instances, "cube", position).map_err(|failure| exception(&failure))?;
        let (limits, order) = (settings::limits(max_depth, time_limit)?, settings::order(order)?);
        let wanted = extra.map_or(Wanted::First, |extra| Wanted::All { extra });
        batch::answer(
            py,
            &self.settings,
            self.metric(),
            &positions,
            progress,
            random,
            |position, seed, run: &Run<'_>| {
                let ask = Ask::new(self.goal.inverse().compose(&position.cube)).held(position.orientation);
                let ask =
                    ask.max_bound(limits.max_depth).time_limit(limits.time_limit).wanted(wanted).order(order);
                let upper_bounds = settings::upper_bounds(within, deterministic);
                let ask = ask.up_to_symmetry(is_up_to_symmetry).upper_bounds(upper_bounds).random(seed);
                let answer = self.solver.solve(&ask, run).map_err(of_solver)?;
                answer.try_map(|moves| self.checked(position, &moves))
            },
        )
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

/// Applies moves to the cube of each row.
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
