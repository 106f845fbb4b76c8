//! The optimal solver: a heuristic by name, its tables, and the search wired together.
//!
//! Which vector instructions run is decided here, once: everything below is generic over them, and
//! [`Solver`] hides it.

use crate::choice::{Choice, Part, hoey_views};
use crate::cube::{Cube, Turn};
use crate::heuristics::patterns::{CornerPart, EdgePart, View};
use crate::heuristics::{AnyTable, CosetBound, Manhattan, PatternBound, SquareBound};
use crate::lanes::{Lanes, Portable};
use crate::mask::Mask;
use crate::metric::Metric;
use crate::patterns::{Corners, Coset, Edges, Square, edges};
use crate::space::{CubeSpace, Sides, State};
use crate::symmetry::Symmetry;
use crate::tables::{Pattern, TableId, square_base};
use search_core::ida::{self, Config, Wanted};
use search_core::record::TableUse;
use search_core::table::{Store, TableError};
use search_core::{Automaton, Heuristic, Op, OpSet, Report, Run};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Solves cubes with one heuristic in one metric.
pub struct Solver {
    choice: Choice,
    metric: Metric,
    tables: Vec<TableUse>,
    engine: Box<dyn Engine>,
    symmetric: bool,
}

/// Which implementation of the byte shuffles to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Instructions {
    /// The best that this machine has.
    #[default]
    Best,
    /// Plain arrays, on any machine.
    Portable,
}

impl Solver {
    /// The solver with the heuristic `choice` in `metric`. Its tables come from `store`, which
    /// builds those that it lacks.
    ///
    /// # Errors
    /// [`TableError`] of the first table that cannot be had.
    pub fn load(choice: &Choice, metric: Metric, store: &Store, run: &Run<'_>) -> Result<Solver, TableError> {
        let ids = choice.tables(metric);
        let tables = store.get_all(&ids, run)?.into_iter().zip(ids).map(|(table, id)| {
            let used = table.used();
            (id, id.over(table.body), used)
        });
        Ok(Solver::new(choice, metric, tables.collect(), Instructions::Best))
    }

    /// The solver with tables at hand: each of [`Choice::tables`].
    ///
    /// # Panics
    /// If a table is missing.
    pub fn new(
        choice: &Choice,
        metric: Metric,
        tables: Vec<(TableId, AnyTable, TableUse)>,
        instructions: Instructions,
    ) -> Solver {
        let find = |pattern| {
            let table = tables.iter().find(|(id, ..)| id.pattern == pattern && id.metric == metric);
            table.expect("all tables of the choice are at hand").1.clone()
        };
        let engine = match instructions {
            Instructions::Best => best_engine(choice, metric, find),
            Instructions::Portable => engine::<Portable>(choice, metric, find),
        };
        let tables = tables.into_iter().map(|(_, _, used)| used).collect();
        Solver { choice: choice.clone(), metric, tables, engine, symmetric: true }
    }

    /// Searches every branch of a cube that symmetries leave unchanged: as the papers do, for
    /// comparison.
    #[must_use]
    pub fn without_symmetries(self) -> Solver {
        Solver { symmetric: false, ..self }
    }

    /// The heuristic.
    pub fn choice(&self) -> &Choice {
        &self.choice
    }

    /// The metric.
    pub fn metric(&self) -> Metric {
        self.metric
    }

    /// The tables that it reads.
    pub fn tables(&self) -> &[TableUse] {
        &self.tables
    }

    /// The heuristic's value.
    pub fn value(&self, cube: &Cube) -> u8 {
        self.engine.value(cube)
    }

    /// Searches for shortest solutions of `cube`: turns that lead from it to the solved cube.
    /// (For another goal `g`, solve `g⁻¹` and then `cube`: turns lead from one to the other alike.)
    /// When all are asked for, they are those that keep the move rules.
    ///
    /// A symmetry that leaves the cube unchanged carries solutions to solutions; so of the first (or
    /// last) turns that symmetries carry into each other only one is searched, and what is found is
    /// carried back.
    pub fn solve(&self, cube: &Cube, config: &Config, run: &Run<'_>) -> Report<Vec<Turn>> {
        let is_whole = !matches!(self.choice, Choice::Masked(_));
        let symmetries =
            if self.symmetric && is_whole { Symmetry::of(cube) } else { vec![Symmetry::IDENTITY] };
        let config = &Config {
            first: config.first.and(self.first(&symmetries)),
            // The papers' heuristics are searched as the papers did.
            near_misses_first: matches!(self.choice, Choice::Square { .. } | Choice::Coset { .. }),
            ..config.clone()
        };
        let report = self.engine.search(cube, config, run);
        if config.wanted == Wanted::First {
            return report;
        }
        let ending = report.ending.choose(|solutions| self.canonical(solutions, &symmetries));
        Report { ending, ..report }
    }

