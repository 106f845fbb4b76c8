//! The solver: a puzzle, a heuristic with its tables, and an automaton.

mod forecast;
mod place;
mod rings;
mod shorten;
mod speed;
mod stage;
mod sums;
mod units;
mod upper;

use std::hash::Hash;

use search_core::clock::Instant;
use search_core::ida::{self, Config, Order};
use search_core::memory::Memory;
use search_core::record::{Answer, TableUse, Used};
use search_core::table::{Table, TableError, Tables};
use search_core::{Automaton, Domain, Heuristic, Lengths, Op, Report, Run};

use crate::ask::Ask;
use crate::board::OPS;
use crate::fault::Faults;
use crate::fsm::{self, Pruning};
use crate::heuristic::classic::{Classic, NARROW, Parts, WIDE};
use crate::heuristic::explain::explain;
use crate::heuristic::{Grouped, HeuristicSpec, Long, Ranked, additive};
use crate::metric::Metric;
use crate::multi::{self, MultiBound, MultiPuzzle};
use crate::puzzle::Puzzle;
use crate::strategy::{SolverSetup, default_order};
use crate::tables::LearnedAutomaton;
use crate::tiles::{SMALL, Tiles};
use sums::Sums;
use units::SharedBoard;

pub use forecast::{Expected, Probe};
pub use speed::{Catalogue, Speed};

/// Partitions with their tables.
type DatabaseTables = additive::Tables<Memory>;

/// A heuristic with its tables.
enum AnyHeuristic {
    Classic(Box<Classic<NARROW>>),
    Wide(Box<Classic<WIDE>>),
    Additive(Box<DatabaseTables>),
    Grouped(Box<Grouped>),
    Long(Box<Long>),
    Multi(Box<MultiBound>),
}

/// A puzzle, a heuristic and an automaton.
pub struct Solver {
    puzzle: Puzzle,
    /// The same puzzle for searches of boards of at most 6x6.
    small: Option<Puzzle<SMALL>>,
    spec: HeuristicSpec,
    heuristic: AnyHeuristic,
    pruning: Pruning,
    automaton: Automaton,
    tables: Vec<TableUse>,
}

impl Solver {
    /// Creates the solver of `puzzle` with the heuristic and the automaton of `setup`, or those that are best within
    /// the memory of `run`. Missing tables are built.
    ///
    /// # Errors
    /// [`SolverError`].
    pub fn load(
        puzzle: Puzzle,
        setup: impl Into<SolverSetup>,
        tables: &impl Tables,
        run: &Run<'_>,
    ) -> Result<Solver, SolverError> {
        let setup = setup.into();
        let (spec, pruning) = setup.decide(&puzzle, tables, run);
        if puzzle.metric() == Metric::Multi {
            return Solver::load_multi(puzzle, (spec, pruning), tables, run);
        }
        let mut uses = Vec::new();
        let automaton = match pruning {
            Pruning::Off => Automaton::unrestricted(OPS),
            Pruning::Inverse => fsm::inverse_automaton(),
            Pruning::Learned(_) if puzzle.board().is_large() => return Err(SolverError::NoStrings),
            Pruning::Learned(depth) => {
                let table = tables.table(&LearnedAutomaton { board: puzzle.board(), depth }, run)?;
                uses.push(table.used());
                table.to_automaton(OPS)?
            }
        };
        let heuristic = match spec {
            HeuristicSpec::Manhattan | HeuristicSpec::Conflicts if puzzle.board().is_large() => {
                let conflicts = spec == HeuristicSpec::Conflicts;
                AnyHeuristic::Long(Box::new(Long::new(&puzzle, conflicts)))
            }
            HeuristicSpec::Korf96 if puzzle.board().is_large() => return Err(SolverError::NoTables),
            HeuristicSpec::Manhattan => classic(&puzzle, Parts::MANHATTAN),
            HeuristicSpec::Conflicts => classic(&puzzle, Parts::CONFLICTS),
            HeuristicSpec::Korf96 => classic(&puzzle, Parts::ALL),
            HeuristicSpec::Pairs | HeuristicSpec::Triples if puzzle.board().cells() > 32 => {
                return Err(SolverError::TooLarge);
            }
            HeuristicSpec::Pairs => AnyHeuristic::Grouped(Box::new(Grouped::new(&puzzle, 2, run))),
            HeuristicSpec::Triples => AnyHeuristic::Grouped(Box::new(Grouped::new(&puzzle, 3, run))),
            HeuristicSpec::Patterns | HeuristicSpec::AllPatterns => {
                let plan = setup.plan(spec, &puzzle, run).ok_or(SolverError::NoPatterns)?;
                let filled = tables.tables(&plan.patterns, run)?;
                uses.extend(filled.iter().map(Table::used));
                let filled = filled.into_iter().map(|table| table.body).collect();
                AnyHeuristic::Additive(Box::new(additive::Tables::new(plan, filled)))
            }
            HeuristicSpec::Lines => return Err(SolverError::Metric { spec, metric: Metric::Single }),
        };
        let small = puzzle.small();
        Ok(Solver { puzzle, small, spec, heuristic, pruning, automaton, tables: uses })
    }

