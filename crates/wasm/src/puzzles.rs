//! Any permutation puzzle: a built-in one or a definition, random states, shortest solutions, counts.

use crate::host::{Found, Host};
use crate::refusal::{Fault, Refusal};
use crate::tables::HostTables;
use crate::work::{Answered, Reporter, Wish, run};
use puzzle::builtin::{self, ENTRIES};
use puzzle::count::{CountAsk, CountError, CountPlan, Counts as Counted};
use puzzle::definition::{Definition, Metric, Selected, Selection, split_names};
use puzzle::formats::{self, kpuzzle};
use puzzle::goal::{InvalidPlaces, Places};
use puzzle::group::Uniform;
use puzzle::positions::Positions;
use puzzle::states::{self, Form};
use puzzle::system::{System, SystemError};
use puzzle::{Ask, Faults, Goal, Open, Pattern, Solver, SolverSetup};
use search_core::{Ending, Op, Run};
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::sync::Arc;

/// The bytes that a count takes if the request does not say otherwise. With 32-bit addresses, a table has fewer than
/// 2^32 entries.
const COUNT_MEMORY: u64 = 1 << 30;
/// The moves of a random state of a puzzle whose group is not known.
const RANDOM_MOVES: usize = 100;

/// A built-in puzzle.
#[derive(Debug, Serialize)]
pub struct Builtin {
    /// Its name; capital letters stand for numbers.
    name: &'static str,
    /// A name with numbers.
    example: &'static str,
    about: &'static str,
}

/// The built-in puzzles.
pub(crate) fn builtins() -> Vec<Builtin> {
    let builtin =
        |entry: &builtin::Entry| Builtin { name: entry.name, example: entry.example, about: entry.about };
    ENTRIES.iter().map(builtin).collect()
}

/// A puzzle as the user gives it, and the choice of its moves. An empty choice is that of the definition.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Source {
    /// The name of a built-in puzzle, without a definition.
    #[serde(default)]
    puzzle: String,
    /// The text of a file that defines a puzzle.
    definition: Option<String>,
    /// The moves that count.
    moves: Option<String>,
    /// Which powers of a move count as one move.
    metric: Option<String>,
    /// The free rotations.
    rotations: Option<String>,
}

/// A fault of each field of the page.
fn of_field(field: &str, faults: &Faults) -> Vec<Fault> {
    faults.0.iter().map(|fault| Fault::new(format_args!("{field}: {fault}"))).collect()
}

fn refused(field: &str) -> impl FnOnce(Faults) -> Refusal {
    move |faults| Refusal::Faults(of_field(field, &faults))
}

impl Source {
    fn open(&self) -> Result<(Definition, Selected), Refusal> {
        let definition = self.definition().map_err(refused("Puzzle"))?;
        let metric = self.metric.as_deref().map_or(Ok(Metric::default()), str::parse);
        let selection = Selection {
            moves: self.moves.as_deref().map(split_names),
            metric: metric.map_err(refused("Metric"))?,
            rotations: self.rotations.as_deref().map(split_names),
            ..Selection::default()
        };
        let selected = definition.select(&selection).map_err(refused("Choice of moves"))?;
        Ok((definition, selected))
    }

    fn definition(&self) -> Result<Definition, Faults> {
        match &self.definition {
            Some(text) => formats::read(text),
            None => builtin::get(&self.puzzle)
                .unwrap_or_else(|| Err(format!("{:?} is no built-in puzzle", self.puzzle).into())),
        }
    }
}

/// Reads a puzzle and one of its states.
#[derive(Debug, Deserialize)]
pub struct Read {
    #[serde(flatten)]
    source: Source,
    /// Moves from the solved state, a pattern, or a permutation.
    text: String,
    /// The form of the text; detected by default.
    form: Option<String>,
}

/// A puzzle and whether a state of it is the solved one.
#[derive(Debug, Serialize)]
pub struct About {
    name: String,
    /// The names of the moves that count.
    moves: Vec<String>,
    /// The names of the free rotations.
    rotations: Vec<String>,
    orbits: Vec<Orbit>,
    remarks: Vec<String>,
    /// The faults of the state.
    faults: Vec<Fault>,
}