    /// The operators that a search must start with, where `symmetries` leave the cube unchanged: of
    /// those that become each other the least.
    ///
    /// Why that finds an image of every solution: of all images, brought into the order of the
    /// rules, take the one whose first turn is least. If that turn became a lesser one under a
    /// symmetry, so would the string, and the rules' order makes no first turn greater. At the back
    /// the rules hold for opposite faces read backwards, so there the order is theirs.
    fn first(&self, symmetries: &[Symmetry]) -> OpSet {
        let turns = self.metric.turns();
        let least = |key: &dyn Fn(Turn) -> Turn| {
            let is_least =
                |turn: Turn| symmetries.iter().all(|symmetry| key(symmetry.turn(turn)) >= key(turn));
            (0..).zip(turns).filter(|(_, turn)| is_least(**turn)).map(|(op, _)| Op(op)).collect::<OpSet>()
        };
        let (front, back) = (least(&|turn| turn), least(&|turn| turn.across()));
        OpSet(front.0 | back.0 << turns.len())
    }

    /// The solutions that keep the move rules, and their images under `symmetries`, each once, by
    /// length and then in the order of the turns. A two-sided search finds each of these, and others
    /// that break a rule where the two sides meet.
    fn canonical(&self, solutions: Vec<Vec<Turn>>, symmetries: &[Symmetry]) -> Vec<Vec<Turn>> {
        let rules = self.metric.automaton();
        let keeps_rules = |turns: &Vec<Turn>| {
            let mut state = Some(rules.start());
            for turn in turns {
                let op = self.metric.operator(*turn);
                state = state.and_then(|state| rules.next(state, op?));
            }
            state.is_some()
        };
        let mut sorted: BTreeSet<(usize, Vec<Turn>)> = BTreeSet::new();
        for turns in solutions.iter().filter(|turns| keeps_rules(turns)) {
            let image = |&symmetry: &Symmetry| (turns.len(), image(self.metric, turns, symmetry));
            sorted.extend(symmetries.iter().map(image));
        }
        sorted.into_iter().map(|(_, turns)| turns).collect()
    }
}

/// What becomes of a solution under a symmetry, in the order of the rules.
fn image(metric: Metric, turns: &[Turn], symmetry: Symmetry) -> Vec<Turn> {
    let image: Vec<Turn> = turns.iter().map(|&turn| symmetry.turn(turn)).collect();
    metric.canonical(&image)
}

/// Of solutions of `cube` that its symmetries carry into each other, the first in the order of the
/// turns.
pub fn up_to_symmetry(metric: Metric, cube: &Cube, mut solutions: Vec<Vec<Turn>>) -> Vec<Vec<Turn>> {
    let symmetries = Symmetry::of(cube);
    solutions.retain(|turns| symmetries.iter().all(|&symmetry| image(metric, turns, symmetry) >= *turns));
    solutions
}

/// A search with everything but the cube fixed.
trait Engine: Send + Sync {
    fn search(&self, cube: &Cube, config: &Config, run: &Run<'_>) -> Report<Vec<Turn>>;
    fn value(&self, cube: &Cube) -> u8;
}

struct Wired<V, H> {
    space: CubeSpace<V>,
    heuristic: H,
    automaton: Automaton,
}

impl<V: Lanes, H: Heuristic<CubeSpace<V>> + Send> Engine for Wired<V, H> {
    fn search(&self, cube: &Cube, config: &Config, run: &Run<'_>) -> Report<Vec<Turn>> {
        let start = State::new(cube);
        ida::search(&self.space, &self.heuristic, &self.automaton, &start, config, run)
            .map(|ops| self.space.solution(&ops))
    }