    /// As [`load`](Solver::load), where several tiles move as one.
    fn load_multi(
        puzzle: Puzzle,
        (spec, pruning): (HeuristicSpec, Pruning),
        tables: &impl Tables,
        run: &Run<'_>,
    ) -> Result<Solver, SolverError> {
        let board = puzzle.board();
        if !multi::fits(board) {
            return Err(SolverError::MultiTooLarge);
        }
        let automaton = match pruning {
            Pruning::Off => multi::unrestricted(board),
            Pruning::Inverse => multi::alternating(board),
            Pruning::Learned(_) => return Err(SolverError::MultiStrings),
        };
        let patterns = match spec {
            HeuristicSpec::Lines => Vec::new(),
            HeuristicSpec::Patterns => multi::patterns(&puzzle),
            _ => return Err(SolverError::Metric { spec, metric: Metric::Multi }),
        };
        if spec == HeuristicSpec::Patterns && patterns.is_empty() {
            return Err(SolverError::NoMultiPatterns);
        }
        let filled = tables.tables(&patterns, run)?;
        let uses = filled.iter().map(Table::used).collect();
        let filled = filled.into_iter().map(|table| table.body).collect();
        let heuristic = MultiBound::new(MultiPuzzle::new(&puzzle), &patterns, filled);
        let heuristic = AnyHeuristic::Multi(Box::new(heuristic));
        let small = puzzle.small();
        Ok(Solver { puzzle, small, spec, heuristic, pruning, automaton, tables: uses })
    }

    /// The possible lengths of the solutions of `tiles`.
    fn lengths(&self, tiles: &Tiles) -> Lengths {
        match self.puzzle.metric() {
            Metric::Single => self.puzzle.lengths(tiles),
            Metric::Multi => Lengths::ANY,
        }
    }

    /// The puzzle.
    pub fn puzzle(&self) -> &Puzzle {
        &self.puzzle
    }

    /// The heuristic.
    pub fn heuristic(&self) -> HeuristicSpec {
        self.spec
    }

    /// The automaton's kind.
    pub fn pruning(&self) -> Pruning {
        self.pruning
    }

    /// The strings of moves that a search may make.
    pub fn automaton(&self) -> &Automaton {
        &self.automaton
    }

    /// The tables that it reads.
    pub fn tables(&self) -> &[TableUse] {
        &self.tables
    }

    /// The greatest known lower bound on the length of the solutions of `tiles`: the heuristic's value, or, on a board
    /// larger than 6x6, that of the paper's heuristic from scratch, which need not fit a byte.
    pub fn lower_bound(&self, tiles: &Tiles) -> u32 {
        match self.puzzle.board().is_large() {
            true => explain(&self.puzzle, Parts::ALL, tiles).value(),
            false => self.value(tiles).into(),
        }
    }

    /// The heuristic's value of `tiles`, at most 255.
    pub fn value(&self, tiles: &Tiles) -> u8 {
        match &self.heuristic {
            AnyHeuristic::Classic(heuristic) => heuristic.value(&self.puzzle, tiles),
            AnyHeuristic::Wide(heuristic) => heuristic.value(&self.puzzle, tiles),
            AnyHeuristic::Additive(tables) => tables.value(tiles),
            AnyHeuristic::Grouped(heuristic) => heuristic.value(tiles),
            AnyHeuristic::Long(heuristic) => heuristic.value(&self.puzzle, tiles),
            AnyHeuristic::Multi(heuristic) => heuristic.bound(tiles),
        }
    }

    /// Searches for shortest solutions.
    ///
    /// # Errors
    /// [`Fault::Parity`](crate::Fault::Parity) if the board cannot reach the goal.
    pub fn solve(&self, ask: &Ask, run: &Run<'_>) -> Result<Answer<Vec<Op>>, Faults> {
        let begun = Instant::now();
        let config = &ask.upper_bounds.apply(ask.config.clone().order(self.order(ask)));
        let board = SharedBoard::new(self, ask)?;
        let report = ida::search_trees(&board, config, run).expect("the solver has what it chooses");
        let used = Used::one(self.spec.name(), &self.tables);
        Ok(Answer::new(report, used, begun.elapsed().as_secs_f64()))
    }