/// An orbit of pieces.
#[derive(Debug, Serialize)]
pub struct Orbit {
    name: String,
    pieces: usize,
    orientations: usize,
}

impl Read {
    pub(crate) fn answer(&self) -> Result<About, Refusal> {
        let (definition, selected) = self.source.open()?;
        let faults = match self.state(&definition, &selected) {
            Ok(_) => Vec::new(),
            Err(faults) => of_field("State", &faults),
        };
        let puzzle = &selected.puzzle;
        let orbit = |orbit: &puzzle::Orbit| Orbit {
            name: orbit.name.clone(),
            pieces: orbit.pieces,
            orientations: orbit.orientations,
        };
        Ok(About {
            name: puzzle.name().to_owned(),
            moves: puzzle.moves().iter().map(|step| step.name.clone()).collect(),
            rotations: puzzle.rotations().iter().map(|turn| turn.name.clone()).collect(),
            orbits: puzzle.orbits().iter().map(orbit).collect(),
            remarks: [definition.remarks.clone(), selected.remarks.clone()].concat(),
            faults,
        })
    }

    fn state(&self, definition: &Definition, selected: &Selected) -> Result<Pattern, Faults> {
        let form: Option<Form> = self.form.as_deref().map(str::parse).transpose()?;
        selected.state(&states::read(&self.text, definition, form)?)
    }
}

/// Reads states.
#[derive(Debug, Deserialize)]
pub struct Patterns {
    #[serde(flatten)]
    source: Source,
    texts: Vec<String>,
}

impl Patterns {
    /// Each state as a KPuzzle pattern.
    pub(crate) fn answer(&self) -> Result<Vec<String>, Refusal> {
        let (definition, _) = self.source.open()?;
        let pattern = |text: &String| {
            let state = states::read(text, &definition, None).map_err(refused("State"))?;
            Ok(kpuzzle::write_pattern(&definition.orbits, &state))
        };
        self.texts.iter().map(pattern).collect()
    }
}

/// The group of the counted moves.
#[derive(Debug, Deserialize)]
pub struct Group {
    #[serde(flatten)]
    source: Source,
}

/// The order of a group, and the number of positions.
#[derive(Debug, Serialize)]
pub struct Order {
    order: String,
    /// Its prime factors.
    factors: String,
    /// Whether it is proved; otherwise it is a lower bound.
    proved: bool,
    /// The number of shapes of a puzzle with rules. The group is then that of the strings of moves that keep the solved shape.
    shapes: Option<usize>,
    /// The number of positions; `None` if only a count can decide it.
    positions: Option<String>,
}

impl Group {
    /// The order; `None` for a puzzle that has too many points, or rules that do not form shapes.
    pub(crate) fn answer(&self, host: &'static dyn Host) -> Result<Option<Order>, Refusal> {
        let (_, selected) = self.source.open()?;
        let reporter = Reporter::new(host);
        let run = run(&reporter, None);
        let positions = Positions::new(&selected.puzzle, &run).map_err(Refusal::error)?;
        let of = |positions: Positions| {
            let order = positions.group().order();
            let count = positions.count(&run).map_err(Refusal::error)?;
            Ok(Order {
                order: order.decimal(),
                factors: order.to_string(),
                proved: positions.group().is_proved(),
                shapes: positions.shapes(),
                positions: count.map(|count| count.decimal()),
            })
        };
        positions.map(of).transpose()
    }
}

/// Draws a state.
#[derive(Debug, Deserialize)]
pub struct Random {
    #[serde(flatten)]
    source: Source,
    seed: u64,
}

/// A state that can be solved.
#[derive(Debug, Serialize)]
pub struct Drawn {
    text: String,
    /// Whether each state was equally likely. Otherwise it was reached by random moves.
    uniform: bool,
}