    fn value(&self, cube: &Cube) -> u8 {
        self.heuristic.value(&self.space, &State::new(cube))
    }
}

/// The engine of the widest instructions that this machine has and the heuristic gains from.
fn best_engine(choice: &Choice, metric: Metric, find: impl Fn(Pattern) -> AnyTable) -> Box<dyn Engine> {
    #[cfg(target_arch = "x86_64")]
    {
        use crate::lanes::{Avx2, Avx512};
        if let (Choice::Square { flips }, true) = (choice, Avx512::is_available()) {
            return square_engine::<Avx512>(*flips, metric, find);
        }
        if Avx2::is_available() {
            return engine::<Avx2>(choice, metric, find);
        }
    }
    engine::<Portable>(choice, metric, find)
}

fn engine<V: Lanes>(choice: &Choice, metric: Metric, find: impl Fn(Pattern) -> AnyTable) -> Box<dyn Engine> {
    match choice {
        Choice::Manhattan(variant) => {
            wired(CubeSpace::<V>::new(metric, Sides::One), Manhattan::new(metric, *variant))
        }
        Choice::Patterns(parts) => {
            wired(CubeSpace::<V>::new(metric, Sides::One), pattern_bound::<V>(parts, metric, find))
        }
        Choice::Masked(mask) => {
            wired(CubeSpace::<V>::new(metric, Sides::One).up_to(*mask), masked_bound::<V>(mask, metric, find))
        }
        Choice::Square { flips } => square_engine::<V>(*flips, metric, find),
        Choice::Coset { axes, inverse } => {
            let sides = if *inverse { Sides::Two } else { Sides::One };
            let space = CubeSpace::<V>::new(metric, sides);
            let table = find(Pattern::Coset).nibbles();
            let bound = CosetBound::new(&space, &Coset::new(metric), table, *axes, *inverse);
            wired(space, bound)
        }
    }
}

fn square_engine<V: Lanes>(flips: u8, metric: Metric, find: impl Fn(Pattern) -> AnyTable) -> Box<dyn Engine> {
    let space = CubeSpace::<V>::new(metric, Sides::Two);
    let table = find(Pattern::Square(flips)).crumbs();
    let floor = find(Pattern::SquareFloor(flips)).nibbles();
    let bound = SquareBound::new(&space, Square::new(flips), table, floor, square_base(flips, metric));
    wired(space, bound)
}

fn wired<V: Lanes, H: Heuristic<CubeSpace<V>> + Send + 'static>(
    space: CubeSpace<V>,
    heuristic: H,
) -> Box<dyn Engine> {
    let automaton = space.automaton();
    Box::new(Wired { space, heuristic, automaton })
}

fn pattern_bound<V: Lanes>(
    parts: &[Part],
    metric: Metric,
    find: impl Fn(Pattern) -> AnyTable,
) -> PatternBound<V> {
    let corners = parts.contains(&Part::Corners).then(|| CornerPart {
        space: Arc::new(Corners::new(metric)),
        table: find(Pattern::Corners).nibbles(),
    });
    let mut views = Vec::new();
    for part in parts {
        match part {
            Part::Corners => {}
            Part::Edges(set) => views.push((*set, Symmetry::IDENTITY, false)),
            Part::Hoey(count) => views.extend(
                hoey_views().into_iter().take(*count as usize).map(|(s, inverse)| (edges::KORF, s, inverse)),
            ),
        }
    }
    let edges = views.into_iter().map(|(set, symmetry, inverse)| {
        let space = Edges::new(metric, set).expect("a choice names sets that are patterns");
        EdgePart { view: View::new(&space, symmetry, inverse), table: find(Pattern::Edges(set)).nibbles() }
    });
    PatternBound::new(corners, edges.collect())
}

fn masked_bound<V: Lanes>(
    mask: &Mask,
    metric: Metric,
    find: impl Fn(Pattern) -> AnyTable,
) -> PatternBound<V> {
    let (mut corners, mut edges) = (None, Vec::new());
    for pattern in mask.patterns() {
        let table = find(pattern).nibbles();
        match pattern {
            Pattern::Edges(set) | Pattern::EdgesUpTo { set, .. } => {
                let space = Edges::new(metric, set).expect("a mask names sets that are patterns");
                edges.push(EdgePart { view: View::new(&space, Symmetry::IDENTITY, false), table });
            }
            _ => corners = Some(CornerPart { space: Arc::new(Corners::new(metric)), table }),
        }
    }
    PatternBound::new(corners, edges)
}