    /// The order of the branches: that of `ask`, or the default of the heuristic.
    fn order(&self, ask: &Ask) -> Order {
        ask.order.unwrap_or_else(|| default_order(self.spec, self.puzzle.board()))
    }

    /// Calls `visit` with the heuristic, whose sums read `partitions`.
    fn with<V: Visit>(&self, tiles: &Tiles, partitions: &[usize], visit: V) -> V::Answer {
        match (&self.heuristic, &self.small) {
            (AnyHeuristic::Classic(heuristic), Some(small)) => {
                visit.with(small, &**heuristic, &tiles.small())
            }
            (AnyHeuristic::Wide(heuristic), Some(small)) => visit.with(small, &**heuristic, &tiles.small()),
            (AnyHeuristic::Additive(tables), _) => Sums::new(self, tables, tiles).with(partitions, visit),
            (AnyHeuristic::Grouped(heuristic), Some(small)) => {
                visit.with(small, &|tiles: &Tiles<SMALL>| heuristic.value(tiles), &tiles.small())
            }
            (AnyHeuristic::Multi(heuristic), _) => visit.with(heuristic.puzzle(), &**heuristic, tiles),
            (AnyHeuristic::Long(heuristic), _) => visit.with(&self.puzzle, &**heuristic, tiles),
            (AnyHeuristic::Classic(_) | AnyHeuristic::Wide(_) | AnyHeuristic::Grouped(_), None) => {
                unreachable!("these heuristics are for boards of at most 6x6")
            }
        }
    }
}

/// An operation on a domain and a heuristic of any type.
trait Visit {
    type Answer;
    fn with<D, H>(self, domain: &D, heuristic: &H, start: &D::State) -> Self::Answer
    where
        D: Domain<State: Hash>,
        H: Ranked<D>;
}

/// A search by iterative deepening.
struct BoundSearch<'a> {
    solver: &'a Solver,
    config: &'a Config,
    run: &'a Run<'a>,
}

impl Visit for BoundSearch<'_> {
    type Answer = Report<Vec<Op>>;

    fn with<D, H>(self, domain: &D, heuristic: &H, start: &D::State) -> Report<Vec<Op>>
    where
        D: Domain<State: Hash>,
        H: Ranked<D>,
    {
        let BoundSearch { solver, config, run } = self;
        ida::search(domain, heuristic, &solver.automaton, start, config, run)
    }
}

fn classic(puzzle: &Puzzle, parts: Parts) -> AnyHeuristic {
    if puzzle.board().rows().max(puzzle.board().cols()) > 5 {
        AnyHeuristic::Wide(Box::new(Classic::new(puzzle, parts)))
    } else {
        AnyHeuristic::Classic(Box::new(Classic::new(puzzle, parts)))
    }
}

/// The reason why a solver is not available.
#[derive(Debug, thiserror::Error)]
pub enum SolverError {
    /// A table is not available.
    #[error(transparent)]
    Table(#[from] TableError),
    /// No pattern databases are known for this board.
    #[error("pattern databases are for boards of at most 32 cells, with sides of at most 6")]
    NoPatterns,
    /// The tables of lines are for boards of at most 6x6.
    #[error("the heuristic korf96 is for boards of at most 6x6")]
    NoTables,
    /// The strings of automata are for boards of at most 6x6.
    #[error("learned automata are for boards of at most 6x6")]
    NoStrings,
    /// The tables of learned groups have at most 32 cells.
    #[error("learned pairs and triples are for boards of at most 32 cells")]
    TooLarge,
    /// The heuristic is that of another metric.
    #[error("the heuristic {spec} is not one of the metric {metric}")]
    Metric {
        /// The heuristic.
        spec: HeuristicSpec,
        /// The metric.
        metric: Metric,
    },
    /// The board is too large to be searched where several tiles move as one.
    #[error("the metric multi is for boards of at most {} rows and columns", multi::MOST_SIDE)]
    MultiTooLarge,
    /// The board has no pattern databases of the metric in which several tiles move as one.
    #[error("pattern databases of the metric multi are for boards of at most 16 cells")]
    NoMultiPatterns,
    /// Learned strings are strings of single moves.
    #[error("learned automata are for the metric single")]
    MultiStrings,
}