impl Random {
    pub(crate) fn answer(&self, host: &'static dyn Host) -> Result<Drawn, Refusal> {
        let (definition, selected) = self.source.open()?;
        let reporter = Reporter::new(host);
        let run = run(&reporter, None);
        let mut rng = Uniform::new(self.seed);
        let positions = Positions::new(&selected.puzzle, &run).map_err(Refusal::error)?;
        let positions = positions.filter(|positions| positions.group().is_proved());
        let uniform = positions.is_some();
        let state = match positions {
            Some(positions) => positions.random(&mut rng, &run).map_err(Refusal::error)?,
            None => walk(&selected.puzzle, &mut rng),
        };
        let pattern = selected.pattern(&definition, &state);
        Ok(Drawn { text: kpuzzle::write_pattern(&definition.orbits, &pattern), uniform })
    }
}

/// The state after random moves; those that a rule blocks are left out.
fn walk(puzzle: &puzzle::Puzzle, rng: &mut Uniform) -> Pattern {
    let moves = puzzle.moves();
    (0..RANDOM_MOVES).fold(puzzle.solved().clone(), |state, _| {
        let next = state.apply(&moves[rng.below(moves.len())].transformation);
        if puzzle.is_legal(&next) { next } else { state }
    })
}

/// The goal of a search: the solved state if nothing is given.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct Aim {
    /// The states of which the nearest is to be reached, one per line.
    states: String,
    /// Places whose pieces do not matter, such as `EDGES CORNERS:0-3`.
    ignored: String,
    /// Places whose pieces may have any orientation.
    unoriented: String,
    /// Sets of places whose pieces are interchangeable.
    alike: String,
}

impl Aim {
    fn goals(&self, definition: &Definition, selected: &Selected) -> Result<Vec<Goal>, Faults> {
        let places = |text: &str| -> Result<Vec<Places>, Faults> {
            text.split_whitespace()
                .map(|word| word.parse().map_err(|fault: InvalidPlaces| fault.to_string().into()))
                .collect()
        };
        let open = Open::default()
            .ignored(places(&self.ignored)?)
            .unoriented(places(&self.unoriented)?)
            .alike(places(&self.alike)?);
        let lines = self.states.lines().filter(|line| !line.trim().is_empty());
        let state = |line: &str| selected.state(&states::read(line, definition, None)?);
        let mut states: Vec<Pattern> = lines.map(state).collect::<Result<_, _>>()?;
        if states.is_empty() {
            states.push(selected.puzzle.solved().clone());
        }
        states.iter().map(|state| Goal::new(&selected.puzzle, state, &open)).collect()
    }
}

/// Searches for shortest solutions.
#[derive(Debug, Deserialize)]
pub struct Solve {
    #[serde(flatten)]
    read: Read,
    #[serde(default)]
    goal: Aim,
    #[serde(flatten)]
    wish: Wish,
}

/// The solver of the last search: its tables stay in memory.
struct Loaded {
    source: Source,
    goal: Aim,
    memory: Option<u64>,
    definition: Definition,
    selected: Selected,
    solver: Arc<Solver>,
}

thread_local! {
    /// The solver of the last search.
    static LAST: RefCell<Option<Loaded>> = const { RefCell::new(None) };
}

impl Solve {
    pub(crate) fn answer(&self, host: &'static dyn Host) -> Result<Answered, Refusal> {
        let reporter = Reporter::new(host);
        let run = run(&reporter, self.wish.memory);
        LAST.with_borrow_mut(|last| {
            let loaded = match last.take().filter(|loaded| self.is_served_by(loaded)) {
                Some(loaded) => loaded,
                None => self.load(host, &run)?,
            };
            self.search(last.insert(loaded), host, &reporter, &run)
        })
    }

    fn is_served_by(&self, loaded: &Loaded) -> bool {
        loaded.source == self.read.source && loaded.goal == self.goal && loaded.memory == self.wish.memory
    }

    fn load(&self, host: &'static dyn Host, run: &Run<'_>) -> Result<Loaded, Refusal> {
        let (definition, selected) = self.read.source.open()?;
        let setup = SolverSetup::default();
        let goals = self.goal.goals(&definition, &selected).map_err(refused("Goal"))?;
        let solver = Solver::new(selected.puzzle.clone(), goals, &setup, HostTables(host), run);
        let solver = solver.map_err(Refusal::error)?;
        Ok(Loaded {
            source: self.read.source.clone(),
            goal: self.goal.clone(),
            memory: self.wish.memory,
            definition,
            selected,
            solver: Arc::new(solver),
        })
    }

    fn search(
        &self,
        loaded: &Loaded,
        host: &'static dyn Host,
        reporter: &Reporter,
        run: &Run<'_>,
    ) -> Result<Answered, Refusal> {
        let Loaded { definition, selected, solver, .. } = loaded;
        let start = self.read.state(definition, selected).map_err(refused("State"))?;
        let wish = &self.wish;
        let (watched, from) = (Arc::clone(solver), start.clone());
        let checked = move |ops: &[Op]| watched.checked(&from, ops).ok().map(Found::from);
        let ask = Ask::new(start)
            .wanted(wish.wanted())
            .min_bound(wish.at_least)
            .upper_bounds(wish.upper_bounds(host, 0, checked))
            .checkpoints(wish.checkpoints(host, 0));
        let answer = solver.solve(&ask, run).map_err(Refusal::error)?;
        let used = answer.used.clone();
        let report = answer.into_report();
        let cannot_be_solved = matches!(report.ending, Ending::Exhausted);
        let report = report.map(Found::from);
        let remark = cannot_be_solved
            .then(|| "No solution: the moves that count do not lead from this state to the goal.".to_owned());
        Ok(Answered { remark, ..Answered::of(report, reporter).by(&used.heuristic, &used.tables) })
    }
}

/// Counts the positions at each depth.
#[derive(Debug, Deserialize)]
pub struct Counts {
    #[serde(flatten)]
    source: Source,
    #[serde(default)]
    goal: Aim,
    max_depth: Option<usize>,
    memory: Option<u64>,
}

/// The positions at each depth. Numbers are texts, because JavaScript has no numbers of 64 bits.
#[derive(Debug, Serialize)]
pub struct Layers {
    /// From depth 0 on.
    layers: Vec<String>,
    positions: String,
    complete: bool,
    /// Shortest words to some of the deepest positions.
    deepest: Vec<String>,
    /// The reason why the count ended early, if it was not the depth.
    remark: Option<String>,
    seconds: f64,
}

impl Counts {
    pub(crate) fn answer(&self, host: &'static dyn Host) -> Result<Layers, Refusal> {
        let (definition, selected) = self.source.open()?;
        let goals = self.goal.goals(&definition, &selected).map_err(refused("Goal"))?;
        let puzzle = if self.goal == Aim::default() { &selected.puzzle } else { goals[0].puzzle() };
        let reporter = Reporter::new(host);
        let run = run(&reporter, Some(self.memory.unwrap_or(COUNT_MEMORY).min(COUNT_MEMORY)));
        let system = System::new(puzzle, &run).map_err(|error| match error {
            SystemError::Faults(faults) => refused("Puzzle")(faults),
            SystemError::Cancelled(_) => Refusal::error(error),
        })?;
        let ask = CountAsk::default().max_depth(self.max_depth).goals(&system, &goals);
        let ask = ask.map_err(refused("Goal"))?;
        let plan = CountPlan::new(puzzle, &system, &ask, &run).map_err(Refusal::error)?;
        let (counts, remark) = match plan.count(&system, &ask, &run) {
            Ok(counts) => (counts, None),
            Err(CountError::Budget(layers)) => {
                let remark =
                    "The memory of this page holds no more: choose a maximum depth, or use puzzle-opt count.";
                (Counted { layers, complete: false, deepest: Vec::new() }, Some(remark.to_owned()))
            }
            Err(error) => return Err(Refusal::error(error)),
        };
        let word = |word: &Vec<usize>| system.reduction.spell(puzzle.solved(), word).join(" ");
        let positions: u128 = counts.layers.iter().map(|&layer| u128::from(layer)).sum();
        Ok(Layers {
            layers: counts.layers.iter().map(u64::to_string).collect(),
            positions: positions.to_string(),
            complete: counts.complete,
            deepest: counts.deepest.iter().map(|deepest| word(&deepest.word)).collect(),
            remark,
            seconds: reporter.seconds(),
        })
    }
}
